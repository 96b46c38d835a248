/// @file drive_view.h
/// What somebody who drives a robot from the keyboard sees.
#ifndef HALYARD_APPS_DRIVE_VIEW_H
#define HALYARD_APPS_DRIVE_VIEW_H

#include <halyard/input.h>

#include "session.h"
#include "terminal/screen.h"

#define COCKPIT_SERVOS 4

/// Everything that is on the screen.
typedef struct {
    const char *title;
    session session;
    hy_key_stick stick;
    double limit; ///< Of the speed, (0, 1].
    float servo[COCKPIT_SERVOS];
    unsigned servo_chosen;
    bool led, emergency;
    char message[128];
    screen_look message_look;
} cockpit;

/// Draws a frame as it is at `now_us`; screen_begin() came before, screen_end() comes after.
void drive_view_draw(const cockpit *self, screen *out, int64_t now_us);

#endif
