// One robot over one link: opening, closing, polling, commands.
#include <halyard/robot.h>
#include <halyard/robots.h>

#include <stdio.h>
#include <stdlib.h>

#include "ending.h"
#include "exchange.h"
#include "system/system_sockets.h"
#include "url.h"

#define MISSED_US 2000000 // after so long without an answer a person is told what to do

// --------------------------------------------------------------------------- open and close

static hy_status connect_to(hy_robot *self, const char *url)
{
    const int found = hy_robot_resolve(url, &self->dialect, self->addresses, HY_ROBOT_ADDRESSES);
    if (found < 0) {
        return (hy_status)found;
    }
    self->address_count = (size_t)found;
    self->status_us = INT64_MIN;
    hy_peer_init(&self->peer, self->dialect, HY_ROBOT_SILENCE_US);
    const int64_t now_us = hy_clock_now_us();
    self->opened_us = self->send_due_us = self->polled_us = now_us;
    return hy_robot_use_address(self, 0, now_us);
}

hy_status hy_robot_open(hy_robot **out, const char *url)
{
    *out = NULL;
    hy_robot *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return HY_EMEMORY;
    }
    hy_status status = connect_to(self, url);
    if (status == HY_OK) {
        status = hy_ending_add(self);
    }
    if (status != HY_OK) {
        hy_link_close(&self->link);
        free(self);
        return status;
    }
    *out = self;
    return HY_OK;
}

void hy_robot_close(hy_robot *self)
{
    if (self == NULL) {
        return;
    }
    if (!self->emergency_stopped) { // which stopped it for good
        hy_robot_disable(self);
    }
    hy_ending_remove(self);
    hy_link_close(&self->link);
    free(self->air);
    free(self);
}

// --------------------------------------------------------------------------- polling

void hy_robot_poll(hy_robot *self, int64_t now_us)
{
    hy_robot_exchange(self, now_us);
    hy_ending_suspend(self, now_us);
}

intptr_t hy_robot_descriptor(const hy_robot *self)
{
    return self->link.is_open ? hy_link_descriptor(&self->link) : -1;
}

// The loop of a program of a few lines has no other words. One that stops has.
static void say_that_nobody_answers(hy_robot *self, int64_t now_us)
{
    if (self->is_missed || self->counters.statuses > 0 || self->emergency_stopped ||
        now_us - self->opened_us < MISSED_US || hy_robot_is_ending()) {
        return;
    }
    char address[HY_ENDPOINT_TEXT_MAX], text[HY_ROBOT_MISSING_MAX];
    self->is_missed = true;
    fprintf(stderr, "no robot answers at %s://%s yet; %s\n", self->dialect->name,
            hy_endpoint_format(&self->address, address),
            hy_robot_missing_at(self->dialect, &self->address, text));
}

bool hy_robot_wait(hy_robot *self, int64_t duration_us)
{
    const int64_t start_us = hy_clock_now_us();
    // "For ever" is a duration too.
    const int64_t end_us = duration_us > INT64_MAX - start_us ? INT64_MAX : start_us + duration_us;
    for (;;) {
        const int64_t now_us = hy_clock_now_us();
        hy_robot_poll(self, now_us);
        say_that_nobody_answers(self, now_us);
        const bool is_over = hy_robot_is_ending() ? hy_robot_is_stopped(self) : now_us >= end_us;
        if (is_over) {
            return !hy_robot_is_ending();
        }
        int64_t until_us = hy_robot_due_us(self);
        if (end_us < until_us && !hy_robot_is_ending()) {
            until_us = end_us;
        }
        (void)hy_wait_to_read(hy_robot_descriptor(self), -1, until_us - now_us);
    }
}

// --------------------------------------------------------------------------- commands

bool hy_robot_set_motor(hy_robot *self, unsigned motor, float effort)
{
    if (motor >= self->dialect->motors) {
        return false;
    }
    self->peer.commander.command.motors |= (uint8_t)(1u << motor);
    // + 0: a motor at rest is sent as 0, never as -0.
    self->peer.commander.command.motor[motor] =
        (float)hy_clamp((double)effort, -1.0, 1.0, 0.0) + 0.0f;
    return true;
}

bool hy_robot_set_efforts(hy_robot *self, double left, double right)
{
    const hy_robot_type *const type = hy_robot_type_of_dialect(self->dialect);
    const hy_robot_wheels *const wheels = type != NULL ? type->wheels : NULL;
    return wheels != NULL &&
           hy_robot_set_motor(self, wheels->left_motor,
                              (float)(wheels->left_is_inverted ? -left : left)) &&
           hy_robot_set_motor(self, wheels->right_motor,
                              (float)(wheels->right_is_inverted ? -right : right));
}

bool hy_robot_set_servo(hy_robot *self, unsigned servo, float position)
{
    if (servo >= self->dialect->servos || position != position) {
        return false;
    }
    self->peer.commander.command.servos |= (uint8_t)(1u << servo);
    self->peer.commander.command.servo[servo] = (float)hy_clamp((double)position, 0.0, 1.0, 0.0);
    return true;
}

bool hy_robot_set_dio(hy_robot *self, unsigned dio, bool level)
{
    if (dio >= self->dialect->dios) {
        return false;
    }
    const uint32_t bit = (uint32_t)1 << dio;
    hy_wire_command *const command = &self->peer.commander.command;
    command->dios |= bit;
    command->dio_levels = level ? command->dio_levels | bit : command->dio_levels & ~bit;
    return true;
}

void hy_robot_set_command(hy_robot *self, const hy_wire_command *command)
{
    hy_wire_command *const to = &self->peer.commander.command;
    const uint16_t seq = to->seq;
    const uint8_t control = to->control;
    *to = *command;
    to->seq = seq;
    to->control = control;
}

// --------------------------------------------------------------------------- how the link does

static double share(uint64_t part, uint64_t rest)
{
    return part == 0 ? 0.0 : (double)part / (double)(part + rest);
}

hy_robot_figures hy_robot_measure(const hy_robot *self, int64_t now_us)
{
    hy_robot_figures figures = { .age_us = INT64_MAX };
    const uint64_t statuses = self->counters.statuses;
    if (statuses == 0) {
        return figures;
    }
    // The status may have come after the caller looked at the clock.
    figures.age_us = now_us > self->status_us ? now_us - self->status_us : 0;
    figures.loss_total = share(self->peer.gate.lost, self->peer.gate.accepted);
    const uint64_t newest = statuses - 1;
    uint64_t oldest = newest;
    while (oldest > 0 && newest - oldest + 1 < HY_ROBOT_WINDOW &&
           now_us - self->window[(oldest - 1) % HY_ROBOT_WINDOW].at_us < HY_ROBOT_WINDOW_US) {
        oldest--;
    }
    const int64_t span_us = self->status_us - self->window[oldest % HY_ROBOT_WINDOW].at_us;
    if (span_us > 0 && figures.age_us < HY_ROBOT_SILENCE_US) {
        figures.rate_hz = (double)(newest - oldest) * 1e6 / (double)span_us;
    }
    figures.loss =
        share(self->peer.gate.lost - self->window[oldest % HY_ROBOT_WINDOW].lost, newest - oldest);
    return figures;
}
