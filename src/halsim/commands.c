// Sends what robot code commands. All of it runs under the lock.
#include <string.h>

#include "state.h"

void hy_halsim_command(hy_halsim *self)
{
    const hy_halsim_outputs *const outputs = &self->outputs;
    hy_wire_command *const command = &self->peer.commander.command;
    const unsigned motors = self->board->dialect->motors;
    for (unsigned i = 0; i < motors; i++) {
        command->motor[i] = atomic_load_explicit(&outputs->motor[i], memory_order_relaxed);
    }
    memcpy(command->servo, outputs->servo, sizeof command->servo);
    command->servos = outputs->servos;
    command->dios = outputs->dio_initialized & ~outputs->dio_inputs;
    command->dio_levels = outputs->dio_levels;
}

void hy_halsim_send(hy_halsim *self, int64_t now_us)
{
    const hy_endpoint *addresses;
    const size_t places = hy_peer_destinations(&self->peer, &addresses);
    hy_wire_datagram datagrams[2];
    hy_halsim_command(self);
    const unsigned count = hy_commander_write(&self->peer.commander, now_us, datagrams);
    if (self->unanswered_us == 0 && places > 0) {
        self->unanswered_us = now_us;
    }
    for (unsigned i = 0; i < count; i++) {
        for (size_t place = 0; place < places; place++) {
            // What the network refuses is counted by the link; the next command is 20 ms away.
            hy_link_send(&self->link, &addresses[place],
                         (hy_bytes){ datagrams[i].data, datagrams[i].size });
        }
    }
}

void hy_halsim_send_due(hy_halsim *self, int64_t now_us)
{
    if (now_us >= hy_commander_due_us(&self->peer.commander)) {
        hy_halsim_send(self, now_us);
    }
}

void hy_halsim_update_enabled(hy_halsim *self)
{
    if (self->ended || hy_halsim_may_drive(self) || !hy_commander_is_enabled(&self->peer.commander)) {
        return; // the next step enables
    }
    const int64_t now_us = hy_clock_now_us();
    hy_commander_stop(&self->peer.commander, now_us);
    hy_halsim_send(self, now_us);
    hy_os_waker_wake(&self->waker); // the worker repeats it
}
