#include "caller.h"

#include "request.h"

#include <stdio.h>
#include <string.h>

#define REQUEST_MAX  1024
#define FIN          0x80
#define MASKED       0x80
#define MASK_SIZE    4
#define FRAME_EXTRA  (10 + MASK_SIZE) // bytes of a frame besides its payload, at most
#define LINE_END     "\r\n"
#define STATUS_START "HTTP/1.1 101"

enum { TEXT = 1, BINARY = 2, PING = 9, PONG = 10 };

// --------------------------------------------------------------------------- the queue

static hy_room queue_room(web_caller *self, size_t needed)
{
    if (needed > self->queue.size - self->queue_end && self->queue_at > 0) {
        memmove(self->queue.data, self->queue.data + self->queue_at,
                self->queue_end - self->queue_at);
        self->queue_end -= self->queue_at;
        self->queue_at = 0;
    }
    return (hy_room){ self->queue.data + self->queue_end, self->queue.size - self->queue_end };
}

// RFC 6455, 5.3: the mask keeps pages from choosing the bytes that a proxy sees. No page chooses what is sent here.
static bool queue_frame(web_caller *self, unsigned opcode, hy_bytes payload)
{
    if (payload.size > self->queue.size) {
        return false;
    }
    const hy_room room = queue_room(self, payload.size + FRAME_EXTRA);
    if (room.size < payload.size + FRAME_EXTRA) {
        return false;
    }
    const uint64_t mask = hy_random_bits(&self->masks);
    uint8_t *at = room.data + web_frame_head(room.data, (uint8_t)(FIN | opcode), payload.size);
    room.data[1] |= MASKED;
    for (unsigned i = 0; i < MASK_SIZE; i++) {
        *at++ = (uint8_t)(mask >> 8 * i);
    }
    for (size_t i = 0; i < payload.size; i++) {
        *at++ = (uint8_t)(payload.data[i] ^ (uint8_t)(mask >> 8 * (i % MASK_SIZE)));
    }
    self->queue_end += (size_t)(at - room.data);
    return true;
}

hy_bytes web_caller_output(const web_caller *self)
{
    return (hy_bytes){ self->queue.data + self->queue_at, self->queue_end - self->queue_at };
}

void web_caller_sent(web_caller *self, size_t size)
{
    self->queue_at += size;
    if (self->queue_at == self->queue_end) {
        self->queue_at = self->queue_end = 0;
    }
}

bool web_caller_send(web_caller *self, hy_bytes message, bool is_binary)
{
    return self->stage == WEB_CALLER_OPEN && queue_frame(self, is_binary ? BINARY : TEXT, message);
}

void web_caller_ping(web_caller *self)
{
    if (self->stage == WEB_CALLER_OPEN) {
        (void)queue_frame(self, PING, (hy_bytes){ (const uint8_t *)"", 0 });
    }
}

// --------------------------------------------------------------------------- the upgrade

static void encode_key(const uint8_t bytes[WEB_CALLER_KEY_SIZE], char out[WEB_KEY_SIZE + 1])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t padded[WEB_CALLER_KEY_SIZE + 2] = { 0 };
    memcpy(padded, bytes, WEB_CALLER_KEY_SIZE);
    for (size_t i = 0; i < WEB_KEY_SIZE / 4; i++) {
        const uint32_t bits =
            (uint32_t)padded[3 * i] << 16 | (uint32_t)padded[3 * i + 1] << 8 | padded[3 * i + 2];
        for (size_t k = 0; k < 4; k++) {
            out[4 * i + k] = digits[bits >> (18 - 6 * k) & 63];
        }
    }
    memcpy(out + WEB_KEY_SIZE - 2, "==", 3);
}

bool web_caller_start(web_caller *self, const web_caller_setup *setup)
{
    char request[REQUEST_MAX], key[WEB_KEY_SIZE + 1];
    uint64_t seed;
    encode_key(setup->key, key);
    memcpy(&seed, setup->key, sizeof seed);
    *self = (web_caller){ .stage = WEB_CALLER_ASKED,
                          .protocol = setup->protocol,
                          .queue = setup->queue,
                          .frames = { .from_server = true,
                                      .accepts_binary = true,
                                      .message = setup->message.data,
                                      .message_max = setup->message.size } };
    web_accept_key(key, self->accept);
    self->masks = hy_random_seeded(seed);
    const int size = snprintf(request, sizeof request,
                              "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\n"
                              "Connection: Upgrade\r\nSec-WebSocket-Key: %s\r\n"
                              "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: %s\r\n\r\n",
                              setup->path, setup->host, key, setup->protocol);
    if (size < 0 || (size_t)size >= sizeof request || (size_t)size > setup->queue.size) {
        return false;
    }
    memcpy(setup->queue.data, request, (size_t)size);
    self->queue_end = (size_t)size;
    return true;
}

static web_caller_event end_call(web_caller *self, const char *why)
{
    self->stage = WEB_CALLER_ENDED;
    self->why = why;
    return WEB_CALLER_CLOSED;
}

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

// The value of a field if the line is that field's, without the spaces around it; else NULL. Ends the line there.
static const char *field_value(char *line, const char *name)
{
    size_t i = 0;
    while (name[i] != '\0' && lower(line[i]) == name[i]) {
        i++;
    }
    if (name[i] != '\0' || line[i] != ':') {
        return NULL;
    }
    char *const value = line + i + 1 + strspn(line + i + 1, " \t");
    size_t size = strlen(value);
    while (size > 0 && (value[size - 1] == ' ' || value[size - 1] == '\t')) {
        size--;
    }
    value[size] = '\0';
    return value;
}

// RFC 6455, 4.1: what the server has to answer. NULL: it did.
static const char *check_answer(const web_caller *self, char *head)
{
    bool has_accept = false, has_protocol = false;
    if (strncmp(head, STATUS_START, strlen(STATUS_START)) != 0) {
        return "the server refuses the connection";
    }
    for (char *line = strstr(head, LINE_END), *next; line != NULL; line = next) {
        line += strlen(LINE_END);
        next = strstr(line, LINE_END);
        if (next != NULL) {
            *next = '\0';
        }
        const char *const accept = field_value(line, "sec-websocket-accept");
        const char *const protocol = field_value(line, "sec-websocket-protocol");
        has_accept = has_accept || (accept != NULL && strcmp(accept, self->accept) == 0);
        has_protocol = has_protocol || (protocol != NULL && strcmp(protocol, self->protocol) == 0);
    }
    return !has_accept     ? "the server does not speak WebSocket"
           : !has_protocol ? "the server does not speak this protocol"
                           : NULL;
}

static web_caller_event take_answer(web_caller *self, hy_bytes *bytes)
{
    bool is_bad = false;
    const size_t before = self->head_size, room = sizeof self->head - 1 - before;
    const size_t size = bytes->size < room ? bytes->size : room;
    memcpy(self->head + before, bytes->data, size);
    self->head_size += size;
    const size_t end = web_request_find_end(self->head, before, self->head_size, &is_bad);
    if (is_bad || (end == 0 && self->head_size == sizeof self->head - 1)) {
        return end_call(self, "the server's answer is not HTTP");
    }
    const size_t used = end == 0 ? size : end - before;
    *bytes = (hy_bytes){ bytes->data + used, bytes->size - used };
    if (end == 0) {
        return WEB_CALLER_NOTHING;
    }
    self->head[end] = '\0';
    const char *const why = check_answer(self, (char *)self->head);
    if (why != NULL) {
        return end_call(self, why);
    }
    self->stage = WEB_CALLER_OPEN;
    return WEB_CALLER_OPENED;
}

// --------------------------------------------------------------------------- frames

static web_caller_event take_frames(web_caller *self, hy_bytes *bytes)
{
    for (;;) {
        switch (web_frames_take(&self->frames, bytes)) {
        case WEB_FRAME_NONE: return WEB_CALLER_NOTHING;
        case WEB_FRAME_MESSAGE: return WEB_CALLER_MESSAGE;
        case WEB_FRAME_PING: // without room for the answer the server takes us for dead, and is right
            (void)queue_frame(self, PONG,
                              (hy_bytes){ self->frames.control, self->frames.control_size });
            break;
        case WEB_FRAME_PONG: break;
        case WEB_FRAME_CLOSE: return end_call(self, "the server closed the connection");
        case WEB_FRAME_ERROR: return end_call(self, "the server broke the WebSocket protocol");
        }
    }
}

web_caller_event web_caller_take(web_caller *self, hy_bytes *bytes)
{
    switch (self->stage) {
    case WEB_CALLER_ASKED: return bytes->size > 0 ? take_answer(self, bytes) : WEB_CALLER_NOTHING;
    case WEB_CALLER_OPEN: return take_frames(self, bytes);
    default: return WEB_CALLER_NOTHING;
    }
}
