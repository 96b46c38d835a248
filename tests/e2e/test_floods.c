// Floods of datagrams that leave a program's socket never empty: each program that has one still ends when it is told to, and a driver stops
// its robot first. (What a child process says without end: test_conform.c and tests/unit/test_child.c.)
#include "cmocka_all.h"

#include <halyard/icd.h>
#include <halyard/link.h>
#include <halyard/wire.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "match_ports.h"
#include "program.h"
#include "refusal.h"

#define LIMIT_US INT64_C(60000000)
#define ENOUGH   30000  // datagrams: more than any socket holds, many times over
#define MANY     500000 // of 1,400 bytes each: more than a disk takes meanwhile
#define ENABLED  5      // commands of a driver that is at it

// --------------------------------------------------------------------------- a flood

typedef struct {
    hy_link link;
    hy_endpoint to;
    uint16_t seq;  // of statuses
    bool is_robot; // answers the first datagram, and is the robot that its sender drives
    bool is_large; // as long as a network carries whole
    pthread_t thread;
    atomic_bool is_over;
    atomic_size_t sent;
    atomic_uint enabled; // commands that came ...
    unsigned stops;      // ... and those that disable, since the last of them
} flood;

/// Returns how many datagrams there were.
static size_t hear(flood *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->link, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        self->to = self->is_robot ? batch[i].peer : self->to;
        const bool enables = batch[i].bytes.size > 2 && batch[i].bytes.data[2] == 1;
        atomic_fetch_add(&self->enabled, enables);
        self->stops = enables ? 0 : self->stops + (batch[i].bytes.size > 2);
    }
    return count;
}

// A status that says something now and then, and between them what is nothing at all.
static void send_some(flood *self)
{
    static const uint8_t rubbish[1400] = { '{' };
    uint8_t status[HY_WIRE_STATUS_MAX];
    hy_datagram batch[HY_LINK_BATCH];
    const hy_wire_status said = { .seq = ++self->seq, .encoders = 1 };
    const size_t size = hy_xrp_status_encode(&said, (hy_room){ status, sizeof status });
    for (size_t i = 0; i < HY_LINK_BATCH; i++) {
        batch[i] = (hy_datagram){ .peer = self->to,
                                  .bytes = { rubbish, self->is_large ? sizeof rubbish : 1 + 2 * i } };
    }
    batch[0].bytes = (hy_bytes){ status, size };
    atomic_fetch_add(&self->sent, hy_link_send_batch(&self->link, batch, HY_LINK_BATCH));
}

static void *run_flood(void *context)
{
    flood *const self = context;
    while (!atomic_load(&self->is_over)) {
        hear(self);
        if (self->to.port != 0) {
            send_some(self);
        }
    }
    return NULL;
}

static hy_endpoint here(const char *text)
{
    hy_endpoint out;
    assert_int_equal(hy_endpoint_parse(text, 0, &out), HY_OK);
    return out;
}

static void open_anywhere(flood *self)
{
    const hy_endpoint any = here("127.0.0.1:0");
    memset(self, 0, sizeof *self);
    assert_int_equal(hy_link_open(&self->link, &any), HY_OK);
}

static void start_flood(flood *self)
{
    assert_int_equal(pthread_create(&self->thread, NULL, run_flood, self), 0);
}

static void end_flood(flood *self)
{
    atomic_store(&self->is_over, true);
    pthread_join(self->thread, NULL);
    while (hear(self) > 0) {
    }
    hy_link_close(&self->link);
}

static void await_sent(const flood *self, size_t least)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (atomic_load(&self->sent) < least) {
        assert_true(hy_clock_now_us() < end_us);
        usleep(5000);
    }
}

static void await_flood(const flood *self, bool is_driven)
{
    await_sent(self, ENOUGH);
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (is_driven && atomic_load(&self->enabled) < ENABLED) {
        assert_true(hy_clock_now_us() < end_us);
        usleep(5000);
    }
}

/// Ends a program amid the flood; its status.
static int interrupt(program *self)
{
    char output[4096];
    kill(self->pid, SIGINT);
    const int status = program_end(self, output, sizeof output);
    if (status < 0 && status != -SIGINT) {
        fail_msg("ended by signal %d:\n%s", -status, output);
    }
    return status;
}

// --------------------------------------------------------------------------- who listens

static program start_program(const char *const *arguments)
{
    const char *all[24] = { HALYARD_BINARY };
    for (size_t i = 0; arguments[i] != NULL; i++) {
        all[i + 1] = arguments[i];
    }
    return program_start(all);
}

static void flood_listener(const char *const *arguments)
{
    static flood strangers;
    char address[HY_ENDPOINT_TEXT_MAX];
    program listener = start_program(arguments);
    assert_true(program_await_ready(&listener, "udp", address, sizeof address, LIMIT_US));
    open_anywhere(&strangers);
    strangers.to = here(address);
    start_flood(&strangers);
    await_flood(&strangers, false);
    interrupt(&listener);
    end_flood(&strangers);
}

static void flooded_listeners_end(void **state)
{
    (void)state;
    flood_listener(ARGUMENTS("board", "xrp", "--listen", "127.0.0.1:0"));
    flood_listener(ARGUMENTS("board", "xrp", "--listen", "127.0.0.1:0", "--count", "3"));
    flood_listener(ARGUMENTS("dump", "--listen", "127.0.0.1:0"));
    flood_listener(ARGUMENTS("conform", "client", "--listen", "127.0.0.1:0"));
}

// Nobody signals it: what came last from a program that has ended is read, and no more than that.
static void a_flooded_tester_ends_after_its_program(void **state)
{
    (void)state;
    static flood strangers[4]; // together they send faster than anybody reads
    char address[HY_ENDPOINT_TEXT_MAX], path[] = "/tmp/halyard-floods-XXXXXX", script[96];
    const int file = mkstemp(path); // as long as it is there, so is the program
    assert_true(file >= 0);
    close(file);
    snprintf(script, sizeof script, "echo began; while test -e %s; do sleep 0.05; done", path);
    program tester = start_program(
        ARGUMENTS("conform", "client", "--listen", "127.0.0.1:0", "--", "sh", "-c", script));
    assert_true(program_await_ready(&tester, "udp", address, sizeof address, LIMIT_US));
    assert_true(program_await(&tester, "  | began", LIMIT_US));
    for (size_t i = 0; i < 4; i++) {
        open_anywhere(&strangers[i]);
        strangers[i].to = here(address);
        start_flood(&strangers[i]);
    }
    await_flood(&strangers[3], false);
    unlink(path);
    assert_int_equal(program_end(&tester, NULL, 0), 2);
    for (size_t i = 0; i < 4; i++) {
        end_flood(&strangers[i]);
    }
}

// --------------------------------------------------------------------------- the parts of a match

typedef struct {
    const char *arguments[8];
    hy_icd_port from, to;
    const char *begins; ///< What it says when it is ready.
} part;

static void flood_part(const part *self)
{
    static flood peer;
    match_ports ports;
    const char *all[12] = { NULL };
    size_t count = 0;
    match_ports_take(&ports);
    for (; self->arguments[count] != NULL; count++) {
        all[count] = self->arguments[count];
    }
    all[count++] = "--shift";
    all[count++] = ports.shift_text;
    memset(&peer, 0, sizeof peer);
    match_ports_open(&ports, self->from, 1, &peer.link);
    peer.to = match_ports_at(&ports, self->to, 1);
    program one = start_program(all);
    assert_true(program_await(&one, self->begins, LIMIT_US));
    start_flood(&peer);
    await_flood(&peer, false);
    assert_int_equal(interrupt(&one), 0);
    end_flood(&peer);
    match_ports_give_back(&ports);
}

static void flooded_parts_of_a_match_end(void **state)
{
    (void)state;
    char script[] = "/tmp/halyard-floods-XXXXXX";
    const int file = mkstemp(script);
    assert_true(file >= 0 && write(file, "0 left_y=512\n+600 quit\n", 23) == 23);
    close(file);
    const part parts[] = {
        { { "sim", "--players", "1" }, HY_ICD_CORE_SIM, HY_ICD_SIM_CORE, "ready: " },
        { { "core" }, HY_ICD_JOYSTICK, HY_ICD_CORE_JOYSTICK, "ready" },
        { { "core" }, HY_ICD_SIM_CORE, HY_ICD_CORE_SIM, "ready" },
        { { "view", "--listen", "127.0.0.1:0" }, HY_ICD_SIM_VIEW, HY_ICD_VIEW, "ready" },
        { { "joystick", "--script", script }, HY_ICD_CORE_JOYSTICK, HY_ICD_JOYSTICK, "ready: " },
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        flood_part(&parts[i]);
    }
    unlink(script);
}

// --------------------------------------------------------------------------- who drives

/// Starts what drives `robot`, whose flood begins with the first datagram that it gets.
static program start_driver(flood *robot, const char *path, const char *const *arguments)
{
    static char url[64];
    const char *all[24] = { path };
    open_anywhere(robot);
    robot->is_robot = true;
    snprintf(url, sizeof url, "xrp://127.0.0.1:%u", (unsigned)robot->link.local.port);
    for (size_t i = 0; arguments[i] != NULL; i++) {
        all[i + 1] = strcmp(arguments[i], "URL") == 0 ? url : arguments[i];
    }
    const program driver = program_start(all);
    start_flood(robot);
    return driver;
}

static void flood_driver(const char *path, const char *const *arguments, bool is_driven)
{
    static flood robot;
    program driver = start_driver(&robot, path, arguments);
    await_flood(&robot, is_driven);
    interrupt(&driver);
    end_flood(&robot);
    if (is_driven && robot.stops < 2) { // of 6; what the socket had no room for is lost
        fail_msg("%s: %u stops", arguments[0], robot.stops);
    }
}

static void flooded_drivers_stop_their_robot_and_end(void **state)
{
    (void)state;
    char wasd[512];
    const int folder = (int)(strrchr(HALYARD_BINARY, '/') - HALYARD_BINARY);
    snprintf(wasd, sizeof wasd, "%.*s/examples/wasd", folder, HALYARD_BINARY);
    flood_driver(HALYARD_BINARY, ARGUMENTS("drive", "URL", "--enable", "--duration", "600"), true);
    flood_driver(wasd, ARGUMENTS("URL", "--enable", "--no-nt"), true);
    flood_driver(HALYARD_BINARY, ARGUMENTS("doctor", "URL", "--duration", "60"), false);
    flood_driver(HALYARD_BINARY, ARGUMENTS("conform", "URL"), false);
}

// --------------------------------------------------------------------------- recordings

// What strangers send is no input: the recording has how much it was, and loses nothing of what the driver does.
static void a_recording_of_a_flooded_board_verifies_to_its_end(void **state)
{
    (void)state;
    static flood strangers;
    char address[HY_ENDPOINT_TEXT_MAX], url[HY_ENDPOINT_TEXT_MAX + 8],
        folder[] = "/tmp/halyard-floods-XXXXXX", path[64], output[4096];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/flood.wpilog", folder);
    program board =
        start_program(ARGUMENTS("board", "xrp", "--listen", "127.0.0.1:0", "--record", path));
    assert_true(program_await_ready(&board, "udp", address, sizeof address, LIMIT_US));
    snprintf(url, sizeof url, "xrp://%s", address);
    program driver = start_program(ARGUMENTS("drive", url, "--enable", "--duration", "2"));
    open_anywhere(&strangers);
    strangers.to = here(address);
    strangers.is_large = true;
    start_flood(&strangers);
    await_sent(&strangers, MANY);
    (void)program_end(&driver, NULL, 0); // it may have lost the robot to strangers
    interrupt(&board);
    end_flood(&strangers);

    program replay = start_program(ARGUMENTS("replay", path, "--verify"));
    const int status = program_end(&replay, output, sizeof output);
    if (status != 0 || strstr(output, "hashes agree") == NULL || strstr(output, "lost") != NULL) {
        fail_msg("status %d: %s", status, output);
    }
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flooded_listeners_end),
        cmocka_unit_test(a_flooded_tester_ends_after_its_program),
        cmocka_unit_test(flooded_parts_of_a_match_end),
        cmocka_unit_test(flooded_drivers_stop_their_robot_and_end),
        cmocka_unit_test(a_recording_of_a_flooded_board_verifies_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
