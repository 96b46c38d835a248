/// @file lone.h
/// Contact of one vehicle with what never moves: walls and obstacles. No memory between steps, so a step follows from
/// the vehicle's pose and motion alone. Where two things that move may meet, engine.h is asked instead.
#ifndef HY_WORLD_LONE_H
#define HY_WORLD_LONE_H

#include "engine.h"

/// Moves a vehicle by one step while its drive changes its motion from `body->motion` to `wanted`, which is in the
/// axes of the step's end. If anything touched it, `body` says where that step brought it. O(obstacles).
hy_engine_touch hy_lone_step(const hy_world_model *model, size_t index, hy_motion wanted,
                             hy_engine_body *body);

/// The smallest gap between a vehicle at `pose` and a wall or an obstacle, at most `most_m`; negative if it is in one.
double hy_lone_gap(const hy_world_model *model, size_t index, const hy_pose *pose, double most_m);

#endif
