// What the hub's two files share: topics and values on their way out (hub.c), clients' messages (hub_messages.c).
#ifndef NT_HUB_STATE_H
#define NT_HUB_STATE_H

#include "hub.h"

#define NT_TEXT_FRAME 32768 // bytes of a frame of texts

struct nt_hub {
    nt_outlet outlet;
    nt_topics topics;
    size_t foreign_topics; // that clients published
    nt_client clients[NT_CLIENTS];
    hy_json_reader *reader, *property_reader;
    hy_nt_counters counters;
    int64_t at_us; // of the last flush, real time
    uint8_t text[NT_TEXT_FRAME];
};

// Ends a client's connection.
void hub_refuse(nt_hub *self, unsigned client, const char *why);

// A publisher of the topic is gone.
void hub_release(nt_hub *self, size_t place);

// A client's topic: its place, or NT_TOPICS.
size_t hub_add_foreign(nt_hub *self, const char *name, const char *type);

// Announces a topic as the answer to a publish.
void hub_announce_to(nt_hub *self, unsigned client, size_t place, int64_t uid);
void hub_send_message(nt_hub *self, unsigned client, const hy_nt4_message *message);

// All clients look at the topics again.
void hub_all_dirty(nt_hub *self);

// A topic's new value, to all but the client `source` (NT_CLIENTS: to all).
void hub_distribute(nt_hub *self, size_t place, unsigned source);

#endif
