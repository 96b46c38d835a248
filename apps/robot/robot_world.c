#include "robot_world.h"

#include <halyard/robots.h>
#include <stdio.h>
#include <string.h>

static bool check_vehicle(const hy_world_model *model, const hy_board_kind *kind, const char *path,
                          hy_world_error *error)
{
    const hy_robot_variant *variant = NULL;
    const hy_robot_type *const type = hy_robot_type_of_board(kind, &variant);
    if (hy_world_describe(model).vehicles == 0) {
        snprintf(error->text, sizeof error->text,
                 "%.200s: has no vehicle; a board needs one to sit in", path);
        return false;
    }
    const char *const is = hy_world_vehicle_kind(model, ROBOT_WORLD_VEHICLE);
    if (strcmp(is, variant->vehicle) != 0) {
        snprintf(error->text, sizeof error->text,
                 "%.150s: the first vehicle is of kind %s; a board of kind %s needs kind %s", path,
                 is, type->name, variant->vehicle);
        return false;
    }
    return true;
}

hy_world_model *robot_world_load(const char *world, const hy_board_kind *kind,
                                 hy_worldfile_robots robots, hy_world_error *error)
{
    (void)hy_robot_type_of_board(kind, &robots.variant);
    char path[HY_WORLDFILE_PATH_MAX];
    hy_world_model *model;
    if (!hy_worldfile_find(world, path, error) ||
        hy_worldfile_load_robots(path, &robots, &model, error) != HY_OK) {
        return NULL;
    }
    if (!check_vehicle(model, kind, path, error)) {
        hy_world_free(model);
        return NULL;
    }
    return model;
}
