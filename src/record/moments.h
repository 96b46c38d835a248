/// @file moments.h
/// Events of a recording, found in the values of a picture's channels.
#ifndef HY_RECORD_MOMENTS_H
#define HY_RECORD_MOMENTS_H

#include "scene/scene.h"

typedef enum {
    MOMENT_ENABLING,   // a flag: becomes true or false
    MOMENT_MATCH,      // a flag: the same
    MOMENT_CONTACT,    // a flag: becomes true after it was false for a while
    MOMENT_SCORE_BLUE, // a count: grows
    MOMENT_SCORE_RED,  // a count: grows
    MOMENT_WATCHDOG,   // a count: grows
} moment_type;

/// A channel that may have events. All zero but for the first three at the start.
typedef struct {
    bool is_used;
    moment_type type;
    unsigned robot; // from 1; 0: none
    bool was;
    int count;
    uint64_t true_us;
} moment_channel;

#define MOMENT_KINDS 8

/// All zero is empty.
typedef struct {
    hy_scene_event events[HY_SCENE_EVENTS]; // in the order of time
    size_t count;
    unsigned left_out; // events for which there was no room
    double gap_s[MOMENT_KINDS]; // of each kind, what follows another of the same robot within this time is left out
} moments;

/// The channel's next value.
void moments_take(moments *self, moment_channel *channel, uint64_t at_us, hy_bytes value);

/// The kinds of events by number, for who writes them down; NULL: there is none with that number.
const char *moments_kind_name(uint64_t number);
uint64_t moments_kind_number(const char *name);

#endif
