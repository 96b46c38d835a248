// The layouts of structs, from the schemas that a log has of them.
#ifndef TELEMETRY_SCHEMAS_H
#define TELEMETRY_SCHEMAS_H

#include "telemetry_numbers.h"
#include "text/text_names.h"

// A member, or a number on its own.
typedef struct {
    hy_bytes name;
    uint32_t layout;              // of a struct: its number in schemas; 0: of none
    uint32_t offset, size, count; // bytes from the struct's begin; of an element; elements
    hy_log_form form;
    uint8_t shift, width; // of a bit-field; no width: it is none
    bool is_array;
} schema_member;

typedef struct {
    size_t first;               // of its members
    uint32_t count, next, kept; // of them; of those that are laid out; that have bytes
    uint32_t size, unit;        // bytes that are laid out, but for the number of an open bit-field
    uint32_t waiters, next_waiter; // lists of layouts
    uint8_t shift;                 // bits of that number that are used
    uint8_t levels;                // of structs in it
    enum { SCHEMA_MISSING, SCHEMA_WAITS, SCHEMA_WHOLE, SCHEMA_WRONG } state;
} schema_layout;

// All zero is empty.
typedef struct {
    hy_names names;
    schema_layout *layouts;
    schema_member *members;
    uint32_t layout_count; // behind the first, which no name has
    size_t room, member_count, member_room;
} schemas;

void schemas_free(schemas *self);

// Reads the schema of a struct: the first one, for a struct has one. False: it had one, or there is no memory. The bytes must
// stay. O(size of the schema).
bool schemas_add(schemas *self, hy_bytes name, hy_bytes text);

// The struct of that name as a member; false: its schema, or one that it needs, is missing or wrong. O(size of the name).
bool schemas_find(const schemas *self, hy_bytes name, schema_member *out);

// The number type of that name as a member; false: there is none.
bool schema_number(hy_bytes name, bool is_channel, schema_member *out);

#endif
