/// @file note.h
/// Private: what a program has to tell by hy_program_say() and the like, kept by its run.
#ifndef HALYARD_PROGRAM_NOTE_H
#define HALYARD_PROGRAM_NOTE_H

#include <halyard/telemetry.h>

#define PROGRAM_NOTE_MAX 80

/// All zero: nothing yet.
typedef struct {
    char text[PROGRAM_NOTE_MAX];
    bool has_changed;        ///< Since the reader set it to false.
    hy_telemetry *telemetry; ///< Where values go; NULL: nowhere.
} program_note;

/// From now on hy_program_say() in this thread writes to `note`; NULL: nowhere. Returns where it wrote before.
program_note *program_note_use(program_note *note);

#endif
