// The device structs of all robots behind one table each.
#include <halyard/bot_devices.h>

static void stop_motors(hy_motor *motors, size_t count, int64_t now_us)
{
    for (size_t i = 0; i < count; i++) {
        hy_motor_stop(&motors[i], now_us);
    }
}

// --------------------------------------------------------------------------- the XRP

static void xrp_init(void *devices)
{
    hy_xrp_init(devices);
}

static void xrp_update(void *devices, const hy_readings *readings, int64_t now_us)
{
    hy_xrp_update(devices, readings, now_us);
}

static void xrp_outputs(void *devices, hy_outputs *out, int64_t now_us)
{
    hy_xrp_outputs(devices, out, now_us);
}

static void xrp_rebase(void *devices)
{
    hy_xrp_rebase(devices);
}

static void xrp_stop(void *devices, int64_t now_us)
{
    hy_xrp *const xrp = devices;
    stop_motors(xrp->motor, HY_XRP_MOTORS, now_us);
}

// SPEC xrp-robot: 1 while the user button is pressed; only 1 lights the LED.
const hy_device_class hy_xrp_devices = {
    .button_dio = 0,
    .led_dio = 1,
    .init = xrp_init,
    .update = xrp_update,
    .outputs = xrp_outputs,
    .rebase = xrp_rebase,
    .stop = xrp_stop,
};

// --------------------------------------------------------------------------- the Teensy's

static void teensy_init(void *devices)
{
    hy_teensy_init(devices);
}

static void teensy_update(void *devices, const hy_readings *readings, int64_t now_us)
{
    hy_teensy_update(devices, readings, now_us);
}

static void teensy_outputs(void *devices, hy_outputs *out, int64_t now_us)
{
    hy_teensy_outputs(devices, out, now_us);
}

static void teensy_rebase(void *devices)
{
    hy_teensy_rebase(devices);
}

static void teensy_stop(void *devices, int64_t now_us)
{
    hy_teensy *const teensy = devices;
    stop_motors(teensy->motor, HY_TEENSY_MOTORS, now_us);
}

// SPEC teensy-robot: as an XRP's.
const hy_device_class hy_teensy_devices = {
    .button_dio = 0,
    .led_dio = 1,
    .init = teensy_init,
    .update = teensy_update,
    .outputs = teensy_outputs,
    .rebase = teensy_rebase,
    .stop = teensy_stop,
};
