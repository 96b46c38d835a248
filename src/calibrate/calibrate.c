// The numbers that are fitted, what is expected of them, and what the recording says of each.
#include <halyard/calibrate.h>

#include <halyard/fit.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    [DELAY] = { "delay_s", AT(delay_s), 0.005, 0.01, -4, 10, true, NEEDS_NOTHING,
                "no change of speed in the recording" },
};

/// Of what was expected; a number that is known less well has not been determined.
#define DETERMINED 0.5

#define VOLTS_MEASURED 0.005 // how well a person reads a voltmeter, as a share

// What is expected of a number, with the battery as measured.
static value_row row_of(size_t i, double volts)
{
    value_row row = rows[i];
    if (i == VOLTS && volts > 0) {
        row.middle = volts;
        row.deviation = VOLTS_MEASURED;
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

// Changes with which slopes are found, in deviations of what is expected: small, but for those in which others make up
// for them. There a robot begins to move a step later or earlier, which must not pass for a slope.
#define DIFFERENCE      0.01
#define WIDE_DIFFERENCE 0.3
// What a round must gain to go on, while the bridge is chosen and then: shares of the sum of squares.
#define CHOOSING 1e-2
#define REFINING 1e-4
#define ROUNDS   40

#define ORDINARY 3.0 // deviations; what is farther off counts less than its square (Huber)

typedef struct {
    replayed *recording;
    double volts;
    hy_bridge_decay decay;
} fit_context;

static double tempered(double miss)
{
    const double size = fabs(miss);
    return size <= ORDINARY ? miss : copysign(sqrt(2 * ORDINARY * size - ORDINARY * ORDINARY), miss);
}

// Of the statuses, and of what is expected.
static void find_misses(void *context, const double *x, double *out)
{
    const fit_context *const self = context;
    const size_t count = REPLAYED_MISSES * self->recording->log->status_count;
    double *const y = out + count;
    numbers_of(x, self->volts, y);
    const replayed_robot robot = robot_of(y, self->volts, self->decay);
    const bool is_possible = replayed_misses(self->recording, &robot, out);
    for (size_t i = 0; i < count; i++) {
        out[i] = is_possible ? tempered(out[i]) : 1e3;
    }
}

// --------------------------------------------------------------------------- the answer

/// A fit with one of the two bridges.
typedef struct {
    double x[HY_CALIBRATION_VALUES];         ///< What is fitted.
    double y[HY_CALIBRATION_VALUES];         ///< The numbers of that.
    double deviation[HY_CALIBRATION_VALUES]; ///< Of y: shares of what was expected.
    double cost;
} bridge_fit;

// Standard deviations of the numbers from the covariance of what was fitted.
static void find_deviations(const fit_context *context, const double *covariance, bridge_fit *out)
{
    enum { N = HY_CALIBRATION_VALUES };
    double parts[N][N]; // of number k in what is fitted as number i
    for (size_t i = 0; i < N; i++) {
        double x[N] = { 0 };
        x[i] = 1;
        numbers_of(x, context->volts, parts[i]);
    }
    // Statuses between two rests share their errors, and residuals may be larger than they should be.
    const replayed *const recording = context->recording;
    const double statuses = (double)recording->log->status_count;
    const double excess = fmax(1, 2 * out->cost / (REPLAYED_MISSES * statuses));
    const double shared = statuses / (double)recording->ways;
    for (size_t k = 0; k < N; k++) {
        double sum = 0;
        for (size_t i = 0; i < N * N; i++) {
            sum += parts[i / N][k] * covariance[i] * parts[i % N][k];
        }
        out->deviation[k] = fmin(1, sqrt(sum * excess * shared));
    }
}

// Goes on from where `out` is.
static void fit_bridge(fit_context *context, double *memory, double tolerance, bridge_fit *out)
{
    enum { N = HY_CALIBRATION_VALUES };
    const size_t measured = REPLAYED_MISSES * context->recording->log->status_count;
    double low[N], high[N], difference[N], covariance[N * N];
    for (size_t i = 0; i < N; i++) {
        low[i] = rows[i].low;
        high[i] = rows[i].high;
        difference[i] = DIFFERENCE;
    }
    for (size_t i = 0; i < sizeof together / sizeof together[0]; i++) {
        difference[together[i].of] = WIDE_DIFFERENCE;
    }
    const hy_fit_problem problem = { .parameters = N,
                                     .residuals = measured + N,
                                     .misses = find_misses,
                                     .context = context,
                                     .low = low,
                                     .high = high,
                                     .difference = difference,
                                     .rounds = ROUNDS,
                                     .tolerance = tolerance };
    out->cost = hy_fit_solve(&problem, out->x, memory).cost;
    hy_fit_covariance(&problem, memory, covariance);
    numbers_of(out->x, context->volts, out->y);
    find_deviations(context, covariance, out);
}

// Why a number is not determined.
static const char *why_of(const fit_context *context, const value_row *row)
{
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
        value->why = value->is_determined ? NULL : why_of(context, &row);
    }
}

static void measure_rest(const fit_context *context, const bridge_fit *fit, double *misses,
                         hy_calibration *out)
{
    replayed *const recording = context->recording;
    const size_t count = recording->log->status_count;
    const replayed_robot robot = robot_of(fit->y, context->volts, context->decay);
    double counts = 0, yaw = 0;
    (void)replayed_misses(recording, &robot, misses);
    for (size_t i = 0; i < count; i++) {
        double off[REPLAYED_MISSES];
        for (size_t k = 0; k < REPLAYED_MISSES; k++) {
            off[k] = misses[REPLAYED_MISSES * i + k] * recording->spread[i].at[k];
        }
        counts += (off[0] * off[0] + off[1] * off[1]) / 2;
        yaw += off[2] * off[2];
    }
    out->traits = robot.traits;
    out->counts_rms = sqrt(counts / (double)count);
    out->yaw_rms_rad = sqrt(yaw / (double)count);
}

static void fit_both(replayed *recording, double volts, double *memory, hy_calibration *out)
{
    fit_context context = { .recording = recording, .volts = volts };
    bridge_fit brake = { .cost = 0 }, coast = { .cost = 0 };
    context.decay = HY_DECAY_BRAKE;
    fit_bridge(&context, memory, CHOOSING, &brake);
    context.decay = HY_DECAY_COAST;
    fit_bridge(&context, memory, CHOOSING, &coast);
    out->coasts = coast.cost < brake.cost;
    bridge_fit *const best = out->coasts ? &coast : &brake;
    const bridge_fit *const other = out->coasts ? &brake : &coast;
    context.decay = out->coasts ? HY_DECAY_COAST : HY_DECAY_BRAKE;
    fit_bridge(&context, memory, REFINING, best);
    out->bridge_ratio = other->cost / best->cost;
    take_fit(&context, best, out);
    measure_rest(&context, best, memory, out);
    out->simulations = recording->simulations;
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
        const size_t residuals = REPLAYED_MISSES * log->status_count + HY_CALIBRATION_VALUES;
        double *const memory =
            malloc(HY_FIT_ROOM((size_t)HY_CALIBRATION_VALUES, residuals) * sizeof *memory);
        status = memory != NULL ? HY_OK : HY_EMEMORY;
        if (memory != NULL) {
            fit_both(&recording, volts, memory, out);
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
    double *const misses = malloc((REPLAYED_MISSES * count + 1) * sizeof *misses);
    status = misses != NULL ? status : HY_EMEMORY;
    if (status == HY_OK && count > 0) {
        status = recording.spec != NULL && replayed_misses(&recording, &robot, misses) ? HY_OK
                                                                                       : HY_ERANGE;
    }
    for (size_t i = 0; status == HY_OK && i < count; i++) {
        const double *const off = misses + REPLAYED_MISSES * i;
        const double *const spread = recording.spread[i].at;
        fitted[i] = log->statuses[i];
        fitted[i].counts[0] += off[0] * spread[0];
        fitted[i].counts[1] += off[1] * spread[1];
        fitted[i].yaw_rad += off[2] * spread[2];
    }
    free(misses);
    replayed_end(&recording);
    return status;
}
