#include "bridge.h"

/// Of a bridge whose spec leaves it to the controller, while there is none.
#define PWM_HZ 1000

hy_bridge_model hy_bridge_of(const hy_bridge_spec *spec, const hy_motor_spec *motor)
{
    return (hy_bridge_model){
        .coasts = spec->decay == HY_DECAY_COAST,
        .period_s = 1 / (spec->pwm_hz > 0 ? spec->pwm_hz : PWM_HZ),
        .tau_s = spec->inductance_h * motor->stall_a / motor->nominal_v,
    };
}

// --------------------------------------------------------------------------- one period

/// A period in which the motor's current never stops. To the side that the supply drives (`sign` 1): the supply, then the
/// diodes against it. Else the motor is a generator all the time, through the switch and through the diodes.
static hy_bridge_mean mean_endless(const hy_bridge_model *bridge, double sign, double duty,
                                   double supply_v, double emf_v)
{
    const double off_v = supply_v + HY_BRIDGE_DIODES_V;
    if (sign < 0) {
        const double volts = duty * supply_v + (1 - duty) * off_v;
        return (hy_bridge_mean){ volts, 1, volts - emf_v };
    }
    // The current's ripple, times the resistance, from its two exponentials.
    const double on = hy_exp(-duty * bridge->period_s / bridge->tau_s);
    const double off = hy_exp(-(1 - duty) * bridge->period_s / bridge->tau_s);
    const double ripple_v = duty < 1 ? (supply_v + off_v) * (1 - on) * (1 - off) / (1 - on * off) : 0;
    const double on_v = duty * (supply_v - emf_v) - bridge->tau_s / bridge->period_s * ripple_v;
    const double volts = duty * supply_v - (1 - duty) * off_v;
    return (hy_bridge_mean){ volts, 1, 2 * on_v - (volts - emf_v) };
}

/// SPEC world, "The coasting bridge": the supply drives a current from 0, to the side that `sign` names; then
/// the diodes end it. Duty is positive.
static hy_bridge_mean mean_of_positive(const hy_bridge_model *bridge, double duty, double supply_v,
                                       double emf_v)
{
    const double sign = supply_v > emf_v ? 1 : -1;
    const double period_s = bridge->period_s;
    const double off_v = supply_v + HY_BRIDGE_DIODES_V;
    const double on_v = sign * (supply_v - emf_v); // what drives the current, ...
    const double end_v = off_v + sign * emf_v;     // ... and what ends it
    const double reached = 1 - hy_exp(-duty * period_s / bridge->tau_s);
    const double reached_v = on_v * reached;
    // A motor that turns backwards so fast that the diodes conduct all the time has no end either.
    const double off_s = (1 - duty) * period_s;
    const double end_s = end_v > 0 ? bridge->tau_s * hy_log(1 + reached_v / end_v) : off_s;
    if (end_s >= off_s) {
        return mean_endless(bridge, sign, duty, supply_v, emf_v);
    }
    const double mean_v = sign * (duty * on_v - end_v * end_s / period_s);
    const double share =
        duty + end_s / period_s -
        bridge->tau_s / period_s * reached * (off_v + sign * supply_v) / (end_v + reached_v);
    const double supplied_v = sign * (duty * on_v - bridge->tau_s / period_s * reached_v);
    return (hy_bridge_mean){ mean_v + share * emf_v, share,
                             sign > 0 ? 2 * supplied_v - mean_v : mean_v };
}

hy_bridge_mean hy_bridge_mean_of(const hy_bridge_model *bridge, double duty, double supply_v,
                                 double emf_v)
{
    if (duty == 0) {
        // Disconnected; a motor that is driven faster than its supply is a generator behind diodes.
        const double limit_v = supply_v + HY_BRIDGE_DIODES_V;
        if (emf_v <= limit_v && emf_v >= -limit_v) {
            return (hy_bridge_mean){ 0, 0, 0 };
        }
        const double volts = emf_v > 0 ? limit_v : -limit_v;
        return (hy_bridge_mean){ volts, 1, emf_v > 0 ? volts - emf_v : emf_v - volts };
    }
    if (duty > 0) {
        return mean_of_positive(bridge, duty, supply_v, emf_v);
    }
    hy_bridge_mean mean = mean_of_positive(bridge, -duty, supply_v, -emf_v);
    mean.volts = -mean.volts;
    return mean;
}

// --------------------------------------------------------------------------- the battery

double hy_bridge_battery_voltage(const hy_bridge_model *bridge, const hy_battery_spec *battery,
                                 const hy_motor_model *motor, const hy_motor_run *run, double last_v)
{
    // The current is no linear function of the voltage. One Newton step from the last step's voltage, with the
    // slope of a current without ripple: what it misses, the next step makes up for.
    double amperes = battery->board_a;
    double per_ohm = 0;
    for (size_t i = 0; i < run->count; i++) {
        const double duty = run->duty[i] * motor[i].forward;
        if (duty != 0) {
            const double slope = (duty > 0 ? duty : -duty) * motor[i].per_ohm;
            const double emf_v = motor[i].emf_v_s * run->rad_s[i];
            const hy_bridge_mean mean = hy_bridge_mean_of(bridge, duty, last_v, emf_v);
            amperes += mean.supply_v * motor[i].per_ohm - slope * last_v;
            per_ohm += slope;
        }
    }
    const double volts = (battery->open_v - battery->resistance_ohm * amperes) /
                         (1 + battery->resistance_ohm * per_ohm);
    return volts > 0 ? volts : 0;
}

// --------------------------------------------------------------------------- shafts that drive nothing

double hy_bridge_free_step(const hy_bridge_model *bridge, const hy_motor_model *motor,
                           const hy_bridge_mean *mean, double rad_s)
{
    if (!bridge->coasts) {
        return hy_motor_free_step(motor, mean->volts, rad_s);
    }
    const hy_motor_model shared = hy_motor_with_share(motor, mean->share);
    return hy_motor_free_step(&shared, mean->volts, rad_s);
}
