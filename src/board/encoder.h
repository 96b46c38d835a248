/// @file encoder.h
/// An encoder as the XRP reads it: a state machine that times every edge of the quadrature signal, and
/// firmware that averages those times, notices when the wheel stops, and rests while disabled.
#ifndef HALYARD_BOARD_ENCODER_H
#define HALYARD_BOARD_ENCODER_H

#include <halyard/base.h>

#define ENCODER_SAMPLES 8 ///< SPEC xrp-robot, encoders: the period is the mean of so many.

typedef struct {
    int64_t clock_hz, ticks_per_ms;
    // The wheel, as the pins last told it.
    double position; // counts
    int64_t position_us;
    bool has_position;
    // The state machine that counts: on from `on_us`, or off since `off_us`.
    bool counting;
    int64_t on_us, off_us;
    double ticks_per_us;
    int64_t edge_ticks; // of the last edge, or of the start of counting; time spent off is taken out
    // What the firmware made of its edges.
    uint32_t count;
    bool forward;
    uint32_t samples[ENCODER_SAMPLES];
    unsigned sample_count, sample_next;
    int64_t sample_ms; // when the last one came
    uint32_t reported_ticks;
    bool reported_forward;
    int64_t standing_ms; // without an edge for that long, the wheel must have slowed down or stopped
    int64_t start_us;
} encoder;

/// Starts an encoder at rest, not counting. `clock_hz` ticks per second.
void encoder_start(encoder *self, int64_t clock_hz, int64_t now_us);

void encoder_count_on(encoder *self, int64_t now_us);
void encoder_count_off(encoder *self, int64_t now_us);

/// The wheel is at `position` counts at `now_us`; what it passed since the last call is spread evenly over
/// the time between. O(1), however far it went. A position that is no number is not believed.
void encoder_sense(encoder *self, double position, int64_t now_us);

/// Takes over the newest period, as the firmware does when it writes a status.
void encoder_latch(encoder *self);

/// What the status says: (ticks per count << 1) | forward, or UINT32_MAX for a wheel that stands.
uint32_t encoder_period(const encoder *self, int64_t now_us);

/// Adds everything of the encoder to `hash`.
void encoder_hash(const encoder *self, hy_hash *hash);

#endif
