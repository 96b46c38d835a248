#include "substeps.h"

#include "vehicles/kind.h"

#include <math.h>

/// Most that vehicles may near each other, walls, where the engine itself also stops what is fast, and
/// pieces, which are light and round, between two looks of the engine. It foresees what comes within 20 mm.
#define VEHICLE_SINKS_M 0.018
#define WALL_SINKS_M    0.030
#define PIECE_SINKS_M   0.040

#define MOST_SUBSTEPS 16

// --------------------------------------------------------------------------- how near a vehicle is to edges

/// At most the gap between a vehicle's outline and an edge: the widest that one of the directions
/// along their sides shows (separating axes). One over `most_m` that the vehicle's sides show is enough.
static double gap_to_edge(const hy_vehicle_model *vehicle, const hy_pose *pose,
                          const hy_world_segment *edge, double most_m)
{
    const hy_vec a =
        hy_pose_turn_back(pose, (hy_vec){ edge->x0_m - pose->at_m.x, edge->y0_m - pose->at_m.y });
    const hy_vec b =
        hy_pose_turn_back(pose, (hy_vec){ edge->x1_m - pose->at_m.x, edge->y1_m - pose->at_m.y });
    const double ahead = hy_min(a.x, b.x) - vehicle->high_m.x;
    const double behind = vehicle->low_m.x - hy_max(a.x, b.x);
    const double left = hy_min(a.y, b.y) - vehicle->high_m.y;
    const double right = vehicle->low_m.y - hy_max(a.y, b.y);
    double gap = hy_max(hy_max(ahead, behind), hy_max(left, right));
    if (gap > most_m) {
        return gap;
    }
    const hy_vec along = hy_vec_sub(b, a);
    const double length = sqrt(hy_vec_dot(along, along));
    double low = INFINITY;
    double high = -INFINITY;
    for (int i = 0; i < HY_VEHICLE_CORNERS; i++) {
        const hy_vec to = hy_vec_sub(vehicle->corner_m[i], a);
        const double side = along.x * to.y - along.y * to.x;
        low = hy_min(low, side);
        high = hy_max(high, side);
    }
    const double beside = hy_max(low, -high);
    if (beside > gap * length) {
        gap = beside / length;
    }
    return gap;
}

/// At most the gap between a vehicle's outline and anything in a circle, along the vehicle's sides.
static double gap_to_circle(const hy_vehicle_model *vehicle, const hy_pose *pose, hy_vec middle_m,
                            double radius_m)
{
    const hy_vec middle = hy_pose_turn_back(pose, hy_vec_sub(middle_m, pose->at_m));
    const double along = hy_max(middle.x - vehicle->high_m.x, vehicle->low_m.x - middle.x);
    const double across = hy_max(middle.y - vehicle->high_m.y, vehicle->low_m.y - middle.y);
    return hy_max(along, across) - radius_m - 1e-6; // a micrometre is more than rounding can add
}

double hy_gap_to_edges(const hy_world_model *model, size_t index, const hy_pose *pose)
{
    const hy_vehicle_model *const vehicle = &model->vehicle[index];
    const hy_world_segment *edge = model->edges;
    double nearest_m = INFINITY;
    for (size_t i = 0; i < model->border_count; i++, edge++) {
        nearest_m = hy_min(nearest_m, gap_to_edge(vehicle, pose, edge, nearest_m));
    }
    for (size_t k = 0; k < model->obstacle_count; k++) {
        const hy_obstacle *const obstacle = &model->obstacles[k];
        if (gap_to_circle(vehicle, pose, obstacle->middle_m, obstacle->reach_m) > nearest_m) {
            edge += obstacle->outline_count;
            continue;
        }
        for (size_t i = 0; i < obstacle->outline_count; i++, edge++) {
            nearest_m = hy_min(nearest_m, gap_to_edge(vehicle, pose, edge, nearest_m));
        }
    }
    return nearest_m;
}

// --------------------------------------------------------------------------- how many substeps

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

/// Whether vehicles whose circles are near may really meet within `distance_m`.
static bool may_meet(const mover *a, const mover *b, double distance_m)
{
    if (b->vehicle == NULL) {
        return true;
    }
    const double gap_m = hy_max(gap_along(a, b), gap_along(b, a));
    const bool pressed = gap_m < VEHICLE_SINKS_M && a->held && b->held;
    return gap_m < distance_m && !pressed;
}

/// Substeps for two movers that may meet in this step; 1 if they do not.
static double substeps_for(const mover *a, const mover *b, double step_s, double sinks_m)
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
    const double distance_m = hy_max(nearing, 0) * step_s + spin_m;
    return distance_m > sinks_m && may_meet(a, b, fastest_m) ? ceil(distance_m / sinks_m) : 1;
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

static double substeps_for_pieces(const hy_world_model *model, const hy_world_state *state,
                                  const mover *m, double piece_m_s)
{
    double substeps = 1;
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
            substeps = hy_max(substeps, substeps_for(m, &ball, model->step_s, PIECE_SINKS_M));
        }
    }
    return substeps;
}

/// Substeps for a vehicle that may reach a wall.
static double substeps_for_walls(const hy_world_model *model, hy_world_state *state, size_t index,
                                 const mover *m)
{
    hy_vehicle_state *self = &state->vehicle[index];
    const double speed_m_s = sqrt(hy_vec_dot(m->velocity_m_s, m->velocity_m_s)) + m->spin_m_s;
    const double distance_m = speed_m_s * model->step_s;
    if (distance_m < WALL_SINKS_M || self->recheck_distance_m > distance_m) {
        return 1;
    }
    self->recheck_distance_m = hy_gap_to_edges(model, index, m->pose);
    return self->recheck_distance_m > distance_m ? 1 : ceil(distance_m / WALL_SINKS_M);
}

int hy_substeps(const hy_world_model *model, hy_world_state *state, const hy_engine_body *before)
{
    mover movers[HY_WORLD_VEHICLES];
    double substeps = 1;
    const double piece_m_s = fastest_piece_m_s(state);
    for (size_t i = 0; i < state->vehicle_count; i++) {
        movers[i] = mover_of(model, state, i, &before[i]);
    }
    for (size_t i = 0; i < state->vehicle_count; i++) {
        if (!model->vehicle[i].stays_in_engine) {
            continue;
        }
        substeps = hy_max(substeps, substeps_for_walls(model, state, i, &movers[i]));
        if (movers[i].velocity_m_s.x != 0 || movers[i].velocity_m_s.y != 0) {
            substeps = hy_max(substeps, substeps_for_pieces(model, state, &movers[i], piece_m_s));
        }
        for (size_t k = 0; k < state->vehicle_count; k++) {
            if (k < i || (k > i && !model->vehicle[k].stays_in_engine)) {
                substeps = hy_max(
                    substeps, substeps_for(&movers[i], &movers[k], model->step_s, VEHICLE_SINKS_M));
            }
        }
    }
    return (int)hy_min(substeps, MOST_SUBSTEPS);
}
