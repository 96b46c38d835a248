/// @file program.h
/// A whole robot program on a PC in one call: the devices of halyard/bot_devices.h on one side, a
/// robot behind a link on the other, a person at the keyboard between them.
///
///     static hy_xrp xrp;
///     static hy_motor *const left = &xrp.motor[0], *const right = &xrp.motor[1];
///     static void ahead(void *context, int64_t now_us)
///     {
///         (void)context;
///         hy_motor_set(left, 0.5, now_us);
///         hy_motor_set(right, 0.5, now_us);
///     }
///     static const hy_program program = {
///         .name = "ahead",
///         .robots = { { .xrp = &xrp } },
///         .loop = { .mode = { [HY_MODE_TELEOP] = { .periodic = ahead } } },
///     };
///     HY_PROGRAM_MAIN(program)
#ifndef HALYARD_PROGRAM_H
#define HALYARD_PROGRAM_H

#include <halyard/bot.h>
#include <halyard/input.h>
#include <halyard/robots.h>
#include <halyard/run_publish.h>
#include <halyard/wire.h>

HY_API_BEGIN

#define HY_PROGRAM_ROBOTS 4 ///< Most robots of one program.

/// A robot and its devices, which are the caller's for as long as the program runs: `xrp`,
/// `teensy`, or `devices` for any type of halyard/robots.h. All NULL: no robot.
typedef struct {
    hy_xrp *xrp;
    hy_teensy *teensy;
    void *devices;             ///< Handed to the calls of `of`.
    const hy_device_class *of; ///< What `devices` are; NULL: those of `type`.
    const hy_robot_type *type; ///< Of `devices`; NULL: the type whose devices `of` are.
    const char *url; ///< Where it is if nothing else is asked for; NULL: on this computer.
} hy_program_robot;

/// The link to one robot.
typedef struct {
    const char *address; ///< The robot's URL, or sim://WORLD.
    bool is_up;          ///< A status came within the last half second.
    bool is_taken;  ///< The robot answers probes, but sends no statuses: another program drives it.
    double rate_hz; ///< Statuses a second; 0 while it is silent.
    double loss,
        loss_total; ///< Share of the statuses that got lost, [0, 1]: lately, and since the start.
    int64_t age_us; ///< Since the newest status; INT64_MAX before the first.
    uint64_t commands, statuses; ///< Sent, repetitions among them; received.
} hy_program_link;

/// How a run of a program is going.
typedef struct {
    int64_t now_us;    ///< The time that the loop's calls get.
    bool is_enabled;   ///< All robots are.
    bool is_emergency; ///< After an emergency stop nothing is enabled any more.
    bool has_terminal; ///< The terminal shows what draw() writes.
    bool is_ending;    ///< A signal has asked the program to end.
    /// The robots were disabled by themselves, as `message` says, and no person is there to enable
    /// them again.
    bool has_failed;
    bool is_over;        ///< This is the last call: all robots have stopped.
    const char *message; ///< What happened last: "disabled: stopped by key".
    size_t robots;
    hy_program_link link[HY_PROGRAM_ROBOTS];
    /// The simulation of a --sim run, to draw and judge it; NULL over a network.
    const struct hy_sim *sim;
    const char *page; ///< The address of the page of --view, with its token; NULL: none.
} hy_program_state;

/// What a program that supervises its own run wants.
typedef enum {
    HY_PROGRAM_GO_ON,
    HY_PROGRAM_ENABLE,  ///< Enabled, as soon as all robots answer and their last stop is sent.
    HY_PROGRAM_DISABLE, ///< Disabled, at once.
    HY_PROGRAM_END,     ///< The run is over.
} hy_program_wish;

/// A robot program.
typedef struct {
    const char *name;                           ///< What messages begin with.
    const char *about;                          ///< A sentence for --help; may be NULL.
    hy_program_robot robots[HY_PROGRAM_ROBOTS]; ///< The first one without devices ends the list.
    /// What runs at 50 Hz: HY_MODE_DISABLED until somebody enables, then the first of teleop,
    /// autonomous and test that calls anything. Devices are initialised before `robot_init`, and
    /// have the newest status whenever they are called. The simulation's calls run if all robots
    /// are on this computer: those are virtual ones.
    hy_robot_program loop;
    /// Gets the keys that the runner does not use itself, with the loop's context; may be NULL. A
    /// HY_FOCUS_OUT comes with every disable, so that nothing counts as held down.
    void (*key)(void *context, const hy_key_event *event, int64_t now_us);
    /// Draws a screen of the program's own: writes what the terminal is to be sent, text and
    /// control sequences, into `room`, and returns its size in bytes; 0: nothing has changed. 20
    /// times a second while the run has a terminal. NULL: the runner draws.
    size_t (*draw)(void *context, hy_room room);
    /// Called in every turn, before the loop, and once more at the end: learns how the run is
    /// going, and says what it wants. So a script enables and disables instead of a person at the
    /// keys. Keys that stop, silence and signals stop the robots all the same. With it the runner
    /// prints nothing but why a run failed. NULL: keys and --enable enable.
    hy_program_wish (*supervise)(void *context, const hy_program_state *state);
} hy_program;

#define HY_PROGRAM_FRAME_MAX 320000 ///< Bytes of the room that draw() gets.

/// The whole of main(): reads `[URL ...] [--enable] [--duration SECONDS]`, or `--sim WORLD [--speed
/// X|max] [--seed N] [--view] [--json] [--duration SECONDS]` for hy_program_run(). Connects, runs
/// the loop, stops all robots and returns the exit status: 0, 1 if something failed, 2 if the
/// command line is wrong.
///
/// Enter enables; Space and Esc disable at once, and so do another window in front, Ctrl-Z, silence
/// of any robot and a program that hangs; Backspace is the emergency stop; q and Ctrl-C end it.
/// Every way out stops the robots (halyard/robot.h). Without a terminal it needs --enable, and ends
/// when a robot falls silent. Disabled robots get motors at 0 whatever their devices say. Keys work
/// in --sim as well unless --speed is max or --json asks for the outcome; then the robots are
/// enabled when they answer.
int hy_program_main(const hy_program *program, int argc, char **argv);

/// Defines the main() of a file that holds a program, unless HY_PROGRAM_NO_MAIN is defined: so the
/// same file can be linked into a test of it.
#ifndef HY_PROGRAM_NO_MAIN
#define HY_PROGRAM_MAIN(program)                        \
    int main(int argc, char **argv)                     \
    {                                                   \
        return hy_program_main(&(program), argc, argv); \
    }
#else
#define HY_PROGRAM_MAIN(program)
#endif

/// What the program has to say now, shown beside its status; without a terminal a line when it
/// changes. At most 79 bytes. To be called in the thread that runs the program, by its calls;
/// elsewhere it does nothing.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void hy_program_say(const char *format, ...);

/// The program has done what it was to do: after this loop all robots are disabled, and Enter
/// starts it again; without a person at the terminal the run is over. To be called as
/// hy_program_say(), in a mode in which the robots are enabled.
void hy_program_finish(void);

/// A value worth plotting: in the log of a run with --record it becomes the channel
/// /SmartDashboard/NAME, as WPILib's SmartDashboard.putNumber() names it. `name` has 1 to 200 bytes
/// of UTF-8 and is always put with the same function. To be called as hy_program_say(). Where
/// nothing is recorded it costs a comparison, else O(names).
void hy_program_put_number(const char *name, double value);

/// The same for a flag.
void hy_program_put_boolean(const char *name, bool value);

/// The same for a place on the floor, which AdvantageScope draws: where the robot believes to be,
/// or where it should be.
void hy_program_put_pose(const char *name, hy_pose2d pose);

/// A number that dashboards may change while the program runs, within `low` .. `high`, to which it
/// is limited at once: the channel /Tuning/NAME. It changes between two loops, never within one.
/// `value` and `name` must stay as long as the run; `name` has 1 to 200 bytes. To be called once,
/// as by `robot_init`, in the thread of the run. False: nothing is published or recorded, or there
/// are too many (halyard/run_tunables.h).
bool hy_program_tunable(const char *name, double *value, double low, double high);

/// A choice that dashboards offer, such as that of an autonomous routine: the "String Chooser"
/// /SmartDashboard/NAME. `*chosen` is the index of one of `count` `options`, which must stay as
/// long as the run; it changes between two loops. To be called once, as by `robot_init`, so that a
/// person chooses before enabling, and read by the mode's `init`. False: as hy_program_tunable(),
/// or `*chosen` is no index (halyard/run_tunables.h).
bool hy_program_chooser(const char *name, const char *const *options, size_t count, size_t *chosen);

/// Where the values of the run go, for hy_publish_pid() and the others of run_publish.h and for
/// channels of one's own; NULL where nothing is recorded. To be called as hy_program_say(), anew in
/// every loop; it belongs to the run. O(1).
hy_telemetry *hy_program_telemetry(void);

// ------------------------------------------------------------------------ between link and devices

/// What `robot`'s devices are; NULL if it has none.
const hy_device_class *hy_program_device_class(const hy_program_robot *robot);

/// The type of `robot`; NULL if it has no devices, or those of no type. O(types).
const hy_robot_type *hy_program_robot_type(const hy_program_robot *robot);

/// For a loop of one's own. Fills everything in the robot's devices that its init function does.
void hy_program_devices_init(const hy_program_robot *robot);

/// A status came at `now_us`: the devices know what it says. O(devices).
void hy_program_devices_update(const hy_program_robot *robot, const hy_wire_status *status,
                               int64_t now_us);

/// The robot has started again: ways and angles go on from where they were.
void hy_program_devices_rebase(const hy_program_robot *robot);

/// All motors stop.
void hy_program_devices_stop(const hy_program_robot *robot, int64_t now_us);

/// What the devices want to be sent: motors, servos that are set, the LED. `seq` and `control` of
/// `command` stay as they are. O(devices).
void hy_program_devices_command(const hy_program_robot *robot, hy_wire_command *command,
                                int64_t now_us);

/// The mode that enabling `program` means.
hy_mode hy_program_mode(const hy_program *program);

HY_API_END

#endif
