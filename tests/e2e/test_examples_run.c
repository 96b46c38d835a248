// The examples as a person starts them: real sockets, a real virtual robot, a terminal. How well they drive is tested in
// simulated time (tests/unit/test_examples.c); here each has to run, and every way out has to stop the robot.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board_thread.h"
#include "program.h"
#include "udp_proxy.h"

#define SECOND_US 1000000
#define LIMIT_US  (40 * SECOND_US)
#define TRIES     20 // of what a machine that stands still spoils

static char output[1 << 16];

static const char *example(const char *name)
{
    static char path[512];
    const char *const end = strrchr(HALYARD_BINARY, '/');
    snprintf(path, sizeof path, "%.*s/examples/%s", (int)(end - HALYARD_BINARY), HALYARD_BINARY,
             name);
    return path;
}

// --------------------------------------------------------------------------- a virtual robot beside it

typedef struct {
    program board;
    char truth[64];
    hy_endpoint address;
    udp_proxy *proxy; // 5 % loss and 20 ms of jitter both ways
    char url[96];
} robot;

static robot start_robot(const char *kind, const char *world, bool bad_air)
{
    robot self = { .truth = "/tmp/halyard-truth-XXXXXX" };
    const int file = mkstemp(self.truth);
    assert_true(file >= 0);
    close(file);
    const char *const arguments[] = { HALYARD_BINARY, "board",   kind,  "--listen",
                                      "127.0.0.1:0",  "--world", world, "--truth",
                                      self.truth,     "--seed",  "2",   NULL };
    self.board = program_start(arguments);
    if (!program_await(&self.board, "listening on ", LIMIT_US)) {
        fail_msg("%s", self.board.output);
    }
    const char *const address = strstr(self.board.output, "listening on ");
    char text[64];
    assert_int_equal(sscanf(address, "listening on %63[0-9.:]", text), 1);
    assert_int_equal(hy_endpoint_parse(text, 0, &self.address), HY_OK);
    if (bad_air) {
        const hy_faults_direction air = { .loss = 0.05, .jitter_us = 20000 };
        const udp_proxy_options options = { .seed = 1, .to_robot = air, .to_client = air };
        self.proxy = udp_proxy_start(&self.address, &options, &self.address);
        assert_non_null(self.proxy);
    }
    snprintf(self.url, sizeof self.url, "%s://127.0.0.1:%u", kind, (unsigned)self.address.port);
    return self;
}

static void end_robot(robot *self)
{
    udp_proxy_stop(self->proxy);
    kill(self->board.pid, SIGTERM);
    program_end(&self->board, NULL, 0);
    unlink(self->truth);
}

// The last whole line of what is true; "" if there is none yet.
static const char *last_truth(const robot *self)
{
    static char tail[4096];
    FILE *const file = fopen(self->truth, "r");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file),
               from = size > (long)sizeof tail - 1 ? size - (long)sizeof tail + 1 : 0;
    fseek(file, from, SEEK_SET);
    tail[fread(tail, 1, sizeof tail - 1, file)] = '\0';
    fclose(file);
    char *const end = strrchr(tail, '\n');
    if (end == NULL) {
        return "";
    }
    *end = '\0';
    char *const begin = strrchr(tail, '\n');
    return begin != NULL ? begin + 1 : tail;
}

static double truth(const robot *self, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(last_truth(self), quoted);
    if (at == NULL) {
        return NAN;
    }
    at += strlen(quoted);
    at += *at == '['; // of a list the first
    return strncmp(at, "true", 4) == 0 ? 1.0 : strtod(at, NULL);
}

// Waits until `key` lies in [low, high].
static bool await_truth(const robot *self, const char *key, double low, double high)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (hy_clock_now_us() < end_us) {
        const double value = truth(self, key);
        if (value >= low && value <= high) {
            return true;
        }
        usleep(20000);
    }
    print_message("%s is %g, not in [%g, %g]\n", key, truth(self, key), low, high);
    return false;
}

static program start_example(const char *name, const robot *on)
{
    const char *const arguments[] = { example(name), on->url, "--enable", "--duration", "60", NULL };
    return program_start(arguments);
}

// --------------------------------------------------------------------------- each one runs

// What is wanted of a run: `key` gets into [low, high] without the robot touching anything.
typedef struct {
    const char *name, *world, *key;
    double low, high;
    bool bad_air;
} short_run;

#define HELD_UP  "this program was held up" // the runner's words
#define ATTEMPTS 5

// Ctrl-C, and what has to be true then. False if the runner had stopped by itself, because this machine was too busy.
static bool stop_example(program *self, const robot *on)
{
    kill(self->pid, SIGINT);
    const int status = program_end(self, output, sizeof output);
    if (status != 0 && strstr(output, HELD_UP) == NULL) {
        fail_msg("status %d: %s", status, output);
    }
    assert_true(await_truth(on, "enabled", 0.0, 0.0));
    assert_true(await_truth(on, "speed_m_s", -0.01, 0.01));
    return status == 0;
}

static bool gets_there(program *self, const robot *on, const short_run *wanted)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (hy_clock_now_us() < end_us && !program_await(self, HELD_UP, 20000)) {
        const double value = truth(on, wanted->key);
        if (value >= wanted->low && value <= wanted->high &&
            strstr(self->output, ": enabled") != NULL) {
            return true;
        }
    }
    return false;
}

static bool attempt(const short_run *wanted)
{
    const char *const kind = strncmp(wanted->world, "xrp", 3) == 0 ? "xrp" : "teensy";
    robot on = start_robot(kind, wanted->world, wanted->bad_air);
    program running = start_example(wanted->name, &on);
    const bool arrived = gets_there(&running, &on, wanted);
    assert_true(await_truth(&on, "touching", 0.0, 0.0));
    const bool stopped = stop_example(&running, &on);
    end_robot(&on);
    return arrived && stopped;
}

// A machine that stops the runner for 400 ms disables its robot, as it should: only then is a run repeated.
static void runs(short_run wanted)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        if (attempt(&wanted)) {
            return;
        }
        if (strstr(output, HELD_UP) == NULL) {
            break;
        }
    }
    fail_msg("%s: %s", wanted.name, output);
}

// A test each: most of the time they wait, and so they do it beside each other. line_follow has tests/e2e/test_line_udp.c.
#define RUNS(test, ...)               \
    static void test(void **state)    \
    {                                 \
        (void)state;                  \
        runs((short_run)__VA_ARGS__); \
    }

RUNS(blink_runs, { "blink", "xrp-open", "led", 1.0, 1.0, false })
RUNS(servo_wave_runs, { "servo_wave", "xrp-open", "servo_us", 2000.0, 2500.0, false })
RUNS(first_runs, { "first", "xrp-open", "y_m", 50.1, 50.3, false })               // the second side
RUNS(drive_square_runs, { "drive_square", "xrp-open", "y_m", 50.2, 50.6, false }) // the second side
RUNS(trajectory_runs, { "trajectory", "xrp-open", "x_m", 50.3, 51.0, false })
RUNS(swerve_auto_runs, { "swerve_auto", "teensy-field", "y_m", 1.2, 2.0, false })
RUNS(wall_stop_runs, { "wall_stop", "xrp-course", "range_m", 0.19, 0.21, false })
RUNS(line_follow_runs_in_bad_air, { "line_follow", "xrp-line", "x_m", 1.0, 2.0, true })
RUNS(drive_square_runs_in_bad_air, { "drive_square", "xrp-open", "y_m", 50.1, 50.6, true })

static void two_robots_run(void **state)
{
    (void)state;
    robot first = start_robot("xrp", "xrp-open", false),
          second = start_robot("xrp", "xrp-open", false);
    const char *const arguments[] = { example("two_robots"), first.url, second.url, NULL };
    program running = program_start_in_terminal(arguments);
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    do {
        program_type(&running, "\r"); // refused until both answer
    } while (!program_await(&running, "ENABLED", 200000) && hy_clock_now_us() < end_us);
    assert_true(await_truth(&first, "enabled", 1.0, 1.0));
    assert_true(await_truth(&second, "enabled", 1.0, 1.0));
    kill(second.board.pid, SIGKILL); // one is gone: both stop
    assert_true(await_truth(&first, "enabled", 0.0, 0.0));
    assert_true(program_await(&running, "disabled: ", LIMIT_US));
    assert_true(strstr(running.output, "disabled: no status from xrp://127.0.0.1") != NULL ||
                strstr(running.output, HELD_UP) != NULL);
    program_type(&running, "q");
    assert_int_equal(program_end(&running, output, sizeof output), 0);
    end_robot(&first);
    end_robot(&second);
}

// --------------------------------------------------------------------------- one sentence for what is wrong

static void one_sentence_for_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *arguments[4];
        int status;
        const char *says;
    } calls[] = {
        { { "--help" }, 0, "Usage: wasd" },
        { { "xrp://127.0.0.1:9" }, 1, "wasd: there is no terminal" },
        { { "rover://x", "--enable" }, 2, "wasd: 'rover://x' is not a robot's address" },
        { { "teensy://x", "--enable" }, 2, "robot of another kind" },
        { { "xrp://a", "xrp://b" }, 2, "unexpected robot 'xrp://b'" },
        { { "--duration", "-1" }, 2, "--duration must be between 0.001 and 1e+06, not -1" },
        { { "--duration=1", "--enable", "xrp://127.0.0.1:9" },
          1,
          "no robot answered at xrp://127.0.0.1:9; start one in another terminal: " },
        { { "--duration=1", "--enable", "xrp://127.0.0.1:9" },
          1,
          "halyard board xrp --view --listen 127.0.0.1:9\n" },
        { { "--duration=1", "--enable", "xrp://localhost" }, 1, "halyard board xrp --view\n" },
        { { "--duration=1", "--enable", "xrp://192.0.2.1" }, 1, "is its address right?" },
        { { "--durration", "1" }, 2, "did you mean --duration?" },
        { { "--duration" }, 2, "--duration needs" },
        { { "--fast" }, 2, "unknown option '--fast'" },
        { { "xrp://127.0.0.1:9", "--enable", "--duration", "0.3" },
          1,
          "no robot answered at xrp://127.0.0.1:9" },
        { { "xrp://no.such.host.invalid", "--enable" }, 1, "cannot connect to" },
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const char *arguments[8] = { example("wasd") };
        memcpy(arguments + 1, calls[i].arguments, sizeof calls[i].arguments);
        program wasd = program_start(arguments);
        const int status = program_end(&wasd, output, sizeof output);
        if (status != calls[i].status || strstr(output, calls[i].says) == NULL) {
            fail_msg("%s: status %d, %s", calls[i].says, status, output);
        }
    }
}

// --------------------------------------------------------------------------- every way out stops the robot

static program drive_ahead(const board_thread *board)
{
    static char url[96];
    snprintf(url, sizeof url, "xrp://%s", board_thread_address(board));
    const char *const arguments[] = { example("wasd"), url, NULL };
    program wasd = program_start_in_terminal(arguments);
    assert_true(program_await(&wasd, "answers", LIMIT_US));
    return wasd;
}

// Enter is refused while the robot's last status is too old, as it is when this machine held somebody up.
static void enable(program *wasd)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    do {
        assert_true(hy_clock_now_us() < end_us);
        program_type(wasd, "\r");
    } while (!program_await(wasd, "ENABLED", SECOND_US / 5));
}

static bool await_disabled(board_thread *board)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (board_thread_is_enabled(board) && hy_clock_now_us() < end_us) {
        usleep(1000);
    }
    return !board_thread_is_enabled(board);
}

static void press_ahead(program *wasd, board_thread *board)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    for (int i = 1; board_thread_motor(board, 0) < 0.1 || board_thread_motor(board, 1) > -0.1; i++) {
        program_type(wasd, i % 40 == 0 ? "\r" : ""); // a program that was held up is disabled
        program_type(wasd, "w");                     // without releases a key counts for 0.6 s
        program_await(wasd, "\001never", 50000);
        assert_true(hy_clock_now_us() < end_us);
    }
}

#define EMERGENCY "emergency stop"

// A key that is let go takes the effort away and leaves the robot enabled: nothing but `how` disables it, or the program that was
// held up.
// Returns whether that happened without the robot's watchdog, which acts, too, when this machine stands still.
static bool is_stopped_by(const char *how, const char *says)
{
    board_thread *const board = board_thread_start("127.0.0.1");
    assert_non_null(board);
    program wasd = drive_ahead(board);
    assert_false(board_thread_is_enabled(board)); // nothing enables but Enter
    enable(&wasd);
    press_ahead(&wasd, board);
    const uint64_t trips = board_thread_counts(board).watchdog_trips;
    if (how == NULL) {
        program_hang_up(&wasd);
    } else {
        program_type(&wasd, how);
    }
    assert_true(board_thread_await_still(board, true, LIMIT_US));
    if (says != NULL) {
        const bool is_emergency =
            strcmp(says, EMERGENCY) == 0; // its words take the place of the others
        assert_true(program_await(&wasd, is_emergency ? says : "disabled: ", LIMIT_US));
        assert_true(await_disabled(board));
        assert_true(strstr(wasd.output, says) != NULL || strstr(wasd.output, HELD_UP) != NULL);
        program_type(&wasd, "q");
    }
    program_end(&wasd, output, sizeof output);
    assert_true(await_disabled(board));
    const bool has_tripped = board_thread_counts(board).watchdog_trips != trips;
    board_thread_end(board);
    return !has_tripped;
}

static void stops_by(const char *how, const char *says)
{
    int tries = 0;
    while (!is_stopped_by(how, says)) {
        assert_true(++tries < TRIES);
    }
}

// A virtual robot is watched in another window: when the terminal loses the keys, those held down are released, and the robot
// stays enabled. (One on another computer is disabled: test_robot_here tells the two apart.)
static void losing_the_focus_releases_the_keys_of_a_virtual_robot(void **state)
{
    (void)state;
    board_thread *const board = board_thread_start("127.0.0.1");
    assert_non_null(board);
    program wasd = drive_ahead(board);
    enable(&wasd);
    press_ahead(&wasd, board);
    program_type(&wasd, "\033[O");
    assert_true(board_thread_await_still(board, true, LIMIT_US));
    press_ahead(&wasd, board); // without another Enter
    assert_true(strstr(wasd.output, "disabled: ") == NULL || strstr(wasd.output, HELD_UP) != NULL);
    program_type(&wasd, "q");
    program_end(&wasd, output, sizeof output);
    board_thread_end(board);
}

static void a_second_program_is_told_that_another_one_drives(void **state)
{
    (void)state;
    board_thread *const board = board_thread_start("127.0.0.1");
    assert_non_null(board);
    program first = drive_ahead(board);
    char url[96];
    snprintf(url, sizeof url, "xrp://%s", board_thread_address(board));
    const char *const in_terminal[] = { example("wasd"), url, NULL };
    program second = program_start_in_terminal(in_terminal);
    assert_true(program_await(&second, "DRIVEN BY ANOTHER PROGRAM", LIMIT_US));
    program_type(&second, "\r");
    assert_true(program_await(&second, "another program drives this robot", LIMIT_US));
    const char *const in_script[] = { example("wasd"), url, "--enable", "--duration", "2", NULL };
    // A machine that stands still for a second makes the robot forget who drives it: then the third does, and the others have to have the
    // time to find the robot free again.
    int status = 0;
    for (int tries = 0; tries < TRIES && status == 0; tries++) {
        program_forget(&first);
        (void)program_await(&first, ": answers", 4 * SECOND_US);
        program third = program_start(in_script);
        status = program_end(&third, output, sizeof output);
    }
    if (status != 1) {
        fail_msg("status %d, %s; the first says %s", status, output, first.output);
    }
    assert_non_null(strstr(output, "another program drives the robot at xrp://"));
    program_type(&first, "q");
    program_end(&first, output, sizeof output);
    program_forget(&second);
    assert_true(program_await(&second, ": answers", LIMIT_US)); // the robot is free again
    program_type(&second, "q");
    program_end(&second, output, sizeof output);
    board_thread_end(board);
}

static void every_way_out_stops(void **state)
{
    (void)state;
    stops_by(" ", "disabled: stopped by key");
    stops_by("\033", "disabled: stopped by key");
    stops_by("\177", EMERGENCY);
    stops_by("q", NULL);
    stops_by("\003", NULL); // Ctrl-C
    stops_by(NULL, NULL);   // the terminal is gone
}

// Whether the program says that it was disabled because the robot sends nothing; false if it was itself held up just then.
static bool is_disabled_by_silence(program *wasd, board_thread *board)
{
    program_forget(wasd);
    enable(wasd); // refused, too, while the last stop is still being sent
    program_forget(wasd);
    board_thread_lose(board, 0.0, 1.0);
    assert_true(program_await(wasd, "disabled: ", LIMIT_US));
    const bool is_silent = program_await(wasd, "disabled: no status from xrp://127.0.0.1", SECOND_US);
    board_thread_lose(board, 0.0, 0.0);
    program_forget(wasd);
    assert_true(program_await(wasd, "answers", LIMIT_US));
    return is_silent;
}

static void silence_disables(void **state)
{
    (void)state;
    board_thread *const board = board_thread_start("127.0.0.1");
    assert_non_null(board);
    program wasd = drive_ahead(board);
    bool is_silent = false;
    for (int tries = 0; tries < TRIES && !is_silent; tries++) {
        is_silent = is_disabled_by_silence(&wasd, board);
    }
    assert_true(is_silent);
    assert_false(board_thread_is_enabled(board)); // it is back, but nobody enabled it again
    program_type(&wasd, "q");
    assert_int_equal(program_end(&wasd, NULL, 0), 0);
    board_thread_end(board);
}

// Enter before the robot answers is refused; once it answers, nothing says any more that it does not.
static void a_refusal_is_taken_back_when_the_robot_answers(void **state)
{
    (void)state;
    board_thread *const board = board_thread_start("127.0.0.1");
    assert_non_null(board);
    board_thread_lose(board, 1.0, 1.0);
    char url[96];
    snprintf(url, sizeof url, "xrp://%s", board_thread_address(board));
    const char *const arguments[] = { example("wasd"), url, NULL };
    program wasd = program_start_in_terminal(arguments);
    assert_true(program_await(&wasd, "SILENT", LIMIT_US));
    program_type(&wasd, "\r");
    assert_true(program_await(&wasd, "not enabled: no robot answers at xrp://127.0.0.1:", LIMIT_US));
    program_forget(&wasd);
    board_thread_lose(board, 0.0, 0.0);
    assert_true(program_await(&wasd, ": answers", LIMIT_US));
    assert_true(program_await(&wasd, "disabled\033[0m  \033[K", LIMIT_US)); // and no reason behind it
    program_type(&wasd, "q");
    assert_int_equal(program_end(&wasd, NULL, 0), 0);
    board_thread_end(board);
}

// A robot that is started later is driven, by a program that has said meanwhile how to start it.
static void waits_for_a_robot(const char *const *arguments, const hy_endpoint *address,
                              const char *says, const char *goes_on)
{
    char listen[HY_ENDPOINT_TEXT_MAX];
    program waiting = program_start(arguments);
    assert_true(program_await(&waiting, says, LIMIT_US));
    assert_true(program_await(&waiting, "start one in another terminal: ", LIMIT_US));
    assert_true(program_await(&waiting, "halyard board xrp --view --listen 127.0.0.1:", LIMIT_US));
    const char *const board_arguments[] = {
        HALYARD_BINARY, "board", "xrp", "--listen", hy_endpoint_format(address, listen), NULL
    };
    program board = program_start(board_arguments);
    assert_true(program_await(&waiting, goes_on, LIMIT_US));
    kill(waiting.pid, SIGINT);
    program_end(&waiting, output, sizeof output);
    kill(board.pid, SIGTERM);
    program_end(&board, NULL, 0);
}

static void a_robot_that_is_not_there_yet_is_waited_for(void **state)
{
    (void)state;
    robot on = start_robot("xrp", "xrp-open", false);
    end_robot(&on); // its port is free now
    const char *const few_lines[] = { example("first_drive"), on.url, NULL };
    waits_for_a_robot(few_lines, &on.address, "no robot answers at xrp://127.0.0.1:", "drove ");
    const char *const enabled[] = { example("servo_wave"), on.url, "--enable", NULL };
    waits_for_a_robot(enabled, &on.address, "not enabled: no robot answers", ": enabled");
}

// People get a sentence at the end, --json has the figures.
static void a_program_ends_with_a_sentence_or_with_figures(void **state)
{
    (void)state;
    robot on = start_robot("xrp", "xrp-open", false);
    for (int with_json = 0; with_json < 2; with_json++) {
        const char *const arguments[] = { example("blink"), on.url, "--enable",
                                          with_json ? "--json" : NULL, NULL };
        program blink = program_start(arguments);
        assert_true(program_await(&blink, ": enabled", LIMIT_US));
        kill(blink.pid, SIGINT);
        (void)program_end(&blink, output, sizeof output); // 1 if this machine held it up
        assert_int_equal(strstr(output, "\n{\"loops\":") != NULL, with_json);
        assert_int_equal(strstr(output, "blink: ended; ") != NULL, !with_json);
    }
    end_robot(&on);
}

// Whoever stopped the program, or kept the computer busy, finds the cause that it was among those that are named.
static void a_pause_is_explained(void **state)
{
    (void)state;
    board_thread *const board = board_thread_start("127.0.0.1");
    assert_non_null(board);
    program wasd = drive_ahead(board);
    enable(&wasd);
    program_forget(&wasd);
    program_stop(&wasd);
    usleep(2 * SECOND_US);
    kill(wasd.pid, SIGCONT);
    assert_true(
        program_await(&wasd, "(by a call that takes long, or this computer is busy)", LIMIT_US));
    program_type(&wasd, "q");
    assert_int_equal(program_end(&wasd, NULL, 0), 0);
    board_thread_end(board);
}

static void a_script_ends_with_its_robot(void **state)
{
    (void)state;
    bool was_held_up = true;
    for (int tries = 0; tries < TRIES && was_held_up; tries++) {
        robot on = start_robot("xrp", "xrp-open", false);
        program running = start_example("servo_wave", &on);
        assert_true(program_await(&running, "enabled", LIMIT_US));
        kill(on.board.pid, SIGKILL);
        assert_int_equal(program_end(&running, output, sizeof output), 1);
        was_held_up = strstr(output, HELD_UP) != NULL;
        end_robot(&on);
    }
    assert_non_null(strstr(output, "disabled: no status from xrp://127.0.0.1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_sentence_for_what_is_wrong),
        cmocka_unit_test(losing_the_focus_releases_the_keys_of_a_virtual_robot),
        cmocka_unit_test(a_second_program_is_told_that_another_one_drives),
        cmocka_unit_test(every_way_out_stops),
        cmocka_unit_test(silence_disables),
        cmocka_unit_test(a_refusal_is_taken_back_when_the_robot_answers),
        cmocka_unit_test(a_robot_that_is_not_there_yet_is_waited_for),
        cmocka_unit_test(a_pause_is_explained),
        cmocka_unit_test(a_program_ends_with_a_sentence_or_with_figures),
        cmocka_unit_test(a_script_ends_with_its_robot),
        cmocka_unit_test(blink_runs),
        cmocka_unit_test(servo_wave_runs),
        cmocka_unit_test(first_runs),
        cmocka_unit_test(drive_square_runs),
        cmocka_unit_test(trajectory_runs),
        cmocka_unit_test(swerve_auto_runs),
        cmocka_unit_test(wall_stop_runs),
        cmocka_unit_test(line_follow_runs_in_bad_air),
        cmocka_unit_test(drive_square_runs_in_bad_air),
        cmocka_unit_test(two_robots_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
