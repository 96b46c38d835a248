/// @file note.h
/// Private: what a program has to tell by hy_program_set_status() and the like, kept by its run.
#ifndef HALYARD_PROGRAM_NOTE_H
#define HALYARD_PROGRAM_NOTE_H

#include <halyard/bot_devices.h>
#include <halyard/run.h>

#include "saved.h"

#define PROGRAM_NOTE_MAX      80
#define PROGRAM_NOTE_VALUES   8
#define PROGRAM_NOTE_HINTS    8
#define PROGRAM_NOTE_HINT_MAX 160

typedef union {
    int of_int;
    long of_long;
    size_t of_size;
    double of_double;
} program_note_value;

/// What a program can get wrong that a robot would answer by silence.
typedef enum {
    PROGRAM_NOTE_EFFORT,
    PROGRAM_NOTE_POSITION,
    PROGRAM_NOTE_SET_ONCE,
    PROGRAM_NOTE_NO_DEVICE,
    PROGRAM_NOTE_KINDS
} program_note_kind;

/// All zero: nothing yet.
typedef struct {
    bool has_changed;  ///< As of the last program_note_text(), since the reader set it to false.
    bool has_finished; ///< hy_program_finish() was called since the reader set it to false.
    hy_telemetry *telemetry; ///< Where values go; NULL: nowhere.
    hy_tunables tunables;    ///< Their telemetry is the same.
    program_saved *saved;    ///< What tunables begin with; NULL: their own values.
    // Private.
    char text[PROGRAM_NOTE_MAX];
    bool is_waiting; // the text is still to be printed from these
    char format[PROGRAM_NOTE_MAX];
    program_note_value values[PROGRAM_NOTE_VALUES];
    // What the program gets wrong, each thing once.
    size_t hints, hints_shown;
    char hint[PROGRAM_NOTE_HINTS][PROGRAM_NOTE_HINT_MAX];
    bool has_hinted[PROGRAM_NOTE_KINDS];
} program_note;

/// The newest text: printed now, since printing numbers costs more than a step of a simulation and most texts are never read. Valid
/// until the next call.
const char *program_note_text(program_note *self);

/// From now on hy_program_set_status() in this thread writes to `note`; NULL: nowhere. Returns where it wrote before.
program_note *program_note_use(program_note *note);

/// Adds hints for what `out` says that the program got wrong, or was handed no device of the robot, in this thread's run.
void program_note_outputs(const hy_outputs *out);

/// The next hint that was not shown yet; NULL: there is none.
const char *program_note_next_hint(program_note *self);

#endif
