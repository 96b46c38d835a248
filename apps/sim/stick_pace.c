#include "stick_pace.h"

#define TURN_US     10000  // of a core that keeps to the interface
#define PATIENCE_US 100000 // at the most, and with a core that has not been heard twice

// So often one answer is let pass, in case messages wait in the core's queue that nobody knows of.
#define DRAIN_EVERY 64

// A core that was away has none of what was sent to it: two seconds' worth of silence is all that is made up for.
#define AHEAD_MAX 20

static int64_t at_most(int64_t value, int64_t limit)
{
    return value < limit ? value : limit;
}

/// How long to wait for an answer. Longer each time, as a core that is busy queues every try.
static int64_t patience_us(const stick_pace *self)
{
    if (self->turn_us == 0) {
        return PATIENCE_US;
    }
    return at_most((3 * self->turn_us) << (self->tries > 1 ? self->tries - 1 : 0), PATIENCE_US);
}

bool stick_pace_is_early(const stick_pace *self, int64_t least_us, int64_t now_us)
{
    return now_us - self->sent_us < least_us;
}

bool stick_pace_is_due(const stick_pace *self, int64_t least_us, int64_t now_us)
{
    const int64_t last_us = self->heard_us > self->sent_us ? self->heard_us : self->sent_us;
    return self->ahead == 0 ? !stick_pace_is_early(self, least_us, now_us)
                            : now_us - last_us >= patience_us(self);
}

void stick_pace_sent(stick_pace *self, int64_t now_us)
{
    if (self->heard_us >
        self->sent_us) { // it answered, and has nothing more to answer: the others were lost
        self->ahead = 0;
    }
    self->sent_us = now_us;
    self->ahead += ++self->count % DRAIN_EVERY == 0 ? 2 : 1;
    self->ahead = self->ahead < AHEAD_MAX ? self->ahead : AHEAD_MAX;
    self->tries += self->tries < 4 ? 1 : 0;
}

void stick_pace_answered(stick_pace *self, size_t count, int64_t now_us)
{
    if (count == 0) {
        return;
    }
    if (self->heard_us != 0) {
        const int64_t before_us = self->turn_us == 0 ? PATIENCE_US : self->turn_us;
        const int64_t turn_us = at_most(now_us - self->heard_us, before_us + before_us / 8);
        self->turn_us = turn_us < TURN_US ? TURN_US : turn_us;
    }
    self->heard_us = now_us;
    self->tries = 0;
    self->ahead -= count < self->ahead ? (unsigned)count : self->ahead;
}
