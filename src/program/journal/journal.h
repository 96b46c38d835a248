/// @file journal.h
/// Private: records all that a program reads, and what it commands, while it runs: in front of the program's calls and devices stand
/// ones that note the call and hand it on. So both kinds of runs are recorded alike, and one without --record has nothing of it.
#ifndef HALYARD_PROGRAM_JOURNAL_H
#define HALYARD_PROGRAM_JOURNAL_H

#include <halyard/program.h>

#include "journal_event.h"
#include "note.h"

typedef struct program_journal program_journal;

#define JOURNAL_INPUTS_MAX \
    (HY_TUNABLES_MAX + HY_CHOOSERS_MAX + 16) // channels: tunables, and a recording's own

typedef struct {
    program_journal *journal;
    size_t index;
    const hy_device_class *of;
    void *devices;
} journal_robot;

struct program_journal {
    hy_program program; ///< To be run instead of the one that is recorded.
    // Private.
    const hy_program *recorded;
    hy_device_class classes[HY_PROGRAM_ROBOTS];
    journal_robot robots[HY_PROGRAM_ROBOTS];
    hy_telemetry *telemetry; // NULL: not begun yet
    hy_channel channel;
    program_note *note;
    uint64_t number;
    uint32_t puts; // values so far, of anybody
    char said[PROGRAM_NOTE_MAX];
    uint64_t texts;      // a hash of the last JOURNAL_STATE
    journal_event event; // under way
    const hy_channel_info *tunables[JOURNAL_INPUTS_MAX];
    size_t tunable_count;
};

/// Prepares to record `program`, which must stay.
void program_journal_prepare(program_journal *self, const hy_program *program);

/// Begins: `telemetry` has the file as a sink; `note` is where the program says things. `self` may be NULL, here and below: nothing
/// is recorded.
void program_journal_begin(program_journal *self, hy_telemetry *telemetry, program_note *note);

/// A dashboard changes the tunable of `channel`; `text` of a chooser, else NULL. To be called before it takes effect.
void program_journal_change(program_journal *self, hy_channel channel, double value,
                            const char *text);

/// The run ended in order.
void program_journal_end(program_journal *self);

#endif
