// What a robot program is made of, as channels: controllers, drives, commands, fields, choosers.
#include <halyard/run.h>
#include <halyard/telemetry.h>

#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"

typedef struct {
    hy_telemetry *telemetry;
    hy_wpilog *log;
} bench;

static int start(void **state)
{
    static bench b;
    assert_int_equal(hy_telemetry_open(&b.telemetry), HY_OK);
    assert_int_equal(hy_wpilog_open(&(hy_wpilog_options){ .room = 1 << 16 }, &b.log), HY_OK);
    assert_int_equal(hy_telemetry_attach(b.telemetry, hy_wpilog_sink(b.log)), HY_OK);
    *state = &b;
    return 0;
}

static int stop(void **state)
{
    bench *const b = *state;
    hy_telemetry_close(b->telemetry);
    hy_wpilog_close(b->log);
    return 0;
}

static bool is_text(hy_bytes bytes, const char *text)
{
    return bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0;
}

// The last value of a channel, which has had `count` of them.
static hy_bytes value_of(const bench *b, const char *name, const char *type, size_t count)
{
    hy_wpilog_reader reader;
    hy_bytes last = { NULL, 0 };
    uint32_t entry = 0;
    size_t values = 0;
    assert_int_equal(hy_wpilog_reader_init(&reader, hy_wpilog_peek(b->log)), HY_OK);
    for (hy_wpilog_record record; hy_wpilog_next(&reader, &record);) {
        if (record.kind == HY_WPILOG_START && is_text(record.name, name)) {
            assert_true(is_text(record.type, type));
            entry = record.entry;
        } else if (record.kind == HY_WPILOG_VALUE && entry != 0 && record.entry == entry) {
            last = record.value;
            values++;
        }
    }
    if (values != count) {
        fail_msg("%s: %zu values", name, values);
    }
    return last;
}

static double number_at(hy_bytes bytes, size_t index)
{
    double value;
    assert_true((index + 1) * sizeof value <= bytes.size);
    memcpy(&value, &bytes.data[index * sizeof value], sizeof value);
    return value;
}

static void expect_number(const bench *b, const char *name, double expected, size_t count)
{
    const hy_bytes value = value_of(b, name, "double", count);
    assert_int_equal(value.size, sizeof(double));
    assert_true(number_at(value, 0) == expected);
}

static void a_controller_has_setpoint_error_and_output(void **state)
{
    const bench *const b = *state;
    hy_pid pid;
    assert_true(hy_pid_init(&pid, (hy_pid_gains){ .p = 2, .i = 1 }, 0.02));
    for (int loop = 0; loop < 3; loop++) {
        (void)hy_pid_calculate_to(&pid, 0.25, 0.75);
        hy_publish_pid(b->telemetry, "steering", &pid);
    }
    expect_number(b, "NT:/SmartDashboard/steering/setpoint", 0.75, 3);
    expect_number(b, "NT:/SmartDashboard/steering/measurement", 0.25, 3);
    expect_number(b, "NT:/SmartDashboard/steering/error", 0.5, 3);
    expect_number(b, "NT:/SmartDashboard/steering/total error", pid.total_error, 3);
    expect_number(b, "NT:/SmartDashboard/steering/error derivative", 0, 3);
    expect_number(b, "NT:/SmartDashboard/steering/output", pid.output, 3);
    assert_true(pid.output > 1);
}

static void a_drive_has_the_efforts_of_its_sides(void **state)
{
    const bench *const b = *state;
    hy_motor left, right;
    hy_motor_init(&left, false);
    hy_motor_init(&right, false);
    hy_differential_drive drive;
    hy_differential_drive_init(&drive, &left, &right);
    for (int loop = 0; loop < 2; loop++) {
        hy_differential_drive_tank(&drive, 0.5, -0.25, false, 0);
        hy_publish_differential_drive(b->telemetry, "drive", &drive);
    }
    expect_number(b, "NT:/SmartDashboard/drive/Left Motor Speed", left.effort, 2);
    expect_number(b, "NT:/SmartDashboard/drive/Right Motor Speed", right.effort, 2);
    assert_true(left.effort > 0.4 && right.effort < -0.2);
    assert_true(
        is_text(value_of(b, "NT:/SmartDashboard/drive/.type", "string", 1), "DifferentialDrive"));
}

static void a_swerve_drive_has_wanted_and_measured_modules(void **state)
{
    const bench *const b = *state;
    hy_teensy robot;
    hy_swerve_drive drive;
    hy_teensy_init(&robot);
    assert_true(hy_teensy_swerve_drive_init(&drive, &robot, 0.02));
    hy_swerve_drive_robot(&drive, (hy_chassis_speeds){ .vx_m_s = 0.5 }, 0);
    hy_publish_swerve_drive(b->telemetry, "swerve", &drive);
    const hy_bytes wanted =
        value_of(b, "NT:/SmartDashboard/swerve/Wanted", "struct:SwerveModuleState[]", 1);
    assert_int_equal(wanted.size, 4 * 16);
    assert_true(number_at(wanted, 6) == drive.wanted[3].speed_m_s && number_at(wanted, 6) > 0.4);
    const hy_bytes measured =
        value_of(b, "NT:/SmartDashboard/swerve/Measured", "struct:SwerveModuleState[]", 1);
    assert_true(measured.size == 4 * 16 && number_at(measured, 6) == 0);
    assert_int_equal(value_of(b, "NT:/SmartDashboard/swerve/Speeds", "struct:ChassisSpeeds", 1).size,
                     24);
}

static void the_commands_that_run_are_named(void **state)
{
    const bench *const b = *state;
    static hy_scheduler scheduler;
    static hy_command wait, idle;
    const hy_named_command commands[] = { { "wait", &wait }, { "idle", &idle } };
    hy_command_wait(&wait, 50000);
    hy_command_wait(&idle, 50000);
    assert_true(hy_scheduler_schedule(&scheduler, &wait, 0));
    hy_scheduler_run(&scheduler, true, 0);
    hy_publish_commands(b->telemetry, "Commands", &scheduler, commands, 2);
    const hy_bytes names = value_of(b, "NT:/SmartDashboard/Commands/Names", "string[]", 1);
    assert_int_equal(names.size, 4 + 4 + 4);
    assert_memory_equal(names.data, "\1\0\0\0\4\0\0\0wait", 12);
    hy_scheduler_cancel_all(&scheduler, 0);
    hy_publish_commands(b->telemetry, "Commands", &scheduler, commands, 2);
    assert_memory_equal(value_of(b, "NT:/SmartDashboard/Commands/Names", "string[]", 2).data,
                        "\0\0\0\0", 4);
}

static void a_field_has_poses_in_degrees(void **state)
{
    const bench *const b = *state;
    hy_publish_field(b->telemetry, "Field", "Robot", hy_pose2d_at(1, 2, HY_PI / 2));
    const hy_bytes pose = value_of(b, "NT:/SmartDashboard/Field/Robot", "double[]", 1);
    assert_int_equal(pose.size, 24);
    assert_true(number_at(pose, 0) == 1 && number_at(pose, 1) == 2);
    assert_true(number_at(pose, 2) > 89.999999 && number_at(pose, 2) < 90.000001);
    assert_true(is_text(value_of(b, "NT:/SmartDashboard/Field/.type", "string", 1), "Field2d"));
}

static void expect_text(const bench *b, const char *name, const char *expected, size_t count)
{
    const hy_bytes value = value_of(b, name, "string", count);
    if (!is_text(value, expected)) {
        fail_msg("%s: '%.*s' instead of '%s'", name, (int)value.size, (const char *)value.data,
                 expected);
    }
}

static void a_chooser_takes_options_and_nothing_else(void **state)
{
    static const char *const options[] = { "wait", "drive", "turn" };
    const bench *const b = *state;
    hy_tunables tunables = { .telemetry = b->telemetry };
    size_t chosen = 1;
    assert_true(hy_chooser(&tunables, "Auto", options, 3, &chosen));
    const hy_channel selected = hy_telemetry_find(b->telemetry, "/SmartDashboard/Auto/selected");
    const hy_channel active = hy_telemetry_find(b->telemetry, "/SmartDashboard/Auto/active");
    expect_text(b, "NT:/SmartDashboard/Auto/.type", "String Chooser", 1);
    expect_text(b, "NT:/SmartDashboard/Auto/default", "drive", 1);
    expect_text(b, "NT:/SmartDashboard/Auto/active", "drive", 1);
    assert_int_equal(value_of(b, "NT:/SmartDashboard/Auto/options", "string[]", 1).size, 29);

    assert_true(hy_tunables_choose(&tunables, selected, "turn"));
    assert_int_equal(chosen, 2);
    expect_text(b, "NT:/SmartDashboard/Auto/active", "turn", 2);
    static const char *const wrong[] = { "", "Turn", "turn ", "driv" };
    for (size_t i = 0; i < 4; i++) {
        assert_true(hy_tunables_choose(&tunables, selected, wrong[i]));
        assert_int_equal(chosen, 2);
        expect_text(b, "NT:/SmartDashboard/Auto/selected", "turn", 3 + i); // put back
    }
    assert_false(hy_tunables_choose(&tunables, active, "wait")); // which only the robot sets
    assert_int_equal(chosen, 2);
}

static void in_2027_they_have_the_names_and_types_of_that_year(void **state)
{
    static const char *const options[] = { "wait", "drive" };
    const bench *const b = *state;
    hy_tunables tunables = { .telemetry = b->telemetry };
    size_t chosen = 0;
    double gain = 1.0;
    hy_telemetry_set_dialect(b->telemetry, HY_NT_DIALECT_2027);
    hy_publish_field(b->telemetry, "Field", "Robot", hy_pose2d_at(1, 2, HY_PI / 2));
    const hy_bytes pose = value_of(b, "NT:/Telemetry/Field/Robot", "struct:Pose2d[]", 1);
    assert_int_equal(pose.size, 24);
    assert_true(number_at(pose, 0) == 1 && number_at(pose, 1) == 2 &&
                number_at(pose, 2) == HY_PI / 2);
    expect_text(b, "NT:/Telemetry/Field/.type", "Field2d", 1);
    assert_true(hy_chooser(&tunables, "Auto", options, 2, &chosen));
    expect_text(b, "NT:/Tunables/Auto/active", "wait", 1);
    assert_true(hy_tunable(&tunables, "kP", &gain, 0, 2));
    expect_number(b, "NT:/Tuning/kP", 1, 1); // as in 2026
}

static void choosers_that_cannot_be_are_refused(void **state)
{
    static const char *const options[] = { "only" };
    const bench *const b = *state;
    hy_tunables tunables = { .telemetry = b->telemetry }, deaf = { .telemetry = NULL };
    size_t beyond = 1, chosen = 0;
    assert_false(hy_chooser(&tunables, "Auto", options, 1, &beyond));
    assert_false(hy_chooser(&tunables, "Auto", options, 0, &chosen));
    assert_false(hy_chooser(&deaf, "Auto", options, 1, &chosen));
    for (size_t i = 0; i < HY_CHOOSERS_MAX; i++) {
        const char name[] = { (char)('a' + i), '\0' };
        assert_true(hy_chooser(&tunables, name, options, 1, &chosen));
    }
    assert_false(hy_chooser(&tunables, "another", options, 1, &chosen));
    assert_true(hy_chooser(&tunables, "a", options, 1, &chosen)); // declared again
}

static void nothing_is_declared_where_nobody_listens(void **state)
{
    (void)state;
    hy_telemetry *deaf;
    hy_pid pid = { 0 };
    assert_int_equal(hy_telemetry_open(&deaf), HY_OK);
    hy_publish_pid(NULL, "steering", &pid);
    hy_publish_pid(deaf, "steering", &pid);
    assert_int_equal(hy_telemetry_find(deaf, "/SmartDashboard/steering/error"), 0);
    hy_telemetry_close(deaf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_controller_has_setpoint_error_and_output, start, stop),
        cmocka_unit_test_setup_teardown(a_drive_has_the_efforts_of_its_sides, start, stop),
        cmocka_unit_test_setup_teardown(a_swerve_drive_has_wanted_and_measured_modules, start, stop),
        cmocka_unit_test_setup_teardown(the_commands_that_run_are_named, start, stop),
        cmocka_unit_test_setup_teardown(a_field_has_poses_in_degrees, start, stop),
        cmocka_unit_test_setup_teardown(a_chooser_takes_options_and_nothing_else, start, stop),
        cmocka_unit_test_setup_teardown(in_2027_they_have_the_names_and_types_of_that_year, start,
                                        stop),
        cmocka_unit_test_setup_teardown(choosers_that_cannot_be_are_refused, start, stop),
        cmocka_unit_test(nothing_is_declared_where_nobody_listens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
