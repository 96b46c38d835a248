/// @file engine.h
/// The physics engine behind an interface of its own: rigid bodies that touch each other. It is asked only about
/// vehicles that may touch something; the others it does not even know to be there. Pieces, and the
/// vehicles that collect them, it always knows.
#ifndef HY_WORLD_ENGINE_H
#define HY_WORLD_ENGINE_H

#include "model.h"

/// With what a piece collides.
typedef enum {
    HY_PIECE_ON_FLOOR,
    HY_PIECE_IN_INTAKE,
    HY_PIECE_ALOFT, ///< In a tube, in the air or in a goal.
} hy_piece_class;

/// A rigid body as the engine moves it.
typedef struct {
    hy_pose pose;     ///< Of the vehicle: its axle's centre.
    hy_motion motion; ///< Of its centre of mass, body axes.
} hy_engine_body;

/// Handles of the engine; no other file knows what they mean.
typedef struct {
    uint32_t world;
    double units_per_m;
    uint64_t field; ///< All that does not move.
    uint64_t vehicle[HY_WORLD_VEHICLES];
    uint64_t piece[HY_WORLD_PIECES], piece_shape[HY_WORLD_PIECES];
} hy_engine;

/// Builds walls, obstacles, goals, vehicles and pieces. False if the engine has no world left (128 a process).
bool hy_engine_start(hy_engine *engine, const hy_world_model *model);
void hy_engine_end(hy_engine *engine);

/// Ends the engine and starts it again. Cannot fail: its place among the engine's worlds stays its own.
void hy_engine_restart(hy_engine *engine, const hy_world_model *model);

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

/// The same for a vehicle that stays in the engine: it is not placed anew every time, but its speed
/// makes up for what the engine's place lacks.
void hy_engine_follow(const hy_engine *engine, const hy_world_model *model, size_t index,
                      const hy_engine_body *body, hy_motion wanted);

/// Has a vehicle that stays in the engine arrive at `end` after the coming step, whatever that needs,
/// if nothing is in its way.
void hy_engine_move_to(const hy_engine *engine, const hy_world_model *model, size_t index,
                       const hy_pose *end);

/// Moves what takes part by one step, cut into `substeps`. With more than one, vehicles must be moved by
/// hy_engine_move_to(): what else drives them acts in the first substep only.
void hy_engine_step(const hy_engine *engine, double step_s, int substeps);

/// What touched a vehicle.
typedef struct {
    bool any, field;
} hy_engine_touch;

/// What touched a vehicle in the last step. If anything did, `body`, which says where it was
/// before, says where that step brought it; the heading goes on from there and never wraps.
hy_engine_touch hy_engine_touched(const hy_engine *engine, const hy_world_model *model,
                                  size_t index, hy_engine_body *body);

// --------------------------------------------------------------------------- pieces

/// Where a piece is and how it moves.
void hy_engine_piece(const hy_engine *engine, size_t index, hy_vec *at_m, hy_vec *velocity_m_s);

/// Whether a piece moves, or may: the others need no attention.
bool hy_engine_piece_is_awake(const hy_engine *engine, size_t index);

void hy_engine_piece_push(const hy_engine *engine, size_t index, hy_vec velocity_m_s);
void hy_engine_piece_place(const hy_engine *engine, size_t index, hy_vec at_m);
void hy_engine_piece_sort(const hy_engine *engine, size_t index, hy_piece_class class);

#endif
