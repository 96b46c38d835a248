
#include "config.h"

/// With at most 15 digits and powers of ten up to 22 both are exact doubles, so that one
/// multiplication or division rounds right (Clinger 1990). Files need no more.
#define MOST_DIGITS 15
#define MOST_POWER  22

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

typedef struct {
    uint64_t digits;
    int significant; ///< Digits after leading zeros.
    int seen;
    int behind_point;
} mantissa;

static const char *read_digits(const char *at, mantissa *into, int step)
{
    for (; is_digit(*at); at++) {
        into->seen = 1;
        into->behind_point += step;
        if (into->significant > 0 || *at != '0') {
            into->significant += into->significant <= MOST_DIGITS;
        }
        if (into->significant <= MOST_DIGITS) {
            into->digits = into->digits * 10 + (uint64_t)(*at - '0');
        }
    }
    return at;
}

static const char *read_exponent(const char *at, int *exponent)
{
    const bool minus = *at == '-';
    at += *at == '-' || *at == '+';
    if (!is_digit(*at)) {
        return NULL;
    }
    for (; is_digit(*at); at++) {
        *exponent = *exponent < 1000 ? *exponent * 10 + (*at - '0') : 1000;
    }
    *exponent = minus ? -*exponent : *exponent;
    return at;
}

static double power_of_ten(int exponent)
{
    double power = 1;
    for (int i = 0; i < exponent; i++) {
        power *= 10;
    }
    return power;
}

hy_number_result hy_number_read(const char *text, double *value)
{
    const bool minus = *text == '-';
    mantissa number = { 0 };
    const char *at = read_digits(text + (*text == '-' || *text == '+'), &number, 0);
    if (*at == '.') {
        at = read_digits(at + 1, &number, 1);
    }
    int exponent = 0;
    if (number.seen && (*at == 'e' || *at == 'E')) {
        at = read_exponent(at + 1, &exponent);
    }
    if (at == NULL || *at != '\0' || !number.seen) {
        return HY_NUMBER_NONE;
    }
    exponent -= number.behind_point;
    if (number.significant == 0) {
        *value = minus ? -0.0 : 0.0;
        return HY_NUMBER_OK;
    }
    if (number.significant > MOST_DIGITS || exponent > MOST_POWER || exponent < -MOST_POWER) {
        return HY_NUMBER_DIGITS;
    }
    const double size = (double)number.digits;
    const double scaled =
        exponent < 0 ? size / power_of_ten(-exponent) : size * power_of_ten(exponent);
    *value = minus ? -scaled : scaled;
    return HY_NUMBER_OK;
}
