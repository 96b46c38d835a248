
#include <math.h>
#include <stdlib.h>

#include "text_decimal.h"

#define TEN(tens)                                                                                 \
    tens, '0', tens, '1', tens, '2', tens, '3', tens, '4', tens, '5', tens, '6', tens, '7', tens, \
        '8', tens, '9'

const uint8_t hy_decimal_pairs[200] = { TEN('0'), TEN('1'), TEN('2'), TEN('3'), TEN('4'),
                                        TEN('5'), TEN('6'), TEN('7'), TEN('8'), TEN('9') };

/// A whole number of up to 96 bits: high * 2^32 + low, low < 2^32.
typedef struct {
    uint64_t high, low;
} wide;

static uint64_t low_bits(uint64_t value, unsigned count)
{
    return value & (((uint64_t)1 << count) - 1);
}

// value / 2^shift, rounded half to even. Below 2^67, so it is 0 from a shift of 69 on.
static uint64_t shift_right(wide value, unsigned shift)
{
    if (shift > 68) {
        return 0;
    }
    // Kept: the quotient and one bit behind it; and whether anything is left behind those.
    const unsigned drop = shift - 1;
    const uint64_t kept =
        drop < 32 ? value.high << (32 - drop) | value.low >> drop : value.high >> (drop - 32);
    const uint64_t rest =
        drop < 32 ? low_bits(value.low, drop) : low_bits(value.high, drop - 32) | value.low;
    const bool is_odd = (kept >> 1 & 1) != 0;
    const bool is_half = (kept & 1) != 0;
    return (kept >> 1) + (is_half && (rest != 0 || is_odd));
}

// `magnitude` (0 .. HY_DECIMAL_MOST) times ten to the power of `places`, rounded half to even.
static uint64_t scale(double magnitude, unsigned places)
{
    uint64_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    const unsigned exponent = (unsigned)(bits >> 52);
    const uint64_t mantissa = low_bits(bits, 52) | (uint64_t)1 << 52;
    if (exponent == 0) {
        return 0; // less than any digit that is written
    }
    // magnitude = mantissa * 2^(exponent - 1075), and 10^n = 5^n * 2^n.
    const uint64_t five = places == 4 ? 625 : 15625;
    wide product = { (mantissa >> 32) * five, low_bits(mantissa, 32) * five };
    product.high += product.low >> 32;
    product.low = low_bits(product.low, 32);
    return shift_right(product, 1075 - exponent - places);
}

uint8_t *hy_decimal_put_whole(uint8_t *p, uint32_t value)
{
    uint8_t digits[10];
    size_t first = sizeof digits;
    for (; value >= 10; value /= 10) {
        digits[--first] = (uint8_t)('0' + value % 10);
    }
    digits[--first] = (uint8_t)('0' + value);
    memcpy(p, digits + first, sizeof digits - first);
    return p + (sizeof digits - first);
}

// `value` limited to low .. high; NaN and infinities give 0.
static double limited(double value, double low, double high)
{
    return value - value == 0 ? hy_clamp(value, low, high, 0) : 0;
}

uint8_t *hy_decimal_put_any(uint8_t *p, double value, double low, double high, unsigned places)
{
    const double number = limited(value, low, high);
    const uint64_t scaled = scale(number < 0 ? -number : number, places);
    const uint32_t unit = places == 4 ? 10000 : 1000000;
    if (number < 0 && scaled > 0) {
        *p++ = '-';
    }
    p = hy_decimal_put_whole(p, (uint32_t)(scaled / unit));
    *p++ = '.';
    return hy_decimal_put_behind(p, hy_decimal_binary(scaled % unit, places), places);
}

// --------------------------------------------------------------------------- reading

bool hy_decimal_read(const char *text, double *out)
{
    char *end = NULL;
    const double value = strtod(text, &end);
    const bool is_decimal = text[strspn(text, "+-.0123456789eE")] == '\0';
    if (!is_decimal || end == text || *end != '\0' || !isfinite(value)) {
        return false;
    }
    *out = value;
    return true;
}
