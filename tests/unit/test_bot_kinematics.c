// Kinematics and odometry against motions that can be worked out by hand.
#include "bot_checks.h"

static const hy_translation2d square[4] = { { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } };

// --------------------------------------------------------------------------- the whole robot

static void chassis_speeds_add_up(void **state)
{
    (void)state;
    const hy_chassis_speeds a = { 1.0, 2.0, 3.0 }, b = { 0.5, -1.0, 0.25 };
    expect_speeds(hy_chassis_speeds_plus(a, b), 1.5, 1.0, 3.25);
    expect_speeds(hy_chassis_speeds_times(a, -2.0), -2.0, -4.0, -6.0);
    expect_twist(hy_chassis_speeds_twist(a, 0.5), 0.5, 1.0, 1.5);
}

static void field_and_robot_speeds(void **state)
{
    (void)state;
    // A robot that looks along +y and shall move along +x moves to its right.
    const hy_rotation2d left = hy_rotation2d_from_rad(90 * DEG);
    const hy_chassis_speeds ahead = { 1.0, 0.0, 0.5 };
    expect_speeds(hy_chassis_speeds_from_field(ahead, left), 0.0, -1.0, 0.5);
    expect_speeds(hy_chassis_speeds_to_field(ahead, left), 0.0, 1.0, 0.5);
}

static void discretized_speeds_arrive_where_the_others_point(void **state)
{
    (void)state;
    const hy_chassis_speeds wanted = { 1.0, -0.5, 2.0 };
    const hy_chassis_speeds held = hy_chassis_speeds_discretize(wanted, 0.1);
    const hy_pose2d end = hy_pose2d_exp(HY_POSE2D_ORIGIN, hy_chassis_speeds_twist(held, 0.1));
    expect_pose(end, 0.1, -0.05, 0.2);
    expect_speeds(hy_chassis_speeds_discretize(wanted, 0.0), 1.0, -0.5, 2.0);
    expect_speeds(hy_chassis_speeds_discretize(wanted, -1.0), 1.0, -0.5, 2.0);
    expect_speeds(hy_chassis_speeds_discretize(wanted, (double)NAN), 1.0, -0.5, 2.0);
}

// --------------------------------------------------------------------------- differential drive

static void two_wheels_and_a_robot(void **state)
{
    (void)state;
    hy_differential_kinematics self;
    assert_true(hy_differential_kinematics_init(&self, 0.5));
    expect_near(self.track_width_m, 0.5);
    expect_speeds(hy_differential_to_chassis(&self, (hy_wheel_speeds){ 1.0, 2.0 }), 1.5, 0.0, 2.0);
    const hy_wheel_speeds wheels =
        hy_differential_to_wheels(&self, (hy_chassis_speeds){ 1.5, 9.0, 2.0 });
    expect_near(wheels.left_m_s, 1.0);
    expect_near(wheels.right_m_s, 2.0);
    expect_twist(hy_differential_twist(&self, (hy_wheel_distances){ -0.1, 0.3 }), 0.1, 0.0, 0.8);
}

static void a_track_is_positive(void **state)
{
    (void)state;
    hy_differential_kinematics self = { 7.0 };
    assert_false(hy_differential_kinematics_init(&self, 0.0));
    assert_false(hy_differential_kinematics_init(&self, -1.0));
    for_each_not_finite(bad)
    {
        assert_false(hy_differential_kinematics_init(&self, bad));
    }
    expect_near(self.track_width_m, 7.0);
}

static void wheels_keep_their_curve_when_they_are_too_fast(void **state)
{
    (void)state;
    hy_wheel_speeds wheels = hy_wheel_speeds_desaturate((hy_wheel_speeds){ -4.0, 2.0 }, 1.0);
    expect_near(wheels.left_m_s, -1.0);
    expect_near(wheels.right_m_s, 0.5);
    wheels = hy_wheel_speeds_desaturate((hy_wheel_speeds){ -0.4, 0.2 }, 1.0);
    expect_near(wheels.left_m_s, -0.4);
    wheels = hy_wheel_speeds_desaturate((hy_wheel_speeds){ -0.4, 0.2 }, (double)NAN);
    expect_near(wheels.left_m_s, 0.0);
    wheels = hy_wheel_speeds_desaturate((hy_wheel_speeds){ -0.4, 0.2 }, -1.0);
    expect_near(wheels.right_m_s, 0.0);
}

// --------------------------------------------------------------------------- swerve drive

static void modules_point_where_they_roll(void **state)
{
    (void)state;
    hy_swerve_kinematics self;
    assert_true(hy_swerve_kinematics_init(&self, square, 4));
    hy_swerve_state modules[4] = { { 0 } };
    hy_swerve_to_modules(&self, (hy_chassis_speeds){ 0.0, 2.0, 0.0 }, (hy_translation2d){ 0, 0 },
                         modules);
    for (size_t i = 0; i < 4; i++) {
        expect_near(modules[i].speed_m_s, 2.0);
        expect_rotation(modules[i].angle, 90 * DEG);
    }
    // Turning on the spot: across the arms, sqrt(2) m long.
    hy_swerve_to_modules(&self, (hy_chassis_speeds){ 0.0, 0.0, 1.0 }, (hy_translation2d){ 0, 0 },
                         modules);
    const double across[4] = { 135, -135, -45, 45 };
    for (size_t i = 0; i < 4; i++) {
        expect_near(modules[i].speed_m_s, sqrt(2.0));
        expect_rotation(modules[i].angle, across[i] * DEG);
    }
    // About the front left module: that one stands, and keeps its angle.
    hy_swerve_to_modules(&self, (hy_chassis_speeds){ 0.0, 0.0, 1.0 }, square[0], modules);
    expect_near(modules[0].speed_m_s, 0.0);
    expect_rotation(modules[0].angle, 135 * DEG);
    expect_near(modules[2].speed_m_s, sqrt(8.0));
    expect_rotation(modules[1].angle, -90 * DEG);
}

static void modules_that_agree_give_the_robots_speeds_back(void **state)
{
    (void)state;
    hy_swerve_kinematics self;
    const hy_translation2d crooked[5] = {
        { 0.3, 0.1 }, { -1, 0.4 }, { 0, -0.5 }, { 0.8, 0.9 }, { 2, 0 }
    };
    hy_swerve_state modules[5] = { { 0 } };
    assert_true(hy_swerve_kinematics_init(&self, crooked, 5));
    assert_int_equal(self.count, 5);
    hy_swerve_to_modules(&self, (hy_chassis_speeds){ 1.0, -2.0, 0.7 }, (hy_translation2d){ 0, 0 },
                         modules);
    expect_speeds(hy_swerve_to_chassis(&self, modules), 1.0, -2.0, 0.7);
    hy_swerve_position distances[5];
    for (size_t i = 0; i < 5; i++) {
        distances[i] = (hy_swerve_position){ modules[i].speed_m_s * 0.5, modules[i].angle };
    }
    expect_twist(hy_swerve_twist(&self, distances), 0.5, -1.0, 0.35);
}

static void modules_that_disagree_are_averaged(void **state)
{
    (void)state;
    hy_swerve_kinematics self;
    hy_swerve_kinematics_init(&self, square, 4);
    // One of four rolls ahead: least squares give a quarter of it, and the turn that pulls at its
    // side.
    const hy_swerve_state modules[4] = {
        { 1.0, { 1, 0 } }, { 0, { 1, 0 } }, { 0, { 1, 0 } }, { 0, { 1, 0 } }
    };
    expect_speeds(hy_swerve_to_chassis(&self, modules), 0.25, 0.0, -1.0 / 8.0);
}

static void what_is_no_swerve_is_refused(void **state)
{
    (void)state;
    hy_swerve_kinematics self = { .count = 77 };
    hy_translation2d places[9] = { { 0, 0 }, { 1, 0 } };
    assert_false(hy_swerve_kinematics_init(&self, places, 1));
    assert_false(hy_swerve_kinematics_init(&self, places, 9));
    for_each_not_finite(bad)
    {
        places[1].y_m = bad;
        assert_false(hy_swerve_kinematics_init(&self, places, 2));
    }
    places[1] = places[0]; // all at one place: nothing can turn it
    assert_false(hy_swerve_kinematics_init(&self, places, 2));
    assert_int_equal(self.count, 77);
}

static void desaturation_slows_all_modules(void **state)
{
    (void)state;
    hy_swerve_state modules[3] = { { -4.0, { 1, 0 } }, { 2.0, { 0, 1 } }, { 1.0, { 1, 0 } } };
    hy_swerve_desaturate(modules, 3, 2.0);
    expect_near(modules[0].speed_m_s, -2.0);
    expect_near(modules[1].speed_m_s, 1.0);
    expect_near(modules[2].speed_m_s, 0.5);
    hy_swerve_desaturate(modules, 3, 2.0);
    expect_near(modules[2].speed_m_s, 0.5);
    hy_swerve_desaturate(modules, 3, (double)NAN);
    expect_near(modules[0].speed_m_s, 0.0);
}

static void desaturation_by_what_the_chassis_can(void **state)
{
    (void)state;
    // WPILib: scale = min(k * module / fastest, 1), k the greater of the two shares of the limits.
    const hy_swerve_limits limits = { 3.0, 4.0, 2.0 };
    hy_swerve_state modules[2] = { { 6.0, { 1, 0 } }, { -2.0, { 1, 0 } } };
    hy_swerve_desaturate_chassis(modules, 2, (hy_chassis_speeds){ 3.0, 0.0, 1.0 }, &limits);
    expect_near(modules[0].speed_m_s, 6.0 * 0.75 * 3.0 / 6.0);
    expect_near(modules[1].speed_m_s, -2.0 * 0.75 * 3.0 / 6.0);
    hy_swerve_desaturate_chassis(modules, 2, (hy_chassis_speeds){ 8.0, 0.0, 0.0 }, &limits);
    expect_near(modules[0].speed_m_s, 2.25); // never faster than it was
    const hy_swerve_limits none = { 3.0, 0.0, 2.0 };
    hy_swerve_desaturate_chassis(modules, 2, (hy_chassis_speeds){ 99.0, 0.0, 0.0 }, &none);
    expect_near(modules[0].speed_m_s, 2.25);
}

static void a_module_turns_the_short_way(void **state)
{
    (void)state;
    const hy_rotation2d now = hy_rotation2d_from_rad(10 * DEG);
    hy_swerve_state wanted = { 2.0, hy_rotation2d_from_rad(101 * DEG) };
    hy_swerve_state better = hy_swerve_optimize(wanted, now);
    expect_near(better.speed_m_s, -2.0);
    expect_rotation(better.angle, -79 * DEG);
    wanted.angle = hy_rotation2d_from_rad(99 * DEG);
    better = hy_swerve_optimize(wanted, now);
    expect_near(better.speed_m_s, 2.0);
    expect_rotation(better.angle, 99 * DEG);
    expect_near(hy_swerve_cosine_scale(wanted, hy_rotation2d_from_rad(39 * DEG)).speed_m_s, 1.0);
    expect_near(hy_swerve_cosine_scale(wanted, hy_rotation2d_from_rad(9 * DEG)).speed_m_s, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chassis_speeds_add_up),
        cmocka_unit_test(field_and_robot_speeds),
        cmocka_unit_test(discretized_speeds_arrive_where_the_others_point),
        cmocka_unit_test(two_wheels_and_a_robot),
        cmocka_unit_test(a_track_is_positive),
        cmocka_unit_test(wheels_keep_their_curve_when_they_are_too_fast),
        cmocka_unit_test(modules_point_where_they_roll),
        cmocka_unit_test(modules_that_agree_give_the_robots_speeds_back),
        cmocka_unit_test(modules_that_disagree_are_averaged),
        cmocka_unit_test(what_is_no_swerve_is_refused),
        cmocka_unit_test(desaturation_slows_all_modules),
        cmocka_unit_test(desaturation_by_what_the_chassis_can),
        cmocka_unit_test(a_module_turns_the_short_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
