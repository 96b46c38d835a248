// Square roots. IEEE 754 asks for a correctly rounded one, so a processor's own instruction and the
// integers below give the same bits; a core without the instruction, or HY_SQRT_BY_INTEGERS, takes
// the integers.
#include <halyard/base.h>

#include "bits.h"

#if defined(HY_SQRT_BY_INTEGERS)
#define HAS_SQRT_INSTRUCTION 0
#elif defined(__SSE2__) || defined(__aarch64__) || defined(__wasm__)
#define HAS_SQRT_INSTRUCTION 1
#elif defined(__ARM_FP)
#define HAS_SQRT_INSTRUCTION ((__ARM_FP & 8) != 0) // 8: in double precision
#else
#define HAS_SQRT_INSTRUCTION 0
#endif

#if !HAS_SQRT_INSTRUCTION
/// floor(sqrt(radicand * 2^54)) for 2^52 <= radicand < 2^54, by the pencil method: two bits of the
/// radicand bring one of the root. What remains below is never read: it cannot be half a place.
static uint64_t root_of_54_bits(uint64_t radicand)
{
    uint64_t root = 0, rest = 0;
    for (int pair = 26; pair >= -27; pair--) {
        const uint64_t next = pair >= 0 ? radicand >> (2 * pair) & 3 : 0;
        const uint64_t trial = root << 2 | 1;
        rest = rest << 2 | next;
        root <<= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1;
        }
    }
    return root;
}

/// The root of a positive finite value.
static double positive_root(double value)
{
    int exponent = (int)(bits_of(value) >> 52);
    uint64_t mantissa = bits_of(value) & (UINT64_MAX >> 12);
    if (exponent == 0) { // subnormal
        for (exponent = 1; mantissa < UINT64_C(1) << 52; exponent--) {
            mantissa <<= 1;
        }
    } else {
        mantissa |= UINT64_C(1) << 52;
    }
    exponent -= 1023 + 52; // value = mantissa 2^exponent
    if ((exponent & 1) != 0) {
        mantissa <<= 1;
        exponent--;
    }
    const uint64_t rounded = (root_of_54_bits(mantissa) + 1) >> 1; // 2^52 .. 2^53
    const int biased = exponent / 2 - 26 + 52 + 1023;
    return double_of(((uint64_t)biased << 52) + (rounded - (UINT64_C(1) << 52)));
}
#endif

double hy_sqrt(double value)
{
    if (value == 0.0) {
        return value; // keeps the sign of -0
    }
    if (!(value > 0.0)) {
        return not_a_number();
    }
#if HAS_SQRT_INSTRUCTION
    return __builtin_sqrt(value);
#else
    return value == infinity() ? value : positive_root(value);
#endif
}

double hy_hypot(double x, double y)
{
    const double across = magnitude(x), along = magnitude(y);
    if (across == infinity() || along == infinity()) {
        return infinity();
    }
    const double large = across > along ? across : along;
    if (large > 0x1p500) { // their squares would overflow
        const double a = across * 0x1p-600, b = along * 0x1p-600;
        return hy_sqrt(a * a + b * b) * 0x1p600;
    }
    if (large < 0x1p-450) { // their squares would lose digits
        const double a = across * 0x1p600, b = along * 0x1p600;
        return hy_sqrt(a * a + b * b) * 0x1p-600;
    }
    return hy_sqrt(across * across + along * along);
}
