// Driving by a script.
#include "drive.h"

#include <halyard/robot.h>

#define PATIENCE_US 5000000 // a robot that is not enabled for so long does not answer any more

// The script's clock stands while a robot is waited for: its times are those of the driving.
static hy_program_wish enable(drive *self)
{
    if (self->state.is_enabled) {
        self->script_us += self->state.now_us - self->waits_since_us;
        self->waits = false;
        self->line++;
        return HY_PROGRAM_GO_ON;
    }
    if (!self->waits) {
        self->waits = true;
        self->waits_since_us = self->state.now_us;
    }
    char help[HY_ROBOT_MISSING_MAX];
    const char *const address = self->state.link[0].address;
    return self->state.now_us - self->waits_since_us < PATIENCE_US
               ? HY_PROGRAM_ENABLE
               : drive_fail(self, "no robot answers at %s; %s", address,
                            hy_robot_missing(address, help));
}

static void obey(drive *self, const script_command *command)
{
    const double max = self->max_effort;
    const double a = command->number[0], b = command->number[1];
    switch (command->verb) {
    case SCRIPT_DRIVE:
        drive_wheels(self, hy_clamp(a, -max, max, 0), hy_clamp(b, -max, max, 0));
        break;
    case SCRIPT_ARCADE: drive_arcade(self, a * max, b * max); break;
    case SCRIPT_MOTOR: self->out.motor[command->channel] = (float)hy_clamp(a, -max, max, 0); break;
    case SCRIPT_SERVO:
        self->out.servos |= (uint8_t)(1u << command->channel);
        self->out.servo[command->channel] = (float)a;
        break;
    case SCRIPT_LED: self->out.led = a != 0.0; break;
    case SCRIPT_SAY:
        output_line(&self->output, "%.*s", (int)command->text.size, (const char *)command->text.data);
        break;
    default: break;
    }
}

hy_program_wish drive_by_script(drive *self)
{
    const script *const lines = &self->script;
    if (self->script_us == 0) {
        self->script_us = self->begin_us;
    }
    while (self->line < lines->count) {
        const script_command *const command = &lines->commands[self->line];
        if (!self->waits && (double)(self->state.now_us - self->script_us) * 1e-6 < command->time_s) {
            return HY_PROGRAM_GO_ON;
        }
        if (command->verb == SCRIPT_ENABLE) {
            const hy_program_wish wish = enable(self);
            if (wish != HY_PROGRAM_GO_ON) {
                return wish;
            }
            continue;
        }
        self->line++;
        if (command->verb == SCRIPT_QUIT) {
            return HY_PROGRAM_END;
        }
        if (command->verb == SCRIPT_DISABLE) {
            return HY_PROGRAM_DISABLE;
        }
        obey(self, command);
    }
    return HY_PROGRAM_END;
}
