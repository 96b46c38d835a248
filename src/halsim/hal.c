#include "hal.h"

#include <stdio.h>
#include <string.h>

static const struct {
    hal_feature feature;
    const char *name;
    size_t offset;
} symbols[] = {
#define X(feature, result, name, arguments) { HAL_##feature, #name, offsetof(hal_functions, name) },
    HAL_SYMBOLS(X)
#undef X
};

#define SYMBOLS (sizeof symbols / sizeof symbols[0])

// What a user misses. Either of period and rate will do, so they have no line of their own.
static const char *const losses[HAL_FEATURES] = {
    [HAL_FREED] = "a motor whose object is gone keeps its last speed",
    [HAL_ESTOP] = "an emergency stop does not disable the robot",
    [HAL_SHUTDOWN] = "HAL_Shutdown() does not stop the robot, only the end of the program does",
    [HAL_GYRO] = "no gyro",
    [HAL_DIO] = "no digital inputs and outputs",
    [HAL_ANALOG] = "no analog inputs",
    [HAL_ENCODER] = "no encoders",
    [HAL_ACCEL] = "no built-in accelerometer",
};

/// ISO C has no conversion from an object's address to a function's; systems with dlsym() have.
static bool find_symbol(hal_functions *out, size_t symbol, hal_lookup *lookup)
{
    void *const address = lookup(symbols[symbol].name);
    memcpy((char *)out + symbols[symbol].offset, &address, sizeof address);
    return address != NULL;
}

bool hy_hal_find(hal_functions *out, hal_lookup *lookup, const char *who, bool wants_accel)
{
    const char *missing[HAL_FEATURES] = { NULL };
    for (size_t i = 0; i < SYMBOLS; i++) {
        if (!find_symbol(out, i, lookup)) {
            missing[symbols[i].feature] = symbols[i].name;
        }
    }
    if (missing[HAL_CORE] != NULL) {
        fprintf(
            stderr, "%s: not loaded: no simulated WPILib HAL of 2025 to 2027 is in this process (%s is missing)\n",
            who, missing[HAL_CORE]);
        return false;
    }
    for (size_t feature = 0; feature < HAL_FEATURES; feature++) {
        out->has[feature] = missing[feature] == NULL;
        const bool is_missed = feature != HAL_ACCEL || wants_accel;
        if (!out->has[feature] && is_missed && losses[feature] != NULL) {
            fprintf(stderr, "%s: %s: this WPILib has no %s\n", who, losses[feature],
                    missing[feature]);
        }
    }
    if (out->has[HAL_ENCODER] && !out->has[HAL_PERIOD] && !out->has[HAL_RATE]) {
        fprintf(stderr, "%s: encoders count, but have no speed: this WPILib has no %s\n", who,
                missing[HAL_RATE]);
    }
    return true;
}
