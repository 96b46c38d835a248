/// @file ideal_world.h
/// World files with ideal robots, whichever robots the file asks for: hashes and instruction counts of a step are those of one
/// robot, and `robot: typical` in a file does not change them.
#ifndef IDEAL_WORLD_H
#define IDEAL_WORLD_H

#include <stdlib.h>

#include <halyard/worldfile.h>

/// hy_worldfile_load(), or with `has_boards` hy_worldfile_load_robots() with the default boards.
static inline hy_status ideal_world_load(const char *path, bool has_boards, hy_world_model **model,
                                         hy_world_error *error)
{
    hy_world_spec *spec = malloc(sizeof *spec);
    if (spec == NULL) {
        return HY_EMEMORY;
    }
    hy_status status = hy_worldfile_read(path, spec, error);
    if (status == HY_OK) {
        if (has_boards) {
            hy_worldfile_set_robots(spec, NULL);
        }
        for (size_t i = 0; i < spec->vehicle_count; i++) {
            spec->vehicle[i].traits_count = 0;
        }
        status = hy_world_compile(spec, model, error);
        hy_world_spec_free(spec);
    }
    free(spec);
    return status;
}

/// hy_worldfile_load() with robots that have `traits`, without boards.
static inline hy_status ideal_world_load_traits(const char *path, const hy_robot_traits *traits,
                                                hy_world_model **model, hy_world_error *error)
{
    hy_world_spec *spec = malloc(sizeof *spec);
    if (spec == NULL) {
        return HY_EMEMORY;
    }
    hy_status status = hy_worldfile_read(path, spec, error);
    if (status == HY_OK) {
        for (size_t i = 0; i < spec->vehicle_count; i++) {
            (void)hy_vehicle_spec_set_traits(&spec->vehicle[i], traits);
        }
        status = hy_world_compile(spec, model, error);
        hy_world_spec_free(spec);
    }
    free(spec);
    return status;
}

#endif
