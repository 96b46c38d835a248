// The server: messages between the web server's clients and the hub.
#include "service.h"

#include <halyard/telemetry.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/system_sockets.h"
#include "text/text.h"
#include "web/web.h"

#define IDLE_US     50000 // between two looks at the channels while nobody is connected
#define PATH_PREFIX "/nt/"
#define QUEUE_ROOM  (2 * NT_MESSAGE_MAX)

#define EVENTS_A_TURN       4096
#define ADVANTAGESCOPE_LITE "http://localhost:6768"

enum { ENDPOINT_NT, ENDPOINT_CLOCK };

typedef struct {
    hy_nt_network allowed[HY_NT_ALLOW_MAX];
    size_t allowed_count;
    bool others_may_write;
    bool lite_only_reads; // else it was named
    nt_owner owner;
    hy_web *web;
    nt_hub *hub;
    size_t clients;
    int64_t clock_us; // what a client was told last
    int64_t flushed_us;
} nt_server;

// --------------------------------------------------------------------------- the hub's outlet

static bool send_message(void *context, unsigned client, hy_bytes message, bool is_binary)
{
    nt_server *const self = context;
    return hy_web_send(self->web, client, message, is_binary);
}

static void close_client(void *context, unsigned client, const char *why)
{
    nt_server *const self = context;
    hy_web_disconnect(self->web, client, why);
}

static void offer_change(void *context, const nt_topic *topic, const hy_nt4_value *value)
{
    nt_server *const self = context;
    self->owner.offer(self->owner.context, topic, value);
}

// The text may come from a file or from anybody.
static void tell(const nt_server *self, unsigned what, const char *text, const uint8_t ip[16])
{
    hy_nt_notice notice = { .what = what };
    hy_wpilog_copy_text((hy_bytes){ (const uint8_t *)text, strlen(text) }, notice.text,
                        sizeof notice.text);
    memcpy(notice.ip, ip, sizeof notice.ip);
    self->owner.note(self->owner.context, &notice);
}

static void ignore_value(void *context, const nt_topic *topic)
{
    static const uint8_t nobody[16] = { 0 };
    tell(context, HY_NT_IGNORED, topic->name, nobody);
}

static void refuse_share(void *context, const uint8_t ip[16], const char *what)
{
    tell(context, HY_NT_OVER_SHARE, what, ip);
}

// --------------------------------------------------------------------------- clients

bool hy_nt_network_has(const hy_nt_network *self, const uint8_t ip[16])
{
    for (unsigned bit = 0; bit < self->bits && bit < 128; bit++) {
        if (((self->ip[bit / 8] ^ ip[bit / 8]) >> (7 - bit % 8) & 1) != 0) {
            return false;
        }
    }
    return true;
}

static bool is_near(const uint8_t ip[16])
{
    hy_endpoint from = { .port = 0 };
    memcpy(from.ip, ip, sizeof from.ip);
    return hy_endpoint_is_loopback(&from);
}

static bool is_allowed(const nt_server *self, const uint8_t ip[16])
{
    bool allowed = is_near(ip);
    for (size_t i = 0; i < self->allowed_count; i++) {
        allowed = allowed || hy_nt_network_has(&self->allowed[i], ip);
    }
    return allowed;
}

static void connect_client(nt_server *self, const hy_web_event *event)
{
    const bool only_reads = event->origin != NULL && self->lite_only_reads &&
                            hy_text_is_alike(event->origin, ADVANTAGESCOPE_LITE);
    nt_peer peer = { .is_clock = event->endpoint == ENDPOINT_CLOCK,
                     .may_write = !only_reads && (is_near(event->ip) || self->others_may_write) };
    const char *refusal = NULL;
    memcpy(peer.ip, event->ip, sizeof peer.ip);
    if (!is_allowed(self, event->ip)) {
        refusal = "this computer may not connect: see --nt-allow";
    } else if (event->path[strlen(PATH_PREFIX)] == '\0') {
        refusal = "a client needs a name: /nt/NAME";
    } else if (!nt_hub_connect(self->hub, event->client, &peer)) {
        refusal = "there is not enough memory";
    }
    if (refusal != NULL) {
        hy_web_disconnect(self->web, event->client, refusal);
    }
}

// False: there is more to do about it, after the others had their turn.
static bool take_event(nt_server *self, const hy_web_event *event, int64_t now_us)
{
    bool is_done = true;
    switch (event->what) {
    case HY_WEB_CONNECTED:
        self->clients++;
        connect_client(self, event);
        break;
    case HY_WEB_MESSAGE:
        is_done = event->is_binary ? nt_hub_binary(self->hub, event->client, event->bytes, now_us)
                                   : nt_hub_text(self->hub, event->client, event->bytes);
        break;
    case HY_WEB_CLOSED:
        is_done = nt_hub_disconnect(self->hub, event->client);
        self->clients -= is_done;
        break;
    case HY_WEB_REFUSED:
        if (is_allowed(self, event->ip)) { // whoever may not connect anyway is not spoken of
            tell(self, HY_NT_REFUSED_PAGE, event->origin, event->ip);
        }
        break;
    }
    return is_done;
}

// --------------------------------------------------------------------------- the service

static size_t declare_topic(void *context, const char *name, const char *type, const nt_own *own)
{
    nt_server *const self = context;
    return nt_hub_declare(self->hub, name, type, own);
}

static void put_value(void *context, size_t place, int64_t time_us, hy_bytes value)
{
    nt_server *const self = context;
    nt_hub_put(self->hub, place, time_us, value);
}

static void wait_for_clients(void *context)
{
    const nt_server *const self = context;
    (void)hy_wait_to_read(hy_web_descriptor(self->web), -1,
                          self->clients > 0 ? NT_FRAME_US : IDLE_US);
}

static void take_turn(void *context, const nt_moment *now)
{
    nt_server *const self = context;
    self->clock_us = now->values_us > self->clock_us ? now->values_us : self->clock_us;
    const uint64_t until = nt_hub_work(self->hub) + NT_TURN;
    hy_web_event event;
    for (int i = 0;
         i < EVENTS_A_TURN && nt_hub_work(self->hub) < until && hy_web_next(self->web, &event); i++) {
        if (!take_event(self, &event, self->clock_us)) {
            hy_web_again(self->web);
        }
    }
    if (now->at_us - self->flushed_us >= NT_FRAME_US) {
        nt_hub_flush(self->hub, now->at_us);
        self->flushed_us = now->at_us;
    }
}

static hy_nt_counters count_messages(const void *context)
{
    const nt_server *const self = context;
    return nt_hub_count(self->hub);
}

static hy_endpoint find_address(const void *context)
{
    const nt_server *const self = context;
    return hy_web_address(self->web);
}

static void end_server(void *context)
{
    nt_server *const self = context;
    hy_web_close(self->web);
    nt_hub_destroy(self->hub);
    free(self);
}

static hy_status start_web(nt_server *self, const hy_nt_options *options)
{
    static const char page[] =
        "<!doctype html><title>Halyard</title><p>This is a NetworkTables 4.1 "
        "server. AdvantageScope, Elastic and Glass connect to it.</p>\n";
    static const hy_web_endpoint endpoints[] = {
        [ENDPOINT_NT] = { .path = PATH_PREFIX "*",
                          .protocol = "v4.1.networktables.first.wpi.edu",
                          .accepts_binary = true,
                          .allows_programs = true },
        [ENDPOINT_CLOCK] = { .path = PATH_PREFIX "*",
                             .protocol = "rtt.networktables.first.wpi.edu",
                             .accepts_binary = true,
                             .allows_programs = true },
    };
    const hy_web_file file = { "/index.html",
                               "text/html; charset=utf-8",
                               { (const uint8_t *)page, sizeof page - 1 } };
    hy_web_options web = { .listen = options->listen,
                           .files = &file,
                           .file_count = 1,
                           .endpoints = endpoints,
                           .endpoint_count = sizeof endpoints / sizeof endpoints[0],
                           .is_open = true,
                           .any_page_reads_files = true,
                           .clients_max = NT_CLIENTS,
                           .message_max = NT_MESSAGE_MAX,
                           .queue_size = QUEUE_ROOM };
    self->lite_only_reads = true; // unless its user named it
    for (size_t i = 0; i < options->trusted_count; i++) {
        (void)hy_web_trust(&web.names, options->trusted[i]); // one that is no name trusts nobody
        self->lite_only_reads =
            self->lite_only_reads && !hy_text_is_alike(options->trusted[i], ADVANTAGESCOPE_LITE);
    }
    (void)hy_web_allow_origin(&web.names, ADVANTAGESCOPE_LITE);
    return hy_web_open(&self->web, &web);
}

hy_status nt_serve(nt_service *out, const hy_nt_options *options, const nt_owner *owner)
{
    nt_server *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return HY_EMEMORY;
    }
    const nt_outlet outlet = { self,         send_message, close_client,
                               offer_change, ignore_value, refuse_share };
    self->owner = *owner;
    self->others_may_write = options->others_may_write;
    while (self->allowed_count < options->allowed_count && self->allowed_count < HY_NT_ALLOW_MAX) {
        self->allowed[self->allowed_count] = options->allowed[self->allowed_count];
        self->allowed_count++;
    }
    hy_status status = nt_hub_create(&self->hub, &outlet);
    status = status == HY_OK ? start_web(self, options) : status;
    if (status != HY_OK) {
        end_server(self);
        return status;
    }
    *out = (nt_service){ self,      declare_topic,  put_value,    wait_for_clients,
                         take_turn, count_messages, find_address, end_server };
    return HY_OK;
}
