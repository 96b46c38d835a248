#include "sense.h"

#include <assert.h>
#include <math.h>

#define LANES 1
#include "lanes/motion_simd.h"
#include "regions.h"
#include "sonar.h"

// What each vehicle runs in each step: as a call with its arguments in memory it costs 4 % of a step.
#if defined(__GNUC__)
#define INLINED static inline __attribute__((always_inline))
#else
#define INLINED static inline
#endif

// --------------------------------------------------------------------------- the IMU

static double noise(hy_random *random, double deviation)
{
    return deviation > 0 ? deviation * hy_random_normal(random) : 0;
}

void hy_imu_start(const hy_imu_spec *imu, const hy_imu_state *state)
{
    for (int i = 0; i < 3; i++) {
        state->gyro_bias_rad_s[i] = noise(state->random, imu->gyro_bias_rad_s);
        state->accel_bias_m_s2[i] = noise(state->random, imu->accel_bias_m_s2);
    }
}

INLINED void sense_rates(const hy_imu_spec *imu, const hy_imu_state *state,
                         const hy_imu_motion *motion, double drift)
{
    const double rate_rad_s[3] = { motion->tilting_rad_s[0] * motion->gyro_scale,
                                   motion->tilting_rad_s[1] * motion->gyro_scale,
                                   motion->now.turn * motion->gyro_scale };
    for (int i = 0; i < 3; i++) {
        state->gyro_bias_rad_s[i] += noise(state->random, drift);
        const double measured =
            rate_rad_s[i] + state->gyro_bias_rad_s[i] + noise(state->random, imu->gyro_noise_rad_s);
        const double step = motion->gyro_step_rad_s;
        const double read = step > 0 ? floor(measured / step + 0.5) * step : measured;
        state->rate_rad_s[i] = read;
        state->angle_rad[i] += read * motion->step_s;
    }
}

INLINED void sense_acceleration(const hy_imu_spec *imu, const hy_imu_state *state,
                                const hy_imu_motion *motion)
{
    const hy_motion now = motion->now, before = motion->before;
    const vec_lanes along =
        force_between((body_lanes){ before.x, before.y, before.turn },
                      (body_lanes){ now.x, now.y, now.turn }, motion->from_com_m, motion->step_s);
    const double *const held = motion->held_m_s2;
    const double force[3] = { along.x + held[0], along.y + held[1], held[2] };
    for (int i = 0; i < 3; i++) {
        const double measured =
            force[i] + state->accel_bias_m_s2[i] + noise(state->random, imu->accel_noise_m_s2);
        state->accel_m_s2[i] = hy_clamp(measured, -HY_ACCEL_LIMIT_M_S2, HY_ACCEL_LIMIT_M_S2, 0);
    }
}

void hy_imu_sense_rates(const hy_imu_spec *imu, const hy_imu_state *state,
                        const hy_imu_motion *motion, double drift)
{
    sense_rates(imu, state, motion, drift);
}

void hy_imu_sense_acceleration(const hy_imu_spec *imu, const hy_imu_state *state,
                               const hy_imu_motion *motion)
{
    sense_acceleration(imu, state, motion);
}

void hy_imu_tilt(const hy_world_model *model, const hy_world_state *state, size_t index,
                 const hy_pose *before, hy_imu_motion *motion)
{
    motion->held_m_s2[2] = HY_GRAVITY_M_S2;
    if (!model->has_ramps) {
        return;
    }
    const hy_vehicle_model *const vehicle = &model->vehicle[index];
    const hy_vec was_rad = hy_regions_slope(model, vehicle, before);
    const hy_vec is_rad = hy_regions_slope(model, vehicle, &state->vehicle[index].pose);
    const hy_vec gravity_m_s2 = hy_slope_gravity(is_rad);
    motion->held_m_s2[0] = -gravity_m_s2.x;
    motion->held_m_s2[1] = -gravity_m_s2.y;
    motion->held_m_s2[2] = HY_GRAVITY_M_S2 * hy_slope_load(is_rad);
    // Right-handed: the left side goes up about +x, the nose goes down about +y.
    motion->tilting_rad_s[0] = (is_rad.y - was_rad.y) / model->step_s;
    motion->tilting_rad_s[1] = -(is_rad.x - was_rad.x) / model->step_s;
}

/// Of the IMU that is wired.
INLINED hy_imu_state imu_of(hy_vehicle_state *state)
{
    return (hy_imu_state){ &state->random,
                           state->gyro_bias_rad_s,
                           state->accel_bias_m_s2,
                           state->sensors.gyro_rate_rad_s,
                           state->sensors.gyro_angle_rad,
                           state->sensors.accel_m_s2 };
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

// Draws its noise. The mat is looked at only when somebody reads: a status is sent at 20 Hz, and looking costs 1,700 instructions.
static void sense_reflectance(const hy_reflectance_model *sensor, hy_vehicle_state *state)
{
    for (size_t side = 0; side < sensor->count; side++) {
        state->floor_noise[side] = noise(&state->random, sensor->of[side].noise);
    }
    state->floor_is_held = false;
}

void hy_read_reflectance(const hy_world_model *model, const hy_vehicle_state *vehicle, size_t index,
                         double reflectance[HY_PIN_REFLECTANCE])
{
    const hy_reflectance_model *const floor = &model->vehicle[index].reflectance;
    for (int side = 0; side < HY_PIN_REFLECTANCE; side++) {
        if (vehicle->floor_is_held || side >= (int)floor->count) {
            reflectance[side] = vehicle->floor_is_held ? vehicle->sensors.reflectance[side] : 0;
            continue;
        }
        const double darkness = hy_true_reflectance(model, vehicle, index, side);
        const double reading = floor->white[side] + floor->contrast[side] * darkness;
        reflectance[side] = hy_clamp(reading + vehicle->floor_noise[side], 0, 1, 0);
    }
}

void hy_hold_reflectance(const hy_world_model *model, hy_vehicle_state *vehicle, size_t index)
{
    hy_read_reflectance(model, vehicle, index, vehicle->sensors.reflectance);
    vehicle->floor_is_held = true;
}

// --------------------------------------------------------------------------- the rangefinder

double hy_true_range(const hy_world_model *model, const hy_world_state *state, size_t index)
{
    const hy_range_model *range = &model->vehicle[index].range;
    const hy_range_use use = { &range->of, range->at_m, 0 };
    return range->fitted ? hy_range_from(model, state, index, &use) : 0;
}

static void sense_range(const hy_world_model *model, hy_world_state *state, size_t index)
{
    hy_vehicle_state *vehicle = &state->vehicle[index];
    const double true_m = hy_true_range(model, state, index);
    vehicle->sensors.range_m =
        hy_range_measured(&model->vehicle[index].range.of, true_m, &vehicle->random);
}

// --------------------------------------------------------------------------- all of it

INLINED hy_imu_motion motion_of(const hy_world_model *model, const hy_world_state *state,
                                size_t index, const hy_engine_body *before)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    const hy_vec at_m = vehicle->imu.at_m;
    hy_imu_motion motion = { .now = state->vehicle[index].motion,
                             .before = before->motion,
                             .from_com_m = { at_m.x - vehicle->body.com_ahead_m, at_m.y },
                             .gyro_scale = vehicle->imu.gyro_scale,
                             .gyro_step_rad_s = vehicle->imu.gyro_step_rad_s,
                             .step_s = model->step_s };
    hy_imu_tilt(model, state, index, &before->pose, &motion);
    return motion;
}

INLINED void sense_all(const hy_world_model *model, hy_world_state *state, size_t index,
                       const hy_imu_motion *motion)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    hy_vehicle_state *self = &state->vehicle[index];
    const hy_imu_state imu = imu_of(self);
    sense_acceleration(&vehicle->imu.of, &imu, motion);
    if (vehicle->reflectance.count > 0) {
        sense_reflectance(&vehicle->reflectance, self);
    }
    if (vehicle->sonar.echoes > 0) {
        hy_sonar_sense(model, state, index);
    } else if (vehicle->range.fitted && state->steps % vehicle->range_steps == 0) {
        sense_range(model, state, index);
    }
}

// What calibration leaves is drawn anew.
static void start_imu(const hy_imu_model *model, hy_vehicle_state *self)
{
    const hy_imu_state imu = imu_of(self);
    hy_imu_start(&model->of, &imu);
    imu.gyro_bias_rad_s[2] += model->gyro_offset_rad_s + self->gyro_warm_up_rad_s;
    self->gyro_pushed_rad_s = 0;
    memset(self->sensors.gyro_angle_rad, 0, sizeof self->sensors.gyro_angle_rad);
}

void hy_sense_start(const hy_world_model *model, hy_world_state *state, size_t index)
{
    hy_vehicle_state *self = &state->vehicle[index];
    const hy_engine_body at_rest = { self->pose, self->motion };
    const hy_imu_motion motion = motion_of(model, state, index, &at_rest);
    self->gyro_warm_up_rad_s = model->vehicle[index].imu.warm_up_rad_s;
    start_imu(&model->vehicle[index].imu, self);
    sense_all(model, state, index, &motion);
}

void hy_sense(const hy_world_model *model, hy_world_state *state, size_t index,
              const hy_engine_body *before)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    const hy_imu_motion motion = motion_of(model, state, index, before);
    const hy_imu_state imu = imu_of(&state->vehicle[index]);
    hy_vehicle_state *const self = &state->vehicle[index];
    if (self->gyro_warm_up_rad_s != 0) { // what is left of it has become less
        const double gone = self->gyro_warm_up_rad_s * vehicle->imu.warm_up_share;
        self->gyro_warm_up_rad_s -= gone;
        self->gyro_bias_rad_s[2] -= gone;
    }
    sense_rates(&vehicle->imu.of, &imu, &motion, vehicle->gyro_drift_rad_s);
    sense_all(model, state, index, &motion);
}

// SPEC robot, The gyro's calibration. The firmware takes the mean rate of these seconds for zero: a push that turns
// the robot by an angle meanwhile leaves minus that angle over that time.
#define CALIBRATION_S       5.0
#define PUSH_LEAST_TURN_RAD (5 * HY_RAD_PER_DEG)
#define PUSH_MOST_TURN_RAD  (25 * HY_RAD_PER_DEG)

static double draw_push_rad(hy_random *random)
{
    const double share = hy_random_unit(random);
    const double turn_rad = PUSH_LEAST_TURN_RAD + share * (PUSH_MOST_TURN_RAD - PUSH_LEAST_TURN_RAD);
    return hy_random_below(random, 2) == 0 ? turn_rad : -turn_rad;
}

void hy_world_calibrate_gyro(const hy_world_model *model, hy_world_state *state, size_t index,
                             bool is_moved)
{
    assert(index < state->vehicle_count);
    hy_vehicle_state *const self = &state->vehicle[index];
    const hy_imu_model *const imu = &model->vehicle[index].imu;
    if (!imu->fitted || (!is_moved && self->gyro_pushed_rad_s == 0)) {
        return;
    }
    const double turn_rad = is_moved ? draw_push_rad(&self->random) : 0;
    const double pushed_rad_s = -turn_rad / CALIBRATION_S * imu->gyro_scale;
    self->gyro_bias_rad_s[2] += pushed_rad_s - self->gyro_pushed_rad_s;
    self->gyro_pushed_rad_s = pushed_rad_s;
}

void hy_world_power_up(const hy_world_model *model, hy_world_state *state, size_t index)
{
    assert(index < state->vehicle_count);
    if (model->vehicle[index].imu.fitted) {
        start_imu(&model->vehicle[index].imu, &state->vehicle[index]); // it is warm already
    }
}
