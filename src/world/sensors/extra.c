#include "extra.h"

#include <assert.h>
#include <string.h>

#include "sense.h"

// --------------------------------------------------------------------------- names of readings

static const char *const imu_quantities[HY_FURTHER_VALUES] = {
    "gyro_rate_x_rad_s", "gyro_rate_y_rad_s", "gyro_rate_z_rad_s",
    "gyro_angle_x_rad",  "gyro_angle_y_rad",  "gyro_angle_z_rad",
    "accel_x_m_s2",      "accel_y_m_s2",      "accel_z_m_s2",
};
static const char *const reflectance_quantities[] = { "reflectance" };
static const char *const range_quantities[] = { "range_m" };

/// A lidar has echoes instead.
static const struct {
    const char *const *names;
    size_t count;
} quantities[HY_SENSOR_TYPES] = {
    [HY_SENSOR_IMU] = { imu_quantities, HY_FURTHER_VALUES },
    [HY_SENSOR_REFLECTANCE] = { reflectance_quantities, 1 },
    [HY_SENSOR_RANGE] = { range_quantities, 1 },
    [HY_SENSOR_LIDAR] = { NULL, 0 },
};

// --------------------------------------------------------------------------- sensing

/// The values of an IMU, in the order of its names.
static hy_imu_state imu_of(hy_extra_state *state)
{
    return (hy_imu_state){
        &state->random,   state->gyro_bias_rad_s, state->accel_bias_m_s2,
        &state->value[0], &state->value[3],       &state->value[6],
    };
}

static double true_reflectance(const hy_world_model *model, const hy_world_state *state,
                               size_t index, const hy_extra_sensor *sensor)
{
    return hy_mat_spot(&model->mat, hy_pose_point(&state->vehicle[index].pose, sensor->at.at_m),
                       sensor->spec.of.reflectance.spot_radius_m);
}

static double true_range(const hy_world_model *model, const hy_world_state *state, size_t index,
                         const hy_extra_sensor *sensor)
{
    const hy_range_use use = { &sensor->spec.of.range, sensor->at.at_m, sensor->at.heading_rad };
    return hy_range_from(model, state, index, &use);
}

static double noise(hy_random *random, double deviation)
{
    return deviation > 0 ? deviation * hy_random_normal(random) : 0;
}

static hy_imu_motion motion_of(const hy_world_model *model, const hy_world_state *state,
                               size_t index, const hy_extra_sensor *sensor)
{
    const hy_vec at_m = sensor->at.at_m;
    return (hy_imu_motion){ .now = state->vehicle[index].motion,
                            .before = state->vehicle[index].motion,
                            .from_com_m = { at_m.x - model->vehicle[index].body.com_ahead_m, at_m.y },
                            .gyro_scale = 1,
                            .step_s = model->step_s };
}

static void sense_one(const hy_world_model *model, const hy_world_state *state, size_t index,
                      const hy_extra_sensor *sensor, hy_extra_state *self)
{
    const hy_reflectance_spec *floor = &sensor->spec.of.reflectance;
    switch (sensor->spec.type) {
    case HY_SENSOR_REFLECTANCE:
        self->value[0] = hy_clamp(true_reflectance(model, state, index, sensor) +
                                      noise(&self->random, floor->noise),
                                  0, 1, 0);
        break;
    case HY_SENSOR_RANGE:
        if (state->steps % sensor->period_steps == 0) {
            self->value[0] = hy_range_measured(
                &sensor->spec.of.range, true_range(model, state, index, sensor), &self->random);
        }
        break;
    case HY_SENSOR_IMU:
    case HY_SENSOR_LIDAR:
    case HY_SENSOR_TYPES: break;
    }
}

void hy_extra_sense_start(const hy_world_model *model, hy_world_state *state, size_t index)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    for (size_t i = 0; i < vehicle->extra_count; i++) {
        const hy_extra_sensor *sensor = &vehicle->extra[i];
        hy_extra_state *self = &state->extra[vehicle->extra_first + i];
        if (sensor->spec.type == HY_SENSOR_IMU) {
            const hy_imu_state imu = imu_of(self);
            hy_imu_motion motion = motion_of(model, state, index, sensor);
            hy_imu_tilt(model, state, index, &state->vehicle[index].pose, &motion);
            hy_imu_start(&sensor->spec.of.imu, &imu);
            hy_imu_sense_acceleration(&sensor->spec.of.imu, &imu, &motion);
        }
        sense_one(model, state, index, sensor, self);
    }
}

void hy_extra_sense(const hy_world_model *model, hy_world_state *state, size_t index,
                    const hy_engine_body *before)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    for (size_t i = 0; i < vehicle->extra_count; i++) {
        const hy_extra_sensor *sensor = &vehicle->extra[i];
        hy_extra_state *self = &state->extra[vehicle->extra_first + i];
        if (sensor->spec.type == HY_SENSOR_IMU) {
            const hy_imu_state imu = imu_of(self);
            hy_imu_motion motion = motion_of(model, state, index, sensor);
            motion.before = before->motion;
            hy_imu_tilt(model, state, index, &before->pose, &motion);
            hy_imu_sense_rates(&sensor->spec.of.imu, &imu, &motion, sensor->gyro_drift_rad_s);
            hy_imu_sense_acceleration(&sensor->spec.of.imu, &imu, &motion);
        }
        sense_one(model, state, index, sensor, self);
    }
}

void hy_extra_start(const hy_world_model *model, hy_world_state *state, uint64_t seed)
{
    for (size_t i = 0; i < model->vehicle_count; i++) {
        for (size_t k = 0; k < model->vehicle[i].extra_count; k++) {
            hy_hash of_sensor = hy_hash_start();
            hy_hash_u64(&of_sensor, seed);
            hy_hash_u64(&of_sensor, i);
            hy_hash_u64(&of_sensor, k);
            state->extra[model->vehicle[i].extra_first + k].random =
                hy_random_seeded(of_sensor.value);
        }
    }
}

// --------------------------------------------------------------------------- reading them

size_t hy_world_extra_sensors(const hy_world_model *model, size_t index)
{
    assert(index < model->vehicle_count);
    return model->vehicle[index].extra_count;
}

const hy_sensor_spec *hy_world_extra_sensor_at(const hy_world_model *model, size_t index,
                                               size_t sensor)
{
    assert(index < model->vehicle_count && sensor < model->vehicle[index].extra_count);
    return &model->vehicle[index].extra[sensor].spec;
}

size_t hy_world_read_extra_sensors(const hy_world_model *model, const hy_world_state *state,
                                   size_t index, hy_world_reading *out, size_t most)
{
    assert(index < model->vehicle_count);
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    size_t count = 0;
    for (size_t i = 0; i < vehicle->extra_count; i++) {
        const hy_extra_sensor *sensor = &vehicle->extra[i];
        const hy_extra_state *self = &state->extra[vehicle->extra_first + i];
        for (size_t k = 0; k < quantities[sensor->spec.type].count; k++, count++) {
            if (count < most) {
                out[count] =
                    (hy_world_reading){ sensor->spec.name, quantities[sensor->spec.type].names[k],
                                        self->value[k], self->value[k] };
                out[count].truth = sensor->spec.type == HY_SENSOR_REFLECTANCE
                                       ? true_reflectance(model, state, index, sensor)
                                   : sensor->spec.type == HY_SENSOR_RANGE
                                       ? true_range(model, state, index, sensor)
                                       : self->value[k];
            }
        }
    }
    return count;
}

const hy_world_echo *hy_world_extra_sensor_echoes(const hy_world_model *model,
                                                  const hy_world_state *state, size_t index,
                                                  size_t sensor, size_t *count)
{
    assert(index < model->vehicle_count && sensor < model->vehicle[index].extra_count);
    const hy_echoes *echoes = &state->extra[model->vehicle[index].extra_first + sensor].echoes;
    *count = echoes->count;
    return echoes->echo;
}
