#include "core_record.h"

#include <halyard/telemetry_structs.h>

#define PERIOD_US      20000
#define SLOW_PERIOD_US 500000

#define FIELD(member, text, type)                                                          \
    {                                                                                      \
        .name = text, .kind = HY_FIELD_##type, .offset = offsetof(hy_icd_commands, member) \
    }
static const hy_struct_field command_fields[] = {
    FIELD(left_drive, "leftDrive", INT32),
    FIELD(right_drive, "rightDrive", INT32),
    FIELD(intake_center, "intakeCenter", INT32),
    FIELD(intake_left, "intakeLeft", INT32),
    FIELD(intake_right, "intakeRight", INT32),
    FIELD(tube, "tube", INT32),
    FIELD(timer_start_stop, "timerStartStop", BOOL),
    FIELD(reset, "reset", BOOL),
    FIELD(outtake, "outtake", BOOL),
};
static const hy_struct_type command_type = { "CoreCommands", command_fields,
                                             sizeof command_fields / sizeof *command_fields,
                                             sizeof(hy_icd_commands) };
_Static_assert(sizeof(int) == sizeof(int32_t), "motor speeds are recorded as they are");

static hy_channel declare(const core_record *self, hy_channel_spec spec)
{
    return hy_telemetry_declare(self->run.telemetry, &spec);
}

void core_record_declare(core_record *self)
{
    if (self->run.telemetry == NULL) {
        return;
    }
    self->sticks = stick_channels_declare(self->run.telemetry, 0);
    self->pose = declare(self, (hy_channel_spec){ .name = "/Robot/Sensors/Pose",
                                                  .kind = HY_CHANNEL_STRUCT,
                                                  .type = &hy_struct_pose2d });
    self->encoders = declare(self, (hy_channel_spec){ .name = "/Robot/Sensors/Encoders",
                                                      .kind = HY_CHANNEL_INT64_ARRAY,
                                                      .unit = "counts" });
    self->pieces =
        declare(self, (hy_channel_spec){ .name = "/Robot/Pieces", .kind = HY_CHANNEL_INT64 });
    self->commands = declare(self, (hy_channel_spec){ .name = "/Robot/Commands",
                                                      .kind = HY_CHANNEL_STRUCT,
                                                      .type = &command_type });
    self->joystick_up = declare(self, (hy_channel_spec){ .name = "/Robot/Link/JoystickConnected",
                                                         .kind = HY_CHANNEL_BOOLEAN });
    self->sim_up = declare(
        self, (hy_channel_spec){ .name = "/Robot/Link/SimConnected", .kind = HY_CHANNEL_BOOLEAN });
    self->enabled =
        declare(self, (hy_channel_spec){
                          .name = "DS:enabled", .kind = HY_CHANNEL_BOOLEAN, .is_file_only = true });
    self->messages = declare(
        self,
        (hy_channel_spec){ .name = "messages", .kind = HY_CHANNEL_STRING, .is_file_only = true });
}

static bool commands_differ(const hy_icd_commands *a, const hy_icd_commands *b)
{
    return a->left_drive != b->left_drive || a->right_drive != b->right_drive ||
           a->intake_center != b->intake_center || a->intake_left != b->intake_left ||
           a->intake_right != b->intake_right || a->tube != b->tube ||
           a->timer_start_stop != b->timer_start_stop || a->reset != b->reset ||
           a->outtake != b->outtake;
}

static void put_slow(core_record *self, const hy_core_input *in)
{
    hy_telemetry *const to = self->run.telemetry;
    hy_telemetry_put_boolean(to, self->joystick_up, in->joystick_up);
    hy_telemetry_put_boolean(to, self->sim_up, in->sim_up);
    hy_telemetry_put_boolean(to, self->enabled, in->joystick_up && in->sim_up);
    hy_telemetry_put_int64(to, self->pieces, in->sensors.ingested);
    self->was_joystick_up = in->joystick_up;
    self->was_sim_up = in->sim_up;
    self->slow_due_us = in->now_us + SLOW_PERIOD_US;
}

static void put_fast(core_record *self, const hy_core_input *in)
{
    hy_telemetry *const to = self->run.telemetry;
    const hy_telemetry_pose2d pose = { in->sensors.x_m, in->sensors.y_m, in->sensors.theta_rad };
    const int64_t encoders[] = { in->sensors.left_encoder, in->sensors.right_encoder };
    stick_channels_put(&self->sticks, to, &in->sticks);
    if (in->sensors.has_pose) {
        hy_telemetry_put_struct(to, self->pose, &pose);
    }
    hy_telemetry_put_int64s(to, self->encoders, encoders, 2);
    self->due_us =
        in->now_us + PERIOD_US - PERIOD_US / 4; // calls come every 10 ms, some a little early
}

void core_record_put(core_record *self, const hy_core_input *in, const hy_icd_commands *commands)
{
    if (self->run.telemetry == NULL) {
        return;
    }
    const bool is_slow_due = in->now_us >= self->slow_due_us;
    run_record_time(&self->run, in->now_us);
    if (is_slow_due || commands_differ(commands, &self->last)) {
        hy_telemetry_put_struct(self->run.telemetry, self->commands, commands);
        self->last = *commands;
    }
    if (is_slow_due || in->joystick_up != self->was_joystick_up || in->sim_up != self->was_sim_up) {
        put_slow(self, in);
    }
    if (in->now_us >= self->due_us) {
        put_fast(self, in);
    }
}

void core_record_say(const core_record *self, const char *text)
{
    if (self->run.telemetry != NULL) {
        hy_telemetry_put_text(self->run.telemetry, self->messages, text);
    }
}
