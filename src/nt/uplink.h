// What a client of another NT4 server does: publishes the channels there, and offers what others make of its tunables. Pure: messages in,
// messages out; time is an argument.
#ifndef NT_UPLINK_H
#define NT_UPLINK_H

#include "hub.h"

typedef struct nt_uplink nt_uplink;

// HY_OK or HY_EMEMORY. The outlet is given the client 0, and is not asked to close it.
hy_status nt_uplink_create(nt_uplink **out, const nt_outlet *outlet);
void nt_uplink_destroy(nt_uplink *self);

// The connection to the server is there, or has ended. `at_us` is real time, here and below.
void nt_uplink_connect(nt_uplink *self, int64_t at_us);
void nt_uplink_disconnect(nt_uplink *self);

// Whether the server has told its time, before which nothing is published.
bool nt_uplink_is_open(const nt_uplink *self);

// The server's messages. False: the connection has to end.
void nt_uplink_text(nt_uplink *self, hy_bytes text);
bool nt_uplink_binary(nt_uplink *self, hy_bytes frame, int64_t at_us);

// One of our channels: its place, or NT_TOPICS; and a value of it, as MessagePack, with the time of channels.
size_t nt_uplink_declare(nt_uplink *self, const char *name, const char *type, const nt_own *own);
void nt_uplink_put(nt_uplink *self, size_t place, int64_t time_us, hy_bytes value);

// Sends what is due. `newest_us` is the time of channels now.
void nt_uplink_flush(nt_uplink *self, int64_t at_us, int64_t newest_us);

hy_nt_counters nt_uplink_count(const nt_uplink *self);

#endif
