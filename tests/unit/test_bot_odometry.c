// Odometry: robots that drive paths whose ends are known, readings that start anywhere, and readings
// that are none.
#include "bot_checks.h"

#define TRACK 0.2

static hy_differential_odometry differential_at(hy_pose2d pose, double gyro,
                                                hy_wheel_distances wheels)
{
    hy_differential_kinematics kinematics;
    hy_differential_odometry self;
    assert_true(hy_differential_kinematics_init(&kinematics, TRACK));
    assert_true(hy_differential_odometry_start(&self, &kinematics, gyro, wheels, pose));
    return self;
}

static void a_quarter_circle_in_one_step(void **state)
{
    (void)state;
    // Radius 1 to the left, from any readings: distances grow by pi/2 (1 -+ 0.1), the gyro by 90
    // degrees.
    hy_differential_odometry self =
        differential_at(hy_pose2d_at(2, 3, 90 * DEG), 12.0, (hy_wheel_distances){ 5.0, -7.0 });
    expect_pose(self.odometry.pose, 2, 3, 90 * DEG);
    const hy_wheel_distances wheels = { 5.0 + HY_PI / 2 * 0.9, -7.0 + HY_PI / 2 * 1.1 };
    assert_true(hy_differential_odometry_update(&self, 12.0 + 90 * DEG, wheels));
    expect_pose(self.odometry.pose, 1, 4, 180 * DEG);
    expect_near(self.odometry.heading_rad, 180 * DEG);
    assert_true(hy_differential_odometry_update(&self, 12.0 + 90 * DEG, wheels));
    expect_pose(self.odometry.pose, 1, 4, 180 * DEG);
}

static void the_gyro_is_believed_and_not_the_wheels(void **state)
{
    (void)state;
    hy_differential_odometry self =
        differential_at(HY_POSE2D_ORIGIN, 0.0, (hy_wheel_distances){ 0, 0 });
    assert_true(hy_differential_odometry_update(&self, 0.0, (hy_wheel_distances){ 0.5, 1.5 }));
    expect_pose(self.odometry.pose, 1.0, 0.0, 0.0);
}

static void without_a_gyro_the_wheels_are(void **state)
{
    (void)state;
    hy_differential_odometry self =
        differential_at(HY_POSE2D_ORIGIN, 0.0, (hy_wheel_distances){ 0, 0 });
    const hy_wheel_distances quarter = { HY_PI / 2 * 0.9, HY_PI / 2 * 1.1 };
    assert_true(hy_differential_odometry_update_wheels(&self, quarter));
    expect_pose(self.odometry.pose, 1, 1, 90 * DEG);
    // A gyro that comes back after that is believed: it has seen 80 degrees, not 90.
    assert_true(hy_differential_odometry_update(&self, 80 * DEG, quarter));
    expect_pose(self.odometry.pose, 1, 1, 80 * DEG);
}

static void many_turns_do_not_confuse_it(void **state)
{
    (void)state;
    hy_differential_odometry self =
        differential_at(HY_POSE2D_ORIGIN, 0.0, (hy_wheel_distances){ 0, 0 });
    // A polygon of 1000 arcs a circle, 20 circles of radius 1.
    for (int i = 1; i <= 20000; i++) {
        const double turn = 2 * HY_PI * i / 1000;
        assert_true(hy_differential_odometry_update(&self, turn,
                                                    (hy_wheel_distances){ turn * 0.9, turn * 1.1 }));
    }
    expect_within(self.odometry.pose.translation.x_m, 0.0, 1e-10);
    expect_within(self.odometry.pose.translation.y_m, 0.0, 1e-10);
    expect_within(self.odometry.heading_rad, 40 * HY_PI, 1e-10);
}

static void the_pose_can_be_put_right(void **state)
{
    (void)state;
    hy_differential_odometry self =
        differential_at(hy_pose2d_at(1, 1, 1.0), 3.0, (hy_wheel_distances){ 0, 0 });
    assert_true(hy_odometry_set_pose(&self.odometry, hy_pose2d_at(5, 6, 90 * DEG)));
    expect_pose(self.odometry.pose, 5, 6, 90 * DEG);
    assert_true(hy_differential_odometry_update(&self, 3.0, (hy_wheel_distances){ 2, 2 }));
    expect_pose(self.odometry.pose, 5, 8, 90 * DEG); // the gyro's zero went with it
    assert_true(hy_odometry_set_translation(&self.odometry, (hy_translation2d){ -1, -1 }));
    expect_pose(self.odometry.pose, -1, -1, 90 * DEG);
    assert_true(hy_odometry_set_rotation(&self.odometry, hy_rotation2d_from_rad(180 * DEG)));
    assert_true(hy_differential_odometry_update(&self, 3.0, (hy_wheel_distances){ 3, 3 }));
    expect_pose(self.odometry.pose, -2, -1, 180 * DEG);
}

static void readings_that_are_none_change_nothing(void **state)
{
    (void)state;
    hy_differential_odometry self =
        differential_at(hy_pose2d_at(1, 2, 0.5), 0.0, (hy_wheel_distances){ 0, 0 });
    const hy_differential_kinematics kinematics = { TRACK };
    const hy_wheel_distances zero = { 0, 0 };
    for_each_not_finite(bad)
    {
        const hy_pose2d nowhere = { { bad, 0 }, { 1, 0 } };
        assert_false(hy_differential_odometry_update(&self, bad, zero));
        assert_false(hy_differential_odometry_update(&self, 0, (hy_wheel_distances){ bad, 0 }));
        assert_false(hy_differential_odometry_update(&self, 0, (hy_wheel_distances){ 0, bad }));
        assert_false(hy_differential_odometry_update_wheels(&self, (hy_wheel_distances){ 0, bad }));
        assert_false(hy_differential_odometry_start(&self, &kinematics, bad, zero, HY_POSE2D_ORIGIN));
        assert_false(hy_differential_odometry_start(&self, &kinematics, 0, zero, nowhere));
        assert_false(hy_differential_odometry_start(
            &self, &kinematics, 0, (hy_wheel_distances){ bad, 0 }, HY_POSE2D_ORIGIN));
        assert_false(hy_odometry_set_pose(&self.odometry, nowhere));
        assert_false(hy_odometry_set_translation(&self.odometry, (hy_translation2d){ 0, bad }));
        assert_false(hy_odometry_set_rotation(&self.odometry, (hy_rotation2d){ bad, 0 }));
    }
    assert_true(hy_differential_odometry_update(&self, 0.0, zero));
    expect_pose(self.odometry.pose, 1, 2, 0.5);
}

// --------------------------------------------------------------------------- swerve drive

static const hy_translation2d places[4] = { { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } };

static void set_all(hy_swerve_position *modules, double distance, double angle_rad)
{
    for (size_t i = 0; i < 4; i++) {
        modules[i] = (hy_swerve_position){ distance, hy_rotation2d_from_rad(angle_rad) };
    }
}

static void a_swerve_goes_sideways_and_turns(void **state)
{
    (void)state;
    hy_swerve_kinematics kinematics;
    hy_swerve_odometry self;
    hy_swerve_position modules[4];
    hy_swerve_kinematics_init(&kinematics, places, 4);
    set_all(modules, 10.0, 0.0);
    assert_true(
        hy_swerve_odometry_start(&self, &kinematics, 1.0, modules, hy_pose2d_at(0, 0, 90 * DEG)));
    set_all(modules, 12.0, 90 * DEG); // 2 m to its left, which is -x on the field
    assert_true(hy_swerve_odometry_update(&self, 1.0, modules));
    expect_pose(self.odometry.pose, -2, 0, 90 * DEG);
    // A quarter turn on the spot.
    const double across[4] = { 135, -135, -45, 45 };
    for (size_t i = 0; i < 4; i++) {
        modules[i].distance_m += sqrt(2.0) * HY_PI / 2;
        modules[i].angle = hy_rotation2d_from_rad(across[i] * DEG);
    }
    assert_true(hy_swerve_odometry_update(&self, 1.0 + 90 * DEG, modules));
    expect_pose(self.odometry.pose, -2, 0, 180 * DEG);
}

static void swerve_readings_that_are_none_change_nothing(void **state)
{
    (void)state;
    hy_swerve_kinematics kinematics;
    hy_swerve_odometry self;
    hy_swerve_position modules[4];
    hy_swerve_kinematics_init(&kinematics, places, 4);
    set_all(modules, 0.0, 0.0);
    assert_true(hy_swerve_odometry_start(&self, &kinematics, 0.0, modules, hy_pose2d_at(1, 2, 0.5)));
    for_each_not_finite(bad)
    {
        assert_false(hy_swerve_odometry_update(&self, bad, modules));
        modules[2].distance_m = bad;
        assert_false(hy_swerve_odometry_update(&self, 0.0, modules));
        assert_false(hy_swerve_odometry_start(&self, &kinematics, 0.0, modules, HY_POSE2D_ORIGIN));
        modules[2].distance_m = 0.0;
        assert_false(hy_swerve_odometry_start(&self, &kinematics, bad, modules, HY_POSE2D_ORIGIN));
        modules[1].angle.sin = bad;
        modules[1].distance_m = 1.0;
        assert_false(hy_swerve_odometry_update(&self, 0.0, modules));
        set_all(modules, 0.0, 0.0);
    }
    assert_true(hy_swerve_odometry_update(&self, 0.0, modules));
    expect_pose(self.odometry.pose, 1, 2, 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quarter_circle_in_one_step),
        cmocka_unit_test(the_gyro_is_believed_and_not_the_wheels),
        cmocka_unit_test(without_a_gyro_the_wheels_are),
        cmocka_unit_test(many_turns_do_not_confuse_it),
        cmocka_unit_test(the_pose_can_be_put_right),
        cmocka_unit_test(readings_that_are_none_change_nothing),
        cmocka_unit_test(a_swerve_goes_sideways_and_turns),
        cmocka_unit_test(swerve_readings_that_are_none_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
