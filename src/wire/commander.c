#include <halyard/wire.h>

#include <string.h>

#include "bytes.h"

// The first of a stop's repetitions goes out at once, so this many span HY_STOP_DURATION_US.
#define STOP_DATAGRAMS (HY_STOP_DURATION_US / HY_STOP_REPEAT_US + 1)

void hy_commander_init(hy_commander *self, const hy_dialect *dialect)
{
    *self = (hy_commander){ .dialect = dialect };
    self->command.motors = (uint8_t)((1U << dialect->motors) - 1);
}

bool hy_commander_enable(hy_commander *self)
{
    self->enabled = !self->stopping;
    return self->enabled;
}

void hy_commander_stop(hy_commander *self, int64_t now_us)
{
    memset(self->command.motor, 0, sizeof self->command.motor); // nor does the next enable jump
    self->enabled = false;
    self->stopping = true;
    self->stop_began_us = now_us;
    self->stop_due_us = now_us;
    self->stop_left = STOP_DATAGRAMS;
}

bool hy_commander_is_enabled(const hy_commander *self)
{
    return self->enabled;
}

int64_t hy_commander_due_us(const hy_commander *self)
{
    return self->stopping ? self->stop_due_us : INT64_MAX;
}

bool hy_commander_is_done(const hy_commander *self)
{
    return !self->stopping;
}

/// A caller that is late sends as many as one that is in time, and one that sends more often than
/// is due goes on for as long.
static void count_stop(hy_commander *self, int64_t now_us)
{
    if (self->stop_left > 0) {
        self->stop_left--;
    }
    self->stop_due_us = now_us + HY_STOP_REPEAT_US;
    self->stopping = self->stop_left > 0 || now_us - self->stop_began_us < HY_STOP_DURATION_US;
}

static size_t encode(hy_commander *self, uint16_t seq, hy_room room)
{
    self->command.seq = seq;
    if (self->enabled) {
        self->command.control = HY_WIRE_CONTROL_ENABLED;
        return self->dialect->command_encode(&self->command, room);
    }
    self->command.control = 0;
    hy_wire_command still = self->command;
    still.motors = (uint8_t)((1U << self->dialect->motors) - 1);
    memset(still.motor, 0, sizeof still.motor);
    return self->dialect->command_encode(&still, room);
}

unsigned hy_commander_write(hy_commander *self, int64_t now_us, hy_wire_datagram out[2])
{
    uint16_t seq[2];
    const unsigned count = hy_seq_sender_next(&self->seq, seq);
    out[0].size = encode(self, seq[0], (hy_room){ out[0].data, sizeof out[0].data });
    if (count == 2) {
        memcpy(out[1].data, out[0].data, out[0].size);
        out[1].size = out[0].size;
        put_u16(out[1].data, seq[1]);
    }
    if (self->stopping) {
        count_stop(self, now_us);
    }
    return count;
}
