// The tests' own bad networks: what they promise, other tests build on.
#include "cmocka_all.h"
#include "lossy.h"
#include "udp_proxy.h"

#include <halyard/link.h>

#include <poll.h>
#include <stdio.h>
#include <string.h>

static lossy_channel air; // large

enum { MANY = 10000 };

static void put_number(lossy_channel *channel, uint32_t number, int64_t now_us)
{
    lossy_put(channel, (hy_bytes){ (const uint8_t *)&number, sizeof number }, now_us);
}

static bool take_number(lossy_channel *channel, int64_t now_us, uint32_t *number)
{
    hy_bytes bytes;
    if (!lossy_take(channel, now_us, &bytes)) {
        return false;
    }
    assert_int_equal(bytes.size, sizeof *number);
    memcpy(number, bytes.data, sizeof *number);
    return true;
}

// --------------------------------------------------------------------------- in memory

static void a_perfect_wire_changes_nothing(void **state)
{
    (void)state;
    lossy_start(&air, 1);
    hy_bytes bytes;
    assert_int_equal(lossy_due_us(&air), INT64_MAX);
    lossy_put(&air, (hy_bytes){ (const uint8_t *)"abc", 3 }, 7);
    lossy_put(&air, (hy_bytes){ NULL, 0 }, 7);
    assert_int_equal(lossy_due_us(&air), 7);
    assert_false(lossy_take(&air, 6, &bytes));
    assert_true(lossy_take(&air, 7, &bytes));
    assert_int_equal(bytes.size, 3);
    assert_memory_equal(bytes.data, "abc", 3);
    assert_true(lossy_take(&air, 7, &bytes));
    assert_int_equal(bytes.size, 0);
    assert_false(lossy_take(&air, 7, &bytes));
}

static void loss_and_duplication_have_their_shares(void **state)
{
    (void)state;
    lossy_start(&air, 2);
    air.options = (lossy_options){ .loss = 0.2, .duplication = 0.1 };
    uint32_t number, taken = 0, next = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        put_number(&air, i, i);
        while (take_number(&air, i, &number)) {
            assert_true(number + 1 == next || number >= next); // the copy, or a later one
            next = number + 1;
            taken++;
        }
    }
    assert_in_range(air.counters.lost, 1800, 2200);
    assert_in_range(air.counters.duplicated, 700, 900);
    assert_int_equal(taken, MANY - air.counters.lost + air.counters.duplicated);
    assert_int_equal(taken, air.counters.taken);
    assert_int_equal(air.counters.overflowed, 0);
}

static void a_delay_delays_and_jitter_keeps_the_order(void **state)
{
    (void)state;
    lossy_start(&air, 3);
    air.options = (lossy_options){ .delay_us = 500, .jitter_us = 1000 };
    uint32_t number, next = 0;
    int64_t longest_us = 0;
    for (uint32_t now = 0; next < MANY; now++) {
        if (now % 10 == 0 && now / 10 < MANY) {
            put_number(&air, now / 10, now);
        }
        while (take_number(&air, now, &number)) {
            const int64_t took_us = (int64_t)now - (int64_t)number * 10;
            assert_int_equal(number, next++);
            assert_in_range(took_us, 500, 1500);
            longest_us = took_us > longest_us ? took_us : longest_us;
        }
    }
    assert_true(longest_us > 1400);
}

static void held_datagrams_are_overtaken(void **state)
{
    (void)state;
    lossy_start(&air, 4);
    air.options = (lossy_options){ .reordering = 0.1, .hold_us = 25 };
    uint32_t number, highest = 0, late = 0, taken = 0;
    for (uint32_t now = 0; taken < MANY; now++) {
        if (now % 10 == 0 && now / 10 < MANY) {
            put_number(&air, now / 10, now);
        }
        while (take_number(&air, now, &number)) {
            late += number < highest ? 1 : 0;
            highest = number > highest ? number : highest;
            taken++;
        }
    }
    assert_in_range(air.counters.reordered, 900, 1100);
    assert_in_range(late, 800, air.counters.reordered); // two held in a row keep their order
}

static void a_stall_holds_everything_and_lets_it_go_at_once(void **state)
{
    (void)state;
    lossy_start(&air, 5);
    uint32_t number;
    air.options.stalled = true;
    for (uint32_t i = 0; i < 10; i++) {
        put_number(&air, i, i);
    }
    assert_int_equal(lossy_due_us(&air), INT64_MAX);
    assert_false(take_number(&air, 1000, &number));
    air.options.stalled = false;
    for (uint32_t i = 0; i < 10; i++) {
        assert_true(take_number(&air, 1000, &number));
        assert_int_equal(number, i);
    }
}

static void a_full_channel_and_a_long_datagram_are_counted(void **state)
{
    (void)state;
    static const uint8_t long_one[LOSSY_DATAGRAM_MAX + 1];
    lossy_start(&air, 6);
    lossy_put(&air, (hy_bytes){ long_one, sizeof long_one }, 0);
    assert_int_equal(air.counters.overflowed, 1);
    for (uint32_t i = 0; i < LOSSY_CAPACITY + 5; i++) {
        put_number(&air, i, 0);
    }
    assert_int_equal(air.counters.overflowed, 6);
}

static void the_same_seed_loses_the_same(void **state)
{
    (void)state;
    hy_hash hashes[2];
    for (size_t run = 0; run < 2; run++) {
        lossy_start(&air, 42);
        air.options = (lossy_options){
            .loss = 0.2, .duplication = 0.2, .reordering = 0.2, .hold_us = 50, .jitter_us = 30
        };
        hashes[run] = hy_hash_start();
        uint32_t number;
        for (uint32_t now = 0; now < MANY; now++) {
            put_number(&air, now, now);
            while (take_number(&air, now, &number)) {
                hy_hash_u64(&hashes[run], number);
            }
        }
    }
    assert_int_equal(hashes[0].value, hashes[1].value);
}

// --------------------------------------------------------------------------- over real sockets

static hy_link robot, client;

/// Waits for one datagram and checks that it is `number`; false if none comes within `wait_ms`.
static bool receive_number(hy_link *link, uint32_t number, int wait_ms, hy_endpoint *from)
{
    hy_datagram got[1];
    struct pollfd watched = { .fd = (int)hy_link_descriptor(link), .events = POLLIN };
    if (poll(&watched, 1, wait_ms) != 1 || hy_link_receive(link, got, 1) != 1) {
        return false;
    }
    assert_int_equal(got[0].bytes.size, sizeof number);
    assert_memory_equal(got[0].bytes.data, &number, sizeof number);
    *from = got[0].peer;
    return true;
}

static void send_number(hy_link *link, const hy_endpoint *to, uint32_t number)
{
    assert_int_equal(hy_link_send(link, to, (hy_bytes){ (const uint8_t *)&number, 4 }), HY_OK);
}

static void proxy_in_family(const char *home_text)
{
    hy_endpoint home, door, back_door = { .port = 0 }, from;
    hy_endpoint_parse(home_text, 0, &home);
    assert_int_equal(hy_link_open(&robot, &home), HY_OK);
    udp_proxy_options options = { .seed = 1 };
    udp_proxy *proxy = udp_proxy_start(&robot.local, &options, &door);
    assert_non_null(proxy);
    assert_int_equal(hy_link_open_to(&client, &door), HY_OK);

    // A perfect wire, both ways.
    for (uint32_t i = 0; i < 100; i++) {
        send_number(&client, &door, i);
        assert_true(receive_number(&robot, i, 2000, &back_door));
        send_number(&robot, &back_door, i + 1000);
        assert_true(receive_number(&client, i + 1000, 2000, &from));
        assert_true(hy_endpoint_equal(&from, &door));
    }
    // Total loss one way, while the other still works.
    options.to_robot.loss = 1.0;
    udp_proxy_change(proxy, &options);
    send_number(&client, &door, 7);
    send_number(&robot, &back_door, 8);
    assert_true(receive_number(&client, 8, 2000, &from));
    assert_false(receive_number(&robot, 7, 50, &from));
    // A stall, and its end.
    options.to_robot = (lossy_options){ .stalled = true };
    udp_proxy_change(proxy, &options);
    send_number(&client, &door, 9);
    send_number(&client, &door, 10);
    assert_false(receive_number(&robot, 9, 50, &from));
    options.to_robot.stalled = false;
    udp_proxy_change(proxy, &options);
    assert_true(receive_number(&robot, 9, 2000, &from));
    assert_true(receive_number(&robot, 10, 2000, &from));
    assert_true(hy_endpoint_equal(&from, &back_door)); // always the same client for the robot

    const udp_proxy_counters counters = udp_proxy_count(proxy);
    assert_int_equal(counters.to_robot.put, 103);
    assert_int_equal(counters.to_robot.lost, 1);
    assert_int_equal(counters.to_robot.taken, 102);
    assert_int_equal(counters.to_client.taken, 101);
    udp_proxy_stop(proxy);
    udp_proxy_stop(NULL);
}

static void a_proxy_over_ipv4(void **state)
{
    (void)state;
    proxy_in_family("127.0.0.1:0");
}

static void a_proxy_over_ipv6(void **state)
{
    (void)state;
    hy_endpoint home;
    hy_endpoint_parse("[::1]:0", 0, &home);
    if (hy_link_open(&robot, &home) != HY_OK) {
        print_message("skipped: this machine has no IPv6\n");
        skip();
    }
    hy_link_close(&robot);
    proxy_in_family("[::1]:0");
}

static void a_proxy_takes_the_delay_it_was_told(void **state)
{
    (void)state;
    hy_endpoint home, door, from;
    hy_endpoint_parse("127.0.0.1:0", 0, &home);
    assert_int_equal(hy_link_open(&robot, &home), HY_OK);
    const udp_proxy_options options = { .to_robot = { .delay_us = 30000 } };
    udp_proxy *proxy = udp_proxy_start(&robot.local, &options, &door);
    assert_non_null(proxy);
    assert_int_equal(hy_link_open_to(&client, &door), HY_OK);
    const int64_t start_us = hy_clock_now_us();
    send_number(&client, &door, 1);
    assert_true(receive_number(&robot, 1, 2000, &from));
    assert_in_range(hy_clock_now_us() - start_us, 30000, 1000000);
    udp_proxy_stop(proxy);
}

static int close_links(void **state)
{
    (void)state;
    hy_link_close(&robot);
    hy_link_close(&client);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_perfect_wire_changes_nothing),
        cmocka_unit_test(loss_and_duplication_have_their_shares),
        cmocka_unit_test(a_delay_delays_and_jitter_keeps_the_order),
        cmocka_unit_test(held_datagrams_are_overtaken),
        cmocka_unit_test(a_stall_holds_everything_and_lets_it_go_at_once),
        cmocka_unit_test(a_full_channel_and_a_long_datagram_are_counted),
        cmocka_unit_test(the_same_seed_loses_the_same),
        cmocka_unit_test_teardown(a_proxy_over_ipv4, close_links),
        cmocka_unit_test_teardown(a_proxy_over_ipv6, close_links),
        cmocka_unit_test_teardown(a_proxy_takes_the_delay_it_was_told, close_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
