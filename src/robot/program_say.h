/// @file program_say.h
/// What a robot program says with hy_program_say(). One a process: the call has no argument to say whose it is.
#ifndef HALYARD_ROBOT_PROGRAM_SAY_H
#define HALYARD_ROBOT_PROGRAM_SAY_H

#define PROGRAM_NOTE_MAX 80

/// What it has said last; "": nothing.
const char *program_said(void);

/// The same if it has not been taken yet, else NULL.
const char *program_take_said(void);

void program_say_nothing(void);

#endif
