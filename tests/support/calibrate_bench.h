/// @file calibrate_bench.h
/// Calibration of robots whose numbers are hidden from it, and how well the calibrated robot
/// predicts where the hidden one drives.
#ifndef HALYARD_TESTS_CALIBRATE_BENCH_H
#define HALYARD_TESTS_CALIBRATE_BENCH_H

#include "calibrate/calibrate.h"

#define CALIBRATE_LAPS HY_CALIBRATION_LAPS

/// A robot with motors up to 20 % off, sides up to 5 % apart, a track up to 3 % off, a battery of 4.4
/// to 6.5 V and one of the two bridges.
void calibrate_hide(hy_robot_traits *out, uint64_t seed);

#define CALIBRATE_HIDDEN 9 ///< Numbers that are hidden.

const char *calibrate_hidden_name(size_t which);

/// How far a number is from the truth, in its standard deviations, and whether it is reported as determined.
double calibrate_off(const hy_calibration *result, const hy_robot_traits *hidden, size_t which,
                     bool *is_determined);

/// The script, driven by that robot in a simulation.
void calibrate_record(hy_calibration_log *log, const hy_robot_traits *hidden, uint64_t seed);

/// How far two robots come apart that drive the same lap.
typedef struct {
    double way_m; ///< Of the first.
    double position_rms_m, heading_rms_rad;
} calibrate_error;
calibrate_error calibrate_compare(const hy_robot_traits *one, const hy_robot_traits *other,
                                  unsigned lap);

#endif
