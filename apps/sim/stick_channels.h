/// @file stick_channels.h
/// A player's sticks in a recording.
#ifndef HALYARD_APPS_STICK_CHANNELS_H
#define HALYARD_APPS_STICK_CHANNELS_H

#include <halyard/icd.h>
#include <halyard/telemetry.h>

/// The channels of a player's sticks, under the keys that AdvantageScope's joystick tab takes in files and live: those of
/// AdvantageKit. Axes, buttons and directions are numbered as those of a game pad at a driver station.
typedef struct {
    hy_channel button_count, buttons, axes, povs;
} stick_channels;

/// Joystick 0 is player 1's.
stick_channels stick_channels_declare(hy_telemetry *telemetry, unsigned joystick);
void stick_channels_put(const stick_channels *self, hy_telemetry *telemetry,
                        const hy_icd_sticks *sticks);

#endif
