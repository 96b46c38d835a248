/// @file state.h
/// Everything that changes in a world.
#ifndef HY_WORLD_STATE_H
#define HY_WORLD_STATE_H

#include "contact/engine.h"
#include "model.h"

typedef struct {
    int64_t due_us;     ///< When it measures next.
    double spike_m;     ///< The error of its last reading by motors, ...
    int spike_readings; ///< ... and of so many more.
} hy_sonar_state;

typedef struct {
    hy_pose pose;     ///< Of the vehicle's origin.
    hy_motion motion; ///< Of the centre of mass, body axes.
    double shaft_rad[HY_VEHICLE_MOTORS], shaft_rad_s[HY_VEHICLE_MOTORS]; ///< Forward positive.
    double module_rad[HY_STEER_WHEELS]; ///< Where the wheel of a module that has play points.
    double start_rad[HY_STEER_WHEELS];  ///< Where a module pointed when the robot was switched on.
    double duty[HY_VEHICLE_MOTORS];
    int motor_count; ///< So many of these are there.
    double battery_v;
    hy_battery_spec battery; ///< As its charge is now.
    double used_as;          ///< Charge that was taken from a battery that empties.
    double servo_rad[HY_PIN_SERVOS];
    hy_push pushed;            ///< By what it touched in the last step.
    double recheck_distance_m; ///< Distance it may go before what is near is checked again.
    bool near_edges;           ///< As of the last look.
    bool in_engine, touching, touching_field, led, button;
    bool browned_out; ///< The outputs are off until the battery has recovered.
    hy_random random;
    double gyro_bias_rad_s[3], accel_bias_m_s2[3];
    double gyro_warm_up_rad_s; ///< What of the gyro's bias goes while it gets warm.
    double gyro_pushed_rad_s;  ///< What of the gyro's bias a push during its calibration left.
    hy_sonar_state sonar;
    hy_sensors sensors; ///< Encoders, battery and button are read from the fields above.
    double floor_noise[HY_PIN_REFLECTANCE]; ///< Of the last step; hy_read_reflectance() looks at the mat.
    bool floor_is_held; ///< The reflectance is in `sensors`: the vehicle was moved by hand since.
    uint64_t rays;      ///< Of its lidar, since the start.
} hy_vehicle_state;

typedef struct {
    hy_vec at_m, velocity_m_s;
    double z_m, vz_m_s;
    hy_piece_place place;
    size_t of;
    hy_piece_class class;
} hy_piece_state;

typedef struct {
    size_t count;
    hy_world_echo echo[HY_LIDAR_RAYS];
} hy_echoes;

/// Most numbers that a sensor reads at once.
#define HY_FURTHER_VALUES 9

/// Of a sensor that is not wired.
typedef struct {
    hy_random random; ///< Its own.
    double value[HY_FURTHER_VALUES];
    double gyro_bias_rad_s[3], accel_bias_m_s2[3];
    uint64_t rays; ///< Of a lidar, since the start.
    hy_echoes echoes;
} hy_extra_state;

struct hy_world_state {
    const hy_world_model *model;
    hy_extra_state *extra; ///< One a sensor of the model that is not wired; allocated with the state.
    size_t extra_count;
    uint64_t steps;
    size_t vehicle_count;
    hy_engine engine;
    hy_vehicle_state vehicle[HY_WORLD_VEHICLES];
    size_t piece_count;
    hy_piece_state piece[HY_WORLD_PIECES];
    double lidar_noise_m;
    hy_lidar_scene lidar_scene;
    hy_echoes echoes[HY_WORLD_VEHICLES];
};

#endif
