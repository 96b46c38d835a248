/// @file xrp_path.h
/// A step of XRPs, LANES at once: what step.c and sense.c do for one, in the same order. A file that includes this defines LANES
/// and is compiled for a processor that has such vectors.
#ifndef HY_WORLD_XRP_PATH_H
#define HY_WORLD_XRP_PATH_H

#include "lanes/xrp_lanes.h"
#include "sensors/sense.h"
#include "shapes/cone_path.h"
#include "vehicles/drive_path.h"

// --------------------------------------------------------------------------- chance

typedef uint64_t bits __attribute__((vector_size(8 * LANES)));

/// hy_chance of each lane: the same operations as in base/chance.c, which this may not include.
typedef struct {
    bits s[4];
} chance_lanes;

static inline bits rotated_left(bits value, unsigned by)
{
    return (value << by) | (value >> (64 - by));
}

static inline bits chance_bits(chance_lanes *chance)
{
    bits *const s = chance->s;
    const bits times5 = (s[1] << 2) + s[1];
    const bits rotated = rotated_left(times5, 7);
    const bits result = (rotated << 3) + rotated;
    const bits t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotated_left(s[3], 45);
    return result;
}

/// hy_chance_normal().
static inline lanes chance_normal(chance_lanes *chance)
{
    const bits drawn = chance_bits(chance);
    const bits sum =
        (drawn & 0xffff) + (drawn >> 16 & 0xffff) + (drawn >> 32 & 0xffff) + (drawn >> 48);
    // An integer below 2^52 in the bits of a double: what 2^52 is more than it.
    const lanes number = (lanes)(sum | UINT64_C(0x4330000000000000)) - 0x1p52;
    return (number - 131070.0) / 37837.22723720648;
}

/// Draws nothing where there is nothing to draw for.
static inline lanes noise(chance_lanes *chance, double deviation)
{
    return deviation > 0 ? deviation * chance_normal(chance) : broadcast(0);
}

// --------------------------------------------------------------------------- driving

static inline void take_duty(hy_xrp_lanes *self, size_t at, lanes duty[HY_XRP_MOTORS])
{
    for (int i = 0; i < HY_XRP_MOTORS; i++) {
        duty[i] = load(self->next_duty[i] + at);
        store(self->duty[i] + at, duty[i]);
    }
}

static inline void turn_shaft(hy_xrp_lanes *self, size_t at, int i, lanes rad_s, double step_s)
{
    const lanes before_rad_s = load(self->shaft_rad_s[i] + at);
    const lanes way_rad = (before_rad_s + rad_s) / 2.0 * step_s;
    store(self->shaft_rad[i] + at, load(self->shaft_rad[i] + at) + way_rad);
    store(self->shaft_rad_s[i] + at, rad_s);
}

static inline lanes motor_volts(const hy_motor_model *motor, lanes duty, lanes battery_v)
{
    return motor->forward * duty * battery_v;
}

/// Motors, wheels and body: returns the motion that they lead to.
static inline body_lanes drive(const hy_world_model *model, hy_xrp_lanes *self, size_t at,
                               body_lanes motion)
{
    const hy_vehicle_model *const vehicle = &model->vehicle[0];
    const hy_drive_model *const wheels = &vehicle->drive;
    lanes duty[HY_XRP_MOTORS], shaft_rad_s[HY_XRP_MOTORS];
    take_duty(self, at, duty);
    for (int i = 0; i < HY_XRP_MOTORS; i++) {
        shaft_rad_s[i] = load(self->shaft_rad_s[i] + at);
    }
    const lanes battery_v =
        battery_voltage(&vehicle->battery, vehicle->motor, duty, shaft_rad_s, HY_XRP_MOTORS);
    drive_lanes state = { .motion = motion,
                          .pushed = { load(self->pushed_x + at), load(self->pushed_y + at),
                                      load(self->pushed_turn + at) },
                          .rim = wheels->rim,
                          .grip = hy_even_grip };
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        state.volts[i] = motor_volts(&vehicle->motor[i], duty[i], battery_v);
        state.rim_m_s[i] = shaft_rad_s[i] * wheels->radius_m[i];
    }
    drive_step(wheels, &vehicle->body, &state);
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        turn_shaft(self, at, i, state.rim_m_s[i] / wheels->radius_m[i], model->step_s);
    }
    for (int i = HY_DRIVE_SIDES; i < HY_XRP_MOTORS; i++) {
        const hy_motor_model *const motor = &vehicle->motor[i];
        const lanes volts = motor_volts(motor, duty[i], battery_v);
        turn_shaft(self, at, i, motor_free_step(motor, volts, shaft_rad_s[i]), model->step_s);
    }
    store(self->battery_v + at, battery_v);
    return state.motion;
}

static inline body_lanes motion_at(const hy_xrp_motion *of, size_t at)
{
    return (body_lanes){ load(of->motion_x + at), load(of->motion_y + at),
                         load(of->motion_turn + at) };
}

static inline pose_lanes pose_at(const hy_xrp_motion *of, size_t at)
{
    return (pose_lanes){ load(of->x_m + at), load(of->y_m + at), load(of->heading_rad + at),
                         load(of->cos + at), load(of->sin + at) };
}

/// What the robots do if there is nothing to touch.
static inline void move(const hy_world_model *model, hy_xrp_lanes *self, size_t at)
{
    hy_xrp_motion *const is = &self->now;
    const body_lanes before = motion_at(is, at);
    const body_lanes now = drive(model, self, at, before);
    const pose_lanes to =
        pose_after(pose_at(is, at), before, now, model->vehicle[0].body.com_ahead_m, model->step_s);
    store(is->motion_x + at, now.x);
    store(is->motion_y + at, now.y);
    store(is->motion_turn + at, now.turn);
    store(is->x_m + at, to.x_m);
    store(is->y_m + at, to.y_m);
    store(is->heading_rad + at, to.heading_rad);
    store(is->cos + at, to.cos);
    store(is->sin + at, to.sin);
}

/// Takes from the distance after which walls are looked for again what each has moved.
static inline void count_way(const hy_world_model *model, hy_xrp_lanes *self, size_t at,
                             const hy_xrp_motion *before)
{
    const pose_lanes from = pose_at(before, at), to = pose_at(&self->now, at);
    const lanes way_m = way_between(&from, &to, model->vehicle[0].reach_m);
    store(self->recheck_distance_m + at, load(self->recheck_distance_m + at) - way_m);
}

// --------------------------------------------------------------------------- sensing

static inline void sense_rates(const hy_world_model *model, hy_xrp_lanes *self, size_t at,
                               chance_lanes *chance)
{
    const hy_vehicle_model *const vehicle = &model->vehicle[0];
    const lanes rate_rad_s[3] = { broadcast(0), broadcast(0),
                                  load(self->now.motion_turn + at) * vehicle->imu.gyro_scale };
    for (int i = 0; i < 3; i++) {
        const lanes bias =
            load(self->gyro_bias_rad_s[i] + at) + noise(chance, vehicle->gyro_drift_rad_s);
        const lanes read = rate_rad_s[i] + bias + noise(chance, vehicle->imu.of.gyro_noise_rad_s);
        store(self->gyro_bias_rad_s[i] + at, bias);
        store(self->gyro_rate_rad_s[i] + at, read);
        store(self->gyro_angle_rad[i] + at,
              load(self->gyro_angle_rad[i] + at) + read * model->step_s);
    }
}

static inline void sense_acceleration(const hy_world_model *model, hy_xrp_lanes *self, size_t at,
                                      body_lanes before, chance_lanes *chance)
{
    const hy_vehicle_model *const vehicle = &model->vehicle[0];
    const hy_vec from_com = { vehicle->imu.at_m.x - vehicle->body.com_ahead_m, vehicle->imu.at_m.y };
    const lanes limit = broadcast(HY_ACCEL_LIMIT_M_S2);
    const vec_lanes along = force_between(before, motion_at(&self->now, at), from_com, model->step_s);
    const lanes force[3] = { along.x, along.y, broadcast(HY_GRAVITY_M_S2) };
    for (int i = 0; i < 3; i++) {
        const lanes measured = force[i] + load(self->accel_bias_m_s2[i] + at) +
                               noise(chance, vehicle->imu.of.accel_noise_m_s2);
        store(self->accel_m_s2[i] + at, lanes_clamp(measured, -limit, limit));
    }
}

/// The cone of each robot's range sensor.
static inline cone_lanes cone_of(const hy_range_model *range, const hy_xrp_lanes *self, size_t at)
{
    const pose_lanes pose = pose_at(&self->now, at);
    const hy_vec at_m = range->at_m;
    cone_lanes cone = { .x = pose.x_m + (pose.cos * at_m.x - pose.sin * at_m.y),
                        .y = pose.y_m + (pose.sin * at_m.x + pose.cos * at_m.y) };
    lanes_sin_cos(pose.heading_rad - range->of.half_cone_rad, &cone.right_y, &cone.right_x);
    lanes_sin_cos(pose.heading_rad + range->of.half_cone_rad, &cone.left_y, &cone.left_x);
    return cone;
}

/// Where `due`.
static inline void sense_range(const hy_world_model *model, hy_xrp_lanes *self, size_t at, mask due,
                               chance_lanes *chance)
{
    const hy_range_model *const range = &model->vehicle[0].range;
    const cone_lanes cone = cone_of(range, self, at);
    const lanes near_m = broadcast(range->of.near_m), far_m = broadcast(range->of.far_m);
    const lanes true_m =
        lanes_max(nearest_in_cone(&cone, far_m, model->edges, model->edge_count), near_m);
    lanes error_m = broadcast(0);
    if (range->of.noise_m > 0) { // an echo that does not come has no noise, and draws none
        const chance_lanes before = *chance;
        const mask heard = due & (true_m < far_m);
        error_m = blend(heard, range->of.noise_m * chance_normal(chance), error_m);
        for (int i = 0; i < 4; i++) {
            chance->s[i] = (bits)blend(heard, (lanes)chance->s[i], (lanes)before.s[i]);
        }
    }
    const lanes measured = lanes_clamp(true_m + error_m, near_m, far_m);
    store(self->range_m + at, blend(due, measured, load(self->range_m + at)));
}

static inline mask range_due(const hy_world_model *model, const hy_xrp_lanes *self, size_t at)
{
    int64_t due[HY_XRP_LANES];
    for (size_t i = 0; i < LANES; i++) {
        due[i] = self->steps[at + i] % model->vehicle[0].range_steps == 0 ? -1 : 0;
    }
    mask where;
    memcpy(&where, due, sizeof where);
    return where;
}

static inline void sense(const hy_world_model *model, hy_xrp_lanes *self, size_t at,
                         const hy_xrp_motion *before)
{
    const hy_vehicle_model *const vehicle = &model->vehicle[0];
    const body_lanes motion = motion_at(before, at);
    chance_lanes chance;
    for (int i = 0; i < 4; i++) {
        memcpy(&chance.s[i], self->chance[i] + at, sizeof chance.s[i]);
    }
    sense_rates(model, self, at, &chance);
    sense_acceleration(model, self, at, motion, &chance);
    for (size_t side = 0; side < vehicle->reflectance.count; side++) {
        store(self->floor_noise[side] + at, noise(&chance, vehicle->reflectance.of[side].noise));
    }
    if (vehicle->range.fitted) {
        const mask due = range_due(model, self, at);
        if (any(due)) {
            sense_range(model, self, at, due, &chance);
        }
    }
    for (int i = 0; i < 4; i++) {
        memcpy(self->chance[i] + at, &chance.s[i], sizeof chance.s[i]);
    }
}

// --------------------------------------------------------------------------- all of it

static void step(const hy_world_model *model, hy_xrp_lanes *self)
{
    hy_xrp_lanes_look(model, self);
    const hy_xrp_motion before = self->now;
    for (size_t at = 0; at < HY_XRP_LANES; at += LANES) {
        move(model, self, at);
    }
    memcpy(self->led, self->next_led, sizeof self->led);
    memcpy(self->button, self->next_button, sizeof self->button);
    for (size_t i = 0; i < HY_XRP_LANES; i++) {
        self->steps[i]++;
    }
    for (size_t i = 0; self->any_near && i < HY_XRP_LANES; i++) {
        if (self->near_edges[i]) {
            hy_xrp_lanes_touch(model, self, i, &before);
        }
    }
    for (size_t at = 0; at < HY_XRP_LANES; at += LANES) {
        count_way(model, self, at, &before);
        sense(model, self, at, &before);
    }
}

#endif
