#include "pack.h"

#include <string.h>

size_t record_pack(hy_bytes bytes, uint8_t *out)
{
    size_t size = 0;
    for (size_t at = 0; at < bytes.size; at += RECORD_PACK_GROUP) {
        const size_t left = bytes.size - at;
        uint8_t *const bits = &out[size++];
        *bits = 0;
        for (unsigned i = 0; i < RECORD_PACK_GROUP && i < left; i++) {
            if (bytes.data[at + i] != 0) {
                *bits = (uint8_t)(*bits | 1U << i);
                out[size++] = bytes.data[at + i];
            }
        }
    }
    return size;
}

bool record_unpack(hy_bytes packed, hy_room room, size_t *size)
{
    size_t at = 0;
    *size = 0;
    while (at < packed.size) {
        unsigned bits = packed.data[at++];
        if (room.size - *size < RECORD_PACK_GROUP) {
            return false;
        }
        memset(room.data + *size, 0, RECORD_PACK_GROUP);
        for (size_t i = *size; bits != 0; i++, bits >>= 1) {
            if ((bits & 1) == 0) {
                continue;
            }
            if (at == packed.size || packed.data[at] == 0) {
                return false;
            }
            room.data[i] = packed.data[at++];
        }
        *size += RECORD_PACK_GROUP;
    }
    return true;
}
