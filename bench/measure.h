/// What benchmarks share: clocks and medians.
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

/// Time of this program on its cores: what others take away does not count, though they blur caches and share cores.
static inline double measure_cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/// How often to repeat what is repeated `all` times: once in a quick round (tools/run_benches.sh --quick), which shows that a benchmark runs
/// and whose figures mean little.
static inline int measure_repeats(int all)
{
    return getenv("HALYARD_BENCH_QUICK") != NULL ? 1 : all;
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

/// What a tenth of the values do not exceed: what a busy machine has blurred least. Sorts `values`.
static inline double measure_tenth(double *values, size_t count)
{
    qsort(values, count, sizeof values[0], measure_compare);
    return values[count / 10];
}

#endif
