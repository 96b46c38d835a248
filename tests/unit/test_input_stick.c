// Keys to a stick, with and without key releases.
#include "cmocka_all.h"

#include "input/input.h"

static void feed(hy_key_stick *stick, hy_key_what what, uint32_t key, int64_t now_us)
{
    const hy_key_event event = { .what = what, .key = key };
    hy_key_stick_feed(stick, &event, now_us);
}

static void expect_stick(const hy_key_stick *stick, int64_t now_us, double speed, double turn)
{
    const hy_stick value = hy_key_stick_read(stick, now_us);
    assert_true(value.speed == speed);
    assert_true(value.turn == turn);
}

static void held_keys_count_while_held(void **state)
{
    (void)state;
    hy_key_stick stick = { .releases = true };
    feed(&stick, HY_KEY_PRESS, 'w', 0);
    expect_stick(&stick, 0, 1.0, 0.0);
    feed(&stick, HY_KEY_PRESS, HY_KEY_LEFT, 0);
    expect_stick(&stick, 10000000, 1.0, 1.0); // no end without a release
    feed(&stick, HY_KEY_PRESS, 's', 0);
    expect_stick(&stick, 0, 0.0, 1.0); // both ways: neither
    feed(&stick, HY_KEY_RELEASE, 'w', 0);
    expect_stick(&stick, 0, -1.0, 1.0);
    feed(&stick, HY_KEY_RELEASE, HY_KEY_LEFT, 0);
    feed(&stick, HY_KEY_RELEASE, 's', 0);
    expect_stick(&stick, 0, 0.0, 0.0);
}

static void lost_focus_lets_go(void **state)
{
    (void)state;
    hy_key_stick stick = { .releases = true };
    feed(&stick, HY_KEY_PRESS, 'w', 0);
    feed(&stick, HY_FOCUS_OUT, 0, 0);
    expect_stick(&stick, 0, 0.0, 0.0);
}

static void presses_step_a_setpoint_that_returns(void **state)
{
    (void)state;
    hy_key_stick stick = { 0 };
    expect_stick(&stick, 0, 0.0, 0.0);
    feed(&stick, HY_KEY_PRESS, 'w', 1000);
    feed(&stick, HY_KEY_PRESS, 'w', 2000);
    expect_stick(&stick, 2000, 0.5, 0.0);
    feed(&stick, HY_KEY_PRESS, 'd', 3000);
    expect_stick(&stick, 3000 + HY_STICK_RETURN_US - 1, 0.5, -0.25);
    expect_stick(&stick, 3000 + HY_STICK_RETURN_US, 0.0, 0.0);
    feed(&stick, HY_KEY_PRESS, 'w', 3000 + HY_STICK_RETURN_US); // starts from the middle again
    expect_stick(&stick, 3000 + HY_STICK_RETURN_US, 0.25, 0.0);
}

static void a_press_against_stops_first(void **state)
{
    (void)state;
    hy_key_stick stick = { 0 };
    for (int i = 0; i < 9; i++) {
        feed(&stick, HY_KEY_PRESS, HY_KEY_UP, 0);
    }
    expect_stick(&stick, 0, 1.0, 0.0);
    feed(&stick, HY_KEY_PRESS, HY_KEY_DOWN, 0);
    expect_stick(&stick, 0, 0.0, 0.0);
    feed(&stick, HY_KEY_PRESS, HY_KEY_DOWN, 0);
    expect_stick(&stick, 0, -0.25, 0.0);
}

static void other_keys_are_not_the_sticks(void **state)
{
    (void)state;
    hy_key_stick stick = { 0 };
    const hy_key_event quit = { .what = HY_KEY_PRESS, .key = 'q' };
    const hy_key_event end_of_file = { .what = HY_KEY_PRESS,
                                       .key = 'd',
                                       .modifiers = HY_MODIFIER_CTRL };
    assert_false(hy_key_stick_feed(&stick, &quit, 0));
    assert_false(hy_key_stick_feed(&stick, &end_of_file, 0));
    expect_stick(&stick, 0, 0.0, 0.0);
}

static void the_terminals_report_switches_the_way(void **state)
{
    (void)state;
    hy_key_stick stick = { 0 };
    feed(&stick, HY_KEY_PRESS, 'w', 0);
    const hy_key_event report = { .what = HY_KEYBOARD_REPORT, .releases = true };
    hy_key_stick_feed(&stick, &report, 0);
    expect_stick(&stick, 0, 0.0, 0.0);
    feed(&stick, HY_KEY_PRESS, 'w', 0);
    expect_stick(&stick, 0, 1.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held_keys_count_while_held),
        cmocka_unit_test(lost_focus_lets_go),
        cmocka_unit_test(presses_step_a_setpoint_that_returns),
        cmocka_unit_test(a_press_against_stops_first),
        cmocka_unit_test(other_keys_are_not_the_sticks),
        cmocka_unit_test(the_terminals_report_switches_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
