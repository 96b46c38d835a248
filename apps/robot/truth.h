/// @file truth.h
/// Writes what is true in a world, step by step, as lines of JSON: for referees and tests.
#ifndef HALYARD_APPS_TRUTH_H
#define HALYARD_APPS_TRUTH_H

#include <halyard/sim.h>

#include <stdbool.h>
#include <stdio.h>

/// All zero: nothing is written.
typedef struct {
    FILE *file;
    const char *name;
} truth_file;

/// Opens `name` for writing; NULL writes nothing. False with a sentence on stderr if it cannot be written.
bool truth_file_open(truth_file *self, const char *name, const char *command);

/// Writes the line of the robot of the first board, as it is now.
void truth_file_write(truth_file *self, const hy_sim *sim);

/// False with a sentence on stderr if something that was written did not arrive.
bool truth_file_close(truth_file *self, const char *command);

#endif
