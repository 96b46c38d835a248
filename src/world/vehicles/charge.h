/// @file charge.h
/// A battery that empties: voltage and resistance by the charge that was taken. docs/spec/robot.md has the curves.
#ifndef HY_WORLD_CHARGE_H
#define HY_WORLD_CHARGE_H

#include "drive.h"

typedef struct {
    double capacity_as; ///< Ampere seconds of a full battery; 0: it never empties.
    double first_used;  ///< Share of the capacity that is gone at the start.
    double v_scale,
        ohm_scale; ///< Of the curves, so that the start has the voltage and resistance that it should.
} hy_charge_model;

/// A battery that has `at_start` at the start of a run.
hy_charge_model hy_charge_of(double capacity_as, const hy_battery_spec *at_start);

/// The battery after `used_as` ampere seconds; it has `at_start` at the start. O(1).
hy_battery_spec hy_charge_after(const hy_charge_model *charge, const hy_battery_spec *at_start,
                                double used_as);

#endif
