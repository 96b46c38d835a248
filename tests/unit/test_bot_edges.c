// The edges of ranges, one by one, and what is only wrong in one place of many: the last member of a group, one
// number of three, a turn of which only the sign differs.
#include "bot_checks.h"

#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------- encoders

#define STATUS_US INT64_C(20000)

/// The rate behind two readings, `moved` counts and 20 ms apart, of which the second is `second`.
static double rate_of(int32_t moved, hy_encoder_reading second)
{
    hy_encoder self;
    assert_true(hy_encoder_init(&self, 0.5));
    hy_encoder_update(&self, &(hy_encoder_reading){ .count = 7 }, STATUS_US);
    second.count = 7 + moved;
    hy_encoder_update(&self, &second, 2 * STATUS_US);
    return self.rate;
}

static void a_period_that_is_none_is_not_believed(void **state)
{
    (void)state;
    const double counted = 0.5 * 10 / 0.02;
    expect_near(rate_of(10, (hy_encoder_reading){ 0, 33381, 9375000, false }), counted);
    expect_near(rate_of(10, (hy_encoder_reading){ 0, 1, 9375000, true }), counted); // no tick at all
    expect_near(rate_of(10, (hy_encoder_reading){ 0, UINT32_MAX, 9375000, true }), counted); // "stands"
    expect_near(rate_of(10, (hy_encoder_reading){ 0, 33381, 0, true }), counted);
    expect_near(rate_of(10, (hy_encoder_reading){ 0, 33380, 9375000, true }), counted); // the other way
    expect_near(rate_of(10, (hy_encoder_reading){ 0, 33381, 9375000, true }), 0.5 * 9375000 / 16690);
    expect_near(rate_of(10, (hy_encoder_reading){ 0, 3, 2000, true }), 0.5 * 2000); // one tick a count
    expect_near(rate_of(1, (hy_encoder_reading){ 0, 9, 1, true }),
                0.5 * 0.25); // very slow is a rate too
}

static void a_wheel_that_was_just_found_stands(void **state)
{
    (void)state;
    // The firmware may still tell the period from before; but nobody has seen a count.
    expect_near(rate_of(0, (hy_encoder_reading){ 0, 33381, 9375000, true }), 0.0);
}

static void statuses_that_come_at_once_do_not_stop_the_wheel(void **state)
{
    (void)state;
    for (int has_period = 0; has_period < 2; has_period++) {
        hy_encoder self;
        const hy_encoder_reading first = { 0, 37501, 9375000, has_period != 0 };
        hy_encoder_reading next = first;
        assert_true(hy_encoder_init(&self, 1.0));
        hy_encoder_update(&self, &first, STATUS_US);
        next.count = 10;
        hy_encoder_update(&self, &next, 2 * STATUS_US);
        expect_near(self.rate, 500.0);
        next.count = 20; // held up on its way, and here together with the one behind it
        hy_encoder_update(&self, &next, 2 * STATUS_US);
        expect_near(self.rate, 500.0);
        hy_encoder_update(&self, &next, 2 * STATUS_US); // the same again
        expect_near(self.rate, 500.0);
        hy_encoder_update(&self, &next, 4 * STATUS_US); // no count for 40 ms: at most 25 a second
        expect_near(self.rate, 25.0);
        hy_encoder_rebase(&self);
        expect_near(self.rate, 0.0);
        assert_int_equal(self.counts, 20);
    }
}

static void the_first_reading_has_a_time(void **state)
{
    (void)state;
    hy_encoder self;
    assert_true(hy_encoder_init(&self, 1.0));
    hy_encoder_update(&self, &(hy_encoder_reading){ .count = 0 }, 1000000);
    hy_encoder_update(&self, &(hy_encoder_reading){ .count = 5 }, 1010000);
    expect_near(self.rate, 500.0);
}

// --------------------------------------------------------------------------- the other devices

static void the_smallest_that_is_allowed(void **state)
{
    (void)state;
    hy_motor motor;
    hy_servo servo, none = { 0 };
    hy_led led;
    hy_motor_init(&motor, false);
    hy_motor_set_timeout(&motor, 1);
    hy_motor_set(&motor, 0.5, 0);
    expect_near(hy_motor_output(&motor, 1), 0.5);
    expect_near(hy_motor_output(&motor, 2), 0.0);
    assert_true(hy_servo_init(&servo, 0.05));
    assert_true(hy_servo_set_angle(&servo, 0.025));
    expect_near(servo.position, 0.5);
    assert_false(hy_servo_init(&servo, 0.0));
    assert_false(hy_servo_set_angle(&none, 0.1));
    hy_led_blink(&led, 2);
    assert_true(hy_led_output(&led, 0) && !hy_led_output(&led, 1) && hy_led_output(&led, 2));
    hy_led_blink(&led, 1); // has no second half
    assert_true(hy_led_output(&led, 0) && hy_led_output(&led, 1));
}

static void numbers_of_a_vector_are_asked_one_by_one(void **state)
{
    (void)state;
    for_each_not_finite(bad)
    {
        for (int axis = 0; axis < 3; axis++) {
            hy_gyro gyro = { 0 };
            hy_accelerometer accelerometer = { 0 };
            const float good[3] = { 10, 20, 30 };
            float spoiled[3] = { 1, 2, 3 };
            spoiled[axis] = (float)bad;
            hy_gyro_update(&gyro, good, good);
            hy_gyro_update(&gyro, spoiled, good);
            hy_gyro_update(&gyro, good, spoiled);
            assert_true(gyro.readings == 1 && gyro.refused == 2);
            hy_accelerometer_update(&accelerometer, good);
            hy_accelerometer_update(&accelerometer, spoiled);
            assert_true(accelerometer.readings == 1 && accelerometer.refused == 1);
            for (int i = 0; i < 3; i++) {
                expect_within(gyro.rate_rad_s[i], (10.0 + 10.0 * i) * DEG, 1e-12);
                expect_within(accelerometer.accel_m_s2[i], (10.0 + 10.0 * i) * 9.80665, 1e-9);
            }
        }
    }
}

static void volts_at_the_ends_of_their_range(void **state)
{
    (void)state;
    hy_reflectance floor = { 0 };
    hy_rangefinder ranger = { 0 };
    hy_reflectance_update(&floor, -1.0F, 2.0F); // one of the two has not measured
    assert_false(floor.is_ready);
    hy_reflectance_update(&floor, 2.0F, -1.0F);
    assert_false(floor.is_ready);
    expect_near(floor.right_v, 0.0);
    hy_reflectance_update(&floor, 0.0F, 0.0F); // no volt at all is white
    assert_true(floor.is_ready);
    hy_reflectance_update(&floor, 0.0625F, 0.03125F);
    assert_true(floor.is_ready);
    expect_near(floor.left, 0.0125);
    expect_near(floor.right_v, 0.03125);
    hy_reflectance_update(&floor, 5.25F, 5.25F);
    assert_true(floor.left == 1.0 && floor.right == 1.0 && floor.left_v == 5.0 &&
                floor.right_v == 5.0);
    hy_rangefinder_update(&ranger, 0.0625F);
    assert_true(ranger.is_ready && !ranger.is_saturated);
    expect_near(ranger.range_m, 0.05);
    hy_rangefinder_update(&ranger, -0.0625F);
    assert_false(ranger.is_ready);
    expect_near(ranger.range_m, 0.0);
    hy_rangefinder_update(&ranger, 4.96875F);
    assert_false(ranger.is_saturated);
    hy_rangefinder_update(&ranger, 5.0F);
    assert_true(ranger.is_saturated);
    hy_rangefinder_update(&ranger, 5.25F);
    assert_true(ranger.is_saturated && ranger.range_m == 4.0);
}

static void every_part_of_an_xrp_is_wired(void **state)
{
    (void)state;
    hy_xrp self;
    hy_outputs out;
    hy_xrp_init(&self);
    for (int i = 0; i < HY_XRP_SERVOS; i++) { // one at a time
        expect_near(self.servo[i].range_rad, HY_PI);
        assert_true(hy_servo_set_position(&self.servo[i], 0.25 + 0.125 * i));
        hy_xrp_outputs(&self, &out, 0);
        assert_int_equal(out.servos, (2 << i) - 1);
        expect_near((double)out.servo[i], 0.25 + 0.125 * i);
    }
    hy_readings in = { .analog_v = { 4.0F, 1.0F, 2.5F } };
    for (uint8_t analogs = 0; analogs < 8; analogs++) { // the pair needs both, the ranger only its own
        hy_xrp_init(&self);
        in.analogs = analogs;
        hy_xrp_update(&self, &in, 0);
        assert_int_equal(self.reflectance.is_ready, (analogs & 3) == 3);
        assert_int_equal(self.rangefinder.is_ready, (analogs & 4) == 4);
    }
    expect_near(self.reflectance.left, 0.8);
    expect_near(self.reflectance.right, 0.2);
}

static void every_part_of_a_teensy_is_wired(void **state)
{
    (void)state;
    hy_teensy self;
    hy_outputs out;
    hy_teensy_init(&self);
    hy_readings in = { .encoders = 0xFF, .has_gyro = true };
    in.gyro_angle_deg[2] = 90.0F;
    for (int i = 0; i < HY_TEENSY_ENCODERS; i++) {
        in.encoder[i].count = 100;
        hy_motor_set(&self.motor[i], 0.1 * (i + 1), 0);
    }
    hy_teensy_update(&self, &in, 0);
    in.gyro_angle_deg[2] = 100.0F;
    hy_teensy_update(&self, &in, 20000);
    hy_teensy_outputs(&self, &out, 20000);
    for (int i = 0; i < HY_TEENSY_ENCODERS;
         i++) { // odd ones are absolute, even ones begin where they are
        assert_int_equal(self.encoder[i].counts, i % 2 == 0 ? 0 : 100);
        expect_near((double)out.motor[i], (double)(float)(0.1 * (i + 1)));
    }
    hy_teensy_outputs(&self, &out, HY_MOTOR_TIMEOUT_US + 1); // nobody set them any more
    for (int i = 0; i < HY_TEENSY_MOTORS; i++) {
        expect_near((double)out.motor[i], 0.0);
    }
    expect_within(self.gyro.angle_rad[2], 10.0 * DEG, 1e-12);
    hy_teensy_rebase(&self);
    in.gyro_angle_deg[2] = 0.0F; // it has started again: that is no turn
    hy_teensy_update(&self, &in, 40000);
    expect_within(self.gyro.angle_rad[2], 10.0 * DEG, 1e-12);
}

// --------------------------------------------------------------------------- drives

static void limits_of_a_drive(void **state)
{
    (void)state;
    hy_motor left, right;
    hy_differential_drive self;
    hy_motor_init(&left, false);
    hy_motor_init(&right, false);
    hy_differential_drive_init(&self, &left, &right);
    assert_false(hy_differential_drive_set_max_output(&self, -0.05));
    assert_false(hy_differential_drive_set_max_output(&self, 1.05));
    assert_true(hy_differential_drive_set_max_output(&self, 1.0));
    hy_differential_drive_tank(&self, 1.0, -1.0, false, 0);
    expect_near(left.effort, 1.0);
    assert_true(hy_differential_drive_set_max_output(&self, 0.05));
    hy_differential_drive_tank(&self, 1.0, -1.0, false, 0);
    expect_near(right.effort, -0.05);
    assert_true(hy_differential_drive_set_max_output(&self, 0.0));
    hy_differential_drive_tank(&self, 1.0, -1.0, false, 0);
    expect_near(left.effort, 0.0);
    assert_true(hy_differential_drive_set_deadband(&self, 0.0));
    assert_true(hy_differential_drive_set_deadband(&self, 0.95));
    assert_false(hy_differential_drive_set_deadband(&self, 1.0));
    assert_false(hy_differential_drive_set_deadband(&self, -0.05));
}

static void curves_to_both_sides_keep_their_shape(void **state)
{
    (void)state;
    const hy_drive_efforts right = hy_curvature_efforts(1.0, -0.5, false);
    expect_near(right.left, 1.0);
    expect_near(right.right, 1.0 / 3.0);
    const hy_drive_efforts left = hy_curvature_efforts(1.0, 0.5, false);
    expect_near(left.left, 1.0 / 3.0);
    expect_near(left.right, 1.0);
    const hy_drive_efforts little = hy_curvature_efforts(0.9, 0.15, true); // just more than 1
    expect_near(little.left, 0.75 / 1.05);
    expect_near(little.right, 1.0);
}

// --------------------------------------------------------------------------- kinematics and geometry

static void the_smallest_and_largest_drives(void **state)
{
    (void)state;
    hy_differential_kinematics track;
    hy_swerve_kinematics swerve;
    hy_translation2d places[HY_SWERVE_MODULES + 1];
    assert_true(hy_differential_kinematics_init(&track, 0.05));
    for (int i = 0; i <= HY_SWERVE_MODULES; i++) {
        places[i] = (hy_translation2d){ 0.1 * i, 0.02 * i * i };
    }
    assert_false(hy_swerve_kinematics_init(&swerve, places, 1));
    assert_true(hy_swerve_kinematics_init(&swerve, places, 2));
    assert_true(hy_swerve_kinematics_init(&swerve, places, HY_SWERVE_MODULES));
    assert_int_equal(swerve.count, HY_SWERVE_MODULES);
    assert_false(hy_swerve_kinematics_init(&swerve, places, HY_SWERVE_MODULES + 1));
    hy_swerve_state states[HY_SWERVE_MODULES] = { { 0 } };
    // About a centre that is beside both axes every module goes round it, at its own distance.
    const hy_translation2d centre = { 0.3, -0.2 };
    hy_swerve_to_modules(&swerve, (hy_chassis_speeds){ 0.0, 0.0, 2.0 }, centre, states);
    for (int i = 0; i < HY_SWERVE_MODULES; i++) {
        const hy_translation2d arm = hy_translation2d_minus(places[i], centre);
        const hy_translation2d moves =
            hy_translation2d_from_polar(states[i].speed_m_s, states[i].angle);
        expect_translation(moves, -2.0 * arm.y_m, 2.0 * arm.x_m);
    }
}

static void slow_limits_are_limits(void **state)
{
    (void)state;
    const hy_wheel_speeds slow = hy_wheel_speeds_desaturate((hy_wheel_speeds){ 0.1, -0.2 }, 0.05);
    expect_near(slow.left_m_s, 0.025);
    expect_near(slow.right_m_s, -0.05);
    hy_swerve_state states[2] = { { 0.5, { 1, 0 } }, { -1.0, { 0, 1 } } };
    hy_swerve_desaturate(states, 2, 0.05);
    expect_near(states[1].speed_m_s, -0.05);
    const hy_chassis_speeds wanted = { 0.03, 0.04, 0.01 };
    const hy_swerve_limits none[2] = { { 1.0, 0.0, 1.0 }, { 1.0, 1.0, 0.0 } };
    for (int i = 0; i < 2; i++) {
        hy_swerve_desaturate_chassis(states, 2, wanted, &none[i]);
        expect_near(states[0].speed_m_s, 0.025);
        expect_near(states[1].speed_m_s, -0.05);
    }
    // All the way of 0.05 m/s is wanted, so the fastest module goes at its own limit.
    hy_swerve_desaturate_chassis(states, 2, wanted, &(hy_swerve_limits){ 0.02, 0.05, 0.05 });
    expect_near(states[1].speed_m_s, -0.02);
    expect_near(states[0].speed_m_s, 0.01);
}

static void ways_end_where_they_end(void **state)
{
    (void)state;
    const hy_translation2d a = { 1.0, 2.0 }, b = { 3.0, -1.0 };
    expect_translation(hy_translation2d_interpolate(a, b, -0.05), 1.0, 2.0);
    expect_translation(hy_translation2d_interpolate(a, b, 0.05), 1.1, 1.85);
    expect_translation(hy_translation2d_interpolate(a, b, 1.05), 3.0, -1.0);
    expect_translation(hy_translation2d_interpolate(a, b, (double)NAN), 1.0, 2.0);
    const hy_pose2d from = hy_pose2d_at(1.0, 2.0, 0.0), to = hy_pose2d_at(3.0, -1.0, 1.0);
    expect_pose(hy_pose2d_interpolate(from, to, 1.05), 3.0, -1.0, 1.0);
    expect_pose(hy_pose2d_interpolate(from, to, -0.05), 1.0, 2.0, 0.0);
    const hy_pose2d same[3] = { to, from, from };
    assert_int_equal(hy_pose2d_nearest(from, same, 3), 1); // the first of equals
}

static void one_number_of_a_place_spoils_it(void **state)
{
    (void)state;
    hy_differential_kinematics kinematics;
    hy_differential_odometry self;
    assert_true(hy_differential_kinematics_init(&kinematics, 0.1));
    assert_true(hy_differential_odometry_start(&self, &kinematics, 0.0, (hy_wheel_distances){ 0, 0 },
                                               hy_pose2d_at(1.0, 2.0, 0.0)));
    for_each_not_finite(bad)
    {
        assert_false(hy_odometry_set_translation(&self.odometry, (hy_translation2d){ bad, 0.0 }));
        assert_false(hy_odometry_set_translation(&self.odometry, (hy_translation2d){ 0.0, bad }));
    }
    expect_pose(self.odometry.pose, 1.0, 2.0, 0.0);
}

static void one_number_of_a_module_spoils_it(void **state)
{
    (void)state;
    const hy_translation2d places[2] = { { 0.1, 0.0 }, { -0.1, 0.0 } };
    hy_swerve_kinematics kinematics;
    hy_swerve_odometry self;
    const hy_swerve_position still[2] = { { 0.0, { 1, 0 } }, { 0.0, { 1, 0 } } };
    assert_true(hy_swerve_kinematics_init(&kinematics, places, 2));
    assert_true(hy_swerve_odometry_start(&self, &kinematics, 0.0, still, HY_POSE2D_ORIGIN));
    for_each_not_finite(bad)
    {
        for (int i = 0; i < 6; i++) {
            hy_swerve_position distances[2] = { { 0.5, { 1, 0 } }, { 0.5, { 1, 0 } } };
            hy_swerve_position *const way = &distances[i / 3];
            *(i % 3 == 0 ? &way->distance_m : i % 3 == 1 ? &way->angle.cos : &way->angle.sin) = bad;
            assert_false(hy_swerve_odometry_update(&self, 0.0, distances));
            if (i % 3 == 0) { // where they start, only the distances count
                assert_false(
                    hy_swerve_odometry_start(&self, &kinematics, 0.0, distances, HY_POSE2D_ORIGIN));
            }
        }
    }
    expect_pose(self.odometry.pose, 0.0, 0.0, 0.0);
    const hy_swerve_position ahead[2] = { { 0.5, { 1, 0 } }, { 0.5, { 1, 0 } } };
    assert_true(hy_swerve_odometry_update(&self, 0.0, ahead)); // nothing of that has stayed
    expect_pose(self.odometry.pose, 0.5, 0.0, 0.0);
}

// --------------------------------------------------------------------------- control

static void one_setting_of_a_feed_forward_spoils_it(void **state)
{
    (void)state;
    hy_motor_feedforward self;
    assert_true(hy_motor_feedforward_init(&self, 0.1, 1.0, 0.1, 0.02));
    for_each_not_finite(bad)
    {
        assert_false(hy_motor_feedforward_init(&self, bad, 1.0, 0.1, 0.02));
        assert_false(hy_motor_feedforward_init(&self, 0.1, bad, 0.1, 0.02));
        assert_false(hy_motor_feedforward_init(&self, 0.1, 1.0, bad, 0.02));
        assert_false(hy_motor_feedforward_init(&self, 0.1, 1.0, 0.1, bad));
    }
    expect_near(self.ka, 0.1);
    // At rest there is no friction to overcome, but there is inertia.
    expect_near(hy_motor_feedforward_accelerating(&self, 0.0, 4.0), 0.4);
    expect_near(hy_motor_feedforward_max_acceleration(&self, 12.0, 0.0), 120.0);
    expect_near(hy_motor_feedforward_min_acceleration(&self, 12.0, 0.0), -120.0);
}

/// A profile that can be driven: there is room to come from one speed to the other.
static void a_profile_keeps_its_promises(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(3);
    for (int i = 0; i < 300; i++) {
        const hy_profile_constraints limits = { 0.05 + 3.0 * hy_random_unit(&random),
                                                0.05 + 3.0 * hy_random_unit(&random) };
        const double v0 = limits.max_velocity * hy_random_unit(&random);
        const double v1 = limits.max_velocity * hy_random_unit(&random);
        const double room = fabs(v0 * v0 - v1 * v1) / (2.0 * limits.max_acceleration);
        const double way = room + 4.0 * hy_random_unit(&random) + 1e-3;
        const double side = i % 2 == 0 ? 1.0 : -1.0;
        hy_trapezoid_profile self;
        assert_true(hy_trapezoid_profile_plan(&self, limits, (hy_profile_state){ 2.0, side * v0 },
                                              (hy_profile_state){ 2.0 + side * way, side * v1 }));
        hy_profile_state last = hy_trapezoid_profile_at(&self, 0.0);
        expect_within(last.position, 2.0, 1e-12);
        expect_within(last.velocity, side * v0, 1e-12);
        const double dt = self.total_s / 1000.0;
        double top = 0.0;
        for (int k = 1; k <= 1000; k++) {
            const hy_profile_state now = hy_trapezoid_profile_at(&self, dt * k);
            const double mean = (now.velocity + last.velocity) / 2.0;
            assert_true(fabs(now.velocity) <= limits.max_velocity + 1e-9);
            expect_within(now.velocity, last.velocity, limits.max_acceleration * dt + 1e-9);
            expect_within(now.position - last.position, mean * dt,
                          limits.max_acceleration * dt * dt + 1e-9);
            top = fmax(top, fabs(now.velocity));
            last = now;
        }
        expect_within(last.position, 2.0 + side * way, 1e-9);
        expect_within(last.velocity, side * v1, 1e-7);
        // And it is in a hurry: full speed, or up and down without a pause.
        const double ramps = (2.0 * top - v0 - v1) / limits.max_acceleration;
        assert_true(top > limits.max_velocity - 1e-9 || self.total_s < ramps + 2.1 * dt);
    }
}

static void small_constraints_are_constraints(void **state)
{
    (void)state;
    hy_profiled_pid self;
    const hy_pid_gains gains = { 0.0, 1.0, 0.0 };
    assert_true(hy_profiled_pid_init(&self, gains, (hy_profile_constraints){ 0.05, 0.05 }, 0.1));
    assert_false(hy_profiled_pid_init(&self, gains, (hy_profile_constraints){ 0.0, 1.0 }, 0.1));
    assert_false(hy_profiled_pid_init(&self, gains, (hy_profile_constraints){ 1.0, 0.0 }, 0.1));
    hy_profiled_pid_set_goal(&self, (hy_profile_state){ 1.0, 0.0 });
    hy_profiled_pid_calculate(&self, -1.0);
    assert_true(self.pid.total_error > 0.0);
    assert_true(hy_profiled_pid_reset(&self, (hy_profile_state){ 0.5, 0.0 }));
    expect_near(self.pid.total_error, 0.0); // of the way before
    expect_near(self.setpoint.position, 0.5);
}

static void bang_bang_at_the_edge(void **state)
{
    (void)state;
    hy_bang_bang self;
    assert_true(hy_bang_bang_init(&self, 0.0));
    assert_true(hy_bang_bang_init(&self, 0.05));
    hy_bang_bang_calculate(&self, 1.0, 1.0);
    assert_true(hy_bang_bang_at_setpoint(&self));
    assert_true(hy_bang_bang_init(&self, 0.5));
    hy_bang_bang_calculate(&self, 1.5, 1.0);
    assert_false(hy_bang_bang_at_setpoint(&self)); // as near as the tolerance is not nearer
}

static void filters_alternate_and_refuse_sizes_that_overflow(void **state)
{
    (void)state;
    double memory[8] = { 0 };
    hy_linear_filter high;
    hy_median_filter median;
    assert_true(hy_linear_filter_high_pass(&high, 0.5, 0.1, memory, 6));
    for (int i = 1; i <= 6; i++) { // of a step, exp(-t / 0.5) is left
        expect_near(hy_linear_filter_calculate(&high, 1.0), exp(-0.2 * i));
    }
    assert_false(hy_linear_filter_high_pass(&high, 0.5, 0.0, memory, 6));
    assert_false(hy_linear_filter_single_pole(&high, 0.5, 0.0, memory, 6));
    const double one[1] = { 1.0 };
    const size_t half = SIZE_MAX / 2 + 1; // twice that is 0
    assert_false(hy_linear_filter_moving_average(&high, half, memory, 8));
    assert_false(hy_linear_filter_init(&high, (hy_filter_gains){ one, one, half, 0 }, memory, 8));
    assert_false(hy_linear_filter_init(&high, (hy_filter_gains){ one, one, 0, half }, memory, 8));
    assert_false(hy_median_filter_init(&median, half, memory, 8));
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// By sorting the last `size` of `count` values.
static double median_of(const double *values, size_t count, size_t size)
{
    double sorted[16];
    const size_t used = count < size ? count : size;
    memcpy(sorted, values + count - used, used * sizeof *values);
    qsort(sorted, used, sizeof *sorted, by_size);
    return (sorted[used / 2] + sorted[(used - 1) / 2]) / 2.0;
}

static void medians_of_many_numbers(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(5);
    for (size_t size = 1; size <= 9; size++) {
        double memory[HY_MEDIAN_FILTER_MEMORY(9)], values[60];
        hy_median_filter self;
        assert_true(hy_median_filter_init(&self, size, memory, HY_MEDIAN_FILTER_MEMORY(size)));
        for (int again = 0; again < 2; again++) { // the second time behind a reset
            for (size_t i = 0; i < 60; i++) {
                values[i] = (double)hy_random_below(&random, 12) - 6.0; // many are there twice
                expect_near(hy_median_filter_calculate(&self, values[i]),
                            median_of(values, i + 1, size));
            }
            hy_median_filter_reset(&self);
            expect_near(self.output, 0.0);
        }
    }
}

static void a_slew_limiter_may_stand_still(void **state)
{
    (void)state;
    hy_slew_limiter self;
    assert_true(hy_slew_limiter_init(&self, 0.0, 0.0, 0.5, 0));
    expect_near(hy_slew_limiter_calculate(&self, 1.0, 1000000), 0.5);
    assert_true(hy_slew_limiter_init(&self, 0.05, -0.05, 0.5, 0));
    expect_near(hy_slew_limiter_calculate(&self, 1.0, 1000000), 0.55);
    assert_false(hy_slew_limiter_init(&self, -0.05, -0.05, 0.5, 0));
    assert_false(hy_slew_limiter_init(&self, 0.05, 0.05, 0.5, 0));
}

// --------------------------------------------------------------------------- followers

static void every_tolerance_counts(void **state)
{
    (void)state;
    hy_ramsete self;
    const hy_trajectory_state wanted = { .pose = hy_pose2d_at(0.0, 0.0, 0.0) };
    const hy_pose2d off[4] = { hy_pose2d_at(0.2, 0.0, 0.0), hy_pose2d_at(0.0, 0.2, 0.0),
                               hy_pose2d_at(0.0, 0.0, 0.2), hy_pose2d_at(0.05, 0.05, 0.05) };
    assert_true(hy_ramsete_init(&self, 0.05, 0.05));
    self.tolerance = (hy_pose_tolerance){ 0.1, 0.1, 0.1 };
    for (int i = 0; i < 4; i++) {
        hy_ramsete_calculate(&self, off[i], &wanted);
        assert_int_equal(hy_ramsete_at_reference(&self), i == 3);
    }
    self.tolerance = (hy_pose_tolerance){ 0.2, 1.0, 1.0 };
    hy_ramsete_calculate(&self, off[0], &wanted);
    assert_false(hy_ramsete_at_reference(&self)); // all must be smaller
    assert_false(hy_ramsete_init(&self, 0.0, 0.5));
    assert_false(hy_ramsete_init(&self, 1.0, 0.0));
    assert_false(hy_ramsete_init(&self, 1.0, 1.0));
}

static void a_holonomic_follower_turns_the_short_way_and_knows_when_it_is_there(void **state)
{
    (void)state;
    hy_pid along;
    hy_profiled_pid turn;
    hy_holonomic self;
    const hy_trajectory_state wanted = { .pose = hy_pose2d_at(1.0, 2.0, 0.0) };
    assert_true(hy_pid_init(&along, (hy_pid_gains){ 1.0, 0.0, 0.0 }, 0.02));
    assert_true(hy_profiled_pid_init(&turn, (hy_pid_gains){ 2.0, 0.0, 0.0 },
                                     (hy_profile_constraints){ 3.0, 6.0 }, 0.02));
    hy_holonomic_init(&self, &along, &along, &turn);
    self.tolerance = (hy_pose_tolerance){ 0.1, 0.1, 0.1 };
    const hy_rotation2d heading = hy_rotation2d_from_rad(-3.0);
    hy_chassis_speeds speeds = { 0 };
    for (int i = 0; i < 10; i++) { // its setpoint moves on from 3.0 to 3.28, which is -3.0
        speeds = hy_holonomic_calculate(&self, hy_pose2d_at(1.0, 2.0, 3.0), &wanted, heading);
    }
    assert_true(speeds.omega_rad_s > 0.05);
    assert_false(hy_holonomic_at_reference(&self)); // the heading
    expect_near(hy_rotation2d_rad(self.heading_error), 2.0 * HY_PI - 6.0);
    hy_holonomic_calculate(&self, hy_pose2d_at(1.0, 2.0, -3.05), &wanted, heading);
    expect_translation(self.error.translation, 0.0, 0.0);
    assert_true(hy_holonomic_at_reference(&self));
    hy_holonomic_calculate(&self, hy_pose2d_at(1.0, 2.5, -3.0), &wanted, heading);
    assert_false(hy_holonomic_at_reference(&self)); // the place
    assert_true(hy_translation2d_norm(self.error.translation) > 0.49);
}

/// A pursuit of `path` at `lookahead_m`, after one look at `place`; its speeds.
static hy_chassis_speeds pursue(hy_pure_pursuit *self, const hy_translation2d *path, size_t count,
                                double lookahead_m, hy_pose2d place)
{
    assert_true(hy_pure_pursuit_init(self, path, count, lookahead_m));
    return hy_pure_pursuit_calculate(self, place, 1.0);
}

static void pursuit_aims_where_the_circle_cuts_the_path(void **state)
{
    (void)state;
    const hy_translation2d corner[3] = { { 0, 0 }, { 1, 0 }, { 1, 1 } };
    const hy_translation2d bend[3] = { { 0, 0 }, { 1, 0 }, { 2, 1 } };
    hy_pure_pursuit self;
    pursue(&self, corner, 3, 0.2, hy_pose2d_at(0.5, 0.1, 0.0));
    expect_translation(self.goal, 0.5 + sqrt(0.03), 0.0);
    pursue(&self, corner, 3, 0.1, hy_pose2d_at(0.95, 0.0, 0.0)); // round the corner
    expect_translation(self.goal, 1.0, sqrt(0.0075));
    pursue(&self, bend, 3, 0.3, hy_pose2d_at(0.9, 0.0, 0.0));
    const double share = (sqrt(0.17) - 0.1) / 2.0;
    expect_translation(self.goal, 1.0 + share, share);
    pursue(&self, corner, 3, 0.2, hy_pose2d_at(0.5, 0.25, 0.0)); // too far off: straight back
    expect_translation(self.goal, 0.5, 0.0);
    pursue(&self, corner, 3, 0.05, hy_pose2d_at(1.0, 0.97, 0.0)); // the end is near
    expect_translation(self.goal, 1.0, 1.0);
    assert_true(hy_pure_pursuit_at_end(&self, self.to_end_m));
    assert_false(hy_pure_pursuit_at_end(&self, 0.029));
}

static void pursuit_goes_on_where_the_next_segment_is_nearer(void **state)
{
    (void)state;
    const hy_translation2d corner[3] = { { 0, 0 }, { 1, 0 }, { 1, 1 } };
    hy_pure_pursuit self;
    pursue(&self, corner, 3, 0.2, hy_pose2d_at(0.9, 0.5, 0.0)); // has cut the corner
    assert_int_equal(self.segment, 1);
    expect_near(self.share, 0.5);
    pursue(&self, corner, 3, 0.2, hy_pose2d_at(0.2, 0.0, 0.0));
    assert_int_equal(self.segment, 0);
    expect_near(self.share, 0.2);
}

static void pursuit_turns_no_tighter_near_the_end(void **state)
{
    (void)state;
    const hy_translation2d line[2] = { { 0, 0 }, { 1, 0 } };
    hy_pure_pursuit self;
    const hy_chassis_speeds speeds = pursue(&self, line, 2, 0.4, hy_pose2d_at(1.0, -0.1, 0.0));
    expect_near(speeds.omega_rad_s, 2.0 * 0.1 / (0.25 * 0.16));
    // What overflows is no speed either.
    expect_speeds(hy_pure_pursuit_calculate(&self, hy_pose2d_at(1, -0.1, 0), 1e308), 0, 0, 0);
    pursue(&self, line, 2, 0.4, hy_pose2d_at(-0.5, 0.0, 0.0)); // before the start
    assert_true(self.share == 0.0);
    expect_translation(self.goal, 0.0, 0.0);
    pursue(&self, line, 2, 0.4, hy_pose2d_at(1.5, 0.0, 0.0)); // past the end
    assert_true(self.share == 1.0);
    const size_t segment = self.segment;
    const double share = self.share;
    expect_speeds(hy_pure_pursuit_calculate(&self, hy_pose2d_at(1, 0, 0), (double)NAN), 0, 0, 0);
    expect_speeds(hy_pure_pursuit_calculate(&self, hy_pose2d_at((double)NAN, 0, 0), 1.0), 0, 0, 0);
    assert_true(self.segment == segment && self.share == share); // and it knows where it is
}

static void one_number_of_a_path_spoils_it(void **state)
{
    (void)state;
    hy_pure_pursuit self;
    for (int i = 0; i < 6; i++) {
        double numbers[6] = { 0, 0, 1, 0, 1, 1 };
        numbers[i] = (double)NAN;
        const hy_translation2d path[3] = { { numbers[0], numbers[1] },
                                           { numbers[2], numbers[3] },
                                           { numbers[4], numbers[5] } };
        assert_false(hy_pure_pursuit_init(&self, path, 3, 0.2));
    }
}

// --------------------------------------------------------------------------- the loop

static void count_call(void *context, int64_t now_us)
{
    (void)now_us;
    ++*(int *)context;
}

static void a_loop_of_a_microsecond(void **state)
{
    (void)state;
    int calls = 0;
    const hy_robot_program program = { .mode = { [HY_MODE_DISABLED] = { .periodic = count_call } },
                                       .context = &calls };
    hy_timed_robot self;
    hy_timed_robot_init(&self, &program, 1, false, 0);
    for (int64_t now_us = 0; now_us < 5; now_us++) {
        assert_true(hy_timed_robot_begin(&self, HY_MODES, now_us)); // no mode: disabled
        hy_timed_robot_end(&self, now_us);
    }
    assert_int_equal(calls, 5);
    hy_timed_robot_init(&self, &program, 0, false, 0);
    assert_true(hy_timed_robot_begin(&self, HY_MODE_DISABLED, 0));
    assert_int_equal(self.due_us, HY_LOOP_PERIOD_US);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_period_that_is_none_is_not_believed),
        cmocka_unit_test(a_wheel_that_was_just_found_stands),
        cmocka_unit_test(statuses_that_come_at_once_do_not_stop_the_wheel),
        cmocka_unit_test(the_first_reading_has_a_time),
        cmocka_unit_test(the_smallest_that_is_allowed),
        cmocka_unit_test(numbers_of_a_vector_are_asked_one_by_one),
        cmocka_unit_test(volts_at_the_ends_of_their_range),
        cmocka_unit_test(every_part_of_an_xrp_is_wired),
        cmocka_unit_test(every_part_of_a_teensy_is_wired),
        cmocka_unit_test(limits_of_a_drive),
        cmocka_unit_test(curves_to_both_sides_keep_their_shape),
        cmocka_unit_test(the_smallest_and_largest_drives),
        cmocka_unit_test(slow_limits_are_limits),
        cmocka_unit_test(ways_end_where_they_end),
        cmocka_unit_test(one_number_of_a_place_spoils_it),
        cmocka_unit_test(one_number_of_a_module_spoils_it),
        cmocka_unit_test(one_setting_of_a_feed_forward_spoils_it),
        cmocka_unit_test(a_profile_keeps_its_promises),
        cmocka_unit_test(small_constraints_are_constraints),
        cmocka_unit_test(bang_bang_at_the_edge),
        cmocka_unit_test(filters_alternate_and_refuse_sizes_that_overflow),
        cmocka_unit_test(medians_of_many_numbers),
        cmocka_unit_test(a_slew_limiter_may_stand_still),
        cmocka_unit_test(every_tolerance_counts),
        cmocka_unit_test(a_holonomic_follower_turns_the_short_way_and_knows_when_it_is_there),
        cmocka_unit_test(pursuit_aims_where_the_circle_cuts_the_path),
        cmocka_unit_test(pursuit_goes_on_where_the_next_segment_is_nearer),
        cmocka_unit_test(pursuit_turns_no_tighter_near_the_end),
        cmocka_unit_test(one_number_of_a_path_spoils_it),
        cmocka_unit_test(a_loop_of_a_microsecond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
