// Calibration of virtual robots whose numbers it does not know: the bridge, laps that are not in the script, and what a
// recording cannot say.
#include <halyard/calibrate.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../support/calibrate_bench.h"
#include "cmocka_all.h"
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
    // With the battery as measured the speed of the motors is known.
    const hy_calibration_value *const speed = value_called(&result, "motors: left_speed");
    assert_true(speed->is_determined);
    assert_near(speed->value, 1, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_script_takes_a_minute),
        cmocka_unit_test(test_counters_and_angles_are_unwrapped),
        cmocka_unit_test(test_a_robot_that_stands_is_refused),
        cmocka_unit_test(test_a_hidden_robot_that_coasts),
        cmocka_unit_test(test_a_hidden_robot_that_brakes),
        cmocka_unit_test(test_what_a_recording_cannot_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
