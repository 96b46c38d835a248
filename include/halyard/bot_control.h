/// @file bot_control.h
/// Controllers, profiles, feed-forwards and filters: numbers in, numbers out, once a period. What
/// WPILib has too behaves as WPILib's does and is tested against it.
///
/// No allocation; filters work in memory of the caller's. A struct serves one thread at a time. A
/// setter that gets NaN, or an infinity where none is meant, returns false and changes nothing. A
/// calculation that gets one leaves its state alone and returns 0, or its last output where the
/// comment says so: never NaN. Everything is O(1) unless it says otherwise.
///
///     hy_pid pid;
///     hy_pid_init(&pid, (hy_pid_gains){ .p = 2.0, .d = 0.1 }, 0.02); // called every 20 ms
///     hy_pid_set_output_range(&pid, -1.0, 1.0, true);
///     const double effort = hy_pid_calculate_to(&pid, 0.35, 0.20);   // measured, wanted
#ifndef HALYARD_BOT_CONTROL_H
#define HALYARD_BOT_CONTROL_H

#include <halyard/base.h>

HY_API_BEGIN

// --------------------------------------------------------------------------- small tools

/// `value` with the part below `deadband` cut off and the rest stretched, so that it starts at 0
/// behind the deadband and reaches `max_magnitude` at `max_magnitude`. 0 <= deadband <
/// max_magnitude, else 0; NaN gives 0.
double hy_apply_deadband(double value, double deadband, double max_magnitude);

/// `value` brought into [minimum, maximum] by whole multiples of their distance. Requires minimum <
/// maximum; what is not finite gives 0.
double hy_input_modulus(double value, double minimum, double maximum);

/// The square of `value` with its sign: fine control near 0, full power at 1. NaN gives 0.
double hy_square_input(double value);

// --------------------------------------------------------------------------- PID

/// The three gains of a controller.
typedef struct {
    double p, i, d; ///< Output per unit of error, per unit times second, per unit a second.
} hy_pid_gains;

/// A PID controller with a fixed period (WPILib's PIDController) and, on top of that, a
/// feed-forward of the setpoint (the F of "PIDF"), limits of the output with anti-windup, and a
/// deadband of the error. All zero: it does nothing.
typedef struct {
    // Read-only: the newest of each.
    double setpoint, measurement, output;
    double error;            ///< Setpoint minus measurement, the short way round if continuous.
    double error_derivative; ///< A second.
    double total_error;      ///< Integral of the error, in units times seconds.
    // Private.
    hy_pid_gains gains;
    double feed_forward, period_s, i_zone, integral_min, integral_max, output_min, output_max;
    double input_min, input_max, deadband, tolerance, derivative_tolerance, previous_error;
    bool continuous, has_setpoint, has_measurement, anti_windup;
} hy_pid;

/// Starts with WPILib's defaults: integral limited to [-1, +1] of output, tolerance 0.05, no other
/// limits. False, and nothing changes, if a gain is negative or not finite or `period_s` is not
/// positive.
bool hy_pid_init(hy_pid *self, hy_pid_gains gains, double period_s);

/// Changes the gains; finite, and not negative.
bool hy_pid_set_gains(hy_pid *self, hy_pid_gains gains);

/// Adds `gain` times the setpoint to the output: for speeds, where standing still needs no effort.
bool hy_pid_set_feed_forward(hy_pid *self, double gain);

/// Beyond this error the integral is kept at 0; infinity (the default) for never. Not negative.
bool hy_pid_set_i_zone(hy_pid *self, double i_zone);

/// Limits of what the integral adds to the output. min <= max.
bool hy_pid_set_integrator_range(hy_pid *self, double min, double max);

/// Limits of the output. Infinities (the default) for none; min <= max. With `anti_windup` the
/// integral does not grow while the output is at the limit that it pushes against.
bool hy_pid_set_output_range(hy_pid *self, double min, double max, bool anti_windup);

/// Within this error the output is the feed-forward alone, and the integral stays as it is; 0 (the
/// default) for never. Not negative.
bool hy_pid_set_deadband(hy_pid *self, double deadband);

/// The input is a circle on which `min` and `max` are the same place, such as -pi and +pi: errors
/// go the short way. min < max.
bool hy_pid_set_continuous(hy_pid *self, double min, double max);
void hy_pid_clear_continuous(hy_pid *self);

/// When hy_pid_at_setpoint() is content. `derivative` may be infinite: any speed. Neither negative.
bool hy_pid_set_tolerance(hy_pid *self, double error, double derivative);

/// What to reach; error and derivative are up to date at once.
bool hy_pid_set_setpoint(hy_pid *self, double setpoint);

/// The next output, one period after the last. 0 if `measurement` is not finite.
double hy_pid_calculate(hy_pid *self, double measurement);

/// Both in one call; 0 if one of them is not finite.
double hy_pid_calculate_to(hy_pid *self, double measurement, double setpoint);

/// True if error and derivative are within tolerance and there has been a setpoint and a
/// measurement.
bool hy_pid_at_setpoint(const hy_pid *self);

/// Forgets errors and the integral; settings and setpoint stay.
void hy_pid_reset(hy_pid *self);

/// Gains by Ziegler and Nichols' rules from an experiment: with P alone, raised to `ultimate_gain`,
/// the output just keeps swinging, once every `ultimate_period_s`. All gains are 0 if one of the
/// two is not finite and positive.
hy_pid_gains hy_ziegler_nichols_p(double ultimate_gain, double ultimate_period_s);
hy_pid_gains hy_ziegler_nichols_pi(double ultimate_gain, double ultimate_period_s);
hy_pid_gains hy_ziegler_nichols_pid(double ultimate_gain, double ultimate_period_s);

// --------------------------------------------------------------------------- trapezoid profiles

/// A position and a velocity, in metres, radians or whatever the constraints are in.
typedef struct {
    double position, velocity;
} hy_profile_state;

typedef struct {
    double max_velocity, max_acceleration; ///< Both finite and positive.
} hy_profile_constraints;

/// The fastest way from one state to another under constraints: to the highest speed, at that
/// speed, and to the last one. Position and velocity never jump, and it ends exactly at the goal.
/// Where the goal is too near for its speeds, the way leads past it, or back first, and then to it.
typedef struct {
    double total_s; ///< Read-only: how long it takes.
    // Private.
    hy_profile_constraints constraints;
    hy_profile_state from, to; // both seen in the direction of motion
    double direction, top_velocity, end_acceleration_s, end_full_speed_s;
} hy_trapezoid_profile;

/// Plans the way. A start that is faster than allowed slows down with all the acceleration that is
/// allowed. False if a number is not finite or too large to compute with, a constraint not
/// positive, or the goal faster than allowed: the profile then stands at the goal's position, or at
/// 0 if that is not finite either.
bool hy_trapezoid_profile_plan(hy_trapezoid_profile *self, hy_profile_constraints constraints,
                               hy_profile_state from, hy_profile_state to);

/// The state after `t_s` seconds; before 0 it is the start, after the end the goal. NaN counts as
/// 0.
hy_profile_state hy_trapezoid_profile_at(const hy_trapezoid_profile *self, double t_s);

/// A PID controller whose setpoint moves to the goal along such profiles (WPILib's
/// ProfiledPIDController).
typedef struct {
    hy_pid pid;                         ///< For its setters and readings.
    hy_profile_state goal, setpoint;    ///< Read-only.
    hy_profile_constraints constraints; ///< Read-only.
} hy_profiled_pid;

/// As hy_pid_init(); false also if a constraint is not finite and positive.
bool hy_profiled_pid_init(hy_profiled_pid *self, hy_pid_gains gains,
                          hy_profile_constraints constraints, double period_s);

/// Where to arrive, and how fast. False, and nothing changes, if not finite or faster than allowed.
bool hy_profiled_pid_set_goal(hy_profiled_pid *self, hy_profile_state goal);

/// Changes the constraints, also on the way: the setpoint does not jump, it slows down. A goal that
/// is faster than allowed becomes just as fast. False, and nothing changes, unless both are finite
/// and positive.
bool hy_profiled_pid_set_constraints(hy_profiled_pid *self, hy_profile_constraints constraints);

/// The next output: the setpoint moves on by one period. 0 if `measurement` is not finite.
double hy_profiled_pid_calculate(hy_profiled_pid *self, double measurement);

/// True if the setpoint has arrived at the goal and the measurement is within tolerance of it.
bool hy_profiled_pid_at_goal(const hy_profiled_pid *self);

/// Starts again from a measured state: call it before the first calculation. False, and nothing
/// changes, if not finite.
bool hy_profiled_pid_reset(hy_profiled_pid *self, hy_profile_state measured);

// --------------------------------------------------------------------------- motor feed-forward

/// What a motor needs to hold a speed and to change it: volts = ks * sign(v) + kv * v + ka * a.
typedef struct {
    double ks, kv,
        /// Volts; volts seconds a unit; volts seconds squared a unit. Set by the init function.
        ka;
    double period_s; ///< Read-only.
    // Private.
    double decay, one_by_gain; // of the discrete model: v' = decay v + volts / one_by_gain
} hy_motor_feedforward;

/// False, and nothing changes, if a number is not finite, `kv` or `ka` negative, or `period_s` not
/// positive.
bool hy_motor_feedforward_init(hy_motor_feedforward *self, double ks, double kv, double ka,
                               double period_s);

/// Volts to hold `velocity`, 0 if it is not finite.
double hy_motor_feedforward_at(const hy_motor_feedforward *self, double velocity);

/// Volts to have `velocity` and `acceleration` at this moment.
double hy_motor_feedforward_accelerating(const hy_motor_feedforward *self, double velocity,
                                         double acceleration);

/// Volts that bring the motor from `current` to `next` within one period: exact for a motor that
/// obeys the model, where the other form lags by half a period.
double hy_motor_feedforward_between(const hy_motor_feedforward *self, double current, double next);

/// The most that `max_v` volts can still do: velocity while accelerating with `acceleration`, and
/// acceleration at `velocity`, in the positive (max) and negative (min) direction. 0 if not finite,
/// as with `kv` or `ka` of 0.
double hy_motor_feedforward_max_velocity(const hy_motor_feedforward *self, double max_v,
                                         double acceleration);
double hy_motor_feedforward_min_velocity(const hy_motor_feedforward *self, double max_v,
                                         double acceleration);
double hy_motor_feedforward_max_acceleration(const hy_motor_feedforward *self, double max_v,
                                             double velocity);
double hy_motor_feedforward_min_acceleration(const hy_motor_feedforward *self, double max_v,
                                             double velocity);

// --------------------------------------------------------------------------- bang-bang

/// Full on below the setpoint, off above: for flywheels that coast, never for anything that must
/// not run away.
typedef struct {
    double tolerance, setpoint, measurement; ///< Read-only.
} hy_bang_bang;

/// `tolerance` is for hy_bang_bang_at_setpoint() alone: not negative, may be infinite. False, and
/// nothing changes, otherwise.
bool hy_bang_bang_init(hy_bang_bang *self, double tolerance);

/// 1 or 0; 0 if an argument is not finite.
double hy_bang_bang_calculate(hy_bang_bang *self, double measurement, double setpoint);
bool hy_bang_bang_at_setpoint(const hy_bang_bang *self);

// --------------------------------------------------------------------------- filters

/// A filter of weighted past inputs and outputs: out = forward[0] in + forward[1] (in before) ... -
/// back[0] (out before) - back[1] (the one before that) ...
typedef struct {
    const double *forward, *back; ///< Copied; may be NULL only if there are none.
    size_t forward_count, back_count;
} hy_filter_gains;

/// Doubles of memory that a filter with so many gains needs.
#define HY_LINEAR_FILTER_MEMORY(forward_count, back_count) (2 * ((forward_count) + (back_count)))

typedef struct {
    double output; ///< Read-only: the newest.
    // Private.
    double *forward, *back, *inputs, *outputs;
    size_t forward_count, back_count;
} hy_linear_filter;

/// Any filter. `memory` must outlive it. False, and nothing changes, if it is too small, there is
/// no gain at all, or a gain is not finite. O(gains).
bool hy_linear_filter_init(hy_linear_filter *self, hy_filter_gains gains, double *memory,
                           size_t memory_count);

/// Low pass of one pole: what is slower than `time_constant_s` passes. Memory for (1, 1). Both
/// times positive.
bool hy_linear_filter_single_pole(hy_linear_filter *self, double time_constant_s, double period_s,
                                  double *memory, size_t memory_count);

/// High pass: what is faster passes. Memory for (2, 1). Both times positive.
bool hy_linear_filter_high_pass(hy_linear_filter *self, double time_constant_s, double period_s,
                                double *memory, size_t memory_count);

/// The mean of the last `taps` inputs; before the first there were zeros. Memory for (taps, 0).
bool hy_linear_filter_moving_average(hy_linear_filter *self, size_t taps, double *memory,
                                     size_t memory_count);

/// The next output; an input that is not finite is skipped, and the last output stands. O(gains).
double hy_linear_filter_calculate(hy_linear_filter *self, double input);

/// All inputs and outputs before were 0.
void hy_linear_filter_reset(hy_linear_filter *self);

/// Doubles of memory that a median filter over so many values needs.
#define HY_MEDIAN_FILTER_MEMORY(size) (2 * (size))

/// The median of the last `size` inputs: single wild readings leave no trace.
typedef struct {
    double output; ///< Read-only: the newest.
    // Private.
    double *values, *sorted;
    size_t size, count, next;
} hy_median_filter;

/// `memory` must outlive the filter. False, and nothing changes, if it is too small or `size` is 0.
bool hy_median_filter_init(hy_median_filter *self, size_t size, double *memory,
                           size_t memory_count);

/// The median of what has come, the mean of the middle two if their number is even; an input that
/// is not finite is skipped. O(size).
double hy_median_filter_calculate(hy_median_filter *self, double input);
void hy_median_filter_reset(hy_median_filter *self);

/// Lets a value change only so fast.
typedef struct {
    double output; ///< Read-only: the newest.
    // Private.
    double rise_per_s, fall_per_s;
    int64_t then_us;
} hy_slew_limiter;

/// `rise_per_s` >= 0 >= `fall_per_s`: fastest changes upwards and downwards; `initial` is the
/// output before the first call, which was at `now_us`. False, and nothing changes, if one is not
/// finite or has the wrong sign.
bool hy_slew_limiter_init(hy_slew_limiter *self, double rise_per_s, double fall_per_s,
                          double initial, int64_t now_us);

/// `input`, as near as the time since the last call allows. An input that is not finite counts as
/// 0: the output goes towards a stop. A clock that goes backwards moves nothing.
double hy_slew_limiter_calculate(hy_slew_limiter *self, double input, int64_t now_us);

/// Jumps to `value`. False, and nothing changes, if it is not finite.
bool hy_slew_limiter_reset(hy_slew_limiter *self, double value, int64_t now_us);

typedef enum {
    HY_DEBOUNCE_RISING,  ///< "True" must last.
    HY_DEBOUNCE_FALLING, ///< "False" must last.
    HY_DEBOUNCE_BOTH,
} hy_debounce_kind;

/// A signal that must last for some time before it is believed.
typedef struct {
    // Private.
    int64_t time_us, since_us;
    hy_debounce_kind kind;
    bool baseline;
} hy_debouncer;

/// `time_us` is how long; negative counts as 0.
void hy_debouncer_init(hy_debouncer *self, int64_t time_us, hy_debounce_kind kind, int64_t now_us);

/// The believed signal.
bool hy_debouncer_calculate(hy_debouncer *self, bool input, int64_t now_us);

HY_API_END

#endif
