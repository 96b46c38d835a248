#include "publish.h"

#include <halyard/link.h>
#include <halyard/sim_publish.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SLOW_PERIOD_US 500000 // of what has not changed

// --------------------------------------------------------------------------- declaring

typedef struct {
    const program_publisher *publisher;
    char prefix[16]; // "/Robot", or "/Robot2" where there are several
} declaration;

static hy_channel declare(const declaration *d, const char *name, hy_channel_kind kind,
                          const char *unit)
{
    char channel[64];
    (void)snprintf(channel, sizeof channel, "%s%s", d->prefix, name);
    return hy_telemetry_declare(d->publisher->telemetry,
                                &(hy_channel_spec){ .name = channel, .kind = kind, .unit = unit });
}

// 0: nothing goes wrong on purpose.
static hy_channel declare_faults(const declaration *d, const hy_robot *robot, const char *name)
{
    hy_faults_counters unread;
    char channel[64];
    (void)snprintf(channel, sizeof channel, "%s%s", d->prefix, name);
    const hy_channel_spec spec = { .name = channel,
                                   .kind = HY_CHANNEL_STRUCT,
                                   .type = &hy_struct_fault_counts };
    return hy_robot_get_faults(robot, &unread, &unread)
               ? hy_telemetry_declare(d->publisher->telemetry, &spec)
               : 0;
}

static hy_channel declare_in_file(const program_publisher *self, const char *name,
                                  hy_channel_kind kind)
{
    const hy_channel_spec spec = { .name = name, .kind = kind, .is_file_only = true };
    return hy_telemetry_declare(self->telemetry, &spec);
}

static void put_metadata(const program_publisher *self, const hy_program *program,
                         const hy_program_options *options)
{
    hy_record_metadata(self->telemetry, "Halyard", hy_version());
    hy_record_metadata(self->telemetry, "Program", program->name);
    hy_record_file_name(self->telemetry, "Faults", options->faults_text);
    hy_record_date(self->telemetry);
}

// AdvantageScope's timeline.
static void put_mode(const program_publisher *self)
{
    hy_telemetry_put_boolean(self->telemetry,
                             declare_in_file(self, "DS:autonomous", HY_CHANNEL_BOOLEAN),
                             self->mode == HY_STATION_AUTONOMOUS);
    hy_telemetry_put_boolean(self->telemetry, declare_in_file(self, "DS:test", HY_CHANNEL_BOOLEAN),
                             self->mode == HY_STATION_TEST);
}

hy_station_mode program_publish_mode(const hy_program *program)
{
    const hy_mode mode = hy_program_mode(program);
    return mode == HY_MODE_AUTONOMOUS ? HY_STATION_AUTONOMOUS
           : mode == HY_MODE_TEST     ? HY_STATION_TEST
                                      : HY_STATION_TELEOP;
}

hy_status program_publish_start(program_publisher *self, const program_publish_setup *setup,
                                hy_record_error *error)
{
    const hy_program_options *const options = setup->options;
    *self = (program_publisher){ .mode = program_publish_mode(setup->program),
                                 .start_us = setup->now_us,
                                 .slow_due_us = setup->now_us };
    const hy_record_options file = { .path = options->record, .overwrite = options->overwrite };
    hy_status status = HY_OK;
    if (options->record != NULL) {
        status = hy_record_open(&file, &self->file, error);
    }
    if (status != HY_OK || (self->file == NULL && setup->live == NULL)) {
        return status;
    }
    status = hy_telemetry_create(&self->telemetry);
    if (status != HY_OK) {
        hy_record_error unread;
        (void)program_publish_end(self, &unread);
        (void)snprintf(error->text, sizeof error->text, "%s", hy_status_text(status));
        return status;
    }
    if (self->file != NULL) {
        (void)hy_telemetry_attach(self->telemetry, hy_record_sink(self->file)); // its first
    }
    if (setup->live != NULL) {
        (void)hy_telemetry_attach(self->telemetry, *setup->live);
    }
    hy_record_dialect(self->telemetry, options->nt_dialect);
    self->messages = declare_in_file(self, "messages", HY_CHANNEL_STRING);
    self->enabled = declare_in_file(self, "DS:enabled", HY_CHANNEL_BOOLEAN);
    put_metadata(self, setup->program, options);
    put_mode(self);
    return HY_OK;
}

void program_publish_robot(program_publisher *self, size_t index, size_t count, const hy_robot *robot)
{
    if (self->telemetry == NULL) {
        return;
    }
    program_robot_channels *const channels = &self->robots[index];
    const hy_dialect *const dialect = hy_robot_get_dialect(robot);
    declaration d = { .publisher = self, .prefix = "/Robot" };
    if (count > 1) {
        (void)snprintf(d.prefix, sizeof d.prefix, "/Robot%zu", index + 1);
    }
    channels->encoders = declare(&d, "/Sensors/Encoders", HY_CHANNEL_DOUBLE_ARRAY, "counts");
    channels->gyro_rate = declare(&d, "/Sensors/GyroRate", HY_CHANNEL_DOUBLE_ARRAY, "rad/s");
    channels->gyro_angle = declare(&d, "/Sensors/GyroAngle", HY_CHANNEL_DOUBLE_ARRAY, "rad");
    channels->acceleration = declare(&d, "/Sensors/Acceleration", HY_CHANNEL_DOUBLE_ARRAY, "m/s^2");
    if (dialect->analogs > 0) {
        channels->analogs = declare(&d, "/Sensors/Analog", HY_CHANNEL_DOUBLE_ARRAY, "V");
    }
    if (dialect->dios > 0) {
        channels->button = declare(&d, "/DIO0", HY_CHANNEL_BOOLEAN, NULL);
    }
    channels->motors = declare(&d, "/Motors", HY_CHANNEL_DOUBLE_ARRAY, NULL);
    channels->enabled = declare(&d, "/Enabled", HY_CHANNEL_BOOLEAN, NULL);
    channels->faults_to = declare_faults(&d, robot, "/Faults/ToRobot");
    channels->faults_from = declare_faults(&d, robot, "/Faults/FromRobot");
    channels->rate = declare(&d, "/Link/StatusRate", HY_CHANNEL_DOUBLE, "Hz");
    channels->loss = declare(&d, "/Link/Loss", HY_CHANNEL_DOUBLE, NULL);
    channels->age = declare(&d, "/Link/StatusAge", HY_CHANNEL_DOUBLE, "s");
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

// What seldom changes: when it does, and every SLOW_PERIOD_US.
static void publish_slow(const program_publisher *self, program_robot_channels *channels,
                         const hy_robot *robot, int64_t now_us)
{
    const bool is_due = now_us >= channels->slow_due_us;
    const bool is_enabled = hy_robot_is_enabled(robot), is_high = hy_robot_dio(robot, 0);
    const bool has_status = hy_robot_get_status_us(robot) != INT64_MIN;
    if (is_due || is_enabled != channels->was_enabled) {
        hy_telemetry_put_boolean(self->telemetry, channels->enabled, is_enabled);
        channels->was_enabled = is_enabled;
    }
    if (has_status && (is_due || is_high != channels->was_high)) {
        hy_telemetry_put_boolean(self->telemetry, channels->button, is_high);
        channels->was_high = is_high;
    }
    if (is_due) {
        publish_faults(self, channels, robot);
        channels->slow_due_us = now_us + SLOW_PERIOD_US;
    }
}

void program_publish_loop(program_publisher *self, int64_t now_us, bool is_enabled, const char *said)
{
    if (self->telemetry == NULL) {
        return;
    }
    hy_telemetry_set_time(self->telemetry, (uint64_t)(now_us - self->start_us));
    if (now_us >= self->slow_due_us || is_enabled != self->was_enabled) {
        hy_telemetry_put_boolean(self->telemetry, self->enabled, is_enabled);
        hy_record_station(self->telemetry, is_enabled, self->mode);
        self->slow_due_us = now_us + SLOW_PERIOD_US;
        self->was_enabled = is_enabled;
    }
    if (strcmp(said, self->said) != 0) {
        (void)snprintf(self->said, sizeof self->said, "%s", said);
        hy_telemetry_put_text(self->telemetry, self->messages, said);
    }
}

void program_publish(program_publisher *self, size_t index, const hy_robot *robot,
                     const hy_wire_command *command)
{
    if (self->telemetry == NULL) {
        return;
    }
    program_robot_channels *const channels = &self->robots[index];
    const uint8_t count = hy_robot_get_dialect(robot)->motors;
    double motors[HY_WIRE_MOTORS];
    for (unsigned i = 0; i < count; i++) {
        motors[i] = (double)command->motor[i];
    }
    hy_telemetry_put_doubles(self->telemetry, channels->motors, motors, count);
    if (hy_robot_get_status_us(robot) != INT64_MIN) {
        publish_readings(self, channels, robot);
    }
    const int64_t now_us = hy_clock_now_us();
    publish_link(self, channels, robot, now_us);
    publish_slow(self, channels, robot, now_us);
}

hy_status program_publish_end(program_publisher *self, hy_record_error *error)
{
    const hy_status status = hy_record_close(self->file, error);
    hy_telemetry_destroy(self->telemetry);
    *self = (program_publisher){ .file = NULL };
    return status;
}
