/// @file calibrate_fit.h
/// Least squares: finds the parameters with which a function of them comes closest to what was
/// measured, by the method of Levenberg and Marquardt, with bounds, and says how well it knows
/// them.
///
/// No allocation, no global state; the only function that it calls is the caller's. The same
/// problem gives the same answer.
///
///     static void evaluate(void *context, const double *x, double *out)
///     {
///         (void)context;
///         out[0] = 10 * (x[1] - x[0] * x[0]);
///         out[1] = 1 - x[0];
///     }
///     static double find_minimum(void)
///     {
///         double memory[HY_FIT_ROOM(2, 2)], x[2] = { -1.2, 1 };
///         const hy_fit_problem problem = { .parameters = 2,
///                                          .residuals = 2,
///                                          .evaluate = evaluate };
///         hy_fit_solve(&problem, x, memory);
///         return x[0]; // 1
///     }
#ifndef HALYARD_CALIBRATE_FIT_H
#define HALYARD_CALIBRATE_FIT_H

#include <halyard/base.h>

/// Numbers of memory that a fit of so many parameters to so many residuals needs.
#define HY_FIT_ROOM(parameters, residuals) \
    ((residuals) * ((parameters) + 2) + (parameters) * (2 * (parameters) + 5))

/// What is to be made small: half the sum of the squares of the residuals.
typedef struct {
    size_t parameters; ///< At least 1.
    size_t residuals;  ///< At least 1. Fewer than parameters: some of those stay undetermined.
    /// Writes all residuals for the parameters `x`: what was predicted less what was measured, over
    /// its standard deviation. All finite.
    void (*evaluate)(void *context, const double *x, double *out);
    void *context;     ///< Handed to `evaluate`.
    const double *low; ///< One bound a parameter; NULL: none.
    const double *high;
    /// By how much each parameter is changed to see what it does; NULL: by 1e-7 of it.
    const double *difference;
    unsigned rounds; ///< The most that are tried; 0: 100.
    /// It has converged when a round gains less than this share of the sum; 0: 1e-12.
    double tolerance;
} hy_fit_problem;

/// How a fit ended.
typedef struct {
    double cost;        ///< Half the sum of squares.
    unsigned rounds;    ///< Steps that were accepted.
    unsigned calls;     ///< Of `evaluate`.
    bool has_converged; ///< Else it ran out of rounds.
} hy_fit_outcome;

/// Improves `x` until nothing is gained any more. `x` must lie within the bounds, and stays there.
/// `memory` has HY_FIT_ROOM() numbers. A parameter whose bounds are equal stays as it is and costs
/// nothing. O(parameters^2 residuals) and parameters + 1 calls a round.
hy_fit_outcome hy_fit_solve(const hy_fit_problem *problem, double *x, double *memory);

/// After hy_fit_solve() with the same memory: the covariance of the parameters, a row behind the
/// other, from the slopes at the answer, if the residuals have a standard deviation of 1. The
/// variance of a parameter that no residual depends on, or whose bounds are equal, is infinite, and
/// its covariances are 0. It finds the slopes by as many calls of `evaluate` as there are
/// parameters.
void hy_fit_covariance(const hy_fit_problem *problem, double *memory, double *covariance);

/// Half the sum of the squares of `count` residuals: what hy_fit_solve() makes small. O(count).
double hy_fit_cost(const double *residual, size_t count);

/// Cholesky's factor of a symmetric matrix of `n` rows, which lie behind each other, into its own
/// lower half; the upper one is not read. False, and the matrix has lost its meaning, if the square
/// of a pivot is not above `least`: it is singular, or not positive. O(n^3).
bool hy_fit_factorize(double *a, size_t n, double least);

/// Solves the equations whose matrix has that factor: `b`, `n` numbers, goes in as the right side
/// and comes out as the solution. O(n^2).
void hy_fit_solve_factored(const double *factor, size_t n, double *b);

#endif
