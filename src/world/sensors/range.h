/// @file range.h
/// An ideal range sensor: the nearest point in its cone.
#ifndef HY_WORLD_RANGE_H
#define HY_WORLD_RANGE_H

#include "state.h"

/// A range sensor and where it sits in its vehicle.
typedef struct {
    const hy_range_spec *range;
    hy_vec at_m;
    double heading_rad;
} hy_range_use;

/// Distance to what is nearest in its cone, without noise; `far_m` if nothing is.
double hy_range_from(const hy_world_model *model, const hy_world_state *state, size_t index,
                     const hy_range_use *use);
/// The reading for that distance: with noise, and within the sensor's range.
double hy_range_measured(const hy_range_spec *range, double true_m, hy_random *random);

/// The unit vector of that heading.
hy_vec hy_direction(double angle_rad);

#endif
