// The client of another server: its connection, and how often that is tried.
#include "service.h"
#include "uplink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/system_threads.h"
#include "web/web_client.h"

#define PROTOCOL      "v4.1.networktables.first.wpi.edu"
#define QUEUE_ROOM    (2 * NT_MESSAGE_MAX)
#define IDLE_US       50000   // between two looks at the channels while nobody is connected
#define OPEN_US       3000000 // that the server may take to answer the first message
#define PING_US       1000000 // of silence until it is asked for a sign of life
#define SILENT_US     3000000 // until the connection counts as lost
#define RETRY_US      250000  // after the first failure, and twice as long after each further one
#define RETRY_MOST_US 4000000

typedef struct {
    nt_owner owner;
    hy_endpoint server;
    char path[64];
    nt_uplink *uplink;
    hy_web_client *client; // NULL: there is no connection
    int64_t retry_at_us, retry_us;
    int64_t since_us; // of the connection
    uint64_t heard;   // bytes until `heard_us`
    int64_t heard_us, pinged_us;
} nt_link;

// --------------------------------------------------------------------------- the uplink's outlet

static bool send_message(void *context, unsigned client, hy_bytes message, bool is_binary)
{
    nt_link *const self = context;
    (void)client;
    return self->client != NULL && hy_web_client_send(self->client, message, is_binary);
}

static void offer_change(void *context, const nt_topic *topic, const hy_nt4_value *value)
{
    nt_link *const self = context;
    self->owner.offer(self->owner.context, topic, value);
}

// --------------------------------------------------------------------------- the connection

static void drop_connection(nt_link *self, int64_t at_us)
{
    hy_web_client_close(self->client);
    self->client = NULL;
    self->retry_at_us = at_us + self->retry_us;
    self->retry_us = 2 * self->retry_us < RETRY_MOST_US ? 2 * self->retry_us : RETRY_MOST_US;
    nt_uplink_disconnect(self->uplink);
    self->owner.report(self->owner.context, HY_NT_ABSENT);
}

static void try_connection(nt_link *self, int64_t at_us)
{
    const hy_web_client_options options = { .server = self->server,
                                            .path = self->path,
                                            .protocol = PROTOCOL,
                                            .message_max = NT_MESSAGE_MAX,
                                            .queue_size = QUEUE_ROOM };
    self->since_us = self->heard_us = self->pinged_us = at_us;
    self->heard = 0;
    if (hy_web_client_open(&self->client, &options) != HY_OK) {
        drop_connection(self, at_us);
    }
}

// False: the connection has to end.
static bool take_message(nt_link *self, const hy_web_event *event, int64_t at_us)
{
    if (!event->is_binary) {
        nt_uplink_text(self->uplink, event->bytes);
        return true;
    }
    const bool was_open = nt_uplink_is_open(self->uplink);
    const bool is_fine = nt_uplink_binary(self->uplink, event->bytes, at_us);
    if (is_fine && !was_open && nt_uplink_is_open(self->uplink)) {
        self->retry_us = RETRY_US;
        self->owner.report(self->owner.context, HY_NT_CONNECTED);
    }
    return is_fine;
}

static bool take_events(nt_link *self, int64_t at_us)
{
    bool is_fine = true;
    for (hy_web_event event; is_fine && hy_web_client_next(self->client, &event);) {
        switch (event.what) {
        case HY_WEB_CONNECTED: nt_uplink_connect(self->uplink, at_us); break;
        case HY_WEB_MESSAGE: is_fine = take_message(self, &event, at_us); break;
        case HY_WEB_CLOSED:
        case HY_WEB_REFUSED: is_fine = false; break; // the latter is a server's
        }
    }
    return is_fine;
}

// Whether the server gives signs of life.
static bool is_alive(nt_link *self, int64_t at_us)
{
    const uint64_t heard = hy_web_client_received(self->client);
    if (heard != self->heard) {
        self->heard = heard;
        self->heard_us = at_us;
    }
    if (at_us - self->heard_us > PING_US && at_us - self->pinged_us > PING_US) {
        hy_web_client_ping(self->client);
        self->pinged_us = at_us;
    }
    return at_us - self->heard_us < SILENT_US &&
           (nt_uplink_is_open(self->uplink) || at_us - self->since_us < OPEN_US);
}

// --------------------------------------------------------------------------- the service

// What the server's own program says of itself, as WPILib's do: whether it is enabled, and in which mode.
static bool is_the_servers(const char *name)
{
    static const char *const tables[] = { "/FMSInfo/", "/DriverStation/" };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (strncmp(name, tables[i], strlen(tables[i])) == 0) {
            return true;
        }
    }
    return false;
}

static size_t declare_topic(void *context, const char *name, const char *type, const nt_own *own)
{
    nt_link *const self = context;
    if (is_the_servers(name)) {
        return NT_TOPICS;
    }
    return nt_uplink_declare(self->uplink, name, type, own);
}

static void put_value(void *context, size_t place, int64_t time_us, hy_bytes value)
{
    nt_link *const self = context;
    nt_uplink_put(self->uplink, place, time_us, value);
}

static void wait_for_server(void *context)
{
    nt_link *const self = context;
    if (self->client != NULL) {
        hy_web_client_wait(self->client, NT_FRAME_US / 1000);
    } else {
        hy_time_sleep(IDLE_US);
    }
}

static void take_turn(void *context, const nt_moment *now)
{
    nt_link *const self = context;
    if (self->client == NULL) {
        if (now->at_us >= self->retry_at_us) {
            try_connection(self, now->at_us);
        }
        return;
    }
    if (!take_events(self, now->at_us) || !is_alive(self, now->at_us)) {
        drop_connection(self, now->at_us);
        return;
    }
    nt_uplink_flush(self->uplink, now->at_us, now->values_us);
}

static hy_nt_counters count_messages(const void *context)
{
    const nt_link *const self = context;
    return nt_uplink_count(self->uplink);
}

static hy_endpoint find_address(const void *context)
{
    const nt_link *const self = context;
    return self->server;
}

static void end_link(void *context)
{
    nt_link *const self = context;
    hy_web_client_close(self->client);
    nt_uplink_destroy(self->uplink);
    free(self);
}

hy_status nt_publish(nt_service *out, const hy_nt_options *options, const nt_owner *owner)
{
    nt_link *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return HY_EMEMORY;
    }
    const nt_outlet outlet = { .context = self, .send = send_message, .offer = offer_change };
    self->owner = *owner;
    self->server = options->publish_to;
    self->retry_us = RETRY_US;
    (void)snprintf(self->path, sizeof self->path, "/nt/halyard");
    if (nt_uplink_create(&self->uplink, &outlet) != HY_OK) {
        free(self);
        return HY_EMEMORY;
    }
    *out = (nt_service){ self,      declare_topic,  put_value,    wait_for_server,
                         take_turn, count_messages, find_address, end_link };
    return HY_OK;
}
