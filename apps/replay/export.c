// Elements of arrays and members of structs get lines of their own. What a struct consists of is read from its schema, which the
// file has too.
#include "export.h"

#include <halyard/telemetry_wpilog.h>

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app.h"

#define ENTRIES     65536 // those with higher numbers are left out
#define KEY_MAX     700
#define LEVELS_MAX  8 // of structs in structs
#define SCHEMA_MARK "/.schema/struct:"

typedef struct {
    hy_bytes name, type; // of the start record; without bytes: not started
    hy_bytes schema;     // the newest value, of an entry that is one
} log_entry;

typedef struct {
    const export_part *part;
    log_entry *entries;
    size_t entry_count; // behind the last one that was started
    uint64_t left_out;  // values
    double at_s;
    char key[KEY_MAX];
} exporter;

// --------------------------------------------------------------------------- lines

static void print_quoted(const char *text, size_t size)
{
    (void)putchar('"');
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"') {
            (void)putchar('"');
        }
        (void)putchar(text[i]);
    }
    (void)putchar('"');
}

static void begin_line(const exporter *self)
{
    printf("%.6f,", self->at_s);
    if (strpbrk(self->key, ",\"\r\n") != NULL) {
        print_quoted(self->key, strlen(self->key));
    } else {
        (void)fputs(self->key, stdout);
    }
    (void)putchar(',');
}

// Adds to the key; returns its length before, to cut it off again.
static size_t push_key(exporter *self, const char *text, size_t size)
{
    const size_t length = strlen(self->key);
    (void)snprintf(self->key + length, sizeof self->key - length, "/%.*s", (int)size, text);
    return length;
}

// --------------------------------------------------------------------------- numbers

typedef struct {
    const char *name; // in types of channels, and in schemas
    size_t size;
    char form; // b boolean, i signed, u unsigned, f float
} number_type;

static const number_type number_types[] = {
    { "boolean", 1, 'b' }, { "bool", 1, 'b' },    { "int64", 8, 'i' },  { "int", 8, 'i' },
    { "float", 4, 'f' },   { "float32", 4, 'f' }, { "double", 8, 'f' }, { "float64", 8, 'f' },
    { "int8", 1, 'i' },    { "char", 1, 'u' },    { "uint8", 1, 'u' },  { "int16", 2, 'i' },
    { "uint16", 2, 'u' },  { "int32", 4, 'i' },   { "uint32", 4, 'u' }, { "uint64", 8, 'u' },
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

static void print_float(uint64_t bits, size_t size)
{
    double value;
    if (size == 4) {
        const uint32_t half = (uint32_t)bits;
        float single;
        memcpy(&single, &half, sizeof single);
        printf("%.9g\n", (double)single);
        return;
    }
    memcpy(&value, &bits, sizeof value);
    printf("%.17g\n", value);
}

static void print_number(const exporter *self, const number_type *type, const uint8_t *from)
{
    uint64_t bits = 0;
    for (size_t i = type->size; i-- > 0;) {
        bits = bits << 8 | from[i];
    }
    begin_line(self);
    if (type->form == 'b') {
        (void)puts(bits != 0 ? "true" : "false");
    } else if (type->form == 'f') {
        print_float(bits, type->size);
    } else if (type->form == 'u') {
        printf("%" PRIu64 "\n", bits);
    } else {
        assert(type->size > 0);
        const uint64_t sign = UINT64_C(1) << (8 * type->size - 1);
        printf("%" PRId64 "\n", (int64_t)((bits ^ sign) - sign));
    }
}

// --------------------------------------------------------------------------- structs

static hy_bytes find_schema(const exporter *self, hy_bytes name)
{
    char wanted[256];
    (void)snprintf(wanted, sizeof wanted, SCHEMA_MARK "%.*s",
                   (int)(name.size < 200 ? name.size : 200), (const char *)name.data);
    const size_t length = strlen(wanted);
    for (size_t i = 0; i < self->entry_count; i++) { // with or without "NT:" before it
        const hy_bytes key = self->entries[i].name;
        if (self->entries[i].schema.size > 0 && key.size >= length &&
            memcmp(key.data + key.size - length, wanted, length) == 0) {
            return self->entries[i].schema;
        }
    }
    return (hy_bytes){ NULL, 0 };
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

static hy_bytes until(hy_bytes text, char mark)
{
    const uint8_t *const found = text.size > 0 ? memchr(text.data, mark, text.size) : NULL;
    return found != NULL ? (hy_bytes){ text.data, (size_t)(found - text.data) } : text;
}

// One member of a schema: "double x", "uint8 a[4]". Bit-fields and enumerations are not understood.
typedef struct {
    hy_bytes type, name;
    size_t count;
    bool is_array;
} member;

static bool read_member(hy_bytes text, member *out)
{
    out->type = until(text, ' ');
    const hy_bytes rest = trim((hy_bytes){ text.data + out->type.size, text.size - out->type.size });
    out->name = trim(until(rest, '['));
    out->is_array = out->name.size < rest.size;
    out->count = 1;
    if (out->is_array) {
        const uint8_t *digit = rest.data + until(rest, '[').size + 1;
        for (out->count = 0; digit < rest.data + rest.size && *digit >= '0' && *digit <= '9';
             digit++) {
            out->count = out->count * 10 + (size_t)(*digit - '0');
            if (out->count > 100000) {
                return false;
            }
        }
    }
    return out->name.size > 0 && memchr(rest.data, ':', rest.size) == NULL &&
           memchr(text.data, '{', text.size) == NULL;
}

static bool print_struct(exporter *self, hy_bytes name, hy_bytes *value, int level);

// Of a member or a channel; takes what it prints off `value`. False: it is not understood, or cut.
static bool print_item(exporter *self, hy_bytes type, hy_bytes *value, int level)
{
    const number_type *const number = find_number(type);
    if (number == NULL) {
        return print_struct(self, type, value, level + 1);
    }
    if (value->size < number->size) {
        return false;
    }
    print_number(self, number, value->data);
    *value = (hy_bytes){ value->data + number->size, value->size - number->size };
    return true;
}

static bool print_member(exporter *self, const member *of, hy_bytes *value, int level)
{
    const size_t before = push_key(self, (const char *)of->name.data, of->name.size);
    bool is_whole = true;
    for (size_t i = 0; i < of->count && is_whole; i++) {
        char index[24];
        (void)snprintf(index, sizeof index, "%zu", i);
        const size_t outside =
            of->is_array ? push_key(self, index, strlen(index)) : strlen(self->key);
        const size_t left = value->size;
        is_whole = print_item(self, of->type, value, level) && value->size < left;
        self->key[outside] = '\0';
    }
    self->key[before] = '\0';
    return is_whole;
}

static bool print_struct(exporter *self, hy_bytes name, hy_bytes *value, int level)
{
    hy_bytes schema = find_schema(self, name);
    bool is_whole = schema.size > 0 && level < LEVELS_MAX;
    while (is_whole && schema.size > 0) {
        const hy_bytes text = until(schema, ';');
        const size_t used = text.size < schema.size ? text.size + 1 : text.size;
        member one;
        schema = (hy_bytes){ schema.data + used, schema.size - used };
        if (trim(text).size > 0) {
            is_whole = read_member(trim(text), &one) && print_member(self, &one, value, level);
        }
    }
    return is_whole;
}

// --------------------------------------------------------------------------- values

static void print_text(const exporter *self, hy_bytes text)
{
    begin_line(self);
    print_quoted((const char *)text.data, text.size);
    (void)putchar('\n');
}

static bool print_texts(exporter *self, hy_bytes value)
{
    for (size_t i = 0; value.size >= 4; i++) {
        char index[24];
        (void)snprintf(index, sizeof index, "%zu", i);
        value = (hy_bytes){ value.data + 4, value.size - 4 }; // the count, then the lengths
        if (value.size < 4) {
            return value.size == 0;
        }
        const size_t size = (size_t)value.data[0] | (size_t)value.data[1] << 8 |
                            (size_t)value.data[2] << 16 | (size_t)value.data[3] << 24;
        if (size > value.size - 4) {
            return false;
        }
        const size_t before = push_key(self, index, strlen(index));
        print_text(self, (hy_bytes){ value.data + 4, size });
        self->key[before] = '\0';
        value = (hy_bytes){ value.data + size, value.size - size };
    }
    return true;
}

static bool print_elements(exporter *self, hy_bytes type, hy_bytes value)
{
    bool is_whole = true;
    for (size_t i = 0; value.size > 0 && is_whole; i++) {
        char index[24];
        (void)snprintf(index, sizeof index, "%zu", i);
        const size_t before = push_key(self, index, strlen(index));
        const size_t left = value.size;
        is_whole = print_item(self, type, &value, 0) && value.size < left;
        self->key[before] = '\0';
    }
    return is_whole;
}

static bool print_value(exporter *self, const log_entry *entry, hy_bytes value)
{
    static const char struct_prefix[] = "struct:";
    hy_bytes type = entry->type;
    (void)snprintf(self->key, sizeof self->key, "%.*s",
                   (int)(entry->name.size < KEY_MAX / 2 ? entry->name.size : KEY_MAX / 2),
                   (const char *)entry->name.data);
    if (hy_wpilog_text_is(type, "string") || hy_wpilog_text_is(type, "json")) {
        print_text(self, value);
        return true;
    }
    if (hy_wpilog_text_is(type, "string[]")) {
        return print_texts(self, value);
    }
    const bool is_array = type.size > 2 && memcmp(type.data + type.size - 2, "[]", 2) == 0;
    type.size -= is_array ? 2 : 0;
    const size_t prefix = sizeof struct_prefix - 1;
    if (type.size > prefix && memcmp(type.data, struct_prefix, prefix) == 0) {
        type = (hy_bytes){ type.data + prefix, type.size - prefix };
    } else if (find_number(type) == NULL) {
        return false;
    }
    return is_array ? print_elements(self, type, value) : print_item(self, type, &value, 0);
}

static void take_record(exporter *self, const hy_wpilog_record *record)
{
    if (record->entry >= ENTRIES) {
        self->left_out += record->kind == HY_WPILOG_VALUE;
        return;
    }
    log_entry *const entry = &self->entries[record->entry];
    if (record->kind == HY_WPILOG_START) {
        *entry = (log_entry){ .name = record->name, .type = record->type };
        self->entry_count =
            record->entry >= self->entry_count ? record->entry + 1 : self->entry_count;
    } else if (record->kind == HY_WPILOG_VALUE && hy_wpilog_text_is(entry->type, "structschema")) {
        entry->schema = record->value;
    } else if (record->kind == HY_WPILOG_VALUE) {
        self->at_s = (double)record->at_us * 1e-6;
        if (self->at_s >= self->part->from_s && self->at_s <= self->part->to_s &&
            !print_value(self, entry, record->value)) {
            self->left_out++;
        }
    }
}

bool export_csv(const char *command, const char *path, hy_bytes file, const export_part *part)
{
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    if (hy_wpilog_reader_start(&reader, file) != HY_OK) {
        app_error(command, "%s: it is no log file (WPILOG): %s", path, reader.damage);
        return false;
    }
    log_entry *const entries = calloc(ENTRIES, sizeof *entries);
    if (entries == NULL) {
        app_error(command, "there is not enough memory");
        return false;
    }
    exporter self = { .part = part, .entries = entries };
    (void)puts("Timestamp,Key,Value");
    while (hy_wpilog_next(&reader, &record)) {
        take_record(&self, &record);
    }
    if (reader.damage != NULL) {
        app_error(command, "%s: behind offset %zu nothing can be read: %s", path, reader.offset,
                  reader.damage);
    }
    if (self.left_out > 0) {
        app_error(command, "%s: %" PRIu64 " values of raw bytes or unknown types are left out",
                  path, self.left_out);
    }
    free(entries);
    return true;
}
