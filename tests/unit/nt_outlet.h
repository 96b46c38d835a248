// Collects what the pure parts of the NetworkTables code send, for tests.
#ifndef NT_OUTLET_H
#define NT_OUTLET_H

#include "cmocka_all.h"

#include "../../src/nt/hub.h"

#include <stdio.h>
#include <string.h>

#define SENT_TEXT_MAX 262144

typedef struct {
    char texts[SENT_TEXT_MAX]; // all texts to all clients: "CLIENT:TEXT\n"
    size_t texts_size;
    struct {
        unsigned client;
        int64_t id, time_us;
        double number;
    } values[4096];
    size_t value_count, frames;
    hy_channel offered[16];
    double offers[16];
    size_t offer_count;
    size_t ignored;      // values of topics that only the owner writes
    const char *refused; // what somebody wanted too much of
    const char *why;     // the last client was disconnected
    bool is_full;        // nothing more is taken
} collected;

static bool collect_message(void *context, unsigned client, hy_bytes message, bool is_binary)
{
    collected *const to = context;
    if (to->is_full) {
        return false;
    }
    if (!is_binary) {
        to->texts_size +=
            (size_t)snprintf(to->texts + to->texts_size, sizeof to->texts - to->texts_size,
                             "%u:%.*s\n", client, (int)message.size, (const char *)message.data);
        assert_true(to->texts_size < sizeof to->texts);
        return true;
    }
    hy_nt4_values frame = { .rest = message };
    to->frames++;
    for (hy_nt4_value value; hy_nt4_next(&frame, &value);) {
        assert_true(to->value_count < sizeof to->values / sizeof to->values[0]);
        to->values[to->value_count].client = client;
        to->values[to->value_count].id = value.id;
        to->values[to->value_count].time_us = value.time_us;
        (void)hy_nt4_value_number(&value, &to->values[to->value_count].number);
        to->value_count++;
    }
    assert_false(frame.is_malformed);
    return true;
}

static void collect_offer(void *context, const nt_topic *topic, const hy_nt4_value *value)
{
    collected *const to = context;
    assert_true(to->offer_count < sizeof to->offers / sizeof to->offers[0]);
    to->offered[to->offer_count] = topic->channel;
    assert_true(hy_nt4_value_number(value, &to->offers[to->offer_count++]));
}

static void collect_ignored(void *context, const nt_topic *topic)
{
    assert_true(topic->is_own && !topic->is_tunable);
    ((collected *)context)->ignored++;
}

static void collect_refused(void *context, const uint8_t ip[16], const char *what)
{
    (void)ip;
    ((collected *)context)->refused = what;
}

static void collect_close(void *context, unsigned client, const char *why)
{
    (void)client;
    ((collected *)context)->why = why;
}

static void forget_collected(collected *self)
{
    self->texts_size = self->value_count = self->frames = self->offer_count = self->ignored = 0;
    self->texts[0] = '\0';
    self->why = self->refused = NULL;
}

static size_t count_text(const collected *self, const char *part)
{
    size_t count = 0;
    for (const char *at = self->texts; (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

// A double as MessagePack, in memory that the next call uses again.
static hy_bytes packed_double(double number)
{
    static uint8_t bytes[16];
    uint8_t value[8];
    memcpy(value, &number, sizeof value); // as channels have it, on a little-endian machine
    return (hy_bytes){ bytes, hy_nt4_pack((hy_room){ bytes, sizeof bytes }, HY_CHANNEL_DOUBLE,
                                          (hy_bytes){ value, sizeof value }) };
}

static hy_bytes text_bytes(const char *text)
{
    return (hy_bytes){ (const uint8_t *)text, strlen(text) };
}

// A frame of one value, in memory that the next call uses again.
static hy_bytes value_frame(int64_t id, int64_t time_us, double number)
{
    static uint8_t bytes[64];
    const hy_nt4_value value = { id, time_us, HY_NT4_DOUBLE, packed_double(number) };
    return (hy_bytes){ bytes, hy_nt4_write((hy_room){ bytes, sizeof bytes }, &value) };
}

#endif
