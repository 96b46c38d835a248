/// @file what_if.h
/// Private: --what-if of a robot program's command line: a recorded simulation, once more with this program in it.
#ifndef PROGRAM_WHAT_IF_H
#define PROGRAM_WHAT_IF_H

#include <halyard/program.h>

#include "record/record_inputs.h"

typedef struct {
    hy_run_recorded recorded;
    hy_run_before before; ///< Set by who runs it.
    // Private.
    hy_bytes file;
    hy_record_inputs *inputs;
} program_what_if;

/// Opens the recording at `path` and finds which of its boards the robots of `program` are, and who drove them. HY_OK, or a
/// sentence in `error`, which has room for 320 bytes. Ended by program_what_if_close() in any case.
hy_status program_what_if_open(program_what_if *self, const hy_program *program, const char *path,
                               char *error);
void program_what_if_close(program_what_if *self);

/// Prints what was beside what is.
void program_what_if_print(const program_what_if *self, const hy_program *program,
                           const hy_run_outcome *now);

#endif
