/// @file bridge_simd.h
/// The means of bridges that coast, and the battery behind them: of LANES vehicles at once (lanes.h). docs/spec/world.md derives the
/// equations.
#ifndef HY_WORLD_BRIDGE_SIMD_H
#define HY_WORLD_BRIDGE_SIMD_H

#include "bridge.h"
#include "vehicles/drive_simd.h"

/// hy_bridge_mean, of each lane.
typedef struct {
    lanes volts, share, supply_v;
} mean_lanes;

// --------------------------------------------------------------------------- one period

/// A motor in one period of its bridge, forward positive.
typedef struct {
    lanes duty, supply_v, emf_v;
    lanes on; ///< What is left of a current's distance from its final value when the supply has driven it: e^(-on-time / tau).
    lanes off;    ///< The same for the diodes, ...
    bool has_off; ///< ... which only a current that never stops needs.
    mean_lanes mean;
} period_lanes;

/// The same, seen to the side that the duty drives to.
typedef struct {
    lanes duty, supply_v, emf_v, on;
    lanes sign;  ///< Of the current: the supply's side, or where the motor is faster the other.
    lanes on_v;  ///< What drives the current, ...
    lanes end_v; ///< ... and what ends it.
    lanes off_v, reached_v;
} side_lanes;

static inline lanes size_of_duty(lanes duty)
{
    return blend(duty < 0.0, -duty, duty);
}

static inline side_lanes side_of(const period_lanes *p)
{
    side_lanes s = { .duty = size_of_duty(p->duty), .supply_v = p->supply_v, .on = p->on };
    s.emf_v = blend(p->duty < 0.0, -p->emf_v, p->emf_v);
    s.sign = blend(s.supply_v > s.emf_v, broadcast(1), broadcast(-1));
    s.off_v = s.supply_v + HY_BRIDGE_DIODES_V;
    s.on_v = s.sign * (s.supply_v - s.emf_v);
    s.end_v = s.off_v + s.sign * s.emf_v;
    s.reached_v = s.on_v * (1.0 - s.on);
    return s;
}

/// A period in which the motor's current never stops. To the side that the supply drives (`sign` 1): the supply, then the
/// diodes against it. Else the motor is a generator all the time, through the switch and through the diodes.
static inline mean_lanes mean_endless(const hy_bridge_model *bridge, period_lanes *p,
                                      const side_lanes *s)
{
    const lanes idle = 1.0 - s->duty;
    const mask generates = s->sign < 0.0;
    const lanes generated_v = s->duty * s->supply_v + idle * s->off_v;
    mean_lanes mean = { generated_v, broadcast(1), generated_v - s->emf_v };
    if (any(mask_not(generates))) {
        // The current's ripple, times the resistance, from its two exponentials.
        if (!p->has_off) {
            p->off = lanes_exp(-idle * bridge->period_s / bridge->tau_s);
            p->has_off = true;
        }
        const lanes off = p->off;
        const lanes ripple_v =
            blend(s->duty < 1.0,
                  (s->supply_v + s->off_v) * (1.0 - s->on) * (1.0 - off) / (1.0 - s->on * off),
                  broadcast(0));
        const lanes on_v =
            s->duty * (s->supply_v - s->emf_v) - bridge->tau_s / bridge->period_s * ripple_v;
        const lanes volts = s->duty * s->supply_v - idle * s->off_v;
        mean.volts = blend(generates, mean.volts, volts);
        mean.supply_v = blend(generates, mean.supply_v, 2.0 * on_v - (volts - s->emf_v));
    }
    return mean;
}

/// Disconnected; a motor that is driven faster than its supply is a generator behind diodes.
static inline mean_lanes mean_disconnected(lanes supply_v, lanes emf_v)
{
    const lanes limit_v = supply_v + HY_BRIDGE_DIODES_V;
    const mask is_ahead = emf_v > limit_v, generates = is_ahead | (emf_v < -limit_v);
    const lanes volts = blend(is_ahead, limit_v, -limit_v);
    const lanes supplied_v = blend(is_ahead, volts - emf_v, emf_v - volts);
    return (mean_lanes){ blend(generates, volts, broadcast(0)),
                         blend(generates, broadcast(1), broadcast(0)),
                         blend(generates, supplied_v, broadcast(0)) };
}

static inline mean_lanes blend_means(mask where, mean_lanes yes, mean_lanes no)
{
    return (mean_lanes){ blend(where, yes.volts, no.volts), blend(where, yes.share, no.share),
                         blend(where, yes.supply_v, no.supply_v) };
}

// SPEC world, "The coasting bridge": the supply drives a current from 0, to the side that `sign` names; then the diodes end it, after
// a time that is a logarithm of this.

static inline lanes end_growth(const period_lanes *p)
{
    const side_lanes s = side_of(p);
    // A motor that turns backwards so fast that the diodes conduct all the time has no end.
    return 1.0 + blend(s.end_v > 0.0, s.reached_v / s.end_v, broadcast(0));
}

/// `logarithm`: of end_growth().
static inline mean_lanes mean_with(const hy_bridge_model *bridge, period_lanes *p, lanes logarithm)
{
    const side_lanes s = side_of(p);
    const double period_s = bridge->period_s;
    const lanes off_s = (1.0 - s.duty) * period_s;
    const lanes end_s = blend(s.end_v > 0.0, bridge->tau_s * logarithm, off_s);
    const mask is_endless = end_s >= off_s;
    mean_lanes mean = { broadcast(0), broadcast(0), broadcast(0) };
    if (any(mask_not(is_endless))) {
        const double tau = bridge->tau_s / period_s;
        const lanes mean_v = s.sign * (s.duty * s.on_v - s.end_v * end_s / period_s);
        mean.share = s.duty + end_s / period_s -
                     tau * (1.0 - s.on) * (s.off_v + s.sign * s.supply_v) / (s.end_v + s.reached_v);
        const lanes supplied_v = s.sign * (s.duty * s.on_v - tau * s.reached_v);
        mean.volts = mean_v + mean.share * s.emf_v;
        mean.supply_v = blend(s.sign > 0.0, 2.0 * supplied_v - mean_v, mean_v);
    }
    if (any(is_endless)) {
        mean = blend_means(is_endless, mean_endless(bridge, p, &s), mean);
    }
    mean.volts = blend(p->duty < 0.0, -mean.volts, mean.volts);
    const mask is_off = p->duty == 0.0;
    return any(is_off) ? blend_means(is_off, mean_disconnected(p->supply_v, p->emf_v), mean) : mean;
}

// --------------------------------------------------------------------------- many periods

// Each operation of an exponential or a logarithm waits for the one before: it is computed for many motors in one call.
#define PERIODS_TOGETHER  16
#define SUPPLIES_TOGETHER 8

typedef struct {
    size_t count;
    period_lanes *of[SUPPLIES_TOGETHER * HY_PIN_MOTORS];
} period_list;

static inline size_t periods_from(const period_list *list, size_t from)
{
    const size_t left = list->count - from;
    return left < PERIODS_TOGETHER ? left : PERIODS_TOGETHER;
}

static inline void start_periods(const hy_bridge_model *bridge, const period_list *list)
{
    lanes x[PERIODS_TOGETHER], on[PERIODS_TOGETHER];
    for (size_t from = 0; from < list->count; from += PERIODS_TOGETHER) {
        const size_t some = periods_from(list, from);
        for (size_t i = 0; i < some; i++) {
            x[i] = -size_of_duty(list->of[from + i]->duty) * bridge->period_s / bridge->tau_s;
        }
        lanes_exp_many(x, some, on);
        for (size_t i = 0; i < some; i++) {
            list->of[from + i]->on = on[i];
            list->of[from + i]->has_off = false;
        }
    }
}

static inline void find_means(const hy_bridge_model *bridge, const period_list *list)
{
    lanes growth[PERIODS_TOGETHER], logarithm[PERIODS_TOGETHER];
    for (size_t from = 0; from < list->count; from += PERIODS_TOGETHER) {
        const size_t some = periods_from(list, from);
        for (size_t i = 0; i < some; i++) {
            growth[i] = end_growth(list->of[from + i]);
        }
        lanes_log_many(growth, some, logarithm);
        for (size_t i = 0; i < some; i++) {
            period_lanes *const p = list->of[from + i];
            p->mean = mean_with(bridge, p, logarithm[i]);
        }
    }
}

// --------------------------------------------------------------------------- the battery

/// The motors of LANES vehicles and their batteries.
typedef struct {
    battery_lanes battery;
    lanes battery_v; ///< In: at the terminals in the step before. Out: in this one.
    period_lanes periods[HY_PIN_MOTORS]; ///< In: duty and back-EMF. Out: the mean.
} supply_lanes;

/// The current is no linear function of the voltage. One Newton step from the last step's voltage, with the slope of a current
/// without ripple: what it misses, the next step makes up for.
static inline lanes battery_voltage_after(const supply_lanes *s, const hy_motor_model *motor,
                                          size_t count)
{
    lanes amperes = broadcast(s->battery.board_a), per_ohm = broadcast(0);
    for (size_t i = 0; i < count; i++) {
        const period_lanes *const p = &s->periods[i];
        const mask is_driven = p->duty != 0.0;
        if (any(is_driven)) {
            const lanes slope = size_of_duty(p->duty) * motor[i].per_ohm;
            const lanes more_a = p->mean.supply_v * motor[i].per_ohm - slope * s->battery_v;
            amperes = blend(is_driven, amperes + more_a, amperes);
            per_ohm = blend(is_driven, per_ohm + slope, per_ohm);
        }
    }
    const lanes volts = (s->battery.open_v - s->battery.resistance_ohm * amperes) /
                        (1.0 + s->battery.resistance_ohm * per_ohm);
    return lanes_max(volts, broadcast(0));
}

/// What `count` motors get, in `parts` supplies, of which there are at most SUPPLIES_TOGETHER.
static inline void bridge_supply(const hy_bridge_model *bridge, const hy_motor_model *motor,
                                 size_t count, supply_lanes *supplies, size_t parts)
{
    period_list driven;
    driven.count = 0;
    for (size_t part = 0; part < parts; part++) {
        for (size_t i = 0; i < count; i++) {
            period_lanes *const p = &supplies[part].periods[i];
            p->supply_v = supplies[part].battery_v;
            if (any(p->duty != 0.0)) {
                driven.of[driven.count++] = p;
            }
        }
    }
    start_periods(bridge, &driven);
    find_means(bridge, &driven);
    for (size_t part = 0; part < parts; part++) {
        supply_lanes *const s = &supplies[part];
        s->battery_v = battery_voltage_after(s, motor, count);
        for (size_t i = 0; i < count; i++) {
            period_lanes *const p = &s->periods[i];
            p->supply_v = s->battery_v;
            if (!any(p->duty != 0.0)) {
                p->mean = mean_disconnected(p->supply_v, p->emf_v);
            }
        }
    }
    find_means(bridge, &driven);
}

#endif
