/// @file step.h
/// Parts of a step that single worlds and batches of them share.
#ifndef HY_WORLD_STEP_H
#define HY_WORLD_STEP_H

#include "state.h"

/// Turns the servos that get pulses.
void hy_turn_servos(const hy_vehicle_model *vehicle, const hy_actuators *actuators,
                    hy_vehicle_state *state, double step_s);

/// Whether a vehicle at `pose` may touch a wall or an obstacle in this step, and how far it must go until that can change.
/// `was_near`: the answer of the last look. O(edges).
bool hy_look_at_edges(const hy_world_model *model, size_t index, const hy_pose *pose, bool was_near,
                      double *recheck_distance_m);

/// What contacts did to a vehicle beyond moving it: the push that its drive must expect next.
hy_push hy_push_between(const hy_vehicle_model *vehicle, hy_motion wanted, hy_motion became);

#endif
