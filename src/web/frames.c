#include "frames.h"

#include <string.h>

#include "text/text.h"

enum { CONTINUATION = 0, TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };

// --------------------------------------------------------------------------- the head of a frame

static unsigned opcode_of(const web_frames *self)
{
    return self->head[0] & 0x0f;
}

static bool is_final(const web_frames *self)
{
    return (self->head[0] & 0x80) != 0;
}

static bool is_control(const web_frames *self)
{
    return opcode_of(self) >= CLOSE;
}

/// Size of the head, as far as its first two bytes tell: length and mask follow.
static size_t whole_head_size(const web_frames *self)
{
    const unsigned length = self->head[1] & 0x7f;
    const size_t length_size = length == 127 ? 8 : length == 126 ? 2 : 0;
    return 2 + length_size + (self->from_server ? 0 : 4);
}

static uint64_t length_of(const web_frames *self)
{
    const unsigned length = self->head[1] & 0x7f;
    const size_t bytes = length == 127 ? 8 : length == 126 ? 2 : 0;
    uint64_t value = bytes == 0 ? length : 0;
    for (size_t i = 0; i < bytes; i++) {
        value = value << 8 | self->head[2 + i];
    }
    return value;
}

static bool is_shortest_form(const web_frames *self, uint64_t length)
{
    const unsigned form = self->head[1] & 0x7f;
    return (form < 126) || (form == 126 && length > 125) ||
           (form == 127 && length > UINT16_MAX && length >> 63 == 0);
}

/// What the first two bytes break; 0: nothing.
static unsigned check_start(const web_frames *self)
{
    const unsigned opcode = opcode_of(self);
    const bool is_known = opcode <= BINARY || (opcode >= CLOSE && opcode <= PONG);
    const bool has_reserved = (self->head[0] & 0x70) != 0;
    const bool is_masked = (self->head[1] & 0x80) != 0;
    if (!is_known || has_reserved || is_masked == self->from_server) {
        return WEB_CLOSE_PROTOCOL;
    }
    if (is_control(self)) {
        return is_final(self) && (self->head[1] & 0x7f) <= WEB_CONTROL_MAX ? 0 : WEB_CLOSE_PROTOCOL;
    }
    if ((opcode == CONTINUATION) != self->in_message) {
        return WEB_CLOSE_PROTOCOL;
    }
    return opcode == BINARY && !self->accepts_binary ? WEB_CLOSE_NOT_TEXT : 0;
}

static unsigned check_length(const web_frames *self, uint64_t length)
{
    if (!is_shortest_form(self, length)) {
        return WEB_CLOSE_PROTOCOL;
    }
    return !is_control(self) && length > self->message_max - self->message_size ? WEB_CLOSE_TOO_LONG
                                                                                : 0;
}

static web_frame_event refuse_frame(web_frames *self, unsigned code)
{
    self->code = code;
    return WEB_FRAME_ERROR;
}

/// The head is complete.
static unsigned begin_payload(web_frames *self)
{
    self->left = length_of(self);
    const unsigned refusal = check_length(self, self->left);
    self->mask_at = 0;
    self->in_payload = true;
    if (is_control(self)) {
        self->control_size = 0;
    } else if (!self->in_message) {
        self->is_binary = opcode_of(self) == BINARY;
        self->in_message = true;
    }
    return refusal;
}

// --------------------------------------------------------------------------- the end of a frame

static bool is_close_code(unsigned code)
{
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
           (code >= 3000 && code <= 4999);
}

static web_frame_event end_close(web_frames *self)
{
    const size_t size = self->control_size;
    self->code = size >= 2 ? (unsigned)(self->control[0] << 8 | self->control[1]) : WEB_CLOSE_NO_CODE;
    if (size == 1 || (size >= 2 && !is_close_code(self->code))) {
        return refuse_frame(self, WEB_CLOSE_PROTOCOL);
    }
    const hy_bytes reason = { self->control + 2, size >= 2 ? size - 2 : 0 };
    return hy_utf8_is_valid(reason) ? WEB_FRAME_CLOSE : refuse_frame(self, WEB_CLOSE_NOT_UTF8);
}

static web_frame_event end_frame(web_frames *self)
{
    self->in_payload = false;
    self->head_size = 0;
    switch (opcode_of(self)) {
    case CLOSE: return end_close(self);
    case PING: return WEB_FRAME_PING;
    case PONG: return WEB_FRAME_PONG;
    default: break;
    }
    if (!is_final(self)) {
        return WEB_FRAME_NONE;
    }
    self->in_message = false;
    self->was_reported = true;
    const hy_bytes message = { self->message, self->message_size };
    return self->is_binary || hy_utf8_is_valid(message) ? WEB_FRAME_MESSAGE
                                                        : refuse_frame(self, WEB_CLOSE_NOT_UTF8);
}

// --------------------------------------------------------------------------- bytes

static void skip_bytes(hy_bytes *bytes, size_t size)
{
    *bytes = (hy_bytes){ bytes->data + size, bytes->size - size };
}

/// Takes one byte of the head; what it breaks, or 0.
static unsigned take_head_byte(web_frames *self, uint8_t byte)
{
    self->head[self->head_size++] = byte;
    const unsigned refusal = self->head_size == 2 ? check_start(self) : 0;
    if (refusal != 0) {
        return refusal;
    }
    return self->head_size >= 2 && self->head_size == whole_head_size(self) ? begin_payload(self) : 0;
}

static void take_payload(web_frames *self, hy_bytes *bytes)
{
    const size_t size = self->left < bytes->size ? (size_t)self->left : bytes->size;
    static const uint8_t no_mask[4];
    const uint8_t *const mask =
        self->from_server ? no_mask : self->head + whole_head_size(self) - sizeof no_mask;
    uint8_t *const to =
        is_control(self) ? self->control + self->control_size : self->message + self->message_size;
    for (size_t i = 0; i < size; i++) {
        to[i] = bytes->data[i] ^ mask[(self->mask_at + i) % 4];
    }
    self->mask_at = (self->mask_at + size) % 4;
    self->left -= size;
    *(is_control(self) ? &self->control_size : &self->message_size) += size;
    skip_bytes(bytes, size);
}

web_frame_event web_frames_take(web_frames *self, hy_bytes *bytes)
{
    if (self->was_reported) { // the message that the caller has seen
        self->was_reported = false;
        self->message_size = 0;
    }
    for (;;) {
        if (self->in_payload) {
            take_payload(self, bytes);
            const web_frame_event event = self->left == 0 ? end_frame(self) : WEB_FRAME_NONE;
            if (event != WEB_FRAME_NONE) {
                return event;
            }
        }
        if (bytes->size == 0) {
            return WEB_FRAME_NONE;
        }
        const unsigned refusal = take_head_byte(self, bytes->data[0]);
        skip_bytes(bytes, 1);
        if (refusal != 0) {
            return refuse_frame(self, refusal);
        }
    }
}

size_t web_frame_head(uint8_t out[10], uint8_t first, size_t payload_size)
{
    out[0] = first;
    if (payload_size < 126) {
        out[1] = (uint8_t)payload_size;
        return 2;
    }
    const size_t bytes = payload_size > UINT16_MAX ? 8 : 2;
    out[1] = bytes == 8 ? 127 : 126;
    for (size_t i = 0; i < bytes; i++) {
        out[2 + i] = (uint8_t)((uint64_t)payload_size >> (8 * (bytes - 1 - i)));
    }
    return 2 + bytes;
}
