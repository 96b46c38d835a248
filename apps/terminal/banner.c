#include "banner.h"

#include <string.h>

#define GLYPH_ROWS 5

// Five rows of pixels; two of them make one row of half blocks.
static const struct {
    char letter;
    unsigned width;
    const char *rows[GLYPH_ROWS];
} glyphs[] = {
    // clang-format off
    { 'A', 4, { " ## ",
                "#  #",
                "####",
                "#  #",
                "#  #" } },
    { 'B', 4, { "### ",
                "#  #",
                "### ",
                "#  #",
                "### " } },
    { 'D', 4, { "### ",
                "#  #",
                "#  #",
                "#  #",
                "### " } },
    { 'E', 3, { "###",
                "#  ",
                "## ",
                "#  ",
                "###" } },
    { 'I', 1, { "#",
                "#",
                "#",
                "#",
                "#" } },
    { 'L', 3, { "#  ",
                "#  ",
                "#  ",
                "#  ",
                "###" } },
    { 'N', 4, { "#  #",
                "## #",
                "# ##",
                "#  #",
                "#  #" } },
    { 'O', 4, { " ## ",
                "#  #",
                "#  #",
                "#  #",
                " ## " } },
    { 'P', 4, { "### ",
                "#  #",
                "### ",
                "#   ",
                "#   " } },
    { 'S', 4, { " ###",
                "#   ",
                " ## ",
                "   #",
                "### " } },
    { 'T', 3, { "###",
                " # ",
                " # ",
                " # ",
                " # " } },
    { 'Y', 3, { "# #",
                "# #",
                " # ",
                " # ",
                " # " } },
    { '-', 2, { "  ",
                "  ",
                "##",
                "  ",
                "  " } },
    // clang-format on
};
enum { GLYPHS = sizeof glyphs / sizeof glyphs[0] };

static size_t glyph_of(char letter)
{
    for (size_t i = 0; i < GLYPHS; i++) {
        if (glyphs[i].letter == letter) {
            return i;
        }
    }
    return GLYPHS;
}

static unsigned width_of(const char *word)
{
    unsigned width = 0;
    for (; *word != '\0'; word++) {
        const size_t glyph = glyph_of(*word);
        width += glyph < GLYPHS ? glyphs[glyph].width + 1 : 0;
    }
    return width > 0 ? width - 1 : 0;
}

static bool is_set(size_t glyph, unsigned row, unsigned column)
{
    return row < GLYPH_ROWS && glyphs[glyph].rows[row][column] == '#';
}

static void draw_glyph(screen *out, unsigned column, unsigned row, screen_look look, size_t glyph)
{
    for (unsigned y = 0; y < BANNER_ROWS; y++) {
        for (unsigned x = 0; x < glyphs[glyph].width; x++) {
            const bool top = is_set(glyph, 2 * y, x), bottom = is_set(glyph, 2 * y + 1, x);
            const uint32_t rune = top ? (bottom ? 0x2588 : 0x2580) : bottom ? 0x2584 : ' ';
            screen_put(out, column + x, row + y, look, rune);
        }
    }
}

void banner_draw(screen *out, const screen_area *area, screen_look look, const char *word)
{
    for (unsigned y = 0; y < area->rows; y++) {
        for (unsigned x = 0; x < area->columns; x++) {
            screen_put(out, area->column + x, area->row + y, look, ' ');
        }
    }
    const unsigned length = out->ascii ? (unsigned)strlen(word) : width_of(word);
    unsigned x = area->column + (area->columns > length ? (area->columns - length) / 2 : 0);
    if (out->ascii) { // half blocks have no counterpart there
        screen_print(out, x, area->row + BANNER_ROWS / 2, look, "%s", word);
        return;
    }
    for (; *word != '\0'; word++) {
        const size_t glyph = glyph_of(*word);
        if (glyph < GLYPHS) {
            draw_glyph(out, x, area->row, look, glyph);
            x += glyphs[glyph].width + 1;
        }
    }
}
