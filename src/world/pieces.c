#include "pieces.h"

#include "shapes/shape.h"
#include "vehicles/kind.h"

#include <math.h>

// A goal has a net: what comes in at the speed of a tube does not bounce out again. As much as the reference's balls
// lose everywhere (0.1 N on 24.83 g).
#define NET_M_S2 4.03

/// A tube rises to the rear by so much for each metre.
#define TUBE_RISE (0.45 / 0.51)

/// Shares of the robot's own velocity that pieces get in its intakes, as in the reference.
#define INTAKE_SHARE 0.5
#define TUBE_SHARE   1.0

// --------------------------------------------------------------------------- where a piece is

/// The region of a vehicle that a piece's centre is in: the last one, if several have it.
static hy_piece_place place_in(const hy_vehicle_model *vehicle, const hy_pose *pose, hy_vec at_m)
{
    static const hy_piece_place places[] = { [HY_PART_INTAKE_CENTER] = HY_PIECE_INTAKE_CENTER,
                                             [HY_PART_INTAKE_LEFT] = HY_PIECE_INTAKE_LEFT,
                                             [HY_PART_INTAKE_RIGHT] = HY_PIECE_INTAKE_RIGHT,
                                             [HY_PART_TUBE] = HY_PIECE_TUBE };
    const hy_vec at = hy_pose_turn_back(pose, hy_vec_sub(at_m, pose->at_m));
    hy_piece_place place = HY_PIECE_FREE;
    for (size_t i = 0; i < vehicle->part_count; i++) {
        const hy_world_part *part = &vehicle->part[i];
        if (part->kind >= HY_PART_INTAKE_CENTER && places[part->kind] > place &&
            hy_polygon_has(part->corners, part->count, at)) {
            place = places[part->kind];
        }
    }
    return place;
}

/// Finds where a piece is now; later vehicles before earlier ones, goals before all. What did not move is
/// in a goal if it was.
static void locate(const hy_world_model *model, const hy_world_state *state, bool moved,
                   hy_piece_state *piece)
{
    if (!moved && piece->place == HY_PIECE_GOAL) {
        return;
    }
    piece->place = HY_PIECE_FREE;
    piece->of = 0;
    for (size_t i = 0; i < model->goal_count && moved; i++) {
        if (hy_polygon_has(model->goal[i].corners, model->goal[i].count, piece->at_m)) {
            piece->place = HY_PIECE_GOAL;
            piece->of = i;
            return;
        }
    }
    for (size_t i = state->vehicle_count; i-- > 0;) {
        const hy_vehicle_model *vehicle = &model->vehicle[i];
        const hy_pose *pose = &state->vehicle[i].pose;
        const hy_vec off = hy_vec_sub(piece->at_m, pose->at_m);
        if (vehicle->kind != &hy_vehicle_tank ||
            hy_vec_dot(off, off) > vehicle->reach_m * vehicle->reach_m) {
            continue;
        }
        const hy_piece_place place = place_in(vehicle, pose, piece->at_m);
        if (place != HY_PIECE_FREE) {
            piece->place = place;
            piece->of = i;
            return;
        }
    }
}

static void sort(const hy_world_state *state, size_t index, hy_piece_state *piece)
{
    const bool aloft = piece->place == HY_PIECE_TUBE || piece->place == HY_PIECE_GOAL ||
                       (piece->place == HY_PIECE_FREE && piece->z_m > 0);
    const hy_piece_class class = aloft                           ? HY_PIECE_ALOFT
                                 : piece->place == HY_PIECE_FREE ? HY_PIECE_ON_FLOOR
                                                                 : HY_PIECE_IN_INTAKE;
    if (class != piece->class) {
        piece->class = class;
        hy_engine_piece_sort(&state->engine, index, class);
    }
}

// --------------------------------------------------------------------------- what moves it

/// The front end of a vehicle's tube, where it begins to rise.
static double tube_front_m(const hy_vehicle_model *vehicle)
{
    double front_m = -INFINITY;
    for (size_t i = 0; i < vehicle->part_count; i++) {
        const hy_world_part *part = &vehicle->part[i];
        for (size_t k = 0; part->kind == HY_PART_TUBE && k < part->count; k++) {
            front_m = hy_max(front_m, part->corners[k].x_m);
        }
    }
    return front_m;
}

/// How a region moves a piece that is in it: with its motor's rate, radians taken for metres as the
/// reference takes them, and with a share of the robot's own speed there.
static hy_vec carried(const hy_world_model *model, const hy_world_state *state,
                      const hy_piece_state *piece)
{
    static const struct {
        int motor;
        hy_vec along;
        double share;
    } regions[] = {
        [HY_PIECE_INTAKE_CENTER] = { HY_TANK_INTAKES, { -1, 0 }, INTAKE_SHARE },
        [HY_PIECE_INTAKE_LEFT] = { HY_TANK_INTAKES + 1, { 0, -1 }, INTAKE_SHARE },
        [HY_PIECE_INTAKE_RIGHT] = { HY_TANK_INTAKES + 2, { 0, 1 }, INTAKE_SHARE },
        [HY_PIECE_TUBE] = { HY_TANK_INTAKES + 3, { -1, 0 }, TUBE_SHARE },
    };
    const hy_vehicle_state *robot = &state->vehicle[piece->of];
    const int motor = regions[piece->place].motor;
    const double motor_m_s = robot->duty[motor] * model->vehicle[piece->of].tank.full_rad_s[motor];
    const hy_vec off = hy_pose_turn_back(&robot->pose, hy_vec_sub(piece->at_m, robot->pose.at_m));
    const hy_motion *motion = &robot->motion;
    const hy_vec own = { motion->x - motion->turn * off.y, motion->y + motion->turn * off.x };
    return hy_pose_turn(&robot->pose, hy_vec_add(hy_vec_scale(regions[piece->place].along, motor_m_s),
                                                 hy_vec_scale(own, regions[piece->place].share)));
}

static bool is_carried(const hy_piece_state *piece)
{
    return piece->place != HY_PIECE_FREE && piece->place != HY_PIECE_GOAL;
}

static void set_height(const hy_world_model *model, const hy_world_state *state,
                       hy_piece_state *piece)
{
    if (piece->place == HY_PIECE_TUBE) {
        const hy_pose *pose = &state->vehicle[piece->of].pose;
        const hy_vec at = hy_pose_turn_back(pose, hy_vec_sub(piece->at_m, pose->at_m));
        piece->z_m = hy_max(0, (tube_front_m(&model->vehicle[piece->of]) - at.x) * TUBE_RISE);
        piece->vz_m_s = 0;
    } else if (piece->place == HY_PIECE_GOAL) {
        piece->z_m = model->goal[piece->of].floor_z_m;
        piece->vz_m_s = 0;
    } else if (piece->z_m > 0) {
        piece->vz_m_s -= HY_GRAVITY_M_S2 * model->step_s;
        piece->z_m += piece->vz_m_s * model->step_s;
    }
    if (piece->z_m <= 0) {
        piece->z_m = 0;
        piece->vz_m_s = 0;
    }
}

// --------------------------------------------------------------------------- steps

void hy_pieces_roll(const hy_world_model *model, hy_world_state *state)
{
    const hy_pieces_model *pieces = &model->pieces;
    for (size_t i = 0; i < state->piece_count; i++) {
        hy_piece_state *piece = &state->piece[i];
        const double brake_m_s2 = piece->place == HY_PIECE_GOAL
                                      ? hy_max(pieces->rolling_m_s2, NET_M_S2)
                                      : pieces->rolling_m_s2;
        const double most_m_s = brake_m_s2 * model->step_s;
        const bool flies = piece->place == HY_PIECE_FREE && piece->z_m > 0;
        const double squared = hy_vec_dot(piece->velocity_m_s, piece->velocity_m_s);
        if (squared == 0 || (flies && !pieces->rolls_in_flight)) {
            continue;
        }
        const double speed_m_s = sqrt(squared);
        const double share = speed_m_s > most_m_s ? 1 - most_m_s / speed_m_s : 0;
        piece->velocity_m_s = hy_vec_scale(piece->velocity_m_s, share);
        hy_engine_piece_push(&state->engine, i, piece->velocity_m_s);
    }
}

/// Takes a piece's place from the engine. A heavy robot may press a light piece over the floor's edge: it
/// stays where it was, and the robot sinks into it as into foam.
static void follow_holder(const hy_world_model *model, const hy_world_state *state, size_t index,
                          hy_piece_state *piece)
{
    hy_vec at_m;
    hy_engine_piece(&state->engine, index, &at_m, &piece->velocity_m_s);
    if (hy_polygon_around(model->border, model->border_count, at_m)) {
        piece->at_m = at_m;
        return;
    }
    piece->velocity_m_s = (hy_vec){ 0, 0 };
    hy_engine_piece_place(&state->engine, index, piece->at_m);
    hy_engine_piece_push(&state->engine, index, piece->velocity_m_s);
}

void hy_pieces_settle(const hy_world_model *model, hy_world_state *state)
{
    for (size_t i = 0; i < state->piece_count; i++) {
        hy_piece_state *piece = &state->piece[i];
        const bool is_awake = hy_engine_piece_is_awake(&state->engine, i);
        if (is_awake) {
            follow_holder(model, state, i, piece);
        }
        if (is_carried(piece)) {
            piece->velocity_m_s = carried(model, state, piece);
            hy_engine_piece_push(&state->engine, i, piece->velocity_m_s);
        }
        locate(model, state, is_awake, piece);
        set_height(model, state, piece);
        sort(state, i, piece);
    }
}

// --------------------------------------------------------------------------- putting pieces somewhere

void hy_piece_put(const hy_world_model *model, hy_world_state *state, size_t index,
                  const hy_piece_state *piece)
{
    hy_piece_state *self = &state->piece[index];
    const hy_piece_class before = self->class;
    *self = *piece;
    self->class = before;
    hy_engine_piece_place(&state->engine, index, self->at_m);
    hy_engine_piece_push(&state->engine, index, self->velocity_m_s);
    // It is free until the next step has found it, but collides already as what it will be then: a
    // piece that is put into a tube is not thrown out of it.
    locate(model, state, true, self);
    sort(state, index, self);
    self->place = HY_PIECE_FREE;
    self->of = 0;
}

void hy_pieces_reset(const hy_world_model *model, hy_world_state *state)
{
    for (size_t i = 0; i < state->piece_count; i++) {
        const hy_piece_state lies = { .at_m = model->pieces.at_m[i] };
        hy_piece_put(model, state, i, &lies);
    }
}
