// Each kind of block, written where any number of bytes is left, from none to more than it needs: no byte is written behind the room, and a block that does
// not fit leaves the writer full at its size. The room is an array of exactly its size, so a byte behind it would be an error. Then a payload
// of each size, which hy_block_write() copies, in a room one byte too small for it and one just large enough.
#include "arbitrary.h"

#include "../src/wire/blocks.c"

#define LEFT_MAX (2 + PAYLOAD_GYRO + 1)
#define USED_MAX HY_WIRE_HEADER_SIZE

static uint8_t bytes[2 + HY_WIRE_PAYLOAD_MAX + 1];
static uint8_t payload[HY_WIRE_PAYLOAD_MAX + 1];

enum { CHANNEL_F32, DIO, GYRO, ACCEL, ENCODER_SHORT, ENCODER_LONG, KINDS };

static void put(unsigned kind, hy_block_writer *writer)
{
    float values[6];
    arbitrary(values, sizeof values);
    const hy_wire_encoder encoder = { .has_period = kind == ENCODER_LONG };
    switch (kind) {
    case CHANNEL_F32:
        put_channel_f32(writer, arbitrary_u8(), arbitrary_u8(), bits_of_f32(values[0]));
        break;
    case DIO: put_dio(writer, arbitrary_u8(), arbitrary_u8(), arbitrary_u8()); break;
    case GYRO: put_gyro(writer, arbitrary_u8(), values, values + 3); break;
    case ACCEL: put_accel(writer, arbitrary_u8(), values); break;
    default: put_encoder(writer, arbitrary_u8(), arbitrary_u8(), &encoder); break;
    }
}

static void check(const hy_block_writer *writer, size_t before)
{
    const size_t size = writer->size;
    const size_t room = writer->room.size;
    const bool full = writer->full;
    //@ assert size <= room;
    //@ assert full ==> size == before;
    //@ assert !full ==> size > before;
    //@ slevel merge;
    ;
}

int main(void)
{
    arbitrary(bytes, sizeof bytes);
    arbitrary(payload, sizeof payload);
    for (size_t size = 0; size <= USED_MAX + LEFT_MAX; size++) {
        const hy_room room = { bytes + sizeof bytes - size, size };
        const hy_block_writer begun = writer_begin(room, 0, arbitrary_u8());
        check(&begun, 0);
        for (unsigned kind = 0; kind < KINDS; kind++) {
            hy_block_writer writer = begun;
            put(kind, &writer);
            check(&writer, begun.size);
        }
    }
    for (size_t size = 0; size <= sizeof payload; size++) {
        for (size_t left = size + 1; left <= size + 2; left++) {
            hy_block_writer writer = { .room = { bytes + sizeof bytes - left, left } };
            hy_block_write(&writer, arbitrary_u8(), (hy_bytes){ payload, size });
            check(&writer, 0);
        }
    }
    return 0;
}
