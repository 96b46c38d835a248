#include "sense.h"

#define GRAVITY_M_S2 9.80665

/// Full scale of the accelerometer: the stock firmware sets the LSM6DSOX to 4 g.
#define ACCEL_LIMIT_M_S2 (4 * GRAVITY_M_S2)

// --------------------------------------------------------------------------- the IMU

static double noise(hy_chance *chance, double deviation)
{
    return deviation > 0 ? deviation * hy_chance_normal(chance) : 0;
}

static void sense_rates(const hy_imu_model *imu, hy_vehicle_state *state, double step_s, double drift)
{
    const double rate_rad_s[3] = { 0, 0, state->motion.turn };
    for (int i = 0; i < 3; i++) {
        state->gyro_bias_rad_s[i] += noise(&state->chance, drift);
        const double measured = rate_rad_s[i] + state->gyro_bias_rad_s[i] +
                                noise(&state->chance, imu->of.gyro_noise_rad_s);
        state->sensors.gyro_rate_rad_s[i] = measured;
        state->sensors.gyro_angle_rad[i] += measured * step_s;
    }
}

/// Specific force at the IMU: what moves it, without gravity, plus what the floor holds up.
static void sense_acceleration(const hy_vehicle_model *vehicle, hy_vehicle_state *state,
                               hy_motion before, double step_s)
{
    const hy_imu_model *imu = &vehicle->imu;
    const hy_motion now = state->motion;
    const double turn = (now.turn + before.turn) / 2;
    const double spin_up = (now.turn - before.turn) / step_s;
    const hy_vec from_com = { imu->at_m.x - vehicle->body.com_ahead_m, imu->at_m.y };
    const double force[3] = {
        (now.x - before.x) / step_s - turn * (now.y + before.y) / 2 - spin_up * from_com.y -
            turn * turn * from_com.x,
        (now.y - before.y) / step_s + turn * (now.x + before.x) / 2 + spin_up * from_com.x -
            turn * turn * from_com.y,
        GRAVITY_M_S2,
    };
    for (int i = 0; i < 3; i++) {
        const double measured =
            force[i] + state->accel_bias_m_s2[i] + noise(&state->chance, imu->of.accel_noise_m_s2);
        state->sensors.accel_m_s2[i] = hy_clamp(measured, -ACCEL_LIMIT_M_S2, ACCEL_LIMIT_M_S2, 0);
    }
}

// --------------------------------------------------------------------------- the floor

double hy_true_reflectance(const hy_world_model *model, const hy_vehicle_state *vehicle,
                           size_t index, int side)
{
    const hy_reflectance_model *sensor = &model->vehicle[index].reflectance;
    if ((size_t)side >= sensor->count) {
        return 0;
    }
    return hy_mat_spot(&model->mat, hy_pose_point(&vehicle->pose, sensor->at_m[side]),
                       sensor->of[side].spot_radius_m);
}

static void sense_reflectance(const hy_world_model *model, hy_vehicle_state *state, size_t index)
{
    const hy_reflectance_model *sensor = &model->vehicle[index].reflectance;
    for (int side = 0; side < (int)sensor->count; side++) {
        const double measured = hy_true_reflectance(model, state, index, side) +
                                noise(&state->chance, sensor->of[side].noise);
        state->sensors.reflectance[side] = hy_clamp(measured, 0, 1, 0);
    }
}

// --------------------------------------------------------------------------- the rangefinder

static hy_vec direction(double angle_rad)
{
    return (hy_vec){ hy_cos(angle_rad), hy_sin(angle_rad) };
}

double hy_true_range(const hy_world_model *model, const hy_world_state *state, size_t index)
{
    const hy_range_model *range = &model->vehicle[index].range;
    if (!range->fitted) {
        return 0;
    }
    const hy_pose *pose = &state->vehicle[index].pose;
    const hy_cone cone = { hy_pose_point(pose, range->at_m),
                           direction(pose->heading_rad - range->of.half_cone_rad),
                           direction(pose->heading_rad + range->of.half_cone_rad) };
    double nearest_m = hy_nearest_in_cone(&cone, range->of.far_m, model->edges, model->edge_count);
    for (size_t other = 0; other < state->vehicle_count; other++) {
        if (other == index) {
            continue;
        }
        hy_world_segment outline[HY_VEHICLE_CORNERS];
        hy_outline_edges(&state->vehicle[other].pose, model->vehicle[other].corner_m,
                         HY_VEHICLE_CORNERS, outline);
        nearest_m = hy_nearest_in_cone(&cone, nearest_m, outline, HY_VEHICLE_CORNERS);
    }
    return hy_max(nearest_m, range->of.near_m);
}

static void sense_range(const hy_world_model *model, hy_world_state *state, size_t index)
{
    hy_vehicle_state *vehicle = &state->vehicle[index];
    const hy_range_model *range = &model->vehicle[index].range;
    const double true_m = hy_true_range(model, state, index);
    // Without an echo the sensor gives up at its largest range: there is nothing to be noisy.
    const double error_m = true_m < range->of.far_m ? noise(&vehicle->chance, range->of.noise_m) : 0;
    vehicle->sensors.range_m = hy_clamp(true_m + error_m, range->of.near_m, range->of.far_m, 0);
}

// --------------------------------------------------------------------------- all of it

static void sense_all(const hy_world_model *model, hy_world_state *state, size_t index,
                      hy_motion before)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    hy_vehicle_state *self = &state->vehicle[index];
    sense_acceleration(vehicle, self, before, model->step_s);
    if (vehicle->reflectance.count > 0) {
        sense_reflectance(model, self, index);
    }
    if (vehicle->range.fitted && state->steps % vehicle->range_steps == 0) {
        sense_range(model, state, index);
    }
}

void hy_sense_start(const hy_world_model *model, hy_world_state *state, size_t index)
{
    const hy_imu_model *imu = &model->vehicle[index].imu;
    hy_vehicle_state *self = &state->vehicle[index];
    for (int i = 0; i < 3; i++) {
        self->gyro_bias_rad_s[i] = noise(&self->chance, imu->of.gyro_bias_rad_s);
        self->accel_bias_m_s2[i] = noise(&self->chance, imu->of.accel_bias_m_s2);
    }
    sense_all(model, state, index, self->motion);
}

void hy_sense(const hy_world_model *model, hy_world_state *state, size_t index, hy_motion before)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    sense_rates(&vehicle->imu, &state->vehicle[index], model->step_s, vehicle->gyro_drift_rad_s);
    sense_all(model, state, index, before);
}
