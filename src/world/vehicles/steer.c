#include "steer.h"

#include <math.h>

/// The search for which tyres slip ends when no push changes by more than this share of the grip, and
/// after so many rounds at the latest.
#define SETTLED 1e-4
#define ROUNDS  40

/// So many of them look ahead; the others go the way that surely ends.
#define EAGER_ROUNDS 20

/// Slower than this, a robot whose wheels stand is standing.
#define STANDS_M_S 1e-9

// --------------------------------------------------------------------------- preparation

double hy_steer_load(const hy_steer_model *steer, const hy_body_model *body, int wheel)
{
    const double weight_n = body->mass_kg * HY_GRAVITY_M_S2;
    return weight_n / HY_STEER_WHEELS * (1 + body->com_ahead_m / steer->at_m[wheel].x);
}

void hy_steer_prepare(hy_steer_model *steer, const hy_body_model *body,
                      const hy_motor_model *const motor[HY_STEER_WHEELS], double step_s)
{
    steer->step_s = step_s;
    for (int i = 0; i < HY_STEER_WHEELS; i++) {
        const double load_n = hy_steer_load(steer, body, i);
        steer->arm_m[i] = hy_vec_sub(steer->at_m[i], (hy_vec){ body->com_ahead_m, 0 });
        steer->traction_n_s[i] = steer->grip * load_n * step_s;
        steer->per_kg[i] =
            body->per_kg + hy_vec_dot(steer->arm_m[i], steer->arm_m[i]) * body->per_kg_m2;
        steer->rim[i] =
            hy_rim_of(motor[i], steer->radius_m, steer->rolling_resistance * load_n * step_s);
    }
}

// --------------------------------------------------------------------------- one step

/// One wheel during the search.
typedef struct {
    hy_vec along, across;     ///< Body axes.
    double along_m, across_m; ///< Lever arms of pushes in these directions.
    double momentum;          ///< Of the rim if nothing held it.
    double traction_n_s;      ///< Most that its tyre can push in the step.
    const hy_rim_model *rim;
    double turning;  ///< +1, -1, or 0 while dry friction holds it.
    double kg;       ///< Push per slip in the next trial: steep while it grips.
    double right_kg; ///< What it should have been for the slip that came of the last one.
    double slip_along, slip_across; ///< Surface of the tyre against the floor, m/s.
} wheel;

/// Normal equations for the motion: symmetric.
typedef struct {
    double xx, xy, xt, yy, yt, tt; ///< x, y, turning.
    double x, y, t;                ///< Right side.
} equations;

/// Adds a push of `kg` times (`slip` minus the speed of the floor along `way`).
static void add_push(equations *e, hy_vec way, double arm_m, double kg, double slip)
{
    e->xx += kg * way.x * way.x;
    e->xy += kg * way.x * way.y;
    e->xt += kg * way.x * arm_m;
    e->yy += kg * way.y * way.y;
    e->yt += kg * way.y * arm_m;
    e->tt += kg * arm_m * arm_m;
    e->x += kg * slip * way.x;
    e->y += kg * slip * way.y;
    e->t += kg * slip * arm_m;
}

static hy_motion solve(const equations *e)
{
    // Elimination without pivots: mass and inertia on the diagonal keep it far from singular.
    const double xy = e->xy / e->xx;
    const double xt = e->xt / e->xx;
    const double yy = e->yy - xy * e->xy;
    const double yt = e->yt - xy * e->xt;
    const double y = e->y - xy * e->x;
    const double part = yt / yy;
    const double turn = (e->t - xt * e->x - part * y) / (e->tt - xt * e->xt - part * yt);
    const double vy = (y - yt * turn) / yy;
    return (hy_motion){ (e->x - e->xy * vy - e->xt * turn) / e->xx, vy, turn };
}

/// The motion if each tyre pushed `kg` times its slip, and each wheel turned, or stood, as it says.
static hy_motion motion_for(const hy_body_model *body, hy_motion start,
                            const wheel wheels[HY_STEER_WHEELS])
{
    equations e = { .xx = body->mass_kg, .yy = body->mass_kg, .tt = body->inertia_kg_m2 };
    e.x = body->mass_kg * start.x;
    e.y = body->mass_kg * start.y;
    e.t = body->inertia_kg_m2 * start.turn;
    for (int i = 0; i < HY_STEER_WHEELS; i++) {
        const wheel *w = &wheels[i];
        const hy_rim_model *rim = w->rim;
        add_push(&e, w->across, w->across_m, w->kg, 0);
        if (w->turning == 0) {
            add_push(&e, w->along, w->along_m, w->kg, 0);
        } else { // a rim that gives way: two springs in a row
            const double free = (w->momentum - w->turning * rim->stiction_n_s) / rim->step_kg;
            add_push(&e, w->along, w->along_m, w->kg * rim->step_kg / (w->kg + rim->step_kg), free);
        }
    }
    return solve(&e);
}

/// Takes a wheel's slip, and whether it turns, from a trial motion.
static void look_at(const hy_motion *motion, wheel *w)
{
    const hy_rim_model *const rim = w->rim;
    const double floor_along =
        w->along.x * motion->x + w->along.y * motion->y + w->along_m * motion->turn;
    const double floor_across =
        w->across.x * motion->x + w->across.y * motion->y + w->across_m * motion->turn;
    const double loose = w->momentum + w->kg * floor_along;
    const double held = hy_clamp(loose, -rim->stiction_n_s, rim->stiction_n_s, 0);
    w->turning = loose > held ? 1 : loose < held ? -1 : 0;
    w->slip_along = (loose - held) / (w->kg + rim->step_kg) - floor_along;
    w->slip_across = -floor_across;
}

/// How steep to make a wheel's push next. Eager: half-way to where its slip will be when its own push
/// is right, if the others stay as they are; all the way would overshoot, since they do not.
static double steepness(const hy_steer_model *steer, int i, const wheel *w, double slip, bool eager)
{
    const double traction = w->traction_n_s;
    double ahead_m_s = 0;
    if (eager && slip > 0) {
        const double share = w->turning == 0 ? 0 : w->slip_along * w->slip_along / (slip * slip);
        const double per_kg = steer->per_kg[i] + share / w->rim->step_kg;
        ahead_m_s = w->kg * per_kg * (slip - traction / w->kg) / 2;
    }
    return traction / hy_max(slip + ahead_m_s, steer->creep_m_s);
}

/// Adapts a wheel to a trial motion. Returns by what share of its grip the push of the trial was wrong.
static double adapt(const hy_steer_model *steer, int i, const hy_motion *motion, bool eager, wheel *w)
{
    const double traction = w->traction_n_s;
    const double turned = w->turning;
    look_at(motion, w);
    const double slip = sqrt(w->slip_along * w->slip_along + w->slip_across * w->slip_across);
    w->right_kg = traction / hy_max(slip, steer->creep_m_s);
    const double wrong = fabs(w->kg - w->right_kg) * slip / traction + (w->turning != turned);
    if (w->turning == -turned) {
        // It stops before it turns back: else two trials would send each other back and forth.
        w->turning = 0;
    }
    w->kg = steepness(steer, i, w, slip, eager);
    return wrong;
}

static void begin_step(const hy_steer_model *steer, const hy_steer_state *state,
                       wheel wheels[HY_STEER_WHEELS])
{
    for (int i = 0; i < HY_STEER_WHEELS; i++) {
        const hy_vec along = state->along[i];
        const hy_vec across = { -along.y, along.x };
        const hy_vec arm = steer->arm_m[i];
        const double rim_m_s = state->rim_m_s[i];
        const double traction = steer->traction_n_s[i] * state->grip[i];
        wheels[i] = (wheel){
            .along = along,
            .across = across,
            .along_m = arm.x * along.y - arm.y * along.x,
            .across_m = arm.x * across.y - arm.y * across.x,
            .momentum = hy_rim_momentum(&state->rim[i], rim_m_s, state->volts[i]),
            .rim = &state->rim[i],
            .turning = rim_m_s > 0   ? 1
                       : rim_m_s < 0 ? -1
                                     : 0,
            .traction_n_s = traction,
            .kg = traction / steer->creep_m_s,
        };
    }
}

/// Finds slips and pushes that agree. A push that is proportional to the slip, and constant in size
/// beyond the creep, is the slope of a convex energy; so is dry friction, and the motion is that of the
/// least energy. Trials whose tyres are as steep as the last slip says come closer to it every time, but
/// slowly where a tyre slips a little; hence the eager ones first.
static void settle_pushes(const hy_steer_model *steer, const hy_body_model *body, hy_motion start,
                          wheel wheels[HY_STEER_WHEELS])
{
    double wrong = INFINITY;
    for (int round = 0; round < ROUNDS && wrong > SETTLED; round++) {
        const hy_motion motion = motion_for(body, start, wheels);
        wrong = 0;
        for (int i = 0; i < HY_STEER_WHEELS; i++) {
            wrong = hy_max(wrong, adapt(steer, i, &motion, round < EAGER_ROUNDS, &wheels[i]));
        }
    }
}

/// Lets the tyres push the body, and back on their rims.
static void push_body(const hy_body_model *body, const wheel wheels[HY_STEER_WHEELS],
                      hy_steer_state *state)
{
    for (int i = 0; i < HY_STEER_WHEELS; i++) {
        const wheel *w = &wheels[i];
        const hy_rim_model *rim = w->rim;
        const double along = w->right_kg * w->slip_along;
        const double across = w->right_kg * w->slip_across;
        state->motion = hy_body_pushed(body, state->motion,
                                       (hy_push){ along * w->along.x + across * w->across.x,
                                                  along * w->along.y + across * w->across.y,
                                                  along * w->along_m + across * w->across_m });
        const double loose = w->momentum - along;
        const double held = hy_clamp(loose, -rim->stiction_n_s, rim->stiction_n_s, 0);
        state->rim_m_s[i] = hy_rim_speed(rim, loose - held);
    }
}

static bool is_standing(const hy_steer_state *state)
{
    const hy_motion *now = &state->motion;
    double fastest_m_s = hy_max(hy_max(fabs(now->x), fabs(now->y)), fabs(now->turn));
    for (int i = 0; i < HY_STEER_WHEELS; i++) {
        fastest_m_s = hy_max(fastest_m_s, fabs(state->rim_m_s[i]));
    }
    return fastest_m_s < STANDS_M_S;
}

void hy_steer_step(const hy_steer_model *steer, const hy_body_model *body, hy_steer_state *state)
{
    const hy_push pushed = state->pushed;
    const hy_motion start =
        hy_body_pushed(body, hy_body_turned(state->motion, steer->step_s), pushed);
    wheel wheels[HY_STEER_WHEELS];
    begin_step(steer, state, wheels);
    settle_pushes(steer, body, start, wheels);
    state->motion = start;
    push_body(body, wheels, state);
    if (is_standing(state)) {
        state->motion = (hy_motion){ 0, 0, 0 };
    }
    state->motion =
        hy_body_pushed(body, state->motion, (hy_push){ -pushed.x, -pushed.y, -pushed.turn });
}
