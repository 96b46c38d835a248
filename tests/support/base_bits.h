/// @file base_bits.h
/// What every elementary function of base gives, as one hash: PCs and microcontrollers must agree.
#ifndef HALYARD_TESTS_BASE_BITS_H
#define HALYARD_TESTS_BASE_BITS_H

#include <halyard/base.h>
#include <math.h>
#include <string.h>

// The hashes of two lengths: a microcontroller without a floating point unit takes the short one.
#define BASE_BITS_LONG_ROUNDS  100000
#define BASE_BITS_LONG         UINT64_C(0x52f501b4333d35e3)
#define BASE_BITS_SHORT_ROUNDS 2000
#define BASE_BITS_SHORT        UINT64_C(0x03e74ceebfec8001)

static inline double base_bits_between(hy_random *random, double low, double high)
{
    return low + (high - low) * hy_random_unit(random);
}

static inline uint64_t base_bits(int rounds)
{
    hy_random random = hy_random_seeded(6);
    hy_hash hash = hy_hash_start();
    for (int i = 0; i < rounds; i++) {
        const double angle = base_bits_between(&random, -1e5, 1e5);
        // Built from bits, not by ldexp(): this must not lean on the C library.
        double any;
        const uint64_t bits = hy_random_bits(&random);
        memcpy(&any, &bits, sizeof any);
        any = isfinite(any) ? any : angle;
        hy_hash_f64(&hash, hy_sin(angle));
        hy_hash_f64(&hash, hy_cos(any));
        hy_hash_f64(&hash, hy_wrap_angle(any));
        hy_hash_f64(&hash, hy_atan2(angle, base_bits_between(&random, -1e5, 1e5)));
        hy_hash_f64(&hash, hy_atan2(any, angle));
        hy_hash_f64(&hash, hy_exp(base_bits_between(&random, -740.0, 709.0)));
        hy_hash_f64(&hash, hy_random_normal(&random));
        hy_hash_f64(&hash, hy_tan(any));
        hy_hash_f64(&hash, hy_sin_cos(angle).cos);
        hy_hash_f64(&hash, hy_sqrt(any < 0.0 ? -any : any));
        hy_hash_f64(&hash, hy_hypot(any, angle));
    }
    return hash.value;
}

#endif
