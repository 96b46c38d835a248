// `--truth FILE`: what is true in a world, step by step, as lines of JSON: for referees and tests.
#ifndef HALYARD_HOST_TRUTH_H
#define HALYARD_HOST_TRUTH_H

#include "host.h"
#include "system/system.h"

/// All zero: nothing is written.
typedef struct {
    const char *name; ///< What follows --truth; NULL: nothing is written.
    bool has_failed;  ///< Not all of it could be written.
    // Private.
    const char *program;
    hy_file_output output;
} hy_host_truth;

/// Opens the file, if one was asked for, and attaches it to `host`: a line for the robot of the first board after each step. False with a
/// sentence if it cannot be written.
bool hy_host_truth_start(hy_host_truth *self, hy_host *host);

#endif
