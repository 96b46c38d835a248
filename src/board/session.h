/// @file session.h
/// Who commands a board, which commands count, and when it speaks: what the boards of the field have
/// in common, whatever hangs on their pins.
///
/// Without defects, the sender of an accepted command owns the board until HY_BOARD_WATCHDOG_US pass
/// without another one; nobody else is obeyed meanwhile. With them, as the stock firmware: everybody
/// is obeyed whose number is acceptable, and the statuses go to the last sender.
#ifndef HALYARD_BOARD_SESSION_H
#define HALYARD_BOARD_SESSION_H

#include <halyard/board.h>

#define SESSION_PROBES  16 ///< Probes that can wait for their answer.
#define SESSION_SENDERS 8  ///< Senders whose numbers are remembered ...
#define SESSION_REMEMBER_US \
    60000000 ///< ... for so long after the last command that was taken from them.

/// Whoever sent commands that were taken, and how far its numbers had come.
typedef struct {
    hy_endpoint endpoint; // nobody: free
    hy_seq_gate gate;
    int64_t taken_us;
} session_sender;

typedef struct {
    hy_board_counters counts; ///< Only `rx_malformed` and `watchdog_trips` are counted by the board.
    // Read-only for the board.
    hy_endpoint commander; ///< Sent the last accepted command; nobody before the first.
    bool alive;            ///< The watchdog is fed.
    // Private.
    bool stock_bugs;
    int64_t status_period_us;
    session_sender senders[SESSION_SENDERS];
    uint16_t stock_max; // the highest number so far, as the stock firmware keeps it
    int64_t fed_us;
    hy_endpoint listener; // gets the statuses
    int64_t status_due_us;
    uint16_t status_seq;
    hy_endpoint probes[SESSION_PROBES];
    size_t probe_count;
    int64_t probed_us; // when the first of them came
} session;

/// One status to be sent.
typedef struct {
    hy_endpoint to;
    uint16_t seq;
    bool is_regular; ///< Its turn in the stream; otherwise the answer to a probe.
} session_status;

/// Starts a session: nobody speaks with the board yet.
void session_start(session *self, bool stock_bugs, int64_t status_period_us, int64_t now_us);

/// Runs the watchdog. True if it has just run out, at `*ran_out_us`: the outputs must be shut off.
bool session_expire(session *self, int64_t now_us, int64_t *ran_out_us);

/// What the board must do with a datagram.
typedef enum {
    SESSION_DROP, ///< Nothing.
    SESSION_STOP, ///< Disable, and nothing else: a command of the owner with control 0, late or doubled.
    SESSION_OBEY, ///< All that the command says.
} session_verdict;

/// When a datagram arrived, and when the board gets it, which is not earlier.
typedef struct {
    int64_t at_us, now_us;
} session_time;

/// A datagram arrived. Call session_expire() before.
session_verdict session_receive(session *self, const hy_endpoint *from, hy_bytes datagram,
                                const session_time *time);

/// Whether session_receive() would do no more than count a datagram of `size` bytes. Call session_expire() before.
bool session_only_counts(const session *self, const hy_endpoint *from, size_t size);

/// Takes the next status that is due at `now_us`. False if none is.
bool session_next_status(session *self, int64_t now_us, session_status *out);

/// Adds everything of the session to `hash`.
void session_hash(const session *self, hy_hash *hash);

/// When session_expire() or session_next_status() will have something to do; INT64_MAX if never.
int64_t session_due_us(const session *self);

#endif
