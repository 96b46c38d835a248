// Arrivals of states, late by what a busy machine makes of them, and the times that a page is told.
#include "../../src/scene/state_clock.h"

#include "cmocka_all.h"

#include <math.h>

#define STEP_US 10000

/// 0 .. most, the same in every run.
static int64_t roll(uint32_t *seed, int64_t most)
{
    *seed = *seed * 1103515245U + 12345U;
    return (int64_t)((*seed >> 8) % (uint32_t)(most + 1));
}

static void late_states_are_told_whole_steps_apart(void **state)
{
    (void)state;
    hy_state_clock clock = { 0 };
    uint32_t seed = 1;
    double before_us = 0.0, worst_us = 0.0;
    for (int64_t step = 1; step < 2000; step++) {
        const double told_us =
            hy_state_clock_receive(&clock, step * STEP_US + roll(&seed, 2000), STEP_US);
        if (step > 200) {
            worst_us = fmax(worst_us, fabs(told_us - before_us - STEP_US));
        }
        before_us = told_us;
    }
    print_message("arrivals late by up to 2000 us: steps wrong by at most %.0f us\n", worst_us);
    assert_true(worst_us < 0.02 * STEP_US);
}

static void lost_states_leave_whole_steps_out(void **state)
{
    (void)state;
    hy_state_clock clock = { 0 };
    for (int64_t step = 1; step <= 100; step++) {
        const double told_us = hy_state_clock_receive(&clock, step * STEP_US, STEP_US);
        assert_true(fabs(told_us - (double)(step * STEP_US)) < 1.0);
        step += step % 7 == 0 ? 2 : 0;
    }
}

static void two_at_once_are_a_step_apart(void **state)
{
    (void)state;
    hy_state_clock clock = { 0 };
    (void)hy_state_clock_receive(&clock, 100000, STEP_US);
    const double first_us = hy_state_clock_receive(&clock, 120500, STEP_US);
    const double second_us = hy_state_clock_receive(&clock, 120500, STEP_US);
    assert_true(second_us - first_us > 0.9 * STEP_US);
}

static void a_pause_begins_anew_and_time_never_goes_back(void **state)
{
    (void)state;
    hy_state_clock clock = { 0 };
    double before_us = 0.0;
    static const int64_t arrivals_us[] = { 5000000, 5010000, 9000000, 9010000,
                                           3000000, 3010000, 3020000 };
    for (size_t i = 0; i < sizeof arrivals_us / sizeof arrivals_us[0]; i++) {
        const double told_us = hy_state_clock_receive(&clock, arrivals_us[i], STEP_US);
        assert_true(told_us >= before_us);
        before_us = told_us;
        if (arrivals_us[i] == 9000000) {
            assert_true(fabs(told_us - 9000000.0) < 1.0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_states_are_told_whole_steps_apart),
        cmocka_unit_test(lost_states_leave_whole_steps_out),
        cmocka_unit_test(two_at_once_are_a_step_apart),
        cmocka_unit_test(a_pause_begins_anew_and_time_never_goes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
