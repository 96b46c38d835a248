/// Both codecs, written once over a dialect's layout. A dialect's file includes this and passes a
/// layout that is a constant of that file: the compiler folds it, so that what comes out is
/// straight-line code with the dialect's own tags, and nothing is looked up at run time.
#ifndef HALYARD_WIRE_CODEC_H
#define HALYARD_WIRE_CODEC_H

#include "blocks.h"

/// One kind of block in a dialect; all 0 if the dialect has no such block.
typedef struct {
    uint8_t tag, channels;
} block_layout;

/// What the codecs need to know of a dialect.
typedef struct {
    block_layout motor, servo, dio, analog, gyro, accel, encoder;
} layout;

// A dialect is one list, BLOCKS(X) of X(kind, tag, channels): these make its layout, and the
// constants for its public table.
#define LAYOUT_FIELD(kind, tag, channels) .kind = { tag, channels },
#define LAYOUT_ENUM(kind, tag, channels)  tag_##kind = (tag), channels_##kind = (channels),

typedef enum { BLOCK_USED, BLOCK_UNKNOWN, BLOCK_TOO_SHORT } block_result;

static inline bool block_is(const hy_block *block, block_layout kind)
{
    return kind.tag != 0 && block->tag == kind.tag;
}

/// What becomes of a block that starts with its channel, before its value is looked at.
static inline block_result channel_result(const hy_block *block, size_t payload_min,
                                          unsigned channels)
{
    if (block->payload.size < payload_min) {
        return BLOCK_TOO_SHORT;
    }
    return block->payload.data[0] < channels ? BLOCK_USED : BLOCK_UNKNOWN;
}

static inline void count_result(hy_wire_report *report, block_result result)
{
    if (result == BLOCK_UNKNOWN) {
        report->unknown++;
    } else if (result == BLOCK_TOO_SHORT) {
        report->too_short++;
    }
}

static inline hy_wire_report no_header(void)
{
    return (hy_wire_report){ .error = HY_WIRE_NO_HEADER };
}

static inline void report_end(hy_wire_report *report, const hy_block_iter *iter)
{
    if (iter->malformed) {
        report->error = HY_WIRE_CUT_BLOCK;
        report->error_at = iter->error_at;
    }
}

static inline block_result take_dio(const hy_block *block, block_layout dio, uint32_t *dios,
                                    uint32_t *levels)
{
    const block_result result = channel_result(block, PAYLOAD_DIO, dio.channels);
    if (result == BLOCK_USED) {
        const uint32_t bit = UINT32_C(1) << block->payload.data[0];
        *dios |= bit;
        *levels = block->payload.data[1] == 1 ? *levels | bit : *levels & ~bit;
    }
    return result;
}

// --------------------------------------------------------------------------- command

static inline void command_motor(hy_wire_command *out, unsigned motor, float effort)
{
    out->motors = (uint8_t)(out->motors | 1U << motor);
    out->motor[motor] = effort;
}

static inline void command_servo(hy_wire_command *out, unsigned servo, float position)
{
    out->servos = (uint8_t)(out->servos | 1U << servo);
    out->servo[servo] = position;
}

/// Motors and servos share one space of ids, motors below HY_WIRE_SERVO_FIRST_ID where a dialect
/// has both: the id says which output moves, the tag only how the value is scaled.
static inline block_result command_output(const layout *dialect, const hy_block *block,
                                          bool is_servo, hy_wire_command *out)
{
    if (block->payload.size < PAYLOAD_CHANNEL_F32) {
        return BLOCK_TOO_SHORT;
    }
    const unsigned id = block->payload.data[0];
    const unsigned servo = id - HY_WIRE_SERVO_FIRST_ID; // huge for a motor
    const float value = get_f32(block->payload.data + 1);
    if (id < dialect->motor.channels) {
        command_motor(out, id, is_servo ? 2.0F * value - 1.0F : value);
    } else if (servo < dialect->servo.channels) {
        command_servo(out, servo, is_servo ? value : (value + 1.0F) * 0.5F);
    } else {
        return BLOCK_UNKNOWN;
    }
    return BLOCK_USED;
}

static inline block_result command_take(const layout *dialect, const hy_block *block,
                                        hy_wire_command *out)
{
    if (block_is(block, dialect->motor)) {
        return command_output(dialect, block, false, out);
    }
    if (block_is(block, dialect->servo)) {
        return command_output(dialect, block, true, out);
    }
    if (block_is(block, dialect->dio)) {
        return take_dio(block, dialect->dio, &out->dios, &out->dio_levels);
    }
    return BLOCK_UNKNOWN;
}

static inline hy_wire_report command_decode(const layout *dialect, hy_bytes datagram,
                                            hy_wire_command *out)
{
    hy_wire_clear(out, sizeof *out);
    if (datagram.size < HY_WIRE_HEADER_SIZE) {
        return no_header();
    }
    out->seq = get_u16(datagram.data);
    out->control = datagram.data[2];
    hy_wire_report report = { .error = HY_WIRE_WELL_FORMED };
    hy_block_iter iter = block_begin(datagram);
    for (hy_block block; block_next(&iter, &block);) {
        count_result(&report, command_take(dialect, &block, out));
    }
    report_end(&report, &iter);
    return report;
}

// The bits of IEEE 754 floats of one sign are ordered as the floats are, so the limits below need
// no floating point: on a Cortex-M0+ that would be a library call each.
#define F32_SIGN     UINT32_C(0x80000000)
#define F32_ONE      UINT32_C(0x3F800000)
#define F32_INFINITY UINT32_C(0x7F800000)

static inline bool is_nan_bits(uint32_t bits)
{
    return (bits & ~F32_SIGN) > F32_INFINITY;
}

/// The bits of `effort` limited to [-1, +1]; NaN is never a command, so it stands still.
static inline uint32_t effort_bits(float effort)
{
    const uint32_t bits = bits_of_f32(effort);
    const uint32_t magnitude = bits & ~F32_SIGN;
    const uint32_t limited = magnitude > F32_ONE ? (bits & F32_SIGN) | F32_ONE : bits;
    return magnitude > F32_INFINITY ? 0 : limited;
}

/// The bits of `position`, which is not NaN, limited to [0, 1].
static inline uint32_t position_bits(uint32_t bits)
{
    const uint32_t positive = (bits & F32_SIGN) != 0 ? 0 : bits;
    return positive > F32_ONE ? F32_ONE : positive;
}

static inline void put_dios(hy_block_writer *writer, block_layout dio, uint32_t dios, uint32_t levels)
{
    for (unsigned id = 0; dios != 0 && id < dio.channels; id++) {
        if ((dios & 1) != 0) {
            put_dio(writer, dio.tag, (uint8_t)id, (uint8_t)(levels >> id & 1));
        }
        dios >>= 1;
    }
}

static inline size_t command_encode(const layout *dialect, const hy_wire_command *command,
                                    hy_room room)
{
    hy_block_writer writer = writer_begin(room, command->seq, command->control);
    for (unsigned n = 0; n < dialect->motor.channels; n++) {
        if ((command->motors >> n & 1) != 0) {
            put_channel_f32(&writer, dialect->motor.tag, (uint8_t)n, effort_bits(command->motor[n]));
        }
    }
    for (unsigned n = 0; n < dialect->servo.channels; n++) {
        const uint32_t bits = bits_of_f32(command->servo[n]);
        if ((command->servos >> n & 1) != 0 && !is_nan_bits(bits)) {
            put_channel_f32(&writer, dialect->servo.tag, (uint8_t)(HY_WIRE_SERVO_FIRST_ID + n),
                            position_bits(bits));
        }
    }
    put_dios(&writer, dialect->dio, command->dios, command->dio_levels);
    return writer.full ? 0 : writer.size;
}

// --------------------------------------------------------------------------- status

static inline block_result take_encoder(const hy_block *block, block_layout encoder,
                                        hy_wire_status *out)
{
    const block_result result = channel_result(block, PAYLOAD_ENCODER_SHORT, encoder.channels);
    if (result == BLOCK_USED) {
        const unsigned id = block->payload.data[0];
        out->encoders = (uint8_t)(out->encoders | 1U << id);
        get_encoder(block->payload, &out->encoder[id]);
    }
    return result;
}

static inline block_result take_analog(const hy_block *block, block_layout analog,
                                       hy_wire_status *out)
{
    const block_result result = channel_result(block, PAYLOAD_CHANNEL_F32, analog.channels);
    if (result == BLOCK_USED) {
        const unsigned id = block->payload.data[0];
        out->analogs = (uint8_t)(out->analogs | 1U << id);
        out->analog_v[id] = get_f32(block->payload.data + 1);
    }
    return result;
}

static inline block_result take_gyro(const hy_block *block, hy_wire_status *out)
{
    if (block->payload.size < PAYLOAD_GYRO) {
        return BLOCK_TOO_SHORT;
    }
    out->has_gyro = true;
    get_f32x3(block->payload.data, out->gyro_rate_dps);
    get_f32x3(block->payload.data + 12, out->gyro_angle_deg);
    return BLOCK_USED;
}

static inline block_result take_accel(const hy_block *block, hy_wire_status *out)
{
    if (block->payload.size < PAYLOAD_ACCEL) {
        return BLOCK_TOO_SHORT;
    }
    out->has_accel = true;
    get_f32x3(block->payload.data, out->accel_g);
    return BLOCK_USED;
}

static inline block_result status_take(const layout *dialect, const hy_block *block,
                                       hy_wire_status *out)
{
    if (EXPECT(block_is(block, dialect->encoder), 1)) {
        return take_encoder(block, dialect->encoder, out);
    }
    if (block_is(block, dialect->analog)) {
        return take_analog(block, dialect->analog, out);
    }
    if (block_is(block, dialect->dio)) {
        return take_dio(block, dialect->dio, &out->dios, &out->dio_levels);
    }
    if (block_is(block, dialect->gyro)) {
        return take_gyro(block, out);
    }
    if (block_is(block, dialect->accel)) {
        return take_accel(block, out);
    }
    return BLOCK_UNKNOWN;
}

static inline hy_wire_report status_decode(const layout *dialect, hy_bytes datagram,
                                           hy_wire_status *out)
{
    hy_wire_clear(out, sizeof *out);
    if (datagram.size < HY_WIRE_HEADER_SIZE) {
        return no_header();
    }
    out->seq = get_u16(datagram.data);
    out->control = datagram.data[2];
    hy_wire_report report = { .error = HY_WIRE_WELL_FORMED };
    hy_block_iter iter = block_begin(datagram);
    for (hy_block block; block_next(&iter, &block);) {
        count_result(&report, status_take(dialect, &block, out));
    }
    report_end(&report, &iter);
    return report;
}

static inline size_t status_encode(const layout *dialect, const hy_wire_status *status, hy_room room)
{
    hy_block_writer writer = writer_begin(room, status->seq, status->control);
    for (unsigned n = 0; n < dialect->encoder.channels; n++) {
        if ((status->encoders >> n & 1) != 0) {
            put_encoder(&writer, dialect->encoder.tag, (uint8_t)n, &status->encoder[n]);
        }
    }
    put_dios(&writer, dialect->dio, status->dios, status->dio_levels);
    if (status->has_gyro && dialect->gyro.tag != 0) {
        put_gyro(&writer, dialect->gyro.tag, status->gyro_rate_dps, status->gyro_angle_deg);
    }
    if (status->has_accel && dialect->accel.tag != 0) {
        put_accel(&writer, dialect->accel.tag, status->accel_g);
    }
    for (unsigned n = 0; n < dialect->analog.channels; n++) {
        if ((status->analogs >> n & 1) != 0) {
            put_channel_f32(&writer, dialect->analog.tag, (uint8_t)n,
                            bits_of_f32(status->analog_v[n]));
        }
    }
    return writer.full ? 0 : writer.size;
}

// --------------------------------------------------------------------------- by name

/// The public functions of a dialect, over its layout of the same name: all but the decoder of a status.
#define DIALECT_CODECS(name)                                                           \
    hy_wire_report hy_##name##_command_decode(hy_bytes datagram, hy_wire_command *out) \
    {                                                                                  \
        return command_decode(&name, datagram, out);                                   \
    }                                                                                  \
    size_t hy_##name##_command_encode(const hy_wire_command *command, hy_room room)    \
    {                                                                                  \
        return command_encode(&name, command, room);                                   \
    }                                                                                  \
    size_t hy_##name##_status_encode(const hy_wire_status *status, hy_room room)       \
    {                                                                                  \
        return status_encode(&name, status, room);                                     \
    }

#endif
