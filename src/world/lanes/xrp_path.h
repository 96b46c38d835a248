/// @file xrp_path.h
/// A step of XRPs, LANES at once: what step.c and sense.c do for one, in the same order. A file that includes this defines LANES
/// and is compiled for a processor that has such vectors.
#ifndef HY_WORLD_XRP_PATH_H
#define HY_WORLD_XRP_PATH_H

#include "lanes/xrp_lanes.h"
#include "sensors/sense.h"
#include "vehicles/drive_path.h"

// --------------------------------------------------------------------------- chance

/// hy_chance of each lane.
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
    return deviation > 0 ? deviation * chance_normal(chance) : all(0);
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
                          .rim = wheels->rim };
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

static inline void turn_to(hy_xrp_lanes *self, size_t at, lanes heading_rad)
{
    store(self->heading_rad + at, heading_rad);
    hy_sin_cos_many(self->heading_rad + at, LANES, self->sin + at, self->cos + at);
}

/// Moves along the arc of the mean velocity: step.c says why so.
static inline void coast(const hy_world_model *model, hy_xrp_lanes *self, size_t at,
                         body_lanes before, body_lanes now)
{
    const double com_m = model->vehicle[0].body.com_ahead_m, step_s = model->step_s;
    const lanes turn_rad = (before.turn + now.turn) / 2.0 * step_s;
    const lanes way_x = (before.x + now.x) / 2.0 * step_s;
    const lanes way_y = (before.y + now.y) / 2.0 * step_s - com_m * turn_rad;
    const lanes from_cos = load(self->cos + at), from_sin = load(self->sin + at);
    turn_to(self, at, load(self->heading_rad + at) + turn_rad);
    const lanes to_cos = load(self->cos + at), to_sin = load(self->sin + at);
    const lanes stretch = (1.0 + turn_rad * turn_rad / 12.0) / 2.0;
    const lanes along_x = (from_cos * way_x - from_sin * way_y) + (to_cos * way_x - to_sin * way_y);
    const lanes along_y = (from_sin * way_x + from_cos * way_y) + (to_sin * way_x + to_cos * way_y);
    store(self->x_m + at, load(self->x_m + at) + along_x * stretch);
    store(self->y_m + at, load(self->y_m + at) + along_y * stretch);
}

static inline body_lanes motion_at(const hy_xrp_lanes *self, size_t at)
{
    return (body_lanes){ load(self->motion_x + at), load(self->motion_y + at),
                         load(self->motion_turn + at) };
}

/// What the robots do if there is nothing to touch.
static inline void move(const hy_world_model *model, hy_xrp_lanes *self, size_t at)
{
    const body_lanes before = motion_at(self, at);
    const body_lanes now = drive(model, self, at, before);
    store(self->motion_x + at, now.x);
    store(self->motion_y + at, now.y);
    store(self->motion_turn + at, now.turn);
    coast(model, self, at, before, now);
}

/// Takes from the distance after which walls are looked for again what each has moved.
static inline void count_way(const hy_world_model *model, hy_xrp_lanes *self, size_t at,
                             const hy_xrp_before *before)
{
    const lanes x = load(self->x_m + at) - load(before->x_m + at);
    const lanes y = load(self->y_m + at) - load(before->y_m + at);
    const lanes turned = load(self->heading_rad + at) - load(before->heading_rad + at);
    const lanes way_m = root(x * x + y * y) + model->vehicle[0].reach_m * size_of(turned);
    store(self->recheck_distance_m + at, load(self->recheck_distance_m + at) - way_m);
}

// --------------------------------------------------------------------------- sensing

static inline void sense_rates(const hy_world_model *model, hy_xrp_lanes *self, size_t at,
                               chance_lanes *chance)
{
    const hy_vehicle_model *const vehicle = &model->vehicle[0];
    const lanes rate_rad_s[3] = { all(0), all(0),
                                  load(self->motion_turn + at) * vehicle->imu.gyro_scale };
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
    const body_lanes now = motion_at(self, at);
    const double step_s = model->step_s;
    const double from_com_x = vehicle->imu.at_m.x - vehicle->body.com_ahead_m;
    const double from_com_y = vehicle->imu.at_m.y;
    const lanes turn = (now.turn + before.turn) / 2.0;
    const lanes spin_up = (now.turn - before.turn) / step_s;
    const lanes limit = all(HY_ACCEL_LIMIT_M_S2);
    const lanes force[3] = {
        (now.x - before.x) / step_s - turn * (now.y + before.y) / 2.0 - spin_up * from_com_y -
            turn * turn * from_com_x,
        (now.y - before.y) / step_s + turn * (now.x + before.x) / 2.0 + spin_up * from_com_x -
            turn * turn * from_com_y,
        all(HY_GRAVITY_M_S2),
    };
    for (int i = 0; i < 3; i++) {
        const lanes measured = force[i] + load(self->accel_bias_m_s2[i] + at) +
                               noise(chance, vehicle->imu.of.accel_noise_m_s2);
        store(self->accel_m_s2[i] + at, within(measured, -limit, limit));
    }
}

/// clip_segment() of geometry.c: narrows `low` to `high`, and says where nothing is left.
static inline mask is_clipped(lanes at0, lanes at1, lanes *low, lanes *high)
{
    const lanes cut = at0 / (at0 - at1);
    const mask begins_out = at0 < 0.0, ends_out = at1 < 0.0;
    *low = blend(begins_out, most(*low, cut), *low);
    *high = blend(ends_out & none(begins_out), least(*high, cut), *high);
    return (begins_out & ends_out) | none(*low <= *high);
}

/// The cone of each robot's range sensor.
typedef struct {
    lanes x, y, right_x, right_y, left_x, left_y;
} cone_lanes;

/// The square of the distance to the nearest point of an edge in the cone, if that is less than `nearest`:
/// hy_nearest_in_cone().
static inline lanes nearer(const cone_lanes *cone, const hy_world_segment *edge, lanes nearest)
{
    const lanes start_x = edge->x0_m - cone->x, start_y = edge->y0_m - cone->y;
    const lanes end_x = edge->x1_m - cone->x, end_y = edge->y1_m - cone->y;
    lanes low = all(0), high = all(1);
    const mask right_of = is_clipped(cone->right_x * start_y - cone->right_y * start_x,
                                     cone->right_x * end_y - cone->right_y * end_x, &low, &high);
    const mask left_of = is_clipped(start_x * cone->left_y - start_y * cone->left_x,
                                    end_x * cone->left_y - end_y * cone->left_x, &low, &high);
    const mask is_out = right_of | left_of;
    if (!any(none(is_out))) {
        return nearest;
    }
    const lanes along_x = end_x - start_x, along_y = end_y - start_y;
    const lanes length_squared = along_x * along_x + along_y * along_y;
    const lanes foot = blend(length_squared > 0.0,
                             -(start_x * along_x + start_y * along_y) / length_squared, all(0));
    const lanes u = within(foot, low, high);
    const lanes x = start_x + along_x * u, y = start_y + along_y * u;
    return blend(is_out, nearest, least(nearest, x * x + y * y));
}

static inline cone_lanes cone_of(const hy_range_model *range, const hy_xrp_lanes *self, size_t at)
{
    const lanes cos = load(self->cos + at), sin = load(self->sin + at);
    hy_lane_row right_rad, left_rad, right_x, right_y, left_x, left_y;
    store(right_rad, load(self->heading_rad + at) - range->of.half_cone_rad);
    store(left_rad, load(self->heading_rad + at) + range->of.half_cone_rad);
    hy_sin_cos_many(right_rad, LANES, right_y, right_x);
    hy_sin_cos_many(left_rad, LANES, left_y, left_x);
    return (cone_lanes){ load(self->x_m + at) + (cos * range->at_m.x - sin * range->at_m.y),
                         load(self->y_m + at) + (sin * range->at_m.x + cos * range->at_m.y),
                         load(right_x),
                         load(right_y),
                         load(left_x),
                         load(left_y) };
}

/// Where `due`.
static inline void sense_range(const hy_world_model *model, hy_xrp_lanes *self, size_t at, mask due,
                               chance_lanes *chance)
{
    const hy_range_model *const range = &model->vehicle[0].range;
    const cone_lanes cone = cone_of(range, self, at);
    const lanes near_m = all(range->of.near_m), far_m = all(range->of.far_m);
    lanes nearest = far_m * far_m;
    for (size_t i = 0; i < model->edge_count; i++) {
        nearest = nearer(&cone, &model->edges[i], nearest);
    }
    const lanes true_m = most(root(nearest), near_m);
    lanes error_m = all(0);
    if (range->of.noise_m > 0) { // an echo that does not come has no noise, and draws none
        const chance_lanes before = *chance;
        const mask heard = due & (true_m < far_m);
        error_m = blend(heard, range->of.noise_m * chance_normal(chance), error_m);
        for (int i = 0; i < 4; i++) {
            chance->s[i] = blend_bits(heard, chance->s[i], before.s[i]);
        }
    }
    const lanes measured = within(true_m + error_m, near_m, far_m);
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
                         const hy_xrp_before *before)
{
    const hy_vehicle_model *const vehicle = &model->vehicle[0];
    const body_lanes motion = { load(before->motion_x + at), load(before->motion_y + at),
                                load(before->motion_turn + at) };
    chance_lanes chance;
    for (int i = 0; i < 4; i++) {
        chance.s[i] = load_bits(self->chance[i] + at);
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
        store_bits(self->chance[i] + at, chance.s[i]);
    }
}

// --------------------------------------------------------------------------- all of it

static inline void remember(const hy_xrp_lanes *self, hy_xrp_before *before)
{
    memcpy(before->x_m, self->x_m, sizeof before->x_m);
    memcpy(before->y_m, self->y_m, sizeof before->y_m);
    memcpy(before->heading_rad, self->heading_rad, sizeof before->heading_rad);
    memcpy(before->cos, self->cos, sizeof before->cos);
    memcpy(before->sin, self->sin, sizeof before->sin);
    memcpy(before->motion_x, self->motion_x, sizeof before->motion_x);
    memcpy(before->motion_y, self->motion_y, sizeof before->motion_y);
    memcpy(before->motion_turn, self->motion_turn, sizeof before->motion_turn);
}

static void step(const hy_world_model *model, hy_xrp_lanes *self)
{
    hy_xrp_before before;
    hy_xrp_lanes_look(model, self);
    remember(self, &before);
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
