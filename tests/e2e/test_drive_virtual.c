// `halyard drive virtual`: a lap without a terminal, keys with one, and nothing left behind.
#include "cmocka_all.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

#define SECOND_US   1000000
#define PATIENCE_US (30 * SECOND_US)

static int drive_a_lap(const char *seed, char *output, size_t size)
{
    const char *const arguments[] = { HALYARD_BINARY, "drive",  "virtual", "--speed",
                                      "50",           "--seed", seed,      NULL };
    program drive = program_start(arguments);
    assert_true(program_await(&drive, NULL, 120 * SECOND_US)); // its end
    return program_end(&drive, output, size);
}

static void a_lap_without_a_terminal(void **state)
{
    (void)state;
    char output[8192];
    const int status = drive_a_lap("1", output, sizeof output);
    if (status != 0 || strstr(output, "\nlap: drove 3.") == NULL) {
        fail_msg("exit status %d: %s", status, output);
    }
    const char *const from = strstr(output, "truth), ");
    assert_non_null(from);
    print_message("%s", strstr(output, "lap:"));
    assert_true(strtod(from + strlen("truth), "), NULL) < 15.0); // cm from the start
}

static void the_seed_decides_how_it_goes(void **state)
{
    (void)state;
    static const char *const others[] = { "3", "4", "5", "6" };
    static char first[8192], again[8192], other[8192];
    assert_int_equal(drive_a_lap("2", first, sizeof first), 0);
    assert_int_equal(drive_a_lap("2", again, sizeof again), 0);
    assert_equal_runs(again, first);
    int different = 0; // what is printed is rounded to millimetres: two laps may look alike
    for (int i = 0; i < 4; i++) {
        assert_int_equal(drive_a_lap(others[i], other, sizeof other), 0);
        different += strcmp(first, other) != 0;
    }
    assert_true(different > 0);
}

static void write_script(char path[64], const char *text)
{
    strcpy(path, "/tmp/halyard_drive_XXXXXX");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
}

static int run_script(const char *url, const char *path, char *output, size_t size)
{
    const char *const arguments[] = { HALYARD_BINARY, "drive", url, "--script", path, NULL };
    program drive = program_start(arguments);
    return program_end(&drive, output, size);
}

static void a_script_drives_it(void **state)
{
    (void)state;
    char output[8192], path[64];
    write_script(path, "0 enable\n0 drive 0.3 0.3\n+0.6 say hi\n+0 quit\n");
    const int status = run_script("virtual", path, output, sizeof output);
    unlink(path);
    const char *const ahead = strstr(output, "by odometry ");
    if (status != 0 || strncmp(output, "hi\n", 3) != 0 || ahead == NULL) {
        fail_msg("exit status %d: %s", status, output);
    }
    assert_true(strtod(ahead + strlen("by odometry "), NULL) > 0.01);
}

// Any world, and any robot: the one that its first vehicle is.
static void a_script_drives_in_a_world_of_its_own(void **state)
{
    (void)state;
    char output[8192], again[8192], path[64];
    write_script(path, "0 enable\n0 drive 0.5 0.5\n+0.5 disable\n+0.2 quit\n");
    assert_int_equal(run_script("sim://xrp-line", path, output, sizeof output), 0);
    assert_int_equal(run_script("sim://xrp-line", path, again, sizeof again), 0);
    assert_equal_runs(again, output); // simulated time: the same drive to the millimetre
    const char *const ahead = strstr(output, "by odometry ");
    assert_non_null(ahead);
    assert_true(strtod(ahead + strlen("by odometry "), NULL) > 0.05);
    unlink(path);
    write_script(path, "0 enable\n0 motor 7 0.5\n0.3 quit\n"); // an XRP has no motor 7
    assert_int_equal(run_script("sim://teensy-field", path, output, sizeof output), 0);
    assert_int_equal(run_script("sim://xrp-line", path, output, sizeof output), 1);
    unlink(path);
}

// The robot is in the same process: there is no other one, and every way out ends it.
static void expect_end(int signal_number, int wanted)
{
    const char *const arguments[] = { HALYARD_BINARY, "drive", "virtual", NULL };
    program drive = program_start_in_terminal(arguments);
    assert_true(program_await(&drive, "● up", PATIENCE_US));
    char path[64], children[64] = "";
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)drive.pid, (int)drive.pid);
    FILE *const file = fopen(path, "r"); // not on every system
    if (file != NULL) {
        assert_null(fgets(children, sizeof children, file));
        fclose(file);
    }
    if (signal_number == 0) {
        program_type(&drive, "q");
    } else {
        kill(drive.pid, signal_number);
    }
    assert_int_equal(program_end(&drive, NULL, 0), wanted);
}

static void every_way_out_ends_it(void **state)
{
    (void)state;
    expect_end(0, 0);
    expect_end(SIGINT, 0);
    expect_end(SIGTERM, 0);
    expect_end(SIGKILL, -SIGKILL);
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
    assert_non_null(strstr(output, " mm from the line on average, "));
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
        program_type(&drive, "w");
        program_await(&drive, "\001never", 100000);
    }
    program_type(&drive, "q");
    assert_true(program_await(&drive, "by odometry ", PATIENCE_US));
    const double ahead_m =
        strtod(strstr(drive.output, "by odometry ") + strlen("by odometry "), NULL);
    assert_int_equal(program_end(&drive, NULL, 0), 0);
    assert_true(ahead_m > 0.01);
}

static void the_screen_shows_faults_and_the_page(void **state)
{
    (void)state;
    const char *const arguments[] = {
        HALYARD_BINARY, "drive", "virtual", "--faults", "loss=1%", "--view=127.0.0.1:0", NULL
    };
    program drive = program_start_in_terminal(arguments);
    assert_true(program_await(&drive, "● up", PATIENCE_US));
    assert_true(program_await(&drive, "injecting faults: loss=1%", PATIENCE_US));
    assert_true(program_await(&drive, "http://127.0.0.1:", PATIENCE_US));
    program_type(&drive, "q");
    assert_int_equal(program_end(&drive, NULL, 0), 0);
}

int main(void)
{
    program_go_first();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lap_without_a_terminal),
        cmocka_unit_test(the_seed_decides_how_it_goes),
        cmocka_unit_test(a_script_drives_it),
        cmocka_unit_test(a_script_drives_in_a_world_of_its_own),
        cmocka_unit_test(every_way_out_ends_it),
        cmocka_unit_test(an_interrupted_lap_is_none),
        cmocka_unit_test(keys_drive_it),
        cmocka_unit_test(the_screen_shows_faults_and_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
