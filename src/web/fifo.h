/// @file fifo.h
/// Messages one behind the other in a buffer of a fixed size. Knows no thread.
#ifndef HY_WEB_FIFO_H
#define HY_WEB_FIFO_H

#include "web.h"

#define WEB_FIFO_HEAD 8 ///< Bytes that a message takes beside its own, at most.

/// What is known of a message beside its bytes.
typedef struct {
    bool is_binary;
    bool is_old; ///< As in hy_web_event.
} web_kind;

typedef struct {
    uint8_t *bytes;
    size_t size;
    size_t at, end; ///< The part that is in use.
    bool is_read;   ///< Somebody reads the oldest message: it must stay where it is.
} web_fifo;

/// Memory for `size` bytes; false if there is none. `self` is all zero before.
bool web_fifo_make(web_fifo *self, size_t size);

/// Adds a message; false if there is no room for it, or none before the one that is read is done with.
bool web_fifo_put(web_fifo *self, hy_bytes message, web_kind kind);

/// The oldest message, which is read where it is until it is dropped or released; false if there is none.
bool web_fifo_peek(web_fifo *self, hy_bytes *message, web_kind *kind);
void web_fifo_drop(web_fifo *self);
void web_fifo_release(web_fifo *self); ///< It is there still.

/// Copies the oldest message out; false if there is none.
bool web_fifo_take(web_fifo *self, uint8_t *to, size_t *size, web_kind *kind);

bool web_fifo_is_empty(const web_fifo *self);

#endif
