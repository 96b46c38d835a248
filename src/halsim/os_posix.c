// RTLD_DEFAULT is beyond POSIX.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "os.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// --------------------------------------------------------------------------- the HAL

/// Python and Java load the HAL privately: then only its name leads to it. A program linked against
/// it, maybe statically, has it in the global scope.
static void *find_hal(void)
{
    static const char *const names[] = {
#ifdef __APPLE__
        "libwpiHal.dylib",
        "libwpiHald.dylib",
#else
        "libwpiHal.so",
        "libwpiHald.so", // WPILib's own debug build
#endif
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        void *const library = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
        if (library != NULL) {
            return library; // never closed: what is found in it must stay
        }
    }
    return RTLD_DEFAULT;
}

void *hy_os_hal_symbol(const char *name)
{
    return dlsym(find_hal(), name);
}

char *hy_os_environment(const char *name)
{
    const char *const value = getenv(name);
    return value != NULL ? strdup(value) : NULL;
}

// --------------------------------------------------------------------------- threads

_Static_assert(sizeof(pthread_mutex_t) <= sizeof(os_lock), "room for the system's lock");

static pthread_mutex_t *mutex_of(os_lock *lock)
{
    return (pthread_mutex_t *)(void *)lock->memory;
}

void hy_os_lock_init(os_lock *lock)
{
    pthread_mutex_init(mutex_of(lock), NULL);
}

void hy_os_lock_take(os_lock *lock)
{
    pthread_mutex_lock(mutex_of(lock));
}

void hy_os_lock_give(os_lock *lock)
{
    pthread_mutex_unlock(mutex_of(lock));
}

void hy_os_lock_take_at_exit(os_lock *lock)
{
    hy_os_lock_take(lock); // threads live on until the very end
}

typedef struct {
    void (*run)(void *argument);
    void *argument;
} start;

static void *run_thread(void *memory)
{
    const start given = *(start *)memory;
    free(memory);
    given.run(given.argument);
    return NULL;
}

bool hy_os_thread_start(void (*run)(void *argument), void *argument)
{
    start *const given = malloc(sizeof *given);
    if (given == NULL) {
        return false;
    }
    *given = (start){ run, argument };
    sigset_t all, before;
    sigfillset(&all);
    pthread_t thread;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&thread, NULL, run_thread, given) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) {
        pthread_detach(thread);
    } else {
        free(given);
    }
    return started;
}

// --------------------------------------------------------------------------- waiting

bool hy_os_waker_open(os_waker *waker)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        waker->ends[i] = ends[i];
    }
    return true;
}

void hy_os_waker_wake(os_waker *waker)
{
    // A full pipe wakes as well.
    const ssize_t written = write((int)waker->ends[1], "", 1);
    (void)written;
}

void hy_os_wait(intptr_t socket, os_waker *waker, int64_t wait_us)
{
    struct pollfd sources[2] = { { .fd = (int)socket, .events = POLLIN },
                                 { .fd = (int)waker->ends[0], .events = POLLIN } };
    const int64_t wait_ms = (wait_us + 999) / 1000;
    if (poll(sources, 2, wait_ms > 0 ? (int)wait_ms : 0) > 0 && sources[1].revents != 0) {
        char pending[64];
        const ssize_t drained = read((int)waker->ends[0], pending, sizeof pending);
        (void)drained; // what is left wakes the next wait
    }
}

void hy_os_sleep(int64_t duration_us)
{
    const struct timespec pause = { .tv_sec = (time_t)(duration_us / 1000000),
                                    .tv_nsec = (long)(duration_us % 1000000) * 1000 };
    nanosleep(&pause, NULL);
}

bool hy_os_at_exit(void (*run)(void))
{
    return atexit(run) == 0;
}

bool hy_os_is_same_process(void)
{
    static pid_t first;
    if (first == 0) {
        first = getpid();
    }
    return first == getpid();
}
