/// @file child.h
/// A subcommand as a process of our own: it dies with us, however we end, and what it says is read line by line.
#ifndef HALYARD_APPS_CHILD_H
#define HALYARD_APPS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/app.h"

#define CHILD_LINE_MAX      1024
#define CHILD_ARGUMENTS_MAX 80
#define CHILD_TURN_MAX      65536 ///< Bytes: what a pipe of Linux holds.

/// Zero-initialised is a child that never was.
typedef struct {
    pid_t pid; ///< 0: not running.
    int said;  ///< Its stdout and stderr, non-blocking, for poll(2); -1: none.
    // Private.
    char line[CHILD_LINE_MAX];
    size_t size;
    char bytes[4096];
    size_t at, end;   // those of them that are not dealt with
    size_t read_size; // since child_read() last said that there is no line
} child;

/// Starts `run` with `arguments` (the subcommand's name first, NULL at the end; at most CHILD_ARGUMENTS_MAX). What we have open is open in
/// it too. Call it before anything that must not be forked: threads, the terminal. False if the system refuses (errno).
bool child_start(child *self, app_run *run, const char *const *arguments);

/// The next whole line that it has said, without its end, until the next call; NULL if there is none yet. What is longer than
/// CHILD_LINE_MAX comes in pieces. Of one that never ceases to speak, NULL comes after CHILD_TURN_MAX bytes as well: all that it had said when
/// the first of these calls was made has been read by then.
const char *child_read(child *self);

/// Waits until it says a line, or until `until_us` (hy_clock_now_us()), however much it says. NULL if it did not, or ended.
const char *child_await(child *self, int64_t until_us);

/// Whether it has ended, and, if so, its exit status, or minus the number of the signal that ended it. Asked once true, the child is
/// forgotten but for the lines that are left to be read.
bool child_has_ended(child *self, int *status);

/// Asks it to end; does not wait.
void child_stop(const child *self);

/// Sends it a signal, if it still runs.
void child_signal(const child *self, int number);

/// Waits for its end, kills it after `limit_ms`, and closes its pipe. Harmless for a child that never was. Returns its exit status as above.
int child_close(child *self, int limit_ms);

#endif
