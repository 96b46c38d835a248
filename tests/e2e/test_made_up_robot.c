// A second `halyard` whose table of robots has one more row, of made_up_robot.c: every program has to know that robot.
#include "cmocka_all.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "match_ports.h"
#include "program.h"
#include "view_page.h"

#define SECOND_US  1000000
#define LIMIT_US   (30 * SECOND_US)
#define OUTPUT_MAX 16384

static char output[OUTPUT_MAX];

#define ANY_STATUS INT_MAX // doctor's health depends on how busy this machine is

static void run(int wanted, const char *const *arguments)
{
    program p = program_start(arguments);
    const int status = program_end(&p, output, sizeof output);
    if (status != wanted && wanted != ANY_STATUS) {
        fail_msg("exit status %d instead of %d:\n%s", status, wanted, output);
    }
}

#define RUN(wanted, ...) run(wanted, (const char *const[]){ HALYARD_MADE_UP, __VA_ARGS__, NULL })

static void expect(const char *text)
{
    if (strstr(output, text) == NULL) {
        fail_msg("'%s' is missing from:\n%s", text, output);
    }
}

static void end(program *p)
{
    kill(p->pid, SIGTERM);
    assert_int_equal(program_end(p, NULL, 0), 0);
}

// Drives straight ahead by a script; how far that was by odometry.
static double drive_ahead(const char *url)
{
    char script[] = "/tmp/halyard-script-XXXXXX";
    const int file = mkstemp(script);
    static const char lines[] = "0 enable\n+0 drive 0.8 0.8\n+1.5 disable\n+0.3 quit\n";
    assert_int_equal(write(file, lines, sizeof lines - 1), sizeof lines - 1);
    close(file);
    RUN(0, "drive", url, "--script", script);
    unlink(script);
    double ahead_m = 0.0, left_m = 0.0, turned_deg = 0.0;
    const char *const said = strstr(output, "by odometry ");
    assert_non_null(said);
    assert_int_equal(sscanf(said, "by odometry %lf m ahead, %lf m to the left, turned %lf",
                            &ahead_m, &left_m, &turned_deg),
                     3);
    assert_true(turned_deg > -20.0 && turned_deg < 20.0); // both wheels forward, none turned around
    return ahead_m;
}

static void a_board_is_driven_examined_and_shown(void **state)
{
    (void)state;
    const char *const arguments[] = {
        HALYARD_MADE_UP, "board", "rover", "--listen", "127.0.0.1:0", "--view=127.0.0.1:0", NULL
    };
    program board = program_start(arguments);
    char address[64], url[80];
    view_page_place place;
    assert_true(program_await_ready(&board, "udp", address, sizeof address, LIMIT_US));
    snprintf(url, sizeof url, "rover://%s", address);

    assert_true(view_page_find(board.output, &place));
    ws_client page;
    assert_true(view_page_open(&page, &place));
    assert_non_null(strstr(page.text, "\"range_cone\":[")); // of its body
    assert_non_null(strstr(page.text, "\"encoders\":2"));
    assert_true(ws_await(&page, "\"type\":\"state\"", LIMIT_US));
    assert_non_null(strstr(page.text, "\"range\":"));

    RUN(ANY_STATUS, "doctor", url, "--json", "--duration", "1");
    expect("\"dialect\":\"rover\"");
    char wrong[80], right[96];
    snprintf(wrong, sizeof wrong, "xrp://%s", address);
    RUN(1, "doctor", wrong, "--json", "--duration", "1");
    snprintf(right, sizeof right, "use %s", url);
    expect(right);

    assert_true(drive_ahead(url) > 0.1);

    ws_close(&page);
    end(&board);
}

static void packets_are_decoded(void **state)
{
    (void)state;
    RUN(0, "dump", "--dialect", "rover", "--hex", "0001 01 0641003f000000");
    expect("Right");
    expect("0.5");
}

static void it_joins_a_match(void **state)
{
    (void)state;
    match_ports ports;
    match_ports_take(&ports);
    const char *const arguments[] = {
        HALYARD_MADE_UP,     "sim",     "--players",      "1", "--board",
        "rover@127.0.0.1:0", "--shift", ports.shift_text, NULL
    };
    program sim = program_start(arguments);
    char address[64], url[80];
    assert_true(program_await_ready(&sim, "udp", address, sizeof address, LIMIT_US));
    snprintf(url, sizeof url, "rover://%s", address);
    assert_true(drive_ahead(url) > 0.1);
    end(&sim);
    match_ports_give_back(&ports);
}

static void what_it_does_not_have_is_refused(void **state)
{
    (void)state;
    RUN(2, "board", "rover", "--bugs", "stock");
    expect("no stock firmware for a rover");
    RUN(2, "board", "rover", "--hardware", "beta");
    expect("there is no such Rover");
    const char *const plain[] = { HALYARD_BINARY, "board", "rover", NULL }; // without the row
    run(2, plain);
    expect("xrp");
}

int main(void)
{
    program_go_first();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_board_is_driven_examined_and_shown),
        cmocka_unit_test(packets_are_decoded),
        cmocka_unit_test(it_joins_a_match),
        cmocka_unit_test(what_it_does_not_have_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
