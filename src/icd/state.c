#include <assert.h>

#include "decimal.h"
#include "writer.h"

/// Where the next byte goes, and what is written at all.
typedef struct {
    uint8_t *at;
    hy_icd_state *state;
    unsigned when;
} writer;

static void put_bytes(writer *w, const char *text, size_t size)
{
    memcpy(w->at, text, size);
    w->at += size;
}

static void put_int(writer *w, const hy_icd_field *field, int value)
{
    w->at = hy_decimal_put_int(w->at, (int)hy_clamp(value, field->low, field->high, 0));
}

static void put_real(writer *w, const hy_icd_field *field, double value)
{
    w->at = hy_decimal_put(w->at, value, field->low, field->high, 6);
}

// --------------------------------------------------------------------------- text

// Bytes of the UTF-8 character that `text` begins with; 0 if it is none (RFC 3629: no surrogates, nothing
// over-long, nothing beyond 10FFFF). Reads no byte behind one that does not belong.
static size_t utf8_size(const uint8_t *text)
{
    static const struct {
        uint8_t first, last, second_low, second_high, size;
    } kinds[] = {
        { 0x01, 0x7F, 0, 0, 1 },       { 0xC2, 0xDF, 0x80, 0xBF, 2 }, { 0xE0, 0xE0, 0xA0, 0xBF, 3 },
        { 0xE1, 0xEC, 0x80, 0xBF, 3 }, { 0xED, 0xED, 0x80, 0x9F, 3 }, { 0xEE, 0xEF, 0x80, 0xBF, 3 },
        { 0xF0, 0xF0, 0x90, 0xBF, 4 }, { 0xF1, 0xF3, 0x80, 0xBF, 4 }, { 0xF4, 0xF4, 0x80, 0x8F, 4 },
    };
    size_t k = 0;
    while (k < sizeof kinds / sizeof kinds[0] && (*text < kinds[k].first || *text > kinds[k].last)) {
        k++;
    }
    if (k == sizeof kinds / sizeof kinds[0]) {
        return 0;
    }
    for (size_t i = 1; i < kinds[k].size; i++) {
        const uint8_t low = i == 1 ? kinds[k].second_low : 0x80;
        const uint8_t high = i == 1 ? kinds[k].second_high : 0xBF;
        if (text[i] < low || text[i] > high) {
            return 0;
        }
    }
    return kinds[k].size;
}

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
    uint8_t ended[HY_ICD_TEAM_SIZE + 1] = { 0 };
    memcpy(ended, text, most < HY_ICD_TEAM_SIZE ? most : HY_ICD_TEAM_SIZE);
    *w->at++ = '"';
    for (const uint8_t *c = ended; *c != 0;) {
        const size_t size = utf8_size(c);
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

static void put_record(writer *w, const hy_icd_record *record, const char *from);

static void put_single(writer *w, const hy_icd_field *field, const void *from, size_t index)
{
    switch (field->kind) {
    case HY_ICD_INT: put_int(w, field, ((const int *)from)[index]); break;
    case HY_ICD_FLAG: *w->at++ = ((const bool *)from)[index] ? '1' : '0'; break;
    default: put_real(w, field, ((const double *)from)[index]); break;
    }
}

static void put_singles(writer *w, const hy_icd_field *field, const void *from)
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

static void put_records(writer *w, const hy_icd_field *field, const char *from)
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

static void put_gap(writer *w, const hy_icd_field *field, const hy_icd_lidar *lidar)
{
    *w->at++ = '[';
    w->state->gaps[w->state->gap_count++] =
        (hy_icd_gap){ *lidar, (size_t)(w->at - w->state->text), field->kind == HY_ICD_SWEEP };
    *w->at++ = ']';
}

static void put_value(writer *w, const hy_icd_field *field, const char *from)
{
    const void *const at = from + field->offset;
    int number;
    switch (field->kind) {
    case HY_ICD_INT:
    case HY_ICD_FLAG:
    case HY_ICD_REAL: put_singles(w, field, at); break;
    case HY_ICD_BOOL:
        put_bytes(w, *(const bool *)at ? "true" : "false", *(const bool *)at ? 4 : 5);
        break;
    case HY_ICD_CHOICE:
        memcpy(&number, at, sizeof number);
        put_int(w, field, number > field->high ? 0 : number);
        break;
    case HY_ICD_TEXT: put_text(w, at, field->count); break;
    case HY_ICD_COLOUR:
        memcpy(&number, at, sizeof number);
        put_text(w, number == HY_ICD_BLUE ? "Blue" : "Red", sizeof "Red");
        break;
    case HY_ICD_VERSION: *w->at++ = '1'; break;
    case HY_ICD_SWEEP:
    case HY_ICD_TRIPLES: put_gap(w, field, at); break;
    case HY_ICD_GROUP: put_record(w, field->record, from); break;
    case HY_ICD_RECORDS: put_records(w, field, from); break;
    }
}

static void put_record(writer *w, const hy_icd_record *record, const char *from)
{
    char before = '{';
    for (size_t i = 0; i < record->count; i++) {
        const hy_icd_field *const field = &record->fields[i];
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

void hy_icd_put_state(hy_icd_state *state, const hy_icd_record *record, const void *from,
                      unsigned when)
{
    writer w = { state->text, state, when };
    state->gap_count = 0;
    put_record(&w, record, from);
    state->size = (size_t)(w.at - state->text);
    assert(state->size <= sizeof state->text); // every list and text is limited, so every message is
}
