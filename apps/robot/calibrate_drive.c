// The script of a calibration as a robot program: whatever ends it early, the robot is stopped.
#include "calibrate.h"

#include <halyard/robots.h>

#include <stdio.h>
#include <string.h>

#include "cli/app.h"

#define COMMAND     "halyard calibrate"
#define PATIENCE_US 5000000 // a robot that does not answer for so long is not there
#define TENTHS      10
#define DISABLED    "disabled: " // what the message begins with after an end that the runner saw

static bool fail(const char *why)
{
    hy_print_error(COMMAND, "%s; the robot is stopped, and nothing is written", why);
    return false;
}

static void take_key(void *context, const hy_key_event *event, int64_t now_us)
{
    (void)now_us;
    calibrate_drive *const self = context;
    if (event->what == HY_KEY_PRESS) {
        self->is_stopped_by_key = true;
    }
}

static void begin(void *context, int64_t now_us)
{
    calibrate_drive *const self = context;
    hy_calibration_begin(&self->drive, now_us);
    self->has_begun = true;
}

// On the terminal in every turn, else a line for every tenth of the script.
static void show_progress(calibrate_drive *self, const hy_program_state *state)
{
    const double at_s = (double)(state->now_us - self->drive.begin_us) * 1e-6;
    const double whole_s = hy_calibration_script_s();
    const unsigned tenths = (unsigned)(TENTHS * at_s / whole_s);
    if (self->is_quiet || (!state->has_terminal && tenths == self->tenths)) {
        return;
    }
    self->tenths = tenths;
    const char *const what = self->drive.piece != NULL ? self->drive.piece->what : "rest";
    hy_program_set_status("calibration: %.0f of %.0f s, %s%s", at_s, whole_s, what,
                          state->has_terminal ? "; any key stops" : "");
}

// Why the drive ends early, once it does. The last call comes when all robots have stopped: a key ended the run then.
static void note_end(calibrate_drive *self, const hy_program_state *state)
{
    if (self->why[0] != '\0' || self->drive.is_done || !self->has_begun) {
        return;
    }
    if (self->is_stopped_by_key || (state->is_over && !state->is_ending)) {
        snprintf(self->why, sizeof self->why, "stopped by key");
    } else if (state->is_ending) {
        snprintf(self->why, sizeof self->why, "stopped by a signal");
    } else if (!self->drive.is_running) {
        const bool is_disabled = strncmp(state->message, DISABLED, strlen(DISABLED)) == 0;
        snprintf(self->why, sizeof self->why, "%s",
                 is_disabled ? state->message + strlen(DISABLED)
                             : "the robot started again in the middle of the drive");
    }
}

static hy_program_wish supervise(void *context, const hy_program_state *state)
{
    calibrate_drive *const self = context;
    self->began_us = self->began_us != 0 ? self->began_us : state->now_us + 1;
    note_end(self, state);
    if (state->is_over || state->is_ending || state->has_failed) {
        return HY_PROGRAM_GO_ON;
    }
    const bool is_silent = state->link[0].statuses == 0;
    if (self->drive.is_done || self->is_stopped_by_key ||
        (self->has_begun && !self->drive.is_running) ||
        (is_silent && state->now_us - self->began_us > PATIENCE_US)) {
        return HY_PROGRAM_END;
    }
    if (!self->has_begun) {
        return HY_PROGRAM_ENABLE;
    }
    show_progress(self, state);
    return HY_PROGRAM_GO_ON;
}

bool calibrate_drive_script(calibrate_drive *self, const hy_program_options *options)
{
    self->drive = (hy_calibration_drive){ .log = self->log };
    const hy_program program = {
        .name = "halyard calibrate",
        .robots = { { .type = hy_robot_type_of_devices(&hy_xrp_devices),
                      .of = &hy_calibration_devices,
                      .devices = &self->drive } },
        .loop = { .mode = { [HY_MODE_AUTONOMOUS] = { .init = begin } }, .context = self },
        .key = take_key,
        .supervise = supervise,
    };
    hy_program_outcome outcome = { .error = "" };
    const int result = hy_program_execute(&program, options, &outcome);
    if (self->drive.is_done) {
        return true;
    }
    if (result != APP_OK && !self->has_begun) {
        return false; // it has been said why
    }
    return fail(self->why[0] != '\0'      ? self->why
                : self->is_stopped_by_key ? "stopped by key"
                                          : "no robot answers");
}
