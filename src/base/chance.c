#include <halyard/base.h>

static uint64_t rotated_left(uint64_t value, unsigned by)
{
    return (value << by) | (value >> (64 - by));
}

// splitmix64: one step of the generator that spreads a seed over the larger state.
static uint64_t splitmix_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

hy_chance hy_chance_seeded(uint64_t seed)
{
    hy_chance chance;
    for (size_t i = 0; i < 4; i++) {
        chance.s[i] = splitmix_next(&seed);
    }
    return chance;
}

uint64_t hy_chance_bits(hy_chance *chance)
{
    uint64_t *s = chance->s;
    const uint64_t result = rotated_left(s[1] * 5, 7) * 9;
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotated_left(s[3], 45);
    return result;
}

double hy_chance_unit(hy_chance *chance)
{
    return (double)(hy_chance_bits(chance) >> 11) * 0x1p-53;
}

uint32_t hy_chance_below(hy_chance *chance, uint32_t bound)
{
    return (uint32_t)(((hy_chance_bits(chance) >> 32) * bound) >> 32);
}

double hy_chance_normal(hy_chance *chance)
{
    // One draw gives four uniforms on 0..65535; each has the mean 65535/2 and the variance
    // (2^32 - 1)/12, so their sum has the mean 131070 and this standard deviation.
    static const double sigma = 37837.22723720648; // sqrt((2^32 - 1) / 3)
    const uint64_t bits = hy_chance_bits(chance);
    const uint64_t sum =
        (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48);
    return ((double)sum - 131070.0) / sigma;
}
