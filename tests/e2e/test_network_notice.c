// What programs say that other machines can reach: a line with the word "network", and an address that can be used.
#include "cmocka_all.h"

#include <halyard/link.h>
#include <halyard/robot.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "match_ports.h"
#include "program.h"

#define LIMIT_US 20000000

static char output[16384];
static match_ports ports;
static char shift[16];

/// Runs a program until it has said `ready`, and a little longer; what it said is in `output`.
static void run(const char *const *arguments, const char *ready)
{
    program self = program_start(arguments);
    assert_true(program_await(&self, ready, LIMIT_US));
    assert_true(program_await(&self, "\n", LIMIT_US));
    kill(self.pid, SIGTERM);
    (void)program_end(&self, output, sizeof output);
}

static void expect(const char *part, bool is_there)
{
    if ((strstr(output, part) != NULL) != is_there) {
        fail_msg("'%s' is %s in:\n%s", part, is_there ? "not" : "", output);
    }
}

static void loopback_needs_no_notice(void **state)
{
    (void)state;
    run((const char *const[]){ HALYARD_BINARY, "board", "xrp", "--listen", "127.0.0.1:0",
                               "--view=127.0.0.1:0", NULL },
        "listening on 127.0.0.1:");
    expect("network", false);
    run((const char *const[]){ HALYARD_BINARY, "sim", "--shift", shift, NULL }, "ready: 6 players");
    expect("network", false);
    run((const char *const[]){ HALYARD_BINARY, "core", "--shift", shift, NULL }, "ready: player 1");
    expect("network", false);
}

static void every_address_is_named_as_one(void **state)
{
    (void)state;
    static const char *const listens[] = { "0.0.0.0:0", "[::]:0" };
    for (size_t i = 0; i < 2; i++) {
        char view[32];
        snprintf(view, sizeof view, "--view=%s", listens[i]);
        run((const char *const[]){ HALYARD_BINARY, "board", "xrp", "--listen", listens[i], view,
                                   NULL },
            "listening on 127.0.0.1:");
        expect("open http://127.0.0.1:", true);
        expect("network: other machines can reach this program", true);
        expect("can drive this robot and read its sensors", true);
        expect("can load the page, and press the robot's button and reset its world if it has the "
               "token",
               true);
        expect("0.0.0.0", false);
        expect("[::]", false);
    }
}

// The address that is named must also be one that answers.
static void the_named_address_answers(void **state)
{
    (void)state;
    static const char *const listens[] = { "0.0.0.0:0", "[::]:0" };
    for (size_t i = 0; i < 2; i++) {
        char address[64] = "";
        hy_endpoint board, here;
        hy_link link;
        hy_datagram batch[HY_LINK_BATCH];
        program self = program_start(
            (const char *const[]){ HALYARD_BINARY, "board", "xrp", "--listen", listens[i], NULL });
        assert_true(program_await(&self, "listening on ", LIMIT_US));
        assert_true(program_await(&self, "\n", LIMIT_US));
        assert_int_equal(sscanf(strstr(self.output, "listening on "), "listening on %63s", address),
                         1);
        assert_int_equal(hy_endpoint_parse(address, 0, &board), HY_OK);
        assert_int_equal(hy_endpoint_parse("127.0.0.1:0", 0, &here), HY_OK);
        assert_int_equal(hy_link_open(&link, &here), HY_OK);
        const uint8_t command[] = { 0, 1, 0 };
        const int64_t end_us = hy_clock_now_us() + LIMIT_US;
        do {
            hy_link_send(&link, &board, (hy_bytes){ command, sizeof command });
            usleep(100000);
        } while (hy_link_receive(&link, batch, HY_LINK_BATCH) == 0 && hy_clock_now_us() < end_us);
        assert_true(hy_clock_now_us() < end_us);
        hy_link_close(&link);
        kill(self.pid, SIGTERM);
        (void)program_end(&self, NULL, 0);
    }
}

// NetworkTables has an address of its own, and `conform client` listens like a robot.
static void what_is_beside_the_board_is_told(void **state)
{
    (void)state;
    char example[512], recording[512];
    const int folder = (int)(strrchr(HALYARD_BINARY, '/') - HALYARD_BINARY);
    snprintf(example, sizeof example, "%.*s/examples/line_follow", folder, HALYARD_BINARY);
    static const char sent_away[] = "network: no other machine may connect to NetworkTables";
    static const char read[] =
        "network: the machines that --nt-allow names can read what is published";
    run((const char *const[]){ HALYARD_BINARY, "board", "xrp", "--listen", "127.0.0.1:0",
                               "--nt=0.0.0.0:0", NULL },
        sent_away);
    expect("nt=127.0.0.1:", true);
    expect("0.0.0.0", false);
    run((const char *const[]){ HALYARD_BINARY, "sim", "--shift", shift, "--nt=0.0.0.0:0",
                               "--nt-allow", "192.0.2.0/24", "--nt-write", NULL },
        read);
    expect("publish topics of their own", true);
    run((const char *const[]){ example, "--sim", "xrp-line", "--nt=[::]:0", "--nt-allow",
                               "192.0.2.0/24", NULL },
        read);
    expect("nt=127.0.0.1:", true);
    expect("topics of their own", false);
    expect("[::]", false);
    snprintf(recording, sizeof recording, "%s/replay/xrp-line.wpilog", HALYARD_TEST_DATA);
    run((const char *const[]){ HALYARD_BINARY, "replay", recording, "--view=0.0.0.0:0", NULL },
        "network: other machines can reach this program");
    expect("play and pause the recording if it has the token", true);
    run((const char *const[]){ example, "--sim", "xrp-line", "--view=0.0.0.0:0", NULL },
        "network: other machines can reach this program");
    expect("press what is on it if it has the token", true);
    expect("0.0.0.0", false);
    hy_endpoint every;
    char addresses[HY_ROBOT_REACHABLE_MAX];
    assert_int_equal(hy_endpoint_parse("0.0.0.0:1", 0, &every), HY_OK);
    expect("or, from another device, http://", hy_robot_reachable_at(&every, addresses)[0] != '\0');
    run((const char *const[]){ HALYARD_BINARY, "conform", "client", "--listen", "0.0.0.0:0", NULL },
        "network: other machines can reach this program");
    expect("listening on 127.0.0.1:", true);
    expect("0.0.0.0", false);
}

static void unchecked_addresses_are_told(void **state)
{
    (void)state;
    run((const char *const[]){ HALYARD_BINARY, "sim", "--shift", shift, "--any-address", NULL },
        "network: ");
    expect("every program on this machine can send to the UDP ports of this program, which does "
           "not check "
           "their addresses; whoever does can drive the robots and reset the match",
           true);
    run((const char *const[]){ HALYARD_BINARY, "sim", "--shift", shift, "--any-address", "--listen",
                               "0.0.0.0", NULL },
        "network: ");
    expect("other machines can send", true);
    expect("which does not check their addresses", true);
    run((const char *const[]){ HALYARD_BINARY, "core", "--shift", shift, "--listen", "0.0.0.0", NULL },
        "network: ");
    expect("can drive this player's robot", true);
    expect("check", false);
}

static int take_ports(void **state)
{
    (void)state;
    match_ports_take(&ports);
    snprintf(shift, sizeof shift, "%u", ports.shift);
    return 0;
}

static int give_ports_back(void **state)
{
    (void)state;
    match_ports_give_back(&ports);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loopback_needs_no_notice),
        cmocka_unit_test(every_address_is_named_as_one),
        cmocka_unit_test(the_named_address_answers),
        cmocka_unit_test(what_is_beside_the_board_is_told),
        cmocka_unit_test(unchecked_addresses_are_told),
    };
    return cmocka_run_group_tests(tests, take_ports, give_ports_back);
}
