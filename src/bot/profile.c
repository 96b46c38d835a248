#include <halyard/bot_control.h>

#include "finite.h"

static bool are_constraints(hy_profile_constraints constraints)
{
    return is_finite(constraints.max_velocity) && constraints.max_velocity > 0.0 &&
           is_finite(constraints.max_acceleration) && constraints.max_acceleration > 0.0;
}

static bool is_state(hy_profile_state state)
{
    return is_finite(state.position) && is_finite(state.velocity);
}

/// `state` seen in the direction of motion, and back.
static hy_profile_state directed(hy_profile_state state, double direction)
{
    return (hy_profile_state){ state.position * direction, state.velocity * direction };
}

/// The times of the three pieces. Seen as part of a trapezoid that starts and ends at rest, the
/// profile lacks the corners in which it would reach its first velocity and lose its last.
static void plan_times(hy_trapezoid_profile *self)
{
    const double v = self->constraints.max_velocity, a = self->constraints.max_acceleration;
    const double cut_at_start_s = self->from.velocity / a, cut_at_end_s = self->to.velocity / a;
    const double cut = (cut_at_start_s * cut_at_start_s + cut_at_end_s * cut_at_end_s) * a / 2.0;
    const double whole = cut + (self->to.position - self->from.position);
    double acceleration_s = v / a;
    double full_speed = whole - acceleration_s * acceleration_s * a;
    if (full_speed < 0.0) { // a triangle: it never gets that fast
        acceleration_s = hy_sqrt(whole / a);
        full_speed = 0.0;
    }
    self->end_acceleration_s = acceleration_s - cut_at_start_s;
    self->end_full_speed_s = self->end_acceleration_s + full_speed / v;
    self->total_s = self->end_full_speed_s + acceleration_s - cut_at_end_s;
}

bool hy_trapezoid_profile_plan(hy_trapezoid_profile *self, hy_profile_constraints constraints,
                               hy_profile_state from, hy_profile_state to)
{
    if (!are_constraints(constraints) || !is_state(from) || !is_state(to)) {
        const hy_profile_state still = { finite_or_0(to.position), 0.0 };
        *self = (hy_trapezoid_profile){
            .constraints = { 1.0, 1.0 }, .from = still, .to = still, .direction = 1.0
        };
        return false;
    }
    const double direction = from.position > to.position ? -1.0 : 1.0;
    *self = (hy_trapezoid_profile){ .constraints = constraints,
                                    .from = directed(from, direction),
                                    .to = directed(to, direction),
                                    .direction = direction };
    self->from.velocity =
        limited(self->from.velocity, -constraints.max_velocity, constraints.max_velocity);
    plan_times(self);
    return true;
}

hy_profile_state hy_trapezoid_profile_at(const hy_trapezoid_profile *self, double t_s)
{
    const double t = t_s > 0.0 ? t_s : 0.0;
    const double v = self->constraints.max_velocity, a = self->constraints.max_acceleration;
    const hy_profile_state from = self->from, to = self->to;
    hy_profile_state now = to;
    if (t < self->end_acceleration_s) {
        now.velocity = from.velocity + t * a;
        now.position = from.position + (from.velocity + t * a / 2.0) * t;
    } else if (t < self->end_full_speed_s) {
        const double first_s = self->end_acceleration_s;
        now.velocity = v;
        now.position =
            from.position + (from.velocity + first_s * a / 2.0) * first_s + v * (t - first_s);
    } else if (t <= self->total_s) {
        const double left_s = self->total_s - t;
        now.velocity = to.velocity + left_s * a;
        now.position = to.position - (to.velocity + left_s * a / 2.0) * left_s;
    }
    return directed(now, self->direction);
}

// --------------------------------------------------------------------------- with a PID controller

bool hy_profiled_pid_init(hy_profiled_pid *self, hy_pid_gains gains,
                          hy_profile_constraints constraints, double period_s)
{
    hy_pid pid;
    if (!are_constraints(constraints) || !hy_pid_init(&pid, gains, period_s)) {
        return false;
    }
    *self = (hy_profiled_pid){ .pid = pid, .constraints = constraints };
    return true;
}

bool hy_profiled_pid_set_goal(hy_profiled_pid *self, hy_profile_state goal)
{
    if (!is_state(goal)) {
        return false;
    }
    self->goal = goal;
    return true;
}

bool hy_profiled_pid_set_constraints(hy_profiled_pid *self, hy_profile_constraints constraints)
{
    if (!are_constraints(constraints)) {
        return false;
    }
    self->constraints = constraints;
    return true;
}

double hy_profiled_pid_calculate(hy_profiled_pid *self, double measurement)
{
    if (!is_finite(measurement)) {
        return 0.0;
    }
    if (self->pid.continuous) { // goal and setpoint as they are seen the short way from here
        const double half = (self->pid.input_max - self->pid.input_min) / 2.0;
        self->goal.position =
            measurement + hy_input_modulus(self->goal.position - measurement, -half, half);
        self->setpoint.position =
            measurement + hy_input_modulus(self->setpoint.position - measurement, -half, half);
    }
    hy_trapezoid_profile profile;
    hy_trapezoid_profile_plan(&profile, self->constraints, self->setpoint, self->goal);
    self->setpoint = hy_trapezoid_profile_at(&profile, self->pid.period_s);
    return hy_pid_calculate_to(&self->pid, measurement, self->setpoint.position);
}

bool hy_profiled_pid_at_goal(const hy_profiled_pid *self)
{
    return hy_pid_at_setpoint(&self->pid) && self->goal.position == self->setpoint.position &&
           self->goal.velocity == self->setpoint.velocity;
}

bool hy_profiled_pid_reset(hy_profiled_pid *self, hy_profile_state measured)
{
    if (!is_state(measured)) {
        return false;
    }
    hy_pid_reset(&self->pid);
    self->setpoint = measured;
    return true;
}
