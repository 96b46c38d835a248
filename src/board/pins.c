#include "pins.h"

#include <halyard/base.h>

bool is_finite(double value)
{
    return value - value == 0.0;
}

double sane_effort(double value)
{
    return is_finite(value) ? hy_clamp(value, -1.0, 1.0, 0.0) : 0.0;
}

/// The nearest of the codes 0..4095 for `share` of a 12-bit converter's range.
static int32_t code_of(double share)
{
    return (int32_t)(hy_clamp(share, 0.0, 1.0, 0.0) * 4095.0 + 0.5);
}

// --------------------------------------------------------------------------- the XRP

int32_t int_on_arm(double value)
{
    return (int32_t)hy_clamp(value, INT32_MIN, INT32_MAX, 0.0);
}

int32_t motor_pwm(double effort)
{
    return int_on_arm((effort < 0.0 ? -effort : effort) * 255.0);
}

int32_t pwm_level(int32_t pwm)
{
    // The robot's core computes pwm << 3 >> 1 in 32 bits: what is too large comes out as anything.
    const uint32_t wrapped = (uint32_t)pwm << 3;
    if (wrapped > INT32_MAX) {
        return 0; // negative there, and limited to 0
    }
    const int32_t level = (int32_t)(wrapped >> 1);
    return level > PWM_LEVELS ? PWM_LEVELS : level;
}

double motor_duty(double effort)
{
    const double share = pwm_level(motor_pwm(effort)) / (double)PWM_LEVELS;
    return effort < 0.0 ? 0.0 - share : share; // never -0
}

int32_t servo_pulse_us(double position)
{
    const int32_t shortest_us = 500;
    const int32_t longest_us = 2500;
    int32_t angle = int_on_arm((position + 1.0) / 2.0 * 180.0);
    if (angle >= 200) { // the servo library takes such a number for microseconds
        return angle < shortest_us ? shortest_us : angle > longest_us ? longest_us : angle;
    }
    angle = angle < 0 ? 0 : angle > 180 ? 180 : angle;
    return shortest_us + (angle * 4000 / 180 + 1) / 2; // rounded to the nearest
}

float reflectance_v(double reflectance)
{
    return (float)code_of(reflectance) / 4095.0F * 5.0F;
}

float range_v(double range_m)
{
    return (float)hy_clamp(range_m, 0.0, 4.0, 0.0) / 4.0F * 5.0F;
}

// --------------------------------------------------------------------------- the Teensy

double teensy_motor_duty(double effort)
{
    const double share = code_of(effort < 0.0 ? -effort : effort) / 4095.0;
    return effort < 0.0 ? 0.0 - share : share; // never -0
}

float teensy_battery_pin_v(double battery_v)
{
    return (float)code_of(battery_v / 4.0 / 3.3) / 4095.0F * 3.3F;
}
