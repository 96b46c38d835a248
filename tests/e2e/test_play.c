// `halyard play`: all programs of a match in one command, and nothing left behind.
#include <halyard/link.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "match_ports.h"
#include "play_program.h"
#include "view_page.h"

#define SECOND_US 1000000
#define LIMIT_US  (60 * SECOND_US)

static char output[65536];

/// Ends in order, and with 1 exactly if nobody scored: whether they do in ten seconds of a busy machine is not said here,
/// but in simulated time by test_player_demo.
static void await_end_as_scored(program *play)
{
    const int status = program_end(play, output, sizeof output);
    int blue = -1, red = -1;
    const char *const line = strstr(output, "sim: steps ");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "sim: steps %*u, blue %d, red %d", &blue, &red), 2);
    print_message("blue %d, red %d\n", blue, red);
    assert_int_equal(status, blue + red > 0 ? 0 : 1);
    assert_true((strstr(output, "no robot scored") != NULL) == (blue + red == 0));
}

static void two_robots_play_by_themselves(void **state)
{
    (void)state;
    program play = play_start(program_start, "2");
    assert_true(program_await(&play, "open http://127.0.0.1:", LIMIT_US));
    assert_true(program_await(&play, "no terminal: the robots play", LIMIT_US));
    await_end_as_scored(&play);
    static const struct {
        const char *line;
        double start_y_m;
    } robots[] = { { "player 1 at x ", -5.004 }, { "player 2 at x ", 5.004 } };
    for (size_t i = 0; i < 2; i++) {
        const char *const at = strstr(output, robots[i].line);
        assert_non_null(at);
        const char *const y = strstr(at, "y ");
        assert_true(abs((int)(100.0 * (strtod(y + 2, NULL) - robots[i].start_y_m))) > 30); // it drove
    }
    assert_non_null(strstr(output, "core 1: joystick connected"));
    assert_non_null(strstr(output, "core 2: sim connected"));
}

static void the_page_names_the_faults(void **state)
{
    (void)state;
    const char *const arguments[] = { HALYARD_BINARY,
                                      "play",
                                      "--shift",
                                      play_ports.shift_text,
                                      "--listen",
                                      "127.0.0.1:0",
                                      "--board",
                                      "xrp@127.0.0.1:0",
                                      "--faults",
                                      "loss=3%",
                                      "--seconds",
                                      "60",
                                      NULL };
    program play = program_start(arguments);
    view_page_place place;
    ws_client *const page = calloc(1, sizeof *page);
    assert_non_null(page);
    assert_true(program_await(&play, " page=http://", LIMIT_US));
    assert_true(program_await(&play, "\n", LIMIT_US));
    assert_true(view_page_find(play.output, &place));
    assert_true(view_page_open(page, &place));
    assert_non_null(strstr(page->text, "\"faults\":\"loss=3%\""));
    ws_close(page);
    free(page);
    kill(play.pid, SIGINT);
    program_end(&play, NULL, 0);
}

static void one_robot_plays_by_itself_with_the_ideal_drive(void **state)
{
    (void)state;
    const char *const arguments[] = { HALYARD_BINARY, "play",    "--scripted",          "--drive",
                                      "ideal",        "--shift", play_ports.shift_text, "--listen",
                                      "127.0.0.1:0",  NULL };
    program play = program_start(arguments);
    await_end_as_scored(&play);
}

// A field without a ball: the robot finds nothing to score with.
static void a_scripted_match_without_a_score_ends_with_1(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/halyard-empty-%d.yaml", (int)getpid());
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("name: empty\nfloor: { width_m: 8, height_m: 16 }\nstep_ms: 10\nvehicles:\n"
                      "  - kind: tank\n    start: { x_m: 4, y_m: 3, heading_deg: 90 }\n",
                      file) >= 0);
    assert_int_equal(fclose(file), 0);
    const char *const arguments[] = { HALYARD_BINARY, "play",    "--scripted",          "--config",
                                      path,           "--shift", play_ports.shift_text, "--listen",
                                      "127.0.0.1:0",  NULL };
    program play = program_start(arguments);
    assert_int_equal(program_end(&play, output, sizeof output), 1);
    assert_non_null(strstr(output, "blue 0, red 0"));
    assert_non_null(strstr(output, "no robot scored in the scripted match"));
    unlink(path);
}

static void six_play_at_once(void **state)
{
    (void)state;
    program play = play_start(program_start, "6");
    assert_true(program_await(&play, "core 6: joystick connected", LIMIT_US));
    kill(play.pid, SIGINT);
    assert_int_equal(program_end(&play, output, sizeof output), 0);
    assert_non_null(strstr(output, "player 6 at x "));
}

static void a_port_in_use_is_named(void **state)
{
    (void)state;
    char taken[HY_ENDPOINT_TEXT_MAX];
    hy_link link;
    match_ports_open(&play_ports, HY_ICD_SIM_CORE, 1, &link);
    program play = play_start(program_start, "1");
    assert_int_equal(program_end(&play, output, sizeof output), 1);
    assert_non_null(strstr(output, hy_endpoint_format(&link.local, taken)));
    assert_non_null(strstr(output, "--shift 1"));
    assert_non_null(strstr(output, "sim did not start, so there is no match"));
    hy_link_close(&link);
    match_ports_open(&play_ports, HY_ICD_CORE_SIM, 1, &link);
    play = play_start(program_start, "1");
    assert_int_equal(program_end(&play, output, sizeof output), 1);
    assert_non_null(strstr(output, "core 1 did not start, so there is no match"));
    assert_null(strstr(output, "player 1 at")); // there was none
    hy_link_close(&link);
}

static void a_long_path_is_a_path(void **state)
{
    (void)state;
    char path[1024];
    int size = snprintf(path, sizeof path, "%s/", HALYARD_TEST_DATA);
    for (int i = 0; i < 150; i++) {
        size += snprintf(path + size, sizeof path - (size_t)size, "./");
    }
    snprintf(path + size, sizeof path - (size_t)size, "../worlds/field2020.yaml");
    const char *const arguments[] = { HALYARD_BINARY, "play",        "--config",
                                      path,           "--shift",     play_ports.shift_text,
                                      "--listen",     "127.0.0.1:0", NULL };
    program play = program_start(arguments);
    assert_true(program_await(&play, "core 1: joystick connected", LIMIT_US));
    kill(play.pid, SIGINT);
    assert_int_equal(program_end(&play, NULL, 0), 0);
}

static void one_sentence_for_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *says;
        int status;
    } wrong[] = {
        { "--players", "0", "there is room for 1 to 6", 2 },
        { "--players", "7", "there is room for 1 to 6", 2 },
        { "--config", "no-such-field", "no-such-field", 1 },
        { "--config", "/dev/null", "/dev/null", 1 },
        { "--config", "", "there is no world called ''", 1 },
        { "--listen", "here", "'here' is no place to serve the page", 1 },
        { "--listen", "192.0.2.1:0", "not an address of this machine", 1 },
        { "--shift", "60000", "give at most 49485", 1 },
        { "--shift", "x", "--shift needs a whole number", 2 },
        { "--ports", "1,2", "as in 2000,4000,6000,8000,10000,12000", 1 },
        { "--players", "many", "--players needs a whole number", 2 },
        { "--players", "1.5", "--players needs a whole number", 2 },
        { "--players", NULL, "--players needs a value", 2 },
        { "--icd", "new", "--icd must be 'document' or 'later'", 2 },
        { "--board", "romi@127.0.0.1:0", "--board needs a robot and its address", 1 },
        { "--scripted", "now", "unexpected argument 'now'", 2 },
        { "--colour", "red", "unknown option '--colour'", 2 },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const bool shifts = strcmp(wrong[i].name, "--shift") == 0;
        const char *const arguments[] = { HALYARD_BINARY,
                                          "play",
                                          shifts ? "--players=1" : "--shift",
                                          shifts ? "--players=1" : play_ports.shift_text,
                                          wrong[i].name,
                                          wrong[i].value,
                                          NULL };
        program play = program_start(arguments);
        assert_int_equal(program_end(&play, output, sizeof output), wrong[i].status);
        if (strstr(output, wrong[i].says) == NULL) {
            fail_msg("%s: %s", wrong[i].name, output);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_names_the_faults),
        cmocka_unit_test(one_robot_plays_by_itself_with_the_ideal_drive),
        cmocka_unit_test(a_scripted_match_without_a_score_ends_with_1),
        cmocka_unit_test(two_robots_play_by_themselves),
        cmocka_unit_test(six_play_at_once),
        cmocka_unit_test(a_port_in_use_is_named),
        cmocka_unit_test(a_long_path_is_a_path),
        cmocka_unit_test(one_sentence_for_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, play_take_ports, play_give_ports_back);
}
