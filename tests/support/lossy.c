#include "lossy.h"

#include <string.h>

void lossy_start(lossy_channel *self, uint64_t seed)
{
    memset(self, 0, sizeof *self);
    self->chance = hy_chance_seeded(seed);
    self->last_due_us = INT64_MIN;
}

static bool happens(lossy_channel *self, double share)
{
    return hy_chance_unit(&self->chance) < share;
}

static void enter(lossy_channel *self, hy_bytes bytes, int64_t due_us)
{
    size_t slot = 0;
    while (slot < LOSSY_CAPACITY && self->slots[slot].used) {
        slot++;
    }
    if (slot == LOSSY_CAPACITY || bytes.size > LOSSY_DATAGRAM_MAX) {
        self->counters.overflowed++;
        return;
    }
    self->slots[slot].used = true;
    self->slots[slot].due_us = due_us;
    self->slots[slot].number = self->next_number++;
    self->slots[slot].size = bytes.size;
    if (bytes.size > 0) {
        memcpy(self->slots[slot].bytes, bytes.data, bytes.size);
    }
}

void lossy_put(lossy_channel *self, hy_bytes bytes, int64_t now_us)
{
    const lossy_options *options = &self->options;
    // Every datagram draws the same number of times, so that changing one option leaves the fate
    // that the others give to a datagram as it was.
    const bool is_lost = happens(self, options->loss);
    const bool is_doubled = happens(self, options->duplication);
    const bool is_held = happens(self, options->reordering);
    const double jitter = hy_chance_unit(&self->chance) * (double)options->jitter_us;

    self->counters.put++;
    if (is_lost) {
        self->counters.lost++;
        return;
    }
    int64_t due_us = now_us + options->delay_us + (int64_t)jitter;
    if (is_held) {
        self->counters.reordered++;
        due_us += options->hold_us;
    } else {
        due_us = due_us > self->last_due_us ? due_us : self->last_due_us;
        self->last_due_us = due_us;
    }
    enter(self, bytes, due_us);
    if (is_doubled) {
        self->counters.duplicated++;
        enter(self, bytes, due_us);
    }
}

/// The slot that is due first; LOSSY_CAPACITY if all are empty.
static size_t first_due(const lossy_channel *self)
{
    size_t first = LOSSY_CAPACITY;
    for (size_t i = 0; i < LOSSY_CAPACITY; i++) {
        if (!self->slots[i].used) {
            continue;
        }
        if (first == LOSSY_CAPACITY || self->slots[i].due_us < self->slots[first].due_us ||
            (self->slots[i].due_us == self->slots[first].due_us &&
             self->slots[i].number < self->slots[first].number)) {
            first = i;
        }
    }
    return first;
}

int64_t lossy_due_us(const lossy_channel *self)
{
    const size_t first = first_due(self);
    return self->options.stalled || first == LOSSY_CAPACITY ? INT64_MAX : self->slots[first].due_us;
}

bool lossy_take(lossy_channel *self, int64_t now_us, hy_bytes *out)
{
    const size_t first = first_due(self);
    if (self->options.stalled || first == LOSSY_CAPACITY || self->slots[first].due_us > now_us) {
        return false;
    }
    self->slots[first].used = false;
    self->counters.taken++;
    *out = (hy_bytes){ self->slots[first].bytes, self->slots[first].size };
    return true;
}
