#include "kind.h"
#include "sense.h"

#include <assert.h>
#include <stdlib.h>

// --------------------------------------------------------------------------- the model

void hy_world_free(hy_world_model *model)
{
    if (model != NULL) {
        hy_mat_free(&model->mat);
        free(model->obstacles);
        free(model->edges);
        free(model);
    }
}

hy_world_facts hy_world_describe(const hy_world_model *model)
{
    return (hy_world_facts){ model->name, model->step_us, model->width_m, model->height_m,
                             model->vehicle_count };
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
    self->chance = hy_chance_seeded(seed);
    self->motor_count = vehicle->motor_count;
    self->battery_v = hy_battery_voltage(&vehicle->battery, vehicle->motor, self->duty,
                                         self->shaft_rad_s, (size_t)vehicle->motor_count);
}

hy_world_state *hy_world_start(const hy_world_model *model, uint64_t seed)
{
    hy_world_state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return NULL;
    }
    if (!hy_engine_start(&state->engine, model)) {
        free(state);
        return NULL;
    }
    state->vehicle_count = model->vehicle_count;
    hy_chance seeds = hy_chance_seeded(seed);
    for (size_t i = 0; i < state->vehicle_count; i++) {
        start_vehicle(model, state, i, hy_chance_bits(&seeds));
    }
    for (size_t i = 0; i < state->vehicle_count; i++) {
        hy_sense_start(model, state, i); // all of them stand now: each sees the others
    }
    return state;
}

void hy_world_end(hy_world_state *state)
{
    if (state != NULL) {
        hy_engine_end(&state->engine);
        free(state);
    }
}

// --------------------------------------------------------------------------- reading it

const hy_sensors *hy_world_sensors(const hy_world_state *state, size_t index)
{
    assert(index < state->vehicle_count);
    return &state->vehicle[index].sensors;
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
    };
    for (int i = 0; i < self->motor_count; i++) {
        truth.wheel_counts[i] = self->shaft_rad[i] * vehicle->motor[i].counts_per_rad;
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

static void hash_vehicle(hy_hash *hash, const hy_vehicle_state *self)
{
    const double body[] = { self->pose.at_m.x, self->pose.at_m.y, self->pose.heading_rad,
                            self->motion.x,    self->motion.y,    self->motion.turn,
                            self->pushed.x,    self->pushed.y,    self->pushed.turn,
                            self->battery_v,   self->look_m };
    const hy_sensors *sensors = &self->sensors;
    hash_numbers(hash, body, sizeof body / sizeof body[0]);
    hash_numbers(hash, self->shaft_rad, (size_t)self->motor_count);
    hash_numbers(hash, self->shaft_rad_s, (size_t)self->motor_count);
    hash_numbers(hash, self->duty, (size_t)self->motor_count);
    hash_numbers(hash, self->servo_rad, HY_PIN_SERVOS);
    hash_numbers(hash, self->gyro_bias_rad_s, 3);
    hash_numbers(hash, self->accel_bias_m_s2, 3);
    hash_numbers(hash, sensors->gyro_rate_rad_s, 3);
    hash_numbers(hash, sensors->gyro_angle_rad, 3);
    hash_numbers(hash, sensors->accel_m_s2, 3);
    hash_numbers(hash, sensors->reflectance, HY_PIN_REFLECTANCE);
    hy_hash_f64(hash, sensors->range_m);
    for (int i = 0; i < 4; i++) {
        hy_hash_u64(hash, self->chance.s[i]);
    }
    hy_hash_u64(hash, (uint64_t)self->near_edges << 4 | (uint64_t)self->in_engine << 3 |
                          (uint64_t)self->touching << 2 | (uint64_t)self->led << 1 |
                          (uint64_t)self->button);
}

uint64_t hy_world_hash(const hy_world_state *state)
{
    hy_hash hash = hy_hash_start();
    hy_hash_u64(&hash, state->steps);
    for (size_t i = 0; i < state->vehicle_count; i++) {
        hash_vehicle(&hash, &state->vehicle[i]);
    }
    return hash.value;
}
