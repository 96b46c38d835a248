#include "host_boards.h"

#include "host_refusals.h"

// Batches that are read at most in one call.
#define BATCHES_MAX 63

// What the system had to drop is newer than what was read, and may have been a stop.
static bool has_lost(hy_host_boards *self, size_t index)
{
    const uint64_t overflowed = hy_link_overflowed(&self->link[index]);
    const bool has_lost = overflowed != self->overflowed[index];
    self->overflowed[index] = overflowed;
    return has_lost;
}

static void give(hy_host_boards *self, hy_sim *sim, int64_t now_us, const hy_sim_datagram *one,
                 hy_sim_refusal *refusal)
{
    const hy_board *const board = hy_sim_board_at(sim, one->board);
    const uint64_t strangers = hy_board_counts(board)->rx_strangers + refusal->refused.strangers;
    hy_refusals_check_command(self->program, hy_board_dialect(board), &one->peer, one->bytes);
    if (hy_sim_give(sim, now_us, one, refusal)) {
        hy_host_boards_send(self, sim);
    }
    // Faults hold commands back: then it may be another one.
    if (hy_board_counts(board)->rx_strangers + refusal->refused.strangers > strangers &&
        hy_sim_setup_of(sim).faults == NULL) {
        hy_refusals_say(self->program, &one->peer, "a command", "another program drives this robot");
    }
}

// Up to a batch for one board. False if no more waits.
static bool receive_batch(hy_host_boards *self, size_t index, hy_sim *sim, int64_t now_us,
                          int64_t start_us)
{
    hy_datagram batch[HY_LINK_BATCH];
    hy_sim_refusal refusal = { .board = index };
    const hy_sim_datagram lost = { .board = index };
    const size_t count = hy_link_receive(&self->link[index], batch, HY_LINK_BATCH);
    for (size_t k = 0; k < count; k++) {
        const hy_sim_datagram one = { .board = index,
                                      .peer = batch[k].peer,
                                      .at_us = batch[k].at_us - start_us,
                                      .bytes = batch[k].bytes };
        give(self, sim, now_us, &one, &refusal);
    }
    const bool has_refused = refusal.refused.strangers + refusal.refused.too_short > 0;
    const bool has_gap = count < HY_LINK_BATCH && has_lost(self, index); // behind all that was read
    if (has_refused || has_gap) {
        hy_sim_step(sim, &(hy_sim_input){ .now_us = now_us,
                                          .datagrams = &lost,
                                          .datagram_count = has_gap ? 1 : 0,
                                          .refusals = &refusal,
                                          .refusal_count = has_refused ? 1 : 0 });
        hy_host_boards_send(self, sim);
    }
    return count == HY_LINK_BATCH;
}

void hy_host_boards_receive(hy_host_boards *self, hy_sim *sim, int64_t now_us, int64_t start_us)
{
    bool may_be_more = self->count > 0;
    for (int i = 0; i < BATCHES_MAX && may_be_more; i++) {
        may_be_more = false;
        for (size_t k = 0; k < self->count; k++) {
            may_be_more = receive_batch(self, k, sim, now_us, start_us) || may_be_more;
        }
    }
}

void hy_host_boards_send(hy_host_boards *self, hy_sim *sim)
{
    for (hy_sim_datagram out; hy_sim_next_datagram(sim, &out);) {
        (void)hy_link_send(&self->link[out.board], &out.peer, out.bytes);
    }
}

void hy_host_boards_close(hy_host_boards *self)
{
    while (self->count > 0) {
        hy_link_close(&self->link[--self->count]);
    }
}

uint64_t hy_host_boards_overflowed(hy_host_boards *self)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < self->count; i++) {
        sum += hy_link_overflowed(&self->link[i]);
    }
    return sum;
}
