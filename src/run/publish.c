// What a robot program is made of, as telemetry: include/halyard/run.h has the names.
#include <halyard/run.h>
#include <halyard/telemetry.h>

#include <stdio.h>

// A table of a dashboard: what is published of one thing.
typedef struct {
    hy_telemetry *telemetry;
    const char *name;
} table;

static hy_channel channel_of(const table *to, const char *key, hy_channel_kind kind,
                             const hy_struct_type *type)
{
    char channel[HY_CHANNEL_NAME_MAX + 1];
    (void)snprintf(channel, sizeof channel, "%s/%.150s/%.80s",
                   hy_telemetry_names(to->telemetry)->values, to->name, key);
    const hy_channel_spec spec = { .name = channel, .kind = kind, .type = type };
    return hy_telemetry_declare(to->telemetry, &spec);
}

static bool is_wanted(const hy_telemetry *telemetry)
{
    return telemetry != NULL && hy_telemetry_has_sinks(telemetry);
}

// Which widget a dashboard draws: once.
static void put_type(const table *to, const char *type)
{
    char channel[HY_CHANNEL_NAME_MAX + 1];
    (void)snprintf(channel, sizeof channel, "%s/%.150s/.type",
                   hy_telemetry_names(to->telemetry)->values, to->name);
    if (hy_telemetry_find(to->telemetry, channel) == 0) {
        hy_telemetry_put_text(to->telemetry, channel_of(to, ".type", HY_CHANNEL_STRING, NULL), type);
    }
}

static void put_double(const table *to, const char *key, double value)
{
    hy_telemetry_put_double(to->telemetry, channel_of(to, key, HY_CHANNEL_DOUBLE, NULL), value);
}

void hy_publish_pid(hy_telemetry *telemetry, const char *name, const hy_pid *pid)
{
    const table to = { telemetry, name };
    if (!is_wanted(telemetry)) {
        return;
    }
    put_double(&to, "setpoint", pid->setpoint);
    put_double(&to, "measurement", pid->measurement);
    put_double(&to, "error", pid->error);
    put_double(&to, "error derivative", pid->error_derivative);
    put_double(&to, "total error", pid->total_error);
    put_double(&to, "output", pid->output);
}

void hy_publish_differential_drive(hy_telemetry *telemetry, const char *name,
                                   const hy_differential_drive *drive)
{
    const table to = { telemetry, name };
    if (!is_wanted(telemetry) || drive->left == NULL || drive->right == NULL) {
        return;
    }
    put_type(&to, "DifferentialDrive");
    put_double(&to, "Left Motor Speed", drive->left->effort);
    put_double(&to, "Right Motor Speed", drive->right->effort);
}

static void put_modules(const table *to, const char *key, const hy_swerve_state *states, size_t count)
{
    hy_telemetry_swerve_state modules[HY_SWERVE_MODULES];
    for (size_t i = 0; i < count; i++) {
        modules[i] =
            (hy_telemetry_swerve_state){ states[i].speed_m_s, hy_rotation2d_rad(states[i].angle) };
    }
    hy_telemetry_put_structs(
        to->telemetry, channel_of(to, key, HY_CHANNEL_STRUCT_ARRAY, &hy_struct_swerve_module_state),
        modules, count);
}

void hy_publish_swerve_drive(hy_telemetry *telemetry, const char *name, const hy_swerve_drive *drive)
{
    const table to = { telemetry, name };
    if (!is_wanted(telemetry)) {
        return;
    }
    hy_swerve_state measured[HY_SWERVE_MODULES];
    hy_swerve_drive_states(drive, measured);
    const size_t count = drive->config.kinematics.count;
    const hy_chassis_speeds moving = hy_swerve_to_chassis(&drive->config.kinematics, measured);
    const hy_telemetry_chassis_speeds speeds = { moving.vx_m_s, moving.vy_m_s, moving.omega_rad_s };
    put_modules(&to, "Measured", measured, count);
    put_modules(&to, "Wanted", drive->wanted, count);
    hy_telemetry_put_struct(
        telemetry, channel_of(&to, "Speeds", HY_CHANNEL_STRUCT, &hy_struct_chassis_speeds), &speeds);
}

void hy_publish_commands(hy_telemetry *telemetry, const char *name, const hy_scheduler *scheduler,
                         const hy_named_command *commands, size_t count)
{
    const table to = { telemetry, name };
    if (!is_wanted(telemetry)) {
        return;
    }
    const char *running[HY_PUBLISH_COMMANDS];
    size_t found = 0;
    for (size_t i = 0; i < count && found < HY_PUBLISH_COMMANDS; i++) {
        if (hy_scheduler_is_scheduled(scheduler, commands[i].command)) {
            running[found++] = commands[i].name;
        }
    }
    put_type(&to, "Scheduler");
    hy_telemetry_put_texts(telemetry, channel_of(&to, "Names", HY_CHANNEL_STRING_ARRAY, NULL),
                           running, found);
}

void hy_publish_field(hy_telemetry *telemetry, const char *name, const char *object, hy_pose2d pose)
{
    const table to = { telemetry, name };
    if (!is_wanted(telemetry)) {
        return;
    }
    const double heading_rad = hy_rotation2d_rad(pose.rotation);
    put_type(&to, "Field2d");
    if (hy_telemetry_names(telemetry)->has_structs) {
        const hy_telemetry_pose2d place = { pose.translation.x_m, pose.translation.y_m, heading_rad };
        hy_telemetry_put_structs(telemetry,
                                 channel_of(&to, object, HY_CHANNEL_STRUCT_ARRAY, &hy_struct_pose2d),
                                 &place, 1);
        return;
    }
    const double place[] = { pose.translation.x_m, pose.translation.y_m,
                             hy_deg_from_rad(heading_rad) };
    hy_telemetry_put_doubles(telemetry, channel_of(&to, object, HY_CHANNEL_DOUBLE_ARRAY, NULL),
                             place, 3);
}
