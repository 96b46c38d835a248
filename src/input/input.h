/// @file input.h
/// The bytes of a terminal as key events, and the terminal itself, which is given back as it was on
/// every way out of the program.
///
/// The parser is pure: bytes and time come in as arguments. There is one terminal a process.
///
///     static hy_key_parser parser; // all zero: the start
///     static hy_key_stick stick;
///
///     static hy_stick feed(uint8_t byte, int64_t now_us)
///     {
///         hy_key_event events[HY_KEY_EVENTS_MAX];
///         const unsigned count = hy_key_parse(&parser, byte, now_us, events);
///         for (unsigned i = 0; i < count; i++) { hy_key_stick_feed(&stick, &events[i], now_us); }
///         return hy_key_stick_read(&stick, now_us);
///     }
#ifndef HALYARD_INPUT_H
#define HALYARD_INPUT_H

#include <halyard/controls.h>

#include "system/system_terminal.h"

// --------------------------------------------------------------------------- bytes to key events

#define HY_KEY_EVENTS_MAX 2 ///< Most events that one byte can complete.
/// An escape byte with nothing behind it for so long is the Escape key.
#define HY_KEY_ESCAPE_US 25000
/// A paste whose end got lost is over after so long without a byte.
#define HY_KEY_PASTE_SILENCE_US 500000
#define HY_KEY_PARAMETERS       4
#define HY_KEY_SUBPARAMETERS    4

/// Understands plain keys (UTF-8), control and escape sequences (ECMA-48, xterm), the kitty
/// keyboard protocol, focus reports and bracketed paste, which it swallows. Everything private;
/// zero-initialised is the start.
typedef struct {
    int64_t byte_us; // when the last byte came
    uint32_t rune, rune_left, rune_least;
    uint32_t parameter[HY_KEY_PARAMETERS][HY_KEY_SUBPARAMETERS];
    uint32_t parameters, subparameters; // complete ones before the present
    uint8_t state, prefix, length, paste_matched;
} hy_key_parser;

/// Takes one byte that came at `now_us`; returns how many events it completed,
/// 0..HY_KEY_EVENTS_MAX. O(1). Bytes that make no sense complete none; the parser finds back by
/// itself.
unsigned hy_key_parse(hy_key_parser *self, uint8_t byte, int64_t now_us,
                      hy_key_event out[HY_KEY_EVENTS_MAX]);

/// When hy_key_parse_pause() will have something to say; INT64_MAX if no sequence is under way.
int64_t hy_key_parse_due_us(const hy_key_parser *self);

/// Nothing came until `now_us`: a sequence that has not gone on was the Escape key. Returns whether
/// `out` was set.
bool hy_key_parse_pause(hy_key_parser *self, int64_t now_us, hy_key_event *out);

// --------------------------------------------------------------------------- the terminal

/// Takes one key event of hy_terminal_read_keys().
typedef void hy_key_taker(void *context, const hy_key_event *event, int64_t now_us);

/// Reads what was typed, without waiting, and gives `take` every event that it makes, in order; a
/// lone Esc comes with the first call that finds nothing behind it for long enough
/// (hy_key_parse_pause()). False: the terminal is gone.
bool hy_terminal_read_keys(hy_key_parser *parser, int64_t now_us, hy_key_taker *take, void *context);

#endif
