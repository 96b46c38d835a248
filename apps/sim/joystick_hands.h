/// @file joystick_hands.h
/// What `halyard joystick` reads: the keyboard, a game pad, or a script.
#ifndef HALYARD_APPS_JOYSTICK_HANDS_H
#define HALYARD_APPS_JOYSTICK_HANDS_H

#include <halyard/icd.h>
#include <halyard/player.h>

#include "input/input.h"

typedef struct {
    const char *script; ///< A file; NULL: none.
    unsigned pad;       ///< From 1, as joystick_hands_list() counts them; 0: the first there is.
    bool keys;          ///< Only the keyboard.
} joystick_wishes;

typedef enum {
    FROM_TERMINAL, ///< Its keys, or a pad that is plugged in.
    FROM_PAD,
    FROM_SCRIPT,
} joystick_source;

/// All zero: not open.
typedef struct {
    joystick_source from;
    const char *source; ///< What is read, for people.
    bool has_keys;      ///< The keyboard counts.
    hy_key_pad keys;    ///< The caller feeds it.
    hy_player_script script;
    // Private.
    joystick_wishes wishes;
    hy_gamepads *pads;
} joystick_hands;

/// False with a sentence of `command` if there is nothing to read.
bool joystick_hands_open(joystick_hands *self, const char *command, const joystick_wishes *wishes);
void joystick_hands_close(joystick_hands *self);

/// The sticks at `now_us`, `t_s` after the start of a script.
hy_icd_sticks joystick_hands_read(joystick_hands *self, int64_t now_us, double t_s);

/// Prints the game pads; false with a sentence if they cannot be read.
bool joystick_hands_list(const char *command);

#endif
