// Driving without a person: a script, or just time that passes.
#include <halyard/robot.h>

#include "drive.h"

#define STEP_US     10000   // how often a script looks at the clock
#define PATIENCE_US 5000000 // a robot that does not answer for so long is not there

enum { DIO_LED = 1 };

typedef struct {
    session *on;
    const drive_plan *plan;
    int64_t start_us; // zero of the script's clock
    int64_t end_us;   // of the plan's duration
    bool wants_enabled, over;
} script_drive;

static double clock_s(const script_drive *self)
{
    return (double)(hy_clock_now_us() - self->start_us) * 1e-6;
}

// Lets a moment pass. False, after a sentence, if the drive cannot go on.
static bool pass(script_drive *self, int64_t duration_us)
{
    hy_robot *const robot = self->on->robot;
    const bool goes_on = hy_robot_wait(robot, duration_us);
    session_update(self->on);
    if (!goes_on) {
        return session_fail(self->on, "interrupted after %.2f s; the robot is stopped",
                            clock_s(self));
    }
    if (self->wants_enabled && !hy_robot_is_enabled(robot)) {
        return session_fail(
            self->on, "stopped after %.2f s: the robot was silent, or this program was held up",
            clock_s(self));
    }
    self->over = self->over || hy_clock_now_us() >= self->end_us;
    return true;
}

static bool wait_for_robot(script_drive *self)
{
    const int64_t began_us = hy_clock_now_us();
    while (!hy_robot_is_up(self->on->robot, hy_clock_now_us())) {
        if (hy_clock_now_us() - began_us > PATIENCE_US) {
            const hy_endpoint at = hy_robot_get_address(self->on->robot);
            char address[HY_ENDPOINT_TEXT_MAX];
            return session_fail(self->on,
                                "no robot answers at %s; is it on, and is the address right?",
                                hy_endpoint_format(&at, address));
        }
        if (!pass(self, STEP_US)) {
            return false;
        }
    }
    return true;
}

// The script's clock stands meanwhile: its times are those of the driving.
static bool enable(script_drive *self)
{
    const int64_t began_us = hy_clock_now_us();
    while (!hy_robot_enable(self->on->robot)) { // a stop may still be under way
        if (!wait_for_robot(self) || !pass(self, STEP_US)) {
            return false;
        }
    }
    self->wants_enabled = true;
    self->start_us += hy_clock_now_us() - began_us;
    return true;
}

static bool obey(script_drive *self, const script_command *command)
{
    hy_robot *const robot = self->on->robot;
    const double max = self->plan->max_effort;
    const double a = command->number[0], b = command->number[1];
    switch (command->verb) {
    case SCRIPT_ENABLE: return enable(self);
    case SCRIPT_DISABLE:
        self->wants_enabled = false;
        hy_robot_disable(robot);
        return true;
    case SCRIPT_DRIVE:
        session_drive(self->on, hy_clamp(a, -max, max, 0), hy_clamp(b, -max, max, 0));
        return true;
    case SCRIPT_ARCADE: session_arcade(self->on, a * max, b * max); return true;
    case SCRIPT_MOTOR:
        hy_robot_set_motor(robot, command->channel, (float)hy_clamp(a, -max, max, 0));
        return true;
    case SCRIPT_SERVO: hy_robot_set_servo(robot, command->channel, (float)a); return true;
    case SCRIPT_LED: hy_robot_set_dio(robot, DIO_LED, a != 0.0); return true;
    case SCRIPT_SAY:
        output_line(&self->on->output, "%.*s", (int)command->text.size,
                    (const char *)command->text.data);
        return true;
    case SCRIPT_QUIT: self->over = true; return true;
    default: return true;
    }
}

static bool wait_until(script_drive *self, double time_s)
{
    while (!self->over) {
        const double left_s = time_s - clock_s(self);
        if (left_s <= 0.0) {
            break;
        }
        const int64_t left_us = (int64_t)(left_s * 1e6) + 1;
        if (!pass(self, left_us < STEP_US ? left_us : STEP_US)) {
            return false;
        }
    }
    return true;
}

static bool follow(script_drive *self)
{
    const script *const lines = self->plan->script;
    for (size_t i = 0; i < lines->count && !self->over; i++) {
        const script_command *const command = &lines->commands[i];
        if (!wait_until(self, command->time_s) || (!self->over && !obey(self, command))) {
            return false;
        }
    }
    return true;
}

void drive_by_script(session *on, const drive_plan *plan)
{
    script_drive self = { .on = on, .plan = plan, .start_us = hy_clock_now_us(), .end_us = INT64_MAX };
    if (!wait_for_robot(&self)) {
        return;
    }
    self.start_us = hy_clock_now_us();
    if (plan->duration_s > 0.0) {
        self.end_us = self.start_us + (int64_t)(plan->duration_s * 1e6);
    }
    if (plan->enable && !enable(&self)) {
        return;
    }
    if (plan->script != NULL) {
        (void)follow(&self);
        return;
    }
    while (!self.over && pass(&self, STEP_US)) {
    }
}
