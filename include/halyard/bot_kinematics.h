/// @file bot_kinematics.h
/// What the wheels of a differential or a swerve drive do to the whole robot, the other way round,
/// and where that has brought it (odometry). Names and meanings are WPILib's.
///
/// No allocation, no clock; a struct serves one thread at a time. Functions that keep something
/// refuse NaN and infinities (false, and nothing changes); the others are arithmetic, and what they
/// give is refused by whatever moves a motor.
///
///     hy_differential_kinematics xrp;
///     hy_differential_kinematics_init(&xrp, 0.155);
///     const hy_chassis_speeds wanted = { .vx_m_s = 0.3, .omega_rad_s = 1.0 };
///     const hy_wheel_speeds wheels = hy_differential_to_wheels(&xrp, wanted);
#ifndef HALYARD_BOT_KINEMATICS_H
#define HALYARD_BOT_KINEMATICS_H

#include <halyard/bot_geometry.h>

HY_API_BEGIN

// --------------------------------------------------------------------------- the whole robot

/// How the robot moves, in its own frame unless a name says "field".
typedef struct {
    double vx_m_s, vy_m_s; ///< Forward, to the left.
    double omega_rad_s;    ///< Counter-clockwise.
} hy_chassis_speeds;

/// Sum, and multiple.
hy_chassis_speeds hy_chassis_speeds_plus(hy_chassis_speeds a, hy_chassis_speeds b);
hy_chassis_speeds hy_chassis_speeds_times(hy_chassis_speeds a, double factor);

/// What a robot at `heading` does in its own frame to move with `field` in the field's, and the way
/// back.
hy_chassis_speeds hy_chassis_speeds_from_field(hy_chassis_speeds field, hy_rotation2d heading);
hy_chassis_speeds hy_chassis_speeds_to_field(hy_chassis_speeds robot, hy_rotation2d heading);

/// The motion of `dt_s` seconds at these speeds.
hy_twist2d hy_chassis_speeds_twist(hy_chassis_speeds speeds, double dt_s);

/// Speeds that, held for `dt_s`, bring the robot where `speeds` point: a robot that turns while it
/// drives otherwise drifts sideways. With `dt_s` not positive or not finite `speeds` come back
/// unchanged.
hy_chassis_speeds hy_chassis_speeds_discretize(hy_chassis_speeds speeds, double dt_s);

// --------------------------------------------------------------------------- differential drive

/// Speeds, or ways, of the two sides.
typedef struct {
    double left_m_s, right_m_s;
} hy_wheel_speeds;
typedef struct {
    double left_m, right_m;
} hy_wheel_distances;

/// Two wheels, or rows of wheels, side by side.
typedef struct {
    double track_width_m; ///< Between the left and right wheels' tracks; set by the init function.
} hy_differential_kinematics;

/// False, and nothing changes, unless `track_width_m` is finite and positive.
bool hy_differential_kinematics_init(hy_differential_kinematics *self, double track_width_m);

/// From the wheels to the robot, and back; a differential drive has no sideways speed, and `vy_m_s`
/// is ignored.
hy_chassis_speeds hy_differential_to_chassis(const hy_differential_kinematics *self,
                                             hy_wheel_speeds wheels);
hy_wheel_speeds hy_differential_to_wheels(const hy_differential_kinematics *self,
                                          hy_chassis_speeds speeds);

/// The robot's motion while its wheels went these ways.
hy_twist2d hy_differential_twist(const hy_differential_kinematics *self, hy_wheel_distances ways);

/// Both speeds scaled down by the same factor until neither exceeds `max_m_s`, so that the curve
/// stays the same. `max_m_s` that is negative or NaN stops both.
hy_wheel_speeds hy_wheel_speeds_desaturate(hy_wheel_speeds wheels, double max_m_s);

// --------------------------------------------------------------------------- swerve drive

#define HY_SWERVE_MODULES 8 ///< Most modules of a robot.

/// A module's wheel: how fast it rolls, or how far it has rolled, and where it points (seen from
/// the robot).
typedef struct {
    double speed_m_s;
    hy_rotation2d angle;
} hy_swerve_state;
typedef struct {
    double distance_m;
    hy_rotation2d angle;
} hy_swerve_position;

/// 2 to HY_SWERVE_MODULES wheels that drive and steer.
typedef struct {
    /// Read-only: places of the wheels, seen from the robot's origin.
    hy_translation2d module[HY_SWERVE_MODULES];
    size_t count; ///< Read-only.
    // Private.
    hy_translation2d centre, arm[HY_SWERVE_MODULES];
    double one_by_count, one_by_inertia;
} hy_swerve_kinematics;

/// False, and nothing changes, unless there are 2 to HY_SWERVE_MODULES places, finite, and not all
/// the same.
bool hy_swerve_kinematics_init(hy_swerve_kinematics *self, const hy_translation2d *modules,
                               size_t count);

/// What every module has to do so that the robot moves with `speeds` and turns about `centre` (the
/// origin: { 0, 0 }). `states` has room for `count` modules and is read too: a module that has to
/// stand (below 1e-6 m/s) keeps the angle that stands there, and so do all if the robot stands.
/// O(modules).
void hy_swerve_to_modules(const hy_swerve_kinematics *self, hy_chassis_speeds speeds,
                          hy_translation2d centre, hy_swerve_state *states);

/// The robot's speeds that fit the modules' best (least squares: 3 unknowns, 2 equations a module).
hy_chassis_speeds hy_swerve_to_chassis(const hy_swerve_kinematics *self,
                                       const hy_swerve_state *states);

/// The robot's motion that fits best to what the modules rolled, in the directions that they have
/// now.
hy_twist2d hy_swerve_twist(const hy_swerve_kinematics *self, const hy_swerve_position *ways);

/// All speeds scaled down by the same factor until none exceeds `max_m_s`. `max_m_s` that is
/// negative or NaN stops all.
void hy_swerve_desaturate(hy_swerve_state *states, size_t count, double max_m_s);

/// What a robot and its modules can reach.
typedef struct {
    double module_m_s;    ///< Fastest module.
    double chassis_m_s;   ///< Fastest straight way.
    double chassis_rad_s; ///< Fastest turn on the spot.
} hy_swerve_limits;

/// As WPILib's longer form: the scale is what the *wanted* chassis speeds are of the robot's
/// limits, so that a module which is briefly too fast does not slow the rest more than needed. A
/// limit of 0 for the chassis leaves `states` alone.
void hy_swerve_desaturate_chassis(hy_swerve_state *states, size_t count, hy_chassis_speeds wanted,
                                  const hy_swerve_limits *limits);

/// The same motion with a turn of at most 90 degrees: beyond that the module turns to the opposite
/// direction and its wheel backwards.
hy_swerve_state hy_swerve_optimize(hy_swerve_state wanted, hy_rotation2d current);

/// Slows the wheel by the cosine of the angle that it still has to turn: less sideways motion
/// meanwhile.
hy_swerve_state hy_swerve_cosine_scale(hy_swerve_state wanted, hy_rotation2d current);

// --------------------------------------------------------------------------- odometry

/// What both odometries keep.
typedef struct {
    hy_pose2d pose;         ///< Read-only: where the robot is.
    double heading_rad;     ///< Read-only: its direction as a continuous angle, gyro plus offset.
    double gyro_offset_rad; // private
} hy_odometry;

/// Where a differential drive has got to, from the ways of its wheels and the angle of its gyro.
typedef struct {
    hy_odometry odometry;
    // Private.
    hy_differential_kinematics kinematics;
    hy_wheel_distances wheels;
} hy_differential_odometry;

/// Starts, or starts again, at `pose` with these readings. `gyro_rad` is a continuous angle,
/// counter-clockwise; its zero does not matter, nor do those of the wheels. False, and nothing
/// changes, if a number is not finite.
bool hy_differential_odometry_start(hy_differential_odometry *self,
                                    const hy_differential_kinematics *kinematics, double gyro_rad,
                                    hy_wheel_distances wheels, hy_pose2d pose);

/// Moves the pose by what happened since the last call: the direction from the gyro alone, the way
/// from the wheels along an arc. False, and nothing changes, if a number is not finite.
bool hy_differential_odometry_update(hy_differential_odometry *self, double gyro_rad,
                                     hy_wheel_distances wheels);

/// The same for a robot without a gyro, or one whose gyro is worse than its wheels: the direction
/// from the wheels too. A later update with the gyro believes the gyro again, for all the time
/// between.
bool hy_differential_odometry_update_wheels(hy_differential_odometry *self,
                                            hy_wheel_distances wheels);

/// Where a swerve drive has got to, from its modules and the angle of its gyro.
typedef struct {
    hy_odometry odometry;
    // Private.
    hy_swerve_kinematics kinematics;
    double distance_m[HY_SWERVE_MODULES];
} hy_swerve_odometry;

/// As the functions for the differential drive; `modules` has as many entries as the kinematics.
bool hy_swerve_odometry_start(hy_swerve_odometry *self, const hy_swerve_kinematics *kinematics,
                              double gyro_rad, const hy_swerve_position *modules, hy_pose2d pose);
bool hy_swerve_odometry_update(hy_swerve_odometry *self, double gyro_rad,
                               const hy_swerve_position *modules);

/// The robot is elsewhere, looks elsewhere, or both; the readings go on. False, and nothing
/// changes, if a number is not finite.
bool hy_odometry_set_pose(hy_odometry *self, hy_pose2d pose);
bool hy_odometry_set_translation(hy_odometry *self, hy_translation2d translation);
bool hy_odometry_set_rotation(hy_odometry *self, hy_rotation2d rotation);

HY_API_END

#endif
