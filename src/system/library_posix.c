// dladdr() is beyond POSIX.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "system.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

void *hy_library_open(const char *name)
{
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

// ISO C turns no object pointer into a function's.
bool hy_library_find(void *library, const char *name, hy_library_function **out)
{
    void *const found = dlsym(library, name);
    memcpy(out, &found, sizeof found);
    return found != NULL;
}

const char *hy_library_error(void)
{
    const char *const error = dlerror();
    return error != NULL ? error : "";
}

bool hy_library_path(char path[HY_FILE_PATH_MAX])
{
    static const char here = 0;
    Dl_info info;
    return dladdr(&here, &info) != 0 && info.dli_fname != NULL &&
           snprintf(path, HY_FILE_PATH_MAX, "%s", info.dli_fname) < HY_FILE_PATH_MAX;
}

bool hy_program_path(char path[HY_FILE_PATH_MAX])
{
#ifdef __APPLE__
    uint32_t size = HY_FILE_PATH_MAX;
    return _NSGetExecutablePath(path, &size) == 0;
#else
    const ssize_t length = readlink("/proc/self/exe", path, HY_FILE_PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
#endif
}

bool hy_random_bytes(void *bytes, size_t size)
{
    return getentropy(bytes, size) == 0;
}
