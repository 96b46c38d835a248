// What a client may take of what all clients share: topics, and memory for their values. What is over it is refused, and nobody else is the
// worse for it.
#include "hub_state.h"

#include <assert.h>
#include <string.h>

#define OWN_SHARE       32   // publishers that a client may have whatever the others have
#define COMMON          2048 // further ones of all clients together
#define COMMON_FROM_ONE 1024 // of those, of one address

// Of topics that stay without a publisher: as many bytes, where a topic counts as LEFT_EACH beside its value.
#define LEFT_MAX  (8 << 20)
#define LEFT_EACH 4096
#define OWNERS    256 // that are told apart

static_assert(NT_TOPICS == 4096 + NT_CLIENTS * OWN_SHARE + COMMON + LEFT_MAX / LEFT_EACH,
              "nobody's topics take the places of others");

bool hub_may_publish(const nt_hub *self, unsigned client)
{
    const nt_client *const from = &self->clients[client];
    size_t common = 0, from_one = 0;
    for (unsigned i = 0; i < NT_CLIENTS; i++) {
        const nt_client *const at = &self->clients[i];
        const size_t more = at->publisher_count > OWN_SHARE ? at->publisher_count - OWN_SHARE : 0;
        common += more;
        from_one += memcmp(at->ip, from->ip, sizeof at->ip) == 0 ? more : 0;
    }
    return from->publisher_count < OWN_SHARE ||
           (from->publisher_count < NT_PUBLISHERS && common < COMMON && from_one < COMMON_FROM_ONE);
}

// --------------------------------------------------------------------------- memory

void hub_let_go(nt_hub *self, nt_topic *topic)
{
    if (topic->holder > 0) {
        self->clients[topic->holder - 1].value_bytes -= topic->value_room;
        topic->holder = 0;
    }
}

bool hub_keep_value(nt_hub *self, unsigned client, nt_topic *topic, const hy_nt4_value *value)
{
    nt_client *const from = &self->clients[client];
    const size_t room = topic->value_room, size = value->value.size;
    const size_t held = topic->holder == client + 1 ? room : 0;
    if (size > room && from->value_bytes - held + size > NT_VALUES_MAX) {
        self->outlet.refuse(self->outlet.context, from->ip, "values");
        return false;
    }
    if (size <= room) {
        return nt_topic_set_value(topic, value->time_us, value->value);
    }
    hub_let_go(self, topic);
    const bool is_kept = nt_topic_set_value(topic, value->time_us, value->value);
    from->value_bytes += topic->value_room;
    topic->holder = client + 1;
    return is_kept;
}

// --------------------------------------------------------------------------- what is left

static size_t left_bytes(const nt_topic *topic)
{
    return topic == NULL || topic->is_own || topic->holder > 0
               ? 0
               : topic->value_room + (topic->publishers == 0 ? LEFT_EACH : 0);
}

static unsigned owner_of(const nt_topic *topic)
{
    hy_hash hash = hy_hash_start();
    hy_hash_bytes(&hash, (hy_bytes){ topic->left_by, sizeof topic->left_by });
    return (unsigned)(hash.value % OWNERS);
}

size_t hub_find_surplus(nt_hub *self)
{
    size_t all = 0, most = 0, of[OWNERS] = { 0 };
    size_t oldest = NT_TOPICS;
    for (size_t i = 0; i < self->topics.count; i++) {
        const size_t bytes = left_bytes(self->topics.at[i]);
        if (bytes > 0) {
            all += bytes;
            of[owner_of(self->topics.at[i])] += bytes;
        }
    }
    self->work += self->topics.count * WORK_EACH;
    for (size_t i = 0; i < OWNERS; i++) {
        most = of[i] > of[most] ? i : most;
    }
    for (size_t i = 0; i < self->topics.count && all > LEFT_MAX; i++) {
        const nt_topic *const at = self->topics.at[i];
        if (left_bytes(at) > 0 && owner_of(at) == most &&
            (oldest == NT_TOPICS || at->id < self->topics.at[oldest]->id)) {
            oldest = i;
        }
    }
    return oldest;
}
