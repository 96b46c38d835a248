/// @file lanes.h
/// Vectors of doubles: code that is written with these types computes LANES numbers at once, or one. A file that includes this defines
/// LANES: 1, or a power of two for which the processor that it is compiled for has vectors. Every operation is on one lane, and rounds
/// as IEEE 754 says, so that LANES changes no bit of any result.
#ifndef HY_WORLD_LANES_H
#define HY_WORLD_LANES_H

#include <halyard/base.h>

#include <math.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h> // for operations that the compiler's vectors lack: square roots, and the signs of all lanes
#endif

/// How many independent vectors to compute in turns where each operation depends on the one before.
#define LANES_TOGETHER 4

#if LANES == 1
typedef double lanes;
typedef bool mask;
#else
typedef double lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t mask __attribute__((vector_size(8 * LANES))); ///< 0 or -1 in each lane.
#endif

/// Loads LANES consecutive numbers.
static inline lanes load(const double *from)
{
    lanes v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store(double *to, lanes v)
{
    memcpy(to, &v, sizeof v);
}

static inline double lane_of(lanes v, size_t lane)
{
#if LANES == 1
    (void)lane;
    return v;
#else
    return v[lane];
#endif
}

static inline void set_lane(lanes *v, size_t lane, double value)
{
#if LANES == 1
    (void)lane;
    *v = value;
#else
    (*v)[lane] = value;
#endif
}

/// The same number in every lane.
static inline lanes broadcast(double value)
{
    return value - (lanes){ 0 };
}

#if LANES == 1
static inline lanes blend(mask where, lanes yes, lanes no)
{
    return where ? yes : no;
}

static inline mask mask_not(mask where)
{
    return !where;
}

/// One bit for each lane, 1 where the mask is set.
static inline unsigned mask_bits(mask where)
{
    return where;
}

/// The first lane whose bit mask_bits() has set.
static inline size_t lowest_lane(unsigned bits)
{
    (void)bits;
    return 0;
}

static inline bool any(mask where)
{
    return where;
}

static inline lanes lanes_sqrt(lanes square)
{
    return sqrt(square);
}
#else
/// In each lane `yes` where that is set, else `no`.
static inline lanes blend(mask where, lanes yes, lanes no)
{
#if LANES == 4 && defined(__AVX2__)
    return (lanes)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)where);
#else
    return (lanes)((where & (mask)yes) | (~where & (mask)no));
#endif
}

/// Where it is not set.
static inline mask mask_not(mask where)
{
    return ~where;
}

/// One bit for each lane, 1 where the mask is set.
static inline unsigned mask_bits(mask where)
{
#if LANES == 2 && defined(__SSE2__)
    return (unsigned)_mm_movemask_pd((__m128d)where);
#elif LANES == 4 && defined(__AVX2__)
    return (unsigned)_mm256_movemask_pd((__m256d)where);
#elif LANES == 8 && defined(__AVX512DQ__)
    return _mm512_movepi64_mask((__m512i)where);
#else
    unsigned bits = 0;
    for (int i = 0; i < LANES; i++) {
        bits |= (unsigned)(where[i] & 1) << i;
    }
    return bits;
#endif
}

/// The first lane whose bit mask_bits() has set.
static inline size_t lowest_lane(unsigned bits)
{
    return (size_t)__builtin_ctz(bits);
}

static inline bool any(mask where)
{
    return mask_bits(where) != 0;
}

static inline lanes lanes_sqrt(lanes square)
{
#if LANES == 2 && defined(__SSE2__)
    return (lanes)_mm_sqrt_pd((__m128d)square);
#elif LANES == 4 && defined(__AVX2__)
    return (lanes)_mm256_sqrt_pd((__m256d)square);
#elif LANES == 8 && defined(__AVX512DQ__)
    return (lanes)_mm512_sqrt_pd((__m512d)square);
#else
    lanes v = square;
    for (int i = 0; i < LANES; i++) {
        v[i] = sqrt(v[i]);
    }
    return v;
#endif
}
#endif

/// The mask of all lanes.
static inline mask everywhere(void)
{
    return mask_not((mask){ 0 });
}

// hy_min(), hy_max() and fabs() of each lane. The processor's instructions give the same results: the second number if both are
// equal or one is NaN.

static inline lanes lanes_min(lanes a, lanes b)
{
#if LANES == 2 && defined(__SSE2__)
    return (lanes)_mm_min_pd((__m128d)a, (__m128d)b);
#elif LANES == 4 && defined(__AVX2__)
    return (lanes)_mm256_min_pd((__m256d)a, (__m256d)b);
#elif LANES == 8 && defined(__AVX512DQ__)
    return (lanes)_mm512_min_pd((__m512d)a, (__m512d)b);
#else
    return blend(a < b, a, b);
#endif
}

static inline lanes lanes_max(lanes a, lanes b)
{
#if LANES == 2 && defined(__SSE2__)
    return (lanes)_mm_max_pd((__m128d)a, (__m128d)b);
#elif LANES == 4 && defined(__AVX2__)
    return (lanes)_mm256_max_pd((__m256d)a, (__m256d)b);
#elif LANES == 8 && defined(__AVX512DQ__)
    return (lanes)_mm512_max_pd((__m512d)a, (__m512d)b);
#else
    return blend(a > b, a, b);
#endif
}

static inline lanes lanes_abs(lanes value)
{
#if LANES == 1
    return fabs(value);
#else
    return (lanes)((mask)value & INT64_MAX);
#endif
}

/// hy_clamp() of numbers; `low` is not above `high`.
static inline lanes lanes_clamp(lanes value, lanes low, lanes high)
{
    return lanes_max(low, lanes_min(high, value));
}

/// hy_sin_cos() of each lane of `count` vectors.
static inline void lanes_sin_cos_many(const lanes *angles_rad, size_t count, lanes *sines,
                                      lanes *cosines)
{
#if LANES == 1
    for (size_t i = 0; i < count; i++) {
        const hy_sine_cosine both = hy_sin_cos(angles_rad[i]);
        sines[i] = both.sin;
        cosines[i] = both.cos;
    }
#else
    hy_sin_cos_many((const double *)(const void *)angles_rad, count * LANES,
                    (double *)(void *)sines, (double *)(void *)cosines);
#endif
}

static inline void lanes_sin_cos(lanes angle_rad, lanes *sine, lanes *cosine)
{
    lanes_sin_cos_many(&angle_rad, 1, sine, cosine);
}

/// hy_exp() of each lane of `count` vectors.
static inline void lanes_exp_many(const lanes *x, size_t count, lanes *powers)
{
    hy_exp_many((const double *)(const void *)x, count * LANES, (double *)(void *)powers);
}

static inline lanes lanes_exp(lanes x)
{
#if LANES == 1
    return hy_exp(x);
#else
    lanes power;
    lanes_exp_many(&x, 1, &power);
    return power;
#endif
}

/// hy_log() of each lane of `count` vectors.
static inline void lanes_log_many(const lanes *x, size_t count, lanes *logarithms)
{
    hy_log_many((const double *)(const void *)x, count * LANES, (double *)(void *)logarithms);
}

/// floor() of each lane.
static inline lanes lanes_floor(lanes value)
{
#if LANES == 1
    return floor(value);
#elif LANES == 4 && defined(__AVX2__)
    return (lanes)_mm256_floor_pd((__m256d)value);
#elif LANES == 8 && defined(__AVX512DQ__)
    return (lanes)_mm512_floor_pd((__m512d)value);
#else
    lanes v = value;
    for (int i = 0; i < LANES; i++) {
        v[i] = floor(v[i]);
    }
    return v;
#endif
}

#endif
