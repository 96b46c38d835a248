// A WebSocket client's socket.
#include "caller.h"

#include <stdlib.h>
#include <string.h>

#include "system/system.h"
#include "system/system_sockets.h"
#include "web_client.h"

#define READ_MAX 16384 // bytes between two waits

struct hy_web_client {
    web_caller caller;
    char *path, *protocol;
    uint8_t *message, *queue;
    intptr_t socket; // -1: none
    bool is_connected, is_closed;
    const char *why;
    uint64_t received;
    size_t may_read;
    hy_bytes unread;
    uint8_t bytes[READ_MAX];
};

static void hang_up(hy_web_client *self, const char *why)
{
    self->why = self->why != NULL ? self->why : why;
    hy_stream_close(self->socket);
    self->socket = -1;
}

static bool copy_options(hy_web_client *self, const hy_web_client_options *options)
{
    self->path = strdup(options->path);
    self->protocol = strdup(options->protocol);
    self->message = malloc(options->message_max);
    self->queue = malloc(options->queue_size);
    return self->path != NULL && self->protocol != NULL && self->message != NULL &&
           self->queue != NULL;
}

hy_status hy_web_client_open(hy_web_client **out, const hy_web_client_options *options)
{
    *out = NULL;
    hy_web_client *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return HY_EMEMORY;
    }
    self->socket = -1;
    hy_status status = copy_options(self, options) ? HY_OK : HY_EMEMORY;
    web_caller_setup setup = { .path = self->path,
                               .host = "robot",
                               .protocol = self->protocol,
                               .message = { self->message, options->message_max },
                               .queue = { self->queue, options->queue_size } };
    if (status == HY_OK && !hy_random_bytes(setup.key, sizeof setup.key)) {
        status = HY_ESYSTEM;
    }
    if (status == HY_OK && !web_caller_start(&self->caller, &setup)) {
        status = HY_ERANGE;
    }
    if (status == HY_OK) {
        self->socket = hy_stream_connect(&options->server);
        status = self->socket >= 0 ? HY_OK : HY_ESYSTEM;
    }
    if (status != HY_OK) {
        hy_web_client_close(self);
        return status;
    }
    *out = self;
    return HY_OK;
}

void hy_web_client_close(hy_web_client *self)
{
    if (self == NULL) {
        return;
    }
    hang_up(self, "");
    free(self->path);
    free(self->protocol);
    free(self->message);
    free(self->queue);
    free(self);
}

// --------------------------------------------------------------------------- bytes

static void send_queue(hy_web_client *self)
{
    for (hy_bytes out; self->is_connected && self->socket >= 0 &&
                       (out = web_caller_output(&self->caller)).size > 0;) {
        const int64_t sent = hy_stream_send(self->socket, out, (hy_bytes){ NULL, 0 });
        if (sent == HY_ESYSTEM) {
            hang_up(self, "the connection was lost");
        }
        if (sent < 0) {
            return;
        }
        web_caller_sent(&self->caller, (size_t)sent);
    }
}

static void end_connecting(hy_web_client *self)
{
    if (!hy_stream_is_connected(self->socket)) {
        hang_up(self, "no server is there");
        return;
    }
    self->is_connected = true;
}

void hy_web_client_wait(hy_web_client *self, int timeout_ms)
{
    const bool was_busy = self->may_read == 0; // a server that floods is read at a bounded rate
    self->may_read = READ_MAX;
    send_queue(self);
    hy_wait_source events = {
        .handle = self->socket,
        .wants_read = !was_busy || !self->is_connected,
        .wants_write = !self->is_connected || web_caller_output(&self->caller).size > 0,
    };
    const int ready = hy_wait(&events, 1, timeout_ms * INT64_C(1000));
    if (ready > 0 && !self->is_connected && self->socket >= 0) {
        end_connecting(self);
    }
    send_queue(self);
}

// Reads what is there; false: nothing is.
static bool read_socket(hy_web_client *self)
{
    if (!self->is_connected || self->socket < 0 || self->may_read == 0) {
        return false;
    }
    const int64_t size = hy_stream_receive(self->socket, (hy_room){ self->bytes, self->may_read });
    if (size > 0) {
        self->unread = (hy_bytes){ self->bytes, (size_t)size };
        self->may_read -= (size_t)size;
        self->received += (uint64_t)size;
        return true;
    }
    if (size != HY_AGAIN) {
        hang_up(self, "the connection was lost");
    }
    return false;
}

// --------------------------------------------------------------------------- events

static bool report_end(hy_web_client *self, hy_web_event *out)
{
    if (self->socket >= 0 || self->is_closed) {
        return false;
    }
    self->is_closed = true;
    *out = (hy_web_event){ .what = HY_WEB_CLOSED };
    return true;
}

bool hy_web_client_next(hy_web_client *self, hy_web_event *out)
{
    do {
        switch (web_caller_take(&self->caller, &self->unread)) {
        case WEB_CALLER_NOTHING: break;
        case WEB_CALLER_OPENED: *out = (hy_web_event){ .what = HY_WEB_CONNECTED }; return true;
        case WEB_CALLER_MESSAGE:
            *out = (hy_web_event){ .what = HY_WEB_MESSAGE,
                                   .is_binary = self->caller.frames.is_binary,
                                   .bytes = { self->caller.frames.message,
                                              self->caller.frames.message_size } };
            return true;
        case WEB_CALLER_CLOSED: hang_up(self, self->caller.why); break;
        }
    } while (read_socket(self));
    return report_end(self, out);
}

bool hy_web_client_send(hy_web_client *self, hy_bytes message, bool is_binary)
{
    return self->socket >= 0 && web_caller_send(&self->caller, message, is_binary);
}

void hy_web_client_ping(hy_web_client *self)
{
    web_caller_ping(&self->caller);
}

uint64_t hy_web_client_received(const hy_web_client *self)
{
    return self->received;
}

const char *hy_web_client_why(const hy_web_client *self)
{
    return self->why != NULL ? self->why : "";
}
