// A robot program over a network.
#ifndef HALYARD_PROGRAM_NETWORK_H
#define HALYARD_PROGRAM_NETWORK_H

#include <halyard/program.h>

// hy_program_execute() without a world.
int program_network_execute(const hy_program *program, const hy_program_options *options);

#endif
