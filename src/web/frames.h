/// @file frames.h
/// The frames that one side of a WebSocket receives (RFC 6455, 5). Pure: bytes in, messages and control frames out.
#ifndef HY_WEB_FRAMES_H
#define HY_WEB_FRAMES_H

#include "web.h"

#define WEB_CONTROL_MAX 125 ///< Bytes of a ping's, pong's or close's payload.

/// Why a WebSocket is closed (RFC 6455, 7.4.1).
enum {
    WEB_CLOSE_NORMAL = 1000,
    WEB_CLOSE_GOING_AWAY = 1001,
    WEB_CLOSE_PROTOCOL = 1002,
    WEB_CLOSE_NOT_TEXT = 1003,
    WEB_CLOSE_NO_CODE = 1005, ///< Never sent: a close frame without a code.
    WEB_CLOSE_NOT_UTF8 = 1007,
    WEB_CLOSE_POLICY = 1008,
    WEB_CLOSE_TOO_LONG = 1009,
};

typedef enum {
    WEB_FRAME_NONE, ///< All bytes are consumed and nothing is complete.
    WEB_FRAME_MESSAGE,
    WEB_FRAME_PING,
    WEB_FRAME_PONG,
    WEB_FRAME_CLOSE, ///< `code` is the client's.
    WEB_FRAME_ERROR, ///< `code` is what to close with; nothing may be fed any more.
} web_frame_event;

/// All zero, but for what the caller sets, is the start of a connection.
typedef struct {
    // Set by the caller.
    bool from_server; ///< The frames are a server's, which have no mask; else a client's, which have one.
    bool accepts_binary;
    uint8_t *message; ///< Room for the longest message that is accepted.
    size_t message_max;
    // Read-only: what the last event tells.
    size_t message_size; ///< Of the message, also while it is under way.
    bool is_binary;
    uint8_t control[WEB_CONTROL_MAX];
    size_t control_size;
    unsigned code;
    // Private.
    uint8_t head[14];
    size_t head_size;
    uint64_t left; // of the payload
    size_t mask_at;
    bool in_payload, in_message, was_reported;
} web_frames;

/// Consumes bytes up to and including those that complete something; `*bytes` is what is left. Call it until WEB_FRAME_NONE.
web_frame_event web_frames_take(web_frames *self, hy_bytes *bytes);

/// Writes the head of a frame without a mask: `first` is FIN and opcode. Returns its size, at most 10.
size_t web_frame_head(uint8_t out[10], uint8_t first, size_t payload_size);

#endif
