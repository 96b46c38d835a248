/// @file many_simd.h
/// Private: elementary functions of LANES numbers at once: the operations of math.c, in the same order. A file that includes this
/// defines LANES and is compiled for a processor that has such vectors.
#ifndef HALYARD_BASE_MANY_SIMD_H
#define HALYARD_BASE_MANY_SIMD_H

#include <halyard/base.h>

#include "bits.h"
#include "exp_terms.h"
#include "many.h"
#include "sine_terms.h"

typedef double lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t lanes_mask __attribute__((vector_size(8 * LANES)));
typedef uint64_t lanes_bits __attribute__((vector_size(8 * LANES)));
typedef int32_t lanes_whole __attribute__((vector_size(4 * LANES)));

/// An unevaluated sum of two doubles, in each lane.
typedef struct {
    lanes hi, lo;
} lanes_sum;

static inline lanes choose(lanes_mask where, lanes yes, lanes no)
{
    return (lanes)((where & (lanes_mask)yes) | (~where & (lanes_mask)no));
}

static inline lanes_sum exact_lanes_sum(lanes a, lanes b)
{
    const lanes hi = a + b;
    const lanes b_part = hi - a;
    const lanes a_part = hi - b_part;
    return (lanes_sum){ hi, (a - a_part) + (b - b_part) };
}

/// rounded(), of numbers below 2^31.
static inline lanes round_lanes(lanes value)
{
    const lanes half = choose(value < 0.0, (lanes){ 0 } - 0.5, (lanes){ 0 } + 0.5);
    return __builtin_convertvector(__builtin_convertvector(value + half, lanes_whole), lanes);
}

static inline lanes load_lanes(const double *from)
{
    lanes value;
    memcpy(&value, from, sizeof value);
    return value;
}

/// Whether it holds in all lanes.
static inline bool is_everywhere(lanes_mask where)
{
    int64_t all = -1;
    for (int i = 0; i < LANES; i++) {
        all &= where[i];
    }
    return all != 0;
}

// --------------------------------------------------------------------------- sine and cosine

/// reduce_short(); `quarters` are modulo 2^51.
static inline lanes_sum reduce_lanes(lanes angle, lanes_bits *quarters)
{
    const lanes_mask is_small = (angle <= 0.75) & (angle >= -0.75);
    const lanes n = choose(is_small, (lanes){ 0 }, round_lanes(angle * TWO_OVER_PI));
    const lanes first = angle - n * HALF_PI_1;
    const lanes_sum second = exact_lanes_sum(first, -(n * HALF_PI_2));
    const lanes_sum third = exact_lanes_sum(second.hi, -(n * HALF_PI_3));
    const lanes tail = (second.lo + third.lo) - n * HALF_PI_4;
    const lanes_sum rest = exact_lanes_sum(third.hi, tail);
    *quarters = (lanes_bits)(n + 0x1.8p52); // a whole number, in the low bits of the double
    return (lanes_sum){ choose(is_small, angle, rest.hi), choose(is_small, (lanes){ 0 }, rest.lo) };
}

static inline lanes sine_of_lanes(lanes_sum x)
{
    const lanes z = x.hi * x.hi;
    const lanes w = z * z;
    return x.hi + (x.hi * z * SINE_TAIL(z, w) + x.lo * (1.0 - 0.5 * z));
}

static inline lanes cosine_of_lanes(lanes_sum x)
{
    const lanes z = x.hi * x.hi;
    const lanes w = z * z;
    const lanes tail = COSINE_TAIL(z, w);
    const lanes half = 0.5 * z;
    const lanes head = 1.0 - half;
    const lanes head_error = (1.0 - head) - half;
    return head + (head_error + (tail - x.hi * x.lo));
}

/// Of angles below SHORT_REDUCTION_LIMIT.
static inline void sin_cos_of_lanes(lanes angle, double *sines, double *cosines)
{
    lanes_bits quarters;
    const lanes_sum rest = reduce_lanes(angle, &quarters);
    const lanes near_sine = choose(angle == 0.0, angle, sine_of_lanes(rest));
    const lanes near_cosine = cosine_of_lanes(rest);
    const lanes_mask is_odd = -(lanes_mask)(quarters & 1);
    const lanes_bits sine_sign = quarters >> 1 << 63;
    const lanes_bits cosine_sign = (quarters + 1) >> 1 << 63;
    const lanes sine = (lanes)((lanes_bits)choose(is_odd, near_cosine, near_sine) ^ sine_sign);
    const lanes cosine = (lanes)((lanes_bits)choose(is_odd, near_sine, near_cosine) ^ cosine_sign);
    memcpy(sines, &sine, sizeof sine);
    memcpy(cosines, &cosine, sizeof cosine);
}

static size_t sin_cos_path(const double *angles_rad, size_t count, double *sines, double *cosines)
{
    size_t done = 0;
    for (; done + LANES <= count; done += LANES) {
        const lanes angle = load_lanes(angles_rad + done);
        if (is_everywhere((angle < SHORT_REDUCTION_LIMIT) & (angle > -SHORT_REDUCTION_LIMIT))) {
            sin_cos_of_lanes(angle, sines + done, cosines + done);
            continue;
        }
        for (size_t i = done; i < done + LANES; i++) {
            const hy_sine_cosine both = hy_sin_cos(angles_rad[i]);
            sines[i] = both.sin;
            cosines[i] = both.cos;
        }
    }
    return done;
}

// --------------------------------------------------------------------------- exponential

/// Powers of numbers below this neither over- nor underflow.
#define SHORT_POWER_LIMIT 700.0

/// hy_exp() of numbers below SHORT_POWER_LIMIT.
static inline lanes exp_of_lanes(lanes x)
{
    const lanes n = round_lanes(x * ONE_OVER_LN_2);
    const lanes_sum rest = exact_lanes_sum(x - n * LN_2_1, -(n * LN_2_2));
    const lanes z = rest.hi * rest.hi;
    const lanes power = 1.0 + (rest.hi + (rest.lo + EXP_TAIL(rest.hi, z)));
    // 2^n: the exponent is a whole number in the low bits of the double.
    return power * (lanes)((lanes_bits)(n + (0x1.8p52 + 1023.0)) << 52);
}

static size_t exp_path(const double *x, size_t count, double *powers)
{
    size_t done = 0;
    for (; done + LANES <= count; done += LANES) {
        const lanes of = load_lanes(x + done);
        if (is_everywhere((of < SHORT_POWER_LIMIT) & (of > -SHORT_POWER_LIMIT))) {
            const lanes power = exp_of_lanes(of);
            memcpy(powers + done, &power, sizeof power);
            continue;
        }
        for (size_t i = done; i < done + LANES; i++) {
            powers[i] = hy_exp(x[i]);
        }
    }
    return done;
}

// --------------------------------------------------------------------------- logarithm

/// hy_log() of positive normal numbers.
static inline lanes log_of_lanes(lanes x)
{
    const lanes_bits one = (lanes_bits){ 0 } + (UINT64_C(1023) << 52);
    const lanes mantissa = (lanes)(((lanes_bits)x & (UINT64_MAX >> 12)) | one);
    const lanes_mask is_high = mantissa > SQRT_2;
    // The exponent's bits are the low ones of a double that is 2^52 more than them.
    const lanes exponent =
        (lanes)((lanes_bits)x >> 52 | UINT64_C(0x4330000000000000)) - (0x1p52 + 1023.0);
    const lanes n = choose(is_high, exponent + 1.0, exponent);
    const lanes f = choose(is_high, mantissa * 0.5, mantissa) - 1.0;
    const lanes s = f / (2.0 + f);
    const lanes z = s * s;
    const lanes w = z * z;
    const lanes half = 0.5 * f * f;
    const lanes small = s * (half + LOG_TAIL(z, w)) + n * LN_2_2;
    const lanes_sum head = exact_lanes_sum(n * LN_2_1, f);
    return head.hi + (head.lo - (half - small));
}

static size_t log_path(const double *x, size_t count, double *logarithms)
{
    size_t done = 0;
    for (; done + LANES <= count; done += LANES) {
        const lanes of = load_lanes(x + done);
        if (is_everywhere((of >= 0x1p-1022) & (of <= 0x1.fffffffffffffp+1023))) {
            const lanes logarithm = log_of_lanes(of);
            memcpy(logarithms + done, &logarithm, sizeof logarithm);
            continue;
        }
        for (size_t i = done; i < done + LANES; i++) {
            logarithms[i] = hy_log(x[i]);
        }
    }
    return done;
}

static const hy_many_path many_path = { sin_cos_path, exp_path, log_path };

#endif
