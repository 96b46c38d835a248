/// @file sines_path.h
/// Private: sines and cosines of LANES angles at once: the operations of math.c, in the same order. A file that includes this
/// defines LANES and is compiled for a processor that has such vectors.
#ifndef HALYARD_BASE_SINES_PATH_H
#define HALYARD_BASE_SINES_PATH_H

#include <halyard/base.h>

#include "bits.h"
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

/// reduce_short(); `quarters` are modulo 2^51.
static inline lanes_sum reduce_lanes(lanes angle, lanes_bits *quarters)
{
    const lanes_mask is_small = (angle <= 0.75) & (angle >= -0.75);
    const lanes wanted = angle * TWO_OVER_PI;
    const lanes half = choose(wanted < 0.0, (lanes){ 0 } - 0.5, (lanes){ 0 } + 0.5);
    const lanes_whole whole = __builtin_convertvector(wanted + half, lanes_whole);
    const lanes n = choose(is_small, (lanes){ 0 }, __builtin_convertvector(whole, lanes));
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

static inline bool are_short(const double angles_rad[LANES])
{
    bool all = true;
    for (int i = 0; i < LANES; i++) {
        all = all && magnitude(angles_rad[i]) < SHORT_REDUCTION_LIMIT;
    }
    return all;
}

static size_t sines_path(const double *angles_rad, size_t count, double *sines, double *cosines)
{
    size_t done = 0;
    for (; done + LANES <= count; done += LANES) {
        if (are_short(angles_rad + done)) {
            lanes angle;
            memcpy(&angle, angles_rad + done, sizeof angle);
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

#endif
