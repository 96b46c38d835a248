// The NetworkTables server between its clients and the channels, without a network: what is announced to whom, which values are sent and
// when, what clients may do, and limits.
#include "nt_outlet.h"

static collected sent;

static nt_hub *make_hub(void)
{
    const nt_outlet outlet = { &sent,         collect_message, collect_close,
                               collect_offer, collect_ignored, collect_refused };
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
        assert_true(nt_hub_connect(
            hub, client,
            &(nt_peer){ .is_clock = false, .may_write = client == 0 })); // the second one only reads
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
    assert_int_equal(sent.ignored, 1);
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
    assert_true(nt_hub_disconnect(hub, 0)); // as the web server says then
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
    assert_true(nt_hub_disconnect(hub, 0));
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
    assert_true(nt_hub_connect(hub, 2, &(nt_peer){ .is_clock = false, .may_write = true }));
    nt_hub_binary(hub, 2, text_bytes("\x94\xc1"), 1000);
    assert_non_null(strstr(sent.why, "binary decode error"));
    say(hub, 2, PUBLISH("/c", "1")); // it is gone
    assert_int_equal(nt_hub_count(hub).disconnected, 2);
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
        assert_true(nt_hub_connect(hub, client, &(nt_peer){ .is_clock = false, .may_write = false }));
    }
    say(hub, NT_CLIENTS - 1, SUBSCRIBE("/b", ""));
    nt_hub_flush(hub, 1000);
    assert_int_equal(sent.value_count, 1);
    assert_int_equal(sent.values[0].client, NT_CLIENTS - 1);
    assert_int_equal(nt_hub_count(hub).clients, NT_CLIENTS);
    nt_hub_destroy(hub);
}

// --------------------------------------------------------------------------- what is refused

/// How many messages of `text` are counted as not allowed.
static uint64_t ignored_of(nt_hub *hub, unsigned client, const char *text)
{
    const uint64_t before = nt_hub_count(hub).ignored;
    say(hub, client, text);
    return nt_hub_count(hub).ignored - before;
}

static void names_and_types_have_bounds(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    static const struct {
        size_t name, type;
        char first;
        uint64_t ignored;
    } rows[] = {
        { NT_NAME_MAX, 6, '/', 0 },
        { NT_NAME_MAX + 1, 6, '/', 1 },
        { 1, NT_TYPE_MAX, 'x', 0 }, // a name needs no slash
        { 2, NT_TYPE_MAX + 1, '/', 1 },
        { 0, 6, '/', 1 },
        { 5, 6, '$', 1 }, // the server's own
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char name[NT_NAME_MAX + 2] = "", type[NT_TYPE_MAX + 2] = "", text[1024];
        memset(name, 'n', rows[i].name);
        name[0] = rows[i].name > 0 ? rows[i].first : '\0';
        memset(type, 't', rows[i].type);
        forget_collected(&sent);
        (void)snprintf(text, sizeof text,
                       "[{\"method\":\"publish\",\"params\":{\"name\":\"%s\",\"type\":\"%s\","
                       "\"pubuid\":%zu,\"properties\":{}}}]",
                       name, type, i);
        if (ignored_of(hub, 0, text) != rows[i].ignored) {
            fail_msg("row %zu", i);
        }
        nt_hub_flush(hub, 1000 + (int64_t)i * 5000);
        assert_int_equal(count_text(&sent, "\"announce\""), 1 - rows[i].ignored);
    }
    nt_hub_destroy(hub);
}

#define FROM_SERVER(method)                                             \
    "[{\"method\":\"" method "\",\"params\":{\"name\":\"/c\",\"id\":1," \
    "\"type\":\"double\",\"update\":{},\"properties\":{}}}]"

static void what_is_no_message_of_a_client_is_ignored(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    static const char *const texts[] = {
        "{\"method\":\"publish\",\"params\":{}}", // no list
        "no JSON",
        FROM_SERVER("announce"),
        FROM_SERVER("unannounce"),
        FROM_SERVER("properties"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (ignored_of(hub, 0, texts[i]) != 1) {
            fail_msg("%s", texts[i]);
        }
    }
    nt_hub_flush(hub, 1000);
    assert_int_equal(sent.texts_size + sent.value_count, 0);
    assert_null(sent.why);
    nt_hub_destroy(hub);
}

// --------------------------------------------------------------------------- properties

#define UPDATE(name, update)                                            \
    "[{\"method\":\"setproperties\",\"params\":{\"name\":\"" name "\"," \
    "\"update\":" update "}}]"

static void properties_are_changed_one_by_one(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    say(hub, 0, PUBLISH("/c", "1"));
    say(hub, 1, SUBSCRIBE("/c", ""));
    nt_hub_flush(hub, 1000);
    forget_collected(&sent);
    assert_int_equal(ignored_of(hub, 0, UPDATE("/c", "{\"a\":1,\"b\":[true],\"c\":\"x\"}")), 0);
    assert_int_equal(ignored_of(hub, 0, UPDATE("/c", "{\"a\":2,\"b\":null}")), 0);
    nt_hub_flush(hub, 6000);
    assert_int_equal(count_text(&sent, "\"update\":{\"a\":2,\"b\":null}"), 2); // to both
    assert_int_equal(count_text(&sent, "\"ack\":true"), 2);                    // to who asked
    forget_collected(&sent);
    assert_true(nt_hub_connect(hub, 2, &(nt_peer){ .is_clock = false, .may_write = false }));
    say(hub, 2, SUBSCRIBE("/c", ""));
    nt_hub_flush(hub, 11000);
    assert_int_equal(count_text(&sent, "\"properties\":{\"c\":\"x\",\"a\":2}"), 1);
    nt_hub_destroy(hub);
}

static void who_may_change_properties(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    say(hub, 0, PUBLISH("/c", "1"));
    say(hub, 1, SUBSCRIBE("", "\"prefix\":true"));
    nt_hub_flush(hub, 1000);
    forget_collected(&sent);
    assert_int_equal(ignored_of(hub, 1, UPDATE("/c", "{\"a\":1}")), 1);   // it may only read
    assert_int_equal(ignored_of(hub, 0, UPDATE("/a/x", "{\"a\":1}")), 1); // the robot's
    assert_int_equal(ignored_of(hub, 0, UPDATE("/nowhere", "{\"a\":1}")), 1);
    char text[NT_PROPERTIES_MAX + 256], longest[NT_PROPERTIES_MAX + 1] = "";
    memset(longest, 'x', NT_PROPERTIES_MAX);
    (void)snprintf(text, sizeof text, UPDATE("/c", "{\"a\":\"%s\"}"), longest);
    assert_int_equal(ignored_of(hub, 0, text), 1);
    longest[NT_PROPERTIES_MAX / 2 + 10] = '\0'; // two of them are too long together
    (void)snprintf(text, sizeof text, UPDATE("/c", "{\"a\":\"%s\"}"), longest);
    assert_int_equal(ignored_of(hub, 0, text), 0);
    (void)snprintf(text, sizeof text, UPDATE("/c", "{\"b\":\"%s\"}"), longest);
    assert_int_equal(ignored_of(hub, 0, text), 1);
    (void)snprintf(text, sizeof text, UPDATE("/c", "{\"%s\":1}"), longest); // a key as long
    assert_int_equal(ignored_of(hub, 0, text), 1);
    (void)snprintf(text, sizeof text, UPDATE("/c", "{\"b\":\"%s\",\"a\":null}"), longest);
    assert_int_equal(ignored_of(hub, 0, text), 0);
    nt_hub_flush(hub, 6000);
    assert_int_equal(count_text(&sent, "\"method\":\"properties\""), 2 + 2);
    nt_hub_destroy(hub);
}

static void a_topic_is_kept_for_as_long_as_it_is_retained(void **state)
{
    (void)state;
    static const char *const words[] = { "retained", "persistent" };
    for (size_t i = 0; i < 2; i++) {
        char text[256];
        nt_hub *const hub = make_hub();
        say(hub, 1, SUBSCRIBE("/c", "\"prefix\":true"));
        (void)snprintf(text, sizeof text,
                       "[{\"method\":\"publish\",\"params\":{\"name\":\"/c/1\",\"type\":\"double\","
                       "\"pubuid\":1,\"properties\":{\"%s\":true}}}]",
                       words[i]);
        say(hub, 0, text);
        say(hub, 0, PUBLISH("/c/2", "2"));
        (void)snprintf(text, sizeof text, UPDATE("/c/2", "{\"%s\":true}"), words[i]);
        say(hub, 0, text);
        assert_true(nt_hub_disconnect(hub, 0));
        nt_hub_flush(hub, 1000);
        assert_int_equal(count_text(&sent, "\"unannounce\""), 0);
        assert_true(nt_hub_connect(hub, 0, &(nt_peer){ .is_clock = false, .may_write = true }));
        (void)snprintf(text, sizeof text, UPDATE("/c/1", "{\"%s\":false}"), words[i]);
        say(hub, 0, text);
        (void)snprintf(text, sizeof text, UPDATE("/c/2", "{\"%s\":null}"), words[i]);
        say(hub, 0, text);
        nt_hub_flush(hub, 6000);
        assert_int_equal(count_text(&sent, "\"unannounce\""), 2);
        nt_hub_destroy(hub);
    }
}

// --------------------------------------------------------------------------- values of clients

static uint64_t ignored_value(nt_hub *hub, unsigned client, hy_bytes frame, int64_t now_us)
{
    const uint64_t before = nt_hub_count(hub).ignored;
    nt_hub_binary(hub, client, frame, now_us);
    return nt_hub_count(hub).ignored - before;
}

static void which_values_are_taken(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    say(hub, 0, PUBLISH("/c", "1"));
    say(hub, 0,
        "[{\"method\":\"publish\",\"params\":{\"name\":\"/c\",\"type\":\"int\",\"pubuid\":2}}]");
    say(hub, 1, SUBSCRIBE("/c", "\"all\":true"));
    nt_hub_flush(hub, 1000);
    forget_collected(&sent);
    assert_int_equal(ignored_value(hub, 0, value_frame(1, 0, 1.0), 1000),
                     0); // a default: nothing was there
    assert_int_equal(ignored_value(hub, 0, value_frame(1, 500, 2.0), 1000), 0);
    assert_int_equal(ignored_value(hub, 0, value_frame(1, 0, 3.0), 1000), 1);   // a default
    assert_int_equal(ignored_value(hub, 0, value_frame(2, 600, 4.0), 1000), 1); // of another type
    assert_int_equal(ignored_value(hub, 1, value_frame(1, 600, 5.0), 1000),
                     1); // it has published nothing
    assert_int_equal(ignored_value(hub, 0, value_frame(1, 1000000, 6.0), 1000),
                     0); // of the future: of now
    assert_int_equal(ignored_value(hub, 0, value_frame(1, 1001, 7.0), 1001), 0);
    uint8_t bytes[64];
    const hy_nt4_value whole = { 1, 2000, HY_NT4_INT, packed_double(1.0) };
    assert_int_equal(
        ignored_value(hub, 0,
                      (hy_bytes){ bytes, hy_nt4_write((hy_room){ bytes, sizeof bytes }, &whole) },
                      3000),
        1); // says that it is whole
    nt_hub_flush(hub, 6000);
    assert_int_equal(sent.value_count, 4);
    assert_int_equal(sent.values[2].time_us, 1000);
    assert_true(sent.values[3].number == 7.0);
    nt_hub_binary(hub, 5, value_frame(1, 2000, 9.0), 3000); // nobody is there
    assert_null(sent.why);
    say(hub, 0, PUBLISH("/b", "3"));                                          // ours
    assert_int_equal(ignored_value(hub, 0, value_frame(3, 0, 1.0), 3000), 1); // a default
    assert_int_equal(sent.ignored, 0);
    assert_int_equal(ignored_value(hub, 0, value_frame(3, 3000, 1.0), 3000), 1);
    assert_int_equal(sent.ignored, 1);
    nt_hub_destroy(hub);
}

// A second connection of a client only compares clocks.
static void a_clock_is_answered_and_nothing_else(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    assert_true(nt_hub_connect(hub, 2, &(nt_peer){ .is_clock = true, .may_write = true }));
    say(hub, 2, SUBSCRIBE("", "\"prefix\":true"));
    say(hub, 2, PUBLISH("/a/kP", "1"));
    nt_hub_binary(hub, 2, value_frame(1, 5000, 9.0), 7000);
    nt_hub_flush(hub, 8000);
    assert_int_equal(sent.texts_size + sent.value_count + sent.offer_count, 0);
    nt_hub_binary(hub, 2, value_frame(-1, 0, 4.5), 9000);
    assert_int_equal(sent.value_count, 1);
    assert_int_equal(sent.values[0].client, 2);
    assert_int_equal(sent.values[0].id, -1);
    assert_int_equal(sent.values[0].time_us, 9000);
    assert_true(sent.values[0].number == 4.5);
    const hy_nt4_value text = {
        -1, 0, HY_NT4_STRING, text_bytes("\xd9\x30no clock's value, which is a number, but a text.")
    };
    uint8_t bytes[128];
    nt_hub_binary(hub, 2,
                  (hy_bytes){ bytes, hy_nt4_write((hy_room){ bytes, sizeof bytes }, &text) }, 9500);
    assert_int_equal(sent.frames, 1);
    assert_null(sent.why);
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
        cmocka_unit_test(names_and_types_have_bounds),
        cmocka_unit_test(what_is_no_message_of_a_client_is_ignored),
        cmocka_unit_test(properties_are_changed_one_by_one),
        cmocka_unit_test(who_may_change_properties),
        cmocka_unit_test(a_topic_is_kept_for_as_long_as_it_is_retained),
        cmocka_unit_test(which_values_are_taken),
        cmocka_unit_test(a_clock_is_answered_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
