/// @file server.h
/// The server's inside: what its owner's thread (web.c) and its own thread (serve.c) share.
#ifndef HY_WEB_SERVER_H
#define HY_WEB_SERVER_H

#include "client.h"
#include "connection.h"
#include "system/system_sockets.h"
#include "system/system_threads.h"

/// Connections of all kinds at a time; a browser opens six for files.
#define WEB_SOCKETS (HY_WEB_CLIENTS + 96)

#define REFUSALS 8

/// A connection and its socket.
typedef struct {
    intptr_t socket; ///< -1: none.
    int client; ///< Of the clients below; -1: no WebSocket, or one whose end its owner has been told.
    bool is_held_back; ///< A message of `talk` waits for room in the client's inbox.
    bool is_throttled; ///< It has used its credit up, and is read again once it has a good part of it back.
    bool has_more;   ///< What was received is not all dealt with.
    bool has_ended;  ///< The client sends nothing more, and waits for an answer.
    bool has_shut;   ///< Nothing more is sent.
    bool has_spoken; ///< It asked for a file, or for what is refused. What opens a WebSocket may show its token there yet.
    bool is_answered; ///< Nothing was received since something was sent to it.
    bool has_old; ///< This program stood still: what is received waited meanwhile, until the socket was found empty a little later.
    bool is_empty; ///< It was, when it was looked at last.
    uint8_t ip[16];
    hy_room message;  ///< For `talk`; set at the start.
    int64_t since_us; ///< What it is doing now began then.
    int64_t came_us, heard_us, sent_us, pinged_us;
    int64_t credit, credit_us; ///< Bytes that may be read.
    web_connection talk;
} web_socket;

/// A page of another server that was not let in.
typedef struct {
    char origin[HY_WEB_NAME_SIZE];
    uint8_t ip[16];
} web_refused;

struct hy_web {
    // Set at the start.
    web_site site;
    char names[HY_WEB_NAMES_MAX][HY_WEB_NAME_SIZE]; ///< Of `site`.
    size_t slot_sizes[HY_WEB_SLOTS];
    size_t slot_count;
    size_t message_max, queue_size;
    unsigned client_count;
    intptr_t listener;
    hy_endpoint local;
    hy_waker owner_waker, server_waker; ///< Of the owner, and of the server's thread.
    hy_thread thread;
    bool has_thread;
    uint8_t *sending[HY_WEB_CLIENTS]; ///< Of each client, the message under way; as long as the longest. Under `turn`.

    // Who holds `turn`: the server's thread, except while it waits for sockets. Taken before `lock` by who needs both.
    hy_mutex turn;
    web_socket sockets[WEB_SOCKETS];
    size_t socket_end; ///< Behind the last of them that is in use: one is 18 kB, and most of them never are.

    // The server thread's own.
    int64_t stalled_us; ///< When it was last noticed that this program had stood still.
    int64_t looked_us; ///< When it last began to wait for sockets, and was not interrupted; 0: never.
    bool has_old_newcomers; ///< Connections that wait to be accepted may have come while this program stood still.
    int64_t accept_us; ///< Not before: the system had no descriptors left.

    // The owner's own.
    unsigned next_client; ///< Whose turn it is to be heard.
    web_refused told;     ///< The one of `refused` that it was told last.

    // Both threads', under the lock.
    hy_mutex lock;
    bool is_stopping;
    bool is_owner_woken, is_server_woken;
    web_client clients[HY_WEB_CLIENTS];
    unsigned client_end;           ///< Behind the last of them that is in use.
    web_refused refused[REFUSALS]; ///< That the owner has not been told.
    size_t refused_count;
    hy_web_counters counters;
};

/// The server's thread.
void web_serve(void *server);

/// Sends these clients what they are shown; for the owner's thread, which waits for nothing. What the server's thread must do, because it
/// has its turn or a socket takes no more, it is woken for.
void web_send_shown(hy_web *self, const hy_web_audience *to);

/// Gives the lock back and then, if `wants` says so, wakes the other thread, unless `is_woken` says that one is
/// under way. Behind the lock, because the woken thread takes it at once.
void web_unlock_and_wake(hy_web *self, bool wants, bool *is_woken, hy_waker *waker);

#endif
