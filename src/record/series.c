// Numbers of a log file over time: the list is made once, the values are looked up in the file whenever they are wanted.
#include "series.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES_MAX  4096 // those with higher numbers are left out
#define ELEMENTS_MAX 32
#define LEVELS_MAX   8 // of structs in structs
#define NAME_ROOM    200
#define SCHEMA_MARK  "/.schema/struct:"

typedef struct {
    hy_bytes name, type; // without bytes: the entry was not started
    hy_bytes schema;     // the newest value, of an entry that is one
    size_t first_size;   // of its first value
    bool has_value;
} series_entry;

typedef enum { FORM_FLAG, FORM_SIGNED, FORM_UNSIGNED, FORM_FLOAT } number_form;

typedef struct {
    const char *name; // in types of channels, and in schemas
    size_t size;
    number_form form;
} number_type;

typedef struct {
    uint32_t entry;
    size_t offset; // in the entry's values
    const number_type *type;
} series_channel;

struct hy_series {
    hy_bytes file;
    series_entry *entries;
    series_channel channels[HY_SERIES_CHANNELS];
    const char *names[HY_SERIES_CHANNELS];
    size_t count;
    log_points points;
    bool has_no_memory;
};

static const number_type number_types[] = {
    { "boolean", 1, FORM_FLAG },    { "bool", 1, FORM_FLAG },      { "int64", 8, FORM_SIGNED },
    { "int", 8, FORM_SIGNED },      { "float", 4, FORM_FLOAT },    { "float32", 4, FORM_FLOAT },
    { "double", 8, FORM_FLOAT },    { "float64", 8, FORM_FLOAT },  { "int8", 1, FORM_SIGNED },
    { "char", 1, FORM_UNSIGNED },   { "uint8", 1, FORM_UNSIGNED }, { "int16", 2, FORM_SIGNED },
    { "uint16", 2, FORM_UNSIGNED }, { "int32", 4, FORM_SIGNED },   { "uint32", 4, FORM_UNSIGNED },
    { "uint64", 8, FORM_UNSIGNED },
};

static const number_type *find_number(hy_bytes name)
{
    for (size_t i = 0; i < sizeof number_types / sizeof *number_types; i++) {
        if (hy_wpilog_text_is(name, number_types[i].name)) {
            return &number_types[i];
        }
    }
    return NULL;
}

// --------------------------------------------------------------------------- the list

// Where in an entry's values the next number is, and what it is called so far.
typedef struct {
    hy_series *series;
    uint32_t entry;
    size_t offset, limit; // of the first value
    char name[NAME_ROOM];
} lister;

static void add_channel(lister *self, const number_type *type)
{
    hy_series *const series = self->series;
    if (series->count == HY_SERIES_CHANNELS) {
        return;
    }
    const size_t size = strlen(self->name) + 1;
    char *const name = malloc(size);
    if (name == NULL) {
        series->has_no_memory = true;
        return;
    }
    memcpy(name, self->name, size);
    series->names[series->count] = name;
    series->channels[series->count++] = (series_channel){ self->entry, self->offset, type };
}

// Adds to the name; returns its length before, to cut it off again.
static size_t push_name(lister *self, hy_bytes text)
{
    const size_t length = strlen(self->name);
    (void)snprintf(self->name + length, sizeof self->name - length, "/%.*s",
                   (int)(text.size < NAME_ROOM ? text.size : NAME_ROOM), (const char *)text.data);
    return length;
}

static hy_bytes find_schema(const hy_series *self, hy_bytes name)
{
    char wanted[NAME_ROOM];
    (void)snprintf(wanted, sizeof wanted, SCHEMA_MARK "%.*s",
                   (int)(name.size < 150 ? name.size : 150), (const char *)name.data);
    const size_t length = strlen(wanted);
    for (size_t i = 0; i < ENTRIES_MAX; i++) { // with or without "NT:" before it
        const hy_bytes key = self->entries[i].name;
        if (self->entries[i].schema.size > 0 && key.size >= length &&
            memcmp(key.data + key.size - length, wanted, length) == 0) {
            return self->entries[i].schema;
        }
    }
    return (hy_bytes){ NULL, 0 };
}

static hy_bytes until(hy_bytes text, char mark)
{
    const uint8_t *const found = text.size > 0 ? memchr(text.data, mark, text.size) : NULL;
    return found != NULL ? (hy_bytes){ text.data, (size_t)(found - text.data) } : text;
}

static hy_bytes trim(hy_bytes text)
{
    while (text.size > 0 && text.data[0] == ' ') {
        text = (hy_bytes){ text.data + 1, text.size - 1 };
    }
    while (text.size > 0 && text.data[text.size - 1] == ' ') {
        text.size--;
    }
    return text;
}

static bool list_struct(lister *self, hy_bytes name, int level);

// Of a member or an element. False: what follows it cannot be found.
static bool list_item(lister *self, hy_bytes type, int level)
{
    const number_type *const number = find_number(type);
    if (number == NULL) {
        return list_struct(self, type, level + 1);
    }
    if (number->size > self->limit - self->offset) {
        return false;
    }
    add_channel(self, number);
    self->offset += number->size;
    return true;
}

// "double x". Arrays, bit-fields and enumerations in structs end the list of its members.
static bool list_member(lister *self, hy_bytes text, int level)
{
    const hy_bytes type = until(text, ' ');
    const hy_bytes name = trim((hy_bytes){ text.data + type.size, text.size - type.size });
    if (name.size == 0 || memchr(text.data, '[', text.size) != NULL ||
        memchr(text.data, ':', text.size) != NULL || memchr(text.data, '{', text.size) != NULL) {
        return false;
    }
    const size_t before = push_name(self, name);
    const bool is_whole = list_item(self, type, level);
    self->name[before] = '\0';
    return is_whole;
}

static bool list_struct(lister *self, hy_bytes name, int level)
{
    hy_bytes schema = find_schema(self->series, name);
    bool is_whole = schema.size > 0 && level < LEVELS_MAX;
    while (is_whole && schema.size > 0) {
        const hy_bytes text = until(schema, ';');
        const size_t used = text.size < schema.size ? text.size + 1 : text.size;
        schema = (hy_bytes){ schema.data + used, schema.size - used };
        is_whole = trim(text).size == 0 || list_member(self, trim(text), level);
    }
    return is_whole;
}

static void list_elements(lister *self, hy_bytes type)
{
    bool is_whole = true;
    for (size_t i = 0; i < ELEMENTS_MAX && is_whole && self->offset < self->limit; i++) {
        char index[24];
        (void)snprintf(index, sizeof index, "%zu", i);
        const size_t begin = self->offset;
        const size_t before = push_name(self, (hy_bytes){ (const uint8_t *)index, strlen(index) });
        is_whole = list_item(self, type, 0) && self->offset > begin;
        self->name[before] = '\0';
    }
}

static void list_entry(hy_series *series, uint32_t number)
{
    static const char struct_prefix[] = "struct:";
    const size_t prefix = sizeof struct_prefix - 1;
    const series_entry *const entry = &series->entries[number];
    lister self = { .series = series, .entry = number, .limit = entry->first_size };
    hy_bytes type = entry->type;
    if (!entry->has_value || type.size == 0) {
        return;
    }
    (void)snprintf(self.name, sizeof self.name, "%.*s",
                   (int)(entry->name.size < NAME_ROOM / 2 ? entry->name.size : NAME_ROOM / 2),
                   (const char *)entry->name.data);
    const bool is_array = type.size > 2 && memcmp(type.data + type.size - 2, "[]", 2) == 0;
    type.size -= is_array ? 2 : 0;
    if (type.size > prefix && memcmp(type.data, struct_prefix, prefix) == 0) {
        type = (hy_bytes){ type.data + prefix, type.size - prefix };
    } else if (find_number(type) == NULL) {
        return;
    }
    if (is_array) {
        list_elements(&self, type);
    } else {
        (void)list_item(&self, type, 0);
    }
}

// Whether the list needs the record.
static bool take_entry(hy_series *self, const hy_wpilog_record *record)
{
    if (record->entry >= ENTRIES_MAX) {
        return false;
    }
    series_entry *const entry = &self->entries[record->entry];
    if (record->kind == HY_WPILOG_START) {
        *entry = (series_entry){ .name = record->name, .type = record->type };
        return true;
    }
    if (record->kind != HY_WPILOG_VALUE) {
        return false;
    }
    if (hy_wpilog_text_is(entry->type, "structschema")) {
        entry->schema = record->value;
        return true;
    }
    const bool is_first = !entry->has_value;
    entry->first_size = is_first ? record->value.size : entry->first_size;
    entry->has_value = true;
    return is_first;
}

bool series_take(hy_series *self, const hy_wpilog_record *record, size_t offset)
{
    return log_points_take(&self->points, self->file, record, offset) &&
           (!take_entry(self, record) || log_points_note(&self->points, offset));
}

bool series_take_noted(hy_series *self)
{
    for (size_t i = 0; i < self->points.note_count; i++) {
        hy_wpilog_record record;
        if (log_points_read(self->file, self->points.notes[i], &record)) {
            (void)take_entry(self, &record);
        }
    }
    return series_finish(self);
}

log_points *series_points(hy_series *self)
{
    return &self->points;
}

// --------------------------------------------------------------------------- life

hy_series *series_start(hy_bytes file)
{
    hy_series *const self = calloc(1, sizeof *self);
    series_entry *const entries = calloc(ENTRIES_MAX, sizeof *entries);
    if (self == NULL || entries == NULL) {
        free(self);
        free(entries);
        return NULL;
    }
    self->file = file;
    self->entries = entries;
    return self;
}

bool series_finish(hy_series *self)
{
    for (uint32_t i = 0; i < ENTRIES_MAX; i++) {
        list_entry(self, i);
    }
    return !self->has_no_memory;
}

hy_status hy_series_open(hy_bytes file, hy_series **out)
{
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    *out = NULL;
    if (hy_wpilog_reader_start(&reader, file) != HY_OK) {
        return HY_EFORMAT;
    }
    hy_series *const self = series_start(file);
    if (self == NULL) {
        return HY_EMEMORY;
    }
    bool ok = true;
    for (size_t offset = reader.offset; ok && hy_wpilog_next(&reader, &record);
         offset = reader.offset) {
        ok = series_take(self, &record, offset);
    }
    if (!ok || !series_finish(self)) {
        hy_series_close(self);
        return HY_EMEMORY;
    }
    *out = self;
    return HY_OK;
}

void hy_series_close(hy_series *self)
{
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i < self->count; i++) {
        free((void *)(uintptr_t)self->names[i]);
    }
    log_points_free(&self->points);
    free(self->entries);
    free(self);
}

size_t hy_series_count(const hy_series *self)
{
    return self->count;
}

const char *const *hy_series_names(const hy_series *self)
{
    return self->names;
}

// --------------------------------------------------------------------------- values

static double number_of(const number_type *type, const uint8_t *from)
{
    uint64_t bits = 0;
    for (size_t i = type->size; i-- > 0;) {
        bits = bits << 8 | from[i];
    }
    if (type->form == FORM_FLOAT && type->size == 4) {
        const uint32_t half = (uint32_t)bits;
        float single;
        memcpy(&single, &half, sizeof single);
        return (double)single;
    }
    if (type->form == FORM_FLOAT) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (type->form == FORM_SIGNED) {
        assert(type->size > 0);
        const uint64_t sign = UINT64_C(1) << (8 * type->size - 1);
        return (double)(int64_t)((bits ^ sign) - sign);
    }
    return type->form == FORM_FLAG ? bits != 0 : (double)bits;
}

// Keeps the lowest and the highest value of each part in the order of time.
static void keep_point(hy_scene_series *request, hy_series_thinning *self, hy_scene_sample point)
{
    const double part = floor((point.t_s - self->from_s) / self->part_s);
    if (part != self->part) {
        self->part = part;
        self->first = request->count;
    }
    const size_t kept = request->count - self->first;
    hy_scene_sample *const points = request->samples + self->first;
    if (kept < 2) {
        if (request->count < request->room) {
            request->samples[request->count++] = point;
        }
        return;
    }
    const size_t low = points[0].value <= points[1].value ? 0 : 1;
    if (point.value < points[low].value) {
        points[0] = points[1 - low];
        points[1] = point;
    } else if (point.value > points[1 - low].value) {
        points[0] = points[low];
        points[1] = point;
    }
}

static void take_value(const hy_series *self, const hy_wpilog_record *record,
                       hy_scene_series *request, hy_series_thinning *thin)
{
    const series_channel *const channel = &self->channels[request->channel];
    if (channel->entry != record->entry ||
        record->value.size < channel->offset + channel->type->size) {
        return;
    }
    const double value = number_of(channel->type, record->value.data + channel->offset);
    if (isfinite(value)) {
        keep_point(request, thin, (hy_scene_sample){ (double)record->at_us * 1e-6, value });
    }
}

void hy_series_reading_start(hy_series_reading *self, const hy_series *series, double from_s,
                             double to_s)
{
    *self = (hy_series_reading){ .series = series, .from_s = from_s, .to_s = to_s };
}

void hy_series_reading_add(hy_series_reading *self, hy_scene_series *request)
{
    assert(self->count < HY_SERIES_REQUESTS);
    const size_t pairs = request->room / 2;
    const double width_s = self->to_s - self->from_s;
    const double part_s = width_s / (double)(pairs - 1); // both ends may lie within a part
    request->count = 0;
    self->thin[self->count] =
        (hy_series_thinning){ self->from_s, part_s > 1e-9 ? part_s : 1e-9, -1, 0 };
    self->requests[self->count++] = request;
}

static void read_value(hy_series_reading *self, const hy_wpilog_record *record)
{
    const double at_s = (double)record->at_us * 1e-6;
    if (record->kind != HY_WPILOG_VALUE || !(at_s >= self->from_s && at_s <= self->to_s)) {
        return;
    }
    for (size_t i = 0; i < self->count; i++) {
        if (self->requests[i]->channel < self->series->count) {
            take_value(self->series, record, self->requests[i], &self->thin[i]);
        }
    }
}

static void read_from_point(hy_series_reading *self, size_t begin, size_t end)
{
    const hy_bytes file = self->series->file;
    hy_wpilog_reader reader = { .offset = 0 };
    hy_wpilog_record record;
    if (begin < end && end <= file.size) {
        hy_wpilog_reader_continue(&reader, (hy_bytes){ file.data + begin, end - begin });
        while (hy_wpilog_next(&reader, &record)) {
            read_value(self, &record);
        }
    }
}

bool hy_series_reading_go_on(hy_series_reading *self, size_t most_bytes)
{
    const log_points *const points = &self->series->points;
    size_t read = 0;
    for (; self->point < points->count && read < most_bytes; self->point++) {
        const log_point *const point = &points->points[self->point];
        const double low_s = (double)point->low_us * 1e-6, high_s = (double)point->high_us * 1e-6;
        if (low_s <= self->to_s && high_s >= self->from_s) {
            const size_t end = log_points_end(points, self->series->file, self->point);
            read_from_point(self, (size_t)point->offset, end);
            read += end - (size_t)point->offset;
        }
    }
    return self->point < points->count;
}

void hy_series_read(const hy_series *self, double from_s, double to_s, hy_scene_series *requests,
                    size_t count)
{
    hy_series_reading reading;
    hy_series_reading_start(&reading, self, from_s, to_s);
    for (size_t i = 0; i < count; i++) {
        hy_series_reading_add(&reading, &requests[i]);
    }
    while (hy_series_reading_go_on(&reading, SIZE_MAX)) {
    }
}
