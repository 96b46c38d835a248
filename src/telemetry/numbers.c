// What a struct consists of is read from its schema, which the log has too.
#include <halyard/telemetry_numbers.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define ENTRIES_MAX  65536
#define KEY_MAX      700
#define NAME_MAX     350 // of an entry
#define LEVELS_MAX   8   // of structs in structs
#define ELEMENTS_MAX 100000
#define SCHEMA_MARK  "/.schema/struct:"
#define STRUCT_MARK  "struct:"

struct hy_log_entries {
    uint32_t count, room;
    hy_log_entry *entries;
};

// --------------------------------------------------------------------------- entries

hy_status hy_log_entries_create(hy_log_entries **out)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? HY_OK : HY_EMEMORY; // coverage: memory ran out
}

void hy_log_entries_destroy(hy_log_entries *self)
{
    if (self != NULL) {
        free(self->entries);
        free(self);
    }
}

// Makes room for the entry with that number. False: no memory, or the number is too high.
static bool make_room(hy_log_entries *self, uint32_t number)
{
    if (number < self->room) {
        return true;
    }
    const uint32_t room = number < 64 ? 64 : number < ENTRIES_MAX / 2 ? 2 * number : ENTRIES_MAX;
    // The system's zeros, which need no memory until they are written to: a file may have one entry with a high number.
    hy_log_entry *const entries = number < ENTRIES_MAX ? calloc(room, sizeof *entries) : NULL;
    if (entries == NULL) {
        return false;
    }
    if (self->room > 0) {
        memcpy(entries, self->entries, self->room * sizeof *entries);
    }
    free(self->entries);
    self->entries = entries;
    self->room = room;
    return true;
}

uint32_t hy_log_entries_count(const hy_log_entries *self)
{
    return self->count;
}

const hy_log_entry *hy_log_entries_get(const hy_log_entries *self, uint32_t number)
{
    return number < self->count && self->entries[number].type.size > 0 ? &self->entries[number]
                                                                       : NULL;
}

bool hy_log_entries_take(hy_log_entries *self, const hy_wpilog_record *record)
{
    if (record->kind == HY_WPILOG_START && make_room(self, record->entry)) {
        hy_log_entry *const entry = &self->entries[record->entry];
        *entry = (hy_log_entry){ .name = record->name, .type = record->type };
        self->count = record->entry >= self->count ? record->entry + 1 : self->count;
        return true;
    }
    if (record->kind != HY_WPILOG_VALUE || hy_log_entries_get(self, record->entry) == NULL) {
        return false;
    }
    hy_log_entry *const entry = &self->entries[record->entry];
    if (hy_wpilog_text_is(entry->type, "structschema")) {
        entry->schema = record->value;
        return true;
    }
    const bool is_first = !entry->has_value;
    entry->first = is_first ? record->value : entry->first;
    entry->has_value = true;
    return is_first;
}

static hy_bytes find_schema(const hy_log_entries *self, hy_bytes name)
{
    char wanted[256];
    (void)snprintf(wanted, sizeof wanted, SCHEMA_MARK "%.*s",
                   (int)(name.size < 200 ? name.size : 200), (const char *)name.data);
    const size_t length = strlen(wanted);
    for (uint32_t i = 0; i < self->count; i++) { // with or without "NT:" before it
        const hy_bytes key = self->entries[i].name;
        if (self->entries[i].schema.size > 0 && key.size >= length &&
            memcmp(key.data + key.size - length, wanted, length) == 0) {
            return self->entries[i].schema;
        }
    }
    return (hy_bytes){ NULL, 0 };
}

// --------------------------------------------------------------------------- numbers

typedef struct {
    const char *name; // in types of channels, and in schemas
    size_t size;
    hy_log_form form;
} number_type;

static const number_type number_types[] = {
    { "boolean", 1, HY_LOG_BOOLEAN }, { "bool", 1, HY_LOG_BOOLEAN },
    { "int64", 8, HY_LOG_SIGNED },    { "int", 8, HY_LOG_SIGNED },
    { "float", 4, HY_LOG_FLOAT },     { "float32", 4, HY_LOG_FLOAT },
    { "double", 8, HY_LOG_FLOAT },    { "float64", 8, HY_LOG_FLOAT },
    { "int8", 1, HY_LOG_SIGNED },     { "char", 1, HY_LOG_UNSIGNED },
    { "uint8", 1, HY_LOG_UNSIGNED },  { "int16", 2, HY_LOG_SIGNED },
    { "uint16", 2, HY_LOG_UNSIGNED }, { "int32", 4, HY_LOG_SIGNED },
    { "uint32", 4, HY_LOG_UNSIGNED }, { "uint64", 8, HY_LOG_UNSIGNED },
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

uint64_t hy_log_number_bits(const hy_log_number *self)
{
    assert(self->size > 0 && self->size <= 8);
    uint64_t bits = 0;
    for (size_t i = self->size; i-- > 0;) {
        bits = bits << 8 | self->bytes[i];
    }
    const uint64_t sign = UINT64_C(1) << (8 * self->size - 1);
    return self->form == HY_LOG_SIGNED ? (bits ^ sign) - sign : bits;
}

double hy_log_number_value(const hy_log_number *self)
{
    const uint64_t bits = hy_log_number_bits(self);
    if (self->form == HY_LOG_FLOAT && self->size == 4) {
        const uint32_t half = (uint32_t)bits;
        float single;
        memcpy(&single, &half, sizeof single);
        return (double)single;
    }
    if (self->form == HY_LOG_FLOAT) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    return self->form == HY_LOG_SIGNED    ? (double)(int64_t)bits
           : self->form == HY_LOG_BOOLEAN ? (double)(bits != 0)
                                          : (double)bits;
}

// --------------------------------------------------------------------------- members of a schema

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

// One member of a schema: "double x", "uint8 a[4]".
typedef struct {
    hy_bytes type, name;
    size_t count;
    bool is_array;
} member;

// Between brackets; nothing is 0. False: no number, or too large.
static bool read_count(hy_bytes text, size_t *out)
{
    for (*out = 0; text.size > 0; text = (hy_bytes){ text.data + 1, text.size - 1 }) {
        if (text.data[0] < '0' || text.data[0] > '9') {
            return false;
        }
        *out = *out * 10 + (size_t)(text.data[0] - '0');
        if (*out > ELEMENTS_MAX) {
            return false;
        }
    }
    return true;
}

static bool read_member(hy_bytes text, member *out)
{
    out->type = until(text, ' ');
    const hy_bytes rest = trim((hy_bytes){ text.data + out->type.size, text.size - out->type.size });
    out->name = trim(until(rest, '['));
    out->is_array = out->name.size < rest.size;
    out->count = 1;
    if (out->is_array) {
        const size_t used = until(rest, '[').size + 1;
        const hy_bytes behind = { rest.data + used, rest.size - used };
        if (!read_count(trim(until(behind, ']')), &out->count)) {
            return false;
        }
    }
    return out->name.size > 0 && memchr(rest.data, ':', rest.size) == NULL &&
           memchr(text.data, '{', text.size) == NULL;
}

// --------------------------------------------------------------------------- visits

typedef struct {
    const hy_log_entries *entries;
    const hy_log_visitor *visitor;
    hy_bytes rest; // of the value
    char key[KEY_MAX];
} walk;

// Adds to the key; returns its length before, to cut it off again.
static size_t push_name(walk *self, hy_bytes name)
{
    const size_t length = strlen(self->key);
    (void)snprintf(self->key + length, sizeof self->key - length, "/%.*s",
                   (int)(name.size < KEY_MAX ? name.size : KEY_MAX), (const char *)name.data);
    return length;
}

static bool visit_struct(walk *self, hy_bytes name, int level);

// A member, an element or a channel. False: it is not understood, or cut.
static bool visit_item(walk *self, hy_bytes type, int level)
{
    const number_type *const number = find_number(type);
    if (number == NULL) {
        const size_t before =
            self->rest.size; // without a limit, empty structs in structs would never end
        return visit_struct(self, type, level + 1) && self->rest.size < before;
    }
    if (self->rest.size < number->size) {
        return false;
    }
    self->visitor->visit(self->visitor->context,
                         &(hy_log_number){ self->key, number->form, number->size, self->rest.data });
    self->rest = (hy_bytes){ self->rest.data + number->size, self->rest.size - number->size };
    return true;
}

static bool visit_element(walk *self, hy_bytes type, size_t index, int level)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%zu", index);
    const size_t before = push_name(self, (hy_bytes){ (const uint8_t *)digits, (size_t)length });
    const bool is_whole = visit_item(self, type, level);
    self->key[before] = '\0';
    return is_whole;
}

static bool visit_member(walk *self, const member *of, int level)
{
    const size_t before = push_name(self, of->name);
    bool is_whole = of->is_array || visit_item(self, of->type, level);
    for (size_t i = 0; of->is_array && is_whole && i < of->count; i++) {
        is_whole = visit_element(self, of->type, i, level);
    }
    self->key[before] = '\0';
    return is_whole;
}

static bool visit_struct(walk *self, hy_bytes name, int level)
{
    hy_bytes schema = find_schema(self->entries, name);
    bool is_whole = schema.size > 0 && level < LEVELS_MAX;
    while (is_whole && schema.size > 0) {
        const hy_bytes text = until(schema, ';');
        const size_t used = text.size < schema.size ? text.size + 1 : text.size;
        member one;
        schema = (hy_bytes){ schema.data + used, schema.size - used };
        if (trim(text).size > 0) {
            is_whole = read_member(trim(text), &one) && visit_member(self, &one, level);
        }
    }
    return is_whole;
}

bool hy_log_visit_numbers(const hy_log_entries *self, uint32_t number, hy_bytes value,
                          const hy_log_visitor *visitor)
{
    const hy_log_entry *const entry = hy_log_entries_get(self, number);
    walk state = { .entries = self, .visitor = visitor, .rest = value };
    if (entry == NULL) {
        return false;
    }
    (void)snprintf(state.key, sizeof state.key, "%.*s",
                   (int)(entry->name.size < NAME_MAX ? entry->name.size : NAME_MAX),
                   (const char *)entry->name.data);
    hy_bytes type = entry->type;
    const size_t prefix = sizeof STRUCT_MARK - 1;
    const bool is_array = type.size > 2 && memcmp(type.data + type.size - 2, "[]", 2) == 0;
    type.size -= is_array ? 2 : 0;
    if (type.size > prefix && memcmp(type.data, STRUCT_MARK, prefix) == 0) {
        type = (hy_bytes){ type.data + prefix, type.size - prefix };
    } else if (find_number(type) == NULL) {
        return false;
    }
    if (!is_array) {
        return visit_item(&state, type, 0);
    }
    bool is_whole = true;
    for (size_t i = 0; state.rest.size > 0 && i < visitor->elements_max && is_whole; i++) {
        is_whole = visit_element(&state, type, i, 0);
    }
    return is_whole;
}
