/// @file view_match.h
/// What a sim says, as the page is told it: states merged, lidar points collected until they are shown, the scene kept
/// to what the sim has. Robots of other kinds come from the sim's status: the last ones of the scene.
#ifndef HALYARD_APPS_VIEW_MATCH_H
#define HALYARD_APPS_VIEW_MATCH_H

#include <halyard/match.h>

#include "state_clock.h"
#include <halyard/view.h>

#define VIEW_MATCH_POINTS \
    1024 ///< Lidar points of one robot between two states; more is a sweep and a quarter.

#define VIEW_STATUS_SILENT_US \
    500000 ///< Without a status for so long, what it told is not known any more ...
#define VIEW_GUESTS_GONE_US 2000000 ///< ... and for so long, its robots are gone.

#define VIEW_GUESTS (HY_SCENE_ROBOTS - HY_ICD_PLAYERS)

/// What robots look like that are no vehicles of the interface document.
typedef struct {
    // Private.
    hy_scene_of_world looks;
    hy_world_model *model;
} view_guests;

/// False if memory is used up. End it with view_guests_free() in any case.
bool view_guests_make(view_guests *self);
void view_guests_free(view_guests *self);

typedef struct {
    hy_icd_match match; ///< As last heard; its lidar points are not there any more.
    bool is_known;      ///< Something was heard.
    bool is_new;        ///< Since the last view_match_show().
    // Private.
    hy_scene scene; // as it is shown, of `robots`
    hy_scene_robot robots[HY_SCENE_ROBOTS];
    hy_scene_robot players[HY_ICD_PLAYERS];        // what they look like
    const hy_scene *kinds;                         // of which each robot is a kind of guest
    char names[HY_SCENE_ROBOTS][HY_ICD_TEAM_SIZE]; // the robots'
    hy_icd_robot guests[VIEW_GUESTS];
    size_t guest_count;
    double speed, step_us; // what the sim says of itself
    int refused;
    int64_t start_us, heard_us, told_us;
    state_clock clock;
    double state_us; // the last state's time
    hy_icd_lidar_point points[HY_ICD_PLAYERS][VIEW_MATCH_POINTS];
    size_t point_count[HY_ICD_PLAYERS];
} view_match;

/// Starts with `scene`, made of `model`: all players of it and no guests, until the sim tells. All three are to stay.
void view_match_start(view_match *self, const hy_scene_of_world *scene, const hy_match_model *model,
                      const view_guests *guests, int64_t now_us);

/// Takes in a message that hy_icd_read_match() has just put into `self->match`; `arrived_us`: when it arrived at this machine.
void view_match_hear(view_match *self, int64_t arrived_us, int64_t now_us);

/// Takes in what the sim's status says of itself and of other robots; those of a kind that has no picture, and more than VIEW_GUESTS, are not
/// shown.
void view_match_tell(view_match *self, const hy_icd_status *status, int64_t now_us);

/// Shows the scene, if it changed, and the state.
void view_match_show(view_match *self, hy_view *view, int64_t now_us);

#endif
