#include <halyard/bot_geometry.h>

#include "finite.h"

// --------------------------------------------------------------------------- rotations

hy_rotation2d hy_rotation2d_from_rad(double angle_rad)
{
    if (!is_finite(angle_rad)) {
        return HY_ROTATION2D_NONE;
    }
    const hy_sine_cosine both = hy_sin_cos(angle_rad);
    return (hy_rotation2d){ both.cos, both.sin };
}

hy_rotation2d hy_rotation2d_from_vector(double x, double y)
{
    const double length = hy_hypot(x, y);
    if (!(length > 1e-6) || !is_finite(length)) {
        return HY_ROTATION2D_NONE;
    }
    return (hy_rotation2d){ x / length, y / length };
}

double hy_rotation2d_rad(hy_rotation2d rotation)
{
    return hy_atan2(rotation.sin, rotation.cos);
}

double hy_rotation2d_tan(hy_rotation2d rotation)
{
    return rotation.sin / rotation.cos;
}

hy_rotation2d hy_rotation2d_times(hy_rotation2d rotation, double factor)
{
    return hy_rotation2d_from_rad(hy_rotation2d_rad(rotation) * factor);
}

hy_rotation2d hy_rotation2d_interpolate(hy_rotation2d start, hy_rotation2d end, double t)
{
    const hy_rotation2d way = hy_rotation2d_minus(end, start);
    return hy_rotation2d_plus(start, hy_rotation2d_times(way, hy_clamp(t, 0.0, 1.0, 0.0)));
}

// --------------------------------------------------------------------------- translations

double hy_translation2d_norm(hy_translation2d a)
{
    return hy_hypot(a.x_m, a.y_m);
}

double hy_translation2d_distance(hy_translation2d a, hy_translation2d b)
{
    return hy_translation2d_norm(hy_translation2d_minus(a, b));
}

hy_rotation2d hy_translation2d_angle(hy_translation2d a)
{
    return hy_rotation2d_from_vector(a.x_m, a.y_m);
}

hy_translation2d hy_translation2d_rotate_around(hy_translation2d a, hy_translation2d centre,
                                                hy_rotation2d rotation)
{
    const hy_translation2d from_centre = hy_translation2d_minus(a, centre);
    return hy_translation2d_plus(centre, hy_translation2d_rotate_by(from_centre, rotation));
}

hy_translation2d hy_translation2d_interpolate(hy_translation2d start, hy_translation2d end, double t)
{
    const hy_translation2d way = hy_translation2d_minus(end, start);
    return hy_translation2d_plus(start, hy_translation2d_times(way, hy_clamp(t, 0.0, 1.0, 0.0)));
}

// --------------------------------------------------------------------------- transforms

hy_transform2d hy_transform2d_between(hy_pose2d initial, hy_pose2d final)
{
    const hy_translation2d way = hy_translation2d_minus(final.translation, initial.translation);
    return (hy_transform2d){
        hy_translation2d_rotate_by(way, hy_rotation2d_inverse(initial.rotation)),
        hy_rotation2d_minus(final.rotation, initial.rotation),
    };
}

hy_transform2d hy_transform2d_inverse(hy_transform2d transform)
{
    const hy_rotation2d back = hy_rotation2d_inverse(transform.rotation);
    const hy_translation2d opposite = hy_translation2d_times(transform.translation, -1.0);
    return (hy_transform2d){ hy_translation2d_rotate_by(opposite, back), back };
}

hy_transform2d hy_transform2d_plus(hy_transform2d a, hy_transform2d b)
{
    const hy_pose2d there = hy_pose2d_transform_by((hy_pose2d){ a.translation, a.rotation }, b);
    return (hy_transform2d){ there.translation, there.rotation };
}

hy_transform2d hy_transform2d_times(hy_transform2d transform, double factor)
{
    return (hy_transform2d){ hy_translation2d_times(transform.translation, factor),
                             hy_rotation2d_times(transform.rotation, factor) };
}

// --------------------------------------------------------------------------- poses

hy_pose2d hy_pose2d_at(double x_m, double y_m, double angle_rad)
{
    return (hy_pose2d){ { x_m, y_m }, hy_rotation2d_from_rad(angle_rad) };
}

bool hy_pose2d_is_finite(const hy_pose2d *pose)
{
    const hy_rotation2d r = pose->rotation;
    return is_finite(pose->translation.x_m) && is_finite(pose->translation.y_m) &&
           is_finite(r.cos) && is_finite(r.sin) && (r.cos != 0.0 || r.sin != 0.0);
}

hy_pose2d hy_pose2d_transform_by(hy_pose2d pose, hy_transform2d transform)
{
    return (hy_pose2d){
        hy_translation2d_plus(pose.translation,
                              hy_translation2d_rotate_by(transform.translation, pose.rotation)),
        hy_rotation2d_plus(pose.rotation, transform.rotation),
    };
}

hy_pose2d hy_pose2d_relative_to(hy_pose2d pose, hy_pose2d origin)
{
    const hy_transform2d seen = hy_transform2d_between(origin, pose);
    return (hy_pose2d){ seen.translation, seen.rotation };
}

hy_pose2d hy_pose2d_rotate_by(hy_pose2d pose, hy_rotation2d rotation)
{
    return (hy_pose2d){ hy_translation2d_rotate_by(pose.translation, rotation),
                        hy_rotation2d_plus(pose.rotation, rotation) };
}

hy_pose2d hy_pose2d_rotate_around(hy_pose2d pose, hy_translation2d centre, hy_rotation2d rotation)
{
    return (hy_pose2d){ hy_translation2d_rotate_around(pose.translation, centre, rotation),
                        hy_rotation2d_plus(pose.rotation, rotation) };
}

/// sin(theta) / theta and (1 - cos(theta)) / theta: what an arc's chord is made of.
static hy_translation2d chord_of_unit_arc(double theta)
{
    if (absolute(theta) < 0.25) {
        // Their series, which need no division and lose no digits; what is left out is below 2^-56.
        const double z = theta * theta;
        const double along =
            1.0 / 6 - z * (1.0 / 120 - z * (1.0 / 5040 - z * (1.0 / 362880 - z * (1.0 / 39916800))));
        const double across =
            1.0 / 24 -
            z * (1.0 / 720 - z * (1.0 / 40320 - z * (1.0 / 3628800 - z * (1.0 / 479001600))));
        return (hy_translation2d){ 1.0 - z * along, theta * (0.5 - z * across) };
    }
    const hy_sine_cosine turn = hy_sin_cos(theta);
    const double across = turn.cos > -0.5 ? turn.sin * turn.sin / (1.0 + turn.cos) : 1.0 - turn.cos;
    return (hy_translation2d){ turn.sin / theta, across / theta };
}

hy_translation2d hy_twist2d_chord(hy_twist2d twist)
{
    const hy_translation2d unit = chord_of_unit_arc(twist.dtheta_rad);
    return (hy_translation2d){ twist.dx_m * unit.x_m - twist.dy_m * unit.y_m,
                               twist.dx_m * unit.y_m + twist.dy_m * unit.x_m };
}

hy_pose2d hy_pose2d_exp(hy_pose2d pose, hy_twist2d twist)
{
    const hy_transform2d way = { hy_twist2d_chord(twist), hy_rotation2d_from_rad(twist.dtheta_rad) };
    return hy_pose2d_transform_by(pose, way);
}

/// half / tan(half), half being half of the angle `theta` of `turn`, by whichever half-angle
/// formula does not subtract like from like.
static double half_by_tangent(double theta, hy_rotation2d turn)
{
    const double half = 0.5 * theta;
    if (theta == 0.0) {
        return 1.0;
    }
    return turn.cos > 0.0 ? half / turn.sin * (1.0 + turn.cos) : half * turn.sin / (1.0 - turn.cos);
}

hy_twist2d hy_pose2d_log(hy_pose2d start, hy_pose2d end)
{
    const hy_transform2d way = hy_transform2d_between(start, end);
    const double theta = hy_rotation2d_rad(way.rotation);
    const double along = half_by_tangent(theta, way.rotation);
    const double across = 0.5 * theta;
    const hy_translation2d t = way.translation;
    return (hy_twist2d){ t.x_m * along + t.y_m * across, t.y_m * along - t.x_m * across, theta };
}

hy_pose2d hy_pose2d_interpolate(hy_pose2d start, hy_pose2d end, double t)
{
    if (!(t > 0.0)) {
        return start;
    }
    if (t >= 1.0) {
        return end;
    }
    const hy_twist2d twist = hy_pose2d_log(start, end);
    return hy_pose2d_exp(start, (hy_twist2d){ twist.dx_m * t, twist.dy_m * t, twist.dtheta_rad * t });
}

size_t hy_pose2d_nearest(hy_pose2d pose, const hy_pose2d *poses, size_t count)
{
    size_t best = count;
    double best_distance = 0.0, best_angle = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double distance = hy_translation2d_distance(pose.translation, poses[i].translation);
        const hy_rotation2d turn = hy_rotation2d_minus(pose.rotation, poses[i].rotation);
        const double angle = absolute(hy_rotation2d_rad(turn));
        if (best == count || distance < best_distance ||
            (distance == best_distance && angle < best_angle)) {
            best = i;
            best_distance = distance;
            best_angle = angle;
        }
    }
    return best;
}
