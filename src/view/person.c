#include "person.h"

#include <string.h>

#include "text/text.h"

/// The character of a sequence that hy_utf8_size() measured.
static uint32_t code_point(const uint8_t *at, size_t size)
{
    uint32_t value = size == 1 ? at[0] : at[0] & (0x7FU >> size);
    for (size_t i = 1; i < size; i++) {
        value = value << 6 | (at[i] & 0x3FU);
    }
    return value;
}

typedef struct {
    uint32_t first, last;
} range;

static const range refused[] = {
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

// What shows nothing by itself, of Unicode 17's data: White_Space, Default_Ignorable_Code_Point, blank signs (braille, musical,
// hieroglyphs, Khitan), private use, and the combining marks that belong to no script. A name needs one character that is none of these.
static const range blank[] = {
    { 0x20, 0x20 },       { 0xA0, 0xA0 },       { 0x0300, 0x036F },   { 0x0483, 0x0489 },
    { 0x115F, 0x1160 },   { 0x1680, 0x1680 },   { 0x17B4, 0x17B5 },   { 0x180B, 0x180F },
    { 0x1AB0, 0x1AFF },   { 0x1DC0, 0x1DFF },   { 0x2000, 0x200A },   { 0x202F, 0x202F },
    { 0x205F, 0x205F },   { 0x20D0, 0x20FF },   { 0x2800, 0x2800 },   { 0x3000, 0x3000 },
    { 0x302A, 0x302F },   { 0x3099, 0x309A },   { 0x3164, 0x3164 },   { 0xE000, 0xF8FF },
    { 0xFE20, 0xFE2F },   { 0xFFA0, 0xFFA0 },   { 0x13441, 0x13442 }, { 0x16FE4, 0x16FE4 },
    { 0x1BCA0, 0x1BCA3 }, { 0x1D159, 0x1D159 }, { 0x1D173, 0x1D17A }, { 0xF0000, 0x10FFFF },
};

static bool is_among(uint32_t character, const range *ranges, size_t count)
{
    while (count > 0 && (character < ranges->first || character > ranges->last)) {
        ranges++;
        count--;
    }
    return count > 0;
}

#define IS_AMONG(character, ranges) is_among(character, ranges, sizeof(ranges) / sizeof(ranges)[0])

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
    bool shows = said.size == 0;
    for (size_t at = 0; at < said.size; at += size, characters++) {
        size = hy_utf8_size(name + at);
        const uint32_t character = size > 0 ? code_point(name + at, size) : 0;
        if (IS_AMONG(character, refused)) { // among them 0, where it is not UTF-8
            return false;
        }
        shows = shows || !IS_AMONG(character, blank);
    }
    if (characters > VIEW_NAME_CHARACTERS || !shows) {
        return false;
    }
    memcpy(out, name, sizeof name);
    return true;
}
