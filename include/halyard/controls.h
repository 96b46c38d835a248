/// @file controls.h
/// A person's hands: keys as one stick or as a game pad, and game pads that are plugged in.
///
/// No allocation, but by what opens game pads. The stick and the pad of keys are pure: events and
/// time come in as arguments, and any number of them may live side by side.
///
///     static hy_key_stick stick; // all zero: the start
///
///     static hy_stick key(const hy_key_event *event, int64_t now_us)
///     {
///         hy_key_stick_feed(&stick, event, now_us);
///         return hy_key_stick_read(&stick, now_us);
///     }
#ifndef HALYARD_CONTROLS_H
#define HALYARD_CONTROLS_H

#include <halyard/base.h>

HY_API_BEGIN

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
    /// The terminal's answer to the question whether it reports releases: `releases`.
    HY_KEYBOARD_REPORT,
} hy_key_what;

typedef struct {
    hy_key_what what;
    uint32_t key;      ///< Press, repeat, release: lower case, whatever Shift and Caps Lock say.
    uint8_t modifiers; ///< Press, repeat, release.
    bool releases;     ///< HY_KEYBOARD_REPORT only.
} hy_key_event;

// --------------------------------------------------------------------------- keys to a stick

#define HY_STICK_STEP 0.25 ///< What one press adds where the terminal reports no releases.
/// ... and after so long without a key the stick is back in the middle.
#define HY_STICK_RETURN_US 600000

/// W A S D and the arrow keys as one stick. With releases a key counts as long as it is held;
/// without, every press moves a set-point by a step, and a press against it brings it to the middle
/// first. Zero-initialised is a stick in the middle on a terminal without releases.
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

/// Feeds an event; returns whether it was the stick's. Losing the focus brings the stick to the
/// middle.
bool hy_key_stick_feed(hy_key_stick *self, const hy_key_event *event, int64_t now_us);

/// Lets go of everything.
void hy_key_stick_centre(hy_key_stick *self);

/// Where the stick is at `now_us`.
hy_stick hy_key_stick_read(const hy_key_stick *self, int64_t now_us);

// --------------------------------------------------------------------------- game pads

/// The buttons of a pad, bits of hy_pad.buttons; A is the lower, B the right, X the left, Y the
/// upper one.
enum {
    HY_PAD_A = 1 << 0,
    HY_PAD_B = 1 << 1,
    HY_PAD_X = 1 << 2,
    HY_PAD_Y = 1 << 3,
    HY_PAD_BACK = 1 << 4,
    HY_PAD_GUIDE = 1 << 5,
    HY_PAD_START = 1 << 6,
    HY_PAD_LEFT_BUMPER = 1 << 7,
    HY_PAD_RIGHT_BUMPER = 1 << 8,
    HY_PAD_UP = 1 << 9,
    HY_PAD_DOWN = 1 << 10,
    HY_PAD_LEFT = 1 << 11,
    HY_PAD_RIGHT = 1 << 12,
};

/// What a game pad says. All zero is a pad that nobody touches.
typedef struct {
    double left_x, left_y, right_x, right_y; ///< [-1, +1], x to the right, y up.
    double left_trigger, right_trigger;      ///< [0, 1]
    uint32_t buttons;
} hy_pad;

/// Of the sticks of hy_gamepads_read(); what is beyond it is stretched to begin at 0.
#define HY_PAD_DEADBAND 0.12

/// `value` [-1, +1] with the middle cut out: 0 up to `deadband` [0, 1), from there evenly to the
/// ends. NaN gives 0.
double hy_pad_deadband(double value, double deadband);

// --------------------------------------------------------------------------- keys to a game pad

#define HY_KEY_PAD_KEYS 24 ///< Most keys that hy_key_pad knows.

/// A terminal's keys as a pad: W A S D is the left stick, the arrows are the right one; q and e the
/// triggers; k l j i (down, right, left, up) A B X Y; u and o the bumpers; t g f h the cross; b
/// back, Enter start, Backspace guide. With releases a key counts as long as it is held; without,
/// for HY_STICK_RETURN_US after its last press or repeat. Zero-initialised is a pad that nobody
/// touches.
typedef struct {
    bool releases; ///< Set by HY_KEYBOARD_REPORT.
    // Private.
    int64_t until_us[HY_KEY_PAD_KEYS]; // held until then
} hy_key_pad;

/// Feeds an event; returns whether it was the pad's. Losing the focus lets go of everything, and so
/// does Space.
bool hy_key_pad_feed(hy_key_pad *self, const hy_key_event *event, int64_t now_us);

/// Lets go of everything.
void hy_key_pad_release(hy_key_pad *self);

/// What is held at `now_us`. Two keys against each other are none.
hy_pad hy_key_pad_read(const hy_key_pad *self, int64_t now_us);

// ------------------------------------------------------------------------ pads that are plugged in

/// All pads that SDL2 knows: any make, any bus, plugged in and out while the program runs. One a
/// process, one thread.
typedef struct hy_gamepads hy_gamepads;

/// True if this build has SDL2; without it hy_gamepads_open() gives NULL.
bool hy_gamepads_are_built_in(void);

/// NULL if SDL2 is not there, or refuses; `why` (at least 128 bytes, may be NULL) then has a
/// sentence. Allocates. Has no effect on the process's signals. End with hy_gamepads_close(); NULL
/// is harmless there.
hy_gamepads *hy_gamepads_open(char *why, size_t why_size);
void hy_gamepads_close(hy_gamepads *self);

#define HY_GAMEPADS_MAX 8 ///< Most pads at a time.

/// Looks what was plugged in and out, and what is pressed. Returns how many pads there are; their
/// numbers stay the same as long as they stay plugged in, so a number below HY_GAMEPADS_MAX may
/// also be free.
unsigned hy_gamepads_update(hy_gamepads *self);

/// How many joysticks are plugged in that are none of these pads: SDL2 does not know which of their
/// axes are sticks (a flight stick), unless SDL_GAMECONTROLLERCONFIG in the environment says it.
unsigned hy_gamepads_unknown(const hy_gamepads *self);

/// The name of pad `index`, valid until the next update; NULL if there is none.
const char *hy_gamepads_name(const hy_gamepads *self, unsigned index);

/// What pad `index` said at the last update, deadband applied; all zero if there is none. An axis
/// counts once it was at rest since the pad was plugged in: one that rests off zero never does.
hy_pad hy_gamepads_read(const hy_gamepads *self, unsigned index);

HY_API_END

#endif
