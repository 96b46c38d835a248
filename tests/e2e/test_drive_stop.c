// Every way out of a program stops the robot: real processes, through a network that loses a fifth of
// the datagrams and mixes up the rest, judged by the board's outputs.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../src/robot/robot_state.h"
#include "bad_air.h"
#include "program.h"

static const char *self_path;
static volatile sig_atomic_t is_told_to_end;

// --------------------------------------------------------------------------- a robot program

static void on_told(int number)
{
    (void)number;
    is_told_to_end = 1;
}

// What this file is when it is started as "PROGRAM robot URL ENDING": a robot program that drives across
// the wrap of its sequence numbers, says so, and ends in that way once it gets SIGUSR1.
static int be_robot_program(const char *url, const char *ending)
{
    hy_robot *robot;
    if (hy_robot_open(&robot, url) != HY_OK) {
        return 1;
    }
    signal(SIGUSR1, on_told);
    setpgid(0, 0); // a process that no shell could continue is not suspended by SIGTSTP
    robot->peer.commander.seq.next = 65515; // past 65535 before the test ends it
    while (!hy_robot_enable(robot) && hy_robot_wait(robot, 10000)) {
    }
    for (int i = 0; i < 200 && !(robot->peer.commander.seq.wrapped && i > 20); i++) {
        hy_robot_set_motor(robot, 0, 0.5f);
        hy_robot_wait(robot, 10000);
    }
    hy_robot_wait(robot, 100000);
    printf("%s\n",
           robot->peer.commander.seq.wrapped && hy_robot_is_enabled(robot) ? "ready" : "failed");
    fflush(stdout);
    while (!is_told_to_end && hy_robot_wait(robot, 5000)) {
    }
    while (strcmp(ending, "deaf") == 0) {
        hy_robot_wait(robot, 5000);
        usleep(1000);
    }
    if (strcmp(ending, "exit") == 0) {
        exit(0);
    } else if (strcmp(ending, "return") == 0) {
        return 0;
    } else if (strcmp(ending, "close") == 0) {
        hy_robot_close(robot);
        pause();
    } else if (strcmp(ending, "emergency") == 0) {
        hy_robot_emergency_stop(robot);
    }
    while (hy_robot_wait(robot, 1000000)) {
    }
    return 0;
}

// Asks `pid` to stop its robot by a signal, and asserts that it does: through losses and another order, or
// though the first half of the stop is lost.
static void expect_stop(bad_air *air, pid_t pid, int signal_number, bool blackout)
{
    assert_true(board_thread_still_since_us(air->board) == INT64_MAX);
    if (blackout) {
        bad_air_swallow_stops(air);
    }
    const bad_air_count before = bad_air_counts(air);
    kill(pid, signal_number);
    bad_air_assert_stops(air, &before, BAD_AIR_AT_ONCE);
}

static void expect_end(program *child, int signal_number, int wanted)
{
    kill(child->pid, signal_number);
    assert_int_equal(program_end(child, NULL, 0), wanted);
}

static void expect_program_stops(const char *ending, int signal_number)
{
    for (unsigned blackout = 0; blackout < 2; blackout++) {
        bad_air air = bad_air_start(1 + blackout);
        const char *const arguments[] = { self_path, "robot", air.url, ending, NULL };
        program child = program_start(arguments);
        assert_true(program_await(&child, "ready", BAD_AIR_PATIENCE_US));
        assert_true(board_thread_await_still(air.board, false, BAD_AIR_PATIENCE_US));
        expect_stop(&air, child.pid, signal_number, blackout != 0);
        kill(child.pid, SIGKILL); // some endings leave it running
        program_end(&child, NULL, 0);
        bad_air_end(&air);
    }
}

static void a_program_that_exits(void **state)
{
    (void)state;
    expect_program_stops("exit", SIGUSR1);
}

static void a_program_that_returns(void **state)
{
    (void)state;
    expect_program_stops("return", SIGUSR1);
}

static void a_program_that_closes(void **state)
{
    (void)state;
    expect_program_stops("close", SIGUSR1);
}

static void a_program_in_an_emergency(void **state)
{
    (void)state;
    expect_program_stops("emergency", SIGUSR1);
}

static void a_program_that_gets_a_signal(void **state)
{
    (void)state;
    expect_program_stops("SIGINT", SIGINT);
    expect_program_stops("SIGTERM", SIGTERM);
    expect_program_stops("SIGHUP", SIGHUP);
    expect_program_stops("SIGQUIT", SIGQUIT);
    expect_program_stops("SIGPIPE", SIGPIPE);
    expect_program_stops("SIGTSTP", SIGTSTP);
}

static program start_robot_program(bad_air *air, const char *ending)
{
    const char *const arguments[] = { self_path, "robot", air->url, ending, NULL };
    program child = program_start(arguments);
    assert_true(program_await(&child, "ready", BAD_AIR_PATIENCE_US));
    assert_true(board_thread_await_still(air->board, false, BAD_AIR_PATIENCE_US));
    return child;
}

static void wait_us(int64_t us)
{
    usleep((useconds_t)us);
}

static bool await_state(pid_t pid, int wanted_signal, int64_t limit_us)
{
    for (int64_t waited_us = 0; waited_us < limit_us; waited_us += 5000) {
        int status;
        if (waitpid(pid, &status, WNOHANG | WUNTRACED) == pid) {
            return WIFSTOPPED(status) && WSTOPSIG(status) == wanted_signal;
        }
        wait_us(5000);
    }
    return false;
}

// Waits until what was on its way has arrived, and nothing comes any more.
static uint64_t await_silence(const bad_air *air)
{
    uint64_t before = 0, now = bad_air_counts(air).stops;
    for (int i = 0; i < 100 && before != now; i++) {
        before = now;
        wait_us(100000);
        now = bad_air_counts(air).stops;
    }
    return now;
}

// It stops its robot, is suspended, and goes on with a robot that is disabled.
static void a_program_that_is_suspended(void **state)
{
    (void)state;
    bad_air air = bad_air_start(20);
    program child = start_robot_program(&air, "SIGTSTP");
    expect_stop(&air, child.pid, SIGTSTP, false);
    assert_true(await_state(child.pid, SIGTSTP, BAD_AIR_PATIENCE_US));
    const uint64_t stops = await_silence(&air);
    wait_us(200000);
    const bad_air_count before = bad_air_counts(&air);
    assert_int_equal(before.stops, stops);
    kill(child.pid, SIGCONT);
    bad_air_await_stops(&air, &before, 5); // it speaks again
    assert_int_equal(bad_air_counts(&air).driving, before.driving);
    assert_false(board_thread_is_enabled(air.board));
    expect_end(&child, SIGINT, 0); // and it can still be ended
    bad_air_end(&air);
}

// Continued before the stop has run out: the robot is stopped, the program is not.
static void a_program_that_is_continued_at_once(void **state)
{
    (void)state;
    bad_air air = bad_air_start(21);
    program child = start_robot_program(&air, "SIGTSTP");
    const bad_air_count before = bad_air_counts(&air);
    kill(child.pid, SIGTSTP);
    bad_air_await_stops(&air, &before, 1); // it knows
    kill(child.pid, SIGCONT);
    bad_air_assert_stops(&air, &before, BAD_AIR_AT_ONCE);
    assert_false(await_state(child.pid, SIGTSTP, 200000));
    expect_end(&child, SIGINT, 0);
    bad_air_end(&air);
}

// Pressed twice in a hurry: the second Ctrl-C must not cut the stop short.
static void a_second_interrupt_does_not_cut_the_stop_short(void **state)
{
    (void)state;
    bad_air air = bad_air_start(22);
    program child = start_robot_program(&air, "SIGINT");
    bad_air_swallow_stops(&air);
    const bad_air_count before = bad_air_counts(&air);
    kill(child.pid, SIGINT);
    bad_air_await_stops(&air, &before, 1);
    kill(child.pid, SIGINT);
    bad_air_assert_stops(&air, &before, BAD_AIR_AT_ONCE);
    expect_end(&child, 0, 0);
    bad_air_end(&air);
}

static void a_second_interrupt_ends_what_does_not_listen(void **state)
{
    (void)state;
    bad_air air = bad_air_start(23);
    program child = start_robot_program(&air, "deaf");
    kill(child.pid, SIGUSR1);
    expect_stop(&air, child.pid, SIGINT, false);
    wait_us(400000); // a second one that comes sooner is the same Ctrl-C, pressed in a hurry
    expect_end(&child, SIGINT, -SIGINT);
    bad_air_end(&air);
}

// --------------------------------------------------------------------------- halyard drive

static void write_script(char path[64], const char *text)
{
    strcpy(path, "/tmp/halyard_drive_XXXXXX");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
}

static program start_drive(const bad_air *air, const char *script, char path[64])
{
    write_script(path, script);
    const char *const arguments[] = { HALYARD_BINARY, "drive", air->url, "--script", path, NULL };
    program drive = program_start(arguments);
    assert_true(program_await(&drive, "driving", BAD_AIR_PATIENCE_US));
    assert_true(board_thread_await_still(air->board, false, BAD_AIR_PATIENCE_US));
    return drive;
}

static const char endless[] = "0 enable\n0 drive 0.5 0.5\n0 say driving\n60 wait\n";

static void a_drive_that_gets_a_signal(void **state)
{
    (void)state;
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    for (size_t i = 0; i < 8; i++) {
        char path[64], output[4096];
        bad_air air = bad_air_start(100 + i);
        program drive = start_drive(&air, endless, path);
        expect_stop(&air, drive.pid, signals[i / 2], i % 2 != 0);
        assert_int_equal(program_end(&drive, output, sizeof output), 1);
        assert_non_null(strstr(output, "interrupted"));
        bad_air_end(&air);
        unlink(path);
    }
}

// As `halyard drive ... | head -1`.
static void a_drive_whose_reader_goes_away(void **state)
{
    (void)state;
    char path[64];
    bad_air air = bad_air_start(150);
    program drive =
        start_drive(&air, "0 enable\n0 drive 0.5 0.5\n0 say driving\n+0.5 say more\n60 wait\n", path);
    const bad_air_count before = bad_air_counts(&air);
    program_hang_up(&drive);
    bad_air_assert_stops(&air, &before, BAD_AIR_AT_ONCE + 25); // it speaks after half a second
    assert_true(program_end(&drive, NULL, 0) != 0);
    bad_air_end(&air);
    unlink(path);
}

static void a_drive_whose_script_stops(void **state)
{
    (void)state;
    static const char *const endings[] = {
        "0 enable\n0 drive 0.5 0.5\n0 say driving\n+0.2 say stop\n+0 disable\n+0.5 quit\n",
        "0 enable\n0 drive 0.5 0.5\n0 say driving\n+0.2 say stop\n+0 quit\n",
        "0 enable\n0 drive 0.5 0.5\n0 say driving\n+0.2 say stop\n", // the end of the file
    };
    for (size_t i = 0; i < 3; i++) {
        char path[64];
        bad_air air = bad_air_start(200 + i);
        program drive = start_drive(&air, endings[i], path);
        const bad_air_count before = bad_air_counts(&air);
        assert_true(program_await(&drive, "stop", BAD_AIR_PATIENCE_US));
        bad_air_assert_stops(&air, &before, BAD_AIR_AT_ONCE + 10); // after a fifth of a second
        assert_int_equal(program_end(&drive, NULL, 0), 0);
        bad_air_end(&air);
        unlink(path);
    }
}

static void a_drive_whose_robot_falls_silent(void **state)
{
    (void)state;
    char path[64], output[4096];
    bad_air air = bad_air_start(300);
    program drive = start_drive(&air, endless, path);
    const bad_air_count before = bad_air_counts(&air);
    bad_air_silence(&air);
    bad_air_assert_stops(&air, &before, BAD_AIR_AT_ONCE + 25); // after half a second
    assert_int_equal(program_end(&drive, output, sizeof output), 1);
    assert_non_null(strstr(output, "no status from xrp://127.0.0.1:"));
    bad_air_end(&air);
    unlink(path);
}

// Nothing can be sent then: the robot's own watchdog is what remains.
static void a_drive_that_is_killed(void **state)
{
    (void)state;
    char path[64];
    bad_air air = bad_air_start(400);
    program drive = start_drive(&air, endless, path);
    const bad_air_count before = bad_air_counts(&air);
    kill(drive.pid, SIGKILL);
    bad_air_assert_watchdog_stops(&air, &before);
    assert_int_equal(program_end(&drive, NULL, 0), -SIGKILL);
    bad_air_end(&air);
    unlink(path);
}

// Stopped and continued: the robot's watchdog has acted meanwhile, and nothing starts it again.
static void a_drive_that_is_suspended_and_goes_on(void **state)
{
    (void)state;
    char path[64], output[4096];
    bad_air air = bad_air_start(500);
    program drive = start_drive(&air, endless, path);
    bad_air_count before = bad_air_counts(&air);
    program_stop(&drive);
    bad_air_assert_watchdog_stops(&air, &before);
    before = bad_air_counts(&air);
    kill(drive.pid, SIGCONT);
    bad_air_assert_stops(&air, &before, 0); // not one more that drives
    assert_int_equal(program_end(&drive, output, sizeof output), 1);
    assert_non_null(strstr(output, "held up"));
    bad_air_end(&air);
    unlink(path);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "robot") == 0) {
        return be_robot_program(argv[2], argv[3]);
    }
    self_path = argv[0];
    program_go_first();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_that_exits),
        cmocka_unit_test(a_program_that_returns),
        cmocka_unit_test(a_program_that_closes),
        cmocka_unit_test(a_program_in_an_emergency),
        cmocka_unit_test(a_program_that_gets_a_signal),
        cmocka_unit_test(a_program_that_is_suspended),
        cmocka_unit_test(a_program_that_is_continued_at_once),
        cmocka_unit_test(a_second_interrupt_does_not_cut_the_stop_short),
        cmocka_unit_test(a_second_interrupt_ends_what_does_not_listen),
        cmocka_unit_test(a_drive_that_gets_a_signal),
        cmocka_unit_test(a_drive_whose_reader_goes_away),
        cmocka_unit_test(a_drive_whose_script_stops),
        cmocka_unit_test(a_drive_whose_robot_falls_silent),
        cmocka_unit_test(a_drive_that_is_killed),
        cmocka_unit_test(a_drive_that_is_suspended_and_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
