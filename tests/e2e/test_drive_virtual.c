// `halyard drive virtual`: a lap without a terminal, keys with one, and nothing left behind.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

#define SECOND_US   1000000
#define PATIENCE_US (30 * SECOND_US)

static int drive_a_lap(char *output, size_t size)
{
    const char *const arguments[] = { HALYARD_BINARY, "drive", "virtual", NULL };
    program drive = program_start(arguments);
    assert_true(program_await(&drive, NULL, 120 * SECOND_US)); // its end
    return program_end(&drive, output, size);
}

// A program that the machine holds up for half a second has to stop its robot, and says so: that is no lap, and no fault.
static void a_lap_without_a_terminal(void **state)
{
    (void)state;
    char output[8192];
    int status = drive_a_lap(output, sizeof output);
    for (int i = 0; i < 4 && status == 1 && strstr(output, "the robot fell silent") != NULL; i++) {
        print_message("%s", output);
        status = drive_a_lap(output, sizeof output);
    }
    if (status != 0 || strstr(output, "\nlap: drove 3.") == NULL) {
        fail_msg("exit status %d: %s", status, output);
    }
    const char *const from = strstr(output, "truth), ");
    assert_non_null(from);
    print_message("%s", strstr(output, "lap:"));
    assert_true(strtod(from + strlen("truth), "), NULL) < 15.0); // cm from the start
}

static void a_script_drives_it(void **state)
{
    (void)state;
    static const char script[] = "0 enable\n0 drive 0.3 0.3\n+0.6 say hi\n+0 quit\n";
    char output[8192], path[] = "/tmp/halyard_drive_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, script, sizeof script - 1), sizeof script - 1);
    close(file);
    const char *const arguments[] = { HALYARD_BINARY, "drive", "virtual", "--script", path, NULL };
    int status = 1;
    for (int i = 0; i < 5 && status != 0; i++) {
        program drive = program_start(arguments);
        status = program_end(&drive, output, sizeof output);
        if (strstr(output, "this program was held up") == NULL) {
            break;
        }
        print_message("%s", output);
    }
    unlink(path);
    const char *const ahead = strstr(output, "by odometry ");
    if (status != 0 || strncmp(output, "hi\n", 3) != 0 || ahead == NULL) {
        fail_msg("exit status %d: %s", status, output);
    }
    assert_true(strtod(ahead + strlen("by odometry "), NULL) > 0.01);
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
    assert_true(program_await(&drive, "● up", PATIENCE_US));
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
    assert_true(is_gone(child, PATIENCE_US));
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
    assert_true(program_await(&drive, "drives a lap", PATIENCE_US));
    usleep(300000);
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
    assert_true(program_await(&drive, "● up", PATIENCE_US));
    program_type(&drive, "\r");
    assert_true(program_await(&drive, "enabled: the robot obeys", PATIENCE_US));
    for (int i = 0; i < 15; i++) {
        program_type(&drive,
                     "\rw"); // Enter once more does nothing, unless the machine held the program up
        program_await(&drive, "\001never", 100000);
    }
    program_type(&drive, "q");
    assert_true(program_await(&drive, "by odometry ", PATIENCE_US));
    const double ahead_m =
        strtod(strstr(drive.output, "by odometry ") + strlen("by odometry "), NULL);
    assert_int_equal(program_end(&drive, NULL, 0), 0);
    assert_true(ahead_m > 0.01);
}

int main(void)
{
    program_go_first();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lap_without_a_terminal),
        cmocka_unit_test(a_script_drives_it),
        cmocka_unit_test(nothing_is_left_behind),
        cmocka_unit_test(an_interrupted_lap_is_none),
        cmocka_unit_test(keys_drive_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
