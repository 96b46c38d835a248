/// @file extra.h
/// Sensors that are not wired: each has random numbers of its own, so that fitting one changes nothing else.
#ifndef HY_WORLD_FURTHER_H
#define HY_WORLD_FURTHER_H

#include "state.h"

/// Seeds the streams from the world's seed, the vehicle and the sensor's number. The states are all zero.
void hy_extra_start(const hy_world_model *model, hy_world_state *state, uint64_t seed);

/// Fills the readings of a vehicle that stands.
void hy_extra_sense_start(const hy_world_model *model, hy_world_state *state, size_t index);

/// Fills the readings after a step, but those of lidars. `before` is what the step began with.
void hy_extra_sense(const hy_world_model *model, hy_world_state *state, size_t index,
                    const hy_engine_body *before);

#endif
