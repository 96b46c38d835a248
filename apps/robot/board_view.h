/// @file board_view.h
/// The page of `halyard board --view`: the world around a virtual robot, and its button.
#ifndef HALYARD_APPS_BOARD_VIEW_H
#define HALYARD_APPS_BOARD_VIEW_H

#include <halyard/link.h>
#include <halyard/sim_scene.h>

#include "sim/page_server.h"

/// All zero: there is no page, and every call below does nothing.
typedef struct {
    hy_view *view;
    hy_sim_scene scene;
    int64_t polled_us; ///< When it last asked the pages.
} board_view;

/// `faults`: what --faults said, shown on the page; NULL: nothing.
/// Serves the page of the first board of `sim`. False with a sentence for `command`.
bool board_view_open(board_view *self, const char *command, const page_place *place,
                     const hy_sim *sim, const char *faults);
void board_view_close(board_view *self);

/// Takes in what pages want; true if one of them wants a reset. Call it when hy_view_descriptor(self->view) is readable.
bool board_view_poll(board_view *self, int64_t now_us);

/// Whether board_view_poll() was long ago: it also has to be called for pages that send nothing. Ask after every step.
bool board_view_is_due(const board_view *self, int64_t now_us);

/// Whether a page holds the robot's button down.
bool board_view_button(const board_view *self, int64_t now_us);

/// Keeps what the sensors saw in a step of the world for the next state. Call it after every such step.
void board_view_collect(board_view *self, const hy_sim *sim);

/// Shows the robot, if somebody looks. Call it after every step.
void board_view_show(board_view *self, const hy_sim *sim, int64_t now_us);

#endif
