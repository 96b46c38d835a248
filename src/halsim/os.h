/// What the part asks of the operating system beside sockets. One file a system defines all of it.
#ifndef HALYARD_HALSIM_OS_H
#define HALYARD_HALSIM_OS_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

/// The address of a function of the HAL in this process, or NULL.
void *hy_os_hal_symbol(const char *name);

/// A lock for short stretches. Not recursive.
typedef struct {
    alignas(8) unsigned char memory[64];
} os_lock;

void hy_os_lock_init(os_lock *lock);
void hy_os_lock_take(os_lock *lock);
void hy_os_lock_give(os_lock *lock);

/// As take, but gives up after a while: at the end of a process the owner may be dead.
bool hy_os_lock_take_at_exit(os_lock *lock);

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

/// True in the process that called it first, false in its forks.
bool hy_os_is_same_process(void);

#endif
