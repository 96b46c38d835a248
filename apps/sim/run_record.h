/// @file run_record.h
/// The log file of a program of the simulator that has no simulation of its own, `core` and `view`: times count from its start.
#ifndef HALYARD_APPS_RUN_RECORD_H
#define HALYARD_APPS_RUN_RECORD_H

#include <halyard/icd.h>
#include <halyard/record_sim.h>

#include "host/host_record.h"

/// All zero: nothing is recorded, and every function here does nothing.
typedef struct {
    hy_telemetry *telemetry;
    // Private.
    hy_record *file;
    int64_t start_us;
} run_record;

/// Begins the file, if one was asked for; false with a sentence of `command` if that cannot be.
bool run_record_start(run_record *self, const char *command, const hy_host_record *asked,
                      int64_t now_us);

/// The time of what is put next.
void run_record_time(const run_record *self, int64_t now_us);

/// Ends it; false with a sentence if the file is not complete.
bool run_record_end(run_record *self, const char *command);

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
