/// @file stick_pace.h
/// When a joystick may send: not faster than its core takes the messages.
///
/// The reference core takes one message a turn and answers once a turn, and its turns are longer than the 10 ms of the interface:
/// who sends every 10 ms fills its queue, and steers ever further in the past. So a message waits for the answer to the one before,
/// and what went out unanswered, while the core was busy, is made up for. A core that takes everything at once and answers every
/// 10 ms, as ours, gets a message every 10 ms.
#ifndef HALYARD_APPS_STICK_PACE_H
#define HALYARD_APPS_STICK_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A core that has not answered for so long is sent a message all the same.
#define STICK_PACE_SILENCE_US 100000

/// Zero-initialised, nothing was sent yet.
typedef struct {
    int64_t sent_us; ///< When the last message left.
    unsigned ahead;  ///< Messages that were not answered, as far as that matters.
} stick_pace;

/// A message may leave now, if the one before is `least_us` old.
bool stick_pace_is_due(const stick_pace *self, int64_t least_us, int64_t now_us);

/// One has left.
void stick_pace_sent(stick_pace *self, int64_t now_us);

/// So many heartbeats came.
void stick_pace_answered(stick_pace *self, size_t count);

#endif
