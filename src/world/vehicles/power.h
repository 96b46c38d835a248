/// @file power.h
/// Motor controllers that limit the current, and a robot controller that switches the outputs off when the
/// battery's voltage falls too low. SPEC world, "Current limit and brownout".
#ifndef HY_WORLD_POWER_H
#define HY_WORLD_POWER_H

#include "drive.h"

typedef struct {
    double limit_a;    ///< Most current through a motor of the model, either way; 0: no limit.
    double brownout_v; ///< The outputs are off below this ...
    double recover_v;  ///< ... until the voltage is above this. Both 0: never.
} hy_power_model;

/// The volts at the battery's terminals while motors run whose controllers limit the current, and in `volts`
/// what each motor gets (forward positive).
double hy_power_supply(const hy_power_model *power, const hy_battery_spec *battery,
                       const hy_motor_model *motor, const hy_motor_run *run, double *volts);

/// Whether the outputs are off in the next step.
bool hy_power_is_browned_out(const hy_power_model *power, double battery_v, bool was);

#endif
