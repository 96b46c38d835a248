/// @file sense.h
/// What a vehicle feels.
#ifndef HY_WORLD_SENSE_H
#define HY_WORLD_SENSE_H

#include "state.h"

/// Draws the biases of this run and fills the readings of a vehicle that stands.
void hy_sense_start(const hy_world_model *model, hy_world_state *state, size_t index);

/// Fills the readings after a step. `before` is the motion that the step began with.
void hy_sense(const hy_world_model *model, hy_world_state *state, size_t index, hy_motion before);

/// Without noise: darkness under the left (0) and right (1) sensor, and the distance ahead.
double hy_true_reflectance(const hy_world_model *model, const hy_vehicle_state *vehicle,
                           size_t index, int side);
double hy_true_range(const hy_world_model *model, const hy_world_state *state, size_t index);

#endif
