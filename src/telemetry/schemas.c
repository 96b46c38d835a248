// WPILib's packed structs: allwpilib, wpiutil/doc/struct.adoc. A struct is laid out as soon as all structs in it are.
#include "schemas.h"

#include <stdlib.h>

#define LEVELS_MAX  32      // of structs in structs: they are visited by recursion
#define MEMBERS_MAX 1000000 // of all structs of a log
#define SIZE_MOST   INT32_MAX
#define WORD        'a'
#define NUMBER      '0'
#define END         (-1)

// --------------------------------------------------------------------------- number types

bool schema_number(hy_bytes name, bool is_channel, schema_member *out)
{
    static const struct {
        const char *name; // the first two are of channels alone, and names of structs in schemas
        uint8_t size;
        hy_log_form form;
    } types[] = {
        { "boolean", 1, HY_LOG_BOOLEAN }, { "int", 8, HY_LOG_SIGNED },
        { "int64", 8, HY_LOG_SIGNED },    { "bool", 1, HY_LOG_BOOLEAN },
        { "float", 4, HY_LOG_FLOAT },     { "float32", 4, HY_LOG_FLOAT },
        { "double", 8, HY_LOG_FLOAT },    { "float64", 8, HY_LOG_FLOAT },
        { "int8", 1, HY_LOG_SIGNED },     { "char", 1, HY_LOG_TEXT },
        { "uint8", 1, HY_LOG_UNSIGNED },  { "int16", 2, HY_LOG_SIGNED },
        { "uint16", 2, HY_LOG_UNSIGNED }, { "int32", 4, HY_LOG_SIGNED },
        { "uint32", 4, HY_LOG_UNSIGNED }, { "uint64", 8, HY_LOG_UNSIGNED },
    };
    for (size_t i = is_channel ? 0 : 2; i < sizeof types / sizeof types[0]; i++) {
        if (hy_wpilog_text_is(name, types[i].name)) {
            *out = (schema_member){ .size = types[i].size, .count = 1, .form = types[i].form };
            return true;
        }
    }
    return false;
}

// --------------------------------------------------------------------------- words and marks

typedef struct {
    hy_bytes rest, word;
    int kind;       // of what was read last: WORD, NUMBER, another character, or 0 at the end
    hy_names names; // of the members so far
} lexer;

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

static int read_next(lexer *self)
{
    hy_bytes at = self->rest;
    while (at.size > 0 && is_blank(at.data[0])) {
        at = (hy_bytes){ at.data + 1, at.size - 1 };
    }
    const uint8_t first = at.size > 0 ? at.data[0] : 0;
    size_t size = at.size > 0;
    self->kind = at.size == 0                      ? END
                 : is_letter(first)                ? WORD
                 : is_digit(first) || first == '-' ? NUMBER
                                                   : first;
    while ((self->kind == WORD || self->kind == NUMBER) && size < at.size &&
           (is_digit(at.data[size]) || (self->kind == WORD && is_letter(at.data[size])))) {
        size++;
    }
    self->word = (hy_bytes){ at.data, size };
    self->rest = (hy_bytes){ at.data + size, at.size - size };
    return self->kind;
}

// Reads a whole number from 1 on.
static bool read_count(lexer *self, uint32_t *out)
{
    uint64_t number = 0;
    if (read_next(self) != NUMBER || !is_digit(self->word.data[0])) {
        return false;
    }
    for (size_t i = 0; i < self->word.size; i++) {
        number = number * 10 + (self->word.data[i] - '0');
        if (number > SIZE_MOST) {
            return false;
        }
    }
    *out = (uint32_t)number;
    return number > 0;
}

// --------------------------------------------------------------------------- declarations

// Behind a '{', up to the '}'. What the names mean is for people: values stay numbers.
static bool skip_enum(lexer *self)
{
    while (read_next(self) == WORD) {
        if (read_next(self) != '=' || read_next(self) != NUMBER ||
            !is_digit(self->word.data[self->word.size - 1])) {
            return false;
        }
        if (read_next(self) != ',') {
            break;
        }
    }
    return self->kind == '}';
}

static void *grow(void *items, size_t *room, size_t count, size_t size)
{
    const size_t wanted = *room * 2 + 64;
    void *const grown = count < *room ? items : realloc(items, wanted * size);
    *room = count >= *room && grown != NULL ? wanted : *room;
    return grown;
}

// The number of the layout of that name, which may still be without a schema; 0: no memory.
static uint32_t layout_of(schemas *self, hy_bytes name)
{
    const uint32_t number = hy_names_add(&self->names, name);
    schema_layout *const layouts =
        number > 0 ? grow(self->layouts, &self->room, number, sizeof *layouts) : NULL;
    if (layouts == NULL) { // coverage: memory ran out
        return 0;
    }
    self->layouts = layouts;
    if (self->layout_count < number) {
        self->layouts[number] = (schema_layout){ .state = SCHEMA_MISSING };
        self->layout_count = number;
    }
    return number;
}

// An array, a bit-field or neither, of which the type and the name are known.
static bool read_extent(lexer *self, schema_member *out)
{
    uint32_t width;
    if (read_next(self) == '[') {
        out->is_array = true;
        return read_count(self, &out->count) && read_next(self) == ']' &&
               (read_next(self) == ';' || self->kind == END);
    }
    if (self->kind == ':') {
        const uint32_t most =
            out->layout != 0 || out->form == HY_LOG_FLOAT || out->form == HY_LOG_TEXT ? 0
            : out->form == HY_LOG_BOOLEAN                                             ? 1
                                          : 8 * out->size;
        if (!read_count(self, &width) || width > most) {
            return false;
        }
        out->width = (uint8_t)width;
        (void)read_next(self);
    }
    return self->kind == ';' || self->kind == END;
}

// From its first word or mark to its end.
static bool read_declaration(schemas *self, lexer *from)
{
    schema_member *const members =
        self->member_count < MEMBERS_MAX
            ? grow(self->members, &self->member_room, self->member_count, sizeof *members)
            : NULL;
    if (members == NULL) {
        return false;
    }
    self->members = members;
    schema_member *const out = &members[self->member_count];
    if (from->kind == WORD && hy_wpilog_text_is(from->word, "enum") && read_next(from) != '{') {
        return false;
    }
    if (from->kind == '{' && (!skip_enum(from) || read_next(from) != WORD)) {
        return false;
    }
    if (from->kind != WORD) {
        return false;
    }
    if (!schema_number(from->word, false, out)) {
        *out = (schema_member){ .layout = layout_of(self, from->word), .count = 1 };
        if (out->layout == 0) { // coverage: memory ran out
            return false;
        }
    }
    const uint32_t names = from->names.count;
    if (read_next(from) != WORD || hy_names_add(&from->names, from->word) != names + 1) {
        return false;
    }
    out->name = from->word;
    self->member_count++;
    return read_extent(from, out);
}

// --------------------------------------------------------------------------- layouts

// A bit-field goes into the number of the one before it if that has the same size and room for it; a boolean one if there is room.
static void place_bits(schema_layout *self, schema_member *member)
{
    const bool is_alike = member->form == HY_LOG_BOOLEAN || member->size == self->unit;
    if (self->unit == 0 || !is_alike || self->shift + member->width > 8 * self->unit) {
        self->size += self->unit;
        self->unit = member->size;
        self->shift = 0;
    }
    member->offset = self->size;
    member->size = self->unit;
    member->shift = self->shift;
    self->shift = (uint8_t)(self->shift + member->width);
}

// False: the struct would be longer than any value.
static bool place(schema_layout *self, schema_member *member)
{
    if (member->width > 0) {
        place_bits(self, member);
        return self->size < SIZE_MOST;
    }
    self->size += self->unit;
    self->unit = 0;
    member->offset = self->size;
    const uint64_t size = self->size + (uint64_t)member->size * member->count;
    self->size = (uint32_t)size;
    return size < SIZE_MOST;
}

// Goes on with a layout. False: it waits for another one.
static bool lay_out(schemas *self, uint32_t number)
{
    schema_layout *const of = &self->layouts[number];
    for (; of->next < of->count && of->state == SCHEMA_WAITS; of->next++) {
        schema_member *const member = &self->members[of->first + of->next];
        if (member->layout != 0) {
            schema_layout *const in = &self->layouts[member->layout];
            if (in->state == SCHEMA_MISSING || in->state == SCHEMA_WAITS) {
                of->next_waiter = in->waiters;
                in->waiters = number;
                return false;
            }
            of->levels = in->levels >= of->levels ? (uint8_t)(in->levels + 1) : of->levels;
            member->size = in->size;
            of->state =
                in->state == SCHEMA_WRONG || of->levels > LEVELS_MAX ? SCHEMA_WRONG : SCHEMA_WAITS;
        }
        if (!place(of, member)) {
            of->state = SCHEMA_WRONG;
        }
        self->members[of->first + of->kept] = *member;
        of->kept += member->size > 0; // what has no bytes would cost time in each value
    }
    of->size += of->unit;
    of->state = of->state == SCHEMA_WAITS ? SCHEMA_WHOLE : of->state;
    return true;
}

// Lays out what can be, from this one on: those that waited for it, those that waited for these ..
static void lay_out_all(schemas *self, uint32_t number)
{
    for (uint32_t ready = number; ready != 0;) {
        const uint32_t now = ready;
        ready = self->layouts[now].next_waiter;
        if (!lay_out(self, now)) {
            continue;
        }
        for (uint32_t next = self->layouts[now].waiters; next != 0;) {
            const uint32_t waiter = next;
            next = self->layouts[waiter].next_waiter;
            self->layouts[waiter].next_waiter = ready;
            ready = waiter;
        }
    }
}

bool schemas_add(schemas *self, hy_bytes name, hy_bytes text)
{
    const uint32_t number = layout_of(self, name);
    if (number == 0 || self->layouts[number].state != SCHEMA_MISSING) {
        return false;
    }
    const size_t first = self->member_count;
    lexer from = { .rest = text, .names = { .names = NULL } };
    bool is_right = true;
    while (is_right && read_next(&from) != END) {
        is_right = from.kind == ';' || read_declaration(self, &from);
    }
    hy_names_free(&from.names);
    self->member_count = is_right ? self->member_count : first;
    schema_layout *const added = &self->layouts[number];
    added->first = first;
    added->count = (uint32_t)(self->member_count - first);
    added->state = is_right ? SCHEMA_WAITS : SCHEMA_WRONG;
    lay_out_all(self, number);
    return true;
}

bool schemas_find(const schemas *self, hy_bytes name, schema_member *out)
{
    const uint32_t number = hy_names_find(&self->names, name);
    const schema_layout *const found = number > 0 ? &self->layouts[number] : NULL;
    if (found == NULL || found->state != SCHEMA_WHOLE) {
        return false;
    }
    *out = (schema_member){ .layout = number, .size = found->size, .count = 1 };
    return true;
}

void schemas_free(schemas *self)
{
    hy_names_free(&self->names);
    free(self->layouts);
    free(self->members);
}
