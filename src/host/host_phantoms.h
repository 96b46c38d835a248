/// @file host_phantoms.h
/// `--phantom FILE`: earlier runs beside the living one on the page.
#ifndef HALYARD_HOST_PHANTOM_H
#define HALYARD_HOST_PHANTOM_H

#include <halyard/sim.h>

#include "options/options.h"
#include "record/record_phantoms.h"

typedef struct {
    const char *items[HY_PHANTOMS_MAX];
    hy_option_list files;
} hy_host_phantoms;

/// Also gives the list of files its room.
hy_option_group hy_host_phantoms_group(hy_host_phantoms *to);

/// Reads the files, recorded in the world of `scene`. A sentence says what of a damaged file cannot be read, and which file is no such
/// recording and is not shown. True with NULL in `*out` if none was asked for; false with a sentence if a file cannot be opened. End it
/// with hy_phantoms_close(), after the scene to which hy_phantoms_show() adds them.
bool hy_host_phantoms_open(const char *program, const hy_host_phantoms *asked,
                           const hy_scene *scene, hy_phantoms **out);

/// The same of the world of a simulation.
bool hy_host_phantoms_open_for(const char *program, const hy_host_phantoms *asked,
                               const hy_sim *sim, hy_phantoms **out);

#endif
