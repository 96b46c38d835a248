// Elementary functions with the same bits on every target: nothing here but IEEE 754 double
// additions, multiplications and divisions in a written order, integer arithmetic, and moves
// between the two. Every function first brings its argument near 0, keeping the rounding errors of
// that step in a second double, and then sums a Taylor series. Its coefficients are reciprocals of
// small integers, which the compiler rounds correctly from the quotients written here, so there is
// nothing to fit and nothing to mistype. The other constants are binary expansions of pi, 2/pi,
// ln 2 and of arctangents, computed with 1500-bit integers from Machin-like sums of arctangents.
#include <halyard/base.h>

#include "bits.h"
#include "exp_terms.h"
#include "sine_terms.h"

/// An unevaluated sum of two doubles; |lo| is at most about half an ulp of hi.
typedef struct {
    double hi, lo;
} sum2;

// --------------------------------------------------------------------------- bits

/// 2^exponent, for exponents of normal numbers: -1022..1023.
static double power_of_two(int exponent)
{
    return double_of((uint64_t)(exponent + 1023) << 52);
}

/// The exponent of a finite `value`: value = m 2^e with 1 <= |m| < 2; -1023 for 0 and subnormals.
static int exponent_of(double value)
{
    return (int)(bits_of(value) >> 52 & 0x7ff) - 1023;
}

static double with_sign_of(double value, double sign)
{
    return double_of((bits_of(value) & (UINT64_MAX >> 1)) | (bits_of(sign) & ~(UINT64_MAX >> 1)));
}

static bool is_finite(double value)
{
    return (bits_of(value) >> 52 & 0x7ff) != 0x7ff;
}

/// The nearest integer, for |value| < 2^31; halves away from 0.
static int32_t rounded(double value)
{
    return (int32_t)(value < 0.0 ? value - 0.5 : value + 0.5);
}

// --------------------------------------------------------------------------- exact sums, products

/// a + b without error (Knuth's two-sum).
static sum2 exact_sum(double a, double b)
{
    const double hi = a + b;
    const double b_part = hi - a;
    const double a_part = hi - b_part;
    return (sum2){ hi, (a - a_part) + (b - b_part) };
}

/// a * b without error, if nothing over- or underflows (Dekker's product with Veltkamp's split).
static sum2 exact_product(double a, double b)
{
    const double splitter = 0x1p27 + 1.0;
    const double a_scaled = splitter * a, b_scaled = splitter * b;
    const double a_high = a_scaled - (a_scaled - a), b_high = b_scaled - (b_scaled - b);
    const double a_low = a - a_high, b_low = b - b_high;
    const double hi = a * b;
    const double lo = ((a_high * b_high - hi) + a_high * b_low + a_low * b_high) + a_low * b_low;
    return (sum2){ hi, lo };
}

// --------------------------------------------------------------------------- angles near 0

static const sum2 half_pi = { 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54 };
static const sum2 whole_pi = { 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53 };

/// angle = quarters * pi/2 + rest, with |rest| <= pi/4 (and a rounding) and quarters modulo 4.
typedef struct {
    sum2 rest;
    unsigned quarters;
} reduced_angle;

/// Cody and Waite's reduction. What the parts of pi/2 leave out is below 2^-137 times quarters,
/// while no double is closer than about 2^-62 to a multiple of pi/2.
static reduced_angle reduce_short(double angle)
{
    const int32_t quarters = rounded(angle * TWO_OVER_PI);
    const double n = (double)quarters;
    const double first =
        angle - n * HALF_PI_1; // exact: both are multiples of the same small power of 2
    const sum2 second = exact_sum(first, -(n * HALF_PI_2));
    const sum2 third = exact_sum(second.hi, -(n * HALF_PI_3));
    const double tail = (second.lo + third.lo) - n * HALF_PI_4;
    return (reduced_angle){ exact_sum(third.hi, tail), (unsigned)quarters & 3 };
}

/// The binary digits of 2/pi, behind 64 zeros so that a window may start before the point.
static const uint32_t two_over_pi_digits[39] = {
    0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046,
};

enum { WINDOW_WORDS = 6 }; // 192 bits

/// mantissa * digits[first_bit ..], the low 192 bits of the product, most significant word first.
static void multiply_window(uint64_t mantissa, unsigned first_bit, uint32_t product[WINDOW_WORDS])
{
    const uint32_t *digits = two_over_pi_digits + first_bit / 32;
    const unsigned shift = first_bit % 32;
    const uint64_t low = mantissa & UINT32_MAX, high = mantissa >> 32;
    uint64_t carry = 0;
    uint32_t below = 0; // the window's word right of the present one
    for (size_t i = WINDOW_WORDS; i-- > 0;) {
        const uint64_t pair = (uint64_t)digits[i] << 32 | digits[i + 1];
        const uint32_t word = (uint32_t)(pair >> (32 - shift));
        // Three terms below 2^64 in all: low * word is at most (2^32 - 1)^2, high is below 2^21.
        const uint64_t column = low * word + (carry & UINT32_MAX);
        const uint64_t next = high * below + (carry >> 32);
        product[i] = (uint32_t)(column + next);
        // The sum of the two may overflow, so their halves are added apart.
        carry = (column >> 32) + (next >> 32) + (((column & UINT32_MAX) + (next & UINT32_MAX)) >> 32);
        below = word;
    }
}

/// Payne and Hanek's reduction for large angles: angle * 2/pi with just those digits of 2/pi that
/// decide about the quarter and 190 bits behind it. No double is closer than 2^-62 or so to a
/// multiple of pi/2, so at least 75 good bits remain.
static reduced_angle reduce_long(double angle)
{
    const uint64_t mantissa = (bits_of(angle) & (UINT64_MAX >> 12)) | UINT64_C(1) << 52;
    const int exponent = exponent_of(angle) - 52; // |angle| = mantissa 2^exponent
    uint32_t product[WINDOW_WORDS];
    // Digits of weight 2^2 and more, times 2^exponent, only add whole turns.
    multiply_window(mantissa, (unsigned)(exponent + 62), product);

    unsigned quarters = product[0] >> 30;
    const bool rounds_up = (product[0] >> 29 & 1) != 0;
    quarters += rounds_up ? 1 : 0;
    // The fraction of a quarter, as a two's complement number in [-1/2, +1/2).
    sum2 fraction = { 0.0, 0.0 };
    double weight = 0x1p-30;
    for (size_t i = 0; i < WINDOW_WORDS; i++) {
        uint32_t word = rounds_up ? ~product[i] : product[i]; // ~ is off by 2^-190: nothing
        word = i == 0 ? word & (UINT32_MAX >> 2) : word;
        const sum2 sum = exact_sum(fraction.hi, (double)word * weight);
        fraction = (sum2){ sum.hi, fraction.lo + sum.lo };
        weight *= 0x1p-32;
    }
    const sum2 product2 = exact_product(fraction.hi, half_pi.hi);
    sum2 rest =
        exact_sum(product2.hi, product2.lo + (fraction.hi * half_pi.lo + fraction.lo * half_pi.hi));
    const bool negative = rounds_up != (angle < 0.0);
    rest = negative ? (sum2){ -rest.hi, -rest.lo } : rest;
    return (reduced_angle){ rest, (angle < 0.0 ? 0u - quarters : quarters) & 3 };
}

/// For every finite angle.
static reduced_angle reduce(double angle)
{
    if (magnitude(angle) <= 0.75) { // below pi/4
        return (reduced_angle){ { angle, 0.0 }, 0 };
    }
    return magnitude(angle) < SHORT_REDUCTION_LIMIT ? reduce_short(angle) : reduce_long(angle);
}

// --------------------------------------------------------------------------- sine and cosine

/// sin(x) for |x| <= pi/4 as x.hi and what is to be added: the first term left out is below 2^-63.
static sum2 sine_near_zero(sum2 x)
{
    const double z = x.hi * x.hi;
    const double w = z * z;
    return (sum2){ x.hi, x.hi * z * SINE_TAIL(z, w) + x.lo * (1.0 - 0.5 * z) };
}

/// cos(x) for |x| <= pi/4 as 1 - x.hi^2/2, rounded, and what is to be added: the first term left out
/// is below 2^-58.
static sum2 cosine_near_zero(sum2 x)
{
    const double z = x.hi * x.hi;
    const double w = z * z;
    const double tail = COSINE_TAIL(z, w);
    const double half = 0.5 * z;
    const double head = 1.0 - half;
    const double head_error = (1.0 - head) - half;
    return (sum2){ head, head_error + (tail - x.hi * x.lo) };
}

/// sin(angle + turn * pi/2)
static double sine_turned(double angle, unsigned turn)
{
    const reduced_angle reduced = reduce(angle);
    const unsigned quarters = reduced.quarters + turn;
    const sum2 parts =
        (quarters & 1) != 0 ? cosine_near_zero(reduced.rest) : sine_near_zero(reduced.rest);
    const double value = parts.hi + parts.lo;
    return (quarters & 2) != 0 ? -value : value;
}

double hy_sin(double angle_rad)
{
    if (angle_rad == 0.0) {
        return angle_rad; // keeps the sign of -0
    }
    return is_finite(angle_rad) ? sine_turned(angle_rad, 0) : not_a_number();
}

double hy_cos(double angle_rad)
{
    return is_finite(angle_rad) ? sine_turned(angle_rad, 1) : not_a_number();
}

hy_sine_cosine hy_sin_cos(double angle_rad)
{
    if (!is_finite(angle_rad)) {
        return (hy_sine_cosine){ not_a_number(), not_a_number() };
    }
    const reduced_angle reduced = reduce(angle_rad);
    const sum2 sine_parts = sine_near_zero(reduced.rest);
    const sum2 cosine_parts = cosine_near_zero(reduced.rest);
    const double sine = sine_parts.hi + sine_parts.lo;
    const double cosine = cosine_parts.hi + cosine_parts.lo;
    switch (reduced.quarters) {
    case 0: return (hy_sine_cosine){ angle_rad == 0.0 ? angle_rad : sine, cosine };
    case 1: return (hy_sine_cosine){ cosine, -sine };
    case 2: return (hy_sine_cosine){ -sine, -cosine };
    default: return (hy_sine_cosine){ -cosine, sine };
    }
}

double hy_tan(double angle_rad)
{
    if (angle_rad == 0.0) {
        return angle_rad; // keeps the sign of -0
    }
    if (!is_finite(angle_rad)) {
        return not_a_number();
    }
    const reduced_angle reduced = reduce(angle_rad);
    const bool is_turned = (reduced.quarters & 1) != 0; // tan(x + pi/2) = -cos(x) / sin(x)
    const sum2 sine_parts = sine_near_zero(reduced.rest);
    const sum2 cosine_parts = cosine_near_zero(reduced.rest);
    const sum2 sine = exact_sum(sine_parts.hi, sine_parts.lo);
    const sum2 cosine = exact_sum(cosine_parts.hi, cosine_parts.lo);
    const sum2 above = is_turned ? (sum2){ -cosine.hi, -cosine.lo } : sine;
    const sum2 below = is_turned ? sine : cosine;
    const double quotient = above.hi / below.hi;
    if (magnitude(quotient) < 0x1p-900) {
        return quotient; // the tangent of so little is the angle itself
    }
    const sum2 product = exact_product(quotient, below.hi);
    const double rest = ((above.hi - product.hi) - product.lo) + (above.lo - quotient * below.lo);
    return quotient + rest / below.hi;
}

double hy_wrap_angle(double angle_rad)
{
    if (angle_rad > -HY_PI && angle_rad <= HY_PI) {
        return angle_rad;
    }
    if (!is_finite(angle_rad)) {
        return not_a_number();
    }
    const reduced_angle reduced = reduce(angle_rad);
    const sum2 rest = reduced.rest;
    const sum2 offsets[4] = { { 0.0, 0.0 },
                              half_pi,
                              rest.hi > 0.0 ? (sum2){ -whole_pi.hi, -whole_pi.lo } : whole_pi,
                              { -half_pi.hi, -half_pi.lo } };
    const sum2 offset = offsets[reduced.quarters];
    const sum2 sum = exact_sum(offset.hi, rest.hi);
    const double wrapped = sum.hi + (sum.lo + (offset.lo + rest.lo));
    return wrapped == -HY_PI ? HY_PI : wrapped;
}

// --------------------------------------------------------------------------- arctangent

/// atan(k/8)
static const sum2 atan_of_eighths[9] = {
    { 0.0, 0.0 },
    { 0.0, 0.0 }, // not used: the series reaches to 3/16
    { 0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57 },
    { 0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56 },
    { 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56 },
    { 0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58 },
    { 0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56 },
    { 0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56 },
    { 0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55 },
};

/// atan(t) - t for |t| <= 3/16: the first term left out is below 2^-62 of t.
static double atan_tail(double t)
{
    const double z = t * t;
    const double w = z * z;
    const double even = 1.0 / 5 + w * (1.0 / 9 + w * (1.0 / 13 + w * (1.0 / 17 + w * (1.0 / 21))));
    const double odd = 1.0 / 3 + w * (1.0 / 7 + w * (1.0 / 11 + w * (1.0 / 15 + w * (1.0 / 19))));
    return t * z * (z * even - odd);
}

/// base + sign * atan(small / large) for 0 <= small <= large, both normal and of like size.
static double atan_of_ratio(double small, double large, sum2 base, double sign)
{
    const double ratio = small / large;
    const sum2 product = exact_product(ratio, large);
    const double ratio_error = ((small - product.hi) - product.lo) / large;
    // atan(ratio) = atan(c) + atan(t), c being the nearest eighth: t is at most 1/16, or 3/16 near 0.
    const int32_t nearest = rounded(8.0 * ratio);
    const int32_t eighths = nearest < 2 ? 0 : nearest;
    const double c = 0.125 * (double)eighths;
    const double t = ((ratio - c) + ratio_error) / (1.0 + ratio * c);
    // Of a sum with a row of the table, t is the smaller part, and its rounding does not show.
    const sum2 last = eighths == 0 ? (sum2){ ratio, ratio_error } : (sum2){ t, 0.0 };
    const sum2 row = atan_of_eighths[eighths];

    const sum2 first = exact_sum(base.hi, sign * row.hi);
    const sum2 second = exact_sum(first.hi, sign * last.hi);
    const double low = sign * (row.lo + (last.lo + atan_tail(t)));
    return second.hi + (second.lo + (first.lo + (base.lo + low)));
}

double hy_atan2(double y, double x)
{
    if (y != y || x != x) {
        return not_a_number();
    }
    if (y == 0.0 && x == 0.0) {
        return 0.0;
    }
    const double across = magnitude(y), along = magnitude(x);
    const bool backward = x<0.0, steep = across> along;
    double large = steep ? across : along, small = steep ? along : across;
    if (!is_finite(large)) { // an axis, or the diagonal if both are infinite: C11 F.10.1.4
        small = is_finite(small) ? 0.0 : 1.0;
        large = 1.0;
    }
    const sum2 base = steep ? half_pi : backward ? whole_pi : (sum2){ 0.0, 0.0 };
    const double sign = steep != backward ? -1.0 : 1.0;

    double angle;
    if (exponent_of(large) - exponent_of(small) > 60) {
        // atan(q) is q to far beyond the last bit, and q is nothing beside pi/2.
        angle = steep || backward ? base.hi : small / large;
    } else {
        // Away from both ends of the range, so that the exact product neither over- nor underflows.
        const int exponent = exponent_of(large);
        const double scale = power_of_two(exponent > 900 ? -200 : exponent < -500 ? 400 : 0);
        angle = atan_of_ratio(small * scale, large * scale, base, sign);
    }
    return with_sign_of(angle, y);
}

// --------------------------------------------------------------------------- exponential

double hy_exp(double x)
{
    if (x != x) {
        return not_a_number();
    }
    if (x > 710.0) { // the largest double is e^709.78...
        return infinity();
    }
    if (x < -746.0) { // half of the smallest one is e^-745.13...
        return 0.0;
    }
    const int32_t n = rounded(x * ONE_OVER_LN_2);
    const sum2 rest = exact_sum(x - (double)n * LN_2_1, -((double)n * LN_2_2));
    const double z = rest.hi * rest.hi;
    const double power = 1.0 + (rest.hi + (rest.lo + EXP_TAIL(rest.hi, z)));
    // 2^n in two factors: the first keeps the product normal, the second may round it, once.
    const int half = n < -1000 ? -1000 : n > 1000 ? 1000 : n;
    return power * power_of_two(half) * power_of_two(n - half);
}

// --------------------------------------------------------------------------- logarithm

double hy_log(double x)
{
    if (x != x || x < 0.0) {
        return not_a_number();
    }
    if (x == 0.0) {
        return -infinity();
    }
    if (!is_finite(x)) {
        return x;
    }
    // x = 2^n (1 + f) with sqrt(1/2) < 1 + f < sqrt(2), about.
    const bool is_subnormal = x < 0x1p-1022;
    const double normal = is_subnormal ? x * 0x1p54 : x;
    const double mantissa = double_of((bits_of(normal) & (UINT64_MAX >> 12)) | UINT64_C(1023) << 52);
    const bool is_high = mantissa > SQRT_2;
    const int32_t n = exponent_of(normal) - (is_subnormal ? 54 : 0) + (is_high ? 1 : 0);
    const double f = (is_high ? mantissa * 0.5 : mantissa) - 1.0;
    // ln(1 + f) = 2 atanh(s) with s = f / (2 + f), and 2 s = f - s f: so f, exact, is the main part of the sum.
    const double s = f / (2.0 + f);
    const double z = s * s;
    const double w = z * z;
    const double half = 0.5 * f * f;
    const double small = s * (half + LOG_TAIL(z, w)) + (double)n * LN_2_2;
    const sum2 head = exact_sum((double)n * LN_2_1, f);
    return head.hi + (head.lo - (half - small));
}
