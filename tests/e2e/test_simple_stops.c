// First programs over real sockets: every way out of one stops the robot, wherever its call waits.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board_thread.h"
#include "program.h"

#define SECOND_US 1000000
#define LIMIT_US  (40 * SECOND_US)
#define ATTEMPTS  10

static char output[1 << 16];

// A machine that holds the program or the robot up has the robot disabled: only then a test begins again.
static bool was_held_up(const char *said)
{
    return strstr(said, "this program was held up") != NULL || strstr(said, "no status from") != NULL;
}

typedef struct {
    board_thread *board;
    program program;
    uint64_t trips;
} bench;

static bench start(const char *way, bool in_terminal)
{
    bench self = { .board = board_thread_start("127.0.0.1") };
    char url[96];
    assert_non_null(self.board);
    snprintf(url, sizeof url, "xrp://%s", board_thread_address(self.board));
    setenv("WAY", way, 1);
    const char *const arguments[] = { SIMPLE_PROGRAM, url, in_terminal ? NULL : "--enable", NULL };
    self.program = in_terminal ? program_start_in_terminal(arguments) : program_start(arguments);
    return self;
}

// Ends it, and expects that the robot stands and is disabled. Returns the exit status.
static int end(bench *self, const char *way)
{
    const int status = program_end(&self->program, output, sizeof output);
    assert_true(board_thread_await_still(self->board, true, LIMIT_US));
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (board_thread_is_enabled(self->board) && hy_clock_now_us() < end_us) {
        usleep(1000);
    }
    assert_false(board_thread_is_enabled(self->board));
    print_message("%s: status %d\n", way, status);
    self->trips = board_thread_counts(self->board).watchdog_trips;
    board_thread_end(self->board);
    return status;
}

// --------------------------------------------------------------------------- without a terminal

typedef struct {
    const char *way;
    int signal; // that ends it; 0: it ends by itself
    int status;
    const char *says; // before the signal; NULL: nothing is waited for
    bool by_watchdog; // no stop is sent
} way_out;

static bool attempt(const way_out *wanted)
{
    bench self = start(wanted->way, false);
    assert_true(program_await(&self.program, ": enabled", LIMIT_US));
    if (wanted->signal != 0) {
        (void)board_thread_await_still(self.board, false, 5 * SECOND_US);
    }
    if (wanted->says != NULL && !program_await(&self.program, wanted->says, LIMIT_US)) {
        fail_msg("%s: %s", wanted->way, self.program.output);
    }
    if (wanted->signal != 0) {
        kill(self.program.pid, wanted->signal);
    }
    const int status = end(&self, wanted->way);
    assert_null(strstr(output, wanted->signal != 0 ? "last line" : "\001none"));
    const bool is_good = status == wanted->status && (wanted->by_watchdog || self.trips == 0);
    if (!is_good && !was_held_up(output) && self.trips == 0) {
        fail_msg("%s: status %d instead of %d: %s", wanted->way, status, wanted->status, output);
    }
    return is_good;
}

static void ends_by(way_out wanted)
{
    int attempts = 0;
    while (!attempt(&wanted)) {
        assert_true(++attempts < ATTEMPTS);
    }
}

static void signals_stop(void **state)
{
    (void)state;
    ends_by((way_out){ "drive", SIGINT, 0, NULL, false }); // Ctrl-C
    ends_by((way_out){ "drive", SIGTERM, 0, NULL, false });
    ends_by((way_out){ "drive", SIGINT, 0, "gave up", false }); // in wait_s()
    ends_by((way_out){ "drive", SIGKILL, -SIGKILL, NULL, true });
}

static void its_own_ends_stop(void **state)
{
    (void)state;
    ends_by((way_out){ "return", 0, 0, NULL, false });
    assert_non_null(strstr(output, "last line"));
    assert_non_null(strstr(output, "disabled: the program has done its task"));
    ends_by((way_out){ "exit", 0, 3, NULL, false });
}

static void a_crash_and_a_loop_without_end_stop(void **state)
{
    (void)state;
    const char *const sanitizer = getenv("HALYARD_SANITIZE"); // which ends it with a status of its own
    if (sanitizer == NULL || sanitizer[0] == '\0') {
        ends_by((way_out){ "crash", 0, -SIGSEGV, NULL, true });
    }
    ends_by((way_out){ "endless", SIGTERM, 128 + SIGTERM, "has not returned for 0.5 s", true });
}

// --------------------------------------------------------------------------- keys

// Enter, until the robot is enabled.
static void enable(bench *self)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    do {
        assert_true(hy_clock_now_us() < end_us);
        program_forget(&self->program);
        program_type(&self->program, "\r");
    } while (!program_await(&self->program, "ENABLED", 500000));
}

static void a_key_ends_it_and_enter_begins_again(void **state)
{
    (void)state;
    bench self = start("drive", true);
    assert_true(program_await(&self.program, "answers", LIMIT_US));
    assert_null(strstr(self.program.output, "start 1")); // nothing begins before Enter
    enable(&self);
    assert_true(board_thread_await_still(self.board, false, LIMIT_US));
    program_type(&self.program, " ");
    assert_true(board_thread_await_still(self.board, true, LIMIT_US));
    assert_true(program_await(&self.program, "disabled", LIMIT_US));
    enable(&self);
    assert_true(program_await(&self.program, "start ", LIMIT_US)); // 2, unless it was held up
    assert_true(board_thread_await_still(self.board, false, LIMIT_US));
    program_type(&self.program, "\177"); // the emergency stop
    assert_true(program_await(&self.program, "emergency stop", LIMIT_US));
    assert_true(board_thread_await_still(self.board, true, LIMIT_US));
    program_type(&self.program, "\rq");
    assert_int_equal(end(&self, "keys"), 0);
    assert_null(strstr(output, "last line"));
}

static void its_end_waits_for_enter(void **state)
{
    (void)state;
    bench self = start("return", true);
    assert_true(program_await(&self.program, "answers", LIMIT_US));
    for (int i = 0; i < 2; i++) {
        int attempts = 0;
        do {
            assert_true(attempts++ < ATTEMPTS);
            enable(&self);
        } while (!program_await(&self.program, "Enter starts it again", SECOND_US) &&
                 was_held_up(self.program.output));
        assert_true(program_await(&self.program, "Enter starts it again", LIMIT_US));
        assert_non_null(strstr(self.program.output, "the program has done its task"));
        assert_non_null(strstr(self.program.output, "last line"));
    }
    program_type(&self.program, "q");
    assert_int_equal(end(&self, "its end"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_stop),
        cmocka_unit_test(its_own_ends_stop),
        cmocka_unit_test(a_crash_and_a_loop_without_end_stop),
        cmocka_unit_test(a_key_ends_it_and_enter_begins_again),
        cmocka_unit_test(its_end_waits_for_enter),
    };
    program_go_first();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
