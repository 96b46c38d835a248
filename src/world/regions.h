/// @file regions.h
/// Regions of the floor where tyres grip more or less than on the rest of it, and ramps.
#ifndef HY_WORLD_REGIONS_H
#define HY_WORLD_REGIONS_H

#include "model.h"

/// Derives what the step needs from a spec.
hy_region hy_region_of(const hy_region_spec *spec);

/// The grip of the floor under each tyre of a vehicle at `pose`, as a share of what the vehicle's own parameter says: that of the
/// last region of the list that the tyre's middle is in, else 1. O(tyres and regions).
void hy_regions_grip(const hy_world_model *model, const hy_vehicle_model *vehicle,
                     const hy_pose *pose, double grip[HY_VEHICLE_TYRES]);

/// By how much the floor rises under a vehicle at `pose`, radians, ahead and to its left: the mean from its rear contacts to its
/// front ones, so that it tilts little by little where a ramp begins. O(regions).
hy_vec hy_regions_slope(const hy_world_model *model, const hy_vehicle_model *vehicle,
                        const hy_pose *pose);

/// What gravity does to a vehicle on that slope, along the floor, m/s^2; and the share of it that presses on the floor.
hy_vec hy_slope_gravity(hy_vec slope_rad);
double hy_slope_load(hy_vec slope_rad);

#endif
