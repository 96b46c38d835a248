#include "bridge.h"

#define LANES 1
#include "bridge_simd.h"

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

// --------------------------------------------------------------------------- one period and the battery

static hy_bridge_mean plain_mean(const mean_lanes *mean)
{
    return (hy_bridge_mean){ mean->volts, mean->share, mean->supply_v };
}

hy_bridge_mean hy_bridge_mean_of(const hy_bridge_model *bridge, double duty, double supply_v,
                                 double emf_v)
{
    period_lanes period = { .duty = duty, .supply_v = supply_v, .emf_v = emf_v };
    const period_list list = { 1, { &period } };
    start_periods(bridge, &list);
    find_means(bridge, &list);
    return plain_mean(&period.mean);
}

double hy_bridge_supply(const hy_bridge_model *bridge, const hy_battery_spec *battery,
                        const hy_motor_model *motor, const hy_motor_run *run, hy_bridge_mean *means)
{
    supply_lanes supply;
    supply.battery = battery_of(battery);
    supply.battery_v = run->last_v;
    for (size_t i = 0; i < run->count; i++) {
        supply.periods[i].duty = motor[i].forward * run->duty[i];
        supply.periods[i].emf_v = motor[i].emf_v_s * run->rad_s[i];
    }
    bridge_supply(bridge, motor, run->count, &supply, 1);
    for (size_t i = 0; i < run->count; i++) {
        means[i] = plain_mean(&supply.periods[i].mean);
    }
    return supply.battery_v;
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
