#include <halyard/telemetry.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log_points.h"
#include "record_log.h"
#include "text/text_json.h"
#include "text/text_names.h"

#define FILE_PREFIX   "NT:"              // of names that are not only in files
#define INPUT_PREFIX  "/Halyard/Replay/" // what runs a simulation again is nothing to look at
#define ENTRIES       65536              // those with higher numbers are left out
#define TYPE_MAX      255
#define METADATA_ROOM 4096
#define JUMP_S        2.0
#define OFFSET_MAX    (UINT64_C(1) << 48)

typedef struct {
    hy_channel_info info;
    char *texts;     // behind the pointers of `info`
    uint64_t newest; // of a jump: one more than the index of the value that is put
} log_channel;

typedef struct {
    uint64_t at_us;
    uint64_t place; // of its record in the file, times 65536, and the channel's number
} log_value;

struct hy_log_player {
    hy_bytes file;
    hy_telemetry_sink sink;
    log_channel *channels;
    size_t channel_count;
    log_value *values;
    size_t count, room;
    hy_log_facts facts;
    hy_wpilog_times times;
    hy_names names; // of the channels
    char damage[600], left_out[200];
    uint16_t *channel_of; // each entry's: one more than its number; 0: it is not played
    hy_json_reader *json;
    size_t next; // the first value that was not put
    double at_s;
    bool has_begun;
    uint64_t put_us;
};

// --------------------------------------------------------------------------- channels

static bool begins_with(hy_bytes text, const char *prefix)
{
    return text.size >= strlen(prefix) && memcmp(text.data, prefix, strlen(prefix)) == 0;
}

static void leave_out(hy_log_player *self, hy_bytes name)
{
    self->facts.left_out++;
    hy_wpilog_list_name(self->left_out, sizeof self->left_out, name);
}

// Of what files say of a channel only the unit is passed on: the rest is for whoever wrote it.
static const char *unit_of(hy_log_player *self, hy_bytes metadata)
{
    const hy_json_value *const root = metadata.size > 0 ? hy_json_parse(self->json, metadata) : NULL;
    const char *const unit = hy_json_string(hy_json_member(root, "unit"));
    return unit != NULL && strlen(unit) < 64 && strpbrk(unit, "\"\\") == NULL ? unit : NULL;
}

// The texts of a channel, one behind the other. NULL: no memory.
static char *copy_texts(hy_bytes name, hy_bytes type, const char *unit, hy_channel_info *info)
{
    const size_t room = name.size + type.size + (unit != NULL ? strlen(unit) : 0) + 20;
    char *const texts = calloc(1, room);
    if (texts == NULL) { // coverage: memory ran out
        return NULL;
    }
    memcpy(texts, name.data, name.size);
    char *const type_text = texts + name.size + 1;
    memcpy(type_text, type.data, type.size);
    char *const metadata = type_text + type.size + 1;
    if (unit != NULL) {
        (void)snprintf(metadata, strlen(unit) + 12, "{\"unit\":\"%s\"}", unit);
    }
    info->name = texts;
    info->type = type_text;
    info->metadata = metadata;
    return texts;
}

static bool add_channel(hy_log_player *self, const hy_wpilog_record *record)
{
    hy_bytes name = record->name;
    if (begins_with(name, FILE_PREFIX)) {
        name = (hy_bytes){ name.data + strlen(FILE_PREFIX), name.size - strlen(FILE_PREFIX) };
    }
    if (name.size == 0 || memchr(name.data, '\0', name.size) != NULL ||
        hy_names_find(&self->names, name) > 0) {
        leave_out(self, record->name);
        return true;
    }
    log_channel *const channel = &self->channels[self->channel_count];
    *channel = (log_channel){ .info = { .handle = (hy_channel)self->channel_count + 1,
                                        .kind = HY_CHANNEL_RAW } };
    channel->texts = copy_texts(name, record->type, unit_of(self, record->metadata), &channel->info);
    if (channel->texts == NULL || hy_names_add(&self->names, name) == 0) { // coverage: memory ran out
        free(channel->texts);
        return false;
    }
    self->sink.declare(self->sink.context, &channel->info, 0);
    self->channel_of[record->entry] = (uint16_t)++self->channel_count;
    return true;
}

static bool take_start(hy_log_player *self, const hy_wpilog_record *record)
{
    const bool is_input = begins_with(record->name, INPUT_PREFIX);
    const bool fits = record->entry < ENTRIES && self->channel_count < HY_CHANNELS_MAX &&
                      record->name.size <= HY_CHANNEL_NAME_MAX && record->type.size <= TYPE_MAX;
    if (record->entry < ENTRIES) {
        self->channel_of[record->entry] = 0; // its number is used again
    }
    if (!is_input && !fits) {
        leave_out(self, record->name);
    }
    return is_input || !fits || add_channel(self, record);
}

// --------------------------------------------------------------------------- values

static bool take_value(hy_log_player *self, const hy_wpilog_record *record, size_t offset)
{
    const unsigned channel = record->entry < ENTRIES ? self->channel_of[record->entry] : 0;
    if (channel == 0 || offset >= OFFSET_MAX) { // coverage: no memory holds so long a file
        return true;
    }
    if (self->count == self->room) {
        const size_t room = self->room * 2 + 1024;
        log_value *const values = realloc(self->values, room * sizeof *values);
        if (values == NULL) { // coverage: memory ran out
            return false;
        }
        self->values = values;
        self->room = room;
    }
    self->values[self->count++] =
        (log_value){ record->at_us, (uint64_t)offset << 16 | (channel - 1) };
    return true;
}

static int compare_values(const void *a, const void *b)
{
    const log_value *const first = a, *const second = b;
    if (first->at_us != second->at_us) {
        return first->at_us < second->at_us ? -1 : 1;
    }
    return (first->place > second->place) - (first->place < second->place);
}

static void sort_values(hy_log_player *self)
{
    for (size_t i = 1; i < self->count; i++) {
        if (self->values[i].at_us < self->values[i - 1].at_us) {
            qsort(self->values, self->count, sizeof *self->values, compare_values);
            return;
        }
    }
}

static bool read_all(hy_log_player *self)
{
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    self->times = hy_wpilog_find_times(self->file);
    (void)hy_wpilog_reader_init(&reader, self->file); // that it is one was seen before
    while (hy_wpilog_next(&reader, &record)) {
        const bool fits = record.kind == HY_WPILOG_START   ? take_start(self, &record)
                          : record.kind == HY_WPILOG_VALUE ? take_value(self, &record, reader.begin)
                                                           : true;
        if (!fits) { // coverage: memory ran out
            return false;
        }
    }
    hy_wpilog_describe_damage(&reader, self->damage, sizeof self->damage);
    hy_wpilog_describe_outliers(&self->times, self->file, self->damage, sizeof self->damage);
    sort_values(self);
    return true;
}

static hy_status open_all(hy_log_player *self, hy_world_error *error)
{
    hy_wpilog_reader reader;
    if (hy_wpilog_reader_init(&reader, self->file) != HY_OK) {
        (void)snprintf(error->text, sizeof error->text, "it is no log file (WPILOG): %s",
                       reader.damage);
        return HY_EFORMAT;
    }
    self->channels = calloc(HY_CHANNELS_MAX, sizeof *self->channels);
    self->channel_of = calloc(ENTRIES, sizeof *self->channel_of);
    self->json = hy_json_reader_open(METADATA_ROOM);
    // coverage: memory ran out
    if (self->channels == NULL || self->channel_of == NULL || self->json == NULL || !read_all(self)) {
        (void)snprintf(error->text, sizeof error->text, "%s", hy_status_text(HY_EMEMORY));
        return HY_EMEMORY;
    }
    self->facts.left_out_names = self->left_out;
    self->facts.channels = self->channel_count;
    self->facts.values = self->count;
    self->facts.damage = self->damage;
    size_t first = 0, end = self->count;
    while (first < end && self->values[first].at_us < self->times.first_us) {
        first++;
    }
    while (first < end && self->values[end - 1].at_us > self->times.last_us) {
        end--;
    }
    if (first < end) {
        self->facts.start_s = (double)self->values[first].at_us * 1e-6;
        self->facts.end_s = (double)self->values[end - 1].at_us * 1e-6;
    }
    return HY_OK;
}

hy_status hy_log_player_open(hy_bytes file, hy_telemetry_sink sink, hy_log_player **out,
                             hy_world_error *error)
{
    *out = NULL;
    hy_log_player *const self = calloc(1, sizeof *self);
    if (self == NULL) { // coverage: memory ran out
        (void)snprintf(error->text, sizeof error->text, "%s", hy_status_text(HY_EMEMORY));
        return HY_EMEMORY;
    }
    self->file = file;
    self->sink = sink;
    const hy_status status = open_all(self, error);
    if (status != HY_OK) {
        hy_log_player_close(self);
        return status;
    }
    *out = self;
    return HY_OK;
}

void hy_log_player_close(hy_log_player *self)
{
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i < self->channel_count; i++) {
        free(self->channels[i].texts);
    }
    hy_json_reader_close(self->json);
    hy_names_free(&self->names);
    free(self->channels);
    free(self->channel_of);
    free(self->values);
    free(self);
}

hy_log_facts hy_log_player_facts(const hy_log_player *self)
{
    return self->facts;
}

// --------------------------------------------------------------------------- playing

static void put(hy_log_player *self, const log_value *value, uint64_t now_us)
{
    const size_t offset = (size_t)(value->place >> 16);
    const log_channel *const channel = &self->channels[value->place & 0xffff];
    hy_wpilog_record record;
    if (log_points_read(self->file, offset,
                        &record) && // as it was when it was opened, if nobody altered the file
        record.kind == HY_WPILOG_VALUE) {
        self->put_us = now_us > self->put_us ? now_us : self->put_us;
        self->sink.put(self->sink.context, &channel->info, self->put_us, record.value);
    }
}

static void put_since(hy_log_player *self, uint64_t until_us, uint64_t now_us)
{
    for (; self->next < self->count && self->values[self->next].at_us <= until_us; self->next++) {
        const uint64_t ago_us = until_us - self->values[self->next].at_us;
        put(self, &self->values[self->next], now_us > ago_us ? now_us - ago_us : 0);
    }
}

static void put_newest(hy_log_player *self, uint64_t until_us, uint64_t now_us)
{
    for (size_t i = 0; i < self->channel_count; i++) {
        self->channels[i].newest = 0;
    }
    for (self->next = 0; self->next < self->count && self->values[self->next].at_us <= until_us;
         self->next++) {
        self->channels[self->values[self->next].place & 0xffff].newest = self->next + 1;
    }
    for (size_t i = 0; i < self->channel_count; i++) {
        if (self->channels[i].newest > 0) {
            put(self, &self->values[self->channels[i].newest - 1], now_us);
        }
    }
}

void hy_log_player_move(hy_log_player *self, double to_s, uint64_t now_us)
{
    const uint64_t until_us =
        to_s > 0.0 ? to_s < 1e12 ? (uint64_t)(to_s * 1e6 + 0.5) : UINT64_MAX : 0;
    const bool is_jump = !self->has_begun || to_s < self->at_s || to_s > self->at_s + JUMP_S;
    if (is_jump) {
        put_newest(self, until_us, now_us);
    } else {
        put_since(self, until_us, now_us);
    }
    self->has_begun = true;
    self->at_s = to_s;
}
