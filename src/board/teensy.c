// The Teensy of a swerve robot: eight motors, eight encoders, a gyro, the battery's voltage.
// SPEC teensy-robot.
#include <halyard/wire.h>
#include <string.h>

#include "kind.h"
#include "pins.h"

#define ENCODER_HZ  24000000
#define BATTERY_PIN 0
#define HOME_DIO    20 // of module 0, behind the DIOs of WPILib's encoders; the others' follow

typedef struct {
    double gyro_rate_rad_s[3], gyro_angle_rad[3], battery_v;
    uint8_t home_switches, at_home;
} teensy_state;

static void teensy_move(hy_board *self, const hy_wire_value *v)
{
    if (v->kind == HY_WIRE_MOTOR && v->id < HY_PIN_MOTORS) {
        self->actuators.motor_duty[v->id] = teensy_motor_duty(sane_effort((double)v->value));
    }
}

static void teensy_sense(hy_board *self, const hy_sensors *sensors, int64_t now_us)
{
    (void)now_us;
    teensy_state *own = self->own;
    memcpy(own->gyro_rate_rad_s, sensors->gyro_rate_rad_s, sizeof own->gyro_rate_rad_s);
    memcpy(own->gyro_angle_rad, sensors->gyro_angle_rad, sizeof own->gyro_angle_rad);
    own->battery_v = sensors->battery_v;
    own->home_switches = sensors->home_switches;
    own->at_home = sensors->at_home;
}

// The gyro's axes are the robot's, and its angles go on past 360 degrees.
static void teensy_report(const hy_board *self, hy_wire_status *out)
{
    const teensy_state *own = self->own;
    out->has_gyro = true;
    for (unsigned i = 0; i < 3; i++) {
        out->gyro_rate_dps[i] = (float)hy_deg_from_rad(own->gyro_rate_rad_s[i]);
        out->gyro_angle_deg[i] = (float)hy_deg_from_rad(own->gyro_angle_rad[i]);
    }
    out->dios |= (uint32_t)own->home_switches << HOME_DIO;
    out->dio_levels |= (uint32_t)(own->at_home & own->home_switches) << HOME_DIO;
    out->analogs = 1U << BATTERY_PIN;
    out->analog_v[BATTERY_PIN] = teensy_battery_pin_v(own->battery_v);
}

static void hash(const hy_board *self, hy_hash *out)
{
    const teensy_state *own = hy_board_own_const(self);
    for (unsigned i = 0; i < 3; i++) {
        hy_hash_f64(out, own->gyro_rate_rad_s[i]);
        hy_hash_f64(out, own->gyro_angle_rad[i]);
    }
    hy_hash_f64(out, own->battery_v);
    if (own->home_switches != 0) {
        hy_hash_u64(out, (uint64_t)own->home_switches << 8 | own->at_home);
    }
}

const hy_board_kind hy_board_teensy = {
    .dialect = &hy_dialect_teensy,
    .status_period_us = HY_TEENSY_STATUS_PERIOD_US,
    .encoder_hz = ENCODER_HZ,
    .button_dio = 0,
    .led_dio = 1,
    .counts_while_disabled = true, // or a wheel that is turned by hand would lose its direction
    .state_size = sizeof(teensy_state),
    .move = teensy_move,
    .sense = teensy_sense,
    .report = teensy_report,
    .hash = hash,
};
