#include "drive.h"

#define LANES 1
#include "drive_simd.h"

/// Below this speed the caster's drag fades, so that it does not shake a standing robot.
#define CASTER_SOFT_M_S 0.02

// --------------------------------------------------------------------------- motors and battery

double hy_implicit_share(double rate_s, double step_s)
{
    const double z = rate_s * step_s;
    if (z < 1e-3) {
        return 0.5 + z / 12; // the series of what follows, which loses its digits here
    }
    return 1 / (1 - hy_exp(-z)) - 1 / z;
}

hy_motor_model hy_motor_of(const hy_motor_spec *spec, double speed, double drag_n_m)
{
    // The data sheet gives two points of the motor's line from no load to stall.
    hy_motor_model motor = { .resistance_ohm = spec->nominal_v / spec->stall_a };
    const double working_v = spec->nominal_v - spec->start_v;
    motor.emf_v_s = working_v / (spec->no_load_rad_s * speed);
    motor.torque_n_m_a = spec->stall_n_m * motor.resistance_ohm / working_v;
    motor.coulomb_n_m = motor.torque_n_m_a * spec->start_v / motor.resistance_ohm + drag_n_m;
    motor.breakaway = spec->breakaway;
    motor.inertia_kg_m2 = spec->rotor_kg_m2 * spec->gear_ratio * spec->gear_ratio + spec->load_kg_m2;
    motor.counts_per_rad = spec->counts_per_turn / (2 * HY_PI);
    motor.forward = 1;
    return motor;
}

void hy_motor_prepare(hy_motor_model *motor, double step_s)
{
    motor->step_s = step_s;
    motor->per_ohm = 1 / motor->resistance_ohm;
    motor->torque_n_m_v = motor->torque_n_m_a / motor->resistance_ohm;
    motor->coulomb_n_m_s = motor->coulomb_n_m * step_s;
    motor->breakaway_n_m_s = motor->coulomb_n_m_s * (1 + motor->breakaway);
    const double damping_n_m_s = motor->torque_n_m_v * motor->emf_v_s; // of the back-EMF
    const double late = hy_implicit_share(damping_n_m_s / motor->inertia_kg_m2, step_s);
    motor->step_kg_m2 = motor->inertia_kg_m2 + late * damping_n_m_s * step_s;
    motor->keep_kg_m2 = motor->inertia_kg_m2 - (1 - late) * damping_n_m_s * step_s;
    motor->damping_kg_m2 = damping_n_m_s * step_s;
}

hy_motor_model hy_motor_with_share(const hy_motor_model *motor, double share)
{
    hy_motor_model shared = *motor;
    const inertia_lanes inertia =
        inertia_with_share(motor->inertia_kg_m2, motor->damping_kg_m2, share);
    shared.step_kg_m2 = inertia.step;
    shared.keep_kg_m2 = inertia.keep;
    return shared;
}

double hy_battery_voltage(const hy_battery_spec *battery, const hy_motor_model *motor,
                          const double *duty, const double *rad_s, size_t count)
{
    const battery_lanes source = battery_of(battery);
    const motors_lanes run = { motor, duty, rad_s, count };
    return battery_voltage(&source, &run);
}

double hy_motor_free_step(const hy_motor_model *motor, double volts, double rad_s)
{
    const inertia_lanes inertia = { motor->step_kg_m2, motor->keep_kg_m2 };
    return motor_free_step(motor, inertia, volts, rad_s);
}

// --------------------------------------------------------------------------- bodies and rims

void hy_body_prepare(hy_body_model *body)
{
    body->per_kg = 1 / body->mass_kg;
    body->per_kg_m2 = 1 / body->inertia_kg_m2;
}

static body_lanes lanes_of(hy_motion motion)
{
    return (body_lanes){ motion.x, motion.y, motion.turn };
}

static hy_motion motion_of(body_lanes motion)
{
    return (hy_motion){ motion.x, motion.y, motion.turn };
}

hy_motion hy_body_pushed(const hy_body_model *body, hy_motion motion, hy_push push)
{
    return motion_of(body_pushed(body, lanes_of(motion), (body_lanes){ push.x, push.y, push.turn }));
}

hy_motion hy_body_turned(hy_motion motion, double step_s)
{
    return motion_of(body_turned(lanes_of(motion), step_s));
}

hy_rim_model hy_rim_of(const hy_motor_model *motor, double radius_m, double drag_n_s)
{
    return (hy_rim_model){
        .step_kg = motor->step_kg_m2 / (radius_m * radius_m),
        .keep_kg = motor->keep_kg_m2 / (radius_m * radius_m),
        .n_s_per_v = motor->step_s * (motor->torque_n_m_v / radius_m),
        .stiction_n_s = motor->coulomb_n_m_s / radius_m + drag_n_s,
        .breakaway_n_s = motor->breakaway_n_m_s / radius_m + drag_n_s,
        .own_kg = motor->inertia_kg_m2 / (radius_m * radius_m),
        .damping_kg = motor->damping_kg_m2 / (radius_m * radius_m),
    };
}

hy_rim_model hy_rim_with_share(const hy_rim_model *rim, double share)
{
    hy_rim_model shared = *rim;
    const inertia_lanes inertia = inertia_with_share(rim->own_kg, rim->damping_kg, share);
    shared.step_kg = inertia.step;
    shared.keep_kg = inertia.keep;
    return shared;
}

double hy_rim_momentum(const hy_rim_model *rim, double rim_m_s, double volts)
{
    return rim->keep_kg * rim_m_s + rim->n_s_per_v * volts;
}

double hy_rim_speed(const hy_rim_model *rim, double momentum)
{
    return rim_speed(rim->step_kg, momentum);
}

// --------------------------------------------------------------------------- two wheels and a caster: preparation

void hy_drive_prepare(hy_drive_model *drive, const hy_body_model *body,
                      const hy_motor_model motor[HY_DRIVE_SIDES], double step_s)
{
    const double weight_n = body->mass_kg * HY_GRAVITY_M_S2;
    const double caster_share = body->com_ahead_m / drive->caster_ahead_m;
    const double tyre_n = weight_n * (1 - caster_share) / 2;
    const double pivot = body->inertia_kg_m2 + body->mass_kg * body->com_ahead_m * body->com_ahead_m;

    drive->step_s = step_s;
    drive->traction_n_s = drive->grip * tyre_n * step_s;
    drive->shift_along = drive->grip * drive->com_height_m / drive->caster_ahead_m / 2;
    drive->shift_across = drive->grip * drive->com_height_m / drive->track_m;
    drive->pivot_inertia_kg_m2 = pivot;
    drive->caster_n = drive->caster_friction * weight_n * caster_share;
    const double at_caster_kg =
        hy_min(body->mass_kg, pivot / (drive->caster_ahead_m * drive->caster_ahead_m));
    // The drag is taken from the step's beginning: it must not overshoot what the caster carries.
    drive->caster_soft_m_s = hy_max(CASTER_SOFT_M_S, 2 * drive->caster_n * step_s / at_caster_kg);

    const double turning = drive->track_m * drive->track_m / (4 * pivot);
    drive->own_per_kg = body->per_kg + turning;
    drive->other_per_kg = body->per_kg - turning;

    const double arm_squared_m2 =
        body->com_ahead_m * body->com_ahead_m + drive->track_m * drive->track_m / 4;
    const double rim_per_kg = body->per_kg + arm_squared_m2 * body->per_kg_m2;
    drive->across_kg = 1 / rim_per_kg;

    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        drive->rim[i] =
            hy_rim_of(&motor[i], drive->radius_m[i], drive->rolling_resistance * tyre_n * step_s);
        drive->along_kg[i] = 1 / (rim_per_kg + 1 / drive->rim[i].step_kg);
    }
}

// --------------------------------------------------------------------------- one step

const double hy_even_grip[4] = { 1, 1, 1, 1 };

void hy_drive_step(const hy_drive_model *drive, const hy_body_model *body, hy_drive_state *state)
{
    const hy_push *const pushed = state->pushed;
    drive_lanes now = { .motion = lanes_of(*state->motion),
                        .pushed = { pushed->x, pushed->y, pushed->turn },
                        .rim_m_s = { state->rim_m_s[0], state->rim_m_s[1] },
                        .volts = { state->volts[0], state->volts[1] },
                        .rim = state->rim,
                        .grip = state->grip };
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        now.inertia[i] = (inertia_lanes){ state->rim[i].step_kg, state->rim[i].keep_kg };
        now.per_kg[i] = 1 / state->rim[i].step_kg;
    }
    drive_step(drive, body, &now);
    *state->motion = motion_of(now.motion);
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        state->rim_m_s[i] = now.rim_m_s[i];
    }
}
