// The PID controller against its definition, and what it has beyond WPILib's: feed-forward, limits,
// anti-windup, deadband.
#include "bot_checks.h"

static hy_pid pid_of(double p, double i, double d, double period_s)
{
    hy_pid self;
    assert_true(hy_pid_init(&self, (hy_pid_gains){ p, i, d }, period_s));
    return self;
}

static void three_terms(void **state)
{
    (void)state;
    hy_pid self = pid_of(2.0, 0.5, 0.25, 0.1);
    // error 3: P 6, I 0.5 * 0.3, D 0.25 * 30
    expect_near(hy_pid_calculate_to(&self, 1.0, 4.0), 6.0 + 0.15 + 7.5);
    expect_near(self.error, 3.0);
    expect_near(self.error_derivative, 30.0);
    expect_near(self.total_error, 0.3);
    expect_near(self.output, 13.65);
    // error 1: P 2, I 0.5 * 0.4, D 0.25 * -20
    expect_near(hy_pid_calculate(&self, 3.0), 2.0 + 0.2 - 5.0);
    expect_near(self.measurement, 3.0);
    expect_near(self.setpoint, 4.0);
}

static void the_setpoint_counts_at_once(void **state)
{
    (void)state;
    hy_pid self = pid_of(1.0, 0.0, 0.0, 0.02);
    assert_false(hy_pid_at_setpoint(&self));
    assert_true(hy_pid_set_setpoint(&self, 2.0));
    assert_false(hy_pid_at_setpoint(&self)); // nothing measured yet
    expect_near(hy_pid_calculate(&self, 2.01), -0.01);
    assert_true(hy_pid_at_setpoint(&self));
    assert_true(hy_pid_set_setpoint(&self, 3.0));
    expect_near(self.error, 0.99);
    assert_false(hy_pid_at_setpoint(&self));
}

static void the_tolerance_has_two_sides(void **state)
{
    (void)state;
    hy_pid self = pid_of(1.0, 0.0, 0.0, 0.1);
    assert_true(hy_pid_set_tolerance(&self, 0.5, 1.0));
    hy_pid_calculate_to(&self, 0.6, 1.0); // error 0.4, but 4 a second
    assert_false(hy_pid_at_setpoint(&self));
    hy_pid_calculate(&self, 0.6);
    assert_true(hy_pid_at_setpoint(&self));
    hy_pid_calculate(&self, 0.5); // not smaller than the tolerance
    assert_false(hy_pid_at_setpoint(&self));
}

static void the_integral_has_limits(void **state)
{
    (void)state;
    hy_pid self = pid_of(0.0, 2.0, 0.0, 1.0);
    for (int i = 0; i < 5; i++) {
        hy_pid_calculate_to(&self, 0.0, 1.0);
    }
    expect_near(self.output, 1.0); // WPILib's default: at most 1 of output
    assert_true(hy_pid_set_integrator_range(&self, -3.0, 4.0));
    for (int i = 0; i < 9; i++) {
        hy_pid_calculate(&self, 0.0);
    }
    expect_near(self.output, 4.0);
    for (int i = 0; i < 9; i++) {
        hy_pid_calculate(&self, 9.0);
    }
    expect_near(self.output, -3.0);
}

static void beyond_the_zone_the_integral_is_0(void **state)
{
    (void)state;
    hy_pid self = pid_of(0.0, 1.0, 0.0, 1.0);
    assert_true(hy_pid_set_integrator_range(&self, -100.0, 100.0));
    assert_true(hy_pid_set_i_zone(&self, 2.0));
    expect_near(hy_pid_calculate_to(&self, 0.0, 2.0), 2.0);
    expect_near(hy_pid_calculate_to(&self, 0.0, 2.1), 0.0);
    expect_near(hy_pid_calculate_to(&self, 0.0, 1.0), 1.0);
}

static void a_circle_is_gone_round_the_short_way(void **state)
{
    (void)state;
    hy_pid self = pid_of(1.0, 0.0, 0.0, 0.02);
    assert_true(hy_pid_set_continuous(&self, -180.0, 180.0));
    expect_near(hy_pid_calculate_to(&self, 170.0, -170.0), 20.0);
    expect_near(hy_pid_calculate_to(&self, -170.0, 170.0), -20.0);
    hy_pid_clear_continuous(&self);
    expect_near(hy_pid_calculate_to(&self, 170.0, -170.0), -340.0);
}

static void feed_forward_needs_no_error(void **state)
{
    (void)state;
    hy_pid self = pid_of(1.0, 0.0, 0.0, 0.02);
    assert_true(hy_pid_set_feed_forward(&self, 0.3));
    expect_near(hy_pid_calculate_to(&self, 2.0, 2.0), 0.6);
    expect_near(hy_pid_calculate_to(&self, 1.5, 2.0), 1.1);
}

static void the_output_has_limits(void **state)
{
    (void)state;
    hy_pid self = pid_of(2.0, 0.0, 0.0, 0.02);
    assert_true(hy_pid_set_output_range(&self, -0.5, 1.0, false));
    expect_near(hy_pid_calculate_to(&self, 0.0, 3.0), 1.0);
    expect_near(hy_pid_calculate_to(&self, 0.0, -3.0), -0.5);
    expect_near(hy_pid_calculate_to(&self, 0.0, 0.25), 0.5);
}

/// Pushes against a limit for a while, and then counts how long the output stays there once the
/// error has turned around.
static int steps_until_it_lets_go(bool anti_windup)
{
    hy_pid self = pid_of(0.5, 1.0, 0.0, 0.1);
    hy_pid_set_integrator_range(&self, -50.0, 50.0);
    hy_pid_set_output_range(&self, -1.0, 1.0, anti_windup);
    for (int i = 0; i < 100; i++) {
        hy_pid_calculate_to(&self, 0.0, 3.0);
    }
    int steps = 0;
    while (hy_pid_calculate_to(&self, 0.0, -1.0) >= 1.0 && steps < 1000) {
        steps++;
    }
    return steps;
}

static void anti_windup_lets_go_at_once(void **state)
{
    (void)state;
    assert_true(steps_until_it_lets_go(false) > 100);
    assert_int_equal(steps_until_it_lets_go(true), 0);
}

static void anti_windup_still_lets_the_integral_shrink(void **state)
{
    (void)state;
    hy_pid self = pid_of(0.0, 1.0, 0.0, 1.0);
    hy_pid_set_integrator_range(&self, -50.0, 50.0);
    hy_pid_calculate_to(&self, 0.0, 5.0);
    hy_pid_set_output_range(&self, -1.0, 1.0, true);
    hy_pid_calculate_to(&self, 0.0, 5.0);
    expect_near(self.total_error, 5.0); // pushes against the limit: stays
    hy_pid_calculate_to(&self, 0.0, -2.0);
    expect_near(self.total_error, 3.0); // pulls away from it: shrinks
    hy_pid_set_i_zone(&self, 1.0);
    hy_pid_calculate_to(&self, 0.0, -2.0);
    expect_near(self.total_error, 0.0);
}

static void small_errors_do_not_move_the_motor(void **state)
{
    (void)state;
    hy_pid self = pid_of(1.0, 1.0, 1.0, 0.1);
    assert_true(hy_pid_set_deadband(&self, 0.2));
    expect_near(hy_pid_calculate_to(&self, 0.0, 0.19), 0.0);
    expect_near(self.total_error, 0.0);
    assert_true(hy_pid_calculate_to(&self, 0.0, 0.2) > 0.2);
    assert_true(hy_pid_set_feed_forward(&self, 0.5));
    expect_near(hy_pid_calculate_to(&self, 0.9, 1.0), 0.5);
}

static void reset_forgets_all_but_settings(void **state)
{
    (void)state;
    hy_pid self = pid_of(1.0, 1.0, 1.0, 0.1);
    hy_pid_calculate_to(&self, 0.0, 1.0);
    hy_pid_reset(&self);
    expect_near(self.total_error, 0.0);
    expect_near(self.error, 0.0);
    assert_false(hy_pid_at_setpoint(&self));
    expect_near(hy_pid_calculate(&self, 0.0), 1.0 + 0.1 + 10.0);
}

static void gains_can_change(void **state)
{
    (void)state;
    hy_pid self = pid_of(1.0, 0.0, 0.0, 0.1);
    assert_true(hy_pid_set_gains(&self, (hy_pid_gains){ 3.0, 0.0, 0.0 }));
    expect_near(hy_pid_calculate_to(&self, 0.0, 1.0), 3.0);
    assert_false(hy_pid_set_gains(&self, (hy_pid_gains){ -3.0, 0.0, 0.0 }));
    expect_near(hy_pid_calculate_to(&self, 0.0, 1.0), 3.0);
}

static void one_with_nothing_set_does_nothing(void **state)
{
    (void)state;
    hy_pid self = { 0 };
    assert_false(hy_pid_set_setpoint(&self, 1.0));
    expect_near(hy_pid_calculate_to(&self, 0.0, 1.0), 0.0);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    hy_pid self = pid_of(1.0, 1.0, 1.0, 0.1), untouched = self;
    assert_false(hy_pid_init(&self, (hy_pid_gains){ 1, 1, 1 }, 0.0));
    assert_false(hy_pid_init(&self, (hy_pid_gains){ 1, 1, -1 }, 0.1));
    assert_false(hy_pid_set_i_zone(&self, -1.0));
    assert_false(hy_pid_set_i_zone(&self, (double)NAN));
    assert_false(hy_pid_set_integrator_range(&self, 1.0, -1.0));
    assert_false(hy_pid_set_output_range(&self, 1.0, -1.0, true));
    assert_false(hy_pid_set_output_range(&self, (double)NAN, 1.0, true));
    assert_false(hy_pid_set_output_range(&self, (double)INFINITY, (double)INFINITY, true));
    assert_false(hy_pid_set_output_range(&self, -(double)INFINITY, -(double)INFINITY, true));
    assert_false(hy_pid_set_deadband(&self, -1.0));
    assert_false(hy_pid_set_continuous(&self, 1.0, 1.0));
    assert_false(hy_pid_set_tolerance(&self, -1.0, 1.0));
    assert_false(hy_pid_set_tolerance(&self, 1.0, (double)NAN));
    for_each_not_finite(bad)
    {
        assert_false(hy_pid_init(&self, (hy_pid_gains){ bad, 1, 1 }, 0.1));
        assert_false(hy_pid_init(&self, (hy_pid_gains){ 1, 1, 1 }, bad));
        assert_false(hy_pid_set_gains(&self, (hy_pid_gains){ 1, bad, 1 }));
        assert_false(hy_pid_set_feed_forward(&self, bad));
        assert_false(hy_pid_set_integrator_range(&self, bad, bad));
        assert_false(hy_pid_set_deadband(&self, bad));
        assert_false(hy_pid_set_continuous(&self, -1.0, bad));
        assert_false(hy_pid_set_setpoint(&self, bad));
        expect_near(hy_pid_calculate(&self, bad), 0.0);
        expect_near(hy_pid_calculate_to(&self, 0.0, bad), 0.0);
    }
    assert_memory_equal(&self, &untouched, sizeof self);
}

static void the_smallest_settings_are_settings(void **state)
{
    (void)state;
    hy_pid self;
    assert_true(hy_pid_init(&self, (hy_pid_gains){ 1.0, 0.05, 0.0 }, 0.1));
    assert_true(hy_pid_set_i_zone(&self, 0.0) && hy_pid_set_i_zone(&self, 0.05));
    assert_false(hy_pid_set_i_zone(&self, -0.05));
    assert_true(hy_pid_set_deadband(&self, 0.0) && hy_pid_set_deadband(&self, 0.05));
    assert_false(hy_pid_set_deadband(&self, -0.05));
    assert_true(hy_pid_set_tolerance(&self, 0.0, 0.0) && hy_pid_set_tolerance(&self, 0.05, 0.05));
    assert_false(hy_pid_set_tolerance(&self, -0.05, 1.0));
    assert_false(hy_pid_set_tolerance(&self, 1.0, -0.05));
    assert_true(hy_pid_set_integrator_range(&self, 0.5, 0.5));
    assert_false(hy_pid_set_integrator_range(&self, 0.5, 0.4));
    assert_true(hy_pid_set_output_range(&self, 0.5, 0.5, false));
    expect_near(hy_pid_calculate_to(&self, 0.0, 9.0), 0.5);
    for_each_not_finite(bad)
    {
        assert_false(hy_pid_set_integrator_range(&self, bad, 1.0));
        assert_false(hy_pid_set_integrator_range(&self, -1.0, bad));
    }
}

static void within_the_deadband_the_feed_forward_is_left(void **state)
{
    (void)state;
    hy_pid self;
    assert_true(hy_pid_init(&self, (hy_pid_gains){ 3.0, 0.0, 0.0 }, 0.02));
    assert_true(hy_pid_set_feed_forward(&self, 0.25) && hy_pid_set_deadband(&self, 0.1));
    expect_near(hy_pid_calculate_to(&self, 3.95, 4.0), 1.0);
    expect_near(hy_pid_calculate_to(&self, 3.8, 4.0), 1.0 + 3.0 * 0.2);
}

static void a_small_integral_gain_integrates(void **state)
{
    (void)state;
    hy_pid self;
    assert_true(hy_pid_init(&self, (hy_pid_gains){ 0.0, 0.05, 0.0 }, 0.5));
    hy_pid_calculate_to(&self, 0.0, 2.0);
    expect_near(hy_pid_calculate_to(&self, 0.0, 2.0), 0.05 * 2.0);
    for (int i = 0; i < 100; i++) { // to its limit, by default +-1 of output
        hy_pid_calculate_to(&self, 0.0, 2.0);
    }
    expect_near(self.output, 1.0);
    for (int i = 0; i < 100; i++) {
        hy_pid_calculate_to(&self, 0.0, -2.0);
    }
    expect_near(self.output, -1.0);
    // The zone has its edge inside.
    hy_pid_reset(&self);
    assert_true(hy_pid_set_i_zone(&self, 2.0));
    expect_near(hy_pid_calculate_to(&self, 0.0, 2.0), 0.05);
    expect_near(hy_pid_calculate_to(&self, 0.0, 2.5), 0.0);
}

static void the_default_tolerance_is_wpilibs(void **state)
{
    (void)state;
    hy_pid self;
    assert_true(hy_pid_init(&self, (hy_pid_gains){ 1.0, 0.0, 0.0 }, 0.02));
    hy_pid_calculate_to(&self, 1.0, 1.0);
    hy_pid_calculate_to(&self, 1.0, 1.04);
    assert_true(hy_pid_at_setpoint(&self));
    hy_pid_calculate_to(&self, 1.0, 1.06);
    assert_false(hy_pid_at_setpoint(&self));
    // Both must be smaller than their tolerance, not as large.
    assert_true(hy_pid_set_tolerance(&self, 1.0, 25.0));
    hy_pid_calculate_to(&self, 0.5, 0.5);
    hy_pid_calculate_to(&self, 0.5, 1.0); // 0.5 more in 0.02 s: 25 a second
    expect_near(self.error_derivative, 25.0);
    assert_false(hy_pid_at_setpoint(&self));
}

static void any_circle_is_gone_round_the_short_way(void **state)
{
    (void)state;
    hy_pid self;
    assert_true(hy_pid_init(&self, (hy_pid_gains){ 1.0, 0.0, 0.0 }, 0.02));
    assert_true(hy_pid_set_continuous(&self, 100.0, 460.0));
    expect_near(hy_pid_calculate_to(&self, 450.0, 110.0), 20.0);
    assert_true(hy_pid_set_continuous(&self, 0.0, 10.0));
    expect_near(hy_pid_calculate_to(&self, 9.0, 2.0), 3.0);
    assert_true(hy_pid_set_continuous(&self, 0.0, 20.0));
    expect_near(hy_pid_calculate_to(&self, 9.0, 2.0), -7.0);
}

static void windup_is_held_on_both_sides(void **state)
{
    (void)state;
    for (double side = -1.0; side <= 1.0; side += 2.0) {
        hy_pid self;
        assert_true(hy_pid_init(&self, (hy_pid_gains){ 1.0, 1.0, 0.0 }, 0.1));
        assert_true(hy_pid_set_output_range(&self, -0.5, 0.5, true));
        for (int i = 0; i < 50; i++) {
            hy_pid_calculate_to(&self, 0.0, 2.0 * side);
        }
        expect_near(self.total_error, 0.0); // at its limit from the first moment on
        expect_near(self.output, 0.5 * side);
        hy_pid_calculate_to(&self, 0.0, 0.1 * side); // and free at once
        expect_near(self.total_error, 0.01 * side);
    }
}

static void a_reset_leaves_nothing_to_see(void **state)
{
    (void)state;
    hy_pid self;
    assert_true(hy_pid_init(&self, (hy_pid_gains){ 1.0, 1.0, 1.0 }, 0.1));
    hy_pid_calculate_to(&self, 0.0, 1.0);
    hy_pid_calculate_to(&self, 0.2, 1.0);
    hy_pid_reset(&self);
    expect_near(self.error, 0.0);
    expect_near(self.total_error, 0.0);
    expect_near(self.error_derivative, 0.0);
    expect_near(self.output, 0.0);
    expect_near(self.setpoint, 1.0);
}

static void ziegler_and_nichols(void **state)
{
    (void)state;
    hy_pid_gains gains = hy_ziegler_nichols_p(10.0, 0.5);
    expect_near(gains.p, 5.0);
    expect_near(gains.i + gains.d, 0.0);
    gains = hy_ziegler_nichols_pi(10.0, 0.5);
    expect_near(gains.p, 4.5);
    expect_near(gains.i, 10.8); // 0.54 Ku / Tu
    expect_near(gains.d, 0.0);
    gains = hy_ziegler_nichols_pid(10.0, 0.5);
    expect_near(gains.p, 6.0);
    expect_near(gains.i, 24.0);  // 1.2 Ku / Tu
    expect_near(gains.d, 0.375); // 0.075 Ku Tu
    for_each_not_finite(bad)
    {
        expect_near(hy_ziegler_nichols_p(bad, 1.0).p, 0.0);
        expect_near(hy_ziegler_nichols_pi(1.0, bad).i, 0.0);
        expect_near(hy_ziegler_nichols_pid(1.0, bad).d, 0.0);
    }
    expect_near(hy_ziegler_nichols_pi(1.0, 0.0).i, 0.0);
    // All three are 0 then; and small numbers are an experiment too.
    const hy_pid_gains none[3] = { hy_ziegler_nichols_p(-1.0, 1.0), hy_ziegler_nichols_pi(1.0, -1.0),
                                   hy_ziegler_nichols_pid(0.0, 1.0) };
    for (size_t i = 0; i < 3; i++) {
        assert_true(none[i].p == 0.0 && none[i].i == 0.0 && none[i].d == 0.0);
    }
    expect_near(hy_ziegler_nichols_pid(0.05, 0.05).p, 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_terms),
        cmocka_unit_test(the_setpoint_counts_at_once),
        cmocka_unit_test(the_tolerance_has_two_sides),
        cmocka_unit_test(the_integral_has_limits),
        cmocka_unit_test(beyond_the_zone_the_integral_is_0),
        cmocka_unit_test(a_circle_is_gone_round_the_short_way),
        cmocka_unit_test(feed_forward_needs_no_error),
        cmocka_unit_test(the_output_has_limits),
        cmocka_unit_test(anti_windup_lets_go_at_once),
        cmocka_unit_test(anti_windup_still_lets_the_integral_shrink),
        cmocka_unit_test(small_errors_do_not_move_the_motor),
        cmocka_unit_test(reset_forgets_all_but_settings),
        cmocka_unit_test(gains_can_change),
        cmocka_unit_test(one_with_nothing_set_does_nothing),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(the_smallest_settings_are_settings),
        cmocka_unit_test(within_the_deadband_the_feed_forward_is_left),
        cmocka_unit_test(a_small_integral_gain_integrates),
        cmocka_unit_test(the_default_tolerance_is_wpilibs),
        cmocka_unit_test(any_circle_is_gone_round_the_short_way),
        cmocka_unit_test(windup_is_held_on_both_sides),
        cmocka_unit_test(a_reset_leaves_nothing_to_see),
        cmocka_unit_test(ziegler_and_nichols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
