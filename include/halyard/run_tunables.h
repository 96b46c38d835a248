/// @file run_tunables.h
/// Numbers of a robot program that dashboards change while it runs: published as telemetry, set
/// within their limits, recorded when they change.
///
///     static double gain = 1.5;
///     static void start(hy_telemetry *telemetry, hy_tunables *tunables)
///     {
///         *tunables = (hy_tunables){ .telemetry = telemetry };
///         hy_tunable(tunables, "kP", &gain, 0.0, 10.0); // the channel /Tuning/kP
///     }
#ifndef HALYARD_RUN_TUNABLES_H
#define HALYARD_RUN_TUNABLES_H

#include <halyard/telemetry.h>

HY_API_BEGIN

#define HY_TUNABLES_MAX 64 ///< Most of one program.

/// One of them. Private.
typedef struct {
    hy_channel channel;
    double *value;
    double low, high;
} hy_tunable_entry;

/// All zero, but for `telemetry`, is the start.
typedef struct {
    hy_telemetry *telemetry; ///< Where they are published; NULL: there are none.
    // Private.
    hy_tunable_entry entries[HY_TUNABLES_MAX];
    size_t count;
} hy_tunables;

/// Publishes `*value` as the channel /Tuning/NAME and lets it be changed within `low` .. `high`; it
/// is limited to that at once. `value` must stay. `name` has 1 to 200 bytes of UTF-8. The same name
/// again replaces `value` and the limits. False: there are HY_TUNABLES_MAX already, no memory, or
/// no telemetry: then only the limits hold. O(channels).
bool hy_tunable(hy_tunables *self, const char *name, double *value, double low, double high);

/// Sets the tunable that is published as `channel`: limited, and left as it is by a NaN or an
/// infinity. Publishes what it is then. False: none is. O(tunables).
bool hy_tunables_set(hy_tunables *self, hy_channel channel, double value);

HY_API_END

#endif
