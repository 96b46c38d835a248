// What every processor can: two doubles at a time on x86-64 (SSE2) and on 64-bit Arm, and elsewhere
// whatever the compiler makes of it.
#define LANES 2
#include "lidar_simd.h"

const hy_lidar_path hy_lidar_baseline = {
#ifdef __SSE2__
    "sse2",
#else
    "portable",
#endif
    cast,
};
