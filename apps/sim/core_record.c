#include "core_record.h"

#include <halyard/telemetry.h>

#define PERIOD_US 20000

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

// clang-format off
static const hy_channel_row rows[] = {
    HY_CHANNEL_ROW(core_record, pose, 0, "/Robot/Sensors/Pose", STRUCT, ALWAYS, .type = &hy_struct_pose2d),
    HY_CHANNEL_ROW(core_record, encoders, 0, "/Robot/Sensors/Encoders", INT64_ARRAY, ALWAYS, .unit = "counts"),
    HY_CHANNEL_ROW(core_record, pieces, 0, "/Robot/Pieces", INT64, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(core_record, commands, 0, "/Robot/Commands", STRUCT, ON_CHANGE, .type = &command_type),
    HY_CHANNEL_ROW(core_record, joystick_up, 0, "/Robot/Link/JoystickConnected", BOOLEAN, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(core_record, sim_up, 0, "/Robot/Link/SimConnected", BOOLEAN, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(core_record, enabled, 0, "DS:enabled", BOOLEAN, ON_CHANGE, .is_file_only = true),
    HY_CHANNEL_ROW(core_record, messages, 0, "messages", STRING, ALWAYS, .is_file_only = true),
};
// clang-format on

void core_record_declare(core_record *self)
{
    if (self->file->sim.telemetry != NULL) {
        self->sticks = stick_channels_declare(self->file->sim.telemetry, 0);
        (void)hy_telemetry_declare_list(self->file->sim.telemetry, "", HY_CHANNEL_LIST(rows), 0,
                                        self); // what is missing goes nowhere
    }
}

static void put_fast(core_record *self, const hy_core_input *in)
{
    hy_telemetry *const to = self->file->sim.telemetry;
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
    if (self->file->sim.telemetry == NULL) {
        return;
    }
    hy_telemetry *const to = self->file->sim.telemetry;
    hy_host_record_time(self->file, in->now_us);
    hy_telemetry_put_struct(to, self->commands, commands);
    hy_telemetry_put_boolean(to, self->joystick_up, in->joystick_up);
    hy_telemetry_put_boolean(to, self->sim_up, in->sim_up);
    hy_telemetry_put_boolean(to, self->enabled, in->joystick_up && in->sim_up);
    hy_telemetry_put_int64(to, self->pieces, in->sensors.ingested);
    if (in->now_us >= self->due_us) {
        put_fast(self, in);
    }
}

void core_record_say(const core_record *self, const char *text)
{
    if (self->file->sim.telemetry != NULL) {
        hy_telemetry_put_text(self->file->sim.telemetry, self->messages, text);
    }
}
