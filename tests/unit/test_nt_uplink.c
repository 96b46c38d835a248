// The client of another NetworkTables server, without a network: what it publishes, when, and what it takes.
#include "nt_outlet.h"

#include "../../src/nt/uplink.h"

#include <stdlib.h>

#define SERVER_AHEAD_US 5000000 // of the server's clock before real time

static collected sent;

static nt_uplink *make_uplink(void)
{
    const nt_outlet outlet = { &sent,         collect_message, collect_close,
                               collect_offer, collect_ignored, collect_refused };
    nt_uplink *uplink;
    forget_collected(&sent);
    sent.is_full = false;
    assert_int_equal(nt_uplink_create(&uplink, &outlet), HY_OK);
    const hy_bytes unit = text_bytes("{\"unit\":\"V\"}");
    assert_int_equal(nt_uplink_declare(uplink, "/battery", "double", &(nt_own){ 1, unit, false }), 0);
    assert_int_equal(
        nt_uplink_declare(uplink, "/kP", "double", &(nt_own){ .channel = 2, .is_tunable = true }), 1);
    return uplink;
}

static void connect_at(nt_uplink *uplink, int64_t at_us)
{
    nt_uplink_connect(uplink, at_us);
    uint8_t answer[64];
    uint8_t packed[16], number[8];
    memcpy(number, &at_us, sizeof number);
    const size_t size = hy_nt4_pack((hy_room){ packed, sizeof packed }, HY_CHANNEL_INT64,
                                    (hy_bytes){ number, sizeof number });
    const hy_nt4_value value = { -1, at_us + SERVER_AHEAD_US, HY_NT4_INT, { packed, size } };
    const size_t whole = hy_nt4_write((hy_room){ answer, sizeof answer }, &value);
    assert_true(nt_uplink_binary(uplink, (hy_bytes){ answer, whole }, at_us));
}

static void announce(nt_uplink *uplink)
{
    nt_uplink_text(uplink,
                   text_bytes("[{\"method\":\"announce\",\"params\":{\"name\":\"/kP\",\"id\":9,"
                              "\"type\":\"double\",\"pubuid\":1,\"properties\":{}}}]"));
}

static void nothing_is_published_before_the_servers_time_is_known(void **state)
{
    (void)state;
    nt_uplink *const uplink = make_uplink();
    nt_uplink_put(uplink, 0, 100, packed_double(5.5));
    nt_uplink_connect(uplink, 1000);
    assert_int_equal(sent.value_count, 1); // the question
    assert_int_equal(sent.values[0].id, -1);
    nt_uplink_flush(uplink, 2000, 100);
    assert_true(nt_uplink_binary(uplink, value_frame(-1, 7, 999.0), 2000)); // no answer to it
    assert_false(nt_uplink_is_open(uplink));
    assert_int_equal(sent.value_count, 1);
    assert_int_equal(sent.texts_size, 0);
    nt_uplink_destroy(uplink);
}

static void channels_then_values_then_subscriptions_to_tunables(void **state)
{
    (void)state;
    nt_uplink *const uplink = make_uplink();
    nt_uplink_put(uplink, 0, 100, packed_double(5.5));
    nt_uplink_put(uplink, 1, 100, packed_double(0.2));
    connect_at(uplink, 1000);
    assert_true(nt_uplink_is_open(uplink));
    forget_collected(&sent);
    nt_uplink_flush(uplink, 1000, 100);
    assert_string_equal(
        sent.texts,
        "0:[{\"method\":\"publish\",\"params\":{\"name\":\"/"
        "battery\",\"type\":\"double\",\"pubuid\":0,"
        "\"properties\":{\"unit\":\"V\"}}},{\"method\":\"publish\",\"params\":{\"name\":\"/kP\","
        "\"type\":\"double\",\"pubuid\":1,\"properties\":{}}}]\n"
        "0:[{\"method\":\"subscribe\",\"params\":{\"subuid\":1,\"topics\":[\"/kP\"],\"options\":{"
        "\"periodic\":0.02}}}]\n");
    assert_int_equal(sent.value_count, 2);
    assert_int_equal(sent.values[0].time_us, 1000 + SERVER_AHEAD_US); // the server's clock
    assert_true(sent.values[0].number == 5.5 && sent.values[1].number == 0.2);
    forget_collected(&sent);
    for (int64_t i = 1; i <= 3; i++) { // all values, at their distances, in one frame
        nt_uplink_put(uplink, 0, 100 + i * 10, packed_double((double)i));
    }
    nt_uplink_flush(uplink, 6000, 130);
    assert_int_equal(sent.frames, 1);
    assert_int_equal(sent.value_count, 3);
    assert_int_equal(sent.values[2].time_us - sent.values[1].time_us, 10);
    assert_int_equal(sent.texts_size, 0);
    nt_uplink_destroy(uplink);
}

static void times_follow_the_servers_clock_and_never_go_back(void **state)
{
    (void)state;
    nt_uplink *const uplink = make_uplink();
    connect_at(uplink, 1000);
    int64_t channel_us = 0, before_us = 0;
    for (int64_t at_us = 1000; at_us < 2000000; at_us += 5000) {
        channel_us += 50000; // a simulation at ten times real time
        nt_uplink_put(uplink, 0, channel_us, packed_double(1.0));
        nt_uplink_flush(uplink, at_us, channel_us);
        const int64_t time_us = sent.values[sent.value_count - 1].time_us;
        assert_true(time_us > before_us || sent.value_count == 1);
        assert_true(llabs(time_us - at_us - SERVER_AHEAD_US) <= 100000);
        before_us = time_us;
    }
    nt_uplink_destroy(uplink);
}

static void changes_of_tunables_are_offered_and_nothing_else(void **state)
{
    (void)state;
    nt_uplink *const uplink = make_uplink();
    nt_uplink_put(uplink, 0, 100, packed_double(5.5));
    nt_uplink_put(uplink, 1, 100, packed_double(0.2));
    connect_at(uplink, 1000);
    nt_uplink_flush(uplink, 1000, 100);
    assert_true(nt_uplink_binary(uplink, value_frame(9, 6000000, 7.0), 2000)); // not announced yet
    announce(uplink);
    nt_uplink_text(uplink, text_bytes("[{\"method\":\"announce\",\"params\":{\"name\":\"/battery\","
                                      "\"id\":8,\"type\":\"double\",\"properties\":{}}},3,{}]"));
    nt_uplink_text(uplink, text_bytes("no JSON"));
    assert_true(nt_uplink_binary(uplink, value_frame(8, 6000000, 7.0), 2000)); // no tunable
    assert_true(nt_uplink_binary(uplink, value_frame(9, 6000000, 0.2), 2000)); // it is that already
    assert_int_equal(sent.offer_count, 0);
    assert_true(nt_uplink_binary(uplink, value_frame(9, 6000000, 7.0), 2000));
    assert_int_equal(sent.offer_count, 1);
    assert_int_equal(sent.offered[0], 2);
    assert_true(sent.offers[0] == 7.0);
    forget_collected(&sent);
    nt_uplink_put(uplink, 1, 110, packed_double(2.0)); // what the program takes is newer
    nt_uplink_flush(uplink, 6000, 110);
    assert_int_equal(sent.value_count, 1);
    assert_true(sent.values[0].time_us > 6000000 && sent.values[0].number == 2.0);
    assert_true(nt_uplink_binary(uplink, value_frame(9, INT64_MAX, 3.0), 7000)); // a clock far ahead
    nt_uplink_put(uplink, 1, 120, packed_double(2.0));
    nt_uplink_flush(uplink, 12000, 120);
    assert_true(sent.values[1].time_us < 12000 + SERVER_AHEAD_US + 2000000);
    assert_false(nt_uplink_binary(uplink, text_bytes("\xc1"), 7000));
    nt_uplink_destroy(uplink);
}

static void a_full_queue_is_followed_by_the_newest_values(void **state)
{
    (void)state;
    nt_uplink *const uplink = make_uplink();
    connect_at(uplink, 1000);
    nt_uplink_flush(uplink, 1000, 100);
    nt_uplink_put(uplink, 0, 110, packed_double(1.0));
    sent.is_full = true;
    nt_uplink_flush(uplink, 6000, 110);
    nt_uplink_put(uplink, 0, 120, packed_double(2.0));
    nt_uplink_flush(uplink, 11000, 120);
    sent.is_full = false;
    forget_collected(&sent);
    nt_uplink_put(uplink, 0, 130, packed_double(3.0));
    nt_uplink_flush(uplink, 16000, 130); // it is still given time
    assert_int_equal(sent.value_count, 0);
    nt_uplink_flush(uplink, 120000, 130);
    assert_int_equal(sent.value_count, 1);
    assert_true(sent.values[0].number == 3.0);
    assert_int_equal(nt_uplink_count(uplink).frames_late, 1);
    nt_uplink_destroy(uplink);
}

static void a_new_connection_begins_with_everything(void **state)
{
    (void)state;
    nt_uplink *const uplink = make_uplink();
    connect_at(uplink, 1000);
    nt_uplink_put(uplink, 0, 100, packed_double(1.0));
    nt_uplink_put(uplink, 1, 100, packed_double(1.0));
    nt_uplink_flush(uplink, 1000, 100);
    announce(uplink);
    nt_uplink_disconnect(uplink);
    nt_uplink_put(uplink, 0, 200, packed_double(2.0));
    forget_collected(&sent);
    nt_uplink_flush(uplink, 10000, 200);
    assert_int_equal(sent.texts_size + sent.frames, 0);
    connect_at(uplink, 20000);
    forget_collected(&sent);
    nt_uplink_flush(uplink, 20000, 200);
    assert_int_equal(count_text(&sent, "\"publish\""), 2);
    assert_int_equal(count_text(&sent, "\"subscribe\""), 1);
    assert_int_equal(sent.value_count, 2);
    assert_true(sent.values[0].number == 2.0);
    assert_true(nt_uplink_binary(uplink, value_frame(9, 6000000, 7.0), 2000)); // the old server's number
    assert_int_equal(sent.offer_count, 0);
    nt_uplink_destroy(uplink);
}

static void many_channels_take_several_frames(void **state)
{
    (void)state;
    nt_uplink *const uplink = make_uplink();
    for (size_t i = 2; i < 1000; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "/a/name/of/some/length/%zu", i);
        assert_int_equal(nt_uplink_declare(uplink, name, "double",
                                           &(nt_own){ .channel = (hy_channel)i, .is_tunable = true }),
                         i);
        nt_uplink_put(uplink, i, 100, packed_double(1.0));
    }
    connect_at(uplink, 1000);
    forget_collected(&sent);
    nt_uplink_flush(uplink, 1000, 100);
    assert_int_equal(count_text(&sent, "\"publish\""), 1000);
    assert_int_equal(count_text(&sent, "\"subscribe\""), 999);
    assert_true(count_text(&sent, "0:[") >= 4);
    assert_int_equal(count_text(&sent, "0:["), count_text(&sent, "}}]\n"));
    assert_int_equal(sent.value_count, 998);
    nt_uplink_destroy(uplink);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_published_before_the_servers_time_is_known),
        cmocka_unit_test(channels_then_values_then_subscriptions_to_tunables),
        cmocka_unit_test(times_follow_the_servers_clock_and_never_go_back),
        cmocka_unit_test(changes_of_tunables_are_offered_and_nothing_else),
        cmocka_unit_test(a_full_queue_is_followed_by_the_newest_values),
        cmocka_unit_test(a_new_connection_begins_with_everything),
        cmocka_unit_test(many_channels_take_several_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
