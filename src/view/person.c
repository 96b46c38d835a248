#include "person.h"

#include <halyard/text.h>

#include <string.h>

/// The character of a sequence that hy_utf8_size() measured.
static uint32_t code_point(const uint8_t *at, size_t size)
{
    uint32_t value = size == 1 ? at[0] : at[0] & (0x7FU >> size);
    for (size_t i = 1; i < size; i++) {
        value = value << 6 | (at[i] & 0x3FU);
    }
    return value;
}

static bool is_refused(uint32_t character)
{
    static const struct {
        uint32_t first, last;
    } refused[] = {
        { 0x00, 0x1F },       // control
        { 0x7F, 0x9F },       // control
        { 0xAD, 0xAD },       // soft hyphen
        { 0x061C, 0x061C },   // Arabic letter mark
        { 0x180E, 0x180E },   // Mongolian vowel separator
        { 0x200B, 0x200F },   // zero-width, left-to-right and right-to-left marks
        { 0x2028, 0x202E },   // separators, embeddings, overrides
        { 0x2060, 0x206F },   // word joiner, isolates, deprecated marks
        { 0xFE00, 0xFE0F },   // variation selectors
        { 0xFEFF, 0xFEFF },   // byte order mark
        { 0xFFF0, 0xFFFF },   // specials
        { 0xE0000, 0xE0FFF }, // tags, more variation selectors
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        if (character >= refused[i].first && character <= refused[i].last) {
            return true;
        }
    }
    return false;
}

bool view_name_take(char out[VIEW_NAME_SIZE], hy_bytes said)
{
    uint8_t name[VIEW_NAME_SIZE] = { 0 };
    if (said.size >= sizeof name) {
        return false;
    }
    if (said.size > 0) {
        memcpy(name, said.data, said.size);
    }
    size_t characters = 0, size;
    for (size_t at = 0; at < said.size; at += size, characters++) {
        size = hy_utf8_size(name + at);
        if (size == 0 || is_refused(code_point(name + at, size))) {
            return false;
        }
    }
    if (characters > VIEW_NAME_CHARACTERS) {
        return false;
    }
    memcpy(out, name, sizeof name);
    return true;
}
