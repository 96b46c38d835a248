#include <assert.h>

#include "text.h"
#include "text_decimal.h"

/// Where the next byte goes, and what is written at all.
typedef struct {
    uint8_t *at;
    hy_json_text *out;
    unsigned when;
} writer;

static void put_bytes(writer *w, const char *text, size_t size)
{
    memcpy(w->at, text, size);
    w->at += size;
}

static void put_int(writer *w, const hy_json_field *field, int value)
{
    w->at = hy_decimal_put_int(w->at, (int)hy_clamp(value, field->low, field->high, 0));
}

static void put_real(writer *w, const hy_json_field *field, double value)
{
    w->at = hy_decimal_put(w->at, value, field->low, field->high, 6);
}

// --------------------------------------------------------------------------- text

static void put_escaped(writer *w, uint8_t byte)
{
    static const char hex[] = "0123456789abcdef";
    if (byte == '"' || byte == '\\') {
        put_bytes(w, (const char[]){ '\\', (char)byte }, 2);
    } else {
        put_bytes(w, (const char[]){ '\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15] }, 6);
    }
}

// `text` ends at a NUL or after `most` bytes. What is not UTF-8 becomes U+FFFD.
static void put_text(writer *w, const char *text, size_t most)
{
    uint8_t ended[HY_JSON_TEXT_MAX + 1] = { 0 };
    memcpy(ended, text, most < HY_JSON_TEXT_MAX ? most : HY_JSON_TEXT_MAX);
    *w->at++ = '"';
    for (const uint8_t *c = ended; *c != 0;) {
        const size_t size = hy_utf8_size(c);
        if (size == 0) {
            put_bytes(w, "\xEF\xBF\xBD", 3);
        } else if (*c == '"' || *c == '\\' || *c < 0x20) {
            put_escaped(w, *c);
        } else {
            put_bytes(w, (const char *)c, size);
        }
        c += size == 0 ? 1 : size;
    }
    *w->at++ = '"';
}

// --------------------------------------------------------------------------- values

static void put_record(writer *w, const hy_json_record *record, const char *from);

static void put_single(writer *w, const hy_json_field *field, const void *from, size_t index)
{
    switch (field->kind) {
    case HY_JSON_INT: put_int(w, field, ((const int *)from)[index]); break;
    case HY_JSON_FLAG: *w->at++ = ((const bool *)from)[index] ? '1' : '0'; break;
    default: put_real(w, field, ((const double *)from)[index]); break;
    }
}

static void put_singles(writer *w, const hy_json_field *field, const void *from)
{
    if (field->count == 0) {
        put_single(w, field, from, 0);
        return;
    }
    *w->at++ = '[';
    for (size_t i = 0; i < field->count; i++) {
        put_single(w, field, from, i);
        *w->at++ = i + 1 < field->count ? ',' : ']';
    }
}

static void put_records(writer *w, const hy_json_field *field, const char *from)
{
    size_t count;
    memcpy(&count, from + field->count_offset, sizeof count);
    count = count < field->count ? count : field->count;
    *w->at++ = '[';
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            *w->at++ = ',';
        }
        put_record(w, field->record, from + field->offset + i * field->stride);
    }
    *w->at++ = ']';
}

static void put_gap(writer *w, const hy_json_field *field, const hy_lidar_points *lidar)
{
    *w->at++ = '[';
    w->out->gaps[w->out->gap_count++] = (hy_json_gap){ *lidar, (size_t)(w->at - w->out->text),
                                                       field->kind == HY_JSON_POINT_OBJECTS };
    *w->at++ = ']';
}

static void put_name(writer *w, const hy_json_field *field, int number)
{
    const double index = hy_clamp((double)number - field->low, 0, (double)(field->count - 1), 0);
    const char *const name = field->names[(size_t)index];
    put_text(w, name, strlen(name));
}

static void put_value(writer *w, const hy_json_field *field, const char *from)
{
    const void *const at = from + field->offset;
    int number;
    switch (field->kind) {
    case HY_JSON_INT:
    case HY_JSON_FLAG:
    case HY_JSON_REAL: put_singles(w, field, at); break;
    case HY_JSON_BOOL:
        put_bytes(w, *(const bool *)at ? "true" : "false", *(const bool *)at ? 4 : 5);
        break;
    case HY_JSON_CHOICE:
        memcpy(&number, at, sizeof number);
        put_int(w, field, number > field->high ? 0 : number);
        break;
    case HY_JSON_TEXT: put_text(w, at, field->count); break;
    case HY_JSON_NAME:
        memcpy(&number, at, sizeof number);
        put_name(w, field, number);
        break;
    case HY_JSON_VERSION: *w->at++ = '1'; break;
    case HY_JSON_POINT_OBJECTS:
    case HY_JSON_POINT_LISTS: put_gap(w, field, at); break;
    case HY_JSON_GROUP: put_record(w, field->record, from); break;
    case HY_JSON_RECORDS: put_records(w, field, from); break;
    }
}

static void put_record(writer *w, const hy_json_record *record, const char *from)
{
    char before = '{';
    for (size_t i = 0; i < record->count; i++) {
        const hy_json_field *const field = &record->fields[i];
        if (field->when == 0 || (field->when & w->when) != 0) {
            *w->at++ = (uint8_t)before;
            *w->at++ = '"';
            put_bytes(w, field->key, field->key_size);
            put_bytes(w, "\":", 2);
            put_value(w, field, from);
            before = ',';
        }
    }
    *w->at++ = '}';
}

void hy_json_write(hy_json_text *out, const hy_json_record *record, const void *from, unsigned when)
{
    writer w = { out->text, out, when };
    out->gap_count = 0;
    put_record(&w, record, from);
    out->size = (size_t)(w.at - out->text);
    assert(out->size <= sizeof out->text); // every list and text is limited, so every object is
}
