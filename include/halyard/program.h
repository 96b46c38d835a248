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
///
/// ## In a simulation
///
/// A whole robot program against a simulation in its own process, for tests: simulated time,
/// thousands of times faster than real. What `--sim` does on a program's command line.
///
///     static void test(const hy_program *my_program)
///     {
///         const hy_program_options options = { .world = "xrp-line", .seed = 1, .duration_s = 30 };
///         hy_program_outcome outcome;
///         if (hy_program_run(my_program, &options, &outcome) != HY_OK) { puts(outcome.error); }
///         assert(outcome.run.laps > 0.9 && outcome.run.touches == 0);
///     }
///
/// ## Replay of a recorded program
///
/// A robot program run again on what it read when it was recorded (`--record` of a robot program,
/// docs/spec/recording.md): without robots, sockets, clock and simulation. What it commands and
/// publishes is compared with the recording. What `--replay` does on a program's command line.
///
///     static int check(const hy_program *my_program, hy_bytes file)
///     {
///         hy_program_replay_report report;
///         hy_program_replay(my_program, file, &report);
///         puts(report.text);
///         return report.result == HY_REPLAY_EQUAL ? 0 : 1;
///     }
#ifndef HALYARD_PROGRAM_H
#define HALYARD_PROGRAM_H

#include <halyard/bot.h>
#include <halyard/controls.h>
#include <halyard/nt.h>
#include <halyard/replay.h>
#include <halyard/robots.h>
#include <halyard/run.h>
#include <halyard/wire.h>

HY_API_BEGIN

#define HY_PROGRAM_ROBOTS   4  ///< Most robots of one program.
#define HY_PROGRAM_PHANTOMS 10 ///< Most earlier runs that are shown beside one.

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

/// Sets the program's line of the status: shown below that of the robots, or printed whenever it
/// changes if there is no terminal. At most 79 bytes. To be called in the thread that runs the
/// program, by its calls; elsewhere it does nothing.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void hy_program_set_status(const char *format, ...);

/// The program has done what it was to do: after this loop all robots are disabled, and Enter
/// starts it again; without a person at the terminal the run is over. To be called as
/// hy_program_set_status(), in a mode in which the robots are enabled.
void hy_program_finish(void);

/// A value worth plotting: in the log of a run with --record it becomes the channel
/// /SmartDashboard/NAME, as WPILib's SmartDashboard.putNumber() names it. `name` has 1 to 200 bytes
/// of UTF-8 and is always put with the same function. To be called as hy_program_set_status().
/// Where nothing is recorded it costs a comparison, else O(names).
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
/// are too many (halyard/run.h).
bool hy_program_tunable(const char *name, double *value, double low, double high);

/// A choice that dashboards offer, such as that of an autonomous routine: the "String Chooser"
/// /SmartDashboard/NAME. `*chosen` is the index of one of `count` `options`, which must stay as
/// long as the run; it changes between two loops. To be called once, as by `robot_init`, so that a
/// person chooses before enabling, and read by the mode's `init`. False: as hy_program_tunable(),
/// or `*chosen` is no index (halyard/run.h).
bool hy_program_chooser(const char *name, const char *const *options, size_t count, size_t *chosen);

/// Where the values of the run go, for hy_publish_pid() and the others of halyard/run.h and for
/// channels of one's own; NULL where nothing is recorded. To be called as hy_program_set_status(),
/// anew in every loop; it belongs to the run. O(1).
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

/// The robot has started again: distances and angles continue from their last values.
void hy_program_devices_rebase(const hy_program_robot *robot);

/// All motors stop.
void hy_program_devices_stop(const hy_program_robot *robot, int64_t now_us);

/// What the devices want to be sent: motors, servos that are set, the LED. `seq` and `control` of
/// `command` stay as they are. O(devices).
void hy_program_devices_command(const hy_program_robot *robot, hy_wire_command *command,
                                int64_t now_us);

/// The mode that enabling `program` means.
hy_mode hy_program_mode(const hy_program *program);

// --------------------------------------------------------------------------- in a simulation

/// How a program is run.
typedef struct {
    // In the same process as its robots.
    const char *world; ///< A world's name, or a file (docs/spec/world.md); NULL: none.
    /// Instead of `world`: one that is loaded already; the caller's during the run.
    const hy_world_model *model;
    /// Which version of their hardware its robots have in `world`, as `halyard board --hardware`
    /// has it: "beta"; robots of a type without such a version have their first. The model in
    /// `model` is as it is: this is the controllers' there. NULL: all have their first.
    const char *hardware;
    /// Of the PWM of the robots' motors in `world`, in hertz; 0: as their controllers have it.
    double pwm_hz;
    /// Which XRP it drives in `world`, as `--robot` says it: "ideal", "typical", a seed or a robot
    /// file (hy_robot_choose()); NULL: the one that the world's file names.
    const char *robot;
    uint64_t seed; ///< For all sensor noise.
    double speed;  ///< Times real time; 0: as fast as it goes. Changes nothing else.
    /// A page shows the world on this address of this machine (ADDR[:PORT], "": HY_VIEW_LISTEN),
    /// and its visitors press buttons and reset; NULL: none. Who only looks changes nothing.
    const char *view;
    /// With `view`: earlier runs in this world (`record`) that are shown beside the first robot,
    /// with how far ahead they are. One that does not fit is left out with a sentence.
    const char *phantoms[HY_PROGRAM_PHANTOMS];
    size_t phantom_count;
    bool json; ///< hy_program_execute() prints the outcome as JSON.
    /// A log of the run is written to this file (WPILOG: sensors, motors, what the program said; in
    /// a world poses too); NULL: none. Equal runs in a world give equal files.
    const char *record;
    bool overwrite; ///< A `record` that is there already is replaced, instead of an error.
    /// hy_program_execute() runs the program again on what it read in this recording, without
    /// robots and world, and compares (hy_program_replay()). `record` is then a copy of it that has
    /// what the program does now as channels /Replay/... . NULL: it runs as the rest says.
    const char *replay;
    /// Runs in the simulation that this recording has, from its start, in the place of whoever
    /// drove the program's robots then; everything else that acts on it is as recorded. Instead of
    /// `world`, with its seed, faults and length. NULL: none.
    const char *what_if;
    /// AdvantageScope, Elastic and other clients of NetworkTables see the run on this address
    /// (ADDR[:PORT], "": 127.0.0.1:5810) while it lasts, and change its tunables; NULL: none. If
    /// the port is taken, one sentence says so and the run goes on.
    const char *nt;
    /// `nt` only holds in real time (not at another `speed`), and not if HALYARD_NT is "off".
    bool nt_by_default;
    hy_nt_dialect nt_dialect;        ///< Names and types of what is published and recorded.
    bool nt_write;                   ///< Other machines may change tunables, too.
    const hy_nt_network *nt_allowed; ///< Other machines that may connect.
    size_t nt_allowed_count;
    /// Host names of this computer, for `view` as well, and origins: as in hy_nt_options.
    const char *const *trusted;
    size_t trusted_count;
    /// Tunables begin with what this file has for their names (--tunables); NULL: none.
    const char *tunables;
    /// At the end of the run the tunables are written to this file (--save-tunables), if something
    /// was published or recorded; NULL: none.
    const char *save_tunables;
    // Over a network: hy_program_execute() without `world` and `model`.
    const char *url[HY_PROGRAM_ROBOTS]; ///< NULL: the robot's own, or this computer.
    // Both.
    bool unattended; ///< Takes no terminal even if there is one.
    bool enable;     ///< hy_program_execute() enables as soon as all robots answer.
    /// Simulated in a world, 0: 60 s there unless a person ends it; else real, 0: for ever.
    double duration_s;
    /// Of the network and the robots; NULL: none. The caller's during the run.
    const hy_faults_spec *faults;
    const char *faults_text; ///< The same as written on a command line, to be shown; may be NULL.
} hy_program_options;

typedef struct {
    hy_run_outcome run;
    char said[80];   ///< By hy_program_set_status(), last.
    char error[320]; ///< Why it did not run: a sentence.
} hy_program_outcome;

/// Runs `program` against a simulation instead of robots on the network: enabled as soon as they
/// answer, in simulated time, without sockets and, unless `speed` is set, without a clock. The same
/// options give the same outcome to the bit, if the program starts afresh in its init calls.
/// Anything but HY_OK leaves a sentence in `outcome->error`. Runs in different threads share
/// nothing, if their programs do not.
hy_status hy_program_run(const hy_program *program, const hy_program_options *options,
                         hy_program_outcome *outcome);

/// What hy_program_main() does once it has read its command line: runs `program` in a world or over
/// a network, with a person at the terminal if there is one, and returns the exit status. `outcome`
/// (may be NULL) is set by a run in a world.
int hy_program_execute(const hy_program *program, const hy_program_options *options,
                       hy_program_outcome *outcome);

// -------------------------------------------------------------------- replay of a recorded program

/// What a replay has shown.
typedef struct {
    /// HY_REPLAY_DIFFERS: other commands or other values, of another program or of one that reads
    /// what no recording has (rand(), time() and the like), or an altered file.
    /// HY_REPLAY_IMPOSSIBLE: the file has no such inputs, or another version recorded it.
    hy_replay_result result;
    uint64_t loops;           ///< That were run again.
    uint64_t differing_loops; ///< Of these, those whose commands or values differ.
    uint64_t first_loop;      ///< The first of them, from 1; 0: none.
    uint64_t unknown_calls;   ///< Whose values were dropped while recording, and not compared.
    double recorded_s;        ///< Recorded time of the last input.
    /// The recording does not go on to the program's end: the file was cut or damaged, inputs were
    /// lost, or the program was killed.
    bool is_partial;
    size_t offset;   ///< Of a partial recording: where its inputs end.
    char text[1024]; ///< One or more sentences, without the file's name.
} hy_program_replay_report;

/// Runs `program` again on the recording in `file`, the bytes of a whole file; any bytes will do.
/// Its devices are initialised and its calls are called as they were recorded, in this thread; but
/// not draw(). `supervise` gets no simulation. One replay at a time in a process.
void hy_program_replay(const hy_program *program, hy_bytes file, hy_program_replay_report *report);

HY_API_END

#endif
