/// @file server.h
/// The server's inside: what its owner's thread (web.c) and its own thread (http.c, socket.c) share.
#ifndef HY_WEB_SERVER_H
#define HY_WEB_SERVER_H

#include <libwebsockets.h>
#include <pthread.h>

#include "client.h"
#include "files.h"

#define WEB_PROTOCOLS (HY_WEB_ENDPOINTS + 3) // HTTP, the listener, the endpoints, the end
#define WEB_CHUNK     16384                  // bytes of a file written at a time

/// What only the server's own thread touches of a WebSocket.
typedef struct {
    struct lws *wsi; ///< NULL: no connection.
    uint8_t said[HY_WEB_MESSAGE_MAX];
    size_t said_size; ///< Of the message whose end has not come yet.
} web_connection;

struct hy_web {
    // Set at the start.
    web_files files;
    char without_folder[512];
    struct {
        char path[64], protocol[64];
    } endpoints[HY_WEB_ENDPOINTS];
    size_t endpoint_count;
    size_t slot_sizes[HY_WEB_SLOTS];
    size_t slot_count;
    int listener;
    hy_endpoint local;
    int wake_read, wake_write;
    struct lws_protocols protocols[WEB_PROTOCOLS];
    struct lws_context *context;
    struct lws_vhost *vhost;
    pthread_t thread;
    bool has_thread;

    // The server's thread's own.
    web_connection connections[HY_WEB_CLIENTS];
    uint8_t *writing; ///< LWS_PRE bytes, then the longest text or WEB_CHUNK.

    // The owner's own.
    uint8_t taken[HY_WEB_MESSAGE_MAX];
    unsigned next_client; ///< Whose turn it is to be heard.

    // Both threads', under the lock.
    pthread_mutex_t lock;
    bool is_stopping;
    bool is_woken; ///< The owner has been told that there is news.
    web_client clients[HY_WEB_CLIENTS];
    hy_web_counters counters;
};

/// What libwebsockets calls on the server's thread: for HTTP and the waking of the thread, for the listening socket, and
/// for WebSockets.
int web_on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                size_t length);
int web_on_listener(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t length);
int web_on_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t length);

/// What libwebsockets keeps for a connection.
typedef struct {
    const web_file *file; ///< Under way.
    size_t sent;
} web_transfer;

typedef struct {
    unsigned client; ///< Plus one; 0: none.
} web_session;

/// Has WebSockets with something new written as soon as they take it. The server's thread.
void web_ask_to_write(hy_web *self);

/// Makes the owner's descriptor readable. Under the lock.
void web_tell_owner(hy_web *self);

static inline hy_web *web_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

#endif
