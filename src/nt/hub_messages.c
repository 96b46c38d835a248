// What clients say.
#include "hub_state.h"

#include <string.h>

#define AHEAD_US 1000000 // a client's clock may be ahead of ours

// --------------------------------------------------------------------------- publishing

static void unpublish(nt_hub *self, nt_client *from, int64_t uid)
{
    nt_publisher *const publisher = nt_client_publisher(from, uid);
    if (publisher != NULL) {
        const size_t place = publisher->topic;
        *publisher = from->publishers[--from->publisher_count];
        hub_release(self, place, (unsigned)(from - self->clients));
    }
}

static bool reads_true(const hy_json_value *properties, const char *key)
{
    bool flag;
    return hy_json_flag(hy_json_member(properties, key), &flag) && flag;
}

// A topic with the properties that the publish names; NT_TOPICS: there is no room.
static size_t add_topic(nt_hub *self, const hy_nt4_message *message)
{
    const size_t place = nt_topics_add(&self->topics, message->name, message->type);
    if (place == NT_TOPICS) {
        return place;
    }
    nt_topic *const topic = self->topics.at[place];
    uint8_t json[NT_PROPERTIES_MAX];
    const size_t size = hy_json_copy(message->properties, (hy_room){ json, sizeof json });
    // coverage: what fits is refused only if memory ran out
    if (size > 0 && nt_topic_set_properties(topic, (hy_bytes){ json, size })) {
        topic->is_kept = reads_true(message->properties, "retained") ||
                         reads_true(message->properties, "persistent");
    }
    hub_all_dirty(self);
    return place;
}

static bool is_publishable(const char *name)
{
    return name[0] != '\0' && name[0] != '$' && strlen(name) <= NT_NAME_MAX;
}

// One too many: to its publisher a topic that is not there ends at once.
static void refuse_publish(nt_hub *self, unsigned client, const char *name, bool is_there)
{
    self->counters.ignored++;
    self->outlet.refuse(self->outlet.context, self->clients[client].ip, "topics");
    if (!is_there) {
        hub_send_message(self, client,
                         &(hy_nt4_message){ .method = HY_NT4_UNANNOUNCE, .name = name });
    }
}

static void publish(nt_hub *self, unsigned client, const hy_nt4_message *message)
{
    nt_client *const from = &self->clients[client];
    if (!from->may_write || !is_publishable(message->name) || strlen(message->type) > NT_TYPE_MAX) {
        self->counters.ignored++;
        return;
    }
    unpublish(self, from, message->uid); // the second publish of a number wins
    if (!from->is_there) {
        return; // it did not take the end of the first one's topic
    }
    const bool is_allowed = hub_may_publish(self, client);
    size_t place = nt_topics_find(&self->topics, message->name);
    self->work += (NT_CLIENTS + 2 * self->topics.count) * WORK_EACH;
    if (!is_allowed) {
        refuse_publish(self, client, message->name, place < NT_TOPICS);
        return;
    }
    place = place < NT_TOPICS ? place : add_topic(self, message);
    if (place == NT_TOPICS) { // coverage: without memory
        hub_refuse(self, client, "there is not enough memory");
        return;
    }
    nt_topic *const topic = self->topics.at[place];
    topic->publishers++;
    from->publishers[from->publisher_count++] =
        (nt_publisher){ message->uid, place, strcmp(topic->type, message->type) == 0 };
    hub_announce_to(self, client, place, message->uid);
}

// --------------------------------------------------------------------------- properties

static void put_members(hy_text *out, const hy_json_value *object, const hy_json_value *without)
{
    hy_json_items members = hy_json_items_of(object);
    const char *key;
    const hy_json_value *value;
    while (hy_json_next(&members, &key, &value)) {
        if (hy_json_is_null(value) || hy_json_member(without, key) != NULL) {
            continue;
        }
        hy_text_put_comma(out, out->size - 1);
        hy_text_put_string(out, key);
        hy_text_put(out, ":");
        const size_t size =
            hy_json_copy(value, (hy_room){ out->bytes + out->size, out->room - out->size });
        out->size += size;
        out->is_full = out->is_full || size == 0;
    }
}

// The topic's properties with the update in them. False: they are too long.
static bool update_properties(nt_hub *self, nt_topic *topic, const hy_json_value *update)
{
    uint8_t json[NT_PROPERTIES_MAX];
    const hy_bytes before = { (const uint8_t *)topic->properties, strlen(topic->properties) };
    hy_text out = hy_text_in((hy_room){ json, sizeof json });
    hy_text_put(&out, "{");
    put_members(&out, hy_json_parse(self->property_reader, before), update);
    put_members(&out, update, NULL);
    hy_text_put(&out, "}");
    // coverage: likewise
    if (out.is_full || !nt_topic_set_properties(topic, (hy_bytes){ json, out.size })) {
        return false;
    }
    const hy_json_value *const now =
        hy_json_parse(self->property_reader, (hy_bytes){ json, out.size });
    topic->is_kept = reads_true(now, "retained") || reads_true(now, "persistent");
    return true;
}

static void set_properties(nt_hub *self, unsigned client, const hy_nt4_message *message)
{
    char json[NT_PROPERTIES_MAX + 1];
    const size_t place = nt_topics_find(&self->topics, message->name);
    self->work += self->topics.count * WORK_EACH;
    nt_topic *const topic = place < NT_TOPICS ? self->topics.at[place] : NULL;
    const size_t size =
        hy_json_copy(message->properties, (hy_room){ (uint8_t *)json, sizeof json - 1 });
    if (topic == NULL || topic->is_own || !self->clients[client].may_write || size == 0 ||
        !update_properties(self, topic, message->properties)) {
        self->counters.ignored++;
        return;
    }
    json[size] = '\0';
    topic->publishers++; // for as long as it is looked at
    for (unsigned i = 0; i < NT_CLIENTS; i++) {
        if (self->clients[i].is_there && self->clients[i].views[place].is_announced) {
            hub_send_message(self, i,
                             &(hy_nt4_message){ .method = HY_NT4_PROPERTIES,
                                                .name = message->name,
                                                .ack = i == client,
                                                .properties_json = json });
        }
    }
    hub_release(self, place, NT_CLIENTS); // its properties may have been all that kept it
}

// --------------------------------------------------------------------------- texts

static void take_message(nt_hub *self, unsigned client, const hy_nt4_message *message)
{
    nt_client *const from = &self->clients[client];
    switch (message->method) {
    case HY_NT4_PUBLISH: publish(self, client, message); break;
    case HY_NT4_UNPUBLISH: unpublish(self, from, message->uid); break;
    case HY_NT4_SET_PROPERTIES: set_properties(self, client, message); break;
    case HY_NT4_SUBSCRIBE:
        self->work += NT_TOPICS + from->subscription_count + message->topics.left * WORK_SEND;
        if (!nt_client_subscribe(from, message)) {
            hub_refuse(self, client, "too many subscriptions");
        }
        break;
    case HY_NT4_UNSUBSCRIBE:
        self->work += NT_TOPICS + from->subscription_count;
        nt_client_unsubscribe(from, message->uid);
        break;
    case HY_NT4_ANNOUNCE:
    case HY_NT4_UNANNOUNCE:
    case HY_NT4_PROPERTIES: self->counters.ignored++; break; // a server's
    }
}

// Where the item at `at` of a list ends, by a comma or the list's end that no bracket, brace or string of its own has in it; the text's
// size: nowhere.
static size_t find_end(hy_bytes text, size_t at)
{
    size_t depth = 0;
    bool is_string = false;
    for (; at < text.size; at++) {
        const uint8_t byte = text.data[at];
        if (is_string) {
            at += byte == '\\';
            is_string = byte != '"';
        } else if (depth == 0 && (byte == ',' || byte == ']' || byte == '}')) {
            break;
        } else {
            is_string = byte == '"';
            depth += byte == '[' || byte == '{';
            depth -= byte == ']' || byte == '}';
        }
    }
    return at < text.size ? at : text.size;
}

static size_t skip_blanks(hy_bytes text, size_t at)
{
    while (at < text.size && strchr(" \t\r\n", text.data[at]) != NULL && text.data[at] != '\0') {
        at++;
    }
    return at;
}

// An item of a list, a message. What is none is ignored.
static void take_item(nt_hub *self, unsigned client, hy_bytes item)
{
    const hy_json_value *const value = hy_json_parse(self->reader, item);
    hy_json_items alone = { .at = value, .left = value != NULL };
    hy_nt4_message message;
    self->work += WORK_EACH + item.size / 4; // it is parsed
    if (hy_nt4_next_message(&alone, &message)) {
        take_message(self, client, &message);
    } else {
        self->counters.ignored += skip_blanks(item, 0) < item.size;
    }
}

// What one call does for a client.
static uint64_t begin_share(nt_hub *self)
{
    self->work += WORK_SEND;
    return self->work + NT_SHARE;
}

// Of a message bytes were dealt with; true: all.
static bool end_share(nt_client *from, size_t heard, size_t size)
{
    const bool is_done = !from->is_there || heard >= size;
    from->heard = is_done ? 0 : heard;
    return is_done;
}

bool nt_hub_text(nt_hub *self, unsigned client, hy_bytes text)
{
    nt_client *const from = &self->clients[client];
    const uint64_t until = begin_share(self);
    if (!from->is_there || from->is_clock) {
        return true;
    }
    size_t at = from->heard;
    if (at == 0) {
        at = skip_blanks(text, 0);
        if (at == text.size || text.data[at++] != '[') {
            self->counters.ignored++;
            return true;
        }
    }
    do {
        const size_t end = find_end(text, at);
        take_item(self, client, (hy_bytes){ text.data + at, end - at });
        const bool is_last = end == text.size || text.data[end] != ',';
        self->counters.ignored += end == text.size; // it was cut
        at = is_last ? text.size : end + 1;
    } while (from->is_there && at < text.size && self->work < until);
    return end_share(from, at, text.size);
}

// --------------------------------------------------------------------------- values

static void take_value(nt_hub *self, unsigned client, hy_nt4_value value, int64_t now_us)
{
    const nt_publisher *const publisher = nt_client_publisher(&self->clients[client], value.id);
    self->work += WORK_VALUE + self->clients[client].publisher_count + value.value.size / WORK_BYTES;
    nt_topic *const topic = publisher != NULL ? self->topics.at[publisher->topic] : NULL;
    const bool is_default = value.time_us == 0 && topic != NULL && topic->has_value;
    if (topic != NULL && topic->is_tunable && !is_default && nt_topic_takes(topic, &value)) {
        self->counters.values_in++;
        topic->offered_us = value.time_us < now_us + AHEAD_US ? value.time_us : now_us + AHEAD_US;
        self->outlet.offer(self->outlet.context, topic, &value);
        return;
    }
    if (topic != NULL && topic->is_own && !topic->is_tunable && !is_default) {
        self->outlet.ignore(self->outlet.context, topic);
    }
    value.time_us = value.time_us < now_us ? value.time_us : now_us; // no value blocks later ones
    if (topic == NULL || topic->is_own || !publisher->is_type_right || is_default ||
        value.type != topic->type_number || !hy_nt4_value_fits(&value) ||
        !hub_keep_value(self, client, topic, &value)) {
        self->counters.ignored++;
        return;
    }
    self->counters.values_in++;
    hub_distribute(self, publisher->topic, client);
}

// Its clock is compared with ours: the same value, at our time.
static void answer_clock(nt_hub *self, unsigned client, hy_nt4_value value, int64_t now_us)
{
    uint8_t answer[HY_NT4_HEAD_MAX + 16];
    value.time_us = now_us;
    const size_t size = hy_nt4_write((hy_room){ answer, sizeof answer }, &value);
    self->work += WORK_SEND;
    if (size > 0) { // else no number was sent
        (void)self->outlet.send(self->outlet.context, client, (hy_bytes){ answer, size }, true);
    }
}

bool nt_hub_binary(nt_hub *self, unsigned client, hy_bytes frame, int64_t now_us)
{
    nt_client *const from = &self->clients[client];
    const uint64_t until = begin_share(self);
    hy_nt4_values values = { .rest = { frame.data + from->heard, frame.size - from->heard } };
    for (hy_nt4_value value; from->is_there && self->work < until && hy_nt4_next(&values, &value);) {
        if (value.id == -1) {
            answer_clock(self, client, value, now_us);
        } else if (!from->is_clock) {
            take_value(self, client, value, now_us);
        }
    }
    if (from->is_there && values.is_malformed) {
        hub_refuse(self, client, "binary decode error: this is no MessagePack of NT4");
    }
    return end_share(from, frame.size - values.rest.size, frame.size);
}
