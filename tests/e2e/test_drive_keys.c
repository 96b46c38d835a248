// `halyard drive` in a terminal, by the bytes that real terminals send, judged by the board's motors.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bad_air.h"
#include "program.h"

#define PATIENCE_US     BAD_AIR_PATIENCE_US
#define KITTY_ANSWER    "\033[?15u" // "yes, releases too"
#define KITTY_HOLD_W    "\033[119;1:1u"
#define KITTY_RELEASE_W "\033[119;1:3u"

typedef struct {
    bad_air air;
    program drive;
} bench;

static void start_in(bench *self, bad_air air)
{
    self->air = air;
    const char *const arguments[] = { HALYARD_BINARY, "drive", self->air.url, NULL };
    self->drive = program_start_in_terminal(arguments);
    assert_true(program_await(&self->drive, "● up", PATIENCE_US)); // a status came
}

static void start(bench *self, uint64_t seed)
{
    start_in(self, bad_air_start(seed));
}

static void end(bench *self)
{
    char output[8192];
    program_forget(&self->drive);
    program_type(&self->drive, "q");
    assert_int_equal(program_end(&self->drive, output, sizeof output), 0);
    assert_non_null(strstr(output, "\033[<u"));     // the keyboard's protocol is given back
    assert_non_null(strstr(output, "\033[?1049l")); // and the screen
    assert_non_null(strstr(output, "received"));    // the summary
    bad_air_end(&self->air);
}

static void settle(bench *self, int64_t us)
{
    program_await(&self->drive, "\001never", us); // reads its pictures meanwhile
}

// Enables, and drives ahead. A program that the machine holds up for too long finds its robot disabled, or takes a sequence
// that came in pieces for the Escape key: then a person would press Enter once more, and so does this. Returns the counts of
// before it drove.
static bad_air_count enable_and_drive(bench *self, bool kitty)
{
    static const char kitty_enter[] = KITTY_ANSWER "\033[13;1:1u\033[13;1:3u";
    for (int i = 0; i < 10; i++) {
        program_forget(&self->drive);
        const bad_air_count before = bad_air_counts(&self->air);
        program_type(&self->drive, kitty ? kitty_enter : "\r");
        const bool is_enabled = program_await(&self->drive, "enabled: the robot obeys", 3000000);
        program_type(&self->drive, kitty ? KITTY_HOLD_W : "ww");
        if (is_enabled && board_thread_await_still(self->air.board, false, 3000000)) {
            return before;
        }
        settle(self, 500000);
        print_message("it has not moved within 3 s; %s\n",
                      strstr(self->drive.output, "disabled") != NULL ? "disabled" : "enabled");
        program_type(&self->drive, kitty ? KITTY_RELEASE_W " " : " ");
        settle(self, 500000); // the stop
    }
    fail_msg("it never moved");
    return (bad_air_count){ 0 };
}

// A program that was held up has disabled its robot, and a key changes nothing then.
static void assert_drives(bench *self, double left, double right)
{
    assert_true(board_thread_await_duties(self->air.board, left, right, PATIENCE_US) ||
                bad_air_was_held_up(&self->air));
}

static void starts_disabled(void **state)
{
    (void)state;
    bench self;
    start(&self, 1);
    program_type(&self.drive, "wwwwdddd");
    const bad_air_count before = bad_air_counts(&self.air);
    bad_air_await_stops(&self.air, &before, 15);
    assert_int_equal(bad_air_counts(&self.air).driving, 0);
    assert_true(board_thread_await_still(self.air.board, true, 0));
    end(&self);
}

static void plain_keys_step_a_setpoint_that_returns(void **state)
{
    (void)state;
    bench self;
    start(&self, 2);
    const bad_air_count before = enable_and_drive(&self, false);
    // Two steps of 0.25 at a speed of 0.6; the right motor is mounted the other way round.
    assert_drives(&self, 0.298, -0.298);
    assert_true(board_thread_await_duties(self.air.board, 0.0, 0.0, PATIENCE_US));
    bad_air_assert_no_trip(&self.air, &before);
    const bool is_enabled = board_thread_is_enabled(self.air.board); // it only stands
    assert_true(is_enabled || bad_air_was_held_up(&self.air));
    if (is_enabled) {
        program_type(&self.drive, "\033[D"); // an arrow turns to the left
        assert_drives(&self, -0.088, -0.088);
    }
    end(&self);
}

static void kitty_keys_drive_while_held(void **state)
{
    (void)state;
    bench self;
    start(&self, 3);
    assert_non_null(strstr(self.drive.output, "\033[>15u")); // releases are asked for
    const bad_air_count before = enable_and_drive(&self, true);
    assert_drives(&self, 0.6, -0.6);
    settle(&self, 900000); // longer than a set-point would live
    assert_true(board_thread_motor(self.air.board, 0) > 0.58 || bad_air_was_held_up(&self.air));
    program_type(&self.drive, KITTY_RELEASE_W);
    assert_true(board_thread_await_duties(self.air.board, 0.0, 0.0, PATIENCE_US));
    bad_air_assert_no_trip(&self.air, &before);
    assert_true(board_thread_is_enabled(self.air.board) || bad_air_was_held_up(&self.air));
    end(&self);
}

// Every key that stops, while another one is held down.
static void keys_that_stop(void **state)
{
    (void)state;
    static const struct {
        const char *name, *bytes;
        bool kitty, ends, is_elsewhere; // the robot is on another machine
    } keys[] = {
        { "space", " ", false, false, false },
        { "escape", "\033", false, false, false },
        { "backspace", "\177", false, false, false },
        { "focus lost", "\033[O", false, false, true },
        { "Ctrl-Z", "\032", false, false, false },
        { "q", "q", false, true, false },
        { "Ctrl-C", "\003", false, true, false },
        { "kitty space", "\033[32;1:1u", true, false, false },
        { "kitty escape", "\033[27;1:1u", true, false, false },
        { "kitty focus lost", "\033[O", true, false, true },
        { "kitty Ctrl-Z", "\033[122;5:1u", true, false, false },
        { "kitty Ctrl-C", "\033[99;5:1u", true, true, false },
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        bench self;
        const bad_air air =
            keys[i].is_elsewhere ? bad_air_start_elsewhere(10 + i) : bad_air_start(10 + i);
        if (air.board == NULL) {
            print_message("%s: not checked, for want of a network\n", keys[i].name);
            continue;
        }
        start_in(&self, air);
        enable_and_drive(&self, keys[i].kitty);
        const bad_air_count before = bad_air_counts(&self.air);
        program_type(&self.drive, keys[i].bytes);
        bad_air_assert_stops(&self.air, &before, BAD_AIR_AT_ONCE);
        if (keys[i].ends) {
            assert_int_equal(program_end(&self.drive, NULL, 0), 0);
            bad_air_end(&self.air);
            continue;
        }
        const bad_air_count stopped = bad_air_counts(&self.air);
        program_type(&self.drive, "w" KITTY_HOLD_W); // drives no more
        bad_air_await_stops(&self.air, &stopped, 10);
        assert_int_equal(bad_air_counts(&self.air).driving, stopped.driving);
        assert_true(board_thread_await_still(self.air.board, true, 0));
        assert_false(board_thread_is_enabled(self.air.board));
        end(&self);
    }
}

// A virtual robot is watched in another window: the keys are let go of, and it stays enabled.
static void losing_the_focus_of_a_virtual_robot(void **state)
{
    (void)state;
    bench self;
    start(&self, 25);
    const bad_air_count before = enable_and_drive(&self, true);
    program_type(&self.drive, "\033[O");
    assert_true(board_thread_await_duties(self.air.board, 0.0, 0.0, PATIENCE_US));
    bad_air_assert_no_trip(&self.air, &before);
    assert_true(board_thread_is_enabled(self.air.board) || bad_air_was_held_up(&self.air));
    end(&self);
}

static void an_emergency_stop_is_for_good(void **state)
{
    (void)state;
    bench self;
    start(&self, 30);
    enable_and_drive(&self, false);
    const bad_air_count before = bad_air_counts(&self.air);
    program_type(&self.drive, "\177");
    bad_air_assert_stops(&self.air, &before, BAD_AIR_AT_ONCE);
    program_type(&self.drive, "\r");
    assert_true(program_await(&self.drive, "after an emergency stop", PATIENCE_US));
    assert_false(board_thread_is_enabled(self.air.board));
    end(&self);
}

static void pasted_text_does_nothing(void **state)
{
    (void)state;
    bench self;
    start(&self, 31);
    const bad_air_count before = bad_air_counts(&self.air);
    program_type(&self.drive, "\033[200~\rwwww q\033[201~");
    bad_air_await_stops(&self.air, &before, 15);
    assert_int_equal(bad_air_counts(&self.air).driving, 0);
    end(&self);
}

static void a_terminal_that_goes_away(void **state)
{
    (void)state;
    bench self;
    start(&self, 32);
    enable_and_drive(&self, true);
    const bad_air_count before = bad_air_counts(&self.air);
    program_hang_up(&self.drive); // SIGHUP, and nothing to read any more
    bad_air_assert_stops(&self.air, &before, BAD_AIR_AT_ONCE);
    assert_int_equal(program_end(&self.drive, NULL, 0), 1);
    bad_air_end(&self.air);
}

static void signals(void **state)
{
    (void)state;
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        bench self;
        start(&self, 40 + i);
        enable_and_drive(&self, true);
        const bad_air_count before = bad_air_counts(&self.air);
        kill(self.drive.pid, numbers[i]);
        bad_air_assert_stops(&self.air, &before, BAD_AIR_AT_ONCE);
        char output[1 << 16];
        assert_int_equal(program_end(&self.drive, output, sizeof output), 0);
        bad_air_end(&self.air);
    }
}

// The terminal is given back all the same, and the robot's watchdog stops it.
static void a_crash_gives_the_terminal_back(void **state)
{
    (void)state;
    bench self;
    char output[8192];
    start(&self, 45);
    enable_and_drive(&self, true);
    program_forget(&self.drive);
    const bad_air_count before = bad_air_counts(&self.air);
    kill(self.drive.pid, SIGABRT);
    assert_int_equal(program_end(&self.drive, output, sizeof output), -SIGABRT);
    assert_non_null(strstr(output, "\033[<u"));
    assert_non_null(strstr(output, "\033[?1049l"));
    bad_air_assert_watchdog_stops(&self.air, &before);
    bad_air_end(&self.air);
}

static void suspended_by_ctrl_z(void **state)
{
    (void)state;
    bench self;
    start(&self, 50);
    enable_and_drive(&self, true);
    const bad_air_count before = bad_air_counts(&self.air);
    kill(self.drive.pid, SIGTSTP);
    bad_air_assert_stops(&self.air, &before, BAD_AIR_AT_ONCE);
    kill(self.drive.pid, SIGCONT);
    program_forget(&self.drive);
    assert_true(program_await(&self.drive, "● up", PATIENCE_US)); // draws again, and hears the robot
    assert_false(board_thread_is_enabled(self.air.board));
    end(&self);
}

// Has it draw everything anew, until nothing fits into its terminal any more.
static void fill_terminal(bench *self)
{
    int unchanged = 0;
    for (unsigned i = 0, before = 0; i < 1000 && unchanged < 5; i++) {
        program_resize(&self->drive, 200 + i % 2, 60);
        usleep(60000);
        const unsigned waiting = (unsigned)program_unread(&self->drive);
        unchanged = waiting > 0 && waiting == before ? unchanged + 1 : 0;
        before = waiting;
    }
    assert_int_equal(unchanged, 5);
}

// Nobody reads what it draws, as when a connection stalls: commands and stops go out as ever, and it ends.
static void a_terminal_that_is_stalled(void **state)
{
    (void)state;
    bench self;
    start(&self, 53);
    enable_and_drive(&self, true);
    fill_terminal(&self);
    bad_air_count before = bad_air_counts(&self.air);
    const int64_t end_us = hy_clock_now_us() + PATIENCE_US;
    while (bad_air_counts(&self.air).driving < before.driving + 50 && hy_clock_now_us() < end_us) {
        usleep(10000);
    }
    assert_true(bad_air_counts(&self.air).driving >= before.driving + 50);
    assert_int_equal(bad_air_counts(&self.air).stops, before.stops);
    before = bad_air_counts(&self.air);
    kill(self.drive.pid, SIGINT);
    bad_air_assert_stops(&self.air, &before, BAD_AIR_AT_ONCE);
    siginfo_t end = { .si_pid = 0 };
    for (int i = 0; i < 3000 && end.si_pid == 0; i++) {
        usleep(10000);
        waitid(P_PID, (id_t)self.drive.pid, &end, WEXITED | WNOHANG | WNOWAIT);
    }
    assert_int_equal(end.si_pid, self.drive.pid); // without a byte being read
    assert_int_equal(program_end(&self.drive, NULL, 0), 0);
    bad_air_end(&self.air);
}

// As the shell sees it. It says so by itself; but what nobody had read when drive gave the terminal back may be gone,
// its word with it, so it is asked again.
static bool is_suspended(bench *self)
{
    for (int i = 0; i < 5; i++) {
        if (program_await(&self->drive, "Stopped", 2000000)) {
            return true;
        }
        program_type(&self->drive, "jobs\r");
    }
    return false;
}

// Under a shell that makes another program wait for it, as make does: that one stops at once, and the shell takes
// the terminal before the robot's stop has run out.
static void suspended_by_a_shell(void **state)
{
    (void)state;
    bench self = { .air = bad_air_start(54) };
    char command[512];
    snprintf(command, sizeof command, "sh -c '%s drive %s; true'\r", HALYARD_BINARY, self.air.url);
    const char *const shell[] = { "/bin/bash", "--norc", "--noprofile", "-i", NULL };
    self.drive = program_start_in_terminal(shell);
    program_type(&self.drive, command);
    assert_true(program_await(&self.drive, "● up", PATIENCE_US));
    for (int i = 0; i < 3; i++) {
        program_forget(&self.drive);
        enable_and_drive(&self, false);
        const bad_air_count before = bad_air_counts(&self.air);
        program_type(&self.drive, "\032");
        bad_air_assert_stops(&self.air, &before, BAD_AIR_AT_ONCE);
        assert_true(is_suspended(&self));
        program_forget(&self.drive);
        program_type(&self.drive, "stty -a | tr ' ' '\\n' | grep -x echo && echo is $((40+2))\r");
        assert_true(program_await(&self.drive, "is 42", PATIENCE_US)); // as a shell's terminal is
        program_forget(&self.drive);
        program_type(&self.drive, "fg\r");
        assert_true(program_await(&self.drive, "● up", PATIENCE_US));
        assert_false(board_thread_is_enabled(self.air.board));
    }
    program_forget(&self.drive);
    program_type(&self.drive, "q");
    assert_true(program_await(&self.drive, "received", PATIENCE_US));
    program_type(&self.drive, "exit\r");
    assert_int_equal(program_end(&self.drive, NULL, 0), 0);
    bad_air_end(&self.air);
}

static void a_robot_that_falls_silent(void **state)
{
    (void)state;
    bench self;
    start(&self, 51);
    enable_and_drive(&self, true);
    const bad_air_count before = bad_air_counts(&self.air);
    bad_air_silence(&self.air);
    bad_air_assert_stops(&self.air, &before, BAD_AIR_AT_ONCE + 25); // after half a second
    assert_true(program_await(&self.drive, "LOST", PATIENCE_US));
    end(&self);
}

static void a_small_terminal_is_no_reason_to_fail(void **state)
{
    (void)state;
    static const unsigned short sizes[][2] = { { 80, 24 }, { 40, 10 }, { 1, 1 }, { 250, 90 } };
    bench self;
    start(&self, 52);
    for (size_t i = 0; i < 4; i++) {
        program_forget(&self.drive);
        program_resize(&self.drive, sizes[i][0], sizes[i][1]);
        assert_true(program_await(&self.drive, "\033[2J", PATIENCE_US)); // draws anew
        settle(&self, 100000);
    }
    end(&self);
}

int main(void)
{
    program_go_first();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_disabled),
        cmocka_unit_test(plain_keys_step_a_setpoint_that_returns),
        cmocka_unit_test(kitty_keys_drive_while_held),
        cmocka_unit_test(keys_that_stop),
        cmocka_unit_test(losing_the_focus_of_a_virtual_robot),
        cmocka_unit_test(an_emergency_stop_is_for_good),
        cmocka_unit_test(pasted_text_does_nothing),
        cmocka_unit_test(a_terminal_that_goes_away),
        cmocka_unit_test(signals),
        cmocka_unit_test(a_crash_gives_the_terminal_back),
        cmocka_unit_test(suspended_by_ctrl_z),
        cmocka_unit_test(suspended_by_a_shell),
        cmocka_unit_test(a_terminal_that_is_stalled),
        cmocka_unit_test(a_robot_that_falls_silent),
        cmocka_unit_test(a_small_terminal_is_no_reason_to_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
