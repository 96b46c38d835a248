/// The block iterator and writer as inline code, for the codecs' inner loops. blocks.c makes the
/// public functions of it; what they promise stands in <halyard/wire.h>.
#ifndef HALYARD_WIRE_BLOCKS_H
#define HALYARD_WIRE_BLOCKS_H

#include <halyard/wire.h>

#include "bytes.h"

// The smallest payload that means something, for each kind.
enum {
    PAYLOAD_CHANNEL_F32 = 5, // motor, servo, analog: channel, value
    PAYLOAD_DIO = 2,         // channel, level
    PAYLOAD_GYRO = 24,       // 3 rates, 3 angles
    PAYLOAD_ACCEL = 12,      // 3 axes
    PAYLOAD_ENCODER_SHORT = 5,
    PAYLOAD_ENCODER_LONG = 13, // the short one and the period
};

// What the packets of the field are made of, for the layout of the code: clang otherwise finds each
// block's kind through a jump table.
#ifdef __GNUC__
#define EXPECT(condition, usual) __builtin_expect((condition), (usual))
#else
#define EXPECT(condition, usual) (condition)
#endif

/// Fills `size` bytes with 0. Out of line, because compilers turn a memset of a known size into an
/// instruction that takes longer than all the rest of a decoding.
void hy_wire_clear(void *out, size_t size);

static inline hy_block_iter block_begin(hy_bytes datagram)
{
    const bool has_header = datagram.size >= HY_WIRE_HEADER_SIZE;
    return (hy_block_iter){ .datagram = datagram,
                            .next = has_header ? HY_WIRE_HEADER_SIZE : datagram.size };
}

static inline bool block_next(hy_block_iter *iter, hy_block *out)
{
    const uint8_t *const data = iter->datagram.data;
    const size_t size = iter->datagram.size;
    for (size_t at = iter->next; at < size; at++) {
        const size_t body = data[at]; // tag and payload
        if (EXPECT(body == 0, 0)) {   // padding
            continue;
        }
        const size_t next = at + 1 + body; // no overflow: what `size` counts is in memory
        if (EXPECT(next > size, 0)) {
            iter->next = at;
            iter->malformed = true;
            iter->error_at = at;
            return false;
        }
        iter->next = next;
        *out = (hy_block){ data[at + 1], at, { data + at + 2, body - 1 } };
        return true;
    }
    iter->next = size;
    return false;
}

/// Room for `size` more bytes; NULL, and the writer full for good, if there is none.
static inline uint8_t *writer_claim(hy_block_writer *writer, size_t size)
{
    if (writer->full || size > writer->room.size - writer->size) {
        writer->full = true;
        return NULL;
    }
    uint8_t *const p = writer->room.data + writer->size;
    writer->size += size;
    return p;
}

static inline hy_block_writer writer_begin(hy_room room, uint16_t seq, uint8_t control)
{
    hy_block_writer writer = { .room = room };
    uint8_t *const p = writer_claim(&writer, HY_WIRE_HEADER_SIZE);
    if (!writer.full) {
        put_u16(p, seq);
        p[2] = control;
    }
    return writer;
}

/// Room for the payload of a new block; NULL, and the writer full for good, if there is none.
static inline uint8_t *writer_open(hy_block_writer *writer, uint8_t tag, size_t payload_size)
{
    uint8_t *const p = writer_claim(writer, 2 + payload_size);
    if (writer->full) {
        return NULL;
    }
    p[0] = (uint8_t)(1 + payload_size);
    p[1] = tag;
    return p + 2;
}

// Into `out`, field by field: clang packs a struct that is returned into two registers first.
static inline void get_encoder(hy_bytes payload, hy_wire_encoder *out)
{
    out->count = get_i32(payload.data + 1);
    out->has_period = payload.size >= PAYLOAD_ENCODER_LONG;
    if (out->has_period) {
        out->period_num = get_u32(payload.data + 5);
        out->period_den = get_u32(payload.data + 9);
    } else {
        out->period_num = out->period_den = 0;
    }
}

static inline void get_f32x3(const uint8_t *p, float out[3])
{
    out[0] = get_f32(p);
    out[1] = get_f32(p + 4);
    out[2] = get_f32(p + 8);
}

static inline void put_channel_f32(hy_block_writer *writer, uint8_t tag, uint8_t id, uint32_t bits)
{
    uint8_t *const p = writer_open(writer, tag, PAYLOAD_CHANNEL_F32);
    if (!writer->full) {
        p[0] = id;
        put_u32(p + 1, bits);
    }
}

static inline void put_dio(hy_block_writer *writer, uint8_t tag, uint8_t id, uint8_t level)
{
    uint8_t *const p = writer_open(writer, tag, PAYLOAD_DIO);
    if (!writer->full) {
        p[0] = id;
        p[1] = level;
    }
}

/// `count` floats and nothing else: gyro and accelerometer.
static inline void put_f32x3(uint8_t *p, const float in[3])
{
    put_f32(p, in[0]);
    put_f32(p + 4, in[1]);
    put_f32(p + 8, in[2]);
}

static inline void put_gyro(hy_block_writer *writer, uint8_t tag, const float rate_dps[3],
                            const float angle_deg[3])
{
    uint8_t *const p = writer_open(writer, tag, PAYLOAD_GYRO);
    if (!writer->full) {
        put_f32x3(p, rate_dps);
        put_f32x3(p + 12, angle_deg);
    }
}

static inline void put_accel(hy_block_writer *writer, uint8_t tag, const float accel_g[3])
{
    uint8_t *const p = writer_open(writer, tag, PAYLOAD_ACCEL);
    if (!writer->full) {
        put_f32x3(p, accel_g);
    }
}

static inline void put_encoder(hy_block_writer *writer, uint8_t tag, uint8_t id,
                               const hy_wire_encoder *encoder)
{
    const size_t size = encoder->has_period ? PAYLOAD_ENCODER_LONG : PAYLOAD_ENCODER_SHORT;
    uint8_t *const p = writer_open(writer, tag, size);
    if (writer->full) {
        return;
    }
    p[0] = id;
    put_u32(p + 1, (uint32_t)encoder->count);
    if (encoder->has_period) {
        put_u32(p + 5, encoder->period_num);
        put_u32(p + 9, encoder->period_den);
    }
}

#endif
