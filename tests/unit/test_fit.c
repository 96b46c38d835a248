// The least-squares solver on problems whose answers are known: the usual valleys, bounds, and covariances in closed form.

#include <math.h>
#include <string.h>

#include "calibrate/calibrate_fit.h"
#include "cmocka_all.h"
#include "near.h"

// --------------------------------------------------------------------------- valleys

static void rosenbrock(void *context, const double *x, double *out)
{
    unsigned *const calls = context;
    ++*calls;
    out[0] = 10 * (x[1] - x[0] * x[0]);
    out[1] = 1 - x[0];
}

static void test_rosenbrock(void **state)
{
    (void)state;
    unsigned calls = 0;
    double memory[HY_FIT_ROOM(2, 2)], x[2] = { -1.2, 1 };
    const hy_fit_problem problem = {
        .parameters = 2, .residuals = 2, .evaluate = rosenbrock, .context = &calls
    };
    const hy_fit_outcome outcome = hy_fit_solve(&problem, x, memory);
    assert_near(x[0], 1, 1e-8);
    assert_near(x[1], 1, 1e-8);
    assert_true(outcome.has_converged && outcome.cost < 1e-16);
    assert_int_equal(outcome.calls, calls);
    assert_true(calls < 150);
}

// With x[0] at most 0.5 the valley's lowest point is (0.5, 0.25), and half of 0.5 squared is left.
static void test_bounds_hold(void **state)
{
    (void)state;
    unsigned calls = 0;
    const double low[2] = { -2, -2 }, high[2] = { 0.5, 2 };
    double memory[HY_FIT_ROOM(2, 2)], x[2] = { -1.2, 1 };
    const hy_fit_problem problem = { .parameters = 2,
                                     .residuals = 2,
                                     .evaluate = rosenbrock,
                                     .context = &calls,
                                     .low = low,
                                     .high = high };
    const hy_fit_outcome outcome = hy_fit_solve(&problem, x, memory);
    assert_true(x[0] == 0.5);
    assert_near(x[1], 0.25, 1e-7);
    assert_near(outcome.cost, 0.125, 1e-9);
}

// Rosenbrock's valley with a fixed x[1]: the lowest point solves 200 x[0] (x[0]^2 - 0.25) = 1 - x[0]; nobody asks what x[1] does.
static void test_equal_bounds_cost_nothing(void **state)
{
    (void)state;
    unsigned calls = 0;
    const double low[2] = { -2, 0.25 }, high[2] = { 2, 0.25 };
    double memory[HY_FIT_ROOM(2, 2)], covariance[4], x[2] = { 1, 0.25 };
    const hy_fit_problem problem = { .parameters = 2,
                                     .residuals = 2,
                                     .evaluate = rosenbrock,
                                     .context = &calls,
                                     .low = low,
                                     .high = high,
                                     .rounds = 1 };
    const hy_fit_outcome one = hy_fit_solve(&problem, x, memory);
    assert_int_equal(one.calls, calls);
    assert_int_equal(calls, 3); // at the start, what x[0] does, and the step
    assert_true(x[0] < 1 && x[1] == 0.25);
    hy_fit_problem further = problem;
    further.rounds = 0;
    assert_true(hy_fit_solve(&further, x, memory).has_converged);
    assert_near(200 * x[0] * (x[0] * x[0] - 0.25), 1 - x[0], 1e-5);
    assert_true(x[1] == 0.25);
    calls = 0;
    hy_fit_covariance(&further, memory, covariance);
    assert_int_equal(calls, 1);
    const double slope = -20 * x[0];
    assert_near(covariance[0], 1 / (slope * slope + 1), 1e-6);
    assert_true(isinf(covariance[3]) && covariance[1] == 0 && covariance[2] == 0);
}

// Powell's singular function: its slopes vanish at the answer.
static void powell(void *context, const double *x, double *out)
{
    (void)context;
    out[0] = x[0] + 10 * x[1];
    out[1] = sqrt(5) * (x[2] - x[3]);
    out[2] = (x[1] - 2 * x[2]) * (x[1] - 2 * x[2]);
    out[3] = sqrt(10) * (x[0] - x[3]) * (x[0] - x[3]);
}

static void test_powell(void **state)
{
    (void)state;
    double memory[HY_FIT_ROOM(4, 4)], x[4] = { 3, -1, 0, 1 };
    const hy_fit_problem problem = { .parameters = 4, .residuals = 4, .evaluate = powell };
    const hy_fit_outcome outcome = hy_fit_solve(&problem, x, memory);
    assert_true(outcome.cost < 1e-12);
    for (int i = 0; i < 4; i++) {
        assert_near(x[i], 0, 1e-2);
    }
}

static void test_rounds_end(void **state)
{
    (void)state;
    unsigned calls = 0;
    double memory[HY_FIT_ROOM(2, 2)], x[2] = { -1.2, 1 };
    const hy_fit_problem problem = {
        .parameters = 2, .residuals = 2, .evaluate = rosenbrock, .context = &calls, .rounds = 3
    };
    const hy_fit_outcome outcome = hy_fit_solve(&problem, x, memory);
    assert_false(outcome.has_converged);
    assert_int_equal(outcome.rounds, 3);
}

// --------------------------------------------------------------------------- curves

#define SAMPLES 200
#define SIGMA   0.01

typedef struct {
    double measured[SAMPLES];
} decay_samples;

static double decay_at(const double *x, size_t i)
{
    return x[0] * exp(-x[1] * (double)i / SAMPLES) + x[2];
}

static void decay(void *context, const double *x, double *out)
{
    const decay_samples *const samples = context;
    for (size_t i = 0; i < SAMPLES; i++) {
        out[i] = (decay_at(x, i) - samples->measured[i]) / SIGMA;
    }
}

static void measure(decay_samples *samples, const double *truth, hy_random *random)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        samples->measured[i] = decay_at(truth, i) + SIGMA * hy_random_normal(random);
    }
}

// Measured a hundred times with other noise, the answers are spread as the covariance says.
static void test_covariance_of_an_exponential(void **state)
{
    (void)state;
    const double truth[3] = { 2, 3, 0.5 };
    double memory[HY_FIT_ROOM(3, SAMPLES)], covariance[9], off[9] = { 0 };
    decay_samples samples;
    hy_random random = hy_random_seeded(5);
    const hy_fit_problem problem = {
        .parameters = 3, .residuals = SAMPLES, .evaluate = decay, .context = &samples
    };
    for (int run = 0; run < 100; run++) {
        double x[3] = { 1, 1, 0 };
        measure(&samples, truth, &random);
        const hy_fit_outcome outcome = hy_fit_solve(&problem, x, memory);
        assert_true(outcome.has_converged);
        assert_true(outcome.cost > 0.6 * SAMPLES / 2 && outcome.cost < 1.4 * SAMPLES / 2);
        hy_fit_covariance(&problem, memory, covariance);
        for (int i = 0; i < 9; i++) {
            off[i] += (x[i / 3] - truth[i / 3]) * (x[i % 3] - truth[i % 3]) / 100;
        }
    }
    for (int i = 0; i < 9; i++) {
        const double size = sqrt(covariance[i / 3 * 4] * covariance[i % 3 * 4]);
        assert_near(off[i] / size, covariance[i] / size, 0.35); // five deviations of a hundred runs
    }
}

static void straight(void *context, const double *x, double *out)
{
    (void)context;
    for (size_t i = 0; i < 4; i++) {
        out[i] = x[0] + x[1] * (double)i - 1;
    }
}

// A straight line through 0, 1, 2, 3: the covariance is [14 -6; -6 4] / 20.
static void test_covariance_of_a_line(void **state)
{
    (void)state;
    double memory[HY_FIT_ROOM(3, 4)], covariance[9], x[3] = { 0, 0, 7 };
    hy_fit_problem problem = { .parameters = 2, .residuals = 4, .evaluate = straight };
    hy_fit_solve(&problem, x, memory);
    hy_fit_covariance(&problem, memory, covariance);
    assert_near(covariance[0], 0.7, 1e-6);
    assert_near(covariance[1], -0.3, 1e-6);
    assert_near(covariance[2], -0.3, 1e-6);
    assert_near(covariance[3], 0.2, 1e-6);
    // A third parameter without effect stays where it is, and nothing is known of it.
    problem.parameters = 3;
    hy_fit_solve(&problem, x, memory);
    hy_fit_covariance(&problem, memory, covariance);
    assert_true(x[2] == 7 && isinf(covariance[8]));
    assert_near(covariance[0], 0.7, 1e-6);
    assert_near(covariance[2], 0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rosenbrock),
        cmocka_unit_test(test_bounds_hold),
        cmocka_unit_test(test_equal_bounds_cost_nothing),
        cmocka_unit_test(test_powell),
        cmocka_unit_test(test_rounds_end),
        cmocka_unit_test(test_covariance_of_an_exponential),
        cmocka_unit_test(test_covariance_of_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
