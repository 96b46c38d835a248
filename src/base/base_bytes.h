/// @file base_bytes.h
/// Numbers in bytes, the lowest first, whatever the machine's own order is.
#ifndef HALYARD_BASE_BYTES_H
#define HALYARD_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Where the machine's own order is little-endian, numbers are copied: compilers make one move of it, and a loop of the bytes.
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HY_IS_LITTLE_ENDIAN 1
#else
#define HY_IS_LITTLE_ENDIAN 0
#endif

// Stores the lowest `size` bytes of `value`; at most 8.
static inline void hy_store_le(uint8_t *out, uint64_t value, size_t size)
{
    if (HY_IS_LITTLE_ENDIAN) {
        memcpy(out, &value, size);
        return;
    }
    for (size_t i = 0; i < size; i++) {
        out[i] = (uint8_t)(value >> (8 * i));
    }
}

// `size` bytes, at most 8.
static inline uint64_t hy_load_le(const uint8_t *bytes, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        value |= (uint64_t)bytes[i] << (8 * i);
    }
    return value;
}

// The same where 8 bytes can be read, of which `size` are the number's, 1 at least.
static inline uint64_t hy_load_le_of_8(const uint8_t *bytes, size_t size)
{
    uint64_t value;
    if (!HY_IS_LITTLE_ENDIAN) {
        return hy_load_le(bytes, size);
    }
    memcpy(&value, bytes, sizeof value);
    return value & UINT64_MAX >> (64 - 8 * size);
}

static inline double hy_load_f64_le(const uint8_t *bytes)
{
    const uint64_t bits = hy_load_le(bytes, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void hy_store_f64_le(uint8_t *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hy_store_le(out, bits, 8);
}

// The bits of a number of 1, 2, 4 or 8 bytes in the machine's own order.
static inline uint64_t hy_load_native(const void *memory, size_t size)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (size) {
    case sizeof one: memcpy(&one, memory, sizeof one); return one;
    case sizeof two: memcpy(&two, memory, sizeof two); return two;
    case sizeof four: memcpy(&four, memory, sizeof four); return four;
    default: memcpy(&eight, memory, sizeof eight); return eight;
    }
}

// The reverse.
static inline void hy_store_native(void *memory, uint64_t bits, size_t size)
{
    const uint8_t one = (uint8_t)bits;
    const uint16_t two = (uint16_t)bits;
    const uint32_t four = (uint32_t)bits;
    switch (size) {
    case sizeof one: memcpy(memory, &one, sizeof one); break;
    case sizeof two: memcpy(memory, &two, sizeof two); break;
    case sizeof four: memcpy(memory, &four, sizeof four); break;
    default: memcpy(memory, &bits, sizeof bits);
    }
}

#endif
