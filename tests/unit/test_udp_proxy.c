// The network between two programs that tests put their faults into: what it promises, other tests build on.
#include "cmocka_all.h"
#include "udp_proxy.h"

#include <halyard/link.h>

#include <poll.h>

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
    options.to_robot.loss = 0.0;
    options.is_stalled = true;
    udp_proxy_change(proxy, &options);
    send_number(&client, &door, 9);
    send_number(&client, &door, 10);
    assert_false(receive_number(&robot, 9, 50, &from));
    options.is_stalled = false;
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
        cmocka_unit_test_teardown(a_proxy_over_ipv4, close_links),
        cmocka_unit_test_teardown(a_proxy_over_ipv6, close_links),
        cmocka_unit_test_teardown(a_proxy_takes_the_delay_it_was_told, close_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
