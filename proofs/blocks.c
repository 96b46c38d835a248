// The next block of every datagram lies in it. It begins where the header ends: further on, a datagram is like a shorter one. Each size byte is a case
// of its own, with the datagram one byte too short for it, just long enough, and one byte longer, so that the bounds are exact.
#include "arbitrary.h"

#include "../src/wire/blocks.h"

#define SIZE_MAX_HERE (HY_WIRE_HEADER_SIZE + 2 + HY_WIRE_PAYLOAD_MAX + 1)

static uint8_t bytes[SIZE_MAX_HERE];

static void step(size_t size, uint8_t size_byte)
{
    uint8_t *const data = bytes + sizeof bytes - size;
    hy_block block;
    if (size > HY_WIRE_HEADER_SIZE) {
        data[HY_WIRE_HEADER_SIZE] = size_byte;
    }
    hy_block_iter iter = block_begin((hy_bytes){ data, size });
    const size_t before = iter.next;
    const bool has_block = block_next(&iter, &block);
    //@ assert iter.next <= size;
    if (has_block && size_byte != 0) {
        const size_t end = block.at + 2 + block.payload.size;
        //@ assert before <= block.at && end == iter.next && end <= size;
        //@ assert block.payload.data == data + block.at + 2;
    }
    //@ slevel merge;
    ;
}

int main(void)
{
    arbitrary(bytes, sizeof bytes);
    for (size_t size = 0; size <= HY_WIRE_HEADER_SIZE; size++) {
        step(size, arbitrary_u8());
    }
    for (size_t size_byte = 1; size_byte <= UINT8_MAX; size_byte++) {
        step(HY_WIRE_HEADER_SIZE + size_byte, (uint8_t)size_byte);
        step(HY_WIRE_HEADER_SIZE + 1 + size_byte, (uint8_t)size_byte);
        step(HY_WIRE_HEADER_SIZE + 2 + size_byte, (uint8_t)size_byte);
    }
    step(SIZE_MAX_HERE, 0); // padding
    return 0;
}
