/// @file phantoms.h
/// Private: `--phantom FILE` of a robot program.
#ifndef PROGRAM_PHANTOMS_H
#define PROGRAM_PHANTOMS_H

#include <halyard/program_run.h>
#include <halyard/sim.h>

#include "file.h"

/// Reads the earlier runs that `options` names. One that is not of the world of `sim` is left out with a sentence, which `program`
/// prints. `*out` is NULL if none was asked for. False with a sentence in `error` if a file cannot be read, or there is no memory.
bool program_phantoms_open(hy_phantoms **out, const hy_program *program,
                           const hy_program_options *options, const hy_sim *sim,
                           char error[PROGRAM_FILE_ERROR_MAX]);

#endif
