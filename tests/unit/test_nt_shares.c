// What one client of the NetworkTables server may take from the others: how much is done for it at a time, counted in the hub's own units of
// work, and how many topics and bytes are its own. No clock is asked.
#include "cmocka_all.h"

#include "../../src/nt/hub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What one step may exceed a share by: a message is copied, a new topic is looked for among all and told to everybody.
#define STEP (NT_SHARE + NT_MESSAGE_MAX / 16 + 10 * NT_TOPICS + 400 * NT_CLIENTS)

static struct {
    size_t messages[NT_CLIENTS], values, announced, unannounced;
    size_t closed, refused;
    char last[NT_CLIENTS][4096];
} seen;

static size_t count(const char *text, size_t size, const char *part)
{
    size_t found = 0;
    for (size_t at = 0; at + strlen(part) <= size; at++) {
        found += text[at] == part[0] && memcmp(text + at, part, strlen(part)) == 0;
    }
    return found;
}

static bool take_message(void *context, unsigned client, hy_bytes message, bool is_binary)
{
    (void)context;
    seen.messages[client]++;
    if (!is_binary) {
        seen.announced += count((const char *)message.data, message.size, "\"announce\"");
        seen.unannounced += count((const char *)message.data, message.size, "\"unannounce\"");
        (void)snprintf(seen.last[client], sizeof seen.last[client], "%.*s", (int)message.size,
                       (const char *)message.data);
    }
    hy_nt4_values frame = { .rest = message };
    for (hy_nt4_value value; is_binary && hy_nt4_next(&frame, &value);) {
        seen.values++;
    }
    return true;
}

static void take_close(void *context, unsigned client, const char *why)
{
    (void)context;
    (void)client;
    assert_true(why[0] != '\0');
    seen.closed++;
}

static void take_offer(void *context, const nt_topic *topic, const hy_nt4_value *value)
{
    (void)context;
    (void)topic;
    (void)value;
}

static void take_ignored(void *context, const nt_topic *topic)
{
    (void)context;
    (void)topic;
}

static void take_refused(void *context, const uint8_t ip[16], const char *what)
{
    (void)context;
    assert_int_equal(ip[10], 0xff);
    assert_true(strcmp(what, "topics") == 0 || strcmp(what, "values") == 0);
    seen.refused++;
}

static nt_hub *make_hub(void)
{
    const nt_outlet outlet = { NULL,       take_message, take_close,
                               take_offer, take_ignored, take_refused };
    nt_hub *hub;
    memset(&seen, 0, sizeof seen);
    assert_int_equal(nt_hub_create(&hub, &outlet), HY_OK);
    return hub;
}

// 10.0.0.ADDRESS
static void connect_from(nt_hub *hub, unsigned client, uint8_t address)
{
    assert_true(nt_hub_connect(
        hub, client,
        &(nt_peer){ .ip = { [10] = 0xff, [11] = 0xff, 10, 0, 0, address }, .may_write = true }));
}

static hy_bytes bytes_of(const char *text)
{
    return (hy_bytes){ (const uint8_t *)text, strlen(text) };
}

// Says a text, as often as it takes, each time within a share; how many times that is.
static size_t say(nt_hub *hub, unsigned client, const char *text)
{
    size_t shares = 1;
    for (bool is_done = false; !is_done; shares += !is_done) {
        const uint64_t before = nt_hub_work(hub);
        is_done = nt_hub_text(hub, client, bytes_of(text));
        assert_true(nt_hub_work(hub) - before <= STEP);
    }
    return shares;
}

static size_t send_frame(nt_hub *hub, unsigned client, hy_bytes frame)
{
    size_t shares = 1;
    for (bool is_done = false; !is_done; shares += !is_done) {
        const uint64_t before = nt_hub_work(hub);
        is_done = nt_hub_binary(hub, client, frame, 1000);
        assert_true(nt_hub_work(hub) - before <= STEP);
    }
    return shares;
}

static size_t leave(nt_hub *hub, unsigned client)
{
    size_t shares = 1;
    for (bool is_done = false; !is_done; shares += !is_done) {
        const uint64_t before = nt_hub_work(hub);
        is_done = nt_hub_disconnect(hub, client);
        assert_true(nt_hub_work(hub) - before <= STEP);
    }
    return shares;
}

// A frame of messages of which each has a number; to be freed.
static char *list_of(const char *format, int from, int to)
{
    char *const text = malloc(NT_MESSAGE_MAX), *at = text;
    for (int i = from; i < to; i++) {
        at += snprintf(at, NT_MESSAGE_MAX - (size_t)(at - text), "%c", i == from ? '[' : ',');
        at += snprintf(at, NT_MESSAGE_MAX - (size_t)(at - text), format, i, i);
    }
    (void)snprintf(at, NT_MESSAGE_MAX - (size_t)(at - text), "]");
    assert_true(strlen(text) < NT_MESSAGE_MAX - 1);
    return text;
}

static size_t say_list(nt_hub *hub, unsigned client, const char *format, int from, int to)
{
    char *const text = list_of(format, from, to);
    const size_t shares = say(hub, client, text);
    free(text);
    return shares;
}

#define PUBLISH(name)                                       \
    "{\"method\":\"publish\",\"params\":{\"name\":\"/" name \
    "/%d\",\"type\":\"string\",\"pubuid\":%d,\"properties\":{}}}"
#define RETAIN(name)                                        \
    "{\"method\":\"publish\",\"params\":{\"name\":\"/" name \
    "/%d\",\"type\":\"string\",\"pubuid\":"                 \
    "%d,\"properties\":{\"retained\":true}}}"
#define ALL                                                                               \
    "[{\"method\":\"subscribe\",\"params\":{\"topics\":[\"\"],\"subuid\":1,\"options\":{" \
    "\"prefix\":"                                                                         \
    "true,\"all\":true}}}]"

static void flush_all(nt_hub *hub)
{
    for (int64_t i = 1; i < 2000; i++) {
        const uint64_t before = nt_hub_work(hub);
        nt_hub_flush(hub, i * 1000000);
        if (nt_hub_work(hub) - before < NT_SHARE) {
            return;
        }
    }
    fail_msg("there is no end of it");
}

// --------------------------------------------------------------------------- work

// 52,428 values in a frame: what the hub does at once does not depend on how many there are.
static void a_frame_is_taken_in_shares(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    static const uint8_t clock[] = { 0x94, 0xff, 0x00, 0x02, 0x01 };
    static const uint8_t number[] = { 0x94, 0x01, 0x00, 0x02, 0x01 };
    static uint8_t frame[NT_MESSAGE_MAX];
    const size_t values = sizeof frame / sizeof clock;
    for (unsigned client = 0; client < NT_CLIENTS; client++) {
        connect_from(hub, client, 1);
    }
    for (size_t i = 0; i < values; i++) {
        memcpy(frame + i * sizeof clock, clock, sizeof clock);
    }
    const hy_bytes all = { frame, values * sizeof clock };
    assert_true(send_frame(hub, 0, all) > 100);
    assert_int_equal(seen.messages[0], values); // each was answered, once
    for (size_t i = 0; i < values; i++) {
        memcpy(frame + i * sizeof number, number, sizeof number);
    }
    say_list(hub, 0,
             "{\"method\":\"publish\",\"params\":{\"name\":\"/n\",\"type\":\"int\",\"pubuid\":%d}}",
             1, 2);
    assert_true(send_frame(hub, 0, all) > 100);
    assert_int_equal(nt_hub_count(hub).values_in, 1); // the time 0 is that of a default
    assert_int_equal(nt_hub_count(hub).ignored, values - 1);
    // One that is cut off ends the connection, whatever the share in which it is found.
    assert_int_equal(seen.closed, 0);
    send_frame(hub, 0, (hy_bytes){ frame, all.size - 1 });
    assert_int_equal(seen.closed, 1);
    nt_hub_destroy(hub);
}

// Texts, too, and the end of a connection: its topics are taken back bit by bit, and everybody is told of each once.
static void texts_and_ends_are_taken_in_shares(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    for (unsigned client = 0; client < NT_CLIENTS; client++) {
        connect_from(hub, client, (uint8_t)(client % 4));
        say(hub, client, ALL);
    }
    assert_true(say_list(hub, 0, PUBLISH("a"), 0, 1000) > 100);
    flush_all(hub);
    assert_int_equal(seen.announced, 1000 * NT_CLIENTS);
    assert_true(leave(hub, 0) > 100);
    assert_int_equal(seen.unannounced, 1000 * (NT_CLIENTS - 1));
    assert_int_equal(seen.closed + seen.refused, 0);
    nt_hub_destroy(hub);
}

// Each topic is compared with each of a client's 2,000 patterns: over several flushes, in which others get what is theirs.
static void topics_are_looked_at_in_shares(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    for (unsigned client = 0; client < 3; client++) {
        connect_from(hub, client, (uint8_t)client);
    }
    say_list(hub, 0, PUBLISH("a"), 0, 1000);
    for (int i = 0; i < 1000; i += 500) {
        say_list(
            hub, 1,
            "{\"method\":\"subscribe\",\"params\":{\"topics\":[\"/b/%d\",\"/c\"],\"subuid\":%d}}",
            i, i + 500);
    }
    say(hub, 2, ALL);
    seen.announced = 0;
    for (int64_t i = 1; seen.announced < 1000; i++) {
        const uint64_t before = nt_hub_work(hub);
        assert_true(i < 20); // in turn with client 1, which is not done yet
        nt_hub_flush(hub, i * 5000);
        assert_true(nt_hub_work(hub) - before <= NT_TURN + STEP);
    }
    assert_int_equal(seen.messages[1], 0);
    flush_all(hub);
    assert_int_equal(seen.announced, 1000);
    nt_hub_destroy(hub);
}

// --------------------------------------------------------------------------- topics

static bool is_announced(nt_hub *hub, unsigned client, const char *name)
{
    char text[256];
    (void)snprintf(text, sizeof text,
                   "[{\"method\":\"publish\",\"params\":{\"name\":\"%s\",\"type\":\"string\","
                   "\"pubuid\":5000}}]",
                   name);
    seen.last[client][0] = '\0';
    say(hub, client, text);
    const bool is_there = strstr(seen.last[client], "\"announce\"") != NULL;
    assert_int_equal(strstr(seen.last[client], "\"unannounce\"") != NULL, !is_there);
    assert_non_null(strstr(seen.last[client], name));
    return is_there;
}

// Whatever 30 clients of an address publish, another one can publish 32 topics, also of that address.
static void publishers_do_not_keep_others_from_publishing(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    for (unsigned client = 0; client < 62; client++) {
        connect_from(hub, client, (uint8_t)(client % 2));
        char format[256];
        (void)snprintf(format, sizeof format,
                       "{\"method\":\"publish\",\"params\":{\"name\":\"/%u/%%d\",\"type\":\"int\","
                       "\"pubuid\":%%d}}",
                       client);
        say_list(hub, client, format, 0, 1100);
    }
    assert_true(seen.refused > 1000 && seen.closed == 0);
    for (unsigned client = 62; client < 64; client++) {
        seen.refused = 0;
        connect_from(hub, client, client == 62 ? 0 : 9);
        say_list(hub, client, client == 62 ? PUBLISH("in") : PUBLISH("nn"), 0, 32);
        assert_int_equal(seen.refused, 0);
        assert_false(is_announced(hub, client, "/one/more"));
        assert_int_equal(seen.refused, 1);
    }
    // Who takes one back may have another.
    say(hub, 62, "[{\"method\":\"unpublish\",\"params\":{\"pubuid\":0}}]");
    assert_true(is_announced(hub, 62, "/one/more"));
    assert_int_equal(seen.closed, 0);
    nt_hub_destroy(hub);
}

// Of the clients of one address 1,024 beyond the 32 of each; another one has as many.
static void an_address_has_a_share(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    for (unsigned client = 0; client < 3; client++) {
        connect_from(hub, client, client < 2 ? 1 : 2);
    }
    say_list(hub, 0, PUBLISH("a"), 0, 900);
    say_list(hub, 1, PUBLISH("b"), 0, 900);
    assert_int_equal(seen.refused, 900 - (32 + 1024 - (900 - 32)));
    say_list(hub, 2, PUBLISH("c"), 0, NT_PUBLISHERS);
    assert_int_equal(seen.refused, 900 - (32 + 1024 - (900 - 32)));
    assert_false(is_announced(hub, 2, "/more")); // its own limit
    assert_int_equal(seen.closed, 0);
    nt_hub_destroy(hub);
}

// Topics that are retained belong to nobody after their publisher: they make room, those first of which one address left most.
static void retained_topics_make_room(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    connect_from(hub, 5, 9);
    assert_true(is_announced(hub, 5, "/innocent/live"));
    say_list(hub, 5, RETAIN("innocent"), 0, 20);
    leave(hub, 5);
    for (int round = 0; round < 6; round++) {
        char format[256];
        connect_from(hub, 0, 1);
        (void)snprintf(format, sizeof format,
                       "{\"method\":\"publish\",\"params\":{\"name\":\"/%d/%%d\",\"type\":\"int\","
                       "\"pubuid\":%%d,\"properties\":{\"persistent\":true}}}",
                       round);
        say_list(hub, 0, format, 0, NT_PUBLISHERS);
        leave(hub, 0);
    }
    assert_int_equal(seen.refused + seen.closed, 0);
    connect_from(hub, 1, 1); // the same address
    connect_from(hub, 2, 2);
    say_list(hub, 1, PUBLISH("mine"), 0, 500);
    say_list(hub, 2, PUBLISH("yours"), 0, NT_PUBLISHERS);
    assert_int_equal(seen.refused + seen.closed, 0);
    memset(&seen, 0, sizeof seen);
    connect_from(hub, 3, 3);
    say(hub, 3,
        "[{\"method\":\"subscribe\",\"params\":{\"topics\":[\"/innocent/\"],\"subuid\":1,"
        "\"options\":{\"prefix\":true}}}]");
    flush_all(hub);
    assert_int_equal(seen.announced, 20);
    say(hub, 3, ALL);
    flush_all(hub);
    assert_true(seen.announced > 1500 && seen.announced < 20 + 500 + NT_PUBLISHERS + 2049);
    nt_hub_destroy(hub);
}

// The program's own channels have their places, whatever clients publish.
static void our_own_channels_have_room(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    for (unsigned client = 0; client < 4; client++) {
        connect_from(hub, client, (uint8_t)client);
        for (int round = 0; round < 2; round++) {
            char format[256];
            (void)snprintf(format, sizeof format,
                           "{\"method\":\"publish\",\"params\":{\"name\":\"/%u/%d/%%d\",\"type\":"
                           "\"int\",\"pubuid\":%%d,\"properties\":{\"retained\":true}}}",
                           client, round);
            say_list(hub, client, format, 0, NT_PUBLISHERS);
        }
    }
    for (int i = 0; i < HY_CHANNELS_MAX; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "/own/%d", i);
        assert_true(nt_hub_declare(hub, name, "int", &(nt_own){ .channel = 1 }) < NT_TOPICS);
    }
    nt_hub_destroy(hub);
}

// --------------------------------------------------------------------------- bytes

// A string of so many bytes for a publisher; true: it was taken.
static bool put_string(nt_hub *hub, unsigned client, int64_t uid, size_t size)
{
    static uint8_t packed[NT_MESSAGE_MAX], frame[NT_MESSAGE_MAX];
    const uint64_t before = nt_hub_count(hub).values_in;
    packed[0] = 0xdb; // str 32
    for (size_t i = 0; i < 4; i++) {
        packed[1 + i] = (uint8_t)(size >> (24 - 8 * i));
    }
    memset(packed + 5, 'x', size);
    const hy_nt4_value value = { uid, 500, HY_NT4_STRING, { packed, size + 5 } };
    send_frame(hub, client,
               (hy_bytes){ frame, hy_nt4_write((hy_room){ frame, sizeof frame }, &value) });
    return nt_hub_count(hub).values_in > before;
}

static void values_do_not_keep_others_from_theirs(void **state)
{
    (void)state;
    nt_hub *const hub = make_hub();
    const size_t quarter = NT_VALUES_MAX / 4 - 5;
    for (unsigned client = 0; client < 30; client++) {
        connect_from(hub, client, 1);
        char format[256];
        (void)snprintf(
            format, sizeof format,
            "{\"method\":\"publish\",\"params\":{\"name\":\"/%u/%%d\",\"type\":\"string\","
            "\"pubuid\":%%d,\"properties\":{\"retained\":true}}}",
            client);
        say_list(hub, client, format, 0, 32);
        for (int64_t uid = 0; uid < 4; uid++) {
            assert_true(put_string(hub, client, uid, quarter - 40));
        }
        assert_false(put_string(hub, client, 4, 1000));
        assert_true(put_string(hub, client, 0, quarter - 100)); // in the room that it has
    }
    assert_int_equal(seen.refused, 30);
    connect_from(hub, 30, 1);
    assert_true(is_announced(hub, 30, "/mine"));
    assert_true(put_string(hub, 30, 5000, quarter - 40));
    // A topic of two is held by who made its value so large, whoever published it first.
    connect_from(hub, 31, 1);
    assert_true(is_announced(hub, 31, "/mine"));
    assert_true(put_string(hub, 31, 5000, quarter - 30));
    say_list(hub, 30, PUBLISH("more"), 0, 8);
    for (int64_t uid = 0; uid < 4; uid++) {
        assert_true(put_string(hub, 30, uid, quarter - 40));
    }
    assert_false(put_string(hub, 30, 4, 1000));
    // What is left of those that have gone is bounded, too.
    for (unsigned client = 0; client < 31; client++) {
        leave(hub, client);
    }
    memset(&seen, 0, sizeof seen);
    connect_from(hub, 40, 4);
    say(hub, 40,
        "[{\"method\":\"subscribe\",\"params\":{\"topics\":[\"/\"],\"subuid\":1,\"options\":"
        "{\"prefix\":true}}}]");
    flush_all(hub);
    assert_true(seen.values >= 1 && seen.values <= 33); // 8 MiB of a quarter of a MiB each, and "/mine"
    assert_int_equal(seen.closed, 0);
    nt_hub_destroy(hub);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_is_taken_in_shares),
        cmocka_unit_test(texts_and_ends_are_taken_in_shares),
        cmocka_unit_test(topics_are_looked_at_in_shares),
        cmocka_unit_test(publishers_do_not_keep_others_from_publishing),
        cmocka_unit_test(an_address_has_a_share),
        cmocka_unit_test(retained_topics_make_room),
        cmocka_unit_test(our_own_channels_have_room),
        cmocka_unit_test(values_do_not_keep_others_from_theirs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
