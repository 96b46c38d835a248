/// @file many.h
/// Private: the ways of computing an elementary function of several numbers at once.
#ifndef HALYARD_BASE_MANY_H
#define HALYARD_BASE_MANY_H

#include <stddef.h>

/// Each computes the first numbers of `count`, as many as fill whole vectors, and returns how many those are.
typedef struct {
    size_t (*sin_cos)(const double *angles_rad, size_t count, double *sines, double *cosines);
    size_t (*exp)(const double *x, size_t count, double *powers);
    size_t (*log)(const double *x, size_t count, double *logarithms);
} hy_many_path;

/// Two at once, which every processor can be told to do. NULL: the compiler has no vectors.
extern const hy_many_path *const hy_many_two;
/// Four at once, on a processor with AVX2. NULL: this file was not compiled for it.
extern const hy_many_path *const hy_many_avx2;
/// Eight at once, on a processor with AVX-512 (F, DQ, VL). NULL: this file was not compiled for it.
extern const hy_many_path *const hy_many_avx512;

#endif
