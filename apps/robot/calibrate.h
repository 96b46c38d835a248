/// @file calibrate.h
/// What `halyard calibrate` consists of.
#ifndef HALYARD_APPS_CALIBRATE_H
#define HALYARD_APPS_CALIBRATE_H

#include <halyard/program.h>

#include <stdio.h>

#include "calibrate/calibrate.h"

/// The drive of the script, over a link or in a world.
typedef struct {
    hy_calibration_drive drive;
    hy_calibration_log *log;
    bool is_quiet; ///< No progress: simulated time is over at once.
    // Private.
    int64_t began_us;
    bool has_begun, is_stopped_by_key;
    unsigned tenths; ///< Of the script, that have been told.
    char why[160];   ///< It ended early; "": it did not.
} calibrate_drive;

/// Drives the script with `options`, and stops the robot. False with a sentence if it did not come to its end.
bool calibrate_drive_script(calibrate_drive *self, const hy_program_options *options);

/// What a recording said of a robot, as lines.
void calibrate_print(FILE *to, const hy_calibration *result);

/// The recording and what the calibrated robot does by the same commands, as a picture (SVG). False: no memory; then
/// nothing is written.
bool calibrate_plot(FILE *to, const hy_calibration_log *log, const hy_calibration *result);

#endif
