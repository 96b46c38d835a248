/// The part of the C interface of WPILib's simulated HAL that this part calls, in our own words. It
/// has been the same since 2025 but for what HAL_SYMBOLS marks as a feature of its own.
///
/// The HAL calls back on the thread that changes a value, and holds a spinlock of that value
/// meanwhile: what is called must be short, and must not wait for a thread that calls the HAL.
#ifndef HALYARD_HALSIM_HAL_ABI_H
#define HALYARD_HALSIM_HAL_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t hal_bool, hal_handle;

enum {
    HAL_TYPE_BOOLEAN = 1,
    HAL_TYPE_DOUBLE = 2,
    HAL_TYPE_ENUM = 4,
    HAL_TYPE_INT = 8,
    HAL_TYPE_LONG = 16
};

typedef struct {
    union {
        hal_bool as_bool;
        int32_t as_int; // enums too
        int64_t as_long;
        double as_double;
    } data;
    int32_t type;
} hal_value;

_Static_assert(offsetof(hal_value, type) == 8, "the HAL's layout of a value");

/// Who sets a SimValue.
enum { HAL_DIRECTION_INPUT = 0, HAL_DIRECTION_OUTPUT = 1, HAL_DIRECTION_BOTH = 2 };

typedef void hal_notify(const char *name, void *param, const hal_value *value);
typedef void hal_device_notify(const char *name, void *param, hal_handle device);
typedef void hal_value_notify(const char *name, void *param, hal_handle handle, int32_t direction,
                              const hal_value *value);
typedef void hal_periodic(void *param);
typedef void hal_ending(void *param);

/// X(feature, result, name, arguments). The order of callback and parameter is the HAL's, and is not
/// the same everywhere; `now` asks for a first call with the present state before it returns.
// clang-format off
#define HAL_SYMBOLS(X)                                                                                                         \
    X(CORE,     int32_t, HALSIM_RegisterSimPeriodicAfterCallback, (hal_periodic *call, void *param))                           \
    X(CORE,     int32_t, HALSIM_RegisterDriverStationEnabledCallback, (hal_notify *call, void *param, hal_bool now))           \
    X(CORE,     int32_t, HALSIM_RegisterSimDeviceCreatedCallback, (const char *prefix, void *param, hal_device_notify *call, hal_bool now)) \
    X(CORE,     int32_t, HALSIM_RegisterSimValueCreatedCallback, (hal_handle device, void *param, hal_value_notify *call, hal_bool now))    \
    X(CORE,     int32_t, HALSIM_RegisterSimValueChangedCallback, (hal_handle handle, void *param, hal_value_notify *call, hal_bool now))    \
    X(FREED,    int32_t, HALSIM_RegisterSimDeviceFreedCallback, (const char *prefix, void *param, hal_device_notify *call, hal_bool now))   \
    X(ESTOP,    int32_t, HALSIM_RegisterDriverStationEStopCallback, (hal_notify *call, void *param, hal_bool now))             \
    X(SHUTDOWN, void,    HAL_OnShutdown, (void *param, hal_ending *call))                                                      \
    X(GYRO,     void,    HAL_SetSimValue, (hal_handle handle, const hal_value *value))                                         \
    X(GYRO,     int32_t, HALSIM_RegisterSimValueResetCallback, (hal_handle handle, void *param, hal_value_notify *call, hal_bool now))      \
    X(DIO,      int32_t, HAL_GetNumDigitalChannels, (void))                                                                    \
    X(DIO,      int32_t, HALSIM_RegisterDIOInitializedCallback, (int32_t index, hal_notify *call, void *param, hal_bool now))  \
    X(DIO,      int32_t, HALSIM_RegisterDIOIsInputCallback, (int32_t index, hal_notify *call, void *param, hal_bool now))      \
    X(DIO,      int32_t, HALSIM_RegisterDIOValueCallback, (int32_t index, hal_notify *call, void *param, hal_bool now))        \
    X(DIO,      void,    HALSIM_SetDIOValue, (int32_t index, hal_bool level))                                                  \
    X(ANALOG,   int32_t, HAL_GetNumAnalogInputs, (void))                                                                       \
    X(ANALOG,   void,    HALSIM_SetAnalogInVoltage, (int32_t index, double volts))                                             \
    X(ENCODER,  int32_t, HAL_GetNumEncoders, (void))                                                                           \
    X(ENCODER,  int32_t, HALSIM_RegisterEncoderInitializedCallback, (int32_t index, hal_notify *call, void *param, hal_bool now)) \
    X(ENCODER,  int32_t, HALSIM_RegisterEncoderResetCallback, (int32_t index, hal_notify *call, void *param, hal_bool now))    \
    X(ENCODER,  int32_t, HALSIM_GetEncoderDigitalChannelA, (int32_t index))                                                    \
    X(ENCODER,  int32_t, HALSIM_GetEncoderDigitalChannelB, (int32_t index))                                                    \
    X(ENCODER,  void,    HALSIM_SetEncoderCount, (int32_t index, int32_t count))                                               \
    X(PERIOD,   void,    HALSIM_SetEncoderPeriod, (int32_t index, double period_s))                                            \
    X(RATE,     void,    HALSIM_SetEncoderRate, (int32_t index, double rate))                                                  \
    X(RATE,     double,  HALSIM_GetEncoderDistancePerPulse, (int32_t index))                                                   \
    X(ACCEL,    void,    HALSIM_SetAccelerometerX, (int32_t index, double x_g))                                                \
    X(ACCEL,    void,    HALSIM_SetAccelerometerY, (int32_t index, double y_g))                                                \
    X(ACCEL,    void,    HALSIM_SetAccelerometerZ, (int32_t index, double z_g))
// clang-format on

#endif
