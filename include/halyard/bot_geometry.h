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

HY_API_END

#endif
