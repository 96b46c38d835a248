/// @file pins.h
/// What firmware and chips make of a value on its way between the wire and a pin.
/// SPEC xrp-robot and teensy-robot, quantisation.
#ifndef HALYARD_BOARD_PINS_H
#define HALYARD_BOARD_PINS_H

#include <stdbool.h>
#include <stdint.h>

#define PWM_LEVELS      1020 ///< Level of a motor that is fully on.
#define SERVO_MIDDLE_US 1500

// --------------------------------------------------------------------------- any robot

/// False for infinities and for what is no number.
bool is_finite(double value);

/// An effort that may be obeyed: limited to [-1, +1]; what is not finite is no command, and stands for 0.
double sane_effort(double value);

// --------------------------------------------------------------------------- the XRP

/// `value` as a C compiler for the robot's processor converts it: towards zero, limited to int's range, NaN to 0.
int32_t int_on_arm(double value);

/// The number that the firmware hands to its PWM for an effort's magnitude: 255 is fully on, more is possible.
int32_t motor_pwm(double effort);

/// The level that the PWM makes of it, 0..PWM_LEVELS; the multiplication in between wraps around.
int32_t pwm_level(int32_t pwm);

/// Share of the battery voltage for an effort, [-1, +1] whatever the effort.
double motor_duty(double effort);

/// Pulse width for a servo position of -1..+1, microseconds, 500..2500 whatever the position.
int32_t servo_pulse_us(double position);

/// Volts that the status tells for a reflectance of 0 white .. 1 black: a 12-bit converter, 5 V for its end.
float reflectance_v(double reflectance);

/// Volts that the status tells for a distance: 5 V for 4 m and more.
float range_v(double range_m);

// --------------------------------------------------------------------------- the Teensy

/// Share of the battery voltage for an effort of -1..+1: 12 bits, the nearest.
double teensy_motor_duty(double effort);

/// Volts at the pin that watches the battery through a divider: a quarter, as a 12-bit converter of 3.3 V tells it.
float teensy_battery_pin_v(double battery_v);

#endif
