/// @file web_client.h
/// A WebSocket client: one connection to somebody else's server. No call waits but
/// hy_web_client_wait(). What the server sends is bounded: a message has at most the bytes that the
/// options say, and between two waits at most 16 KiB are read.
///
///     static hy_web_client *call(hy_endpoint server)
///     {
///         const hy_web_client_options options = { .server = server,
///                                                 .path = "/live",
///                                                 .protocol = "my-page",
///                                                 .message_max = 4096,
///                                                 .queue_size = 65536 };
///         hy_web_client *client;
///         return hy_web_client_open(&client, &options) == HY_OK ? client : NULL;
///     }
#ifndef HALYARD_WEB_CLIENT_H
#define HALYARD_WEB_CLIENT_H

#include "web.h"

typedef struct {
    hy_endpoint server;
    const char *path;     ///< "/live"
    const char *protocol; ///< The sub-protocol to ask for; the server has to speak it.
    size_t message_max;   ///< Bytes of the longest message that the server may send.
    size_t queue_size;    ///< Bytes that wait to be sent, at most.
} hy_web_client_options;

typedef struct hy_web_client hy_web_client;

/// Begins to connect. HY_OK, or HY_ESYSTEM, HY_EMEMORY, HY_ERANGE (the queue is too small for a
/// request); `*out` is then NULL. That nobody is there comes as an event. What the options point to
/// is copied.
hy_status hy_web_client_open(hy_web_client **out, const hy_web_client_options *options);

/// Disconnects; NULL is harmless.
void hy_web_client_close(hy_web_client *self);

/// Sends what waits, and waits up to `timeout_ms` for something to arrive.
void hy_web_client_wait(hy_web_client *self, int timeout_ms);

/// The next thing that happened; false if nothing more did. HY_WEB_CLOSED is the last event;
/// hy_web_client_why() says why. Messages are valid until the next call.
bool hy_web_client_next(hy_web_client *self, hy_web_event *out);

/// Queues a message. False if the queue has no room for it (it takes 14 bytes more than its own),
/// or the connection is not open: nothing happens then. Copies; O(size).
bool hy_web_client_send(hy_web_client *self, hy_bytes message, bool is_binary);

/// Queues a ping: a server that is alive answers it at once. Answers are not reported.
void hy_web_client_ping(hy_web_client *self);

/// Bytes that were received so far, pings and answers to ours among them. O(1).
uint64_t hy_web_client_received(const hy_web_client *self);

/// Why the connection ended: a sentence without a full stop.
const char *hy_web_client_why(const hy_web_client *self);

#endif
