#include "transfer.h"

#include <assert.h>
#include <string.h>

bool transfer_has_room(transfer_cursor *c, size_t size)
{
    c->failed = c->failed || c->size - c->at < size;
    return !c->failed;
}

// `size` bytes, the lowest first.
uint64_t transfer_number(transfer_cursor *c, uint64_t value, size_t size)
{
    if (!transfer_has_room(c, size)) {
        return 0;
    }
    uint64_t out = 0;
    for (size_t i = 0; i < size; i++) {
        if (!c->reads) {
            c->to[c->at + i] = (uint8_t)(value >> (8 * i));
        }
        const uint8_t byte = c->reads ? c->from[c->at + i] : c->to[c->at + i];
        out |= (uint64_t)byte << (8 * i);
    }
    c->at += size;
    return out;
}

void transfer_i64(transfer_cursor *c, int64_t *value)
{
    *value = (int64_t)transfer_number(c, (uint64_t)*value, 8);
}

void transfer_i64_within(transfer_cursor *c, int64_t *value, int64_t low, int64_t high)
{
    transfer_i64(c, value);
    c->failed = c->failed || *value < low || *value > high;
}

void transfer_f64(transfer_cursor *c, double *value)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    bits = transfer_number(c, bits, 8);
    memcpy(value, &bits, sizeof bits);
}

void transfer_f64_within(transfer_cursor *c, double *value, double low, double high)
{
    transfer_f64(c, value);
    c->failed = c->failed || !(*value >= low && *value <= high); // NaN is neither
}

unsigned transfer_small(transfer_cursor *c, unsigned value, unsigned most)
{
    const unsigned out = (unsigned)transfer_number(c, value, 1);
    c->failed = c->failed || out > most;
    return c->failed ? 0 : out;
}

void transfer_index(transfer_cursor *c, size_t *index)
{
    assert(c->reads || *index <= UINT8_MAX);
    *index = (size_t)transfer_number(c, *index, 1);
}

void transfer_bool(transfer_cursor *c, bool *value)
{
    *value = transfer_small(c, *value, 1) != 0;
}
