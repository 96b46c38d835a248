#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

#define NUMBER_MOST 1e9
#define DIGITS_MAX  24

hy_text hy_text_in(hy_room room)
{
    return (hy_text){ .bytes = room.data, .room = room.size };
}

static void put_bytes(hy_text *self, const void *bytes, size_t size)
{
    if (size > self->room - self->size) {
        self->is_full = true;
        return;
    }
    memcpy(self->bytes + self->size, bytes, size);
    self->size += size;
}

void hy_text_put(hy_text *self, const char *json)
{
    put_bytes(self, json, strlen(json));
}

// --------------------------------------------------------------------------- strings

void hy_text_put_string(hy_text *self, const char *text)
{
    hy_text_put(self, "\"");
    for (const uint8_t *at = (const uint8_t *)text; *at != '\0';) {
        const size_t size = hy_utf8_size(at);
        char escaped[8];
        if (size == 0) {
            hy_text_put(self, "?");
        } else if (*at < 0x20 || *at == '"' || *at == '\\') {
            snprintf(escaped, sizeof escaped, "\\u%04x", *at);
            hy_text_put(self, escaped);
        } else {
            put_bytes(self, at, size);
        }
        at += size == 0 ? 1 : size;
    }
    hy_text_put(self, "\"");
}

// --------------------------------------------------------------------------- numbers

/// Writes the digits of `value` so that they end before `end`, with a point before the last `behind`; returns where they begin.
static char *write_digits(char *end, uint64_t value, int behind)
{
    char *at = end;
    for (; value > UINT32_MAX; value /= 10, behind--) {
        *--at = (char)('0' + value % 10);
        if (behind == 1) {
            *--at = '.';
        }
    }
    uint32_t rest = (uint32_t)value; // nearly always all of it, and divided in half the time
    for (; behind > 0; rest /= 10, behind--) {
        *--at = (char)('0' + rest % 10);
        if (behind == 1) {
            *--at = '.';
        }
    }
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    return at;
}

void hy_text_put_number(hy_text *self, double value, int decimals)
{
    static const double scales[] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };
    assert(decimals >= 0 && decimals <= 6);
    const double scaled = hy_clamp(value, -NUMBER_MOST, NUMBER_MOST, 0.0) * scales[decimals];
    uint64_t whole = (uint64_t)(scaled < 0 ? 0.5 - scaled : scaled + 0.5);
    for (; decimals > 0 && whole % 10 == 0; decimals--) { // "1.5", not "1.5000"
        whole /= 10;
    }
    char digits[DIGITS_MAX];
    char *at = write_digits(digits + sizeof digits, whole, decimals);
    if (scaled < 0 && whole > 0) {
        *--at = '-';
    }
    put_bytes(self, at, (size_t)(digits + sizeof digits - at));
}

void hy_text_put_flag(hy_text *self, bool value)
{
    hy_text_put(self, value ? "true" : "false");
}

// --------------------------------------------------------------------------- structure

void hy_text_put_comma(hy_text *self, size_t index)
{
    if (index > 0) {
        put_bytes(self, ",", 1);
    }
}

void hy_text_put_key(hy_text *self, const char *key)
{
    const bool is_first = self->size > 0 && self->bytes[self->size - 1] == '{';
    hy_text_put(self, is_first ? "\"" : ",\"");
    hy_text_put(self, key);
    hy_text_put(self, "\":");
}

void hy_text_put_list(hy_text *self, const double *values, size_t count, int decimals)
{
    hy_text_put(self, "[");
    for (size_t i = 0; i < count; i++) {
        hy_text_put_comma(self, i);
        hy_text_put_number(self, values[i], decimals);
    }
    put_bytes(self, "]", 1);
}
