/// @file drives.h
/// What the benchmarks of worlds share: their world files, and how their robots are driven.
#ifndef HALYARD_BENCH_DRIVES_H
#define HALYARD_BENCH_DRIVES_H

#include <stdio.h>
#include <stdlib.h>

#include "../tests/support/ideal_world.h"

/// The world FOLDER/NAME.yaml with robots that have `traits`; ends the program with a message if it cannot be loaded. The caller
/// frees it.
static inline hy_world_model *drives_load_robots(const char *folder, const char *name,
                                                 const hy_robot_traits *traits)
{
    char path[1024];
    hy_world_model *model;
    hy_world_error error;
    snprintf(path, sizeof path, "%s/%s.yaml", folder, name);
    if (ideal_world_load_traits(path, traits, &model, &error) != HY_OK) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    return model;
}

/// The same with ideal robots.
static inline hy_world_model *drives_load_world(const char *folder, const char *name)
{
    hy_robot_traits ideal;
    hy_robot_traits_ideal(&ideal);
    return drives_load_robots(folder, name, &ideal);
}

/// What a driver wants of an XRP's two motors: mostly forward, turning either way.
static inline void drives_choose(hy_random *random, double motor[2])
{
    const double both = hy_random_unit(random) * 1.6 - 0.5;
    const double apart = hy_random_unit(random) - 0.5;
    motor[0] = both - apart;
    motor[1] = -(both + apart);
}

#endif
