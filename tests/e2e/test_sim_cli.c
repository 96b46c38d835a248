// `halyard sim` as people call it: one sentence for what is wrong, the same match for the same seed, and the
// reference's own file.
#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "match_ports.h"
#include "program.h"
#include "refusal.h"

#define REFERENCE_CONFIG HALYARD_TEST_DATA "/golden/traces/field2020.yml"

// Runs the sim for a moment; what it said into `said`.
static int run(const char *const *options, char *said, size_t size)
{
    match_ports ports;
    match_ports_take(&ports);
    const char *arguments[24] = { HALYARD_BINARY, "sim", "--shift", ports.shift_text };
    for (size_t i = 0; options[i] != NULL; i++) {
        arguments[i + 4] = options[i];
    }
    program p = program_start(arguments);
    const int status = program_end(&p, said, size);
    match_ports_give_back(&ports);
    return status;
}

// --------------------------------------------------------------------------- what is wrong

static void test_wrong_command_lines(void **state)
{
    (void)state;
    check_refusal(ARGUMENTS("sim", "--players", "0"), 2, "--players must be between 1 and 6, not 0");
    check_refusal(ARGUMENTS("sim", "--players", "7"), 2, "--players must be between 1 and 6, not 7");
    check_refusal(ARGUMENTS("sim", "--robot", "7"), 2, "--robot needs --board");
    check_refusal(ARGUMENTS("play", "--robot", "7"), 2, "--robot needs --board");
    check_refusal(ARGUMENTS("sim", "--faults", "bad-wifi"), 2,
                  "--faults needs --board ROBOT@ADDR:PORT");
    check_refusal(ARGUMENTS("play", "--faults", "bad-wifi"), 2,
                  "--faults needs --board ROBOT@ADDR:PORT");
    check_refusal(ARGUMENTS("sim", "--views", "7"), 2, "--views must be between 0 and 6, not 7");
    check_refusal(ARGUMENTS("view", "--views", "1"), 2, "--views 1: give --players N as well");
    check_refusal(ARGUMENTS("view", "--views", "3", "--players", "2"), 2, "--views 3");
    check_refusal(ARGUMENTS("sim", "--speed", "0"), 2,
                  "--speed must be between 0.01 and 1000 or max");
    check_refusal(ARGUMENTS("sim", "--speed", "fast"), 2, "--speed needs a number or max");
    check_refusal(ARGUMENTS("sim", "--duration", "0"), 2, "--duration must be between");
    check_refusal(ARGUMENTS("sim", "--seed", "-1"), 2, "--seed needs a whole number");
    check_refusal(ARGUMENTS("sim", "--lidar", "all"), 2, "--lidar must be 'stream' or 'sweep'");
    check_refusal(ARGUMENTS("sim", "--lidar-noise", "2"), 2, "--lidar-noise must be between 0 and 1");
    check_refusal(ARGUMENTS("sim", "--icd", "new"), 2, "--icd must be 'document' or 'later'");
    check_refusal(ARGUMENTS("sim", "--drive", "fast"), 2,
                  "--drive must be 'file', 'ideal' or 'dcmotor'");
    check_refusal(ARGUMENTS("sim", "--board", "romi@127.0.0.1:0"), 2,
                  "--board needs a robot and its address");
    check_refusal(ARGUMENTS("sim", "--window"), 2, "unknown option '--window'");
}

static void test_what_cannot_be(void **state)
{
    (void)state;
    check_refusal(ARGUMENTS("sim", "--config", "nowhere"), 1, "there is no world called 'nowhere'");
    check_refusal(ARGUMENTS("sim", "--config", "/dev/null"), 1, "/dev/null");
    check_refusal(ARGUMENTS("sim", "--board", "xrp@192.0.2.1:3540"), 1,
                  "this machine has no such address");
    check_refusal(ARGUMENTS("sim", "--board", "xrp@127.0.0.1:0,99,0"), 1,
                  "starts outside of the floor");
}

// --------------------------------------------------------------------------- the same match

static void find_hash(const char *said, char hash[20])
{
    const char *const at = strstr(said, "hash ");
    assert_non_null(at);
    snprintf(hash, 20, "%.16s", at + 5);
    assert_int_equal(strlen(hash), 16);
}

// Runs three seconds of a match at full speed.
static void run_hash(const char *seed, const char *drive, char hash[20])
{
    char said[4096];
    assert_int_equal(run(ARGUMENTS("--speed", "max", "--duration", "3", "--seed", seed, "--drive",
                                   drive, "--headless"),
                         said, sizeof said),
                     0);
    assert_non_null(strstr(said, "ready: 6 players\nsteps 300, blue 0, red 0, "));
    find_hash(said, hash);
}

// What is sent in a second of a match: to each core, and to each view that is told.
static unsigned long messages_of(const char *views)
{
    char said[4096];
    assert_int_equal(run(ARGUMENTS("--speed", "max", "--duration", "1", "--views", views, "--json"),
                         said, sizeof said),
                     0);
    const char *const at = strstr(said, "\"messages\":");
    assert_non_null(at);
    unsigned long sent = 0;
    assert_int_equal(sscanf(at, "\"messages\":%lu,", &sent), 1);
    return sent;
}

// 100 steps and 10 statuses.
static void test_one_view_is_told(void **state)
{
    (void)state;
    assert_int_equal(messages_of("1"), 6 * 100 + 1 * 110);
    assert_int_equal(messages_of("6"), 6 * 100 + 6 * 110);
}

static void test_seed(void **state)
{
    (void)state;
    char first[20], second[20], other[20], ideal[20];
    run_hash("1", "dcmotor", first);
    run_hash("1", "dcmotor", second);
    run_hash("2", "dcmotor", other);
    run_hash("1", "ideal", ideal);
    assert_equal_runs(second, first);
    assert_string_not_equal(first, other);
    assert_string_not_equal(first, ideal);
}

// --------------------------------------------------------------------------- the reference's file

// It does not say how robots move: motors, unless asked for otherwise. What the ideal drive makes of 90 degrees shows which.
static void test_reference_config(void **state)
{
    (void)state;
    char said[4096];
    assert_int_equal(run(ARGUMENTS("--config", REFERENCE_CONFIG, "--speed", "max", "--duration", "1"),
                         said, sizeof said),
                     0);
    assert_non_null(strstr(said, "ready: 6 players"));
    assert_non_null(strstr(said, "player 1 at x 0.000 m, y -5.004 m, heading 90.0 degrees"));
    assert_int_equal(
        run(ARGUMENTS("--config", REFERENCE_CONFIG, "--drive", "ideal", "--players", "2", "--lidar",
                      "sweep", "--icd", "later", "--speed", "max", "--duration", "1"),
            said, sizeof said),
        0);
    assert_non_null(strstr(said, "ready: 2 players"));
    assert_non_null(strstr(said, "player 1 at x 0.000 m, y -5.004 m, heading 90.2 degrees"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_command_lines), cmocka_unit_test(test_what_cannot_be),
        cmocka_unit_test(test_one_view_is_told),    cmocka_unit_test(test_seed),
        cmocka_unit_test(test_reference_config),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
