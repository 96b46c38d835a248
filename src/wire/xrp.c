#include "codec.h"
#include <halyard/wire_xrp.h>

// SPEC wire 4. WPILib and the stock firmware speak it.
// clang-format off
#define BLOCKS(X)           \
    X(motor,   0x12, 4)     \
    X(servo,   0x13, 4)     \
    X(dio,     0x14, 32)    \
    X(analog,  0x15, 8)     \
    X(gyro,    0x16, 1)     \
    X(accel,   0x17, 1)     \
    X(encoder, 0x18, 4)
// clang-format on

enum { BLOCKS(LAYOUT_ENUM) };

static const layout xrp = { BLOCKS(LAYOUT_FIELD) };

static const char *const motor_names[channels_motor] = {
    "Left Motor",
    "Right Motor",
    "Motor 3",
    "Motor 4",
};
static const char *const servo_names[channels_servo] = {
    "Servo 1",
    "Servo 2",
    "Servo 3",
    "Servo 4",
};
static const char *const dio_names[channels_dio] = {
    "UserButton",     "OnboardLed",     "Reserved1",      "Reserved2",
    "LeftEncoderA",   "LeftEncoderB",   "RightEncoderA",  "RightEncoderB",
    "Motor3EncoderA", "Motor3EncoderB", "Motor4EncoderA", "Motor4EncoderB",
};
static const char *const analog_names[channels_analog] = {
    "ReflectanceLeft",
    "ReflectanceRight",
    "Rangefinder",
};
static const char *const encoder_names[channels_encoder] = {
    "Left Motor Encoder",
    "Right Motor Encoder",
    "Motor 3 Encoder",
    "Motor 4 Encoder",
};

const hy_dialect hy_dialect_xrp = {
    .name = "xrp",
    .tag = {
        [HY_WIRE_MOTOR] = tag_motor,
        [HY_WIRE_SERVO] = tag_servo,
        [HY_WIRE_DIO] = tag_dio,
        [HY_WIRE_ANALOG] = tag_analog,
        [HY_WIRE_GYRO] = tag_gyro,
        [HY_WIRE_ACCEL] = tag_accel,
        [HY_WIRE_ENCODER] = tag_encoder,
    },
    .motors = channels_motor,
    .servos = channels_servo,
    .dios = channels_dio,
    .analogs = channels_analog,
    .encoders = channels_encoder,
    .motor_names = motor_names,
    .servo_names = servo_names,
    .dio_names = dio_names,
    .analog_names = analog_names,
    .encoder_names = encoder_names,
    .command_decode = hy_xrp_command_decode,
    .status_decode = hy_xrp_status_decode,
    .command_encode = hy_xrp_command_encode,
    .status_encode = hy_xrp_status_encode,
};

DIALECT_CODECS(xrp)
