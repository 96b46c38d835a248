/// @file scan.h
/// What lidars see of a world.
#ifndef HY_WORLD_SCAN_H
#define HY_WORLD_SCAN_H

#include "state.h"

/// Builds the shapes that lidars see, if a vehicle has a lidar. False if memory is used up.
bool hy_scan_prepare(hy_world_model *model);

/// Puts what does not move into the scene.
void hy_scan_start(const hy_world_model *model, hy_world_state *state);

/// Casts the rays of the step that has ended.
void hy_scan(const hy_world_model *model, hy_world_state *state);

#endif
