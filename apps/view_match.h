/// @file view_match.h
/// What a sim says, as the page is told it: states merged, lidar points collected until they are shown, the scene kept
/// to what the sim has.
#ifndef HALYARD_APPS_VIEW_MATCH_H
#define HALYARD_APPS_VIEW_MATCH_H

#include "page_scene.h"

#define VIEW_MATCH_POINTS \
    1024 ///< Lidar points of one robot between two states; more is a sweep and a quarter.

typedef struct {
    hy_icd_match match; ///< As last heard; its lidar points are not there any more.
    bool is_known;      ///< Something was heard.
    bool is_new;        ///< Since the last view_match_show().
    // Private.
    page_scene *scene;
    char teams[HY_ICD_PLAYERS][HY_ICD_TEAM_SIZE]; // the scene's names
    int64_t start_us, heard_us;
    hy_icd_lidar_point points[HY_ICD_PLAYERS][VIEW_MATCH_POINTS];
    size_t point_count[HY_ICD_PLAYERS];
} view_match;

/// Starts with `scene`, whose robots are changed as the sim's turn out to be.
void view_match_start(view_match *self, page_scene *scene, int64_t now_us);

/// Takes in a message that hy_icd_read_match() has just put into `self->match`.
void view_match_hear(view_match *self, int64_t now_us);

/// Shows the scene, if it changed, and the state.
void view_match_show(view_match *self, hy_view *view, int64_t now_us);

#endif
