#include "input.h"

#include "base/base_bytes.h"

// Behind a packed one there may be zeros, up to a whole group.
static bool is_padding(hy_bytes bytes, bool is_packed)
{
    for (size_t i = 0; i < bytes.size; i++) {
        if (bytes.data[i] != 0) {
            return false;
        }
    }
    return bytes.size < (is_packed ? RECORD_PACK_GROUP : 1);
}

bool record_input_read(hy_bytes value, bool is_packed, record_input_room *room, hy_sim_input *input,
                       uint64_t *number)
{
    size_t size = value.size;
    if (is_packed) {
        if (!record_unpack(value, (hy_room){ room->unpacked, sizeof room->unpacked }, &size)) {
            return false;
        }
        value = (hy_bytes){ room->unpacked, size };
    }
    if (size < RECORD_INPUT_HEAD) {
        return false;
    }
    hy_bytes bytes = { value.data + RECORD_INPUT_HEAD, size - RECORD_INPUT_HEAD };
    if (hy_sim_input_read(bytes, &room->lists, input, &size) != HY_OK ||
        !is_padding((hy_bytes){ bytes.data + size, bytes.size - size }, is_packed)) {
        return false;
    }
    bytes.size = size;
    *number = hy_load_le(value.data, 8);
    return record_input_check(*number, bytes) == hy_load_le(value.data + 8, 4);
}
