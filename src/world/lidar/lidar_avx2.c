// Four doubles at a time. The build compiles this file for AVX2 where the processor may have it.
#include "lidar.h"

#ifdef __AVX2__
#define LANES 4
#include "lidar_simd.h"

const hy_lidar_path hy_lidar_avx2 = { "avx2", cast };
#else
const hy_lidar_path hy_lidar_avx2 = { "avx2", NULL };
#endif
