/// @file halsim.h
/// A robot for WPILib's simulated HAL: an extension that HALSIM_EXTENSIONS names says here what its
/// board looks like, and the rest is done: devices followed, commands sent, statuses put into the
/// HAL.
///
///     static const hy_halsim_board my_board = { .name = "halsim_mine",
///                                               .host_variable = "HALSIMMINE_HOST",
///                                               .port_variable = "HALSIMMINE_PORT",
///                                               // .dialect, .outputs ...
///                                               .encoder_first_dio = 4 };
///     HY_HALSIM_EXPORT int HALSIM_InitExtension(void);
///     int HALSIM_InitExtension(void)
///     {
///         return hy_halsim_load(&my_board);
///     }
///
/// What the HAL offers is looked up at run time, so one library serves WPILib 2025, 2026 and 2027.
#ifndef HALYARD_HALSIM_H
#define HALYARD_HALSIM_H

#include <halyard/wire.h>

HY_API_BEGIN

/// Goes before the one symbol that the HAL looks for.
#ifdef _WIN32
#define HY_HALSIM_EXPORT __declspec(dllexport)
#else
#define HY_HALSIM_EXPORT __attribute__((visibility("default")))
#endif

#define HY_HALSIM_OUTPUTS 16 ///< Most motors and servos of one board.

/// A motor or servo as robot code sees it: a SimDevice that the vendor's class creates. The value
/// that commands it is the HAL's output "speed", "velocity" or "throttle" of a motor (vendor
/// classes of 2025 to 2027), [-1, +1], and "position" of a servo, [0, 1].
typedef struct {
    const char *device; ///< Whole name, for example "XRPMotor:motorL".
    hy_wire_kind kind;  ///< HY_WIRE_MOTOR or HY_WIRE_SERVO.
    uint8_t channel;    ///< Of the dialect: servo 0 is servo 1's.
} hy_halsim_output;

/// A board. What it has besides needs no list: DIOs and analog inputs are the HAL's own channels, a
/// gyro is any SimDevice "Gyro:..." with rate_x .. rate_z and angle_x .. angle_z.
typedef struct {
    const char *name; ///< Begins every message: "halsim_xrp".
    /// Environment variables: the robot's address or name (empty: localhost) and its UDP port
    /// (empty: HY_WIRE_PORT). Read when the extension is loaded, and again before the first
    /// command.
    const char *host_variable, *port_variable;
    const hy_dialect *dialect;
    const hy_halsim_output *outputs;
    size_t output_count; ///< At most HY_HALSIM_OUTPUTS.
    /// Bit n: servo n is commanded, to its middle, before robot code has it.
    uint8_t servos_always;
    /// Encoder n is the HAL's encoder on DIO first + 2n and first + 2n + 1.
    uint8_t encoder_first_dio;
} hy_halsim_board;

/// Loads the extension; its result is that of HALSIM_InitExtension(): 0, or -1 after one sentence
/// on stderr (the HAL then refuses to start). `board` and all it points to must live as long as the
/// process. One board a process: loading again does nothing and gives 0.
///
/// Commands leave on the thread that calls HAL_SimPeriodicAfter(), statuses are put into the HAL by
/// a thread of this library, names are resolved by another. Disable, emergency stop, HAL_Shutdown()
/// and exit() send a stop at once and repeat it for HY_STOP_DURATION_US; the last two wait for
/// that.
int hy_halsim_load(const hy_halsim_board *board);

HY_API_END

#endif
