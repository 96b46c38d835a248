#include "publish.h"

#include <halyard/link.h>

#include <stdio.h>

#include "sim/sim_publish.h"

// --------------------------------------------------------------------------- declaring

// What a robot may have.
enum { ANALOGS = 1, DIOS = 2, FAULTS = 4 };

// clang-format off
static const hy_channel_row rows[] = {
    HY_CHANNEL_ROW(program_robot_channels, encoders, 0, "/Sensors/Encoders", DOUBLE_ARRAY, ALWAYS, .unit = "counts"),
    HY_CHANNEL_ROW(program_robot_channels, gyro_rate, 0, "/Sensors/GyroRate", DOUBLE_ARRAY, ALWAYS, .unit = "rad/s"),
    HY_CHANNEL_ROW(program_robot_channels, gyro_angle, 0, "/Sensors/GyroAngle", DOUBLE_ARRAY, ALWAYS, .unit = "rad"),
    HY_CHANNEL_ROW(program_robot_channels, acceleration, 0, "/Sensors/Acceleration", DOUBLE_ARRAY, ALWAYS, .unit = "m/s^2"),
    HY_CHANNEL_ROW(program_robot_channels, analogs, ANALOGS, "/Sensors/Analog", DOUBLE_ARRAY, ALWAYS, .unit = "V"),
    HY_CHANNEL_ROW(program_robot_channels, button, DIOS, "/DIO0", BOOLEAN, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(program_robot_channels, motors, 0, "/Motors", DOUBLE_ARRAY, ALWAYS, .unit = NULL),
    HY_CHANNEL_ROW(program_robot_channels, enabled, 0, "/Enabled", BOOLEAN, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(program_robot_channels, faults_to, FAULTS, "/Faults/ToRobot", STRUCT, SELDOM, .type = &hy_struct_fault_counts),
    HY_CHANNEL_ROW(program_robot_channels, faults_from, FAULTS, "/Faults/FromRobot", STRUCT, SELDOM, .type = &hy_struct_fault_counts),
    HY_CHANNEL_ROW(program_robot_channels, rate, 0, "/Link/StatusRate", DOUBLE, ALWAYS, .unit = "Hz"),
    HY_CHANNEL_ROW(program_robot_channels, loss, 0, "/Link/Loss", DOUBLE, ALWAYS, .unit = NULL),
    HY_CHANNEL_ROW(program_robot_channels, age, 0, "/Link/StatusAge", DOUBLE, ALWAYS, .unit = "s"),
};
// clang-format on

void program_publish_start(program_publisher *self, hy_host_record *record)
{
    const hy_channel_spec enabled = { .name = "DS:enabled",
                                      .kind = HY_CHANNEL_BOOLEAN,
                                      .is_file_only = true,
                                      .rate = HY_CHANNEL_ON_CHANGE };
    *self = (program_publisher){ .record = record, .telemetry = record->sim.telemetry };
    if (self->telemetry != NULL) {
        self->enabled = hy_telemetry_declare(self->telemetry, &enabled);
    }
}

void program_publish_robot(program_publisher *self, size_t index, size_t count, const hy_robot *robot)
{
    if (self->telemetry == NULL) {
        return;
    }
    const hy_dialect *const dialect = hy_robot_get_dialect(robot);
    char prefix[16] = "/Robot";
    hy_faults_counters unread;
    if (count > 1) {
        (void)snprintf(prefix, sizeof prefix, "/Robot%zu", index + 1);
    }
    const unsigned has = (dialect->analogs > 0 ? ANALOGS : 0) | (dialect->dios > 0 ? DIOS : 0) |
                         (hy_robot_get_faults(robot, &unread, &unread) ? FAULTS : 0);
    (void)hy_telemetry_declare_list(self->telemetry, prefix, HY_CHANNEL_LIST(rows), has,
                                    &self->robots[index]); // what is missing goes nowhere
}

// --------------------------------------------------------------------------- publishing

static void publish_readings(const program_publisher *self, const program_robot_channels *channels,
                             const hy_robot *robot)
{
    const hy_dialect *const dialect = hy_robot_get_dialect(robot);
    double encoders[HY_WIRE_ENCODERS], analogs[HY_WIRE_ANALOGS], rate_rad_s[3], angle_rad[3],
        accel_m_s2[3];
    for (unsigned i = 0; i < dialect->encoders; i++) {
        encoders[i] = hy_robot_encoder_counts(robot, i);
    }
    for (unsigned i = 0; i < dialect->analogs; i++) {
        analogs[i] = hy_robot_analog_v(robot, i);
    }
    hy_telemetry_put_doubles(self->telemetry, channels->encoders, encoders, dialect->encoders);
    hy_telemetry_put_doubles(self->telemetry, channels->analogs, analogs, dialect->analogs);
    if (hy_robot_gyro(robot, rate_rad_s, angle_rad)) {
        hy_telemetry_put_doubles(self->telemetry, channels->gyro_rate, rate_rad_s, 3);
        hy_telemetry_put_doubles(self->telemetry, channels->gyro_angle, angle_rad, 3);
    }
    if (hy_robot_accel(robot, accel_m_s2)) {
        hy_telemetry_put_doubles(self->telemetry, channels->acceleration, accel_m_s2, 3);
    }
}

static void publish_link(const program_publisher *self, const program_robot_channels *channels,
                         const hy_robot *robot, int64_t now_us)
{
    const hy_robot_figures figures = hy_robot_measure(robot, now_us);
    hy_telemetry_put_double(self->telemetry, channels->rate, figures.rate_hz);
    hy_telemetry_put_double(self->telemetry, channels->loss, figures.loss);
    if (figures.age_us != INT64_MAX) {
        hy_telemetry_put_double(self->telemetry, channels->age, (double)figures.age_us * 1e-6);
    }
}

static void publish_faults(const program_publisher *self, const program_robot_channels *channels,
                           const hy_robot *robot)
{
    hy_faults_counters to_robot, from_robot;
    if (hy_robot_get_faults(robot, &to_robot, &from_robot)) {
        hy_publish_fault_counts(self->telemetry, channels->faults_to, &to_robot);
        hy_publish_fault_counts(self->telemetry, channels->faults_from, &from_robot);
    }
}

void program_publish_loop(program_publisher *self, int64_t now_us, bool is_enabled, const char *said)
{
    if (self->telemetry == NULL) {
        return;
    }
    hy_host_record_time(self->record, now_us);
    hy_telemetry_put_boolean(self->telemetry, self->enabled, is_enabled);
    hy_record_station(self->telemetry, is_enabled, self->record->mode);
    hy_host_record_say(self->record, said);
}

void program_publish(program_publisher *self, size_t index, const hy_robot *robot,
                     const hy_wire_command *command)
{
    if (self->telemetry == NULL) {
        return;
    }
    const program_robot_channels *const channels = &self->robots[index];
    const uint8_t count = hy_robot_get_dialect(robot)->motors;
    double motors[HY_WIRE_MOTORS];
    for (unsigned i = 0; i < count; i++) {
        motors[i] = (double)command->motor[i];
    }
    hy_telemetry_put_doubles(self->telemetry, channels->motors, motors, count);
    if (hy_robot_get_status_us(robot) != INT64_MIN) {
        publish_readings(self, channels, robot);
        hy_telemetry_put_boolean(self->telemetry, channels->button, hy_robot_dio(robot, 0));
    }
    publish_link(self, channels, robot, hy_clock_now_us());
    hy_telemetry_put_boolean(self->telemetry, channels->enabled, hy_robot_is_enabled(robot));
    publish_faults(self, channels, robot);
}
