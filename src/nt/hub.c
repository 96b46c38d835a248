#include "hub_state.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKED_US      100000 // until a client whose queue was full is tried again
#define PROPERTIES_ROOM 4096   // of a reader of properties

hy_status nt_hub_create(nt_hub **out, const nt_outlet *outlet)
{
    *out = NULL;
    nt_hub *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return HY_EMEMORY;
    }
    self->outlet = *outlet;
    self->reader = hy_json_reader_open(NT_MESSAGE_MAX);
    self->property_reader = hy_json_reader_open(PROPERTIES_ROOM);
    if (self->reader == NULL || self->property_reader == NULL) {
        nt_hub_destroy(self);
        return HY_EMEMORY;
    }
    *out = self;
    return HY_OK;
}

void nt_hub_clear(nt_hub *self)
{
    for (unsigned i = 0; i < NT_CLIENTS; i++) {
        nt_client_close(&self->clients[i]);
    }
    nt_topics_free(&self->topics);
    const nt_hub kept = { .outlet = self->outlet,
                          .reader = self->reader,
                          .property_reader = self->property_reader };
    *self = kept;
}

void nt_hub_destroy(nt_hub *self)
{
    if (self == NULL) {
        return;
    }
    nt_hub_clear(self);
    hy_json_reader_close(self->reader);
    hy_json_reader_close(self->property_reader);
    free(self);
}

hy_nt_counters nt_hub_count(const nt_hub *self)
{
    return self->counters;
}

uint64_t nt_hub_work(const nt_hub *self)
{
    return self->work;
}

// --------------------------------------------------------------------------- clients

bool nt_hub_connect(nt_hub *self, unsigned client, const nt_peer *peer)
{
    static const uint8_t ipv4[] = { HY_IPV4_PREFIX };
    nt_client *const at = &self->clients[client];
    self->work += WORK_SEND;
    while (!nt_hub_disconnect(self, client)) {
    }
    if (!nt_client_open(at)) {
        return false;
    }
    memcpy(at->ip, peer->ip, memcmp(peer->ip, ipv4, sizeof ipv4) == 0 ? 16 : 8);
    at->is_clock = peer->is_clock;
    at->may_write = peer->may_write;
    self->counters.clients++;
    return true;
}

bool nt_hub_disconnect(nt_hub *self, unsigned client)
{
    nt_client *const gone = &self->clients[client];
    const uint64_t until = self->work + NT_SHARE;
    gone->is_there = false;
    while (gone->publisher_count > 0 && self->work < until) {
        hub_release(self, gone->publishers[--gone->publisher_count].topic, client);
    }
    if (gone->publisher_count > 0) {
        return false;
    }
    nt_client_close(gone);
    return true;
}

void hub_refuse(nt_hub *self, unsigned client, const char *why)
{
    self->counters.disconnected++;
    self->outlet.close(self->outlet.context, client, why);
    self->clients[client].is_there = false;
}

// --------------------------------------------------------------------------- text frames

static hy_text new_frame(nt_hub *self)
{
    hy_text frame = hy_text_in((hy_room){ self->text, sizeof self->text - 1 });
    hy_text_put(&frame, "[");
    return frame;
}

// Sends a frame of texts, unless nothing is in it.
static void send_frame(nt_hub *self, unsigned client, hy_text *frame)
{
    if (frame->size <= 1) {
        return;
    }
    self->text[frame->size] = ']';
    self->work += WORK_SEND + frame->size / WORK_BYTES;
    const hy_bytes bytes = { frame->bytes, frame->size + 1 };
    if (!self->outlet.send(self->outlet.context, client, bytes, false)) {
        hub_refuse(self, client, "this client reads too slowly");
    }
}

// Adds a message, and sends the frame before it is too full.
static void add_message(nt_hub *self, unsigned client, hy_text *frame, const hy_nt4_message *message)
{
    const size_t before = frame->size;
    hy_nt4_put_message(frame, message);
    if (frame->is_full) {
        frame->size = before;
        send_frame(self, client, frame);
        *frame = new_frame(self);
        hy_nt4_put_message(frame, message);
    }
}

static hy_nt4_message announcement(const nt_topic *topic)
{
    return (hy_nt4_message){ .method = HY_NT4_ANNOUNCE,
                             .name = topic->name,
                             .type = topic->type,
                             .id = topic->id,
                             .properties_json = topic->properties };
}

void hub_send_message(nt_hub *self, unsigned client, const hy_nt4_message *message)
{
    hy_text frame = new_frame(self);
    hy_nt4_put_message(&frame, message);
    send_frame(self, client, &frame);
}

void hub_announce_to(nt_hub *self, unsigned client, size_t place, int64_t uid)
{
    hy_nt4_message message = announcement(self->topics.at[place]);
    message.uid = uid;
    message.has_uid = true;
    self->clients[client].views[place].is_announced = true;
    self->clients[client].is_dirty = true;
    hub_send_message(self, client, &message);
}

// --------------------------------------------------------------------------- values on their way out

static void mark_pending(nt_client *client, size_t place)
{
    nt_view *const view = &client->views[place];
    view->is_pending = true;
    if (!view->is_listed) {
        view->is_listed = true;
        client->pending[client->pending_count++] = (uint16_t)place;
    }
}

// Its queue is full: once it has room again, the newest values follow.
static void block_client(nt_hub *self, nt_client *client)
{
    self->counters.frames_late++;
    self->work += self->topics.count * WORK_EACH;
    client->blocked_until_us = self->at_us + BLOCKED_US;
    for (size_t i = 0; i < self->topics.count; i++) {
        const nt_topic *const topic = self->topics.at[i];
        if (topic != NULL && topic->has_value && client->views[i].wants_values) {
            mark_pending(client, i);
        }
    }
}

static bool is_blocked(const nt_hub *self, const nt_client *client)
{
    return client->blocked_until_us > self->at_us;
}

static void send_values(nt_hub *self, unsigned client)
{
    nt_client *const to = &self->clients[client];
    const hy_bytes frame = { to->frame, to->frame_size };
    to->frame_size = 0;
    if (frame.size > 0 && !self->outlet.send(self->outlet.context, client, frame, true)) {
        block_client(self, to);
    }
}

static size_t write_value(nt_client *to, const nt_topic *topic)
{
    const hy_nt4_value value = {
        topic->id, topic->value_us, topic->type_number, { topic->value, topic->value_size }
    };
    const hy_room room = { to->frame + to->frame_size,
                           NT_MESSAGE_MAX + HY_NT4_HEAD_MAX - to->frame_size };
    return hy_nt4_write(room, &value);
}

static void add_value(nt_hub *self, unsigned client, size_t place)
{
    nt_client *const to = &self->clients[client];
    const nt_topic *const topic = self->topics.at[place];
    size_t size = write_value(to, topic);
    if (size == 0) {
        send_values(self, client);
        size = is_blocked(self, to) ? 0 : write_value(to, topic);
    }
    to->frame_size += size;
    self->work += WORK_EACH + size / WORK_BYTES;
    self->counters.values_out += size > 0;
}

void hub_distribute(nt_hub *self, size_t place, unsigned source)
{
    self->work += (uint64_t)NT_CLIENTS * 4; // each has its views elsewhere
    for (unsigned i = 0; i < NT_CLIENTS; i++) {
        nt_client *const to = &self->clients[i];
        if (i == source || !to->is_there || !to->views[place].wants_values) {
            continue;
        }
        if (to->views[place].wants_all && !is_blocked(self, to)) {
            to->views[place].is_pending = false;
            add_value(self, i, place);
        } else {
            mark_pending(to, place);
        }
    }
}

// --------------------------------------------------------------------------- topics

void hub_all_dirty(nt_hub *self)
{
    for (unsigned i = 0; i < NT_CLIENTS; i++) {
        self->clients[i].is_dirty = true;
    }
}

static void remove_topic(nt_hub *self, size_t place)
{
    nt_topic *const topic = self->topics.at[place];
    const hy_nt4_message message = { .method = HY_NT4_UNANNOUNCE,
                                     .name = topic->name,
                                     .id = topic->id };
    for (unsigned i = 0; i < NT_CLIENTS; i++) {
        nt_client *const to = &self->clients[i];
        if (!to->is_there) {
            continue;
        }
        const nt_view gone = to->views[place];
        to->views[place] = (nt_view){ .is_listed = gone.is_listed };
        if (gone.is_announced) {
            send_values(self, i); // the topic's last ones go before
            hub_send_message(self, i, &message);
        }
    }
    self->work += NT_CLIENTS * WORK_EACH;
    hub_let_go(self, topic);
    nt_topics_remove(&self->topics, place);
}

// The topic stays though the client that held it does not publish it any more.
static void leave_topic(nt_hub *self, size_t place, unsigned client)
{
    nt_topic *const left = self->topics.at[place];
    hub_let_go(self, left);
    memcpy(left->left_by, self->clients[client].ip, sizeof left->left_by);
    for (size_t i; (i = hub_find_surplus(self)) < NT_TOPICS;) {
        if (self->topics.at[i]->publishers == 0) {
            remove_topic(self, i);
        } else {
            nt_topic_forget_value(self->topics.at[i]);
        }
    }
}

void hub_release(nt_hub *self, size_t place, unsigned client)
{
    nt_topic *const topic = self->topics.at[place];
    topic->publishers -= topic->publishers > 0 ? 1 : 0;
    self->work += WORK_EACH;
    if (topic->is_own) {
        return;
    }
    if (topic->publishers == 0 && !topic->is_kept) {
        remove_topic(self, place);
    } else if (client < NT_CLIENTS && (topic->publishers == 0 || topic->holder == client + 1)) {
        leave_topic(self, place, client);
    }
}

// Clients' publishers of a topic that becomes ours; what they publish is ignored from now on.
static void forget_publishers(nt_hub *self, size_t place)
{
    for (unsigned i = 0; i < NT_CLIENTS; i++) {
        nt_client *const from = &self->clients[i];
        for (size_t k = from->publisher_count; k-- > 0;) {
            if (from->publishers[k].topic == place) {
                from->publishers[k] = from->publishers[--from->publisher_count];
            }
        }
    }
}

size_t nt_hub_declare(nt_hub *self, const char *name, const char *type, const nt_own *own)
{
    const size_t there = nt_topics_find(&self->topics, name);
    if (there < NT_TOPICS) {
        forget_publishers(self, there);
        remove_topic(self, there);
    }
    const size_t place = nt_topics_add(&self->topics, name, type);
    if (place < NT_TOPICS) {
        nt_topic *const topic = self->topics.at[place];
        topic->is_own = true;
        topic->is_tunable = own->is_tunable;
        topic->channel = own->channel;
        if (own->properties.size > 0) {
            (void)nt_topic_set_properties(topic, own->properties);
        }
        hub_all_dirty(self);
    }
    return place;
}

void nt_hub_put(nt_hub *self, size_t place, int64_t time_us, hy_bytes value)
{
    nt_topic *const topic = self->topics.at[place];
    if (topic->is_tunable && time_us <= topic->offered_us) {
        time_us = topic->offered_us + 1; // else the client would keep what it asked for
    }
    if (nt_topic_set_value(topic, time_us, value)) {
        hub_distribute(self, place, NT_CLIENTS);
    }
}

// --------------------------------------------------------------------------- what is due

// Announces what matches, and sends new subscriptions what is there: of as many topics as the client's share allows.
static void look_at_topics(nt_hub *self, unsigned client)
{
    nt_client *const to = &self->clients[client];
    hy_text frame = new_frame(self);
    size_t i = 0;
    self->work += self->topics.count;
    for (const uint64_t until = self->work + NT_SHARE;
         i < self->topics.count && to->is_there && self->work < until; i++) {
        const nt_topic *const topic = self->topics.at[i];
        if (topic == NULL || to->views[i].is_known) {
            continue;
        }
        bool is_new;
        self->work += WORK_EACH + to->subscription_count + to->pattern_count;
        const nt_view now = nt_client_view(to, topic->name, &is_new);
        nt_view *const view = &to->views[i];
        if (now.is_announced && !view->is_announced) {
            const hy_nt4_message message = announcement(topic);
            add_message(self, client, &frame, &message);
            if (!to->is_there) {
                return;
            }
            view->is_announced = true;
        }
        const bool starts = now.wants_values && (is_new || !view->wants_values);
        view->is_known = true;
        view->wants_values = now.wants_values;
        view->wants_all = now.wants_all;
        view->period_us = now.period_us;
        if (starts && topic->has_value) {
            view->due_us = 0;
            mark_pending(to, i);
        }
    }
    to->is_dirty = i < self->topics.count;
    for (size_t k = 0; k < to->subscription_count && !to->is_dirty; k++) {
        to->subscriptions[k].is_new = false;
    }
    send_frame(self, client, &frame);
}

static void add_pending(nt_hub *self, unsigned client)
{
    nt_client *const to = &self->clients[client];
    size_t kept = 0;
    self->work += to->pending_count * WORK_EACH;
    for (size_t i = 0; i < to->pending_count; i++) {
        const uint16_t place = to->pending[i];
        nt_view *const view = &to->views[place];
        if (view->is_pending && view->wants_values &&
            (view->due_us > self->at_us || is_blocked(self, to))) {
            to->pending[kept++] = place;
            continue;
        }
        view->is_listed = false;
        if (view->is_pending && view->wants_values && self->topics.at[place] != NULL) {
            view->due_us = self->at_us + view->period_us;
            view->is_pending = false;
            add_value(self, client, place);
        }
    }
    to->pending_count = kept;
}

void nt_hub_flush(nt_hub *self, int64_t at_us)
{
    const uint64_t until = self->work + NT_TURN;
    self->at_us = at_us;
    for (unsigned idle = 0; idle < NT_CLIENTS && self->work < until; idle++) {
        const unsigned i = self->next_flushed++ % NT_CLIENTS;
        nt_client *const to = &self->clients[i];
        if (!to->is_there || is_blocked(self, to)) {
            continue;
        }
        if (to->is_dirty) {
            look_at_topics(self, i);
            idle = 0; // there may be more to look at
        }
        if (to->is_there) {
            add_pending(self, i);
            send_values(self, i);
        }
    }
}
