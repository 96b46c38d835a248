#include <halyard/bot.h>

#include "finite.h"

static bool is_within(hy_translation2d place, double angle_rad, const hy_pose_tolerance *tolerance)
{
    return absolute(place.x_m) < tolerance->x_m && absolute(place.y_m) < tolerance->y_m &&
           absolute(angle_rad) < tolerance->angle_rad;
}

static const hy_chassis_speeds still = { 0.0, 0.0, 0.0 };

/// `speeds`, or standing still where something overflowed.
static hy_chassis_speeds finite_speeds(hy_chassis_speeds speeds)
{
    const bool good =
        is_finite(speeds.vx_m_s) && is_finite(speeds.vy_m_s) && is_finite(speeds.omega_rad_s);
    return good ? speeds : still;
}

// --------------------------------------------------------------------------- Ramsete

bool hy_ramsete_init(hy_ramsete *self, double b, double zeta)
{
    if (!is_finite(b) || !(b > 0.0) || !(zeta > 0.0) || !(zeta < 1.0)) {
        return false;
    }
    *self = (hy_ramsete){ .error = HY_POSE2D_ORIGIN, .b = b, .zeta = zeta };
    return true;
}

hy_chassis_speeds hy_ramsete_calculate(hy_ramsete *self, hy_pose2d pose,
                                       const hy_trajectory_state *wanted)
{
    if (!hy_pose2d_is_finite(&pose)) {
        return still;
    }
    self->error = hy_pose2d_relative_to(wanted->pose, pose);
    const double angle = hy_rotation2d_rad(self->error.rotation);
    const double v = wanted->velocity_m_s, omega = v * wanted->curvature_rad_m;
    const double k = 2.0 * self->zeta * hy_sqrt(omega * omega + self->b * v * v);
    const double sinc = absolute(angle) < 1e-9 ? 1.0 : self->error.rotation.sin / angle;
    return finite_speeds((hy_chassis_speeds){
        v * self->error.rotation.cos + k * self->error.translation.x_m,
        0.0,
        omega + k * angle + self->b * v * sinc * self->error.translation.y_m,
    });
}

bool hy_ramsete_at_reference(const hy_ramsete *self)
{
    return is_within(self->error.translation, hy_rotation2d_rad(self->error.rotation),
                     &self->tolerance);
}

// --------------------------------------------------------------------------- holonomic

void hy_holonomic_init(hy_holonomic *self, const hy_pid *x, const hy_pid *y,
                       const hy_profiled_pid *theta)
{
    *self = (hy_holonomic){
        .x = *x, .y = *y, .theta = *theta, .error = HY_POSE2D_ORIGIN, .heading_error = HY_ROTATION2D_NONE
    };
    hy_pid_set_continuous(&self->theta.pid, -HY_PI, HY_PI);
}

hy_chassis_speeds hy_holonomic_calculate(hy_holonomic *self, hy_pose2d pose,
                                         const hy_trajectory_state *wanted, hy_rotation2d heading)
{
    if (!hy_pose2d_is_finite(&pose)) {
        return still;
    }
    const double now_rad = hy_rotation2d_rad(pose.rotation);
    if (!self->started) {
        hy_profiled_pid_reset(&self->theta, (hy_profile_state){ now_rad, 0.0 });
        self->started = true;
    }
    self->error = hy_pose2d_relative_to(wanted->pose, pose);
    self->heading_error = hy_rotation2d_minus(heading, pose.rotation);
    hy_profiled_pid_set_goal(&self->theta, (hy_profile_state){ hy_rotation2d_rad(heading), 0.0 });
    const hy_translation2d there = wanted->pose.translation;
    const double x = hy_pid_calculate_to(&self->x, pose.translation.x_m, there.x_m);
    const double y = hy_pid_calculate_to(&self->y, pose.translation.y_m, there.y_m);
    const hy_chassis_speeds field = {
        wanted->velocity_m_s * wanted->pose.rotation.cos + x,
        wanted->velocity_m_s * wanted->pose.rotation.sin + y,
        hy_profiled_pid_calculate(&self->theta, now_rad),
    };
    return finite_speeds(hy_chassis_speeds_from_field(field, pose.rotation));
}

bool hy_holonomic_at_reference(const hy_holonomic *self)
{
    return is_within(self->error.translation, hy_rotation2d_rad(self->heading_error),
                     &self->tolerance);
}

// --------------------------------------------------------------------------- pure pursuit

bool hy_pure_pursuit_init(hy_pure_pursuit *self, const hy_translation2d *points, size_t count,
                          double lookahead_m)
{
    if (count < 2 || !is_finite(lookahead_m) || !(lookahead_m > 0.0)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_finite(points[i].x_m) || !is_finite(points[i].y_m)) {
            return false;
        }
    }
    *self = (hy_pure_pursuit){ .goal = points[0],
                               .to_end_m = __builtin_inf(),
                               .path = points,
                               .count = count,
                               .lookahead_m = lookahead_m };
    return true;
}

/// The share of the segment behind point `i` at which it is nearest to `place`.
static double nearest_share(const hy_pure_pursuit *self, size_t i, hy_translation2d place)
{
    const hy_translation2d way = hy_translation2d_minus(self->path[i + 1], self->path[i]);
    const double square = hy_translation2d_dot(way, way);
    const hy_translation2d from_start = hy_translation2d_minus(place, self->path[i]);
    return square > 0.0 ? limited(hy_translation2d_dot(from_start, way) / square, 0.0, 1.0) : 1.0;
}

static hy_translation2d point_at(const hy_pure_pursuit *self, size_t i, double share)
{
    return hy_translation2d_interpolate(self->path[i], self->path[i + 1], share);
}

/// Moves on along the path as long as the robot comes nearer, so never over to another branch.
static void advance_along(hy_pure_pursuit *self, hy_translation2d place)
{
    self->share = larger(self->share, nearest_share(self, self->segment, place));
    while (self->segment + 2 < self->count) {
        const double share = nearest_share(self, self->segment + 1, place);
        const hy_translation2d here = point_at(self, self->segment, self->share);
        const hy_translation2d there = point_at(self, self->segment + 1, share);
        const double now = hy_translation2d_distance(here, place);
        const double then = hy_translation2d_distance(there, place);
        const bool comes_nearer = self->share < 1.0 ? then < now : then <= now;
        if (!comes_nearer) {
            return;
        }
        self->segment++;
        self->share = share;
    }
}

/// Where the path leaves the circle of the lookahead about `place`, looked for from the robot's
/// place on the path on; its end if it does not.
static hy_translation2d look_ahead(const hy_pure_pursuit *self, hy_translation2d place)
{
    for (size_t i = self->segment; i + 1 < self->count; i++) {
        const hy_translation2d end = self->path[i + 1];
        if (hy_translation2d_distance(end, place) < self->lookahead_m) {
            continue;
        }
        const hy_translation2d start = point_at(self, i, i == self->segment ? self->share : 0.0);
        const hy_translation2d way = hy_translation2d_minus(end, start);
        const hy_translation2d to_start = hy_translation2d_minus(start, place);
        const double a = hy_translation2d_dot(way, way);
        const double b = hy_translation2d_dot(way, to_start);
        const double c =
            hy_translation2d_dot(to_start, to_start) - self->lookahead_m * self->lookahead_m;
        if (c >= 0.0) { // the robot is farther off than the lookahead: back to the path first
            return start;
        }
        return hy_translation2d_plus(start,
                                     hy_translation2d_times(way, (hy_sqrt(b * b - a * c) - b) / a));
    }
    return self->path[self->count - 1];
}

hy_chassis_speeds hy_pure_pursuit_calculate(hy_pure_pursuit *self, hy_pose2d pose, double speed_m_s)
{
    if (!hy_pose2d_is_finite(&pose) || !is_finite(speed_m_s)) {
        return still;
    }
    advance_along(self, pose.translation);
    self->goal = look_ahead(self, pose.translation);
    self->to_end_m = hy_translation2d_distance(self->path[self->count - 1], pose.translation);
    const hy_translation2d way = hy_translation2d_minus(self->goal, pose.translation);
    const hy_translation2d seen =
        hy_translation2d_rotate_by(way, hy_rotation2d_inverse(pose.rotation));
    // The arc through the goal that touches the robot's direction; near the end no tighter than in
    // the middle.
    const double square = hy_translation2d_dot(seen, seen);
    const double least = 0.25 * self->lookahead_m * self->lookahead_m;
    const double curvature = 2.0 * seen.y_m / larger(square, least);
    return finite_speeds((hy_chassis_speeds){ speed_m_s, 0.0, speed_m_s * curvature });
}

bool hy_pure_pursuit_at_end(const hy_pure_pursuit *self, double tolerance_m)
{
    return self->segment + 2 == self->count && self->to_end_m <= tolerance_m;
}
