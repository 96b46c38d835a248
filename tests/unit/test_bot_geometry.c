// Geometry against values worked out by hand: right angles, quarter circles, and what WPILib
// defines for the degenerate cases. run_bot_math.py compares thousands of random ones with WPILib
// itself.
#include "bot_checks.h"

// --------------------------------------------------------------------------- rotations

static void a_rotation_knows_its_angle(void **state)
{
    (void)state;
    expect_rotation(hy_rotation2d_from_rad(30 * DEG), 30 * DEG);
    expect_near(hy_rotation2d_rad(hy_rotation2d_from_rad(30 * DEG)), 30 * DEG);
    expect_near(hy_rotation2d_rad(hy_rotation2d_from_rad(270 * DEG)),
                -90 * DEG); // it forgets whole turns
    expect_near(hy_rotation2d_tan(hy_rotation2d_from_rad(45 * DEG)), 1.0);
    expect_near(hy_rotation2d_tan(hy_rotation2d_from_rad(-60 * DEG)), -sqrt(3.0));
    expect_rotation(HY_ROTATION2D_NONE, 0.0);
}

static void a_rotation_from_a_vector_has_length_1(void **state)
{
    (void)state;
    expect_rotation(hy_rotation2d_from_vector(3.0, 4.0), atan2(4.0, 3.0));
    expect_rotation(hy_rotation2d_from_vector(-1e200, 0.0), HY_PI);
    // WPILib: shorter than 1e-6 is no direction.
    expect_rotation(hy_rotation2d_from_vector(0.0, 0.9e-6), 0.0);
    expect_rotation(hy_rotation2d_from_vector(0.0, 1.1e-6), 90 * DEG);
}

static void what_is_no_angle_turns_nothing(void **state)
{
    (void)state;
    for_each_not_finite(bad)
    {
        assert_true(hy_rotation2d_from_rad(bad).cos == 1.0);
        assert_true(hy_rotation2d_from_rad(bad).sin == 0.0);
        assert_true(hy_rotation2d_from_vector(bad, 1.0).cos == 1.0);
        assert_true(hy_rotation2d_from_vector(1.0, bad).sin == 0.0);
    }
}

static void rotations_add_up(void **state)
{
    (void)state;
    const hy_rotation2d a = hy_rotation2d_from_rad(100 * DEG), b = hy_rotation2d_from_rad(120 * DEG);
    expect_rotation(hy_rotation2d_plus(a, b), 220 * DEG);
    expect_rotation(hy_rotation2d_minus(a, b), -20 * DEG);
    expect_rotation(hy_rotation2d_inverse(a), -100 * DEG);
    expect_rotation(hy_rotation2d_times(a, -0.5), -50 * DEG);
    hy_rotation2d sum = HY_ROTATION2D_NONE;
    for (int i = 0; i < 1000000; i++) {
        sum = hy_rotation2d_plus(sum, a);
    }
    assert_true(fabs(hypot(sum.cos, sum.sin) - 1.0) < 1e-15); // a million roundings have not shrunk it
}

static void rotations_interpolate_the_short_way(void **state)
{
    (void)state;
    const hy_rotation2d a = hy_rotation2d_from_rad(170 * DEG), b = hy_rotation2d_from_rad(-150 * DEG);
    expect_rotation(hy_rotation2d_interpolate(a, b, 0.25), 180 * DEG);
    expect_rotation(hy_rotation2d_interpolate(a, b, -3.0), 170 * DEG);
    expect_rotation(hy_rotation2d_interpolate(a, b, 7.0), -150 * DEG);
    expect_rotation(hy_rotation2d_interpolate(a, b, (double)NAN), 170 * DEG);
}

// --------------------------------------------------------------------------- translations

static void translations_are_vectors(void **state)
{
    (void)state;
    const hy_translation2d a = { 3.0, 4.0 }, b = { -2.0, 1.0 };
    expect_translation(hy_translation2d_from_polar(2.0, hy_rotation2d_from_rad(30 * DEG)),
                       sqrt(3.0), 1.0);
    expect_translation(hy_translation2d_plus(a, b), 1.0, 5.0);
    expect_translation(hy_translation2d_minus(a, b), 5.0, 3.0);
    expect_translation(hy_translation2d_times(a, -2.0), -6.0, -8.0);
    expect_near(hy_translation2d_dot(a, b), -2.0);
    expect_near(hy_translation2d_cross(a, b), 11.0); // b lies to the left of a
    expect_near(hy_translation2d_norm(a), 5.0);
    expect_near(hy_translation2d_distance(a, b), sqrt(34.0));
    expect_rotation(hy_translation2d_angle(b), atan2(1.0, -2.0));
    expect_rotation(hy_translation2d_angle((hy_translation2d){ 0.0, 0.0 }), 0.0);
}

static void translations_turn(void **state)
{
    (void)state;
    const hy_translation2d a = { 3.0, 1.0 }, centre = { 1.0, 1.0 };
    const hy_rotation2d quarter = hy_rotation2d_from_rad(90 * DEG);
    expect_translation(hy_translation2d_rotate_by(a, quarter), -1.0, 3.0);
    expect_translation(hy_translation2d_rotate_around(a, centre, quarter), 1.0, 3.0);
    expect_translation(hy_translation2d_interpolate(a, centre, 0.75), 1.5, 1.0);
    expect_translation(hy_translation2d_interpolate(a, centre, 2.0), 1.0, 1.0);
    expect_translation(hy_translation2d_interpolate(a, centre, (double)NAN), 3.0, 1.0);
}

// --------------------------------------------------------------------------- poses and transforms

static void transforms_lead_from_pose_to_pose(void **state)
{
    (void)state;
    const hy_pose2d here = hy_pose2d_at(1.0, 2.0, 90 * DEG);
    const hy_pose2d there = hy_pose2d_at(-1.0, 5.0, 135 * DEG);
    // Seen from here, which looks along +y, there is 3 m ahead and 2 m to the left.
    const hy_transform2d way = hy_transform2d_between(here, there);
    expect_translation(way.translation, 3.0, 2.0);
    expect_rotation(way.rotation, 45 * DEG);
    expect_pose(hy_pose2d_transform_by(here, way), -1.0, 5.0, 135 * DEG);
    expect_pose(hy_pose2d_relative_to(there, here), 3.0, 2.0, 45 * DEG);
    expect_pose(hy_pose2d_transform_by(there, hy_transform2d_inverse(way)), 1.0, 2.0, 90 * DEG);
    const hy_transform2d twice = hy_transform2d_times(way, 2.0);
    expect_translation(twice.translation, 6.0, 4.0);
    expect_rotation(twice.rotation, 90 * DEG);
    const hy_transform2d nothing = hy_transform2d_plus(way, hy_transform2d_inverse(way));
    expect_translation(nothing.translation, 0.0, 0.0);
    expect_rotation(nothing.rotation, 0.0);
    expect_pose(hy_pose2d_transform_by(here, HY_TRANSFORM2D_NONE), 1.0, 2.0, 90 * DEG);
}

static void poses_turn(void **state)
{
    (void)state;
    const hy_pose2d pose = hy_pose2d_at(2.0, 0.0, 10 * DEG);
    const hy_rotation2d quarter = hy_rotation2d_from_rad(90 * DEG);
    expect_pose(hy_pose2d_rotate_by(pose, quarter), 0.0, 2.0, 100 * DEG);
    expect_pose(hy_pose2d_rotate_around(pose, (hy_translation2d){ 1.0, 0.0 }, quarter), 1.0, 1.0,
                100 * DEG);
}

static void finite_poses_are_told_from_others(void **state)
{
    (void)state;
    hy_pose2d pose = HY_POSE2D_ORIGIN;
    assert_true(hy_pose2d_is_finite(&pose));
    pose.rotation = (hy_rotation2d){ 0.0, 0.0 };
    assert_false(hy_pose2d_is_finite(&pose));
    for_each_not_finite(bad)
    {
        const hy_pose2d poses[] = { { { bad, 0 }, { 1, 0 } },
                                    { { 0, bad }, { 1, 0 } },
                                    { { 0, 0 }, { bad, 0 } },
                                    { { 0, 0 }, { 1, bad } } };
        for (size_t i = 0; i < 4; i++) {
            assert_false(hy_pose2d_is_finite(&poses[i]));
        }
    }
}

// --------------------------------------------------------------------------- twists

static void a_twist_is_an_arc(void **state)
{
    (void)state;
    // A quarter of a circle of radius 1 to the left: pi/2 m of way.
    const hy_twist2d quarter = { HY_PI / 2, 0.0, HY_PI / 2 };
    expect_translation(hy_twist2d_chord(quarter), 1.0, 1.0);
    expect_pose(hy_pose2d_exp(HY_POSE2D_ORIGIN, quarter), 1.0, 1.0, 90 * DEG);
    expect_pose(hy_pose2d_exp(hy_pose2d_at(5.0, 0.0, 90 * DEG), quarter), 4.0, 1.0, 180 * DEG);
    expect_pose(hy_pose2d_exp(HY_POSE2D_ORIGIN, (hy_twist2d){ 1.0, 2.0, 0.0 }), 1.0, 2.0, 0.0);
    // Three quarters sideways: it is the same circle, seen from its side.
    expect_pose(hy_pose2d_exp(HY_POSE2D_ORIGIN, (hy_twist2d){ 0.0, 3 * HY_PI / 2, 3 * HY_PI / 2 }),
                -1.0, -1.0, 270 * DEG);
    expect_twist(hy_pose2d_log(HY_POSE2D_ORIGIN, hy_pose2d_at(1.0, 1.0, 90 * DEG)), HY_PI / 2, 0.0,
                 HY_PI / 2);
    expect_twist(hy_pose2d_log(HY_POSE2D_ORIGIN, hy_pose2d_at(0.0, 2.0, HY_PI)), HY_PI, 0.0, HY_PI);
}

static void log_undoes_exp_at_every_size(void **state)
{
    (void)state;
    const hy_pose2d start = hy_pose2d_at(-3.0, 2.0, 2.0);
    for (double theta = 1e-15; theta < HY_PI; theta *= 1.3) {
        const hy_twist2d twist = { 0.7, -0.4, theta };
        const hy_twist2d back = hy_pose2d_log(start, hy_pose2d_exp(start, twist));
        expect_within(back.dx_m, 0.7, 4e-15);
        expect_within(back.dy_m, -0.4, 4e-15);
        expect_within(back.dtheta_rad, theta, 4e-15);
    }
}

static void chords_are_exact_where_the_formulas_change(void **state)
{
    (void)state;
    for (double theta = -4.0; theta < 4.0; theta += 0.001) {
        const hy_translation2d chord = hy_twist2d_chord((hy_twist2d){ 1.0, 0.0, theta });
        const long double t = (long double)theta;
        const long double half = sinl(t / 2);
        const double along = fabs(theta) < 1e-12 ? 1.0 : (double)(sinl(t) / t);
        const double across = fabs(theta) < 1e-12 ? theta / 2 : (double)(2 * half * half / t);
        expect_within(chord.x_m, along, 3e-16);
        expect_within(chord.y_m, across, 3e-16);
    }
}

static void poses_interpolate_along_the_arc(void **state)
{
    (void)state;
    const hy_pose2d end = hy_pose2d_at(1.0, 1.0, 90 * DEG);
    expect_pose(hy_pose2d_interpolate(HY_POSE2D_ORIGIN, end, 0.5), sqrt(0.5), 1.0 - sqrt(0.5),
                45 * DEG);
    expect_pose(hy_pose2d_interpolate(HY_POSE2D_ORIGIN, end, -1.0), 0.0, 0.0, 0.0);
    expect_pose(hy_pose2d_interpolate(HY_POSE2D_ORIGIN, end, 1.5), 1.0, 1.0, 90 * DEG);
    expect_pose(hy_pose2d_interpolate(HY_POSE2D_ORIGIN, end, (double)NAN), 0.0, 0.0, 0.0);
}

static void the_nearest_pose_is_found(void **state)
{
    (void)state;
    const hy_pose2d poses[] = { hy_pose2d_at(3.0, 0.0, 0.0), hy_pose2d_at(0.0, 1.0, 2.0),
                                hy_pose2d_at(0.0, 1.0, 0.1), hy_pose2d_at(-2.0, 0.0, 0.0) };
    assert_int_equal(hy_pose2d_nearest(HY_POSE2D_ORIGIN, poses, 4), 2); // as near as 1, less to turn
    assert_int_equal(hy_pose2d_nearest(hy_pose2d_at(2.6, 0.0, 0.0), poses, 4), 0);
    assert_int_equal(hy_pose2d_nearest(HY_POSE2D_ORIGIN, poses, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rotation_knows_its_angle),
        cmocka_unit_test(a_rotation_from_a_vector_has_length_1),
        cmocka_unit_test(what_is_no_angle_turns_nothing),
        cmocka_unit_test(rotations_add_up),
        cmocka_unit_test(rotations_interpolate_the_short_way),
        cmocka_unit_test(translations_are_vectors),
        cmocka_unit_test(translations_turn),
        cmocka_unit_test(transforms_lead_from_pose_to_pose),
        cmocka_unit_test(poses_turn),
        cmocka_unit_test(finite_poses_are_told_from_others),
        cmocka_unit_test(a_twist_is_an_arc),
        cmocka_unit_test(log_undoes_exp_at_every_size),
        cmocka_unit_test(chords_are_exact_where_the_formulas_change),
        cmocka_unit_test(poses_interpolate_along_the_arc),
        cmocka_unit_test(the_nearest_pose_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
