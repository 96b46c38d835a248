// Structs by field tables: their schemas, their packed form and back.
#include "structs.h"
#include "base/base_bytes.h"

#include <halyard/telemetry.h>

typedef struct {
    const char *name; // in schemas
    size_t size;      // packed, and in memory but for HY_FIELD_BOOL
} field_kind;

static const field_kind field_kinds[] = {
    [HY_FIELD_BOOL] = { "bool", 1 },     [HY_FIELD_INT8] = { "int8", 1 },
    [HY_FIELD_UINT8] = { "uint8", 1 },   [HY_FIELD_INT16] = { "int16", 2 },
    [HY_FIELD_UINT16] = { "uint16", 2 }, [HY_FIELD_INT32] = { "int32", 4 },
    [HY_FIELD_UINT32] = { "uint32", 4 }, [HY_FIELD_INT64] = { "int64", 8 },
    [HY_FIELD_UINT64] = { "uint64", 8 }, [HY_FIELD_FLOAT] = { "float", 4 },
    [HY_FIELD_DOUBLE] = { "double", 8 }, [HY_FIELD_STRUCT] = { NULL, 0 },
};

static size_t element_count(const hy_struct_field *field)
{
    return field->count == 0 ? 1 : field->count;
}

// --------------------------------------------------------------------------- schemas

// A text that may be longer than its room: `length` counts on.
typedef struct {
    char *bytes;
    size_t room, length;
} schema_text;

static void schema_add(schema_text *text, const char *more)
{
    for (; *more != '\0'; more++) {
        if (text->length + 1 < text->room) {
            text->bytes[text->length] = *more;
        }
        text->length++;
    }
}

static void schema_add_count(schema_text *text, size_t count)
{
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    do {
        digits[--at] = (char)('0' + count % 10);
        count /= 10;
    } while (count > 0);
    schema_add(text, "[");
    schema_add(text, &digits[at]);
    schema_add(text, "]");
}

size_t hy_struct_schema(const hy_struct_type *type, char *out, size_t size)
{
    schema_text text = { out, size, 0 };
    for (size_t i = 0; i < type->field_count; i++) {
        const hy_struct_field *const field = &type->fields[i];
        schema_add(&text, i == 0 ? "" : ";");
        schema_add(&text, field->kind == HY_FIELD_STRUCT ? field->type->name
                                                         : field_kinds[field->kind].name);
        schema_add(&text, " ");
        schema_add(&text, field->name);
        if (field->count > 0) {
            schema_add_count(&text, field->count);
        }
    }
    if (size > 0) {
        out[text.length < size ? text.length : size - 1] = '\0';
    }
    return text.length;
}

// --------------------------------------------------------------------------- packed form

static size_t element_packed_size(const hy_struct_field *field)
{
    return field->kind == HY_FIELD_STRUCT ? hy_struct_packed_size(field->type)
                                          : field_kinds[field->kind].size;
}

static size_t element_size(const hy_struct_field *field)
{
    switch (field->kind) {
    case HY_FIELD_STRUCT: return field->type->size;
    case HY_FIELD_BOOL: return sizeof(bool);
    default: return field_kinds[field->kind].size;
    }
}

size_t hy_struct_packed_size(const hy_struct_type *type)
{
    size_t size = 0;
    for (size_t i = 0; i < type->field_count; i++) {
        size += element_count(&type->fields[i]) * element_packed_size(&type->fields[i]);
    }
    return size;
}

void hy_struct_pack(const hy_struct_type *type, const void *value, uint8_t *out)
{
    for (size_t i = 0; i < type->field_count; i++) {
        const hy_struct_field *const field = &type->fields[i];
        const uint8_t *member = (const uint8_t *)value + field->offset;
        const size_t packed = element_packed_size(field);
        for (size_t left = element_count(field); left > 0; left--) {
            if (field->kind == HY_FIELD_STRUCT) {
                hy_struct_pack(field->type, member, out);
            } else if (field->kind == HY_FIELD_BOOL) {
                *out = *(const bool *)member;
            } else {
                hy_store_le(out, hy_load_native(member, packed), packed);
            }
            member += element_size(field);
            out += packed;
        }
    }
}

void hy_struct_unpack(const hy_struct_type *type, const uint8_t *packed, void *value)
{
    for (size_t i = 0; i < type->field_count; i++) {
        const hy_struct_field *const field = &type->fields[i];
        uint8_t *member = (uint8_t *)value + field->offset;
        const size_t size = element_packed_size(field);
        for (size_t left = element_count(field); left > 0; left--) {
            if (field->kind == HY_FIELD_STRUCT) {
                hy_struct_unpack(field->type, packed, member);
            } else if (field->kind == HY_FIELD_BOOL) {
                *(bool *)member = *packed != 0;
            } else {
                hy_store_native(member, hy_load_le(packed, size), size);
            }
            member += element_size(field);
            packed += size;
        }
    }
}

// --------------------------------------------------------------------------- packed as it is in memory

bool machine_is_little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

bool struct_is_packed_in_memory(const hy_struct_type *type)
{
    size_t at = 0;
    for (size_t i = 0; i < type->field_count; i++) {
        const hy_struct_field *const field = &type->fields[i];
        if (field->offset != at ||
            (field->kind == HY_FIELD_STRUCT && !struct_is_packed_in_memory(field->type))) {
            return false;
        }
        at += element_count(field) * element_packed_size(field);
    }
    return at == type->size && machine_is_little_endian();
}
