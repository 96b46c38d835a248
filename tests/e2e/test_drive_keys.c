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

#define STOP_LIMIT_US   (BAD_AIR_STOP_US + BAD_AIR_DELAY_US + BAD_AIR_MACHINE_US)
#define ESCAPE_US       25000 // a lone escape byte is known to be the key after this long
#define SECOND_US       1000000
#define KITTY_ANSWER    "\033[?15u" // "yes, releases too"
#define KITTY_HOLD_W    "\033[119;1:1u"
#define KITTY_RELEASE_W "\033[119;1:3u"

typedef struct {
    bad_air air;
    program drive;
} bench;

static void start(bench *self, uint64_t seed)
{
    self->air = bad_air_start(seed);
    const char *const arguments[] = { HALYARD_BINARY, "drive", self->air.url, NULL };
    self->drive = program_start_in_terminal(arguments);
    assert_true(program_await(&self->drive, "● up", 10 * SECOND_US)); // a status came
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

static void enable_and_drive(bench *self, bool kitty)
{
    if (kitty) {
        program_type(&self->drive, KITTY_ANSWER "\033[13;1:1u\033[13;1:3u");
    } else {
        program_type(&self->drive, "\r");
    }
    assert_true(program_await(&self->drive, "enabled: the robot obeys", 10 * SECOND_US));
    program_type(&self->drive, kitty ? KITTY_HOLD_W : "ww");
    assert_true(board_thread_await_still(self->air.board, false, 10 * SECOND_US));
}

static void starts_disabled(void **state)
{
    (void)state;
    bench self;
    start(&self, 1);
    program_type(&self.drive, "wwwwdddd");
    settle(&self, 300000);
    assert_false(board_thread_is_enabled(self.air.board));
    assert_true(board_thread_await_still(self.air.board, true, 0));
    end(&self);
}

static void plain_keys_step_a_setpoint_that_returns(void **state)
{
    (void)state;
    bench self;
    start(&self, 2);
    enable_and_drive(&self, false);
    settle(&self, 150000);
    // Two steps of 0.25 at a speed of 0.6; the right motor is mounted the other way round.
    assert_true(board_thread_motor(self.air.board, 0) > 0.28 &&
                board_thread_motor(self.air.board, 0) < 0.32);
    assert_true(board_thread_motor(self.air.board, 1) < -0.28);
    const int64_t began_us = hy_clock_now_us();
    assert_true(board_thread_await_still(self.air.board, true, 10 * SECOND_US));
    assert_true(board_thread_still_since_us(self.air.board) - began_us < 600000);
    assert_true(board_thread_is_enabled(self.air.board)); // it only stands
    program_type(&self.drive, "\033[D");                  // an arrow turns to the left
    assert_true(board_thread_await_still(self.air.board, false, 10 * SECOND_US));
    settle(&self, 100000);
    assert_true(board_thread_motor(self.air.board, 0) < 0.0);
    assert_true(board_thread_motor(self.air.board, 1) < 0.0);
    end(&self);
}

static void kitty_keys_drive_while_held(void **state)
{
    (void)state;
    bench self;
    start(&self, 3);
    assert_non_null(strstr(self.drive.output, "\033[>15u")); // releases are asked for
    enable_and_drive(&self, true);
    settle(&self, SECOND_US); // longer than a set-point would live
    assert_true(board_thread_motor(self.air.board, 0) > 0.58);
    const int64_t began_us = hy_clock_now_us();
    program_type(&self.drive, KITTY_RELEASE_W);
    assert_true(board_thread_await_still(self.air.board, true, STOP_LIMIT_US));
    assert_true(board_thread_still_since_us(self.air.board) - began_us < STOP_LIMIT_US);
    assert_true(board_thread_is_enabled(self.air.board));
    end(&self);
}

// Every key that stops, while another one is held down.
static void keys_that_stop(void **state)
{
    (void)state;
    static const struct {
        const char *name, *bytes;
        bool kitty, ends;
        int64_t extra_us;
    } keys[] = {
        { "space", " ", false, false, 0 },
        { "escape", "\033", false, false, ESCAPE_US },
        { "backspace", "\177", false, false, 0 },
        { "focus lost", "\033[O", false, false, 0 },
        { "Ctrl-Z", "\032", false, false, 0 },
        { "q", "q", false, true, 0 },
        { "Ctrl-C", "\003", false, true, 0 },
        { "kitty space", "\033[32;1:1u", true, false, 0 },
        { "kitty escape", "\033[27;1:1u", true, false, 0 },
        { "kitty focus lost", "\033[O", true, false, 0 },
        { "kitty Ctrl-Z", "\033[122;5:1u", true, false, 0 },
        { "kitty Ctrl-C", "\033[99;5:1u", true, true, 0 },
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        bench self;
        start(&self, 10 + i);
        enable_and_drive(&self, keys[i].kitty);
        const int64_t began_us = hy_clock_now_us();
        program_type(&self.drive, keys[i].bytes);
        const int64_t took_us =
            bad_air_assert_stops(&self.air, began_us, STOP_LIMIT_US + keys[i].extra_us);
        print_message("%s: %.1f ms\n", keys[i].name, (double)took_us * 1e-3);
        if (keys[i].ends) {
            assert_int_equal(program_end(&self.drive, NULL, 0), 0);
            bad_air_end(&self.air);
            continue;
        }
        program_type(&self.drive, "w" KITTY_HOLD_W); // drives no more
        settle(&self, 200000);
        assert_true(board_thread_await_still(self.air.board, true, 0));
        assert_false(board_thread_is_enabled(self.air.board));
        end(&self);
    }
}

static void an_emergency_stop_is_for_good(void **state)
{
    (void)state;
    bench self;
    start(&self, 30);
    enable_and_drive(&self, false);
    program_type(&self.drive, "\177");
    bad_air_assert_stops(&self.air, hy_clock_now_us(), STOP_LIMIT_US);
    program_type(&self.drive, "\r");
    assert_true(program_await(&self.drive, "after an emergency stop", 10 * SECOND_US));
    assert_false(board_thread_is_enabled(self.air.board));
    end(&self);
}

static void pasted_text_does_nothing(void **state)
{
    (void)state;
    bench self;
    start(&self, 31);
    program_type(&self.drive, "\033[200~\rwwww q\033[201~");
    settle(&self, 300000);
    assert_false(board_thread_is_enabled(self.air.board));
    end(&self);
}

static void a_terminal_that_goes_away(void **state)
{
    (void)state;
    bench self;
    start(&self, 32);
    enable_and_drive(&self, true);
    const int64_t began_us = hy_clock_now_us();
    program_hang_up(&self.drive); // SIGHUP, and nothing to read any more
    bad_air_assert_stops(&self.air, began_us, STOP_LIMIT_US);
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
        const int64_t began_us = hy_clock_now_us();
        kill(self.drive.pid, numbers[i]);
        bad_air_assert_stops(&self.air, began_us, STOP_LIMIT_US);
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
    const int64_t began_us = hy_clock_now_us();
    kill(self.drive.pid, SIGABRT);
    assert_int_equal(program_end(&self.drive, output, sizeof output), -SIGABRT);
    assert_non_null(strstr(output, "\033[<u"));
    assert_non_null(strstr(output, "\033[?1049l"));
    bad_air_assert_stops(&self.air, began_us, 500000 + BAD_AIR_DELAY_US + BAD_AIR_MACHINE_US);
    bad_air_end(&self.air);
}

static void suspended_by_ctrl_z(void **state)
{
    (void)state;
    bench self;
    start(&self, 50);
    enable_and_drive(&self, true);
    const int64_t began_us = hy_clock_now_us();
    kill(self.drive.pid, SIGTSTP);
    bad_air_assert_stops(&self.air, began_us, STOP_LIMIT_US);
    kill(self.drive.pid, SIGCONT);
    program_forget(&self.drive);
    assert_true(program_await(&self.drive, "● up", 10 * SECOND_US)); // draws again, and hears the robot
    assert_false(board_thread_is_enabled(self.air.board));
    end(&self);
}

// Nobody reads what it draws, as when a connection stalls: commands and stops go out as ever, and it ends.
static void a_terminal_that_is_stalled(void **state)
{
    (void)state;
    bench self;
    start(&self, 53);
    enable_and_drive(&self, true);
    for (unsigned i = 0; i < 40; i++) { // each draws everything anew, until nothing fits any more
        program_resize(&self.drive, 200 + i % 2, 60);
        usleep(60000);
    }
    uint64_t before = board_thread_counts(self.air.board).commands;
    const int64_t from_us = hy_clock_now_us();
    usleep(2 * SECOND_US);
    const double sent = (double)(board_thread_counts(self.air.board).commands - before);
    const double periods = (double)(hy_clock_now_us() - from_us) / 20000.0;
    print_message("%.0f %% of the commands arrived\n", 100.0 * sent / periods);
    assert_true(sent > 0.6 * periods); // the air loses a fifth, and what it mixes up counts as lost
    const int64_t began_us = hy_clock_now_us();
    kill(self.drive.pid, SIGINT);
    bad_air_assert_stops(&self.air, began_us, STOP_LIMIT_US);
    siginfo_t end = { .si_pid = 0 };
    for (int i = 0; i < 100 && end.si_pid == 0; i++) {
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
        if (program_await(&self->drive, "Stopped", 2 * SECOND_US)) {
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
    assert_true(program_await(&self.drive, "● up", 10 * SECOND_US));
    for (int i = 0; i < 3; i++) {
        program_forget(&self.drive);
        enable_and_drive(&self, false);
        const int64_t began_us = hy_clock_now_us();
        program_type(&self.drive, "\032");
        bad_air_assert_stops(&self.air, began_us, STOP_LIMIT_US);
        assert_true(is_suspended(&self));
        program_forget(&self.drive);
        program_type(&self.drive, "stty -a | tr ' ' '\\n' | grep -x echo && echo is $((40+2))\r");
        assert_true(program_await(&self.drive, "is 42", 10 * SECOND_US)); // as a shell's terminal is
        program_forget(&self.drive);
        program_type(&self.drive, "fg\r");
        assert_true(program_await(&self.drive, "● up", 10 * SECOND_US));
        assert_false(board_thread_is_enabled(self.air.board));
    }
    program_forget(&self.drive);
    program_type(&self.drive, "q");
    assert_true(program_await(&self.drive, "received", 10 * SECOND_US));
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
    const int64_t began_us = hy_clock_now_us();
    bad_air_silence(&self.air);
    bad_air_assert_stops(&self.air, began_us, 500000 + STOP_LIMIT_US);
    assert_true(program_await(&self.drive, "LOST", 10 * SECOND_US));
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
        assert_true(program_await(&self.drive, "\033[2J", 10 * SECOND_US)); // draws anew
        settle(&self, 100000);
    }
    end(&self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_disabled),
        cmocka_unit_test(plain_keys_step_a_setpoint_that_returns),
        cmocka_unit_test(kitty_keys_drive_while_held),
        cmocka_unit_test(keys_that_stop),
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
