/// The HAL's functions, as found in the process that loaded us.
#ifndef HALYARD_HALSIM_HAL_H
#define HALYARD_HALSIM_HAL_H

#include <stdbool.h>

#include "hal_abi.h"

typedef enum {
    HAL_CORE, ///< Without it there is nothing to do.
    HAL_FREED,
    HAL_ESTOP,
    HAL_SHUTDOWN,
    HAL_GYRO,
    HAL_DIO,
    HAL_ANALOG,
    HAL_ENCODER,
    HAL_PERIOD, ///< Speed of an encoder, given as the time between counts ...
    HAL_RATE,   ///< ... or as units a second (2027).
    HAL_ACCEL,
    HAL_FEATURES,
} hal_feature;

/// Functions of a feature that is not there are NULL.
typedef struct {
#define X(feature, result, name, arguments) result(*name) arguments;
    HAL_SYMBOLS(X)
#undef X
    bool has[HAL_FEATURES];
} hal_functions;

/// Gives the address of a function of the HAL, or NULL.
typedef void *hal_lookup(const char *name);

/// Looks everything up. Says on stderr, one line each and beginning with `who`, what is switched off
/// because this HAL lacks it; `wants_accel`: so it does for the accelerometer. False, and a sentence, if
/// it lacks something of HAL_CORE.
bool hy_hal_find(hal_functions *out, hal_lookup *lookup, const char *who, bool wants_accel);

#endif
