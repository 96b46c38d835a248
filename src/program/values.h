/// @file values.h
/// Private: the newest numbers that a program publishes, for the plots of its page.
#ifndef PROGRAM_VALUES_H
#define PROGRAM_VALUES_H

#include <halyard/telemetry.h>

#include "sim/sim_scene.h"

#define PROGRAM_VALUES_OWN (HY_SCENE_VALUES - HY_SCENE_TRUTH)

typedef struct {
    hy_scene_value items[HY_SCENE_VALUES]; ///< That have a value.
    size_t count;
    hy_world_pose start; ///< Of the first robot, at the start of the run.
    // Private.
    char names[PROGRAM_VALUES_OWN][HY_SCENE_VALUE_NAME];
    hy_channel channels[PROGRAM_VALUES_OWN]; // of each, and which of its doubles
    unsigned char members[PROGRAM_VALUES_OWN];
    double newest[PROGRAM_VALUES_OWN]; // not finite: none yet
    size_t name_count;
    hy_telemetry_sink next;
} program_values;

/// A sink that keeps them and hands everything on to `next` (may be NULL). `self` is all zero before, and stays.
hy_telemetry_sink program_values_sink(program_values *self, const hy_telemetry_sink *next);

/// Puts those that have a value into `items`, and the first robot's true pose: hy_scene_truth().
void program_values_collect(program_values *self, hy_world_pose robot);

#endif
