/// @file robot_find.h
/// Finding robots without getting into anybody's way: a class shares its network.
///
/// Who is there is asked with a probe: one datagram of one byte, which no receiver can take for a
/// command, because a command has three (docs/spec/xrp-robot.md, section 2). A Halyard board
/// answers it with one status and does nothing else. The stock XRP firmware sends its stream to
/// whoever spoke last: to a probe until the next command of the program that drives it, 20 ms
/// later, which costs that program one status at most, and for good if there is no such program. So
/// an address gets one probe a search, and a stock robot that is being driven answers only by
/// chance: the program that drives it knows where it is.
///
///     hy_robot_candidate candidates[300];
///     hy_robot_network networks[8];
///     hy_robot_search search;
///     if (hy_robot_search_open(&search, candidates, 300) != HY_OK) { return 1; }
///     const int count = hy_robot_networks(networks, 8);
///     for (int i = 0; i < count; i++) {
///         hy_robot_search_add_network(&search, &networks[i], HY_WIRE_PORT);
///     }
///     while (hy_robot_search_wait(&search, INT64_MAX)) { }
///     printf("%zu robots\n", search.found);
///     hy_robot_search_close(&search);
#ifndef HALYARD_ROBOT_FIND_H
#define HALYARD_ROBOT_FIND_H

#include <halyard/base.h>
#include <halyard/link.h>
#include <halyard/wire.h>

HY_API_BEGIN

/// Where an XRP is in the Wi-Fi that it makes itself.
#define HY_ROBOT_ACCESS_POINT    "192.168.42.1"
#define HY_ROBOT_PROBE_PERIOD_US 10000   ///< A search asks this often: 100 addresses a second.
#define HY_ROBOT_ANSWER_US       1000000 ///< So long a search waits for the last answers.
/// A status that comes so long after a probe is no answer to it any more: it is a stream.
#define HY_ROBOT_STREAM_US 150000
#define HY_ROBOT_SWEEP_MAX 254 ///< Addresses of the largest network that is swept, a /24.

// --------------------------------------------------------------------------- what an address means

/// Finds up to `room` (> 0) endpoints of "xrp://HOST[:PORT]" or "teensy://HOST[:PORT]", and its
/// dialect. A name may block for seconds. Returns how many, or HY_EADDRESS (not a robot's URL),
/// HY_ENAME, HY_ESYSTEM.
int hy_robot_resolve(const char *url, const hy_dialect **dialect, hy_endpoint *out, size_t room);

#define HY_ROBOT_MISSING_MAX 160

/// What a person can do about a robot that does not answer at `url`, written into `text`: "is it
/// on, and is its address right?", or, if it would be on this computer, the line to type that
/// starts one. Returns `text`. Looks a name up, which may block.
const char *hy_robot_missing(const char *url, char text[HY_ROBOT_MISSING_MAX]);

/// The dialect in which `datagram` is a status, or NULL if it is none: cut, without a block that
/// robots send, or too short. What fits both dialects is taken for `likely` (may be NULL). O(size).
const hy_dialect *hy_robot_recognize(hy_bytes datagram, const hy_dialect *likely);

/// Asks `address` who is there: sends one probe through `link`. A robot answers with one status.
/// Fails as hy_link_send().
hy_status hy_robot_probe(hy_link *link, const hy_endpoint *address);

// ----------------------------------------------------------------------- networks of this computer

/// An IPv4 network that this computer is in.
typedef struct {
    char name[32];        ///< Of the interface.
    hy_endpoint own;      ///< This computer's address in it; port 0.
    unsigned prefix_bits; ///< 24 for a netmask of 255.255.255.0.
    bool is_loopback;
} hy_robot_network;

/// The IPv4 networks of all interfaces that are up, at most `room`. Returns how many, or
/// HY_ESYSTEM. Allocates for the duration of the call (the system's list).
int hy_robot_networks(hy_robot_network *out, size_t room);

#define HY_ROBOT_REACHABLE_MAX 256 ///< Bytes of a list of addresses, with its end.
#define HY_ROBOT_NOTICE_MAX    768 ///< Bytes of a notice, with its end.

/// Where other machines reach what listens on `listen`, with blanks between: the address itself,
/// or, if it is 0.0.0.0 or [::], the IPv4 addresses of this computer ("" if it has none). Returns
/// `out`. Allocates for the duration of the call.
const char *hy_robot_reachable_at(const hy_endpoint *listen, char out[HY_ROBOT_REACHABLE_MAX]);

/// The line "network: ..." (without its end) of a program that listens on an address that other
/// machines can reach: where, and what they can do; `can` continues "whoever can reach it", and is
/// cut after 400 bytes. False, and "", for a loopback address. Allocates for the duration of the
/// call.
bool hy_robot_network_notice(const hy_endpoint *listen, const char *can,
                             char text[HY_ROBOT_NOTICE_MAX]);

/// True if `address` is in `network`.
bool hy_robot_network_has(const hy_robot_network *network, const hy_endpoint *address);

/// How many addresses a sweep of `network` asks: all but its own two and this computer's.
uint32_t hy_robot_network_hosts(const hy_robot_network *network);

// --------------------------------------------------------------------------- a search

/// One address and what came from it.
typedef struct {
    hy_endpoint address;
    const hy_dialect *dialect; ///< Of its statuses; NULL while there is none.
    int64_t asked_us;          ///< When the probe went out; INT64_MIN: it has not.
    int64_t answered_us;       ///< When the first status came; INT64_MIN: none has.
    uint32_t statuses;         ///< That came.
    /// Of these, later than HY_ROBOT_STREAM_US after the probe: it sends us its stream.
    uint32_t late_statuses;
    /// Datagrams from there that are no status: something else lives at that port.
    uint32_t others;
    bool is_unreachable; ///< The system had no way to send there.
} hy_robot_candidate;

/// A search under way. The caller owns it and the list; it belongs to one thread. A closed or
/// zero-initialised one holds nothing.
typedef struct {
    // Read-only for the caller.
    hy_robot_candidate *candidates;
    size_t count, room;
    size_t asked; ///< The first so many have had their probe.
    size_t found; ///< Candidates with a status.
    hy_link link;
    // Private.
    int64_t send_due_us, end_us;
    unsigned refusals; // of the present probe, for a full buffer
} hy_robot_search;

/// Starts a search of the addresses that are added next; `candidates` (`room` of them) must outlive
/// it. Nothing is sent yet. Fails as hy_link_open().
hy_status hy_robot_search_open(hy_robot_search *self, hy_robot_candidate *candidates, size_t room);

/// Adds an address, once however often it is given. HY_EFULL; HY_EADDRESS for port 0.
hy_status hy_robot_search_add(hy_robot_search *self, const hy_endpoint *address);

/// Adds every address of `network` but its own two and this computer's. HY_ERANGE, and nothing is
/// added, if it is larger than a /24: so many strangers are not asked. HY_EFULL if not all of it
/// fitted.
hy_status hy_robot_search_add_network(hy_robot_search *self, const hy_robot_network *network,
                                      uint16_t port);

/// Asks whom it is time to ask, takes in what has come; O(count) for a batch of answers. False once
/// it is over, HY_ROBOT_ANSWER_US after the last probe. Call it when the descriptor is readable and
/// at hy_robot_search_due_us().
bool hy_robot_search_poll(hy_robot_search *self, int64_t now_us);

/// When hy_robot_search_poll() has something to do even if nothing comes. O(1).
int64_t hy_robot_search_due_us(const hy_robot_search *self);

/// For poll(2). It stays the search's.
intptr_t hy_robot_search_descriptor(const hy_robot_search *self);

/// Polls and waits until the search is over or `until_us` has come; false once it is over.
bool hy_robot_search_wait(hy_robot_search *self, int64_t until_us);

/// Ends it; the candidates stay as they are. Harmless when closed.
void hy_robot_search_close(hy_robot_search *self);

HY_API_END

#endif
