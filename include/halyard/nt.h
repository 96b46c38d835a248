/// @file nt.h
/// A NetworkTables 4.1 server: a sink of telemetry that AdvantageScope, Elastic, Glass and robot
/// programs connect to; or a client that publishes the same in somebody else's server. It runs in
/// threads of its own; whoever puts values never waits for the network. docs/spec/nt4.md says what
/// is spoken and who may do what.
///
///     static hy_nt *start(hy_telemetry *telemetry)
///     {
///         const uint8_t own[] = { 127, 0, 0, 1 };
///         const hy_nt_options options = { .listen = hy_endpoint_ipv4(own, HY_NT_PORT) };
///         hy_nt *nt;
///         if (hy_nt_open(&nt, &options) != HY_OK) { return NULL; }
///         hy_telemetry_attach(telemetry, hy_nt_sink(nt));
///         return nt; // hy_nt_close() ends it
///     }
#ifndef HALYARD_NT_H
#define HALYARD_NT_H

#include <halyard/telemetry.h>

HY_API_BEGIN

#define HY_NT_PORT        5810 ///< Where clients look for a robot.
#define HY_NT_ALLOW_MAX   16   ///< Entries of a list of machines.
#define HY_NT_TEXT_MAX    256  ///< Bytes of a text that a client gives a tunable, with its NUL.
#define HY_NT_ORIGIN_SIZE 128  ///< Bytes of what a page says of its origin, with its NUL.

/// Machines: an address and how many of its first bits count.
typedef struct {
    uint8_t ip[16]; ///< As in hy_endpoint.
    unsigned bits;  ///< 0 .. 128; of an IPv4 address 96 more than usual.
} hy_nt_network;

/// Whether that address, an IPv4 one mapped into IPv6, is of the network. O(bits).
bool hy_nt_network_has(const hy_nt_network *self, const uint8_t ip[16]);

typedef struct {
    hy_endpoint listen; ///< Port 0: any free one.
    /// Another server to publish in, as a client, instead of serving; it may come and go. Port 0:
    /// none. The options below are then of no effect.
    hy_endpoint publish_to;
    /// Who may connect besides programs on this computer.
    const hy_nt_network *allowed;
    size_t allowed_count;  ///< At most HY_NT_ALLOW_MAX.
    bool others_may_write; ///< They may publish, too; programs on this computer always may.
    /// Origins of other servers' pages that may connect like programs of their computer
    /// ("http://localhost:5173"), and host names for this computer ("robot.local"): at most 15.
    /// AdvantageScope Lite (http://localhost:6768) may read without being among them.
    const char *const *trusted;
    size_t trusted_count;
} hy_nt_options;

/// Counters; they only grow.
typedef struct {
    uint64_t clients;      ///< That were let in.
    uint64_t values_in;    ///< From clients, that were taken.
    uint64_t values_out;   ///< To clients.
    uint64_t ignored;      ///< Messages from clients that are not allowed or not understood.
    uint64_t frames_late;  ///< That a client's queue had no room for; newer values followed.
    uint64_t disconnected; ///< Clients that broke the protocol or a limit.
    uint64_t lost;         ///< Values of ours that came faster than the server took them.
} hy_nt_counters;

/// A client wants a tunable to have another value (hy_channel_spec says what is one).
typedef struct {
    hy_channel channel;
    enum { HY_NT_NUMBER, HY_NT_FLAG, HY_NT_TEXT } kind;
    double number; ///< May be NaN or infinite: whoever applies it checks it.
    bool flag;
    char text[HY_NT_TEXT_MAX];
} hy_nt_change;

/// Of a client of another server. A server always has the first one.
typedef enum {
    HY_NT_STARTED,   ///< It has not been found out yet whether the other server is there.
    HY_NT_CONNECTED, ///< The other server has what is published.
    HY_NT_ABSENT,    ///< There is no connection; it is tried again every few seconds.
} hy_nt_state;

/// What was refused to a client.
typedef struct {
    enum {
        HY_NT_IGNORED,      ///< To change `text`, a topic of the owner's that is no tunable.
        HY_NT_OVER_SHARE,   ///< To publish more "topics" or "values" than its share.
        HY_NT_REFUSED_PAGE, ///< To connect, for it is a page whose origin is `text`.
    } what;
    /// Of a page what it says of itself, cut, with '?' for what cannot be printed.
    char text[HY_NT_ORIGIN_SIZE];
    uint8_t ip[16]; ///< The client's, as in hy_endpoint; all zero with HY_NT_IGNORED.
} hy_nt_notice;

typedef struct hy_nt hy_nt;

/// Starts a server, or a client of another one. HY_OK, or `*out` is NULL: HY_EADDRESS, HY_EINUSE
/// (another server is there), HY_EPERMISSION, HY_ESYSTEM, HY_EMEMORY. What the options point to is
/// copied.
hy_status hy_nt_open(hy_nt **out, const hy_nt_options *options);

/// Disconnects everybody and ends the threads; nothing may be put any more. NULL is harmless.
void hy_nt_close(hy_nt *self);

/// Where it listens, with the real port; of a client, the other server's address. O(1).
hy_endpoint hy_nt_address(const hy_nt *self);

/// Whether it publishes in another server instead of serving. O(1).
bool hy_nt_is_client(const hy_nt *self);

/// The sink to attach to a hy_telemetry: its channels become topics, but for those that are only in
/// files. Values that come faster than the server takes them are left out and counted.
hy_telemetry_sink hy_nt_sink(hy_nt *self);

/// The next change that clients want, in their order; false if there is none, which costs an
/// atomic read, or if the server is just adding one: then it comes with a later call. Never waits.
/// Only the newest of each channel is kept. Call from the thread that puts values.
bool hy_nt_next(hy_nt *self, hy_nt_change *out);

/// The state into `*out`; true if it is another one than at the last call. Costs an atomic read.
/// Call from the thread that puts values.
bool hy_nt_news(hy_nt *self, hy_nt_state *out);

/// The next thing that a server has to tell, valid until hy_nt_close(); false if there is none.
/// Each is told once, and of each kind a few at most. Costs an atomic read. Call from the thread
/// that puts values.
bool hy_nt_next_notice(hy_nt *self, const hy_nt_notice **out);

/// The counters as they are now: a copy. A client of another server counts what it sends as going
/// out, too.
hy_nt_counters hy_nt_count(hy_nt *self);

HY_API_END

#endif
