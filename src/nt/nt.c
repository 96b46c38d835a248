// The thread that values go to: out of a ring buffer that telemetry's sink fills, into a service, which serves them or publishes them.
#include "service.h"

#include <halyard/telemetry.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base_bytes.h"
#include "system/system_threads.h"

#define ROOM           (1 << 18)  // bytes of values that wait for the thread
#define BYTES_ROOM     (2 * ROOM) // and of the part that is being read
#define CLOCK_AHEAD_US 50000      // at most, of the newest value
#define ENTRIES        (HY_CHANNELS_MAX + 2)
#define CHANGES        128   // more than a program has tunables and choosers
#define NOTICES        25    // the sum of what note() lets through
#define FILE_PREFIX    "NT:" // of names that are not only in files
#define DROPPED_ENTRY  1     // of hy_wpilog: the first channel has the next one

struct hy_nt {
    hy_telemetry_sink log_sink;
    hy_wpilog *log; // its ring buffer and its records, on their way to the thread
    bool is_client; // of another server
    hy_thread thread;
    bool has_thread;
    _Atomic bool is_stopping;

    // The thread's own.
    nt_service service;
    hy_wpilog_reader reader;
    bool has_header;
    uint8_t *bytes;
    size_t size;
    struct {
        size_t place; // 0: none, else one more than the topic's
        hy_channel_kind kind;
    } entries[ENTRIES];
    uint8_t *packed;               // a value as MessagePack
    int64_t value_us, value_at_us; // time of the newest value, and when it came
    uint64_t lost;

    // Both threads', under the lock.
    hy_mutex lock;
    hy_nt_counters counters;
    hy_nt_change changes[CHANGES];
    size_t change_count;
    _Atomic bool has_changes;
    _Atomic bool is_tunable[HY_CHANNELS_MAX + 1]; // by handle
    _Atomic int state;
    int told_state; // the owner's own

    // The thread adds notices, and changes none; the owner reads those that are there.
    hy_nt_notice notices[NOTICES];
    _Atomic size_t notice_count;
    size_t told_notices; // the owner's own
};

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
        const hy_channel channel = record->entry - DROPPED_ENTRY;
        const nt_own own = { .channel = channel,
                             .properties = record->metadata,
                             .is_tunable = channel <= HY_CHANNELS_MAX &&
                                           atomic_load(&self->is_tunable[channel]) };
        const size_t place =
            self->service.declare(self->service.context, name, hy_nt4_type_name(type), &own);
        self->entries[record->entry].place = place < NT_TOPICS ? place + 1 : 0;
        self->entries[record->entry].kind = kind_of(type, record->type.size);
    }
}

static void take_value(hy_nt *self, const hy_wpilog_record *record)
{
    if (record->entry == DROPPED_ENTRY && record->value.size == sizeof self->lost) {
        self->lost = hy_load_le(record->value.data, sizeof self->lost);
    }
    if (record->entry >= ENTRIES || self->entries[record->entry].place == 0) {
        return;
    }
    const size_t size = hy_nt4_pack((hy_room){ self->packed, BYTES_ROOM },
                                    self->entries[record->entry].kind, record->value);
    if (size > 0 && record->at_us <= INT64_MAX) {
        self->service.put(self->service.context, self->entries[record->entry].place - 1,
                          (int64_t)record->at_us, (hy_bytes){ self->packed, size });
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
        self->has_header = hy_wpilog_reader_init(&self->reader, bytes) == HY_OK;
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
    size_t left = ROOM; // what is put meanwhile comes in the next turn
    for (hy_bytes bytes; left > 0 && (bytes = hy_wpilog_peek(self->log)).size > 0;) {
        const size_t room = BYTES_ROOM - self->size < left ? BYTES_ROOM - self->size : left;
        const size_t size = bytes.size < room ? bytes.size : room;
        left -= size;
        memcpy(self->bytes + self->size, bytes.data, size);
        self->size += size;
        hy_wpilog_consume(self->log, size);
        take_records(self, at_us);
    }
}

// The time that values have, which goes on for a little while between them: clients compare their clock with it.
static int64_t values_us(const hy_nt *self, int64_t at_us)
{
    const int64_t since_us = at_us - self->value_at_us;
    return self->value_us + (since_us < CLOCK_AHEAD_US ? since_us : CLOCK_AHEAD_US);
}

// --------------------------------------------------------------------------- what the service reports

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
    hy_mutex_lock(&self->lock);
    size_t i = 0;
    while (i < self->change_count && self->changes[i].channel != change.channel) {
        i++;
    }
    if (i < CHANGES) {
        self->changes[i] = change;
        self->change_count = i == self->change_count ? i + 1 : self->change_count;
        atomic_store_explicit(&self->has_changes, true, memory_order_release);
    }
    hy_mutex_unlock(&self->lock);
}

static void note(void *context, const hy_nt_notice *notice)
{
    static const size_t most[] = {
        [HY_NT_IGNORED] = 1, [HY_NT_OVER_SHARE] = 8, [HY_NT_REFUSED_PAGE] = 16
    };
    hy_nt *const self = context;
    const size_t count = atomic_load_explicit(&self->notice_count, memory_order_relaxed);
    size_t same = 0;
    for (size_t i = 0; i < count; i++) {
        const hy_nt_notice *const at = &self->notices[i];
        const bool is_known =
            at->what == notice->what && strcmp(at->text, notice->text) == 0 &&
            (at->what == HY_NT_REFUSED_PAGE || memcmp(at->ip, notice->ip, sizeof at->ip) == 0);
        same += is_known ? NOTICES : at->what == notice->what;
    }
    if (same < most[notice->what]) {
        self->notices[count] = *notice;
        atomic_store_explicit(&self->notice_count, count + 1, memory_order_release);
    }
}

static void report_state(void *context, hy_nt_state state)
{
    hy_nt *const self = context;
    atomic_store(&self->state, (int)state);
}

// --------------------------------------------------------------------------- the thread

static void copy_counters(hy_nt *self)
{
    hy_mutex_lock(&self->lock);
    self->counters = self->service.count(self->service.context);
    self->counters.lost = self->lost;
    hy_mutex_unlock(&self->lock);
}

static void run_service(void *context)
{
    hy_nt *const self = context;
    while (!atomic_load(&self->is_stopping)) {
        self->service.wait(self->service.context);
        const int64_t at_us = hy_time_now_us();
        drain_ring(self, at_us);
        const nt_moment now = { at_us, values_us(self, at_us) };
        self->service.turn(self->service.context, &now);
        copy_counters(self);
    }
}

static hy_status start_thread(hy_nt *self)
{
    self->has_thread = hy_thread_start(&self->thread, run_service, self);
    return self->has_thread ? HY_OK : HY_ESYSTEM;
}

// --------------------------------------------------------------------------- start and end

static hy_status start_all(hy_nt *self, const hy_nt_options *options)
{
    const nt_owner owner = { self, offer_change, note, report_state };
    const hy_wpilog_options log = { .room = ROOM };
    self->bytes = malloc(BYTES_ROOM);
    self->packed = malloc(BYTES_ROOM);
    hy_status status = self->bytes != NULL && self->packed != NULL ? HY_OK : HY_EMEMORY;
    status = status == HY_OK ? hy_wpilog_open(&log, &self->log) : status;
    if (status == HY_OK) {
        self->is_client = options->publish_to.port != 0;
        status = self->is_client ? nt_publish(&self->service, options, &owner)
                                 : nt_serve(&self->service, options, &owner);
    }
    return status == HY_OK ? start_thread(self) : status;
}

hy_status hy_nt_open(hy_nt **out, const hy_nt_options *options)
{
    *out = NULL;
    hy_nt *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return HY_EMEMORY;
    }
    hy_mutex_init(&self->lock);
    self->value_at_us = hy_time_now_us();
    const hy_status status = start_all(self, options);
    if (status != HY_OK) {
        hy_nt_close(self);
        return status;
    }
    *out = self;
    return HY_OK;
}

void hy_nt_close(hy_nt *self)
{
    if (self == NULL) {
        return;
    }
    if (self->has_thread) {
        atomic_store(&self->is_stopping, true);
        hy_thread_join(&self->thread);
    }
    if (self->service.end != NULL) {
        self->service.end(self->service.context);
    }
    hy_wpilog_close(self->log);
    free(self->bytes);
    free(self->packed);
    hy_mutex_close(&self->lock);
    free(self);
}

// --------------------------------------------------------------------------- the owner's side

bool hy_nt_is_client(const hy_nt *self)
{
    return self->is_client;
}

hy_endpoint hy_nt_address(const hy_nt *self)
{
    return self->service.address(self->service.context);
}

static void sink_declare(void *context, const hy_channel_info *channel, uint64_t now_us)
{
    hy_nt *const self = context;
    if (!channel->is_file_only) {
        atomic_store(&self->is_tunable[channel->handle], channel->is_tunable);
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
    if (!hy_mutex_try(&self->lock)) {
        return false; // the steps never wait: it is there at the next one
    }
    const bool any = self->change_count > 0;
    if (any) {
        *out = self->changes[0];
        self->change_count--;
        memmove(self->changes, self->changes + 1, self->change_count * sizeof self->changes[0]);
    }
    atomic_store_explicit(&self->has_changes, self->change_count > 0, memory_order_release);
    hy_mutex_unlock(&self->lock);
    return any;
}

hy_nt_counters hy_nt_count(hy_nt *self)
{
    hy_mutex_lock(&self->lock);
    const hy_nt_counters counters = self->counters;
    hy_mutex_unlock(&self->lock);
    return counters;
}

bool hy_nt_news(hy_nt *self, hy_nt_state *out)
{
    const int state = atomic_load_explicit(&self->state, memory_order_relaxed);
    const bool is_new = state != self->told_state;
    self->told_state = state;
    *out = (hy_nt_state)state;
    return is_new;
}

bool hy_nt_next_notice(hy_nt *self, const hy_nt_notice **out)
{
    const size_t count = atomic_load_explicit(&self->notice_count, memory_order_acquire);
    if (self->told_notices == count) {
        return false;
    }
    *out = &self->notices[self->told_notices++];
    return true;
}
