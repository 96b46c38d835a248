/// @file joystick_view.h
/// What a player at the keyboard, or with a game pad, sees in the terminal.
#ifndef HALYARD_APPS_JOYSTICK_VIEW_H
#define HALYARD_APPS_JOYSTICK_VIEW_H

#include <halyard/icd.h>

#include "terminal/screen.h"

typedef struct {
    unsigned player;
    const char *source; ///< "keyboard", or the name of a game pad.
    bool has_keys;      ///< Show what each key does.
    bool connected;
    hy_icd_sticks sticks;
    uint64_t sent, heartbeats;
} joystick_picture;

/// Draws a frame; screen_begin() came before, screen_end() comes after.
void joystick_view_draw(const joystick_picture *self, screen *out);

#endif
