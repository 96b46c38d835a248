// The whole library in two short drives: with the same bits on every compiler and at every -O, and
// no further from where it should be than such drives are.
#include "../support/bot_run.h"
#include "bot_checks.h"

static void every_build_gives_the_same_bits(void **state)
{
    (void)state;
    static bot_run_room room;
    assert_int_equal(bot_run(&room, BOT_RUN_SHORT_STEPS), BOT_RUN_SHORT);
    assert_int_equal(bot_run(&room, BOT_RUN_LONG_STEPS), BOT_RUN_LONG);
}

static void the_line_is_followed(void **state)
{
    (void)state;
    static bot_run_xrp xrp;
    hy_hash hash = hy_hash_start();
    hy_outputs out = { 0 };
    bot_run_xrp_start(&xrp);
    for (int i = 0; i < 3000; i++) {
        bot_run_xrp_step(&xrp, &out, (int64_t)i * BOT_RUN_PERIOD_US, &hash);
        expect_within(hy_hypot(xrp.x_m, xrp.y_m), 0.5, 0.02);
    }
    assert_true(xrp.odometry.odometry.heading_rad > 6 * HY_PI); // nearly four times round
    expect_within(xrp.odometry.odometry.pose.translation.x_m, xrp.x_m, 0.02);
    expect_within(xrp.odometry.odometry.pose.translation.y_m, xrp.y_m, 0.02);
}

static void the_trajectory_is_followed(void **state)
{
    (void)state;
    static bot_run_swerve swerve;
    hy_hash hash = hy_hash_start();
    hy_outputs out = { 0 };
    assert_true(bot_run_swerve_start(&swerve, &hash));
    for (int i = 0; i < 300; i++) {
        const hy_trajectory_state wanted = hy_trajectory_sample(&swerve.trajectory, 0.02 * i);
        bot_run_swerve_step(&swerve, &out, (int64_t)i * BOT_RUN_PERIOD_US, &hash);
        const hy_translation2d here = swerve.odometry.odometry.pose.translation;
        assert_true(hy_translation2d_distance(here, wanted.pose.translation) < 0.05);
    }
    expect_within(hy_rotation2d_rad(swerve.odometry.odometry.pose.rotation), 1.2, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_build_gives_the_same_bits),
        cmocka_unit_test(the_line_is_followed),
        cmocka_unit_test(the_trajectory_is_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
