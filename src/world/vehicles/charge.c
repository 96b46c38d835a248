#include "charge.h"

#define LANES 1
#include "charge_simd.h"

static double between(double at, double from, double to, double low, double high)
{
    return low + (high - low) * (at - from) / (to - from);
}

/// Where on the curve a battery of that voltage is; full or empty if it is beyond an end.
static double used_at(double volts)
{
    size_t i = 1;
    while (i + 1 < CHARGE_POINTS && volts < charge_curve[i].volts) {
        i++;
    }
    const charge_point *const a = &charge_curve[i - 1], *const b = &charge_curve[i];
    return hy_clamp(between(volts, a->volts, b->volts, a->used, b->used), 0, 1, 0);
}

hy_charge_model hy_charge_of(double capacity_as, const hy_battery_spec *at_start)
{
    const hy_charge_model as_curve = {
        .capacity_as = capacity_as,
        .first_used = used_at(at_start->open_v),
        .v_scale = 1,
        .ohm_scale = 1,
    };
    const hy_battery_spec first = hy_charge_after(&as_curve, at_start, 0);
    hy_charge_model charge = as_curve;
    charge.v_scale = at_start->open_v / first.open_v;
    charge.ohm_scale = at_start->resistance_ohm / first.resistance_ohm;
    return charge;
}

hy_battery_spec hy_charge_after(const hy_charge_model *charge, const hy_battery_spec *at_start,
                                double used_as)
{
    const battery_lanes after = charge_after(charge, at_start, used_as);
    return (hy_battery_spec){ .open_v = after.open_v,
                              .resistance_ohm = after.resistance_ohm,
                              .board_a = after.board_a };
}
