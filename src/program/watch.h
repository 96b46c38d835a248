/// @file watch.h
/// Private: a thread that says which call of a robot program does not return. It touches no robot: commands have ceased by then,
/// and the robot's own watchdog stops it.
#ifndef HALYARD_PROGRAM_WATCH_H
#define HALYARD_PROGRAM_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "system/system_threads.h"

#define PROGRAM_WATCH_LIMIT_US 500000 ///< A call that takes longer is reported, once.

typedef struct {
    // The caller sets these before program_watch_start().
    bool in_process; ///< The robot is simulated in this process: it waits with the program.
    int64_t gives_up_us; ///< A call that takes longer ends the process with exit status 1; 0: none does.
    // Private.
    const char *program;        // its name, for the message
    _Atomic(const char *) call; // which runs now; NULL: none
    _Atomic int64_t began_us;   // when it began
    int64_t reported_us;        // of the call that was reported last: when it began
    int64_t seen_us;            // of the call that ran at the last check: when it began
    int64_t takes_us;           // how long it has run
    int64_t checked_us;
    hy_thread thread;
    hy_mutex mutex; // of the end alone: a loop of the robot takes no lock
    hy_condition wake;
    bool is_over, is_running;
} program_watch;

/// Starts the thread; the caller has set `self` to zero but for what is its own. Where the system refuses one, nothing is watched and nothing else changes.
void program_watch_start(program_watch *self, const char *program);

/// Waits for the thread's end.
void program_watch_end(program_watch *self);

/// A call of the program begins; NULL: it has returned. A hy_loop_watcher; `context` is the watch.
void program_watch_call(void *context, const char *call);

#endif
