/// Numbers in network byte order, at any alignment: shifts, so that no target needs another file.
#ifndef HALYARD_WIRE_BYTES_H
#define HALYARD_WIRE_BYTES_H

#include <stdint.h>

static inline uint16_t get_u16(const uint8_t *p)
{
    return (uint16_t)((uint32_t)p[0] << 8 | p[1]);
}

static inline uint32_t get_u32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

// The same 32 bits, read in another way. A memcpy would be a call where it is not built in.
typedef union {
    uint32_t bits;
    int32_t integer;
    float real;
} word;

static inline float get_f32(const uint8_t *p)
{
    return (word){ .bits = get_u32(p) }.real;
}

static inline int32_t get_i32(const uint8_t *p)
{
    return (word){ .bits = get_u32(p) }.integer;
}

static inline void put_u16(uint8_t *p, uint16_t value)
{
    p[0] = (uint8_t)(value >> 8);
    p[1] = (uint8_t)value;
}

static inline void put_u32(uint8_t *p, uint32_t value)
{
#if defined __GNUC__ && !defined __OPTIMIZE_SIZE__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    // The same bytes in one store, which neither gcc nor clang makes of four behind a block's head.
    const uint32_t swapped = __builtin_bswap32(value);
    __builtin_memcpy(p, &swapped, sizeof swapped);
#else
    p[0] = (uint8_t)(value >> 24);
    p[1] = (uint8_t)(value >> 16);
    p[2] = (uint8_t)(value >> 8);
    p[3] = (uint8_t)value;
#endif
}

static inline uint32_t bits_of_f32(float value)
{
    return (word){ .real = value }.bits;
}

static inline void put_f32(uint8_t *p, float value)
{
    put_u32(p, bits_of_f32(value));
}

#endif
