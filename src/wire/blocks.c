#include "blocks.h"

#include <string.h>

void hy_wire_clear(void *out, size_t size)
{
    memset(out, 0, size);
}

hy_block_iter hy_block_begin(hy_bytes datagram)
{
    return block_begin(datagram);
}

bool hy_block_next(hy_block_iter *iter, hy_block *out)
{
    return block_next(iter, out);
}

hy_block_writer hy_block_write_begin(hy_room room, uint16_t seq, uint8_t control)
{
    return writer_begin(room, seq, control);
}

bool hy_block_write(hy_block_writer *writer, uint8_t tag, hy_bytes payload)
{
    if (payload.size > HY_WIRE_PAYLOAD_MAX) {
        writer->full = true;
        return false;
    }
    uint8_t *const p = writer_open(writer, tag, payload.size);
    if (writer->full) {
        return false;
    }
    if (payload.size > 0) { // an empty view may be NULL, which memcpy must not get
        memcpy(p, payload.data, payload.size);
    }
    return true;
}

const char *hy_wire_error_text(hy_wire_error error)
{
    switch (error) {
    case HY_WIRE_WELL_FORMED: return "well formed";
    case HY_WIRE_NO_HEADER: return "shorter than the 3 bytes of a header";
    case HY_WIRE_CUT_BLOCK: return "block runs past the end of the datagram";
    }
    return "unknown error";
}
