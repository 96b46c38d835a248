#include <halyard/bot.h>

#include "finite.h"

// --------------------------------------------------------------------------- what both have

static void update_encoders(hy_encoder *encoders, size_t count, const hy_readings *readings,
                            int64_t now_us)
{
    for (size_t i = 0; i < count; i++) {
        if ((readings->encoders >> i & 1) != 0) {
            hy_encoder_update(&encoders[i], &readings->encoder[i], now_us);
        }
    }
}

static void tell_mistakes(const hy_motor *motor, size_t i, hy_outputs *out)
{
    out->set_once = (uint8_t)(out->set_once | (unsigned)motor->is_set_once << i);
    out->limited_motors = (uint8_t)(out->limited_motors | (unsigned)motor->is_limited << i);
    out->asked_effort = motor->is_limited ? (float)motor->asked : out->asked_effort;
}

static void command_motors(hy_motor *motors, size_t count, hy_outputs *out, int64_t now_us)
{
    for (size_t i = 0; i < count; i++) {
        out->motor[i] = (float)hy_motor_output(&motors[i], now_us);
        out->motors = (uint8_t)(out->motors | 1U << i);
        if (motors[i].is_limited || motors[i].is_set_once) {
            tell_mistakes(&motors[i], i, out);
        }
    }
}

static void rebase_encoders(hy_encoder *encoders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hy_encoder_rebase(&encoders[i]);
    }
}

static bool has_analog(const hy_readings *readings, unsigned channel)
{
    return (readings->analogs >> channel & 1) != 0;
}

// --------------------------------------------------------------------------- the XRP

void hy_xrp_init(hy_xrp *self)
{
    *self = (hy_xrp){ 0 };
    for (size_t i = 0; i < HY_XRP_MOTORS; i++) {
        hy_motor_init(&self->motor[i], i == 1);
        hy_encoder_init(&self->encoder[i], i < 2 ? HY_XRP_M_PER_COUNT : 1.0);
    }
    for (size_t i = 0; i < HY_XRP_SERVOS; i++) {
        hy_servo_init(&self->servo[i], HY_PI);
    }
}

void hy_xrp_update(hy_xrp *self, const hy_readings *readings, int64_t now_us)
{
    update_encoders(self->encoder, HY_XRP_ENCODERS, readings, now_us);
    if (readings->has_gyro) {
        hy_gyro_update(&self->gyro, readings->gyro_rate_dps, readings->gyro_angle_deg);
    }
    if (readings->has_accel) {
        hy_accelerometer_update(&self->accelerometer, readings->accel_g);
    }
    if (has_analog(readings, 0) && has_analog(readings, 1)) {
        hy_reflectance_update(&self->reflectance, readings->analog_v[0], readings->analog_v[1]);
    }
    if (has_analog(readings, 2)) {
        hy_rangefinder_update(&self->rangefinder, readings->analog_v[2]);
    }
    if (readings->has_button) {
        hy_button_update(&self->button, readings->button);
    }
}

void hy_xrp_outputs(hy_xrp *self, hy_outputs *out, int64_t now_us)
{
    *out = (hy_outputs){ .led = hy_led_output(&self->led, now_us) };
    command_motors(self->motor, HY_XRP_MOTORS, out, now_us);
    for (size_t i = 0; i < HY_XRP_SERVOS; i++) {
        if (self->servo[i].is_set) {
            out->servo[i] = (float)self->servo[i].position;
            out->servos = (uint8_t)(out->servos | 1U << i);
            if (self->servo[i].asked != self->servo[i].position) {
                out->limited_servos = (uint8_t)(out->limited_servos | 1U << i);
                out->asked_position = (float)self->servo[i].asked;
            }
        }
    }
}

void hy_xrp_rebase(hy_xrp *self)
{
    rebase_encoders(self->encoder, HY_XRP_ENCODERS);
    hy_gyro_rebase(&self->gyro);
}

// --------------------------------------------------------------------------- the Teensy's

// SPEC teensy-robot 4.6: analog 0 is a quarter of the battery's volts.
#define BATTERY_DIVIDER 4.0

void hy_teensy_init(hy_teensy *self)
{
    *self = (hy_teensy){ 0 };
    const double metres = 2.0 * HY_PI * HY_TEENSY_WHEEL_RADIUS_M / HY_TEENSY_DRIVE_COUNTS;
    const double radians = 2.0 * HY_PI / HY_TEENSY_STEER_COUNTS;
    for (size_t i = 0; i < HY_TEENSY_MOTORS; i++) {
        hy_motor_init(&self->motor[i], false);
        hy_encoder_init(&self->encoder[i], i % 2 == 0 ? metres : radians);
        hy_encoder_set_absolute(&self->encoder[i], i % 2 != 0);
    }
}

void hy_teensy_update(hy_teensy *self, const hy_readings *readings, int64_t now_us)
{
    update_encoders(self->encoder, HY_TEENSY_ENCODERS, readings, now_us);
    if (readings->has_gyro) {
        hy_gyro_update(&self->gyro, readings->gyro_rate_dps, readings->gyro_angle_deg);
    }
    if (readings->has_button) {
        hy_button_update(&self->button, readings->button);
    }
    for (unsigned i = 0; i < HY_TEENSY_MODULES; i++) {
        const uint32_t dio = UINT32_C(1) << (HY_TEENSY_HOME_DIO + i);
        self->has_home[i] = (readings->digitals & dio) != 0;
        self->at_home[i] = (readings->digitals & readings->digital_levels & dio) != 0;
    }
    const double volts = (double)readings->analog_v[0];
    if (has_analog(readings, 0) && is_finite(volts) && volts >= 0.0) { // negative: it has not measured
        self->battery_v = volts * BATTERY_DIVIDER;
    }
}

void hy_teensy_outputs(hy_teensy *self, hy_outputs *out, int64_t now_us)
{
    *out = (hy_outputs){ .led = hy_led_output(&self->led, now_us) };
    command_motors(self->motor, HY_TEENSY_MOTORS, out, now_us);
}

void hy_teensy_rebase(hy_teensy *self)
{
    rebase_encoders(self->encoder, HY_TEENSY_ENCODERS);
    hy_gyro_rebase(&self->gyro);
}
