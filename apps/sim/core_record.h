/// @file core_record.h
/// `halyard core --record`: sticks in, sensors in, commands out.
#ifndef HALYARD_APPS_CORE_RECORD_H
#define HALYARD_APPS_CORE_RECORD_H

#include <halyard/core.h>

#include "host/host_record.h"
#include "stick_channels.h"

typedef struct {
    hy_host_record *file;
    // Private.
    stick_channels sticks;
    hy_channel pose, encoders, pieces, commands, joystick_up, sim_up, enabled, messages;
    int64_t due_us;
} core_record;

/// Declares the channels; without a file it does nothing.
void core_record_declare(core_record *self);

/// What the core saw and made of it.
void core_record_put(core_record *self, const hy_core_input *in, const hy_icd_commands *commands);

/// A line of its console.
void core_record_say(const core_record *self, const char *text);

#endif
