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

/// Gives them back to the system.
void hy_signals_give_back(void);

/// Suspends the process by the default action of SIGTSTP, which leaves alone a process that no shell could continue.
/// Returns when the process goes on; at once if somebody has continued it since it was asked to pause.
void hy_signals_pause(void);

#endif
