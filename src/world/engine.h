/// @file engine.h
/// The physics engine behind a wall: rigid bodies that bump into each other. It is asked only about
/// vehicles that may touch something; the others it does not even know to be there.
#ifndef HY_WORLD_ENGINE_H
#define HY_WORLD_ENGINE_H

#include "model.h"

/// A rigid body as the engine moves it.
typedef struct {
    hy_pose pose;     ///< Of the vehicle: its axle's centre.
    hy_motion motion; ///< Of its centre of mass, body axes.
} hy_engine_body;

/// Handles of the engine; no other file knows what they mean.
typedef struct {
    uint32_t world;
    uint64_t vehicle[HY_WORLD_VEHICLES];
} hy_engine;

/// Builds walls, obstacles and vehicles. False if the engine has no world left (128 a process).
bool hy_engine_start(hy_engine *engine, const hy_world_model *model);
void hy_engine_end(hy_engine *engine);

/// Lets a vehicle take part, or no longer.
void hy_engine_enter(const hy_engine *engine, size_t index);
void hy_engine_leave(const hy_engine *engine, size_t index);

/// Puts a vehicle that takes part where `pose` says.
void hy_engine_place(const hy_engine *engine, const hy_world_model *model, size_t index,
                     const hy_pose *pose);

/// Has the drive of a vehicle that takes part change its motion from `body->motion` to `wanted`
/// during the coming step, if nothing is in its way. `wanted` is in the axes of the step's end.
void hy_engine_drive(const hy_engine *engine, const hy_world_model *model, size_t index,
                     const hy_engine_body *body, hy_motion wanted);

/// Moves what takes part by one step.
void hy_engine_step(const hy_engine *engine, double step_s);

/// Whether anything touched a vehicle in the last step. If so, `body`, which says where it was
/// before, says where that step brought it; the heading goes on from there and never wraps.
bool hy_engine_touched(const hy_engine *engine, const hy_world_model *model, size_t index,
                       hy_engine_body *body);

#endif
