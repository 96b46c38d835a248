/// @file exp_terms.h
/// Private: the constants of exponentials and logarithms, the same for one number (math.c) and for several at once (many_simd.h).
#ifndef HALYARD_BASE_EXP_TERMS_H
#define HALYARD_BASE_EXP_TERMS_H

#define ONE_OVER_LN_2 0x1.71547652b82fep+0

// ln 2 in two parts; the first has 32 bits, so that its products with exponents are exact.
#define LN_2_1 0x1.62e42fefp-1
#define LN_2_2 0x1.473de6af278edp-34

#define SQRT_2 0x1.6a09e667f3bcdp+0

/// e^x - 1 - x of one number or of several with |x| <= ln(2)/2, for z = x^2: the first term left out is below 2^-57.
#define EXP_TAIL(x, z)                                                                             \
    ((z) *                                                                                         \
     ((1.0 / 2 + (z) * (1.0 / 24 + (z) * (1.0 / 720 + (z) * (1.0 / 40320 +                         \
                                                             (z) * (1.0 / 3628800 +                \
                                                                    (z) * (1.0 / 479001600)))))) + \
      (x) * (1.0 / 6 +                                                                             \
             (z) * (1.0 / 120 + (z) * (1.0 / 5040 + (z) * (1.0 / 362880 +                          \
                                                           (z) * (1.0 / 39916800 +                 \
                                                                  (z) * (1.0 / 6227020800.0))))))))

/// 2 atanh(s) / s - 2 for s^2 = z, w = z^2 and |s| <= 3 - 2 sqrt(2): the first term left out is below 2^-61.
#define LOG_TAIL(z, w)                                                                                \
    ((z) *                                                                                            \
     ((2.0 / 3 +                                                                                      \
       (w) * (2.0 / 7 + (w) * (2.0 / 11 + (w) * (2.0 / 15 + (w) * (2.0 / 19 + (w) * (2.0 / 23)))))) + \
      (z) * (2.0 / 5 + (w) * (2.0 / 9 + (w) * (2.0 / 13 + (w) * (2.0 / 17 + (w) * (2.0 / 21)))))))

#endif
