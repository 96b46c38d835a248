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

static bool is_goal(hy_profile_state goal, hy_profile_constraints constraints)
{
    return is_state(goal) && absolute(goal.velocity) <= constraints.max_velocity;
}

/// `state` seen in the direction of motion, and back.
static hy_profile_state directed(hy_profile_state state, double direction)
{
    return (hy_profile_state){ state.position * direction, state.velocity * direction };
}

/// The times of the three pieces: to the highest speed, at it, and to the last one. From v0 straight
/// to v1 the way is |v1 - v0| (v0 + v1) / 2a. A goal farther ahead than that is reached fastest by
/// getting faster than both first, any other by the same seen from behind (Pontryagin: the fastest
/// way changes the sign of its acceleration once, and keeps the limit between). The highest speed h
/// comes from (h^2 - v0^2) / 2a + (h^2 - v1^2) / 2a = way. Returns the direction of motion.
static double plan_times(hy_trapezoid_profile *self)
{
    const double v = self->constraints.max_velocity, a = self->constraints.max_acceleration;
    const double v0 = self->from.velocity, v1 = self->to.velocity;
    const double p0 = self->from.position, p1 = self->to.position;
    const double squares = v0 * v0 + v1 * v1, twice_way = 2.0 * a * (p1 - p0);
    const double beyond = twice_way - absolute(v1 - v0) * (v0 + v1);
    // Rounding must not send a robot around that is about to arrive: a controller plans anew every
    // period, from a state on its last way.
    const bool straight = absolute(beyond) < 1e-12 * (a * (absolute(p0) + absolute(p1)) + squares);
    const double direction = beyond < 0.0 && !straight ? -1.0 : 1.0;
    const double start = direction * v0, end = direction * v1, faster = larger(start, end);
    const double square = (squares + direction * twice_way) / 2.0;
    const double highest = straight ? faster : root_of(larger(square, faster * faster));
    self->top_velocity = smaller(highest, v);
    // A start that is faster than allowed slows down in the first piece.
    const double first = absolute(self->top_velocity - start);
    const double last = self->top_velocity - end;
    const double left = direction * twice_way - first * (self->top_velocity + start) -
                        last * (self->top_velocity + end);
    self->end_acceleration_s = first / a;
    self->end_full_speed_s = self->end_acceleration_s;
    if (highest > v && left > 0.0) {
        self->end_full_speed_s += left / (2.0 * a * v);
    }
    self->total_s = self->end_full_speed_s + last / a;
    return direction;
}

bool hy_trapezoid_profile_plan(hy_trapezoid_profile *self, hy_profile_constraints constraints,
                               hy_profile_state from, hy_profile_state to)
{
    if (are_constraints(constraints) && is_state(from) && is_goal(to, constraints)) {
        *self = (hy_trapezoid_profile){ .constraints = constraints, .from = from, .to = to };
        self->direction = plan_times(self);
        self->from = directed(from, self->direction);
        self->to = directed(to, self->direction);
        if (is_finite(self->total_s)) {
            return true;
        }
    }
    const hy_profile_state still = { finite_or_0(to.position), 0.0 };
    *self = (hy_trapezoid_profile){
        .constraints = { 1.0, 1.0 }, .from = still, .to = still, .direction = 1.0
    };
    return false;
}

hy_profile_state hy_trapezoid_profile_at(const hy_trapezoid_profile *self, double t_s)
{
    const double t = t_s > 0.0 ? t_s : 0.0;
    const double v = self->top_velocity, a = self->constraints.max_acceleration;
    const hy_profile_state from = self->from, to = self->to;
    hy_profile_state now = to;
    if (t < self->end_acceleration_s) {
        now.velocity = from.velocity + (v < from.velocity ? -a : a) * t;
        now.position = from.position + (from.velocity + now.velocity) / 2.0 * t;
    } else if (t < self->end_full_speed_s) {
        const double first_s = self->end_acceleration_s;
        now.velocity = v;
        now.position = from.position + (from.velocity + v) / 2.0 * first_s + v * (t - first_s);
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
    if (!is_goal(goal, self->constraints)) {
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
    self->goal.velocity =
        limited(self->goal.velocity, -constraints.max_velocity, constraints.max_velocity);
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
    if (hy_trapezoid_profile_plan(&profile, self->constraints, self->setpoint, self->goal)) {
        self->setpoint = hy_trapezoid_profile_at(&profile, self->pid.period_s);
    }
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
