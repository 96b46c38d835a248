/// @file number.h
/// Decimal numbers, the same whatever the locale.
#ifndef HY_WORLD_NUMBER_H
#define HY_WORLD_NUMBER_H

#include <stdbool.h>

typedef enum {
    HY_NUMBER_OK,
    HY_NUMBER_NONE,   ///< Not a decimal number; so are NaN and infinities.
    HY_NUMBER_DIGITS, ///< More than 15 digits, or beyond 1e22.
} hy_number_result;

/// Reads the whole of `text` as [-+]digits[.digits][e[-+]digits].
hy_number_result hy_number_read(const char *text, double *value);

#endif
