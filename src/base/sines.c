#include "sines.h"

#include <halyard/base.h>

/// Whether this processor can run what the build compiled for AVX2.
static bool has_avx2(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return hy_sines_avx2 != NULL && __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

/// The same for AVX-512.
static bool has_avx512(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return hy_sines_avx512 != NULL && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

void hy_sin_cos_many(const double *angles_rad, size_t count, double *sines, double *cosines)
{
    size_t done = 0;
    if (count >= 8 && has_avx512()) {
        done = hy_sines_avx512(angles_rad, count, sines, cosines);
    }
    if (count - done >= 4 && has_avx2()) {
        done += hy_sines_avx2(angles_rad + done, count - done, sines + done, cosines + done);
    }
    if (count - done >= 2 && hy_sines_of_two != NULL) {
        done += hy_sines_of_two(angles_rad + done, count - done, sines + done, cosines + done);
    }
    for (; done < count; done++) {
        const hy_sine_cosine both = hy_sin_cos(angles_rad[done]);
        sines[done] = both.sin;
        cosines[done] = both.cos;
    }
}
