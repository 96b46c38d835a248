// `halyard board --count N`: as many robots as asked for, each at its own port and in its own world, in one process or in several.
#include <halyard/link.h>
#include <halyard/robot.h>
#include <halyard/wire.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "program.h"
#include "refusal.h"

#define PATIENCE_US 30000000
#define TRIES       20 // of a row of ports that are free

typedef struct {
    program program;
    hy_endpoint first;
    char count[16]; // as its ready line says
} robot_group;

static bool start_group(robot_group *self, const char *count, const char *listen)
{
    const char *const arguments[] = { HALYARD_BINARY, "board",    "xrp",       "--count",
                                      count,          "--listen", listen,      "--world",
                                      "xrp-open",     "--faults", "delay=1ms", NULL };
    char address[HY_ENDPOINT_TEXT_MAX];
    self->program = program_start(arguments);
    if (!program_await_ready(&self->program, "udp", address, sizeof address, PATIENCE_US)) {
        return false;
    }
    assert_int_equal(hy_endpoint_parse(address, 0, &self->first), HY_OK);
    const char *const said = strstr(self->program.output, "count=");
    assert_non_null(said);
    assert_int_equal(sscanf(said, "count=%15s", self->count), 1);
    return true;
}

static void end_group(robot_group *self, const char *words)
{
    static char said[1 << 16];
    kill(self->program.pid, SIGTERM);
    assert_int_equal(program_end(&self->program, said, sizeof said), 0);
    if (strstr(said, words) == NULL) {
        fail_msg("no '%s' in: %s", words, said);
    }
}

// --------------------------------------------------------------------------- a client of one of them

typedef struct {
    hy_link link;
    hy_endpoint robot;
    hy_commander commander;
    hy_wire_status last;
    unsigned statuses;
} client;

static void connect_to(client *self, const robot_group *of, unsigned index)
{
    *self = (client){ .robot = of->first };
    self->robot.port = (uint16_t)(of->first.port + index);
    assert_int_equal(hy_link_open_to(&self->link, &self->robot), HY_OK);
    hy_commander_init(&self->commander, &hy_dialect_xrp);
    assert_true(hy_commander_enable(&self->commander));
}

static void drive(client *self, float effort)
{
    hy_wire_datagram datagrams[2];
    self->commander.command.motors = 0x3;
    self->commander.command.motor[0] = effort;
    self->commander.command.motor[1] = -effort;
    const unsigned count = hy_commander_write(&self->commander, hy_clock_now_us(), datagrams);
    for (unsigned i = 0; i < count; i++) {
        (void)hy_link_send(&self->link, &self->robot,
                           (hy_bytes){ datagrams[i].data, datagrams[i].size });
    }
}

static void take_status(void *context, const hy_datagram *datagram)
{
    client *const self = context;
    (void)hy_dialect_xrp.status_decode(datagram->bytes, &self->last);
    self->statuses++;
}

static int32_t counted(const client *self)
{
    const int32_t count = self->last.encoder[0].count;
    return count < 0 ? -count : count;
}

// Until each has told of `statuses` and the first has turned its wheel.
static void drive_both(client *moving, client *standing, unsigned statuses)
{
    const int64_t end_us = hy_clock_now_us() + PATIENCE_US;
    while (moving->statuses < statuses || standing->statuses < statuses || counted(moving) < 100) {
        assert_true(hy_clock_now_us() < end_us);
        drive(moving, 1.0F);
        drive(standing, 0.0F);
        usleep(20000);
        (void)hy_link_receive_waiting(&moving->link, take_status, moving);
        (void)hy_link_receive_waiting(&standing->link, take_status, standing);
    }
}

static void check_two(const robot_group *self, unsigned moving_index, unsigned standing_index)
{
    client moving, standing;
    connect_to(&moving, self, moving_index);
    connect_to(&standing, self, standing_index);
    drive_both(&moving, &standing, 10);
    assert_int_equal(standing.last.encoder[0].count, 0); // its world is its own
    assert_memory_not_equal(standing.last.gyro_rate_dps, moving.last.gyro_rate_dps,
                            sizeof moving.last.gyro_rate_dps);
    hy_link_close(&moving.link);
    hy_link_close(&standing.link);
}

// --------------------------------------------------------------------------- tests

static void test_three_in_one_process(void **state)
{
    (void)state;
    robot_group c;
    assert_true(start_group(&c, "3", "127.0.0.1:0"));
    assert_string_equal(c.count, "3");
    check_two(&c, 1, 2);
    end_group(&c, "board: faults, from the robots: ");
}

// Ports that are free now, but for what else takes them meanwhile.
static unsigned free_port(void)
{
    hy_link link;
    hy_endpoint any = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 } };
    assert_int_equal(hy_link_open(&link, &any), HY_OK);
    const unsigned port = link.local.port;
    hy_link_close(&link);
    return port < 65000 ? port : port - 1000;
}

// More than one process has room for: Box2D's table has 128 worlds.
static void test_more_than_the_engine_has_worlds_for(void **state)
{
    (void)state;
    robot_group c;
    bool started = false;
    for (int i = 0; i < TRIES && !started; i++) {
        char listen[32];
        snprintf(listen, sizeof listen, "127.0.0.1:%u", free_port());
        started = start_group(&c, "130", listen);
        if (!started) {
            program_end(&c.program, NULL, 0);
        }
    }
    assert_true(started);
    assert_string_equal(c.count, "130");
    check_two(&c, 0, 129);
    check_two(&c, 124, 125);
    end_group(&c, "board: 5 robots ran ");
}

// A class needs an address that it can use from other computers, if this one has any.
static void test_addresses_for_others(void **state)
{
    (void)state;
    const char *const arguments[] = { HALYARD_BINARY, "board",     "xrp", "--count", "2",
                                      "--listen",     "0.0.0.0:0", NULL };
    char address[HY_ENDPOINT_TEXT_MAX], others[HY_ROBOT_REACHABLE_MAX],
        expected[HY_ROBOT_REACHABLE_MAX];
    program board = program_start(arguments);
    assert_true(program_await_ready(&board, "udp", address, sizeof address, PATIENCE_US));
    const char *const at = strstr(board.output, " udp_others=");
    hy_endpoint listen;
    assert_int_equal(hy_endpoint_parse(address, 0, &listen), HY_OK);
    assert_true(hy_endpoint_is_loopback(&listen));
    const uint16_t port = listen.port;
    assert_int_equal(hy_endpoint_parse("0.0.0.0", port, &listen), HY_OK);
    for (char *comma = (char *)hy_robot_reachable_at(&listen, expected);
         (comma = strchr(comma, ' ')) != NULL;) {
        *comma = ',';
    }
    assert_int_equal(at != NULL, expected[0] != '\0');
    if (at != NULL) {
        assert_int_equal(sscanf(at, " udp_others=%255s", others), 1);
        assert_string_equal(others, expected);
        assert_null(strstr(others, "127.0.0.1"));
    }
    kill(board.pid, SIGTERM);
    assert_int_equal(program_end(&board, NULL, 0), 0);
}

static void test_refusals(void **state)
{
    (void)state;
    check_refusal(ARGUMENTS("board", "xrp", "--count", "0"), 2, "--count must be between 1 and 1000");
    check_refusal(ARGUMENTS("board", "xrp", "--count", "1001"), 2,
                  "--count must be between 1 and 1000");
    check_refusal(ARGUMENTS("board", "xrp", "--count", "2", "--view"), 2, "leave out --count");
    check_refusal(ARGUMENTS("board", "xrp", "--count", "2", "--truth", "/tmp/x"), 2,
                  "leave out --count");
    check_refusal(ARGUMENTS("board", "xrp", "--count", "2", "--press", "1:2"), 2,
                  "leave out --count");
    check_refusal(ARGUMENTS("board", "xrp", "--count", "126", "--listen", "127.0.0.1:0"), 1,
                  "need the port of the first by number");
    check_refusal(ARGUMENTS("board", "xrp", "--count", "3", "--listen", "127.0.0.1:65534"), 1,
                  "3 ports in a row cannot be opened there");
    check_refusal(
        ARGUMENTS("board", "xrp", "--count", "2", "--listen", "127.0.0.1:0", "--world", "nowhere"),
        1, "there is no world called 'nowhere'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_in_one_process),
        cmocka_unit_test(test_more_than_the_engine_has_worlds_for),
        cmocka_unit_test(test_addresses_for_others),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
