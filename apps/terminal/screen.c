#include "screen.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Select Graphic Rendition parameters (ECMA-48 8.3.117); each starts from nothing.
static const char *const renditions[LOOKS] = {
    [LOOK_PLAIN] = "0",      [LOOK_STRONG] = "0;1",        [LOOK_DIM] = "0;90",
    [LOOK_TITLE] = "0;1;36", [LOOK_GOOD] = "0;1;32",       [LOOK_WARN] = "0;1;33",
    [LOOK_BAD] = "0;1;31",   [LOOK_ENABLED] = "0;1;30;42", [LOOK_DISABLED] = "0;1;97;41",
    [LOOK_BAR] = "0;36",     [LOOK_WALL] = "0;37",         [LOOK_TRACK] = "0;34",
    [LOOK_ECHO] = "0;33",    [LOOK_ROBOT] = "0;1;32",
};

static const struct {
    uint32_t first, last;
    char ascii;
} substitutes[] = {
    { 0x2500, 0x2501, '-' }, { 0x2502, 0x2503, '|' },  { 0x250c, 0x254b, '+' }, // lines and corners
    { 0x2580, 0x2590, '#' }, { 0x2591, 0x2593, '.' },  { 0x2594, 0x2595, '|' }, // blocks and shades
    { 0x2801, 0x28ff, '.' }, { 0x2190, 0x2190, '<' },  { 0x2191, 0x2191, '^' }, // dots, arrows
    { 0x2192, 0x2192, '>' }, { 0x2193, 0x2193, 'v' },  { 0x2196, 0x2196, '\\' },
    { 0x2197, 0x2197, '/' }, { 0x2198, 0x2198, '\\' }, { 0x2199, 0x2199, '/' },
    { 0x25cf, 0x25cf, '*' }, { 0x25cb, 0x25cb, 'o' },  { 0x00b7, 0x00b7, '.' },
    { 0x2212, 0x2212, '-' }, { 0x25b2, 0x25b2, '^' },  { 0x00b0, 0x00b0, ' ' },
};

static uint32_t in_ascii(uint32_t rune)
{
    if (rune < 0x80) {
        return rune;
    }
    for (size_t i = 0; i < sizeof substitutes / sizeof substitutes[0]; i++) {
        if (rune >= substitutes[i].first && rune <= substitutes[i].last) {
            return (uint32_t)substitutes[i].ascii;
        }
    }
    return rune == 0x2800 ? ' ' : '?';
}

void screen_begin(screen *self, unsigned columns, unsigned rows)
{
    columns = columns < SCREEN_COLUMNS_MAX ? columns : SCREEN_COLUMNS_MAX;
    rows = rows < SCREEN_ROWS_MAX ? rows : SCREEN_ROWS_MAX;
    if (columns != self->columns || rows != self->rows) {
        self->columns = columns;
        self->rows = rows;
        self->is_known = false;
    }
    for (unsigned row = 0; row < rows; row++) {
        for (unsigned column = 0; column < columns; column++) {
            self->cells[row][column] = (screen_cell){ ' ', LOOK_PLAIN };
        }
    }
}

void screen_forget(screen *self)
{
    self->is_known = false;
}

void screen_put(screen *self, unsigned column, unsigned row, screen_look look, uint32_t rune)
{
    if (column < self->columns && row < self->rows) {
        self->cells[row][column] =
            (screen_cell){ self->ascii ? in_ascii(rune) : rune, (uint8_t)look };
    }
}

// The next character of a text that is ours, hence well-formed UTF-8; a cut one shows as '?'.
static uint32_t next_rune(const char **text)
{
    const unsigned char *p = (const unsigned char *)*text;
    const unsigned length = p[0] < 0x80 ? 1 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    uint32_t rune = length == 1 ? p[0] : p[0] & (0xffu >> (length + 1));
    for (unsigned i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            *text += i;
            return '?';
        }
        rune = rune << 6 | (p[i] & 0x3fu);
    }
    *text += length;
    return rune >= ' ' && (rune < 0x7f || rune >= 0xa0) ? rune : '?';
}

unsigned screen_print(screen *self, unsigned column, unsigned row, screen_look look,
                      const char *format, ...)
{
    char text[4 * SCREEN_COLUMNS_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *p = text; *p != '\0'; column++) {
        screen_put(self, column, row, look, next_rune(&p));
    }
    return column;
}

// --------------------------------------------------------------------------- what changed

static void send_text(screen *self, const char *text)
{
    const size_t length = strlen(text);
    if (length <= sizeof self->bytes - self->size) {
        memcpy(self->bytes + self->size, text, length);
        self->size += length;
    } else {
        self->is_known = false; // more scattered than any frame of ours: the next one is sent whole
    }
}

static void send_rune(screen *self, uint32_t rune)
{
    char text[5] = { 0 };
    if (rune < 0x80) {
        text[0] = (char)rune;
    } else if (rune < 0x800) {
        text[0] = (char)(0xc0 | rune >> 6);
        text[1] = (char)(0x80 | (rune & 0x3f));
    } else if (rune < 0x10000) {
        text[0] = (char)(0xe0 | rune >> 12);
        text[1] = (char)(0x80 | (rune >> 6 & 0x3f));
        text[2] = (char)(0x80 | (rune & 0x3f));
    } else {
        text[0] = (char)(0xf0 | rune >> 18);
        text[1] = (char)(0x80 | (rune >> 12 & 0x3f));
        text[2] = (char)(0x80 | (rune >> 6 & 0x3f));
        text[3] = (char)(0x80 | (rune & 0x3f));
    }
    send_text(self, text);
}

static void send_look(screen *self, unsigned look)
{
    char text[32];
    snprintf(text, sizeof text, "\033[%sm", renditions[look]);
    send_text(self, text);
}

static void send_row(screen *self, unsigned row, unsigned *look)
{
    bool is_there = false; // the cursor stands at the cell
    for (unsigned column = 0; column < self->columns; column++) {
        const screen_cell cell = self->cells[row][column];
        screen_cell *const shown = &self->shown[row][column];
        if (cell.rune == shown->rune && cell.look == shown->look) {
            is_there = false;
            continue;
        }
        if (!is_there) {
            char place[32];
            snprintf(place, sizeof place, "\033[%u;%uH", row + 1, column + 1);
            send_text(self, place);
        }
        if (cell.look != *look) {
            *look = cell.look;
            send_look(self, cell.look);
        }
        send_rune(self, cell.rune);
        *shown = cell;
        is_there = true;
    }
}

const char *screen_end(screen *self, size_t *size)
{
    self->size = 0;
    if (!self->is_known) {
        send_text(self, "\033[0m\033[2J");
        for (unsigned row = 0; row < self->rows; row++) {
            for (unsigned column = 0; column < self->columns; column++) {
                self->shown[row][column] = (screen_cell){ ' ', LOOK_PLAIN };
            }
        }
        self->is_known = true;
    }
    unsigned look = LOOKS; // what the terminal has now is not relied on
    for (unsigned row = 0; row < self->rows; row++) {
        send_row(self, row, &look);
    }
    *size = self->size;
    return self->bytes;
}
