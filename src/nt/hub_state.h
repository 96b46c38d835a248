// What the hub's files share: topics and values on their way out (hub.c), clients' messages (hub_messages.c), and what each may take of
// what all share (hub_quotas.c).
#ifndef NT_HUB_STATE_H
#define NT_HUB_STATE_H

#include "hub.h"

#define NT_TEXT_FRAME 32768 // bytes of a frame of texts
#define WORK_SEND     100   // a message to a client
#define WORK_VALUE    16    // a value of a client
#define WORK_EACH     2     // a look at a client or a topic
#define WORK_BYTES    16    // bytes that are copied or read

struct nt_hub {
    nt_outlet outlet;
    nt_topics topics;
    nt_client clients[NT_CLIENTS];
    hy_json_reader *reader, *property_reader;
    hy_nt_counters counters;
    uint64_t work;         // see nt_hub_work()
    unsigned next_flushed; // whose turn it is to be sent something
    int64_t at_us;         // of the last flush, real time
    uint8_t text[NT_TEXT_FRAME];
};

// Ends a client's connection; what it published goes with nt_hub_disconnect().
void hub_refuse(nt_hub *self, unsigned client, const char *why);

// A publisher of the topic is gone: one of that client, or (NT_CLIENTS) somebody who only looked at it.
void hub_release(nt_hub *self, size_t place, unsigned client);

// Whether a client may have one more publisher.
bool hub_may_publish(const nt_hub *self, unsigned client);

// Keeps a value of a client's topic. False: it is too old, or one too many of that client.
bool hub_keep_value(nt_hub *self, unsigned client, nt_topic *topic, const hy_nt4_value *value);

// From now on nobody holds the topic's memory.
void hub_let_go(nt_hub *self, nt_topic *topic);

// Of the topics whose clients have gone, the oldest of the address that left most; NT_TOPICS: there is room for all of them.
size_t hub_find_surplus(nt_hub *self);

// Announces a topic as the answer to a publish.
void hub_announce_to(nt_hub *self, unsigned client, size_t place, int64_t uid);
void hub_send_message(nt_hub *self, unsigned client, const hy_nt4_message *message);

// All clients look at the topics again.
void hub_all_dirty(nt_hub *self);

// A topic's new value, to all but the client `source` (NT_CLIENTS: to all).
void hub_distribute(nt_hub *self, size_t place, unsigned source);

#endif
