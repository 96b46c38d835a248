// The signals that end or suspend a program. Their handlers only take notes.
#ifndef HALYARD_SYSTEM_SIGNALS_H
#define HALYARD_SYSTEM_SIGNALS_H

#include <stdbool.h>

/// One came that asks the program to end.
bool hy_signals_end(void);

/// One came that asks it to pause, and hy_signals_pause() has not been called since.
bool hy_signals_suspend(void);

/// Handles those that would do what the system does by default: a program's own handler, or "ignore", is its decision.
void hy_signals_watch(void);

/// Takes note of those that ask for the end, whatever they did before, for hy_signals_end().
void hy_signals_note_end(void);

/// Ctrl-Z does nothing from now on.
void hy_signals_ignore_suspend(void);

/// Writing to a pipe that nobody reads fails from now on.
void hy_signals_ignore_broken_pipes(void);

/// Gives them back to the system.
void hy_signals_give_back(void);

/// Suspends the process by the default action of SIGTSTP, which leaves alone a process that no shell could continue.
/// Returns when the process goes on; at once if somebody has continued it since it was asked to pause.
void hy_signals_pause(void);

/// Pauses all programs of this terminal's job, as Ctrl-Z at a terminal does.
void hy_signals_pause_job(void);

/// A file that may not grow further is like a full disk from now on: the write fails.
void hy_signals_ignore_file_limit(void);

/// Until hy_signals_end_in_order(), SIGINT, SIGTERM and SIGHUP, if they are not ignored, call `at_end` in their handler and end the process
/// at once with 128 and their number: for a program whose loop, which would hear of them, does not run.
void hy_signals_end_at_once(void (*at_end)(void));

/// Gives them back to who had them; harmless if nothing was taken. From the same thread.
void hy_signals_end_in_order(void);

/// Prints `text` to stderr past the buffers of the C library, whose locks what a signal interrupts may hold.
void hy_signals_print(const char *text);

/// Ends the process without closing anything in order.
_Noreturn void hy_signals_exit(int status);

#endif
