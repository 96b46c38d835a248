// `halyard drive` as programs and people call it: scripts that a robot follows, and one clear sentence otherwise.
#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board_thread.h"
#include "program.h"

#define PATIENCE_US 30000000

static char output[1 << 16];

static int run(const char *const *arguments)
{
    program drive = program_start(arguments);
    return program_end(&drive, output, sizeof output);
}

static bool is_one_sentence(void)
{
    return strncmp(output, "halyard drive: ", 15) == 0 &&
           strchr(output, '\n') == output + strlen(output) - 1;
}

static void one_sentence_for_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *arguments[5];
        int status;
        const char *says;
    } calls[] = {
        { { NULL }, 2, "URL" },
        { { "localhost", "--duration", "1" }, 2, "'localhost' is no robot's address" },
        { { "rover://localhost", "--duration", "1" }, 2, "no robot's address" },
        { { "sim://no-such-world", "--duration", "1" }, 1, "no-such-world" },
        { { "sim://", "--duration", "1" }, 2, "no robot's address" },
        { { "xrp://no.such.host.invalid", "--duration", "1" },
          1,
          "cannot connect to xrp://no.such.host.invalid" },
        { { "xrp://127.0.0.1:9" }, 1, "there is no terminal to read keys from" },
        { { "teensy://127.0.0.1:9" }, 1, "there is no terminal" },
        { { "xrp://127.0.0.1:9", "--max", "2" }, 2, "--max" },
        { { "xrp://127.0.0.1:9", "--duration", "0" }, 2, "--duration" },
        { { "xrp://127.0.0.1:9", "--script", "/nowhere" }, 1, "/nowhere: cannot be read: No such file" },
        { { "xrp://127.0.0.1:9", "--script", "/" }, 1, "/: " },
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const char *arguments[8] = { HALYARD_BINARY, "drive" };
        memcpy(arguments + 2, calls[i].arguments, sizeof calls[i].arguments);
        const int status = run(arguments);
        if (status != calls[i].status || strstr(output, calls[i].says) == NULL || !is_one_sentence()) {
            fail_msg("%s: status %d, %s", calls[i].says, status, output);
        }
    }
}

static void a_robot_that_is_not_there(void **state)
{
    (void)state;
    const char *const arguments[] = { HALYARD_BINARY, "drive", "xrp://127.0.0.1:9",
                                      "--duration",   "1",     NULL };
    assert_int_equal(run(arguments), 1);
    assert_non_null(strstr(output, "halyard drive: no robot answered at xrp://127.0.0.1:9"));
    assert_non_null(strstr(output, "received 0 statuses"));
}

static void a_teensy_has_no_keyboard_yet(void **state)
{
    (void)state;
    const char *const arguments[] = { HALYARD_BINARY, "drive", "teensy://127.0.0.1:9", NULL };
    program drive = program_start_in_terminal(arguments);
    assert_int_equal(program_end(&drive, output, sizeof output), 1);
    assert_non_null(strstr(output, "the keyboard drives two-wheeled robots"));
}

// --------------------------------------------------------------------------- scripts

typedef struct {
    board_thread *board;
    char url[96], path[64];
} bench;

static void set_up(bench *self, const char *text)
{
    self->board = board_thread_start("127.0.0.1");
    assert_non_null(self->board);
    snprintf(self->url, sizeof self->url, "xrp://%s", board_thread_address(self->board));
    strcpy(self->path, "/tmp/halyard_drive_XXXXXX");
    const int file = mkstemp(self->path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
}

static void tear_down(bench *self)
{
    unlink(self->path);
    board_thread_end(self->board);
}

static void await_motors(bench *self, double left, double right)
{
    if (!board_thread_await_duties(self->board, left, right, PATIENCE_US)) {
        fail_msg("the motors did not reach %g, %g", left, right);
    }
}

// The robot answers probes, which the program's own faults do not touch: that is no sign of another program.
static void a_robot_that_faults_silence(void **state)
{
    (void)state;
    bench self;
    set_up(&self, "0 enable\n");
    const char *const arguments[] = {
        HALYARD_BINARY, "drive",     self.url,     "--script", self.path,
        "--faults",     "loss=100%", "--duration", "1",        NULL
    };
    assert_int_equal(run(arguments), 1);
    assert_non_null(strstr(output, "through the faults that are injected"));
    assert_null(strstr(output, "another program"));
    tear_down(&self);
}

// What is refused is not said to be injected before.
static void faults_that_are_refused(void **state)
{
    (void)state;
    const char *const arguments[] = {
        HALYARD_BINARY, "drive", "xrp://192.0.2.77", "--faults", "bad-wifi", "--duration", "1", NULL
    };
    assert_int_equal(run(arguments), 1);
    assert_non_null(strstr(output, "'outage' is refused for a robot on another machine"));
    assert_non_null(strstr(output, "outage=none"));
    assert_null(strstr(output, "injecting"));
}

// Whether the program gave up because the machine held it up for too long: that is how it should be, and no verdict.
static bool was_held_up(int status)
{
    const bool was = status == 1 && strstr(output, "this program was held up") != NULL;
    if (was) {
        print_message("%s", output);
    }
    return was;
}

static bool follows_script(bench *self, program *drive)
{
    static const struct {
        const char *says;
        double left, right;
    } parts[] = {
        { "first", 0.5, -0.4 },
        { "second", 0.0, -0.4 }, // 0.2 of speed and of turn
        { "third", -0.25, -0.4 },
    };
    bool follows = true;
    for (size_t i = 0; i < 3; i++) {
        follows = follows && program_await(drive, parts[i].says, PATIENCE_US) &&
                  board_thread_await_duties(self->board, parts[i].left, parts[i].right, PATIENCE_US);
    }
    return follows;
}

static void a_script_is_followed(void **state)
{
    (void)state;
    bench self;
    set_up(&self, "# forward is motor 0 positive, motor 1 negative\n"
                  "0    enable\n"
                  "0    drive 0.8 0.4   # the largest effort is 0.5\n"
                  "0.1  say first\n"
                  "+0.5 arcade 0.4 0.4\n"
                  "+0.1 say second\n"
                  "+0.5 motor 0 -0.25\n"
                  "+0.1 say third\n"
                  "+0.5 quit\n"
                  "9    say never\n");
    const char *const arguments[] = { HALYARD_BINARY, "drive", self.url, "--script",
                                      self.path,      "--max", "0.5",    NULL };
    bool follows = false;
    int status = 1;
    for (int i = 0; i < 5; i++) {
        program drive = program_start(arguments);
        follows = follows_script(&self, &drive);
        status = program_end(&drive, output, sizeof output);
        if (!was_held_up(status)) {
            break;
        }
    }
    if (!follows || status != 0) {
        fail_msg("exit status %d: %s", status, output);
    }
    assert_null(strstr(output, "never"));
    assert_non_null(strstr(output, "; by odometry 0.000 m ahead"));
    assert_false(board_thread_is_enabled(self.board));
    tear_down(&self);
}

static void a_wrong_script_never_starts(void **state)
{
    (void)state;
    bench self;
    set_up(&self, "0 enable\n0 drive 0.5 0.5\n1 drvie 0 0\n");
    //                                          ^^^^^ line 3, column 3
    const char *const arguments[] = { HALYARD_BINARY, "drive", self.url, "--script", self.path, NULL };
    assert_int_equal(run(arguments), 1);
    assert_true(is_one_sentence());
    assert_non_null(strstr(output, ":3:3: there is no command 'drvie'"));
    assert_int_equal(board_thread_counts(self.board).commands, 0);
    tear_down(&self);
}

static void a_channel_that_is_not_there(void **state)
{
    (void)state;
    bench self;
    set_up(&self, "0 enable\n0 motor 7 0.5\n");
    //                                 ^ line 2, column 9
    const char *const arguments[] = { HALYARD_BINARY, "drive", self.url, "--script", self.path, NULL };
    assert_int_equal(run(arguments), 1);
    assert_true(is_one_sentence());
    assert_non_null(strstr(output, ":2:9: a robot of the kind xrp:// has no motor 7"));
    assert_int_equal(board_thread_counts(self.board).commands, 0);
    tear_down(&self);
}

static void looking_on_for_a_while(void **state)
{
    (void)state;
    bench self;
    int status = 1;
    for (int i = 0; i < 5; i++) {
        set_up(&self, "");
        const char *const arguments[] = { HALYARD_BINARY, "drive",    self.url, "--duration",
                                          "0.6",          "--enable", NULL };
        status = run(arguments);
        if (!was_held_up(status)) {
            break;
        }
        tear_down(&self);
    }
    assert_int_equal(status, 0);
    const unsigned long long sent = strtoull(output + strlen("sent "), NULL, 10);
    assert_true(sent >= 6); // the last stop, too
    for (int i = 0; i < 3000 && board_thread_counts(self.board).commands < sent; i++) {
        usleep(10000); // the last of them may still be on their way
    }
    const hy_board_counters counts = board_thread_counts(self.board);
    assert_int_equal(counts.commands, sent);
    const char *const received = strstr(output, "received ");
    assert_non_null(received);
    const unsigned long long statuses = strtoull(received + strlen("received "), NULL, 10);
    assert_in_range(statuses, 1, counts.statuses);
    tear_down(&self);
}

// --------------------------------------------------------------------------- where it prints

static void a_stdout_that_refuses(void **state)
{
    (void)state;
    static const char *const redirections[] = { ">/dev/full", ">&-" };
    bench self;
    set_up(&self, "0 say hello\n");
    for (size_t i = 0; i < 2; i++) {
        char command[256];
        snprintf(command, sizeof command, "exec \"$0\" drive \"$1\" --script \"$2\" %s",
                 redirections[i]);
        const char *const arguments[] = { "/bin/sh", "-c",      command, HALYARD_BINARY,
                                          self.url,  self.path, NULL };
        assert_int_equal(run(arguments), 1);
        assert_true(is_one_sentence());
        assert_non_null(strstr(output, "cannot write to stdout: "));
        snprintf(command, sizeof command, "exec \"$0\" drive --help %s", redirections[i]);
        assert_int_equal(run(arguments), 1);
        assert_non_null(strstr(output, "halyard: cannot write to stdout: "));
    }
    tear_down(&self);
}

// A reader that does not read: the robot is driven all the same.
static void a_stdout_that_is_full(void **state)
{
    (void)state;
    static char text[1 << 20];
    bench self;
    size_t size = (size_t)sprintf(text, "0 enable\n0 drive 0.5 0.5\n");
    for (int i = 0; i < 1000; i++) { // more than any pipe takes
        size += (size_t)sprintf(text + size, "0 say %0400d\n", i);
    }
    sprintf(text + size, "+0.5 drive 0.25 0.25\n+0.5 quit\n");
    set_up(&self, text);
    char done[sizeof self.path + 8]; // once it is there, somebody reads
    snprintf(done, sizeof done, "%s.done", self.path);
    const char *const arguments[] = { "/bin/sh",
                                      "-c",
                                      "\"$0\" drive \"$1\" --script \"$2\" | { until [ -e \"$3\" "
                                      "]; do sleep 0.1; done; cat >/dev/null; }",
                                      HALYARD_BINARY,
                                      self.url,
                                      self.path,
                                      done,
                                      NULL };
    program drive = program_start(arguments);
    assert_true(board_thread_await_still(self.board, false, PATIENCE_US));
    await_motors(&self, 0.5, -0.5);
    await_motors(&self, 0.25, -0.25);
    assert_true(board_thread_await_still(self.board, true, PATIENCE_US));
    fclose(fopen(done, "w"));
    program_end(&drive, output, sizeof output);
    assert_true(is_one_sentence());
    assert_non_null(strstr(output, " lines are lost: nobody read stdout"));
    unlink(done);
    tear_down(&self);
}

int main(void)
{
    program_go_first();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_sentence_for_what_is_wrong),
        cmocka_unit_test(a_robot_that_is_not_there),
        cmocka_unit_test(a_robot_that_faults_silence),
        cmocka_unit_test(faults_that_are_refused),
        cmocka_unit_test(a_teensy_has_no_keyboard_yet),
        cmocka_unit_test(a_script_is_followed),
        cmocka_unit_test(a_wrong_script_never_starts),
        cmocka_unit_test(a_channel_that_is_not_there),
        cmocka_unit_test(looking_on_for_a_while),
        cmocka_unit_test(a_stdout_that_refuses),
        cmocka_unit_test(a_stdout_that_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
