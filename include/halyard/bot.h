/// @file bot.h
/// The robot library: what a robot program is written with, on a PC over a link or on the
/// microcontroller itself.
///
/// Freestanding C11: no operating system, no allocation, no global state but the note of
/// hy_device_mistaken(), no clock (time is an argument). It computes in double on every target and
/// gives the same bits there (-ffp-contract=off, and base's elementary functions), so a controller
/// that was tuned on a PC behaves the same on the robot. SI units; angles in radians,
/// counter-clockwise. NaN and infinities are refused wherever they come in, and never reach a
/// motor.
///
///     static hy_xrp xrp;             // all devices of an XRP; hy_xrp_init() once
///     static hy_differential_drive drive;
///
///     static void drive_ahead(int64_t now_us)
///     {
///         hy_differential_drive_init(&drive, &xrp.motor[0], &xrp.motor[1]);
///         hy_differential_drive_arcade(&drive, 0.5, 0.0, true, now_us);
///     }
///
/// ## The timed robot
///
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
///
/// ## Drives
///
/// What a driver's sticks, or a program's wishes, mean for the motors of a differential or a swerve
/// drive.
///
/// Sticks are [-1, +1] and limited to that; NaN and infinities count as 0 and never reach a motor.
/// Names, signs and formulas are WPILib's: x forward, rotation counter-clockwise. No allocation; a
/// struct serves one thread at a time. O(1), or O(modules).
///
///     static void drive(hy_motor *left, hy_motor *right, int64_t now_us)
///     {
///         hy_differential_drive robot;
///         hy_differential_drive_init(&robot, left, right);
///         hy_differential_drive_arcade(&robot, 0.5, 0.0, true, now_us);
///     }
///
/// ## Trajectories
///
/// Ways over the floor and how to follow them: splines through waypoints, trajectories that say
/// where to be when, and the controllers that keep a robot on them. Names and meanings are
/// WPILib's.
///
/// No allocation: a trajectory is made in memory of the caller's. A struct serves one thread at a
/// time. Numbers that are not finite are refused with HY_ERANGE or false; a follower that gets a
/// pose which is not finite says "stand still".
///
///     static hy_trajectory_state states[200];
///     hy_trajectory way;
///     hy_trajectory_init(&way, states, 200);
///     const hy_pose2d waypoints[] = { hy_pose2d_at(0, 0, 0), hy_pose2d_at(1, 0.5, 0) };
///     const hy_trajectory_config config = { .max_velocity_m_s = 0.3,
///                                           .max_acceleration_m_s2 = 0.5 };
///     if (hy_trajectory_generate(&way, waypoints, 2, &config) == HY_OK) {
///         const hy_trajectory_state half_a_second_later = hy_trajectory_sample(&way, 0.5);
///     }
///
/// ## Commands
///
/// Small commands that are put together to behaviours, and a scheduler that never lets two of them
/// move the same part of the robot. Names and rules are those of WPILib's command-based
/// programming.
///
/// Commands are structs of the caller's, which live as long as anybody refers to them; nothing is
/// allocated. Everything runs on the thread that calls hy_scheduler_run(), once a loop. Times are
/// microseconds of a clock that does not go backwards.
///
///     static hy_scheduler scheduler;
///     static hy_command wait, beep, both;
///     static hy_command *members[] = { &wait, &beep };
///
///     static void start(hy_command_call beep_once, int64_t now_us)
///     {
///         hy_command_wait(&wait, 500000);
///         hy_command_once(&beep, beep_once, NULL, 0);
///         hy_command_sequence(&both, members, 2);
///         hy_scheduler_schedule(&scheduler, &both, now_us);
///         hy_scheduler_run(&scheduler, true, now_us); // and again every loop
///     }
#ifndef HALYARD_BOT_H
#define HALYARD_BOT_H

#include <halyard/base.h>
#include <halyard/bot_control.h>
#include <halyard/bot_devices.h>
#include <halyard/bot_geometry.h>

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

// --------------------------------------------------------------------------- differential drive

/// Efforts of the two sides, [-1, +1].
typedef struct {
    double left, right;
} hy_drive_efforts;

/// One stick for speed and one for turning. `square_inputs` makes both finer near 0.
hy_drive_efforts hy_arcade_efforts(double x_speed, double z_rotation, bool square_inputs);

/// As arcade, but the second stick is the curvature of the way, so that the same stick gives the
/// same curve at every speed. With `turn_in_place` it is the speed of turning, as in arcade.
hy_drive_efforts hy_curvature_efforts(double x_speed, double z_rotation, bool turn_in_place);

/// A stick a side.
hy_drive_efforts hy_tank_efforts(double left, double right, bool square_inputs);

/// A left and a right motor, with a deadband for sticks and a limit of the output.
typedef struct {
    // Private.
    hy_motor *left, *right;
    double deadband, max_output;
} hy_differential_drive;

/// WPILib's defaults: deadband 0.02, maximum output 1. The motors are the caller's and must outlive
/// the drive.
void hy_differential_drive_init(hy_differential_drive *self, hy_motor *left, hy_motor *right);

/// 0 <= deadband < 1; 0 <= max_output <= 1. False, and nothing changes, otherwise.
bool hy_differential_drive_set_deadband(hy_differential_drive *self, double deadband);
bool hy_differential_drive_set_max_output(hy_differential_drive *self, double max_output);

/// The functions above behind the deadband and in front of the limit, straight to the motors.
void hy_differential_drive_arcade(hy_differential_drive *self, double x_speed, double z_rotation,
                                  bool square_inputs, int64_t now_us);
void hy_differential_drive_curvature(hy_differential_drive *self, double x_speed, double z_rotation,
                                     bool turn_in_place, int64_t now_us);
void hy_differential_drive_tank(hy_differential_drive *self, double left, double right,
                                bool square_inputs, int64_t now_us);
void hy_differential_drive_stop(hy_differential_drive *self, int64_t now_us);

// --------------------------------------------------------------------------- swerve drive

/// One module: two motors and two encoders of the caller's, which must outlive the drive. The drive
/// encoder counts metres, the steering encoder radians, counter-clockwise, 0 is forward.
typedef struct {
    hy_motor *drive, *steer;
    const hy_encoder *drive_encoder, *steer_encoder;
} hy_swerve_module;

/// How a swerve drive is built and controlled.
typedef struct {
    hy_swerve_kinematics kinematics;
    double max_m_s;  ///< Of a wheel at full effort.
    double period_s; ///< Between two calls.
    /// By which a module's direction follows what it is told; not negative. Without it a robot that
    /// turns at 1 rad/s drives lag_s radians beside the line that hy_swerve_drive_field() wants.
    double lag_s;
    /// Effort per m/s of error, and so on; what the speed itself needs is added by 1 / max_m_s.
    hy_pid_gains drive;
    hy_pid_gains steer; ///< Effort per radian of error, and so on.
} hy_swerve_config;

/// A swerve drive: chassis speeds in, efforts of all motors out.
typedef struct {
    /// Read-only: what the modules were told last, optimised.
    hy_swerve_state wanted[HY_SWERVE_MODULES];
    // Private.
    hy_swerve_config config;
    hy_swerve_module module[HY_SWERVE_MODULES];
    hy_pid drive[HY_SWERVE_MODULES], steer[HY_SWERVE_MODULES];
} hy_swerve_drive;

/// `modules` has as many entries as `config->kinematics`, and is copied. False, and nothing
/// changes, if a number of `config` is not finite or positive, or a gain negative.
bool hy_swerve_drive_init(hy_swerve_drive *self, const hy_swerve_config *config,
                          const hy_swerve_module *modules);

/// Moves with `speeds`, seen from the robot. Modules turn the short way, wheels roll backwards
/// where that is shorter, wait for their module (cosine), and are all slowed together if one would
/// have to be faster than it can. A speed that is not finite stops everything.
void hy_swerve_drive_robot(hy_swerve_drive *self, hy_chassis_speeds speeds, int64_t now_us);

/// The same with `speeds` seen from the field, by a robot that looks along `heading` now; they are
/// turned to where it will look `lag_s` later.
void hy_swerve_drive_field(hy_swerve_drive *self, hy_chassis_speeds speeds, hy_rotation2d heading,
                           int64_t now_us);

/// Wheels stand and point to the middle: hard to push.
void hy_swerve_drive_x_lock(hy_swerve_drive *self, int64_t now_us);

/// All motors to 0; modules stay as they are.
void hy_swerve_drive_stop(hy_swerve_drive *self, int64_t now_us);

/// What the encoders say, for odometry and displays; room for as many as there are modules.
void hy_swerve_drive_positions(const hy_swerve_drive *self, hy_swerve_position *positions);
void hy_swerve_drive_states(const hy_swerve_drive *self, hy_swerve_state *states);

/// A drive for the robot with a Teensy that tracks well on it; `period_s` as above. False as
/// hy_swerve_drive_init().
bool hy_teensy_swerve_drive_init(hy_swerve_drive *self, hy_teensy *robot, double period_s);

// --------------------------------------------------------------------------- splines

/// One end of a spline: place, and first and second derivative by the spline's parameter, in
/// metres.
typedef struct {
    double x_m, dx_m, ddx_m, y_m, dy_m, ddy_m;
} hy_spline_end;

/// A curve for t in [0, 1]: x = x[0] + x[1] t + ... + x[5] t^5, and y likewise.
typedef struct {
    double x[6], y[6];
} hy_spline;

/// A point of a curve.
typedef struct {
    hy_pose2d pose;         ///< Place, and the direction of the curve.
    double curvature_rad_m; ///< Positive to the left.
} hy_spline_point;

/// Hermite splines: the cubic has the ends' places and first derivatives, the quintic the second
/// ones too.
hy_spline hy_spline_cubic(const hy_spline_end *start, const hy_spline_end *end);
hy_spline hy_spline_quintic(const hy_spline_end *start, const hy_spline_end *end);

/// The point at `t`. False if the curve has no direction there: it stops or turns on its heel.
bool hy_spline_at(const hy_spline *spline, double t, hy_spline_point *out);

// --------------------------------------------------------------------------- trajectories

/// Where to be at a moment, and how to move there.
typedef struct {
    double t_s;               ///< Since the start.
    double velocity_m_s;      ///< Along the way; negative if it is driven backwards.
    double acceleration_m_s2; ///< Until the next state.
    hy_pose2d pose;
    double curvature_rad_m;
} hy_trajectory_state;

/// A timed way, in memory of the caller's.
typedef struct {
    hy_trajectory_state *states; ///< Read-only: `count` of them, the first at 0 s.
    size_t count;                ///< Read-only.
    double total_s;              ///< Read-only.
    size_t capacity;             // private
} hy_trajectory;

/// How fast a way may be driven. What is NULL or 0 from `max_centripetal_m_s2` on does not limit.
typedef struct {
    double max_velocity_m_s;                     ///< Positive.
    double max_acceleration_m_s2;                ///< Positive.
    double start_velocity_m_s, end_velocity_m_s; ///< Not negative; met exactly, or refused.
    bool reversed; ///< Driven backwards; waypoints say where the robot's front looks.
    double max_centripetal_m_s2;
    const hy_differential_kinematics *differential; ///< No wheel faster than max_velocity_m_s.
    const hy_swerve_kinematics *swerve;             ///< No wheel faster than max_velocity_m_s.
} hy_trajectory_config;

/// A way through points, with a direction only at its ends.
typedef struct {
    hy_pose2d start, end;
    const hy_translation2d *interior; ///< At most HY_TRAJECTORY_INTERIOR.
    size_t interior_count;
} hy_cubic_path;

#define HY_TRAJECTORY_INTERIOR 32

/// An empty trajectory that will live in `memory`. A state is needed every 12 cm, and closer in
/// curves; HY_EFULL says that there were too few.
void hy_trajectory_init(hy_trajectory *self, hy_trajectory_state *memory, size_t capacity);

/// Makes a trajectory through 2 or more poses: quintic splines whose curvature does not jump.
/// HY_EFULL: too little memory. HY_ERANGE: a number is not finite or not in its range, there are
/// too few waypoints, or the first or the last velocity cannot be met: a limit forbids it at that
/// place, or the way is too short to slow down from the one or to speed up to the other.
/// HY_EFORMAT: the way is malformed, as where neighbours lie close together and look in opposite
/// directions. The trajectory is empty then. O(states).
hy_status hy_trajectory_generate(hy_trajectory *self, const hy_pose2d *waypoints, size_t count,
                                 const hy_trajectory_config *config);

/// The same along cubic splines, which choose the directions between start and end themselves.
hy_status hy_trajectory_generate_cubic(hy_trajectory *self, const hy_cubic_path *path,
                                       const hy_trajectory_config *config);

/// The same along quintic splines between `count` ends of the caller's (with `reversed`, first
/// derivatives are turned around).
hy_status hy_trajectory_generate_quintic(hy_trajectory *self, const hy_spline_end *ends,
                                         size_t count, const hy_trajectory_config *config);

/// Where to be `t_s` after the start; before it the first state, after the end the last, at rest at
/// the origin if there is none. NaN counts as 0. O(log states).
hy_trajectory_state hy_trajectory_sample(const hy_trajectory *self, double t_s);

/// Moves the whole trajectory: so that it starts at its start moved by `transform`; and as seen
/// from `origin`. O(states).
void hy_trajectory_transform_by(hy_trajectory *self, hy_transform2d transform);
void hy_trajectory_relative_to(hy_trajectory *self, hy_pose2d origin);

/// Drives `next` behind this one; of the two states where they meet, that of `next` stays. Nothing
/// changes with HY_EFULL, if it does not fit, and with HY_ERANGE, if they do not meet: place,
/// direction and velocity there have to be the same to 1e-6. O(states).
hy_status hy_trajectory_append(hy_trajectory *self, const hy_trajectory *next);

// --------------------------------------------------------------------------- followers

/// How near is near enough: along x, along y, and by direction; all must be smaller.
typedef struct {
    double x_m, y_m, angle_rad;
} hy_pose_tolerance;

/// Brings a differential drive back onto its trajectory (Ramsete).
typedef struct {
    hy_pose2d error;             ///< Read-only: the wanted pose as seen from the robot.
    hy_pose_tolerance tolerance; ///< The caller's to set.
    double b, zeta;              // private
} hy_ramsete;

/// `b` > 0 (rad^2/m^2) makes it quicker, `zeta` in (0, 1) damps; WPILib takes 2.0 and 0.7. False,
/// and nothing changes, otherwise.
bool hy_ramsete_init(hy_ramsete *self, double b, double zeta);

/// What the robot should do now.
hy_chassis_speeds hy_ramsete_calculate(hy_ramsete *self, hy_pose2d pose,
                                       const hy_trajectory_state *wanted);
bool hy_ramsete_at_reference(const hy_ramsete *self);

/// Brings a robot that can move sideways back onto its trajectory while it looks wherever it is
/// told to.
typedef struct {
    hy_pid x, y;                 ///< m/s per metre.
    hy_profiled_pid theta;       ///< rad/s per radian.
    hy_pose2d error;             ///< Read-only: the wanted pose as seen from the robot.
    hy_rotation2d heading_error; ///< Read-only.
    hy_pose_tolerance tolerance; ///< The caller's to set.
    bool started;                // private
} hy_holonomic;

/// Takes copies of its three controllers. The angle's becomes continuous. It starts with the first
/// pose that it sees.
void hy_holonomic_init(hy_holonomic *self, const hy_pid *x, const hy_pid *y,
                       const hy_profiled_pid *theta);

/// What the robot should do now, in its own frame; `heading` is where it should look in the end.
hy_chassis_speeds hy_holonomic_calculate(hy_holonomic *self, hy_pose2d pose,
                                         const hy_trajectory_state *wanted, hy_rotation2d heading);
bool hy_holonomic_at_reference(const hy_holonomic *self);

/// Drives along straight lines from point to point by always aiming at the point a lookahead away:
/// simple, needs no timing, and cuts corners.
typedef struct {
    size_t segment; ///< Read-only: the robot is between points `segment` and `segment` + 1 ...
    double share;   ///< Read-only: ... at this share of the way, [0, 1].
    hy_translation2d goal; ///< Read-only: what it aims at.
    double to_end_m;       ///< Read-only: straight to the last point.
    // Private.
    const hy_translation2d *path;
    size_t count;
    double lookahead_m;
} hy_pure_pursuit;

/// `path` has 2 or more points and must outlive this. False, and nothing changes, if a number is
/// not finite or `lookahead_m` is not positive. O(points).
bool hy_pure_pursuit_init(hy_pure_pursuit *self, const hy_translation2d *path, size_t count,
                          double lookahead_m);

/// What to do at `speed_m_s` (negative: backwards). It never turns back: of a path that crosses
/// itself it takes the branch that comes next. O(points that were passed).
hy_chassis_speeds hy_pure_pursuit_calculate(hy_pure_pursuit *self, hy_pose2d pose,
                                            double speed_m_s);

/// True once the robot has been beside the last segment and within `tolerance_m` of its end.
bool hy_pure_pursuit_at_end(const hy_pure_pursuit *self, double tolerance_m);

// --------------------------------------------------------------------------- commands

#define HY_SUBSYSTEMS 32 ///< Parts of a robot: numbers 0..31 of the caller's choice.

/// The set that has only this subsystem; sets are joined by |.
#define HY_REQUIRES(subsystem) (UINT32_C(1) << (subsystem))

typedef struct hy_command hy_command;

/// What a command does: each may be NULL. `context` is the caller's.
typedef void (*hy_command_call)(void *context, int64_t now_us);
typedef struct {
    hy_command_call start; ///< Once, first.
    hy_command_call step;  ///< Once a loop, from the loop of the start on.
    bool (*is_finished)(void *context, int64_t now_us); ///< Behind every step; NULL: never.
    void (*end)(void *context, bool interrupted,
                int64_t now_us); ///< Once, last: finished, or interrupted.
} hy_command_calls;

/// A command. Made by one of the functions below; to be changed by nobody else.
struct hy_command {
    uint32_t requirements; ///< Read-only: a set of subsystems.
    /// The caller's to set: goes on while the robot is disabled. False at first.
    bool runs_when_disabled;
    /// The caller's to set: others that need the same subsystems wait. False at first.
    bool is_uninterruptible;
    // Private.
    hy_command_calls calls;
    void *context;
    hy_command *const *members;
    hy_command *inner;
    hy_command *next;
    int64_t duration_us, began_us;
    size_t member_count, current;
    uint32_t done; // bit n: member n has ended
    uint8_t kind;
    bool scheduled, is_member, cancelled;
};

#define HY_COMMAND_MEMBERS 32 ///< Most members of a group.

// --------------------------------------------------------------------------- making commands

/// A command of these calls. `calls` is copied.
void hy_command_init(hy_command *self, const hy_command_calls *calls, void *context,
                     uint32_t requirements);

/// Calls `run` once, and is finished; or once a loop, for ever. NULL does nothing.
void hy_command_once(hy_command *self, hy_command_call run, void *context, uint32_t requirements);
void hy_command_always(hy_command *self, hy_command_call run, void *context, uint32_t requirements);

/// Does nothing for `duration_us`.
void hy_command_wait(hy_command *self, int64_t duration_us);

/// Does nothing until `condition` is true.
void hy_command_wait_until(hy_command *self, bool (*condition)(void *context, int64_t now_us),
                           void *context);

/// Groups. `members` has 1 to HY_COMMAND_MEMBERS commands, is not copied and must outlive the
/// group; the members belong to the group from then on and cannot be scheduled alone. A group needs
/// what its members need, runs while disabled only if all of them do, and is uninterruptible if one
/// is. False, and nothing changes, if a member is a member already, or scheduled, or if two that
/// run at the same time need the same subsystem.
/// - sequence: one after the other;
/// - parallel: all at once, until the last is finished;
/// - race: all at once, until the first is finished: the others are interrupted;
/// - deadline: all at once, until members[0] is finished.
bool hy_command_sequence(hy_command *self, hy_command *const *members, size_t count);
bool hy_command_parallel(hy_command *self, hy_command *const *members, size_t count);
bool hy_command_race(hy_command *self, hy_command *const *members, size_t count);
bool hy_command_deadline(hy_command *self, hy_command *const *members, size_t count);

/// `inner`, interrupted after `duration_us`. False as for groups.
bool hy_command_timeout(hy_command *self, hy_command *inner, int64_t duration_us);

/// `inner` again and again. False as for groups.
bool hy_command_repeat(hy_command *self, hy_command *inner);

// --------------------------------------------------------------------------- running them

/// Runs commands. All zero: nothing runs.
///
/// The calls of a command (start, step, is_finished, end, conditions, members of groups too) may
/// ask the scheduler for anything, about their own command and any other:
/// - schedule: the command waits until all others have been stepped in this loop, then it starts;
///   in the order in which they were asked for. What starts and ends of that time, or those outside
///   of a loop, ask for waits for the next hy_scheduler_run(). Twice is once.
/// - cancel: a command that waits is forgotten, and may be asked for again; this includes the one
///   for which the present end makes room. One that runs is not stepped again (a group completes
///   its present step), ends before the loop or the outermost call is over, and is refused until
///   its own `end` is called. From then on it counts as not scheduled, and may start again.
/// - defaults: what is set now is used from the next start of that subsystem's default; a default
///   that runs goes on until something else needs the subsystem, or it is cancelled.
/// - hy_scheduler_run() does nothing there.
///
/// So no command starts twice without an end between, two that need the same subsystem never run at
/// the same time, and a loop makes a bounded number of calls whatever they ask for. A command
/// belongs to one scheduler, and must not be made anew while it is scheduled.
typedef struct {
    uint64_t refused; ///< Read-only: commands that could not be scheduled.
    // Private.
    hy_command *first, *pending, *starting;
    hy_command *defaults[HY_SUBSYSTEMS];
    bool running;
} hy_scheduler;

/// Starts `command` now; if a command's call asks for it, later (see above). What runs and needs
/// the same subsystems is interrupted. True if `command` runs or waits now, as one does that ran
/// before. False, and counted, if what runs is uninterruptible, or `command` is a member of a
/// group, was not made, or is cancelled and has not ended; false, too, if an end or its own start
/// cancels it. One that waits may still be refused when its turn comes: by something
/// uninterruptible (counted), or because the robot is disabled.
bool hy_scheduler_schedule(hy_scheduler *self, hy_command *command, int64_t now_us);

/// Interrupts `command`, or everything that runs or waits, uninterruptible or not; if a command's
/// call asks for it, before the loop is over.
void hy_scheduler_cancel(hy_scheduler *self, hy_command *command, int64_t now_us);
void hy_scheduler_cancel_all(hy_scheduler *self, int64_t now_us);

/// True if `command` runs or waits, and is not cancelled. O(1).
bool hy_scheduler_is_scheduled(const hy_scheduler *self, const hy_command *command);

/// What `subsystem` does while no other command needs it; NULL for nothing. False, and nothing
/// changes, if the command does not need that subsystem alone, or there is no such subsystem.
bool hy_scheduler_set_default(hy_scheduler *self, unsigned subsystem, hy_command *command);

/// One loop: steps all commands in the order in which they were scheduled, ends the finished ones,
/// and starts defaults of idle subsystems. With `enabled` false, everything that does not run while
/// disabled is interrupted, and nothing of that sort starts. O(commands).
void hy_scheduler_run(hy_scheduler *self, bool enabled, int64_t now_us);

HY_API_END

#endif
