/// @file sines.h
/// Private: the ways of computing several sines and cosines at once.
#ifndef HALYARD_BASE_SINES_H
#define HALYARD_BASE_SINES_H

#include <stddef.h>

/// hy_sin_cos_many() of the first angles: as many as fill whole vectors, whose number it returns.
typedef size_t hy_sines_path(const double *angles_rad, size_t count, double *sines, double *cosines);

/// Two at once, which every processor can be told to do. NULL: the compiler has no vectors.
extern hy_sines_path *const hy_sines_of_two;
/// Four at once, on a processor with AVX2. NULL: this file was not compiled for it.
extern hy_sines_path *const hy_sines_avx2;
/// Eight at once, on a processor with AVX-512 (F, DQ, VL). NULL: this file was not compiled for it.
extern hy_sines_path *const hy_sines_avx512;

#endif
