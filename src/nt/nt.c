// The server's threads: values come out of a ring buffer that telemetry's sink fills, clients' messages from the web server.
#include "hub.h"

#include <halyard/nt.h>
#include <halyard/telemetry_wpilog.h>
#include <halyard/web.h>

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROOM           (1 << 18)  // bytes of values that wait for the thread
#define BYTES_ROOM     (2 * ROOM) // and of the part that is being read
#define FRAME_US       5000       // between two frames to a client
#define IDLE_MS        50         // between two looks at the ring while nobody is connected
#define CLOCK_AHEAD_US 50000      // at most, of the newest value
#define ENTRIES        (HY_CHANNELS_MAX + 2)
#define CHANGES        64
#define FILE_PREFIX    "NT:" // of names that are not only in files
#define DROPPED_ENTRY  1     // of hy_wpilog: the first channel has the next one
#define PATH_PREFIX    "/nt/"
#define QUEUE_ROOM     (2 * NT_MESSAGE_MAX)

enum { ENDPOINT_NT, ENDPOINT_CLOCK };

struct hy_nt {
    hy_nt_network allowed[HY_NT_ALLOW_MAX];
    size_t allowed_count;
    bool others_may_write;
    hy_web *web;
    hy_telemetry_sink log_sink;
    hy_wpilog *log; // its ring buffer and its records, on their way to the thread
    pthread_t thread;
    bool has_thread;
    _Atomic bool is_stopping;

    // The thread's own.
    nt_hub *hub;
    hy_wpilog_reader reader;
    bool has_header;
    uint8_t *bytes;
    size_t size;
    struct {
        size_t place; // 0: none, else one more than the topic's
        hy_channel_kind kind;
    } entries[ENTRIES];
    uint8_t *packed; // a value as MessagePack
    size_t clients;
    int64_t value_us, value_at_us; // time of the newest value, and when it came
    int64_t clock_us;              // what a client was told last
    uint64_t lost;

    // Both threads', under the lock.
    pthread_mutex_t lock;
    hy_nt_counters counters;
    hy_nt_change changes[CHANGES];
    size_t change_count;
    _Atomic bool has_changes;
};

static int64_t real_us(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

// --------------------------------------------------------------------------- values on their way in

static hy_channel_kind kind_of(const char *type, size_t size)
{
    static const struct {
        const char *type;
        hy_channel_kind kind;
    } kinds[] = {
        { "boolean", HY_CHANNEL_BOOLEAN },
        { "int64", HY_CHANNEL_INT64 },
        { "float", HY_CHANNEL_FLOAT },
        { "double", HY_CHANNEL_DOUBLE },
        { "string", HY_CHANNEL_STRING },
        { "json", HY_CHANNEL_JSON },
        { "boolean[]", HY_CHANNEL_BOOLEAN_ARRAY },
        { "int64[]", HY_CHANNEL_INT64_ARRAY },
        { "float[]", HY_CHANNEL_FLOAT_ARRAY },
        { "double[]", HY_CHANNEL_DOUBLE_ARRAY },
        { "string[]", HY_CHANNEL_STRING_ARRAY },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strlen(kinds[i].type) == size && memcmp(kinds[i].type, type, size) == 0) {
            return kinds[i].kind;
        }
    }
    return HY_CHANNEL_RAW; // structs and schemas
}

// Copies a text of a record, which has no NUL. False: too long.
static bool copy_text(hy_bytes text, char *out, size_t size)
{
    if (text.size >= size) {
        return false;
    }
    memcpy(out, text.data, text.size);
    out[text.size] = '\0';
    return true;
}

static bool has_tunable_mark(hy_bytes metadata)
{
    static const char mark[] = HY_CHANNEL_TUNABLE;
    for (size_t i = 0; i + sizeof mark - 1 <= metadata.size; i++) {
        if (memcmp(metadata.data + i, mark, sizeof mark - 1) == 0) {
            return true;
        }
    }
    return false;
}

static void take_start(hy_nt *self, const hy_wpilog_record *record)
{
    char name[NT_NAME_MAX + 1], type[NT_TYPE_MAX + 1];
    const size_t prefix = strlen(FILE_PREFIX);
    if (record->entry >= ENTRIES || record->name.size <= prefix ||
        memcmp(record->name.data, FILE_PREFIX, prefix) != 0) {
        return;
    }
    const hy_bytes without = { record->name.data + prefix, record->name.size - prefix };
    if (copy_text(without, name, sizeof name) && copy_text(record->type, type, sizeof type)) {
        const nt_own own = { .channel = record->entry - DROPPED_ENTRY,
                             .properties = record->metadata,
                             .is_tunable = has_tunable_mark(record->metadata) };
        const size_t place = nt_hub_declare(self->hub, name, hy_nt4_type_name(type), &own);
        self->entries[record->entry].place = place < NT_TOPICS ? place + 1 : 0;
        self->entries[record->entry].kind = kind_of(type, record->type.size);
    }
}

static void take_value(hy_nt *self, const hy_wpilog_record *record)
{
    if (record->entry == DROPPED_ENTRY && record->value.size == sizeof self->lost) {
        self->lost = 0;
        for (size_t i = sizeof self->lost; i-- > 0;) {
            self->lost = self->lost << 8 | record->value.data[i];
        }
    }
    if (record->entry >= ENTRIES || self->entries[record->entry].place == 0) {
        return;
    }
    const size_t size = hy_nt4_pack((hy_room){ self->packed, BYTES_ROOM },
                                    self->entries[record->entry].kind, record->value);
    if (size > 0 && record->at_us <= INT64_MAX) {
        nt_hub_put(self->hub, self->entries[record->entry].place - 1, (int64_t)record->at_us,
                   (hy_bytes){ self->packed, size });
        self->value_us = (int64_t)record->at_us;
    }
}

// What is there as whole records; false: the header is not.
static bool start_reading(hy_nt *self)
{
    const hy_bytes bytes = { self->bytes, self->size };
    if (self->has_header) {
        hy_wpilog_reader_continue(&self->reader, bytes);
    } else {
        self->has_header = hy_wpilog_reader_start(&self->reader, bytes) == HY_OK;
    }
    return self->has_header;
}

static void take_records(hy_nt *self, int64_t at_us)
{
    if (!start_reading(self)) {
        return;
    }
    const int64_t before_us = self->value_us;
    for (hy_wpilog_record record; hy_wpilog_next(&self->reader, &record);) {
        if (record.kind == HY_WPILOG_START) {
            take_start(self, &record);
        } else if (record.kind == HY_WPILOG_VALUE) {
            take_value(self, &record);
        }
    }
    if (self->value_us != before_us) {
        self->value_at_us = at_us;
    }
    self->size -= self->reader.offset;
    memmove(self->bytes, self->bytes + self->reader.offset, self->size);
}

static void drain_ring(hy_nt *self, int64_t at_us)
{
    for (hy_bytes bytes; (bytes = hy_wpilog_peek(self->log)).size > 0;) {
        const size_t room = BYTES_ROOM - self->size;
        const size_t size = bytes.size < room ? bytes.size : room;
        memcpy(self->bytes + self->size, bytes.data, size);
        self->size += size;
        hy_wpilog_consume(self->log, size);
        take_records(self, at_us);
    }
}

// The time that values have, which goes on for a little while between them: clients compare their clock with it.
static int64_t server_us(hy_nt *self)
{
    const int64_t since_us = real_us() - self->value_at_us;
    const int64_t now_us = self->value_us + (since_us < CLOCK_AHEAD_US ? since_us : CLOCK_AHEAD_US);
    self->clock_us = now_us > self->clock_us ? now_us : self->clock_us;
    return self->clock_us;
}

// --------------------------------------------------------------------------- the hub's outlet

static bool send_message(void *context, unsigned client, hy_bytes message, bool is_binary)
{
    hy_nt *const self = context;
    return hy_web_send(self->web, client, message, is_binary);
}

static void close_client(void *context, unsigned client, const char *why)
{
    hy_nt *const self = context;
    hy_web_close(self->web, client, why);
}

static bool read_change(const nt_topic *topic, const hy_nt4_value *value, hy_nt_change *out)
{
    hy_bytes text;
    *out = (hy_nt_change){ .channel = topic->channel };
    if (hy_nt4_value_number(value, &out->number)) {
        out->kind = HY_NT_NUMBER;
    } else if (hy_nt4_value_flag(value, &out->flag)) {
        out->kind = HY_NT_FLAG;
    } else if (hy_nt4_value_bytes(value, &text) && copy_text(text, out->text, sizeof out->text)) {
        out->kind = HY_NT_TEXT;
    } else {
        return false;
    }
    return true;
}

static void offer_change(void *context, const nt_topic *topic, const hy_nt4_value *value)
{
    hy_nt *const self = context;
    hy_nt_change change;
    if (!read_change(topic, value, &change)) {
        return;
    }
    (void)pthread_mutex_lock(&self->lock);
    size_t i = 0;
    while (i < self->change_count && self->changes[i].channel != change.channel) {
        i++;
    }
    if (i < CHANGES) {
        self->changes[i] = change;
        self->change_count = i == self->change_count ? i + 1 : self->change_count;
        atomic_store_explicit(&self->has_changes, true, memory_order_release);
    }
    (void)pthread_mutex_unlock(&self->lock);
}

// --------------------------------------------------------------------------- clients

static bool is_in(const hy_nt_network *network, const uint8_t ip[16])
{
    for (unsigned bit = 0; bit < network->bits && bit < 128; bit++) {
        if (((network->ip[bit / 8] ^ ip[bit / 8]) >> (7 - bit % 8) & 1) != 0) {
            return false;
        }
    }
    return true;
}

static bool is_allowed(const hy_nt *self, const uint8_t ip[16])
{
    bool allowed = false;
    for (size_t i = 0; i < self->allowed_count; i++) {
        allowed = allowed || is_in(&self->allowed[i], ip);
    }
    return allowed;
}

static void connect_client(hy_nt *self, const hy_web_event *event)
{
    hy_endpoint from = { .port = 0 };
    memcpy(from.ip, event->ip, sizeof from.ip);
    const bool is_near = hy_endpoint_is_loopback(&from);
    const char *refusal = NULL;
    if (!is_near && !is_allowed(self, event->ip)) {
        refusal = "this computer may not connect: see --nt-allow";
    } else if (event->path[strlen(PATH_PREFIX)] == '\0') {
        refusal = "a client needs a name: /nt/NAME";
    } else if (!nt_hub_connect(self->hub, event->client, event->endpoint == ENDPOINT_CLOCK,
                               is_near || self->others_may_write)) {
        refusal = "there is not enough memory";
    }
    if (refusal != NULL) {
        hy_web_close(self->web, event->client, refusal);
    }
}

static void take_event(hy_nt *self, const hy_web_event *event)
{
    switch (event->what) {
    case HY_WEB_CONNECTED:
        self->clients++;
        connect_client(self, event);
        break;
    case HY_WEB_MESSAGE:
        if (event->is_binary) {
            nt_hub_binary(self->hub, event->client, event->bytes, server_us(self));
        } else {
            nt_hub_text(self->hub, event->client, event->bytes);
        }
        break;
    case HY_WEB_CLOSED:
        self->clients--;
        nt_hub_disconnect(self->hub, event->client);
        break;
    }
}

// --------------------------------------------------------------------------- the thread

static void copy_counters(hy_nt *self)
{
    (void)pthread_mutex_lock(&self->lock);
    self->counters = nt_hub_count(self->hub);
    self->counters.lost = self->lost;
    (void)pthread_mutex_unlock(&self->lock);
}

static void *serve(void *context)
{
    hy_nt *const self = context;
    struct pollfd events = { .fd = (int)hy_web_descriptor(self->web), .events = POLLIN };
    int64_t flushed_us = 0;
    while (!atomic_load(&self->is_stopping)) {
        (void)poll(&events, 1, self->clients > 0 ? FRAME_US / 1000 : IDLE_MS);
        const int64_t at_us = real_us();
        drain_ring(self, at_us);
        for (hy_web_event event; hy_web_next(self->web, &event);) {
            take_event(self, &event);
        }
        if (at_us - flushed_us >= FRAME_US) {
            nt_hub_flush(self->hub, at_us);
            flushed_us = at_us;
        }
        copy_counters(self);
    }
    return NULL;
}

// Signals belong to the thread that runs the robot.
static hy_status start_thread(hy_nt *self)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    self->has_thread = pthread_create(&self->thread, NULL, serve, self) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return self->has_thread ? HY_OK : HY_ESYSTEM;
}

// --------------------------------------------------------------------------- start and end

static hy_status start_web(hy_nt *self, const hy_nt_options *options)
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
    const hy_web_options web = { .listen = options->listen,
                                 .files = &file,
                                 .file_count = 1,
                                 .endpoints = endpoints,
                                 .endpoint_count = sizeof endpoints / sizeof endpoints[0],
                                 .is_open = true,
                                 .any_page_reads_files = true,
                                 .message_max = NT_MESSAGE_MAX,
                                 .queue_size = QUEUE_ROOM };
    return hy_web_start(&self->web, &web);
}

static hy_status start_all(hy_nt *self, const hy_nt_options *options)
{
    const nt_outlet outlet = { self, send_message, close_client, offer_change };
    const hy_wpilog_options log = { .room = ROOM };
    self->bytes = malloc(BYTES_ROOM);
    self->packed = malloc(BYTES_ROOM);
    hy_status status = self->bytes != NULL && self->packed != NULL ? HY_OK : HY_EMEMORY;
    status = status == HY_OK ? hy_wpilog_create(&log, &self->log) : status;
    status = status == HY_OK ? nt_hub_create(&self->hub, &outlet) : status;
    status = status == HY_OK ? start_web(self, options) : status;
    return status == HY_OK ? start_thread(self) : status;
}

hy_status hy_nt_start(hy_nt **out, const hy_nt_options *options)
{
    *out = NULL;
    hy_nt *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return HY_EMEMORY;
    }
    (void)pthread_mutex_init(&self->lock, NULL);
    self->value_at_us = real_us();
    self->others_may_write = options->others_may_write;
    while (self->allowed_count < options->allowed_count && self->allowed_count < HY_NT_ALLOW_MAX) {
        self->allowed[self->allowed_count] = options->allowed[self->allowed_count];
        self->allowed_count++;
    }
    const hy_status status = start_all(self, options);
    if (status != HY_OK) {
        hy_nt_stop(self);
        return status;
    }
    *out = self;
    return HY_OK;
}

void hy_nt_stop(hy_nt *self)
{
    if (self == NULL) {
        return;
    }
    if (self->has_thread) {
        atomic_store(&self->is_stopping, true);
        (void)pthread_join(self->thread, NULL);
    }
    hy_web_stop(self->web);
    nt_hub_destroy(self->hub);
    hy_wpilog_destroy(self->log);
    free(self->bytes);
    free(self->packed);
    (void)pthread_mutex_destroy(&self->lock);
    free(self);
}

// --------------------------------------------------------------------------- the owner's side

hy_endpoint hy_nt_address(const hy_nt *self)
{
    return hy_web_address(self->web);
}

static void sink_declare(void *context, const hy_channel_info *channel, uint64_t now_us)
{
    const hy_nt *const self = context;
    if (!channel->is_file_only) {
        self->log_sink.declare(self->log_sink.context, channel, now_us);
    }
}

static void sink_put(void *context, const hy_channel_info *channel, uint64_t now_us, hy_bytes value)
{
    const hy_nt *const self = context;
    if (!channel->is_file_only) {
        self->log_sink.put(self->log_sink.context, channel, now_us, value);
    }
}

hy_telemetry_sink hy_nt_sink(hy_nt *self)
{
    self->log_sink = hy_wpilog_sink(self->log);
    return (hy_telemetry_sink){ self, sink_declare, sink_put };
}

bool hy_nt_next(hy_nt *self, hy_nt_change *out)
{
    if (!atomic_load_explicit(&self->has_changes, memory_order_acquire)) {
        return false;
    }
    (void)pthread_mutex_lock(&self->lock);
    const bool any = self->change_count > 0;
    if (any) {
        *out = self->changes[0];
        self->change_count--;
        memmove(self->changes, self->changes + 1, self->change_count * sizeof self->changes[0]);
    }
    atomic_store_explicit(&self->has_changes, self->change_count > 0, memory_order_release);
    (void)pthread_mutex_unlock(&self->lock);
    return any;
}

hy_nt_counters hy_nt_count(hy_nt *self)
{
    (void)pthread_mutex_lock(&self->lock);
    const hy_nt_counters counters = self->counters;
    (void)pthread_mutex_unlock(&self->lock);
    return counters;
}
