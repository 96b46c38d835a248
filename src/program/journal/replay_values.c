#include "replay_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES_MAX 65536 // of a file; recordings have HY_CHANNELS_MAX
#define NT_PREFIX   "NT:" // what files have before the names of most channels
#define VALUE_MAX   100   // bytes of a value in a sentence
#define SHOWN_MAX   4     // elements of an array

struct replay_entry {
    hy_bytes name; // without the prefix
    bool is_schema;
};

struct replay_value {
    const hy_channel_info *channel; // NULL: a recorded one
    uint32_t entry;                 // of a recorded one
    hy_bytes value;                 // of a published one: without its address,
    size_t at;                      // which is here in `bytes`
};

// The list, with room for one more; NULL: no memory, and the list stays.
static void *make_room(replay_values *self, void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room) {
        return list;
    }
    void *const grown = realloc(list, (*room + 64) * 2 * size);
    if (grown == NULL) {
        self->is_incomplete = true;
        return NULL;
    }
    *room = (*room + 64) * 2;
    return grown;
}

// --------------------------------------------------------------------------- the recording

static void take_entry(replay_values *self, const hy_wpilog_record *record)
{
    static const char schema[] = "structschema";
    if (record->entry >= ENTRIES_MAX) {
        return;
    }
    if (record->entry >= self->entry_room) {
        const size_t room = ((size_t)record->entry + 1) * 2;
        struct replay_entry *const grown = realloc(self->entries, room * sizeof *grown);
        if (grown == NULL) {
            self->is_incomplete = true;
            return;
        }
        memset(grown + self->entry_room, 0, (room - self->entry_room) * sizeof *grown);
        self->entries = grown;
        self->entry_room = room;
    }
    const size_t prefix = strlen(NT_PREFIX);
    struct replay_entry *const entry = &self->entries[record->entry];
    entry->name = record->name;
    if (entry->name.size >= prefix && memcmp(entry->name.data, NT_PREFIX, prefix) == 0) {
        entry->name = (hy_bytes){ entry->name.data + prefix, entry->name.size - prefix };
    }
    entry->is_schema = record->type.size == strlen(schema) &&
                       memcmp(record->type.data, schema, record->type.size) == 0;
}

static void take_value(replay_values *self, const hy_wpilog_record *record)
{
    struct replay_value *const list = make_room(self, self->recorded, self->recorded_count,
                                                &self->recorded_room, sizeof *self->recorded);
    if (list != NULL) {
        self->recorded = list;
        list[self->recorded_count++] =
            (struct replay_value){ .entry = record->entry, .value = record->value };
    }
}

void replay_values_take(replay_values *self, const hy_wpilog_record *record)
{
    if (record->kind == HY_WPILOG_START) {
        take_entry(self, record);
    } else if (record->kind == HY_WPILOG_VALUE && record->entry < self->entry_room &&
               self->entries[record->entry].name.data != NULL &&
               !self->entries[record->entry].is_schema) {
        take_value(self, record);
    }
}

// --------------------------------------------------------------------------- the program

static void ignore_declaration(void *context, const hy_channel_info *channel, uint64_t now_us)
{
    (void)context;
    (void)channel;
    (void)now_us;
}

static bool keep_bytes(replay_values *self, hy_bytes value)
{
    while (self->byte_room - self->byte_count < value.size) {
        uint8_t *const grown = make_room(self, self->bytes, self->byte_room, &self->byte_room, 1);
        if (grown == NULL) {
            return false;
        }
        self->bytes = grown;
    }
    if (value.size > 0) {
        memcpy(self->bytes + self->byte_count, value.data, value.size);
    }
    self->byte_count += value.size;
    return true;
}

static void capture(void *context, const hy_channel_info *channel, uint64_t now_us, hy_bytes value)
{
    (void)now_us;
    replay_values *const self = context;
    if (!self->is_capturing || channel->kind == HY_CHANNEL_SCHEMA) {
        return;
    }
    const size_t at = self->byte_count;
    struct replay_value *const list = make_room(self, self->published, self->published_count,
                                                &self->published_room, sizeof *self->published);
    if (list != NULL) {
        self->published = list;
    }
    if (list != NULL && keep_bytes(self, value)) {
        list[self->published_count++] =
            (struct replay_value){ .channel = channel, .value = { NULL, value.size }, .at = at };
    }
}

hy_telemetry_sink replay_values_sink(replay_values *self)
{
    return (hy_telemetry_sink){ self, ignore_declaration, capture };
}

// --------------------------------------------------------------------------- comparing

static hy_bytes name_of(const replay_values *self, const struct replay_value *value)
{
    return value->channel == NULL
               ? self->entries[value->entry].name
               : (hy_bytes){ (const uint8_t *)value->channel->name, strlen(value->channel->name) };
}

static hy_bytes bytes_of(const replay_values *self, const struct replay_value *value)
{
    return value->channel == NULL ? value->value
                                  : (hy_bytes){ self->bytes + value->at, value->value.size };
}

static bool are_equal(hy_bytes a, hy_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static bool is_among(const replay_values *self, hy_bytes name, const struct replay_value *list,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (are_equal(name, name_of(self, &list[i]))) {
            return true;
        }
    }
    return false;
}

static void print_doubles(hy_bytes bytes, char out[VALUE_MAX])
{
    const size_t count = bytes.size / sizeof(double);
    size_t used = (size_t)snprintf(out, VALUE_MAX, "%s", count == 1 ? "" : "(");
    for (size_t i = 0; i < count && i < SHOWN_MAX; i++) {
        uint64_t bits = 0;
        double value;
        for (size_t k = 0; k < sizeof bits; k++) {
            bits |= (uint64_t)bytes.data[i * sizeof bits + k] << (8 * k);
        }
        memcpy(&value, &bits, sizeof value);
        used += (size_t)snprintf(out + used, VALUE_MAX - used, "%s%.9g", i > 0 ? ", " : "", value);
    }
    (void)snprintf(out + used, VALUE_MAX - used, "%s",
                   count > SHOWN_MAX ? ", ...)"
                   : count == 1      ? ""
                                     : ")");
}

static void print_value(const char *type, hy_bytes bytes, char out[VALUE_MAX])
{
    const bool is_text = strcmp(type, "string") == 0 || strcmp(type, "json") == 0;
    const bool has_doubles = strncmp(type, "double", 6) == 0 || strncmp(type, "struct:", 7) == 0;
    if (is_text) {
        char text[VALUE_MAX - 2];
        hy_wpilog_copy_text(bytes, text, sizeof text);
        (void)snprintf(out, VALUE_MAX, "\"%s\"", text);
    } else if (strcmp(type, "boolean") == 0 && bytes.size == 1) {
        (void)snprintf(out, VALUE_MAX, "%s", bytes.data[0] != 0 ? "true" : "false");
    } else if (has_doubles && bytes.size % sizeof(double) == 0) {
        print_doubles(bytes, out);
    } else if (strcmp(type, "int64") == 0 && bytes.size == sizeof(int64_t)) {
        uint64_t bits = 0;
        for (size_t i = 0; i < sizeof bits; i++) {
            bits |= (uint64_t)bytes.data[i] << (8 * i);
        }
        (void)snprintf(out, VALUE_MAX, "%" PRId64, (int64_t)bits);
    } else {
        (void)snprintf(out, VALUE_MAX, "%zu other bytes", bytes.size);
    }
}

// `recorded` and `published` are the values at the same place; NULL: there is none.
static void describe(const replay_values *self, const struct replay_value *recorded,
                     const struct replay_value *published, hy_room text)
{
    char name[HY_CHANNEL_NAME_MAX + 1], before[VALUE_MAX], now[VALUE_MAX];
    const struct replay_value *const one = published != NULL ? published : recorded;
    if (one == NULL) {
        return; // nothing differs
    }
    hy_wpilog_copy_text(name_of(self, one), name, sizeof name);
    if (published != NULL) {
        print_value(published->channel->type, bytes_of(self, published), now);
    }
    if (recorded != NULL && published != NULL) {
        print_value(published->channel->type, bytes_of(self, recorded), before);
        (void)snprintf((char *)text.data, text.size, "%s: recorded %s, now %s", name, before, now);
    } else if (published != NULL) {
        (void)snprintf((char *)text.data, text.size, "%s: not recorded, now %s", name, now);
    } else {
        (void)snprintf((char *)text.data, text.size, "%s: recorded, now not published", name);
    }
}

replay_values_result replay_values_compare(const replay_values *self, uint32_t puts, hy_room text)
{
    if (self->is_incomplete || puts > self->recorded_count) {
        return VALUES_UNKNOWN;
    }
    const struct replay_value *const recorded =
        puts > 0 ? &self->recorded[self->recorded_count - puts] : NULL;
    const size_t most = puts > self->published_count ? puts : self->published_count;
    for (size_t i = 0; i < most; i++) {
        const struct replay_value *before = i < puts ? &recorded[i] : NULL;
        const struct replay_value *now = i < self->published_count ? &self->published[i] : NULL;
        if (before != NULL && now != NULL && !are_equal(name_of(self, before), name_of(self, now))) {
            const bool is_new = !is_among(self, name_of(self, now), before, puts - i);
            before = is_new ? NULL : before;
            now = is_new ? now : NULL;
        }
        if (before == NULL || now == NULL || !are_equal(bytes_of(self, before), bytes_of(self, now))) {
            describe(self, before, now, text);
            return VALUES_DIFFER;
        }
    }
    return VALUES_EQUAL;
}

void replay_values_clear(replay_values *self)
{
    self->recorded_count = self->published_count = self->byte_count = 0;
}

void replay_values_free(replay_values *self)
{
    free(self->entries);
    free(self->recorded);
    free(self->published);
    free(self->bytes);
    memset(self, 0, sizeof *self);
}
