// One client of the server: what it subscribed to and what it publishes. Knows no socket.
#ifndef NT_CLIENT_H
#define NT_CLIENT_H

#include "topics.h"

#define NT_SUBSCRIPTIONS 1024
#define NT_PATTERNS      2048 // of all subscriptions together
#define NT_PUBLISHERS    1024
#define NT_VALUES_MAX    (1 << 20)   // bytes of the values that it keeps here
#define NT_MESSAGE_MAX   (256 << 10) // bytes of one WebSocket message, either way

typedef struct {
    int64_t uid;
    hy_nt4_options options;
    char **patterns;
    size_t count;
    bool is_new; // what matches it is sent the value that is there
} nt_subscription;

typedef struct {
    int64_t uid;
    size_t topic;
    bool is_type_right;
} nt_publisher;

// What a client has of one topic.
typedef struct {
    bool is_known; // the rest is what the present subscriptions say
    bool is_announced;
    bool wants_values, wants_all;
    bool is_pending; // the newest value is to be sent, when it is due
    bool is_listed;  // among the client's pending topics
    int64_t period_us, due_us;
} nt_view;

typedef struct {
    bool is_there;  // else it is told nothing more, and what it published is being taken back
    uint8_t ip[16]; // whose it is: as in hy_endpoint, of IPv6 without the last 64 bits
    bool may_write;
    bool is_clock; // only compares clocks
    bool is_dirty; // a topic is not known
    size_t heard;  // of the message under way, bytes that were dealt with
    nt_subscription *subscriptions;
    size_t subscription_count, pattern_count;
    nt_publisher *publishers;
    size_t publisher_count;
    size_t value_bytes; // of the topics that it holds
    nt_view *views;     // NT_TOPICS
    uint16_t *pending;  // topics with is_pending
    size_t pending_count;
    uint8_t *frame; // values that go out together
    size_t frame_size;
    int64_t blocked_until_us; // its queue was full
} nt_client;

// False: no memory.
bool nt_client_open(nt_client *self);
void nt_client_close(nt_client *self);

// Adds or replaces a subscription. False: there are too many, or no memory.
bool nt_client_subscribe(nt_client *self, const hy_nt4_message *message);
void nt_client_unsubscribe(nt_client *self, int64_t uid);

// What the subscriptions say of a topic. `*is_new`: one that is new wants its value.
nt_view nt_client_view(const nt_client *self, const char *topic, bool *is_new);

// The publisher with that number; NULL: there is none.
nt_publisher *nt_client_publisher(nt_client *self, int64_t uid);

#endif
