/// @file processor.h
/// Which widths of vectors this processor has.
#ifndef HY_WORLD_PROCESSOR_H
#define HY_WORLD_PROCESSOR_H

#include <stdbool.h>

#if defined(__x86_64__) || defined(__i386__)
/// Vectors of eight doubles, as lidar_avx512.c and xrp_avx512.c are compiled for.
static inline bool hy_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
/// Vectors of four doubles.
static inline bool hy_has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
static inline bool hy_has_avx512(void)
{
    return false;
}
static inline bool hy_has_avx2(void)
{
    return false;
}
#endif

#endif
