/// @file bot_geometry.h
/// Places and directions on the floor: translations, rotations, poses, transforms and twists, with
/// WPILib's names and meanings. x is forward, y left, angles are counter-clockwise, in radians.
///
/// All of it is plain values: no state, no allocation, O(1) unless said otherwise, callable from
/// any thread. It is arithmetic: a NaN that goes in comes out, which hy_pose2d_is_finite() tells.
/// What keeps a pose or moves a robot (the other bot headers) refuses such values.
///
///     const hy_pose2d robot = hy_pose2d_at(1.0, 2.0, HY_PI / 2);
///     const hy_pose2d goal = hy_pose2d_at(1.0, 3.0, HY_PI / 2);
///     const hy_pose2d seen = hy_pose2d_relative_to(goal, robot); // a metre ahead
///
/// ## Kinematics and odometry
///
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
#ifndef HALYARD_BOT_GEOMETRY_H
#define HALYARD_BOT_GEOMETRY_H

#include <halyard/base.h>

HY_API_BEGIN

// --------------------------------------------------------------------------- rotations

/// A direction, as the unit vector that points there, so that turning a vector needs no sine.
/// All zero is no rotation at all; HY_ROTATION2D_NONE is the one that turns nothing.
typedef struct {
    double cos, sin;
} hy_rotation2d;

#define HY_ROTATION2D_NONE ((hy_rotation2d){ 1.0, 0.0 })

/// The rotation by `angle_rad`, any finite angle. NaN and infinities give HY_ROTATION2D_NONE.
hy_rotation2d hy_rotation2d_from_rad(double angle_rad);

/// The direction of the vector (x, y). A vector shorter than 1e-6, or one that is not finite, has
/// none: HY_ROTATION2D_NONE, as in WPILib.
hy_rotation2d hy_rotation2d_from_vector(double x, double y);

/// The angle, in [-pi, +pi]. WPILib's Rotation2d remembers whole turns of the angle it was made of;
/// this one does not.
double hy_rotation2d_rad(hy_rotation2d rotation);

/// The tangent; infinite where the cosine is 0.
double hy_rotation2d_tan(hy_rotation2d rotation);

/// The rotation back.
static inline hy_rotation2d hy_rotation2d_inverse(hy_rotation2d rotation)
{
    const hy_rotation2d result = { rotation.cos, -rotation.sin };
    return result;
}

/// First `a`, then `b`. The result is brought back to length 1 to first order, so that long chains
/// do not drift.
static inline hy_rotation2d hy_rotation2d_plus(hy_rotation2d a, hy_rotation2d b)
{
    const double cos = a.cos * b.cos - a.sin * b.sin;
    const double sin = a.cos * b.sin + a.sin * b.cos;
    // One step of Newton's towards 1 / sqrt(cos^2 + sin^2), which is 1 but for roundings.
    const double scale = 1.5 - 0.5 * (cos * cos + sin * sin);
    const hy_rotation2d result = { cos * scale, sin * scale };
    return result;
}

/// The rotation that leads from `b` to `a`.
static inline hy_rotation2d hy_rotation2d_minus(hy_rotation2d a, hy_rotation2d b)
{
    return hy_rotation2d_plus(a, hy_rotation2d_inverse(b));
}

/// The angle, as hy_rotation2d_rad() gives it, times `factor`.
hy_rotation2d hy_rotation2d_times(hy_rotation2d rotation, double factor);

/// From `start` (t = 0) the short way round to `end` (t = 1); t is limited to [0, 1], NaN is 0.
hy_rotation2d hy_rotation2d_interpolate(hy_rotation2d start, hy_rotation2d end, double t);

// --------------------------------------------------------------------------- translations

/// A place, or the way from one place to another, in metres.
typedef hy_point hy_translation2d;

/// The point at `distance_m` in the direction of `rotation`.
static inline hy_translation2d hy_translation2d_from_polar(double distance_m,
                                                           hy_rotation2d rotation)
{
    const hy_translation2d result = { distance_m * rotation.cos, distance_m * rotation.sin };
    return result;
}

/// Sum, difference, and a multiple.
static inline hy_translation2d hy_translation2d_plus(hy_translation2d a, hy_translation2d b)
{
    const hy_translation2d result = { a.x_m + b.x_m, a.y_m + b.y_m };
    return result;
}
static inline hy_translation2d hy_translation2d_minus(hy_translation2d a, hy_translation2d b)
{
    const hy_translation2d result = { a.x_m - b.x_m, a.y_m - b.y_m };
    return result;
}
static inline hy_translation2d hy_translation2d_times(hy_translation2d a, double factor)
{
    const hy_translation2d result = { a.x_m * factor, a.y_m * factor };
    return result;
}

/// Dot and cross product, in square metres. The cross product is positive if `b` lies to the left
/// of `a`.
static inline double hy_translation2d_dot(hy_translation2d a, hy_translation2d b)
{
    return a.x_m * b.x_m + a.y_m * b.y_m;
}
static inline double hy_translation2d_cross(hy_translation2d a, hy_translation2d b)
{
    return a.x_m * b.y_m - a.y_m * b.x_m;
}

/// Length, and distance between two places, in metres; without overflow on the way.
double hy_translation2d_norm(hy_translation2d a);
double hy_translation2d_distance(hy_translation2d a, hy_translation2d b);

/// The direction in which `a` points; HY_ROTATION2D_NONE if it is too short to point anywhere.
hy_rotation2d hy_translation2d_angle(hy_translation2d a);

/// Turned about the origin, and about `centre`.
static inline hy_translation2d hy_translation2d_rotate_by(hy_translation2d a,
                                                          hy_rotation2d rotation)
{
    const hy_translation2d result = { a.x_m * rotation.cos - a.y_m * rotation.sin,
                                      a.x_m * rotation.sin + a.y_m * rotation.cos };
    return result;
}
hy_translation2d hy_translation2d_rotate_around(hy_translation2d a, hy_translation2d centre,
                                                hy_rotation2d rotation);

/// The point of the straight line from `start` (t = 0) to `end` (t = 1); t is limited to [0, 1],
/// NaN is 0.
hy_translation2d hy_translation2d_interpolate(hy_translation2d start, hy_translation2d end,
                                              double t);

// --------------------------------------------------------------------------- poses, transforms

/// Where something is and which way it looks.
typedef struct {
    hy_translation2d translation;
    hy_rotation2d rotation;
} hy_pose2d;

/// The way from one pose to another, seen from the first.
typedef struct {
    hy_translation2d translation;
    hy_rotation2d rotation;
} hy_transform2d;

/// A motion of constant velocities for some time: what a robot's wheels report of a short moment.
typedef struct {
    double dx_m, dy_m, dtheta_rad; ///< Forward, to the left, counter-clockwise.
} hy_twist2d;

/// The pose at the origin, and the transform that changes nothing.
#define HY_POSE2D_ORIGIN    ((hy_pose2d){ { 0.0, 0.0 }, { 1.0, 0.0 } })
#define HY_TRANSFORM2D_NONE ((hy_transform2d){ { 0.0, 0.0 }, { 1.0, 0.0 } })

/// The pose at (x, y) that looks along `angle_rad`.
hy_pose2d hy_pose2d_at(double x_m, double y_m, double angle_rad);

/// True if every number in it is finite and it looks anywhere at all.
bool hy_pose2d_is_finite(const hy_pose2d *pose);

/// The transform that leads from `initial` to `final`, and the way back.
hy_transform2d hy_transform2d_between(hy_pose2d initial, hy_pose2d final);
hy_transform2d hy_transform2d_inverse(hy_transform2d transform);

/// First `a`, then, as seen from there, `b`.
hy_transform2d hy_transform2d_plus(hy_transform2d a, hy_transform2d b);

/// The place and the angle times `factor`.
hy_transform2d hy_transform2d_times(hy_transform2d transform, double factor);

/// Where one arrives who starts at `pose` and goes along `transform`.
hy_pose2d hy_pose2d_transform_by(hy_pose2d pose, hy_transform2d transform);

/// `pose` as seen by somebody at `origin`.
hy_pose2d hy_pose2d_relative_to(hy_pose2d pose, hy_pose2d origin);

/// Place and direction turned about the origin, and about `centre`.
hy_pose2d hy_pose2d_rotate_by(hy_pose2d pose, hy_rotation2d rotation);
hy_pose2d hy_pose2d_rotate_around(hy_pose2d pose, hy_translation2d centre, hy_rotation2d rotation);

/// The straight way from the start of a twist to its end, as seen at the start.
hy_translation2d hy_twist2d_chord(hy_twist2d twist);

/// Where one arrives who moves from `pose` with the constant velocities of `twist`: along an arc,
/// not along a chord and then turned.
hy_pose2d hy_pose2d_exp(hy_pose2d pose, hy_twist2d twist);

/// The twist that leads from `start` to `end`; its angle is in [-pi, +pi].
hy_twist2d hy_pose2d_log(hy_pose2d start, hy_pose2d end);

/// Along the arc from `start` (t = 0) to `end` (t = 1); t is limited to [0, 1], NaN is 0.
hy_pose2d hy_pose2d_interpolate(hy_pose2d start, hy_pose2d end, double t);

/// The index of the nearest of `count` poses, the one with the more similar direction where two are
/// equally near; `count` if there is none. O(count).
size_t hy_pose2d_nearest(hy_pose2d pose, const hy_pose2d *poses, size_t count);

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

/// Speeds, or distances, of the two sides.
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

/// The robot's motion while its wheels rolled these distances.
hy_twist2d hy_differential_twist(const hy_differential_kinematics *self,
                                 hy_wheel_distances distances);

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
hy_twist2d hy_swerve_twist(const hy_swerve_kinematics *self, const hy_swerve_position *distances);

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

/// The pose of a differential drive, from the distances of its wheels and the angle of its gyro.
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
