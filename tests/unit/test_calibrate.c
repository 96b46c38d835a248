// Calibration of virtual robots whose numbers it does not know: the bridge, laps that are not in the script, and what a
// recording cannot say.
#include <halyard/telemetry.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../support/calibrate_bench.h"
#include "calibrate/calibrate.h"
#include "cmocka_all.h"
#include "environment.h"
#include "made_log.h"
#include "near.h"

static hy_calibration_log log_of_test; // 300 kB

static const hy_calibration_value *value_called(const hy_calibration *result, const char *name)
{
    for (size_t i = 0; i < HY_CALIBRATION_VALUES; i++) {
        if (strcmp(result->values[i].name, name) == 0) {
            return &result->values[i];
        }
    }
    fail_msg("there is no %s", name);
    return NULL;
}

// --------------------------------------------------------------------------- the script

static void test_the_script_takes_a_minute(void **state)
{
    (void)state;
    double effort[2];
    assert_near(hy_calibration_script_s(), 60, 1e-9);
    assert_null(hy_calibration_efforts(60.001, effort));
    assert_true(effort[0] == 0 && effort[1] == 0);
    // What goes out comes back: the efforts of both wheels add up to nothing.
    double sum[2] = { 0 }, largest = 0;
    for (int i = 0; i < 6000; i++) {
        assert_non_null(hy_calibration_efforts(0.01 * i, effort));
        for (int side = 0; side < 2; side++) {
            sum[side] += 0.01 * effort[side];
            largest = fmax(largest, fabs(effort[side]));
        }
    }
    assert_near(sum[0], 0, 0.02);
    assert_near(sum[1], 0, 0.02);
    assert_true(largest == 1);
}

// --------------------------------------------------------------------------- recordings

static void test_counters_and_angles_are_unwrapped(void **state)
{
    (void)state;
    static hy_calibration_log log;
    hy_readings readings = { .encoders = 3, .has_gyro = true };
    readings.encoder[0].count = INT32_MAX;
    readings.encoder[1].count = INT32_MIN;
    readings.gyro_angle_deg[2] = 359;
    hy_calibration_add_status(&log, 0, &readings);
    readings.encoder[0].count = INT32_MIN + 9;
    readings.encoder[1].count = INT32_MAX - 9;
    readings.gyro_angle_deg[2] = 1;
    hy_calibration_add_status(&log, 50000, &readings);
    assert_int_equal(log.status_count, 2);
    assert_near(log.statuses[1].counts[0] - log.statuses[0].counts[0], 10, 0);
    assert_near(log.statuses[1].counts[1] - log.statuses[0].counts[1], -10, 0);
    assert_near(log.statuses[1].yaw_rad - log.statuses[0].yaw_rad, hy_rad_from_deg(2), 1e-6);
    readings.has_gyro = false; // says too little
    hy_calibration_add_status(&log, 100000, &readings);
    assert_int_equal(log.status_count, 2);
}

static void test_a_robot_that_stands_is_refused(void **state)
{
    (void)state;
    hy_calibration result;
    log_of_test = (hy_calibration_log){ .command_count = 0 };
    assert_int_equal(hy_calibrate(&log_of_test, 0, &result), HY_ERANGE);
    const hy_readings still = { .encoders = 3, .has_gyro = true };
    for (int i = 0; i < 100; i++) {
        const double effort[2] = { i % 20 < 10 ? 0 : 0.5, 0.5 };
        hy_calibration_add_command(&log_of_test, i * 50000, effort);
        hy_calibration_add_status(&log_of_test, i * 50000, &still);
    }
    assert_int_equal(hy_calibrate(&log_of_test, 0, &result), HY_ERANGE);
}

// --------------------------------------------------------------------------- log files

static hy_bytes publish(hy_wpilog **file, const hy_calibration_log *log)
{
    hy_telemetry *telemetry;
    assert_int_equal(hy_wpilog_open(&(hy_wpilog_options){ .room = 1 << 20 }, file), HY_OK);
    assert_int_equal(hy_telemetry_open(&telemetry), HY_OK);
    assert_int_equal(hy_telemetry_attach(telemetry, hy_wpilog_sink(*file)), HY_OK);
    hy_calibration_publish(log, telemetry);
    hy_telemetry_close(telemetry);
    return hy_wpilog_peek(*file);
}

// What was commanded and measured comes back to the bit, from the beginning at 0.
static void test_a_recording_is_read_as_it_was_written(void **state)
{
    (void)state;
    static hy_calibration_log read;
    hy_robot_traits hidden;
    hy_wpilog *file;
    const char *missing;
    calibrate_hide(&hidden, 5);
    calibrate_record(&log_of_test, &hidden, 5);
    log_of_test.statuses[10].at_us = log_of_test.statuses[9].at_us; // after a pause of the network
    log_of_test.statuses[20].at_us = log_of_test.statuses[19].at_us + 1000;
    const hy_bytes bytes = publish(&file, &log_of_test);
    assert_int_equal(hy_calibration_read(bytes, &read, &missing), HY_OK);
    assert_false(read.is_full);
    assert_int_equal(read.command_count, log_of_test.command_count);
    assert_int_equal(read.status_count, log_of_test.status_count);
    const int64_t begin_us = log_of_test.commands[0].at_us - read.commands[0].at_us;
    for (size_t i = 0; i < read.command_count; i++) {
        const hy_calibration_command *const one = &read.commands[i], *two = &log_of_test.commands[i];
        assert_int_equal(one->at_us + begin_us, two->at_us);
        assert_true(one->effort[0] == two->effort[0] && one->effort[1] == two->effort[1]);
    }
    for (size_t i = 0; i < read.status_count; i++) {
        const hy_calibration_status *const one = &read.statuses[i], *two = &log_of_test.statuses[i];
        assert_int_equal(one->at_us + begin_us, two->at_us);
        assert_true(one->counts[0] == two->counts[0] && one->counts[1] == two->counts[1]);
        assert_true(one->yaw_rad == two->yaw_rad);
    }
    for (size_t size = 0; size < bytes.size; size += 997) { // a file that was cut
        const hy_status cut = hy_calibration_read((hy_bytes){ bytes.data, size }, &read, &missing);
        assert_true(cut == HY_OK || cut == (size < 12 ? HY_EFORMAT : HY_ERANGE));
        assert_true((cut == HY_ERANGE) == (missing != NULL));
    }
    hy_wpilog_close(file);
}

static hy_channel declare(hy_telemetry *to, const char *name, hy_channel_kind kind)
{
    return hy_telemetry_declare(to, &(hy_channel_spec){ .name = name, .kind = kind });
}

// A program publishes the newest status in each of its loops: it counts once, at the time when it came. What is asked of a
// robot that is disabled does not reach it.
static void test_a_program_s_recording_is_read(void **state)
{
    (void)state;
    static hy_calibration_log read;
    hy_wpilog *file;
    hy_telemetry *to;
    const char *missing;
    assert_int_equal(hy_wpilog_open(&(hy_wpilog_options){ .room = 1 << 20 }, &file), HY_OK);
    assert_int_equal(hy_telemetry_open(&to), HY_OK);
    assert_int_equal(hy_telemetry_attach(to, hy_wpilog_sink(file)), HY_OK);
    const hy_channel encoders = declare(to, "/Robot/Sensors/Encoders", HY_CHANNEL_DOUBLE_ARRAY),
                     angle = declare(to, "/Robot/Sensors/GyroAngle", HY_CHANNEL_DOUBLE_ARRAY),
                     motors = declare(to, "/Robot/Motors", HY_CHANNEL_DOUBLE_ARRAY),
                     enabled = declare(to, "/Robot/Enabled", HY_CHANNEL_BOOLEAN),
                     age = declare(to, "/Robot/Link/StatusAge", HY_CHANNEL_DOUBLE);
    for (unsigned loop = 0; loop < 10; loop++) { // of 20 ms; a status came 5 ms before every third
        const double status = loop / 3;          // NOLINT(bugprone-integer-division): whole
        hy_telemetry_set_time(to, 1000000 + loop * 20000);
        hy_telemetry_put_doubles(to, motors, (const double[]){ 0.5, -0.25, 0, 0 }, 4);
        hy_telemetry_put_doubles(to, encoders, (const double[]){ status, status + 1, 0, 0 }, 4);
        hy_telemetry_put_doubles(to, angle, (const double[]){ 0, 0, 3 * status }, 3);
        hy_telemetry_put_double(to, age, 0.005 + loop % 3 * 0.020);
        if (loop == 0 || loop == 5) {
            hy_telemetry_put_boolean(to, enabled, loop == 5);
        }
    }
    hy_telemetry_close(to);
    assert_int_equal(hy_calibration_read(hy_wpilog_peek(file), &read, &missing), HY_OK);
    assert_int_equal(read.status_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(read.statuses[i].at_us, 995000 + i * 60000);
        assert_true(read.statuses[i].counts[0] == i && read.statuses[i].counts[1] == i + 1);
    }
    assert_int_equal(read.command_count, 2);
    assert_true(read.commands[0].effort[0] == 0 && read.commands[0].effort[1] == 0);
    assert_int_equal(read.commands[1].at_us, 1100000);
    assert_true(read.commands[1].effort[0] == 0.5 && read.commands[1].effort[1] == 0.25);
    hy_wpilog_close(file);
}

// Values at wild times and records that cannot be read, in front of, between and behind those of a recording: it is read as without
// them, and both are said.
static void test_outliers_and_what_cannot_be_read_change_nothing(void **state)
{
    (void)state;
    static hy_calibration_log read, plain;
    static made_log log, more;
    hy_wpilog *file;
    const char *missing;
    hy_robot_traits robot;
    hy_robot_traits_ideal(&robot);
    calibrate_record(&log_of_test, &robot, 1);
    const hy_bytes bytes = publish(&file, &log_of_test);
    assert_int_equal(hy_calibration_read(bytes, &plain, &missing), HY_OK);
    assert_string_equal(plain.damage, "");
    for (size_t part = 0; part <= 4; part++) {
        hy_wpilog_reader reader;
        hy_wpilog_record record;
        assert_int_equal(hy_wpilog_reader_init(&reader, bytes), HY_OK);
        for (int i = 0; i < 20 || reader.offset < bytes.size * part / 5; i++) {
            assert_true(hy_wpilog_next(&reader, &record)); // behind the starts
        }
        more.size = log.size = 0;
        put_doubles(&more, 1, UINT64_C(1000000000000000), (const double[]){ 1, 1 }, 2);
        put_doubles(&more, 2, UINT64_C(4000000000000), (const double[]){ 900, 900 }, 2);
        put_head(&more, 0, 1, 5);
        put(&more, "\7", 1);
        put(&log, bytes.data, reader.begin);
        put(&log, more.bytes, more.size);
        put(&log, bytes.data + reader.begin, bytes.size - reader.begin);
        assert_int_equal(hy_calibration_read((hy_bytes){ log.bytes, log.size }, &read, &missing),
                         HY_OK);
        assert_non_null(strstr(read.damage, "1 record cannot be read and is skipped"));
        assert_non_null(strstr(read.damage, "2 values are left out"));
        memset(read.damage, 0, sizeof read.damage);
        assert_memory_equal(&read, &plain, sizeof read);
    }
    hy_wpilog_close(file);
}

static void test_a_log_without_what_is_needed(void **state)
{
    (void)state;
    static hy_calibration_log read;
    hy_wpilog *file;
    const char *missing;
    log_of_test = (hy_calibration_log){ .command_count = 1 };
    assert_int_equal(hy_calibration_read(publish(&file, &log_of_test), &read, &missing), HY_ERANGE);
    assert_string_equal(missing, "/Robot/Sensors/Encoders");
    hy_wpilog_close(file);
    const uint8_t text[] = "motors: { left_speed: 1 }";
    assert_int_equal(hy_calibration_read((hy_bytes){ text, sizeof text }, &read, &missing),
                     HY_EFORMAT);
    assert_string_equal(read.damage, "the file does not begin with \"WPILOG\"");
}

// --------------------------------------------------------------------------- hidden robots

// Two of the twenty of bench_calibrate, whose median is promised.
static void check_seed(uint64_t seed)
{
    hy_robot_traits hidden, ideal;
    hy_calibration result;
    hy_robot_traits_ideal(&ideal);
    calibrate_hide(&hidden, seed);
    calibrate_record(&log_of_test, &hidden, seed);
    assert_false(log_of_test.is_full);
    assert_int_equal(hy_calibrate(&log_of_test, 0, &result), HY_OK);
    assert_true(result.coasts == (hidden.decay == HY_DECAY_COAST));
    assert_true(result.bridge_ratio > 10);
    for (unsigned lap = 0; lap < CALIBRATE_LAPS; lap++) {
        const calibrate_error error = calibrate_compare(&hidden, &result.traits, lap);
        const calibrate_error before = calibrate_compare(&hidden, &ideal, lap);
        if (error.position_rms_m > 0.01 * error.way_m ||
            error.heading_rms_rad > hy_rad_from_deg(1.5) ||
            error.position_rms_m > before.position_rms_m / 3) {
            fail_msg("seed %u, lap %u: %.2f cm a metre, %.2f degrees; as its type %.2f cm a metre",
                     (unsigned)seed, lap, 100 * error.position_rms_m / error.way_m,
                     hy_deg_from_rad(error.heading_rms_rad),
                     100 * before.position_rms_m / before.way_m);
        }
    }
    const hy_calibration_value *const track = value_called(&result, "wheels: track");
    assert_true(track->is_determined);
    assert_near(track->value, hidden.track, 5 * track->deviation + 0.002);
}

static void test_a_hidden_robot_that_coasts(void **state)
{
    (void)state;
    check_seed(0);
}

static void test_a_hidden_robot_that_brakes(void **state)
{
    (void)state;
    check_seed(5);
}

// --------------------------------------------------------------------------- what is not known

// The recording up to the first pivot.
static void cut_pivots(hy_calibration_log *log)
{
    const double before_s = 3 + 5 * 3;
    const int64_t end_us = log->statuses[0].at_us + (int64_t)(before_s * 1e6);
    while (log->statuses[log->status_count - 1].at_us > end_us) {
        log->status_count--;
    }
    while (log->commands[log->command_count - 1].at_us > end_us) {
        log->command_count--;
    }
}

static void test_what_a_recording_cannot_say(void **state)
{
    (void)state;
    hy_robot_traits hidden;
    hy_calibration result;
    hy_robot_traits_ideal(&hidden);
    hidden.decay = HY_DECAY_BRAKE;
    hidden.battery_v = 5;
    calibrate_record(&log_of_test, &hidden, 3);
    cut_pivots(&log_of_test);
    assert_int_equal(hy_calibrate(&log_of_test, 5, &result), HY_OK);
    const hy_calibration_value *const track = value_called(&result, "wheels: track");
    assert_false(track->is_determined);
    assert_string_equal(track->why, "no turns in the recording");
    assert_false(value_called(&result, "bridge: inductance_h")->is_determined);
    for (size_t i = 0; i < HY_CALIBRATION_VALUES; i++) {
        const char *const why = result.values[i].why;
        assert_true(why == NULL || strstr(why, "--volts") == NULL); // they are given
    }
    // A lap with turns is predicted badly.
    const hy_calibration_lap *const square = &result.laps[0];
    assert_string_equal(square->what, "square");
    const double predicted_rad = square->heading_rms_rad;
    print_message("square: %.2f degrees\n", hy_deg_from_rad(predicted_rad));
    assert_true(predicted_rad > hy_rad_from_deg(1.5)); // what is promised of a whole recording
    if (is_long_run()) {
        calibrate_record(&log_of_test, &hidden, 3);
        hy_calibration whole;
        assert_int_equal(hy_calibrate(&log_of_test, 5, &whole), HY_OK);
        assert_true(whole.laps[0].heading_rms_rad > 0);
        assert_true(predicted_rad > 3 * whole.laps[0].heading_rms_rad);
    }
    // With the battery as measured the speed of the motors is known.
    const hy_calibration_value *const speed = value_called(&result, "motors: left_speed");
    assert_true(speed->is_determined);
    assert_near(speed->value, 1, 0.02);
}

#ifndef __SANITIZE_ADDRESS__ // with which a fit takes half a minute, and these run no other code
// The straight drives of a robot that nobody disturbs, and its calibration.
static const hy_calibration *undisturbed(hy_calibration_log *log)
{
    static hy_calibration result;
    hy_robot_traits hidden;
    calibrate_hide(&hidden, 0);
    calibrate_record(log, &hidden, 0);
    cut_pivots(log);
    if (result.simulations == 0) { // both tests that disturb it begin with it
        assert_int_equal(hy_calibrate(log, 0, &result), HY_OK);
        assert_false(result.is_poor);
        assert_int_equal(result.left_out, 0);
    }
    return &result;
}

// Somebody holds the right wheel on the way out of each step: no robot by itself does that.
static void test_a_robot_that_is_held(void **state)
{
    (void)state;
    hy_calibration result;
    (void)undisturbed(&log_of_test);
    double held = 0;
    for (size_t i = 1; i < log_of_test.status_count; i++) {
        const double moved =
            log_of_test.statuses[i].counts[0] - log_of_test.statuses[i - 1].counts[0];
        held += i % 60 < 8 ? fabs(moved) : 0;
        log_of_test.statuses[i].counts[1] -= held;
    }
    assert_int_equal(hy_calibrate(&log_of_test, 0, &result), HY_OK);
    assert_true(result.is_poor);
    for (size_t i = 0; i < HY_CALIBRATION_VALUES; i++) {
        const hy_calibration_value *const value = &result.values[i];
        const bool says_so = !value->is_determined && strstr(value->why, "recorded") != NULL;
        assert_true(value->is_determined || says_so || strstr(value->name, "track") != NULL ||
                    strstr(value->name, "inductance") != NULL);
    }
}

// The connection pauses for half a second in each of the last drives, and the robot does meanwhile what nobody commanded.
static void test_pauses_are_left_out(void **state)
{
    (void)state;
    hy_calibration result;
    const hy_calibration *const whole = undisturbed(&log_of_test);
    double farther = 0;
    size_t kept = 0;
    for (size_t i = 0; i < log_of_test.status_count; i++) {
        const bool is_paused = i > 200 && i % 60 >= 10 && i % 60 < 20;
        farther += is_paused ? 20 : 0;
        if (!is_paused) {
            log_of_test.statuses[kept] = log_of_test.statuses[i];
            log_of_test.statuses[kept++].counts[0] += farther;
        }
    }
    log_of_test.status_count = kept;
    assert_int_equal(hy_calibrate(&log_of_test, 0, &result), HY_OK);
    assert_false(result.is_poor);
    assert_true(result.left_out > 20 && result.left_out < 120);
    assert_true(result.counts_rms < 1.5 * whole->counts_rms);
    // With pauses all the time nothing is left.
    for (size_t i = 0; i < log_of_test.status_count; i++) {
        log_of_test.statuses[i].at_us += (int64_t)i * 200000;
    }
    assert_int_equal(hy_calibrate(&log_of_test, 0, &result), HY_ERANGE);
}

#endif

// Its friction is larger than any that is tried.
static void test_a_number_at_its_bound(void **state)
{
    (void)state;
    hy_robot_traits hidden;
    hy_calibration result;
    hy_robot_traits_ideal(&hidden);
    hidden.decay = HY_DECAY_BRAKE;
    hidden.breakaway = 0.6;
    hidden.friction[0] = 5;
    calibrate_record(&log_of_test, &hidden, 3);
    assert_int_equal(hy_calibrate(&log_of_test, 6, &result), HY_OK);
    assert_true(value_called(&result, "motors: left_friction")->is_at_bound);
    assert_false(value_called(&result, "motors: right_friction")->is_at_bound);
    assert_false(value_called(&result, "wheels: track")->is_at_bound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_script_takes_a_minute),
        cmocka_unit_test(test_counters_and_angles_are_unwrapped),
        cmocka_unit_test(test_a_robot_that_stands_is_refused),
        cmocka_unit_test(test_a_recording_is_read_as_it_was_written),
        cmocka_unit_test(test_outliers_and_what_cannot_be_read_change_nothing),
        cmocka_unit_test(test_a_program_s_recording_is_read),
        cmocka_unit_test(test_a_log_without_what_is_needed),
        cmocka_unit_test(test_a_hidden_robot_that_coasts),
        cmocka_unit_test(test_what_a_recording_cannot_say),
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(test_a_robot_that_is_held),
        cmocka_unit_test(test_pauses_are_left_out),
#endif
    };
    const struct CMUnitTest further_robots[] = {
        cmocka_unit_test(test_a_hidden_robot_that_brakes),
        cmocka_unit_test(test_a_number_at_its_bound),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed != 0 || !is_long_run() ? failed
                                         : cmocka_run_group_tests(further_robots, NULL, NULL);
}
