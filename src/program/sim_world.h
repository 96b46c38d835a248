/// @file sim_world.h
/// What a robot program is run with in a simulation: its robots, and the world that was asked for.
#ifndef HALYARD_PROGRAM_SIM_WORLD_H
#define HALYARD_PROGRAM_SIM_WORLD_H

#include <halyard/program.h>

/// The robots of `program`, with that hardware where they have it; NULL: the first. Returns how many.
size_t program_sim_robots(const hy_program *program, const char *hardware,
                          hy_run_robot robots[HY_PROGRAM_ROBOTS]);

/// Loads the world of the options, with that hardware and unit variation of its robots. HY_OK, or a sentence in `error`; the caller frees
/// it with hy_world_free().
hy_status program_sim_load(const hy_program *program, const hy_program_options *options,
                           hy_world_model **model, hy_world_error *error);

#endif
