// Two numbers at a time, where the compiler has vectors.
#include "many.h"

#ifdef __GNUC__
#define LANES 2
#include "many_simd.h"

const hy_many_path *const hy_many_two = &many_path;
#else
const hy_many_path *const hy_many_two = NULL;
#endif
