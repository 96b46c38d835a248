// Eight angles at a time. The build compiles this file for AVX-512 where the processor may have it.
#include "sines.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define LANES 8
#include "sines_path.h"

hy_sines_path *const hy_sines_avx512 = sines_path;
#else
hy_sines_path *const hy_sines_avx512 = NULL;
#endif
