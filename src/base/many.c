#include "many.h"

#include <halyard/base.h>

/// Whether this processor can run what the build compiled for AVX2.
static bool has_avx2(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return hy_many_avx2 != NULL && __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

/// The same for AVX-512.
static bool has_avx512(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return hy_many_avx512 != NULL && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

/// The widest vectors that so many numbers fill and the processor has; NULL: none.
static const hy_many_path *path_for(size_t count)
{
    if (count >= 8 && has_avx512()) {
        return hy_many_avx512;
    }
    if (count >= 4 && has_avx2()) {
        return hy_many_avx2;
    }
    return count >= 2 ? hy_many_two : NULL;
}

void hy_sin_cos_many(const double *angles_rad, size_t count, double *sines, double *cosines)
{
    size_t done = 0;
    const hy_many_path *path;
    while ((path = path_for(count - done)) != NULL) {
        done += path->sin_cos(angles_rad + done, count - done, sines + done, cosines + done);
    }
    for (; done < count; done++) {
        const hy_sine_cosine both = hy_sin_cos(angles_rad[done]);
        sines[done] = both.sin;
        cosines[done] = both.cos;
    }
}

void hy_exp_many(const double *x, size_t count, double *powers)
{
    size_t done = 0;
    const hy_many_path *path;
    while ((path = path_for(count - done)) != NULL) {
        done += path->exp(x + done, count - done, powers + done);
    }
    for (; done < count; done++) {
        powers[done] = hy_exp(x[done]);
    }
}

void hy_log_many(const double *x, size_t count, double *logarithms)
{
    size_t done = 0;
    const hy_many_path *path;
    while ((path = path_for(count - done)) != NULL) {
        done += path->log(x + done, count - done, logarithms + done);
    }
    for (; done < count; done++) {
        logarithms[done] = hy_log(x[done]);
    }
}
