// Drives: sticks against WPILib's formulas by hand, and that nothing which is no number reaches a
// motor.
#include "bot_checks.h"

#include <string.h>

#define expect_efforts(value, l, r)                \
    do {                                           \
        const hy_drive_efforts efforts_ = (value); \
        expect_near(efforts_.left, (l));           \
        expect_near(efforts_.right, (r));          \
    } while (0)

// --------------------------------------------------------------------------- differential drive

static void arcade(void **state)
{
    (void)state;
    expect_efforts(hy_arcade_efforts(0.5, 0.0, false), 0.5, 0.5);
    expect_efforts(hy_arcade_efforts(0.0, 0.5, false), -0.5, 0.5); // counter-clockwise
    // (1, 1) is sqrt 2 away and comes back to the wheels' square: one side stands.
    expect_efforts(hy_arcade_efforts(1.0, 1.0, false), 0.0, 1.0);
    expect_efforts(hy_arcade_efforts(0.5, -0.25, false), 0.75 / 1.5, 0.25 / 1.5);
    expect_efforts(hy_arcade_efforts(-0.5, 0.5, true), -0.25, 0.0);
    expect_efforts(hy_arcade_efforts(9.0, 0.0, true), 1.0, 1.0);
    expect_efforts(hy_arcade_efforts(0.0, 0.0, true), 0.0, 0.0);
}

static void curvature(void **state)
{
    (void)state;
    expect_efforts(hy_curvature_efforts(0.5, 0.5, false), 0.25, 0.75);
    expect_efforts(hy_curvature_efforts(-0.5, 0.5, false), -0.75, -0.25);
    expect_efforts(hy_curvature_efforts(0.0, 1.0, false), 0.0, 0.0); // no curve without speed
    expect_efforts(hy_curvature_efforts(1.0, 0.5, false), 0.5 / 1.5, 1.0);
    expect_efforts(hy_curvature_efforts(0.0, 1.0, true), -1.0, 1.0);
}

static void tank(void **state)
{
    (void)state;
    expect_efforts(hy_tank_efforts(0.5, -2.0, false), 0.5, -1.0);
    expect_efforts(hy_tank_efforts(0.5, -0.5, true), 0.25, -0.25);
}

static void a_drive_moves_its_motors(void **state)
{
    (void)state;
    hy_motor left, right;
    hy_differential_drive self;
    hy_motor_init(&left, false);
    hy_motor_init(&right, true);
    hy_differential_drive_init(&self, &left, &right);
    hy_differential_drive_tank(&self, 0.5, 0.019, false, 10);
    expect_near(left.effort, (0.5 - 0.02) / 0.98); // WPILib's deadband of 0.02
    expect_near(right.effort, 0.0);
    assert_true(hy_differential_drive_set_deadband(&self, 0.0));
    assert_true(hy_differential_drive_set_max_output(&self, 0.5));
    hy_differential_drive_arcade(&self, 1.0, 0.0, false, 20);
    expect_near(left.effort, 0.5);
    expect_near(hy_motor_output(&right, 20), -0.5);
    hy_differential_drive_curvature(&self, 0.5, 0.5, false, 30);
    expect_near(left.effort, 0.125);
    expect_near(right.effort, 0.375);
    expect_near(hy_motor_output(&left, 30 + HY_MOTOR_TIMEOUT_US), 0.125); // fed at 30
    hy_differential_drive_stop(&self, 40);
    expect_near(left.effort + right.effort, 0.0);
}

static void no_nonsense_reaches_a_differential_drive(void **state)
{
    (void)state;
    hy_motor left, right;
    hy_differential_drive self;
    hy_motor_init(&left, false);
    hy_motor_init(&right, false);
    hy_differential_drive_init(&self, &left, &right);
    assert_false(hy_differential_drive_set_deadband(&self, 1.0));
    assert_false(hy_differential_drive_set_deadband(&self, -0.1));
    assert_false(hy_differential_drive_set_max_output(&self, 1.1));
    assert_false(hy_differential_drive_set_max_output(&self, -0.1));
    for_each_not_finite(bad)
    {
        assert_false(hy_differential_drive_set_deadband(&self, bad));
        assert_false(hy_differential_drive_set_max_output(&self, bad));
        expect_efforts(hy_arcade_efforts(bad, 0.5, false), -0.5, 0.5);
        expect_efforts(hy_curvature_efforts(0.5, bad, true), 0.5, 0.5);
        expect_efforts(hy_tank_efforts(bad, 0.5, true), 0.0, 0.25);
        hy_differential_drive_tank(&self, bad, bad, true, 0);
        expect_near(left.effort, 0.0);
        hy_differential_drive_arcade(&self, bad, bad, true, 0);
        expect_near(right.effort, 0.0);
        hy_differential_drive_curvature(&self, bad, bad, true, 0);
        expect_near(left.effort, 0.0);
    }
}

// --------------------------------------------------------------------------- swerve drive

typedef struct {
    hy_teensy robot;
    hy_swerve_drive drive;
    hy_readings readings;
    int64_t now_us;
} bench;

static void set_up(bench *b)
{
    memset(b, 0, sizeof *b);
    hy_teensy_init(&b->robot);
    assert_true(hy_teensy_swerve_drive_init(&b->drive, &b->robot, 0.02));
    b->readings.encoders = 0xFF;
    hy_teensy_update(&b->robot, &b->readings, 0);
}

/// All modules at this angle.
static void turn_modules(bench *b, double angle_rad)
{
    b->now_us += 20000;
    for (size_t i = 1; i < 8; i += 2) {
        b->readings.encoder[i].count =
            (int32_t)lround(angle_rad / (2 * HY_PI) * HY_TEENSY_STEER_COUNTS);
    }
    hy_teensy_update(&b->robot, &b->readings, b->now_us);
}

static void modules_roll_ahead(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    hy_swerve_drive_robot(&b.drive, (hy_chassis_speeds){ 0.57, 0.0, 0.0 }, 0);
    for (size_t i = 0; i < 8; i += 2) {
        // Half of 1.14 m/s by feed-forward, and the gains' share of the error: 0.6 of 0.57, 2 of its
        // integral.
        expect_near(b.robot.motor[i].effort, 0.5 + 0.6 * 0.57 + 2.0 * 0.57 * 0.02);
        expect_near(b.robot.motor[i + 1].effort, 0.0);
    }
}

static void modules_wait_for_their_angle(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    hy_swerve_drive_robot(&b.drive, (hy_chassis_speeds){ 0.0, 0.5, 0.0 }, 0);
    for (size_t i = 0; i < 8; i += 2) {
        expect_near(b.robot.motor[i].effort, 0.0);     // across its way: the cosine is 0
        expect_near(b.robot.motor[i + 1].effort, 1.0); // as fast as it can, counter-clockwise
    }
    turn_modules(&b, 90 * DEG);
    hy_swerve_drive_robot(&b.drive, (hy_chassis_speeds){ 0.0, 0.5, 0.0 }, b.now_us);
    assert_true(b.robot.motor[0].effort > 0.5 / 1.14);
}

static void wheels_roll_backwards_where_that_is_shorter(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    hy_swerve_drive_robot(&b.drive, (hy_chassis_speeds){ -0.5, 0.0, 0.0 }, 0);
    for (size_t i = 0; i < 4; i++) {
        expect_near(b.drive.wanted[i].speed_m_s, -0.5);
        expect_rotation(b.drive.wanted[i].angle, 0.0);
        assert_true(b.robot.motor[2 * i].effort < -0.4);
    }
}

static void the_field_is_turned_by_the_heading(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    hy_swerve_drive_field(&b.drive, (hy_chassis_speeds){ 0.0, 0.5, 0.0 },
                          hy_rotation2d_from_rad(90 * DEG), 0);
    for (size_t i = 0; i < 4; i++) {
        expect_near(b.drive.wanted[i].speed_m_s, 0.5);
        expect_rotation(b.drive.wanted[i].angle, 0.0);
    }
}

static void a_robot_that_turns_is_told_where_it_will_look(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    b.drive.config.lag_s = 0.1;
    b.drive.config.period_s = 0.0; // hy_chassis_speeds_discretize() leaves the speeds as they are
    const hy_chassis_speeds field = { 0.5, 0.0, 1.0 };
    hy_swerve_drive_field(&b.drive, field, HY_ROTATION2D_NONE, 0);
    expect_speeds(hy_swerve_to_chassis(&b.drive.config.kinematics, b.drive.wanted), 0.5 * cos(0.1),
                  -0.5 * sin(0.1), 1.0);
    // Half as fast as asked for, it turns half as far meanwhile.
    hy_swerve_state states[4] = { { 0 } };
    hy_swerve_to_modules(&b.drive.config.kinematics, field, (hy_translation2d){ 0, 0 }, states);
    b.drive.config.max_m_s = 0.0;
    for (size_t i = 0; i < 4; i++) {
        b.drive.config.max_m_s = fmax(b.drive.config.max_m_s, states[i].speed_m_s / 2.0);
    }
    hy_swerve_drive_field(&b.drive, field, HY_ROTATION2D_NONE, 0);
    const hy_chassis_speeds half = hy_swerve_to_chassis(&b.drive.config.kinematics, b.drive.wanted);
    expect_within(atan2(half.vy_m_s, half.vx_m_s), -0.05, 1e-9);
}

static void no_wheel_is_asked_for_more_than_it_can(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    hy_swerve_drive_robot(&b.drive, (hy_chassis_speeds){ 1.0, 0.0, 5.0 }, 0);
    double fastest = 0.0;
    for (size_t i = 0; i < 4; i++) {
        fastest = fmax(fastest, fabs(b.drive.wanted[i].speed_m_s));
    }
    expect_near(fastest, HY_TEENSY_MAX_M_S);
}

static void a_robot_that_stops_keeps_its_modules(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    turn_modules(&b, 30 * DEG);
    hy_swerve_drive_robot(
        &b.drive, (hy_chassis_speeds){ 0.5 * cos(30 * DEG), 0.5 * sin(30 * DEG), 0.0 }, b.now_us);
    hy_swerve_drive_robot(&b.drive, (hy_chassis_speeds){ 0.0, 0.0, 0.0 }, b.now_us);
    for (size_t i = 0; i < 4; i++) {
        expect_rotation(b.drive.wanted[i].angle, 30 * DEG);
        expect_near(b.drive.wanted[i].speed_m_s, 0.0);
    }
}

static void a_blocked_wheel_does_not_wind_up(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    for (int i = 0; i < 200; i++) {
        hy_swerve_drive_robot(&b.drive, (hy_chassis_speeds){ 1.0, 0.0, 0.0 }, 0);
    }
    expect_near(b.robot.motor[0].effort, 1.0);
    hy_swerve_drive_robot(&b.drive, (hy_chassis_speeds){ 0.2, 0.0, 0.0 }, 0);
    expect_near(b.robot.motor[0].effort, 0.2 / 1.14 + 0.6 * 0.2 + 2.0 * 0.2 * 0.02);
}

static void a_stop_forgets_what_was_integrated(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    double first = 0.0;
    for (int i = 0; i < 10; i++) {
        hy_swerve_drive_robot(&b.drive, (hy_chassis_speeds){ 0.2, 0.0, 0.0 }, 0);
        first = i == 0 ? b.robot.motor[0].effort : first;
    }
    assert_true(b.robot.motor[0].effort > first + 0.05);
    hy_swerve_drive_stop(&b.drive, 0);
    expect_near(b.robot.motor[0].effort, 0.0);
    hy_swerve_drive_robot(&b.drive, (hy_chassis_speeds){ 0.2, 0.0, 0.0 }, 0);
    expect_near(b.robot.motor[0].effort, first);
}

static void modules_turn_past_the_half_turn(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    turn_modules(&b, 170 * DEG);
    const hy_chassis_speeds back = { 0.5 * cos(190 * DEG), 0.5 * sin(190 * DEG), 0.0 };
    hy_swerve_drive_robot(&b.drive, back, b.now_us);
    for (size_t i = 0; i < 4; i++) {
        // On in the same direction, and not back nearly once round.
        assert_true(b.robot.motor[2 * i + 1].effort > 0.5);
        assert_true(b.robot.motor[2 * i].effort > 0.4);
    }
}

static void locked_wheels_point_to_the_middle(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    hy_swerve_drive_x_lock(&b.drive, 0);
    const double to_the_middle[4] = { 45, -45, 45, -45 }; // each by the shorter way
    for (size_t i = 0; i < 4; i++) {
        expect_near(b.drive.wanted[i].speed_m_s, 0.0);
        expect_rotation(b.drive.wanted[i].angle, to_the_middle[i] * DEG);
        expect_near(b.robot.motor[2 * i].effort, 0.0);
    }
}

static void what_the_encoders_say(void **state)
{
    (void)state;
    bench b;
    hy_swerve_position positions[4];
    hy_swerve_state states[4];
    set_up(&b);
    b.readings.encoder[4].count = 980; // rear right's wheel: one turn and a third of a count
    turn_modules(&b, -450 * DEG);
    hy_swerve_drive_positions(&b.drive, positions);
    hy_swerve_drive_states(&b.drive, states);
    expect_within(positions[2].distance_m, 2 * HY_PI * 0.03, 1e-4);
    expect_near(positions[0].distance_m, 0.0);
    expect_within(hy_rotation2d_rad(positions[2].angle), -90 * DEG, 2e-3);
    expect_within(states[2].speed_m_s, 2 * HY_PI * 0.03 / 0.02, 1e-2);
    expect_within(hy_rotation2d_rad(states[0].angle), -90 * DEG, 2e-3);
}

static void nonsense_stops_a_swerve(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    for_each_not_finite(bad)
    {
        const hy_chassis_speeds speeds[3] = { { bad, 0, 0 }, { 0, bad, 0 }, { 0, 0, bad } };
        for (size_t i = 0; i < 3; i++) {
            hy_swerve_drive_robot(&b.drive, (hy_chassis_speeds){ 0.5, 0.5, 0.5 }, 0);
            hy_swerve_drive_robot(&b.drive, speeds[i], 0);
            for (size_t m = 0; m < 8; m++) {
                assert_true(b.robot.motor[m].effort == 0.0);
            }
            hy_swerve_drive_field(&b.drive, speeds[i], (hy_rotation2d){ bad, bad }, 0);
            assert_true(b.robot.motor[0].effort == 0.0);
        }
    }
    hy_swerve_drive_robot(&b.drive, (hy_chassis_speeds){ 0.5, 0.5, 0.5 }, 0);
    hy_swerve_drive_stop(&b.drive, 0);
    for (size_t m = 0; m < 8; m++) {
        assert_true(b.robot.motor[m].effort == 0.0);
    }
}

static void what_is_no_swerve_drive_is_refused(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    hy_swerve_config config = { .max_m_s = 1.0, .period_s = 0.02 };
    config.kinematics.count = 4;
    hy_swerve_module modules[4] = { { 0 } };
    assert_true(hy_swerve_drive_init(&b.drive, &config, modules));
    config.max_m_s = 0.0;
    assert_false(hy_swerve_drive_init(&b.drive, &config, modules));
    config.max_m_s = (double)NAN;
    assert_false(hy_swerve_drive_init(&b.drive, &config, modules));
    config.max_m_s = 1.0;
    config.steer.p = -1.0;
    assert_false(hy_swerve_drive_init(&b.drive, &config, modules));
    config.steer.p = 0.0;
    for_each_not_finite(bad)
    {
        config.lag_s = bad;
        assert_false(hy_swerve_drive_init(&b.drive, &config, modules));
    }
    config.lag_s = -0.01;
    assert_false(hy_swerve_drive_init(&b.drive, &config, modules));
    config.lag_s = 0.0;
    assert_true(hy_swerve_drive_init(&b.drive, &config, modules));
    assert_false(hy_teensy_swerve_drive_init(&b.drive, &b.robot, 0.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arcade),
        cmocka_unit_test(curvature),
        cmocka_unit_test(tank),
        cmocka_unit_test(a_drive_moves_its_motors),
        cmocka_unit_test(no_nonsense_reaches_a_differential_drive),
        cmocka_unit_test(modules_roll_ahead),
        cmocka_unit_test(modules_wait_for_their_angle),
        cmocka_unit_test(wheels_roll_backwards_where_that_is_shorter),
        cmocka_unit_test(the_field_is_turned_by_the_heading),
        cmocka_unit_test(a_robot_that_turns_is_told_where_it_will_look),
        cmocka_unit_test(no_wheel_is_asked_for_more_than_it_can),
        cmocka_unit_test(a_robot_that_stops_keeps_its_modules),
        cmocka_unit_test(a_blocked_wheel_does_not_wind_up),
        cmocka_unit_test(a_stop_forgets_what_was_integrated),
        cmocka_unit_test(modules_turn_past_the_half_turn),
        cmocka_unit_test(locked_wheels_point_to_the_middle),
        cmocka_unit_test(what_the_encoders_say),
        cmocka_unit_test(nonsense_stops_a_swerve),
        cmocka_unit_test(what_is_no_swerve_drive_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
