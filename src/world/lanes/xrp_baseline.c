// For every processor: two robots at a time on x86-64 (SSE2) and on 64-bit Arm, and elsewhere as many as the compiler chooses.
#define LANES 2
#include "xrp_simd.h"

const hy_xrp_path hy_xrp_baseline = {
#ifdef __SSE2__
    "sse2",
#else
    "portable",
#endif
    step,
};
