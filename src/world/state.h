/// @file state.h
/// Everything that changes in a world.
#ifndef HY_WORLD_STATE_H
#define HY_WORLD_STATE_H

#include "engine.h"
#include "model.h"

typedef struct {
    hy_pose pose;     ///< Of the vehicle's origin.
    hy_motion motion; ///< Of the centre of mass, body axes.
    double shaft_rad[HY_VEHICLE_MOTORS], shaft_rad_s[HY_VEHICLE_MOTORS]; ///< Forward positive.
    double duty[HY_VEHICLE_MOTORS];
    int motor_count; ///< So many of these are there.
    double battery_v;
    double servo_rad[HY_PIN_SERVOS];
    hy_push pushed;  ///< By what it touched in the last step.
    double look_m;   ///< How far it may go before it must look again what is near.
    bool near_edges; ///< As of the last look.
    bool in_engine, touching, led, button;
    hy_chance chance;
    double gyro_bias_rad_s[3], accel_bias_m_s2[3];
    hy_sensors sensors;
} hy_vehicle_state;

struct hy_world_state {
    uint64_t steps;
    size_t vehicle_count;
    hy_engine engine;
    hy_vehicle_state vehicle[HY_WORLD_VEHICLES];
};

#endif
