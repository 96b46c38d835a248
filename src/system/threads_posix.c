#include "system_threads.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__ // where a wait cannot count by another clock
#define WAIT_CLOCK CLOCK_REALTIME
#else
#define WAIT_CLOCK CLOCK_MONOTONIC // setting the date stretches no wait
#endif

// --------------------------------------------------------------------------- time

static int64_t read_clock(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static struct timespec timespec_of(int64_t us)
{
    return (struct timespec){ .tv_sec = (time_t)(us / 1000000),
                              .tv_nsec = (long)(us % 1000000) * 1000 };
}

int64_t hy_time_now_us(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t hy_time_date_us(void)
{
    return read_clock(CLOCK_REALTIME);
}

void hy_time_sleep(int64_t duration_us)
{
    if (duration_us > 0) {
        const struct timespec pause = timespec_of(duration_us);
        (void)nanosleep(&pause, NULL);
    }
}

// --------------------------------------------------------------------------- threads

static void *run_thread(void *thread)
{
    const hy_thread *const self = thread;
    self->run(self->context);
    return NULL;
}

bool hy_thread_start(hy_thread *self, void (*run)(void *context), void *context)
{
    static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE,
                                   SIGILL }; // their handlers give the terminal back
    sigset_t all, before;
    self->run = run;
    self->context = context;
    (void)sigfillset(&all);
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
        (void)sigdelset(&all, crashes[i]);
    }
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&self->id, NULL, run_thread, self);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return error == 0;
}

void hy_thread_join(hy_thread *self)
{
    (void)pthread_join(self->id, NULL);
}

void hy_mutex_init(hy_mutex *self)
{
    (void)pthread_mutex_init(self, NULL);
}

void hy_mutex_close(hy_mutex *self)
{
    (void)pthread_mutex_destroy(self);
}

void hy_mutex_lock(hy_mutex *self)
{
    (void)pthread_mutex_lock(self);
}

bool hy_mutex_try(hy_mutex *self)
{
    return pthread_mutex_trylock(self) == 0;
}

void hy_mutex_unlock(hy_mutex *self)
{
    (void)pthread_mutex_unlock(self);
}

void hy_condition_init(hy_condition *self)
{
    pthread_condattr_t by_clock;
    (void)pthread_condattr_init(&by_clock);
#ifndef __APPLE__
    (void)pthread_condattr_setclock(&by_clock, WAIT_CLOCK);
#endif
    (void)pthread_cond_init(self, &by_clock);
    (void)pthread_condattr_destroy(&by_clock);
}

void hy_condition_close(hy_condition *self)
{
    (void)pthread_cond_destroy(self);
}

void hy_condition_signal(hy_condition *self)
{
    (void)pthread_cond_broadcast(self);
}

void hy_condition_wait(hy_condition *self, hy_mutex *mutex)
{
    (void)pthread_cond_wait(self, mutex);
}

void hy_condition_wait_for(hy_condition *self, hy_mutex *mutex, int64_t duration_us)
{
    const struct timespec until = timespec_of(read_clock(WAIT_CLOCK) + duration_us);
    (void)pthread_cond_timedwait(self, mutex, &until);
}

uint32_t hy_process_id(void)
{
    return (uint32_t)getpid();
}
