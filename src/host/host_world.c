#include "host_world.h"

#include <halyard/worldfile.h>

#include <string.h>

#define SCHEME "sim://"

bool hy_host_world_find(const char *value, char path[HY_FILE_PATH_MAX])
{
    hy_world_error none;
    const size_t scheme = strncmp(value, SCHEME, strlen(SCHEME)) == 0 ? strlen(SCHEME) : 0;
    return hy_worldfile_find(value + scheme, path, &none);
}
