#include "sim_sticks.h"

void sim_sticks_open(sim_sticks *self, hy_telemetry *telemetry, const sim_players *players)
{
    *self = (sim_sticks){ .telemetry = telemetry, .count = telemetry != NULL ? players->count : 0 };
    for (unsigned i = 0; i < self->count; i++) {
        (void)icd_open(&players->options->icd, HY_ICD_SIM_STICKS, i + 1, &self->links[i]);
    }
}

static void take(sim_sticks *self, const sim_players *players, unsigned index,
                 const hy_datagram *datagram)
{
    hy_icd_sticks sticks;
    if (!icd_is_from(&players->options->icd, datagram, &players->core[index])) {
        return;
    }
    if (hy_icd_read_used_sticks(players->reader, datagram->bytes, &sticks) != HY_OK) {
        icd_refuse(&players->options->icd, datagram, players->reader);
        return;
    }
    if (!self->is_declared[index]) { // an original core reports nothing, and then no stick is in the file
        self->channels[index] = stick_channels_declare(self->telemetry, index);
        self->is_declared[index] = true;
    }
    stick_channels_put(&self->channels[index], self->telemetry, &sticks);
}

void sim_sticks_receive(sim_sticks *self, const sim_players *players)
{
    hy_datagram batch[HY_LINK_BATCH];
    for (unsigned i = 0; i < self->count; i++) {
        const size_t count =
            self->links[i].is_open ? hy_link_receive(&self->links[i], batch, HY_LINK_BATCH) : 0;
        for (size_t k = 0; k < count; k++) {
            take(self, players, i, &batch[k]);
        }
    }
}

void sim_sticks_close(sim_sticks *self)
{
    for (unsigned i = 0; i < self->count; i++) {
        hy_link_close(&self->links[i]);
    }
}
