/// @file process.h
/// A program under test: started with pipes, read line by line, ended in time.
#ifndef HALYARD_TESTS_PROCESS_H
#define HALYARD_TESTS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct {
    pid_t pid;
    int out, err;
    char errors[4096]; ///< What it wrote to stderr; complete after process_end().
} process;

/// Starts `argv[0]` with its arguments; the list ends with NULL. Fails the test if that is not possible.
void process_start(process *self, const char *const argv[]);

/// Reads one line from its stdout, without the end of the line. False if none came within `timeout_ms`.
bool process_read_line(process *self, char *line, size_t room, int timeout_ms);

/// Sends `signal_number` (0: none), then waits for its end, at most `timeout_ms`; kills it after that. Returns
/// its exit status, or -1 if it had to be killed or died of a signal.
int process_end(process *self, int signal_number, int timeout_ms);

#endif
