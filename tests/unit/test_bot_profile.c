// Profiles between any two states, by their definition: no jump, within the limits, at the goal exactly, and no later than
// the fastest way there is.
#include "bot_checks.h"

#include "environment.h"

enum { PROFILES = 100000, SAMPLES = 40 };

static hy_trapezoid_profile planned(hy_profile_constraints limits, hy_profile_state from,
                                    hy_profile_state to)
{
    hy_trapezoid_profile self;
    assert_true(hy_trapezoid_profile_plan(&self, limits, from, to));
    return self;
}

/// No further from `last` than `dt_s` allows.
static void expect_step(const hy_trapezoid_profile *self, hy_profile_state last,
                        hy_profile_state now, double dt_s, double place, double speed)
{
    const double a = self->constraints.max_acceleration;
    expect_within(now.velocity, last.velocity, a * dt_s + speed);
    expect_within(now.position - last.position, (last.velocity + now.velocity) / 2.0 * dt_s,
                  a * dt_s * dt_s / 2.0 + place);
    // A start that is too fast slows down, and nothing gets faster than allowed.
    assert_true(fabs(now.velocity) <=
                fmax(self->constraints.max_velocity, fabs(last.velocity) - 0.999 * a * dt_s) + speed);
}

static void expect_profile(const hy_trapezoid_profile *self, hy_profile_state from,
                           hy_profile_state to)
{
    const hy_profile_constraints limits = self->constraints;
    const double a = limits.max_acceleration, top = limits.max_velocity + fabs(from.velocity);
    const double speed = 1e-12 * (top + a * self->total_s);
    const double place =
        1e-12 * (fabs(from.position) + fabs(to.position) + top * top / a + top * self->total_s);
    hy_profile_state last = hy_trapezoid_profile_at(self, 0.0);
    expect_within(last.position, from.position, place);
    expect_within(last.velocity, from.velocity, speed);
    double last_s = 0.0;
    for (int i = 1; i <= SAMPLES; i++) {
        const double t_s = self->total_s * (i == SAMPLES ? 1.0 : (double)i / SAMPLES);
        const hy_profile_state now = hy_trapezoid_profile_at(self, t_s);
        expect_step(self, last, now, t_s - last_s, place, speed);
        last = now;
        last_s = t_s;
    }
    assert_true(last.position == to.position && last.velocity == to.velocity);
    const double corners_s[3] = { self->end_acceleration_s, self->end_full_speed_s, self->total_s };
    for (int i = 0; i < 3; i++) {
        const double dt_s = 1e-9 * (1.0 + self->total_s);
        expect_step(self, hy_trapezoid_profile_at(self, corners_s[i] - dt_s),
                    hy_trapezoid_profile_at(self, corners_s[i] + dt_s), 2.0 * dt_s,
                    place + 2.0 * top * dt_s, speed);
    }
    const hy_profile_state after = hy_trapezoid_profile_at(self, self->total_s * 1.5 + 1.0);
    assert_true(after.position == to.position && after.velocity == to.velocity);
}

/// The shortest of all ways that speed up or slow down to some speed, keep it, and then change to the last: the fastest way
/// is one of those (Pontryagin). Infinite if none arrives. For a start within the limits.
static double fastest_s(hy_profile_constraints limits, hy_profile_state from, hy_profile_state to)
{
    const double a = limits.max_acceleration, way = to.position - from.position;
    const double v0 = from.velocity, v1 = to.velocity;
    const double slack = 1e-9 * (1.0 + limits.max_velocity);
    double best = INFINITY;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double square = (v0 * v0 + v1 * v1) / 2.0 + sign * a * way;
        const double peaks[4] = { sqrt(fmax(square, 0.0)), -sqrt(fmax(square, 0.0)),
                                  sign * limits.max_velocity, v0 };
        for (int i = 0; i < 4; i++) {
            const double peak = peaks[i];
            const double first_s = sign * (peak - v0) / a, last_s = sign * (peak - v1) / a;
            const double left = way - (peak + v0) / 2.0 * first_s - (peak + v1) / 2.0 * last_s;
            const bool arrives = fabs(left) <= slack * slack;
            const double full_s = arrives ? 0.0 : left / peak;
            if (fabs(peak) <= limits.max_velocity + slack && first_s * a >= -slack &&
                last_s * a >= -slack && full_s >= 0.0) {
                best = fmin(best, first_s + full_s + last_s);
            }
        }
    }
    return best;
}

static double drawn(hy_random *random, double limit)
{
    const double share = 2.0 * hy_random_unit(random) - 1.0;
    switch (hy_random_below(random, 6)) {
    case 0: return 0.0;
    case 1: return share < 0.0 ? -limit : limit;
    default: return share * limit;
    }
}

/// A long, a middling or a short one: many goals are too near for their speeds.
static double drawn_way(hy_random *random)
{
    static const double longest[4] = { 100.0, 3.0, 0.1, 1e-4 };
    return drawn(random, longest[hy_random_below(random, 4)]);
}

static void any_state_is_reached_the_fastest_way(void **state)
{
    (void)state;
    const uint64_t seed = number_from_environment("HY_SEED", 1);
    print_message("HY_SEED=%llu repeats this\n", (unsigned long long)seed);
    hy_random random = hy_random_seeded(seed);
    int backwards = 0;
    for (int i = 0; i < PROFILES; i++) {
        const hy_profile_constraints limits = { 0.05 + 5.0 * hy_random_unit(&random),
                                                0.05 + 5.0 * hy_random_unit(&random) };
        const hy_profile_state from = { drawn(&random, 10.0), drawn(&random, limits.max_velocity) };
        const hy_profile_state to = { from.position + drawn_way(&random),
                                      drawn(&random, limits.max_velocity) };
        const hy_trapezoid_profile self = planned(limits, from, to);
        expect_profile(&self, from, to);
        const double best = fastest_s(limits, from, to);
        assert_true(self.total_s <= best * (1.0 + 1e-6) + 1e-6);
        backwards += (to.position - from.position) * self.direction < 0.0;
    }
    assert_true(backwards > PROFILES / 10);
}

static void a_start_that_is_too_fast_slows_down(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(2);
    for (int i = 0; i < PROFILES; i++) {
        const hy_profile_constraints limits = { 0.05 + 5.0 * hy_random_unit(&random),
                                                0.05 + 5.0 * hy_random_unit(&random) };
        const double over = (1.0 + 3.0 * hy_random_unit(&random)) * limits.max_velocity;
        const hy_profile_state from = { drawn(&random, 10.0), i % 2 == 0 ? over : -over };
        const hy_profile_state to = { drawn(&random, 30.0), drawn(&random, limits.max_velocity) };
        const hy_trapezoid_profile self = planned(limits, from, to);
        expect_profile(&self, from, to);
        const double slow_s = (over - limits.max_velocity) / limits.max_acceleration;
        const double top = i % 2 == 0 ? limits.max_velocity : -limits.max_velocity;
        const hy_profile_state slow = { from.position + (from.velocity + top) / 2.0 * slow_s, top };
        assert_true(self.total_s <= (slow_s + fastest_s(limits, slow, to)) * (1.0 + 1e-6) + 1e-6);
    }
}

static void a_goal_that_is_near_is_reached_from_behind(void **state)
{
    (void)state;
    // From rest to 1 cm ahead at 2 m/s: back by 49 cm, and 1 m ahead from there in a second and a half.
    const hy_profile_state rest = { 0.0, 0.0 }, goal = { 0.01, 2.0 };
    const hy_trapezoid_profile self = planned((hy_profile_constraints){ 2.0, 4.0 }, rest, goal);
    expect_profile(&self, rest, goal);
    double lowest = 0.0;
    for (int i = 0; i <= 1000; i++) {
        lowest = fmin(lowest, hy_trapezoid_profile_at(&self, self.total_s * i / 1000).position);
    }
    expect_within(lowest, 0.01 - 0.5, 1e-5);
    expect_near(self.total_s, 2.0 * sqrt(0.49 / 4.0) + 0.5);
    // Too fast to stop at the goal: past it, and back.
    const hy_profile_state fast = { 0.0, 2.0 }, near = { 0.1, 0.0 };
    const hy_trapezoid_profile back = planned((hy_profile_constraints){ 2.0, 4.0 }, fast, near);
    expect_profile(&back, fast, near);
    expect_near(hy_trapezoid_profile_at(&back, 0.5).position, 0.5);
    // There already, and there already at the speed that is wanted.
    expect_near(planned((hy_profile_constraints){ 2.0, 4.0 }, near, near).total_s, 0.0);
    expect_near(planned((hy_profile_constraints){ 2.0, 4.0 }, goal, goal).total_s, 0.0);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    const hy_profile_state rest = { 1.0, 0.0 };
    const hy_profile_constraints good = { 1.0, 1.0 },
                                 bad[] = { { -1.0, 1.0 },        { 1.0, -1.0 },
                                           { 0.0, 1.0 },         { 1.0, 0.0 },
                                           { (double)NAN, 1.0 }, { 1.0, (double)INFINITY } };
    hy_trapezoid_profile self;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(hy_trapezoid_profile_plan(&self, bad[i], rest, (hy_profile_state){ 2.0, 0.0 }));
        expect_near(hy_trapezoid_profile_at(&self, 1.0).position, 2.0);
    }
    for (int side = -1; side <= 1; side += 2) { // a goal that is faster than allowed
        const hy_profile_state fast = { 5.0, side * 1.0001 };
        assert_false(hy_trapezoid_profile_plan(&self, good, rest, fast));
        const hy_profile_state there = hy_trapezoid_profile_at(&self, 1.0);
        expect_near(there.position, 5.0);
        expect_near(there.velocity, 0.0);
    }
    // A time, or a place on the way, that is no number.
    const hy_profile_state far = { 1e308, 0.0 }, behind = { -1e308, 0.0 }, mad = { 0.0, 1e200 };
    assert_false(hy_trapezoid_profile_plan(&self, good, behind, far));
    assert_false(hy_trapezoid_profile_plan(&self, good, mad, rest));
    assert_false(hy_trapezoid_profile_plan(&self, (hy_profile_constraints){ 1e-300, 1e300 }, rest,
                                           (hy_profile_state){ 1e100, 0.0 }));
}

// A controller plans anew every period, from where rounding has left its setpoint: that must not make it turn back.
static void planning_anew_changes_nothing(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(4);
    for (int i = 0; i < 3000; i++) {
        const hy_profile_constraints limits = { 0.2 + 5.0 * hy_random_unit(&random),
                                                0.2 + 5.0 * hy_random_unit(&random) };
        const hy_profile_state from = { drawn(&random, 10.0), drawn(&random, limits.max_velocity) };
        const hy_profile_state to = { from.position + drawn_way(&random),
                                      drawn(&random, limits.max_velocity) };
        const hy_trapezoid_profile whole = planned(limits, from, to);
        const double period_s = 0.02;
        hy_profile_state now = from;
        for (int k = 1; k * period_s < whole.total_s + 0.1; k++) {
            const hy_trapezoid_profile rest = planned(limits, now, to);
            now = hy_trapezoid_profile_at(&rest, period_s);
            const hy_profile_state wanted = hy_trapezoid_profile_at(&whole, k * period_s);
            expect_within(now.position, wanted.position, 1e-8);
            expect_within(now.velocity, wanted.velocity, 1e-6);
        }
        assert_true(now.position == to.position && now.velocity == to.velocity);
    }
}

/// Its setpoint neither jumps nor gets faster, round a circle or not, whatever is asked of it.
static void a_profiled_pid_never_jumps(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(5);
    for (int i = 0; i < 2000; i++) {
        hy_profile_constraints limits = { 3.0, 4.0 };
        const double period_s = 0.02;
        hy_profiled_pid self;
        assert_true(hy_profiled_pid_init(&self, (hy_pid_gains){ 2.0, 0.0, 0.0 }, limits, period_s));
        if (i % 2 == 0) {
            hy_pid_set_continuous(&self.pid, -HY_PI, HY_PI);
        }
        assert_true(hy_profiled_pid_reset(&self, (hy_profile_state){ drawn(&random, 3.0), 0.0 }));
        double measured = self.setpoint.position;
        for (int k = 0; k < 300; k++) {
            if (k < 200 && hy_random_below(&random, 20) == 0) {
                const double speed = drawn(&random, limits.max_velocity);
                assert_true(hy_profiled_pid_set_goal(
                    &self, (hy_profile_state){ drawn(&random, HY_PI), k < 150 ? speed : 0.0 }));
            }
            if (k < 200 && hy_random_below(&random, 20) == 0) {
                limits.max_velocity = 0.5 + 3.0 * hy_random_unit(&random);
                assert_true(hy_profiled_pid_set_constraints(&self, limits));
            }
            const hy_profile_state last = self.setpoint;
            hy_profiled_pid_calculate(&self, measured);
            const hy_profile_state now = self.setpoint;
            expect_within(now.velocity, last.velocity, limits.max_acceleration * period_s + 1e-9);
            double way = now.position - last.position;
            way = self.pid.continuous ? hy_input_modulus(way, -HY_PI, HY_PI) : way;
            const double arrived = now.position == self.goal.position ? fabs(now.velocity) : 0.0;
            expect_within(way, (last.velocity + now.velocity) / 2.0 * period_s,
                          (limits.max_acceleration * period_s + arrived) * period_s);
            measured += 0.3 * (self.setpoint.position - measured);
        }
    }
}

static void a_profiled_pid_refuses_a_goal_that_is_too_fast(void **state)
{
    (void)state;
    hy_profiled_pid self;
    const hy_pid_gains gains = { 1.0, 0.0, 0.0 };
    assert_true(hy_profiled_pid_init(&self, gains, (hy_profile_constraints){ 2.0, 4.0 }, 0.02));
    assert_false(hy_profiled_pid_set_goal(&self, (hy_profile_state){ 1.0, 2.1 }));
    assert_false(hy_profiled_pid_set_goal(&self, (hy_profile_state){ 1.0, -2.1 }));
    expect_near(self.goal.position, 0.0);
    assert_true(hy_profiled_pid_set_goal(&self, (hy_profile_state){ 1.0, -2.0 }));
    assert_true(hy_profiled_pid_set_constraints(&self, (hy_profile_constraints){ 1.5, 4.0 }));
    expect_near(self.goal.velocity, -1.5); // as fast as is allowed now
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_state_is_reached_the_fastest_way),
        cmocka_unit_test(a_start_that_is_too_fast_slows_down),
        cmocka_unit_test(a_goal_that_is_near_is_reached_from_behind),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(planning_anew_changes_nothing),
        cmocka_unit_test(a_profiled_pid_never_jumps),
        cmocka_unit_test(a_profiled_pid_refuses_a_goal_that_is_too_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
