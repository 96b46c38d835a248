/// @file run_judge.h
/// What a run shows of one vehicle, from its simulation.
#ifndef HALYARD_RUN_RUN_JUDGE_H
#define HALYARD_RUN_RUN_JUDGE_H

#include <halyard/run.h>

#include "run_line.h"

typedef struct {
    // Private.
    const run_line *line;
    size_t vehicle, board;
    hy_point sensor; // in its axes
    hy_world_pose last;
    double last_bearing_rad, turned_rad, line_sum_m;
    uint64_t samples, off_samples;
    int64_t due_us;
    hy_run_outcome outcome;
} run_judge;

/// Begins with the vehicle of `board`; `line` must stay.
void run_judge_start(run_judge *self, const hy_sim *sim, size_t board, const run_line *line);

/// After every step; `is_reset`: vehicles were put back where they started.
void run_judge_step(run_judge *self, const hy_sim *sim, bool is_enabled, bool is_reset);

/// What it has seen; `loops` stays 0.
hy_run_outcome run_judge_end(const run_judge *self, const hy_sim *sim);

#endif
