/// @file view_picture.h
/// What `halyard view` shows: the field, its robots and the match as the sim tells it, and earlier runs beside it.
#ifndef HALYARD_APPS_VIEW_PICTURE_H
#define HALYARD_APPS_VIEW_PICTURE_H

#include "host/host_phantoms.h"
#include "view/view.h"

/// All zero: nothing is loaded.
typedef struct {
    hy_match_model *model;
    hy_scene_of_match match;
    hy_phantoms *phantoms; ///< NULL: none are shown.
    // Private.
    hy_scene_of_world scene;
    hy_world_model *robot_models; // one robot of each type ...
    hy_scene_of_world looks;      // ... and how they look
} view_picture;

typedef struct {
    const char *config; ///< The field and its robots.
    const hy_host_phantoms *phantoms;
    const char *faults; ///< Shown as injected; NULL: none.
    double match_s;     ///< 0: as the rules have it.
} view_picture_setup;

/// Loads it. False with a sentence of `command`; to be ended by view_picture_free() in any case.
bool view_picture_load(view_picture *self, const char *command, const view_picture_setup *setup);
void view_picture_free(view_picture *self);

/// `self->match.match` was received.
void view_picture_receive(view_picture *self, int64_t at_us);

/// Shows it in `view`, if it is new and time to.
void view_picture_show(view_picture *self, hy_view *view, int64_t now_us);

#endif
