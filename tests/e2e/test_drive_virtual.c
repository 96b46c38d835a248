// `halyard drive virtual`: a lap without a terminal, keys with one, and nothing left behind.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

#define SECOND_US 1000000

static void a_lap_without_a_terminal(void **state)
{
    (void)state;
    char output[8192];
    const char *const arguments[] = { HALYARD_BINARY, "drive", "virtual", NULL };
    program drive = program_start(arguments);
    assert_true(program_await(&drive, "\nlap: drove 3.", 60 * SECOND_US));
    assert_int_equal(program_end(&drive, output, sizeof output), 0);
    const char *const from = strstr(output, "truth), ");
    assert_non_null(from);
    print_message("%s", strstr(output, "lap:"));
    assert_true(strtod(from + strlen("truth), "), NULL) < 15.0); // cm from the start
}

// The group of the virtual robot's process: it is no longer there once that has ended.
static pid_t find_child(pid_t parent)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    FILE *const file = fopen(path, "r");
    int child = 0;
    if (file != NULL) {
        if (fscanf(file, "%d", &child) != 1) {
            child = 0;
        }
        fclose(file);
    }
    return child;
}

static bool is_gone(pid_t pid, int64_t limit_us)
{
    const int64_t end_us = hy_clock_now_us() + limit_us;
    while (kill(pid, 0) == 0) {
        if (hy_clock_now_us() > end_us) {
            return false;
        }
        usleep(10000);
    }
    return true;
}

static void expect_nothing_left(int signal_number, int wanted)
{
    const char *const arguments[] = { HALYARD_BINARY, "drive", "virtual", NULL };
    program drive = program_start_in_terminal(arguments);
    assert_true(program_await(&drive, "● up", 10 * SECOND_US));
    const pid_t child = find_child(drive.pid);
    if (signal_number == 0) {
        program_type(&drive, "q");
    } else {
        kill(drive.pid, signal_number);
    }
    assert_int_equal(program_end(&drive, NULL, 0), wanted);
    if (child == 0) {
        print_message("this system does not list children: not checked\n");
        return;
    }
    assert_true(is_gone(child, 10 * SECOND_US));
}

static void nothing_is_left_behind(void **state)
{
    (void)state;
    expect_nothing_left(0, 0);
    expect_nothing_left(SIGINT, 0);
    expect_nothing_left(SIGTERM, 0);
    expect_nothing_left(SIGKILL, -SIGKILL);
}

static void an_interrupted_lap_is_none(void **state)
{
    (void)state;
    char output[8192];
    const char *const arguments[] = { HALYARD_BINARY, "drive", "virtual", NULL };
    program drive = program_start(arguments);
    assert_true(program_await(&drive, "drives a lap", 10 * SECOND_US));
    usleep(1500000);
    kill(drive.pid, SIGINT);
    assert_int_equal(program_end(&drive, output, sizeof output), 1);
    assert_non_null(strstr(output, "no lap: drove"));
    assert_non_null(strstr(output, "halyard drive: interrupted"));
}

static void keys_drive_it(void **state)
{
    (void)state;
    const char *const arguments[] = { HALYARD_BINARY, "drive", "virtual", NULL };
    program drive = program_start_in_terminal(arguments);
    assert_true(program_await(&drive, "● up", 10 * SECOND_US));
    program_type(&drive, "\r");
    assert_true(program_await(&drive, "enabled: the robot obeys", 10 * SECOND_US));
    for (int i = 0; i < 8; i++) {
        program_type(&drive, "w");
        program_await(&drive, "\001never", 150000);
    }
    program_type(&drive, "q");
    assert_true(program_await(&drive, "by odometry ", 10 * SECOND_US));
    const double ahead_m =
        strtod(strstr(drive.output, "by odometry ") + strlen("by odometry "), NULL);
    assert_int_equal(program_end(&drive, NULL, 0), 0);
    assert_true(ahead_m > 0.05 && ahead_m < 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lap_without_a_terminal),
        cmocka_unit_test(nothing_is_left_behind),
        cmocka_unit_test(an_interrupted_lap_is_none),
        cmocka_unit_test(keys_drive_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
