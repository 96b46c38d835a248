/// @file sine_terms.h
/// Private: the constants of sines and cosines, the same for one angle (math.c) and for several at once (many_simd.h).
#ifndef HALYARD_BASE_SINE_TERMS_H
#define HALYARD_BASE_SINE_TERMS_H

// --------------------------------------------------------------------------- angles near 0

/// Below this, quarters fit 20 bits, so that their products with 33-bit parts of pi/2 are exact.
#define SHORT_REDUCTION_LIMIT 1e6

#define TWO_OVER_PI 0x1.45f306dc9c883p-1

// pi/2 in three parts of 33 bits and one of 53: what they leave out is below 2^-157.
#define HALF_PI_1 0x1.921fb544p+0
#define HALF_PI_2 0x1.0b4611a6p-34
#define HALF_PI_3 0x1.3198a2ep-69
#define HALF_PI_4 0x1.b839a252049c1p-104

// --------------------------------------------------------------------------- sine and cosine near 0

#define ODD_3  (1.0 / 6.0)
#define ODD_5  (1.0 / 120.0)
#define ODD_7  (1.0 / 5040.0)
#define ODD_9  (1.0 / 362880.0)
#define ODD_11 (1.0 / 39916800.0)
#define ODD_13 (1.0 / 6227020800.0)
#define ODD_15 (1.0 / 1307674368000.0)
#define ODD_17 (1.0 / 355687428096000.0)

/// (sin(x) - x) / x^3, of one number or of several, for z = x^2 and w = x^4. Two shorter chains instead of one long: the processor
/// works on both at once.
#define SINE_TAIL(z, w)                                            \
    ((z) * (ODD_5 + (w) * (ODD_9 + (w) * (ODD_13 + (w)*ODD_17))) - \
     (ODD_3 + (w) * (ODD_7 + (w) * (ODD_11 + (w)*ODD_15))))

#define EVEN_4  (1.0 / 24.0)
#define EVEN_6  (1.0 / 720.0)
#define EVEN_8  (1.0 / 40320.0)
#define EVEN_10 (1.0 / 3628800.0)
#define EVEN_12 (1.0 / 479001600.0)
#define EVEN_14 (1.0 / 87178291200.0)
#define EVEN_16 (1.0 / 20922789888000.0)

/// cos(x) - 1 + x^2/2, as SINE_TAIL().
#define COSINE_TAIL(z, w)                                             \
    ((w) * (EVEN_4 + (w) * (EVEN_8 + (w) * (EVEN_12 + (w)*EVEN_16)) - \
            (z) * (EVEN_6 + (w) * (EVEN_10 + (w)*EVEN_14))))

#endif
