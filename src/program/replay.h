/// @file replay.h
/// Private: --replay of a robot program's command line.
#ifndef PROGRAM_REPLAY_H
#define PROGRAM_REPLAY_H

#include <halyard/program.h>

/// hy_program_execute() with `options->replay`.
int program_replay_execute(const hy_program *program, const hy_program_options *options);

#endif
