/// @file run.h
/// A robot program against a simulation in the same process: simulated time, devices over the same
/// datagrams as over UDP, no sockets, no clock, no operating system. The same setup gives the same
/// run to the bit. For programs as a whole see hy_program_run() (halyard/program.h), which is
/// built on this.
///
///     static int run_it(const hy_run_setup *setup)
///     {
///         hy_run *run;
///         hy_world_error error;
///         if (hy_run_open(setup, &run, &error) != HY_OK) { return 1; }
///         while (hy_run_step(run)) { }
///         const hy_run_outcome outcome = hy_run_close(run);
///         return outcome.touches == 0 ? 0 : 1;
///     }
///
/// ## A program's parts as telemetry
///
/// What a robot program is made of, as telemetry: its controllers, its drive, its commands and
/// where it believes to be, under the names that WPILib's classes have on a dashboard.
///
///     static void plot(hy_telemetry *telemetry, const hy_pid *steering, hy_pose2d here)
///     {
///         hy_publish_pid(telemetry, "steering", steering); // once a loop
///         hy_publish_field(telemetry, "Field", "Robot", here);
///     }
///
/// A robot program gets `telemetry` from hy_program_telemetry(). All functions put values at the
/// telemetry's time into channels /SmartDashboard/NAME/.., in the dialect of 2027
/// /Telemetry/NAME/.., which the first call declares. `name` has 1 to 150 bytes of UTF-8. NULL for
/// `telemetry`, or one without a sink, costs a comparison; otherwise O(channels) for each channel.
/// One thread at a time.
///
/// ## Tunables
///
/// Numbers and choices of a robot program that dashboards change while it runs: published as
/// telemetry, set within their limits, recorded when they change.
///
///     static double gain = 1.5;
///     static void start(hy_telemetry *telemetry, hy_tunables *tunables)
///     {
///         *tunables = (hy_tunables){ .telemetry = telemetry };
///         hy_tunable(tunables, "kP", &gain, 0.0, 10.0); // the channel /Tuning/kP
///     }
#ifndef HALYARD_RUN_H
#define HALYARD_RUN_H

#include <halyard/bot.h>
#include <halyard/bot_control.h>
#include <halyard/bot_geometry.h>
#include <halyard/robots.h>
#include <halyard/sim.h>
#include <halyard/telemetry.h>

HY_API_BEGIN

#define HY_RUN_ROBOTS 4 ///< Most robots of one program.

/// A robot's devices and what moves packets into and out of them; `devices` is handed to all calls.
typedef struct {
    const hy_robot_type *type;
    /// Its hardware in a new simulation; NULL: the first variant of the type.
    const hy_robot_variant *variant;
    const void *devices;
    void (*init)(const void *devices);
    void (*update)(const void *devices, const hy_wire_status *status, int64_t now_us);
    void (*rebase)(const void *devices); ///< The robot has started again.
    void (*stop)(const void *devices, int64_t now_us);
    void (*command)(const void *devices, hy_wire_command *command, int64_t now_us);
} hy_run_robot;

/// A recorded simulation, to be run again with the program in the place of those who drove its
/// robots then; all else is as it was recorded. The program is enabled when they had the robots
/// enabled.
typedef struct {
    const hy_sim_setup *sim; ///< What it was started with.
    /// The next recorded input, valid until the next call; false at the end.
    bool (*next)(void *context, hy_sim_input *input);
    void *context;                      ///< Handed to `next`.
    size_t boards[HY_RUN_ROBOTS];       ///< Robot i's.
    hy_endpoint drivers[HY_RUN_ROBOTS]; ///< Whose datagrams to that board are left out.
} hy_run_recorded;

/// What runs where. All pointers are the caller's until hy_run_close().
typedef struct {
    const hy_robot_program *program;
    hy_mode mode; ///< What enabling means.
    /// Only hy_run_enable() enables; else all robots are enabled as soon as they answer.
    bool starts_disabled;
    const hy_run_robot *robots; ///< Robot i sits in the i-th vehicle that its type fits.
    size_t robot_count;
    /// Instead of `world`, `seed`, `faults`, `starts_disabled` and `duration_us`; NULL: these.
    const hy_run_recorded *recorded;
    const hy_world_model *world;
    uint64_t seed;                ///< For all sensor noise.
    const hy_faults_spec *faults; ///< Of the network and the robots; NULL: none. Copied.
    int64_t duration_us;          ///< Simulated; the run ends after it. At least one step.
    hy_loop_watcher watcher;      ///< Is told of the program's calls; NULL: nobody.
    void *watcher_context;
} hy_run_setup;

typedef struct hy_run hy_run;

/// Starts a run at simulated time 0. On failure `*run` is NULL and `error` has a sentence:
/// HY_ERANGE (the world lacks a vehicle for a robot), HY_EMEMORY, HY_EFULL (hy_sim_open()).
/// Allocates; end it with hy_run_close().
hy_status hy_run_open(const hy_run_setup *setup, hy_run **run, hy_world_error *error);

/// Runs to the end of the next step of the world: statuses to the devices, the program's loop if it
/// is due, commands. False at the end of the run. No allocation.
bool hy_run_step(hy_run *self);

/// The simulation, to be read: hy_sim_now_us() is the simulated time.
const hy_sim *hy_run_sim(const hy_run *self);

/// As hy_sim_watch() of its simulation.
void hy_run_watch(hy_run *self, hy_sim_watcher watcher, void *context);

/// Enables all robots from the next step on. False while one of them is silent, or while its last
/// stop is being repeated.
bool hy_run_enable(hy_run *self);

/// Disables all robots and stops their devices: the stop goes out with the next step. Only
/// hy_run_enable() enables them again.
void hy_run_disable(hy_run *self);

/// True once all robots have answered and are enabled. With `starts_disabled` a robot that is
/// silent for HY_RUN_SILENCE_US disables, as over a network.
bool hy_run_is_enabled(const hy_run *self);

#define HY_RUN_SILENCE_US 500000

/// Presses or releases the user button of a vehicle of the world, with the next step.
void hy_run_press(hy_run *self, size_t vehicle, bool is_down);

/// A vehicle of the world was pushed while its gyro was calibrated at power-up, as hy_sim_push has
/// it; with the next step.
void hy_run_push(hy_run *self, size_t vehicle);

/// Puts all vehicles and pieces where they started, with the next step. The program goes on.
void hy_run_reset(hy_run *self);

/// What has passed between the program and one of its robots.
typedef struct {
    uint64_t commands, statuses; ///< Sent; received.
    uint64_t lost;               ///< Statuses that did not arrive.
    int64_t heard_us;            ///< When the newest status came; INT64_MIN before the first.
    /// Between the two newest statuses that did not arrive in the same step; 0 before the second.
    int64_t period_us;
} hy_run_traffic;
hy_run_traffic hy_run_traffic_of(const hy_run *self, size_t robot);

/// What a run has shown, of the first robot.
typedef struct {
    double time_s;                ///< Simulated.
    uint64_t steps, loops;        ///< Of the world, of the program.
    double x_m, y_m, heading_rad; ///< Where it ended; the world's truth.
    double driven_m;              ///< Length of its path.
    uint64_t touches;             ///< How often it began to touch something.
    bool has_line;                ///< There is something dark on the floor, and so:
    double laps;                  ///< Times around the middle of that, counter-clockwise positive.
    double line_mean_m,
        /// Distance of its reflectance sensors' middle from the dark, since it is enabled.
        line_most_m;
    double off_line_s,         ///< How long that middle was over no dark, and ...
        off_line_mean_m;       ///< ... how far from it on average meanwhile.
    bool has_score;            ///< It was in a match, and so:
    int blue_score, red_score; ///< Of the alliances.
    uint64_t watchdog_trips;   ///< Its controller shut it off for lack of commands.
    uint64_t hash;             ///< hy_sim_hash() at the end.
} hy_run_outcome;

#define HY_RUN_LINE_MAX 160

/// What such a run has to do with its line, for people, in millimetres. Writes into `text`, and
/// returns it.
const char *hy_run_line_text(const hy_run_outcome *run, char text[HY_RUN_LINE_MAX]);

/// What the recorded simulation has shown up to the same input, as it was.
typedef struct {
    hy_run_outcome run;      ///< Without `loops`.
    uint64_t differing_step; ///< The first step of the world that was another one; 0: none.
} hy_run_before;

/// Only of a run with `recorded`. Costs what hy_sim_hash() costs.
hy_run_before hy_run_recorded_outcome(const hy_run *self);

/// Ends the program's mode, frees the run, and tells what it has shown so far.
hy_run_outcome hy_run_close(hy_run *self);

// ------------------------------------------------------------------ a program's parts as telemetry

/// Doubles "setpoint", "measurement", "error", "error derivative", "total error" and "output", in
/// the controller's own units.
void hy_publish_pid(hy_telemetry *telemetry, const char *name, const hy_pid *pid);

/// Doubles "Left Motor Speed" and "Right Motor Speed": the efforts of the two sides, [-1, +1].
void hy_publish_differential_drive(hy_telemetry *telemetry, const char *name,
                                   const hy_differential_drive *drive);

/// struct:SwerveModuleState[] "Measured" and "Wanted", in the order of the drive's modules, and
/// struct:ChassisSpeeds "Speeds", what the measured ones come to.
void hy_publish_swerve_drive(hy_telemetry *telemetry, const char *name,
                             const hy_swerve_drive *drive);

/// A command that has a name.
typedef struct {
    const char *name;
    const hy_command *command;
} hy_named_command;

#define HY_PUBLISH_COMMANDS 32 ///< Most of them that are published.

/// string[] "Names": those of `commands` that `scheduler` runs. Members of groups do not run by
/// themselves, so name the groups. O(commands).
void hy_publish_commands(hy_telemetry *telemetry, const char *name, const hy_scheduler *scheduler,
                         const hy_named_command *commands, size_t count);

/// A pose on a field, as WPILib's Field2d has it (double[]: metres, metres, degrees; in the dialect
/// of 2027 struct:Pose2d[] with one pose), which dashboards draw: `object` is "Robot", or "wanted",
/// or what else there is. hy_program_put_pose() puts one that AdvantageScope draws.
void hy_publish_field(hy_telemetry *telemetry, const char *name, const char *object,
                      hy_pose2d pose);

// --------------------------------------------------------------------------- tunables

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
