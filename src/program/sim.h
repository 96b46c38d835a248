/// @file sim.h
/// A robot program against a simulation in its own process, as its command line asks for it.
#ifndef HALYARD_PROGRAM_SIM_H
#define HALYARD_PROGRAM_SIM_H

#include <halyard/program.h>

#include "watch.h"
#include "what_if.h"

/// How it is run.
typedef struct {
    const hy_program *program;
    const hy_program_options *options;
    program_watch *watch;     ///< NULL: nobody watches that calls return.
    program_what_if *what_if; ///< Of options that ask for it.
    bool with_terminal;       ///< A person sits there.
} program_sim_plan;

/// Runs it to its end, with the exit status of a command. HY_OK, or a sentence in `outcome->error`.
hy_status program_sim_run(const program_sim_plan *how, hy_program_outcome *outcome, int *exit_status);

/// hy_program_execute() with a world.
int program_sim_execute(const hy_program *program, const hy_program_options *options,
                        hy_program_outcome *outcome);

#endif
