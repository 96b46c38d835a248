// HALs of other seasons: what is missing is switched off, or refused.
#include "cmocka_all.h"

#include <string.h>

#include "../../src/halsim/hal.h"
#include "stderr_text.h"

static const char *missing[4];

static void *lookup(const char *name)
{
    static char anything;
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        if (missing[i] != NULL && strcmp(missing[i], name) == 0) {
            return NULL;
        }
    }
    return &anything;
}

static bool find_without(hal_functions *hal, const char *a, const char *b)
{
    missing[0] = a;
    missing[1] = b;
    return hy_hal_find(hal, lookup, "test", true);
}

static void whole_hal(void **state)
{
    (void)state;
    hal_functions hal;
    assert_true(find_without(&hal, NULL, NULL));
    for (size_t feature = 0; feature < HAL_FEATURES; feature++) {
        assert_true(hal.has[feature]);
    }
    assert_true(hal.HALSIM_SetDIOValue != NULL);
}

static void without_accelerometer(void **state) // 2027
{
    (void)state;
    hal_functions hal;
    assert_true(find_without(&hal, "HALSIM_SetAccelerometerX", "HALSIM_SetEncoderPeriod"));
    assert_false(hal.has[HAL_ACCEL]);
    assert_false(hal.has[HAL_PERIOD]);
    assert_true(hal.has[HAL_RATE]);
    assert_true(hal.has[HAL_ENCODER]);
}

static void half_a_feature_is_none(void **state)
{
    (void)state;
    hal_functions hal;
    assert_true(find_without(&hal, "HALSIM_SetDIOValue", "HAL_GetNumAnalogInputs"));
    assert_false(hal.has[HAL_DIO]);
    assert_false(hal.has[HAL_ANALOG]);
}

static void without_what_is_needed(void **state)
{
    (void)state;
    static const char *const needed[] = {
        "HALSIM_RegisterSimPeriodicAfterCallback", "HALSIM_RegisterDriverStationEnabledCallback",
        "HALSIM_RegisterSimDeviceCreatedCallback", "HALSIM_RegisterSimValueCreatedCallback",
        "HALSIM_RegisterSimValueChangedCallback",
    };
    hal_functions hal;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        assert_false(find_without(&hal, needed[i], NULL));
    }
}

static void what_is_missing_is_said_once_and_only_if_somebody_misses_it(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool wants_accel;
        const char *said;
    } rows[] = {
        { NULL, NULL, true, "" },
        { "HAL_OnShutdown", NULL, true,
          "me: HAL_Shutdown() does not stop the robot, only the end of the program does: this "
          "WPILib has no HAL_OnShutdown\n" },
        { "HALSIM_SetAccelerometerX", NULL, true,
          "me: no built-in accelerometer: this WPILib has no HALSIM_SetAccelerometerX\n" },
        { "HALSIM_SetAccelerometerX", NULL, false, "" },
        { "HALSIM_SetEncoderPeriod", NULL, true, "" }, // either will do
        { "HALSIM_SetEncoderRate", NULL, true, "" },
        { "HALSIM_SetEncoderPeriod", "HALSIM_SetEncoderRate", true,
          "me: encoders count, but have no speed: this WPILib has no HALSIM_SetEncoderRate\n" },
        { "HAL_GetNumEncoders", NULL, true,
          "me: no encoders: this WPILib has no HAL_GetNumEncoders\n" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hal_functions hal;
        missing[0] = rows[i].a;
        missing[1] = rows[i].b;
        stderr_text said = stderr_text_begin();
        const bool is_found = hy_hal_find(&hal, lookup, "me", rows[i].wants_accel);
        stderr_text_end(&said);
        assert_true(is_found);
        assert_string_equal(said.text, rows[i].said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_hal),
        cmocka_unit_test(without_accelerometer),
        cmocka_unit_test(half_a_feature_is_none),
        cmocka_unit_test(without_what_is_needed),
        cmocka_unit_test(what_is_missing_is_said_once_and_only_if_somebody_misses_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
