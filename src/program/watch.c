#include "watch.h"

#include <halyard/link.h>

#include <stdio.h>

#include "input/input.h"
#include "system/system_signals.h"

#define CHECK_PERIOD_US 100000
#define COUNTED_MAX_US \
    300000 // of the time between two checks: if it is more, the process did not run

static void report(const program_watch *self, const char *call)
{
    char text[256];
    (void)snprintf(text, sizeof text,
                   "\r\n%.60s: %s has not returned for 0.5 s%s.\r\nLook for a loop that does "
                   "not end, or for a call that waits. Ctrl-C ends the program.\r\n",
                   self->program, call,
                   self->in_process ? "" : ", so no commands are sent and the robot stops");
    hy_signals_print(text);
}

static void give_up(const program_watch *self, const char *call)
{
    char text[160];
    (void)snprintf(text, sizeof text, "%.60s: %s never returned; the program ends\r\n",
                   self->program, call);
    hy_signals_print(text);
    hy_signals_exit(1); // no exit(): the call may hold any lock
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
        hy_signals_end_in_order();
    }
    if (!is_running) {
        return;
    }
    count_time(self, began_us, hy_clock_now_us());
    if (began_us != self->reported_us && self->takes_us >= PROGRAM_WATCH_LIMIT_US) {
        self->reported_us = began_us;
        // What runs can hold any lock, so nothing is closed in order: commands have ceased already.
        hy_signals_end_at_once(hy_terminal_close);
        report(self, call);
    }
    if (self->gives_up_us > 0 && self->takes_us >= self->gives_up_us) {
        give_up(self, call);
    }
}

static void watch(void *context)
{
    program_watch *const self = context;
    hy_mutex_lock(&self->mutex);
    while (!self->is_over) {
        hy_condition_wait_for(&self->wake, &self->mutex, CHECK_PERIOD_US);
        check(self);
    }
    hy_mutex_unlock(&self->mutex);
}

void program_watch_start(program_watch *self, const char *program)
{
    self->program = program;
    atomic_init(&self->call, NULL);
    atomic_init(&self->began_us, 0);
    self->reported_us = 0;
    self->is_over = false;
    hy_mutex_init(&self->mutex);
    hy_condition_init(&self->wake);
    self->is_running = hy_thread_start(&self->thread, watch, self);
}

void program_watch_end(program_watch *self)
{
    if (self->is_running) {
        hy_mutex_lock(&self->mutex);
        self->is_over = true;
        hy_condition_signal(&self->wake);
        hy_mutex_unlock(&self->mutex);
        hy_thread_join(&self->thread);
        self->is_running = false;
        hy_signals_end_in_order();
    }
    hy_condition_close(&self->wake);
    hy_mutex_close(&self->mutex);
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
