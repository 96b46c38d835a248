// Which file an option means that names a world.
#ifndef HALYARD_HOST_WORLD_H
#define HALYARD_HOST_WORLD_H

#include "options/options.h"

/// Of an option that takes a world's name, its file, or sim://WORLD: hy_option's `find`.
bool hy_host_world_find(const char *value, char path[HY_FILE_PATH_MAX]);

#endif
