// Two angles at a time, where the compiler has vectors.
#include "sines.h"

#ifdef __GNUC__
#define LANES 2
#include "sines_path.h"

hy_sines_path *const hy_sines_of_two = sines_path;
#else
hy_sines_path *const hy_sines_of_two = NULL;
#endif
