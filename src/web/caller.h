/// @file caller.h
/// The client's side of a WebSocket, without its socket: what the server sends goes in, bytes to send come out. Knows no thread, no socket
/// and no clock.
#ifndef HY_WEB_CALLER_H
#define HY_WEB_CALLER_H

#include "accept_key.h"
#include "frames.h"

#define WEB_ANSWER_HEAD_MAX 4096 ///< Bytes of the head that answers the upgrade.
#define WEB_CALLER_KEY_SIZE 16   ///< Random bytes of a Sec-WebSocket-Key.

typedef enum {
    WEB_CALLER_ASKED, ///< Waits for the answer to the upgrade.
    WEB_CALLER_OPEN,
    WEB_CALLER_ENDED, ///< `why` says why.
} web_caller_stage;

typedef struct {
    const char *path, *host, *protocol;
    uint8_t key[WEB_CALLER_KEY_SIZE]; ///< Random.
    hy_room message;                  ///< For the longest message that is accepted.
    hy_room queue;                    ///< For what waits to be sent.
} web_caller_setup;

typedef struct {
    // Read-only.
    web_caller_stage stage;
    web_frames frames; ///< The last message.
    const char *why;
    // Private.
    const char *protocol;
    char accept[WEB_ACCEPT_SIZE];
    uint8_t head[WEB_ANSWER_HEAD_MAX];
    size_t head_size;
    hy_random masks;
    hy_room queue;
    size_t queue_at, queue_end; // the part that is in use
} web_caller;

typedef enum {
    WEB_CALLER_NOTHING, ///< All bytes are consumed.
    WEB_CALLER_OPENED,
    WEB_CALLER_MESSAGE,
    WEB_CALLER_CLOSED, ///< Nothing may be taken any more.
} web_caller_event;

/// Asks for the upgrade. What `setup` points to stays the caller's, as long as the connection lasts. False: the queue is too small.
bool web_caller_start(web_caller *self, const web_caller_setup *setup);

/// Consumes received bytes up to and including those that make something happen; call it until WEB_CALLER_NOTHING.
web_caller_event web_caller_take(web_caller *self, hy_bytes *bytes);

/// Queues a message; false if it is not open, or the queue has no room for it: nothing happens then.
bool web_caller_send(web_caller *self, hy_bytes message, bool is_binary);

/// Queues a ping, to which the server has to answer, unless there is no room.
void web_caller_ping(web_caller *self);

/// The bytes to send next; size 0: none.
hy_bytes web_caller_output(const web_caller *self);
void web_caller_sent(web_caller *self, size_t size);

#endif
