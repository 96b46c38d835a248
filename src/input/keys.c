// Bytes of a terminal to key events: a state machine that takes a byte at a time and always knows
// where it is, because the bytes come from a keyboard, a network and a paste buffer.

#include <string.h>

#include "input.h"

enum {
    GROUND,
    RUNE,         // inside a UTF-8 sequence
    ESCAPE,       // behind ESC: a key of its own, or the start of a sequence
    SINGLE_SHIFT, // behind ESC O: one byte names a key
    CONTROL,      // behind ESC [: parameters, then one byte that names the sequence
    PASTE,        // between the brackets of a paste
};

enum {
    CONTROL_LENGTH_MAX = 48, // no sequence of a keyboard is longer
    PARAMETER_MAX = 0x10ffff,
    KITTY_EVENT_RELEASES = 2, // the bit of the protocol's flags that says that releases are reported
};

static const char paste_end[] = "\033[201~";

static unsigned give_key(hy_key_event *out, hy_key_what what, uint32_t key, uint8_t modifiers)
{
    *out = (hy_key_event){ .what = what, .key = key, .modifiers = modifiers };
    return 1;
}

static unsigned give_letter(hy_key_event *out, hy_key_what what, uint32_t key, uint8_t modifiers)
{
    const bool is_upper = key >= 'A' && key <= 'Z';
    const uint8_t shift = is_upper ? HY_MODIFIER_SHIFT : 0;
    return give_key(out, what, is_upper ? key + ('a' - 'A') : key, modifiers | shift);
}

// --------------------------------------------------------------------------- plain bytes

static unsigned give_control(hy_key_event *out, uint8_t byte)
{
    switch (byte) {
    case '\r':
    case '\n': return give_key(out, HY_KEY_PRESS, HY_KEY_ENTER, 0);
    case '\t': return give_key(out, HY_KEY_PRESS, HY_KEY_TAB, 0);
    case '\b':
    case 0x7f: return give_key(out, HY_KEY_PRESS, HY_KEY_BACKSPACE, 0);
    case 0: return give_key(out, HY_KEY_PRESS, ' ', HY_MODIFIER_CTRL);
    default: break;
    }
    // ECMA-48: a control byte is the letter 64 above it, with Ctrl.
    return give_letter(out, HY_KEY_PRESS, byte + 0x60u, HY_MODIFIER_CTRL);
}

static void begin_rune(hy_key_parser *self, uint8_t byte)
{
    // RFC 3629: the first byte tells how many follow; a stray one is dropped.
    self->rune_left = byte >= 0xf0 && byte < 0xf5 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0;
    if (self->rune_left == 0 || byte >= 0xf5) {
        self->state = GROUND;
        return;
    }
    // The smallest code point that needs so many bytes: a longer way to write another key is none.
    static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
    self->rune_least = least[self->rune_left];
    self->rune = byte & (0x3fu >> self->rune_left);
    self->state = RUNE;
}

static unsigned ground_byte(hy_key_parser *self, uint8_t byte, hy_key_event *out)
{
    self->state = GROUND;
    if (byte == 0x1b) {
        self->state = ESCAPE;
        return 0;
    }
    if (byte < 0x20 || byte == 0x7f) {
        return give_control(out, byte);
    }
    if (byte >= 0x80) {
        begin_rune(self, byte);
        return 0;
    }
    return give_letter(out, HY_KEY_PRESS, byte, 0);
}

static unsigned rune_byte(hy_key_parser *self, uint8_t byte, hy_key_event *out)
{
    if ((byte & 0xc0) != 0x80) { // the sequence was cut: the byte starts something new
        return ground_byte(self, byte, out);
    }
    self->rune = self->rune << 6 | (byte & 0x3fu);
    self->rune_left--;
    if (self->rune_left > 0) {
        return 0;
    }
    self->state = GROUND;
    const bool is_rune = self->rune >= self->rune_least && self->rune <= PARAMETER_MAX;
    return is_rune ? give_key(out, HY_KEY_PRESS, self->rune, 0) : 0;
}

// --------------------------------------------------------------------------- control sequences

static void begin_control(hy_key_parser *self)
{
    memset(self->parameter, 0, sizeof self->parameter);
    self->parameters = self->subparameters = 0;
    self->prefix = self->length = 0;
    self->state = CONTROL;
}

static uint32_t *parameter_now(hy_key_parser *self)
{
    const bool has_room =
        self->parameters < HY_KEY_PARAMETERS && self->subparameters < HY_KEY_SUBPARAMETERS;
    return has_room ? &self->parameter[self->parameters][self->subparameters] : NULL;
}

// xterm and kitty: 1 + a bit for each modifier; bits above Ctrl (Super, Caps Lock ...) are left out.
static uint8_t modifiers_of(uint32_t parameter)
{
    return parameter > 0 ? (uint8_t)((parameter - 1) & 7u) : 0;
}

static hy_key_what what_of(uint32_t parameter)
{
    return parameter == 3 ? HY_KEY_RELEASE : parameter == 2 ? HY_KEY_REPEAT : HY_KEY_PRESS;
}

static uint32_t letter_key(uint8_t final)
{
    switch (final) {
    case 'A': return HY_KEY_UP;
    case 'B': return HY_KEY_DOWN;
    case 'C': return HY_KEY_RIGHT;
    case 'D': return HY_KEY_LEFT;
    case 'H': return HY_KEY_HOME;
    case 'F': return HY_KEY_END;
    default: return HY_KEY_OTHER;
    }
}

// The key of CSI code:shifted:base ... u. The base key is the one at that place of a US keyboard: it
// makes W A S D work where the layout has no Latin letters.
static uint32_t kitty_key(const uint32_t code[HY_KEY_SUBPARAMETERS])
{
    const uint32_t key = code[0] >= 0x80 && code[2] > 0 && code[2] < 0x80 ? code[2] : code[0];
    // The private use area carries keys that type nothing (left Shift, media keys ...).
    const bool is_functional = key >= 0xe000 && key <= 0xf8ff;
    return is_functional || key == 0 ? HY_KEY_OTHER : key;
}

static unsigned end_control(hy_key_parser *self, uint8_t final, hy_key_event *out)
{
    self->state = GROUND;
    const uint8_t modifiers = modifiers_of(self->parameter[1][0]);
    const hy_key_what what = what_of(self->parameter[1][1]);
    if (self->prefix != 0) {
        if (self->prefix == '?' && final == 'u') {
            *out = (hy_key_event){ .what = HY_KEYBOARD_REPORT,
                                   .releases = (self->parameter[0][0] & KITTY_EVENT_RELEASES) != 0 };
            return 1;
        }
        return 0; // answers to questions that others asked
    }
    switch (final) {
    case 'u': return give_letter(out, what, kitty_key(self->parameter[0]), modifiers);
    case 'I': return give_key(out, HY_FOCUS_IN, 0, 0);
    case 'O': return give_key(out, HY_FOCUS_OUT, 0, 0);
    case 'Z': return give_key(out, HY_KEY_PRESS, HY_KEY_TAB, HY_MODIFIER_SHIFT);
    case '~':
        if (self->parameter[0][0] == 200) {
            self->state = PASTE;
            self->paste_matched = 0;
        }
        return self->parameter[0][0] >= 200 ? 0 : give_key(out, what, HY_KEY_OTHER, modifiers);
    case 'R':
    case 'c':
    case 'n':
    case 't': return 0; // reports, no keys
    default: return give_key(out, what, letter_key(final), modifiers);
    }
}

static void add_digit(hy_key_parser *self, uint8_t byte)
{
    uint32_t *const number = parameter_now(self);
    if (number != NULL) {
        const uint32_t longer = *number * 10 + (uint32_t)(byte - '0');
        *number = longer > PARAMETER_MAX ? PARAMETER_MAX : longer;
    }
}

static unsigned control_byte(hy_key_parser *self, uint8_t byte, hy_key_event *out)
{
    self->length++;
    if (byte < 0x20 || byte >= 0x7f || self->length > CONTROL_LENGTH_MAX) {
        return ground_byte(self, byte, out); // cut off: the byte counts by itself
    }
    if (byte >= 0x40) {
        return end_control(self, byte, out);
    }
    if (byte >= '0' && byte <= '9') {
        add_digit(self, byte);
    } else if (byte == ';') {
        self->parameters += self->parameters < HY_KEY_PARAMETERS;
        self->subparameters = 0;
    } else if (byte == ':') {
        self->subparameters += self->subparameters < HY_KEY_SUBPARAMETERS;
    } else {
        self->prefix = byte; // "?", "<", "=", ">" and what ECMA-48 calls intermediate bytes
    }
    return 0;
}

// --------------------------------------------------------------------------- escape and paste

// ESC before anything but a sequence was the Escape key: somebody who hits it in a hurry and then
// another key must not have pressed "Alt and that key".
static unsigned escape_byte(hy_key_parser *self, uint8_t byte, hy_key_event *out)
{
    if (byte == '[') {
        begin_control(self);
        return 0;
    }
    if (byte == 'O') {
        self->state = SINGLE_SHIFT;
        return 0;
    }
    const unsigned escape = give_key(out, HY_KEY_PRESS, HY_KEY_ESCAPE, 0);
    return escape + ground_byte(self, byte, out + escape);
}

static unsigned single_shift_byte(hy_key_parser *self, uint8_t byte, hy_key_event *out)
{
    if (byte < 0x40 || byte >= 0x7f) {
        const unsigned escape = give_key(out, HY_KEY_PRESS, HY_KEY_ESCAPE, 0);
        return escape + ground_byte(self, byte, out + escape);
    }
    self->state = GROUND;
    return give_key(out, HY_KEY_PRESS, letter_key(byte), 0);
}

static void paste_byte(hy_key_parser *self, uint8_t byte)
{
    if (byte != (uint8_t)paste_end[self->paste_matched]) {
        self->paste_matched = byte == 0x1b;
        return;
    }
    self->paste_matched++;
    if (paste_end[self->paste_matched] == '\0') {
        self->state = GROUND;
    }
}

unsigned hy_key_parse(hy_key_parser *self, uint8_t byte, int64_t now_us,
                      hy_key_event out[HY_KEY_EVENTS_MAX])
{
    self->byte_us = now_us;
    switch (self->state) {
    case RUNE: return rune_byte(self, byte, out);
    case ESCAPE: return escape_byte(self, byte, out);
    case SINGLE_SHIFT: return single_shift_byte(self, byte, out);
    case CONTROL: return control_byte(self, byte, out);
    case PASTE: paste_byte(self, byte); return 0;
    default: return ground_byte(self, byte, out);
    }
}

int64_t hy_key_parse_due_us(const hy_key_parser *self)
{
    switch (self->state) {
    case ESCAPE:
    case SINGLE_SHIFT:
    case CONTROL: return self->byte_us + HY_KEY_ESCAPE_US;
    case PASTE: return self->byte_us + HY_KEY_PASTE_SILENCE_US;
    default: return INT64_MAX;
    }
}

bool hy_key_parse_pause(hy_key_parser *self, int64_t now_us, hy_key_event *out)
{
    if (now_us < hy_key_parse_due_us(self)) {
        return false;
    }
    const bool was_escape = self->state != PASTE;
    self->state = GROUND;
    if (was_escape) {
        (void)give_key(out, HY_KEY_PRESS, HY_KEY_ESCAPE, 0);
    }
    return was_escape;
}
