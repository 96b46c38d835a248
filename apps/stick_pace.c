#include "stick_pace.h"

// A core that was away has none of what was sent to it: two seconds' worth of silence is all that is made up for.
#define AHEAD_MAX 20

bool stick_pace_is_due(const stick_pace *self, int64_t least_us, int64_t now_us)
{
    return now_us - self->sent_us >= (self->ahead == 0 ? least_us : STICK_PACE_SILENCE_US);
}

void stick_pace_sent(stick_pace *self, int64_t now_us)
{
    self->sent_us = now_us;
    self->ahead += self->ahead < AHEAD_MAX ? 1 : 0;
}

void stick_pace_answered(stick_pace *self, size_t count)
{
    self->ahead -= count < self->ahead ? (unsigned)count : self->ahead;
}
