/// What hal_host.c asks of a Unix, on Windows.
#ifndef HALYARD_TESTS_WINDOWS_DLFCN_H
#define HALYARD_TESTS_WINDOWS_DLFCN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <winsock2.h>
#include <ws2tcpip.h>

#define RTLD_NOW   0
#define RTLD_LOCAL 0

/// Also starts Winsock, and takes away the buffer that Wine alone gives to stderr. What `path` needs is
/// looked for beside it.
static inline void *dlopen(const char *path, int flags)
{
    char whole[MAX_PATH]; // with a drive and backslashes: that search wants it so
    WSADATA about;
    (void)flags;
    setvbuf(stderr, NULL, _IONBF, 0);
    return WSAStartup(MAKEWORD(2, 2), &about) == 0 &&
                   GetFullPathNameA(path, sizeof whole, whole, NULL) < sizeof whole
               ? (void *)LoadLibraryExA(whole, NULL, LOAD_WITH_ALTERED_SEARCH_PATH)
               : NULL;
}

static inline const char *dlerror(void)
{
    static char text[64];
    snprintf(text, sizeof text, "error %lu of Windows", GetLastError());
    return text;
}

static inline void *dlsym(void *library, const char *name)
{
    const FARPROC found = GetProcAddress((HMODULE)library, name);
    void *address;
    memcpy(&address, &found, sizeof address);
    return address;
}

static inline int setenv(const char *name, const char *value, int overwrite)
{
    (void)overwrite;
    return _putenv_s(name, value);
}

/// WPILib's programs, Java and Python end by exit() of another C runtime than this program's: by that of
/// the HAL. A return from main() ends this program by its own.
_Noreturn static inline void exit_like_wpilib(int status)
{
    const HMODULE runtime = GetModuleHandleA("ucrtbase.dll");
    void *const address = runtime != NULL ? dlsym(runtime, "exit") : NULL;
    void (*exit_there)(int status);
    memcpy(&exit_there, &address, sizeof exit_there);
    if (exit_there != NULL) {
        exit_there(status);
    }
    exit(status);
}
#define exit(status) exit_like_wpilib(status)

static inline int fork(void)
{
    return -1;
}

#endif
