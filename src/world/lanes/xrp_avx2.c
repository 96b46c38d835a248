// Four robots at a time. The build compiles this file for AVX2 where the processor may have it.
#include "xrp_lanes.h"

#ifdef __AVX2__
#define LANES 4
#include "xrp_simd.h"

const hy_xrp_path hy_xrp_avx2 = { "avx2", step };
#else
const hy_xrp_path hy_xrp_avx2 = { "avx2", NULL };
#endif
