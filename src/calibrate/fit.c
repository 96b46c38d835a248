// Levenberg and Marquardt's method with Marquardt's scaling; a parameter at its bound that wants to leave is held there.
#include "calibrate_fit.h"

#include <math.h>
#include <string.h>

#define ROUNDS        100
#define TOLERANCE     1e-12
#define DIFFERENCE    1e-7
#define FIRST_DAMPING 1e-3
#define MOST_DAMPING  1e12
#define LEAST_DAMPING 1e-12
#define SINGULAR      1e-13 // of a pivot beside its diagonal, which is 1

// What lies where in the caller's memory.
typedef struct {
    double *residual, *trial_residual;
    double *slopes;          // residuals of the first parameter, of the second ...
    double *normal, *factor; // parameters x parameters
    double *gradient, *answer, *trial, *scale, *solution;
} fit_room;

static fit_room lay_out(const hy_fit_problem *problem, double *memory)
{
    const size_t n = problem->parameters, m = problem->residuals;
    fit_room room;
    room.residual = memory;
    room.trial_residual = room.residual + m;
    room.slopes = room.trial_residual + m;
    room.normal = room.slopes + m * n;
    room.factor = room.normal + n * n;
    room.gradient = room.factor + n * n;
    room.answer = room.gradient + n;
    room.trial = room.answer + n;
    room.scale = room.trial + n;
    room.solution = room.scale + n;
    return room;
}

static double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// --------------------------------------------------------------------------- slopes

static double limited(const hy_fit_problem *problem, size_t i, double value)
{
    if (problem->low != NULL && value < problem->low[i]) {
        return problem->low[i];
    }
    return problem->high != NULL && value > problem->high[i] ? problem->high[i] : value;
}

static double difference_of(const hy_fit_problem *problem, size_t i, double at)
{
    const double relative = DIFFERENCE * fmax(fabs(at), 1e-3);
    const double wanted = problem->difference != NULL ? problem->difference[i] : relative;
    const bool is_beyond = problem->high != NULL && at + wanted > problem->high[i];
    return is_beyond ? -wanted : wanted;
}

// No step goes along a parameter whose bounds are equal: nobody asks what it does.
static bool is_fixed(const hy_fit_problem *problem, size_t i)
{
    return problem->low != NULL && problem->high != NULL && problem->low[i] >= problem->high[i];
}

// Returns how often it evaluated.
static unsigned find_slopes(const hy_fit_problem *problem, const fit_room *room, const double *x)
{
    const size_t n = problem->parameters, m = problem->residuals;
    unsigned calls = 0;
    memcpy(room->trial, x, n * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        double *const slope = room->slopes + i * m;
        if (is_fixed(problem, i)) {
            memset(slope, 0, m * sizeof *slope);
            continue;
        }
        calls++;
        room->trial[i] = x[i] + difference_of(problem, i, x[i]);
        const double by = room->trial[i] - x[i]; // as it was rounded
        problem->evaluate(problem->context, room->trial, slope);
        for (size_t k = 0; k < m; k++) {
            slope[k] = (slope[k] - room->residual[k]) / by;
        }
        room->trial[i] = x[i];
    }
    for (size_t i = 0; i < n; i++) {
        room->gradient[i] = dot(room->slopes + i * m, room->residual, m);
        for (size_t k = 0; k <= i; k++) {
            const double sum = dot(room->slopes + i * m, room->slopes + k * m, m);
            room->normal[i * n + k] = room->normal[k * n + i] = sum;
        }
    }
    return calls;
}

// --------------------------------------------------------------------------- linear equations

bool hy_fit_factorize(double *a, size_t n, double least)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k <= i; k++) {
            const double sum = a[i * n + k] - dot(a + i * n, a + k * n, k);
            if (i != k) {
                a[i * n + k] = sum / a[k * n + k];
            } else if (sum > least) {
                a[i * n + i] = sqrt(sum);
            } else {
                return false;
            }
        }
    }
    return true;
}

void hy_fit_solve_factored(const double *factor, size_t n, double *b)
{
    for (size_t i = 0; i < n; i++) {
        b[i] = (b[i] - dot(factor + i * n, b, i)) / factor[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++) {
            b[i] -= factor[k * n + i] * b[k];
        }
        b[i] /= factor[i * n + i];
    }
}

static bool is_held(const hy_fit_problem *problem, const fit_room *room, const double *x, size_t i)
{
    return (problem->low != NULL && x[i] <= problem->low[i] && room->gradient[i] > 0) ||
           (problem->high != NULL && x[i] >= problem->high[i] && room->gradient[i] < 0);
}

// The normal equations with a diagonal of 1 into `factor`; rows of parameters that take no part are empty but for it.
static void scale_normal(const fit_room *room, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            room->factor[i * n + k] = room->normal[i * n + k] * room->scale[i] * room->scale[k];
        }
        room->factor[i * n + i] = 1;
    }
}

static void set_scale(const fit_room *room, size_t n, size_t i, bool takes_part)
{
    const double squares = room->normal[i * n + i];
    room->scale[i] = takes_part && squares > 0 ? 1 / sqrt(squares) : 0;
}

// Where the next step goes into `trial`; false if the damping is too small for the rounding.
static bool find_trial(const hy_fit_problem *problem, const fit_room *room, const double *x,
                       double damping)
{
    const size_t n = problem->parameters;
    for (size_t i = 0; i < n; i++) {
        set_scale(room, n, i, !is_held(problem, room, x, i));
    }
    scale_normal(room, n);
    for (size_t i = 0; i < n; i++) {
        room->factor[i * n + i] += damping;
        room->solution[i] = -room->gradient[i] * room->scale[i];
    }
    if (!hy_fit_factorize(room->factor, n, SINGULAR)) {
        return false;
    }
    hy_fit_solve_factored(room->factor, n, room->solution);
    for (size_t i = 0; i < n; i++) {
        room->trial[i] = limited(problem, i, x[i] + room->solution[i] * room->scale[i]);
    }
    return true;
}

// --------------------------------------------------------------------------- the search

double hy_fit_cost(const double *residual, size_t count)
{
    return dot(residual, residual, count) / 2;
}

// Makes the damping larger until a step gains something; the gain, or 0: nothing does any more.
static double make_step(const hy_fit_problem *problem, const fit_room *room, double *x,
                        double *damping, hy_fit_outcome *outcome)
{
    const size_t m = problem->residuals;
    while (*damping <= MOST_DAMPING) {
        double gain = 0;
        if (find_trial(problem, room, x, *damping)) {
            problem->evaluate(problem->context, room->trial, room->trial_residual);
            outcome->calls++;
            gain = outcome->cost - hy_fit_cost(room->trial_residual, m);
        }
        if (gain > 0) {
            memcpy(x, room->trial, problem->parameters * sizeof *x);
            memcpy(room->residual, room->trial_residual, m * sizeof *x);
            *damping = fmax(*damping / 10, LEAST_DAMPING);
            return gain;
        }
        *damping *= 8;
    }
    return 0;
}

hy_fit_outcome hy_fit_solve(const hy_fit_problem *problem, double *x, double *memory)
{
    const size_t n = problem->parameters, m = problem->residuals;
    const fit_room room = lay_out(problem, memory);
    const unsigned rounds = problem->rounds > 0 ? problem->rounds : ROUNDS;
    const double tolerance = problem->tolerance > 0 ? problem->tolerance : TOLERANCE;
    double damping = FIRST_DAMPING;
    problem->evaluate(problem->context, x, room.residual);
    hy_fit_outcome outcome = { .cost = hy_fit_cost(room.residual, m), .calls = 1 };
    while (!outcome.has_converged && outcome.rounds < rounds) {
        outcome.calls += find_slopes(problem, &room, x);
        const double gain = make_step(problem, &room, x, &damping, &outcome);
        outcome.has_converged = gain <= tolerance * outcome.cost;
        outcome.cost = hy_fit_cost(room.residual, m);
        outcome.rounds += gain > 0 ? 1 : 0;
    }
    memcpy(room.answer, x, n * sizeof *x);
    return outcome;
}

void hy_fit_covariance(const hy_fit_problem *problem, double *memory, double *covariance)
{
    const size_t n = problem->parameters;
    const fit_room room = lay_out(problem, memory);
    (void)find_slopes(problem, &room, room.answer);
    for (size_t i = 0; i < n; i++) {
        set_scale(&room, n, i, true);
    }
    scale_normal(&room, n);
    const bool is_regular = hy_fit_factorize(room.factor, n, SINGULAR);
    for (size_t i = 0; i < n; i++) {
        memset(room.solution, 0, n * sizeof *room.solution);
        room.solution[i] = room.scale[i];
        if (is_regular) {
            hy_fit_solve_factored(room.factor, n, room.solution);
        }
        for (size_t k = 0; k < n; k++) {
            covariance[k * n + i] = is_regular ? room.solution[k] * room.scale[k] : 0;
        }
        if (!is_regular || room.scale[i] == 0) {
            covariance[i * n + i] = INFINITY;
        }
    }
}
