#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "server.h"

#define INBOX_MESSAGES 4 // of the longest
#define CLIENTS_MIN    32
#define NEWCOMERS      4 // places that visitors leave to who has not said yet who it is

// --------------------------------------------------------------------------- starting

static bool start_thread(hy_web *self)
{
    self->has_thread = hy_thread_start(&self->thread, web_serve, self);
    return self->has_thread;
}

static hy_status take_files(hy_web *self, const hy_web_options *options)
{
    web_files *const files = &self->site.files;
    hy_status status = options->folder != NULL ? web_files_read(files, options->folder) : HY_OK;
    for (size_t i = 0; i < options->file_count && status == HY_OK; i++) {
        status = web_files_add(files, &options->files[i]);
    }
    return status;
}

static bool make_clients(hy_web *self)
{
    const web_client_sizes sizes = { self->slot_sizes, self->slot_count,
                                     INBOX_MESSAGES * (self->message_max + WEB_FIFO_HEAD),
                                     self->queue_size };
    size_t longest = self->queue_size > 0 ? self->queue_size : 1;
    for (size_t i = 0; i < self->slot_count; i++) {
        longest = self->slot_sizes[i] > longest ? self->slot_sizes[i] : longest;
    }
    bool ok = true;
    for (size_t i = 0; i < self->client_count && ok; i++) {
        self->sending[i] = malloc(longest);
        ok = self->sending[i] != NULL && web_client_make(&self->clients[i], &sizes);
    }
    return ok;
}

/// Room for the messages that connections receive. Pages of memory that no message needs are never touched.
static bool make_room(hy_web *self)
{
    for (size_t i = 0; i < WEB_SOCKETS; i++) {
        self->sockets[i].message = (hy_room){ malloc(self->message_max), self->message_max };
        if (self->sockets[i].message.data == NULL) {
            return false;
        }
    }
    return true;
}

static void copy_endpoint(web_site *site, size_t i, const hy_web_endpoint *from)
{
    snprintf(site->endpoints[i].path, sizeof site->endpoints[i].path, "%s", from->path);
    snprintf(site->endpoints[i].protocol, sizeof site->endpoints[i].protocol, "%s", from->protocol);
    site->endpoints[i].accepts_binary = from->accepts_binary;
    site->endpoints[i].allows_programs = from->allows_programs;
}

static void copy_options(hy_web *self, const hy_web_options *options)
{
    assert(options->endpoint_count <= HY_WEB_ENDPOINTS && options->slot_count <= HY_WEB_SLOTS);
    assert(options->clients_max == 0 ||
           (options->clients_max >= CLIENTS_MIN && options->clients_max <= HY_WEB_CLIENTS));
    self->client_count = options->clients_max > 0 ? (unsigned)options->clients_max : HY_WEB_CLIENTS;
    self->listener = -1;
    self->owner_waker = self->server_waker = (hy_waker){ -1, -1 };
    for (size_t i = 0; i < WEB_SOCKETS; i++) {
        self->sockets[i].socket = -1;
        self->sockets[i].client = -1;
    }
    if (options->without_folder != NULL) {
        snprintf(self->site.without_folder, sizeof self->site.without_folder, "%.510s\n",
                 options->without_folder);
    }
    self->site.endpoint_count = options->endpoint_count;
    for (size_t i = 0; i < options->endpoint_count; i++) {
        copy_endpoint(&self->site, i, &options->endpoints[i]);
    }
    if (options->token != NULL) {
        snprintf(self->site.token_protocol, sizeof self->site.token_protocol, "token.%s",
                 options->token);
    }
    for (size_t i = 0; i < options->names.count; i++) {
        snprintf(self->names[i], sizeof self->names[i], "%s", options->names.at[i]);
        self->site.names.at[self->site.names.count++] = self->names[i];
    }
    self->site.is_open = options->is_open;
    self->site.any_page_reads_files = options->any_page_reads_files;
    self->message_max = options->message_max > 0 ? options->message_max : HY_WEB_MESSAGE_MAX;
    self->queue_size = options->queue_size;
    self->slot_count = options->slot_count;
    if (options->slot_count > 0) {
        memcpy(self->slot_sizes, options->slot_sizes,
               options->slot_count * sizeof self->slot_sizes[0]);
    }
}

static hy_status start_server(hy_web *self, const hy_web_options *options)
{
    hy_status status = take_files(self, options);
    if (status != HY_OK) {
        return status;
    }
    self->listener = hy_stream_listen(&options->listen, &status);
    if (self->listener < 0) {
        return status;
    }
    self->local = hy_stream_address(self->listener);
    if (!make_clients(self) || !make_room(self)) {
        return HY_EMEMORY;
    }
    return hy_waker_open(&self->owner_waker) && hy_waker_open(&self->server_waker) &&
                   start_thread(self)
               ? HY_OK
               : HY_ESYSTEM;
}

hy_status hy_web_open(hy_web **out, const hy_web_options *options)
{
    *out = NULL;
    hy_web *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return HY_EMEMORY;
    }
    copy_options(self, options);
    hy_mutex_init(&self->lock);
    hy_mutex_init(&self->turn);
    const hy_status status = start_server(self, options);
    if (status != HY_OK) {
        hy_web_close(self);
        return status;
    }
    *out = self;
    return HY_OK;
}

// --------------------------------------------------------------------------- stopping

/// Gives the lock back and then, if `wants` says so, has the server's thread look at what has changed. A thread that is woken while the
/// lock is held would only wait for it.
static void unlock_and_wake(hy_web *self, bool wants)
{
    web_unlock_and_wake(self, wants, &self->is_server_woken, &self->server_waker);
}

static void end_thread(hy_web *self)
{
    hy_mutex_lock(&self->lock);
    self->is_stopping = true;
    hy_waker_end(&self->server_waker);
    hy_mutex_unlock(&self->lock);
    hy_thread_join(&self->thread);
}

void hy_web_close(hy_web *self)
{
    if (self == NULL) {
        return;
    }
    if (self->has_thread) {
        end_thread(self);
    }
    for (size_t i = 0; i < WEB_SOCKETS; i++) {
        hy_stream_close(self->sockets[i].socket);
        free(self->sockets[i].message.data);
    }
    hy_stream_close(self->listener);
    hy_waker_close(&self->owner_waker);
    hy_waker_close(&self->server_waker);
    for (size_t i = 0; i < self->client_count; i++) {
        web_client_free(&self->clients[i]);
        free(self->sending[i]);
    }
    web_files_free(&self->site.files);
    hy_mutex_close(&self->turn);
    hy_mutex_close(&self->lock);
    free(self);
}

// --------------------------------------------------------------------------- the owner's side

hy_endpoint hy_web_address(const hy_web *self)
{
    return self->local;
}

intptr_t hy_web_descriptor(const hy_web *self)
{
    return self->owner_waker.handle;
}

/// Under the lock. `has_room`: a client that was held back may be read again.
static bool take_event(hy_web *self, hy_web_event *out, bool *has_room)
{
    bool any = self->refused_count > 0;
    if (any) {
        self->told = self->refused[--self->refused_count];
        *out =
            (hy_web_event){ .what = HY_WEB_REFUSED, .origin = self->told.origin, .ip = self->told.ip };
    }
    for (unsigned tried = 0; tried < self->client_end && !any; tried++) {
        const unsigned client = self->next_client < self->client_end ? self->next_client : 0;
        self->next_client = client + 1;
        web_client *const from = &self->clients[client];
        const bool gets_room = from->is_taken && from->is_held_back;
        from->is_held_back = from->is_held_back && !gets_room;
        *has_room = *has_room || gets_room;
        any = web_client_take(from, out);
        out->client = client;
    }
    while (self->client_end > 0 && self->clients[self->client_end - 1].phase == WEB_CLIENT_FREE) {
        self->client_end--;
    }
    if (any) {
        return true;
    }
    hy_waker_clear(&self->owner_waker);
    self->is_owner_woken = false;
    return false;
}

bool hy_web_next(hy_web *self, hy_web_event *out)
{
    bool has_room = false;
    hy_mutex_lock(&self->lock);
    const bool any = take_event(self, out, &has_room);
    unlock_and_wake(self, has_room);
    return any;
}

void hy_web_again(hy_web *self)
{
    hy_mutex_lock(&self->lock);
    web_client_again(&self->clients[self->next_client - 1]);
    hy_mutex_unlock(&self->lock);
}

/// Under the lock. Whether the client takes texts.
static bool show_client(hy_web *self, unsigned i, unsigned slot, hy_bytes text)
{
    web_client *const client = &self->clients[i];
    if (client->phase != WEB_CLIENT_OPEN || client->is_closing) {
        return false;
    }
    self->counters.tx_replaced += web_client_show(client, slot, text) ? 1 : 0;
    return true;
}

hy_status hy_web_show(hy_web *self, const hy_web_audience *to, unsigned slot, hy_bytes text)
{
    assert(slot < self->slot_count);
    if (text.size > self->slot_sizes[slot]) {
        return HY_ERANGE;
    }
    bool any = false;
    hy_mutex_lock(&self->lock);
    for (unsigned i = 0; i < self->client_count; i++) {
        any |= to->has[i] && show_client(self, i, slot, text);
    }
    hy_mutex_unlock(&self->lock);
    if (any) {
        web_send_shown(self, to);
    }
    return HY_OK;
}

hy_status hy_web_show_one(hy_web *self, unsigned client, unsigned slot, hy_bytes text)
{
    assert(client < self->client_count);
    hy_web_audience to = { { false } };
    to.has[client] = true;
    return hy_web_show(self, &to, slot, text);
}

bool hy_web_send(hy_web *self, unsigned client, hy_bytes message, bool is_binary)
{
    assert(client < self->client_count);
    hy_mutex_lock(&self->lock);
    web_client *const to = &self->clients[client];
    const bool is_there = to->phase == WEB_CLIENT_OPEN && !to->is_closing;
    const bool ok =
        is_there && web_fifo_put(&to->queue, message, (web_kind){ .is_binary = is_binary });
    self->counters.tx_queued += ok;
    unlock_and_wake(self, ok);
    return ok;
}

/// Under the lock: whether there is a place for one more of that kind.
static bool has_place(const hy_web *self, unsigned client, bool is_member)
{
    size_t same = 0, neighbours = 0;
    for (unsigned i = 0; i < self->client_count; i++) {
        const web_client *const other = &self->clients[i];
        const bool is_same = i != client && other->phase != WEB_CLIENT_FREE &&
                             other->standing == (is_member ? WEB_MEMBER : WEB_VISITOR);
        same += is_same;
        neighbours += is_same && web_crowd_is_same(other->ip, self->clients[client].ip);
    }
    const size_t visitors = self->client_count - HY_WEB_MEMBERS - NEWCOMERS;
    return is_member ? same < HY_WEB_MEMBERS
                     : same < visitors && neighbours < web_crowd_share(visitors);
}

bool hy_web_admit(hy_web *self, unsigned client, bool is_member)
{
    assert(client < self->client_count);
    hy_mutex_lock(&self->lock);
    const bool ok = has_place(self, client, is_member);
    if (ok) {
        self->clients[client].standing = is_member ? WEB_MEMBER : WEB_VISITOR;
    }
    hy_mutex_unlock(&self->lock);
    return ok;
}

void hy_web_disconnect(hy_web *self, unsigned client, const char *why)
{
    assert(client < self->client_count);
    hy_mutex_lock(&self->lock);
    self->clients[client].is_closing = true;
    snprintf(self->clients[client].why, sizeof self->clients[client].why, "%s", why);
    unlock_and_wake(self, true);
}

hy_web_counters hy_web_count(hy_web *self)
{
    hy_mutex_lock(&self->lock);
    const hy_web_counters counters = self->counters;
    hy_mutex_unlock(&self->lock);
    return counters;
}
