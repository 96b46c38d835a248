/// @file regions.h
/// Regions of the floor where tyres grip more or less than on the rest of it.
#ifndef HY_WORLD_REGIONS_H
#define HY_WORLD_REGIONS_H

#include "model.h"

/// Derives what the step needs from a spec.
hy_region hy_region_of(const hy_region_spec *spec);

/// The grip of the floor under each tyre of a vehicle at `pose`, as a share of what the vehicle's own parameter says: that of the
/// last region of the list that the tyre's middle is in, else 1. O(tyres and regions).
void hy_regions_grip(const hy_world_model *model, const hy_vehicle_model *vehicle,
                     const hy_pose *pose, double grip[HY_VEHICLE_TYRES]);

#endif
