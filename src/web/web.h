/// @file web.h
/// A small web server for programs that show something in a browser: files, and WebSockets that
/// carry the newest state, or messages in a queue. It serves in a thread of its own, so that a
/// browser never keeps its owner waiting.
///
/// What a client is shown lies in numbered slots: a new text in a slot replaces one that has not
/// gone out yet, so a slow client misses texts instead of queueing them, and nothing is written
/// while nothing is new. What clients say waits for the owner, who watches one descriptor.
///
/// A client is a stranger until the owner admits it. Strangers give way: who comes without a valid
/// token cannot keep out who has one, however many connections it opens and however slow they are.
/// Reading is bounded as well: a client may send 1 MB a second, and what its owner has not taken in
/// holds it back; nothing that it said is dropped.
///
/// Allocates only when it starts. The functions belong to one thread at a time, the owner's; none
/// of them waits for a client.
///
///     const hy_web_endpoint live = { .path = "/live", .protocol = "my-page" };
///     const size_t slots[] = { 1000 };
///     const hy_web_options options = { .listen = { .port = 5800 },
///                                      .folder = "page",
///                                      .endpoints = &live,
///                                      .endpoint_count = 1,
///                                      .slot_sizes = slots,
///                                      .slot_count = 1 };
///     hy_web *web;
///     if (hy_web_open(&web, &options) != HY_OK) { return 1; }
///     printf("http://localhost:%u/\n", hy_web_address(web).port);
///     hy_web_close(web);
#ifndef HALYARD_WEB_H
#define HALYARD_WEB_H

#include <halyard/base.h>

#define HY_WEB_MEMBERS 16 ///< WebSockets at a time of who has a valid token.
/// WebSockets in all, at most: members, visitors, and who has not been admitted yet.
#define HY_WEB_CLIENTS   256
#define HY_WEB_ENDPOINTS 4
#define HY_WEB_SLOTS     12
/// Bytes, unless the options say otherwise; who says more in one message is disconnected.
#define HY_WEB_MESSAGE_MAX 4096

/// A set of clients. All zero: nobody.
typedef struct {
    bool has[HY_WEB_CLIENTS];
} hy_web_audience;

#define HY_WEB_NAMES_MAX 16
#define HY_WEB_NAME_SIZE 128 ///< Bytes of one, with its NUL.

/// What a server's owner trusts besides the server's own pages: names under which it may be called
/// besides its addresses and localhost, and pages of other servers. All zero: nothing.
typedef struct {
    const char *at[HY_WEB_NAMES_MAX]; ///< The caller's.
    size_t count;
} hy_web_names;

/// Adds a host's name, without a port: "robot.local". Web sites whose names lead to this machine
/// are refused, unless their names are among these. False: it is no such name, or there are
/// HY_WEB_NAMES_MAX of them.
bool hy_web_allow_host(hy_web_names *self, const char *name);

/// Adds where a page of another server comes from, as browsers say it: "http://localhost:5173".
/// False as above.
bool hy_web_allow_origin(hy_web_names *self, const char *origin);

/// Adds either: what has "://" in it is an origin, all else a host's name. False as above.
bool hy_web_trust(hy_web_names *self, const char *text);

/// A place to connect a WebSocket to.
typedef struct {
    const char *path;     ///< "/live"; "/nt/*": everything that begins so.
    const char *protocol; ///< The sub-protocol that a client has to ask for: "halyard-page".
    bool accepts_binary;  ///< Else a binary message ends the connection.
    /// Not only pages of this server may connect, but also who names no origin or "file://":
    /// programs, which no browser runs; and pages whose origin was allowed. Of others the owner is
    /// told: HY_WEB_REFUSED.
    bool allows_programs;
} hy_web_endpoint;

/// A file that is in memory.
typedef struct {
    const char *path; ///< "/mat.png"
    const char *type; ///< "image/png"
    hy_bytes bytes;   ///< Copied.
} hy_web_file;

typedef struct {
    hy_endpoint listen; ///< Port 0: any free one. [::] serves IPv4 too.
    const char *folder; ///< All files in and below it are read once, at the start. May be NULL.
    const char *without_folder; ///< What "/" answers if there is no index.html: one sentence.
    const hy_web_file *files;
    size_t file_count;
    const hy_web_endpoint *endpoints; ///< At most HY_WEB_ENDPOINTS.
    size_t endpoint_count;
    /// A WebSocket that asks for the sub-protocol "token.TOKEN" too is not ended for newcomers, and
    /// has a place while one is free. NULL: none does.
    const char *token;
    bool is_open; ///< Nobody needs a token, and one address has at most half of the places.
    bool any_page_reads_files; ///< Pages of other servers as well (CORS), by any name.
    hy_web_names names;        ///< Whom to trust.
    size_t clients_max;        ///< WebSockets at a time, 32 .. HY_WEB_CLIENTS; 0: HY_WEB_CLIENTS.
    size_t message_max;        ///< Bytes of a client's longest message; 0: HY_WEB_MESSAGE_MAX.
    size_t queue_size; ///< Bytes of each client's queue, for hy_web_send(); 0: there is none.
    const size_t *slot_sizes; ///< Bytes of the longest text of each slot; at most HY_WEB_SLOTS.
    size_t slot_count;
} hy_web_options;

/// Counters; they only grow.
typedef struct {
    /// Files asked for; requests that were refused, WebSockets above all.
    uint64_t requests, refused;
    uint64_t evicted; ///< Connections of strangers that had to give way to new ones.
    uint64_t rx_messages, tx_texts;
    uint64_t rx_too_long; ///< Disconnected for it.
    uint64_t tx_replaced; ///< Texts that a newer one overtook.
    uint64_t tx_queued;   ///< Messages that hy_web_send() took.
} hy_web_counters;

typedef struct hy_web hy_web;

/// Starts to serve, HTTP/1.1 only. HY_EADDRESS (not an address of this machine), HY_EINUSE,
/// HY_EPERMISSION, HY_EFILE (a file of the folder cannot be read), HY_EFULL (over 1000 files, or 64
/// MiB of them), HY_ESYSTEM, HY_EMEMORY. What the options point to is copied.
hy_status hy_web_open(hy_web **out, const hy_web_options *options);

/// Disconnects everybody and ends the thread; NULL is harmless.
void hy_web_close(hy_web *self);

/// Where it listens, with the real port. O(1).
hy_endpoint hy_web_address(const hy_web *self);

/// Readable while hy_web_next() has something, for an event loop. It stays the server's.
intptr_t hy_web_descriptor(const hy_web *self);

typedef enum {
    HY_WEB_CONNECTED,
    HY_WEB_MESSAGE,
    HY_WEB_CLOSED, ///< The client's last event; its number may be given to another from now on.
    /// A page of another server was not let in: `origin` and `ip` say which. It has no number. What
    /// comes faster than it is asked for is left out.
    HY_WEB_REFUSED,
} hy_web_what;

typedef struct {
    hy_web_what what;
    unsigned client;   ///< 0 .. HY_WEB_CLIENTS - 1.
    unsigned endpoint; ///< Index in the options.
    bool is_binary;
    /// Of a message; the server's, valid until the next call.
    hy_bytes bytes;
    /// When connected: the path that it asked for, without the query, at most 255 bytes; and its
    /// address, as in hy_endpoint. Valid until the client's HY_WEB_CLOSED.
    const char *path;
    const uint8_t *ip;
    /// When connected: of a page of another server, as it was allowed; else NULL. When refused:
    /// what the request says, at most 127 bytes of any value but controls, until the next call.
    const char *origin;
    /// Of a message: this program stood still for half a second or more, stopped or on a busy
    /// machine, and the message may have waited for so long.
    bool is_old;
} hy_web_event;

/// The next thing that happened; false if nothing more did. A client's events come in their order.
bool hy_web_next(hy_web *self, hy_web_event *out);

/// The event that hy_web_next() gave last, a message or an end, was not dealt with to its end: it
/// comes once more, after the other clients had their turn. For owners that limit how much they do
/// for one client at a time. O(1).
void hy_web_again(hy_web *self);

/// Puts a text (UTF-8) into a slot of every client of `to`; lower slots go out first. Longer than
/// the slot: HY_ERANGE, and nothing happens. Clients that are gone are left out. Copies; O(size) a
/// client.
hy_status hy_web_show(hy_web *self, const hy_web_audience *to, unsigned slot, hy_bytes text);

/// The same for one client.
hy_status hy_web_show_one(hy_web *self, unsigned client, unsigned slot, hy_bytes text);

/// Puts a message into a client's queue; queued messages go out in their order, before slots. False
/// if the queue has no room for it (it takes 8 bytes more than its own), or the client is gone:
/// nothing happens then. Copies; O(size).
bool hy_web_send(hy_web *self, unsigned client, hy_bytes message, bool is_binary);

/// Whose connection this is: a member's, who has shown a valid token, or a visitor's. Until then it
/// may be ended for a newcomer. False if there are too many of that kind already, for visitors also
/// too many of one address: close it then.
bool hy_web_admit(hy_web *self, unsigned client, bool is_member);

/// Ends a connection once its slots have gone out, with a sentence of up to 120 bytes.
void hy_web_disconnect(hy_web *self, unsigned client, const char *why);

/// The counters as they are now: a copy. O(1).
hy_web_counters hy_web_count(hy_web *self);

#endif
