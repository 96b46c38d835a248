#include "lidar/scan.h"
#include "pieces.h"
#include "sensors/extra.h"
#include "sensors/sense.h"
#include "vehicles/kind.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------- the model

void hy_world_free(hy_world_model *model)
{
    if (model != NULL) {
        hy_mat_free(&model->mat);
        free(model->spec);
        free(model->obstacles);
        free(model->edges);
        free(model->edge_width_m);
        free(model->lidar_shapes);
        for (size_t i = 0; i < model->vehicle_count; i++) {
            for (size_t k = 0; k < model->vehicle[i].extra_count; k++) {
                free(model->vehicle[i].extra[k].lidar);
            }
        }
        free(model);
    }
}

hy_bytes hy_world_spec_bytes(const hy_world_model *model)
{
    return (hy_bytes){ model->spec, model->spec_size };
}

hy_world_facts hy_world_describe(const hy_world_model *model)
{
    return (hy_world_facts){ .name = model->name,
                             .step_us = model->step_us,
                             .width_m = model->width_m,
                             .height_m = model->height_m,
                             .vehicles = model->vehicle_count,
                             .pieces = model->pieces.count,
                             .goals = model->goal_count,
                             .piece_radius_m = model->pieces.count > 0 ? model->pieces.radius_m : 0,
                             .wall_height_m = model->wall_height_m,
                             .has_mat = model->mat.cells != NULL,
                             .gltf = model->gltf };
}

const hy_world_segment *hy_world_segments(const hy_world_model *model, size_t *count)
{
    *count = model->edge_count;
    return model->edges;
}

const char *hy_world_vehicle_kind(const hy_world_model *model, size_t index)
{
    return model->vehicle[index].kind->name;
}

const hy_robot_traits *hy_world_traits(const hy_world_model *model, size_t index)
{
    const hy_vehicle_model *const vehicle = &model->vehicle[index];
    return vehicle->has_traits ? &vehicle->traits : NULL;
}

const char *hy_world_vehicle_gltf(const hy_world_model *model, size_t index)
{
    return model->vehicle_gltf[index];
}

const hy_point *hy_world_border(const hy_world_model *model, size_t *count)
{
    *count = model->border_count;
    return model->border;
}

size_t hy_world_solids(const hy_world_model *model)
{
    return model->obstacle_count;
}

hy_world_solid hy_world_solid_at(const hy_world_model *model, size_t index)
{
    assert(index < model->obstacle_count);
    const hy_obstacle *obstacle = &model->obstacles[index];
    return (hy_world_solid){ obstacle->outline, obstacle->outline_count, obstacle->height_m };
}

const hy_world_goal *hy_world_goal_at(const hy_world_model *model, size_t index)
{
    assert(index < model->goal_count);
    return &model->goal[index];
}

const hy_world_part *hy_world_parts(const hy_world_model *model, size_t index, size_t *count)
{
    assert(index < model->vehicle_count);
    *count = model->vehicle[index].part_count;
    return model->vehicle[index].part;
}

const hy_world_tank *hy_world_tank_at(const hy_world_model *model, size_t index)
{
    assert(index < model->vehicle_count);
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    return vehicle->kind == &hy_vehicle_tank ? &vehicle->tank.facts : NULL;
}

static hy_point point_of(hy_vec at)
{
    return (hy_point){ at.x, at.y };
}

static void find_wheels(const hy_vehicle_model *vehicle, hy_world_fittings *out)
{
    if (vehicle->kind == &hy_vehicle_xrp) {
        out->wheel_count = 2;
        out->wheel_radius_m = vehicle->drive.radius_m[0];
        out->wheels[0] = (hy_point){ 0, vehicle->drive.track_m / 2 };
        out->wheels[1] = (hy_point){ 0, -vehicle->drive.track_m / 2 };
    } else if (vehicle->kind == &hy_vehicle_swerve) {
        out->wheel_count = HY_STEER_WHEELS;
        out->wheel_radius_m = vehicle->steer.radius_m;
        out->azimuth_counts_per_turn = vehicle->motor[1].counts_per_rad * 2.0 * HY_PI;
        for (size_t i = 0; i < HY_STEER_WHEELS; i++) {
            out->wheels[i] = point_of(vehicle->steer.at_m[i]);
        }
    }
}

hy_world_fittings hy_world_fittings_of(const hy_world_model *model, size_t index)
{
    assert(index < model->vehicle_count);
    const hy_vehicle_model *const vehicle = &model->vehicle[index];
    const hy_reflectance_model *const floor = &vehicle->reflectance;
    hy_world_fittings out = {
        .has_range = vehicle->range.fitted,
        .range = point_of(vehicle->range.at_m),
        .range_half_rad = vehicle->range.of.half_cone_rad,
        .range_far_m = vehicle->range.of.far_m,
        .has_reflectance = floor->count == HY_PIN_REFLECTANCE,
        .reflectance = { point_of(floor->at_m[0]), point_of(floor->at_m[1]) },
    };
    for (int i = 0; i < HY_PIN_MOTORS; i++) {
        out.motor_forward[i] = i < vehicle->motor_count ? vehicle->motor[i].forward : 1;
        out.encoder_forward[i] = vehicle->encoder_sign * out.motor_forward[i];
    }
    find_wheels(vehicle, &out);
    return out;
}

double hy_world_darkness(const hy_world_model *model, double x_m, double y_m)
{
    return hy_mat_darkness(&model->mat, (hy_vec){ x_m, y_m });
}

// --------------------------------------------------------------------------- the state

static void start_vehicle(const hy_world_model *model, hy_world_state *state, size_t index,
                          uint64_t seed)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    hy_vehicle_state *self = &state->vehicle[index];
    self->pose = vehicle->start;
    self->random = hy_random_seeded(seed);
    if (vehicle->kind->start != NULL) {
        vehicle->kind->start(vehicle, self, seed);
    }
    self->motor_count = vehicle->motor_count;
    self->battery = vehicle->battery;
    if (vehicle->stays_in_engine) {
        self->in_engine = true;
        hy_engine_enter(&state->engine, index);
        hy_engine_place(&state->engine, model, index, &self->pose);
    }
    self->battery_v = hy_battery_voltage(&vehicle->battery, vehicle->motor, self->duty,
                                         self->shaft_rad_s, (size_t)vehicle->motor_count);
}

// Of a state that is zero but for its engine.
static void start_state(const hy_world_model *model, hy_world_state *state, uint64_t seed)
{
    state->model = model;
    state->vehicle_count = model->vehicle_count;
    hy_random seeds = hy_random_seeded(seed);
    for (size_t i = 0; i < state->vehicle_count; i++) {
        start_vehicle(model, state, i, hy_random_bits(&seeds));
    }
    state->piece_count = model->pieces.count;
    hy_pieces_reset(model, state);
    hy_scan_start(model, state);
    hy_extra_start(model, state, seed);
    for (size_t i = 0; i < state->vehicle_count; i++) {
        hy_sense_start(model, state, i); // all of them stand now: each sees the others
        hy_extra_sense_start(model, state, i);
    }
}

hy_status hy_world_open(const hy_world_model *model, uint64_t seed, hy_world_state **state)
{
    *state = NULL;
    hy_world_state *const opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return HY_EMEMORY;
    }
    opened->extra_count = model->extra_count;
    if (model->extra_count > 0) {
        opened->extra = calloc(model->extra_count, sizeof *opened->extra);
        if (opened->extra == NULL) {
            free(opened);
            return HY_EMEMORY;
        }
    }
    if (!hy_engine_start(&opened->engine, model)) {
        free(opened->extra);
        free(opened);
        return HY_EFULL;
    }
    start_state(model, opened, seed);
    *state = opened;
    return HY_OK;
}

void hy_world_restart(const hy_world_model *model, hy_world_state *state, uint64_t seed)
{
    hy_engine engine = state->engine;
    hy_engine_restart(&engine, model);
    hy_extra_state *const extra = state->extra;
    memset(state, 0, sizeof *state);
    state->engine = engine;
    state->extra = extra;
    state->extra_count = model->extra_count;
    if (extra != NULL) {
        memset(extra, 0, model->extra_count * sizeof *extra);
    }
    start_state(model, state, seed);
}

void hy_world_close(hy_world_state *state)
{
    if (state != NULL) {
        hy_engine_end(&state->engine);
        free(state->extra);
        free(state);
    }
}

// --------------------------------------------------------------------------- reading it

void hy_world_read_sensors_without_reflectance(const hy_world_model *model,
                                               const hy_world_state *state, size_t index,
                                               hy_sensors *out)
{
    assert(index < state->vehicle_count);
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    const hy_vehicle_state *self = &state->vehicle[index];
    *out = self->sensors;
    out->battery_v = self->battery_v;
    out->button = self->button;
    for (int i = 0; i < self->motor_count; i++) {
        const hy_motor_model *motor = &vehicle->motor[i];
        out->encoder_counts[i] =
            vehicle->encoder_sign * motor->forward * motor->counts_per_rad * self->shaft_rad[i];
    }
    if (vehicle->kind->read_switches != NULL) {
        vehicle->kind->read_switches(vehicle, self, out);
    }
}

void hy_world_read_floor(const hy_world_model *model, const hy_world_state *state, size_t index,
                         double reflectance[HY_PIN_REFLECTANCE])
{
    assert(index < state->vehicle_count);
    hy_read_reflectance(model, &state->vehicle[index], index, reflectance);
}

void hy_world_read_sensors(const hy_world_model *model, const hy_world_state *state, size_t index,
                           hy_sensors *out)
{
    hy_world_read_sensors_without_reflectance(model, state, index, out);
    hy_world_read_floor(model, state, index, out->reflectance);
}

/// How far what a motor drives has turned: a module not always as far as its motor.
static double turned_rad(const hy_vehicle_model *vehicle, const hy_vehicle_state *self, int motor)
{
    return vehicle->kind->turned_rad != NULL ? vehicle->kind->turned_rad(vehicle, self, motor)
                                             : self->shaft_rad[motor];
}

hy_truth hy_world_truth(const hy_world_model *model, const hy_world_state *state, size_t index)
{
    assert(index < state->vehicle_count);
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    const hy_vehicle_state *self = &state->vehicle[index];
    hy_truth truth = {
        .x_m = self->pose.at_m.x,
        .y_m = self->pose.at_m.y,
        .heading_rad = self->pose.heading_rad,
        .speed_m_s = self->motion.x,
        .lateral_m_s = self->motion.y - vehicle->body.com_ahead_m * self->motion.turn,
        .rate_z_rad_s = self->motion.turn,
        .range_m = hy_true_range(model, state, index),
        .battery_v = self->battery_v,
        .touching = self->touching,
        .led = self->led,
        .button = self->button,
        .touching_field = self->touching_field,
        .browned_out = self->browned_out,
    };
    for (size_t i = 0; i < state->piece_count; i++) {
        const hy_piece_state *piece = &state->piece[i];
        truth.holds +=
            piece->of == index && piece->place != HY_PIECE_FREE && piece->place != HY_PIECE_GOAL;
    }
    for (int i = 0; i < self->motor_count; i++) {
        truth.wheel_counts[i] = turned_rad(vehicle, self, i) * vehicle->motor[i].counts_per_rad;
        truth.motor_duty[i] = self->duty[i];
    }
    for (int i = 0; i < HY_PIN_SERVOS; i++) {
        truth.servo_rad[i] = self->servo_rad[i];
    }
    for (int side = 0; side < HY_PIN_REFLECTANCE; side++) {
        truth.reflectance[side] = hy_true_reflectance(model, self, index, side);
    }
    return truth;
}

hy_world_pose hy_world_pose_of(const hy_world_state *state, size_t index)
{
    assert(index < state->vehicle_count);
    const hy_vehicle_state *const self = &state->vehicle[index];
    return (hy_world_pose){ self->pose.at_m.x, self->pose.at_m.y, self->pose.heading_rad,
                            self->touching };
}

hy_world_battery hy_world_battery_of(const hy_world_model *model, const hy_world_state *state,
                                     size_t index)
{
    assert(index < state->vehicle_count);
    if (hy_vehicle_is_ideal(&model->vehicle[index])) {
        return (hy_world_battery){ .is_simulated = false };
    }
    const hy_vehicle_state *const self = &state->vehicle[index];
    return (hy_world_battery){ true, self->battery_v, self->browned_out };
}

bool hy_world_field_is_touched(const hy_world_state *state)
{
    for (size_t i = 0; i < state->vehicle_count; i++) {
        if (state->vehicle[i].touching_field) {
            return true;
        }
    }
    return false;
}

hy_piece hy_world_piece(const hy_world_state *state, size_t index)
{
    assert(index < state->piece_count);
    const hy_piece_state *piece = &state->piece[index];
    return (hy_piece){ piece->at_m.x,         piece->at_m.y, piece->z_m,   piece->velocity_m_s.x,
                       piece->velocity_m_s.y, piece->vz_m_s, piece->place, piece->of };
}

void hy_world_place_piece(const hy_world_model *model, hy_world_state *state, size_t index,
                          const hy_piece *piece)
{
    assert(index < state->piece_count);
    const double far_m = 1e3, fast_m_s = 100;
    const hy_piece_state put = {
        .at_m = { hy_clamp(piece->x_m, -far_m, far_m, 0), hy_clamp(piece->y_m, -far_m, far_m, 0) },
        .velocity_m_s = { hy_clamp(piece->vx_m_s, -fast_m_s, fast_m_s, 0),
                          hy_clamp(piece->vy_m_s, -fast_m_s, fast_m_s, 0) },
        .z_m = hy_clamp(piece->z_m, 0, far_m, 0),
        .vz_m_s = hy_clamp(piece->vz_m_s, -fast_m_s, fast_m_s, 0),
    };
    hy_piece_put(model, state, index, &put);
}

const hy_world_echo *hy_world_echoes(const hy_world_state *state, size_t index, size_t *count)
{
    assert(index < state->vehicle_count);
    *count = state->echoes[index].count;
    return state->echoes[index].echo;
}

void hy_world_set_lidar_noise(hy_world_state *state, double noise_m)
{
    state->lidar_noise_m = hy_clamp(noise_m, 0, 10, 0);
}

// --------------------------------------------------------------------------- resets

/// Whether the place where a vehicle starts is free of all other vehicles, as far as their circles tell.
static bool start_is_free(const hy_world_model *model, const hy_world_state *state, size_t index)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    for (size_t i = 0; i < state->vehicle_count; i++) {
        const hy_vec off = hy_vec_sub(state->vehicle[i].pose.at_m, vehicle->start.at_m);
        const double apart_m = vehicle->reach_m + model->vehicle[i].reach_m;
        if (i != index && hy_vec_dot(off, off) < apart_m * apart_m) {
            return false;
        }
    }
    return true;
}

static void put_at_start(const hy_world_model *model, hy_world_state *state, size_t index)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    hy_vehicle_state *self = &state->vehicle[index];
    hy_hold_reflectance(model, self, index);
    self->pose = vehicle->start;
    self->motion = (hy_motion){ 0, 0, 0 };
    self->pushed = (hy_push){ 0, 0, 0 };
    self->touching = self->touching_field = false;
    self->recheck_distance_m = 0;
    for (int i = 0; i < self->motor_count; i++) {
        self->shaft_rad_s[i] = 0;
    }
    hy_world_calibrate_gyro(model, state, index, false);
    if (self->in_engine) {
        hy_engine_place(&state->engine, model, index, &self->pose);
    }
}

void hy_world_reset(const hy_world_model *model, hy_world_state *state)
{
    for (size_t i = 0; i < state->vehicle_count; i++) {
        put_at_start(model, state, i);
    }
    hy_pieces_reset(model, state);
}

bool hy_world_reset_vehicle(const hy_world_model *model, hy_world_state *state, size_t index)
{
    assert(index < state->vehicle_count);
    if (!start_is_free(model, state, index)) {
        return false;
    }
    put_at_start(model, state, index);
    return true;
}

// --------------------------------------------------------------------------- counting and hashing

uint64_t hy_world_steps(const hy_world_state *state)
{
    return state->steps;
}

static void hash_numbers(hy_hash *hash, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hy_hash_f64(hash, numbers[i]);
    }
}

static void hash_vehicle(hy_hash *hash, const hy_world_state *state, size_t index)
{
    const hy_vehicle_state *self = &state->vehicle[index];
    const double body[] = { self->pose.at_m.x, self->pose.at_m.y,       self->pose.heading_rad,
                            self->motion.x,    self->motion.y,          self->motion.turn,
                            self->pushed.x,    self->pushed.y,          self->pushed.turn,
                            self->battery_v,   self->recheck_distance_m };
    const hy_sensors *sensors = &self->sensors;
    hash_numbers(hash, body, sizeof body / sizeof body[0]);
    hash_numbers(hash, &self->used_as, self->used_as != 0 ? 1 : 0);
    hash_numbers(hash, &self->gyro_pushed_rad_s, self->gyro_pushed_rad_s != 0 ? 1 : 0);
    if (self->sonar.due_us != 0) { // it has one
        hy_hash_u64(hash, (uint64_t)self->sonar.due_us);
        hy_hash_u64(hash, (uint64_t)self->sonar.spike_readings);
        hy_hash_f64(hash, self->sonar.spike_m);
    }
    hash_numbers(hash, self->shaft_rad, (size_t)self->motor_count);
    hash_numbers(hash, self->shaft_rad_s, (size_t)self->motor_count);
    if (state->model->vehicle[index].kind == &hy_vehicle_swerve) {
        const hy_steer_model *steer = &state->model->vehicle[index].steer;
        hash_numbers(hash, self->module_rad, steer->play_rad > 0 ? HY_STEER_WHEELS : 0);
        hash_numbers(hash, self->start_rad, steer->start_rad > 0 ? HY_STEER_WHEELS : 0);
    }
    hash_numbers(hash, self->duty, (size_t)self->motor_count);
    hash_numbers(hash, self->servo_rad, HY_PIN_SERVOS);
    hash_numbers(hash, self->gyro_bias_rad_s, 3);
    hash_numbers(hash, self->accel_bias_m_s2, 3);
    hash_numbers(hash, sensors->gyro_rate_rad_s, 3);
    hash_numbers(hash, sensors->gyro_angle_rad, 3);
    hash_numbers(hash, sensors->accel_m_s2, 3);
    double reflectance[HY_PIN_REFLECTANCE];
    hy_read_reflectance(state->model, self, index, reflectance);
    hash_numbers(hash, reflectance, HY_PIN_REFLECTANCE);
    hy_hash_f64(hash, sensors->range_m);
    for (int i = 0; i < 4; i++) {
        hy_hash_u64(hash, self->random.s[i]);
    }
    hy_hash_u64(hash, (uint64_t)self->browned_out << 5 | (uint64_t)self->near_edges << 4 |
                          (uint64_t)self->in_engine << 3 | (uint64_t)self->touching << 2 |
                          (uint64_t)self->led << 1 | (uint64_t)self->button);
}

static void hash_piece(hy_hash *hash, const hy_piece_state *piece)
{
    const double numbers[] = { piece->at_m.x,         piece->at_m.y, piece->velocity_m_s.x,
                               piece->velocity_m_s.y, piece->z_m,    piece->vz_m_s };
    hash_numbers(hash, numbers, sizeof numbers / sizeof numbers[0]);
    hy_hash_u64(hash,
                (uint64_t)piece->of << 16 | (uint64_t)piece->place << 8 | (uint64_t)piece->class);
}

static void hash_echoes(hy_hash *hash, const hy_echoes *echoes)
{
    for (size_t i = 0; i < echoes->count; i++) {
        hy_hash_f64(hash, echoes->echo[i].azimuth_rad);
        hy_hash_f64(hash, echoes->echo[i].range_m);
    }
}

static void hash_extra(hy_hash *hash, const hy_extra_state *self)
{
    hash_numbers(hash, self->value, HY_FURTHER_VALUES);
    hash_numbers(hash, self->gyro_bias_rad_s, 3);
    hash_numbers(hash, self->accel_bias_m_s2, 3);
    for (int i = 0; i < 4; i++) {
        hy_hash_u64(hash, self->random.s[i]);
    }
    hash_echoes(hash, &self->echoes);
}

uint64_t hy_world_hash(const hy_world_state *state)
{
    hy_hash hash = hy_hash_start();
    hy_hash_u64(&hash, state->steps);
    for (size_t i = 0; i < state->vehicle_count; i++) {
        hash_vehicle(&hash, state, i);
        hash_echoes(&hash, &state->echoes[i]);
    }
    for (size_t i = 0; i < state->piece_count; i++) {
        hash_piece(&hash, &state->piece[i]);
    }
    for (size_t i = 0; i < state->extra_count; i++) {
        hash_extra(&hash, &state->extra[i]);
    }
    return hash.value;
}
