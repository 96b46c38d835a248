#include <halyard/worldfile.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), ending_length = strlen(ending);
    return length >= ending_length && strcmp(text + length - ending_length, ending) == 0;
}

static bool is_file_name(const char *world)
{
    return strchr(world, '/') != NULL || ends_with(world, ".yaml") || ends_with(world, ".yml");
}

static bool is_in(const char *folder, const char *name, char path[HY_WORLDFILE_PATH_MAX])
{
    return folder != NULL &&
           snprintf(path, HY_WORLDFILE_PATH_MAX, "%s/%s.yaml", folder, name) < HY_WORLDFILE_PATH_MAX &&
           access(path, R_OK) == 0;
}

bool hy_worldfile_find(const char *world, char path[HY_WORLDFILE_PATH_MAX], hy_world_error *error)
{
    if (is_file_name(world)) {
        if (snprintf(path, HY_WORLDFILE_PATH_MAX, "%s", world) < HY_WORLDFILE_PATH_MAX) {
            return true;
        }
        snprintf(error->text, sizeof error->text, "the name of the world file is too long");
        return false;
    }
    char installed[HY_WORLDFILE_PATH_MAX];
    if (is_in(getenv("HALYARD_WORLDS"), world, path) ||
        (hy_worldfile_installed("worlds", installed) && is_in(installed, world, path)) ||
        is_in(HALYARD_BUILD_WORLDS, world, path) || is_in(HALYARD_INSTALLED_WORLDS, world, path)) {
        return true;
    }
    snprintf(
        error->text,
        sizeof error->text, "there is no world called '%.60s'; name a file, or set HALYARD_WORLDS to the folder that has %.60s.yaml",
        world, world);
    return false;
}
