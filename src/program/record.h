// --record: what a run in a world has to tell, in a log file.
#ifndef HALYARD_PROGRAM_RECORD_H
#define HALYARD_PROGRAM_RECORD_H

#include <halyard/program_run.h>
#include <halyard/record_sim.h>

#include "note.h"

typedef struct {
    hy_sim_record sim;
    hy_channel messages;
    char said[80]; // last
} program_record;

// Begins the file that `options` name, and `live`, a sink that gets the same (may be NULL); without both everything here does nothing.
hy_status program_record_start(program_record *self, const hy_program_options *options,
                               const hy_sim *sim, const hy_telemetry_sink *live,
                               hy_record_error *error);

// Writes down what runs; after a start that succeeded.
void program_record_describe(program_record *self, const hy_program *program,
                             const hy_program_options *options);

// After every step.
void program_record_step(program_record *self, const hy_sim *sim, program_note *note);

#endif
