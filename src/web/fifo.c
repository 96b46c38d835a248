#include "fifo.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// Stands before a message.
typedef struct {
    uint32_t size;
    web_kind kind;
} head;

static_assert(sizeof(head) <= WEB_FIFO_HEAD, "what a message takes beside its own bytes");

bool web_fifo_make(web_fifo *self, size_t size)
{
    self->bytes = malloc(size > 0 ? size : 1);
    self->size = size;
    return self->bytes != NULL;
}

bool web_fifo_put(web_fifo *self, hy_bytes message, web_kind kind)
{
    const head before = { .size = (uint32_t)message.size, .kind = kind };
    const size_t used = self->end - self->at;
    if (message.size > UINT32_MAX - sizeof before ||
        message.size + sizeof before > self->size - used) {
        return false;
    }
    const size_t needed = message.size + sizeof before;
    if (needed > self->size - self->end) {
        if (self->is_read) {
            return false;
        }
        memmove(self->bytes, self->bytes + self->at, used);
        self->at = 0;
        self->end = used;
    }
    memcpy(self->bytes + self->end, &before, sizeof before);
    if (message.size > 0) { // an empty one may have no bytes at all
        memcpy(self->bytes + self->end + sizeof before, message.data, message.size);
    }
    self->end += needed;
    return true;
}

bool web_fifo_peek(web_fifo *self, hy_bytes *message, web_kind *kind)
{
    if (web_fifo_is_empty(self)) {
        return false;
    }
    head before;
    memcpy(&before, self->bytes + self->at, sizeof before);
    *message = (hy_bytes){ self->bytes + self->at + sizeof before, before.size };
    *kind = before.kind;
    self->is_read = true;
    return true;
}

void web_fifo_drop(web_fifo *self)
{
    head before;
    memcpy(&before, self->bytes + self->at, sizeof before);
    self->at += sizeof before + before.size;
    self->is_read = false;
    if (web_fifo_is_empty(self)) { // so that a buffer of which little is in use stays in few pages
        self->at = self->end = 0;
    }
}

void web_fifo_release(web_fifo *self)
{
    self->is_read = false;
}

bool web_fifo_take(web_fifo *self, uint8_t *to, size_t *size, web_kind *kind)
{
    hy_bytes message;
    if (!web_fifo_peek(self, &message, kind)) {
        return false;
    }
    memcpy(to, message.data, message.size);
    *size = message.size;
    web_fifo_drop(self);
    return true;
}

bool web_fifo_is_empty(const web_fifo *self)
{
    return self->end == self->at;
}
