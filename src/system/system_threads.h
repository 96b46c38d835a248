// Time and threads. Only the types know the system: whoever includes this names none of its functions.
#ifndef HALYARD_SYSTEM_THREADS_H
#define HALYARD_SYSTEM_THREADS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

// --------------------------------------------------------------------------- time

/// The clock of hy_clock_now_us(), for parts that use no links: it never goes back.
int64_t hy_time_now_us(void);

/// Since 1970 in UTC; somebody may set this clock.
int64_t hy_time_date_us(void);

/// A signal may end it early. Not positive: returns at once.
void hy_time_sleep(int64_t duration_us);

// --------------------------------------------------------------------------- threads

typedef struct {
    // Private.
    pthread_t id;
    void (*run)(void *context);
    void *context;
} hy_thread;

/// Runs `run` in a new thread, which no signal but that of its own crash interrupts: they belong to the thread of the program. False with errno if there is none.
/// `self` stays where it is until hy_thread_join().
bool hy_thread_start(hy_thread *self, void (*run)(void *context), void *context);

/// Waits for its end.
void hy_thread_join(hy_thread *self);

/// Not recursive.
typedef pthread_mutex_t hy_mutex;

#define HY_MUTEX_INIT \
    PTHREAD_MUTEX_INITIALIZER ///< Instead of hy_mutex_init(), for one that is static.

void hy_mutex_init(hy_mutex *self);
void hy_mutex_close(hy_mutex *self);
void hy_mutex_lock(hy_mutex *self);
bool hy_mutex_try(hy_mutex *self); ///< False: another thread has it.
void hy_mutex_unlock(hy_mutex *self);

/// Threads wait for it with the mutex of what they wait for; a wait may end without a signal.
typedef pthread_cond_t hy_condition;

#define HY_CONDITION_INIT \
    PTHREAD_COND_INITIALIZER ///< Instead of hy_condition_init(), for one that is static and waited for without a limit.

void hy_condition_init(hy_condition *self);
void hy_condition_close(hy_condition *self);
void hy_condition_signal(hy_condition *self); ///< All that wait.
void hy_condition_wait(hy_condition *self, hy_mutex *mutex);
void hy_condition_wait_for(hy_condition *self, hy_mutex *mutex, int64_t duration_us);

/// Of this process: a fork of it has another.
uint32_t hy_process_id(void);

#endif
