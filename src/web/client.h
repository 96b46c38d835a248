/// @file client.h
/// One WebSocket as its owner sees it: what it is shown, what it said. Knows no thread and no socket; who uses
/// it from two threads holds a lock.
#ifndef HY_WEB_CLIENT_H
#define HY_WEB_CLIENT_H

#include "fifo.h"

#define WEB_WHY_SIZE  121
#define WEB_PATH_SIZE 256

typedef enum {
    WEB_CLIENT_FREE,
    WEB_CLIENT_OPEN,
    WEB_CLIENT_GONE, ///< Waits for its owner to hear of it.
} web_client_phase;

typedef enum {
    WEB_STRANGER, ///< Has not been admitted.
    WEB_VISITOR,
    WEB_MEMBER,
} web_standing;

typedef struct {
    uint8_t *bytes;
    size_t size;
    bool is_fresh; ///< Has not gone out.
} web_slot;

typedef struct {
    web_client_phase phase;
    bool is_announced; ///< The owner knows that it is there.
    bool is_closing;   ///< Once no slot is fresh.
    bool is_held_back; ///< A message waits for room in the inbox.
    bool is_taken;     ///< Its last event was taken, and goes at the next look.
    web_standing standing;
    uint8_t ip[16];
    int64_t since_us;
    char why[WEB_WHY_SIZE];
    unsigned endpoint;
    char path[WEB_PATH_SIZE]; ///< That it asked for; cut.
    const char *origin;
    web_fifo inbox; ///< What it said.
    web_fifo queue; ///< What it is sent besides the slots, and before them.
    web_slot slots[HY_WEB_SLOTS];
} web_client;

/// How much memory a client has.
typedef struct {
    const size_t *slot_sizes;
    size_t slots;
    size_t inbox, queue;
} web_client_sizes;

/// Where a WebSocket comes from, and what it asked for.
typedef struct {
    unsigned endpoint;
    const uint8_t *ip;
    const char *path;
    const char *origin; ///< As in hy_web_event.
} web_client_origin;

/// False if there is too little memory. `self` is all zero before.
bool web_client_make(web_client *self, const web_client_sizes *sizes);
void web_client_free(web_client *self);

/// A WebSocket took the place.
void web_client_open(web_client *self, const web_client_origin *from, int64_t now_us);

/// Takes the next event out, whose message stays where it is until the next call. False if there is none. web_client_again() lets the
/// event come once more.
bool web_client_take(web_client *self, hy_web_event *out);
void web_client_again(web_client *self);

/// Puts a text into a slot; true if a text that had not gone out was replaced.
bool web_client_show(web_client *self, unsigned slot, hy_bytes text);

/// The first slot that has something new, or -1.
int web_client_fresh(const web_client *self);

/// Whether there is something to do once the socket takes something.
bool web_client_is_waiting(const web_client *self);

#endif
