// Every virtual robot is graded with motion, all at once: ours pass everything, and with --bugs stock exactly the known defects of
// the stock firmware are found, each by its name.
#include "cmocka_all.h"

#include <halyard/robot_check.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../e2e/program.h"

#define LIMIT_US 300000000

typedef struct {
    const char *const board[8];   // behind `halyard board --listen 127.0.0.1:0`
    const char *const failed[16]; // ids, in the order of the tests
    const char *const not_tested[4];
} graded_robot;

static const graded_robot robots[] = {
    { .board = { "xrp", "--world", "xrp-open" } },
    { .board = { "teensy" } },
    { .board = { "xrp", "--world", "xrp-open", "--hardware", "beta", "--encoder", "short" },
      .not_tested = { "encoder.period" } },
    { .board = { "xrp", "--world", "xrp-open", "--bugs", "stock" },
      .failed = { "stream.probe", "stream.stranger", "stop.any-number", "sequence.wrap",
                  "sequence.zero", "owner.drives-alone", "owner.not-locked-out",
                  "malformed.cut-block", "value.limit" } },
};
enum { ROBOTS = sizeof robots / sizeof robots[0] };

static program start_board(const graded_robot *robot, char url[64])
{
    const char *arguments[16] = { HALYARD_BINARY, "board" };
    size_t count = 2;
    for (size_t i = 0; i < 8 && robot->board[i] != NULL; i++) {
        arguments[count++] = robot->board[i];
    }
    arguments[count++] = "--listen";
    arguments[count++] = "127.0.0.1:0";
    program board = program_start(arguments);
    char address[48];
    assert_true(program_await_ready(&board, "udp", address, sizeof address, 30000000));
    snprintf(url, 64, "%s://%s", robot->board[0], address);
    return board;
}

static bool is_named(const char *const *names, size_t room, const char *id)
{
    for (size_t i = 0; i < room && names[i] != NULL; i++) {
        if (strcmp(names[i], id) == 0) {
            return true;
        }
    }
    return false;
}

// Each test's verdict against what is wanted of this robot.
static void check_verdicts(const graded_robot *robot, const char *output)
{
    for (size_t i = 0; i < hy_conform_test_count(); i++) {
        const hy_conform_test *const test = hy_conform_test_at(i);
        const char *const wanted = is_named(robot->failed, 16, test->id)      ? "failed"
                                   : is_named(robot->not_tested, 4, test->id) ? "not tested"
                                                                              : "passed";
        char line[128];
        snprintf(line, sizeof line, "\"id\":\"%s\",\"verdict\":\"%s\"", test->id, wanted);
        if (strstr(output, line) == NULL) {
            char id[80];
            snprintf(id, sizeof id, "\"id\":\"%s\"", test->id);
            const char *const found = strstr(output, id);
            const char *const came = found != NULL ? found : "no result of this test";
            fail_msg("%s %s %s: %s is missing; the program printed %.*s", robot->board[0],
                     robot->board[1] != NULL ? robot->board[1] : "",
                     robot->failed[0] != NULL ? "(stock)" : "", line, (int)strcspn(came, "\n"), came);
        }
        // A known defect is one that this robot has, and the other way round.
        assert_int_equal(test->known != NULL, is_named(robots[ROBOTS - 1].failed, 16, test->id));
    }
}

static void every_robot_is_graded_right(void **state)
{
    (void)state;
    static char outputs[ROBOTS][65536];
    program boards[ROBOTS], testers[ROBOTS];
    program_go_first();
    for (size_t i = 0; i < ROBOTS; i++) {
        char url[64];
        boards[i] = start_board(&robots[i], url);
        const char *const arguments[] = { HALYARD_BINARY,   "conform", url,
                                          "--allow-motion", "--json",  NULL };
        testers[i] = program_start(arguments);
    }
    for (size_t i = 0; i < ROBOTS; i++) {
        assert_true(program_await(&testers[i], "\"type\":\"sum\"", LIMIT_US));
        const int status = program_end(&testers[i], outputs[i], sizeof outputs[i]);
        check_verdicts(&robots[i], outputs[i]);
        assert_int_equal(status, robots[i].failed[0] != NULL ? 1 : 0);
        kill(boards[i].pid, SIGTERM);
        program_end(&boards[i], NULL, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_robot_is_graded_right) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
