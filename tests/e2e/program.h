/// @file program.h
/// A program under test: started, spoken to, waited for, and never left behind.
#ifndef HALYARD_TESTS_PROGRAM_H
#define HALYARD_TESTS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PROGRAM_OUTPUT_MAX (1 << 20)

typedef struct {
    pid_t pid;
    char *output; ///< Everything it has written so far to stdout and stderr, ended by a NUL.
    size_t size;
    // Private.
    int end; // our end of its output, or of its terminal
} program;

/// From now on this process, and what it starts, goes before whatever else the machine does, where the system allows it: a robot
/// program has to have its turn every 20 ms, and it is the program that is tested, not what else runs beside it. For tests whose
/// programs need little of a processor.
void program_go_first(void);

/// Starts `arguments[0]` with `arguments` (NULL at the end), no terminal, nothing to read.
program program_start(const char *const *arguments);

/// The same in a terminal of its own of 100 x 30, as TERM=xterm.
program program_start_in_terminal(const char *const *arguments);

/// Types into its terminal.
void program_type(program *self, const char *keys);

/// Gives its terminal another size, or takes it away.
void program_resize(program *self, unsigned columns, unsigned rows);
void program_hang_up(program *self);

/// Stops it with SIGSTOP, and returns when all its threads stand still; SIGCONT lets it go on.
void program_stop(const program *self);

/// Reads what it writes until `text` is in it, or until `limit_us` has passed: then false. NULL waits for its end.
bool program_await(program *self, const char *text, int64_t limit_us);

/// Reads what it writes until a whole line of it begins with `start`, and copies the rest of that line, without its end, to
/// `rest`. False if none comes within `limit_us`, or if it is longer than that.
bool program_await_line(program *self, const char *start, char *rest, size_t size, int64_t limit_us);

/// Reads what it writes until its ready line (docs/spec/ready.md), and copies the first value of `key` to `value`. False if none
/// comes within `limit_us`, or if it has no such key.
bool program_await_ready(program *self, const char *key, char *value, size_t size, int64_t limit_us);

/// Bytes that it has written and that nobody has read yet.
size_t program_unread(const program *self);

/// Forgets the output so far.
void program_forget(program *self);

/// Waits for its end, at most 30 s, and frees everything but what `output_copy` (may be NULL) gets. Returns its exit status, or
/// minus the number of the signal that ended it; -SIGKILL if it had to be killed.
int program_end(program *self, char *output_copy, size_t size);

#endif
