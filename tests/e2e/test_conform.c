// `halyard conform` as its user runs it, without motion: a healthy board, a robot that dies, nobody there. With motion it takes
// minutes: tests/interop/test_conform_motion.c.
#include "cmocka_all.h"

#include <halyard/board.h>
#include <halyard/link.h>

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "program.h"
#include "refusal.h"
#include "robot/robot_conform_client.h"

#define OUTPUT_MAX 65536

static char output[OUTPUT_MAX];

// --------------------------------------------------------------------------- a robot that watches what it gets

typedef struct {
    hy_link link;
    hy_board *board;
    void *memory;
    size_t dies_of; // a datagram of so many bytes or more; 0: of nothing
    atomic_bool is_over;
    atomic_uint datagrams, enabling;
    hy_endpoint driver; // who enabled it last ...
    atomic_uint stops;  // ... and how many disabling commands came from there since
    pthread_t thread;
} watched_robot;

// It has no rangefinder: the firmware sends -1 V for that. A block is [size 6][tag 0x15][channel][f32, big-endian].
static void pull_out_rangefinder(uint8_t *status, size_t size)
{
    for (size_t at = 3; at + 7 <= size; at += status[at] + 1U) {
        if (status[at] == 6 && status[at + 1] == 0x15 && status[at + 2] == 2) {
            memcpy(&status[at + 3], (const uint8_t[]){ 0xbf, 0x80, 0, 0 }, 4);
        }
    }
}

static void note_stop(watched_robot *self, const hy_datagram *command)
{
    if (command->bytes.size < 3) {
        return;
    }
    if (command->bytes.data[2] == 1) {
        self->driver = command->peer;
        atomic_store(&self->stops, 0);
    } else if (hy_endpoint_equal(&self->driver, &command->peer)) {
        atomic_fetch_add(&self->stops, 1);
    }
}

static void *serve(void *context)
{
    watched_robot *const self = context;
    bool is_dead = false;
    while (!atomic_load(&self->is_over)) {
        struct pollfd source = { .fd = (int)hy_link_descriptor(&self->link), .events = POLLIN };
        poll(&source, 1, 5);
        const int64_t now_us = hy_clock_now_us();
        hy_datagram batch[HY_LINK_BATCH];
        const size_t count = hy_link_receive(&self->link, batch, HY_LINK_BATCH);
        for (size_t i = 0; i < count; i++) {
            const hy_bytes bytes = batch[i].bytes;
            atomic_fetch_add(&self->datagrams, 1);
            atomic_fetch_add(&self->enabling, bytes.size > 2 && bytes.data[2] == 1);
            note_stop(self, &batch[i]);
            is_dead = is_dead || (self->dies_of > 0 && bytes.size >= self->dies_of);
            hy_board_receive(self->board, &batch[i].peer, bytes, now_us);
        }
        hy_board_sense(self->board, &(hy_sensors){ .accel_m_s2 = { 0, 0, 9.8 } }, now_us);
        uint8_t status[HY_WIRE_STATUS_MAX];
        hy_endpoint to;
        size_t size;
        while ((size = hy_board_send(self->board, now_us, &to, (hy_room){ status, sizeof status })) >
               0) {
            if (!is_dead) {
                pull_out_rangefinder(status, size);
                hy_link_send(&self->link, &to, (hy_bytes){ status, size });
            }
        }
    }
    return NULL;
}

static watched_robot *start_robot(size_t dies_of, char url[64])
{
    watched_robot *const self = calloc(1, sizeof *self);
    hy_endpoint local;
    assert_int_equal(hy_endpoint_parse("127.0.0.1:0", 0, &local), HY_OK);
    assert_int_equal(hy_link_open(&self->link, &local), HY_OK);
    self->memory = malloc(hy_board_size());
    self->board =
        hy_board_init(self->memory, &(hy_board_options){ .kind = &hy_board_xrp }, hy_clock_now_us());
    self->dies_of = dies_of;
    snprintf(url, 64, "xrp://127.0.0.1:%u", (unsigned)self->link.local.port);
    assert_int_equal(pthread_create(&self->thread, NULL, serve, self), 0);
    return self;
}

static void end_robot(watched_robot *self)
{
    atomic_store(&self->is_over, true);
    pthread_join(self->thread, NULL);
    hy_link_close(&self->link);
    free(self->memory);
    free(self);
}

static program start_conform(const char *const *arguments)
{
    const char *all[16] = { HALYARD_BINARY, "conform" };
    for (size_t i = 0; arguments[i] != NULL; i++) {
        all[i + 2] = arguments[i];
    }
    return program_start(all);
}

// Its exit status, with what it wrote in `output`.
static int end_conform(program *self)
{
    program_await(self, NULL, 120000000);
    return program_end(self, output, sizeof output);
}

static void expect_text(const char *text)
{
    if (strstr(output, text) == NULL) {
        fputs(output, stderr); // too long for fail_msg()
        fail_msg("'%s' is missing from what is printed above", text);
    }
}

// --------------------------------------------------------------------------- the tests

/// What is in the file now; conform replaces the one that was there.
static void read_junit(const char *path)
{
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    const size_t size = fread(output, 1, sizeof output - 1, file);
    fclose(file);
    assert_true(size > 0);
    output[size] = '\0';
}

static void check_healthy(program *self, watched_robot *robot, const char *junit)
{
    const int status = end_conform(self);
    if (status != 0) {
        fail_msg("status %d:\n%s", status, output);
    }
    expect_text("\n10 passed, 0 failed, 27 not tested.\n");
    expect_text("not tested  watchdog                    it needs motion");
    assert_true(atomic_load(&robot->datagrams) > 100);
    assert_int_equal(atomic_load(&robot->enabling), 0);
    read_junit(junit);
    expect_text("<testsuite name=\"halyard conform\" tests=\"37\" failures=\"0\" skipped=\"27\"");
    expect_text("name=\"status.rate\"");
    expect_text(". Why it matters: ");
}

static void check_dead_in_json(program *self)
{
    assert_int_equal(end_conform(self), 1);
    expect_text("\"id\":\"malformed.survive\",\"verdict\":\"failed\"");
    expect_text("after 1,472 random bytes no status came");
    expect_text("\"stopped_answering\":true");
}

// Each takes a while, so all are tested at once.
static void robots_are_graded_without_enabling_them(void **state)
{
    (void)state;
    char url[3][64], junit[] = "/tmp/halyard-conform-XXXXXX";
    const int file = mkstemp(junit);
    assert_true(file >= 0);
    watched_robot *const robots[] = { start_robot(0, url[0]), start_robot(1472, url[1]),
                                      start_robot(1472, url[2]) };
    program testers[] = { start_conform(ARGUMENTS(url[0], "--junit", junit)),
                          start_conform(ARGUMENTS(url[1], "--json")),
                          start_conform(ARGUMENTS(url[2])) };
    close(file);
    check_healthy(&testers[0], robots[0], junit);
    check_dead_in_json(&testers[1]);
    assert_int_equal(end_conform(&testers[2]), 1);
    assert_int_equal(strncmp(output, "SWITCH THE ROBOT OFF", 20), 0);
    for (size_t i = 0; i < 3; i++) {
        end_robot(robots[i]);
    }
    unlink(junit);
}

static void await_count(atomic_uint *count, unsigned least, int64_t limit_us)
{
    const int64_t end_us = hy_clock_now_us() + limit_us;
    while (atomic_load(count) < least && hy_clock_now_us() < end_us) {
        usleep(5000);
    }
    assert_true(atomic_load(count) >= least);
}

// Its stops have to come from the address that enabled: a robot takes no other sender's while it is driven.
static void an_interrupted_test_stops_the_robot(void **state)
{
    (void)state;
    static const int numbers[] = { SIGINT, SIGTERM };
    char url[2][64];
    watched_robot *const robots[] = { start_robot(0, url[0]), start_robot(0, url[1]) };
    program testers[] = { start_conform(ARGUMENTS(url[0], "--allow-motion")),
                          start_conform(ARGUMENTS(url[1], "--allow-motion")) };
    for (size_t i = 0; i < 2; i++) {
        await_count(&robots[i]->enabling, 10, 60000000);
        kill(testers[i].pid, numbers[i]);
        assert_int_equal(end_conform(&testers[i]), 2);
        expect_text("interrupted; the robot was stopped");
        await_count(&robots[i]->stops, 2, 10000000); // of 6
        end_robot(robots[i]);
    }
}

// --------------------------------------------------------------------------- programs that drive

static program start_client_tester(char url[64])
{
    const char *const arguments[] = { "client", "--listen", "127.0.0.1:0", NULL };
    program self = start_conform(arguments);
    char address[48];
    assert_true(program_await_ready(&self, "udp", address, sizeof address, 30000000));
    snprintf(url, 64, "xrp://%s", address);
    return self;
}

// A program that makes every mistake there is: number 0 twice, enabled from the start, NaN, an effort beside the stop, one stop only, a pause,
// no answer to silence, a count that falls, no stop at its end. It believes what it is sent, so damaged statuses end it.
static void drive_badly(const char *url, program *tester)
{
    static const uint8_t nan_effort[] = { 0x06, 0x12, 0, 0x7f, 0xc0, 0, 0 };
    static const uint8_t full_effort[] = { 0x06, 0x12, 0, 0x3f, 0x80, 0, 0 };
    hy_endpoint robot;
    hy_link link = { 0 };
    assert_int_equal(hy_endpoint_parse(url + strlen("xrp://"), 0, &robot), HY_OK);
    assert_int_equal(hy_link_open_to(&link, &robot), HY_OK);
    int64_t silent_us = 0; // since when it knows of the robot's silence, which lasts 1.5 s
    for (unsigned i = 0; silent_us == 0 || hy_clock_now_us() - silent_us < 1200000; i++) {
        const unsigned number = i == 1 ? 0 : i;
        uint8_t bytes[16] = { (uint8_t)(number >> 8), (uint8_t)number,
                              i == 40 ? 0 : 1 }; // one stop in the middle
        memcpy(bytes + 3, i % 2 == 0 ? nan_effort : full_effort, 7);
        hy_link_send(&link, &robot, (hy_bytes){ bytes, i == 50 ? 9 : 10 }); // one is truncated
        if (silent_us == 0 && program_await(tester, "robot is silent", 20000)) {
            silent_us = hy_clock_now_us();
        }
        usleep(i == 60 ? 800000 : silent_us != 0 ? 20000 : 0);
    }
    assert_true(program_await(tester, "has started again", 30000000));
    uint8_t bytes[10] = {
        0, 5, 1
    }; // enabled at once with a number that falls, and gone with the first damaged status
    memcpy(bytes + 3, full_effort, 7);
    hy_link_send(&link, &robot, (hy_bytes){ bytes, sizeof bytes });
    hy_link_close(&link);
}

// The first test whose verdict is not as wanted; NULL if there is none.
static const char *find_wrong_verdict(const char *const *failed, size_t count)
{
    const hy_conform_test *test;
    for (size_t i = 0; (test = hy_conform_client_test_at(i)) != NULL; i++) {
        bool is_wanted = false;
        for (size_t k = 0; k < count; k++) {
            is_wanted = is_wanted || strcmp(failed[k], test->id) == 0;
        }
        char line[64];
        snprintf(line, sizeof line, "  FAILED      %s ", test->id);
        if ((strstr(output, line) != NULL) != is_wanted) {
            return test->id;
        }
    }
    return NULL;
}

#define TRIES 3

// The example 'wasd' is driven as the tester asks for. False if this machine held it up meanwhile, as its screen says.
static bool try_a_good_program(void)
{
    char url[64], path[512];
    program tester = start_client_tester(url);
    const int folder = (int)(strrchr(HALYARD_BINARY, '/') - HALYARD_BINARY);
    snprintf(path, sizeof path, "%.*s/examples/wasd", folder, HALYARD_BINARY);
    program wasd = program_start_in_terminal((const char *const[]){ path, url, NULL });
    assert_true(program_await(&wasd, "answers", 30000000));
    program_type(&wasd, "\r");
    bool was_held_up = false, ok = program_await(&tester, "the robot is back", 60000000);
    if (ok) {
        assert_true(program_await(&wasd, "answers", 30000000));
        was_held_up = strstr(wasd.output, "held up") != NULL;
        program_forget(&wasd); // it was enabled before
        program_type(&wasd, "\r");
        ok = program_await(&wasd, "ENABLED", 30000000) &&
             program_await(&tester, "end the program while it is enabled", 60000000);
        usleep(300000); // it drives for a while
    }
    program_type(&wasd, "q");
    program_await(&wasd, NULL, 30000000);
    was_held_up = was_held_up || strstr(wasd.output, "held up") != NULL;
    program_end(&wasd, NULL, 0);
    if (end_conform(&tester) == 0 && strstr(output, "15 passed, 0 failed, 4 not tested.") != NULL) {
        return ok;
    }
    if (was_held_up) {
        return false;
    }
    // A short pause of this machine, which the program did not notice, fails one test alone; a longer one others, too.
    expect_text("FAILED      client.rate");
    return strstr(output, "14 passed, 1 failed, 4 not tested.") != NULL;
}

static void a_good_program_is_graded(void **state)
{
    (void)state;
    for (int i = 0; i < TRIES; i++) {
        if (try_a_good_program()) {
            return;
        }
        print_message("this machine held the program up; it is tried again\n");
    }
    fail_msg("held up %d times", TRIES);
}

// Without a terminal nobody enables it again after the robot's silence, so that it ends there.
static void a_program_is_started_and_ended(void **state)
{
    (void)state;
    char path[512];
    const int folder = (int)(strrchr(HALYARD_BINARY, '/') - HALYARD_BINARY);
    snprintf(path, sizeof path,
             "echo $0 $HALYARD_CONFORM_PORT >&2; read line; echo \"got $line\" >&2; exec "
             "%.*s/examples/wasd xrp://127.0.0.1:$HALYARD_CONFORM_PORT --no-nt --enable",
             folder, HALYARD_BINARY);
    program tester = start_conform(ARGUMENTS("client", "--listen", "127.0.0.1:0", "--enable",
                                             "go on", "--", "sh", "-c", path, "began"));
    assert_true(program_await(&tester, "  | began ", 30000000));
    // It is asked to enable only when it has sent a command, which this one does not before.
    assert_false(program_await(&tester, "got go on", 500000));
    kill(tester.pid, SIGINT);
    assert_int_equal(end_conform(&tester), 2);
    expect_text("no program has sent a command");

    tester = start_conform(ARGUMENTS("client", "--listen", "127.0.0.1:0", "--", "true"));
    assert_int_equal(end_conform(&tester), 2);
    expect_text("no program has sent a command to 127.0.0.1:");
    assert_null(strstr(output, "127.0.0.1:0\n")); // the port that was free, not the wish for one

    const char *const wasd = strstr(path, "exec");
    tester = start_conform(
        ARGUMENTS("client", "--listen", "127.0.0.1:0", "--json", "--", "sh", "-c", wasd));
    const int status = end_conform(&tester);
    expect_text("\"id\":\"client.begins-disabled\",\"verdict\":\"passed\"");
    expect_text("\"id\":\"client.robot-silent\",\"verdict\":\"passed\"");
    expect_text("\"id\":\"client.robot-restarted\",\"verdict\":\"not tested\"");
    expect_text("control 0; exit status 1");
    expect_text("\"id\":\"client.sigterm\",\"verdict\":\"passed\"");
    expect_text("\"id\":\"client.sigint\",\"verdict\":\"passed\"");
    expect_text("\"id\":\"client.sigkill\",\"verdict\":\"not tested\"");
    if (status != 0) { // a pause of this machine fails one test alone
        expect_text("\"id\":\"client.rate\",\"verdict\":\"failed\"");
    }
}

// What it says without end is shown a part at a time: --duration and signals end the tester all the same.
static void a_flooding_program_does_not_keep_its_tester(void **state)
{
    (void)state;
    static const int numbers[] = { 0, SIGINT, SIGTERM };
    program testers[3];
    for (size_t i = 0; i < 3; i++) {
        const char *const duration = numbers[i] == 0 ? "0.5" : "600";
        testers[i] = start_conform(ARGUMENTS("client", "--listen", "127.0.0.1:0", "--duration",
                                             duration, "--", "yes", "flood"));
        assert_true(program_await(&testers[i], "  | flood", 30000000));
        program_forget(&testers[i]);
        if (numbers[i] != 0) {
            kill(testers[i].pid, numbers[i]);
        }
    }
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(program_end(&testers[i], NULL, 0), 2);
    }
}

static void a_bad_program_is_graded(void **state)
{
    (void)state;
    static const char *const failed[] = {
        "client.framing",
        "client.rate",
        "client.number",
        "client.number-zero",
        "client.begins-disabled",
        "client.values",
        "client.stop-repeated",
        "client.stop-motors",
        "client.robot-silent",
        "client.self-enable",
        "client.number-after-restart",
        "client.robot-restarted",
        "client.damaged-status",
        "client.exit",
    };
    const char *wrong = "";
    for (int i = 0; i < TRIES && wrong != NULL;
         i++) { // a machine that stands still for 0.2 s makes another program of it
        char url[64];
        program bad = start_client_tester(url);
        drive_badly(url, &bad);
        assert_int_equal(end_conform(&bad), 1);
        wrong = find_wrong_verdict(failed, sizeof failed / sizeof failed[0]);
    }
    if (wrong != NULL) {
        fail_msg("%s is not graded as it should be:\n%s", wrong, output);
    }
}

static void what_cannot_be_tested_exits_with_2(void **state)
{
    (void)state;
    check_refusal(ARGUMENTS("conform"), 2, "URL is missing");
    check_refusal(ARGUMENTS("conform", "client", "--listen", "here"), 2,
                  "--listen here: not an address");
    check_refusal(ARGUMENTS("conform", "xrp://127.0.0.1:9", "--", "true"), 2,
                  "-- COMMAND goes with 'client'");
    check_refusal(ARGUMENTS("conform", "xrp://127.0.0.1:9", "--junit", "/no/such/folder/x.xml"), 2,
                  "--junit /no/such/folder/x.xml: cannot be written (No such file or directory)");
    check_refusal(ARGUMENTS("conform", "xrp://127.0.0.1:9", "--duration", "1"), 2,
                  "--duration is for 'client'");
    check_refusal(ARGUMENTS("conform", "client", "--allow-motion"), 2,
                  "--allow-motion is for robots");
    check_refusal(ARGUMENTS("conform", "localhost"), 2, "localhost: not a robot's address");
    check_refusal(ARGUMENTS("conform", "xrp://127.0.0.1:9"), 2, "no robot answers there");
    check_refusal(ARGUMENTS("conform", "xrp://127.0.0.1:9", "--effort", "2"), 2, "--effort must be");
}

static void a_refused_socket_is_a_status(void **state)
{
    (void)state;
    static hy_conform_report report;
    struct rlimit files;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    const struct rlimit none = { .rlim_cur = 0, .rlim_max = files.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    const hy_status status =
        hy_conform_run("xrp://127.0.0.1:9", &(hy_conform_options){ .effort = 0.5 }, &report);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
    assert_int_equal(status, HY_ESYSTEM);
    assert_int_equal(report.count, 0);
}

// An empty file is no XML, and CI systems would say so instead of what is wrong.
static void what_cannot_be_tested_is_an_error_in_files(void **state)
{
    (void)state;
    static const struct {
        const char *who, *options[4], *says;
    } runs[] = {
        { "xrp://127.0.0.1:9", { NULL }, "<error message=\"no robot answers there; " },
        { "client",
          { "--listen", "127.0.0.1:0", "--duration", "0.1" },
          "<error message=\"the program could not be graded; " },
    };
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char junit[] = "/tmp/halyard-conform-XXXXXX";
        const int file = mkstemp(junit);
        assert_true(file >= 0);
        const char *const *const more = runs[i].options;
        program tester = start_conform(
            ARGUMENTS(runs[i].who, "--json", "--junit", junit, more[0], more[1], more[2], more[3]));
        assert_int_equal(end_conform(&tester), 2);
        expect_text("{\"type\":\"error\",\"url\":\"");
        read_junit(junit);
        expect_text("<testsuite name=\"halyard conform\" tests=\"1\" failures=\"0\" skipped=\"0\" "
                    "errors=\"1\"");
        expect_text(runs[i].says);
        expect_text("</testsuite>\n");
        close(file);
        unlink(junit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_tested_exits_with_2),
        cmocka_unit_test(a_refused_socket_is_a_status),
        cmocka_unit_test(what_cannot_be_tested_is_an_error_in_files),
        cmocka_unit_test(robots_are_graded_without_enabling_them),
        cmocka_unit_test(an_interrupted_test_stops_the_robot),
        cmocka_unit_test(a_good_program_is_graded),
        cmocka_unit_test(a_program_is_started_and_ended),
        cmocka_unit_test(a_flooding_program_does_not_keep_its_tester),
        cmocka_unit_test(a_bad_program_is_graded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
