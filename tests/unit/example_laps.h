/// @file example_laps.h
/// Laps of worlds/xrp-line.yaml: how far off the line a program of example_run.h gets, and how fast it is.
#ifndef HALYARD_TESTS_EXAMPLE_LAPS_H
#define HALYARD_TESTS_EXAMPLE_LAPS_H

#include "example_run.h"

/// Runs `setup` (its world, watch, context and duration are set here) until `laps` are done, prints a line beginning with
/// `name`, and fails the test that called unless all of them were driven at a mean of at least 0.12 m/s, with the middle
/// between the two reflectance sensors never more than 3 cm from the line's centre.
example_result example_laps(const char *name, const example_setup *setup, unsigned laps);

#endif
