/// @file replay_run.h
/// Private: a program run again on its recording: hy_program_replay() with what a command line adds.
#ifndef PROGRAM_REPLAY_RUN_H
#define PROGRAM_REPLAY_RUN_H

#include <halyard/program.h>
#include <halyard/telemetry.h>

#include "watch.h"

typedef struct {
    const hy_program *program;
    hy_bytes file;
    const hy_telemetry_sink *also; ///< Gets all that is published and commanded now; NULL: none.
    program_watch *watch;          ///< Is told of the program's calls; NULL: none.
} program_replay_setup;

void program_replay_run(const program_replay_setup *setup, hy_program_replay_report *report);

#endif
