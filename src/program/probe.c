#include "probe.h"

#include <halyard/robot.h>

#define SILENT_FIRST_US 200000  // statuses come 20 times a second or more often
#define PERIOD_US       500000  // between two probes
#define VALID_US        1500000 // two probes may be lost

void program_probe_close(program_probe *self)
{
    hy_link_close(&self->link);
    self->silent_since_us = self->asked_us = self->answered_us = 0;
}

static bool probe_open(program_probe *self, const hy_robot *robot)
{
    const hy_endpoint address = hy_robot_get_address(robot);
    if (self->link.is_open && !hy_endpoint_equal(&self->to, &address)) {
        hy_link_close(&self->link); // a name with several addresses: the next one's turn
    }
    if (!self->link.is_open) {
        self->to = address;
        return hy_link_open_to(&self->link, &self->to) == HY_OK;
    }
    return true;
}

static void probe_receive(program_probe *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = self->link.is_open ? hy_link_receive(&self->link, batch, HY_LINK_BATCH) : 0;
    for (size_t i = 0; i < count; i++) {
        self->answered_us = batch[i].at_us;
    }
}

void program_probe_poll(program_probe *self, const hy_robot *robot, int64_t now_us)
{
    if (hy_robot_is_up(robot, now_us)) {
        program_probe_close(self);
        return;
    }
    if (self->silent_since_us == 0) {
        self->silent_since_us = now_us;
    }
    probe_receive(self);
    if (now_us - self->silent_since_us < SILENT_FIRST_US ||
        (self->asked_us != 0 && now_us - self->asked_us < PERIOD_US)) {
        return;
    }
    self->asked_us = now_us;
    if (probe_open(self, robot)) {
        (void)hy_robot_probe(&self->link, &self->to); // lost, or refused: the next one asks again
    }
}

bool program_probe_is_answered(const program_probe *self, int64_t now_us)
{
    return self->answered_us != 0 && now_us - self->answered_us < VALID_US;
}
