// The topics of a server: our channels, and what clients publish. Knows no client.
#ifndef NT_TOPICS_H
#define NT_TOPICS_H

#include "telemetry/telemetry_nt4.h"

#define NT_TOPICS         10240 // 4,095 of ours, 4,096 that clients publish, and those that they left
#define NT_NAME_MAX       512
#define NT_TYPE_MAX       128
#define NT_PROPERTIES_MAX 2048

typedef struct {
    char *name, *type, *properties; // properties: a JSON object
    uint32_t hash;                  // of the name
    unsigned type_number;
    int64_t id;
    bool is_own;        // one of our channels
    bool is_tunable;    // own, and clients' values are offered to the owner
    hy_channel channel; // of an own one
    int64_t offered_us; // the time of the last value that a client offered
    bool is_kept;       // "retained" or "persistent": stays without a publisher
    size_t publishers;
    unsigned holder; // one more than the client that made the value as large as it is; 0: it has gone, or the topic is our own
    uint8_t left_by[16]; // the address of that client, once it has gone; as in hy_endpoint
    bool has_value;
    int64_t value_us;
    uint8_t *value; // MessagePack
    size_t value_size, value_room;
} nt_topic;

typedef struct {
    nt_topic *at[NT_TOPICS]; // NULL: free
    size_t count;            // places that are in use end before it
    int64_t next_id;
} nt_topics;

// The place of a topic, or NT_TOPICS.
size_t nt_topics_find(const nt_topics *self, const char *name);

// A new topic, whose name must not be there. Its place, or NT_TOPICS: no place or no memory, or too long a name.
size_t nt_topics_add(nt_topics *self, const char *name, const char *type);
void nt_topics_remove(nt_topics *self, size_t place);
void nt_topics_free(nt_topics *self);

// False: no memory, or too long.
bool nt_topic_set_properties(nt_topic *topic, hy_bytes json);

// Whether a value can be one of the topic's; numbers of all types are.
bool nt_topic_takes(const nt_topic *topic, const hy_nt4_value *value);

// Keeps a value if none that is newer is there; false: it is not kept.
bool nt_topic_set_value(nt_topic *topic, int64_t time_us, hy_bytes value);
void nt_topic_forget_value(nt_topic *topic);

#endif
