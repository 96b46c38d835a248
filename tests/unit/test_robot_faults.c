// Faults on purpose between a robot program and its robot: a stop is never touched, and what may not be injected is refused.
#include "cmocka_all.h"

#include <halyard/robot.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../src/robot/robot_state.h"
#include "../e2e/board_thread.h"

#define LIMIT_US 20000000

static hy_robot *connect_to(const board_thread *board)
{
    char url[96];
    hy_robot *robot;
    snprintf(url, sizeof url, "xrp://%s", board_thread_address(board));
    assert_int_equal(hy_robot_open(&robot, url), HY_OK);
    return robot;
}

static hy_status inject(hy_robot *robot, const char *text)
{
    hy_faults_spec faults;
    hy_faults_error error;
    assert_int_equal(hy_faults_parse(text, &faults, &error), HY_OK);
    return hy_robot_set_faults(robot, &faults, &error);
}

static void drive(hy_robot *robot, board_thread *board)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    hy_robot_set_motor(robot, 0, 0.5F);
    while (board_thread_motor(board, 0) < 0.1) {
        assert_true(hy_clock_now_us() < end_us);
        if (!hy_robot_is_enabled(robot) && hy_robot_enable(robot)) {
            hy_robot_set_motor(robot, 0, 0.5F);
        }
        assert_true(hy_robot_wait(robot, 20000));
    }
}

// Held back for longer than the stop is repeated: none of these commands may drive behind it.
static void what_was_held_back_does_not_follow_a_stop(void **state)
{
    (void)state;
    board_thread *const board = board_thread_start("127.0.0.1");
    assert_non_null(board);
    hy_robot *const robot = connect_to(board);
    assert_int_equal(inject(robot, "up.delay=300ms"), HY_OK);
    drive(robot, board);
    hy_robot_disable(robot);
    assert_true(board_thread_await_still(board, true, LIMIT_US));
    const hy_board_counters at_stop = board_thread_counts(board);
    assert_true(hy_robot_wait(robot, 600000));
    assert_false(board_thread_is_enabled(board));
    assert_true(board_thread_motor(board, 0) == 0.0);
    assert_true(board_thread_counts(board).commands >= at_stop.commands); // only stops came
    hy_robot_close(robot);
    board_thread_end(board);
}

// Every command is lost on its way, but those of the stop are not.
static void a_stop_is_not_lost(void **state)
{
    (void)state;
    board_thread *const board = board_thread_start("127.0.0.1");
    assert_non_null(board);
    hy_robot *const robot = connect_to(board);
    drive(robot, board);
    assert_int_equal(inject(robot, "up.loss=100%"), HY_OK);
    const hy_board_counters before = board_thread_counts(board);
    hy_robot_disable(robot);
    assert_true(board_thread_await_still(board, true, LIMIT_US));
    while (!hy_robot_is_stopped(robot)) {
        assert_true(hy_robot_wait(robot, 20000));
    }
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (board_thread_counts(board).commands < before.commands + 6) {
        assert_true(hy_clock_now_us() < end_us);
        usleep(5000);
    }
    assert_int_equal(board_thread_counts(board).watchdog_trips, before.watchdog_trips);
    hy_robot_close(robot);
    board_thread_end(board);
}

static void statuses_are_lost_and_late(void **state)
{
    (void)state;
    board_thread *const board = board_thread_start("127.0.0.1");
    assert_non_null(board);
    hy_robot *const robot = connect_to(board);
    assert_int_equal(inject(robot, "down.loss=100%"), HY_OK);
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (board_thread_counts(board).statuses < 5) {
        assert_true(hy_clock_now_us() < end_us);
        assert_true(hy_robot_wait(robot, 20000));
    }
    assert_int_equal(hy_robot_get_counters(robot).statuses, 0);
    assert_false(hy_robot_enable(robot)); // it is silent, as far as the program knows
    assert_int_equal(hy_robot_set_faults(robot, NULL, &(hy_faults_error){ "" }), HY_OK);
    while (hy_robot_get_counters(robot).statuses == 0) {
        assert_true(hy_clock_now_us() < end_us);
        assert_true(hy_robot_wait(robot, 20000));
    }
    hy_robot_close(robot);
    board_thread_end(board);
}

static void what_may_not_be_injected_is_refused(void **state)
{
    (void)state;
    hy_robot *robot;
    assert_int_equal(hy_robot_open(&robot, "xrp://127.0.0.1:9"), HY_OK);
    assert_int_equal(inject(robot, "outage=1s+1s corrupt=1%"), HY_OK);
    assert_int_equal(inject(robot, "reboot=1s"), HY_ERANGE);
    assert_int_equal(inject(robot, "dying-battery"), HY_ERANGE);
    hy_robot_close(robot);
    // 0.0.0.0 reaches this computer, but is none of its own addresses: it stands for a robot somewhere else.
    assert_int_equal(hy_robot_open(&robot, "xrp://0.0.0.0:9"), HY_OK);
    assert_int_equal(inject(robot, "bad-wifi"), HY_EPERMISSION); // it has outages
    assert_int_equal(inject(robot, "bad-wifi,outage=none"), HY_OK);
    assert_int_equal(inject(robot, "corrupt=1%"), HY_EPERMISSION);
    assert_int_equal(inject(robot, "truncate=1%"), HY_EPERMISSION);
    assert_int_equal(inject(robot, "start=65530"), HY_EPERMISSION);
    assert_int_equal(inject(robot, "gym-full-of-phones"), HY_OK);
    hy_robot_close(robot);
}

// While nobody answers, each address of a name gets its turn: one that is elsewhere is enough to refuse.
static void every_address_of_a_name_counts(void **state)
{
    (void)state;
    hy_robot *robot;
    assert_int_equal(hy_robot_open(&robot, "xrp://127.0.0.1:9"), HY_OK);
    assert_int_equal(hy_endpoint_parse("192.0.2.1:9", 0, &robot->addresses[1]), HY_OK);
    robot->address_count = 2;
    assert_int_equal(inject(robot, "corrupt=1%"), HY_EPERMISSION);
    assert_int_equal(inject(robot, "loss=1%"), HY_OK);
    assert_int_equal(hy_endpoint_parse("127.0.0.2:9", 0, &robot->addresses[1]), HY_OK);
    assert_int_equal(inject(robot, "corrupt=1%"), HY_OK);
    hy_robot_close(robot);
}

static void the_first_command_has_the_start_number(void **state)
{
    (void)state;
    static const uint16_t starts[] = { 65530, 0, 1, 32768 };
    hy_link listener = { 0 };
    char url[HY_ENDPOINT_TEXT_MAX + 8], address[HY_ENDPOINT_TEXT_MAX];
    hy_endpoint any;
    assert_int_equal(hy_endpoint_parse("127.0.0.1:0", 0, &any), HY_OK);
    assert_int_equal(hy_link_open(&listener, &any), HY_OK);
    snprintf(url, sizeof url, "xrp://%s", hy_endpoint_format(&listener.local, address));
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        hy_robot *robot;
        char spec[16];
        hy_datagram command[HY_LINK_BATCH];
        assert_int_equal(hy_robot_open(&robot, url), HY_OK);
        snprintf(spec, sizeof spec, "start=%u", starts[i]);
        assert_int_equal(inject(robot, spec), HY_OK);
        const int64_t end_us = hy_clock_now_us() + LIMIT_US;
        size_t count = 0;
        while (count == 0) {
            assert_true(hy_clock_now_us() < end_us);
            assert_true(hy_robot_wait(robot, 20000));
            count = hy_link_receive(&listener, command, HY_LINK_BATCH);
        }
        assert_true(command[0].bytes.size >= 3);
        assert_int_equal(command[0].bytes.data[0] << 8 | command[0].bytes.data[1], starts[i]);
        hy_robot_close(robot);
        while (hy_link_receive(&listener, command, HY_LINK_BATCH) > 0) {
        } // its stop
    }
    hy_link_close(&listener);
}

static void faults_are_read_from_files(void **state)
{
    (void)state;
    char name[] = "/tmp/halyard-faults-XXXXXX";
    const int file = mkstemp(name);
    static const char text[] = "# a bad day\nloss=5%\njitter=40ms\n";
    hy_faults_spec faults;
    hy_faults_error error;
    assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
    assert_int_equal(hy_robot_read_faults(name, &faults, &error), HY_OK);
    assert_true(faults.to_robot.loss == 0.05 && faults.from_robot.jitter_us == 40000);
    assert_int_equal(write(file, "los\n", 4), 4);
    assert_int_equal(hy_robot_read_faults(name, &faults, &error), HY_EFORMAT);
    assert_non_null(strstr(error.text, "'los' is not a fault"));
    unlink(name);
    close(file);
    assert_int_equal(hy_robot_read_faults(name, &faults, &error), HY_EFILE);
    assert_int_equal(hy_robot_read_faults("loss=x", &faults, &error), HY_EFORMAT);
    assert_int_equal(hy_robot_read_faults("/dev/zero", &faults, &error), HY_EFORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_held_back_does_not_follow_a_stop),
        cmocka_unit_test(a_stop_is_not_lost),
        cmocka_unit_test(statuses_are_lost_and_late),
        cmocka_unit_test(what_may_not_be_injected_is_refused),
        cmocka_unit_test(every_address_of_a_name_counts),
        cmocka_unit_test(the_first_command_has_the_start_number),
        cmocka_unit_test(faults_are_read_from_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
