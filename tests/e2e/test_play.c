// `halyard play`: all programs of a match in one command, and nothing left behind.
#include <halyard/link.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "program.h"

#define SECOND_US    1000000
#define CHILDREN_MAX 16

static char output[65536];

// Ports nobody else should have: tests of this machine run side by side.
static const char *shift_text(void)
{
    static char text[16];
    static unsigned shift;
    shift = shift == 0 ? 21000 + (unsigned)getpid() % 9000 : shift + 1;
    snprintf(text, sizeof text, "%u", shift);
    return text;
}

static program start_play(const char *players, const char *shift)
{
    const char *const arguments[] = { HALYARD_BINARY, "play",     "--players",   players, "--shift",
                                      shift,          "--listen", "127.0.0.1:0", NULL };
    return program_start(arguments);
}

static size_t find_children(pid_t parent, pid_t children[CHILDREN_MAX])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    FILE *const file = fopen(path, "r");
    size_t count = 0;
    int child;
    while (file != NULL && count < CHILDREN_MAX && fscanf(file, "%d", &child) == 1) {
        children[count++] = child;
    }
    if (file != NULL) {
        fclose(file);
    }
    return count;
}

static void assert_gone(pid_t pid)
{
    const int64_t end_us = hy_clock_now_us() + 10 * SECOND_US;
    while (kill(pid, 0) == 0) {
        assert_true(hy_clock_now_us() < end_us);
        usleep(10000);
    }
}

static void two_robots_play_by_themselves(void **state)
{
    (void)state;
    program play = start_play("2", shift_text());
    assert_true(program_await(&play, "open http://127.0.0.1:", 20 * SECOND_US));
    assert_true(program_await(&play, "no terminal: the robots play", 20 * SECOND_US));
    assert_int_equal(program_end(&play, output, sizeof output), 0);
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
    assert_non_null(strstr(output, "sim: steps "));
    print_message("%s\n", strstr(output, "sim: steps "));
}

static void nothing_is_left_behind(void **state)
{
    (void)state;
    static const struct {
        int signal_number, status;
    } ends[] = { { SIGINT, 0 }, { SIGTERM, 0 }, { SIGHUP, 0 }, { SIGKILL, -SIGKILL } };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        program play = start_play("1", shift_text());
        assert_true(program_await(&play, "joystick connected", 20 * SECOND_US));
        pid_t children[CHILDREN_MAX];
        const size_t count = find_children(play.pid, children);
        kill(play.pid, ends[i].signal_number);
        assert_int_equal(program_end(&play, NULL, 0), ends[i].status);
        if (count == 0) {
            print_message("this system does not list children: not checked\n");
        }
        for (size_t k = 0; k < count; k++) {
            assert_gone(children[k]);
        }
    }
}

static void a_port_in_use_is_named(void **state)
{
    (void)state;
    const char *const shift = shift_text();
    char taken[32];
    hy_endpoint local;
    hy_link link;
    snprintf(taken, sizeof taken, "127.0.0.1:%u", 8000 + (unsigned)atoi(shift));
    assert_int_equal(hy_endpoint_parse(taken, 0, &local), HY_OK);
    assert_int_equal(hy_link_open(&link, &local), HY_OK);
    program play = start_play("1", shift);
    assert_int_equal(program_end(&play, output, sizeof output), 1);
    hy_link_close(&link);
    assert_non_null(strstr(output, taken));
    assert_non_null(strstr(output, "--shift"));
}

static void who_dies_is_started_again(void **state)
{
    (void)state;
    program play = start_play("1", shift_text());
    assert_true(program_await(&play, "joystick connected", 20 * SECOND_US));
    pid_t children[CHILDREN_MAX];
    const size_t count = find_children(play.pid, children);
    if (count > 0) { // sim, core, view, joystick
        program_forget(&play);
        kill(children[1], SIGKILL);
        assert_true(program_await(&play, "core 1 ended by signal 9", 10 * SECOND_US));
        assert_true(program_await(&play, "it is started again", 10 * SECOND_US));
        assert_true(program_await(&play, "core 1: sim connected", 20 * SECOND_US));
    }
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
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *const arguments[] = { HALYARD_BINARY, "play", wrong[i].name, wrong[i].value,
                                          NULL };
        program play = program_start(arguments);
        assert_int_equal(program_end(&play, output, sizeof output), wrong[i].status);
        assert_non_null(strstr(output, wrong[i].says));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_robots_play_by_themselves),
        cmocka_unit_test(nothing_is_left_behind),
        cmocka_unit_test(a_port_in_use_is_named),
        cmocka_unit_test(who_dies_is_started_again),
        cmocka_unit_test(one_sentence_for_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
