// From the wheels to the whole robot. A file of its own, because it gains by the vectors that the others lose by.
#include "fit.h"

hy_chassis_speeds hy_differential_to_chassis(const hy_differential_kinematics *self,
                                             hy_wheel_speeds wheels)
{
    return (hy_chassis_speeds){ (wheels.left_m_s + wheels.right_m_s) / 2.0, 0.0,
                                (wheels.right_m_s - wheels.left_m_s) / self->track_width_m };
}

hy_twist2d hy_differential_twist(const hy_differential_kinematics *self, hy_wheel_distances distances)
{
    return (hy_twist2d){ (distances.left_m + distances.right_m) / 2.0, 0.0,
                         (distances.right_m - distances.left_m) / self->track_width_m };
}

hy_chassis_speeds hy_swerve_to_chassis(const hy_swerve_kinematics *self,
                                       const hy_swerve_state *states)
{
    fit_sum sum = { 0.0, 0.0, 0.0 };
    const size_t count = self->count;
    for (size_t i = 0; i < count; i++) {
        fit_add(&sum, self, i, states[i].speed_m_s, states[i].angle);
    }
    const hy_twist2d fit = fit_of(&sum, self);
    return (hy_chassis_speeds){ fit.dx_m, fit.dy_m, fit.dtheta_rad };
}

hy_twist2d hy_swerve_twist(const hy_swerve_kinematics *self, const hy_swerve_position *distances)
{
    fit_sum sum = { 0.0, 0.0, 0.0 };
    const size_t count = self->count;
    for (size_t i = 0; i < count; i++) {
        fit_add(&sum, self, i, distances[i].distance_m, distances[i].angle);
    }
    return fit_of(&sum, self);
}
