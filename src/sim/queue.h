/// @file queue.h
/// Datagrams that boards have sent and nobody has taken yet, oldest first.
#ifndef HALYARD_SIM_QUEUE_H
#define HALYARD_SIM_QUEUE_H

#include <halyard/sim.h>

typedef struct {
    hy_sim_datagram datagram; // its bytes are those below
    uint8_t bytes[HY_WIRE_STATUS_MAX];
} sim_queued;

typedef struct {
    uint64_t overflowed;
    // Private.
    size_t first, count;
    size_t taken; // since the last release: their bytes may still be read
    sim_queued at[HY_SIM_QUEUE];
} sim_queue;

/// Empties the queue.
void sim_queue_start(sim_queue *self);

/// Adds a copy of `datagram`; drops and counts it if the queue is full.
void sim_queue_push(sim_queue *self, const hy_sim_datagram *datagram);

/// Takes the oldest; its bytes stay until sim_queue_release().
bool sim_queue_take(sim_queue *self, hy_sim_datagram *out);
void sim_queue_release(sim_queue *self);

/// Adds what waits to `hash`.
void sim_queue_hash(const sim_queue *self, hy_hash *hash);

#endif
