#include "host_loop.h"

#include "options/options.h"

void hy_host_loop_init(hy_host_loop *self, const char *program)
{
    *self = (hy_host_loop){ .program = program };
    hy_loop_init(&self->loop);
}

void hy_host_loop_every(hy_host_loop *self, int64_t first_us, int64_t period_us,
                        hy_loop_elapsed *elapsed, void *context)
{
    if (self->status == HY_OK) {
        self->status = hy_loop_every(&self->loop, first_us, period_us, elapsed, context);
    }
}

void hy_host_loop_watch(hy_host_loop *self, intptr_t descriptor, hy_loop_readable *readable,
                        void *context)
{
    if (self->status == HY_OK) {
        self->status = hy_loop_watch(&self->loop, descriptor, readable, context);
    }
}

void hy_host_loop_quit(hy_host_loop *self)
{
    self->is_over = true;
    hy_loop_quit(&self->loop);
}

static void on_signal(void *context, int signal_number)
{
    (void)signal_number;
    hy_host_loop_quit(context);
}

static void on_end(void *context, int64_t now_us)
{
    (void)now_us;
    hy_host_loop_quit(context);
}

void hy_host_loop_end_after(hy_host_loop *self, int64_t start_us, double duration_s)
{
    const int64_t duration_us = (int64_t)(duration_s * 1e6);
    if (duration_us > 0) {
        hy_host_loop_every(self, start_us + duration_us, duration_us + 1, on_end, self);
    }
}

static bool report(const hy_host_loop *self, const char *what)
{
    if (self->status != HY_OK) {
        hy_print_error(self->program, "%s: %s", what, hy_status_text(self->status));
    }
    return self->status == HY_OK;
}

bool hy_host_loop_start(hy_host_loop *self)
{
    if (self->status == HY_OK) {
        self->status = hy_loop_on_signals(&self->loop, on_signal, self);
    }
    return report(self, "cannot start");
}

static bool end(hy_host_loop *self)
{
    hy_loop_on_signals(&self->loop, NULL, NULL);
    return report(self, "stopped");
}

bool hy_host_loop_run(hy_host_loop *self)
{
    if (self->status == HY_OK) {
        self->status = hy_loop_run(&self->loop);
    }
    return end(self);
}

bool hy_host_loop_race(hy_host_loop *self, bool (*goes_on)(void *context), void *context)
{
    do {
        self->status = hy_loop_run_once(&self->loop, 0);
        self->status = self->status == HY_AGAIN ? HY_OK : self->status;
    } while (self->status == HY_OK && !self->is_over && goes_on(context));
    return end(self);
}
