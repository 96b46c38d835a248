/// @file output.h
/// Lines to stdout while a robot is being commanded: nothing here ever waits for whoever reads them. What is not
/// taken at once is dropped and counted.
#ifndef HALYARD_APPS_OUTPUT_H
#define HALYARD_APPS_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OUTPUT_LINE_MAX \
    512 ///< Bytes with the end of the line; POSIX lets every pipe take so many at once. Longer ones are cut.

typedef struct {
    uint64_t dropped; ///< Lines that nobody took.
    int error; ///< errno of the first refusal, after which nothing is written any more; 0: none.
    // Private.
    intptr_t handle;
} output;

/// Writes to stdout; a terminal gets a description of its own, so that nobody else's becomes non-blocking.
void output_open(output *self);

/// Writes one line; the end of the line is added.
__attribute__((format(printf, 2, 3))) void output_line(output *self, const char *format, ...);

void output_close(output *self);

/// Says on stderr, as `halyard COMMAND: ...`, what did not get out. False if stdout is broken.
bool output_complain(const output *self, const char *command);

#endif
