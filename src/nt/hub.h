// What an NT4 server does between its clients and the channels: topics, subscriptions, values. Pure: messages in, messages out; time is
// an argument.
#ifndef NT_HUB_H
#define NT_HUB_H

#include "client.h"

#include <halyard/nt.h>
#include <halyard/web.h>

#define NT_CLIENTS 64 // their numbers are those of the web server

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

// A client came. `is_clock`: it is there to compare clocks only. False: no memory.
bool nt_hub_connect(nt_hub *self, unsigned client, bool is_clock, bool may_write);
void nt_hub_disconnect(nt_hub *self, unsigned client);

// A client's message; `now_us` is the server's clock.
void nt_hub_text(nt_hub *self, unsigned client, hy_bytes text);
void nt_hub_binary(nt_hub *self, unsigned client, hy_bytes frame, int64_t now_us);

// One of our channels: its place, or NT_TOPICS. A client's topic of that name becomes ours.
size_t nt_hub_declare(nt_hub *self, const char *name, const char *type, const nt_own *own);

// A value of it, as MessagePack.
void nt_hub_put(nt_hub *self, size_t place, int64_t time_us, hy_bytes value);

// Sends what is due; `at_us` is real time.
void nt_hub_flush(nt_hub *self, int64_t at_us);

hy_nt_counters nt_hub_count(const nt_hub *self);

#endif
