// `halyard board --view`: a virtual robot in the browser, as a page sees it and what a page can do.
#include "cmocka_all.h"

#include <halyard/link.h>
#include <halyard/wire.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "view_page.h"
#include "ws_client.h"

#define SECOND_US 1000000
#define LIMIT_US  (20 * SECOND_US)

/// Starts a board with its page; where that is.
static program start_board(const char *robot, const char *world, view_page_place *place)
{
    const char *const arguments[] = { HALYARD_BINARY, "board",       robot,
                                      "--listen",     "127.0.0.1:0", "--view=127.0.0.1:0",
                                      "--world",      world,         "--duration",
                                      "300",          NULL };
    program board = program_start(arguments);
    assert_true(program_await(&board, "listening on ", LIMIT_US));
    assert_true(view_page_find(board.output, place));
    return board;
}

static void end_board(program *board)
{
    kill(board->pid, SIGTERM);
    assert_int_equal(program_end(board, NULL, 0), 0);
}

static void an_xrp_is_shown(void **state)
{
    (void)state;
    view_page_place place;
    program board = start_board("xrp", "xrp-line", &place);
    ws_client page;
    assert_true(view_page_open(&page, &place));
    assert_non_null(strstr(page.text, "\"may_command\":true"));
    assert_non_null(strstr(page.text, "\"kind\":\"board\""));
    assert_non_null(strstr(page.text, "\"mat\":{\"url\":\"/mat.png\""));
    assert_non_null(strstr(page.text, "\"kind\":\"xrp\""));
    assert_non_null(strstr(page.text, "\"range_cone\":["));
    assert_true(ws_await(&page, "\"type\":\"state\"", LIMIT_US));
    assert_non_null(strstr(page.text, "\"enabled\":false"));
    assert_non_null(strstr(page.text, "\"battery\":"));
    assert_null(strstr(page.text, "azimuths"));
    size_t size;
    char *const mat = http_get("127.0.0.1", place.port, "GET /mat.png HTTP/1.0\r\n\r\n", &size);
    assert_non_null(mat);
    const char *const body = strstr(mat, "\r\n\r\n");
    assert_non_null(body);
    assert_memory_equal(body + 4, "\x89PNG\r\n", 6);
    free(mat);
    ws_close(&page);
    end_board(&board);
}

static void a_swerve_robot_is_shown(void **state)
{
    (void)state;
    view_page_place place;
    program board = start_board("teensy", "teensy-field", &place);
    ws_client page;
    assert_true(view_page_open(&page, &place));
    assert_non_null(strstr(page.text, "\"kind\":\"swerve\""));
    assert_true(ws_await(&page, "\"azimuths\":[", LIMIT_US));
    assert_null(strstr(page.text, "\"range\""));
    ws_close(&page);
    end_board(&board);
}

// The number at place `index` of the list behind `key` in the state.
static double number_of(const ws_client *page, const char *key, int index)
{
    const char *at = strstr(page->text, key);
    assert_non_null(at);
    for (at += strlen(key); index > 0; index--) {
        at = strchr(at, ',');
        assert_non_null(at);
        at++;
    }
    return strtod(at, NULL);
}

static void modules_point_where_their_own_encoders_say(void **state)
{
    (void)state;
    static const char world[] =
        "name: few counts\n"
        "floor: { width_m: 3, height_m: 3, shade: 0 }\n"
        "vehicles:\n"
        "  - { kind: swerve, start: { x_m: 1.5, y_m: 1.5 }, azimuth: { counts_per_turn: 500 } }\n";
    static const char turn[] =
        "+1 enable\n+0 motor 1 0.4\n"; // again and again: a driver that is held up is disabled
    char path[] = "/tmp/halyard-world-XXXXXX.yaml", script[] = "/tmp/halyard-script-XXXXXX", url[64];
    const int file = mkstemps(path, 5);
    assert_int_equal(write(file, world, sizeof world - 1), sizeof world - 1);
    close(file);
    const int lines = mkstemp(script);
    for (int i = 0; i < 60; i++) {
        assert_int_equal(write(lines, turn, sizeof turn - 1), sizeof turn - 1);
    }
    close(lines);
    view_page_place place;
    program board = start_board("teensy", path, &place);
    const char *const listening = strstr(board.output, "listening on ") + strlen("listening on ");
    snprintf(url, sizeof url, "teensy://%.*s", (int)strcspn(listening, "\n"), listening);
    const char *const arguments[] = { HALYARD_BINARY, "drive", url, "--script", script, NULL };
    program driver = program_start(arguments);
    ws_client page;
    assert_true(view_page_open(&page, &place));
    double counts = 0.0;
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (counts < 100.0) {
        assert_true(ws_await(&page, "\"azimuths\":[", LIMIT_US));
        assert_true(hy_clock_now_us() < end_us);
        counts = number_of(&page, "\"encoders\":[", 1);
    }
    const double turns = number_of(&page, "\"azimuths\":[", 0) / (2.0 * 3.14159265358979);
    assert_true(turns > (counts - 1.0) / 500.0 && turns < (counts + 2.0) / 500.0);
    kill(driver.pid, SIGTERM);
    program_end(&driver, NULL, 0);
    ws_close(&page);
    end_board(&board);
    unlink(path);
    unlink(script);
}

static void its_button_is_pressed(void **state)
{
    (void)state;
    view_page_place place;
    program board = start_board("xrp", "xrp-arena", &place);
    ws_client page;
    assert_true(view_page_open(&page, &place));
    assert_true(ws_await(&page, "\"button\":false", LIMIT_US));
    ws_say(&page, "button 1 down");
    assert_true(ws_await(&page, "\"button\":true", LIMIT_US));
    ws_say(&page, "button 1 up");
    assert_true(ws_await(&page, "\"button\":false", LIMIT_US));
    ws_say(&page, "button 1 down"); // a click so short that both come at once
    ws_say(&page, "button 1 up");
    assert_true(ws_await(&page, "\"button\":true", LIMIT_US));
    assert_true(ws_await(&page, "\"button\":false", LIMIT_US));
    ws_say(&page, "button 2 down");
    assert_true(ws_await(&page, "robot 2 has no button here", LIMIT_US));
    ws_say(&page, "button 1 down"); // and who leaves lets go
    assert_true(ws_await(&page, "\"button\":true", LIMIT_US));
    ws_close(&page);
    assert_true(view_page_open(&page, &place));
    assert_true(ws_await(&page, "\"button\":false", LIMIT_US));
    ws_close(&page);
    end_board(&board);
}

// Where the state in the page's hands has the robot.
static double x_of(const ws_client *page)
{
    const char *const at = strstr(page->text, "\"at\":[");
    return at != NULL ? strtod(at + strlen("\"at\":["), NULL) : -1.0;
}

static void a_reset_puts_it_back(void **state)
{
    (void)state;
    view_page_place place;
    char url[64];
    program board = start_board("xrp", "xrp-open", &place);
    const char *const listening = strstr(board.output, "listening on ") + strlen("listening on ");
    snprintf(url, sizeof url, "xrp://%.*s", (int)strcspn(listening, "\n"), listening);
    ws_client page;
    assert_true(view_page_open(&page, &place));
    assert_true(ws_await(&page, "\"type\":\"state\"", LIMIT_US));
    const double start_m = x_of(&page);
    char script[] = "/tmp/halyard-script-XXXXXX";
    const int file = mkstemp(script);
    static const char drive[] = "0 enable\n+0 arcade 1 0\n+60 quit\n";
    assert_int_equal(write(file, drive, sizeof drive - 1), sizeof drive - 1);
    close(file);
    const char *const arguments[] = { HALYARD_BINARY, "drive", url, "--script", script, NULL };
    program driver = program_start(arguments);
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    do {
        assert_true(ws_await(&page, "\"type\":\"state\"", LIMIT_US));
        assert_true(hy_clock_now_us() < end_us);
    } while (x_of(&page) < start_m + 0.3);
    assert_non_null(strstr(page.text, "\"enabled\":true"));
    ws_say(&page, "reset");
    do {
        assert_true(ws_await(&page, "\"type\":\"state\"", LIMIT_US));
        assert_true(hy_clock_now_us() < end_us);
    } while (x_of(&page) > start_m + 0.1);
    do { // the link goes on: it drives again
        assert_true(ws_await(&page, "\"type\":\"state\"", LIMIT_US));
        assert_true(hy_clock_now_us() < end_us);
    } while (x_of(&page) < start_m + 0.2);
    kill(driver.pid, SIGTERM);
    program_end(&driver, NULL, 0);
    unlink(script);
    ws_close(&page);
    end_board(&board);
}

// What the robot's gyro reads, degrees a second about z: the next status that answers a probe.
static double gyro_rate_dps(hy_link *link, const hy_endpoint *robot)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    for (;;) {
        assert_true(hy_clock_now_us() < end_us);
        assert_int_equal(hy_link_send(link, robot, (hy_bytes){ (const uint8_t *)"?", 1 }), HY_OK);
        usleep(60000);
        hy_datagram batch[HY_LINK_BATCH];
        const size_t count = hy_link_receive(link, batch, HY_LINK_BATCH);
        hy_wire_status status;
        if (count > 0 && hy_dialect_xrp.status_decode(batch[count - 1].bytes, &status).error ==
                             HY_WIRE_WELL_FORMED) {
            return status.gyro_rate_dps[2];
        }
    }
}

static void a_push_spoils_the_gyro_until_a_reset(void **state)
{
    (void)state;
    view_page_place place;
    program board = start_board("xrp", "xrp-open", &place);
    const char *const listening = strstr(board.output, "listening on ") + strlen("listening on ");
    char where[64];
    snprintf(where, sizeof where, "%.*s", (int)strcspn(listening, "\n"), listening);
    hy_endpoint robot;
    hy_link link;
    assert_int_equal(hy_link_resolve(where, 0, &robot, 1), 1);
    assert_int_equal(hy_link_open_to(&link, &robot), HY_OK);
    ws_client page;
    assert_true(view_page_open(&page, &place));
    assert_true(fabs(gyro_rate_dps(&link, &robot)) < 0.5);
    ws_say(&page, "push 2");
    assert_true(ws_await(&page, "robot 2 cannot be pushed here", LIMIT_US));
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    ws_say(&page, "push 1");
    while (fabs(gyro_rate_dps(&link, &robot)) < 0.5) {
        assert_true(hy_clock_now_us() < end_us);
    }
    ws_say(&page, "reset");
    while (fabs(gyro_rate_dps(&link, &robot)) > 0.5) {
        assert_true(hy_clock_now_us() < end_us);
    }
    hy_link_close(&link);
    ws_close(&page);
    end_board(&board);
}

static void a_port_in_use_is_named(void **state)
{
    (void)state;
    view_page_place place;
    char view[64], output[4096];
    program board = start_board("xrp", "xrp-open", &place);
    snprintf(view, sizeof view, "--view=127.0.0.1:%u", place.port);
    const char *const arguments[] = { HALYARD_BINARY, "board", "xrp", "--listen",
                                      "127.0.0.1:0",  view,    NULL };
    program second = program_start(arguments);
    assert_int_equal(program_end(&second, output, sizeof output), 1);
    assert_non_null(strstr(output, "cannot serve the page on"));
    assert_non_null(strstr(output, "in use by another program"));
#ifdef __linux__
    char owner[96];
    snprintf(owner, sizeof owner, "; process %ld has it: halyard board xrp ", (long)board.pid);
    assert_non_null(strstr(output, owner));
#endif
    end_board(&board);
}

int main(void)
{
    unsetenv("HALYARD_TOKEN");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_xrp_is_shown),
        cmocka_unit_test(a_swerve_robot_is_shown),
        cmocka_unit_test(modules_point_where_their_own_encoders_say),
        cmocka_unit_test(its_button_is_pressed),
        cmocka_unit_test(a_reset_puts_it_back),
        cmocka_unit_test(a_push_spoils_the_gyro_until_a_reset),
        cmocka_unit_test(a_port_in_use_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
