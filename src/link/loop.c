#include "system.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define UNUSED (-1) // as a descriptor; poll(2) skips negative ones

// --------------------------------------------------------------------------- signals

/// Signals belong to the process, so this one thing here is global. The handler only writes the
/// signal's number into a pipe, and the loop reads it there (the "self-pipe").
static struct {
    hy_loop *owner; ///< NULL: the signals are the system's.
    int read_end, write_end;
    volatile sig_atomic_t unwritten; ///< A number that did not get into the pipe; 0: none.
    struct sigaction before[3];
} reported;

static const int signal_numbers[3] = { SIGINT, SIGTERM, SIGHUP };

static void write_number(int number)
{
    const int error = errno;
    const uint8_t byte = (uint8_t)number;
    if (write(reported.write_end, &byte, 1) != 1) { // the signal itself ends the loop's wait
        reported.unwritten = number;
    }
    errno = error;
}

static bool open_pipe(void)
{
    int ends[2];
    if (pipe(ends) < 0) {
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    reported.read_end = ends[0];
    reported.write_end = ends[1];
    return true;
}

static void give_back_signals(void)
{
    for (size_t i = 0; i < 3; i++) {
        sigaction(signal_numbers[i], &reported.before[i], NULL);
    }
    close(reported.read_end);
    close(reported.write_end);
    reported.owner = NULL;
}

static void take_signals(void)
{
    struct sigaction action = { .sa_handler = write_number, .sa_flags = SA_RESTART };
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < 3; i++) {
        sigaction(signal_numbers[i], &action, &reported.before[i]);
        if (signal_numbers[i] == SIGHUP && reported.before[i].sa_handler == SIG_IGN) {
            sigaction(SIGHUP, &reported.before[i], NULL); // nohup(1): stay deaf to it
        }
    }
}

hy_status hy_loop_on_signals(hy_loop *self, hy_loop_signalled *signalled, void *context)
{
    if (reported.owner != NULL && reported.owner != self) {
        return HY_EFULL;
    }
    if (signalled == NULL) {
        if (reported.owner == self) {
            give_back_signals();
        }
        return HY_OK;
    }
    self->signalled = signalled;
    self->signal_context = context;
    if (reported.owner == self) {
        return HY_OK;
    }
    if (!open_pipe()) {
        return HY_ESYSTEM;
    }
    reported.owner = self;
    take_signals();
    return HY_OK;
}

static void report_signals(hy_loop *self)
{
    uint8_t numbers[16];
    const ssize_t count = read(reported.read_end, numbers, sizeof numbers);
    // The callback may give the signals back, or ask the loop to end.
    for (ssize_t i = 0; i < count && reported.owner == self && !self->quit; i++) {
        self->signalled(self->signal_context, numbers[i]);
    }
    const int unwritten = reported.unwritten;
    reported.unwritten = 0;
    if (unwritten != 0 && reported.owner == self && !self->quit) {
        self->signalled(self->signal_context, unwritten);
    }
}

// --------------------------------------------------------------------------- setting up

void hy_loop_init(hy_loop *self)
{
    memset(self, 0, sizeof *self);
}

hy_status hy_loop_watch(hy_loop *self, intptr_t descriptor, hy_loop_readable *readable, void *context)
{
    assert(descriptor >= 0);
    size_t slot = 0;
    while (slot < self->source_count && self->sources[slot].descriptor != UNUSED) {
        slot++;
    }
    if (slot == HY_LOOP_SOURCES) {
        return HY_EFULL;
    }
    self->sources[slot].descriptor = descriptor;
    self->sources[slot].readable = readable;
    self->sources[slot].context = context;
    self->source_count += slot == self->source_count ? 1 : 0;
    return HY_OK;
}

void hy_loop_forget(hy_loop *self, intptr_t descriptor)
{
    for (size_t i = 0; i < self->source_count; i++) {
        if (self->sources[i].descriptor == descriptor) {
            self->sources[i].descriptor = UNUSED;
        }
    }
}

hy_status hy_loop_every(hy_loop *self, int64_t first_us, int64_t period_us,
                        hy_loop_elapsed *elapsed, void *context)
{
    assert(period_us > 0);
    if (self->timer_count == HY_LOOP_TIMERS) {
        return HY_EFULL;
    }
    const size_t slot = self->timer_count++;
    self->timers[slot].due_us = first_us;
    self->timers[slot].period_us = period_us;
    self->timers[slot].elapsed = elapsed;
    self->timers[slot].context = context;
    return HY_OK;
}

void hy_loop_postpone(hy_loop *self, hy_loop_elapsed *elapsed, const void *context, int64_t due_us)
{
    for (size_t i = 0; i < self->timer_count; i++) {
        if (self->timers[i].elapsed == elapsed && self->timers[i].context == context) {
            self->timers[i].due_us = due_us;
        }
    }
}

void hy_loop_quit(hy_loop *self)
{
    self->quit = true;
}

// --------------------------------------------------------------------------- running

/// `wait_us`, or less if a timer is due before.
static int64_t wait_until_due(const hy_loop *self, int64_t wait_us)
{
    int64_t shortest_us = wait_us > 0 ? wait_us : 0;
    const int64_t now_us = self->timer_count > 0 ? hy_clock_now_us() : 0;
    for (size_t i = 0; i < self->timer_count; i++) {
        const int64_t left_us = self->timers[i].due_us - now_us;
        shortest_us = left_us < 0 ? 0 : left_us < shortest_us ? left_us : shortest_us;
    }
    return shortest_us;
}

static bool run_timers(hy_loop *self)
{
    bool any = false;
    for (size_t i = 0; i < self->timer_count && !self->quit; i++) {
        const int64_t now_us = hy_clock_now_us();
        int64_t *due_us = &self->timers[i].due_us;
        const int64_t period_us = self->timers[i].period_us;
        if (now_us >= *due_us) {
            *due_us += ((now_us - *due_us) / period_us + 1) * period_us;
            self->timers[i].elapsed(self->timers[i].context, now_us);
            any = true;
        }
    }
    return any;
}

/// Calls the sources that `ready` found readable, or broken: reading tells them how. HY_ESYSTEM if
/// one was closed and not forgotten.
static hy_status run_sources(hy_loop *self, const struct pollfd *ready, size_t count)
{
    for (size_t i = 0; i < count && !self->quit; i++) {
        if ((ready[i].revents & POLLNVAL) != 0) {
            return HY_ESYSTEM;
        }
        // A callback before this one may have put another descriptor here.
        if (ready[i].revents != 0 && ready[i].fd == self->sources[i].descriptor) {
            self->sources[i].readable(self->sources[i].context, hy_clock_now_us());
        }
    }
    return HY_OK;
}

/// One wait, and the calls that follow from it.
static hy_status take_turn(hy_loop *self, int64_t wait_us)
{
    struct pollfd watched[HY_LOOP_SOURCES + 1];
    const size_t sources = self->source_count;
    for (size_t i = 0; i < sources; i++) {
        watched[i] = (struct pollfd){ .fd = (int)self->sources[i].descriptor, .events = POLLIN };
    }
    const bool has_signals = reported.owner == self;
    watched[sources] =
        (struct pollfd){ .fd = has_signals ? reported.read_end : UNUSED, .events = POLLIN };

    const int ready = hy_system_wait(watched, sources + 1, wait_until_due(self, wait_us));
    if (ready < 0 && errno != EINTR) {
        return HY_ESYSTEM;
    }
    if (reported.owner == self && reported.unwritten != 0) {
        report_signals(self);
    }
    if (ready > 0) {
        if (watched[sources].revents != 0) {
            report_signals(self);
        }
        const hy_status status = run_sources(self, watched, sources);
        if (status != HY_OK) {
            return status;
        }
    }
    const bool any_timer = run_timers(self);
    return ready > 0 || any_timer ? HY_OK : HY_AGAIN;
}

hy_status hy_loop_run(hy_loop *self)
{
    hy_status status = HY_OK;
    while (!self->quit && (status == HY_OK || status == HY_AGAIN)) {
        status = take_turn(self, INT64_MAX);
    }
    self->quit = false;
    return status == HY_AGAIN ? HY_OK : status;
}

hy_status hy_loop_run_once(hy_loop *self, int64_t wait_us)
{
    const hy_status status = take_turn(self, wait_us);
    self->quit = false;
    return status;
}
