/// @file sense.h
/// What a vehicle feels.
#ifndef HY_WORLD_SENSE_H
#define HY_WORLD_SENSE_H

#include "range.h"

/// Draws the biases of this run and fills the readings of a vehicle that stands.
void hy_sense_start(const hy_world_model *model, hy_world_state *state, size_t index);

/// Fills the readings after a step. `before` is what the step began with.
void hy_sense(const hy_world_model *model, hy_world_state *state, size_t index,
              const hy_engine_body *before);

// What wired and extra sensors share.

/// Full scale of the accelerometer: the stock firmware sets the LSM6DSOX to 4 g.
#define HY_ACCEL_LIMIT_M_S2 (4 * HY_GRAVITY_M_S2)

/// What an IMU changes.
typedef struct {
    hy_random *random;
    double *gyro_bias_rad_s, *accel_bias_m_s2; ///< Three each, as all below.
    double *rate_rad_s, *angle_rad, *accel_m_s2;
} hy_imu_state;

/// How the vehicle moves that an IMU sits in.
typedef struct {
    hy_motion now, before;
    hy_vec from_com_m;                  ///< Of the IMU from the centre of mass.
    double gyro_scale, gyro_step_rad_s; ///< Of its readings; 0: no steps.
    double step_s;
    double tilting_rad_s[2]; ///< About the vehicle's x and y axes, where a ramp begins or ends.
    double held_m_s2[3];     ///< What the floor holds up.
} hy_imu_motion;

/// Fills in the last two, for a vehicle that was at `before` a step ago.
void hy_imu_tilt(const hy_world_model *model, const hy_world_state *state, size_t index,
                 const hy_pose *before, hy_imu_motion *motion);

/// Draws the biases of this run.
void hy_imu_start(const hy_imu_spec *imu, const hy_imu_state *state);
void hy_imu_sense_rates(const hy_imu_spec *imu, const hy_imu_state *state,
                        const hy_imu_motion *motion, double drift);
/// Specific force at the IMU: what moves it, without gravity, plus what the floor holds up.
void hy_imu_sense_acceleration(const hy_imu_spec *imu, const hy_imu_state *state,
                               const hy_imu_motion *motion);

/// Without noise: darkness under the left (0) and right (1) sensor, and the distance ahead.
double hy_true_reflectance(const hy_world_model *model, const hy_vehicle_state *vehicle,
                           size_t index, int side);

/// What its sensors read of the floor since the last step: where the vehicle stands now, with the noise of that step.
void hy_read_reflectance(const hy_world_model *model, const hy_vehicle_state *vehicle, size_t index,
                         double reflectance[HY_PIN_REFLECTANCE]);

/// Keeps that until the next step: to be called before the vehicle is moved between steps.
void hy_hold_reflectance(const hy_world_model *model, hy_vehicle_state *vehicle, size_t index);
double hy_true_range(const hy_world_model *model, const hy_world_state *state, size_t index);

#endif
