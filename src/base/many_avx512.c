// Eight numbers at a time. The build compiles this file for AVX-512 where the processor may have it.
#include "many.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define LANES 8
#include "many_simd.h"

const hy_many_path *const hy_many_avx512 = &many_path;
#else
const hy_many_path *const hy_many_avx512 = NULL;
#endif
