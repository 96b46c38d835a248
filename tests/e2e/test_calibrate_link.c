// `halyard calibrate` over a real link: it asks first; a key, a signal and a silent robot end it while the motors turn, it says
// which, and then nothing is written.
#include "cmocka_all.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board_thread.h"
#include "program.h"

#define LIMIT_US 30000000 // for a machine that does much else

typedef struct {
    board_thread *board;
    program program;
    char folder[64], out[96], record[96];
} calibration;

static void start(calibration *self, bool in_terminal)
{
    char url[80];
    snprintf(self->folder, sizeof self->folder, "/tmp/halyard-calibrate-XXXXXX");
    assert_non_null(mkdtemp(self->folder));
    snprintf(self->out, sizeof self->out, "%s/xrp.yaml", self->folder);
    snprintf(self->record, sizeof self->record, "%s/xrp.wpilog", self->folder);
    self->board = board_thread_start("127.0.0.1");
    assert_non_null(self->board);
    snprintf(url, sizeof url, "xrp://%s", board_thread_address(self->board));
    const char *const arguments[] = { HALYARD_BINARY,
                                      "calibrate",
                                      url,
                                      "--out",
                                      self->out,
                                      "--record",
                                      self->record,
                                      in_terminal ? NULL : "--yes",
                                      NULL };
    self->program = in_terminal ? program_start_in_terminal(arguments) : program_start(arguments);
}

static void end(calibration *self, const char *why)
{
    static char output[1 << 16];
    assert_true(board_thread_await_still(self->board, true, LIMIT_US));
    assert_int_equal(program_end(&self->program, output, sizeof output), 1);
    if (strstr(output, why) == NULL) {
        fail_msg("not '%s', but: %s", why, output);
    }
    assert_int_equal(access(self->out, F_OK), -1);
    assert_int_equal(access(self->record, F_OK), -1);
    assert_int_equal(rmdir(self->folder), 0); // nothing else is in it
    board_thread_end(self->board);
}

// All at once: each drives after three seconds of rest. Enter is a key like any other, though it enables a robot elsewhere.
static void test_a_key_a_signal_and_silence_stop_it(void **state)
{
    (void)state;
    calibration asked[2], agreed, silent;
    start(&asked[0], true);
    start(&asked[1], true);
    start(&agreed, false);
    start(&silent, false);
    for (size_t i = 0; i < 2; i++) {
        assert_true(program_await(&asked[i].program, "Press Enter to begin", LIMIT_US));
        assert_false(board_thread_is_enabled(asked[i].board));
        program_type(&asked[i].program, "\r");
    }
    for (size_t i = 0; i < 2; i++) {
        assert_true(board_thread_await_still(asked[i].board, false, LIMIT_US));
        program_type(&asked[i].program, i == 0 ? "x" : "\r");
    }
    assert_true(board_thread_await_still(agreed.board, false, LIMIT_US));
    assert_int_equal(kill(agreed.program.pid, SIGINT), 0);
    assert_true(board_thread_await_still(silent.board, false, LIMIT_US));
    board_thread_lose(silent.board, 1, 1);
    end(&asked[0], "stopped by key; the robot is stopped, and nothing is written");
    end(&asked[1], "stopped by key; the robot is stopped, and nothing is written");
    end(&agreed, "stopped by a signal; the robot is stopped, and nothing is written");
    end(&silent, "no status from xrp://");
}

static void test_ctrl_c_at_the_question_begins_nothing(void **state)
{
    (void)state;
    calibration asked;
    start(&asked, true);
    assert_true(program_await(&asked.program, "Press Enter to begin", LIMIT_US));
    program_type(&asked.program, "\x03");
    assert_int_equal(program_end(&asked.program, NULL, 0), -SIGINT);
    assert_int_equal(board_thread_counts(asked.board).commands, 0);
    assert_int_equal(rmdir(asked.folder), 0);
    board_thread_end(asked.board);
}

int main(void)
{
    program_go_first();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_key_a_signal_and_silence_stop_it),
        cmocka_unit_test(test_ctrl_c_at_the_question_begins_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
