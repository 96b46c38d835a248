/// What the part asks of the operating system beside sockets. One file a system defines all of it.
#ifndef HALYARD_HALSIM_OS_H
#define HALYARD_HALSIM_OS_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

/// The address of a function of the HAL in this process, or NULL.
void *hy_os_hal_symbol(const char *name);

/// The value of an environment variable, for the caller to free(); NULL if it is not set, or without
/// memory.
char *hy_os_environment(const char *name);

/// A lock for short stretches. Not recursive.
typedef struct {
    alignas(8) unsigned char memory[64];
} os_lock;

void hy_os_lock_init(os_lock *lock);
void hy_os_lock_take(os_lock *lock);
void hy_os_lock_give(os_lock *lock);

/// As take, but also takes the lock of a thread that died holding it: for hy_os_at_exit().
void hy_os_lock_take_at_exit(os_lock *lock);

/// Starts a thread that nobody waits for, with every signal blocked: they are the robot program's.
bool hy_os_thread_start(void (*run)(void *argument), void *argument);

/// Ends a wait of another thread.
typedef struct {
    intptr_t ends[2];
} os_waker;

bool hy_os_waker_open(os_waker *waker);
void hy_os_waker_wake(os_waker *waker);

/// Returns once `socket` has something to read, `waker` was woken (which then is over), or after
/// `wait_us`.
void hy_os_wait(intptr_t socket, os_waker *waker, int64_t wait_us);

void hy_os_sleep(int64_t duration_us);

/// Calls `run` at the end of the process, on the thread that ends it and maybe twice. The other threads
/// may be dead by then. False: it will not be called.
bool hy_os_at_exit(void (*run)(void));

/// True in the process that called it first, false in its forks.
bool hy_os_is_same_process(void);

#endif
