// Sticks to motor speeds, as the reference core was seen to do it.
#include <halyard/player.h>

#include "cmocka_all.h"

static void the_left_stick_drives_and_the_right_one_turns(void **state)
{
    (void)state;
    static const struct {
        int left_y, right_x, left, right;
    } seen[] = {
        { 0, 0, 0, 0 },          { 256, 0, 256, 256 },
        { -512, 0, -512, -512 }, { 0, 1, 0, 0 },
        { 0, -1, 0, 0 },         { 0, 511, 255, -255 },
        { 0, -511, -255, 255 },  { 100, -301, -50, 250 },
        { 512, 512, 512, 256 },  { -512, 512, -256, -512 },
    };
    hy_player_mapping mapping = { 0 };
    for (size_t i = 0; i < sizeof seen / sizeof seen[0]; i++) {
        const hy_icd_sticks sticks = {
            .left_y = seen[i].left_y, .right_x = seen[i].right_x, .left_x = 77, .right_y = 99
        };
        const hy_icd_commands got = hy_player_map(&mapping, &sticks);
        assert_int_equal(got.left_drive, seen[i].left);
        assert_int_equal(got.right_drive, seen[i].right);
    }
}

static void back_toggles_when_it_is_let_go(void **state)
{
    (void)state;
    hy_player_mapping mapping = { 0 };
    hy_icd_sticks sticks = { .left_x = 200, .right_x = -200, .back = true };
    for (int i = 0; i < 3; i++) { // held
        assert_int_equal(hy_player_map(&mapping, &sticks).left_drive, -100);
    }
    sticks.back = false;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(hy_player_map(&mapping, &sticks).left_drive, 100);
        assert_true(mapping.one_handed);
    }
    sticks.back = true;
    assert_int_equal(hy_player_map(&mapping, &sticks).left_drive, 100);
    sticks.back = false;
    assert_int_equal(hy_player_map(&mapping, &sticks).left_drive, -100);
}

static void triggers_and_buttons_go_where_they_belong(void **state)
{
    (void)state;
    hy_player_mapping mapping = { 0 };
    hy_icd_commands got =
        hy_player_map(&mapping, &(hy_icd_sticks){ .left_trigger = 300, .right_trigger = 17 });
    assert_int_equal(got.intake_center, 300);
    assert_int_equal(got.intake_left, 300);
    assert_int_equal(got.intake_right, 300);
    assert_int_equal(got.tube, 17);
    assert_false(got.timer_start_stop || got.reset || got.outtake);
    assert_true(hy_player_map(&mapping, &(hy_icd_sticks){ .start = true }).timer_start_stop);
    assert_true(hy_player_map(&mapping, &(hy_icd_sticks){ .guide = true }).reset);
    assert_true(hy_player_map(&mapping, &(hy_icd_sticks){ .a = true }).outtake);
    got = hy_player_map(&mapping, &(hy_icd_sticks){ .b = true,
                                                    .x = true,
                                                    .y = true,
                                                    .left_bumper = true,
                                                    .right_bumper = true,
                                                    .dpad_up = true,
                                                    .right_y = 512 });
    assert_false(got.left_drive || got.right_drive || got.intake_center || got.intake_left ||
                 got.intake_right || got.tube || got.timer_start_stop || got.reset || got.outtake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_left_stick_drives_and_the_right_one_turns),
        cmocka_unit_test(back_toggles_when_it_is_let_go),
        cmocka_unit_test(triggers_and_buttons_go_where_they_belong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
