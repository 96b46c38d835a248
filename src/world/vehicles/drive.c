#include "drive.h"

#include <math.h>

/// Below this speed the caster's drag fades, so that it does not shake a standing robot.
#define CASTER_SOFT_M_S 0.02

#define ROUNDING_N_S 1e-15 // of sums of impulses, which are below 1 N s

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

/// hy_implicit_share() for a step of `z` time constants, in short steps without its exponential: to 1e-8.
static double short_implicit_share(double z)
{
    const double w = z * z;
    return z < 0.5 ? 0.5 + z / 12 * (1 - w / 60 * (1 - w / 42)) : hy_implicit_share(z, 1);
}

hy_motor_model hy_motor_with_share(const hy_motor_model *motor, double share)
{
    hy_motor_model shared = *motor;
    const double damping = share * motor->damping_kg_m2;
    const double late = short_implicit_share(damping / motor->inertia_kg_m2);
    shared.step_kg_m2 = motor->inertia_kg_m2 + late * damping;
    shared.keep_kg_m2 = motor->inertia_kg_m2 - (1 - late) * damping;
    return shared;
}

double hy_battery_voltage(const hy_battery_spec *battery, const hy_motor_model *motor,
                          const double *duty, const double *rad_s, size_t count)
{
    // A bridge at duty d turns volts v into d v and takes d i from the battery, so every motor is a
    // resistance of R / d^2 with its back-EMF behind it; one linear equation gives the volts.
    double conductance = 0;
    double emf_a = 0;
    for (size_t i = 0; i < count; i++) {
        const double per_ohm = duty[i] * motor[i].per_ohm;
        conductance += duty[i] * per_ohm;
        emf_a += per_ohm * motor[i].forward * motor[i].emf_v_s * rad_s[i];
    }
    const double volts = (battery->open_v + battery->resistance_ohm * (emf_a - battery->board_a)) /
                         (1 + battery->resistance_ohm * conductance);
    return volts > 0 ? volts : 0;
}

double hy_motor_free_step(const hy_motor_model *motor, double volts, double rad_s)
{
    const double momentum = motor->keep_kg_m2 * rad_s + motor->step_s * volts * motor->torque_n_m_v;
    const double friction = rad_s == 0 ? motor->breakaway_n_m_s : motor->coulomb_n_m_s;
    // Dry friction takes what it can, and no more than brings the shaft to rest. A shaft that has broken loose
    // meets what friction a turning one has.
    const bool stands = momentum <= friction && momentum >= -friction;
    const double limit = motor->coulomb_n_m_s;
    return stands ? 0 : (momentum - hy_clamp(momentum, -limit, limit, 0)) / motor->step_kg_m2;
}

// --------------------------------------------------------------------------- bodies and rims

void hy_body_prepare(hy_body_model *body)
{
    body->per_kg = 1 / body->mass_kg;
    body->per_kg_m2 = 1 / body->inertia_kg_m2;
}

hy_motion hy_body_pushed(const hy_body_model *body, hy_motion motion, hy_push push)
{
    return (hy_motion){ motion.x + push.x * body->per_kg, motion.y + push.y * body->per_kg,
                        motion.turn + push.turn * body->per_kg_m2 };
}

hy_motion hy_body_turned(hy_motion motion, double step_s)
{
    // Cayley's rotation: it keeps the velocity's size.
    const double half = motion.turn * step_s / 2;
    const double c = (1 - half * half) / (1 + half * half);
    const double s = 2 * half / (1 + half * half);
    return (hy_motion){ c * motion.x + s * motion.y, c * motion.y - s * motion.x, motion.turn };
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
    const double damping = share * rim->damping_kg;
    const double late = short_implicit_share(damping / rim->own_kg);
    shared.step_kg = rim->own_kg + late * damping;
    shared.keep_kg = rim->own_kg - (1 - late) * damping;
    return shared;
}

double hy_rim_momentum(const hy_rim_model *rim, double rim_m_s, double volts)
{
    return rim->keep_kg * rim_m_s + rim->n_s_per_v * volts;
}

double hy_rim_speed(const hy_rim_model *rim, double momentum)
{
    const bool stands = momentum < ROUNDING_N_S && momentum > -ROUNDING_N_S;
    return stands ? 0 : momentum / rim->step_kg;
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

/// What a step begins with, before tyres and dry friction have their say.
typedef struct {
    hy_motion motion;                ///< Of the body if its tyres pushed nothing.
    double momentum[HY_DRIVE_SIDES]; ///< Of the rims if nothing held them.
    const hy_rim_model *rim;
} hy_drive_start;

/// Impulses of the step.
typedef struct {
    double along[HY_DRIVE_SIDES];  ///< Of each tyre on the body, forward.
    double across[HY_DRIVE_SIDES]; ///< Of each tyre on the body, to the left.
    double held[HY_DRIVE_SIDES];   ///< Of dry friction on each rim.
} hy_drive_impulses;

/// Drag of the caster, from the step's beginning.
static hy_push caster_push(const hy_drive_model *drive, const hy_body_model *body, hy_motion motion)
{
    const double ahead_m = drive->caster_ahead_m - body->com_ahead_m;
    const double x = motion.x;
    const double y = motion.y + ahead_m * motion.turn;
    const double speed = sqrt(x * x + y * y + drive->caster_soft_m_s * drive->caster_soft_m_s);
    const double per_speed = -drive->caster_n * drive->step_s / speed;
    return (hy_push){ per_speed * x, per_speed * y, ahead_m * per_speed * y };
}

static hy_drive_start start_of_step(const hy_drive_model *drive, const hy_body_model *body,
                                    const hy_drive_state *state)
{
    const hy_motion now = state->motion;
    hy_motion motion = hy_body_turned(now, drive->step_s);
    motion = hy_body_pushed(body, motion, caster_push(drive, body, now));
    motion = hy_body_pushed(body, motion, state->pushed);

    hy_drive_start start = { .motion = motion, .rim = state->rim };
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        start.momentum[i] = hy_rim_momentum(&state->rim[i], state->rim_m_s[i], state->volts[i]);
    }
    return start;
}

/// Turning rate after a sideways impulse at the axle has stopped all sliding of the axle.
static double pivoting_rate(const hy_drive_model *drive, const hy_body_model *body, hy_motion motion)
{
    return (body->inertia_kg_m2 * motion.turn + body->mass_kg * body->com_ahead_m * motion.y) /
           drive->pivot_inertia_kg_m2;
}

/// Tyre impulses with which both tyres roll, given how each wheel behaves: turning against
/// `held[i]`, or, where `locked[i]`, standing.
static void solve_rolling(const hy_drive_model *drive, const double floor_m_s[HY_DRIVE_SIDES],
                          const hy_drive_start *start, const bool locked[HY_DRIVE_SIDES],
                          hy_drive_impulses *impulses)
{
    double own[HY_DRIVE_SIDES];
    double right[HY_DRIVE_SIDES];
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        const double per_mass = locked[i] ? 0 : 1 / start->rim[i].step_kg;
        own[i] = drive->own_per_kg + per_mass;
        right[i] = (start->momentum[i] + impulses->held[i]) * per_mass - floor_m_s[i];
    }
    const double other = drive->other_per_kg;
    const double det = own[0] * own[1] - other * other;
    impulses->along[0] = (right[0] * own[1] - right[1] * other) / det;
    impulses->along[1] = (right[1] * own[0] - right[0] * other) / det;
}

/// One look at a wheel's dry friction after a trial solution. Returns whether the trial stands.
static bool settle_friction(const hy_drive_start *start, int i, double *turning,
                            hy_drive_impulses *impulses)
{
    const double limit = start->rim[i].breakaway_n_s;
    const double momentum = start->momentum[i];
    if (*turning != 0) {
        const double rim = momentum + impulses->held[i] - impulses->along[i];
        if (rim * *turning >= 0) {
            return true;
        }
        *turning = 0; // it would have been dragged backwards by friction: it stops
        return false;
    }
    const double needed = impulses->along[i] - momentum;
    if (needed >= -limit && needed <= limit) {
        impulses->held[i] = needed;
        return true;
    }
    *turning = needed > 0 ? -1 : 1; // more than friction can hold: it breaks loose
    return false;
}

/// The step if both tyres grip: rolls without any slip, in closed form.
static void roll(const hy_drive_model *drive, const hy_body_model *body, const hy_drive_start *start,
                 const double rim_m_s[HY_DRIVE_SIDES], hy_drive_impulses *impulses)
{
    const double half_m = drive->track_m / 2;
    const double rate = pivoting_rate(drive, body, start->motion);
    const double floor_m_s[HY_DRIVE_SIDES] = { start->motion.x - half_m * rate,
                                               start->motion.x + half_m * rate };
    double turning[HY_DRIVE_SIDES];
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        turning[i] = rim_m_s[i] > 0 ? 1 : rim_m_s[i] < 0 ? -1 : 0;
    }
    // Each wheel turns forward, turns backward or stands: at most a few trials find out which.
    for (int trial = 0; trial < 4; trial++) {
        bool locked[HY_DRIVE_SIDES];
        for (int i = 0; i < HY_DRIVE_SIDES; i++) {
            locked[i] = turning[i] == 0;
            impulses->held[i] = -turning[i] * start->rim[i].stiction_n_s;
        }
        solve_rolling(drive, floor_m_s, start, locked, impulses);
        const bool left = settle_friction(start, 0, &turning[0], impulses);
        const bool right = settle_friction(start, 1, &turning[1], impulses);
        if (left && right) {
            break;
        }
    }
    // What keeps the axle from sliding sideways, shared by both tyres.
    const double com_m = body->com_ahead_m;
    const double turn =
        rate + (impulses->along[1] - impulses->along[0]) * half_m / drive->pivot_inertia_kg_m2;
    const double across = body->mass_kg * (com_m * turn - start->motion.y);
    impulses->across[0] = impulses->across[1] = across / 2;
}

static bool tyres_grip(const hy_drive_model *drive, const hy_drive_impulses *impulses)
{
    const double limit = drive->traction_n_s * drive->traction_n_s;
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        if (impulses->along[i] * impulses->along[i] + impulses->across[i] * impulses->across[i] >
            limit) {
            return false;
        }
    }
    return true;
}

static hy_motion moved(const hy_drive_model *drive, const hy_body_model *body, hy_motion motion,
                       const hy_drive_impulses *impulses)
{
    const double along = impulses->along[0] + impulses->along[1];
    const double across = impulses->across[0] + impulses->across[1];
    const double turn =
        (impulses->along[1] - impulses->along[0]) * drive->track_m / 2 - across * body->com_ahead_m;
    return hy_body_pushed(body, motion, (hy_push){ along, across, turn });
}

/// The sliding solver stops when no impulse changes by more than this share of the grip any more,
/// and after so many rounds at the latest.
#define SLIDING_CHANGE 1e-3
#define SLIDING_ROUNDS 20

static double limit_to_grip(const hy_drive_model *drive, double along, double across)
{
    const double size_squared = along * along + across * across;
    const double grip = drive->traction_n_s;
    return size_squared > grip * grip ? grip / sqrt(size_squared) : 1;
}

typedef struct {
    const hy_drive_model *drive;
    const hy_body_model *body;
    const hy_drive_start *start;
    hy_motion motion; ///< With the impulses so far.
    hy_drive_impulses *impulses;
} sliding;

/// One tyre's turn: it pushes against its slip as far as the friction circle lets it, the other's
/// push given. Returns how much its impulse changed.
static double push_one(sliding *s, int i)
{
    const hy_drive_model *drive = s->drive;
    double *along = &s->impulses->along[i];
    double *across = &s->impulses->across[i];
    const double com_m = s->body->com_ahead_m;
    const double side_m = i == HY_DRIVE_LEFT ? -drive->track_m / 2 : drive->track_m / 2;
    const double limit = s->start->rim[i].stiction_n_s;
    const double free = s->start->momentum[i] - *along;
    s->impulses->held[i] = -hy_clamp(free, -limit, limit, 0);
    const double rim = (free + s->impulses->held[i]) / s->start->rim[i].step_kg;
    const double slip_along = rim - (s->motion.x + side_m * s->motion.turn);
    const double slip_across = com_m * s->motion.turn - s->motion.y;
    const double wanted_along = *along + slip_along * drive->along_kg[i];
    const double wanted_across = *across + slip_across * drive->across_kg;
    const double share = limit_to_grip(drive, wanted_along, wanted_across);
    const double more_along = wanted_along * share - *along;
    const double more_across = wanted_across * share - *across;
    *along += more_along;
    *across += more_across;
    const hy_push push = { more_along, more_across, side_m * more_along - com_m * more_across };
    s->motion = hy_body_pushed(s->body, s->motion, push);
    return hy_max(fabs(more_along), fabs(more_across));
}

/// The step if a tyre slides: both push in turns until they agree (projected Gauss-Seidel). It
/// begins with what rolling would have needed, cut down to the grip.
static void slide(const hy_drive_model *drive, const hy_body_model *body,
                  const hy_drive_start *start, hy_drive_impulses *impulses)
{
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        const double share = limit_to_grip(drive, impulses->along[i], impulses->across[i]);
        impulses->along[i] *= share;
        impulses->across[i] *= share;
    }
    sliding s = { drive, body, start, moved(drive, body, start->motion, impulses), impulses };
    double change = INFINITY;
    for (int round = 0; round < SLIDING_ROUNDS && change > drive->traction_n_s * SLIDING_CHANGE;
         round++) {
        const double left = push_one(&s, HY_DRIVE_LEFT);
        const double right = push_one(&s, HY_DRIVE_RIGHT);
        change = hy_max(left, right);
    }
}

void hy_drive_step(const hy_drive_model *drive, const hy_body_model *body, hy_drive_state *state)
{
    const hy_drive_start start = start_of_step(drive, body, state);
    hy_drive_impulses impulses;
    roll(drive, body, &start, state->rim_m_s, &impulses);
    if (!tyres_grip(drive, &impulses)) {
        slide(drive, body, &start, &impulses);
    }
    const hy_push not_yet = { -state->pushed.x, -state->pushed.y, -state->pushed.turn };
    state->motion = hy_body_pushed(body, moved(drive, body, start.motion, &impulses), not_yet);
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        const double momentum = start.momentum[i] + impulses.held[i] - impulses.along[i];
        state->rim_m_s[i] = hy_rim_speed(&start.rim[i], momentum);
    }
}
