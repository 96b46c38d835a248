/// @file program_note.h
/// Private: what a program has said by hy_program_say(), kept by its run.
#ifndef HALYARD_ROBOT_PROGRAM_NOTE_H
#define HALYARD_ROBOT_PROGRAM_NOTE_H

#include <stdbool.h>

#define PROGRAM_NOTE_MAX 80

/// All zero: nothing yet.
typedef struct {
    char text[PROGRAM_NOTE_MAX];
    bool has_changed; ///< Since the reader set it to false.
} program_note;

/// From now on hy_program_say() in this thread writes to `note`; NULL: nowhere. Returns where it wrote before.
program_note *program_note_use(program_note *note);

#endif
