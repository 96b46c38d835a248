/// @file lossy.h
/// A bad network in memory, one direction: datagrams go in, and come out later, lost, doubled,
/// delayed or in another order. Time is an argument and chance has a seed: the same calls give the
/// same losses everywhere.
///
///     static lossy_channel air;                  // 1 MiB: not on the stack
///     lossy_start(&air, seed);
///     air.options = (lossy_options){ .loss = 0.2, .delay_us = 3000 };
///     lossy_put(&air, bytes, now_us);
///     while (lossy_take(&air, now_us, &datagram)) { ... }     // valid until the next call
#ifndef HALYARD_TESTS_LOSSY_H
#define HALYARD_TESTS_LOSSY_H

#include <halyard/base.h>

#define LOSSY_CAPACITY     512  ///< Datagrams under way.
#define LOSSY_DATAGRAM_MAX 2048 ///< Bytes of one.

/// All zero is a perfect wire. May be changed at any time; holds for what is put afterwards.
typedef struct {
    double loss;        ///< Share of datagrams that never arrive, [0, 1].
    double duplication; ///< Share that arrives twice.
    double reordering;  ///< Share that is held back by `hold_us`, so that later ones overtake it.
    int64_t hold_us;
    int64_t delay_us;  ///< Every datagram takes at least this long.
    int64_t jitter_us; ///< And up to this much more, evenly drawn, in order.
    bool stalled;      ///< While set nothing comes out; then all of it at once, as Wi-Fi does.
} lossy_options;

/// Counters; they only grow.
typedef struct {
    uint64_t put, lost, duplicated, reordered, taken;
    uint64_t overflowed; ///< Lost because LOSSY_CAPACITY were under way, or for their length.
} lossy_counters;

typedef struct {
    lossy_options options;
    lossy_counters counters; ///< Read-only.
    // Private.
    hy_chance chance;
    uint64_t next_number;
    int64_t last_due_us;
    struct {
        bool used;
        int64_t due_us;
        uint64_t number; // of two that are due at the same time, the older goes first
        size_t size;
        uint8_t bytes[LOSSY_DATAGRAM_MAX];
    } slots[LOSSY_CAPACITY];
} lossy_channel;

/// An empty channel without faults.
void lossy_start(lossy_channel *self, uint64_t seed);

/// Copies `bytes` into the channel at `now_us`, or loses them. O(LOSSY_CAPACITY).
void lossy_put(lossy_channel *self, hy_bytes bytes, int64_t now_us);

/// Takes the first datagram that is due at `now_us`; false if there is none. `out` points into the
/// channel and is valid until the next call. O(LOSSY_CAPACITY).
bool lossy_take(lossy_channel *self, int64_t now_us, hy_bytes *out);

/// When lossy_take() will have something; INT64_MAX if never.
int64_t lossy_due_us(const lossy_channel *self);

#endif
