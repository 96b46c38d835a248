#include "ws_client.h"

#include <halyard/link.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_LIMIT_US 10000000
#define FRAME_ROOM      (WS_TEXT_MAX + 16)

static int connect_to(const char *address, uint16_t port, const char *source, int receive_room)
{
    const int socket_ = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(port) };
    inet_pton(AF_INET, address, &to.sin_addr);
    if (source != NULL) {
        struct sockaddr_in from = { .sin_family = AF_INET };
        inet_pton(AF_INET, source, &from.sin_addr);
        bind(socket_, (const struct sockaddr *)&from, sizeof from);
    }
    if (receive_room > 0) {
        setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_room, sizeof receive_room);
    }
    if (connect(socket_, (const struct sockaddr *)&to, sizeof to) != 0) {
        close(socket_);
        return -1;
    }
    return socket_;
}

static bool send_all(int socket_, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    while (size > 0) {
        const ssize_t sent = send(socket_, at, size, MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

// More of what the server sends; false at its end, or if nothing came.
static bool receive_more(ws_client *self, int64_t end_us, bool *ended)
{
    const int64_t left_us = end_us - hy_clock_now_us();
    struct pollfd waiting = { .fd = self->socket, .events = POLLIN };
    *ended = false;
    if (self->used == FRAME_ROOM ||
        poll(&waiting, 1, left_us > 0 ? (int)(left_us / 1000) + 1 : 0) <= 0) {
        return false;
    }
    const ssize_t got = recv(self->socket, self->bytes + self->used, FRAME_ROOM - self->used, 0);
    *ended = got <= 0;
    self->used += got > 0 ? (size_t)got : 0;
    return got > 0;
}

static void forget(ws_client *self, size_t size)
{
    self->used -= size;
    memmove(self->bytes, self->bytes + size, self->used);
}

static bool shake_hands(ws_client *self)
{
    const int64_t end_us = hy_clock_now_us() + ANSWER_LIMIT_US;
    bool ended = false;
    char *end = NULL;
    do {
        self->bytes[self->used] = '\0';
        end = strstr((char *)self->bytes, "\r\n\r\n");
    } while (end == NULL && receive_more(self, end_us, &ended));
    if (end == NULL) {
        return false;
    }
    self->status = atoi((char *)self->bytes + strlen("HTTP/1.1 "));
    const size_t size = (size_t)(end - (char *)self->bytes) + 4;
    *end = '\0';
    // RFC 6455, 1.3: the answer to the key below.
    const bool is_right = strstr((char *)self->bytes, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") != NULL;
    forget(self, size);
    return self->status == 101 && is_right;
}

bool ws_open(ws_client *self, uint16_t port, const ws_options *options)
{
    static const ws_options usual = { 0 };
    const ws_options *const o = options != NULL ? options : &usual;
    const char *const address = o->address != NULL ? o->address : "127.0.0.1";
    char own_host[64], own_origin[80], request[2048];
    snprintf(own_host, sizeof own_host, "%s:%u", address, port);
    const char *const host = o->host != NULL ? o->host : own_host;
    snprintf(own_origin, sizeof own_origin, "http://%s", own_host);
    const char *const origin = o->origin != NULL ? o->origin : own_origin;
    const char *const protocol = o->protocol != NULL ? o->protocol : "halyard-page";
    *self = (ws_client){ .socket = connect_to(address, port, o->source, o->receive_room),
                         .text = calloc(1, FRAME_ROOM + 1),
                         .bytes = calloc(1, FRAME_ROOM + 1) };
    int length =
        snprintf(request, sizeof request,
                 "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n",
                 o->path != NULL ? o->path : "/live", host);
    if (origin[0] != '\0') {
        length +=
            snprintf(request + length, sizeof request - (size_t)length, "Origin: %s\r\n", origin);
    }
    if (protocol[0] != '\0') {
        length += snprintf(request + length, sizeof request - (size_t)length,
                           "Sec-WebSocket-Protocol: %s\r\n", protocol);
    }
    snprintf(request + length, sizeof request - (size_t)length, "\r\n");
    if (self->socket >= 0 && send_all(self->socket, request, strlen(request)) && shake_hands(self)) {
        return true;
    }
    ws_close(self);
    return false;
}

void ws_close(ws_client *self)
{
    if (self->socket >= 0) {
        close(self->socket);
    }
    free(self->text);
    free(self->bytes);
    self->text = NULL;
    self->bytes = NULL;
    self->socket = -1;
}

bool ws_raw(ws_client *self, const void *bytes, size_t size)
{
    return self->socket >= 0 && send_all(self->socket, bytes, size);
}

bool ws_frame(ws_client *self, uint8_t opcode, const void *bytes, size_t size)
{
    uint8_t *const frame = malloc(size + 14);
    size_t head = 2;
    frame[0] = opcode;
    if (size < 126) {
        frame[1] = (uint8_t)(0x80 | size);
    } else if (size < 65536) {
        frame[1] = 0x80 | 126;
        frame[2] = (uint8_t)(size >> 8);
        frame[3] = (uint8_t)size;
        head = 4;
    } else {
        frame[1] = 0x80 | 127;
        for (size_t i = 0; i < 8; i++) {
            frame[2 + i] = (uint8_t)((uint64_t)size >> (56 - 8 * i));
        }
        head = 10;
    }
    static const uint8_t mask[4] = { 0x37, 0xfa, 0x21, 0x3d };
    memcpy(frame + head, mask, sizeof mask);
    head += sizeof mask;
    for (size_t i = 0; i < size; i++) {
        frame[head + i] = ((const uint8_t *)bytes)[i] ^ mask[i % 4];
    }
    const bool ok = ws_raw(self, frame, head + size);
    free(frame);
    return ok;
}

bool ws_say(ws_client *self, const char *text)
{
    return ws_frame(self, 0x81, text, strlen(text));
}

// One whole frame out of what has come: its size with head, or 0 if it is not all there.
static size_t find_frame(const ws_client *self, size_t *head, size_t *size)
{
    const uint8_t *b = self->bytes;
    if (self->used < 2) {
        return 0;
    }
    *head = 2;
    *size = b[1] & 0x7f;
    if (*size == 126 && self->used >= 4) {
        *head = 4;
        *size = (size_t)b[2] << 8 | b[3];
    } else if (*size == 127 && self->used >= 10) {
        *head = 10;
        *size = 0;
        for (size_t i = 2; i < 10; i++) {
            *size = *size << 8 | b[i];
        }
    } else if (*size >= 126) {
        return 0;
    }
    return self->used >= *head + *size ? *head + *size : 0;
}

static void end_now(ws_client *self)
{
    close(self->socket);
    self->socket = -1;
}

// True if the frame was a message.
static bool take_frame(ws_client *self, size_t head, size_t size)
{
    const uint8_t opcode = self->bytes[0] & 0x0f;
    const uint8_t *payload = self->bytes + head;
    bool is_message = false;
    if (opcode == 9) {
        ws_frame(self, 0x8a, payload, size);
    } else if (opcode == 8) {
        self->close_code = size >= 2 ? payload[0] << 8 | payload[1] : 1005;
        ws_frame(self, 0x88, payload, size);
    } else if (opcode <= 2) {
        memcpy(self->text, payload, size);
        self->text[size] = '\0';
        self->size = size;
        is_message = true;
    }
    forget(self, head + size);
    return is_message;
}

bool ws_hear(ws_client *self, int64_t limit_us)
{
    const int64_t end_us = hy_clock_now_us() + limit_us;
    while (self->socket >= 0) {
        size_t head, size;
        bool ended;
        if (find_frame(self, &head, &size) != 0) {
            if (take_frame(self, head, size)) {
                return true;
            }
        } else if (!receive_more(self, end_us, &ended)) {
            if (ended) {
                end_now(self);
            }
            return false;
        }
    }
    return false;
}

bool ws_await(ws_client *self, const char *part, int64_t limit_us)
{
    const int64_t end_us = hy_clock_now_us() + limit_us;
    for (;;) {
        const int64_t left_us = end_us - hy_clock_now_us();
        if (left_us <= 0 || !ws_hear(self, left_us)) {
            return false;
        }
        if (strstr(self->text, part) != NULL) {
            return true;
        }
    }
}

bool ws_await_end(ws_client *self, int64_t limit_us)
{
    const int64_t end_us = hy_clock_now_us() + limit_us;
    while (self->socket >= 0 && hy_clock_now_us() < end_us) {
        ws_hear(self, end_us - hy_clock_now_us());
    }
    return self->socket < 0;
}

static char *exchange(int socket_, const void *bytes, size_t bytes_size, size_t *size)
{
    const struct timeval limit = { .tv_sec = 20 };
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    char *answer = calloc(1, FRAME_ROOM + 1);
    *size = 0;
    ssize_t got = send_all(socket_, bytes, bytes_size) ? 1 : 0;
    while (got > 0 && *size < FRAME_ROOM) {
        got = recv(socket_, answer + *size, FRAME_ROOM - *size, 0);
        *size += got > 0 ? (size_t)got : 0;
    }
    close(socket_);
    return answer;
}

int http_begin(const char *address, uint16_t port, const char *bytes)
{
    const int socket_ = connect_to(address, port, NULL, 0);
    if (socket_ >= 0) {
        (void)send_all(socket_, bytes, strlen(bytes));
    }
    return socket_;
}

char *http_get(const char *address, uint16_t port, const char *request, size_t *size)
{
    const int socket_ = connect_to(address, port, NULL, 0);
    return socket_ < 0 ? NULL : exchange(socket_, request, strlen(request), size);
}

char *http_exchange(uint16_t port, const void *bytes, size_t bytes_size, size_t *size)
{
    const int socket_ = connect_to("127.0.0.1", port, NULL, 0);
    if (socket_ < 0) {
        return NULL;
    }
    (void)send_all(socket_, bytes, bytes_size);
    shutdown(socket_, SHUT_WR); // or both would wait for each other
    return exchange(socket_, "", 0, size);
}
