// Profiles, feed-forwards, filters and the small tools, against values worked out by hand.
#include "bot_checks.h"

#include <string.h>

// --------------------------------------------------------------------------- small tools

static void deadband_stretches_the_rest(void **state)
{
    (void)state;
    expect_near(hy_apply_deadband(0.05, 0.1, 1.0), 0.0);
    expect_near(hy_apply_deadband(0.1, 0.1, 1.0), 0.0);
    expect_near(hy_apply_deadband(0.55, 0.1, 1.0), 0.5);
    expect_near(hy_apply_deadband(-0.55, 0.1, 1.0), -0.5);
    expect_near(hy_apply_deadband(1.0, 0.1, 1.0), 1.0);
    expect_near(hy_apply_deadband(11.0, 1.0, 12.0), 120.0 / 11.0);
    expect_near(hy_apply_deadband(0.5, 1.0, 1.0), 0.0); // nothing is left
    expect_near(hy_apply_deadband(2.0, 1.0, 1.0), 0.0);
    expect_near(hy_apply_deadband(0.5, -0.1, 1.0), 0.0);
    for_each_not_finite(bad)
    {
        expect_near(hy_apply_deadband(bad, 0.1, 1.0), 0.0);
        expect_near(hy_apply_deadband(0.5, bad, 1.0), 0.0);
        expect_near(hy_apply_deadband(0.5, 0.1, bad), 0.0);
    }
}

static void modulus_brings_back_into_range(void **state)
{
    (void)state;
    expect_near(hy_input_modulus(190.0, -180.0, 180.0), -170.0);
    expect_near(hy_input_modulus(-910.0, -180.0, 180.0), 170.0);
    expect_near(hy_input_modulus(7.5, 1.0, 3.0), 1.5);
    expect_near(hy_input_modulus(2.5, 1.0, 3.0), 2.5);
    expect_near(hy_input_modulus(3.0, 1.0, 3.0), 3.0); // both ends stay, as in WPILib
    expect_near(hy_input_modulus(1.0, 1.0, 3.0), 1.0);
    expect_near(hy_input_modulus(1e300, 1.0, 3.0), 1.0); // knows no place on the circle; stays in range
    expect_near(hy_input_modulus(1.0, 3.0, 1.0), 0.0);
    for_each_not_finite(bad)
    {
        expect_near(hy_input_modulus(bad, 1.0, 3.0), 0.0);
        expect_near(hy_input_modulus(2.0, 1.0, bad), 0.0);
    }
}

static void squares_keep_their_sign(void **state)
{
    (void)state;
    expect_near(hy_square_input(0.5), 0.25);
    expect_near(hy_square_input(-0.5), -0.25);
    expect_near(hy_square_input((double)NAN), 0.0);
}

// --------------------------------------------------------------------------- profiles

static void a_trapezoid_at_its_corners(void **state)
{
    (void)state;
    // 2 m/s and 1 m/s2 over 10 m: 2 s to speed up (2 m), 3 s of 6 m, 2 s to slow down.
    hy_trapezoid_profile self;
    assert_true(hy_trapezoid_profile_plan(&self, (hy_profile_constraints){ 2.0, 1.0 },
                                          (hy_profile_state){ 1.0, 0.0 },
                                          (hy_profile_state){ 11.0, 0.0 }));
    expect_near(self.total_s, 7.0);
    const double at[][3] = { { -1, 1, 0 }, { 0, 1, 0 },    { 1, 1.5, 1 }, { 2, 3, 2 }, { 4, 7, 2 },
                             { 5, 9, 2 },  { 6, 10.5, 1 }, { 7, 11, 0 },  { 9, 11, 0 } };
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        const hy_profile_state now = hy_trapezoid_profile_at(&self, at[i][0]);
        expect_near(now.position, at[i][1]);
        expect_near(now.velocity, at[i][2]);
    }
    expect_near(hy_trapezoid_profile_at(&self, (double)NAN).position, 1.0);
}

static void a_triangle_backwards(void **state)
{
    (void)state;
    hy_trapezoid_profile self;
    assert_true(hy_trapezoid_profile_plan(&self, (hy_profile_constraints){ 5.0, 2.0 },
                                          (hy_profile_state){ 0.0, 0.0 },
                                          (hy_profile_state){ -2.0, 0.0 }));
    expect_near(self.total_s, 2.0);
    const hy_profile_state middle = hy_trapezoid_profile_at(&self, 1.0);
    expect_near(middle.position, -1.0);
    expect_near(middle.velocity, -2.0);
}

static void a_start_that_is_too_fast_slows_down(void **state)
{
    (void)state;
    hy_trapezoid_profile self;
    assert_true(hy_trapezoid_profile_plan(&self, (hy_profile_constraints){ 1.0, 1.0 },
                                          (hy_profile_state){ 0.0, 9.0 },
                                          (hy_profile_state){ 4.0, 1.0 }));
    expect_near(hy_trapezoid_profile_at(&self, 2.0).position, 16.0);
    expect_near(hy_trapezoid_profile_at(&self, 2.0).velocity, 7.0);
    expect_near(hy_trapezoid_profile_at(&self, 9.0).position, 40.5); // past it, and back
    expect_near(self.total_s, 9.0 + 1.0 + 36.0 + 2.0);
}

static void a_profile_of_nonsense_stands(void **state)
{
    (void)state;
    hy_trapezoid_profile self;
    const hy_profile_constraints good = { 1.0, 1.0 };
    const hy_profile_state zero = { 0.0, 0.0 }, there = { 3.0, 0.0 };
    assert_false(hy_trapezoid_profile_plan(&self, (hy_profile_constraints){ 0.0, 1.0 }, zero, there));
    expect_near(hy_trapezoid_profile_at(&self, 0.5).position, 3.0);
    expect_near(hy_trapezoid_profile_at(&self, 0.5).velocity, 0.0);
    for_each_not_finite(bad)
    {
        assert_false(hy_trapezoid_profile_plan(&self, good, (hy_profile_state){ bad, 0 }, there));
        assert_false(hy_trapezoid_profile_plan(&self, good, zero, (hy_profile_state){ 1.0, bad }));
        assert_false(hy_trapezoid_profile_plan(&self, good, zero, (hy_profile_state){ bad, 0.0 }));
        expect_near(hy_trapezoid_profile_at(&self, 1.0).position, 0.0);
        assert_false(
            hy_trapezoid_profile_plan(&self, (hy_profile_constraints){ 1.0, bad }, zero, there));
    }
}

static void a_profiled_pid_moves_its_setpoint(void **state)
{
    (void)state;
    hy_profiled_pid self;
    const hy_profile_constraints limits = { 1.0, 0.5 };
    assert_true(hy_profiled_pid_init(&self, (hy_pid_gains){ 2.0, 0.0, 0.0 }, limits, 0.1));
    assert_true(hy_profiled_pid_reset(&self, (hy_profile_state){ 1.0, 0.0 }));
    assert_true(hy_profiled_pid_set_goal(&self, (hy_profile_state){ 3.0, 0.0 }));
    // After 0.1 s at 0.5: 0.0025 further, 0.05 fast.
    expect_near(hy_profiled_pid_calculate(&self, 1.0), 2.0 * 0.0025);
    expect_near(self.setpoint.position, 1.0025);
    expect_near(self.setpoint.velocity, 0.05);
    assert_false(hy_profiled_pid_at_goal(&self));
    for (int i = 0; i < 60; i++) {
        hy_profiled_pid_calculate(&self, self.setpoint.position);
    }
    expect_near(self.setpoint.position, 3.0);
    hy_profiled_pid_calculate(&self, 3.0);
    assert_true(hy_profiled_pid_at_goal(&self));
    hy_profiled_pid_calculate(&self, 2.0);
    assert_false(hy_profiled_pid_at_goal(&self));
}

static void a_profiled_pid_goes_the_short_way(void **state)
{
    (void)state;
    hy_profiled_pid self;
    hy_profiled_pid_init(&self, (hy_pid_gains){ 1.0, 0.0, 0.0 }, (hy_profile_constraints){ 9, 9 },
                         0.1);
    hy_pid_set_continuous(&self.pid, -HY_PI, HY_PI);
    hy_profiled_pid_reset(&self, (hy_profile_state){ 3.0, 0.0 });
    hy_profiled_pid_set_goal(&self, (hy_profile_state){ -3.0, 0.0 });
    hy_profiled_pid_calculate(&self, 3.0);
    expect_near(self.goal.position, 2 * HY_PI - 3.0);
    assert_true(self.setpoint.position > 3.0);
}

static void a_profiled_pid_refuses_nonsense(void **state)
{
    (void)state;
    hy_profiled_pid self;
    const hy_pid_gains gains = { 1.0, 0.0, 0.0 };
    assert_false(hy_profiled_pid_init(&self, gains, (hy_profile_constraints){ 0, 1 }, 0.1));
    assert_false(hy_profiled_pid_init(&self, gains, (hy_profile_constraints){ 1, 1 }, 0.0));
    assert_true(hy_profiled_pid_init(&self, gains, (hy_profile_constraints){ 1, 1 }, 0.1));
    for_each_not_finite(bad)
    {
        assert_false(hy_profiled_pid_set_goal(&self, (hy_profile_state){ bad, 0 }));
        assert_false(hy_profiled_pid_reset(&self, (hy_profile_state){ 0, bad }));
        assert_false(hy_profiled_pid_set_constraints(&self, (hy_profile_constraints){ bad, 1 }));
        expect_near(hy_profiled_pid_calculate(&self, bad), 0.0);
    }
    expect_near(self.constraints.max_velocity, 1.0);
    assert_true(hy_profiled_pid_set_constraints(&self, (hy_profile_constraints){ 2, 3 }));
    expect_near(self.constraints.max_velocity, 2.0);
}

// --------------------------------------------------------------------------- feed-forward

static void feed_forward_is_what_the_model_needs(void **state)
{
    (void)state;
    hy_motor_feedforward self;
    assert_true(hy_motor_feedforward_init(&self, 0.5, 2.0, 0.25, 0.02));
    expect_near(hy_motor_feedforward_at(&self, 3.0), 6.5);
    expect_near(hy_motor_feedforward_at(&self, -3.0), -6.5);
    expect_near(hy_motor_feedforward_at(&self, 0.0), 0.0);
    expect_near(hy_motor_feedforward_accelerating(&self, 3.0, 4.0), 7.5);
    expect_near(hy_motor_feedforward_max_velocity(&self, 12.0, 4.0), (12.0 - 0.5 - 1.0) / 2.0);
    expect_near(hy_motor_feedforward_min_velocity(&self, 12.0, 4.0), (-12.0 + 0.5 - 1.0) / 2.0);
    expect_near(hy_motor_feedforward_max_acceleration(&self, 12.0, 3.0), (12.0 - 0.5 - 6.0) / 0.25);
    expect_near(hy_motor_feedforward_min_acceleration(&self, 12.0, 3.0), (-12.0 - 0.5 - 6.0) / 0.25);
}

/// The model itself, in small steps: ka dv/dt = volts - ks - kv v.
static double simulated(double v, double volts, double ks, double kv, double ka, double period_s)
{
    for (int i = 0; i < 100000; i++) {
        const double k1 = (volts - ks - kv * v) / ka;
        const double k2 = (volts - ks - kv * (v + k1 * period_s / 200000)) / ka;
        v += k2 * period_s / 100000;
    }
    return v;
}

static void the_two_speed_form_gets_there_in_one_period(void **state)
{
    (void)state;
    hy_motor_feedforward self;
    hy_motor_feedforward_init(&self, 0.4, 1.5, 0.2, 0.05);
    const double volts = hy_motor_feedforward_between(&self, 1.0, 1.3);
    expect_within(simulated(1.0, volts, 0.4, 1.5, 0.2, 0.05), 1.3, 1e-9);
    // A motor without back-EMF: only the acceleration counts.
    hy_motor_feedforward_init(&self, 0.0, 0.0, 0.2, 0.05);
    expect_near(hy_motor_feedforward_between(&self, 1.0, 1.3), 0.2 * 0.3 / 0.05);
    // One without inertia follows at once.
    hy_motor_feedforward_init(&self, 0.4, 1.5, 0.0, 0.05);
    expect_near(hy_motor_feedforward_between(&self, -1.0, 1.3), 0.4 + 1.5 * 1.3);
    expect_near(hy_motor_feedforward_max_acceleration(&self, 12.0, 1.0), 0.0);
}

static void the_two_speed_form_is_exact_for_every_motor(void **state)
{
    (void)state;
    hy_motor_feedforward self;
    for (double kv = 1e-9; kv < 100.0; kv *= 1.7) { // from all inertia to all back-EMF
        hy_motor_feedforward_init(&self, 0.0, kv, 0.2, 0.02);
        const long double x = (long double)kv / 0.2L * 0.02L;
        const long double exact = (long double)kv * (1.3L - expl(-x) * 0.9L) / -expm1l(-x);
        const double volts = hy_motor_feedforward_between(&self, 0.9, 1.3);
        expect_within(volts / (double)exact, 1.0, 4e-15);
    }
}

static void feed_forward_refuses_nonsense(void **state)
{
    (void)state;
    hy_motor_feedforward self;
    assert_true(hy_motor_feedforward_init(&self, 0.1, 1.0, 0.1, 0.02));
    assert_false(hy_motor_feedforward_init(&self, 0.1, -1.0, 0.1, 0.02));
    assert_false(hy_motor_feedforward_init(&self, 0.1, 1.0, -0.1, 0.02));
    assert_false(hy_motor_feedforward_init(&self, 0.1, 1.0, 0.1, 0.0));
    for_each_not_finite(bad)
    {
        assert_false(hy_motor_feedforward_init(&self, bad, 1.0, 0.1, 0.02));
        assert_false(hy_motor_feedforward_init(&self, 0.1, 1.0, 0.1, bad));
        expect_near(hy_motor_feedforward_at(&self, bad), 0.0);
        expect_near(hy_motor_feedforward_accelerating(&self, 1.0, bad), 0.0);
        expect_near(hy_motor_feedforward_between(&self, bad, 1.0), 0.0);
        expect_near(hy_motor_feedforward_max_velocity(&self, bad, 1.0), 0.0);
        expect_near(hy_motor_feedforward_min_velocity(&self, 1.0, bad), 0.0);
        expect_near(hy_motor_feedforward_max_acceleration(&self, bad, 1.0), 0.0);
        expect_near(hy_motor_feedforward_min_acceleration(&self, 1.0, bad), 0.0);
    }
    expect_near(self.kv, 1.0);
}

static void bang_bang_is_on_below(void **state)
{
    (void)state;
    hy_bang_bang self;
    assert_true(hy_bang_bang_init(&self, 0.5));
    expect_near(hy_bang_bang_calculate(&self, 1.0, 2.0), 1.0);
    assert_false(hy_bang_bang_at_setpoint(&self));
    expect_near(hy_bang_bang_calculate(&self, 2.0, 2.0), 0.0);
    expect_near(hy_bang_bang_calculate(&self, 2.4, 2.0), 0.0);
    assert_true(hy_bang_bang_at_setpoint(&self));
    expect_near(self.measurement, 2.4);
    for_each_not_finite(bad)
    {
        expect_near(hy_bang_bang_calculate(&self, bad, 2.0), 0.0);
        expect_near(hy_bang_bang_calculate(&self, 0.0, bad), 0.0);
    }
    assert_false(hy_bang_bang_init(&self, -1.0));
    assert_false(hy_bang_bang_init(&self, (double)NAN));
}

// --------------------------------------------------------------------------- filters

static void any_linear_filter(void **state)
{
    (void)state;
    const double forward[2] = { 0.5, 0.25 }, back[1] = { -0.5 };
    double memory[HY_LINEAR_FILTER_MEMORY(2, 1)];
    hy_linear_filter self;
    const hy_filter_gains gains = { forward, back, 2, 1 };
    assert_true(hy_linear_filter_init(&self, gains, memory, 6));
    expect_near(hy_linear_filter_calculate(&self, 4.0), 2.0);
    expect_near(hy_linear_filter_calculate(&self, 0.0), 0.25 * 4.0 + 0.5 * 2.0);
    expect_near(hy_linear_filter_calculate(&self, (double)NAN), 2.0); // as if it had not come
    expect_near(hy_linear_filter_calculate(&self, 0.0), 1.0);
    expect_near(self.output, 1.0);
    hy_linear_filter_reset(&self);
    expect_near(self.output, 0.0);
    expect_near(hy_linear_filter_calculate(&self, 0.0), 0.0);
    assert_false(hy_linear_filter_init(&self, gains, memory, 5));
    assert_false(hy_linear_filter_init(&self, (hy_filter_gains){ forward, back, 0, 0 }, memory, 6));
    const double bad[1] = { (double)INFINITY };
    assert_false(hy_linear_filter_init(&self, (hy_filter_gains){ bad, back, 1, 1 }, memory, 6));
}

static void an_unstable_filter_never_gives_what_is_no_number(void **state)
{
    (void)state;
    const double forward[1] = { 1.0 }, back[1] = { -1e300 };
    double memory[HY_LINEAR_FILTER_MEMORY(1, 1)];
    hy_linear_filter self;
    hy_linear_filter_init(&self, (hy_filter_gains){ forward, back, 1, 1 }, memory, 4);
    for (int i = 0; i < 100; i++) {
        assert_true(isfinite(hy_linear_filter_calculate(&self, 1e300)));
    }
}

static void known_linear_filters(void **state)
{
    (void)state;
    double memory[16];
    hy_linear_filter self;
    // A step, one time constant later: 1 - 1/e of it has come through the low pass, 1/e through the
    // high pass.
    assert_true(hy_linear_filter_single_pole(&self, 0.5, 0.1, memory, 4));
    for (int i = 0; i < 5; i++) {
        hy_linear_filter_calculate(&self, 1.0);
    }
    expect_near(self.output, 1.0 - exp(-1.0));
    assert_true(hy_linear_filter_high_pass(&self, 0.5, 0.1, memory, 6));
    for (int i = 0; i < 5; i++) {
        hy_linear_filter_calculate(&self, 1.0);
    }
    expect_near(self.output, exp(-1.0));
    assert_true(hy_linear_filter_moving_average(&self, 4, memory, 8));
    const double inputs[] = { 4, 8, 12, 16, 20 }, means[] = { 1, 3, 6, 10, 14 };
    for (int i = 0; i < 5; i++) {
        expect_near(hy_linear_filter_calculate(&self, inputs[i]), means[i]);
    }
    assert_false(hy_linear_filter_single_pole(&self, 0.0, 0.1, memory, 4));
    assert_false(hy_linear_filter_single_pole(&self, 0.5, 0.1, memory, 3));
    assert_false(hy_linear_filter_high_pass(&self, 0.5, (double)NAN, memory, 6));
    assert_false(hy_linear_filter_moving_average(&self, 0, memory, 16));
    assert_false(hy_linear_filter_moving_average(&self, 9, memory, 16));
}

static void a_median_leaves_no_trace_of_wild_readings(void **state)
{
    (void)state;
    double memory[HY_MEDIAN_FILTER_MEMORY(3)];
    hy_median_filter self;
    assert_true(hy_median_filter_init(&self, 3, memory, 6));
    expect_near(hy_median_filter_calculate(&self, 5.0), 5.0);
    expect_near(hy_median_filter_calculate(&self, 7.0), 6.0);
    expect_near(hy_median_filter_calculate(&self, 999.0), 7.0);
    expect_near(hy_median_filter_calculate(&self, (double)NAN), 7.0);
    expect_near(hy_median_filter_calculate(&self, 1.0), 7.0); // 7 999 1
    expect_near(hy_median_filter_calculate(&self, 2.0), 2.0); // 999 1 2
    expect_near(hy_median_filter_calculate(&self, 2.0), 2.0); // 1 2 2
    expect_near(self.output, 2.0);
    hy_median_filter_reset(&self);
    expect_near(hy_median_filter_calculate(&self, -3.0), -3.0);
    assert_false(hy_median_filter_init(&self, 0, memory, 6));
    assert_false(hy_median_filter_init(&self, 4, memory, 6));
}

static void slew_is_limited_both_ways(void **state)
{
    (void)state;
    hy_slew_limiter self;
    assert_true(hy_slew_limiter_init(&self, 2.0, -4.0, 1.0, 1000000));
    expect_near(hy_slew_limiter_calculate(&self, 9.0, 1500000), 2.0);
    expect_near(hy_slew_limiter_calculate(&self, -9.0, 2000000), 0.0);
    expect_near(hy_slew_limiter_calculate(&self, 0.1, 2100000), 0.1);
    expect_near(hy_slew_limiter_calculate(&self, 9.0, 2000000), 0.1); // the clock went backwards
    expect_near(hy_slew_limiter_calculate(&self, (double)NAN, 2010000), 0.06); // towards a stop
    assert_true(hy_slew_limiter_reset(&self, 5.0, 3000000));
    expect_near(self.output, 5.0);
    expect_near(hy_slew_limiter_calculate(&self, 9.0, 3250000), 5.5);
    assert_false(hy_slew_limiter_reset(&self, (double)NAN, 0));
    assert_false(hy_slew_limiter_init(&self, -1.0, -1.0, 0.0, 0));
    assert_false(hy_slew_limiter_init(&self, 1.0, 1.0, 0.0, 0));
    assert_false(hy_slew_limiter_init(&self, (double)INFINITY, -1.0, 0.0, 0));
    assert_false(hy_slew_limiter_init(&self, 1.0, -1.0, (double)NAN, 0));
}

static void a_bouncing_signal(void **state)
{
    (void)state;
    hy_debouncer self;
    hy_debouncer_init(&self, 100, HY_DEBOUNCE_RISING, 0);
    assert_false(hy_debouncer_calculate(&self, true, 50));
    assert_false(hy_debouncer_calculate(&self, false, 90));
    assert_false(hy_debouncer_calculate(&self, true, 189));
    assert_true(hy_debouncer_calculate(&self, true, 190));
    assert_false(hy_debouncer_calculate(&self, false, 191)); // falls at once
    hy_debouncer_init(&self, 100, HY_DEBOUNCE_FALLING, 0);
    assert_true(hy_debouncer_calculate(&self, false, 99));
    assert_false(hy_debouncer_calculate(&self, false, 100));
    assert_true(hy_debouncer_calculate(&self, true, 101)); // rises at once
    hy_debouncer_init(&self, 100, HY_DEBOUNCE_BOTH, 0);
    assert_true(hy_debouncer_calculate(&self, true, 100));
    assert_true(hy_debouncer_calculate(&self, false, 150));
    assert_true(hy_debouncer_calculate(&self, true, 160));
    assert_true(hy_debouncer_calculate(&self, false, 259));
    assert_false(hy_debouncer_calculate(&self, false, 260));
    hy_debouncer_init(&self, -5, HY_DEBOUNCE_RISING, 0);
    assert_true(hy_debouncer_calculate(&self, true, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deadband_stretches_the_rest),
        cmocka_unit_test(modulus_brings_back_into_range),
        cmocka_unit_test(squares_keep_their_sign),
        cmocka_unit_test(a_trapezoid_at_its_corners),
        cmocka_unit_test(a_triangle_backwards),
        cmocka_unit_test(a_start_that_is_too_fast_slows_down),
        cmocka_unit_test(a_profile_of_nonsense_stands),
        cmocka_unit_test(a_profiled_pid_moves_its_setpoint),
        cmocka_unit_test(a_profiled_pid_goes_the_short_way),
        cmocka_unit_test(a_profiled_pid_refuses_nonsense),
        cmocka_unit_test(feed_forward_is_what_the_model_needs),
        cmocka_unit_test(the_two_speed_form_gets_there_in_one_period),
        cmocka_unit_test(the_two_speed_form_is_exact_for_every_motor),
        cmocka_unit_test(feed_forward_refuses_nonsense),
        cmocka_unit_test(bang_bang_is_on_below),
        cmocka_unit_test(any_linear_filter),
        cmocka_unit_test(an_unstable_filter_never_gives_what_is_no_number),
        cmocka_unit_test(known_linear_filters),
        cmocka_unit_test(a_median_leaves_no_trace_of_wild_readings),
        cmocka_unit_test(slew_is_limited_both_ways),
        cmocka_unit_test(a_bouncing_signal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
