/// @file steer.h
/// A body on four steered and driven wheels, whose tyres creep a little when they push and slip when
/// they would have to push too much. docs/spec/world.md derives the equations.
#ifndef HY_WORLD_STEER_H
#define HY_WORLD_STEER_H

#include "drive.h"

#define HY_STEER_WHEELS 4

typedef struct {
    hy_vec at_m[HY_STEER_WHEELS]; ///< From the middle of the modules, body axes.
    double radius_m;
    double grip;               ///< Friction of tyre on floor.
    double creep_m_s;          ///< The slip at which a tyre pushes all that its grip gives.
    double play_rad;           ///< Between the shaft of an azimuth motor and its module.
    double start_rad;          ///< Most that a module points aside when the robot is switched on.
    double home_rad;           ///< Within it of forward a module's home switch is closed; 0: none.
    double rolling_resistance; ///< Share of the load.

    // Derived by hy_steer_prepare().
    double step_s;
    hy_vec arm_m[HY_STEER_WHEELS];        ///< From the centre of mass.
    double traction_n_s[HY_STEER_WHEELS]; ///< Most that a tyre can push in a step.
    double per_kg[HY_STEER_WHEELS];       ///< Speed that a push at the wheel gives the body there.
    hy_rim_model rim[HY_STEER_WHEELS];
} hy_steer_model;

/// What the wheels change.
typedef struct {
    hy_motion motion;                ///< In and out.
    double rim_m_s[HY_STEER_WHEELS]; ///< Speed of the tyres' surface, forward; in and out.
    hy_vec along[HY_STEER_WHEELS];   ///< Where each wheel points: a unit vector, body axes; in.
    double volts[HY_STEER_WHEELS];   ///< At the drive motors, forward positive; in.
    hy_push pushed;                  ///< What the world is expected to push during this step; in.
    const double *grip;      ///< Of the floor under each tyre, as a share of `steer`'s own; in.
    const hy_rim_model *rim; ///< Of this step: those of the model, or of a coasting bridge; in.
} hy_steer_state;

/// Newtons with which the floor holds a wheel up. The robot stands level: two pairs of wheels carry it.
double hy_steer_load(const hy_steer_model *steer, const hy_body_model *body, int wheel);

/// Derives what the step needs from the parameters; the body and the motors, one a wheel, are prepared.
void hy_steer_prepare(hy_steer_model *steer, const hy_body_model *body,
                      const hy_motor_model *const motor[HY_STEER_WHEELS], double step_s);

/// Advances velocities by one step. The push is felt by the wheels, but is not in the motion that
/// comes out: whoever really pushes adds it.
void hy_steer_step(const hy_steer_model *steer, const hy_body_model *body, hy_steer_state *state);

#endif
