/// @file robot_program.h
/// A whole robot program on a PC in one call: the devices of halyard/bot_devices.h on one side, a
/// robot behind a link on the other, a person at the keyboard between them.
///
///     static hy_xrp xrp;
///     static void ahead(void *context, int64_t now_us)
///     {
///         (void)context;
///         hy_motor_set(&xrp.motor[0], 0.5, now_us);
///     }
///     static const hy_program program = {
///         .name = "ahead",
///         .robots = { { .xrp = &xrp } },
///         .loop = { .mode = { [HY_MODE_TELEOP] = { .periodic = ahead } } },
///     };
///     HY_PROGRAM_MAIN(program)
#ifndef HALYARD_ROBOT_PROGRAM_H
#define HALYARD_ROBOT_PROGRAM_H

#include <halyard/bot.h>
#include <halyard/input.h>
#include <halyard/wire.h>

HY_API_BEGIN

#define HY_PROGRAM_ROBOTS 4 ///< Most robots of one program.

/// A robot's devices: one of the two, the caller's, for as long as the program runs. Both NULL: no
/// robot.
typedef struct {
    hy_xrp *xrp;
    hy_teensy *teensy;
    const char *url; ///< Where it is if nothing else is asked for; NULL: on this computer.
} hy_program_robot;

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
} hy_program;

/// The whole of main(): reads `[URL ...] [--enable] [--duration SECONDS]`, or `--sim WORLD [--speed
/// X|max] [--seed N] [--json] [--duration SECONDS]` for hy_program_run(). Connects, runs the loop,
/// stops all robots and returns the exit status: 0, 1 if something failed, 2 if the command line is
/// wrong.
///
/// Enter enables; Space and Esc disable at once, and so do another window in front, Ctrl-Z, silence
/// of any robot and a program that hangs; Backspace is the emergency stop; q and Ctrl-C end it.
/// Every way out stops the robots (halyard/robot.h). Without a terminal it needs --enable, and ends
/// when a robot falls silent. Disabled robots get motors at 0 whatever their devices say.
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
/// changes. At most 79 bytes.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void hy_program_say(const char *format, ...);

// ------------------------------------------------------------------------ between link and devices

/// What `robot`'s devices are; NULL if it has none.
const hy_device_class *hy_program_device_class(const hy_program_robot *robot);

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
