#include "step.h"

#include "contact/lone.h"
#include "contact/substeps.h"
#include "lidar/scan.h"
#include "pieces.h"
#include "regions.h"
#include "sensors/extra.h"
#include "sensors/sense.h"
#include "vehicles/kind.h"

#include <math.h>
#include <string.h>

#define LANES 1
#include "lanes/motion_simd.h"

/// A vehicle is given to the engine when something is within its stride, and taken back when
/// everything is farther by this: so it does not go in and out.
#define RELIEF_M 0.010

/// A piece may come as much nearer in two steps.
#define PIECE_M 0.1

// --------------------------------------------------------------------------- actuators

static void take_input(const hy_actuators *actuators, bool button, hy_vehicle_state *state)
{
    for (int i = 0; i < state->motor_count; i++) {
        state->duty[i] = hy_clamp(actuators->motor_duty[i], -1, 1, 0);
    }
    if (state->browned_out) {
        memset(state->duty, 0, sizeof state->duty);
    }
    state->led = actuators->led;
    state->button = button;
}

void hy_turn_servos(const hy_vehicle_model *vehicle, const hy_actuators *actuators,
                    hy_vehicle_state *state, double step_s)
{
    const double most_rad = vehicle->servo_rad_s * step_s;
    for (int i = 0; i < HY_PIN_SERVOS; i++) {
        const double pulse_us = actuators->servo_pulse_us[i];
        if (!(pulse_us > 0)) {
            continue; // without pulses a servo stays where it is
        }
        if (pulse_us == 1500 && state->servo_rad[i] == 0) {
            continue; // as one does that nobody uses: saves a division
        }
        // 500 us to 2500 us is half a turn, from right to left.
        const double goal_rad = (hy_clamp(pulse_us, 500, 2500, 0) - 1500) / 1000 * (HY_PI / 2);
        state->servo_rad[i] += hy_clamp(goal_rad - state->servo_rad[i], -most_rad, most_rad, 0);
    }
}

// --------------------------------------------------------------------------- driving

// All return the volts at the battery's terminals.

static double supply_braking(const hy_vehicle_model *vehicle, const hy_vehicle_state *state,
                             hy_drive_input *out)
{
    const int count = vehicle->motor_count;
    const double battery_v = hy_battery_voltage(&state->battery, vehicle->motor, state->duty,
                                                state->shaft_rad_s, (size_t)count);
    for (int i = 0; i < count; i++) {
        out->volts[i] = vehicle->motor[i].forward * state->duty[i] * battery_v;
    }
    return battery_v;
}

static double supply_coasting(const hy_vehicle_model *vehicle, const hy_vehicle_state *state,
                              hy_drive_input *out)
{
    const int count = vehicle->motor_count;
    const hy_motor_run run = { state->duty, state->shaft_rad_s, (size_t)count, state->battery_v };
    hy_bridge_mean means[HY_VEHICLE_MOTORS];
    const double battery_v =
        hy_bridge_supply(&vehicle->bridge, &state->battery, vehicle->motor, &run, means);
    for (int i = 0; i < count; i++) {
        out->volts[i] = means[i].volts;
        out->share[i] = means[i].share;
    }
    return battery_v;
}

static double supply_limited(const hy_vehicle_model *vehicle, hy_vehicle_state *state,
                             hy_drive_input *out)
{
    const hy_motor_run run = { .duty = state->duty,
                               .rad_s = state->shaft_rad_s,
                               .count = (size_t)vehicle->motor_count };
    const double battery_v =
        hy_power_supply(&vehicle->power, &state->battery, vehicle->motor, &run, out->volts);
    state->browned_out = hy_power_is_browned_out(&vehicle->power, battery_v, state->browned_out);
    return battery_v;
}

/// What flows at the terminals, through motors and board, is gone from the battery.
static void take_charge(const hy_vehicle_model *vehicle, hy_vehicle_state *state, double step_s)
{
    const hy_battery_spec *const battery = &state->battery;
    state->used_as += (battery->open_v - state->battery_v) / battery->resistance_ohm * step_s;
    state->battery = hy_charge_after(&vehicle->charge, &vehicle->battery, state->used_as);
}

/// Finds the grip of each tyre; on a ramp gravity pulls.
static void stand_on_regions(const hy_world_model *model, const hy_vehicle_model *vehicle,
                             hy_vehicle_state *state, double grip[HY_VEHICLE_TYRES])
{
    hy_regions_grip(model, vehicle, &state->pose, grip);
    if (!model->has_ramps || hy_vehicle_is_ideal(vehicle)) {
        return;
    }
    const hy_vec slope_rad = hy_regions_slope(model, vehicle, &state->pose);
    const hy_vec gravity_m_s2 = hy_slope_gravity(slope_rad);
    state->motion.x += gravity_m_s2.x * model->step_s;
    state->motion.y += gravity_m_s2.y * model->step_s;
    for (size_t i = 0; i < vehicle->tyre_count; i++) {
        grip[i] *= hy_slope_load(slope_rad);
    }
}

/// Advances velocities, wheels and other shafts; the body's pose comes later.
static void drive_vehicle(const hy_world_model *model, const hy_vehicle_model *vehicle,
                          hy_vehicle_state *state)
{
    const int count = vehicle->motor_count;
    const double step_s = model->step_s;
    double shaft_rad_s[HY_VEHICLE_MOTORS], grip[HY_VEHICLE_TYRES];
    hy_drive_input in;
    const double battery_v = vehicle->bridge.coasts       ? supply_coasting(vehicle, state, &in)
                             : vehicle->power.limit_a > 0 ? supply_limited(vehicle, state, &in)
                                                          : supply_braking(vehicle, state, &in);
    in.grip = hy_even_grip;
    if (model->region_count > 0) {
        stand_on_regions(model, vehicle, state, grip);
        in.grip = grip;
    }
    vehicle->kind->drive(vehicle, state, &in, shaft_rad_s);
    for (int i = 0; i < count; i++) {
        state->shaft_rad[i] += (state->shaft_rad_s[i] + shaft_rad_s[i]) / 2 * step_s;
        state->shaft_rad_s[i] = shaft_rad_s[i];
    }
    state->battery_v = battery_v;
    if (vehicle->charge.capacity_as > 0) {
        take_charge(vehicle, state, step_s);
    }
}

static pose_lanes lanes_of(const hy_pose *pose)
{
    return (pose_lanes){ pose->at_m.x, pose->at_m.y, pose->heading_rad, pose->cos, pose->sin };
}

/// Moves a vehicle as if there were nothing to touch.
static void move_freely(const hy_vehicle_model *vehicle, hy_vehicle_state *state, hy_motion before,
                        double step_s)
{
    const hy_motion now = state->motion;
    const pose_lanes to =
        pose_after(lanes_of(&state->pose), (body_lanes){ before.x, before.y, before.turn },
                   (body_lanes){ now.x, now.y, now.turn }, vehicle->body.com_ahead_m, step_s);
    state->pose = (hy_pose){ { to.x_m, to.y_m }, to.heading_rad, to.cos, to.sin };
}

// --------------------------------------------------------------------------- touching

/// Whether two vehicles may touch in this step: the same answer for both, so that the engine never
/// knows only one of them.
static bool pair_is_near(const hy_world_model *model, const hy_world_state *state, size_t a, size_t b)
{
    const bool already = state->vehicle[a].in_engine || state->vehicle[b].in_engine;
    const hy_vehicle_model *of_a = &model->vehicle[a];
    const hy_vehicle_model *of_b = &model->vehicle[b];
    const double within_m =
        of_a->reach_m + of_b->reach_m + of_a->stride_m + of_b->stride_m + (already ? RELIEF_M : 0);
    const hy_vec off = hy_vec_sub(state->vehicle[b].pose.at_m, state->vehicle[a].pose.at_m);
    return hy_vec_dot(off, off) < within_m * within_m;
}

static bool others_are_near(const hy_world_model *model, const hy_world_state *state, size_t index)
{
    for (size_t i = 0; i < state->vehicle_count; i++) {
        if (i != index && pair_is_near(model, state, index, i)) {
            return true;
        }
    }
    if (state->piece_count == 0) {
        return false;
    }
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    const double within_m = vehicle->reach_m + vehicle->stride_m + model->pieces.radius_m +
                            PIECE_M + (state->vehicle[index].in_engine ? RELIEF_M : 0);
    for (size_t i = 0; i < state->piece_count; i++) {
        const hy_vec off = hy_vec_sub(state->piece[i].at_m, state->vehicle[index].pose.at_m);
        if (hy_vec_dot(off, off) < within_m * within_m) {
            return true;
        }
    }
    return false;
}

bool hy_look_at_edges(const hy_world_model *model, size_t index, const hy_pose *pose, bool was_near,
                      double *recheck_distance_m)
{
    const double gap_m = hy_gap_to_edges(model, index, pose);
    const double stride_m = model->vehicle[index].stride_m;
    const bool is_near = gap_m < stride_m + (was_near ? RELIEF_M : 0);
    *recheck_distance_m = is_near ? stride_m + RELIEF_M - gap_m : gap_m - stride_m;
    return is_near;
}

/// Whether a wall or an obstacle can be touched in this step. Until the vehicle has come as far as the last look
/// allows, this costs nothing.
static bool edges_are_near(const hy_world_model *model, hy_vehicle_state *self, size_t index)
{
    if (!(self->recheck_distance_m > 0)) {
        self->near_edges =
            hy_look_at_edges(model, index, &self->pose, self->near_edges, &self->recheck_distance_m);
    }
    return self->near_edges;
}

/// Whether it is moved by hy_lone_step(): a wall or an obstacle is near, and nothing else.
static bool is_alone_at_edges(const hy_vehicle_model *vehicle, const hy_vehicle_state *self)
{
    return self->near_edges && !self->in_engine && vehicle->meets_field_alone;
}

static void enter_or_leave(const hy_world_model *model, hy_world_state *state, size_t index)
{
    hy_vehicle_state *self = &state->vehicle[index];
    if (model->vehicle[index].stays_in_engine) {
        return;
    }
    const bool at_edges = edges_are_near(model, self, index);
    const bool needs_engine = others_are_near(model, state, index) ||
                              (at_edges && !model->vehicle[index].meets_field_alone);
    if (needs_engine && !self->in_engine) {
        hy_engine_enter(&state->engine, index);
        hy_engine_place(&state->engine, model, index, &self->pose);
    } else if (!needs_engine && self->in_engine) {
        hy_engine_leave(&state->engine, index);
    }
    self->in_engine = needs_engine;
    if (!needs_engine && !at_edges) {
        self->touching = self->touching_field = false;
        self->pushed = (hy_push){ 0, 0, 0 };
    }
}

hy_push hy_push_between(const hy_vehicle_model *vehicle, hy_motion wanted, hy_motion became)
{
    // A steady push is at most what the tyres can give; the blow of an impact is not repeated.
    const double most = vehicle->push_n_s;
    const double most_turn = vehicle->push_n_m_s;
    const double mass = vehicle->body.mass_kg;
    return (hy_push){
        hy_clamp((became.x - wanted.x) * mass, -most, most, 0),
        hy_clamp((became.y - wanted.y) * mass, -most, most, 0),
        hy_clamp((became.turn - wanted.turn) * vehicle->body.inertia_kg_m2, -most_turn, most_turn, 0),
    };
}

/// Tells the engine how a vehicle wants to move.
static void start_engine_move(const hy_world_model *model, const hy_world_state *state,
                              size_t index, const hy_engine_body *before, bool moved)
{
    const hy_vehicle_state *self = &state->vehicle[index];
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    if (!vehicle->stays_in_engine && !self->touching) { // else it stands there already
        hy_engine_place(&state->engine, model, index, &before->pose);
    }
    if (moved || hy_vehicle_is_ideal(vehicle)) {
        hy_engine_move_to(&state->engine, model, index, &self->pose);
    } else if (vehicle->stays_in_engine) {
        hy_engine_follow(&state->engine, model, index, before, self->motion);
    } else {
        hy_engine_drive(&state->engine, model, index, before, self->motion);
    }
}

/// Takes the answer for a vehicle that did touch something: `body` is where that brought it. The others
/// went their own way already.
static void take_answer(const hy_world_model *model, hy_vehicle_state *self, size_t index,
                        hy_engine_touch touch, const hy_engine_body *body)
{
    self->pushed = (hy_push){ 0, 0, 0 };
    self->touching = touch.any;
    self->touching_field = touch.field;
    if (self->touching) {
        self->pushed = hy_push_between(&model->vehicle[index], self->motion, body->motion);
        self->pose = body->pose;
        self->motion = body->motion;
    }
}

/// Lets the engine try the step for what may touch something.
static void solve_contacts(const hy_world_model *model, hy_world_state *state,
                           const hy_engine_body *before)
{
    const int substeps = hy_substeps(model, state, before);
    for (size_t i = 0; i < state->vehicle_count; i++) {
        if (state->vehicle[i].in_engine) {
            start_engine_move(model, state, i, &before[i], substeps > 1);
        }
    }
    hy_pieces_roll(model, state);
    hy_engine_step(&state->engine, model->step_s, substeps);
    for (size_t i = 0; i < state->vehicle_count; i++) {
        if (state->vehicle[i].in_engine) {
            hy_engine_body body = before[i];
            const hy_engine_touch touch = hy_engine_touched(&state->engine, model, i, &body);
            take_answer(model, &state->vehicle[i], i, touch, &body);
        }
    }
    hy_pieces_settle(model, state);
}

static void touch_alone(const hy_world_model *model, hy_vehicle_state *self, size_t index,
                        const hy_engine_body *before)
{
    hy_engine_body body = *before;
    const hy_engine_touch touch = hy_lone_step(model, index, self->motion, &body);
    take_answer(model, self, index, touch, &body);
}

// --------------------------------------------------------------------------- one step

void hy_world_step(const hy_world_model *model, hy_world_state *state, const hy_world_input *input)
{
    hy_engine_body before[HY_WORLD_VEHICLES];
    bool any_in_engine = state->piece_count > 0;
    for (size_t i = 0; i < state->vehicle_count; i++) {
        enter_or_leave(model, state, i);
        any_in_engine = any_in_engine || state->vehicle[i].in_engine;
    }
    for (size_t i = 0; i < state->vehicle_count; i++) {
        const hy_vehicle_model *vehicle = &model->vehicle[i];
        hy_vehicle_state *self = &state->vehicle[i];
        before[i] = (hy_engine_body){ self->pose, self->motion };
        take_input(&input->vehicle[i], input->button[i], self);
        hy_turn_servos(vehicle, &input->vehicle[i], self, model->step_s);
        drive_vehicle(model, vehicle, self);
        move_freely(vehicle, self, hy_vehicle_is_ideal(vehicle) ? self->motion : before[i].motion,
                    model->step_s);
    }
    if (any_in_engine) {
        solve_contacts(model, state, before);
    }
    state->steps++;
    for (size_t i = 0; i < state->vehicle_count; i++) {
        hy_vehicle_state *self = &state->vehicle[i];
        if (is_alone_at_edges(&model->vehicle[i], self)) {
            touch_alone(model, self, i, &before[i]);
        }
        const pose_lanes from = lanes_of(&before[i].pose), to = lanes_of(&self->pose);
        self->recheck_distance_m -= way_between(&from, &to, model->vehicle[i].reach_m);
    }
    for (size_t i = 0; i < state->vehicle_count; i++) {
        hy_sense(model, state, i, &before[i]);
        if (model->vehicle[i].extra_count > 0) {
            hy_extra_sense(model, state, i, &before[i]);
        }
    }
    hy_scan(model, state);
}
