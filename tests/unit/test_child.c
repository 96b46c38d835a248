// What a child process says: whole lines, all of them, and no more in a turn than a pipe holds, however much it says.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "system/system_child.h"

#define LIMIT_US INT64_C(30000000)

static hy_child start(hy_child_run *run)
{
    hy_child self;
    assert_true(hy_child_start(&self, run, (const char *const[]){ "child", NULL }));
    return self;
}

/// Lines until hy_child_read() says that there is none, or `most` of them. Its pipe is never found empty: who reads is slower than who writes.
static size_t read_turn(hy_child *self, size_t most)
{
    struct pollfd said = { .fd = (int)self->said, .events = POLLIN };
    size_t lines = 0;
    do {
        assert_int_equal(poll(&said, 1, LIMIT_US / 1000), 1);
    } while (hy_child_read(self) != NULL && ++lines < most);
    return lines;
}

// --------------------------------------------------------------------------- floods

// It may not wait for its reader, so the descriptor waits for it.
static void write_all(const char *bytes, size_t size)
{
    while (write(STDOUT_FILENO, bytes, size) >= 0 || errno == EAGAIN) {
    }
}

static int flood_with_lines(int argc, char **argv)
{
    static char lines[32768];
    (void)argc;
    (void)argv;
    for (size_t i = 0; i < sizeof lines; i++) {
        lines[i] = i % 8 == 7 ? '\n' : 'x';
    }
    write_all(lines, sizeof lines);
    return 0;
}

static int flood_without_lines(int argc, char **argv)
{
    static char zeros[32768]; // as from /dev/zero
    (void)argc;
    (void)argv;
    write_all(zeros, sizeof zeros);
    return 0;
}

static void a_turn_reads_no_more_than_a_pipe_holds(void **state)
{
    (void)state;
    static const struct {
        hy_child_run *run;
        size_t line; // bytes
    } floods[] = { { flood_with_lines, 8 }, { flood_without_lines, HY_CHILD_LINE_MAX - 1 } };
    for (size_t i = 0; i < 2; i++) {
        hy_child flooding = start(floods[i].run);
        const size_t most = (HY_CHILD_TURN_MAX + sizeof flooding.bytes) / floods[i].line + 1;
        for (int turn = 0; turn < 5; turn++) {
            assert_in_range(read_turn(&flooding, 2 * most), 1, most);
        }
        hy_child_close(&flooding, 0);
    }
}

static void a_wait_ends_in_time_however_much_is_said(void **state)
{
    (void)state;
    hy_child flooding = start(flood_with_lines);
    const int64_t until_us = hy_clock_now_us() + 50000;
    while (hy_child_await(&flooding, until_us) != NULL) {
    }
    assert_true(hy_clock_now_us() >= until_us);
    assert_null(hy_child_await(&flooding, hy_clock_now_us())); // that time is over already
    hy_child_close(&flooding, 0);
}

// --------------------------------------------------------------------------- what is said

static int say_much_and_end(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    for (int i = 0; i < 6000; i++) { // 54 kB
        printf("line %04d\n", i);
    }
    printf("%02000d\nlast", 0);
    fflush(stdout);
    return 7;
}

// A program that dies says why at the end.
static void a_dead_childs_lines_are_all_there(void **state)
{
    (void)state;
    hy_child self = start(say_much_and_end);
    int status = 0;
    for (const int64_t end_us = hy_clock_now_us() + LIMIT_US; !hy_child_has_ended(&self, &status);) {
        assert_true(hy_clock_now_us() < end_us);
        usleep(1000);
    }
    assert_int_equal(status, 7);
    char expected[32];
    for (int i = 0; i < 6000; i++) {
        snprintf(expected, sizeof expected, "line %04d", i);
        assert_string_equal(hy_child_read(&self), expected);
    }
    assert_int_equal(strlen(hy_child_read(&self)), HY_CHILD_LINE_MAX - 1); // a long one comes in pieces
    assert_int_equal(strlen(hy_child_read(&self)), 2000 - (HY_CHILD_LINE_MAX - 1));
    assert_null(hy_child_read(&self)); // no line without its end
    hy_child_close(&self, 0);
}

static int say_nothing(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    pause();
    return 0;
}

static void a_silent_child_is_waited_for(void **state)
{
    (void)state;
    hy_child self = start(say_nothing);
    const int64_t until_us = hy_clock_now_us() + 20000;
    assert_null(hy_child_await(&self, until_us));
    assert_true(hy_clock_now_us() >= until_us);
    hy_child_stop(&self);
    assert_null(hy_child_await(&self, hy_clock_now_us() + LIMIT_US)); // until it has ended
    assert_int_equal(hy_child_close(&self, 10000), -SIGTERM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_reads_no_more_than_a_pipe_holds),
        cmocka_unit_test(a_wait_ends_in_time_however_much_is_said),
        cmocka_unit_test(a_dead_childs_lines_are_all_there),
        cmocka_unit_test(a_silent_child_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
