#include <halyard/worldfile.h>

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

bool hy_worldfile_installed(const char *relative, char path[HY_WORLDFILE_PATH_MAX])
{
    char program[HY_WORLDFILE_PATH_MAX];
    if (!find_program(program)) {
        return false;
    }
    char *const name = strrchr(program, '/');
    if (name == NULL) {
        return false;
    }
    *name = '\0';
    return snprintf(path, HY_WORLDFILE_PATH_MAX, "%s/%s", program, relative) < HY_WORLDFILE_PATH_MAX;
}
