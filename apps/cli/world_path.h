/// @file world_path.h
/// Where world files are looked for.
#ifndef HALYARD_APPS_WORLD_PATH_H
#define HALYARD_APPS_WORLD_PATH_H

#include <halyard/world.h>

#define WORLD_PATH_MAX 1024

/// The file of `world` into `path`. What has a '/' or ends in ".yaml" or ".yml" is a file already; a name is looked for in
/// the folder that HALYARD_WORLDS names, where the program was built, and where it was installed. False with a sentence
/// in `error` if there is no such world.
bool world_path_find(const char *world, char path[WORLD_PATH_MAX], hy_world_error *error);

#endif
