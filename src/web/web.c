#include "server.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "listen.h"

#define CONNECTIONS   64 // of all kinds at a time; a browser opens six for files
#define REQUEST_ROOMS 32 // of them still asking

// --------------------------------------------------------------------------- the server's thread

static bool is_stopping(hy_web *self)
{
    pthread_mutex_lock(&self->lock);
    const bool stopping = self->is_stopping;
    pthread_mutex_unlock(&self->lock);
    return stopping;
}

static void *serve(void *context)
{
    hy_web *const self = context;
    while (!is_stopping(self) && lws_service(self->context, 0) >= 0) {
    }
    return NULL;
}

/// Signals are the owner's business, so the thread takes none.
static bool start_thread(hy_web *self)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    self->has_thread = pthread_create(&self->thread, NULL, serve, self) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return self->has_thread;
}

// --------------------------------------------------------------------------- starting

// What a browser may do with what comes from here: nothing that involves another server.
static const struct lws_protocol_vhost_options referrer = { .name = "referrer-policy:",
                                                            .value = "no-referrer" };
static const struct lws_protocol_vhost_options frames = {
    .next = &referrer, .name = "x-frame-options:", .value = "deny"
};
static const struct lws_protocol_vhost_options types = {
    .next = &frames, .name = "x-content-type-options:", .value = "nosniff"
};
static const struct lws_protocol_vhost_options policy = {
    .next = &types,
    .name = "content-security-policy:",
    .value = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
             "form-action 'none'; "
             "frame-ancestors 'none'",
};

// Who does not answer a ping is gone, though the network did not say so: a telephone out of reach.
static const lws_retry_bo_t patience = { .secs_since_valid_ping = 4, .secs_since_valid_hangup = 10 };

static void fill_protocols(hy_web *self)
{
    self->protocols[0] = (struct lws_protocols){ .name = "http",
                                                 .callback = web_on_http,
                                                 .per_session_data_size = sizeof(web_transfer) };
    self->protocols[1] = (struct lws_protocols){ .name = "listener", .callback = web_on_listener };
    for (size_t i = 0; i < self->endpoint_count; i++) {
        self->protocols[2 + i] = (struct lws_protocols){
            .name = self->endpoints[i].protocol,
            .callback = web_on_socket,
            .per_session_data_size = sizeof(web_session),
            .rx_buffer_size = HY_WEB_MESSAGE_MAX,
            .id = (unsigned)i,
        };
    }
}

/// libwebsockets has the process ignore SIGPIPE; its thread takes no signals anyway, and others may want it.
static struct lws_context *create_context(const struct lws_context_creation_info *info)
{
    struct sigaction before;
    sigaction(SIGPIPE, NULL, &before);
    lws_set_log_level(0, NULL);
    struct lws_context *const context = lws_create_context(info);
    sigaction(SIGPIPE, &before, NULL);
    return context;
}

static bool start_library(hy_web *self)
{
    fill_protocols(self);
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = self->protocols,
        .headers = &policy,
        .server_string = "halyard",
        .gid = -1,
        .uid = -1,
        .fd_limit_per_thread = CONNECTIONS,
        .max_http_header_pool = REQUEST_ROOMS,
        .timeout_secs = 10,
        .keepalive_timeout = 30,
        .retry_and_idle_policy = &patience,
        .user = self,
    };
    self->context = create_context(&info);
    if (self->context == NULL) {
        return false;
    }
    self->vhost = lws_get_vhost_by_name(self->context, "default");
    lws_sock_file_fd_type descriptor;
    descriptor.filefd = self->listener;
    return lws_adopt_descriptor_vhost(self->vhost, LWS_ADOPT_RAW_FILE_DESC, descriptor, "listener",
                                      NULL) != NULL;
}

static bool open_wake(hy_web *self)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    self->wake_read = ends[0];
    self->wake_write = ends[1];
    return true;
}

static hy_status take_files(hy_web *self, const hy_web_options *options)
{
    hy_status status =
        options->folder != NULL ? web_files_read(&self->files, options->folder) : HY_OK;
    for (size_t i = 0; i < options->file_count && status == HY_OK; i++) {
        status = web_files_add(&self->files, &options->files[i]);
    }
    return status;
}

static bool make_clients(hy_web *self)
{
    size_t longest = WEB_CHUNK;
    for (size_t i = 0; i < self->slot_count; i++) {
        longest = self->slot_sizes[i] > longest ? self->slot_sizes[i] : longest;
    }
    self->writing = malloc(LWS_PRE + longest);
    bool ok = self->writing != NULL;
    for (size_t i = 0; i < HY_WEB_CLIENTS && ok; i++) {
        ok = web_client_make(&self->clients[i], self->slot_sizes, self->slot_count);
    }
    return ok;
}

static void copy_options(hy_web *self, const hy_web_options *options)
{
    assert(options->endpoint_count <= HY_WEB_ENDPOINTS && options->slot_count <= HY_WEB_SLOTS);
    self->listener = self->wake_read = self->wake_write = -1;
    if (options->without_folder != NULL) {
        snprintf(self->without_folder, sizeof self->without_folder, "%s", options->without_folder);
    }
    self->endpoint_count = options->endpoint_count;
    for (size_t i = 0; i < options->endpoint_count; i++) {
        snprintf(self->endpoints[i].path, sizeof self->endpoints[i].path, "%s",
                 options->endpoints[i].path);
        snprintf(self->endpoints[i].protocol, sizeof self->endpoints[i].protocol, "%s",
                 options->endpoints[i].protocol);
    }
    self->slot_count = options->slot_count;
    memcpy(self->slot_sizes, options->slot_sizes, options->slot_count * sizeof self->slot_sizes[0]);
}

static hy_status start(hy_web *self, const hy_web_options *options)
{
    hy_status status = take_files(self, options);
    if (status != HY_OK) {
        return status;
    }
    self->listener = web_listen(&options->listen, &status);
    if (self->listener < 0) {
        return status;
    }
    self->local = web_listen_address(self->listener);
    return make_clients(self) && open_wake(self) && start_library(self) && start_thread(self)
               ? HY_OK
               : HY_ESYSTEM;
}

hy_status hy_web_start(hy_web **out, const hy_web_options *options)
{
    *out = NULL;
    hy_web *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return HY_ESYSTEM;
    }
    copy_options(self, options);
    pthread_mutex_init(&self->lock, NULL);
    const hy_status status = start(self, options);
    if (status != HY_OK) {
        hy_web_stop(self);
        return status;
    }
    *out = self;
    return HY_OK;
}

// --------------------------------------------------------------------------- stopping

static void end_thread(hy_web *self)
{
    pthread_mutex_lock(&self->lock);
    self->is_stopping = true;
    pthread_mutex_unlock(&self->lock);
    lws_cancel_service(self->context);
    pthread_join(self->thread, NULL);
}

static void close_if_open(int descriptor)
{
    if (descriptor >= 0) {
        close(descriptor);
    }
}

void hy_web_stop(hy_web *self)
{
    if (self == NULL) {
        return;
    }
    if (self->has_thread) {
        end_thread(self);
    }
    if (self->context != NULL) {
        lws_context_destroy(self->context); // and with it the listening socket
    } else {
        close_if_open(self->listener);
    }
    close_if_open(self->wake_read);
    close_if_open(self->wake_write);
    for (size_t i = 0; i < HY_WEB_CLIENTS; i++) {
        web_client_free(&self->clients[i]);
    }
    free(self->writing);
    web_files_free(&self->files);
    pthread_mutex_destroy(&self->lock);
    free(self);
}

// --------------------------------------------------------------------------- the owner's side

hy_endpoint hy_web_address(const hy_web *self)
{
    return self->local;
}

intptr_t hy_web_descriptor(const hy_web *self)
{
    return self->wake_read;
}

/// Under the lock.
static bool take_event(hy_web *self, hy_web_event *out)
{
    for (unsigned tried = 0; tried < HY_WEB_CLIENTS; tried++) {
        const unsigned client = self->next_client;
        self->next_client = (client + 1) % HY_WEB_CLIENTS;
        if (web_client_take(&self->clients[client], self->taken, out)) {
            out->client = client;
            return true;
        }
    }
    char bytes[8];
    const ssize_t drained = read(self->wake_read, bytes, sizeof bytes);
    (void)drained; // nothing there is as good
    self->is_woken = false;
    return false;
}

bool hy_web_next(hy_web *self, hy_web_event *out)
{
    pthread_mutex_lock(&self->lock);
    const bool any = take_event(self, out);
    pthread_mutex_unlock(&self->lock);
    return any;
}

hy_status hy_web_show(hy_web *self, hy_web_audience to, unsigned slot, hy_bytes text)
{
    assert(slot < self->slot_count);
    if (text.size > self->slot_sizes[slot]) {
        return HY_ERANGE;
    }
    bool any = false;
    pthread_mutex_lock(&self->lock);
    for (unsigned i = 0; i < HY_WEB_CLIENTS; i++) {
        web_client *const client = &self->clients[i];
        if ((to >> i & 1) != 0 && client->phase == WEB_CLIENT_OPEN && !client->is_closing) {
            self->counters.tx_replaced += web_client_show(client, slot, text) ? 1 : 0;
            any = true;
        }
    }
    pthread_mutex_unlock(&self->lock);
    if (any) {
        lws_cancel_service(self->context);
    }
    return HY_OK;
}

void hy_web_close(hy_web *self, unsigned client, const char *why)
{
    assert(client < HY_WEB_CLIENTS);
    pthread_mutex_lock(&self->lock);
    self->clients[client].is_closing = true;
    snprintf(self->clients[client].why, sizeof self->clients[client].why, "%s", why);
    pthread_mutex_unlock(&self->lock);
    lws_cancel_service(self->context);
}

hy_web_counters hy_web_count(hy_web *self)
{
    pthread_mutex_lock(&self->lock);
    const hy_web_counters counters = self->counters;
    pthread_mutex_unlock(&self->lock);
    return counters;
}
