/// @file bridge.h
/// What a motor controller's bridge makes of a duty, a supply voltage and a motor that turns.
/// docs/spec/world.md derives the equations.
#ifndef HY_WORLD_BRIDGE_H
#define HY_WORLD_BRIDGE_H

#include "drive.h"

/// Forward voltage of the two body diodes that carry the current when a coasting bridge is off.
#define HY_BRIDGE_DIODES_V 1.6

/// A bridge that disconnects the motor in the off-phase of its PWM, and at duty 0.
typedef struct {
    bool coasts;     ///< False: the bridge shorts the motor instead; nothing below is used.
    double period_s; ///< Of its PWM.
    double tau_s;    ///< Inductance over resistance of its motors.
} hy_bridge_model;

/// The mean over one period, forward positive, at constant supply and speed.
typedef struct {
    /// Mean voltage across the motor's resistance: volts - share * back-EMF. `share` is the derivative at the
    /// present speed, 0 (no current) to about 1.
    double volts, share;
    double supply_v; ///< Mean current that the supply gives, times the motor's resistance.
} hy_bridge_mean;

/// The bridges of a vehicle whose motors are, or are most like, `motor`. Without a controller their PWM has 1 kHz.
hy_bridge_model hy_bridge_of(const hy_bridge_spec *spec, const hy_motor_spec *motor);

/// hy_motor_free_step() on such a bridge; `share` of the mean is used if it coasts.
double hy_bridge_free_step(const hy_bridge_model *bridge, const hy_motor_model *motor,
                           const hy_bridge_mean *mean, double rad_s);

/// The mean of a coasting bridge. `duty` and `emf_v` are forward; `supply_v` is positive or 0. O(1).
hy_bridge_mean hy_bridge_mean_of(const hy_bridge_model *bridge, double duty, double supply_v,
                                 double emf_v);

/// The volts at the battery's terminals while motors on coasting bridges run, and in `means` what each motor gets.
double hy_bridge_supply(const hy_bridge_model *bridge, const hy_battery_spec *battery,
                        const hy_motor_model *motor, const hy_motor_run *run, hy_bridge_mean *means);

#endif
