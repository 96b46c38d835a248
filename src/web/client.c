#include "client.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// Stands before a message in the inbox.
typedef struct {
    uint16_t size;
    bool is_binary;
} head;

bool web_client_make(web_client *self, const size_t *slot_sizes, size_t slots)
{
    for (size_t i = 0; i < slots; i++) {
        self->slots[i].bytes = malloc(slot_sizes[i]);
        if (self->slots[i].bytes == NULL) {
            return false;
        }
    }
    return true;
}

void web_client_free(web_client *self)
{
    for (size_t i = 0; i < HY_WEB_SLOTS; i++) {
        free(self->slots[i].bytes);
    }
}

void web_client_open(web_client *self, unsigned endpoint, const uint8_t ip[16], int64_t now_us)
{
    assert(self->phase == WEB_CLIENT_FREE);
    self->phase = WEB_CLIENT_OPEN;
    self->is_announced = false;
    self->is_closing = false;
    self->is_held_back = false;
    self->standing = WEB_STRANGER;
    memcpy(self->ip, ip, sizeof self->ip);
    self->since_us = now_us;
    self->endpoint = endpoint;
    self->inbox_at = self->inbox_end = 0;
    for (size_t i = 0; i < HY_WEB_SLOTS; i++) {
        self->slots[i].is_fresh = false;
    }
}

bool web_client_put(web_client *self, hy_bytes message, bool is_binary)
{
    assert(message.size <= HY_WEB_MESSAGE_MAX);
    const head before = { .size = (uint16_t)message.size, .is_binary = is_binary };
    const size_t needed = message.size + sizeof before;
    const size_t used = self->inbox_end - self->inbox_at;
    if (needed > WEB_INBOX_SIZE - used) {
        return false;
    }
    if (needed > WEB_INBOX_SIZE - self->inbox_end) {
        memmove(self->inbox, self->inbox + self->inbox_at, used);
        self->inbox_at = 0;
        self->inbox_end = used;
    }
    memcpy(self->inbox + self->inbox_end, &before, sizeof before);
    if (message.size > 0) { // an empty one may have no bytes at all
        memcpy(self->inbox + self->inbox_end + sizeof before, message.data, message.size);
    }
    self->inbox_end += needed;
    return true;
}

static void take_message(web_client *self, uint8_t *message, hy_web_event *out)
{
    head before;
    memcpy(&before, self->inbox + self->inbox_at, sizeof before);
    memcpy(message, self->inbox + self->inbox_at + sizeof before, before.size);
    self->inbox_at += sizeof before + before.size;
    out->what = HY_WEB_MESSAGE;
    out->is_binary = before.is_binary;
    out->bytes = (hy_bytes){ message, before.size };
}

bool web_client_take(web_client *self, uint8_t *message, hy_web_event *out)
{
    *out = (hy_web_event){ .endpoint = self->endpoint };
    if (self->phase == WEB_CLIENT_FREE) {
        return false;
    }
    if (!self->is_announced) {
        self->is_announced = true;
        out->what = HY_WEB_CONNECTED;
        return true;
    }
    if (self->inbox_end > self->inbox_at) {
        take_message(self, message, out);
        return true;
    }
    if (self->phase == WEB_CLIENT_GONE) {
        self->phase = WEB_CLIENT_FREE;
        out->what = HY_WEB_CLOSED;
        return true;
    }
    return false;
}

bool web_client_show(web_client *self, unsigned slot, hy_bytes text)
{
    const bool is_replaced = self->slots[slot].is_fresh;
    memcpy(self->slots[slot].bytes, text.data, text.size);
    self->slots[slot].size = text.size;
    self->slots[slot].is_fresh = true;
    return is_replaced;
}

int web_client_fresh(const web_client *self)
{
    for (int i = 0; i < HY_WEB_SLOTS; i++) {
        if (self->slots[i].is_fresh) {
            return i;
        }
    }
    return -1;
}

bool web_client_is_waiting(const web_client *self)
{
    return self->phase == WEB_CLIENT_OPEN && (self->is_closing || web_client_fresh(self) >= 0);
}
