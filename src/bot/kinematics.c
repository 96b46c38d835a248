#include <halyard/bot_geometry.h>

#include "finite.h"

// --------------------------------------------------------------------------- the whole robot

hy_chassis_speeds hy_chassis_speeds_plus(hy_chassis_speeds a, hy_chassis_speeds b)
{
    return (hy_chassis_speeds){ a.vx_m_s + b.vx_m_s, a.vy_m_s + b.vy_m_s,
                                a.omega_rad_s + b.omega_rad_s };
}

hy_chassis_speeds hy_chassis_speeds_times(hy_chassis_speeds a, double factor)
{
    return (hy_chassis_speeds){ a.vx_m_s * factor, a.vy_m_s * factor, a.omega_rad_s * factor };
}

hy_chassis_speeds hy_chassis_speeds_to_field(hy_chassis_speeds robot, hy_rotation2d heading)
{
    return (hy_chassis_speeds){ robot.vx_m_s * heading.cos - robot.vy_m_s * heading.sin,
                                robot.vx_m_s * heading.sin + robot.vy_m_s * heading.cos,
                                robot.omega_rad_s };
}

hy_chassis_speeds hy_chassis_speeds_from_field(hy_chassis_speeds field, hy_rotation2d heading)
{
    return hy_chassis_speeds_to_field(field, hy_rotation2d_inverse(heading));
}

hy_twist2d hy_chassis_speeds_twist(hy_chassis_speeds speeds, double dt_s)
{
    return (hy_twist2d){ speeds.vx_m_s * dt_s, speeds.vy_m_s * dt_s, speeds.omega_rad_s * dt_s };
}

hy_chassis_speeds hy_chassis_speeds_discretize(hy_chassis_speeds speeds, double dt_s)
{
    if (!(dt_s > 0.0) || !is_finite(dt_s)) {
        return speeds;
    }
    const hy_pose2d wanted =
        hy_pose2d_at(speeds.vx_m_s * dt_s, speeds.vy_m_s * dt_s, speeds.omega_rad_s * dt_s);
    const hy_twist2d twist = hy_pose2d_log(HY_POSE2D_ORIGIN, wanted);
    return (hy_chassis_speeds){ twist.dx_m / dt_s, twist.dy_m / dt_s, twist.dtheta_rad / dt_s };
}

// --------------------------------------------------------------------------- differential drive

bool hy_differential_kinematics_init(hy_differential_kinematics *self, double track_width_m)
{
    if (!is_finite(track_width_m) || !(track_width_m > 0.0)) {
        return false;
    }
    self->track_width_m = track_width_m;
    return true;
}

hy_wheel_speeds hy_differential_to_wheels(const hy_differential_kinematics *self,
                                          hy_chassis_speeds speeds)
{
    const double half = self->track_width_m / 2.0 * speeds.omega_rad_s;
    return (hy_wheel_speeds){ speeds.vx_m_s - half, speeds.vx_m_s + half };
}

/// What to multiply speeds with so that the fastest does not exceed `max`.
static double desaturation(double fastest, double max)
{
    if (!(max >= 0.0)) {
        return 0.0;
    }
    return fastest > max ? max / fastest : 1.0;
}

hy_wheel_speeds hy_wheel_speeds_desaturate(hy_wheel_speeds wheels, double max_m_s)
{
    const double fastest = larger(absolute(wheels.left_m_s), absolute(wheels.right_m_s));
    const double scale = desaturation(fastest, max_m_s);
    return (hy_wheel_speeds){ wheels.left_m_s * scale, wheels.right_m_s * scale };
}

// --------------------------------------------------------------------------- swerve drive

bool hy_swerve_kinematics_init(hy_swerve_kinematics *self, const hy_translation2d *modules,
                               size_t count)
{
    if (count < 2 || count > HY_SWERVE_MODULES) {
        return false;
    }
    hy_translation2d centre = { 0.0, 0.0 };
    for (size_t i = 0; i < count; i++) {
        centre = hy_translation2d_plus(centre, modules[i]);
    }
    centre = hy_translation2d_times(centre, 1.0 / (double)count);
    double inertia = 0.0; // the places' squared distances from their middle, added up
    for (size_t i = 0; i < count; i++) {
        const hy_translation2d arm = hy_translation2d_minus(modules[i], centre);
        inertia += hy_translation2d_dot(arm, arm);
    }
    if (!is_finite(inertia) || !(inertia > 1e-12)) {
        return false;
    }
    *self = (hy_swerve_kinematics){ .count = count,
                                    .centre = centre,
                                    .one_by_count = 1.0 / (double)count,
                                    .one_by_inertia = 1.0 / inertia };
    for (size_t i = 0; i < count; i++) {
        self->module[i] = modules[i];
        self->arm[i] = hy_translation2d_minus(modules[i], centre);
    }
    return true;
}

void hy_swerve_to_modules(const hy_swerve_kinematics *self, hy_chassis_speeds speeds,
                          hy_translation2d centre, hy_swerve_state *states)
{
    const size_t count = self->count; // it does not change while states are written
    for (size_t i = 0; i < count; i++) {
        const double vx = speeds.vx_m_s - speeds.omega_rad_s * (self->module[i].y_m - centre.y_m);
        const double vy = speeds.vy_m_s + speeds.omega_rad_s * (self->module[i].x_m - centre.x_m);
        const double speed = length_of(vx, vy);
        states[i].speed_m_s = speed;
        if (speed > 1e-6) {
            const double scale = 1.0 / speed;
            states[i].angle = (hy_rotation2d){ vx * scale, vy * scale };
        }
    }
}

static double fastest_of(const hy_swerve_state *states, size_t count)
{
    double fastest = 0.0;
    for (size_t i = 0; i < count; i++) {
        fastest = larger(fastest, absolute(states[i].speed_m_s));
    }
    return fastest;
}

static void scale_all(hy_swerve_state *states, size_t count, double scale)
{
    for (size_t i = 0; i < count; i++) {
        states[i].speed_m_s *= scale;
    }
}

void hy_swerve_desaturate(hy_swerve_state *states, size_t count, double max_m_s)
{
    scale_all(states, count, desaturation(fastest_of(states, count), max_m_s));
}

void hy_swerve_desaturate_chassis(hy_swerve_state *states, size_t count, hy_chassis_speeds wanted,
                                  const hy_swerve_limits *limits)
{
    const double fastest = fastest_of(states, count);
    if (limits->chassis_m_s == 0.0 || limits->chassis_rad_s == 0.0 || fastest == 0.0) {
        return;
    }
    const double straight = hy_hypot(wanted.vx_m_s, wanted.vy_m_s) / limits->chassis_m_s;
    const double turning = absolute(wanted.omega_rad_s) / limits->chassis_rad_s;
    const double share = larger(straight, turning);
    scale_all(states, count, smaller(share * limits->module_m_s / fastest, 1.0));
}

hy_swerve_state hy_swerve_optimize(hy_swerve_state wanted, hy_rotation2d current)
{
    // More than 90 degrees apart: their directions' product is negative.
    if (wanted.angle.cos * current.cos + wanted.angle.sin * current.sin >= 0.0) {
        return wanted;
    }
    return (hy_swerve_state){ -wanted.speed_m_s, { -wanted.angle.cos, -wanted.angle.sin } };
}

hy_swerve_state hy_swerve_cosine_scale(hy_swerve_state wanted, hy_rotation2d current)
{
    wanted.speed_m_s *= wanted.angle.cos * current.cos + wanted.angle.sin * current.sin;
    return wanted;
}
