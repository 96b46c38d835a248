/// @file fit.h
/// Private: the motion of a whole robot that fits best to what its modules do. The least squares
/// have a closed form: the mean of the modules' motions is that of their middle, and the turn is
/// what their motions across their arms add up to.
#ifndef HALYARD_BOT_FIT_H
#define HALYARD_BOT_FIT_H

#include <halyard/bot_geometry.h>

/// Sums over the modules.
typedef struct {
    double x, y, moment;
} fit_sum;

static inline void fit_add(fit_sum *sum, const hy_swerve_kinematics *kinematics, size_t module,
                           double way, hy_rotation2d angle)
{
    const hy_translation2d motion = hy_translation2d_from_polar(way, angle);
    sum->x += motion.x_m;
    sum->y += motion.y_m;
    sum->moment += hy_translation2d_cross(kinematics->arm[module], motion);
}

static inline hy_twist2d fit_of(const fit_sum *sum, const hy_swerve_kinematics *kinematics)
{
    const double turn = sum->moment * kinematics->one_by_inertia;
    return (hy_twist2d){ sum->x * kinematics->one_by_count + turn * kinematics->centre.y_m,
                         sum->y * kinematics->one_by_count - turn * kinematics->centre.x_m, turn };
}

#endif
