/// @file xrp_simd.h
/// A step of XRPs, LANES at once: the same operations as those of step.c and sense.c for one, in the same order. A file that includes
/// this defines LANES and is compiled for a processor that has such vectors.
#ifndef HY_WORLD_XRP_SIMD_H
#define HY_WORLD_XRP_SIMD_H

#include "lanes/contact_simd.h"
#include "lanes/xrp_lanes.h"
#include "sensors/sense.h"
#include "sensors/sonar_simd.h"
#include "step.h"
#include "vehicles/bridge_simd.h"
#include "vehicles/charge_simd.h"

// --------------------------------------------------------------------------- random numbers

typedef uint64_t bits __attribute__((vector_size(8 * LANES)));

/// hy_random of each lane: the same operations as in base/random.c, which this may not include.
typedef struct {
    bits s[4];
} random_lanes;

static inline bits rotated_left(bits value, unsigned by)
{
    return (value << by) | (value >> (64 - by));
}

static inline bits random_bits(random_lanes *random)
{
    bits *const s = random->s;
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

/// hy_random_normal().
static inline lanes random_normal(random_lanes *random)
{
    const bits drawn = random_bits(random);
    const bits sum =
        (drawn & 0xffff) + (drawn >> 16 & 0xffff) + (drawn >> 32 & 0xffff) + (drawn >> 48);
    // An integer below 2^52 becomes a double: its bits in the fraction of 2^52, less 2^52.
    const lanes off_mean = ((lanes)(sum | UINT64_C(0x4330000000000000)) - 0x1p52) - 131070.0;
    return HY_RANDOM_OVER_SIGMA(off_mean);
}

/// Without a deviation no random number is drawn.
static inline lanes noise(random_lanes *random, double deviation)
{
    return deviation > 0 ? deviation * random_normal(random) : broadcast(0);
}

// --------------------------------------------------------------------------- robots that take a step together

#define BATCH_GROUPS \
    32 ///< Enough groups that those of their robots that need more work than the others fill vectors of their own.
#define BATCH_ROBOTS (BATCH_GROUPS * HY_XRP_LANES)
#define BATCH_PARTS  (BATCH_ROBOTS / LANES)
_Static_assert(BATCH_ROBOTS <= UINT8_MAX + 1, "a list has a byte for each");

/// What the wheels of LANES robots do in a step.
typedef struct {
    drive_start start;
    drive_impulses impulses;
} driving;

typedef struct {
    driving drives[BATCH_PARTS];
    supply_lanes supplies[SUPPLIES_TOGETHER]; ///< Of coasting bridges, for the parts that are being driven.
    hy_xrp_motion before[BATCH_GROUPS]; ///< Poses and motions at the beginning of the step.
    lanes heading_rad[BATCH_PARTS], sine[BATCH_PARTS], cosine[BATCH_PARTS]; ///< Where it ends.
    const hy_world_model *model;
    hy_xrp_lanes *groups;
    size_t listed;
    uint8_t list[BATCH_ROBOTS]; ///< Robots, by group and lane.
} batch;

/// The robot of lane `i` of a vector that begins at `from` of the list; lanes behind the end of the list repeat the last robot.
static size_t robot_of(const batch *all, size_t from, size_t i)
{
    const size_t last = all->listed - 1;
    return all->list[from + i < last ? from + i : last];
}

#define WORKS 64 ///< Above every value of the work by which lists are sorted.

/// Sorts the list by `work`, a row of `groups`, so that the lanes of a vector need about equally many rounds. The sort is stable.
static void sort_list(batch *all, const uint8_t *work)
{
    uint8_t key[BATCH_ROBOTS], before[BATCH_ROBOTS];
    uint16_t next[WORKS + 1] = { 0 };
    for (size_t i = 0; i < all->listed; i++) {
        const size_t robot = before[i] = all->list[i];
        key[i] = work[robot / HY_XRP_LANES * sizeof all->groups[0] + robot % HY_XRP_LANES];
        next[key[i] + 1]++;
    }
    for (size_t w = 1; w < WORKS; w++) {
        next[w] = (uint16_t)(next[w] + next[w - 1]);
    }
    for (size_t i = 0; i < all->listed; i++) {
        all->list[next[key[i]]++] = before[i];
    }
}

// --------------------------------------------------------------------------- driving

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

static inline body_lanes pushed_at(const hy_xrp_lanes *self, size_t at)
{
    return (body_lanes){ load(self->pushed_x + at), load(self->pushed_y + at),
                         load(self->pushed_turn + at) };
}

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

static inline battery_lanes battery_at(const hy_vehicle_model *vehicle, const hy_xrp_lanes *self,
                                       size_t at)
{
    return (battery_lanes){ load(self->battery_open_v + at), load(self->battery_ohm + at),
                            vehicle->battery.board_a };
}

/// The lanes of a part.
static inline hy_xrp_lanes *part_of(const batch *all, size_t part, size_t *at)
{
    *at = part * LANES % HY_XRP_LANES;
    return &all->groups[part * LANES / HY_XRP_LANES];
}

/// Computes the voltages that coasting bridges give to the motors of `some` parts, beginning with part `from`.
static void supply_coasting(batch *all, size_t from, size_t some)
{
    const hy_vehicle_model *const vehicle = &all->model->vehicle[0];
    for (size_t part = 0; part < some; part++) {
        size_t at;
        const hy_xrp_lanes *const self = part_of(all, from + part, &at);
        supply_lanes *const supply = &all->supplies[part];
        supply->battery = battery_at(vehicle, self, at);
        supply->battery_v = load(self->battery_v + at);
        for (int i = 0; i < HY_XRP_MOTORS; i++) {
            const hy_motor_model *const motor = &vehicle->motor[i];
            period_lanes *const period = &supply->periods[i];
            period->duty = motor->forward * load(self->next_duty[i] + at);
            period->emf_v = motor->emf_v_s * load(self->shaft_rad_s[i] + at);
        }
    }
    bridge_supply(&vehicle->bridge, vehicle->motor, HY_XRP_MOTORS, all->supplies, some);
}

/// Computes the voltages that shorting bridges give to the motors. Returns those of the batteries at their terminals.
static inline lanes supply_braking(const hy_vehicle_model *vehicle, const battery_lanes *battery,
                                   const motors_lanes *run, mean_lanes means[HY_XRP_MOTORS])
{
    const lanes battery_v = battery_voltage(battery, run);
    for (size_t i = 0; i < HY_XRP_MOTORS; i++) {
        means[i] = (mean_lanes){ .volts = vehicle->motor[i].forward * run->duty[i] * battery_v };
    }
    return battery_v;
}

/// The same for coasting bridges, from what supply_coasting() has computed.
static inline lanes take_supply(const supply_lanes *supply, mean_lanes means[HY_XRP_MOTORS])
{
    for (size_t i = 0; i < HY_XRP_MOTORS; i++) {
        means[i] = supply->periods[i].mean;
    }
    return supply->battery_v;
}

/// Takes the charge that flowed in this step from the batteries.
static inline void take_charge(const hy_world_model *model, hy_xrp_lanes *self, size_t at,
                               lanes battery_v)
{
    const hy_vehicle_model *const vehicle = &model->vehicle[0];
    const battery_lanes battery = battery_at(vehicle, self, at);
    const lanes used_as = load(self->used_as + at) +
                          (battery.open_v - battery_v) / battery.resistance_ohm * model->step_s;
    const battery_lanes after = charge_after(&vehicle->charge, &vehicle->battery, used_as);
    store(self->used_as + at, used_as);
    store(self->battery_open_v + at, after.open_v);
    store(self->battery_ohm + at, after.resistance_ohm);
}

/// The motors at the two headers, which drive no wheel.
static inline void turn_headers(const hy_world_model *model, hy_xrp_lanes *self, size_t at,
                                const mean_lanes means[HY_XRP_MOTORS])
{
    const hy_vehicle_model *const vehicle = &model->vehicle[0];
    for (int i = HY_DRIVE_SIDES; i < HY_XRP_MOTORS; i++) {
        const hy_motor_model *const motor = &vehicle->motor[i];
        const lanes before_rad_s = load(self->shaft_rad_s[i] + at);
        inertia_lanes inertia = { broadcast(motor->step_kg_m2), broadcast(motor->keep_kg_m2) };
        if (vehicle->bridge.coasts && any((means[i].volts != 0.0) | (before_rad_s != 0.0))) {
            inertia = inertia_with_share(motor->inertia_kg_m2, motor->damping_kg_m2, means[i].share);
        }
        turn_shaft(self, at, i, motor_free_step(motor, inertia, means[i].volts, before_rad_s),
                   model->step_s);
    }
}

static inline void prepare_rims(const hy_vehicle_model *vehicle, const mean_lanes *means,
                                drive_lanes *state)
{
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        const hy_rim_model *const rim = &vehicle->drive.rim[i];
        if (vehicle->bridge.coasts) {
            state->inertia[i] = inertia_with_share(rim->own_kg, rim->damping_kg, means[i].share);
            state->per_kg[i] = 1.0 / state->inertia[i].step;
        } else {
            state->inertia[i] = (inertia_lanes){ broadcast(rim->step_kg), broadcast(rim->keep_kg) };
            state->per_kg[i] = broadcast(1 / rim->step_kg);
        }
    }
}

/// Steps motors, wheels and body under the assumption that both tyres grip; lists the robots of which one slides.
static inline void start_driving(batch *all, hy_xrp_lanes *self, size_t at, size_t part)
{
    const hy_vehicle_model *const vehicle = &all->model->vehicle[0];
    const hy_drive_model *const wheels = &vehicle->drive;
    driving *const d = &all->drives[part];
    lanes duty[HY_XRP_MOTORS], shaft_rad_s[HY_XRP_MOTORS];
    mean_lanes means[HY_XRP_MOTORS];
    take_duty(self, at, duty);
    for (int i = 0; i < HY_XRP_MOTORS; i++) {
        shaft_rad_s[i] = load(self->shaft_rad_s[i] + at);
    }
    const motors_lanes run = { vehicle->motor, duty, shaft_rad_s, HY_XRP_MOTORS };
    const battery_lanes battery = battery_at(vehicle, self, at);
    const lanes battery_v = vehicle->bridge.coasts
                                ? take_supply(&all->supplies[part % SUPPLIES_TOGETHER], means)
                                : supply_braking(vehicle, &battery, &run, means);
    store(self->battery_v + at, battery_v);
    if (vehicle->charge.capacity_as > 0) {
        take_charge(all->model, self, at, battery_v);
    }
    turn_headers(all->model, self, at, means);
    drive_lanes state = { .motion = motion_at(&self->now, at),
                          .pushed = pushed_at(self, at),
                          .rim = wheels->rim,
                          .grip = hy_even_grip };
    prepare_rims(vehicle, means, &state);
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        state.volts[i] = means[i].volts;
        state.rim_m_s[i] = shaft_rad_s[i] * wheels->radius_m[i];
    }
    const mask slips = drive_start_step(wheels, &vehicle->body, &state, &d->start, &d->impulses);
    for (unsigned left = mask_bits(slips); left != 0; left &= left - 1) {
        all->list[all->listed++] = (uint8_t)(part * LANES + lowest_lane(left));
    }
}

// The lanes of vectors that are members of `drives`.
static inline lanes collect_drives(const batch *all, size_t from, const lanes *first)
{
    double numbers[LANES];
    for (size_t i = 0; i < LANES; i++) {
        const size_t robot = robot_of(all, from, i);
        const char *const row = (const char *)first + robot / LANES * sizeof all->drives[0];
        memcpy(&numbers[i], row + robot % LANES * sizeof numbers[i], sizeof numbers[i]);
    }
    return load(numbers);
}

#define COLLECT_DRIVE(row) collect_drives(all, from, &all->drives[0].row)

static inline void collect_sliding(const batch *all, size_t from, drive_start *start,
                                   drive_impulses *impulses)
{
    *start = (drive_start){ .motion = { COLLECT_DRIVE(start.motion.x), COLLECT_DRIVE(start.motion.y),
                                        COLLECT_DRIVE(start.motion.turn) },
                            .pushed = { COLLECT_DRIVE(start.pushed.x), COLLECT_DRIVE(start.pushed.y),
                                        COLLECT_DRIVE(start.pushed.turn) },
                            .rim = all->drives[0].start.rim,
                            .grip = all->drives[0].start.grip };
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        start->momentum[i] = COLLECT_DRIVE(start.momentum[i]);
        start->step_kg[i] = COLLECT_DRIVE(start.step_kg[i]);
        impulses->along[i] = COLLECT_DRIVE(impulses.along[i]);
        impulses->across[i] = COLLECT_DRIVE(impulses.across[i]);
        impulses->held[i] = COLLECT_DRIVE(impulses.held[i]);
    }
}

static void give_impulses(batch *all, size_t from, const drive_impulses *impulses, lanes rounds)
{
    for (size_t i = 0; i < LANES && from + i < all->listed; i++) {
        const size_t robot = all->list[from + i];
        all->groups[robot / HY_XRP_LANES].slide_rounds[robot % HY_XRP_LANES] = (uint8_t)rounds[i];
        drive_impulses *const to = &all->drives[robot / LANES].impulses;
        for (int k = 0; k < HY_DRIVE_SIDES; k++) {
            to->along[k][robot % LANES] = impulses->along[k][i];
            to->across[k][robot % LANES] = impulses->across[k][i];
            to->held[k][robot % LANES] = impulses->held[k][i];
        }
    }
}

/// Counts how many `rounds` each robot needed.
static void slide_together(sliding *s, lanes *rounds, size_t parts)
{
    mask active[LANES_TOGETHER];
    bool any_active = true;
    for (size_t p = 0; p < parts; p++) {
        active[p] = everywhere();
        rounds[p] = broadcast(0);
    }
    for (int round = 0; round < SLIDING_ROUNDS && any_active; round++) {
        for (size_t p = 0; p < parts; p++) {
            rounds[p] += blend(active[p], broadcast(1), broadcast(0));
        }
        slide_once(s, active, parts);
        any_active = false;
        for (size_t p = 0; p < parts; p++) {
            any_active = any_active || any(active[p]);
        }
    }
}

/// Solves the tyres of the listed robots.
static void slide_listed(batch *all)
{
    const hy_vehicle_model *const vehicle = &all->model->vehicle[0];
    sort_list(all, all->groups[0].slide_rounds);
    for (size_t from = 0; from < all->listed; from += LANES_TOGETHER * LANES) {
        lanes rounds[LANES_TOGETHER];
        drive_start start[LANES_TOGETHER];
        sliding s[LANES_TOGETHER];
        size_t parts = 0;
        while (parts < LANES_TOGETHER && from + parts * LANES < all->listed) {
            drive_impulses impulses;
            collect_sliding(all, from + parts * LANES, &start[parts], &impulses);
            s[parts] = start_sliding(&vehicle->drive, &vehicle->body, &start[parts], everywhere(),
                                     &impulses);
            parts++;
        }
        slide_together(s, rounds, parts);
        for (size_t p = 0; p < parts; p++) {
            give_impulses(all, from + p * LANES, &s[p].impulses, rounds[p]);
        }
    }
}

/// Returns the motion at the end of the step.
static inline body_lanes end_driving(batch *all, hy_xrp_lanes *self, size_t at, size_t part)
{
    const hy_vehicle_model *const vehicle = &all->model->vehicle[0];
    const hy_drive_model *const wheels = &vehicle->drive;
    const double step_s = all->model->step_s;
    const driving *const d = &all->drives[part];
    drive_lanes state = { .pushed = pushed_at(self, at) };
    drive_end_step(wheels, &vehicle->body, &d->start, &d->impulses, &state);
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        turn_shaft(self, at, i, state.rim_m_s[i] / wheels->radius_m[i], step_s);
    }
    return state.motion;
}

/// Computes motion and heading at the end of a step without contacts.
static inline void change_motion(batch *all, hy_xrp_lanes *self, size_t at, size_t part)
{
    hy_xrp_motion *const is = &self->now;
    motion_step step = { .before = motion_at(is, at), .step_s = all->model->step_s };
    step.now = end_driving(all, self, at, part);
    all->heading_rad[part] = load(is->heading_rad + at) + turn_in(&step);
    store(is->motion_x + at, step.now.x);
    store(is->motion_y + at, step.now.y);
    store(is->motion_turn + at, step.now.turn);
}

/// Computes the poses at the end of the step.
static inline void change_pose(const batch *all, hy_xrp_lanes *self, size_t at, size_t part,
                               const hy_xrp_motion *before)
{
    const hy_world_model *const model = all->model;
    hy_xrp_motion *const is = &self->now;
    pose_lanes to = { .heading_rad = all->heading_rad[part],
                      .sin = all->sine[part],
                      .cos = all->cosine[part] };
    const motion_step step = { motion_at(before, at), motion_at(is, at), model->step_s };
    to = pose_on_arc(pose_at(before, at), &step, to, model->vehicle[0].body.com_ahead_m);
    store(is->x_m + at, to.x_m);
    store(is->y_m + at, to.y_m);
    store(is->heading_rad + at, to.heading_rad);
    store(is->cos + at, to.cos);
    store(is->sin + at, to.sin);
}

/// Reduces the distance after which walls are looked for again by what each robot has moved.
static inline void count_way(const hy_world_model *model, hy_xrp_lanes *self, size_t at,
                             const hy_xrp_motion *before)
{
    const pose_lanes from = pose_at(before, at), to = pose_at(&self->now, at);
    const lanes way_m = way_between(&from, &to, model->vehicle[0].reach_m);
    store(self->recheck_distance_m + at, load(self->recheck_distance_m + at) - way_m);
}

// --------------------------------------------------------------------------- sensing

static inline void sense_rates(const hy_world_model *model, hy_xrp_lanes *self, size_t at,
                               random_lanes *random)
{
    const hy_vehicle_model *const vehicle = &model->vehicle[0];
    const lanes rate_rad_s[3] = { broadcast(0), broadcast(0),
                                  load(self->now.motion_turn + at) * vehicle->imu.gyro_scale };
    if (vehicle->imu.warm_up_rad_s != 0) { // the warm-up drift decays
        const lanes left_rad_s = load(self->gyro_warm_up_rad_s + at);
        const lanes gone_rad_s = left_rad_s * vehicle->imu.warm_up_share;
        store(self->gyro_warm_up_rad_s + at, left_rad_s - gone_rad_s);
        store(self->gyro_bias_rad_s[2] + at, load(self->gyro_bias_rad_s[2] + at) - gone_rad_s);
    }
    const double reading_step = vehicle->imu.gyro_step_rad_s;
    for (int i = 0; i < 3; i++) {
        const lanes bias =
            load(self->gyro_bias_rad_s[i] + at) + noise(random, vehicle->gyro_drift_rad_s);
        const lanes measured = rate_rad_s[i] + bias + noise(random, vehicle->imu.of.gyro_noise_rad_s);
        const lanes read =
            reading_step > 0 ? lanes_floor(measured / reading_step + 0.5) * reading_step : measured;
        store(self->gyro_bias_rad_s[i] + at, bias);
        store(self->gyro_rate_rad_s[i] + at, read);
        store(self->gyro_angle_rad[i] + at,
              load(self->gyro_angle_rad[i] + at) + read * model->step_s);
    }
}

static inline void sense_acceleration(const hy_world_model *model, hy_xrp_lanes *self, size_t at,
                                      body_lanes before, random_lanes *random)
{
    const hy_vehicle_model *const vehicle = &model->vehicle[0];
    const hy_vec from_com = { vehicle->imu.at_m.x - vehicle->body.com_ahead_m, vehicle->imu.at_m.y };
    const lanes limit = broadcast(HY_ACCEL_LIMIT_M_S2);
    const vec_lanes along = force_between(before, motion_at(&self->now, at), from_com, model->step_s);
    const lanes force[3] = { along.x, along.y, broadcast(HY_GRAVITY_M_S2) };
    for (int i = 0; i < 3; i++) {
        const lanes measured = force[i] + load(self->accel_bias_m_s2[i] + at) +
                               noise(random, vehicle->imu.of.accel_noise_m_s2);
        store(self->accel_m_s2[i] + at, lanes_clamp(measured, -limit, limit));
    }
}

/// Only for lanes of `due`.
static inline void sense_range(const hy_world_model *model, hy_xrp_lanes *self, size_t at, mask due,
                               random_lanes *random)
{
    const hy_range_model *const range = &model->vehicle[0].range;
    const pose_lanes pose = pose_at(&self->now, at);
    const cone_lanes cone = cone_of(range, &pose);
    const lanes near_m = broadcast(range->of.near_m), far_m = broadcast(range->of.far_m);
    const lanes true_m = lanes_max(nearest_edge_in_cone(model, &cone, far_m), near_m);
    lanes error_m = broadcast(0);
    if (range->of.noise_m > 0) { // without an echo there is no noise, and no random number is drawn
        const random_lanes before = *random;
        const mask heard = due & (true_m < far_m);
        error_m = blend(heard, range->of.noise_m * random_normal(random), error_m);
        for (int i = 0; i < 4; i++) {
            random->s[i] = (bits)blend(heard, (lanes)random->s[i], (lanes)before.s[i]);
        }
    }
    const lanes measured = lanes_clamp(true_m + error_m, near_m, far_m);
    store(self->range_m + at, blend(due, measured, load(self->range_m + at)));
}

static inline mask range_due(const hy_world_model *model, const hy_xrp_lanes *self, size_t at)
{
    int64_t due[HY_XRP_LANES];
    const uint64_t *const steps = self->steps + at;
    bool is_due = false;
    for (size_t i = 0; i < LANES; i++) {
        // A division is slow, and most robots have taken equally many steps.
        if (i == 0 || steps[i] != steps[i - 1]) {
            is_due = steps[i] % model->vehicle[0].range_steps == 0;
        }
        due[i] = is_due ? -1 : 0;
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
    random_lanes random;
    for (int i = 0; i < 4; i++) {
        memcpy(&random.s[i], self->random[i] + at, sizeof random.s[i]);
    }
    sense_rates(model, self, at, &random);
    sense_acceleration(model, self, at, motion, &random);
    for (size_t side = 0; side < vehicle->reflectance.count; side++) {
        store(self->floor_noise[side] + at, noise(&random, vehicle->reflectance.of[side].noise));
    }
    if (vehicle->range.fitted && !(vehicle->sonar.echoes > 0)) {
        const mask due = range_due(model, self, at);
        if (any(due)) {
            sense_range(model, self, at, due, &random);
        }
    }
    for (int i = 0; i < 4; i++) {
        memcpy(self->random[i] + at, &random.s[i], sizeof random.s[i]);
    }
}

// --------------------------------------------------------------------------- sonars

static inline lanes collect(const batch *all, size_t from, const double *first, size_t apart)
{
    double numbers[LANES];
    for (size_t i = 0; i < LANES; i++) {
        const size_t robot = robot_of(all, from, i);
        const char *const row = (const char *)first + robot / HY_XRP_LANES * apart;
        memcpy(&numbers[i], row + robot % HY_XRP_LANES * sizeof numbers[i], sizeof numbers[i]);
    }
    return load(numbers);
}

#define COLLECT_BEFORE(row) collect(all, from, all->before[0].row, sizeof all->before[0])
#define COLLECT_NOW(row)    collect(all, from, all->groups[0].now.row, sizeof all->groups[0])

static void list_due_sonars(batch *all, size_t count)
{
    all->listed = 0;
    for (size_t g = 0; g < count; g++) {
        const hy_xrp_lanes *const group = &all->groups[g];
        for (size_t i = 0; i < HY_XRP_LANES; i++) {
            if (hy_sonar_is_due(all->model, &group->sonar[i], group->steps[i])) {
                all->list[all->listed++] = (uint8_t)(g * HY_XRP_LANES + i);
            }
        }
    }
}

/// Disturbances by the motors are drawn for one robot at a time.
static void read_sonar(const hy_vehicle_model *vehicle, hy_xrp_lanes *group, size_t lane,
                       double heard_m)
{
    hy_random random;
    for (int k = 0; k < 4; k++) {
        random.s[k] = group->random[k][lane];
    }
    const bool runs = group->duty[0][lane] != 0 || group->duty[1][lane] != 0;
    group->range_m[lane] = hy_sonar_read(vehicle, &group->sonar[lane], heard_m, runs, &random);
    for (int k = 0; k < 4; k++) {
        group->random[k][lane] = random.s[k];
    }
}

static void sense_sonars(batch *all, size_t count)
{
    const hy_world_model *const model = all->model;
    const hy_vehicle_model *const vehicle = &model->vehicle[0];
    list_due_sonars(all, count);
    for (size_t from = 0; from < all->listed; from += LANES) {
        const pose_lanes pose = { COLLECT_NOW(x_m), COLLECT_NOW(y_m), COLLECT_NOW(heading_rad),
                                  COLLECT_NOW(cos), COLLECT_NOW(sin) };
        const hearing_lanes hearing = hearing_of(vehicle, &pose);
        const lanes heard_m =
            nearest_echo_at_edges(model, &hearing, broadcast(vehicle->range.of.far_m));
        const lanes at_least_m = lanes_max(heard_m, broadcast(vehicle->range.of.near_m));
        for (size_t i = 0; i < LANES && from + i < all->listed; i++) {
            const size_t robot = all->list[from + i];
            read_sonar(vehicle, &all->groups[robot / HY_XRP_LANES], robot % HY_XRP_LANES,
                       at_least_m[i]);
        }
    }
}

// --------------------------------------------------------------------------- walls and obstacles

/// Lists the robots that are near edges, sorted by their work in the last step.
static void list_near(batch *all, size_t count)
{
    all->listed = 0;
    for (size_t g = 0; g < count; g++) {
        const hy_xrp_lanes *const group = &all->groups[g];
        for (size_t i = 0; group->any_near && i < HY_XRP_LANES; i++) {
            all->list[all->listed] = (uint8_t)(g * HY_XRP_LANES + i);
            all->listed += group->near_edges[i];
        }
    }
    sort_list(all, all->groups[0].contact_passes);
    sort_list(all, all->groups[0].contact_kind);
}

static inline void collect_robots(const batch *all, size_t from, touch_lanes *t, touch_step *s,
                                  body_lanes *motion)
{
    t->found.vehicle = &all->model->vehicle[0];
    t->found.pose =
        (pose_lanes){ COLLECT_BEFORE(x_m), COLLECT_BEFORE(y_m), COLLECT_BEFORE(heading_rad),
                      COLLECT_BEFORE(cos), COLLECT_BEFORE(sin) };
    *motion = (body_lanes){ COLLECT_BEFORE(motion_x), COLLECT_BEFORE(motion_y),
                            COLLECT_BEFORE(motion_turn) };
    s->wanted =
        (body_lanes){ COLLECT_NOW(motion_x), COLLECT_NOW(motion_y), COLLECT_NOW(motion_turn) };
}

/// Stores the result for the robot of lane `i` of `t`, as step.c does.
static void take_answer(batch *all, size_t robot, const touch_lanes *t, const touch_step *s, size_t i)
{
    hy_xrp_lanes *const group = &all->groups[robot / HY_XRP_LANES];
    hy_xrp_motion *const now = &group->now;
    const size_t lane = robot % HY_XRP_LANES;
    hy_push pushed = { 0, 0, 0 };
    group->contact_kind[lane] = s->kind[i];
    group->contact_passes[lane] = s->passes[i];
    group->touching[lane] = group->touching_field[lane] = s->touched[i] != 0;
    if (s->touched[i] != 0) {
        const hy_motion wanted = { now->motion_x[lane], now->motion_y[lane], now->motion_turn[lane] };
        const hy_motion became = { s->wanted.x[i], s->wanted.y[i], s->wanted.turn[i] };
        pushed = hy_push_between(t->found.vehicle, wanted, became);
        now->x_m[lane] = t->found.pose.x_m[i];
        now->y_m[lane] = t->found.pose.y_m[i];
        now->heading_rad[lane] = t->found.pose.heading_rad[i];
        now->cos[lane] = t->found.pose.cos[i];
        now->sin[lane] = t->found.pose.sin[i];
        now->motion_x[lane] = became.x;
        now->motion_y[lane] = became.y;
        now->motion_turn[lane] = became.turn;
    }
    group->pushed_x[lane] = pushed.x;
    group->pushed_y[lane] = pushed.y;
    group->pushed_turn[lane] = pushed.turn;
}

static void give_back(batch *all, size_t from, const touch_lanes *t, const touch_step *s)
{
    for (size_t i = 0; i < LANES && from + i < all->listed; i++) {
        take_answer(all, all->list[from + i], t, s, i);
    }
}

static void touch_edges(batch *all, size_t count)
{
    list_near(all, count);
    for (size_t from = 0; from < all->listed; from += LANES_TOGETHER * LANES) {
        touch_lanes t[LANES_TOGETHER];
        touch_step s[LANES_TOGETHER];
        body_lanes motion[LANES_TOGETHER];
        size_t parts = 0;
        while (parts < LANES_TOGETHER && from + parts * LANES < all->listed) {
            collect_robots(all, from + parts * LANES, &t[parts], &s[parts], &motion[parts]);
            parts++;
        }
        touch_together(all->model, t, s, motion, parts);
        for (size_t p = 0; p < parts; p++) {
            give_back(all, from + p * LANES, &t[p], &s[p]);
        }
    }
}

// --------------------------------------------------------------------------- the whole step

static void begin_step(batch *all, size_t g)
{
    hy_xrp_lanes *const self = &all->groups[g];
    hy_xrp_lanes_look(all->model, self);
    all->before[g] = self->now;
    memcpy(self->led, self->next_led, sizeof self->led);
    memcpy(self->button, self->next_button, sizeof self->button);
    for (size_t i = 0; i < HY_XRP_LANES; i++) {
        self->steps[i]++;
    }
}

static void drive_parts(batch *all, size_t count)
{
    for (size_t from = 0; from < count; from += SUPPLIES_TOGETHER) {
        const size_t left = count - from;
        const size_t some = left < SUPPLIES_TOGETHER ? left : SUPPLIES_TOGETHER;
        if (all->model->vehicle[0].bridge.coasts) {
            supply_coasting(all, from, some);
        }
        for (size_t part = from; part < from + some; part++) {
            size_t at;
            hy_xrp_lanes *const self = part_of(all, part, &at);
            start_driving(all, self, at, part);
        }
    }
}

static void move_parts(batch *all, size_t count)
{
    size_t at;
    for (size_t part = 0; part < count; part++) {
        hy_xrp_lanes *const self = part_of(all, part, &at);
        change_motion(all, self, at, part);
    }
    lanes_sin_cos_many(all->heading_rad, count, all->sine, all->cosine);
    for (size_t part = 0; part < count; part++) {
        hy_xrp_lanes *const self = part_of(all, part, &at);
        change_pose(all, self, at, part, &all->before[part * LANES / HY_XRP_LANES]);
    }
}

static void end_step(const hy_world_model *model, hy_xrp_lanes *self, const hy_xrp_motion *before)
{
    for (size_t at = 0; at < HY_XRP_LANES; at += LANES) {
        count_way(model, self, at, before);
        sense(model, self, at, before);
    }
}

static void step(const hy_world_model *model, hy_xrp_lanes *groups, size_t count)
{
    for (size_t from = 0; from < count; from += BATCH_GROUPS) {
        const size_t left = count - from, some = left < BATCH_GROUPS ? left : BATCH_GROUPS;
        batch all;
        all.model = model;
        all.groups = groups + from;
        all.listed = 0;
        for (size_t g = 0; g < some; g++) {
            begin_step(&all, g);
        }
        drive_parts(&all, some * HY_XRP_LANES / LANES);
        slide_listed(&all);
        move_parts(&all, some * HY_XRP_LANES / LANES);
        touch_edges(&all, some);
        for (size_t g = 0; g < some; g++) {
            end_step(model, &all.groups[g], &all.before[g]);
        }
        if (model->vehicle[0].sonar.echoes > 0) {
            sense_sonars(&all, some);
        }
    }
}

#endif
