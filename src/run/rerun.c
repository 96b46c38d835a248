#include "rerun.h"

#include <stdlib.h>

hy_status run_rerun_start(run_rerun **out, const hy_run_recorded *recorded, size_t robots,
                          hy_world_error *error)
{
    run_rerun *const self = calloc(1, sizeof *self);
    *out = self;
    if (self == NULL) {
        return HY_EMEMORY;
    }
    self->recorded = recorded;
    self->robots = robots;
    return hy_sim_open(recorded->sim, &self->sim, error);
}

// Who drove the board that `datagram` is for sent it.
static bool is_of_driver(const run_rerun *self, const hy_sim_datagram *datagram)
{
    for (size_t i = 0; i < self->robots; i++) {
        if (datagram->board == self->recorded->boards[i] &&
            hy_endpoint_equal(&datagram->peer, &self->recorded->drivers[i])) {
            return true;
        }
    }
    return false;
}

bool run_rerun_next(run_rerun *self)
{
    if (!self->recorded->next(self->recorded->context, &self->input)) {
        return false;
    }
    for (size_t i = 0; i < self->input.datagram_count; i++) {
        const hy_bytes bytes = self->input.datagrams[i].bytes;
        if (bytes.size >= HY_WIRE_HEADER_SIZE && is_of_driver(self, &self->input.datagrams[i])) {
            self->is_wanted = bytes.data[HY_WIRE_HEADER_SIZE - 1] == HY_WIRE_CONTROL_ENABLED;
        }
    }
    return true;
}

hy_sim_input run_rerun_replace(run_rerun *self, const hy_sim_datagram *ours, size_t count)
{
    hy_sim_input input = self->input;
    size_t kept = 0;
    for (size_t i = 0; i < input.datagram_count && kept + count < HY_SIM_LIST_MAX; i++) {
        if (!is_of_driver(self, &input.datagrams[i])) {
            self->datagrams[kept++] = input.datagrams[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        self->datagrams[kept++] = ours[i];
    }
    input.datagrams = self->datagrams;
    input.datagram_count = kept;
    return input;
}

void run_rerun_step(run_rerun *self, const hy_sim *now)
{
    for (hy_sim_datagram unread; hy_sim_next_datagram(self->sim, &unread);) {
    }
    hy_sim_step(self->sim, &self->input);
    run_judge_step(&self->judge, self->sim, self->is_wanted, self->input.reset_count > 0);
    if (self->differing_step == 0 && hy_sim_state_hash(self->sim) != hy_sim_state_hash(now)) {
        self->differing_step = hy_sim_steps(now) + (self->input.world_steps == 0 ? 1 : 0);
    }
}

void run_rerun_end(run_rerun *self)
{
    if (self != NULL) {
        hy_sim_close(self->sim);
        free(self);
    }
}
