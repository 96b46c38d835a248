/// @file bot_drive.h
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
#ifndef HALYARD_BOT_DRIVE_H
#define HALYARD_BOT_DRIVE_H

#include <halyard/bot_control.h>
#include <halyard/bot_devices.h>
#include <halyard/bot_kinematics.h>

HY_API_BEGIN

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

HY_API_END

#endif
