#include "queue.h"

#include <assert.h>
#include <string.h>

void sim_queue_start(sim_queue *self)
{
    self->overflowed = 0;
    self->first = self->count = self->taken = 0;
}

void sim_queue_push(sim_queue *self, const hy_sim_datagram *datagram)
{
    assert(datagram->bytes.size <= HY_WIRE_STATUS_MAX);
    if (self->taken + self->count == HY_SIM_QUEUE) {
        self->overflowed++;
        return;
    }
    sim_queued *const place = &self->at[(self->first + self->count) % HY_SIM_QUEUE];
    place->datagram = *datagram;
    place->datagram.bytes.data = place->bytes;
    memcpy(place->bytes, datagram->bytes.data, datagram->bytes.size);
    self->count++;
}

bool sim_queue_take(sim_queue *self, hy_sim_datagram *out)
{
    if (self->count == 0) {
        return false;
    }
    *out = self->at[self->first].datagram;
    self->first = (self->first + 1) % HY_SIM_QUEUE;
    self->count--;
    self->taken++;
    return true;
}

void sim_queue_release(sim_queue *self)
{
    self->taken = 0;
    if (self->count == 0) {
        self->first =
            0; // the same few places again and again: they stay in the cache, the others cost no memory
    }
}

void sim_queue_hash(const sim_queue *self, hy_hash *hash)
{
    hy_hash_u64(hash, self->overflowed);
    hy_hash_u64(hash, self->count);
    for (size_t i = 0; i < self->count; i++) {
        const hy_sim_datagram *const one = &self->at[(self->first + i) % HY_SIM_QUEUE].datagram;
        hy_hash_u64(hash, one->board);
        hy_hash_bytes(hash, (hy_bytes){ one->peer.ip, sizeof one->peer.ip });
        hy_hash_u64(hash, (uint64_t)one->peer.scope << 16 | one->peer.port);
        hy_hash_u64(hash, (uint64_t)one->at_us);
        hy_hash_bytes(hash, one->bytes);
    }
}
