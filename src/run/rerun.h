/// @file rerun.h
/// Private: a recorded simulation, once more as it was, beside the one that the program drives now.
#ifndef HALYARD_RUN_RERUN_H
#define HALYARD_RUN_RERUN_H

#include "run_judge.h"

typedef struct {
    bool is_wanted; ///< Read-only: who drove the robots then has enabled them in the input that is next.
    hy_sim_input input; ///< Read-only: the next input, as recorded.
    // Private.
    const hy_run_recorded *recorded;
    size_t robots;
    hy_sim *sim; // as it was
    run_judge judge;
    uint64_t differing_step; // 0: none yet
    hy_sim_datagram datagrams[HY_SIM_LIST_MAX];
} run_rerun;

/// Starts the simulation of `recorded`, which must stay, as must `line` be found before the first step. HY_OK, or as hy_sim_open().
hy_status run_rerun_start(run_rerun **out, const hy_run_recorded *recorded, size_t robots,
                          hy_world_error *error);

/// Whether there is one more input; then it is in `input`.
bool run_rerun_next(run_rerun *self);

/// The input with `count` datagrams of the program instead of those of the recorded drivers. Valid until the next call.
hy_sim_input run_rerun_replace(run_rerun *self, const hy_sim_datagram *ours, size_t count);

/// The recorded simulation takes the input; `now` has taken what replaces it.
void run_rerun_step(run_rerun *self, const hy_sim *now);

void run_rerun_end(run_rerun *self); ///< NULL is harmless.

#endif
