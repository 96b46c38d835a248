#include <halyard/bot_control.h>

#include "finite.h"

double hy_apply_deadband(double value, double deadband, double max_magnitude)
{
    if (!is_finite(value) || !(deadband >= 0.0) || !(deadband < max_magnitude) ||
        !is_finite(max_magnitude) || absolute(value) < deadband) {
        return 0.0;
    }
    const double beyond = value > 0.0 ? value - deadband : value + deadband;
    return beyond * (max_magnitude / (max_magnitude - deadband));
}

double hy_input_modulus(double value, double minimum, double maximum)
{
    const double span = maximum - minimum;
    if (!is_finite(value) || !is_finite(span) || !(span > 0.0)) {
        return 0.0;
    }
    if (value >= minimum && value <= maximum) {
        return value;
    }
    const double turns = (value - minimum) / span;
    if (absolute(turns) < 0x1p31) {
        const int64_t above = (int64_t)turns;
        value -= (double)above * span;
        const int64_t below = (int64_t)((value - maximum) / span);
        return value - (double)below * span;
    }
    return minimum; // so far out that a double there tells no place on the circle
}

double hy_square_input(double value)
{
    return is_finite(value) ? value * absolute(value) : 0.0;
}
