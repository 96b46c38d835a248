// `halyard calibrate` over a real link: it asks first, a key and a signal stop it while the motors turn, and then nothing is
// written.
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
    assert_non_null(strstr(output, why));
    assert_int_equal(access(self->out, F_OK), -1);
    assert_int_equal(access(self->record, F_OK), -1);
    assert_int_equal(rmdir(self->folder), 0); // nothing else is in it
    board_thread_end(self->board);
}

// Both at once: each drives after three seconds of rest.
static void test_a_key_and_a_signal_stop_it(void **state)
{
    (void)state;
    calibration asked, agreed;
    start(&asked, true);
    start(&agreed, false);
    assert_true(program_await(&asked.program, "Press Enter to begin", LIMIT_US));
    assert_false(board_thread_is_enabled(asked.board));
    program_type(&asked.program, "\r");
    assert_true(board_thread_await_still(asked.board, false, LIMIT_US));
    program_type(&asked.program, "x");
    assert_true(board_thread_await_still(agreed.board, false, LIMIT_US));
    assert_int_equal(kill(agreed.program.pid, SIGINT), 0);
    end(&asked, "stopped by key; the robot is stopped, and nothing is written");
    end(&agreed, "the drive ended early; the robot is stopped, and nothing is written");
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
        cmocka_unit_test(test_a_key_and_a_signal_stop_it),
        cmocka_unit_test(test_ctrl_c_at_the_question_begins_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
