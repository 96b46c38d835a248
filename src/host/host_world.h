// Which files an option means that names a world.
#ifndef HALYARD_HOST_WORLD_H
#define HALYARD_HOST_WORLD_H

#include "options/options.h"

/// Of an option that takes a world's name, its file, or sim://WORLD: hy_option's `names`. The world's pictures and models belong to it.
bool hy_host_world_names(const char *value, const char *path);

#endif
