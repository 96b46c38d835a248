/// @file stick_pace.h
/// When a joystick may send: not faster than its core takes the messages.
///
/// The reference core takes one message a turn and answers once a turn, and its turns are longer than the 10 ms of the interface:
/// who sends every 10 ms fills its queue, and steers ever further in the past. So a message waits for the answer to the one before,
/// and what went out unanswered, while the core was busy, is made up for. A core that takes everything at once and answers each
/// message, as ours, gets one every 10 ms; a lost one holds the next one up for 30 ms.
#ifndef HALYARD_APPS_STICK_PACE_H
#define HALYARD_APPS_STICK_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Zero-initialised, nothing was sent yet.
typedef struct {
    // Private.
    int64_t sent_us, heard_us;
    int64_t turn_us; // between the core's answers, if it hurries
    unsigned ahead;  // messages that were not answered yet
    unsigned tries;  // of them, since the last answer
    unsigned count;  // of all messages
} stick_pace;

/// No message may leave yet, whatever has been answered: the one before is not `least_us` old.
bool stick_pace_is_early(const stick_pace *self, int64_t least_us, int64_t now_us);

/// A message may leave now, if the one before is `least_us` old.
bool stick_pace_is_due(const stick_pace *self, int64_t least_us, int64_t now_us);

/// One has left.
void stick_pace_sent(stick_pace *self, int64_t now_us);

/// So many heartbeats came.
void stick_pace_answered(stick_pace *self, size_t count, int64_t now_us);

#endif
