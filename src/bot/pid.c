#include <halyard/bot_control.h>

#include "finite.h"

static bool are_gains(hy_pid_gains gains)
{
    return is_finite(gains.p + gains.i + gains.d) && gains.p >= 0.0 && gains.i >= 0.0 &&
           gains.d >= 0.0;
}

bool hy_pid_init(hy_pid *self, hy_pid_gains gains, double period_s)
{
    if (!are_gains(gains) || !is_finite(period_s) || !(period_s > 0.0)) {
        return false;
    }
    const double infinite = __builtin_inf();
    *self = (hy_pid){
        .gains = gains,
        .period_s = period_s,
        .i_zone = infinite,
        .integral_min = -1.0,
        .integral_max = 1.0,
        .output_min = -infinite,
        .output_max = infinite,
        .tolerance = 0.05,
        .derivative_tolerance = infinite,
    };
    return true;
}

// --------------------------------------------------------------------------- settings

bool hy_pid_set_gains(hy_pid *self, hy_pid_gains gains)
{
    if (!are_gains(gains)) {
        return false;
    }
    self->gains = gains;
    return true;
}

bool hy_pid_set_feed_forward(hy_pid *self, double gain)
{
    if (!is_finite(gain)) {
        return false;
    }
    self->feed_forward = gain;
    return true;
}

bool hy_pid_set_i_zone(hy_pid *self, double i_zone)
{
    if (!(i_zone >= 0.0)) {
        return false;
    }
    self->i_zone = i_zone;
    return true;
}

bool hy_pid_set_integrator_range(hy_pid *self, double min, double max)
{
    if (!is_finite(min) || !is_finite(max) || min > max) {
        return false;
    }
    self->integral_min = min;
    self->integral_max = max;
    return true;
}

bool hy_pid_set_output_range(hy_pid *self, double min, double max, bool anti_windup)
{
    if (!(min <= max) || min == __builtin_inf() || max == -__builtin_inf()) {
        return false;
    }
    self->output_min = min;
    self->output_max = max;
    self->anti_windup = anti_windup;
    return true;
}

bool hy_pid_set_deadband(hy_pid *self, double deadband)
{
    if (!is_finite(deadband) || deadband < 0.0) {
        return false;
    }
    self->deadband = deadband;
    return true;
}

bool hy_pid_set_continuous(hy_pid *self, double min, double max)
{
    if (!is_finite(min) || !is_finite(max) || !(min < max)) {
        return false;
    }
    self->input_min = min;
    self->input_max = max;
    self->continuous = true;
    return true;
}

void hy_pid_clear_continuous(hy_pid *self)
{
    self->continuous = false;
}

bool hy_pid_set_tolerance(hy_pid *self, double error, double derivative)
{
    if (!(error >= 0.0) || !(derivative >= 0.0)) {
        return false;
    }
    self->tolerance = error;
    self->derivative_tolerance = derivative;
    return true;
}

// --------------------------------------------------------------------------- the controller

static void update_error(hy_pid *self)
{
    self->error = self->setpoint - self->measurement;
    if (self->continuous) {
        const double half = (self->input_max - self->input_min) / 2.0;
        self->error = hy_input_modulus(self->error, -half, half);
    }
    self->error_derivative = (self->error - self->previous_error) / self->period_s;
}

bool hy_pid_set_setpoint(hy_pid *self, double setpoint)
{
    if (!is_finite(setpoint) || !(self->period_s > 0.0)) {
        return false;
    }
    self->setpoint = setpoint;
    self->has_setpoint = true;
    update_error(self);
    return true;
}

static double integrated(const hy_pid *self)
{
    if (absolute(self->error) > self->i_zone) {
        return 0.0;
    }
    if (self->gains.i == 0.0) {
        return self->total_error;
    }
    const double sum = self->total_error + self->error * self->period_s;
    return is_finite(sum)
               ? limited(sum, self->integral_min / self->gains.i, self->integral_max / self->gains.i)
               : self->total_error;
}

static double output_with(const hy_pid *self, double total_error)
{
    return self->gains.p * self->error + self->gains.i * total_error +
           self->gains.d * self->error_derivative + self->feed_forward * self->setpoint;
}

/// True if a new integral only pushes an output further that is past its limit already.
static bool winds_up(const hy_pid *self, double total)
{
    const double output = output_with(self, total);
    return absolute(self->error) <= self->i_zone &&
           ((output > self->output_max && total > self->total_error) ||
            (output < self->output_min && total < self->total_error));
}

static double output_past(hy_pid *self)
{
    const double total = integrated(self);
    if (!self->anti_windup || !winds_up(self, total)) {
        self->total_error = total;
    }
    return output_with(self, self->total_error);
}

double hy_pid_calculate(hy_pid *self, double measurement)
{
    if (!is_finite(measurement) || !(self->period_s > 0.0)) {
        return 0.0;
    }
    self->measurement = measurement;
    self->previous_error = self->error;
    self->has_measurement = true;
    update_error(self);
    const bool is_near = absolute(self->error) < self->deadband;
    const double wanted = is_near ? self->feed_forward * self->setpoint : output_past(self);
    self->output = finite_or_0(limited(wanted, self->output_min, self->output_max));
    return self->output;
}

double hy_pid_calculate_to(hy_pid *self, double measurement, double setpoint)
{
    if (!is_finite(setpoint)) {
        return 0.0;
    }
    self->setpoint = setpoint;
    self->has_setpoint = true;
    return hy_pid_calculate(self, measurement);
}

bool hy_pid_at_setpoint(const hy_pid *self)
{
    return self->has_setpoint && self->has_measurement && absolute(self->error) < self->tolerance &&
           absolute(self->error_derivative) < self->derivative_tolerance;
}

void hy_pid_reset(hy_pid *self)
{
    self->error = 0.0;
    self->previous_error = 0.0;
    self->total_error = 0.0;
    self->error_derivative = 0.0;
    self->output = 0.0;
    self->has_measurement = false;
}

// --------------------------------------------------------------------------- Ziegler and Nichols

static bool is_experiment(double gain, double period_s)
{
    return is_finite(gain) && gain > 0.0 && is_finite(period_s) && period_s > 0.0;
}

hy_pid_gains hy_ziegler_nichols_p(double ultimate_gain, double ultimate_period_s)
{
    if (!is_experiment(ultimate_gain, ultimate_period_s)) {
        return (hy_pid_gains){ 0.0, 0.0, 0.0 };
    }
    return (hy_pid_gains){ 0.5 * ultimate_gain, 0.0, 0.0 };
}

hy_pid_gains hy_ziegler_nichols_pi(double ultimate_gain, double ultimate_period_s)
{
    if (!is_experiment(ultimate_gain, ultimate_period_s)) {
        return (hy_pid_gains){ 0.0, 0.0, 0.0 };
    }
    return (hy_pid_gains){ 0.45 * ultimate_gain, 0.54 * ultimate_gain / ultimate_period_s, 0.0 };
}

hy_pid_gains hy_ziegler_nichols_pid(double ultimate_gain, double ultimate_period_s)
{
    if (!is_experiment(ultimate_gain, ultimate_period_s)) {
        return (hy_pid_gains){ 0.0, 0.0, 0.0 };
    }
    return (hy_pid_gains){ 0.6 * ultimate_gain, 1.2 * ultimate_gain / ultimate_period_s,
                           0.075 * ultimate_gain * ultimate_period_s };
}
