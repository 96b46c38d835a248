// Eight robots at a time. The build compiles this file for AVX-512 where the processor may have it.
#include "xrp_lanes.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define LANES 8
#include "xrp_simd.h"

const hy_xrp_path hy_xrp_avx512 = { "avx512", step };
#else
const hy_xrp_path hy_xrp_avx512 = { "avx512", NULL };
#endif
