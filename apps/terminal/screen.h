/// @file screen.h
/// A terminal's screen as a grid of cells: draw a whole frame, and only what changed is sent, in one write.
#ifndef HALYARD_APPS_SCREEN_H
#define HALYARD_APPS_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCREEN_COLUMNS_MAX 240
#define SCREEN_ROWS_MAX    80

/// What a cell looks like; the colours are the terminal's own, so that they fit its background.
typedef enum {
    LOOK_PLAIN,
    LOOK_STRONG,
    LOOK_DIM,
    LOOK_TITLE,
    LOOK_GOOD,
    LOOK_WARN,
    LOOK_BAD,
    LOOK_ENABLED,  ///< The banner: dark on green.
    LOOK_DISABLED, ///< The banner: white on red.
    LOOK_BAR,
    LOOK_WALL,
    LOOK_TRACK,
    LOOK_ECHO,
    LOOK_ROBOT,
    LOOKS
} screen_look;

/// A rectangle of cells.
typedef struct {
    unsigned column, row, columns, rows;
} screen_area;

typedef struct {
    uint32_t rune;
    uint8_t look;
} screen_cell;

/// Over 600 kB: make it static. Zero-initialised is ready for screen_begin().
typedef struct {
    unsigned columns, rows; ///< Of the frame under way; at most the maxima above.
    bool ascii; ///< The terminal's character set is not UTF-8: set it before the first frame.
    // Private.
    bool is_known; // `shown` is what the terminal shows
    screen_cell cells[SCREEN_ROWS_MAX][SCREEN_COLUMNS_MAX];
    screen_cell shown[SCREEN_ROWS_MAX][SCREEN_COLUMNS_MAX];
    char bytes[SCREEN_ROWS_MAX * SCREEN_COLUMNS_MAX * 16 + 4096]; // a whole frame, every cell of another look
    size_t size;
} screen;

/// Starts an empty frame of the given size; another size than before redraws everything.
void screen_begin(screen *self, unsigned columns, unsigned rows);

/// Forgets what the terminal shows: the next frame is sent whole.
void screen_forget(screen *self);

/// Puts one character. Outside of the frame nothing happens.
void screen_put(screen *self, unsigned column, unsigned row, screen_look look, uint32_t rune);

/// Prints UTF-8 text from a place on, cut off at the right edge; returns the column behind it.
__attribute__((format(printf, 5, 6))) unsigned screen_print(screen *self, unsigned column,
                                                            unsigned row, screen_look look,
                                                            const char *format, ...);

/// The bytes that turn what is shown into this frame; valid until the next call. The caller writes them all, or
/// calls screen_forget().
const char *screen_end(screen *self, size_t *size);

#endif
