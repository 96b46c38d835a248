// How `halyard play` ends: by whatever signal, at any moment, and with nothing left behind; and who of its programs dies comes back.
#include <halyard/link.h>
#include <halyard/telemetry.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "match_ports.h"
#include "play_program.h"

#define SECOND_US 1000000
#define LIMIT_US  (60 * SECOND_US)

static char output[65536];

static void nothing_is_left_behind(void **state)
{
    (void)state;
    static const struct {
        int signal_number, status;
    } ends[] = { { SIGINT, 0 }, { SIGTERM, 0 }, { SIGHUP, 0 }, { SIGKILL, -SIGKILL } };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        program play = play_start(program_start, "1");
        assert_true(program_await(&play, "joystick connected", LIMIT_US));
        pid_t children[PLAY_CHILDREN_MAX];
        const size_t count = play_children(&play, children);
        kill(play.pid, ends[i].signal_number);
        assert_int_equal(program_end(&play, NULL, 0), ends[i].status);
        if (count == 0) {
            print_message("this system does not list children: not checked\n");
        }
        play_assert_gone(children, count);
    }
}

// At any moment of the start, and again while it is ending.
static void ctrl_c_is_obeyed_at_once(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        program play = play_start(program_start, "2");
        usleep(i * i * 5000);
        pid_t children[PLAY_CHILDREN_MAX];
        const size_t count = play_children(&play, children);
        kill(play.pid, SIGINT);
        usleep(2000);
        kill(play.pid, SIGINT);
        const int status = program_end(&play, output, sizeof output);
        assert_true(status == 0 || status == -SIGINT); // before it could ask for more
        assert_null(strstr(output, "did not start"));
        play_assert_gone(children, count);
    }
}

static void in_a_terminal_it_plays_until_ctrl_c(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        program play = play_start(program_start_in_terminal, "1");
        assert_true(program_await(&play, "Ctrl-C ends the match", LIMIT_US));
        assert_true(program_await(&play, "core 1: sim connected", LIMIT_US));
        pid_t children[PLAY_CHILDREN_MAX];
        const size_t count = play_children(&play, children);
        if (way == 0) {
            program_type(&play, "\x03\x03");
            assert_int_equal(program_end(&play, output, sizeof output), 0);
            assert_non_null(strstr(output, "player 1 at x "));
        } else {
            program_hang_up(&play); // the window is closed
            (void)program_end(&play, NULL, 0);
        }
        play_assert_gone(children, count);
    }
}

static void who_is_not_read_ends_in_order(void **state)
{
    (void)state;
    program play = play_start(program_start, "1");
    assert_true(program_await(&play, "open http://", LIMIT_US));
    pid_t children[PLAY_CHILDREN_MAX];
    const size_t count = play_children(&play, children);
    const pid_t pid = play.pid;
    program_hang_up(&play);
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (waitpid(pid, NULL, WNOHANG) != pid) {
        assert_true(hy_clock_now_us() < end_us);
        usleep(10000);
    }
    for (size_t i = 0; i < count; i++) {
        assert_true(kill(children[i], 0) != 0); // and all were gone before it was
    }
    free(play.output);
}

// Kills the child that `name` is and waits until it runs again, and `word` has been said since.
static void kill_child(program *play, size_t index, const char *name, const char *word)
{
    pid_t children[PLAY_CHILDREN_MAX];
    char ended[64];
    if (play_children(play, children) <= index) {
        return; // this system does not list them
    }
    program_forget(play);
    kill(children[index], SIGKILL);
    snprintf(ended, sizeof ended, "%s ended by signal 9", name);
    assert_true(program_await(play, ended, LIMIT_US));
    assert_true(program_await(play, "it is started again", LIMIT_US));
    assert_true(program_await(play, word, LIMIT_US));
}

static void a_script_that_dies_begins_anew(void **state)
{
    (void)state;
    program play = play_start(program_start, "1");
    assert_true(program_await(&play, "joystick connected", LIMIT_US));
    kill_child(&play, 3, "joystick 1", "core 1: joystick connected"); // after sim, core and view
    kill(play.pid, SIGINT);
    assert_int_equal(program_end(&play, NULL, 0), 0);
}

// Whoever makes the view crash must not end the match: it is started again for ever, later each time.
static void a_view_may_die_as_often_as_it_likes(void **state)
{
    (void)state;
    program play = play_start(program_start_in_terminal, "1");
    assert_true(program_await(&play, "Ctrl-C ends the match", LIMIT_US));
    static const char *const delays[] = { "started again in 1 s", "started again in 2 s",
                                          "started again in 4 s" };
    pid_t children[PLAY_CHILDREN_MAX];
    size_t count = 0;
    for (size_t i = 0; i < sizeof delays / sizeof delays[0]; i++) {
        count = play_children(&play, children);
        if (count == 0) {
            break; // this system does not list them
        }
        program_forget(&play);
        kill(children[count - 1], SIGKILL); // who was started last
        assert_true(program_await(&play, "view ended by signal 9", LIMIT_US));
        assert_true(program_await(&play, delays[i], LIMIT_US));
        assert_true(program_await(&play, "open http://", LIMIT_US));
    }
    program_type(&play, "\x03");
    assert_int_equal(program_end(&play, NULL, 0), 0);
}

// In a terminal a match has no end of its own, so that this may take as long as it takes.
static void who_dies_is_started_again(void **state)
{
    (void)state;
    char address[64];
    program play = play_start(program_start_in_terminal, "1");
    assert_true(program_await(&play, "core 1: sim connected", LIMIT_US));
    assert_true(program_await(&play, "Ctrl-C ends the match", LIMIT_US));
    const char *const line = strstr(play.output, "open http://");
    assert_non_null(line);
    snprintf(address, sizeof address, "%.*s", (int)strcspn(line, "\r\n"), line);
    // Sim, core, view: in the order of their start, which is the system's order too. Who is started anew is the last.
    kill_child(&play, 2, "view", address); // the same, so that pages find back
    kill_child(&play, 1, "core 1", "core 1: sim connected");
    kill_child(&play, 0, "sim", "core 1: sim connected");
    kill_child(&play, 2, "sim", "core 1: sim connected");
    pid_t children[PLAY_CHILDREN_MAX];
    const size_t count = play_children(&play, children);
    if (count > 0) {
        kill(children[count - 1], SIGKILL); // the sim for the third time
        assert_true(program_await(&play, "that was too often", LIMIT_US));
        assert_int_equal(program_end(&play, NULL, 0), 1);
        play_assert_gone(children, count);
    } else {
        program_type(&play, "\x03");
        assert_int_equal(program_end(&play, NULL, 0), 0);
    }
}

// Values in a log file; fails the test if it cannot be read to its end, but for a record that a killed program did not finish.
static size_t values_in(const char *path)
{
    static uint8_t bytes[1 << 20];
    FILE *const file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("there is no %s", path);
        return 0;
    }
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    hy_wpilog_reader reader;
    size_t values = 0;
    if (hy_wpilog_reader_init(&reader, (hy_bytes){ bytes, size }) != HY_OK) {
        return 0;
    }
    for (hy_wpilog_record record; hy_wpilog_next(&reader, &record);) {
        values += record.kind == HY_WPILOG_VALUE;
    }
    assert_true(reader.damage == NULL || strcmp(reader.damage, "the file ends in a record") == 0);
    return values;
}

static void await_values(const char *path)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (values_in(path) == 0) {
        assert_true(hy_clock_now_us() < end_us);
        usleep(10000);
    }
}

static void a_sim_that_is_started_again_records_beside_its_first_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/halyard-play-XXXXXX", first[64], second[64];
    assert_non_null(mkdtemp(folder));
    snprintf(first, sizeof first, "%s/run.wpilog", folder);
    snprintf(second, sizeof second, "%s/run-2.wpilog", folder);
    const char *const arguments[] = {
        HALYARD_BINARY, "play", "--shift", play_ports.shift_text, "--listen", "127.0.0.1:0",
        "--record",     first,  NULL
    };
    program play = program_start_in_terminal(arguments);
    assert_true(program_await(&play, "core 1: sim connected", LIMIT_US));
    assert_true(program_await(&play, "Ctrl-C ends the match", LIMIT_US));
    await_values(first);
    pid_t children[PLAY_CHILDREN_MAX];
    const bool is_killed = play_children(&play, children) > 0;
    kill_child(&play, 0, "sim", "core 1: sim connected");
    program_type(&play, "\x03");
    assert_int_equal(program_end(&play, NULL, 0), 0);
    assert_true(values_in(first) > 0);
    if (is_killed) {
        assert_true(values_in(second) > 0);
        unlink(second);
    }

    program refused = program_start(arguments);
    assert_int_equal(program_end(&refused, output, sizeof output), 2);
    assert_non_null(strstr(output, "run.wpilog: the file exists already"));
    unlink(first);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left_behind),
        cmocka_unit_test(ctrl_c_is_obeyed_at_once),
        cmocka_unit_test(in_a_terminal_it_plays_until_ctrl_c),
        cmocka_unit_test(who_is_not_read_ends_in_order),
        cmocka_unit_test(a_script_that_dies_begins_anew),
        cmocka_unit_test(a_view_may_die_as_often_as_it_likes),
        cmocka_unit_test(who_dies_is_started_again),
        cmocka_unit_test(a_sim_that_is_started_again_records_beside_its_first_file),
    };
    return cmocka_run_group_tests(tests, play_take_ports, play_give_ports_back);
}
