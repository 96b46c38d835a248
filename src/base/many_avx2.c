// Four numbers at a time. The build compiles this file for AVX2 where the processor may have it.
#include "many.h"

#ifdef __AVX2__
#define LANES 4
#include "many_simd.h"

const hy_many_path *const hy_many_avx2 = &many_path;
#else
const hy_many_path *const hy_many_avx2 = NULL;
#endif
