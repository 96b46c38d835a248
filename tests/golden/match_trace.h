/// @file match_trace.h
/// Runs of the reference simulator in steps of 10 ms, and the same runs played by ours.
#ifndef HALYARD_TESTS_MATCH_TRACE_H
#define HALYARD_TESTS_MATCH_TRACE_H

#include <halyard/worldfile.h>

#define TRACE_STEPS  701
#define TRACE_PIECES 20
#define TRACE_POINTS 1000

/// What can be seen after a step; all in metres and radians.
typedef struct {
    int blue, red;
    bool collision;
    double pose[HY_MATCH_PLAYERS][3];
    bool knows_piece[TRACE_PIECES]; ///< The reference tells only of those that moved.
    int state[TRACE_PIECES];
    double piece[TRACE_PIECES][3];
} trace_step;

typedef struct {
    int vehicles, pieces, steps;
    trace_step step[TRACE_STEPS];
    size_t points;
    double azimuth_rad[TRACE_POINTS], range_m[TRACE_POINTS];
} trace;

/// Reads tests/golden/traces/NAME.ENGINE.jsonl; the engine is "head" or "icd", an older one. Fails the test
/// if that cannot be done.
void trace_read(const char *name, const char *engine, trace *out);

/// Plays scenario NAME of index.json with the drive model given.
void trace_play(const char *name, hy_world_drive drive, trace *out);

/// The text of the reference's configuration with a scenario's robots and pieces; the caller frees it.
char *trace_config(const char *name);

#endif
