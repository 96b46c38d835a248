// The device structs of all robots behind one table each.
#include <halyard/bot_devices.h>

static void stop_motors(hy_motor *motors, size_t count, int64_t now_us)
{
    for (size_t i = 0; i < count; i++) {
        hy_motor_stop(&motors[i], now_us);
    }
}

// A table of one robot's functions, which take its own struct, as functions of any.
#define DEVICE_CLASS(type, button, led)                                                   \
    static void type##_init(void *devices)                                                \
    {                                                                                     \
        hy_##type##_init(devices);                                                        \
    }                                                                                     \
    static void type##_update(void *devices, const hy_readings *readings, int64_t now_us) \
    {                                                                                     \
        hy_##type##_update(devices, readings, now_us);                                    \
    }                                                                                     \
    static void type##_outputs(void *devices, hy_outputs *out, int64_t now_us)            \
    {                                                                                     \
        hy_##type##_outputs(devices, out, now_us);                                        \
    }                                                                                     \
    static void type##_rebase(void *devices)                                              \
    {                                                                                     \
        hy_##type##_rebase(devices);                                                      \
    }                                                                                     \
    static void type##_stop(void *devices, int64_t now_us)                                \
    {                                                                                     \
        hy_##type *const self = devices;                                                  \
        stop_motors(self->motor, sizeof self->motor / sizeof self->motor[0], now_us);     \
    }                                                                                     \
    const hy_device_class hy_##type##_devices = {                                         \
        .button_dio = (button),                                                           \
        .led_dio = (led),                                                                 \
        .init = type##_init,                                                              \
        .update = type##_update,                                                          \
        .outputs = type##_outputs,                                                        \
        .rebase = type##_rebase,                                                          \
        .stop = type##_stop,                                                              \
    };

// SPEC xrp-robot, teensy-robot: 1 while the user button is pressed; only 1 lights the LED.
DEVICE_CLASS(xrp, 0, 1)
DEVICE_CLASS(teensy, 0, 1)
