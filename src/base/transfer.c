#include "base_transfer.h"

#include "base_bytes.h"

#include <string.h>

bool hy_transfer_has_room(hy_transfer_cursor *c, size_t size)
{
    c->failed = c->failed || c->size - c->at < size;
    return !c->failed;
}

// `size` bytes, the lowest first.
uint64_t hy_transfer_number(hy_transfer_cursor *c, uint64_t value, size_t size)
{
    if (!hy_transfer_has_room(c, size)) {
        return 0;
    }
    if (!c->reads) {
        hy_store_le(c->to + c->at, value, size);
    }
    const uint8_t *const from = (c->reads ? c->from : c->to) + c->at;
    c->at += size;
    switch (size) { // compilers make one load of a loop whose length they know
    case 1: return from[0];
    case 4: return hy_load_le(from, 4);
    case 8: return hy_load_le(from, 8);
    default: return hy_load_le(from, size);
    }
}

void hy_transfer_fixed(hy_transfer_cursor *c, uint8_t *bytes, size_t size)
{
    if (!hy_transfer_has_room(c, size)) {
        return;
    }
    if (c->reads) {
        memcpy(bytes, c->from + c->at, size);
    } else {
        memcpy(c->to + c->at, bytes, size);
    }
    c->at += size;
}

void hy_transfer_i64(hy_transfer_cursor *c, int64_t *value)
{
    *value = (int64_t)hy_transfer_number(c, (uint64_t)*value, 8);
}

void hy_transfer_i64_within(hy_transfer_cursor *c, int64_t *value, int64_t low, int64_t high)
{
    hy_transfer_i64(c, value);
    c->failed = c->failed || *value < low || *value > high;
}

void hy_transfer_f64(hy_transfer_cursor *c, double *value)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    bits = hy_transfer_number(c, bits, 8);
    memcpy(value, &bits, sizeof bits);
}

void hy_transfer_f64_within(hy_transfer_cursor *c, double *value, double low, double high)
{
    hy_transfer_f64(c, value);
    c->failed = c->failed || !(*value >= low && *value <= high); // NaN is neither
}

unsigned hy_transfer_small(hy_transfer_cursor *c, unsigned value, unsigned most)
{
    const unsigned out = (unsigned)hy_transfer_number(c, value, 1);
    c->failed = c->failed || out > most;
    return c->failed ? 0 : out;
}

void hy_transfer_index(hy_transfer_cursor *c, size_t *index)
{
    c->failed = c->failed || (!c->reads && *index > UINT8_MAX);
    *index = (size_t)hy_transfer_number(c, *index, 1);
}

void hy_transfer_bool(hy_transfer_cursor *c, bool *value)
{
    *value = hy_transfer_small(c, *value, 1) != 0;
}
