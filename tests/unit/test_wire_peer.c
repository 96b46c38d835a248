// The client's side of a link: where commands go, which statuses are new, restarts, silence.
#include "cmocka_all.h"

#include <halyard/wire.h>

#define SILENCE_US 2000000
#define PERIOD_US  50000

static const hy_endpoint ipv4 = { .ip = { HY_IPV4_PREFIX, 10, 0, 0, 1 }, .port = 3540 };
static const hy_endpoint ipv6 = { .ip = { [15] = 1 }, .port = 3540 };
static const hy_endpoint moved = { .ip = { HY_IPV4_PREFIX, 10, 0, 0, 2 }, .port = 3540 };

static hy_peer peer_at(const hy_endpoint *addresses, size_t count)
{
    hy_peer peer;
    hy_peer_init(&peer, &hy_dialect_xrp, SILENCE_US);
    hy_peer_set_addresses(&peer, addresses, count);
    return peer;
}

static size_t places(const hy_peer *peer)
{
    const hy_endpoint *addresses;
    return hy_peer_destinations(peer, &addresses);
}

// A status numbered `seq` comes.
static unsigned status(hy_peer *peer, const hy_endpoint *from, uint16_t seq, int64_t at_us)
{
    uint8_t bytes[HY_WIRE_STATUS_MAX];
    const hy_wire_status sent = { .seq = seq, .dios = 1, .dio_levels = 1 };
    const size_t size = hy_xrp_status_encode(&sent, (hy_room){ bytes, sizeof bytes });
    hy_wire_status got;
    const unsigned news = hy_peer_take(peer, from, (hy_bytes){ bytes, size }, at_us, &got);
    if (news != 0) {
        assert_int_equal(got.seq, seq);
        assert_int_equal(got.dio_levels, 1);
    }
    return news;
}

// --------------------------------------------------------------------------- addresses

static void a_fresh_one_is_nowhere(void **state)
{
    (void)state;
    hy_peer peer = peer_at(&ipv4, 0);
    assert_int_equal(places(&peer), 0);
    assert_false(hy_peer_is_up(&peer, 0));
    assert_false(hy_peer_watch(&peer, SILENCE_US));
    assert_false(hy_commander_is_enabled(&peer.commander));
    assert_int_equal(status(&peer, &ipv4, 1, 0), 0);
    hy_wire_datagram out[2];
    assert_int_equal(hy_commander_write(&peer.commander, 0, out), 1);
    assert_int_equal(out[0].size, 3 + 4 * 7); // a stop for the motors of an XRP
}

static void commands_go_to_all_until_one_answers(void **state)
{
    (void)state;
    hy_peer peer = peer_at((hy_endpoint[]){ ipv4, ipv6 }, 2);
    assert_int_equal(places(&peer), 2);
    assert_int_equal(status(&peer, &moved, 1, 0), 0); // a stranger
    hy_peer_set_addresses(&peer, &ipv4, 1);
    assert_int_equal(status(&peer, &ipv6, 1, 0), 0); // no longer one of them
    hy_peer_set_addresses(&peer, (hy_endpoint[]){ ipv4, ipv6 }, 2);
    assert_int_equal(status(&peer, &ipv6, 1, 0), HY_PEER_STATUS | HY_PEER_ANSWERS);
    assert_int_equal(status(&peer, &ipv6, 2, 1), HY_PEER_STATUS);
    assert_int_equal(places(&peer), 1);
    assert_int_equal(status(&peer, &ipv4, 3, 2), 0); // now that one is a stranger
}

static void a_robot_that_answers_stays(void **state)
{
    (void)state;
    hy_peer peer = peer_at(&ipv4, 1);
    status(&peer, &ipv4, 1, 0);
    hy_peer_set_addresses(&peer, &moved, 1);
    assert_int_equal(status(&peer, &moved, 2, 1), 0);
    assert_int_equal(status(&peer, &ipv4, 2, 1), HY_PEER_STATUS);
}

static void silence_opens_all_ways_again(void **state)
{
    (void)state;
    hy_peer peer = peer_at(&ipv4, 1);
    status(&peer, &ipv4, 1, 0);
    hy_peer_set_addresses(&peer, &moved, 1);
    assert_true(hy_peer_is_up(&peer, SILENCE_US - 1));
    assert_false(hy_peer_watch(&peer, SILENCE_US - 1));
    assert_false(hy_peer_is_up(&peer, SILENCE_US));
    assert_true(hy_peer_watch(&peer, SILENCE_US));
    assert_false(hy_peer_watch(&peer, SILENCE_US)); // said once
    assert_int_equal(status(&peer, &ipv4, 2, SILENCE_US), 0);
    assert_int_equal(status(&peer, &moved, 2, SILENCE_US + 1), HY_PEER_STATUS | HY_PEER_ANSWERS);
    assert_true(hy_peer_is_up(&peer, SILENCE_US + 2));
}

static void more_addresses_than_room(void **state)
{
    (void)state;
    const hy_endpoint many[HY_PEER_ADDRESSES + 2] = { { .port = 1 } };
    const hy_peer peer = peer_at(many, HY_PEER_ADDRESSES + 2);
    assert_int_equal(places(&peer), HY_PEER_ADDRESSES);
}

// --------------------------------------------------------------------------- statuses

static void what_is_not_new_is_counted_and_dropped(void **state)
{
    (void)state;
    hy_peer peer = peer_at(&ipv4, 1);
    status(&peer, &ipv4, 7, 0);
    assert_int_equal(status(&peer, &ipv4, 7, 1), 0);
    assert_int_equal(status(&peer, &ipv4, 6, 2), 0);
    assert_int_equal(peer.rx_sequence, 2);
    assert_int_equal(peer.gate.accepted, 1);
    assert_int_equal(peer.heard_us, 0); // neither is a sign of life
    hy_wire_status got;
    const uint8_t cut[] = { 0, 9, 0, 200, 0x12 };
    assert_int_equal(hy_peer_take(&peer, &ipv4, (hy_bytes){ cut, 2 }, 3, &got), 0);
    assert_int_equal(peer.rx_malformed, 1);
    assert_int_equal(hy_peer_take(&peer, &ipv4, (hy_bytes){ cut, sizeof cut }, 4, &got),
                     HY_PEER_STATUS); // what stood before the cut counts
    assert_int_equal(peer.rx_malformed, 2);
}

// The robot counts on from `reached`, is silent for `pause_us`, then counts from 0 on: the news of its first statuses.
static unsigned news_of_restart(uint16_t reached, int64_t pause_us, unsigned statuses)
{
    hy_peer peer = peer_at(&ipv4, 1);
    int64_t now_us = 0;
    assert_int_equal(status(&peer, &ipv4, reached, now_us), HY_PEER_STATUS | HY_PEER_ANSWERS);
    now_us += pause_us;
    unsigned news = 0;
    for (uint16_t seq = 0; seq < statuses; seq++) {
        news |= status(&peer, &ipv4, seq, now_us);
        now_us += PERIOD_US;
    }
    assert_int_equal(peer.restarts, (news & HY_PEER_RESTARTED) != 0);
    return news;
}

static void a_restart_is_told_wherever_the_count_was(void **state)
{
    (void)state;
    const unsigned both = HY_PEER_STATUS | HY_PEER_RESTARTED;
    assert_int_equal(news_of_restart(1000, HY_SEQ_SILENCE_US, 20), both); // 0 is late: proved by two
    assert_int_equal(news_of_restart(32767, HY_SEQ_SILENCE_US, 20), both);
    assert_int_equal(news_of_restart(40000, HY_SEQ_SILENCE_US, 1), both); // 0 is ahead of it
    assert_int_equal(news_of_restart(65535, HY_SEQ_SILENCE_US, 1), both);
}

static void a_wrap_is_no_restart(void **state)
{
    (void)state;
    assert_int_equal(news_of_restart(65535, PERIOD_US, 20), HY_PEER_STATUS);
    assert_int_equal(news_of_restart(65530, 5 * PERIOD_US, 20), HY_PEER_STATUS); // with losses
}

static void numbers_that_go_on_behind_a_silence_are_no_restart(void **state)
{
    (void)state;
    hy_peer peer = peer_at(&ipv4, 1);
    status(&peer, &ipv4, 100, 0);
    assert_int_equal(status(&peer, &ipv4, 160, 60 * PERIOD_US), HY_PEER_STATUS);
    assert_true(hy_peer_is_up(&peer, 60 * PERIOD_US));
    assert_int_equal(peer.restarts, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fresh_one_is_nowhere),
        cmocka_unit_test(commands_go_to_all_until_one_answers),
        cmocka_unit_test(a_robot_that_answers_stays),
        cmocka_unit_test(silence_opens_all_ways_again),
        cmocka_unit_test(more_addresses_than_room),
        cmocka_unit_test(what_is_not_new_is_counted_and_dropped),
        cmocka_unit_test(a_restart_is_told_wherever_the_count_was),
        cmocka_unit_test(a_wrap_is_no_restart),
        cmocka_unit_test(numbers_that_go_on_behind_a_silence_are_no_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
