// The UDP ports of the robots of a simulation, whose boards clients drive by the robots' own protocols.
#ifndef HALYARD_HOST_BOARDS_H
#define HALYARD_HOST_BOARDS_H

#include <halyard/link.h>
#include <halyard/sim.h>

#define HY_HOST_BOARDS_MAX 2 ///< What a world has room for beside six players.

/// All zero: there are no boards.
typedef struct {
    const char *program; ///< Who says what of others cannot be used.
    size_t count;
    hy_link link[HY_HOST_BOARDS_MAX]; ///< The caller opens them, and has its loop watch them.
    uint64_t overflowed[HY_HOST_BOARDS_MAX]; // private: datagrams that the system lost, as far as the boards know
} hy_host_boards;

/// Gives the boards what waits for them at `now_us` of the simulation, whose time 0 was at `start_us`, all of it before a step acts on it: the
/// newest may be the stop. What a board only counts is given as a count. A flood cannot hold the caller: 63 batches a call. Sends what the
/// boards answer, and says once of each sender what of it cannot be used.
void hy_host_boards_receive(hy_host_boards *self, hy_sim *sim, int64_t now_us, int64_t start_us);

/// Sends what the boards have to send. What the network refuses is counted by the links and lost, as on the air.
void hy_host_boards_send(hy_host_boards *self, hy_sim *sim);

void hy_host_boards_close(hy_host_boards *self);

/// The datagrams that the system lost because nobody read them in time.
uint64_t hy_host_boards_overflowed(hy_host_boards *self);

#endif
