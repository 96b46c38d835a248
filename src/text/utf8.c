#include <halyard/text.h>

size_t hy_utf8_size(const uint8_t *text)
{
    static const struct {
        uint8_t first, last, second_low, second_high, size;
    } kinds[] = {
        { 0xC2, 0xDF, 0x80, 0xBF, 2 }, { 0xE0, 0xE0, 0xA0, 0xBF, 3 }, { 0xE1, 0xEC, 0x80, 0xBF, 3 },
        { 0xED, 0xED, 0x80, 0x9F, 3 }, { 0xEE, 0xEF, 0x80, 0xBF, 3 }, { 0xF0, 0xF0, 0x90, 0xBF, 4 },
        { 0xF1, 0xF3, 0x80, 0xBF, 4 }, { 0xF4, 0xF4, 0x80, 0x8F, 4 },
    };
    if (*text < 0x80) { // nearly every one
        return *text != 0;
    }
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
