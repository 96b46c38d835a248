/// @file input.h
/// A person's hands: the bytes of a terminal as key events, keys as one stick, and the terminal
/// itself, which is given back as it was on every way out of the program.
///
/// No allocation. The parser and the stick are pure: bytes, events and time come in as arguments,
/// and any number of them may live side by side. There is one terminal a process.
#ifndef HALYARD_INPUT_H
#define HALYARD_INPUT_H

#include <halyard/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// --------------------------------------------------------------------------- keys

/// A key is the Unicode code point that it types without modifiers ('w', ' '), or one of these.
enum {
    HY_KEY_TAB = 9,
    HY_KEY_ENTER = 13,
    HY_KEY_ESCAPE = 27,
    HY_KEY_BACKSPACE = 127,
    HY_KEY_UP = 0x110000, ///< Above every code point: keys that type nothing.
    HY_KEY_DOWN,
    HY_KEY_LEFT,
    HY_KEY_RIGHT,
    HY_KEY_HOME,
    HY_KEY_END,
    HY_KEY_OTHER, ///< Any other key that types nothing.
};

/// Bits of `modifiers`.
enum {
    HY_MODIFIER_SHIFT = 1,
    HY_MODIFIER_ALT = 2,
    HY_MODIFIER_CTRL = 4,
};

typedef enum {
    HY_KEY_PRESS,
    HY_KEY_REPEAT,  ///< Held down; terminals without key releases report a press instead.
    HY_KEY_RELEASE, ///< Only from terminals that speak the kitty keyboard protocol.
    HY_FOCUS_IN,    ///< The terminal's window is in front again.
    HY_FOCUS_OUT,
    HY_KEYBOARD_REPORT, ///< The terminal's answer to the question whether it reports releases: `releases`.
} hy_key_what;

typedef struct {
    hy_key_what what;
    uint32_t key;      ///< Press, repeat, release: lower case, whatever Shift and Caps Lock say.
    uint8_t modifiers; ///< Press, repeat, release.
    bool releases;     ///< HY_KEYBOARD_REPORT only.
} hy_key_event;

// --------------------------------------------------------------------------- bytes to key events

#define HY_KEY_EVENTS_MAX 2 ///< Most events that one byte can complete.
#define HY_KEY_ESCAPE_US \
    25000 ///< An escape byte with nothing behind it for so long is the Escape key.
#define HY_KEY_PASTE_SILENCE_US \
    500000 ///< A paste whose end got lost is over after so long without a byte.
#define HY_KEY_PARAMETERS    4
#define HY_KEY_SUBPARAMETERS 4

/// Understands plain keys (UTF-8), control and escape sequences (ECMA-48, xterm), the kitty keyboard
/// protocol, focus reports and bracketed paste, which it swallows. Everything private;
/// zero-initialised is the start.
typedef struct {
    int64_t byte_us; // when the last byte came
    uint32_t rune, rune_left, rune_least;
    uint32_t parameter[HY_KEY_PARAMETERS][HY_KEY_SUBPARAMETERS];
    uint32_t parameters, subparameters; // complete ones before the present
    uint8_t state, prefix, length, paste_matched;
} hy_key_parser;

/// Takes one byte that came at `now_us`; returns how many events it completed, 0..HY_KEY_EVENTS_MAX. O(1).
/// Bytes that make no sense complete none; the parser finds back by itself.
unsigned hy_key_parse(hy_key_parser *self, uint8_t byte, int64_t now_us,
                      hy_key_event out[HY_KEY_EVENTS_MAX]);

/// When hy_key_parse_pause() will have something to say; INT64_MAX if no sequence is under way.
int64_t hy_key_parse_due_us(const hy_key_parser *self);

/// Nothing came until `now_us`: a sequence that has not gone on was the Escape key. Returns whether `out` was set.
bool hy_key_parse_pause(hy_key_parser *self, int64_t now_us, hy_key_event *out);

// --------------------------------------------------------------------------- keys to a stick

#define HY_STICK_STEP 0.25 ///< What one press adds where the terminal reports no releases.
#define HY_STICK_RETURN_US \
    600000 ///< ... and after so long without a key the stick is back in the middle.

/// W A S D and the arrow keys as one stick. With releases a key counts as long as it is held; without,
/// every press moves a set-point by a step, and a press against it brings it to the middle first.
/// Zero-initialised is a stick in the middle on a terminal without releases.
typedef struct {
    bool releases; ///< Set by HY_KEYBOARD_REPORT.
    // Private.
    uint8_t held;
    double speed, turn;
    int64_t key_us;
} hy_key_stick;

/// What the stick says, both [-1, +1]: `speed` forward, `turn` counter-clockwise, to the left.
typedef struct {
    double speed, turn;
} hy_stick;

/// Feeds an event; returns whether it was the stick's. Losing the focus brings the stick to the middle.
bool hy_key_stick_feed(hy_key_stick *self, const hy_key_event *event, int64_t now_us);

/// Lets go of everything.
void hy_key_stick_centre(hy_key_stick *self);

/// Where the stick is at `now_us`.
hy_stick hy_key_stick_read(const hy_key_stick *self, int64_t now_us);

// --------------------------------------------------------------------------- the terminal

/// True if both ends are a terminal that a person can sit at.
bool hy_terminal_is_there(int input, int output);

/// Opens the terminal behind `output` once more, for writing without ever waiting: a description of its own, so that the
/// shell's stays as it is. The caller closes it. -1 if it is no terminal, or cannot be opened.
int hy_terminal_reopen(int output);

/// Takes over the terminal: keys come at once and unechoed, the picture moves to the alternate screen,
/// focus and key releases are reported where it can. Ctrl-C and Ctrl-Z stay signals where the terminal
/// sends them as bytes; with key releases they are key events. It is given back by
/// hy_terminal_close(), at exit(), and as well as a signal handler can when the program crashes.
/// HY_AGAIN while the program is a background job of its shell, HY_ESYSTEM if it is no terminal or takes nothing;
/// HY_EINUSE if it is already open. Nothing here waits for the terminal, not even for one that is stalled.
hy_status hy_terminal_open(int input, int output);

/// Gives it back; harmless when it is not open. Pictures that a stalled terminal has not shown yet are dropped.
void hy_terminal_close(void);

/// The columns and rows; 80 x 24 where the terminal does not say.
void hy_terminal_size(unsigned *columns, unsigned *rows);

/// Reads up to `size` bytes that wait, without waiting. 0: none; -1: the terminal is gone.
int hy_terminal_read(uint8_t *bytes, size_t size);

/// Writes as much as the terminal takes now; returns how many bytes that were.
size_t hy_terminal_write(const char *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
