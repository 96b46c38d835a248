/// @file link.h
/// UDP for robot programs: endpoints as text, names, sockets that move batches, one event loop and
/// the monotonic clock. It moves bytes and never reads one of them.
///
/// Nothing here blocks but hy_link_resolve(), hy_loop_run() and hy_loop_run_once(). Nothing
/// allocates but these: opening a link, once for its life, and the system's resolver. A link and a
/// loop belong to one thread at a time.
///
///     hy_endpoint robot;
///     if (hy_link_resolve("localhost:3540", 3540, &robot, 1) < 1) { return 1; }
///     hy_link link;
///     if (hy_link_open_to(&link, &robot) != HY_OK) { return 1; }
///     const uint8_t probe = 0;
///     hy_link_send(&link, &robot, (hy_bytes){ &probe, 1 });
///     hy_datagram answers[HY_LINK_BATCH]; // what has come, without waiting
///     const size_t count = hy_link_receive(&link, answers, HY_LINK_BATCH);
///     hy_link_close(&link);
#ifndef HALYARD_LINK_H
#define HALYARD_LINK_H

#include <halyard/base.h>

HY_API_BEGIN

// --------------------------------------------------------------------------- time

/// Microseconds on a clock that never steps back (CLOCK_MONOTONIC). Its zero means nothing.
int64_t hy_clock_now_us(void);

// --------------------------------------------------------------------------- endpoints as text

#define HY_ENDPOINT_TEXT_MAX 72 ///< Room for any endpoint as text, with the end of the string.

/// Reads "127.0.0.1:3540", "[::1]:3540", "[fe80::1%eth0]:3540" or the same without a port, which
/// then is `default_port`. Literals only, no names; IPv6 only in brackets, because "::1:3540" is an
/// address too. Port 0 is accepted: "any". HY_EADDRESS if `text` is none of these; `out` is
/// untouched then.
hy_status hy_endpoint_parse(const char *text, uint16_t default_port, hy_endpoint *out);

/// Writes "127.0.0.1:3540" or "[::1]:3540" into `text` and returns it. An interface goes by its
/// name if it has one.
const char *hy_endpoint_format(const hy_endpoint *endpoint, char text[HY_ENDPOINT_TEXT_MAX]);

/// Finds up to `room` endpoints for "HOST[:PORT]", HOST being a literal or a name (DNS, hosts file,
/// mDNS: what the system resolves), IPv4 before IPv6. A name blocks while the system asks around,
/// for seconds if nobody answers: call this outside of a control loop. Returns how many were found,
/// or HY_EADDRESS (neither a literal nor a name), HY_ENAME (nobody knows it), HY_ESYSTEM,
/// HY_EMEMORY.
int hy_link_resolve(const char *host, uint16_t default_port, hy_endpoint *out, size_t room);

/// Whether a link that is open on `local` can send to `peer`: IPv4 from IPv4, IPv6 from IPv6, and
/// both from "[::]". Pure.
bool hy_link_can_reach(const hy_endpoint *local, const hy_endpoint *peer);

// --------------------------------------------------------------------------- links

#define HY_LINK_BATCH 32 ///< Most datagrams that one receive returns, or one system call moves.
/// Bytes of the longest datagram of UDP (IPv6; 65507 with IPv4): a link receives them all.
#define HY_LINK_DATAGRAM_MAX 65527

/// One datagram to send or as received.
typedef struct {
    hy_endpoint peer; ///< Where it goes, or came from.
    /// To send: the caller's. Received: inside the link, valid until its next receive or close.
    hy_bytes bytes;
    // Received, in the time of hy_clock_now_us(). Not used for sending.
    int64_t read_us; ///< When its batch was read.
    /// When it arrived at this machine, read_us at the latest: what matters where an old datagram
    /// must not count as new. Within a millisecond of the time at which the link last found nothing
    /// waiting it is read_us; later the system tells, which on Linux stamps what arrives. Where it
    /// does not, or where its clock was set back meanwhile, it is the time at which nothing waited:
    /// the datagram may have arrived later, never earlier.
    int64_t at_us;
} hy_datagram;

/// A UDP socket. The caller owns the struct, which is small and may live anywhere. What is received
/// lies in memory that opening allocates and closing frees: 2 MiB of addresses, of which only as
/// much becomes real memory as datagrams have filled.
typedef struct hy_link hy_link;

/// Counters of a link; they only grow.
typedef struct {
    uint64_t rx_datagrams, rx_bytes;
    uint64_t rx_foreign; ///< Dropped: not from the peer of hy_link_open_to().
    /// Failed receives. For hy_link_open_to() on Linux also the network's reports (ICMP) that an
    /// earlier datagram did not arrive, because nobody listens there or the way is blocked.
    uint64_t rx_errors;
    uint64_t tx_datagrams, tx_bytes;
    uint64_t tx_full;        ///< Not sent: the system's buffer is full.
    uint64_t tx_unreachable; ///< Not sent: no route, or the address family does not fit.
    uint64_t tx_errors;      ///< Not sent: any other refusal.
} hy_link_counters;

struct hy_link {
    hy_link_counters counters; ///< Read-only for the caller.
    hy_endpoint local; ///< Where it is bound; the real port also if 0 was asked for. Read-only.
    // Private.
    intptr_t socket;
    hy_endpoint only_peer;
    struct hy_link_inbox *inbox;
    int64_t empty_us;    // what waits has come since then
    uint64_t overflowed; // losses of the system, as it last told
    size_t receive_room; // bytes of the system's buffer; 0: not known
    size_t queued;       // bytes of it, at most, that were read since nothing waited
    size_t queued_most;  // most of them since the system was asked
    bool is_open, is_ipv6;
    bool is_empty; // the last read left nothing waiting
};

/// Opens and binds a non-blocking socket. `local` with port 0 takes any free port; [::] serves IPv4
/// too. HY_EINUSE, HY_EADDRESS (not an address of this machine), HY_EPERMISSION, HY_ESYSTEM,
/// HY_EMEMORY; then the link is closed. `self` need not be initialised, and must not be open.
hy_status hy_link_open(hy_link *self, const hy_endpoint *local);

/// Opens a socket on any local port that listens to `peer` alone: datagrams from others are dropped
/// and counted. A peer that is not there is no error, and is found once it is. Fails as
/// hy_link_open(); HY_EADDRESS also for port 0.
hy_status hy_link_open_to(hy_link *self, const hy_endpoint *peer);

/// Closes, and frees what was received; harmless on a closed or zero-initialised link.
void hy_link_close(hy_link *self);

/// Sends one datagram. HY_OK, HY_AGAIN (the system's buffer is full), HY_EUNREACHABLE, HY_ESYSTEM;
/// counted either way.
hy_status hy_link_send(hy_link *self, const hy_endpoint *to, hy_bytes bytes);

/// Sends `count` datagrams in order, with as few system calls as the system allows (Linux: one for
/// HY_LINK_BATCH). Returns how many are done with: what the network refused is counted and skipped,
/// fewer than `count` means that the system's buffer is full.
size_t hy_link_send_batch(hy_link *self, const hy_datagram *datagrams, size_t count);

/// Receives up to `room` (> 0; at most HY_LINK_BATCH are used) waiting datagrams; returns how many.
/// 0 if none waits, or only a flood of datagrams that the link drops: waiting and asking again is
/// right in both cases.
size_t hy_link_receive(hy_link *self, hy_datagram *out, size_t room);

/// Called for one datagram, which is valid until it returns.
typedef void hy_link_take(void *context, const hy_datagram *datagram);

/// Hands everything that waits to `take`, oldest first, and returns how many datagrams that were.
/// What arrives meanwhile may be left for the next call, so that a flood cannot hold the caller: at
/// most 2048 datagrams are read.
size_t hy_link_receive_waiting(hy_link *self, hy_link_take *take, void *context);

/// Datagrams that the system has dropped since the link was opened, because they were not received
/// in time: its buffer was full. Linux alone tells it; 0 elsewhere. The system is asked only where
/// what was read since the last call could have filled its buffer: other calls cost nothing.
/// Datagrams dropped for a wrong checksum count too, once a later one has been received.
uint64_t hy_link_overflowed(hy_link *self);

/// The descriptor, for an event loop of the caller's. It stays the link's.
intptr_t hy_link_descriptor(const hy_link *self);

// --------------------------------------------------------------------------- the event loop
// For Unix. What stands above is for Windows too.

#define HY_LOOP_SOURCES 16 ///< Descriptors that one loop can watch.
#define HY_LOOP_TIMERS  16 ///< Timers of one loop.

typedef struct hy_loop hy_loop;

/// Called on the loop's thread. `context` is what was given with it.
typedef void hy_loop_readable(void *context, int64_t now_us);
typedef void hy_loop_elapsed(void *context, int64_t now_us);
typedef void hy_loop_signalled(void *context, int signal_number);

struct hy_loop {
    // Private.
    struct {
        intptr_t descriptor; // -1: free
        hy_loop_readable *readable;
        void *context;
    } sources[HY_LOOP_SOURCES];
    struct {
        int64_t due_us, period_us;
        hy_loop_elapsed *elapsed;
        void *context;
    } timers[HY_LOOP_TIMERS];
    hy_loop_signalled *signalled;
    void *signal_context;
    size_t source_count, timer_count;
    bool quit;
};

/// Starts an empty loop.
void hy_loop_init(hy_loop *self);

/// Calls `readable` whenever `descriptor` has something to read, has ended or is broken. HY_EFULL.
hy_status hy_loop_watch(hy_loop *self, intptr_t descriptor, hy_loop_readable *readable,
                        void *context);

/// Ends that; call it before the descriptor is closed. Harmless if it is not watched.
void hy_loop_forget(hy_loop *self, intptr_t descriptor);

/// Calls `elapsed` at `first_us` and then every `period_us` (> 0) on that grid; turns that were
/// missed are skipped, not made up for. HY_EFULL.
hy_status hy_loop_every(hy_loop *self, int64_t first_us, int64_t period_us,
                        hy_loop_elapsed *elapsed, void *context);

/// Has the timer that calls `elapsed` with `context` do so at `due_us` next, and on that grid from
/// then on. Nothing happens if there is none.
void hy_loop_postpone(hy_loop *self, hy_loop_elapsed *elapsed, const void *context, int64_t due_us);

/// Has SIGINT, SIGTERM and SIGHUP reported on the loop's thread instead of ending the process
/// (under nohup(1), SIGHUP stays ignored). One loop a process: HY_EFULL for a second one.
/// HY_ESYSTEM. NULL gives the signals back to those who had them before: do so before the loop goes
/// away.
hy_status hy_loop_on_signals(hy_loop *self, hy_loop_signalled *signalled, void *context);

/// Runs until hy_loop_quit(). HY_OK, or HY_ESYSTEM (a watched descriptor was closed, for one).
hy_status hy_loop_run(hy_loop *self);

/// Waits for at most `wait_us` (0: not at all), then calls what is due once. HY_OK, HY_AGAIN if
/// nothing was, HY_ESYSTEM. A quit in a callback ends this turn.
hy_status hy_loop_run_once(hy_loop *self, int64_t wait_us);

/// Makes hy_loop_run() return after the present callback; before it runs, at once.
void hy_loop_quit(hy_loop *self);

HY_API_END

#endif
