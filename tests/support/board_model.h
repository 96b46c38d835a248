/// @file board_model.h
/// What commands must do to the pins of an XRP without defects, written a second time and as plainly
/// as can be: the yardstick for random and damaged packets. Knows nothing of who may command.
#ifndef HALYARD_TESTS_BOARD_MODEL_H
#define HALYARD_TESTS_BOARD_MODEL_H

#include <halyard/board.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct {
    unsigned servos;
    bool enabled;
    int64_t accepted_us;
    hy_actuators pins;
} board_model;

static inline void board_model_off(board_model *self)
{
    memset(self->pins.motor_duty, 0, sizeof self->pins.motor_duty);
    for (unsigned i = 0; i < self->servos; i++) {
        self->pins.servo_pulse_us[i] = 1500.0;
    }
}

static inline board_model board_model_start(unsigned servos)
{
    board_model self = { .servos = servos };
    board_model_off(&self);
    return self;
}

static inline void board_model_wait(board_model *self, int64_t now_us)
{
    if (self->enabled && now_us - self->accepted_us >= 500000) {
        self->enabled = false;
        board_model_off(self);
    }
}

static inline void board_model_move(board_model *self, unsigned id, double value)
{
    if (id < 4) {
        const double effort = isfinite(value) ? fmax(-1.0, fmin(1.0, value)) : 0.0;
        self->pins.motor_duty[id] = copysign(floor(fabs(effort) * 255.0) / 255.0, effort);
    } else if (id < 4 + self->servos && isfinite(value)) {
        const double position = fmax(-1.0, fmin(1.0, value));
        const double angle_deg = floor((position + 1.0) / 2.0 * 180.0);
        self->pins.servo_pulse_us[id - 4] = 500.0 + floor(angle_deg * 2000.0 / 180.0 + 0.5);
    }
}

static inline void board_model_block(board_model *self, const uint8_t *block, size_t size)
{
    const uint8_t tag = block[0];
    if (tag == 0x14 && size >= 3 && block[1] == 1) {
        self->pins.led = block[2] == 1;
    }
    if ((tag == 0x12 || tag == 0x13) && size >= 6 && self->enabled) {
        const uint32_t bits = (uint32_t)block[2] << 24 | (uint32_t)block[3] << 16 |
                              (uint32_t)block[4] << 8 | block[5];
        float value;
        memcpy(&value, &bits, sizeof value);
        board_model_move(self, block[1],
                         tag == 0x12 ? (double)value : (double)(float)(2.0 * (double)value - 1.0));
    }
}

/// A command that the board has accepted: everything up to the first block that does not fit.
static inline void board_model_accept(board_model *self, const uint8_t *bytes, size_t size,
                                      int64_t now_us)
{
    self->accepted_us = now_us;
    if (self->enabled != (bytes[2] == 1)) {
        self->enabled = !self->enabled;
        board_model_off(self);
    }
    size_t at = 3;
    while (at < size && at + 1 + bytes[at] <= size) {
        if (bytes[at] > 0) {
            board_model_block(self, &bytes[at + 1], bytes[at]);
        }
        at += 1U + bytes[at];
    }
}

/// A late or doubled command of the owner with control 0: it disables, and does nothing else.
static inline void board_model_stop(board_model *self)
{
    self->enabled = false;
    board_model_off(self);
}

/// NULL if `pins` are what they must be, else which is not.
static inline const char *board_model_difference(const board_model *self, const hy_actuators *pins)
{
    for (int i = 0; i < HY_PIN_MOTORS; i++) {
        if (!(fabs(pins->motor_duty[i] - self->pins.motor_duty[i]) < 1e-12)) {
            return "a motor has another duty than the well-formed blocks commanded";
        }
    }
    for (int i = 0; i < HY_PIN_SERVOS; i++) {
        if (!(fabs(pins->servo_pulse_us[i] - self->pins.servo_pulse_us[i]) < 1e-12)) {
            return "a servo has another pulse than the well-formed blocks commanded";
        }
    }
    return pins->led != self->pins.led ? "the LED is not what the well-formed blocks commanded"
                                       : NULL;
}

/// NULL if every pin is within what the robot can do, defects or not; else which is not.
static inline const char *board_pins_out_of_range(const hy_actuators *pins, unsigned motors,
                                                  unsigned servos)
{
    for (unsigned i = 0; i < HY_PIN_MOTORS; i++) {
        if (!(fabs(pins->motor_duty[i]) <= (i < motors ? 1.0 : 0.0))) {
            return "a motor's duty is out of range";
        }
    }
    for (unsigned i = 0; i < HY_PIN_SERVOS; i++) {
        const double us = pins->servo_pulse_us[i];
        if (i < servos ? !(us >= 500.0 && us <= 2500.0) : !(us >= 0.0 && us <= 0.0)) {
            return "a servo's pulse is out of range";
        }
    }
    return NULL;
}

#endif
