#include "utf8.h"

#include "text.h"

// Table 3-7 of the Unicode Standard: the second byte excludes longer forms than needed, surrogates and what is beyond U+10FFFF.
size_t hy_utf8_sequence(const uint8_t *at, size_t left)
{
    static const struct {
        uint8_t first, last, second_low, second_high, size;
    } kinds[] = {
        { 0xC2, 0xDF, 0x80, 0xBF, 2 }, { 0xE0, 0xE0, 0xA0, 0xBF, 3 }, { 0xE1, 0xEC, 0x80, 0xBF, 3 },
        { 0xED, 0xED, 0x80, 0x9F, 3 }, { 0xEE, 0xEF, 0x80, 0xBF, 3 }, { 0xF0, 0xF0, 0x90, 0xBF, 4 },
        { 0xF1, 0xF3, 0x80, 0xBF, 4 }, { 0xF4, 0xF4, 0x80, 0x8F, 4 },
    };
    size_t k = 0;
    while (k < sizeof kinds / sizeof kinds[0] && (*at < kinds[k].first || *at > kinds[k].last)) {
        k++;
    }
    if (k == sizeof kinds / sizeof kinds[0] || left < kinds[k].size) {
        return 0;
    }
    for (size_t i = 1; i < kinds[k].size; i++) {
        const uint8_t low = i == 1 ? kinds[k].second_low : 0x80;
        const uint8_t high = i == 1 ? kinds[k].second_high : 0xBF;
        if (at[i] < low || at[i] > high) { // also a NUL: nothing behind it is read
            return 0;
        }
    }
    return kinds[k].size;
}

size_t hy_utf8_size(const uint8_t *text)
{
    return *text < 0x80 ? *text != 0
                        : hy_utf8_sequence(text, SIZE_MAX); // nearly every one is the first
}

bool hy_utf8_is_valid(hy_bytes text)
{
    for (size_t at = 0; at < text.size;) {
        const size_t size =
            text.data[at] < 0x80 ? 1 : hy_utf8_sequence(text.data + at, text.size - at);
        if (size == 0) {
            return false;
        }
        at += size;
    }
    return true;
}
