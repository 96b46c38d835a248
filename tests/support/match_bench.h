/// A match on the bench: loaded, commanded, stepped, looked at.
#ifndef HALYARD_TESTS_MATCH_BENCH_H
#define HALYARD_TESTS_MATCH_BENCH_H

#include <halyard/worldfile.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"

#define FIELD_2020 HALYARD_TEST_DATA "/../worlds/field2020.yaml"

typedef struct {
    hy_match_model *model;
    hy_match *match;
    int64_t now_us;
    hy_match_commands commands[HY_MATCH_PLAYERS];
    bool silent[HY_MATCH_PLAYERS];
    hy_match_state seen;
} match_bench;

/// What a file says; end it with hy_match_spec_free().
static inline hy_match_spec match_bench_read(const char *path)
{
    hy_match_spec spec;
    hy_world_error error = { "" };
    if (hy_worldfile_read_match(path, &spec, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    return spec;
}

/// Starts a match; frees the spec.
static inline match_bench match_bench_start(hy_match_spec *spec)
{
    match_bench b = { 0 };
    hy_world_error error = { "" };
    if (hy_match_compile(spec, &b.model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_match_spec_free(spec);
    (void)hy_match_open(b.model, &(hy_match_options){ .seed = 1 }, &b.match);
    assert_non_null(b.match);
    return b;
}

static inline match_bench match_bench_of(const char *path)
{
    hy_match_spec spec = match_bench_read(path);
    return match_bench_start(&spec);
}

static inline match_bench match_bench_2020(hy_world_drive drive)
{
    hy_match_spec spec = match_bench_read(FIELD_2020);
    hy_world_spec_set_drive(&spec.world, drive);
    return match_bench_start(&spec);
}

static inline void match_bench_end(match_bench *b)
{
    hy_match_close(b->match);
    hy_match_free(b->model);
}

/// Every core that is not silent repeats its commands in each step.
static inline void match_bench_run(match_bench *b, int steps)
{
    for (int step = 0; step < steps; step++) {
        b->now_us += HY_MATCH_STEP_US;
        for (unsigned i = 0; i < hy_match_players(b->model); i++) {
            if (!b->silent[i]) {
                hy_match_command(b->match, i + 1, &b->commands[i], b->now_us);
            }
        }
        hy_match_step(b->match, b->now_us);
    }
    hy_match_read_state(b->match, &b->seen);
}

/// Puts a ball into a goal's recess, where it stays.
static inline void match_bench_score(match_bench *b, size_t piece, size_t goal, double aside_m)
{
    const hy_world_goal *in = hy_world_goal_at(hy_match_world(b->model), goal);
    const hy_point middle = hy_match_middle(b->model);
    hy_piece at = { .x_m = aside_m - middle.x_m, .y_m = -middle.y_m, .z_m = in->floor_z_m };
    for (size_t i = 0; i < in->count; i++) {
        at.x_m += in->corners[i].x_m / (double)in->count;
        at.y_m += in->corners[i].y_m / (double)in->count;
    }
    hy_match_place_piece(b->match, piece, &at);
}

#endif
