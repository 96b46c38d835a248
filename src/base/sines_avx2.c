// Four angles at a time. The build compiles this file for AVX2 where the processor may have it.
#include "sines.h"

#ifdef __AVX2__
#define LANES 4
#include "sines_path.h"

hy_sines_path *const hy_sines_avx2 = sines_path;
#else
hy_sines_path *const hy_sines_avx2 = NULL;
#endif
