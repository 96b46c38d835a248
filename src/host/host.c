#include "host.h"

#include <assert.h>
#include <math.h>

#include "options/options.h"

// A host that is behind by more than this leaves steps out instead of catching up.
#define BEHIND_MAX_US 250000

#define STEPS_A_TURN 64 // what comes from outside is looked at behind them

static void advance(hy_host *self, double steps)
{
    const double to_us = self->carry_us + steps * self->period_us;
    const double whole_us = floor(to_us);
    self->due_us += (int64_t)whole_us;
    self->carry_us = to_us - whole_us;
}

void hy_host_start(hy_host *self, const char *program, int64_t step_us, double speed, int64_t now_us)
{
    self->program = program;
    self->start_us = self->due_us = now_us;
    self->is_unpaced = speed <= 0.0;
    self->period_us = self->is_unpaced ? (double)step_us : (double)step_us / speed;
    self->carry_us = 0.0;
    self->skipped_us = 0;
    advance(self, 1.0);
}

void hy_host_attach(hy_host *self, const hy_attachment_functions *functions, void *attachment)
{
    assert(self->count < HY_HOST_ATTACHMENTS);
    self->attached[self->count].functions = functions;
    self->attached[self->count++].self = attachment;
}

static void skip_stall(hy_host *self, int64_t now_us)
{
    const int64_t behind_us = now_us - self->due_us;
    if (behind_us <= BEHIND_MAX_US) {
        return;
    }
    const int64_t before_us = self->due_us;
    advance(self, floor((double)behind_us / self->period_us));
    self->skipped_us += self->due_us - before_us;
    hy_print_error(self->program, "host stalled; skipped %.3f s of simulated time",
                   (double)(self->due_us - before_us) * 1e-6);
}

void hy_host_stepped(hy_host *self, const hy_sim *sim)
{
    for (size_t i = 0; i < self->count; i++) {
        if (self->attached[i].functions->on_step != NULL) {
            self->attached[i].functions->on_step(self->attached[i].self, sim);
        }
    }
}

static bool make_steps(hy_host *self, int64_t now_us)
{
    bool goes_on = true;
    if (!self->is_unpaced) {
        skip_stall(self, now_us);
    }
    for (int i = 0; goes_on && i < STEPS_A_TURN && (self->is_unpaced || self->due_us <= now_us); i++) {
        goes_on = self->step(self->context, self->due_us);
        advance(self, 1.0);
    }
    return goes_on;
}

bool hy_host_turn(hy_host *self, int64_t now_us)
{
    const bool goes_on = self->step == NULL || make_steps(self, now_us);
    if (self->take_inputs != NULL) {
        self->take_inputs(self->context, self->is_unpaced ? self->due_us : now_us);
    }
    for (size_t i = 0; i < self->count; i++) {
        if (self->attached[i].functions->on_turn != NULL) {
            self->attached[i].functions->on_turn(self->attached[i].self, now_us);
        }
    }
    return goes_on;
}

int64_t hy_host_origin_us(const hy_host *self)
{
    return self->is_unpaced ? INT64_MIN / 2 : self->start_us;
}

int64_t hy_host_due_us(const hy_host *self)
{
    int64_t due_us = self->step != NULL ? self->due_us : INT64_MAX;
    for (size_t i = 0; i < self->count; i++) {
        const hy_attachment_functions *const functions = self->attached[i].functions;
        const int64_t own_us =
            functions->due_us != NULL ? functions->due_us(self->attached[i].self) : INT64_MAX;
        due_us = own_us < due_us ? own_us : due_us;
    }
    return due_us;
}

void hy_host_close(hy_host *self)
{
    while (self->count > 0) {
        self->count--;
        if (self->attached[self->count].functions->close != NULL) {
            self->attached[self->count].functions->close(self->attached[self->count].self);
        }
    }
}
