/// @file run_tunables.h
/// Numbers and choices of a robot program that dashboards change while it runs: published as
/// telemetry, set within their limits, recorded when they change.
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

#define HY_TUNABLES_MAX 64 ///< Most numbers of one program.
#define HY_CHOOSERS_MAX 8  ///< Most choosers of one program.

/// One of them. Private.
typedef struct {
    hy_channel channel;
    const char *name;
    double *value;
    double low, high;
    double start; // what it was when it was declared
} hy_tunable_entry;

/// One chooser. Private.
typedef struct {
    hy_channel selected, active;
    const char *name;
    const char *const *options;
    size_t count;
    size_t *chosen;
    size_t start; // what was chosen when it was declared
} hy_chooser_entry;

/// All zero, but for `telemetry`, is the start.
typedef struct {
    hy_telemetry *telemetry; ///< Where they are published; NULL: nowhere.
    /// Read-only: grows with every declaration and every change, for whoever shows them.
    unsigned changes;
    // Private.
    hy_tunable_entry entries[HY_TUNABLES_MAX];
    size_t count;
    hy_chooser_entry choosers[HY_CHOOSERS_MAX];
    size_t chooser_count;
} hy_tunables;

/// Publishes `*value` as the channel /Tuning/NAME and lets it be changed within `low` .. `high`; it
/// is limited to that at once. `value` and `name` must stay; `name` has 1 to 200 bytes of UTF-8.
/// The same name again replaces `value` and the limits. False: nobody can change it, because there
/// are HY_TUNABLES_MAX already, no memory, or no telemetry (then it still is in the list for
/// --save-tunables); the limits hold all the same. O(channels).
bool hy_tunable(hy_tunables *self, const char *name, double *value, double low, double high);

/// Sets the tunable that is published as `channel`: limited, and left as it is by a NaN or an
/// infinity. Publishes what it is then. False: none is. O(tunables).
bool hy_tunables_set(hy_tunables *self, hy_channel channel, double value);

/// Publishes a choice, such as that of an autonomous routine, as WPILib's SendableChooser does:
/// "String Chooser" /SmartDashboard/NAME, in the dialect of 2027 /Tunables/NAME. `options` are
/// `count` different texts, at most 250 bytes each; `*chosen` is the index of one of them: now of
/// the default, later of what a dashboard has selected. Both must stay. `name` has 1 to 200 bytes
/// of UTF-8. The same name again replaces options and `chosen`. False: no telemetry, no options, no
/// memory, or there are HY_CHOOSERS_MAX already; `*chosen` stays. O(channels).
bool hy_chooser(hy_tunables *self, const char *name, const char *const *options, size_t count,
                size_t *chosen);

/// Sets the chooser whose `selected` is published as `channel` to the option `text`; a text that is
/// no option changes nothing. Publishes what is chosen then. False: there is none. O(options).
bool hy_tunables_choose(hy_tunables *self, hy_channel channel, const char *text);

HY_API_END

#endif
