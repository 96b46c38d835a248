/// @file drive_simd.h
/// Motors, battery, and a body on two driven wheels and a caster: one step of LANES of them at once (lanes.h), all built alike.
/// docs/spec/world.md derives the equations.
#ifndef HY_WORLD_DRIVE_SIMD_H
#define HY_WORLD_DRIVE_SIMD_H

#include "drive.h"
#include "lanes/motion_simd.h"

#define ROUNDING_N_S 1e-15 // of sums of impulses, which are below 1 N s

// --------------------------------------------------------------------------- what a step takes and changes

/// hy_battery_spec, of each lane.
typedef struct {
    lanes open_v, resistance_ohm;
    double board_a;
} battery_lanes;

/// hy_motor_run, of each lane.
typedef struct {
    const hy_motor_model *motor; ///< Of all lanes.
    const lanes *duty, *rad_s;
    size_t count;
} motors_lanes;

/// Implicit inertia of a shaft or mass of a rim, and what of the old momentum stays.
typedef struct {
    lanes step, keep;
} inertia_lanes;

/// hy_drive_state, of each lane.
typedef struct {
    body_lanes motion, pushed;
    lanes rim_m_s[HY_DRIVE_SIDES], volts[HY_DRIVE_SIDES];
    inertia_lanes inertia[HY_DRIVE_SIDES]; ///< Of the rims, ...
    lanes per_kg[HY_DRIVE_SIDES];          ///< ... and one over `step`.
    const hy_rim_model *rim;               ///< What is the same in all lanes, as the grip.
    const double *grip;
} drive_lanes;

/// What a step begins with, before tyres and dry friction have their say.
typedef struct {
    body_lanes motion;              ///< Of the body if its tyres pushed nothing.
    body_lanes pushed;              ///< By what it touches.
    lanes momentum[HY_DRIVE_SIDES]; ///< Of the rims if nothing held them.
    lanes step_kg[HY_DRIVE_SIDES];  ///< Implicit masses of the rims, ...
    lanes per_kg[HY_DRIVE_SIDES];   ///< ... and one over them.
    const hy_rim_model *rim;
    const double *grip;
} drive_start;

/// Impulses of the step.
typedef struct {
    lanes along[HY_DRIVE_SIDES];  ///< Of each tyre on the body, forward.
    lanes across[HY_DRIVE_SIDES]; ///< Of each tyre on the body, to the left.
    lanes held[HY_DRIVE_SIDES];   ///< Of dry friction on each rim.
} drive_impulses;

// --------------------------------------------------------------------------- motors and battery

/// hy_battery_voltage(): a bridge at duty d turns volts v into d v and takes d i from the battery, so every motor is a
/// resistance of R / d^2 with its back-EMF behind it; one linear equation gives the volts.
static inline lanes battery_voltage(const battery_lanes *battery, const motors_lanes *run)
{
    lanes conductance = { 0 }, emf_a = { 0 };
    for (size_t i = 0; i < run->count; i++) {
        const hy_motor_model *const motor = &run->motor[i];
        const lanes per_ohm = run->duty[i] * motor->per_ohm;
        conductance += run->duty[i] * per_ohm;
        emf_a += per_ohm * motor->forward * motor->emf_v_s * run->rad_s[i];
    }
    const lanes volts = (battery->open_v + battery->resistance_ohm * (emf_a - battery->board_a)) /
                        (1.0 + battery->resistance_ohm * conductance);
    return lanes_max(volts, (lanes){ 0 });
}

/// The same battery in all lanes.
static inline battery_lanes battery_of(const hy_battery_spec *battery)
{
    return (battery_lanes){ broadcast(battery->open_v), broadcast(battery->resistance_ohm),
                            battery->board_a };
}

/// hy_implicit_share() for a step of `z` time constants, in short steps without its exponential: to 1e-8.
static inline lanes short_implicit_share(lanes z)
{
    const lanes w = z * z;
    const lanes by_series = 0.5 + z / 12.0 * (1.0 - w / 60.0 * (1.0 - w / 42.0));
    const mask is_short = z < 0.5;
    return any(mask_not(is_short))
               ? blend(is_short, by_series, 1.0 / (1.0 - lanes_exp(-z)) - 1.0 / z)
               : by_series;
}

/// Of a shaft or a rim of inertia `own` while that share (0..1) of its motor's back-EMF, `damping`, brakes it.
static inline inertia_lanes inertia_with_share(double own, double damping, lanes share)
{
    const lanes shared = share * damping;
    const lanes late = short_implicit_share(shared / own);
    return (inertia_lanes){ own + late * shared, own - (1.0 - late) * shared };
}

/// hy_motor_free_step(). Dry friction takes what it can, and no more than brings the shaft to rest. A shaft that has
/// broken loose meets what friction a turning one has.
static inline lanes motor_free_step(const hy_motor_model *motor, inertia_lanes inertia, lanes volts,
                                    lanes rad_s)
{
    const lanes momentum = inertia.keep * rad_s + motor->step_s * volts * motor->torque_n_m_v;
    const lanes friction =
        blend(rad_s == 0.0, broadcast(motor->breakaway_n_m_s), broadcast(motor->coulomb_n_m_s));
    const mask stands = (momentum <= friction) & (momentum >= -friction);
    if (!any(mask_not(stands))) { // motors that nobody uses
        return broadcast(0);
    }
    const lanes limit = broadcast(motor->coulomb_n_m_s);
    return blend(stands, (lanes){ 0 },
                 (momentum - lanes_clamp(momentum, -limit, limit)) / inertia.step);
}

/// hy_rim_speed().
static inline lanes rim_speed(lanes step_kg, lanes momentum)
{
    const mask stands = (momentum < ROUNDING_N_S) & (momentum > -ROUNDING_N_S);
    return blend(stands, (lanes){ 0 }, momentum / step_kg);
}

// --------------------------------------------------------------------------- the body by itself

/// hy_body_pushed().
static inline body_lanes body_pushed(const hy_body_model *body, body_lanes motion, body_lanes push)
{
    return (body_lanes){ motion.x + push.x * body->per_kg, motion.y + push.y * body->per_kg,
                         motion.turn + push.turn * body->per_kg_m2 };
}

/// The same velocity in the axes of a body that has turned for a step: they turn with it.
static inline body_lanes body_turned(body_lanes motion, double step_s)
{
    // Cayley's rotation: it keeps the velocity's size.
    const lanes half = motion.turn * step_s / 2.0;
    const lanes c = (1.0 - half * half) / (1.0 + half * half);
    const lanes s = 2.0 * half / (1.0 + half * half);
    return (body_lanes){ c * motion.x + s * motion.y, c * motion.y - s * motion.x, motion.turn };
}

/// Drag of the caster, from the step's beginning.
static inline body_lanes caster_push(const hy_drive_model *drive, const hy_body_model *body,
                                     body_lanes motion)
{
    const double ahead_m = drive->caster_ahead_m - body->com_ahead_m;
    const lanes x = motion.x;
    const lanes y = motion.y + ahead_m * motion.turn;
    const lanes speed = lanes_sqrt(x * x + y * y + drive->caster_soft_m_s * drive->caster_soft_m_s);
    const lanes per_speed = -drive->caster_n * drive->step_s / speed;
    return (body_lanes){ per_speed * x, per_speed * y, ahead_m * per_speed * y };
}

static inline drive_start start_of_step(const hy_drive_model *drive, const hy_body_model *body,
                                        const drive_lanes *state)
{
    body_lanes motion = body_turned(state->motion, drive->step_s);
    motion = body_pushed(body, motion, caster_push(drive, body, state->motion));
    motion = body_pushed(body, motion, state->pushed);

    drive_start start = {
        .motion = motion, .pushed = state->pushed, .rim = state->rim, .grip = state->grip
    };
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        start.momentum[i] =
            state->inertia[i].keep * state->rim_m_s[i] + state->rim[i].n_s_per_v * state->volts[i];
        start.step_kg[i] = state->inertia[i].step;
        start.per_kg[i] = state->per_kg[i];
    }
    return start;
}

// --------------------------------------------------------------------------- rolling

/// Turning rate after a sideways impulse at the axle has stopped all sliding of the axle.
static inline lanes pivoting_rate(const hy_drive_model *drive, const hy_body_model *body,
                                  body_lanes motion)
{
    return (body->inertia_kg_m2 * motion.turn + body->mass_kg * body->com_ahead_m * motion.y) /
           drive->pivot_inertia_kg_m2;
}

/// Tyre impulses with which both tyres roll, given how each wheel behaves: turning against
/// `held[i]`, or, where `turning[i]` is 0, standing.
static inline void solve_rolling(const hy_drive_model *drive, const lanes floor_m_s[HY_DRIVE_SIDES],
                                 const drive_start *start, const lanes turning[HY_DRIVE_SIDES],
                                 drive_impulses *impulses)
{
    lanes own[HY_DRIVE_SIDES], right[HY_DRIVE_SIDES];
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        const lanes per_mass = blend(turning[i] == 0.0, (lanes){ 0 }, start->per_kg[i]);
        own[i] = drive->own_per_kg + per_mass;
        right[i] = (start->momentum[i] + impulses->held[i]) * per_mass - floor_m_s[i];
    }
    const double other = drive->other_per_kg;
    const lanes det = own[0] * own[1] - other * other;
    impulses->along[0] = (right[0] * own[1] - right[1] * other) / det;
    impulses->along[1] = (right[1] * own[0] - right[0] * other) / det;
}

/// One look at a wheel's dry friction after a trial solution. Returns where the trial stands.
static inline mask settle_friction(const drive_start *start, int i, lanes *turning,
                                   drive_impulses *impulses)
{
    const double limit = start->rim[i].breakaway_n_s;
    const lanes momentum = start->momentum[i];
    const mask turns = *turning != 0.0;
    const lanes rim = momentum + impulses->held[i] - impulses->along[i];
    const mask goes_on = turns & (rim * *turning >= 0.0);
    const lanes needed = impulses->along[i] - momentum;
    const mask is_held = mask_not(turns) & (needed >= -limit) & (needed <= limit);
    impulses->held[i] = blend(is_held, needed, impulses->held[i]);
    // One that friction would have dragged backwards stops; one that friction cannot hold breaks loose.
    const lanes loose = blend(needed > 0.0, broadcast(-1), broadcast(1));
    const lanes next = blend(turns, (lanes){ 0 }, loose);
    const mask stands = goes_on | is_held;
    *turning = blend(stands, *turning, next);
    return stands;
}

/// Takes what a trial has found for the lanes that have not settled.
static inline void keep_trial(mask settled, const drive_impulses *trial, drive_impulses *impulses)
{
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        impulses->along[i] = blend(settled, impulses->along[i], trial->along[i]);
        impulses->held[i] = blend(settled, impulses->held[i], trial->held[i]);
    }
}

/// Each wheel turns forward, turns backward or stands: at most a few trials find out which.
static inline void try_rolling(const hy_drive_model *drive, const lanes floor_m_s[HY_DRIVE_SIDES],
                               const drive_start *start, lanes turning[HY_DRIVE_SIDES],
                               drive_impulses *impulses)
{
    mask settled = { 0 };
    for (int trial = 0; trial < 4; trial++) {
        drive_impulses tried;
        for (int i = 0; i < HY_DRIVE_SIDES; i++) {
            tried.held[i] = -turning[i] * start->rim[i].stiction_n_s;
        }
        solve_rolling(drive, floor_m_s, start, turning, &tried);
        const mask left = settle_friction(start, 0, &turning[0], &tried);
        const mask right = settle_friction(start, 1, &turning[1], &tried);
        keep_trial(settled, &tried, impulses);
        settled = settled | (left & right);
        if (!any(mask_not(settled))) {
            break;
        }
    }
}

/// The step if both tyres grip: rolls without any slip, in closed form.
static inline void roll(const hy_drive_model *drive, const hy_body_model *body,
                        const drive_start *start, const lanes rim_m_s[HY_DRIVE_SIDES],
                        drive_impulses *impulses)
{
    const double half_m = drive->track_m / 2;
    const lanes rate = pivoting_rate(drive, body, start->motion);
    const lanes floor_m_s[HY_DRIVE_SIDES] = { start->motion.x - half_m * rate,
                                              start->motion.x + half_m * rate };
    lanes turning[HY_DRIVE_SIDES];
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        turning[i] = blend(rim_m_s[i] > 0.0, broadcast(1),
                           blend(rim_m_s[i] < 0.0, broadcast(-1), (lanes){ 0 }));
    }
    try_rolling(drive, floor_m_s, start, turning, impulses);
    // What keeps the axle from sliding sideways, shared by both tyres.
    const double com_m = body->com_ahead_m;
    const lanes turn =
        rate + (impulses->along[1] - impulses->along[0]) * half_m / drive->pivot_inertia_kg_m2;
    const lanes across = body->mass_kg * (com_m * turn - start->motion.y);
    impulses->across[0] = impulses->across[1] = across / 2.0;
}

/// Most that each tyre can push. What speeds the body up acts below its centre of mass and so shifts load: from the caster ahead to
/// the axle, and from the tyre on the side that it is pushed to. What it touches is taken to push at the floor, too.
static inline void find_traction(const hy_drive_model *drive, const drive_start *start,
                                 const drive_impulses *impulses, lanes traction_n_s[HY_DRIVE_SIDES])
{
    const lanes along = impulses->along[0] + impulses->along[1] + start->pushed.x;
    const lanes across = impulses->across[0] + impulses->across[1] + start->pushed.y;
    const lanes on_axle = drive->traction_n_s + drive->shift_along * along;
    const lanes to_right = drive->shift_across * across;
    traction_n_s[HY_DRIVE_LEFT] =
        start->grip[HY_DRIVE_LEFT] * lanes_max(on_axle - to_right, broadcast(0));
    traction_n_s[HY_DRIVE_RIGHT] =
        start->grip[HY_DRIVE_RIGHT] * lanes_max(on_axle + to_right, broadcast(0));
}

static inline mask tyres_slip(const lanes traction_n_s[HY_DRIVE_SIDES],
                              const drive_impulses *impulses)
{
    mask slips = { 0 };
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        const lanes limit = traction_n_s[i] * traction_n_s[i];
        slips = slips |
                (impulses->along[i] * impulses->along[i] + impulses->across[i] * impulses->across[i] >
                 limit);
    }
    return slips;
}

static inline body_lanes moved(const hy_drive_model *drive, const hy_body_model *body,
                               body_lanes motion, const drive_impulses *impulses)
{
    const lanes along = impulses->along[0] + impulses->along[1];
    const lanes across = impulses->across[0] + impulses->across[1];
    const lanes turn = (impulses->along[1] - impulses->along[0]) * drive->track_m / 2.0 -
                       across * body->com_ahead_m;
    return body_pushed(body, motion, (body_lanes){ along, across, turn });
}

// --------------------------------------------------------------------------- sliding

/// The sliding solver stops when no impulse changes by more than this share of the grip any more,
/// and after so many rounds at the latest.
#define SLIDING_CHANGE 1e-3
#define SLIDING_ROUNDS 20

/// The share of a tyre's push that is left if it gives at most `traction_n_s`.
static inline lanes limit_to_grip(lanes traction_n_s, lanes along, lanes across)
{
    const lanes size_squared = along * along + across * across;
    return blend(size_squared > traction_n_s * traction_n_s,
                 traction_n_s / lanes_sqrt(size_squared), broadcast(1));
}

typedef struct {
    const hy_drive_model *drive;
    const hy_body_model *body;
    const drive_start *start;
    body_lanes motion; ///< With the impulses so far.
    drive_impulses impulses;
} sliding;

/// One tyre's turn, where `active`: it pushes against its slip as far as the friction circle lets it, the other's
/// push given. Returns how much its impulse changed.
static inline lanes push_one(sliding *s, int i, mask active)
{
    const hy_drive_model *const drive = s->drive;
    const lanes along = s->impulses.along[i], across = s->impulses.across[i];
    const double com_m = s->body->com_ahead_m;
    const double side_m = i == HY_DRIVE_LEFT ? -drive->track_m / 2 : drive->track_m / 2;
    const lanes limit = broadcast(s->start->rim[i].stiction_n_s);
    const lanes free = s->start->momentum[i] - along;
    const lanes held = -lanes_clamp(free, -limit, limit);
    const lanes rim = (free + held) / s->start->step_kg[i];
    const lanes slip_along = rim - (s->motion.x + side_m * s->motion.turn);
    const lanes slip_across = com_m * s->motion.turn - s->motion.y;
    const lanes wanted_along = along + slip_along * drive->along_kg[i];
    const lanes wanted_across = across + slip_across * drive->across_kg;
    lanes traction_n_s[HY_DRIVE_SIDES];
    find_traction(drive, s->start, &s->impulses, traction_n_s);
    const lanes share = limit_to_grip(traction_n_s[i], wanted_along, wanted_across);
    const lanes more_along = wanted_along * share - along;
    const lanes more_across = wanted_across * share - across;
    const body_lanes push = { more_along, more_across, side_m * more_along - com_m * more_across };
    const body_lanes motion = body_pushed(s->body, s->motion, push);
    s->impulses.held[i] = blend(active, held, s->impulses.held[i]);
    s->impulses.along[i] = blend(active, along + more_along, along);
    s->impulses.across[i] = blend(active, across + more_across, across);
    s->motion =
        (body_lanes){ blend(active, motion.x, s->motion.x), blend(active, motion.y, s->motion.y),
                      blend(active, motion.turn, s->motion.turn) };
    return lanes_max(lanes_abs(more_along), lanes_abs(more_across));
}

/// The step where a tyre slides: both push in turns until they agree (projected Gauss-Seidel). It
/// begins with what rolling would have needed, cut down to the grip.
static inline sliding start_sliding(const hy_drive_model *drive, const hy_body_model *body,
                                    const drive_start *start, mask slips,
                                    const drive_impulses *impulses)
{
    lanes traction_n_s[HY_DRIVE_SIDES];
    find_traction(drive, start, impulses, traction_n_s);
    drive_impulses first = *impulses;
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        const lanes share = limit_to_grip(traction_n_s[i], impulses->along[i], impulses->across[i]);
        first.along[i] = blend(slips, impulses->along[i] * share, impulses->along[i]);
        first.across[i] = blend(slips, impulses->across[i] * share, impulses->across[i]);
    }
    return (sliding){ drive, body, start, moved(drive, body, start->motion, &first), first };
}

/// A push of both tyres where `active`, which becomes where they do not agree yet. Each of its operations waits for the one before: of
/// `parts` vectors the others go on while one waits.
static inline void slide_once(sliding *s, mask *active, size_t parts)
{
    lanes left[LANES_TOGETHER];
    for (size_t p = 0; p < parts; p++) {
        left[p] = push_one(&s[p], HY_DRIVE_LEFT, active[p]);
    }
    for (size_t p = 0; p < parts; p++) {
        const double *const grip = s[p].start->grip;
        const double settled_n_s =
            s[p].drive->traction_n_s * hy_max(grip[0], grip[1]) * SLIDING_CHANGE;
        const lanes right = push_one(&s[p], HY_DRIVE_RIGHT, active[p]);
        active[p] = active[p] & (lanes_max(left[p], right) > settled_n_s);
    }
}

static inline void slide(const hy_drive_model *drive, const hy_body_model *body,
                         const drive_start *start, mask slips, drive_impulses *impulses)
{
    sliding s = start_sliding(drive, body, start, slips, impulses);
    mask active = slips;
    for (int round = 0; round < SLIDING_ROUNDS && any(active); round++) {
        slide_once(&s, &active, 1);
    }
    *impulses = s.impulses;
}

// --------------------------------------------------------------------------- all of it

/// Begins a step: `impulses` become what they are where both tyres grip. Returns where one does not.
static inline mask drive_start_step(const hy_drive_model *drive, const hy_body_model *body,
                                    const drive_lanes *state, drive_start *start,
                                    drive_impulses *impulses)
{
    *start = start_of_step(drive, body, state);
    *impulses = (drive_impulses){ .along = { broadcast(0), broadcast(0) } };
    roll(drive, body, start, state->rim_m_s, impulses);
    lanes traction_n_s[HY_DRIVE_SIDES];
    find_traction(drive, start, impulses, traction_n_s);
    return tyres_slip(traction_n_s, impulses);
}

/// Ends it, with the impulses that the tyres came to.
static inline void drive_end_step(const hy_drive_model *drive, const hy_body_model *body,
                                  const drive_start *start, const drive_impulses *impulses,
                                  drive_lanes *state)
{
    const body_lanes not_yet = { -state->pushed.x, -state->pushed.y, -state->pushed.turn };
    state->motion = body_pushed(body, moved(drive, body, start->motion, impulses), not_yet);
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        const lanes momentum = start->momentum[i] + impulses->held[i] - impulses->along[i];
        state->rim_m_s[i] = rim_speed(start->step_kg[i], momentum);
    }
}

/// hy_drive_step(), of each lane.
static inline void drive_step(const hy_drive_model *drive, const hy_body_model *body,
                              drive_lanes *state)
{
    drive_start start;
    drive_impulses impulses;
    const mask slips = drive_start_step(drive, body, state, &start, &impulses);
    if (any(slips)) {
        slide(drive, body, &start, slips, &impulses);
    }
    drive_end_step(drive, body, &start, &impulses, state);
}

#endif
