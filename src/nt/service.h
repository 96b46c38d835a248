// What a hy_nt does with the channels: it serves them (serve.c), or publishes them in another server (publish.c). One thread calls all of it.
#ifndef NT_SERVICE_H
#define NT_SERVICE_H

#include "hub.h"

#define NT_FRAME_US 5000 // between two frames to a client

typedef struct {
    int64_t at_us;     // real time
    int64_t values_us; // the time that values have
} nt_moment;

// Where a service reports to.
typedef struct {
    void *context;
    // Somebody wants a tunable to have another value.
    void (*offer)(void *context, const nt_topic *topic, const hy_nt4_value *value);
    // Something was refused to a client; told once.
    void (*note)(void *context, const hy_nt_notice *notice);
    // The connection to the other server is there or has ended, or nobody is there.
    void (*report)(void *context, hy_nt_state state);
} nt_owner;

typedef struct {
    void *context;
    size_t (*declare)(void *context, const char *name, const char *type, const nt_own *own);
    void (*put)(void *context, size_t place, int64_t time_us, hy_bytes value);
    void (*wait)(void *context);                       // for the network, a short while
    void (*turn)(void *context, const nt_moment *now); // deals with what came, and sends what is due
    hy_nt_counters (*count)(const void *context);
    hy_endpoint (*address)(const void *context);
    void (*end)(void *context);
} nt_service;

// HY_OK, or what hy_nt_open() says.
hy_status nt_serve(nt_service *out, const hy_nt_options *options, const nt_owner *owner);
hy_status nt_publish(nt_service *out, const hy_nt_options *options, const nt_owner *owner);

#endif
