// A function or a program as a process of our own: it dies with us, however we end, and what it says is read line by line.
#ifndef HALYARD_SYSTEM_CHILD_H
#define HALYARD_SYSTEM_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define HY_CHILD_LINE_MAX      1024
#define HY_CHILD_ARGUMENTS_MAX 80
#define HY_CHILD_TURN_MAX      65536 ///< Bytes: what a pipe of Linux holds.

/// Zero-initialised is a child that never was.
typedef struct {
    int64_t pid;   ///< 0: not running.
    intptr_t said; ///< Its stdout and stderr, a handle for hy_wait(); -1: none.
    // Private.
    char line[HY_CHILD_LINE_MAX];
    size_t size;
    char bytes[4096];
    size_t at, end;   // those of them that are not dealt with
    size_t read_size; // since hy_child_read() last said that there is no line
} hy_child;

/// What a process does: the main() of a subcommand. Its result is the exit status.
typedef int hy_child_run(int argc, char **argv);

/// Starts `run` with `arguments` (the subcommand's name first, NULL at the end; at most HY_CHILD_ARGUMENTS_MAX). What we have open is open in
/// it too. Call it before anything that must not be forked: threads, the terminal. False if the system refuses (errno).
bool hy_child_start(hy_child *self, hy_child_run *run, const char *const *arguments);

/// The same for another program, found as a shell finds it. `*input` is the writing end of its standard input, for the caller to close;
/// NULL if the system refuses. A program that cannot be found says so, and ends with 127.
bool hy_child_start_program(hy_child *self, const char *const *command, FILE **input);

/// Starts a program that outlives us and that Ctrl-C is not for, with one argument, no streams and our environment without the variable
/// `hidden`. False if it cannot be started (errno).
bool hy_child_start_apart(const char *program, const char *argument, const char *hidden);

/// Goes on as another program, found as a shell finds it. Returns only if it cannot be started (errno).
void hy_child_become(const char *const *command);

/// The next whole line that it has said, without its end, until the next call; NULL if there is none yet. What is longer than
/// HY_CHILD_LINE_MAX comes in pieces. Of one that never ceases to speak, NULL comes after HY_CHILD_TURN_MAX bytes as well: all that it had said when
/// the first of these calls was made has been read by then.
const char *hy_child_read(hy_child *self);

/// Waits until it says a line, or until `until_us` (hy_clock_now_us()), however much it says. NULL if it did not, or ended.
const char *hy_child_await(hy_child *self, int64_t until_us);

/// Whether it has ended, and, if so, its exit status, or minus the number of the signal that ended it. Asked once true, the child is
/// forgotten but for the lines that are left to be read.
bool hy_child_has_ended(hy_child *self, int *status);

/// Asks it to end; does not wait.
void hy_child_stop(const hy_child *self);

/// Asks it as Ctrl-C does.
void hy_child_interrupt(const hy_child *self);

/// Waits for its end, kills it after `limit_ms`, and closes its pipe. Harmless for a child that never was. Returns its exit status as above.
int hy_child_close(hy_child *self, int limit_ms);

#endif
