// The least-squares solver against cminpack on the residuals of a calibration: simulated drives of the script. Both begin beside
// the hidden numbers, reach the same sum of squares, and say the same of how well the numbers are known. Without the breakaway:
// its jumps stop either solver in another local minimum, which would say nothing of the solvers.
// NOLINTNEXTLINE(bugprone-suspicious-include): for its residuals, which are private
#include "../../src/calibrate/calibrate.c"
#include "calibrate/calibrate_fit.h"

#include <cminpack.h>

#include "../support/calibrate_bench.h"
#include "cmocka_all.h"
#include "near.h"

#define ROBOTS 6
#define FITTED (HY_CALIBRATION_VALUES - 1)
// cminpack takes differences as shares of a parameter: with parameters of about 1000 all are 0.01 deviations.
#define MIDDLE    1000.0
#define BY        0.01
#define BESIDE    0.02 // deviations
#define TOLERANCE 1e-5

typedef struct {
    hy_calibration_log log;
    hy_robot_traits hidden;
    replayed recording;
    fit_context context;
} robot_of_test;

static void no_breakaway(const double *parameters, double *x)
{
    for (size_t i = 0, k = 0; i < HY_CALIBRATION_VALUES; i++) {
        x[i] = i == BREAKAWAY ? rows[i].low : parameters[k++] - MIDDLE;
    }
}

static void residuals_of_robot(void *context, const double *parameters, double *out)
{
    double x[HY_CALIBRATION_VALUES];
    no_breakaway(parameters, x);
    find_residuals(&((robot_of_test *)context)->context, x, out);
}

// NOLINTNEXTLINE(readability-function-size): cminpack sets the parameters
static int residuals_of_minpack(void *context, int residuals, int parameters, const double *x,
                                double *out, int flag)
{
    (void)residuals;
    (void)parameters;
    (void)flag;
    residuals_of_robot(context, x, out);
    return 0;
}

// Beside the hidden numbers, to either side in turn.
static void find_start(const robot_of_test *test, double *parameters)
{
    replayed_robot robot = { .traits = test->hidden, .delay_s = 0.001 };
    robot.traits.battery_ohm = 0.8; // as an XRP has them
    robot.traits.inductance_h = 0.0008;
    double x[HY_CALIBRATION_VALUES];
    for (size_t i = 0; i < HY_CALIBRATION_VALUES; i++) {
        const value_row row = row_of(i, 0);
        double value;
        memcpy(&value, (const char *)&robot + row.offset, sizeof value);
        x[i] = (row.is_added ? value - row.middle : log(value / row.middle)) / row.deviation;
    }
    for (size_t i = 0; i < sizeof together / sizeof together[0]; i++) {
        const size_t of = together[i].of, with = together[i].with;
        x[with] -= together[i].by * x[of] * rows[of].deviation / rows[with].deviation;
    }
    for (size_t i = 0, k = 0; i < HY_CALIBRATION_VALUES; i++) {
        if (i != BREAKAWAY) {
            parameters[k] = MIDDLE + x[i] + (k % 2 == 0 ? -BESIDE : BESIDE);
            k++;
        }
    }
}

typedef struct {
    double parameters[FITTED], deviation[FITTED], cost;
} answer;

static answer solve_by_ours(robot_of_test *test, size_t residuals)
{
    answer out;
    double difference[FITTED], covariance[FITTED * FITTED];
    double *const memory = malloc(HY_FIT_ROOM((size_t)FITTED, residuals) * sizeof *memory);
    assert_non_null(memory);
    find_start(test, out.parameters);
    for (size_t i = 0; i < FITTED; i++) {
        difference[i] = BY;
    }
    const hy_fit_problem problem = { .parameters = FITTED,
                                     .residuals = residuals,
                                     .evaluate = residuals_of_robot,
                                     .context = test,
                                     .difference = difference,
                                     .tolerance = TOLERANCE };
    out.cost = hy_fit_solve(&problem, out.parameters, memory).cost;
    hy_fit_covariance(&problem, memory, covariance);
    for (size_t i = 0; i < FITTED; i++) {
        out.deviation[i] = sqrt(covariance[i * FITTED + i]);
    }
    free(memory);
    return out;
}

static answer solve_by_minpack(robot_of_test *test, size_t residuals)
{
    answer out;
    const int m = (int)residuals;
    double *const residual = malloc(residuals * sizeof *residual);
    double *const slopes = malloc(residuals * FITTED * sizeof *slopes);
    double *const work = malloc((residuals + 3 * FITTED) * sizeof *work);
    double scale[FITTED], transposed[FITTED];
    int pivots[FITTED], calls = 0;
    assert_true(residual != NULL && slopes != NULL && work != NULL);
    find_start(test, out.parameters);
    const double share = BY / MIDDLE;
    const int info =
        lmdif(residuals_of_minpack, test, m, FITTED, out.parameters, residual, TOLERANCE, 1e-12, 0,
              5000, share * share, scale, 1, 1, 0, &calls, slopes, m, pivots, transposed, work,
              work + FITTED, work + 2 * (size_t)FITTED, work + 3 * (size_t)FITTED);
    assert_true(info >= 1 && info <= 3); // converged
    covar(FITTED, slopes, m, pivots, 1e-12, work);
    for (size_t i = 0; i < FITTED; i++) {
        out.deviation[i] = sqrt(slopes[i * residuals + i]);
    }
    out.cost = pow(enorm(m, residual), 2) / 2;
    free(residual);
    free(slopes);
    free(work);
    return out;
}

// Measured: sums within 0.05 %, numbers within 0.5 of their (uncorrected) deviations, deviations within 0.6 %.
static void test_both_solvers_agree(void **state)
{
    (void)state;
    static robot_of_test test;
    for (uint64_t seed = 0; seed < ROBOTS; seed++) {
        calibrate_hide(&test.hidden, seed);
        test.hidden.breakaway = value_of(&rows[BREAKAWAY], rows[BREAKAWAY].low);
        calibrate_record(&test.log, &test.hidden, seed);
        assert_int_equal(replayed_start(&test.recording, &test.log), HY_OK);
        test.context = (fit_context){ .recording = &test.recording, .decay = test.hidden.decay };
        const size_t residuals = count_residuals(&test.context);
        double start[FITTED];
        double *const residual = malloc(residuals * sizeof *residual);
        assert_non_null(residual);
        find_start(&test, start);
        residuals_of_robot(&test, start, residual);
        const double start_cost = pow(enorm((int)residuals, residual), 2) / 2;
        free(residual);
        const answer ours = solve_by_ours(&test, residuals);
        const answer theirs = solve_by_minpack(&test, residuals);
        assert_true(theirs.cost < start_cost);
        assert_near(ours.cost, theirs.cost, 0.003 * theirs.cost);
        for (size_t i = 0; i < FITTED; i++) {
            assert_near(ours.parameters[i], theirs.parameters[i], theirs.deviation[i]);
            assert_near(ours.deviation[i], theirs.deviation[i], 0.02 * theirs.deviation[i]);
        }
        replayed_end(&test.recording);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_solvers_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
