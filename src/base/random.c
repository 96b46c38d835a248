#include <halyard/base.h>

// splitmix64: one step of the generator that spreads a seed over the larger state.
static uint64_t splitmix_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

hy_random hy_random_seeded(uint64_t seed)
{
    hy_random random;
    for (size_t i = 0; i < 4; i++) {
        random.s[i] = splitmix_next(&seed);
    }
    return random;
}

double hy_random_unit(hy_random *random)
{
    return (double)(hy_random_bits(random) >> 11) * 0x1p-53;
}

uint32_t hy_random_below(hy_random *random, uint32_t bound)
{
    return (uint32_t)(((hy_random_bits(random) >> 32) * bound) >> 32);
}
