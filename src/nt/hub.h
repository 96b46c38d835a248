// What an NT4 server does between its clients and the channels: topics, subscriptions, values. Pure: messages in, messages out; time is
// an argument.
#ifndef NT_HUB_H
#define NT_HUB_H

#include "client.h"

#include <halyard/nt.h>

#include "web/web.h"

#define NT_CLIENTS 64 // their numbers are those of the web server

// How much is done for one client before the others have their turn, and in one turn. The unit is a comparison of two names, a few nanoseconds.
#define NT_SHARE 5000
#define NT_TURN  200000

// Where the hub's messages go.
typedef struct {
    void *context;
    // False: there is no room now.
    bool (*send)(void *context, unsigned client, hy_bytes message, bool is_binary);
    void (*close)(void *context, unsigned client, const char *why);
    // A client wants a tunable to have another value.
    void (*offer)(void *context, const nt_topic *topic, const hy_nt4_value *value);
    // A client sent a value of one of our topics that is no tunable: it is ignored.
    void (*ignore)(void *context, const nt_topic *topic);
    // A client of that address wants more than its share of what all share: that is refused. `what`: "topics".
    void (*refuse)(void *context, const uint8_t ip[16], const char *what);
} nt_outlet;

typedef struct nt_hub nt_hub;

// What makes a topic ours.
typedef struct {
    hy_channel channel;
    hy_bytes properties; // a JSON object, or nothing
    bool is_tunable;
} nt_own;

// HY_OK or HY_EMEMORY.
hy_status nt_hub_create(nt_hub **out, const nt_outlet *outlet);
void nt_hub_destroy(nt_hub *self);

// As when it was created: without clients, of whom nobody is told, and without topics.
void nt_hub_clear(nt_hub *self);

// Who comes.
typedef struct {
    uint8_t ip[16]; // as in hy_endpoint
    bool is_clock;  // to compare clocks only
    bool may_write;
} nt_peer;

// A client came. False: no memory.
bool nt_hub_connect(nt_hub *self, unsigned client, const nt_peer *peer);

// It went; or a message of it came, `now_us` being the server's clock. One call does a share of the work: false if there is more to do, with
// the same call, after the others had theirs.
bool nt_hub_disconnect(nt_hub *self, unsigned client);
bool nt_hub_text(nt_hub *self, unsigned client, hy_bytes text);
bool nt_hub_binary(nt_hub *self, unsigned client, hy_bytes frame, int64_t now_us);

// The work that was done so far; it only grows.
uint64_t nt_hub_work(const nt_hub *self);

// One of our channels: its place, or NT_TOPICS. A client's topic of that name becomes ours.
size_t nt_hub_declare(nt_hub *self, const char *name, const char *type, const nt_own *own);

// A value of it, as MessagePack.
void nt_hub_put(nt_hub *self, size_t place, int64_t time_us, hy_bytes value);

// Sends what is due, as much as a turn allows; `at_us` is real time.
void nt_hub_flush(nt_hub *self, int64_t at_us);

hy_nt_counters nt_hub_count(const nt_hub *self);

#endif
