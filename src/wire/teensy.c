#include "codec.h"
#include <halyard/wire.h>

// SPEC wire 5. No servos and no accelerometer, so the tags behind them moved up.
// clang-format off
#define BLOCKS(X)           \
    X(motor,   0x12, 8)     \
    X(servo,   0,    0)     \
    X(dio,     0x13, 32)    \
    X(analog,  0x14, 8)     \
    X(gyro,    0x15, 1)     \
    X(accel,   0,    0)     \
    X(encoder, 0x16, 8)
// clang-format on

enum { BLOCKS(LAYOUT_ENUM) };

static const layout teensy = { BLOCKS(LAYOUT_FIELD) };

static const char *const motor_names[channels_motor] = {
    "Front Left Drive Motor",  "Front Left Azimuth Motor",  "Rear Left Drive Motor",
    "Rear Left Azimuth Motor", "Rear Right Drive Motor",    "Rear Right Azimuth Motor",
    "Front Right Drive Motor", "Front Right Azimuth Motor",
};
static const char *const dio_names[channels_dio] = { NULL };
static const char *const analog_names[channels_analog] = { NULL };
static const char *const encoder_names[channels_encoder] = {
    "Front Left Drive Encoder",  "Front Left Azimuth Encoder",  "Rear Left Drive Encoder",
    "Rear Left Azimuth Encoder", "Rear Right Drive Encoder",    "Rear Right Azimuth Encoder",
    "Front Right Drive Encoder", "Front Right Azimuth Encoder",
};

const hy_dialect hy_dialect_teensy = {
    .name = "teensy",
    .tag = {
        [HY_WIRE_MOTOR] = tag_motor,
        [HY_WIRE_DIO] = tag_dio,
        [HY_WIRE_ANALOG] = tag_analog,
        [HY_WIRE_GYRO] = tag_gyro,
        [HY_WIRE_ENCODER] = tag_encoder,
    },
    .motors = channels_motor,
    .servos = channels_servo,
    .dios = channels_dio,
    .analogs = channels_analog,
    .encoders = channels_encoder,
    .motor_names = motor_names,
    .servo_names = NULL,
    .dio_names = dio_names,
    .analog_names = analog_names,
    .encoder_names = encoder_names,
    .command_decode = hy_teensy_command_decode,
    .status_decode = hy_teensy_status_decode,
    .command_encode = hy_teensy_command_encode,
    .status_encode = hy_teensy_status_encode,
};

DIALECT_CODECS(teensy)

hy_wire_report hy_teensy_status_decode(hy_bytes datagram, hy_wire_status *out)
{
    return status_decode(&teensy, datagram, out);
}
