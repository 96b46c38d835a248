#include "uplink.h"

#include "base/base_bytes.h"

#include <stdlib.h>
#include <string.h>

#define CLOCK_EVERY_US 3000000 // between two looks at the server's clock
#define DRIFT_MAX_US   50000   // of values' times from the server's clock
#define BLOCKED_US     100000  // until a server whose queue was full is tried again
#define AHEAD_US       1000000 // a change may come from a clock that is ahead
#define TEXT_FRAME     32768
#define PERIOD_TEXT    "0.02"

typedef struct {
    int64_t remote_id; // by which the server announced a tunable; -1: it has not
    int64_t sent_us;   // time of the last value on the server's clock
    bool is_published, is_subscribed;
    bool is_pending; // the newest value is to be sent
} upload;

struct nt_uplink {
    nt_outlet outlet;
    nt_topics topics;
    upload uploads[NT_TOPICS];
    uint16_t tunables[NT_TOPICS]; // their places, which are few of all
    size_t tunable_count;
    hy_json_reader *reader;
    hy_nt_counters counters;
    bool is_connected, is_open;
    int64_t asked_us, answered_us; // the last look at the clock, and the last answer
    int64_t offset_us;             // of the server's clock from real time
    int64_t shift_us;              // of the server's clock from the channels' time
    int64_t blocked_until_us;
    bool has_unpublished, has_pending;
    size_t frame_size;
    uint8_t frame[NT_MESSAGE_MAX + HY_NT4_HEAD_MAX];
    uint8_t text[TEXT_FRAME];
};

hy_status nt_uplink_create(nt_uplink **out, const nt_outlet *outlet)
{
    *out = NULL;
    nt_uplink *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return HY_EMEMORY;
    }
    self->outlet = *outlet;
    self->reader = hy_json_reader_open(NT_MESSAGE_MAX);
    if (self->reader == NULL) {
        nt_uplink_destroy(self);
        return HY_EMEMORY;
    }
    *out = self;
    return HY_OK;
}

void nt_uplink_destroy(nt_uplink *self)
{
    if (self == NULL) {
        return;
    }
    nt_topics_free(&self->topics);
    hy_json_reader_close(self->reader);
    free(self);
}

bool nt_uplink_is_open(const nt_uplink *self)
{
    return self->is_open;
}

hy_nt_counters nt_uplink_count(const nt_uplink *self)
{
    return self->counters;
}

// --------------------------------------------------------------------------- the server's clock

static bool send_binary(const nt_uplink *self, const uint8_t *bytes, size_t size)
{
    return self->outlet.send(self->outlet.context, 0, (hy_bytes){ bytes, size }, true);
}

// [-1, 0, 2, our time]: the server answers with its own.
static void ask_time(nt_uplink *self, int64_t at_us)
{
    uint8_t packed[9], message[HY_NT4_HEAD_MAX + sizeof packed];
    uint8_t number[8];
    hy_store_le(number, (uint64_t)at_us, sizeof number);
    const size_t size = hy_nt4_pack((hy_room){ packed, sizeof packed }, HY_CHANNEL_INT64,
                                    (hy_bytes){ number, sizeof number });
    const hy_nt4_value question = { -1, 0, HY_NT4_INT, { packed, size } };
    self->asked_us = at_us;
    (void)send_binary(self, message, hy_nt4_write((hy_room){ message, sizeof message }, &question));
}

void nt_uplink_connect(nt_uplink *self, int64_t at_us)
{
    self->is_connected = true;
    ask_time(self, at_us);
}

void nt_uplink_disconnect(nt_uplink *self)
{
    self->is_connected = self->is_open = false;
    self->frame_size = 0;
    self->blocked_until_us = 0;
    for (size_t i = 0; i < self->topics.count; i++) {
        self->uploads[i] = (upload){ .remote_id = -1, .is_pending = self->topics.at[i]->has_value };
    }
    self->has_unpublished = self->has_pending = self->topics.count > 0;
}

// The answer to the last question; everything else is passed over.
static void take_time(nt_uplink *self, const hy_nt4_value *value, int64_t at_us)
{
    double echo;
    if (!hy_nt4_value_number(value, &echo) || echo != (double)self->asked_us ||
        value->time_us < 0 || value->time_us > INT64_MAX / 4) {
        self->counters.ignored++;
        return;
    }
    const int64_t round_trip_us = at_us - self->asked_us;
    self->offset_us = value->time_us + round_trip_us / 2 - at_us;
    self->answered_us = at_us;
    self->is_open = true;
}

// --------------------------------------------------------------------------- texts

static hy_text new_frame(nt_uplink *self)
{
    hy_text frame = hy_text_in((hy_room){ self->text, sizeof self->text - 1 });
    hy_text_put(&frame, "[");
    return frame;
}

static bool send_text(nt_uplink *self, hy_text *frame)
{
    self->text[frame->size] = ']';
    return self->outlet.send(self->outlet.context, 0, (hy_bytes){ frame->bytes, frame->size + 1 },
                             false);
}

static void put_publish(const nt_uplink *self, hy_text *frame, size_t place)
{
    const nt_topic *const topic = self->topics.at[place];
    hy_nt4_put_message(frame, &(hy_nt4_message){ .method = HY_NT4_PUBLISH,
                                                 .name = topic->name,
                                                 .type = topic->type,
                                                 .uid = (int64_t)place,
                                                 .properties_json = topic->properties });
}

static void put_subscribe(const nt_uplink *self, hy_text *frame, size_t place)
{
    hy_text_put_comma(frame, frame->size - 1);
    hy_text_put(frame, "{");
    hy_text_put_key(frame, "method");
    hy_text_put_string(frame, "subscribe");
    hy_text_put_key(frame, "params");
    hy_text_put(frame, "{");
    hy_text_put_key(frame, "subuid");
    hy_text_put_number(frame, (double)place, 0);
    hy_text_put_key(frame, "topics");
    hy_text_put(frame, "[");
    hy_text_put_string(frame, self->topics.at[place]->name);
    hy_text_put(frame, "],\"options\":{\"periodic\":" PERIOD_TEXT "}}}");
}

// Sends a message for each place that `is_due`, as many as fit into a frame. False: more are left, or the queue is full.
static bool send_texts(nt_uplink *self, bool (*is_due)(const nt_uplink *self, size_t place),
                       void (*put)(const nt_uplink *self, hy_text *frame, size_t place),
                       void (*mark)(nt_uplink *self, size_t place))
{
    size_t from = 0, to = 0;
    while (from < self->topics.count) {
        hy_text frame = new_frame(self);
        size_t size = frame.size;
        for (to = from; to < self->topics.count && !frame.is_full; to += frame.is_full ? 0 : 1) {
            if (is_due(self, to)) {
                put(self, &frame, to);
                size = frame.is_full ? size : frame.size;
            }
        }
        frame.size = size;
        if (size > 1 && !send_text(self, &frame)) {
            return false;
        }
        for (size_t i = from; i < to; i++) {
            if (is_due(self, i)) {
                mark(self, i);
            }
        }
        from = to;
    }
    return true;
}

static bool needs_publishing(const nt_uplink *self, size_t place)
{
    return !self->uploads[place].is_published;
}

static void mark_published(nt_uplink *self, size_t place)
{
    self->uploads[place].is_published = true;
}

static bool needs_subscribing(const nt_uplink *self, size_t place)
{
    const upload *const at = &self->uploads[place];
    return self->topics.at[place]->is_tunable && at->is_published && !at->is_pending &&
           !at->is_subscribed;
}

static void mark_subscribed(nt_uplink *self, size_t place)
{
    self->uploads[place].is_subscribed = true;
}

static void take_announcement(nt_uplink *self, const hy_nt4_message *message)
{
    for (size_t i = 0; i < self->tunable_count; i++) {
        const size_t place = self->tunables[i];
        if (strcmp(self->topics.at[place]->name, message->name) == 0) {
            self->uploads[place].remote_id = message->id;
        }
    }
}

void nt_uplink_text(nt_uplink *self, hy_bytes text)
{
    hy_json_items messages = hy_json_items_of(hy_json_parse(self->reader, text));
    self->counters.ignored += messages.at == NULL || messages.has_keys;
    for (hy_nt4_message message; hy_nt4_next_message(&messages, &message);) {
        if (message.method == HY_NT4_ANNOUNCE) {
            take_announcement(self, &message);
        }
    }
}

// --------------------------------------------------------------------------- values in

static size_t find_announced(const nt_uplink *self, int64_t id)
{
    for (size_t i = 0; i < self->tunable_count; i++) {
        if (self->uploads[self->tunables[i]].remote_id == id) {
            return self->tunables[i];
        }
    }
    return NT_TOPICS;
}

static bool is_our_own(const nt_topic *topic, const hy_nt4_value *value)
{
    return topic->has_value && value->value.size == topic->value_size &&
           memcmp(value->value.data, topic->value, topic->value_size) == 0;
}

static void take_value(nt_uplink *self, const hy_nt4_value *value, int64_t at_us)
{
    const size_t place = find_announced(self, value->id);
    if (place == NT_TOPICS || !nt_topic_takes(self->topics.at[place], value)) {
        self->counters.ignored++;
        return;
    }
    if (is_our_own(self->topics.at[place], value)) {
        return;
    }
    // What the owner makes of it has to be newer for the server.
    const int64_t latest_us = at_us + self->offset_us + AHEAD_US;
    upload *const at = &self->uploads[place];
    const int64_t time_us = value->time_us < latest_us ? value->time_us : latest_us;
    at->sent_us = time_us > at->sent_us ? time_us : at->sent_us;
    self->counters.values_in++;
    self->outlet.offer(self->outlet.context, self->topics.at[place], value);
}

bool nt_uplink_binary(nt_uplink *self, hy_bytes frame, int64_t at_us)
{
    hy_nt4_values values = { .rest = frame };
    for (hy_nt4_value value; hy_nt4_next(&values, &value);) {
        if (value.id == -1) {
            take_time(self, &value, at_us);
        } else {
            take_value(self, &value, at_us);
        }
    }
    return !values.is_malformed;
}

// --------------------------------------------------------------------------- values out

static void mark_pending(nt_uplink *self, size_t place)
{
    self->uploads[place].is_pending = true;
    self->has_pending = true;
}

static void send_frame(nt_uplink *self, int64_t at_us)
{
    const size_t size = self->frame_size;
    self->frame_size = 0;
    if (size == 0 || send_binary(self, self->frame, size)) {
        return;
    }
    self->counters.frames_late++; // once there is room again, the newest values follow
    self->blocked_until_us = at_us + BLOCKED_US;
    for (size_t i = 0; i < self->topics.count; i++) {
        if (self->topics.at[i]->has_value) {
            mark_pending(self, i);
        }
    }
}

// Adds the newest value to the frame. False: the frame has no room for it.
static bool write_value(nt_uplink *self, size_t place)
{
    const nt_topic *const topic = self->topics.at[place];
    upload *const at = &self->uploads[place];
    const int64_t wanted_us = topic->value_us + self->shift_us;
    const int64_t time_us = wanted_us > at->sent_us ? wanted_us : at->sent_us + 1;
    const hy_nt4_value value = {
        (int64_t)place, time_us, topic->type_number, { topic->value, topic->value_size }
    };
    const hy_room room = { self->frame + self->frame_size, sizeof self->frame - self->frame_size };
    const size_t size = hy_nt4_write(room, &value);
    if (size > 0) {
        self->frame_size += size;
        self->counters.values_out++;
        at->sent_us = time_us;
        at->is_pending = false;
    }
    return size > 0;
}

size_t nt_uplink_declare(nt_uplink *self, const char *name, const char *type, const nt_own *own)
{
    const size_t place = nt_topics_add(&self->topics, name, type);
    if (place == NT_TOPICS) {
        return place;
    }
    nt_topic *const topic = self->topics.at[place];
    topic->is_own = true;
    topic->is_tunable = own->is_tunable;
    if (own->is_tunable) {
        self->tunables[self->tunable_count++] = (uint16_t)place;
    }
    topic->channel = own->channel;
    if (own->properties.size > 0) {
        (void)nt_topic_set_properties(topic, own->properties);
    }
    self->uploads[place] = (upload){ .remote_id = -1 };
    self->has_unpublished = true;
    return place;
}

void nt_uplink_put(nt_uplink *self, size_t place, int64_t time_us, hy_bytes value)
{
    upload *const at = &self->uploads[place];
    if (!nt_topic_set_value(self->topics.at[place], time_us, value)) {
        return;
    }
    if (!self->is_open || !at->is_published || at->is_pending || self->blocked_until_us > 0 ||
        !write_value(self, place)) {
        mark_pending(self, place);
    }
}

// Values keep their distances, and are never far from the server's clock.
static void follow_clock(nt_uplink *self, int64_t at_us, int64_t newest_us)
{
    const int64_t shift_us = at_us + self->offset_us - newest_us;
    const int64_t drift_us = shift_us - self->shift_us;
    if (drift_us > DRIFT_MAX_US || drift_us < -DRIFT_MAX_US) {
        self->shift_us = shift_us;
    }
}

static void send_pending(nt_uplink *self, int64_t at_us)
{
    self->has_pending = false;
    for (size_t i = 0; i < self->topics.count; i++) {
        if (!self->uploads[i].is_pending || !self->uploads[i].is_published) {
            self->has_pending = self->has_pending || self->uploads[i].is_pending;
            continue;
        }
        if (!write_value(self, i)) {
            send_frame(self, at_us);
            if (self->blocked_until_us > at_us) {
                return; // all are pending again
            }
            (void)write_value(self, i);
        }
    }
    send_frame(self, at_us);
}

void nt_uplink_flush(nt_uplink *self, int64_t at_us, int64_t newest_us)
{
    if (self->is_connected && at_us - self->asked_us >= CLOCK_EVERY_US) {
        ask_time(self, at_us);
    }
    if (!self->is_open || self->blocked_until_us > at_us) {
        return;
    }
    self->blocked_until_us = 0;
    follow_clock(self, at_us, newest_us);
    if (self->has_unpublished) {
        if (!send_texts(self, needs_publishing, put_publish, mark_published)) {
            self->blocked_until_us = at_us + BLOCKED_US;
            return;
        }
        self->has_unpublished = false;
        self->has_pending = true;
    }
    send_frame(self, at_us);
    if (self->has_pending && self->blocked_until_us == 0) {
        send_pending(self, at_us);
        // A tunable's own value goes first: else what the server kept from an earlier run would count as a change.
        const bool all = send_texts(self, needs_subscribing, put_subscribe, mark_subscribed);
        self->has_pending = self->has_pending || !all;
    }
}
