/// @file arbitrary.h
/// Values that Frama-C's Eva knows nothing about.
#ifndef HALYARD_PROOFS_ARBITRARY_H
#define HALYARD_PROOFS_ARBITRARY_H

#include <__fc_builtin.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline void arbitrary(void *out, size_t size)
{
    Frama_C_make_unknown(out, size);
}

static inline uint8_t arbitrary_u8(void)
{
    return Frama_C_unsigned_char_interval(0, UCHAR_MAX);
}

static inline uint8_t arbitrary_u8_from(uint8_t least)
{
    return Frama_C_unsigned_char_interval(least, UCHAR_MAX);
}

static inline bool arbitrary_bool(void)
{
    return Frama_C_interval(0, 1) != 0;
}

static inline size_t arbitrary_size(size_t least, size_t most)
{
    return Frama_C_size_t_interval(least, most);
}

#endif
