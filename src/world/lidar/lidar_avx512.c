// Eight doubles at a time. The build compiles this file for AVX-512 where the processor may have it.
#include "lidar.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define LANES 8
#include "lidar_simd.h"

const hy_lidar_path hy_lidar_avx512 = { "avx512", cast };
#else
const hy_lidar_path hy_lidar_avx512 = { "avx512", NULL };
#endif
