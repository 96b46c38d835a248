// Links over real sockets of this machine, IPv4 and IPv6: what arrives, what is dropped, and that
// every loss shows in its counter. Ports are chosen by the system.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static hy_link robot, client, stranger;

// --------------------------------------------------------------------------- helpers

static hy_endpoint endpoint_of(const char *text)
{
    hy_endpoint endpoint;
    assert_int_equal(hy_endpoint_parse(text, 0, &endpoint), HY_OK);
    return endpoint;
}

static hy_status open_at(hy_link *link, const char *text)
{
    const hy_endpoint local = endpoint_of(text);
    return hy_link_open(link, &local);
}

/// IPv6 is not everywhere, containers often lack it. The system is asked, and not a link: what is tested does not decide whether it is.
static void skip_without_ipv6(void)
{
    const struct sockaddr_in6 home = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
    const int probe = socket(AF_INET6, SOCK_DGRAM, 0);
    const bool has_ipv6 = probe >= 0 && bind(probe, (const struct sockaddr *)&home, sizeof home) == 0;
    if (probe >= 0) {
        close(probe);
    }
    if (!has_ipv6) {
        print_message("skipped: this machine has no IPv6\n");
        skip();
    }
    assert_int_equal(open_at(&stranger, "[::1]:0"), HY_OK);
    hy_link_close(&stranger);
}

static int close_all(void **state)
{
    (void)state;
    hy_link_close(&robot);
    hy_link_close(&client);
    hy_link_close(&stranger);
    return 0;
}

static void wait_readable(const hy_link *link)
{
    struct pollfd watched = { .fd = (int)hy_link_descriptor(link), .events = POLLIN };
    assert_int_equal(poll(&watched, 1, 30000), 1);
}

/// Receives until `wanted` datagrams are there; fails after 30 s without one.
static size_t receive_all(hy_link *link, hy_datagram *out, size_t wanted)
{
    size_t count = 0;
    while (count < wanted) {
        wait_readable(link);
        count += hy_link_receive(link, out + count, wanted - count);
    }
    return count;
}

static hy_bytes bytes_of(const char *text)
{
    return (hy_bytes){ (const uint8_t *)text, strlen(text) };
}

static void expect_bytes(hy_bytes bytes, const char *text)
{
    assert_int_equal(bytes.size, strlen(text));
    assert_memory_equal(bytes.data, text, bytes.size);
}

// --------------------------------------------------------------------------- there and back

static void speak(const char *robot_address)
{
    hy_datagram got[2];
    const int64_t before_us = hy_clock_now_us();
    assert_int_equal(open_at(&robot, robot_address), HY_OK);
    assert_int_not_equal(robot.local.port, 0);
    assert_int_equal(hy_link_open_to(&client, &robot.local), HY_OK);

    assert_int_equal(hy_link_send(&client, &robot.local, bytes_of("go")), HY_OK);
    receive_all(&robot, got, 1);
    expect_bytes(got[0].bytes, "go");
    assert_int_equal(got[0].peer.port, client.local.port);
    assert_true(got[0].at_us >= before_us && got[0].at_us <= got[0].read_us &&
                got[0].read_us <= hy_clock_now_us());

    assert_int_equal(hy_link_send(&robot, &got[0].peer, bytes_of("I go")), HY_OK);
    receive_all(&client, got, 1);
    expect_bytes(got[0].bytes, "I go");
    assert_true(hy_endpoint_equal(&got[0].peer, &robot.local));
    assert_int_equal(hy_link_receive(&client, got, 2), 0);

    const hy_link_counters expected = {
        .rx_datagrams = 1, .rx_bytes = 2, .tx_datagrams = 1, .tx_bytes = 4
    };
    assert_memory_equal(&robot.counters, &expected, sizeof expected);
}

static void ipv4_there_and_back(void **state)
{
    (void)state;
    speak("127.0.0.1:0");
}

static void ipv6_there_and_back(void **state)
{
    (void)state;
    skip_without_ipv6();
    speak("[::1]:0");
}

static void the_any_address_of_ipv6_serves_both(void **state)
{
    (void)state;
    skip_without_ipv6();
    hy_datagram got[1];
    assert_int_equal(open_at(&robot, "[::]:0"), HY_OK);
    static const char *const homes[] = { "127.0.0.1:0", "[::1]:0" };
    for (size_t i = 0; i < 2; i++) {
        hy_endpoint server = endpoint_of(homes[i]);
        server.port = robot.local.port;
        assert_int_equal(hy_link_open_to(&client, &server), HY_OK);
        assert_int_equal(hy_link_send(&client, &server, bytes_of("hello")), HY_OK);
        receive_all(&robot, got, 1);
        assert_memory_equal(got[0].peer.ip, server.ip, 16); // IPv4 looks the same on both sockets
        assert_int_equal(hy_link_send(&robot, &got[0].peer, bytes_of("welcome")), HY_OK);
        receive_all(&client, got, 1);
        expect_bytes(got[0].bytes, "welcome");
        hy_link_close(&client);
    }
}

#ifdef HALYARD_LINK_STAMPS
/// Whether a datagram that is sent long after the last look, and read long after that, has the time of its arrival. Just after the first socket of a machine has asked
/// for stamps, the system may stamp with the time of the reading.
static bool arrival_is_known(void)
{
    hy_datagram got[1];
    assert_int_equal(hy_link_receive(&robot, got, 1), 0); // nothing waits
    poll(NULL, 0, 20);
    const int64_t before_us = hy_clock_now_us();
    assert_int_equal(hy_link_send(&client, &robot.local, bytes_of("go")), HY_OK);
    const int64_t sent_us = hy_clock_now_us();
    poll(NULL, 0, 20);
    const int64_t late_us = hy_clock_now_us();
    receive_all(&robot, got, 1);
    assert_true(got[0].read_us >= late_us);
    return got[0].at_us >= before_us - 1 && got[0].at_us <= sent_us + 1; // rounded
}

static void a_datagram_has_the_time_of_its_arrival(void **state)
{
    (void)state;
    assert_int_equal(open_at(&robot, "127.0.0.1:0"), HY_OK);
    assert_int_equal(hy_link_open_to(&client, &robot.local), HY_OK);
    assert_true(client.local.port > 1023); // any that is free, not one of the system's
    for (int tries = 0; !arrival_is_known(); tries++) {
        assert_true(tries < 500);
    }
}
#endif

static void an_empty_datagram_is_one(void **state)
{
    (void)state;
    hy_datagram got[1];
    assert_int_equal(open_at(&robot, "127.0.0.1:0"), HY_OK);
    assert_int_equal(open_at(&client, "127.0.0.1:0"), HY_OK);
    assert_int_equal(hy_link_send(&client, &robot.local, (hy_bytes){ NULL, 0 }), HY_OK);
    receive_all(&robot, got, 1);
    assert_int_equal(got[0].bytes.size, 0);
    assert_int_equal(robot.counters.rx_datagrams, 1);
}

// --------------------------------------------------------------------------- batches

/// Sends `count` datagrams of different lengths in one batch, and receives them in order.
static void send_and_check(size_t count)
{
    static uint8_t bytes[200];
    static hy_datagram sent[200], got[HY_LINK_BATCH];
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (uint8_t)i;
        sent[i] = (hy_datagram){ .peer = robot.local, .bytes = { bytes, i + 1 } };
    }
    assert_int_equal(hy_link_send_batch(&client, sent, count), count);
    for (size_t seen = 0; seen < count;) {
        wait_readable(&robot);
        const size_t more = hy_link_receive(&robot, got, HY_LINK_BATCH);
        for (size_t i = 0; i < more; i++, seen++) {
            assert_int_equal(got[i].bytes.size, seen + 1);
            assert_int_equal(got[i].bytes.data[seen], seen);
            assert_true(hy_endpoint_equal(&got[i].peer, &client.local));
        }
    }
    assert_int_equal(hy_link_receive(&robot, got, HY_LINK_BATCH), 0);
}

static void batches_of_every_size_arrive_in_order(void **state)
{
    (void)state;
    uint64_t total = 0;
    assert_int_equal(open_at(&robot, "127.0.0.1:0"), HY_OK);
    assert_int_equal(open_at(&client, "127.0.0.1:0"), HY_OK);
    for (size_t count = 1; count <= 200; count++) {
        send_and_check(count);
        total += count;
    }
    assert_int_equal(client.counters.tx_datagrams, total);
    assert_int_equal(robot.counters.rx_datagrams, total);
    assert_int_equal(robot.counters.rx_bytes, client.counters.tx_bytes);
    assert_int_equal(hy_link_send_batch(&client, NULL, 0), 0);
}

static void a_small_room_leaves_the_rest_waiting(void **state)
{
    (void)state;
    hy_datagram got[3];
    assert_int_equal(open_at(&robot, "127.0.0.1:0"), HY_OK);
    assert_int_equal(open_at(&client, "127.0.0.1:0"), HY_OK);
    static const char *const texts[] = { "a", "b", "c", "d" };
    for (size_t i = 0; i < 4; i++) {
        hy_link_send(&client, &robot.local, bytes_of(texts[i]));
    }
    wait_readable(&robot);
    assert_int_equal(hy_link_receive(&robot, got, 3), 3);
    expect_bytes(got[2].bytes, "c");
    assert_int_equal(hy_link_receive(&robot, got, 3), 1);
    expect_bytes(got[0].bytes, "d");
}

// --------------------------------------------------------------------------- long datagrams, drops

/// Sends and receives `size` bytes of which no two neighbours are the same.
static void send_long(size_t size)
{
    static uint8_t bytes[HY_LINK_DATAGRAM_MAX];
    hy_datagram got[2];
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(i * 7 + size + i / 251);
    }
    assert_int_equal(hy_link_send(&client, &robot.local, (hy_bytes){ bytes, size }), HY_OK);
    wait_readable(&robot);
    assert_int_equal(hy_link_receive(&robot, got, size % 2 + 1), 1); // by either way of receiving
    assert_int_equal(got[0].bytes.size, size);
    assert_memory_equal(got[0].bytes.data, bytes, size);
}

// macOS sends no more than 9216 bytes unless it is told to.
#ifdef __APPLE__
#define LONGEST_BY_IPV4 9216
#define LONGEST_BY_IPV6 9216
#else
#define LONGEST_BY_IPV4 65507
#define LONGEST_BY_IPV6 HY_LINK_DATAGRAM_MAX
#endif

static void the_longest_datagram_of_ipv4_arrives_whole(void **state)
{
    (void)state;
    assert_int_equal(open_at(&robot, "127.0.0.1:0"), HY_OK);
    assert_int_equal(open_at(&client, "127.0.0.1:0"), HY_OK);
    for (size_t size = 2047; size < LONGEST_BY_IPV4; size += 1000) {
        send_long(size);
    }
    send_long(LONGEST_BY_IPV4 - 1);
    send_long(LONGEST_BY_IPV4);
}

static void the_longest_datagram_of_ipv6_arrives_whole(void **state)
{
    (void)state;
    skip_without_ipv6();
    assert_int_equal(open_at(&robot, "[::1]:0"), HY_OK);
    assert_int_equal(open_at(&client, "[::1]:0"), HY_OK);
    send_long(LONGEST_BY_IPV6 - 1);
    send_long(LONGEST_BY_IPV6);
}

static void long_and_short_ones_of_a_batch_do_not_touch(void **state)
{
    (void)state;
    static uint8_t bytes[4][9001];
    static const size_t sizes[4] = { 5, 9001, 130, 9000 };
    hy_datagram sent[4], got[4];
    assert_int_equal(open_at(&robot, "127.0.0.1:0"), HY_OK);
    assert_int_equal(open_at(&client, "127.0.0.1:0"), HY_OK);
    for (size_t i = 0; i < 4; i++) {
        memset(bytes[i], (int)i + 1, sizes[i]);
        sent[i] = (hy_datagram){ .peer = robot.local, .bytes = { bytes[i], sizes[i] } };
    }
    assert_int_equal(hy_link_send_batch(&client, sent, 4), 4);
    wait_readable(&robot);
    assert_int_equal(hy_link_receive(&robot, got, 4), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(got[i].bytes.size, sizes[i]);
        assert_memory_equal(got[i].bytes.data, bytes[i], sizes[i]);
    }
}

static void more_than_udp_can_carry_is_refused(void **state)
{
    (void)state;
    static uint8_t bytes[70000];
    assert_int_equal(open_at(&client, "127.0.0.1:0"), HY_OK);
    assert_int_equal(hy_link_send(&client, &client.local, (hy_bytes){ bytes, sizeof bytes }),
                     HY_ESYSTEM);
    assert_int_equal(client.counters.tx_errors, 1);
    assert_int_equal(client.counters.tx_datagrams, 0);
}

static void only_the_peer_is_heard(void **state)
{
    (void)state;
    hy_datagram got[HY_LINK_BATCH];
    assert_int_equal(open_at(&robot, "127.0.0.1:0"), HY_OK);
    assert_int_equal(open_at(&stranger, "127.0.0.1:0"), HY_OK);
    assert_int_equal(hy_link_open_to(&client, &robot.local), HY_OK);
    hy_endpoint to_client = robot.local;
    to_client.port = client.local.port;
    for (int i = 0; i < 100; i++) {
        hy_link_send(&stranger, &to_client, bytes_of("trust me"));
    }
    hy_link_send(&robot, &to_client, bytes_of("status"));
    wait_readable(&client);
    assert_int_equal(hy_link_receive(&client, got, HY_LINK_BATCH), 1); // past all of them at once
    expect_bytes(got[0].bytes, "status");
    assert_int_equal(hy_link_receive(&client, got, HY_LINK_BATCH), 0);
    assert_int_equal(client.counters.rx_foreign, 100);
    assert_int_equal(client.counters.rx_datagrams, 1);
}

// --------------------------------------------------------------------------- a peer that is not there

static void reopen_robot(const hy_endpoint *at)
{
    // Another program may have been given the port meanwhile; then there is nothing to test.
    if (hy_link_open(&robot, at) != HY_OK) {
        print_message("skipped: the port was taken by somebody else\n");
        skip();
    }
}

/// Opens `client` to a port that was free a moment ago. The system may give the client the very same port: then it would hear itself.
static hy_endpoint open_to_nobody(const char *address)
{
    for (;;) {
        assert_int_equal(open_at(&robot, address), HY_OK);
        const hy_endpoint home = robot.local;
        hy_link_close(&robot);
        assert_int_equal(hy_link_open_to(&client, &home), HY_OK);
        if (client.local.port != home.port) {
            return home;
        }
        hy_link_close(&client);
    }
}

static void a_peer_that_appears_later_is_found(const char *address)
{
    hy_datagram got[HY_LINK_BATCH];
    const hy_endpoint home = open_to_nobody(address);
    for (int i = 0; i < 20; i++) { // one by one, in batches, and with receives between
        const hy_datagram batch[2] = { { .peer = home, .bytes = bytes_of("first") },
                                       { .peer = home, .bytes = bytes_of("second") } };
        assert_int_equal(hy_link_send(&client, &home, bytes_of("anybody?")), HY_OK);
        assert_int_equal(hy_link_send_batch(&client, batch, 2), 2);
        assert_int_equal(hy_link_receive(&client, got, HY_LINK_BATCH), 0);
    }
    assert_int_equal(client.counters.tx_datagrams, 60);
    assert_int_equal(client.counters.tx_unreachable, 0);
#ifdef __linux__
    assert_int_equal(client.counters.rx_errors, 60); // each was answered by "port unreachable"
#endif

    reopen_robot(&home);
    assert_int_equal(hy_link_send(&client, &home, bytes_of("there!")), HY_OK);
    receive_all(&robot, got, 1);
    expect_bytes(got[0].bytes, "there!");
    assert_int_equal(hy_link_send(&robot, &got[0].peer, bytes_of("here")), HY_OK);
    receive_all(&client, got, 1);
    expect_bytes(got[0].bytes, "here");
}

static void a_peer_that_appears_later_is_found_ipv4(void **state)
{
    (void)state;
    a_peer_that_appears_later_is_found("127.0.0.1:0");
}

static void a_peer_that_appears_later_is_found_ipv6(void **state)
{
    (void)state;
    skip_without_ipv6();
    a_peer_that_appears_later_is_found("[::1]:0");
}

static void reports_do_not_keep_a_loop_awake(void **state)
{
    (void)state;
    hy_datagram got[1];
    const hy_endpoint home = open_to_nobody("127.0.0.1:0");
    assert_int_equal(open_at(&stranger, "127.0.0.1:0"), HY_OK);
    // The second datagram meets the report about the first, and the system forgets the error then,
    // but not the report.
    const hy_datagram batch[2] = { { .peer = home, .bytes = bytes_of("anybody?") },
                                   { .peer = stranger.local, .bytes = bytes_of("hello") } };
    for (int i = 0; i < 5; i++) {
        assert_int_equal(hy_link_send_batch(&client, batch, 2), 2);
    }
    assert_int_equal(hy_link_receive(&client, got, 1), 0);
    struct pollfd watched = { .fd = (int)hy_link_descriptor(&client), .events = POLLIN };
    assert_int_equal(poll(&watched, 1, 0), 0);
}

static void a_server_does_not_mind_clients_that_left(void **state)
{
    (void)state;
    hy_datagram got[1];
    assert_int_equal(open_at(&robot, "127.0.0.1:0"), HY_OK);
    assert_int_equal(open_at(&client, "127.0.0.1:0"), HY_OK);
    const hy_endpoint gone = client.local;
    hy_link_close(&client);
    assert_int_equal(open_at(&client, "127.0.0.1:0"), HY_OK);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(hy_link_send(&robot, &gone, bytes_of("status")), HY_OK);
        assert_int_equal(hy_link_send(&robot, &client.local, bytes_of("status")), HY_OK);
        receive_all(&client, got, 1);
    }
    assert_int_equal(hy_link_receive(&robot, got, 1), 0);
    assert_int_equal(robot.counters.rx_errors, 0);
}

// --------------------------------------------------------------------------- refusals

static void a_port_in_use_is_named(void **state)
{
    (void)state;
    assert_int_equal(open_at(&robot, "127.0.0.1:0"), HY_OK);
    assert_int_equal(hy_link_open(&client, &robot.local), HY_EINUSE);
    hy_link_close(&client); // harmless
    hy_link_close(&robot);
    reopen_robot(&robot.local);
}

static void an_address_of_another_machine_is_no_place_to_listen(void **state)
{
    (void)state;
    assert_int_equal(open_at(&robot, "192.0.2.1:0"), HY_EADDRESS);     // RFC 5737: nobody's
    assert_int_equal(open_at(&robot, "[2001:db8::1]:0"), HY_EADDRESS); // RFC 3849: nobody's
}

static void a_peer_needs_a_port(void **state)
{
    (void)state;
    const hy_endpoint peer = endpoint_of("127.0.0.1:0");
    assert_int_equal(hy_link_open_to(&client, &peer), HY_EADDRESS);
    hy_link_close(&client);
}

static void the_wrong_family_is_unreachable(void **state)
{
    (void)state;
    skip_without_ipv6();
    const hy_endpoint four = endpoint_of("127.0.0.1:9"), six = endpoint_of("[::1]:9");
    assert_int_equal(open_at(&robot, "127.0.0.1:0"), HY_OK);
    assert_int_equal(open_at(&client, "[::1]:0"), HY_OK);
    assert_int_equal(hy_link_send(&robot, &six, bytes_of("x")), HY_EUNREACHABLE);
    assert_int_equal(hy_link_send(&client, &four, bytes_of("x")), HY_EUNREACHABLE);
    assert_int_equal(robot.counters.tx_unreachable, 1);
    assert_int_equal(client.counters.tx_unreachable, 1);
}

static void a_refused_datagram_does_not_hold_up_its_batch(void **state)
{
    (void)state;
    hy_datagram got[3];
    const hy_endpoint six = endpoint_of("[::1]:9");
    hy_endpoint no_port = endpoint_of("127.0.0.1:0");
    assert_int_equal(open_at(&robot, "127.0.0.1:0"), HY_OK);
    assert_int_equal(open_at(&client, "127.0.0.1:0"), HY_OK);
    const hy_datagram batch[] = {
        { .peer = six, .bytes = bytes_of("0") },
        { .peer = robot.local, .bytes = bytes_of("1") },
        { .peer = robot.local, .bytes = bytes_of("2") },
        { .peer = no_port, .bytes = bytes_of("3") },
        { .peer = robot.local, .bytes = bytes_of("4") },
        { .peer = six, .bytes = bytes_of("5") },
    };
    assert_int_equal(hy_link_send_batch(&client, batch, 6), 6);
    receive_all(&robot, got, 3);
    assert_int_equal(client.counters.tx_datagrams, 3);
    assert_int_equal(client.counters.tx_unreachable, 2);
    assert_int_equal(client.counters.tx_errors, 1);
}

// Nobody reads: what finds no room is lost, and every loss is counted.
static void what_overflows_is_counted(void **state)
{
    (void)state;
    enum { SENT = 3000 };
    static uint8_t bytes[1000];
    assert_int_equal(open_at(&robot, "127.0.0.1:0"), HY_OK);
    assert_int_equal(hy_link_open_to(&client, &robot.local), HY_OK);
    assert_int_equal(hy_link_overflowed(&robot), 0);
    for (int i = 0; i < SENT; i++) {
        assert_int_equal(hy_link_send(&client, &robot.local, (hy_bytes){ bytes, sizeof bytes }),
                         HY_OK);
    }
    hy_datagram got[HY_LINK_BATCH];
    while (hy_link_receive(&robot, got, HY_LINK_BATCH) > 0) {
    }
    assert_in_range(robot.counters.rx_datagrams, 1, SENT - 1);
#ifdef __linux__
    assert_int_equal(hy_link_overflowed(&robot), SENT - robot.counters.rx_datagrams);
#endif
    hy_link_close(&robot);
    assert_int_equal(hy_link_overflowed(&robot), 0);
}

static void closing_twice_is_harmless(void **state)
{
    (void)state;
    static hy_link never_opened;
    hy_link_close(&never_opened);
    assert_int_equal(open_at(&robot, "127.0.0.1:0"), HY_OK);
    hy_link_close(&robot);
    hy_link_close(&robot);
}

static void the_clock_does_not_step_back(void **state)
{
    (void)state;
    int64_t before_us = hy_clock_now_us();
    for (int i = 0; i < 100000; i++) {
        const int64_t now_us = hy_clock_now_us();
        assert_true(now_us >= before_us);
        before_us = now_us;
    }
}

#define LINK_TEST(function) cmocka_unit_test_teardown(function, close_all)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LINK_TEST(ipv4_there_and_back),
        LINK_TEST(ipv6_there_and_back),
#ifdef HALYARD_LINK_STAMPS
        LINK_TEST(a_datagram_has_the_time_of_its_arrival),
#endif
        LINK_TEST(the_any_address_of_ipv6_serves_both),
        LINK_TEST(an_empty_datagram_is_one),
        LINK_TEST(batches_of_every_size_arrive_in_order),
        LINK_TEST(a_small_room_leaves_the_rest_waiting),
        LINK_TEST(the_longest_datagram_of_ipv4_arrives_whole),
        LINK_TEST(the_longest_datagram_of_ipv6_arrives_whole),
        LINK_TEST(long_and_short_ones_of_a_batch_do_not_touch),
        LINK_TEST(more_than_udp_can_carry_is_refused),
        LINK_TEST(only_the_peer_is_heard),
        LINK_TEST(a_peer_that_appears_later_is_found_ipv4),
        LINK_TEST(a_peer_that_appears_later_is_found_ipv6),
        LINK_TEST(reports_do_not_keep_a_loop_awake),
        LINK_TEST(a_server_does_not_mind_clients_that_left),
        LINK_TEST(a_port_in_use_is_named),
        LINK_TEST(an_address_of_another_machine_is_no_place_to_listen),
        LINK_TEST(a_peer_needs_a_port),
        LINK_TEST(the_wrong_family_is_unreachable),
        LINK_TEST(a_refused_datagram_does_not_hold_up_its_batch),
        LINK_TEST(what_overflows_is_counted),
        LINK_TEST(closing_twice_is_harmless),
        cmocka_unit_test(the_clock_does_not_step_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
