/// @file near.h
/// cmocka compares floats; ours are doubles.
#ifndef HALYARD_TESTS_NEAR_H
#define HALYARD_TESTS_NEAR_H

#include "cmocka_all.h"

/// `got` lies within `tolerance` of `expected`; a NaN lies nowhere.
#define assert_near(got, expected, tolerance) \
    near_or_fail((got), (expected), (tolerance), #got, __FILE__, __LINE__)
static inline void near_or_fail(double got, double expected, double tolerance, const char *what,
                                const char *file, int line)
{
    const double off = got > expected ? got - expected : expected - got;
    if (!(off <= tolerance)) {
        print_error("%s is %.12g, not %.12g within %g\n", what, got, expected, tolerance);
        _fail(file, line);
    }
}

#endif
