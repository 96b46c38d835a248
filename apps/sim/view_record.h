/// @file view_record.h
/// `halyard view --record`: the match as the sim tells it, under the names that the sim's own recording has, and the sticks of
/// players that a page drives.
#ifndef HALYARD_APPS_VIEW_RECORD_H
#define HALYARD_APPS_VIEW_RECORD_H

#include <halyard/base.h>

#include "host/host_record.h"
#include "stick_channels.h"

typedef struct {
    hy_channel pose, alliance, team;
} view_robot_channels;

typedef struct {
    hy_host_record *file;
    hy_point middle; ///< Of the field: messages count from there, recordings from the lower left corner.
    // Private.
    view_robot_channels robots[HY_ICD_PLAYERS];
    size_t robot_count; // of those that have been declared
    stick_channels sticks[HY_ICD_PLAYERS];
    bool has_sticks[HY_ICD_PLAYERS];
    hy_channel pieces, blue, red, time_left, running, enabled;
    int64_t due_us;
} view_record;

/// Declares the channels of the match; those of robots come with the robots. Without a file it does nothing.
void view_record_declare(view_record *self);

/// What the sim said at `now_us`.
void view_record_put(view_record *self, const hy_icd_match *match, int64_t now_us);

/// The sticks that were sent for player `number`, from 1.
void view_record_sticks(view_record *self, unsigned number, const hy_icd_sticks *sticks,
                        int64_t now_us);

#endif
