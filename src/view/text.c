#include "text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_MOST 1e9
#define DIGITS_MAX  24

view_text view_text_in(hy_room room)
{
    return (view_text){ .bytes = room.data, .room = room.size };
}

static void put(view_text *self, const void *bytes, size_t size)
{
    if (size > self->room - self->size) {
        self->is_full = true;
        return;
    }
    memcpy(self->bytes + self->size, bytes, size);
    self->size += size;
}

void view_put(view_text *self, const char *json)
{
    put(self, json, strlen(json));
}

// --------------------------------------------------------------------------- strings

/// Bytes of the UTF-8 sequence at `at`, which ends with a NUL; 0 if it is none (RFC 3629).
static size_t sequence_size(const uint8_t *at)
{
    if (at[0] < 0x80) {
        return 1;
    }
    const size_t size = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
    const uint8_t lowest = at[0] == 0xe0   ? 0xa0
                           : at[0] == 0xf0 ? 0x90
                                           : 0x80; // else longer than needed
    const uint8_t highest = at[0] == 0xed   ? 0x9f
                            : at[0] == 0xf4 ? 0x8f
                                            : 0xbf; // surrogates, beyond Unicode
    if (at[0] < 0xc2 || at[0] > 0xf4 || at[1] < lowest || at[1] > highest) {
        return 0;
    }
    for (size_t i = 2; i < size; i++) {
        if (at[i] < 0x80 || at[i] > 0xbf) {
            return 0;
        }
    }
    return size;
}

void view_put_string(view_text *self, const char *text)
{
    view_put(self, "\"");
    for (const uint8_t *at = (const uint8_t *)text; *at != '\0';) {
        const size_t size = sequence_size(at);
        char escaped[8];
        if (size == 0) {
            view_put(self, "?");
        } else if (*at < 0x20 || *at == '"' || *at == '\\') {
            snprintf(escaped, sizeof escaped, "\\u%04x", *at);
            view_put(self, escaped);
        } else {
            put(self, at, size);
        }
        at += size == 0 ? 1 : size;
    }
    view_put(self, "\"");
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

void view_put_number(view_text *self, double value, int decimals)
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
    put(self, at, (size_t)(digits + sizeof digits - at));
}

void view_put_flag(view_text *self, bool value)
{
    view_put(self, value ? "true" : "false");
}

// --------------------------------------------------------------------------- structure

void view_put_comma(view_text *self, size_t index)
{
    if (index > 0) {
        put(self, ",", 1);
    }
}

void view_put_key(view_text *self, const char *key)
{
    const bool is_first = self->size > 0 && self->bytes[self->size - 1] == '{';
    view_put(self, is_first ? "\"" : ",\"");
    view_put(self, key);
    view_put(self, "\":");
}

void view_put_list(view_text *self, const double *values, size_t count, int decimals)
{
    view_put(self, "[");
    for (size_t i = 0; i < count; i++) {
        view_put_comma(self, i);
        view_put_number(self, values[i], decimals);
    }
    put(self, "]", 1);
}
