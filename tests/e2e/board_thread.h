/// @file board_thread.h
/// A board without a world, on a UDP port of its own, in a thread: what stop tests watch, because its
/// outputs are the truth about the motors, with the time at which they changed.
#ifndef HALYARD_TESTS_BOARD_THREAD_H
#define HALYARD_TESTS_BOARD_THREAD_H

#include <halyard/board.h>

typedef struct board_thread board_thread;

/// Starts on a free port of `host` ("127.0.0.1", "[::1]"); NULL if that address is not there.
board_thread *board_thread_start(const char *host);
void board_thread_end(board_thread *self);

/// Where it listens, "127.0.0.1:40000"; valid as long as the thread.
const char *board_thread_address(const board_thread *self);

/// Chances in [0, 1] that a datagram to the board, or from it, is lost; both 1 is a robot out of reach.
void board_thread_lose(board_thread *self, double commands, double statuses);

/// Power off and on again: sequence numbers start over.
void board_thread_restart(board_thread *self);

/// The duty of a motor; whether the board obeys; its counters.
double board_thread_motor(board_thread *self, unsigned motor);
bool board_thread_is_enabled(board_thread *self);
hy_board_counters board_thread_counts(board_thread *self);

/// Waits until motors 0 and 1 have been at these duties (0.005 more or less: the board has 255 steps each way), after
/// whatever the call before found. It looks at everything that they have been at, so a machine that is late misses
/// nothing. False if that takes longer than `limit_us`.
bool board_thread_await_duties(board_thread *self, double left, double right, int64_t limit_us);

/// hy_clock_now_us() of the moment since which all motors have been at 0; INT64_MAX while one is not.
int64_t board_thread_still_since_us(board_thread *self);

/// Waits until all motors are at 0 (or one is not); false if that takes longer than `limit_us`.
bool board_thread_await_still(board_thread *self, bool still, int64_t limit_us);

#endif
