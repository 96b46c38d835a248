/// @file program_sim.h
/// A robot program against a simulation in its own process, as its command line asks for it.
#ifndef HALYARD_ROBOT_PROGRAM_SIM_H
#define HALYARD_ROBOT_PROGRAM_SIM_H

#include <halyard/robot_run.h>

/// Runs and prints the outcome; the exit status.
int program_sim_main(const hy_program *program, const hy_program_options *options, bool json);

#endif
