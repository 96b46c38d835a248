/// @file bits.h
/// Private: between a double and its IEEE 754 bits.
#ifndef HALYARD_BASE_BITS_H
#define HALYARD_BASE_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double magnitude(double value)
{
    return double_of(bits_of(value) & (UINT64_MAX >> 1));
}

static inline double not_a_number(void)
{
    return double_of(UINT64_C(0x7ff8000000000000));
}

static inline double infinity(void)
{
    return double_of(UINT64_C(0x7ff0000000000000));
}

#endif
