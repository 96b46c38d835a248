// What `halyard drive` is to the runner of robot programs: its calls, and what happens without a person.
#include <string.h>

#include "drive.h"

#define PATIENCE_US 5000000 // a robot that does not answer for so long is not there

hy_program_wish drive_wait(drive *self)
{
    (void)self;
    return HY_PROGRAM_GO_ON;
}

// Without a person nothing begins before the robot answers.
static bool has_begun(drive *self)
{
    const hy_program_link *const link = &self->state.link[0];
    if (!self->has_begun && link->statuses > 0) {
        self->has_begun = true;
        self->begin_us = self->state.now_us;
    }
    return self->has_begun;
}

// A drive without a person that did not come to its end.
static void note_failure(drive *self)
{
    static const char disabled[] = "disabled: ";
    const char *why = self->state.message;
    why += strncmp(why, disabled, sizeof disabled - 1) == 0 ? sizeof disabled - 1 : 0;
    if (self->state.has_failed) {
        drive_fail(self, "stopped after %.2f s: %s", drive_clock_s(self), why);
    } else if (self->state.is_ending) {
        drive_fail(self, "interrupted after %.2f s; the robot is stopped", drive_clock_s(self));
    }
}

static hy_program_wish supervise(void *context, const hy_program_state *state)
{
    drive *const self = context;
    const bool had_terminal = self->state.has_terminal, is_first = self->begin_us == 0;
    self->state = *state;
    if (is_first) {
        self->begin_us = state->now_us != 0 ? state->now_us : 1;
        if (state->sim != NULL) {
            drive_show_world(self, state->sim);
        }
    }
    if (state->has_terminal && !had_terminal) {
        screen_forget(&self->screen);
    }
    if (self->plan == NULL) {
        return HY_PROGRAM_GO_ON;
    }
    if (state->is_over || state->is_ending || state->has_failed) {
        note_failure(self);
        return HY_PROGRAM_GO_ON;
    }
    if (!has_begun(self)) {
        return state->now_us - self->begin_us < PATIENCE_US ? HY_PROGRAM_GO_ON : HY_PROGRAM_END;
    }
    return self->plan(self);
}

static void steer(void *context, int64_t now_us)
{
    drive *const self = context;
    if (self->plan == NULL) {
        drive_by_keys(self, now_us);
    }
}

hy_program drive_program(drive *self)
{
    return (hy_program){
        .name = "halyard drive",
        .robots = { { .type = self->type, .of = &self->of, .devices = self } },
        .loop = { .mode = { [HY_MODE_TELEOP] = { .periodic = steer } }, .context = self },
        .key = drive_take_key,
        .draw = drive_draw,
        .supervise = supervise,
    };
}
