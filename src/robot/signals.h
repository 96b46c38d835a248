/// @file signals.h
/// The signals that end or suspend a program. hy_robot_is_ending() and hy_robot_is_suspending() say whether one came.
#ifndef HALYARD_ROBOT_SIGNALS_H
#define HALYARD_ROBOT_SIGNALS_H

/// Handles those that would do what the system does by default: a program's own handler, or "ignore", is its decision.
void hy_signals_watch(void);

/// Gives them back to the system.
void hy_signals_give_back(void);

/// Suspends the process by the default action of SIGTSTP, which leaves alone a process that no shell could continue.
/// Returns when the process goes on; at once if somebody has continued it since it was asked to pause.
void hy_signals_pause(void);

#endif
