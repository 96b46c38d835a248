/// @file truth.h
/// Writes what is true in a world, step by step, as lines of JSON: for referees and tests.
#ifndef HALYARD_APPS_TRUTH_H
#define HALYARD_APPS_TRUTH_H

#include <stdbool.h>
#include <stdio.h>

#include "virtual_robot.h"

/// All zero: nothing is written.
typedef struct {
    FILE *file;
    const char *name;
} truth_file;

/// Opens `name` for writing; NULL writes nothing. False with a sentence on stderr if it cannot be written.
bool truth_file_open(truth_file *self, const char *name, const char *command);

/// Writes the line for `t_s` seconds after the start.
void truth_file_write(truth_file *self, const virtual_robot *robot, double t_s);

/// False with a sentence on stderr if something that was written did not arrive.
bool truth_file_close(truth_file *self, const char *command);

#endif
