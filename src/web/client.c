#include "client.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool web_client_make(web_client *self, const web_client_sizes *sizes)
{
    for (size_t i = 0; i < sizes->slots; i++) {
        self->slots[i].bytes = malloc(sizes->slot_sizes[i]);
        if (self->slots[i].bytes == NULL) {
            return false;
        }
    }
    return web_fifo_make(&self->inbox, sizes->inbox) && web_fifo_make(&self->queue, sizes->queue);
}

void web_client_free(web_client *self)
{
    for (size_t i = 0; i < HY_WEB_SLOTS; i++) {
        free(self->slots[i].bytes);
    }
    free(self->inbox.bytes);
    free(self->queue.bytes);
}

void web_client_open(web_client *self, const web_client_origin *from, int64_t now_us)
{
    assert(self->phase == WEB_CLIENT_FREE);
    self->phase = WEB_CLIENT_OPEN;
    self->is_announced = false;
    self->is_closing = false;
    self->is_held_back = false;
    self->is_taken = false;
    self->standing = WEB_STRANGER;
    memcpy(self->ip, from->ip, sizeof self->ip);
    (void)snprintf(self->path, sizeof self->path, "%s", from->path);
    self->origin = from->origin;
    self->since_us = now_us;
    self->endpoint = from->endpoint;
    self->inbox.at = self->inbox.end = 0;
    self->inbox.is_read = false;
    self->queue.at = self->queue.end = 0;
    for (size_t i = 0; i < HY_WEB_SLOTS; i++) {
        self->slots[i].is_fresh = false;
    }
}

/// What was taken: a message, or, if there is none, the end.
static void drop_taken(web_client *self)
{
    if (self->is_taken && web_fifo_is_empty(&self->inbox)) {
        self->phase = WEB_CLIENT_FREE;
    } else if (self->is_taken) {
        web_fifo_drop(&self->inbox);
    }
    self->is_taken = false;
}

void web_client_again(web_client *self)
{
    self->is_taken = false;
    web_fifo_release(&self->inbox);
}

bool web_client_take(web_client *self, hy_web_event *out)
{
    *out = (hy_web_event){ .endpoint = self->endpoint };
    drop_taken(self);
    if (self->phase == WEB_CLIENT_FREE) {
        return false;
    }
    if (!self->is_announced) {
        self->is_announced = true;
        out->what = HY_WEB_CONNECTED;
        out->path = self->path;
        out->ip = self->ip;
        out->origin = self->origin;
        return true;
    }
    web_kind kind;
    if (web_fifo_peek(&self->inbox, &out->bytes, &kind)) {
        self->is_taken = true;
        out->what = HY_WEB_MESSAGE;
        out->is_binary = kind.is_binary;
        out->is_old = kind.is_old;
        return true;
    }
    if (self->phase == WEB_CLIENT_GONE) {
        self->is_taken = true;
        self->standing = WEB_STRANGER; // it takes no member's place
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
    return self->phase == WEB_CLIENT_OPEN &&
           (self->is_closing || !web_fifo_is_empty(&self->queue) || web_client_fresh(self) >= 0);
}
