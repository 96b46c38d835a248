#include "power.h"

#include <math.h>

/// The part of a voltage across a motor's resistance that its controller lets through.
static double limited(const hy_power_model *power, const hy_motor_model *motor, double across_v)
{
    const double most_v = power->limit_a * motor->resistance_ohm;
    return hy_clamp(across_v, -most_v, most_v, 0);
}

/// The battery's voltage if the motors are limited that are so at the voltage `at_v`. A motor below its limit takes
/// d (d V - E) / R from the terminals, one at its limit the power (E + I R) I, whatever V is: with the battery's
/// equation V = V0 - r i this is a V^2 - b V + c = 0.
static double voltage_near(const hy_power_model *power, const hy_battery_spec *battery,
                           const hy_motor_model *motor, const hy_motor_run *run, double at_v)
{
    double conductance = 0, amperes = battery->board_a, watts = 0;
    for (size_t i = 0; i < run->count; i++) {
        const double duty = motor[i].forward * run->duty[i];
        const double emf_v = motor[i].emf_v_s * run->rad_s[i];
        const double across_v = duty * at_v - emf_v;
        const double let_v = limited(power, &motor[i], across_v);
        if (let_v == across_v) {
            conductance += duty * duty * motor[i].per_ohm;
            amperes -= duty * emf_v * motor[i].per_ohm;
        } else {
            watts += (emf_v + let_v) * let_v * motor[i].per_ohm;
        }
    }
    const double a = 1 + battery->resistance_ohm * conductance;
    const double b = battery->open_v - battery->resistance_ohm * amperes;
    const double root = b * b - 4 * a * battery->resistance_ohm * watts;
    return (b + (root > 0 ? sqrt(root) : 0)) / (2 * a);
}

/// Which motors are limited depends on the voltage: so often it is looked at again.
#define ROUNDS 4

double hy_power_supply(const hy_power_model *power, const hy_battery_spec *battery,
                       const hy_motor_model *motor, const hy_motor_run *run, double *volts)
{
    double last_v, battery_v = hy_battery_voltage(battery, motor, run->duty, run->rad_s, run->count);
    int round = 0;
    do {
        last_v = battery_v;
        battery_v = hy_max(voltage_near(power, battery, motor, run, last_v), 0);
    } while (battery_v != last_v && ++round < ROUNDS);
    for (size_t i = 0; i < run->count; i++) {
        const double emf_v = motor[i].emf_v_s * run->rad_s[i];
        const double across_v = motor[i].forward * run->duty[i] * battery_v - emf_v;
        volts[i] = emf_v + limited(power, &motor[i], across_v);
    }
    return battery_v;
}

bool hy_power_is_browned_out(const hy_power_model *power, double battery_v, bool was)
{
    return was ? battery_v <= power->recover_v : battery_v < power->brownout_v;
}
