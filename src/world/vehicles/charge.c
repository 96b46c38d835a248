#include "charge.h"

// Four alkaline AA cells. SPEC robot, "The battery".
typedef struct {
    double used;              ///< Share of the capacity.
    double volts, resistance; ///< Without load; as a factor of a full battery's.
} charge_point;

static const charge_point curve[] = {
    { 0.00, 6.60, 1.0 }, { 0.05, 6.20, 1.0 }, { 0.15, 5.80, 1.1 }, { 0.35, 5.40, 1.2 },
    { 0.60, 5.00, 1.4 }, { 0.85, 4.60, 1.7 }, { 1.00, 4.00, 2.5 },
};
#define POINTS (sizeof curve / sizeof curve[0])

static double between(double at, double from, double to, double low, double high)
{
    return low + (high - low) * (at - from) / (to - from);
}

static charge_point point_at(double used)
{
    size_t i = 1;
    while (i + 1 < POINTS && used > curve[i].used) {
        i++;
    }
    const charge_point *const a = &curve[i - 1], *const b = &curve[i];
    const double at = hy_clamp(used, 0, 1, 0);
    return (charge_point){ at, between(at, a->used, b->used, a->volts, b->volts),
                           between(at, a->used, b->used, a->resistance, b->resistance) };
}

/// Where on the curve a battery of that voltage is; full or empty if it is beyond an end.
static double used_at(double volts)
{
    size_t i = 1;
    while (i + 1 < POINTS && volts < curve[i].volts) {
        i++;
    }
    const charge_point *const a = &curve[i - 1], *const b = &curve[i];
    return hy_clamp(between(volts, a->volts, b->volts, a->used, b->used), 0, 1, 0);
}

hy_charge_model hy_charge_of(double capacity_as, const hy_battery_spec *at_start)
{
    const double first_used = used_at(at_start->open_v);
    const charge_point first = point_at(first_used);
    return (hy_charge_model){ .capacity_as = capacity_as,
                              .first_used = first_used,
                              .v_scale = at_start->open_v / first.volts,
                              .ohm_scale = at_start->resistance_ohm / first.resistance };
}

hy_battery_spec hy_charge_after(const hy_charge_model *charge, const hy_battery_spec *at_start,
                                double used_as)
{
    const charge_point now = point_at(charge->first_used + used_as / charge->capacity_as);
    return (hy_battery_spec){ .open_v = charge->v_scale * now.volts,
                              .resistance_ohm = charge->ohm_scale * now.resistance,
                              .board_a = at_start->board_a };
}
