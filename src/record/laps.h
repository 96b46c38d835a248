/// @file laps.h
/// Laps of a robot: it has driven one when it crosses, forwards, the line on which it stood at its start.
#ifndef HY_RECORD_LAPS_H
#define HY_RECORD_LAPS_H

#include "record_phantoms.h"

/// All zero: no run has started.
typedef struct {
    double laps_s[HY_PHANTOMS_LAPS]; ///< How long each took.
    size_t count;
    double driven_m; ///< Since the start.
    // Private.
    hy_point start;
    double cos, sin; // of the heading at the start
    double half_m;   // of the line to both sides of the start
    double x_m, y_m, t_s;
    double crossed_s, crossed_m; // the last time: when, and how far had been driven
} lap_counter;

/// Starts a run of a robot that stands at `at`. O(1).
void lap_counter_start(lap_counter *self, const hy_phantoms_living *at, double half_m);

/// Where it is now. O(1).
void lap_counter_move(lap_counter *self, const hy_phantoms_living *now);

#endif
