/// @file text_decimal.h
/// Numbers as decimal text: the same bytes on every machine and under every locale.
///
///     uint8_t bytes[32];
///     const uint8_t *const end = hy_decimal_put(bytes, 1.25, -1e6, 1e6, 4);
///     printf("%.*s\n", (int)(end - bytes), (char *)bytes);
#ifndef HALYARD_TEXT_DECIMAL_H
#define HALYARD_TEXT_DECIMAL_H

#include <halyard/base.h>
#include <string.h>

/// Numbers beyond are limited to it. It keeps every scaled number exact in 64 bits.
#define HY_DECIMAL_MOST 1e9

/// "00", "01" .. "99".
extern const uint8_t hy_decimal_pairs[200];

/// Writes `pair` (0 .. 99) as two digits at `p` and returns the end. Two bytes of room.
static inline uint8_t *hy_decimal_put_pair(uint8_t *p, uint32_t pair)
{
    memcpy(p, hy_decimal_pairs + 2 * pair, 2);
    return p + 2;
}

/// A scaled number below a hundred, as a whole and its binary fraction of 52 bits. Rounded up by
/// less than half of the last digit's worth, so that every digit taken from it is right.
static inline uint64_t hy_decimal_binary(uint64_t scaled, unsigned places)
{
    return scaled * (((uint64_t)1 << 52) / (places == 4 ? 10000 : 1000000) + 1);
}

/// Writes `places` digits of a binary fraction, without the zeros at their end but at least one
/// digit.
static inline uint8_t *hy_decimal_put_behind(uint8_t *p, uint64_t binary, unsigned places)
{
    for (unsigned i = 0; i < places; i += 2) {
        binary = (binary & (((uint64_t)1 << 52) - 1)) * 100;
        p = hy_decimal_put_pair(p, (uint32_t)(binary >> 52));
    }
    while (p[-1] == '0' && p[-2] != '.') {
        p--;
    }
    return p;
}

/// Writes a number that is limited to low .. high, with at most `places` (4 or 6) digits behind the
/// point and at least one, rounded half to even: up to 18 bytes; returns where they end. NaN and
/// infinities give 0.0. Needs -HY_DECIMAL_MOST <= low <= 0 <= high <= HY_DECIMAL_MOST.
uint8_t *hy_decimal_put_any(uint8_t *p, double value, double low, double high, unsigned places);

/// The same, quicker for what has one digit or two before the point.
static inline uint8_t *hy_decimal_put(uint8_t *p, double value, double low, double high,
                                      unsigned places)
{
    const double two_digits = 99.9; // and no rounding makes it three
    if (!(value >= 0 && value <= (high < two_digits ? high : two_digits))) {
        return hy_decimal_put_any(p, value, low, high, places);
    }
    // Both operations may be off in their last bits, by less than 1e-7 in all: that matters only if
    // the true number could lie beside the middle between two.
    const double rounded = value * (places == 4 ? 1e4 : 1e6) + 0.5;
    const int32_t scaled = (int32_t)rounded;
    const double behind = rounded - scaled;
    if (!(behind > 1e-7 && behind < 1 - 1e-7)) {
        return hy_decimal_put_any(p, value, low, high, places);
    }
    const uint64_t binary = hy_decimal_binary((uint64_t)scaled, places);
    const uint32_t whole = (uint32_t)(binary >> 52);
    const bool is_pair = whole >= 10;
    memcpy(p, hy_decimal_pairs + 2 * whole + !is_pair, 2); // of one digit only the first byte stays
    p += 1 + is_pair;
    *p = '.';
    return hy_decimal_put_behind(p + 1, binary, places);
}

/// Writes `value`, up to 10 digits, and returns where they end.
uint8_t *hy_decimal_put_whole(uint8_t *p, uint32_t value);

/// Writes any int up to +-HY_DECIMAL_MOST; returns where it ends.
static inline uint8_t *hy_decimal_put_int(uint8_t *p, int value)
{
    *p = '-';
    return hy_decimal_put_whole(p + (value < 0), (uint32_t)(value < 0 ? -value : value));
}

/// Reads all of `text` as a decimal number, "12", "-0.5" or "1e-3". False, and `*out` is untouched,
/// if it is none or not finite, or if anything stands before or behind it: unlike strtod(), which
/// also takes "0x10", "nan" and leading blanks. The decimal point is that of the C library's
/// locale, '.' unless the program calls setlocale(). O(length).
bool hy_decimal_read(const char *text, double *out);

#endif
