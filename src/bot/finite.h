/// @file finite.h
/// Private: what every part of bot asks of a number before it believes it.
#ifndef HALYARD_BOT_FINITE_H
#define HALYARD_BOT_FINITE_H

#include <halyard/base.h>

/// True unless `value` is infinite or no number: only those do not differ from themselves by 0.
static inline bool is_finite(double value)
{
    return value - value == 0.0;
}

static inline double finite_or_0(double value)
{
    return is_finite(value) ? value : 0.0;
}

static inline double absolute(double value)
{
    return value < 0.0 ? -value : value;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

/// `value` limited to [low, high].
static inline double limited(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/// hy_sqrt() of a positive number, without a call where it is an instruction: the same bits.
static inline double root_of(double value)
{
#if defined(__SSE2__) || defined(__aarch64__)
    return __builtin_sqrt(value);
#else
    return hy_sqrt(value);
#endif
}

/// hy_hypot(), without the calls that keep its squares in range where they are anyway: the same
/// bits.
static inline double length_of(double x, double y)
{
    const double square = x * x + y * y;
    return square > 1e-250 && square < 1e250 ? root_of(square) : hy_hypot(x, y);
}

/// -1, 0 or +1.
static inline double sign_of(double value)
{
    return value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0;
}

#endif
