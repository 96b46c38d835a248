// --nt: what a run has to tell, for clients of NetworkTables while it runs, and what they change.
#ifndef HALYARD_PROGRAM_LIVE_H
#define HALYARD_PROGRAM_LIVE_H

#include <halyard/program_run.h>

#include "host/host.h"
#include "host/host_nt.h"

#include "journal.h"

// All zero: there is no server, and everything here does nothing.
typedef struct {
    const hy_program *program;
    hy_host host; // without a simulation: the server is attached to it
    hy_host_nt nt;
} program_live;

// Starts the server that `options` ask for; or says why there is none, and the run goes on without it.
void program_live_start(program_live *self, const hy_program *program,
                        const hy_program_options *options);

// Says which faults are injected, the ready line, if there is a server or a page (NULL: none), and who can reach the server.
void program_live_announce(const program_live *self, const hy_program *program,
                           const hy_program_options *options, const char *page);

// The server's sink; NULL: there is none.
const hy_telemetry_sink *program_live_sink(const program_live *self);

// Takes what clients changed, in the thread that runs the program, between two of its loops; says
// whether another server is there.
// `journal` (may be NULL) records it.
void program_live_apply(program_live *self, program_note *note, program_journal *journal);

// After the last value.
void program_live_end(program_live *self);

#endif
