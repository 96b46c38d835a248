#include "encoder.h"

#include <stddef.h>

#define NEVER         UINT32_MAX
#define TICKS_MAX     0x7fffffff // the state machine's counter has 31 bits and stops at its end
#define STANDSTILL_MS 60000
#define POSITION_MAX  1e15 // counts: beyond, a double no longer tells two edges apart

// Decides what it means that no edge comes: here, because a division at every edge would be most of an encoder's cost.
static void report_edge(encoder *self, uint32_t ticks, bool forward)
{
    self->reported_ticks = ticks;
    self->reported_forward = forward;
    const int64_t period_ms = ticks / self->ticks_per_ms + 1; // rounded up
    self->standing_ms = 16 * period_ms;
}

void encoder_start(encoder *self, int64_t clock_hz, int64_t now_us)
{
    *self = (encoder){
        .clock_hz = clock_hz,
        .start_us = now_us,
        .off_us = now_us,
        .ticks_per_ms = clock_hz / 1000,
        .ticks_per_us = (double)clock_hz * 1e-6,
        .forward = true,
    };
    report_edge(self, NEVER, true);
}

void encoder_count_on(encoder *self, int64_t now_us)
{
    if (!self->counting) {
        self->edge_ticks += (int64_t)((double)(now_us - self->off_us) * self->ticks_per_us);
        self->on_us = now_us;
        self->counting = true;
    }
}

void encoder_count_off(encoder *self, int64_t now_us)
{
    if (self->counting) {
        self->off_us = now_us;
        self->counting = false;
    }
}

// --------------------------------------------------------------------------- edges

static void take_edge(encoder *self, int64_t at_ticks, bool forward)
{
    const int64_t ticks = at_ticks - self->edge_ticks;
    if (forward != self->forward || ticks >= self->standing_ms * self->ticks_per_ms) {
        self->sample_count = 0; // the mean must not mix two directions, or two drives
        self->forward = forward;
    }
    self->edge_ticks = at_ticks;
    self->samples[self->sample_next] = ticks < 0           ? 0
                                       : ticks > TICKS_MAX ? TICKS_MAX
                                                           : (uint32_t)ticks;
    self->sample_next = (self->sample_next + 1) % ENCODER_SAMPLES;
    if (self->sample_count < ENCODER_SAMPLES) {
        self->sample_count++;
    }
}

static int64_t floor_to_count(double position)
{
    const int64_t count = (int64_t)position;
    return (double)count > position ? count - 1 : count;
}

// The wheel went evenly from one position to the other, between two times since the start. Only the
// last edges have a say in the period: those before them are merely counted.
static void pass_edges(encoder *self, double from, double to, double from_us, double to_us)
{
    const int64_t first = floor_to_count(from);
    const int64_t last = floor_to_count(to);
    if (last == first) {
        return;
    }
    const bool forward = last > first;
    const int64_t edges = forward ? last - first : first - last;
    const int64_t timed = edges > ENCODER_SAMPLES + 1 ? ENCODER_SAMPLES + 1 : edges;
    self->count += forward ? (uint32_t)edges : 0U - (uint32_t)edges;
    const double us_per_count = (to_us - from_us) / (to - from);
    double at_us = from_us;
    for (int64_t i = edges - timed; i < edges; i++) {
        const int64_t edge = forward ? first + 1 + i : first - i;
        at_us = from_us + ((double)edge - from) * us_per_count;
        take_edge(self, (int64_t)(at_us * self->ticks_per_us), forward);
    }
    self->sample_ms = (int64_t)at_us / 1000;
}

void encoder_sense(encoder *self, double position, int64_t now_us)
{
    if (!(position > -POSITION_MAX && position < POSITION_MAX)) {
        return;
    }
    const double from = self->position;
    const int64_t from_us = self->position_us;
    const bool moved = self->has_position && now_us > from_us && position != from;
    self->position = position;
    self->position_us = now_us;
    self->has_position = true;
    // Counting may have begun or ended between the two calls.
    const int64_t begin_us = self->counting && self->on_us > from_us ? self->on_us : from_us;
    const int64_t end_us = !self->counting && self->off_us < now_us ? self->off_us : now_us;
    if (moved && begin_us < end_us) {
        // Exactly the positions that were told, where possible: rounding must not lose an edge.
        double begin = from, end = position;
        if (begin_us != from_us || end_us != now_us) {
            const double counts_per_us = (position - from) / (double)(now_us - from_us);
            begin = begin_us == from_us ? from : from + (double)(begin_us - from_us) * counts_per_us;
            end = end_us == now_us ? position : from + (double)(end_us - from_us) * counts_per_us;
        }
        pass_edges(self, begin, end, (double)(begin_us - self->start_us),
                   (double)(end_us - self->start_us));
    }
}

// --------------------------------------------------------------------------- the period

void encoder_latch(encoder *self)
{
    if (!self->counting || self->sample_count < ENCODER_SAMPLES) {
        return; // the old period stands until there are enough new samples
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < ENCODER_SAMPLES; i++) {
        sum += self->samples[i];
    }
    report_edge(self, (uint32_t)(sum / ENCODER_SAMPLES), self->forward);
}

uint32_t encoder_period(const encoder *self, int64_t now_us)
{
    if (!self->counting) {
        return NEVER;
    }
    const int64_t still_ms = (now_us - self->start_us) / 1000 - self->sample_ms;
    if (still_ms > STANDSTILL_MS) {
        return NEVER;
    }
    const uint32_t direction = self->reported_forward ? 1 : 0;
    if (still_ms >= self->standing_ms) { // the time since its last edge is the better guess
        return (uint32_t)(still_ms * self->ticks_per_ms) << 1 | direction;
    }
    return self->reported_ticks << 1 | direction; // before there was any: NEVER
}

// --------------------------------------------------------------------------- hash

void encoder_hash(const encoder *self, hy_hash *hash)
{
    const int64_t times[] = { self->clock_hz,   self->position_us, self->on_us,       self->off_us,
                              self->edge_ticks, self->sample_ms,   self->standing_ms, self->start_us };
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        hy_hash_u64(hash, (uint64_t)times[i]);
    }
    hy_hash_f64(hash, self->position);
    hy_hash_u64(hash, (uint64_t)self->count << 32 | self->reported_ticks);
    hy_hash_u64(hash, (uint64_t)self->has_position << 3 | (uint64_t)self->counting << 2 |
                          (uint64_t)self->forward << 1 | (uint64_t)self->reported_forward);
    for (unsigned i = 0; i < self->sample_count; i++) {
        hy_hash_u64(hash,
                    self->samples[(self->sample_next + ENCODER_SAMPLES - 1 - i) % ENCODER_SAMPLES]);
    }
    hy_hash_u64(hash, self->sample_count);
}
