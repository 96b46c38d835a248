/// @file drive.h
/// Motors, battery, gears and bodies; and a body on two driven wheels and a caster.
/// docs/spec/world.md derives the equations.
#ifndef HY_WORLD_DRIVE_H
#define HY_WORLD_DRIVE_H

#include "shapes/geometry.h"

#define HY_DRIVE_LEFT  0
#define HY_DRIVE_RIGHT 1
#define HY_DRIVE_SIDES 2

// --------------------------------------------------------------------------- motors and battery

/// A brushed gear motor, everything seen from the output shaft.
typedef struct {
    double resistance_ohm;
    double emf_v_s;      ///< Volts per radian per second.
    double torque_n_m_a; ///< Newton metres per ampere, gear losses under load included.
    double coulomb_n_m;  ///< Dry friction of motor and gear.
    double breakaway; ///< How much more of it a shaft that stands has, as a share: 0.5 is 1.5 times.
    double inertia_kg_m2;  ///< Of the rotor (times the gear ratio squared) and what turns with it.
    double counts_per_rad; ///< Of the encoder.
    double forward;        ///< +1 or -1: which way a positive duty turns what we call forward.

    // Derived by hy_motor_prepare().
    double step_s;
    double per_ohm, torque_n_m_v;  ///< Amperes and newton metres of a volt at a shaft that stands.
    double step_kg_m2, keep_kg_m2; ///< Implicit inertia, and what of the old momentum stays.
    double damping_kg_m2;          ///< Of the back-EMF, over a step.
    double coulomb_n_m_s;          ///< Dry friction's impulse over a step ...
    double breakaway_n_m_s;        ///< ... and of a shaft that stands.
} hy_motor_model;

/// What some motors are doing.
typedef struct {
    const double *duty, *rad_s; ///< As the pins have it; forward.
    size_t count;
    double last_v; ///< At the battery's terminals in the step before; for coasting bridges.
} hy_motor_run;

/// The share of the step's end (0.5..1) with which a one-step rule follows an exponential decay of
/// `rate_s` per second exactly over `step_s`.
double hy_implicit_share(double rate_s, double step_s);

/// The motor's constants from its data sheet. `speed` is the share of the no-load speed that it really
/// has, `drag_n_m` the dry friction of what it turns.
hy_motor_model hy_motor_of(const hy_motor_spec *spec, double speed, double drag_n_m);

/// Derives what the step needs from the parameters.
void hy_motor_prepare(hy_motor_model *motor, double step_s);

/// The volts at the battery's terminals while `count` motors run at `duty` and `rad_s` (forward).
double hy_battery_voltage(const hy_battery_spec *battery, const hy_motor_model *motor,
                          const double *duty, const double *rad_s, size_t count);

/// Advances a motor that drives nothing but its own inertia; returns the new rate.
double hy_motor_free_step(const hy_motor_model *motor, double volts, double rad_s);

/// The same motor while only that share of its back-EMF (0..1) brakes it: hy_bridge_mean.
hy_motor_model hy_motor_with_share(const hy_motor_model *motor, double share);

// --------------------------------------------------------------------------- bodies and rims

typedef struct {
    double mass_kg;
    double inertia_kg_m2; ///< About the centre of mass.
    double com_ahead_m; ///< Centre of mass ahead of the drive axle, or of the middle of the modules.

    // Derived by hy_body_prepare().
    double per_kg, per_kg_m2; ///< One over mass and inertia.
} hy_body_model;

/// Body-axes impulse over one step, about the centre of mass: N s and N m s.
typedef struct {
    double x, y, turn;
} hy_push;

/// Body-axes velocity of the centre of mass.
typedef struct {
    double x, y, turn;
} hy_motion;

/// Derives what steps need from the parameters.
void hy_body_prepare(hy_body_model *body);

/// The motion after a push.
hy_motion hy_body_pushed(const hy_body_model *body, hy_motion motion, hy_push push);

/// The same velocity in the axes of a body that has turned for a step: they turn with it.
hy_motion hy_body_turned(hy_motion motion, double step_s);

/// A driven wheel, seen from its rim over one step.
typedef struct {
    double step_kg;            ///< Implicit: what it resists.
    double keep_kg;            ///< Times the old rim speed: the momentum that stays.
    double n_s_per_v;          ///< Of its motor.
    double stiction_n_s;       ///< Of dry friction, the rolling resistance included ...
    double breakaway_n_s;      ///< ... and of a wheel that stands.
    double own_kg, damping_kg; ///< Of its inertia alone; of the back-EMF over a step.
} hy_rim_model;

/// The rim of a wheel on a motor that is prepared; `drag_n_s` is its rolling resistance over a step.
hy_rim_model hy_rim_of(const hy_motor_model *motor, double radius_m, double drag_n_s);

/// The same rim while only that share of the back-EMF (0..1) brakes it.
hy_rim_model hy_rim_with_share(const hy_rim_model *rim, double share);

/// What the motor makes of the rim's momentum in a step if nothing holds it.
double hy_rim_momentum(const hy_rim_model *rim, double rim_m_s, double volts);

/// The rim's speed for its momentum at the end of a step. A wheel that friction holds stands, and does
/// not creep with the last bit of a sum.
double hy_rim_speed(const hy_rim_model *rim, double momentum);

// --------------------------------------------------------------------------- two wheels and a caster

typedef struct {
    double track_m;
    double radius_m[HY_DRIVE_SIDES];
    double grip;               ///< Friction of tyre on floor.
    double rolling_resistance; ///< Share of the load.
    double caster_ahead_m;     ///< Ahead of the drive axle.
    double caster_friction;
    double com_height_m; ///< Of the centre of mass; 0: load does not shift.

    // Derived by hy_drive_prepare().
    double step_s;
    double traction_n_s; ///< Most that one tyre can push in a step while the robot does not accelerate ...
    double shift_along, shift_across; ///< ... and what both tyres' push adds, as a share of it.
    double caster_n, caster_soft_m_s; ///< Drag, and the speed below which it fades.
    double pivot_inertia_kg_m2;       ///< Of the body about the axle's centre.
    hy_rim_model rim[HY_DRIVE_SIDES];
    double along_kg[HY_DRIVE_SIDES], across_kg; ///< What a tyre has to push at least, each way.
    double own_per_kg,
        other_per_kg; ///< Speed of the floor under a wheel per impulse at it, at the other.
} hy_drive_model;

/// What the drive changes. Motion and push are where their owner has them: to copy three numbers as two and one right after they
/// were written one by one makes the processor wait.
typedef struct {
    hy_motion *motion;              ///< In and out.
    double rim_m_s[HY_DRIVE_SIDES]; ///< Speed of the tyres' surface, forward; in and out.
    double volts[HY_DRIVE_SIDES];   ///< At the motors, forward positive; in.
    const hy_push *pushed;          ///< What the world is expected to push during this step; in.
    const hy_rim_model *rim; ///< Of this step: those of the model, or of a coasting bridge; in.
    const double *grip;      ///< Of the floor under each tyre, as a share of the drive's own; in.
} hy_drive_state;

/// Of a floor that is everywhere the same: 1 under each of up to four tyres.
extern const double hy_even_grip[4];

/// Derives what the step needs from the parameters; body and motors are prepared.
void hy_drive_prepare(hy_drive_model *drive, const hy_body_model *body,
                      const hy_motor_model motor[HY_DRIVE_SIDES], double step_s);

/// Advances velocities by one step. The push is felt by the wheels, but is not in the motion that
/// comes out: whoever really pushes adds it.
void hy_drive_step(const hy_drive_model *drive, const hy_body_model *body, hy_drive_state *state);

#endif
