#include <halyard/bot_control.h>

#include "finite.h"

/// (1 - e^-x) / x for x >= 0.
static double share_reached(double x)
{
    if (x < 0.01) { // the difference would lose digits
        return 1.0 -
               x * (1.0 / 2 - x * (1.0 / 6 - x * (1.0 / 24 - x * (1.0 / 120 - x * (1.0 / 720)))));
    }
    return (1.0 - hy_exp(-x)) / x;
}

bool hy_motor_feedforward_init(hy_motor_feedforward *self, double ks, double kv, double ka,
                               double period_s)
{
    if (!is_finite(ks) || !is_finite(kv) || !is_finite(ka) || !is_finite(period_s) || kv < 0.0 ||
        ka < 0.0 || !(period_s > 0.0)) {
        return false;
    }
    *self = (hy_motor_feedforward){ .ks = ks, .kv = kv, .ka = ka, .period_s = period_s };
    if (ka >= 1e-9) { // below that the motor follows at once, and there is nothing to anticipate
        const double x = kv / ka * period_s;
        self->decay = hy_exp(-x);
        self->one_by_gain = ka / (period_s * share_reached(x));
    }
    return true;
}

double hy_motor_feedforward_at(const hy_motor_feedforward *self, double velocity)
{
    return hy_motor_feedforward_between(self, velocity, velocity);
}

double hy_motor_feedforward_accelerating(const hy_motor_feedforward *self, double velocity,
                                         double acceleration)
{
    return finite_or_0(self->ks * sign_of(velocity) + self->kv * velocity + self->ka * acceleration);
}

double hy_motor_feedforward_between(const hy_motor_feedforward *self, double current, double next)
{
    if (self->ka < 1e-9) {
        return finite_or_0(self->ks * sign_of(next) + self->kv * next);
    }
    const double driving = self->one_by_gain * (next - self->decay * current);
    return finite_or_0(self->ks * sign_of(current) + driving);
}

double hy_motor_feedforward_max_velocity(const hy_motor_feedforward *self, double max_v,
                                         double acceleration)
{
    return finite_or_0((max_v - self->ks - self->ka * acceleration) / self->kv);
}

double hy_motor_feedforward_min_velocity(const hy_motor_feedforward *self, double max_v,
                                         double acceleration)
{
    return finite_or_0((-max_v + self->ks - self->ka * acceleration) / self->kv);
}

double hy_motor_feedforward_max_acceleration(const hy_motor_feedforward *self, double max_v,
                                             double velocity)
{
    return finite_or_0((max_v - self->ks * sign_of(velocity) - self->kv * velocity) / self->ka);
}

double hy_motor_feedforward_min_acceleration(const hy_motor_feedforward *self, double max_v,
                                             double velocity)
{
    return hy_motor_feedforward_max_acceleration(self, -max_v, velocity);
}

// --------------------------------------------------------------------------- bang-bang

bool hy_bang_bang_init(hy_bang_bang *self, double tolerance)
{
    if (!(tolerance >= 0.0)) {
        return false;
    }
    *self = (hy_bang_bang){ .tolerance = tolerance };
    return true;
}

double hy_bang_bang_calculate(hy_bang_bang *self, double measurement, double setpoint)
{
    if (!is_finite(measurement) || !is_finite(setpoint)) {
        return 0.0;
    }
    self->measurement = measurement;
    self->setpoint = setpoint;
    return measurement < setpoint ? 1.0 : 0.0;
}

bool hy_bang_bang_at_setpoint(const hy_bang_bang *self)
{
    return absolute(self->setpoint - self->measurement) < self->tolerance;
}
