// Where the installed files are, wherever they have been moved to: as seen from the running program, and from the shared
// library that this code may be in.
#include <halyard/worldfile.h>

#include <stdio.h>
#include <string.h>

#include "system/system.h"

// `name` in the folder `data`, which is relative to that of `file`.
static bool is_beside(char *file, const char *data, const char *name,
                      char path[HY_WORLDFILE_PATH_MAX])
{
    char *const slash = strrchr(file, '/');
    if (slash == NULL) {
        return false;
    }
    *slash = '\0';
    return snprintf(path, HY_WORLDFILE_PATH_MAX, "%s/%s/%s", file, data, name) <
               HY_WORLDFILE_PATH_MAX &&
           hy_file_is_readable(path);
}

bool hy_worldfile_installed(const char *name, char path[HY_WORLDFILE_PATH_MAX])
{
    char file[HY_FILE_PATH_MAX];
    return (hy_program_path(file) && is_beside(file, HALYARD_DATA_FROM_PROGRAM, name, path)) ||
           (hy_library_path(file) && is_beside(file, HALYARD_DATA_FROM_LIBRARY, name, path));
}
