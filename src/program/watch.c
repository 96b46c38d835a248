#include "watch.h"

#include <halyard/link.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "input/input.h"

#define CHECK_PERIOD_NS 100000000L
#define COUNTED_MAX_US \
    300000 // of the time between two checks: if it is more, the process did not run

static const int ending_signals[PROGRAM_WATCH_SIGNALS] = { SIGINT, SIGTERM, SIGHUP };

// What runs can hold any lock, so nothing is closed in order: commands have ceased already, and the terminal is given back.
static void end_now(int number)
{
    hy_terminal_close();
    _exit(128 + number);
}

// The loop that would hear of a signal does not run: until it does, signals end the program themselves.
static void take_signals(program_watch *self)
{
    struct sigaction action = { .sa_handler = end_now };
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < PROGRAM_WATCH_SIGNALS; i++) {
        sigaction(ending_signals[i], NULL, &self->before[i]);
        if (self->before[i].sa_handler != SIG_IGN) {
            sigaction(ending_signals[i], &action, NULL);
        }
    }
    self->has_signals = true;
}

static void give_signals_back(program_watch *self)
{
    for (size_t i = 0; self->has_signals && i < PROGRAM_WATCH_SIGNALS; i++) {
        sigaction(ending_signals[i], &self->before[i], NULL);
    }
    self->has_signals = false;
}

// One write(2): no buffer of the C library's, whose lock the call may hold.
static void report(const program_watch *self, const char *call)
{
    char text[256];
    const int size =
        snprintf(text, sizeof text,
                 "\r\n%.60s: %s has not returned for 0.5 s%s.\r\nLook for a loop that does "
                 "not end, or for a call that waits. Ctrl-C ends the program.\r\n",
                 self->program, call,
                 self->in_process ? "" : ", so no commands are sent and the robot stops");
    if (size > 0 && write(STDERR_FILENO, text, strlen(text)) < 0) {
        return; // nobody reads it
    }
}

static void give_up(const program_watch *self, const char *call)
{
    char text[160];
    const int size = snprintf(text, sizeof text, "%.60s: %s never returned; the program ends\r\n",
                              self->program, call);
    if (size > 0 && write(STDERR_FILENO, text, strlen(text)) < 0) {
        _exit(1); // nobody reads it
    }
    _exit(1); // no exit(): the call may hold any lock
}

// How long the call takes, without the time for which the whole process was stopped: by SIGSTOP, or in a debugger.
static void count_time(program_watch *self, int64_t began_us, int64_t now_us)
{
    const bool is_same = began_us == self->seen_us;
    const int64_t passed_us = now_us - (is_same ? self->checked_us : began_us);
    self->takes_us =
        (is_same ? self->takes_us : 0) + (passed_us < COUNTED_MAX_US ? passed_us : COUNTED_MAX_US);
    self->seen_us = began_us;
    self->checked_us = now_us;
}

static void check(program_watch *self)
{
    const int64_t began_us = atomic_load(&self->began_us);
    const char *const call = atomic_load(&self->call);
    const bool is_running = call != NULL && began_us == atomic_load(&self->began_us);
    if (!is_running || began_us != self->reported_us) {
        give_signals_back(self);
    }
    if (!is_running) {
        return;
    }
    count_time(self, began_us, hy_clock_now_us());
    if (began_us != self->reported_us && self->takes_us >= PROGRAM_WATCH_LIMIT_US) {
        self->reported_us = began_us;
        take_signals(self);
        report(self, call);
    }
    if (self->gives_up_us > 0 && self->takes_us >= self->gives_up_us) {
        give_up(self, call);
    }
}

static void *watch(void *context)
{
    program_watch *const self = context;
    pthread_mutex_lock(&self->mutex);
    while (!self->is_over) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until); // what pthread_cond_timedwait() counts by
        until.tv_nsec += CHECK_PERIOD_NS;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&self->wake, &self->mutex, &until);
        check(self);
    }
    pthread_mutex_unlock(&self->mutex);
    return NULL;
}

void program_watch_start(program_watch *self, const char *program)
{
    self->program = program;
    atomic_init(&self->call, NULL);
    atomic_init(&self->began_us, 0);
    self->reported_us = 0;
    self->is_over = false;
    pthread_mutex_init(&self->mutex, NULL);
    pthread_cond_init(&self->wake, NULL);
    sigset_t all, before; // signals belong to the thread that runs the program: they end its waits
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    self->is_running = pthread_create(&self->thread, NULL, watch, self) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void program_watch_end(program_watch *self)
{
    if (self->is_running) {
        pthread_mutex_lock(&self->mutex);
        self->is_over = true;
        pthread_cond_signal(&self->wake);
        pthread_mutex_unlock(&self->mutex);
        pthread_join(self->thread, NULL);
        self->is_running = false;
        give_signals_back(self);
    }
    pthread_cond_destroy(&self->wake);
    pthread_mutex_destroy(&self->mutex);
}

void program_watch_call(void *context, const char *call)
{
    program_watch *const self = context;
    // Never a new time with the old call: that would look like one that has just begun, or not at all.
    atomic_store(&self->call, NULL);
    if (call != NULL) {
        atomic_store(&self->began_us, hy_clock_now_us());
        atomic_store(&self->call, call);
    }
}
