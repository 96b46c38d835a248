/// @file wire_peer.h
/// A client's side of the link to one robot, as pure logic: where the robot may be and where it
/// answers, which of its statuses are new, whether it has started again, whether it is silent, and
/// what to send to it. It owns no socket and no clock:
///
///     static void take(hy_peer *peer, const hy_dialect *dialect, const hy_endpoint *robot,
///                      hy_bytes bytes)
///     {
///         hy_peer_start(peer, dialect, 500000);
///         hy_peer_set_addresses(peer, robot, 1);
///         hy_wire_status status; // a datagram came at 1 s:
///         if (hy_peer_take(peer, robot, bytes, 1000000, &status) & HY_PEER_STATUS) {
///             printf("%d\n", (int)status.encoder[0].count);
///         }
///     }
///
/// Freestanding; one peer serves one thread at a time. Every call is O(1) or O(size of the
/// datagram).
#ifndef HALYARD_WIRE_PEER_H
#define HALYARD_WIRE_PEER_H

#include <halyard/wire.h>

HY_API_BEGIN

#define HY_PEER_ADDRESSES 4 ///< Most addresses that one robot's name may have.

/// What a datagram was; several bits may be set. 0: nothing to be used.
typedef enum {
    HY_PEER_STATUS = 1,    ///< A new status.
    HY_PEER_ANSWERS = 2,   ///< With it, the robot answers: it had not yet, or was silent.
    HY_PEER_RESTARTED = 4, ///< With it, the robot counts anew, and so do its encoders and its gyro.
} hy_peer_news;

/// The client's side of the link to one robot.
typedef struct {
    hy_commander commander; ///< What is sent; the caller's to command, to write and to stop.
    // Read-only for the caller; counters only grow.
    hy_seq_gate gate; ///< Which statuses were new.
    /// Statuses without a header, or with a block that ran past the datagram (the rest is used).
    uint64_t rx_malformed;
    hy_wire_report first_malformed; ///< What was wrong with the first of those.
    uint64_t rx_sequence;           ///< Statuses dropped as duplicate or late.
    uint64_t restarts;              ///< Times that the robot counted anew.
    int64_t heard_us;               ///< When the newest status came; INT64_MIN before the first.
    /// Where it answers; port 0 while it does not. Maybe not among its addresses any more.
    hy_endpoint answering;
    // Private.
    const hy_dialect *dialect;
    hy_endpoint addresses[HY_PEER_ADDRESSES];
    size_t address_count;
    int64_t silence_us;
    uint16_t last_seq;
} hy_peer;

/// Starts disabled, without an address. Without a status for `silence_us` (> 0) the robot counts as
/// silent. `dialect` must outlive the peer.
void hy_peer_start(hy_peer *self, const hy_dialect *dialect, int64_t silence_us);

/// Where the robot may be: at most HY_PEER_ADDRESSES are used. A robot that answers keeps its
/// address whatever comes here.
void hy_peer_set_addresses(hy_peer *self, const hy_endpoint *addresses, size_t count);

/// Where commands go now: where the robot answers, else to all its addresses, so that none is lost
/// while we find out. Returns how many; valid until the next call.
size_t hy_peer_destinations(const hy_peer *self, const hy_endpoint **out);

/// A datagram came from `from` at `at_us` (monotonic, not negative): returns hy_peer_news bits;
/// with HY_PEER_STATUS, and only then, `out` has the status. What is not of the robot is dropped,
/// what is not new is counted and dropped.
unsigned hy_peer_take(hy_peer *self, const hy_endpoint *from, hy_bytes datagram, int64_t at_us,
                      hy_wire_status *out);

/// True if the robot is not silent: its newest status came less than `silence_us` ago.
static inline bool hy_peer_is_up(const hy_peer *self, int64_t now_us)
{
    return self->heard_us != INT64_MIN && now_us - self->heard_us < self->silence_us;
}

/// True once, when the robot has become silent since the last call. From then on all its addresses
/// are tried again.
bool hy_peer_watch(hy_peer *self, int64_t now_us);

HY_API_END

#endif
