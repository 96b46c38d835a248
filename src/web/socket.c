// WebSockets: who is let in, what they say, what they are shown.
#include "origin.h"
#include "server.h"

#include <stdio.h>
#include <string.h>

static hy_room room_of(web_connection *self)
{
    return (hy_room){ self->said + self->said_size, sizeof self->said - self->said_size };
}

// --------------------------------------------------------------------------- letting in

/// The endpoint of a connection's sub-protocol.
static unsigned endpoint_of(struct lws *wsi)
{
    return lws_get_protocol(wsi)->id;
}

static bool header(struct lws *wsi, enum lws_token_indexes name, char *out, int size)
{
    out[0] = '\0';
    return lws_hdr_copy(wsi, out, size, name) > 0;
}

static bool is_welcome(const hy_web *self, struct lws *wsi)
{
    char path[64], origin[256], host[256];
    return header(wsi, WSI_TOKEN_GET_URI, path, sizeof path) &&
           strcmp(path, self->endpoints[endpoint_of(wsi)].path) == 0 &&
           header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin) &&
           header(wsi, WSI_TOKEN_HOST, host, sizeof host) && web_origin_is_own(origin, host);
}

static int filter(hy_web *self, struct lws *wsi)
{
    if (is_welcome(self, wsi)) {
        return 0;
    }
    pthread_mutex_lock(&self->lock);
    self->counters.refused++;
    pthread_mutex_unlock(&self->lock);
    (void)lws_return_http_status(wsi, HTTP_STATUS_FORBIDDEN, NULL);
    return -1;
}

static int let_in(hy_web *self, struct lws *wsi, web_session *session)
{
    pthread_mutex_lock(&self->lock);
    for (unsigned i = 0; i < HY_WEB_CLIENTS && session->client == 0; i++) {
        if (self->clients[i].phase == WEB_CLIENT_FREE) {
            web_client_open(&self->clients[i], endpoint_of(wsi));
            self->connections[i] = (web_connection){ .wsi = wsi };
            session->client = i + 1;
            web_tell_owner(self);
        }
    }
    self->counters.refused += session->client == 0 ? 1 : 0;
    pthread_mutex_unlock(&self->lock);
    if (session->client == 0) {
        static unsigned char why[] = "too many pages are open";
        lws_close_reason(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION, why, sizeof why - 1);
        return -1;
    }
    return 0;
}

static void let_go(hy_web *self, const web_session *session)
{
    if (session->client == 0) {
        return;
    }
    pthread_mutex_lock(&self->lock);
    self->connections[session->client - 1].wsi = NULL;
    self->clients[session->client - 1].phase = WEB_CLIENT_GONE;
    web_tell_owner(self);
    pthread_mutex_unlock(&self->lock);
}

// --------------------------------------------------------------------------- listening

static int refuse_length(hy_web *self, struct lws *wsi)
{
    static unsigned char why[] = "too long a message";
    pthread_mutex_lock(&self->lock);
    self->counters.rx_too_long++;
    pthread_mutex_unlock(&self->lock);
    lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, why, sizeof why - 1);
    return -1;
}

static void hand_over(hy_web *self, unsigned client, bool is_binary)
{
    web_connection *const connection = &self->connections[client];
    const hy_bytes message = { connection->said, connection->said_size };
    pthread_mutex_lock(&self->lock);
    if (web_client_put(&self->clients[client], message, is_binary)) {
        self->counters.rx_messages++;
        web_tell_owner(self);
    } else {
        self->counters.rx_overrun++;
    }
    pthread_mutex_unlock(&self->lock);
    connection->said_size = 0;
}

static int hear(hy_web *self, struct lws *wsi, const web_session *session, hy_bytes piece)
{
    if (session->client == 0) {
        return -1;
    }
    web_connection *const connection = &self->connections[session->client - 1];
    const hy_room room = room_of(connection);
    // What is still to come of this frame counts, so that nobody is heard out for a megabyte.
    if (piece.size > room.size || lws_remaining_packet_payload(wsi) > room.size - piece.size) {
        return refuse_length(self, wsi);
    }
    if (piece.size > 0) {
        memcpy(room.data, piece.data, piece.size);
        connection->said_size += piece.size;
    }
    if (lws_remaining_packet_payload(wsi) == 0 && lws_is_final_fragment(wsi)) {
        hand_over(self, session->client - 1, lws_frame_is_binary(wsi) != 0);
    }
    return 0;
}

// --------------------------------------------------------------------------- showing

void web_tell_owner(hy_web *self)
{
    if (!self->is_woken) {
        const ssize_t written = write(self->wake_write, "", 1);
        self->is_woken = written == 1;
    }
}

void web_ask_to_write(hy_web *self)
{
    for (unsigned i = 0; i < HY_WEB_CLIENTS; i++) {
        pthread_mutex_lock(&self->lock);
        const bool is_waiting = web_client_is_waiting(&self->clients[i]);
        pthread_mutex_unlock(&self->lock);
        if (is_waiting && self->connections[i].wsi != NULL) {
            lws_callback_on_writable(self->connections[i].wsi);
        }
    }
}

/// Copies the next text that is new to where it is written from; its size, or 0 if there is none. What is left tells `more`.
static size_t take_text(hy_web *self, unsigned client, bool *more)
{
    web_client *const from = &self->clients[client];
    size_t size = 0;
    pthread_mutex_lock(&self->lock);
    const int slot = web_client_fresh(from);
    if (slot >= 0) {
        size = from->slots[slot].size;
        memcpy(self->writing + LWS_PRE, from->slots[slot].bytes, size);
        from->slots[slot].is_fresh = false;
        self->counters.tx_texts++;
    }
    *more = web_client_is_waiting(from);
    pthread_mutex_unlock(&self->lock);
    return size;
}

static int say_goodbye(hy_web *self, struct lws *wsi, unsigned client)
{
    unsigned char why[WEB_WHY_SIZE];
    pthread_mutex_lock(&self->lock);
    memcpy(why, self->clients[client].why, sizeof why);
    pthread_mutex_unlock(&self->lock);
    lws_close_reason(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION, why, strlen((const char *)why));
    return -1;
}

static int show(hy_web *self, struct lws *wsi, const web_session *session)
{
    if (session->client == 0) {
        return -1;
    }
    bool more;
    const size_t size = take_text(self, session->client - 1, &more);
    if (size == 0) {
        return more ? say_goodbye(self, wsi, session->client - 1) : 0;
    }
    if (lws_write(wsi, self->writing + LWS_PRE, size, LWS_WRITE_TEXT) < 0) {
        return -1;
    }
    if (more) {
        lws_callback_on_writable(wsi);
    }
    return 0;
}

int web_on_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t length)
{
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return filter(web_of(wsi), wsi);
    case LWS_CALLBACK_ESTABLISHED: return let_in(web_of(wsi), wsi, user);
    case LWS_CALLBACK_CLOSED: let_go(web_of(wsi), user); return 0;
    case LWS_CALLBACK_RECEIVE: return hear(web_of(wsi), wsi, user, (hy_bytes){ in, length });
    case LWS_CALLBACK_SERVER_WRITEABLE: return show(web_of(wsi), wsi, user);
    default: return 0;
    }
}
