#include <halyard/base.h>

#include <string.h>

// FNV-1a, 64 bits (Fowler, Noll, Vo): offset basis and prime.
#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x00000100000001b3)

hy_hash hy_hash_start(void)
{
    return (hy_hash){ FNV_BASIS };
}

void hy_hash_u64(hy_hash *hash, uint64_t value)
{
    uint64_t h = hash->value;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        h = (h ^ ((value >> shift) & 0xff)) * FNV_PRIME;
    }
    hash->value = h;
}

void hy_hash_f64(hy_hash *hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hy_hash_u64(hash, bits);
}

void hy_hash_bytes(hy_hash *hash, hy_bytes bytes)
{
    hy_hash_u64(hash, bytes.size);
    uint64_t h = hash->value;
    size_t whole = 0;
    for (; bytes.size - whole >= 8; whole += 8) {
        for (size_t i = 0; i < 8; i++) {
            h = (h ^ bytes.data[whole + i]) * FNV_PRIME;
        }
    }
    hash->value = h;
    for (size_t at = whole; at < bytes.size; at += 8) {
        uint64_t word = 0;
        for (size_t i = 0; i < 8 && at + i < bytes.size; i++) {
            word |= (uint64_t)bytes.data[at + i] << (8 * i);
        }
        hy_hash_u64(hash, word);
    }
}
