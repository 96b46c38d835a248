/// @file sim.h
/// A robot program against a simulation in its own process, as its command line asks for it.
#ifndef HALYARD_PROGRAM_SIM_H
#define HALYARD_PROGRAM_SIM_H

#include <halyard/program.h>

/// hy_program_execute() with a world.
int program_sim_execute(const hy_program *program, const hy_program_options *options,
                        hy_program_outcome *outcome);

#endif
