// What a struct consists of is read from its schema, which the log has too.
#include "base/base_bytes.h"
#include "schemas.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define ENTRIES_MAX 65536
#define KEY_MAX     700
#define NAME_MAX    350 // of an entry
#define SCHEMA_MARK "/.schema/struct:"
#define STRUCT_MARK "struct:"

struct hy_log_entries {
    uint32_t count, room;
    hy_log_entry *entries;
    schemas schemas;
};

// --------------------------------------------------------------------------- entries

hy_status hy_log_entries_open(hy_log_entries **out)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? HY_OK : HY_EMEMORY; // coverage: memory ran out
}

void hy_log_entries_close(hy_log_entries *self)
{
    if (self != NULL) {
        schemas_free(&self->schemas);
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

// The value of an entry such as "NT:/.schema/struct:Pose2d".
static bool take_schema(hy_log_entries *self, hy_bytes key, hy_bytes schema)
{
    const size_t mark = sizeof SCHEMA_MARK - 1;
    for (; key.size > mark; key = (hy_bytes){ key.data + 1, key.size - 1 }) {
        if (memcmp(key.data, SCHEMA_MARK, mark) == 0) {
            return schemas_add(&self->schemas, (hy_bytes){ key.data + mark, key.size - mark },
                               schema);
        }
    }
    return false;
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
        return take_schema(self, entry->name, record->value);
    }
    const bool is_first = !entry->has_value;
    entry->first = is_first ? record->value : entry->first;
    entry->has_value = true;
    return is_first;
}

// --------------------------------------------------------------------------- numbers

uint64_t hy_log_number_bits(const hy_log_number *self)
{
    if (self->form == HY_LOG_TEXT) {
        return 0;
    }
    assert(self->size > 0 && self->size <= 8 && self->shift + self->width <= 8 * self->size);
    const unsigned width = self->width > 0 ? self->width : 8 * (unsigned)self->size;
    const uint64_t bits =
        hy_load_le(self->bytes, self->size) >> self->shift & UINT64_MAX >> (64 - width);
    const uint64_t sign = UINT64_C(1) << (width - 1);
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

// --------------------------------------------------------------------------- visits

typedef struct {
    const schemas *schemas;
    const hy_log_visitor *visitor;
    hy_bytes value;
    size_t key_size;
    char key[KEY_MAX];
} walk;

// Adds to the key as much as fits; returns its size before, to cut it off again.
static size_t push_name(walk *self, hy_bytes name)
{
    const size_t before = self->key_size, room = KEY_MAX - 1 - before;
    const size_t size = room == 0 ? 0 : name.size < room ? name.size : room - 1;
    if (room > 0) {
        self->key[before] = '/';
        memcpy(self->key + before + 1, name.data, size);
        self->key_size += 1 + size;
    }
    return before;
}

static size_t push_index(walk *self, uint32_t index)
{
    char digits[12];
    const int size = snprintf(digits, sizeof digits, "%" PRIu32, index);
    return push_name(self, (hy_bytes){ (const uint8_t *)digits, (size_t)size });
}

// A text without the NULs and the cut character at its end.
static size_t text_size(const uint8_t *text, size_t size)
{
    while (size > 0 && text[size - 1] == 0) {
        size--;
    }
    size_t begin = size; // of its last character
    while (begin > 0 && size - begin < 3 && (text[begin - 1] & 0xc0) == 0x80) {
        begin--;
    }
    const uint8_t lead = begin > 0 ? text[begin - 1] : 0;
    const size_t wanted = (lead & 0xf8) == 0xf0   ? 3
                          : (lead & 0xf0) == 0xe0 ? 2
                          : (lead & 0xe0) == 0xc0 ? 1
                                                  : 0;
    return size - begin < wanted ? begin - 1 : size;
}

// False: the value is cut.
static bool visit_number(walk *self, const schema_member *of, size_t at)
{
    const bool is_text = of->form == HY_LOG_TEXT;
    const size_t size = is_text ? (size_t)of->size * of->count : of->size;
    if (at > self->value.size || size > self->value.size - at) {
        return false;
    }
    const uint8_t *const bytes = self->value.data + at;
    self->key[self->key_size] = '\0';
    self->visitor->visit(self->visitor->context,
                         &(hy_log_number){ self->key, of->form,
                                           is_text ? text_size(bytes, size) : size, bytes,
                                           of->shift, of->width });
    return true;
}

static bool visit_member(walk *self, const schema_member *of, size_t at);

// One element of a member.
static bool visit_item(walk *self, const schema_member *of, size_t at)
{
    if (of->layout == 0) {
        return visit_number(self, of, at);
    }
    const schema_layout *const layout = &self->schemas->layouts[of->layout];
    bool is_whole = true;
    for (uint32_t i = 0; is_whole && i < layout->kept; i++) {
        const schema_member *const member = &self->schemas->members[layout->first + i];
        const size_t before = push_name(self, member->name);
        is_whole = visit_member(self, member, at + member->offset);
        self->key_size = before;
    }
    return is_whole;
}

static bool visit_member(walk *self, const schema_member *of, size_t at)
{
    if (!of->is_array || of->form == HY_LOG_TEXT) {
        return visit_item(self, of, at);
    }
    bool is_whole = true;
    for (uint32_t i = 0; is_whole && i < of->count; i++) {
        const size_t before = push_index(self, i);
        is_whole = visit_item(self, of, at + (size_t)of->size * i);
        self->key_size = before;
    }
    return is_whole;
}

// The type of a channel: a number, a struct, or an array of them. False: another.
static bool read_type(const schemas *from, hy_bytes type, schema_member *out)
{
    const size_t prefix = sizeof STRUCT_MARK - 1;
    const bool is_array = type.size > 2 && memcmp(type.data + type.size - 2, "[]", 2) == 0;
    type.size -= is_array ? 2 : 0;
    const bool is_struct = type.size > prefix && memcmp(type.data, STRUCT_MARK, prefix) == 0;
    const size_t begin = is_struct ? prefix : 0;
    type = (hy_bytes){ type.data + begin, type.size - begin };
    const bool is_known = is_struct ? schemas_find(from, type, out) : schema_number(type, true, out);
    out->is_array = is_array;
    return is_known && out->size > 0;
}

bool hy_log_visit_numbers(const hy_log_entries *self, uint32_t number, hy_bytes value,
                          const hy_log_visitor *visitor)
{
    const hy_log_entry *const entry = hy_log_entries_get(self, number);
    walk state = { .schemas = &self->schemas, .visitor = visitor, .value = value };
    schema_member type = { .size = 0 };
    if (entry == NULL || !read_type(&self->schemas, entry->type, &type)) {
        return false;
    }
    state.key_size = entry->name.size < NAME_MAX ? entry->name.size : NAME_MAX;
    memcpy(state.key, entry->name.data, state.key_size);
    if (type.is_array) { // and one more if it is cut, so that this is seen
        const size_t count = value.size / type.size + (value.size % type.size != 0);
        type.count = (uint32_t)(count < visitor->elements_max ? count : visitor->elements_max);
    }
    return visit_member(&state, &type, 0);
}
