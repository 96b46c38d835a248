// A robot program with `--sim WORLD --view`: the page shows the world that is in the program's own process.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "view_page.h"
#include "ws_client.h"

#define LIMIT_US 20000000
#define VIEW     "--view=127.0.0.1:0"

static const char *example(const char *name)
{
    static char path[512];
    const char *const end = strrchr(HALYARD_BINARY, '/');
    snprintf(path, sizeof path, "%.*s/examples/%s", (int)(end - HALYARD_BINARY), HALYARD_BINARY,
             name);
    return path;
}

static void await_page(program *self, view_page_place *place)
{
    char url[128];
    assert_true(program_await_ready(self, "page", url, sizeof url, LIMIT_US));
    assert_true(view_page_find(self->output, place));
}

// Where the state in the page's hands has the robot.
static double x_of(const ws_client *page)
{
    const char *const at = strstr(page->text, "\"at\":[");
    return at != NULL ? strtod(at + strlen("\"at\":["), NULL) : -1.0;
}

// Hears states until the robot is beyond `limit_m`, on the side of `sign`.
static void await_x(ws_client *page, double limit_m, double sign)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    do {
        assert_true(ws_await(page, "\"type\":\"state\"", LIMIT_US));
        assert_true(hy_clock_now_us() < end_us);
    } while ((x_of(page) - limit_m) * sign <= 0.0);
}

static void hash_of(const char *output, char hash[20])
{
    const char *const at = strstr(output, "\"hash\":\"");
    assert_non_null(at);
    snprintf(hash, 20, "%.16s", at + strlen("\"hash\":\""));
}

static void who_looks_on_changes_nothing(void **state)
{
    (void)state;
    char alone[20], watched[20], output[4096];
    const char *const how[] = { example("line_follow"),
                                "--sim",
                                "xrp-line",
                                "--seed",
                                "7",
                                "--duration",
                                "3",
                                "--json",
                                VIEW,
                                "--speed",
                                "1",
                                NULL };
    const char *const quick[] = { how[0], "--sim",  "xrp-line", "--seed", "7", "--duration",
                                  "3",    "--json", "--speed",  "max",    NULL };
    program first = program_start(quick);
    assert_int_equal(program_end(&first, output, sizeof output), 0);
    hash_of(output, alone);
    program second = program_start(how);
    view_page_place place;
    ws_client page;
    await_page(&second, &place);
    assert_true(view_page_open(&page, &place));
    assert_non_null(strstr(page.text, "\"may_command\":true"));
    assert_non_null(strstr(page.text, "\"mat\":{\"url\":\"/mat.png\""));
    for (int i = 0; i < 20; i++) {
        assert_true(ws_await(&page, "\"reflectance\":[", LIMIT_US));
    }
    assert_true(ws_await_end(&page, LIMIT_US)); // with the run
    ws_close(&page);
    assert_int_equal(program_end(&second, output, sizeof output), 0);
    hash_of(output, watched);
    assert_equal_runs(watched, alone);
}

static void the_page_gets_what_the_program_publishes(void **state)
{
    (void)state;
    char output[4096];
    const char *const arguments[] = {
        example("trajectory"), "--sim", "xrp-open", "--duration", "300", VIEW, NULL
    };
    program driver = program_start(arguments);
    view_page_place place;
    ws_client page;
    await_page(&driver, &place);
    assert_true(view_page_open(&page, &place));
    assert_true(ws_await(&page, "\"SmartDashboard/wanted/heading\":", LIMIT_US));
    assert_non_null(strstr(page.text, "\"SmartDashboard/odometry/x\":"));
    assert_non_null(strstr(page.text, "\"truth/x\":"));
    assert_non_null(strstr(page.text, "left wheel/")); // a controller's values
    assert_null(strstr(page.text, "\"Robot/"));        // the state has them
    ws_close(&page);
    kill(driver.pid, SIGTERM);
    (void)program_end(&driver, output, sizeof output);
}

static void the_program_gets_the_button(void **state)
{
    (void)state;
    char output[4096];
    const char *const arguments[] = {
        example("blink"), "--sim", "xrp-line", "--duration", "5", VIEW, NULL
    };
    program blink = program_start(arguments);
    view_page_place place;
    ws_client page;
    await_page(&blink, &place);
    assert_true(view_page_open(&page, &place));
    assert_true(ws_await(&page, "\"button\":false", LIMIT_US));
    assert_true(ws_say(&page, "button 1 down"));
    assert_true(ws_await(&page, "\"button\":true", LIMIT_US));
    assert_true(ws_say(&page, "button 1 up"));
    assert_true(ws_await(&page, "\"button\":false", LIMIT_US));
    assert_true(ws_say(&page, "button 2 down"));
    assert_true(ws_await(&page, "robot 2 has no button here", LIMIT_US));
    assert_true(ws_say(&page, "button 1 down"));
    assert_true(ws_await(&page, "\"button\":true", LIMIT_US));
    assert_true(ws_await_end(&page, LIMIT_US));
    ws_close(&page);
    assert_int_equal(program_end(&blink, output, sizeof output), 0);
    assert_non_null(strstr(output, "button down, pressed "));
}

// Clamped, back at the start, and kept: what a page says is what --save-tunables writes.
static void a_page_tunes_the_program(void **state)
{
    (void)state;
    char kept[] = "/tmp/halyard-tuned-XXXXXX", log[] = "/tmp/halyard-tuned-XXXXXX", output[4096];
    close(mkstemp(kept));
    close(mkstemp(log));
    const char *const arguments[] = { example("line_follow"),
                                      "--sim",
                                      "xrp-line",
                                      "--duration",
                                      "300",
                                      "--save-tunables",
                                      kept,
                                      "--record",
                                      log,
                                      "--overwrite",
                                      VIEW,
                                      NULL };
    program follower = program_start(arguments);
    view_page_place place;
    ws_client page;
    await_page(&follower, &place);
    assert_true(view_page_open(&page, &place));
    assert_true(ws_await(&page, "{\"name\":\"kP\",\"value\":0.15,\"low\":0,\"high\":2}", LIMIT_US));
    assert_true(ws_say(&page, "tune 0 7"));
    assert_true(ws_await(&page, "\"name\":\"kP\",\"value\":2,", LIMIT_US));
    assert_true(ws_say(&page, "tune 0"));
    assert_true(ws_await(&page, "\"name\":\"kP\",\"value\":0.15,", LIMIT_US));
    assert_true(ws_say(&page, "tune 0 0.25"));
    assert_true(ws_await(&page, "\"name\":\"kP\",\"value\":0.25,", LIMIT_US));
    assert_true(ws_await(&page, "\"Tuning/kP\":0.25", LIMIT_US)); // and in its plots
    ws_client later;
    assert_true(view_page_open(&later, &place));
    assert_true(ws_await(&later, "\"name\":\"kP\",\"value\":0.25,", LIMIT_US));
    ws_close(&later);
    kill(follower.pid, SIGTERM);
    (void)program_end(&follower, output, sizeof output);
    ws_close(&page);
    char text[200] = "";
    FILE *const file = fopen(kept, "rb");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    unlink(kept);
    assert_non_null(strstr(text, "value: 0.25\n"));
    const char *const again[] = { arguments[0], "--replay", log, NULL };
    program replayed = program_start(again); // with the same changes, or it would drive otherwise
    assert_int_equal(program_end(&replayed, output, sizeof output), 0);
    assert_non_null(strstr(output, "loops are equal"));
    unlink(log);
}

static void a_page_chooses_a_routine(void **state)
{
    (void)state;
    const char *const arguments[] = {
        example("drive_square"), "--sim", "xrp-open", "--duration", "300", VIEW, NULL
    };
    program square = program_start(arguments);
    view_page_place place;
    ws_client page;
    await_page(&square, &place);
    assert_true(view_page_open(&page, &place));
    assert_true(
        ws_await(&page, "\"options\":[\"to the left\",\"to the right\"],\"chosen\":0", LIMIT_US));
    assert_true(ws_say(&page, "choose 0 2")); // is none of them
    assert_true(ws_say(&page, "choose 0 1"));
    assert_true(ws_await(&page, "\"type\":\"tunables\"", LIMIT_US));
    assert_non_null(strstr(page.text, "\"chosen\":1"));
    assert_true(ws_say(&page, "choose 0"));
    assert_true(ws_await(&page, "\"chosen\":0", LIMIT_US));
    ws_close(&page);
    kill(square.pid, SIGTERM);
    (void)program_end(&square, NULL, 0);
}

static void a_reset_puts_the_robot_back(void **state)
{
    (void)state;
    char script[] = "/tmp/halyard-script-XXXXXX";
    const int file = mkstemp(script);
    static const char drive[] = "0 enable\n+0 arcade 1 0\n+600 quit\n";
    assert_int_equal(write(file, drive, sizeof drive - 1), sizeof drive - 1);
    close(file);
    const char *const arguments[] = { HALYARD_BINARY, "drive", "sim://xrp-open", "--script", script,
                                      VIEW,           NULL };
    program driver = program_start(arguments);
    view_page_place place;
    ws_client page;
    await_page(&driver, &place);
    assert_true(view_page_open(&page, &place));
    assert_true(ws_await(&page, "\"type\":\"state\"", LIMIT_US));
    await_x(&page, x_of(&page) + 0.3, 1.0);
    const double far_m = x_of(&page);
    assert_true(ws_say(&page, "reset"));
    await_x(&page, far_m - 0.2, -1.0);
    await_x(&page, x_of(&page) + 0.1, 1.0); // and drives on
    ws_close(&page);
    kill(driver.pid, SIGTERM);
    program_end(&driver, NULL, 0);
    unlink(script);
}

static void who_has_no_token_sees_nothing(void **state)
{
    (void)state;
    const char *const arguments[] = {
        example("blink"), "--sim", "xrp-line", "--duration", "100", VIEW, NULL
    };
    program blink = program_start(arguments);
    view_page_place place;
    ws_client page;
    await_page(&blink, &place);
    assert_true(ws_open(&page, place.port, &(ws_options){ .protocol = "halyard-page" }));
    assert_true(ws_say(&page, "token 00000000000000000000000000000000"));
    assert_true(ws_await_end(&page, LIMIT_US));
    ws_close(&page);
    kill(blink.pid, SIGTERM);
    program_end(&blink, NULL, 0);
}

// A mouse that moves to the page takes the focus from the terminal.
static void the_robot_drives_on_while_the_page_has_the_focus(void **state)
{
    (void)state;
    const char *const arguments[] = { example("line_follow"), "--sim", "xrp-line", VIEW, NULL };
    program student = program_start_in_terminal(arguments);
    view_page_place place;
    ws_client page;
    await_page(&student, &place);
    assert_true(program_await(&student, "\nopen http://127.0.0.1:", LIMIT_US)); // on its screen
    assert_true(view_page_open(&page, &place));
    assert_true(ws_await(&page, "\"enabled\":false", LIMIT_US));
    assert_true(program_await(&student, "sim://xrp-line: answers", LIMIT_US));
    program_type(&student, "\r");
    assert_true(ws_await(&page, "\"enabled\":true", LIMIT_US));
    program_type(&student, "\x1b[O");
    await_x(&page, x_of(&page) + 0.1, 1.0);
    assert_non_null(strstr(page.text, "\"enabled\":true"));
    program_type(&student, "q");
    assert_int_equal(program_end(&student, NULL, 0), 0);
    ws_close(&page);
}

static void a_page_needs_a_world(void **state)
{
    (void)state;
    char output[4096];
    const char *const arguments[] = { example("blink"), "--view", NULL };
    program blink = program_start(arguments);
    assert_int_equal(program_end(&blink, output, sizeof output), 2);
    assert_non_null(strstr(output, "--view needs --sim WORLD"));
}

// As every other server of the page says it, and with the same exit status.
static void a_malformed_token_is_refused(void **state)
{
    (void)state;
    const char *const programs[][8] = {
        { example("blink"), "--sim", "xrp-line", "--view=127.0.0.1:0", NULL },
        { HALYARD_BINARY, "drive", "virtual", "--view=127.0.0.1:0", "--duration", "1", NULL },
    };
    setenv("HALYARD_TOKEN", "00112233445566778899AABBCCDDEEFF", 1);
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        char output[4096];
        program refused = program_start(programs[i]);
        assert_int_equal(program_end(&refused, output, sizeof output), 2);
        assert_non_null(strstr(output, "HALYARD_TOKEN in the environment is not a token"));
    }
    unsetenv("HALYARD_TOKEN");
}

int main(void)
{
    unsetenv("HALYARD_TOKEN");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_looks_on_changes_nothing),
        cmocka_unit_test(the_page_gets_what_the_program_publishes),
        cmocka_unit_test(the_program_gets_the_button),
        cmocka_unit_test(a_page_tunes_the_program),
        cmocka_unit_test(a_page_chooses_a_routine),
        cmocka_unit_test(a_reset_puts_the_robot_back),
        cmocka_unit_test(who_has_no_token_sees_nothing),
        cmocka_unit_test(the_robot_drives_on_while_the_page_has_the_focus),
        cmocka_unit_test(a_page_needs_a_world),
        cmocka_unit_test(a_malformed_token_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
