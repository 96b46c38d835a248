/// @file lone.h
/// Contact of one vehicle with what never moves: walls and obstacles. No memory between steps, so a step follows from
/// the vehicle's pose and motion alone. Where two things that move may meet, engine.h is asked instead.
#ifndef HY_WORLD_LONE_H
#define HY_WORLD_LONE_H

#include "engine.h"

/// As many substeps in a step as the engine makes, and its friction and distances at the small scale.
#define HY_CONTACT_SUBSTEPS   2
#define HY_CONTACT_FRICTION   0.3
#define HY_CONTACT_PASSES     24 ///< Over all contacts, at most.
#define HY_CONTACT_ENOUGH_M_S 1e-6
#define HY_CONTACT_SUNK_M     1e-7

/// Moves a vehicle by one step while its drive changes its motion from `body->motion` to `wanted`, which is in the
/// axes of the step's end. If anything touched it, `body` says where that step brought it. O(obstacles).
hy_engine_touch hy_lone_step(const hy_world_model *model, size_t index, hy_motion wanted,
                             hy_engine_body *body);

/// Puts a vehicle with its centre of mass at `center_m` out of what it sank into, by the shortest move that its mass and inertia allow.
void hy_lone_lift_out(const hy_world_model *model, const hy_vehicle_model *vehicle, hy_pose *pose,
                      hy_vec center_m);

/// The smallest gap between a vehicle at `pose` and a wall or an obstacle, at most `most_m`; negative if it is in one.
double hy_lone_gap(const hy_world_model *model, size_t index, const hy_pose *pose, double most_m);

#endif
