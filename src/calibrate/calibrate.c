// The numbers that are fitted, what is expected of them, and what the recording says of each.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"
#include "calibrate_fit.h"
#include "laps.h"
#include "replayed.h"

// --------------------------------------------------------------------------- the numbers

// What it takes to know a number.
typedef enum {
    NEEDS_NOTHING,
    NEEDS_TURNS,
    NEEDS_COASTING,
} value_need;

/// A number of a robot, and how it is expected to be before anything is known: in the middle, within a
/// deviation. Factors are expected evenly in both directions, by their logarithms.
typedef struct {
    const char *name;
    size_t offset; ///< In replayed_robot.
    double middle, deviation;
    double low, high; ///< Bounds, in deviations from the middle.
    bool is_added;    ///< It is no factor.
    value_need needs;
    const char *why; ///< Why it may not be determined.
} value_row;

#define AT(member)   offsetof(replayed_robot, member)
#define STRENGTH_WHY "a strong motor looks like a light robot and a full battery: give --volts"
#define SPEED_WHY    "speed and battery act together: measure the volts, and give --volts"
// The same once the volts are given.
#define STRENGTH_WHY_AT_VOLTS "a strong motor looks like a light robot"
#define SPEED_WHY_AT_VOLTS    "too few steady speeds in the recording"

// The order of the rows.
enum {
    LEFT_STRENGTH,
    RIGHT_STRENGTH,
    LEFT_SPEED,
    RIGHT_SPEED,
    LEFT_FRICTION,
    RIGHT_FRICTION,
    BREAKAWAY,
    TRACK,
    WHEELS,
    VOLTS,
    OHM,
    INDUCTANCE,
    GYRO_BIAS,
    GYRO_SCALE,
    MASS,
    INERTIA,
    DELAY,
};

static const value_row rows[HY_CALIBRATION_VALUES] = {
    [LEFT_STRENGTH] = { "motors: left_strength", AT(traits.strength[0]), 1, 0.2, -4, 4, false,
                        NEEDS_NOTHING, STRENGTH_WHY },
    [RIGHT_STRENGTH] = { "motors: right_strength", AT(traits.strength[1]), 1, 0.2, -4, 4, false,
                         NEEDS_NOTHING, STRENGTH_WHY },
    [LEFT_SPEED] = { "motors: left_speed", AT(traits.speed[0]), 1, 0.1, -4, 4, false, NEEDS_NOTHING,
                     SPEED_WHY },
    [RIGHT_SPEED] = { "motors: right_speed", AT(traits.speed[1]), 1, 0.1, -4, 4, false,
                      NEEDS_NOTHING, SPEED_WHY },
    [LEFT_FRICTION] = { "motors: left_friction", AT(traits.friction[0]), 1, 0.3, -4, 4, false,
                        NEEDS_NOTHING, "no small efforts in the recording" },
    [RIGHT_FRICTION] = { "motors: right_friction", AT(traits.friction[1]), 1, 0.3, -4, 4, false,
                         NEEDS_NOTHING, "no small efforts in the recording" },
    [BREAKAWAY] = { "motors: breakaway", AT(traits.breakaway), 0.6, 0.25, -2.39, 4, true,
                    NEEDS_NOTHING, "the robot does not begin to move slowly in the recording" },
    [TRACK] = { "wheels: track", AT(traits.track), 1, 0.03, -4, 4, false, NEEDS_TURNS,
                "no turns in the recording" },
    // The left wheel is larger by that factor, and the right one smaller: gyro and encoders together.
    [WHEELS] = { "wheels: left_size", AT(traits.wheel_size[0]), 1, 0.01, -4, 4, false,
                 NEEDS_NOTHING, "too little way straight ahead in the recording" },
    // Four cells that drive an XRP have 4.0 to 7.3 V without load.
    [VOLTS] = { "battery: volts", AT(traits.battery_v), 5.4, 0.15, -2, 2, false, NEEDS_NOTHING,
                SPEED_WHY },
    [OHM] = { "battery: resistance_ohm", AT(traits.battery_ohm), 0.9, 0.3, -4, 4, false,
              NEEDS_NOTHING, "the motors draw too little current in the recording" },
    [INDUCTANCE] = { "bridge: inductance_h", AT(traits.inductance_h), 0.0008, 0.3, -4, 4, false,
                     NEEDS_COASTING, "without effect on a bridge that brakes" },
    [GYRO_BIAS] = { "gyro: bias_dps", AT(traits.gyro_bias_rad_s), 0, 0.1 * HY_RAD_PER_DEG, -4, 4,
                    true, NEEDS_NOTHING, "too short a recording" },
    [GYRO_SCALE] = { "gyro: scale", AT(traits.gyro_scale), 1, 0.005, -4, 4, false, NEEDS_NOTHING,
                     "a gyro that reads too much looks like wheels that are too close together" },
    [MASS] = { "body: mass", AT(traits.mass), 1, 0.05, -4, 4, false, NEEDS_NOTHING,
               "a heavy robot looks like weak motors; use a kitchen scale" },
    [INERTIA] = { "body: inertia", AT(traits.inertia), 1, 0.05, -4, 4, false, NEEDS_NOTHING,
                  "too few turns on the spot in the recording" },
    [DELAY] = { "link: delay_s", AT(delay_s), 0.005, 0.01, -4, 10, true, NEEDS_NOTHING,
                "no change of speed in the recording" },
};

/// Of what was expected; a number that is known less well has not been determined.
#define DETERMINED 0.5

#define AT_BOUND 0.1 // deviations from a bound: a search comes near, and stops

#define VOLTS_MEASURED 0.005 // how well a person reads a voltmeter, as a share

// What is expected of a number, with the battery as measured.
static value_row row_of(size_t i, double volts)
{
    value_row row = rows[i];
    if (i == VOLTS && volts > 0) {
        row.middle = volts;
        row.deviation = VOLTS_MEASURED;
    }
    if (volts > 0 && (i == LEFT_STRENGTH || i == RIGHT_STRENGTH)) {
        row.why = STRENGTH_WHY_AT_VOLTS;
    }
    if (volts > 0 && (i == LEFT_SPEED || i == RIGHT_SPEED)) {
        row.why = SPEED_WHY_AT_VOLTS;
    }
    return row;
}

static double value_of(const value_row *row, double y)
{
    return row->is_added ? row->middle + row->deviation * y : row->middle * exp(row->deviation * y);
}

/// Changes that a recording hardly sees, since others make up for them: twice the volts with half the
/// speed and strength, twice the mass with twice the strength, friction and inertia, and so on. What is
/// fitted is `with` together with `by` so much of `of`: then a search does not go along a narrow valley.
static const struct {
    size_t of, with;
    double by;
} together[] = {
    { VOLTS, LEFT_SPEED, -1 },     { VOLTS, RIGHT_SPEED, -1 },  { VOLTS, LEFT_STRENGTH, -1 },
    { VOLTS, RIGHT_STRENGTH, -1 }, { MASS, LEFT_STRENGTH, 1 },  { MASS, RIGHT_STRENGTH, 1 },
    { MASS, LEFT_FRICTION, 1 },    { MASS, RIGHT_FRICTION, 1 }, { MASS, INERTIA, 1 },
    { GYRO_SCALE, TRACK, 1 },
};

// Deviations of the numbers from what was expected, of what is fitted.
static void numbers_of(const double *x, double volts, double *y)
{
    memcpy(y, x, HY_CALIBRATION_VALUES * sizeof *x);
    for (size_t i = 0; i < sizeof together / sizeof together[0]; i++) {
        const size_t of = together[i].of, with = together[i].with;
        y[with] +=
            together[i].by * x[of] * row_of(of, volts).deviation / row_of(with, volts).deviation;
    }
}

static replayed_robot robot_of(const double *y, double volts, hy_bridge_decay decay)
{
    replayed_robot robot = { .delay_s = 0 };
    hy_robot_traits_ideal(&robot.traits);
    snprintf(robot.traits.name, sizeof robot.traits.name, "calibrated");
    robot.traits.decay = decay;
    for (size_t i = 0; i < HY_CALIBRATION_VALUES; i++) {
        const value_row row = row_of(i, volts);
        const double value = value_of(&row, y[i]);
        memcpy((char *)&robot + row.offset, &value, sizeof value);
    }
    robot.traits.wheel_size[1] = 1 / robot.traits.wheel_size[0];
    return robot;
}

// --------------------------------------------------------------------------- the residuals

// Changes with which slopes are found, in deviations of what is expected. A robot begins to move in one step of the
// world or in the next, so that the sum of squares has jumps: small changes see no jump and no slope of the breakaway,
// wide ones see both. A search that goes from one to the other gets past them.
static const struct {
    double all, friction, breakaway;
} widths[] = {
    { 0.01, 0.01, 0.01 },
    { 0.01, 0.1, 0.3 },
    { 0.01, 0.01, 0.1 },
};

#define WIDTHS (sizeof widths / sizeof widths[0])

#define WIDE_DIFFERENCE 0.3 // of numbers for which others make up
// What a round, and all widths together, must gain to go on: a share of the sum of squares.
#define WORTH_A_ROUND 3e-3
#define ROUNDS        40
#define MOST_CYCLES   8

// What an XRP's type has nearly right, and what a search that knows little yet would use to explain anything: it is
// held at first.
static const size_t held[] = { OHM, INDUCTANCE, GYRO_SCALE, MASS, INERTIA };

#define CLEARLY_WORSE 2.0 // a bridge with so much more is not looked at any longer

#define ORDINARY 3.0 // deviations; what is farther off counts less than its square (Huber)

typedef struct {
    replayed *recording;
    double volts;
    hy_bridge_decay decay;
    double part[HY_CALIBRATION_VALUES][HY_CALIBRATION_VALUES]; ///< Of what is fitted, in each number.
} fit_context;

static double huber(double residual)
{
    const double size = fabs(residual);
    return size <= ORDINARY ? residual
                            : copysign(sqrt(2 * ORDINARY * size - ORDINARY * ORDINARY), residual);
}

// Of the statuses, and of what is expected.
static void find_residuals(void *context, const double *x, double *out)
{
    const fit_context *const self = context;
    const size_t count = REPLAYED_RESIDUALS * self->recording->log->status_count;
    double *const y = out + count;
    numbers_of(x, self->volts, y);
    const replayed_robot robot = robot_of(y, self->volts, self->decay);
    const bool is_possible = replayed_residuals(self->recording, &robot, out);
    const bool *const is_lost = self->recording->is_lost;
    for (size_t i = 0; i < count; i++) {
        out[i] = !is_possible ? 1e3 : is_lost[i / REPLAYED_RESIDUALS] ? 0 : huber(out[i]);
    }
}

// --------------------------------------------------------------------------- the answer

/// A fit with one of the two bridges.
typedef struct {
    double x[HY_CALIBRATION_VALUES];         ///< What is fitted.
    double y[HY_CALIBRATION_VALUES];         ///< The numbers of that.
    double deviation[HY_CALIBRATION_VALUES]; ///< Of y: shares of what was expected.
    double covariance[HY_CALIBRATION_VALUES * HY_CALIBRATION_VALUES]; ///< Of x, as the slopes say.
    double growth; ///< Of the cost, within one standard deviation.
    double cost;
} bridge_fit;

static void find_parts(fit_context *context)
{
    for (size_t i = 0; i < HY_CALIBRATION_VALUES; i++) {
        double x[HY_CALIBRATION_VALUES] = { 0 };
        x[i] = 1;
        numbers_of(x, context->volts, context->part[i]);
    }
}

static size_t count_residuals(const fit_context *context)
{
    return REPLAYED_RESIDUALS * context->recording->log->status_count + HY_CALIBRATION_VALUES;
}

/// One search with one bridge.
typedef struct {
    double low[HY_CALIBRATION_VALUES], high[HY_CALIBRATION_VALUES];
    double difference[HY_CALIBRATION_VALUES];
    hy_fit_problem problem;
} bridge_search;

// `holds`: what the robot's type has nearly right stays where `from` has it.
static void make_search(fit_context *context, size_t width, bool holds, const bridge_fit *from,
                        bridge_search *out)
{
    enum { N = HY_CALIBRATION_VALUES };
    for (size_t i = 0; i < N; i++) {
        out->low[i] = rows[i].low;
        out->high[i] = rows[i].high;
        out->difference[i] = widths[width].all;
    }
    for (size_t i = 0; holds && i < sizeof held / sizeof held[0]; i++) {
        out->low[held[i]] = out->high[held[i]] = from->x[held[i]];
    }
    for (size_t i = 0; i < sizeof together / sizeof together[0]; i++) {
        out->difference[together[i].of] = WIDE_DIFFERENCE;
    }
    out->difference[LEFT_FRICTION] = out->difference[RIGHT_FRICTION] = widths[width].friction;
    out->difference[BREAKAWAY] = widths[width].breakaway;
    out->problem = (hy_fit_problem){ .parameters = N,
                                     .residuals = count_residuals(context),
                                     .evaluate = find_residuals,
                                     .context = context,
                                     .low = out->low,
                                     .high = out->high,
                                     .difference = out->difference,
                                     .rounds = ROUNDS,
                                     .tolerance = WORTH_A_ROUND };
}

// Goes on from where `out` is.
static void fit_all_widths(fit_context *context, double *memory, bool holds, bridge_fit *out)
{
    for (size_t width = 0; width < WIDTHS; width++) {
        bridge_search search;
        make_search(context, width, holds, out, &search);
        out->cost = hy_fit_solve(&search.problem, out->x, memory).cost;
    }
}

static void fit_to_the_end(fit_context *context, double *memory, bridge_fit *out)
{
    double before;
    unsigned cycles = 0;
    do {
        before = out->cost;
        fit_all_widths(context, memory, false, out);
    } while (out->cost < (1 - WORTH_A_ROUND) * before && ++cycles < MOST_CYCLES);
    bridge_search last;
    make_search(context, WIDTHS - 1, false, out, &last);
    hy_fit_covariance(&last.problem, memory, out->covariance);
}

// --------------------------------------------------------------------------- deviations

// How much the sum of squares may grow within one standard deviation. Statuses between two rests share their errors, and
// residuals may be larger than they should be.
static double allowed_growth(const fit_context *context, const bridge_fit *fit)
{
    const replayed *const recording = context->recording;
    const double statuses = (double)(recording->log->status_count - recording->lost);
    const double excess = fmax(1, 2 * fit->cost / (REPLAYED_RESIDUALS * statuses));
    return excess * statuses / (double)recording->drives / 2;
}

static double cost_at(fit_context *context, const double *x, double *residual)
{
    find_residuals(context, x, residual);
    return hy_fit_cost(residual, count_residuals(context));
}

// Which way what is fitted goes best when number k goes up by 1, and the variance of the number if slopes are all there is.
static double find_direction(const fit_context *context, const bridge_fit *fit, size_t k,
                             double *direction)
{
    enum { N = HY_CALIBRATION_VALUES };
    double variance = 0;
    for (size_t i = 0; i < N; i++) {
        direction[i] = 0;
        for (size_t j = 0; j < N; j++) {
            direction[i] += fit->covariance[i * N + j] * context->part[j][k];
        }
        variance += context->part[i][k] * direction[i];
    }
    for (size_t i = 0; i < N; i++) {
        direction[i] /= variance;
    }
    return variance;
}

#define NEAR \
    0.3 // deviations: there a smooth sum of squares would have grown by a tenth of what is allowed

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// How deep the local minimum is in which a search ends: by how much the sum of squares is larger beside it than slopes say. The
// next minimum may be as deep, so that what the sum gains by this one says nothing. The median over all directions.
static double depth_of_minimum(fit_context *context, const bridge_fit *fit, double *residual)
{
    enum { N = HY_CALIBRATION_VALUES };
    const double growth = allowed_growth(context, fit);
    double depth[2 * N];
    for (size_t k = 0; k < 2 * N; k++) {
        double direction[N], x[N];
        const double variance = find_direction(context, fit, k / 2, direction);
        const double deviation = fmin(1, sqrt(2 * growth * variance));
        const double by = (k % 2 == 0 ? NEAR : -NEAR) * deviation;
        for (size_t i = 0; i < N; i++) {
            x[i] = fit->x[i] + by * direction[i];
        }
        depth[k] = cost_at(context, x, residual) - fit->cost - by * by / variance / 2;
    }
    qsort(depth, 2 * N, sizeof depth[0], compare_numbers);
    return fmax(0, depth[N]);
}

// A wheel begins to move in one step of the world or in the next: 10 ms of a ramp of the script, by 0.175 a second, where it
// begins at about 0.2. That is what the breakaway cannot be known better than.
#define BREAKAWAY_STEP 0.016

static void find_deviations(fit_context *context, double *residual, bridge_fit *out)
{
    out->growth = allowed_growth(context, out) + depth_of_minimum(context, out, residual);
    for (size_t k = 0; k < HY_CALIBRATION_VALUES; k++) {
        double direction[HY_CALIBRATION_VALUES];
        const double variance = find_direction(context, out, k, direction);
        const double step = k == BREAKAWAY ? BREAKAWAY_STEP / rows[BREAKAWAY].deviation : 0;
        out->deviation[k] = fmin(1, hypot(sqrt(2 * out->growth * variance), step));
    }
}

// --------------------------------------------------------------------------- laps

#define N HY_CALIBRATION_VALUES

// The inverse of a symmetric matrix; false if it is not positive.
static bool invert(double a[N][N])
{
    double factor[N][N];
    memcpy(factor, a, sizeof factor);
    if (!hy_fit_factorize(factor[0], N, 0)) {
        return false;
    }
    memset(a, 0, sizeof factor);
    for (size_t i = 0; i < N; i++) {
        a[i][i] = 1;
        hy_fit_solve_factored(factor[0], N, a[i]); // a column, which is a row as well
    }
    return true;
}

// What is expected of the numbers, as normal equations of what is fitted.
static double expected(const fit_context *context, size_t i, size_t k)
{
    double sum = 0;
    for (size_t j = 0; j < N; j++) {
        sum += context->part[i][j] * context->part[k][j];
    }
    return sum;
}

// The factor of the covariance of what is fitted: each column is a way in which the robot may differ. What is expected
// holds as it is; only what the recording says is believed less.
static bool factor_covariance(const fit_context *context, const bridge_fit *fit, double out[N][N])
{
    memcpy(out, fit->covariance, sizeof fit->covariance);
    if (!invert(out)) {
        return false;
    }
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < N; k++) {
            const double known = expected(context, i, k);
            out[i][k] = (out[i][k] - known) / (2 * fit->growth) + known;
        }
    }
    return invert(out) && hy_fit_factorize(out[0], N, 0);
}

static hy_status predict_laps(const fit_context *context, const bridge_fit *fit, hy_calibration *out)
{
    hy_robot_traits others[N];
    double factor[N][N];
    if (!factor_covariance(context, fit, factor)) {
        return HY_ERANGE;
    }
    for (size_t k = 0; k < N; k++) {
        double x[N], y[N];
        for (size_t i = 0; i < N; i++) {
            const double to = fit->x[i] + (i >= k ? factor[i][k] : 0);
            x[i] = fmin(fmax(to, rows[i].low), rows[i].high); // there may be no robot beyond
        }
        numbers_of(x, context->volts, y);
        others[k] = robot_of(y, context->volts, context->decay).traits;
    }
    return laps_compare(context->recording->spec, &out->traits, others, N, out->laps);
}

#undef N

// --------------------------------------------------------------------------- the answer

// What no fit of a recording leaves in which the robot drove freely: 2 counts and 1.5 degrees are usual, 17 and 3.6 are what
// a wall or pauses of the network leave.
#define POOR_COUNTS  6.0
#define POOR_YAW_RAD (3.0 * HY_RAD_PER_DEG)

// Why a number is not determined.
static const char *why_of(const fit_context *context, const value_row *row, bool is_poor)
{
    if (is_poor && row->needs == NEEDS_NOTHING) {
        return "no robot does what was recorded";
    }
    const bool has_what_it_takes = (row->needs == NEEDS_TURNS && context->recording->has_turned) ||
                                   (row->needs == NEEDS_COASTING && context->decay == HY_DECAY_COAST);
    return has_what_it_takes ? "the recording is too short for it" : row->why;
}

static bool is_determined(const fit_context *context, size_t i, double deviation)
{
    switch (rows[i].needs) {
    case NEEDS_TURNS: return deviation < DETERMINED && context->recording->has_turned;
    case NEEDS_COASTING: return deviation < DETERMINED && context->decay == HY_DECAY_COAST;
    default: return deviation < DETERMINED || (i == VOLTS && context->volts > 0);
    }
}

static void take_fit(const fit_context *context, const bridge_fit *fit, hy_calibration *out)
{
    for (size_t i = 0; i < HY_CALIBRATION_VALUES; i++) {
        const value_row row = row_of(i, context->volts);
        hy_calibration_value *const value = &out->values[i];
        const double at = value_of(&row, fit->y[i]);
        const double change = row.is_added ? row.deviation : at * row.deviation;
        value->name = row.name;
        value->value = row.offset == AT(traits.gyro_bias_rad_s) ? hy_deg_from_rad(at) : at;
        value->deviation =
            fit->deviation[i] * (value->value == at ? change : hy_deg_from_rad(change));
        value->is_determined = is_determined(context, i, fit->deviation[i]);
        value->is_at_bound = fit->x[i] < row.low + AT_BOUND || fit->x[i] > row.high - AT_BOUND;
        value->why = value->is_determined ? NULL : why_of(context, &row, out->is_poor);
    }
}

static void measure_rest(const fit_context *context, const bridge_fit *fit, double *residual,
                         hy_calibration *out)
{
    replayed *const recording = context->recording;
    const size_t count = recording->log->status_count;
    const replayed_robot robot = robot_of(fit->y, context->volts, context->decay);
    double counts = 0, yaw = 0;
    (void)replayed_residuals(recording, &robot, residual);
    for (size_t i = 0; i < count; i++) {
        if (recording->is_lost[i]) {
            continue;
        }
        double off[REPLAYED_RESIDUALS];
        for (size_t k = 0; k < REPLAYED_RESIDUALS; k++) {
            off[k] = residual[REPLAYED_RESIDUALS * i + k] * recording->spread[i].at[k];
        }
        counts += (off[0] * off[0] + off[1] * off[1]) / 2;
        yaw += off[2] * off[2];
    }
    out->traits = robot.traits;
    const double used = (double)(count - recording->lost);
    out->left_out = recording->lost;
    out->counts_rms = sqrt(counts / used);
    out->yaw_rms_rad = sqrt(yaw / used);
    out->is_poor = out->counts_rms > POOR_COUNTS || out->yaw_rms_rad > POOR_YAW_RAD;
}

static hy_status fit_both(replayed *recording, double volts, double *memory, hy_calibration *out)
{
    static const hy_bridge_decay decays[2] = { HY_DECAY_BRAKE, HY_DECAY_COAST };
    fit_context context = { .recording = recording, .volts = volts };
    find_parts(&context);
    bridge_fit fits[2] = { { .cost = 0 }, { .cost = 0 } };
    for (size_t i = 0; i < 2; i++) {
        context.decay = decays[i];
        fit_all_widths(&context, memory, true, &fits[i]);
    }
    for (size_t i = 0; i < 2; i++) {
        if (fits[i].cost < CLEARLY_WORSE * fits[1 - i].cost) {
            context.decay = decays[i];
            fit_to_the_end(&context, memory, &fits[i]);
        }
    }
    out->coasts = fits[1].cost < fits[0].cost;
    bridge_fit *const best = &fits[out->coasts ? 1 : 0];
    context.decay = decays[out->coasts ? 1 : 0];
    out->bridge_ratio = fits[out->coasts ? 0 : 1].cost / best->cost;
    numbers_of(best->x, volts, best->y);
    find_deviations(&context, memory, best);
    measure_rest(&context, best, memory, out);
    take_fit(&context, best, out);
    out->simulations = recording->simulations;
    const hy_status status = predict_laps(&context, best, out);
    if (status != HY_OK) {
        memset(out->laps, 0, sizeof out->laps);
    }
    return status == HY_EMEMORY ? status : HY_OK;
}

hy_status hy_calibrate(const hy_calibration_log *log, double volts, hy_calibration *out)
{
    replayed recording;
    *out = (hy_calibration){ .bridge_ratio = 1 };
    hy_status status = replayed_start(&recording, log);
    if (status == HY_OK && !recording.has_moved) {
        status = HY_ERANGE;
    }
    if (status == HY_OK) {
        const size_t residuals = REPLAYED_RESIDUALS * log->status_count + HY_CALIBRATION_VALUES;
        double *const memory =
            malloc(HY_FIT_ROOM((size_t)HY_CALIBRATION_VALUES, residuals) * sizeof *memory);
        status = memory != NULL ? HY_OK : HY_EMEMORY;
        if (memory != NULL) {
            status = fit_both(&recording, volts, memory, out);
        }
        free(memory);
    }
    replayed_end(&recording);
    return status;
}

hy_status hy_calibration_fitted(const hy_calibration_log *log, const hy_calibration *result,
                                hy_calibration_status *fitted)
{
    const size_t count = log->status_count;
    const replayed_robot robot = { .traits = result->traits, .delay_s = result->values[DELAY].value };
    replayed recording;
    hy_status status = replayed_start(&recording, log);
    double *const residual = malloc((REPLAYED_RESIDUALS * count + 1) * sizeof *residual);
    status = residual != NULL ? status : HY_EMEMORY;
    if (status == HY_OK && count > 0) {
        status = recording.spec != NULL && replayed_residuals(&recording, &robot, residual)
                     ? HY_OK
                     : HY_ERANGE;
    }
    for (size_t i = 0; status == HY_OK && i < count; i++) {
        const double *const off = residual + REPLAYED_RESIDUALS * i;
        const double *const spread = recording.spread[i].at;
        fitted[i] = log->statuses[i];
        fitted[i].counts[0] += off[0] * spread[0];
        fitted[i].counts[1] += off[1] * spread[1];
        fitted[i].yaw_rad += off[2] * spread[2];
    }
    free(residual);
    replayed_end(&recording);
    return status;
}
