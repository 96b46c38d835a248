#include "codec.h"
#include <halyard/wire.h>

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

// --------------------------------------------------------------------------- the status of the stock firmware
// SPEC wire 4: encoders 0..3 in the long form, DIO 0, gyro, accelerometer, analogs 0..2, and nothing else. Its blocks lie at
// constant offsets, so it is decoded without a loop. Left out where size counts: microcontrollers send statuses.

#ifdef __OPTIMIZE_SIZE__
#define HAS_STOCK_DECODER 0
#else
#define HAS_STOCK_DECODER 1
#endif

enum {
    STOCK_SIZE = 128,
    STOCK_ENCODER = 3, // offsets, each of the block's size byte
    STOCK_ENCODER_BYTES = 2 + PAYLOAD_ENCODER_LONG,
    STOCK_DIO = STOCK_ENCODER + 4 * STOCK_ENCODER_BYTES,
    STOCK_GYRO = STOCK_DIO + 2 + PAYLOAD_DIO,
    STOCK_ACCEL = STOCK_GYRO + 2 + PAYLOAD_GYRO,
    STOCK_ANALOG = STOCK_ACCEL + 2 + PAYLOAD_ACCEL,
    STOCK_ANALOG_BYTES = 2 + PAYLOAD_CHANNEL_F32,
};

/// 0 if a block with this size, tag and channel is at `p`. Compilers make one load of the four bytes.
static inline uint32_t differs(const uint8_t *p, uint32_t payload, uint32_t tag, uint32_t channel)
{
    return (get_u32(p) ^ ((payload + 1) << 24 | tag << 16 | channel << 8)) & ~UINT32_C(0xFF);
}

static inline bool is_stock_status(hy_bytes datagram)
{
    const uint8_t *const p = datagram.data;
    if (datagram.size != STOCK_SIZE) {
        return false;
    }
    uint32_t differences = differs(p + STOCK_DIO, PAYLOAD_DIO, tag_dio, 0);
    for (uint32_t i = 0; i < 4; i++) {
        differences |= differs(p + STOCK_ENCODER + STOCK_ENCODER_BYTES * i, PAYLOAD_ENCODER_LONG,
                               tag_encoder, i);
    }
    for (uint32_t i = 0; i < 3; i++) {
        differences |=
            differs(p + STOCK_ANALOG + STOCK_ANALOG_BYTES * i, PAYLOAD_CHANNEL_F32, tag_analog, i);
    }
    return differences == 0 && p[STOCK_GYRO] == 1 + PAYLOAD_GYRO && p[STOCK_GYRO + 1] == tag_gyro &&
           p[STOCK_ACCEL] == 1 + PAYLOAD_ACCEL && p[STOCK_ACCEL + 1] == tag_accel;
}

static inline void decode_stock_status(const uint8_t *p, hy_wire_status *out)
{
    out->seq = get_u16(p);
    out->control = p[2];
    out->encoders = 0x0F;
    out->analogs = 0x07;
    out->has_gyro = out->has_accel = true;
    out->dios = 1;
    out->dio_levels = p[STOCK_DIO + 3] == 1;
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t *const payload = p + STOCK_ENCODER + STOCK_ENCODER_BYTES * i + 2;
        get_encoder((hy_bytes){ payload, PAYLOAD_ENCODER_LONG }, &out->encoder[i]);
    }
    get_f32x3(p + STOCK_GYRO + 2, out->gyro_rate_dps);
    get_f32x3(p + STOCK_GYRO + 14, out->gyro_angle_deg);
    get_f32x3(p + STOCK_ACCEL + 2, out->accel_g);
    for (unsigned i = 0; i < 3; i++) {
        out->analog_v[i] = get_f32(p + STOCK_ANALOG + STOCK_ANALOG_BYTES * i + 3);
    }
    for (unsigned i = 4; i < HY_WIRE_ENCODERS; i++) {
        out->encoder[i] = (hy_wire_encoder){ 0 };
    }
    for (unsigned i = 3; i < HY_WIRE_ANALOGS; i++) {
        out->analog_v[i] = 0;
    }
}

hy_wire_report hy_xrp_status_decode(hy_bytes datagram, hy_wire_status *out)
{
    // coverage: the constant is one or the other in a build
    if (!HAS_STOCK_DECODER || !EXPECT(is_stock_status(datagram), 1)) {
        return status_decode(&xrp, datagram, out);
    }
    decode_stock_status(datagram.data, out);
    return (hy_wire_report){ .error = HY_WIRE_WELL_FORMED };
}
