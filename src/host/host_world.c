#include "host_world.h"

#include <halyard/worldfile.h>

#include <string.h>

#define SCHEME "sim://"

// Whether a line of a world's file ends in the name of `path`, which is relative to the world's folder. The name may be quoted.
static bool line_names(const char *world, const char *line, const char *path)
{
    char file[HY_FILE_PATH_MAX];
    const char *const slash = strrchr(world, '/');
    const size_t end = strcspn(line, "\r\n#,}\"'");
    (void)snprintf(file, sizeof file, "%.*s%.*s",
                   slash != NULL && line[0] != '/' ? (int)(slash - world) + 1 : 0, world, (int)end,
                   line);
    return hy_file_is_same(file, path);
}

bool hy_host_world_names(const char *value, const char *path)
{
    static const char *const keys[] = { "picture:", "gltf:" };
    hy_world_error none;
    char world[HY_FILE_PATH_MAX], line[HY_FILE_PATH_MAX];
    const size_t scheme = strncmp(value, SCHEME, strlen(SCHEME)) == 0 ? strlen(SCHEME) : 0;
    if (!hy_worldfile_find(value + scheme, world, &none)) {
        return false;
    }
    bool is_named = hy_file_is_same(world, path);
    const bool is_regular = hy_file_is_same(world, world); // a pipe is not read twice
    FILE *const file = is_regular && !is_named ? fopen(world, "rb") : NULL;
    while (file != NULL && !is_named && fgets(line, sizeof line, file) != NULL) {
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            const char *const key = strstr(line, keys[i]);
            const char *const name = key != NULL ? key + strlen(keys[i]) : "";
            is_named = is_named || line_names(world, name + strspn(name, " \"'"), path);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return is_named;
}
