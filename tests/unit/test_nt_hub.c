// The NetworkTables server between its clients and the channels, without a network: what is announced to whom, which values are sent and
// when, what clients may do, and limits.
#include "nt_outlet.h"

static collected sent;

static nt_hub *make_hub(void)
{
    const nt_outlet outlet = { &sent, collect_message, collect_close, collect_offer };
    nt_hub *hub;
    forget_collected(&sent);
    sent.is_full = false;
    assert_int_equal(nt_hub_create(&hub, &outlet), HY_OK);
    assert_int_equal(nt_hub_declare(hub, "/a/x", "double", &(nt_own){ .channel = 1 }), 0);
    assert_int_equal(
        nt_hub_declare(hub, "/a/kP", "double", &(nt_own){ .channel = 2, .is_tunable = true }), 1);
    assert_int_equal(nt_hub_declare(hub, "/b", "double", &(nt_own){ .channel = 3 }), 2);
    for (size_t place = 0; place < 3; place++) {
        nt_hub_put(hub, place, 100, packed_double((double)place));
    }
    for (unsigned client = 0; client < 2; client++) {
        assert_true(nt_hub_connect(hub, client, false, client == 0)); // the second one only reads
    }
    return hub;
}

static void say(nt_hub *hub, unsigned client, const char *text)
{
    nt_hub_text(hub, client, text_bytes(text));
}

#define SUBSCRIBE(topic, options)                                 \
    "[{\"method\":\"subscribe\",\"params\":{\"topics\":[\"" topic \
    "\"],\"subuid\":1,\"options\":{" options "}}}]"
#define PUBLISH(name, uid)                                  \
    "[{\"method\":\"publish\",\"params\":{\"name\":\"" name \
    "\",\"type\":\"double\",\"pubuid\":" uid ",\"properties\":{}}}]"

static void only_what_matches_is_announced_and_sent(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    nt_hub_flush(hub, 1000);
    assert_int_equal(sent.texts_size + sent.value_count, 0);
    say(hub, 0, SUBSCRIBE("/a/", "\"prefix\":true"));
    say(hub, 1, SUBSCRIBE("/a", "")); // no prefix: no topic has this name
    nt_hub_flush(hub, 6000);
    assert_int_equal(count_text(&sent, "\"announce\""), 2);
    assert_int_equal(count_text(&sent, "/b"), 0);
    assert_int_equal(sent.value_count, 2); // what is there
    assert_int_equal(sent.values[0].client + sent.values[1].client, 0);
    forget_collected(&sent);
    say(hub, 1, SUBSCRIBE("", "\"prefix\":true,\"topicsonly\":true"));
    nt_hub_flush(hub, 11000);
    assert_int_equal(count_text(&sent, "\"announce\""), 3);
    assert_int_equal(sent.value_count, 0);
    nt_hub_destroy(hub);
}

static void all_values_or_the_newest_of_each_period(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    say(hub, 0, SUBSCRIBE("/a/x", "\"all\":true"));
    say(hub, 1, SUBSCRIBE("/a/x", "\"periodic\":0.1"));
    nt_hub_flush(hub, 1000);
    forget_collected(&sent);
    for (int64_t i = 1; i <= 10; i++) { // 50 ms
        nt_hub_put(hub, 0, 100 + i, packed_double((double)i));
        nt_hub_flush(hub, 1000 + i * 5000);
    }
    assert_int_equal(sent.value_count, 10);
    for (size_t i = 0; i < 10; i++) {
        assert_int_equal(sent.values[i].client, 0);
        assert_true(sent.values[i].number == (double)(i + 1));
    }
    nt_hub_flush(hub, 101000);
    assert_int_equal(sent.value_count, 11);
    assert_int_equal(sent.values[10].client, 1);
    assert_true(sent.values[10].number == 10.0);
    nt_hub_destroy(hub);
}

static void who_may_change_what(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    say(hub, 0, PUBLISH("/a/kP", "1"));
    say(hub, 0, PUBLISH("/a/x", "2"));
    say(hub, 1, PUBLISH("/a/kP", "1")); // it may only read
    nt_hub_binary(hub, 1, value_frame(1, 5000, 9.0), 1000);
    nt_hub_binary(hub, 0, value_frame(2, 5000, 9.0), 1000); // no tunable
    nt_hub_binary(hub, 0, value_frame(7, 5000, 9.0), 1000); // was never published
    nt_hub_binary(hub, 0, value_frame(1, 0, 9.0), 1000);    // a default, and there is a value
    assert_int_equal(sent.offer_count, 0);
    nt_hub_binary(hub, 0, value_frame(1, 5000, 9.0), 1000);
    assert_int_equal(sent.offer_count, 1);
    assert_int_equal(sent.offered[0], 2);
    assert_true(sent.offers[0] == 9.0);
    assert_null(sent.why);
    nt_hub_destroy(hub);
}

// Its first topic ends with that; it does not take the news.
static void a_client_that_publishes_again_and_takes_nothing_is_disconnected(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    say(hub, 0, PUBLISH("/c", "1"));
    sent.is_full = true;
    say(hub, 0, PUBLISH("/d", "1"));
    assert_non_null(sent.why);
    assert_int_equal(nt_hub_count(hub).disconnected, 1);
    sent.is_full = false;
    forget_collected(&sent);
    say(hub, 1, SUBSCRIBE("/", "\"prefix\":true"));
    nt_hub_flush(hub, 1000);
    assert_int_equal(count_text(&sent, "\"/c\"") + count_text(&sent, "\"/d\""), 0);
    nt_hub_destroy(hub);
}

static void a_clients_topic_reaches_others_and_ends_with_it(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    say(hub, 1, SUBSCRIBE("/c", "\"all\":true"));
    say(hub, 0, PUBLISH("/c", "1"));
    nt_hub_flush(hub, 1000);
    assert_int_equal(count_text(&sent, "\"pubuid\":1"), 1); // to its publisher alone
    assert_int_equal(count_text(&sent, "1:["), 1);
    forget_collected(&sent);
    nt_hub_binary(hub, 0, value_frame(1, 500, 4.5), 1000);
    nt_hub_binary(hub, 0, value_frame(1, 400, 3.5), 1000); // older
    nt_hub_flush(hub, 6000);
    assert_int_equal(sent.value_count, 1);
    assert_int_equal(sent.values[0].client, 1);
    assert_true(sent.values[0].number == 4.5);
    nt_hub_disconnect(hub, 0);
    assert_int_equal(count_text(&sent, "\"unannounce\""), 1);
    nt_hub_destroy(hub);
}

static void limits_end_the_connection(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    char text[256];
    for (int i = 0; i <= NT_SUBSCRIPTIONS; i++) {
        assert_null(sent.why);
        (void)snprintf(text, sizeof text,
                       "[{\"method\":\"subscribe\",\"params\":{\"topics\":[],\"subuid\":%d}}]", i);
        say(hub, 1, text);
    }
    assert_string_equal(sent.why, "too many subscriptions");
    forget_collected(&sent);
    for (int i = 0; i <= NT_PUBLISHERS; i++) {
        assert_null(sent.why);
        (void)snprintf(text, sizeof text,
                       "[{\"method\":\"publish\",\"params\":{\"name\":\"/c/%d\",\"type\":\"int\","
                       "\"pubuid\":%d}}]",
                       i, i);
        say(hub, 0, text);
    }
    assert_string_equal(sent.why, "too many topics are published");
    forget_collected(&sent);
    assert_true(nt_hub_connect(hub, 2, false, true));
    nt_hub_binary(hub, 2, text_bytes("\x94\xc1"), 1000);
    assert_non_null(strstr(sent.why, "binary decode error"));
    say(hub, 2, PUBLISH("/c", "1")); // it is gone
    assert_int_equal(nt_hub_count(hub).disconnected, 3);
    nt_hub_destroy(hub);
}

static void a_slow_client_gets_the_newest_values_later(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    say(hub, 0, SUBSCRIBE("/a/x", "\"all\":true"));
    nt_hub_flush(hub, 1000);
    sent.is_full = true;
    for (int64_t i = 1; i <= 10; i++) {
        nt_hub_put(hub, 0, 100 + i, packed_double((double)i));
        nt_hub_flush(hub, 1000 + i * 5000);
    }
    sent.is_full = false;
    forget_collected(&sent);
    nt_hub_flush(hub, 300000);
    assert_int_equal(sent.value_count, 1);
    assert_true(sent.values[0].number == 10.0);
    assert_true(nt_hub_count(hub).frames_late > 0);
    nt_hub_destroy(hub);
}

// Once its queue had been full, a topic that had no value yet was sent to it as a value without content.
static void a_topic_without_a_value_is_sent_to_nobody(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    assert_int_equal(nt_hub_declare(hub, "/a/none", "double", &(nt_own){ .channel = 4 }), 3);
    say(hub, 0, SUBSCRIBE("/a/", "\"prefix\":true,\"all\":true"));
    nt_hub_flush(hub, 1000);
    sent.is_full = true;
    nt_hub_put(hub, 0, 200, packed_double(5.0));
    nt_hub_flush(hub, 6000);
    sent.is_full = false;
    forget_collected(&sent);
    nt_hub_flush(hub, 2000000);
    assert_int_equal(sent.value_count, 2); // /a/x and /a/kP
    nt_hub_destroy(hub);
}

// As many as the web server has, which numbers them.
static void there_is_room_for_every_client(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    for (unsigned client = 2; client < NT_CLIENTS; client++) {
        assert_true(nt_hub_connect(hub, client, false, false));
    }
    say(hub, NT_CLIENTS - 1, SUBSCRIBE("/b", ""));
    nt_hub_flush(hub, 1000);
    assert_int_equal(sent.value_count, 1);
    assert_int_equal(sent.values[0].client, NT_CLIENTS - 1);
    assert_int_equal(nt_hub_count(hub).clients, NT_CLIENTS);
    nt_hub_destroy(hub);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_matches_is_announced_and_sent),
        cmocka_unit_test(all_values_or_the_newest_of_each_period),
        cmocka_unit_test(who_may_change_what),
        cmocka_unit_test(a_client_that_publishes_again_and_takes_nothing_is_disconnected),
        cmocka_unit_test(a_clients_topic_reaches_others_and_ends_with_it),
        cmocka_unit_test(limits_end_the_connection),
        cmocka_unit_test(there_is_room_for_every_client),
        cmocka_unit_test(a_slow_client_gets_the_newest_values_later),
        cmocka_unit_test(a_topic_without_a_value_is_sent_to_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
