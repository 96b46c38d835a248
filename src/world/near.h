/// @file near.h
/// How near a vehicle is to what does not move.
#ifndef HY_WORLD_NEAR_H
#define HY_WORLD_NEAR_H

#include "model.h"

/// At most the gap between a vehicle's outline, at `pose`, and the nearest edge of walls and obstacles. O(edges).
double hy_gap_to_edges(const hy_world_model *model, size_t index, const hy_pose *pose);

#endif
