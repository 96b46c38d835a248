/// @file bot_loop.h
/// The loop of a robot program, as teams know it: modes with init, periodic and exit, at a fixed
/// rate, and a count of the times that it did not keep up.
///
/// The loop owns no clock, no link and no thread: whoever does asks when it is due and calls it. So
/// the same robot program runs on a PC, on a microcontroller and in a test. No allocation; one
/// thread. All times are microseconds of a clock that does not go backwards.
///
///     static void run(const hy_robot_program *program, int64_t (*now_us)(void))
///     {
///         hy_timed_robot robot;
///         hy_timed_robot_init(&robot, program, HY_LOOP_PERIOD_US, false, now_us());
///         for (;;) {
///             if (hy_timed_robot_begin(&robot, HY_MODE_TELEOP, now_us())) {
///                 hy_timed_robot_end(&robot, now_us()); // after sending what it commanded
///             }
///         }
///     }
#ifndef HALYARD_BOT_LOOP_H
#define HALYARD_BOT_LOOP_H

#include <halyard/base.h>

HY_API_BEGIN

#define HY_LOOP_PERIOD_US 20000 ///< 50 Hz, WPILib's too.

/// What the driver station asks for. A robot is disabled until somebody enables it.
typedef enum {
    HY_MODE_DISABLED,
    HY_MODE_AUTONOMOUS,
    HY_MODE_TELEOP,
    HY_MODE_TEST,
    HY_MODES, ///< Number of modes.
} hy_mode;

/// The name of a mode: static, never NULL.
const char *hy_mode_name(hy_mode mode);

/// What is called on entering a mode, every period in it, and on leaving it. Each may be NULL; each
/// gets the robot's context and the time at which its loop began.
typedef void (*hy_loop_call)(void *context, int64_t now_us);
typedef struct {
    hy_loop_call init, periodic, exit;
} hy_mode_calls;

/// A robot program. All zero is one that does nothing.
typedef struct {
    hy_mode_calls mode[HY_MODES];
    hy_loop_call robot_init;     ///< Once, before everything else.
    hy_loop_call robot_periodic; ///< Every period, behind the mode's.
    hy_loop_call simulation_init,
        simulation_periodic; ///< Behind those of the robot, in simulation only.
    void *context;           ///< The caller's.
} hy_robot_program;

/// Is told which call of a robot program begins, "teleop periodic" (static text), and NULL when
/// that call has returned.
typedef void (*hy_loop_watcher)(void *context, const char *call);

/// Calls a robot program. It belongs to the caller and keeps a pointer to the program.
typedef struct {
    // The caller may set these after hy_timed_robot_init().
    hy_loop_watcher watcher; ///< NULL: nobody is told.
    void *watcher_context;
    // Read-only for the caller; counters only grow.
    hy_mode mode;
    uint64_t loops;
    uint64_t overruns; ///< Loops that took longer than the period.
    /// Loops that were left out because they were due while another ran, or nobody called.
    uint64_t skipped;
    int64_t worst_us; ///< The longest loop.
    int64_t last_us;  ///< The last loop.
    int64_t due_us;   ///< When the next is due.
    // Private.
    const hy_robot_program *program;
    int64_t period_us, began_us;
    bool simulated, started, in_mode;
} hy_timed_robot;

/// Disabled, with the first loop due at once. `period_us` of 0 or less means HY_LOOP_PERIOD_US.
/// `program` must outlive it.
void hy_timed_robot_init(hy_timed_robot *self, const hy_robot_program *program, int64_t period_us,
                         bool simulated, int64_t now_us);

/// Runs one loop if it is due; true if it did, and then hy_timed_robot_end() must follow. The next
/// loop is due a whole number of periods after this one was, and later than `now_us`: what was
/// missed is counted, not made up for. A change of mode leaves the old one and enters the new one
/// first. An unknown mode counts as disabled.
bool hy_timed_robot_begin(hy_timed_robot *self, hy_mode wanted, int64_t now_us);

/// The loop is over, and what it commanded has been sent: measures how long it took. True if that
/// was longer than a period.
bool hy_timed_robot_end(hy_timed_robot *self, int64_t now_us);

/// The program ends: leaves the mode it is in. Whoever owns the link stops the robot.
void hy_timed_robot_exit(hy_timed_robot *self, int64_t now_us);

HY_API_END

#endif
