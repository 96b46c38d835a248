#include "haste.h"

#include "kind.h"
#include "near.h"

#include <math.h>

/// Most that vehicles may near each other, walls, where the engine itself also stops what is fast, and
/// pieces, which are light and round, between two looks of the engine. It foresees what comes within 20 mm.
#define VEHICLE_SINKS_M 0.018
#define WALL_SINKS_M    0.030
#define PIECE_SINKS_M   0.040

#define MOST_PARTS 16

/// What may hit something in this step.
typedef struct {
    const hy_vehicle_model *vehicle; ///< NULL: a piece.
    const hy_pose *pose;
    hy_vec at_m, velocity_m_s;
    double reach_m, spin_m_s; ///< Spin: most that turning moves a point of it.
    bool held;                ///< By something that it touches.
} mover;

static mover mover_of(const hy_world_model *model, const hy_world_state *state, size_t index,
                      const hy_engine_body *before)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    const hy_vehicle_state *self = &state->vehicle[index];
    // Where there is no mass, what something holds moves as it did, not as it wants to.
    const bool held = self->touching && hy_vehicle_is_ideal(vehicle);
    const hy_motion motion = held ? before->motion : self->motion;
    return (mover){ vehicle,
                    &before->pose,
                    before->pose.at_m,
                    hy_pose_turn(&before->pose, (hy_vec){ motion.x, motion.y }),
                    vehicle->reach_m,
                    fabs(motion.turn) * vehicle->reach_m,
                    held };
}

/// At most the gap between the boxes of two vehicles, along the sides of the first.
static double gap_along(const mover *a, const mover *b)
{
    hy_vec low = { INFINITY, INFINITY }, high = { -INFINITY, -INFINITY };
    for (int i = 0; i < HY_VEHICLE_CORNERS; i++) {
        const hy_vec corner = hy_pose_point(b->pose, b->vehicle->corner_m[i]);
        const hy_vec at = hy_pose_turn_back(a->pose, hy_vec_sub(corner, a->at_m));
        low = (hy_vec){ hy_min(low.x, at.x), hy_min(low.y, at.y) };
        high = (hy_vec){ hy_max(high.x, at.x), hy_max(high.y, at.y) };
    }
    const hy_vec own_low = a->vehicle->low_m, own_high = a->vehicle->high_m;
    return hy_max(hy_max(low.x - own_high.x, own_low.x - high.x),
                  hy_max(low.y - own_high.y, own_low.y - high.y));
}

/// Whether vehicles whose circles are near may really meet within `way_m`.
static bool may_meet(const mover *a, const mover *b, double way_m)
{
    if (b->vehicle == NULL) {
        return true;
    }
    const double gap_m = hy_max(gap_along(a, b), gap_along(b, a));
    const bool pressed = gap_m < VEHICLE_SINKS_M && a->held && b->held;
    return gap_m < way_m && !pressed;
}

/// Parts for two movers that may meet in this step; 1 if they do not.
static double parts_for(const mover *a, const mover *b, double step_s, double sinks_m)
{
    const hy_vec off = hy_vec_sub(b->at_m, a->at_m);
    const hy_vec closing = hy_vec_sub(a->velocity_m_s, b->velocity_m_s);
    const double spin_m = (a->spin_m_s + b->spin_m_s) * step_s;
    const double fastest_m = (fabs(closing.x) + fabs(closing.y)) * step_s + spin_m;
    const double apart_squared = hy_vec_dot(off, off);
    const double within_m = a->reach_m + b->reach_m + fastest_m;
    if (fastest_m < sinks_m || apart_squared > within_m * within_m) {
        return 1;
    }
    const double nearing = hy_vec_dot(closing, off) / sqrt(hy_max(apart_squared, 1e-6));
    const double way_m = hy_max(nearing, 0) * step_s + spin_m;
    return way_m > sinks_m && may_meet(a, b, fastest_m) ? ceil(way_m / sinks_m) : 1;
}

/// At least the speed of every piece that lies or rolls on the floor.
static double fastest_piece_m_s(const hy_world_state *state)
{
    double fastest_m_s = 0;
    for (size_t i = 0; i < state->piece_count; i++) {
        const hy_piece_state *piece = &state->piece[i];
        if (piece->class == HY_PIECE_ON_FLOOR) {
            fastest_m_s =
                hy_max(fastest_m_s, fabs(piece->velocity_m_s.x) + fabs(piece->velocity_m_s.y));
        }
    }
    return fastest_m_s;
}

static double parts_for_pieces(const hy_world_model *model, const hy_world_state *state,
                               const mover *m, double piece_m_s)
{
    double parts = 1;
    const double own_m_s = fabs(m->velocity_m_s.x) + fabs(m->velocity_m_s.y) + m->spin_m_s;
    if ((own_m_s + piece_m_s) * model->step_s < PIECE_SINKS_M) {
        return 1; // no piece needs to be looked at
    }
    for (size_t i = 0; i < state->piece_count; i++) {
        const hy_piece_state *piece = &state->piece[i];
        if (piece->class == HY_PIECE_ON_FLOOR) {
            const mover ball = { .at_m = piece->at_m,
                                 .velocity_m_s = piece->velocity_m_s,
                                 .reach_m = model->pieces.radius_m };
            parts = hy_max(parts, parts_for(m, &ball, model->step_s, PIECE_SINKS_M));
        }
    }
    return parts;
}

/// Parts for a vehicle that may reach a wall.
static double parts_for_walls(const hy_world_model *model, hy_world_state *state, size_t index,
                              const mover *m)
{
    hy_vehicle_state *self = &state->vehicle[index];
    const double speed_m_s = sqrt(hy_vec_dot(m->velocity_m_s, m->velocity_m_s)) + m->spin_m_s;
    const double way_m = speed_m_s * model->step_s;
    if (way_m < WALL_SINKS_M || self->look_m > way_m) {
        return 1;
    }
    self->look_m = hy_gap_to_edges(model, index, m->pose);
    return self->look_m > way_m ? 1 : ceil(way_m / WALL_SINKS_M);
}

int hy_haste(const hy_world_model *model, hy_world_state *state, const hy_engine_body *before)
{
    mover movers[HY_WORLD_VEHICLES];
    double parts = 1;
    const double piece_m_s = fastest_piece_m_s(state);
    for (size_t i = 0; i < state->vehicle_count; i++) {
        movers[i] = mover_of(model, state, i, &before[i]);
    }
    for (size_t i = 0; i < state->vehicle_count; i++) {
        if (!model->vehicle[i].stays_in_engine) {
            continue;
        }
        parts = hy_max(parts, parts_for_walls(model, state, i, &movers[i]));
        if (movers[i].velocity_m_s.x != 0 || movers[i].velocity_m_s.y != 0) {
            parts = hy_max(parts, parts_for_pieces(model, state, &movers[i], piece_m_s));
        }
        for (size_t k = 0; k < state->vehicle_count; k++) {
            if (k < i || (k > i && !model->vehicle[k].stays_in_engine)) {
                parts =
                    hy_max(parts, parts_for(&movers[i], &movers[k], model->step_s, VEHICLE_SINKS_M));
            }
        }
    }
    return (int)hy_min(parts, MOST_PARTS);
}
