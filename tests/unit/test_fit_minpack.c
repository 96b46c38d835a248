// The least-squares solver against cminpack, another implementation of the same method: from the same start on the same
// residuals both reach the same minimum, and say the same of how well it is known.

#include <cminpack.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/calibrate_fit.h"
#include "cmocka_all.h"
#include "near.h"

#define MOST_PARAMETERS 6
#define MOST_RESIDUALS  400

// --------------------------------------------------------------------------- both solvers

// NOLINTNEXTLINE(readability-function-size): cminpack sets the parameters
static int residuals_of_minpack(void *context, int residuals, int parameters, const double *x,
                                double *out, int flag)
{
    (void)residuals;
    (void)parameters;
    (void)flag;
    const hy_fit_problem *const problem = context;
    problem->evaluate(problem->context, x, out);
    return 0;
}

// Into `x` the minimum that cminpack finds, and its covariance.
static double solve_by_minpack(hy_fit_problem *problem, double *x, double *covariance)
{
    const int n = (int)problem->parameters, m = (int)problem->residuals;
    static double residual[MOST_RESIDUALS], slopes[MOST_RESIDUALS * MOST_PARAMETERS],
        work[MOST_RESIDUALS + 3 * MOST_PARAMETERS];
    double scale[MOST_PARAMETERS], transposed[MOST_PARAMETERS];
    int pivots[MOST_PARAMETERS], calls = 0;
    const int info = lmdif(residuals_of_minpack, problem, m, n, x, residual, 1e-14, 1e-14, 0, 10000,
                           0, scale, 1, 100, 0, &calls, slopes, m, pivots, transposed, work,
                           work + n, work + 2 * n, work + 3 * n);
    assert_true(info >= 1 && info <= 8 && info != 5); // 5: too many calls
    covar(n, slopes, m, pivots, 1e-12, work);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            covariance[i * n + k] = slopes[k * m + i];
        }
    }
    return pow(enorm(m, residual), 2) / 2;
}

static void compare(hy_fit_problem *problem, const double *start, double tolerance)
{
    enum { ROOM = HY_FIT_ROOM(MOST_PARAMETERS, MOST_RESIDUALS) };
    static double memory[ROOM];
    const size_t n = problem->parameters;
    double ours[MOST_PARAMETERS], theirs[MOST_PARAMETERS];
    double our_covariance[MOST_PARAMETERS * MOST_PARAMETERS] = { 0 };
    double their_covariance[MOST_PARAMETERS * MOST_PARAMETERS] = { 0 };
    memcpy(ours, start, n * sizeof *start);
    memcpy(theirs, start, n * sizeof *start);
    const hy_fit_outcome outcome = hy_fit_solve(problem, ours, memory);
    hy_fit_covariance(problem, memory, our_covariance);
    const double cost = solve_by_minpack(problem, theirs, their_covariance);
    assert_true(outcome.has_converged);
    assert_near(outcome.cost, cost, 1e-9 * (1 + cost));
    for (size_t i = 0; i < n; i++) {
        const double deviation = sqrt(their_covariance[i * n + i]);
        assert_near(ours[i], theirs[i], tolerance * deviation);
        for (size_t k = 0; k < n; k++) {
            const double other = sqrt(their_covariance[k * n + k]);
            assert_near(our_covariance[i * n + k], their_covariance[i * n + k],
                        1e-3 * deviation * other);
        }
    }
}

// --------------------------------------------------------------------------- a robot's wheels

/// Counts of two wheels over time after steps of effort, with noise: what a calibration fits, in closed form.
typedef struct {
    double at_s[MOST_RESIDUALS / 2], counts[MOST_RESIDUALS];
} wheels;

#define EFFORTS 5

// x: speeds of both wheels, friction, time constants of both, delay.
static void find_wheel_residuals(void *context, const double *x, double *out)
{
    const wheels *const self = context;
    const size_t count = MOST_RESIDUALS / 2;
    for (size_t i = 0; i < count; i++) {
        const size_t piece = 1 + i * EFFORTS / count;
        const double effort = 0.2 * (double)piece;
        const double at_s = fmax(self->at_s[i] - x[5], 0);
        for (size_t side = 0; side < 2; side++) {
            const double rate = x[side] * (effort - x[2]), tau_s = x[3 + side];
            const double counts = rate * (at_s - tau_s * (1 - exp(-at_s / tau_s)));
            out[2 * i + side] = counts - self->counts[2 * i + side];
        }
    }
}

static void test_wheels_with_noise(void **state)
{
    (void)state;
    static wheels measured;
    for (uint64_t seed = 0; seed < 20; seed++) {
        hy_random random = hy_random_seeded(seed);
        double hidden[6] = { 900, 870, 0.1, 0.12, 0.1, 0.01 };
        for (size_t i = 0; i < 6; i++) {
            hidden[i] *= 0.8 + 0.4 * hy_random_unit(&random);
        }
        memset(&measured, 0, sizeof measured);
        for (size_t i = 0; i < MOST_RESIDUALS / 2; i++) {
            measured.at_s[i] = 0.05 + 0.05 * (double)(i % (MOST_RESIDUALS / 2 / EFFORTS));
        }
        double counts[MOST_RESIDUALS];
        find_wheel_residuals(&measured, hidden, counts);
        for (size_t i = 0; i < MOST_RESIDUALS; i++) {
            measured.counts[i] = counts[i] + 4 * hy_random_unit(&random) - 2;
        }
        hy_fit_problem problem = { .parameters = 6,
                                   .residuals = MOST_RESIDUALS,
                                   .evaluate = find_wheel_residuals,
                                   .context = &measured };
        compare(&problem, (const double[]){ 800, 800, 0.15, 0.2, 0.2, 0.005 }, 1e-3);
    }
}

// --------------------------------------------------------------------------- a valley

static void rosenbrock(void *context, const double *x, double *out)
{
    (void)context;
    out[0] = 10 * (x[1] - x[0] * x[0]);
    out[1] = 1 - x[0];
}

static void test_rosenbrock(void **state)
{
    (void)state;
    hy_fit_problem problem = { .parameters = 2, .residuals = 2, .evaluate = rosenbrock };
    compare(&problem, (const double[]){ -1.2, 1 }, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wheels_with_noise),
        cmocka_unit_test(test_rosenbrock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
