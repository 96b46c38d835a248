// Where the installed files are, wherever they have been moved to: as seen from the running program, and from the shared
// library that this code may be in.
#include <halyard/worldfile.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined __APPLE__
#include <mach-o/dyld.h>
#endif

// The running program's file; false where the system does not tell.
static bool find_program(char path[HY_WORLDFILE_PATH_MAX])
{
#if defined __APPLE__
    uint32_t size = HY_WORLDFILE_PATH_MAX;
    return _NSGetExecutablePath(path, &size) == 0;
#else
    const ssize_t length = readlink("/proc/self/exe", path, HY_WORLDFILE_PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
#endif
}

static bool find_library(char path[HY_WORLDFILE_PATH_MAX])
{
    static const char here = 0;
    Dl_info info;
    return dladdr(&here, &info) != 0 && info.dli_fname != NULL &&
           snprintf(path, HY_WORLDFILE_PATH_MAX, "%s", info.dli_fname) < HY_WORLDFILE_PATH_MAX;
}

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
           access(path, R_OK) == 0;
}

bool hy_worldfile_installed(const char *name, char path[HY_WORLDFILE_PATH_MAX])
{
    char file[HY_WORLDFILE_PATH_MAX];
    return (find_program(file) && is_beside(file, HALYARD_DATA_FROM_PROGRAM, name, path)) ||
           (find_library(file) && is_beside(file, HALYARD_DATA_FROM_LIBRARY, name, path));
}
