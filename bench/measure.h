/// What benchmarks share: a clock, a median, and a line that compares two medians.
#ifndef HALYARD_BENCH_MEASURE_H
#define HALYARD_BENCH_MEASURE_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double measure_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static inline int measure_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Sorts `values`.
static inline double measure_median(double *values, size_t count)
{
    qsort(values, count, sizeof values[0], measure_compare);
    return values[count / 2];
}

#endif
