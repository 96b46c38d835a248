// Finding robots: networks as numbers, and a search over real sockets on loopback.
#include "cmocka_all.h"

#include <halyard/robot.h>
#include <halyard/robot_check.h>
#include <halyard/wire.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../e2e/board_thread.h"

#define LIMIT_US 20000000 // generous: machines that run tests are busy

static hy_endpoint endpoint(const char *text)
{
    hy_endpoint out;
    assert_int_equal(hy_endpoint_parse(text, 0, &out), HY_OK);
    return out;
}

static hy_robot_network network(const char *own, unsigned prefix_bits)
{
    return (hy_robot_network){ .name = "test", .own = endpoint(own), .prefix_bits = prefix_bits };
}

// --------------------------------------------------------------------------- URLs

static void test_urls_and_what_they_mean(void **state)
{
    (void)state;
    const hy_dialect *dialect;
    hy_endpoint found[4];
    assert_int_equal(hy_robot_resolve("xrp://127.0.0.1", &dialect, found, 4), 1);
    assert_ptr_equal(dialect, &hy_dialect_xrp);
    assert_int_equal(found[0].port, 3540);
    assert_int_equal(hy_robot_resolve("teensy://[::1]:99/", &dialect, found, 4), 1);
    assert_ptr_equal(dialect, &hy_dialect_teensy);
    assert_int_equal(found[0].port, 99);
    assert_int_equal(hy_robot_resolve("127.0.0.1", &dialect, found, 4), HY_EADDRESS);
    assert_int_equal(hy_robot_resolve("xrp://127.0.0.1:0", &dialect, found, 4), HY_EADDRESS);
    assert_int_equal(hy_robot_resolve("xrp://", &dialect, found, 4), HY_EADDRESS);
    assert_int_equal(hy_robot_resolve("rover://127.0.0.1", &dialect, found, 4), HY_EADDRESS);
    // The dialect alone, without a look for the host.
    assert_ptr_equal(hy_robot_dialect("xrp://no.such.host:1"), &hy_dialect_xrp);
    assert_ptr_equal(hy_robot_dialect("teensy://192.168.1.7/"), &hy_dialect_teensy);
    assert_null(hy_robot_dialect("192.168.1.7"));
    assert_null(hy_robot_dialect("rover://192.168.1.7"));
    char text[400] = "xrp://";
    memset(text + 6, 'a', 300); // one character more than there is room for
    assert_null(hy_robot_dialect(text));
    text[6 + 299] = '\0';
    assert_ptr_equal(hy_robot_dialect(text), &hy_dialect_xrp);
    assert_null(hy_robot_dialect("a-very-long-scheme://192.168.1.7"));
    assert_int_equal(hy_robot_resolve("xrp://127.0.0.1", &dialect, found, 0),
                     HY_ENAME); // no room for any
    assert_null(hy_robot_dialect("xrp://"));
    assert_null(hy_robot_dialect(""));
}

// --------------------------------------------------------------------------- who speaks

static hy_bytes status_of(const hy_dialect *dialect, uint8_t room[HY_WIRE_STATUS_MAX])
{
    const bool is_xrp = dialect == &hy_dialect_xrp;
    const hy_wire_status status = { .seq = 7,
                                    .encoders = is_xrp ? 0x0f : 0xff,
                                    .encoder = { { .has_period = true, .period_den = 1 } },
                                    .has_gyro = true,
                                    .has_accel = is_xrp,
                                    .dios = 1,
                                    .analogs = 7 };
    return (hy_bytes){ room, dialect->status_encode(&status, (hy_room){ room, HY_WIRE_STATUS_MAX }) };
}

static void test_a_status_is_recognised_in_both_dialects(void **state)
{
    (void)state;
    static const hy_dialect *const all[] = { &hy_dialect_xrp, &hy_dialect_teensy };
    for (size_t i = 0; i < 2; i++) {
        uint8_t room[HY_WIRE_STATUS_MAX];
        const hy_bytes whole = status_of(all[i], room);
        assert_true(whole.size > 100);
        assert_ptr_equal(hy_robot_recognize(whole, NULL), all[i]);
        assert_ptr_equal(hy_robot_recognize(whole, all[0]), all[i]);
        assert_ptr_equal(hy_robot_recognize(whole, all[1]), all[i]);
        for (size_t size = 0; size < whole.size;
             size++) { // no cut one is taken for the other dialect's
            const hy_dialect *const dialect = hy_robot_recognize((hy_bytes){ room, size }, NULL);
            assert_true(dialect == NULL || dialect == all[i]);
        }
        assert_null(hy_robot_recognize((hy_bytes){ room, whole.size - 1 }, NULL));
        assert_null(hy_robot_recognize((hy_bytes){ room, 3 }, NULL));
        assert_null(hy_robot_recognize((hy_bytes){ room, 0 }, NULL));
    }
}

static void test_a_command_is_no_status(void **state)
{
    (void)state;
    static const hy_dialect *const all[] = { &hy_dialect_xrp, &hy_dialect_teensy };
    for (size_t i = 0; i < 2; i++) { // so that a program that sends everything back is no robot
        const hy_wire_command command = { .seq = 1, .motors = 0x0f };
        uint8_t room[HY_WIRE_COMMAND_MAX];
        const size_t size = all[i]->command_encode(&command, (hy_room){ room, sizeof room });
        assert_null(hy_robot_recognize((hy_bytes){ room, size }, all[i]));
    }
}

// --------------------------------------------------------------------------- networks

static void test_networks_as_numbers(void **state)
{
    (void)state;
    const hy_robot_network home = network("192.168.1.23", 24);
    const hy_endpoint inside = endpoint("192.168.1.200"), outside = endpoint("192.168.2.23"),
                      ipv6 = endpoint("[::1]");
    assert_true(hy_robot_network_has(&home, &inside));
    assert_false(hy_robot_network_has(&home, &outside));
    assert_false(hy_robot_network_has(&home, &ipv6));
    static const struct {
        unsigned prefix_bits;
        uint32_t hosts;
    } sizes[] = { { 24, 253 },   { 25, 125 },     { 30, 1 },
                  { 31, 0 },     { 32, 0 },       { 23, 509 },
                  { 16, 65533 }, { 8, 16777213 }, { 0, UINT32_MAX - 2 } };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const hy_robot_network one = network("10.1.2.1", sizes[i].prefix_bits);
        assert_int_equal(hy_robot_network_hosts(&one), sizes[i].hosts);
    }
    const hy_robot_network everything = network("10.1.2.1", 0), itself = network("192.168.1.200", 32);
    assert_true(hy_robot_network_has(&everything, &outside));
    assert_true(hy_robot_network_has(&itself, &inside));
    assert_false(hy_robot_network_has(&itself, &outside));
}

static void test_this_computers_networks(void **state)
{
    (void)state;
    hy_robot_network all[64];
    const int count = hy_robot_networks(all, 64);
    assert_true(count >= 0);
    bool has_loopback = count == 0; // a container may have nothing at all
    for (int i = 0; i < count; i++) {
        assert_true(hy_robot_network_has(&all[i], &all[i].own));
        assert_true(all[i].prefix_bits <= 32);
        assert_int_equal(all[i].own.port, 0);
        assert_true(all[i].name[0] != '\0');
        has_loopback = has_loopback || (all[i].is_loopback && all[i].own.ip[12] == 127);
    }
    assert_true(has_loopback);
    assert_int_equal(hy_robot_networks(all, 0), 0);
}

static void test_a_sweep_asks_everybody_but_the_networks_own(void **state)
{
    (void)state;
    static hy_robot_candidate candidates[300];
    hy_robot_search search;
    assert_int_equal(hy_robot_search_open(&search, candidates, 300), HY_OK);
    const hy_robot_network home = network("192.168.1.23", 24);
    assert_int_equal(hy_robot_search_add_network(&search, &home, 3540), HY_OK);
    assert_int_equal(search.count, hy_robot_network_hosts(&home));
    for (size_t i = 0; i < search.count; i++) {
        const uint8_t last = candidates[i].address.ip[15];
        assert_int_equal(candidates[i].address.port, 3540);
        assert_true(hy_robot_network_has(&home, &candidates[i].address));
        assert_true(last != 0 && last != 255 && last != 23);
        assert_true(i == 0 || last > candidates[i - 1].address.ip[15]);
    }
    assert_int_equal(hy_robot_search_add_network(&search, &home, 3540), HY_OK); // nobody twice
    assert_int_equal(search.count, 253);
    const hy_robot_network small = network("10.0.0.1", 30), none = network("10.0.0.1", 32);
    assert_int_equal(hy_robot_search_add_network(&search, &small, 3540), HY_OK);
    assert_int_equal(hy_robot_search_add_network(&search, &none, 3540), HY_OK);
    assert_int_equal(search.count, 254);
    hy_robot_search_close(&search);
}

static void test_a_large_network_is_refused(void **state)
{
    (void)state;
    hy_robot_candidate candidates[2];
    hy_robot_search search;
    assert_int_equal(hy_robot_search_open(&search, candidates, 2), HY_OK);
    for (unsigned bits = 0; bits < 24; bits++) {
        const hy_robot_network large = network("10.0.0.1", bits);
        assert_int_equal(hy_robot_search_add_network(&search, &large, 3540), HY_ERANGE);
    }
    assert_int_equal(search.count, 0);
    const hy_robot_network too_many = network("10.0.0.1", 29);
    assert_int_equal(hy_robot_search_add_network(&search, &too_many, 3540), HY_EFULL);
    assert_int_equal(search.count, 2);
    hy_robot_search_close(&search);
    assert_int_equal(hy_robot_search_open(&search, candidates, 2), HY_OK);
    assert_int_equal(hy_robot_search_add_network(&search, &too_many, 0), HY_EADDRESS);
    const hy_endpoint any = endpoint("127.0.0.1");
    assert_int_equal(hy_robot_search_add(&search, &any), HY_EADDRESS);
    assert_false(hy_robot_search_poll(&search, 0)); // over: there is nobody to ask
    hy_robot_search_close(&search);
    hy_robot_search_close(&search);
}

// --------------------------------------------------------------------------- a search

// Somebody at a port, who counts what is asked, and may answer with a text of any length.
typedef struct {
    hy_link link;
    const char *answer;
    size_t asked, bytes;
} somebody;

static void open_somebody(somebody *self, const char *host, const char *answer)
{
    *self = (somebody){ .answer = answer };
    const hy_endpoint local = endpoint(host);
    assert_int_equal(hy_link_open(&self->link, &local), HY_OK);
}

static void serve(somebody *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->link, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        self->asked++;
        self->bytes += batch[i].bytes.size;
        if (self->answer != NULL) {
            hy_link_send(&self->link, &batch[i].peer,
                         (hy_bytes){ (const uint8_t *)self->answer, strlen(self->answer) });
        }
    }
}

static void test_boards_are_found_among_the_silent_and_the_strange(void **state)
{
    (void)state;
    board_thread *const boards[] = { board_thread_start("127.0.0.1"), board_thread_start("127.0.0.1"),
                                     board_thread_start("127.0.0.1") };
    somebody silent, strange, uninvited;
    open_somebody(&silent, "127.0.0.1", NULL);
    open_somebody(&strange, "127.0.0.1", "220 welcome to something else\r\n");
    open_somebody(&uninvited, "127.0.0.1", NULL);

    hy_robot_candidate candidates[8];
    hy_robot_search search;
    assert_int_equal(hy_robot_search_open(&search, candidates, 8), HY_OK);
    for (size_t i = 0; i < 3; i++) {
        assert_non_null(boards[i]);
        const hy_endpoint at = endpoint(board_thread_address(boards[i]));
        assert_int_equal(hy_robot_search_add(&search, &at), HY_OK);
        assert_int_equal(hy_robot_search_add(&search, &at), HY_OK); // once all the same
    }
    assert_int_equal(hy_robot_search_add(&search, &silent.link.local), HY_OK);
    assert_int_equal(hy_robot_search_add(&search, &strange.link.local), HY_OK);
    assert_int_equal(search.count, 5);

    uint8_t room[HY_WIRE_STATUS_MAX];
    const hy_bytes status = status_of(&hy_dialect_xrp, room);
    const hy_endpoint searcher = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 },
                                   .port = search.link.local.port };
    assert_int_equal(hy_link_send(&uninvited.link, &searcher, status), HY_OK);
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (hy_robot_search_wait(&search, hy_clock_now_us() + 10000) && hy_clock_now_us() < end_us) {
        serve(&silent);
        serve(&strange);
    }
    assert_int_equal(search.asked, 5);
    assert_int_equal(search.found, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_ptr_equal(candidates[i].dialect, &hy_dialect_xrp);
        assert_int_equal(candidates[i].statuses, 1);
        assert_true(candidates[i].answered_us >= candidates[i].asked_us);
        assert_int_equal(board_thread_counts(boards[i]).probes_answered, 1);
        assert_int_equal(board_thread_counts(boards[i]).commands, 0);
    }
    assert_int_equal(candidates[3].statuses + candidates[3].others, 0);
    assert_int_equal(silent.asked, 1);
    assert_int_equal(silent.bytes, 1);
    assert_int_equal(candidates[4].statuses, 0);
    assert_int_equal(candidates[4].others, 1);
    assert_null(candidates[4].dialect);

    hy_robot_search_close(&search);
    hy_link_close(&silent.link);
    hy_link_close(&strange.link);
    hy_link_close(&uninvited.link);
    for (size_t i = 0; i < 3; i++) {
        board_thread_end(boards[i]);
    }
}

static void test_a_sweep_over_sockets(void **state)
{
    (void)state;
    board_thread *const first = board_thread_start("127.0.0.3");
    if (first == NULL) {
        skip(); // a system whose loopback has one address
    }
    const uint16_t port = endpoint(board_thread_address(first)).port;
    char where[64];
    snprintf(where, sizeof where, "127.0.0.13:%u", (unsigned)port);
    board_thread *const second = board_thread_start(where);
    assert_non_null(second);
    hy_robot_candidate candidates[16];
    hy_robot_search search;
    assert_int_equal(hy_robot_search_open(&search, candidates, 16), HY_OK);
    const hy_robot_network sixteen = network("127.0.0.1", 28);
    assert_int_equal(hy_robot_search_add_network(&search, &sixteen, port), HY_OK);
    assert_int_equal(search.count, 13);
    assert_true(hy_robot_search_descriptor(&search) >= 0);
    const int64_t start_us = hy_clock_now_us();
    while (hy_robot_search_wait(&search, hy_clock_now_us() + 1000000) &&
           hy_clock_now_us() < start_us + LIMIT_US) {
    }
    // Never faster than the pace, however slow the machine is.
    assert_true(hy_clock_now_us() - start_us >= 12 * HY_ROBOT_PROBE_PERIOD_US + HY_ROBOT_ANSWER_US);
    assert_int_equal(search.asked, 13);
    assert_int_equal(search.found, 2);
    for (size_t i = 0; i < search.count; i++) {
        const uint8_t last = candidates[i].address.ip[15];
        assert_int_equal(candidates[i].statuses, last == 3 || last == 13);
        assert_true(i == 0 || candidates[i].asked_us - candidates[i - 1].asked_us >=
                                  HY_ROBOT_PROBE_PERIOD_US);
    }
    assert_int_equal(board_thread_counts(first).probes_answered, 1);
    assert_int_equal(board_thread_counts(second).probes_answered, 1);
    hy_robot_search_close(&search);
    board_thread_end(second);
    board_thread_end(first);
}

static void test_a_place_without_a_way_is_told(void **state)
{
    (void)state;
    hy_robot_candidate candidates[1];
    hy_robot_search search;
    assert_int_equal(hy_robot_search_open(&search, candidates, 1), HY_OK);
    const hy_endpoint broadcast =
        endpoint("255.255.255.255:3540"); // a socket that may not broadcast refuses
    assert_int_equal(hy_robot_search_add(&search, &broadcast), HY_OK);
    assert_true(hy_robot_search_poll(&search, 1000));
    assert_int_equal(search.asked, 1);
    assert_true(candidates[0].is_unreachable);
    assert_int_equal(hy_robot_search_due_us(&search), 1000 + HY_ROBOT_ANSWER_US);
    assert_true(hy_robot_search_poll(&search, HY_ROBOT_ANSWER_US + 999));
    assert_false(hy_robot_search_poll(&search, HY_ROBOT_ANSWER_US + 1000));
    hy_robot_search_close(&search);
}

// --------------------------------------------------------------------------- a closer look, over sockets

static void test_a_board_is_looked_at_over_sockets(void **state)
{
    (void)state;
    board_thread *const board = board_thread_start("127.0.0.1");
    assert_non_null(board);
    const hy_endpoint address = endpoint(board_thread_address(board));
    const hy_robot_check_options options = { .dialect = &hy_dialect_xrp, .duration_us = 500000 };
    hy_robot_checkup *checkup;
    assert_int_equal(hy_robot_checkup_open(&checkup, &address, &options), HY_OK);
    const int64_t start_us = hy_clock_now_us();
    double last = 0.0;
    while (hy_robot_checkup_wait(checkup, hy_clock_now_us() + 50000)) {
        const double share = hy_robot_checkup_progress(checkup);
        assert_true(share >= last && share <= 1.0);
        last = share;
        assert_true(hy_clock_now_us() < start_us + LIMIT_US);
    }
    assert_true(hy_robot_checkup_progress(checkup) == 1.0);
    const hy_robot_report report = hy_robot_checkup_close(checkup);
    assert_int_equal(report.manner, HY_ROBOT_ANSWERS);
    assert_string_equal(hy_robot_manner_text(report.manner), "answers");
    assert_ptr_equal(report.dialect, &hy_dialect_xrp);
    assert_true(report.answers > 0 && report.answers <= report.probes && !report.is_owned);
    assert_int_equal(board_thread_counts(board).commands, 0);
    board_thread_end(board);
}

static void test_manners_have_names(void **state)
{
    (void)state;
    assert_string_equal(hy_robot_manner_text(HY_ROBOT_SILENT), "silent");
    assert_string_equal(hy_robot_manner_text(HY_ROBOT_BORROWED), "borrowed");
    assert_non_null(hy_robot_manner_text((hy_robot_manner)99));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_urls_and_what_they_mean),
        cmocka_unit_test(test_a_status_is_recognised_in_both_dialects),
        cmocka_unit_test(test_a_command_is_no_status),
        cmocka_unit_test(test_networks_as_numbers),
        cmocka_unit_test(test_this_computers_networks),
        cmocka_unit_test(test_a_sweep_asks_everybody_but_the_networks_own),
        cmocka_unit_test(test_a_large_network_is_refused),
        cmocka_unit_test(test_boards_are_found_among_the_silent_and_the_strange),
        cmocka_unit_test(test_a_sweep_over_sockets),
        cmocka_unit_test(test_a_place_without_a_way_is_told),
        cmocka_unit_test(test_a_board_is_looked_at_over_sockets),
        cmocka_unit_test(test_manners_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
