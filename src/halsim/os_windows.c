#include "os.h"

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <mswsock.h>
#include <process.h>
#include <stdlib.h>
#include <string.h>
#include <winsock2.h>

// --------------------------------------------------------------------------- the HAL

/// Windows finds a library that is already loaded by its file's name, however it was loaded.
static HMODULE find_hal(void)
{
    static const char *const names[] = {
        "wpiHal.dll",
        "wpiHald.dll", // WPILib's own debug build
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const HMODULE library = GetModuleHandleA(names[i]);
        if (library != NULL) {
            return library;
        }
    }
    return GetModuleHandleA(NULL); // the program itself, if it has the HAL inside
}

void *hy_os_hal_symbol(const char *name)
{
    const FARPROC found = GetProcAddress(find_hal(), name);
    void *address;
    memcpy(&address, &found, sizeof address);
    return address;
}

/// Not getenv(): each C runtime has a copy of its own, made when the process began, and does not see
/// what Python or Java has set since.
char *hy_os_environment(const char *name)
{
    const DWORD size = GetEnvironmentVariableA(name, NULL, 0);
    char *const value = size > 0 ? malloc(size) : NULL;
    if (value != NULL && GetEnvironmentVariableA(name, value, size) >= size) {
        free(value); // somebody changed it between the two calls
        return NULL;
    }
    return value;
}

// --------------------------------------------------------------------------- threads

/// At the end of a process Windows ends all threads but the one that asked for it, whatever locks they
/// hold.
static bool others_are_dead;

_Static_assert(sizeof(SRWLOCK) <= sizeof(os_lock), "room for the system's lock");

static SRWLOCK *srw_of(os_lock *lock)
{
    return (SRWLOCK *)(void *)lock->memory;
}

void hy_os_lock_init(os_lock *lock)
{
    InitializeSRWLock(srw_of(lock));
}

void hy_os_lock_take(os_lock *lock)
{
    AcquireSRWLockExclusive(srw_of(lock));
}

void hy_os_lock_give(os_lock *lock)
{
    ReleaseSRWLockExclusive(srw_of(lock));
}

void hy_os_lock_take_at_exit(os_lock *lock)
{
    if (others_are_dead) {
        hy_os_lock_init(lock);
    }
    hy_os_lock_take(lock);
}

/// From now on this library stays until the process ends: threads run in it, and exits call it.
static bool stay(void)
{
    static const char somewhere_inside = 0;
    HMODULE self;
    return GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                              &somewhere_inside, &self) != 0;
}

typedef struct {
    void (*run)(void *argument);
    void *argument;
} start;

static unsigned __stdcall run_thread(void *memory)
{
    const start given = *(start *)memory;
    free(memory);
    given.run(given.argument);
    return 0;
}

bool hy_os_thread_start(void (*run)(void *argument), void *argument)
{
    start *const given = malloc(sizeof *given);
    if (given == NULL || !stay()) {
        free(given);
        return false;
    }
    *given = (start){ run, argument };
    const uintptr_t thread = _beginthreadex(NULL, 0, run_thread, given, 0, NULL);
    if (thread == 0) {
        free(given);
        return false;
    }
    CloseHandle((HANDLE)thread);
    return true;
}

// --------------------------------------------------------------------------- waiting

enum { SOCKET_EVENT, WAKE_EVENT, EVENTS };

bool hy_os_waker_open(os_waker *waker)
{
    waker->ends[SOCKET_EVENT] = (intptr_t)CreateEventA(NULL, TRUE, FALSE, NULL);
    waker->ends[WAKE_EVENT] = (intptr_t)CreateEventA(NULL, FALSE, FALSE, NULL); // ends with a wait
    return waker->ends[SOCKET_EVENT] != 0 && waker->ends[WAKE_EVENT] != 0;
}

void hy_os_waker_wake(os_waker *waker)
{
    SetEvent((HANDLE)waker->ends[WAKE_EVENT]);
}

void hy_os_wait(intptr_t socket, os_waker *waker, int64_t wait_us)
{
    const HANDLE events[EVENTS] = { (HANDLE)waker->ends[SOCKET_EVENT],
                                    (HANDLE)waker->ends[WAKE_EVENT] };
    const int64_t wait_ms = (wait_us + 999) / 1000;
    // Asking sets the event if something waits already.
    ResetEvent(events[SOCKET_EVENT]);
    WSAEventSelect((SOCKET)socket, events[SOCKET_EVENT], FD_READ);
    WaitForMultipleObjects(EVENTS, events, FALSE, wait_ms > 0 ? (DWORD)wait_ms : 0);
}

void hy_os_sleep(int64_t duration_us)
{
    Sleep((DWORD)((duration_us + 999) / 1000));
}

// --------------------------------------------------------------------------- the end

static void (*at_exit)(void);

/// Keeps the linker from dropping the import of the provider of sockets. Windows ends libraries in the
/// reverse order of their beginnings, and the provider, once ended, sends nothing more. Being imported by
/// us it begins before us, so it ends after us.
static int(WSAAPI *volatile provider)(SOCKET, char *, int, int *);

/// Runs while this library is ended.
static void run_at_detach(void)
{
    others_are_dead = true;
    at_exit();
}

/// The C runtime of WPILib, Java and Python calls this from exit(), while all threads still live.
static int register_with_runtime(void (*run)(void))
{
    const HMODULE runtime = GetModuleHandleA("ucrtbase.dll");
    const FARPROC found = runtime != NULL ? GetProcAddress(runtime, "_crt_atexit") : NULL;
    int(__cdecl * crt_atexit)(void (*)(void));
    memcpy(&crt_atexit, &found, sizeof crt_atexit);
    return crt_atexit != NULL ? crt_atexit(run) : -1;
}

/// exit() of the program's runtime, and for every other end of the process (ExitProcess(), Ctrl-C, another
/// runtime) the end of this library: a library's own atexit() means that.
bool hy_os_at_exit(void (*run)(void))
{
    provider = WSARecvEx;
    at_exit = run;
    (void)register_with_runtime(run);
    return stay() && atexit(run_at_detach) == 0;
}

bool hy_os_is_same_process(void)
{
    return true; // Windows has no fork()
}
