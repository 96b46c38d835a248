#include <halyard/bot_geometry.h>

#include "finite.h"
#include "fit.h"

// --------------------------------------------------------------------------- what both have

static bool start_odometry(hy_odometry *self, double gyro_rad, hy_pose2d pose)
{
    if (!is_finite(gyro_rad) || !hy_pose2d_is_finite(&pose)) {
        return false;
    }
    const double heading = hy_rotation2d_rad(pose.rotation);
    *self = (hy_odometry){ pose, heading, heading - gyro_rad };
    return true;
}

/// Moves the pose along an arc that ends in the direction `heading_rad`.
static void advance_pose(hy_odometry *self, hy_twist2d twist, double heading_rad)
{
    const hy_translation2d way =
        hy_translation2d_rotate_by(hy_twist2d_chord(twist), self->pose.rotation);
    self->pose.translation = hy_translation2d_plus(self->pose.translation, way);
    self->pose.rotation = hy_rotation2d_from_rad(heading_rad);
    self->heading_rad = heading_rad;
}

bool hy_odometry_set_pose(hy_odometry *self, hy_pose2d pose)
{
    return hy_pose2d_is_finite(&pose) && hy_odometry_set_rotation(self, pose.rotation) &&
           hy_odometry_set_translation(self, pose.translation);
}

bool hy_odometry_set_translation(hy_odometry *self, hy_translation2d translation)
{
    if (!is_finite(translation.x_m) || !is_finite(translation.y_m)) {
        return false;
    }
    self->pose.translation = translation;
    return true;
}

bool hy_odometry_set_rotation(hy_odometry *self, hy_rotation2d rotation)
{
    const hy_pose2d turned = { { 0.0, 0.0 }, rotation };
    if (!hy_pose2d_is_finite(&turned)) {
        return false;
    }
    const double gyro_rad = self->heading_rad - self->gyro_offset_rad;
    self->heading_rad = hy_rotation2d_rad(rotation);
    self->gyro_offset_rad = self->heading_rad - gyro_rad;
    self->pose.rotation = rotation;
    return true;
}

// --------------------------------------------------------------------------- differential drive

bool hy_differential_odometry_start(hy_differential_odometry *self,
                                    const hy_differential_kinematics *kinematics, double gyro_rad,
                                    hy_wheel_distances wheels, hy_pose2d pose)
{
    if (!is_finite(wheels.left_m) || !is_finite(wheels.right_m) ||
        !start_odometry(&self->odometry, gyro_rad, pose)) {
        return false;
    }
    self->kinematics = *kinematics;
    self->wheels = wheels;
    return true;
}

static hy_twist2d twist_since(const hy_differential_odometry *self, hy_wheel_distances wheels)
{
    const hy_wheel_distances distances = { wheels.left_m - self->wheels.left_m,
                                           wheels.right_m - self->wheels.right_m };
    return hy_differential_twist(&self->kinematics, distances);
}

bool hy_differential_odometry_update(hy_differential_odometry *self, double gyro_rad,
                                     hy_wheel_distances wheels)
{
    hy_twist2d twist = twist_since(self, wheels);
    const double heading = gyro_rad + self->odometry.gyro_offset_rad;
    twist.dtheta_rad = hy_wrap_angle(heading - self->odometry.heading_rad);
    if (!is_finite(twist.dx_m) || !is_finite(twist.dtheta_rad)) {
        return false;
    }
    self->wheels = wheels;
    advance_pose(&self->odometry, twist, heading);
    return true;
}

bool hy_differential_odometry_update_wheels(hy_differential_odometry *self, hy_wheel_distances wheels)
{
    const hy_twist2d twist = twist_since(self, wheels);
    if (!is_finite(twist.dx_m) || !is_finite(twist.dtheta_rad)) {
        return false;
    }
    self->wheels = wheels;
    advance_pose(&self->odometry, twist, self->odometry.heading_rad + twist.dtheta_rad);
    return true;
}

// --------------------------------------------------------------------------- swerve drive

bool hy_swerve_odometry_start(hy_swerve_odometry *self, const hy_swerve_kinematics *kinematics,
                              double gyro_rad, const hy_swerve_position *modules, hy_pose2d pose)
{
    for (size_t i = 0; i < kinematics->count; i++) {
        if (!is_finite(modules[i].distance_m)) {
            return false;
        }
    }
    if (!start_odometry(&self->odometry, gyro_rad, pose)) {
        return false;
    }
    self->kinematics = *kinematics;
    for (size_t i = 0; i < kinematics->count; i++) {
        self->distance_m[i] = modules[i].distance_m;
    }
    return true;
}

bool hy_swerve_odometry_update(hy_swerve_odometry *self, double gyro_rad,
                               const hy_swerve_position *modules)
{
    const hy_swerve_kinematics *const kinematics = &self->kinematics;
    fit_sum sum = { 0.0, 0.0, 0.0 };
    for (size_t i = 0; i < kinematics->count; i++) {
        const double way = modules[i].distance_m - self->distance_m[i];
        fit_add(&sum, kinematics, i, way, modules[i].angle);
    }
    hy_twist2d twist = fit_of(&sum, kinematics);
    const double heading = gyro_rad + self->odometry.gyro_offset_rad;
    twist.dtheta_rad = hy_wrap_angle(heading - self->odometry.heading_rad);
    if (!is_finite(twist.dx_m + twist.dy_m) || !is_finite(twist.dtheta_rad)) {
        return false;
    }
    for (size_t i = 0; i < self->kinematics.count; i++) {
        self->distance_m[i] = modules[i].distance_m;
    }
    advance_pose(&self->odometry, twist, heading);
    return true;
}
