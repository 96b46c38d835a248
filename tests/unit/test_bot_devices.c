// Devices: what the robot reports and is sent, with the habits of the stock firmware in it.
#include "bot_checks.h"

#include <string.h>

// --------------------------------------------------------------------------- motors, servos, LED

static void a_motor_is_limited_and_inverted(void **state)
{
    (void)state;
    hy_motor self;
    hy_motor_init(&self, true);
    hy_motor_set(&self, 0.25, 0);
    expect_near(self.effort, 0.25);
    expect_near(hy_motor_output(&self, 0), -0.25);
    hy_motor_set(&self, -7.0, 0);
    expect_near(hy_motor_output(&self, 0), 1.0);
    hy_motor_set(&self, 1.05, 0);
    expect_near(self.effort, 1.0);
    hy_motor_set(&self, -1.05, 0);
    expect_near(self.effort, -1.0);
    hy_motor_stop(&self, 0);
    expect_near(hy_motor_output(&self, 0), 0.0);
    for_each_not_finite(bad)
    {
        hy_motor_set(&self, 0.5, 0);
        hy_motor_set(&self, bad, 0);
        expect_near(hy_motor_output(&self, 0), 0.0);
    }
}

static void a_motor_that_nobody_sets_stops(void **state)
{
    (void)state;
    hy_motor self;
    hy_motor_init(&self, false);
    hy_motor_set(&self, 0.5, 1000);
    expect_near(hy_motor_output(&self, 1000 + HY_MOTOR_TIMEOUT_US), 0.5);
    expect_near(hy_motor_output(&self, 1001 + HY_MOTOR_TIMEOUT_US), 0.0);
    expect_near(hy_motor_output(&self, 1002 + HY_MOTOR_TIMEOUT_US), 0.0);
    assert_int_equal(self.timeouts, 1);
    hy_motor_set(&self, 0.5, 2000000); // set again, it runs again
    expect_near(hy_motor_output(&self, 2000000), 0.5);
    hy_motor_set_timeout(&self, 50);
    expect_near(hy_motor_output(&self, 2000051), 0.0);
    hy_motor_set_timeout(&self, 0);
    hy_motor_set(&self, 0.5, 3000000);
    expect_near(hy_motor_output(&self, INT64_MAX / 2), 0.5);
}

static void a_servo_has_angles(void **state)
{
    (void)state;
    hy_servo self;
    assert_true(hy_servo_init(&self, HY_PI));
    assert_false(self.is_set);
    assert_true(hy_servo_set_angle(&self, HY_PI / 4));
    assert_true(self.is_set);
    expect_near(self.position, 0.25);
    expect_near(hy_servo_angle_rad(&self), HY_PI / 4);
    assert_true(hy_servo_set_position(&self, 1.5));
    expect_near(self.position, 1.0);
    assert_true(hy_servo_set_angle(&self, -1.0));
    expect_near(self.position, 0.0);
    for_each_not_finite(bad)
    {
        assert_false(hy_servo_set_position(&self, bad));
        assert_false(hy_servo_set_angle(&self, bad));
        assert_false(hy_servo_init(&self, bad));
    }
    assert_false(hy_servo_init(&self, 0.0));
    expect_near(self.position, 0.0);
    hy_servo unused = { 0 };
    assert_false(hy_servo_set_angle(&unused, 1.0));
}

// Behind the last motor lies the first servo, behind that the first encoder: each index is one too large.
static void a_device_that_is_none_of_its_kind_is_left_alone(void **state)
{
    (void)state;
    hy_xrp self;
    hy_xrp_init(&self);
    const hy_xrp before = self;
    volatile size_t four = 4; // which the compiler does not see
    hy_motor_set(&self.motor[four], 0.5, 1000);
    hy_motor_stop(&self.motor[four], 1000);
    assert_string_equal(hy_device_mistaken(), "hy_motor_set");
    hy_motor_set_timeout(&self.motor[four], 1);
    assert_string_equal(hy_device_mistaken(), "hy_motor_set_timeout");
    assert_false(hy_servo_set_position(&self.servo[four], 0.5));
    assert_string_equal(hy_device_mistaken(), "hy_servo_set_position");
    assert_false(hy_servo_set_angle(&self.servo[four], 0.5));
    assert_string_equal(hy_device_mistaken(), "hy_servo_set_angle");
    hy_encoder_reset(&self.encoder[four]);
    assert_string_equal(hy_device_mistaken(), "hy_encoder_reset");
    hy_encoder_set_absolute(&self.encoder[four], true);
    assert_string_equal(hy_device_mistaken(), "hy_encoder_set_absolute");
    assert_false(hy_encoder_set_position(&self.encoder[four], 1.0));
    assert_string_equal(hy_device_mistaken(), "hy_encoder_set_position");
    assert_memory_equal(&self, &before, sizeof self);
}

// What a program is told that asks for too much, or sets a motor once.
static void outputs_say_what_was_asked_for(void **state)
{
    (void)state;
    hy_xrp self;
    hy_outputs out;
    hy_xrp_init(&self);
    hy_motor_set(&self.motor[1], 50.0, 0);
    hy_motor_set(&self.motor[3], 0.5, 0);
    hy_servo_set_angle(&self.servo[2], 90.0);
    hy_xrp_outputs(&self, &out, 0);
    assert_int_equal(out.limited_motors, 1 << 1);
    assert_int_equal(out.limited_servos, 1 << 2);
    expect_near((double)out.asked_effort, 50.0);
    expect_near((double)out.asked_position, (double)(float)(90.0 / HY_PI));
    assert_int_equal(out.set_once, 0);
    hy_motor_set(&self.motor[3], 0.5, HY_MOTOR_TIMEOUT_US); // in time: twice
    hy_xrp_outputs(&self, &out, 2 * HY_MOTOR_TIMEOUT_US + 1);
    assert_int_equal(out.set_once, 1 << 1);
    hy_motor_stop(&self.motor[1], 0);
    hy_motor_stop(&self.motor[3], 0);
    hy_motor_set(&self.motor[3], 0.5, 0);
    hy_xrp_outputs(&self, &out, HY_MOTOR_TIMEOUT_US + 1);
    assert_int_equal(out.set_once, 1 << 3);
}

static void an_led_blinks(void **state)
{
    (void)state;
    hy_led self = { 0 };
    assert_false(hy_led_output(&self, 5));
    hy_led_set(&self, true);
    assert_true(hy_led_output(&self, 5));
    hy_led_blink(&self, 100);
    assert_true(hy_led_output(&self, 249));
    assert_false(hy_led_output(&self, 250));
    assert_true(hy_led_output(&self, 300));
    hy_led_blink(&self, -1);
    assert_true(hy_led_output(&self, 77));
    hy_led_set(&self, false);
    assert_false(hy_led_output(&self, 5));
}

// --------------------------------------------------------------------------- encoders

#define CLOCK   8312500U // an RP2040's
#define FORWARD 1U

/// A reading as the firmware sends it while the wheel turns with `counts_s`.
static hy_encoder_reading moving(int32_t count, double counts_s)
{
    const uint32_t ticks = (uint32_t)lround(CLOCK / fabs(counts_s));
    return (hy_encoder_reading){ count, ticks << 1 | (counts_s > 0 ? FORWARD : 0), CLOCK, true };
}

static void an_encoder_counts_from_where_it_is_found(void **state)
{
    (void)state;
    hy_encoder self;
    assert_true(hy_encoder_init(&self, 0.5));
    hy_encoder_reading reading = { .count = 1000 };
    hy_encoder_update(&self, &reading, 0);
    expect_near(self.distance, 0.0);
    reading.count = 1010;
    hy_encoder_update(&self, &reading, 100000);
    expect_near(self.distance, 5.0);
    assert_int_equal(self.counts, 10);
    assert_int_equal(self.readings, 2);
    hy_encoder_reset(&self);
    expect_near(self.distance, 0.0);
    reading.count = 1008;
    hy_encoder_update(&self, &reading, 200000);
    expect_near(self.distance, -1.0);
}

static void an_absolute_encoder_believes_the_robots_count(void **state)
{
    (void)state;
    hy_encoder self;
    hy_encoder_init(&self, 0.5);
    hy_encoder_set_absolute(&self, true);
    hy_encoder_reading reading = { .count = -8 };
    hy_encoder_update(&self, &reading, 0);
    expect_near(self.distance, -4.0);
    hy_encoder_rebase(&self);
    reading.count = 2;
    hy_encoder_update(&self, &reading, 1);
    expect_near(self.distance, 1.0);
}

static void a_count_that_wraps_goes_on(void **state)
{
    (void)state;
    hy_encoder self;
    hy_encoder_init(&self, -1.0);
    hy_encoder_reading reading = { .count = INT32_MAX - 1 };
    hy_encoder_update(&self, &reading, 0);
    reading.count = INT32_MIN + 3;
    hy_encoder_update(&self, &reading, 20000);
    expect_near(self.distance, -5.0);
    assert_int_equal(self.counts, 5);
}

static void a_robot_that_restarted_loses_no_way(void **state)
{
    (void)state;
    hy_encoder self;
    hy_encoder_init(&self, 1.0);
    hy_encoder_reading reading = { .count = 0 };
    hy_encoder_update(&self, &reading, 0);
    reading.count = 500;
    hy_encoder_update(&self, &reading, 20000);
    hy_encoder_rebase(&self);
    reading.count = 3;
    hy_encoder_update(&self, &reading, 40000);
    expect_near(self.distance, 500.0);
    reading.count = 5;
    hy_encoder_update(&self, &reading, 60000);
    expect_near(self.distance, 502.0);
}

static void the_rate_is_the_periods(void **state)
{
    (void)state;
    hy_encoder self;
    hy_encoder_init(&self, 0.001);
    hy_encoder_reading reading = moving(0, 498.0);
    hy_encoder_update(&self, &reading, 0);
    reading = moving(23, 498.0); // 460 a second by counting, 498 by the clock
    hy_encoder_update(&self, &reading, 50000);
    expect_within(self.rate, 0.498, 1e-5);
    reading = moving(-2, -498.0);
    hy_encoder_update(&self, &reading, 100000);
    expect_within(self.rate, -0.498, 1e-5);
}

static void after_a_reversal_the_period_is_not_believed(void **state)
{
    (void)state;
    hy_encoder self;
    hy_encoder_init(&self, 1.0);
    hy_encoder_reading reading = moving(100, 500.0);
    hy_encoder_update(&self, &reading, 0);
    reading = moving(95, 500.0); // the firmware's queue still has the old direction
    hy_encoder_update(&self, &reading, 50000);
    expect_near(self.rate, -100.0);
}

static void a_wheel_that_stops_slows_down_and_stands(void **state)
{
    (void)state;
    hy_encoder self;
    hy_encoder_init(&self, 1.0);
    hy_encoder_reading reading = moving(0, 500.0);
    hy_encoder_update(&self, &reading, 0);
    reading = moving(25, 500.0);
    hy_encoder_update(&self, &reading, 50000);
    expect_within(self.rate, 500.0, 0.05);
    hy_encoder_update(&self, &reading, 100000); // no count for 50 ms: at most 20 a second
    expect_near(self.rate, 20.0);
    hy_encoder_update(&self, &reading, 300000);
    expect_near(self.rate, 4.0);
    hy_encoder_update(&self, &reading, 50000 + HY_ENCODER_STILL_US);
    expect_near(self.rate, 0.0);
}

static void a_wheel_that_the_firmware_calls_still_stands(void **state)
{
    (void)state;
    const uint32_t still[] = { UINT32_MAX, UINT32_MAX - 1, 0, 1 };
    for (size_t i = 0; i < 4; i++) {
        hy_encoder self;
        hy_encoder_init(&self, 1.0);
        hy_encoder_reading reading = { 7, still[i], CLOCK, true };
        hy_encoder_update(&self, &reading, 0);
        hy_encoder_update(&self, &reading, 50000);
        expect_near(self.rate, 0.0);
    }
    hy_encoder self;
    hy_encoder_init(&self, 1.0);
    hy_encoder_reading reading = { 7, 200, 0, true }; // no clock
    hy_encoder_update(&self, &reading, 0);
    reading.count = 8;
    hy_encoder_update(&self, &reading, 50000);
    expect_near(self.rate, 20.0);
}

static void without_periods_the_counts_tell(void **state)
{
    (void)state;
    hy_encoder self;
    hy_encoder_init(&self, 1.0);
    hy_encoder_reading reading = { .count = 0 };
    hy_encoder_update(&self, &reading, 0);
    reading.count = -10;
    hy_encoder_update(&self, &reading, 100000);
    expect_near(self.rate, -100.0); // ten counts back in a tenth of a second
    hy_encoder_update(&self, &reading, 200000);
    expect_near(self.rate, -10.0);
    reading.count = -9;
    hy_encoder_update(&self, &reading, 200000); // the same moment: no time for a rate
    expect_near(self.rate, 0.0);
    reading.count += 2;
    hy_encoder_update(&self, &reading,
                      200050); // nor 50 us, after which a status comes that waited for the one before it
    expect_near(self.rate, 0.0);
}

static void what_is_no_encoder_is_refused(void **state)
{
    (void)state;
    hy_encoder self = { 0 };
    const hy_encoder_reading reading = { .count = 5 };
    hy_encoder_update(&self, &reading, 0);
    assert_int_equal(self.readings, 0);
    assert_false(hy_encoder_init(&self, 0.0));
    for_each_not_finite(bad)
    {
        assert_false(hy_encoder_init(&self, bad));
    }
}

// --------------------------------------------------------------------------- gyro, accelerometer

static void show_heading(hy_gyro *self, float heading_deg, float rate_dps)
{
    const float rates[3] = { 0, 0, rate_dps }, angles[3] = { 0, 0, heading_deg };
    hy_gyro_update(self, rates, angles);
}

static void a_heading_goes_on_past_the_wrap(void **state)
{
    (void)state;
    hy_gyro self = { 0 };
    show_heading(&self, 180, 90); // where the XRP's starts
    expect_near(self.angle_rad[2], 0.0);
    expect_near(self.rate_rad_s[2], HY_PI / 2);
    const float readings[] = { 270, 350, 10, 100, 190 };
    const double wanted[] = { 90, 170, 190, 280, 370 };
    for (size_t i = 0; i < 5; i++) {
        show_heading(&self, readings[i], 0);
        expect_near(self.angle_rad[2], wanted[i] * DEG);
    }
    for (int i = 190; i > -360 * 3; i -= 10) { // and back, three times round
        show_heading(&self, (float)((i + 3600) % 360), 0);
    }
    expect_within(self.angle_rad[2], (370.0 - 1260.0) * DEG, 1e-9);
}

static void angles_that_do_not_wrap_are_fine_too(void **state)
{
    (void)state;
    hy_gyro self = { 0 };
    for (int i = 0; i <= 100; i++) { // the Teensy's
        show_heading(&self, (float)i * 10, 0);
    }
    expect_within(self.angle_rad[2], 1000 * DEG, 1e-9);
    assert_int_equal(self.readings, 101);
}

static void a_gyro_resets_and_survives_a_restart(void **state)
{
    (void)state;
    hy_gyro self = { 0 };
    show_heading(&self, 10, 0);
    show_heading(&self, 40, 0);
    hy_gyro_reset(&self);
    show_heading(&self, 45, 0);
    expect_near(self.angle_rad[2], 5 * DEG);
    hy_gyro_rebase(&self);
    show_heading(&self, 180, 0);
    expect_near(self.angle_rad[2], 5 * DEG);
    show_heading(&self, 181, 0);
    expect_near(self.angle_rad[2], 6 * DEG);
}

static void all_three_axes_count(void **state)
{
    (void)state;
    hy_gyro self = { 0 };
    const float rates[3] = { 1, 2, 3 }, first[3] = { 0, 0, 0 }, then[3] = { 10, 20, 30 };
    hy_gyro_update(&self, rates, first);
    hy_gyro_update(&self, rates, then);
    for (int i = 0; i < 3; i++) {
        expect_near(self.angle_rad[i], 10 * (i + 1) * DEG);
        expect_near(self.rate_rad_s[i], (i + 1) * DEG);
    }
}

static void readings_that_are_none_are_counted(void **state)
{
    (void)state;
    hy_gyro gyro = { 0 };
    hy_accelerometer accelerometer = { 0 };
    hy_reflectance reflectance = { 0 };
    hy_rangefinder rangefinder = { 0 };
    const float good[3] = { 1, 1, 1 };
    hy_gyro_update(&gyro, good, good);
    hy_accelerometer_update(&accelerometer, good);
    hy_reflectance_update(&reflectance, 1, 1);
    hy_rangefinder_update(&rangefinder, 1);
    for_each_not_finite(bad)
    {
        const float broken[3] = { 1, 1, (float)bad };
        hy_gyro_update(&gyro, broken, good);
        hy_gyro_update(&gyro, good, broken);
        hy_accelerometer_update(&accelerometer, broken);
        hy_reflectance_update(&reflectance, (float)bad, 1);
        hy_reflectance_update(&reflectance, 1, (float)bad);
        hy_rangefinder_update(&rangefinder, (float)bad);
    }
    assert_int_equal(gyro.refused, 6);
    assert_int_equal(gyro.readings, 1);
    assert_int_equal(accelerometer.refused, 3);
    assert_int_equal(reflectance.refused, 6);
    assert_int_equal(rangefinder.refused, 3);
    expect_near(gyro.angle_rad[2], 0.0);
    expect_near(accelerometer.accel_m_s2[2], 9.80665);
    expect_near(reflectance.right, 0.2);
    expect_near(rangefinder.range_m, 0.8);
}

static void gravity_is_9_8(void **state)
{
    (void)state;
    hy_accelerometer self = { 0 };
    const float level[3] = { 0.5F, -0.25F, 1 };
    hy_accelerometer_update(&self, level);
    expect_near(self.accel_m_s2[0], 4.903325);
    expect_near(self.accel_m_s2[1], -2.4516625);
    expect_near(self.accel_m_s2[2], 9.80665);
    assert_int_equal(self.readings, 1);
}

// --------------------------------------------------------------------------- floor, distance, button

static void white_is_0_and_black_is_1(void **state)
{
    (void)state;
    hy_reflectance self = { 0 };
    assert_false(self.is_ready);
    hy_reflectance_update(&self, -1, -1); // "not initialised"
    assert_false(self.is_ready);
    hy_reflectance_update(&self, 0, 2.5F);
    assert_true(self.is_ready);
    expect_near(self.left, 0.0);
    expect_near(self.right, 0.5);
    expect_near(self.right_v, 2.5);
    hy_reflectance_update(&self, 9, 5);
    expect_near(self.left, 1.0);
    expect_near(self.left_v, 5.0);
    expect_near(self.right, 1.0);
    hy_reflectance_update(&self, 1, -1); // one of them has not measured
    assert_false(self.is_ready);
}

static void metres_from_volts(void **state)
{
    (void)state;
    hy_rangefinder self = { 0 };
    assert_false(self.is_ready);
    hy_rangefinder_update(&self, 0); // no sensor
    assert_false(self.is_ready);
    hy_rangefinder_update(&self, 1.25F);
    assert_true(self.is_ready);
    assert_false(self.is_saturated);
    expect_near(self.range_m, 1.0);
    hy_rangefinder_update(&self, 5);
    assert_true(self.is_saturated);
    expect_near(self.range_m, HY_RANGEFINDER_MAX_M);
    hy_rangefinder_update(&self, -1); // it was pulled out
    assert_false(self.is_ready || self.is_saturated);
    expect_near(self.range_m, 0.0);
}

static void a_button_has_edges(void **state)
{
    (void)state;
    hy_button self = { 0 };
    hy_button_update(&self, false);
    assert_false(hy_button_was_pressed(&self));
    assert_false(hy_button_was_released(&self));
    hy_button_update(&self, true);
    hy_button_update(&self, true);
    assert_true(self.is_down);
    assert_true(hy_button_was_pressed(&self));
    assert_false(hy_button_was_pressed(&self));
    hy_button_update(&self, false);
    hy_button_update(&self, true);
    hy_button_update(&self, false);
    assert_true(hy_button_was_pressed(&self)); // pressed and released between two looks: seen
    assert_true(hy_button_was_released(&self));
    assert_false(hy_button_was_released(&self));
    assert_int_equal(self.presses, 2);
    assert_int_equal(self.releases, 2);
}

// --------------------------------------------------------------------------- whole robots

static void everything_of_an_xrp(void **state)
{
    (void)state;
    hy_xrp self;
    hy_xrp_init(&self);
    hy_readings readings = { .encoders = 0x0F,
                             .analogs = 0x07,
                             .has_gyro = true,
                             .has_accel = true,
                             .has_button = true,
                             .button = true };
    hy_xrp_update(&self, &readings, 0);
    for (size_t i = 0; i < 4; i++) {
        readings.encoder[i].count = 585;
    }
    readings.gyro_angle_deg[2] = 90;
    readings.accel_g[2] = 1;
    readings.analog_v[1] = 5;
    readings.analog_v[2] = 2.5F;
    hy_xrp_update(&self, &readings, 50000);
    expect_near(self.encoder[0].distance, 0.06 * HY_PI); // one turn of a wheel of 60 mm
    expect_near(self.encoder[1].distance, 0.06 * HY_PI);
    expect_near(self.encoder[2].distance, 585.0);
    expect_near(self.gyro.angle_rad[2], HY_PI / 2);
    expect_near(self.accelerometer.accel_m_s2[2], 9.80665);
    expect_near(self.reflectance.left, 0.0);
    expect_near(self.reflectance.right, 1.0);
    expect_near(self.rangefinder.range_m, 2.0);
    assert_true(hy_button_was_pressed(&self.button));

    hy_outputs out;
    hy_xrp_outputs(&self, &out, 0);
    assert_int_equal(out.motors, 0x0F);
    assert_int_equal(out.servos, 0);
    hy_motor_set(&self.motor[0], 0.5, 0);
    hy_motor_set(&self.motor[1], 0.5, 0);
    hy_servo_set_angle(&self.servo[2], HY_PI / 2);
    hy_led_set(&self.led, true);
    hy_xrp_outputs(&self, &out, 0);
    expect_near((double)out.motor[0], 0.5);
    expect_near((double)out.motor[1], -0.5); // mounted the other way round
    assert_int_equal(out.servos, 4);
    expect_near((double)out.servo[2], 0.5);
    assert_true(out.led);
    hy_xrp_outputs(&self, &out, HY_MOTOR_TIMEOUT_US + 1);
    expect_near((double)out.motor[0], 0.0);
}

static void what_an_xrp_does_not_report_stays(void **state)
{
    (void)state;
    hy_xrp self;
    hy_xrp_init(&self);
    const hy_readings nothing = { .analogs = 0x01, .button = true };
    hy_xrp_update(&self, &nothing, 0);
    assert_int_equal(self.encoder[0].readings, 0);
    assert_int_equal(self.gyro.readings, 0);
    assert_int_equal(self.accelerometer.readings, 0);
    assert_false(self.reflectance.is_ready);
    assert_false(self.rangefinder.is_ready);
    assert_false(self.button.is_down);
}

static void an_xrp_that_restarts_goes_on(void **state)
{
    (void)state;
    hy_xrp self;
    hy_xrp_init(&self);
    hy_readings readings = { .encoders = 0x0F, .has_gyro = true };
    readings.encoder[0].count = 100;
    readings.gyro_angle_deg[2] = 20;
    hy_xrp_update(&self, &readings, 0);
    readings.encoder[0].count = 200;
    readings.gyro_angle_deg[2] = 30;
    hy_xrp_update(&self, &readings, 50000);
    hy_xrp_rebase(&self);
    readings.encoder[0].count = 0;
    readings.gyro_angle_deg[2] = 180;
    hy_xrp_update(&self, &readings, 100000);
    assert_int_equal(self.encoder[0].counts, 100);
    expect_near(self.gyro.angle_rad[2], 10 * DEG);
}

// A position that was found by a switch: distances continue from it, also after the robot has started again, when it counts from 0.
static void an_encoders_position_is_set(void **state)
{
    (void)state;
    hy_encoder self;
    hy_encoder_reading reading = { .count = 500 };
    assert_true(hy_encoder_init(&self, 0.5));
    hy_encoder_set_absolute(&self, true);
    hy_encoder_update(&self, &reading, 0);
    assert_false(hy_encoder_set_position(&self, NAN) || hy_encoder_set_position(&self, -INFINITY) ||
                 hy_encoder_set_position(&self, 1e300));
    expect_near(self.distance, 250.0);
    assert_true(hy_encoder_set_position(&self, -3.2)); // to the nearest count
    expect_near(self.distance, -3.0);
    assert_int_equal(self.counts, -6);
    reading.count = 510;
    hy_encoder_update(&self, &reading, 20000);
    expect_near(self.distance, 2.0);
    hy_encoder_rebase(&self);
    reading.count = 0;
    hy_encoder_update(&self, &reading, 40000);
    expect_near(self.distance, 2.0);
    hy_encoder never = { 0 };
    assert_false(hy_encoder_set_position(&never, 1.0));
}

static void everything_of_a_teensy(void **state)
{
    (void)state;
    hy_teensy self;
    hy_teensy_init(&self);
    hy_readings readings = { .encoders = 0xFF, .analogs = 0x01, .has_gyro = true, .has_button = true };
    readings.analog_v[0] = 2.95F;
    for (size_t i = 0; i < 8; i++) {
        readings.encoder[i].count = 898;
    }
    hy_teensy_update(&self, &readings, 0);
    expect_within(self.battery_v, 11.8, 1e-6);
    expect_near(self.encoder[0].distance, 0.0);
    expect_within(self.encoder[1].distance, 898 / 3591.84 * 2 * HY_PI,
                  1e-12); // absolute: a quarter turn
    for (size_t i = 0; i < 8; i++) {
        readings.encoder[i].count += 97968;
    }
    readings.gyro_angle_deg[2] = 720;
    readings.button = true;
    hy_teensy_update(&self, &readings, 20000);
    expect_within(self.encoder[6].distance, 100 * 2 * HY_PI * 0.03, 1e-12);
    assert_true(self.button.is_down);
    readings.analog_v[0] = (float)NAN;
    hy_teensy_update(&self, &readings, 40000);
    expect_within(self.battery_v, 11.8, 1e-6);
    readings.analog_v[0] = -1; // not measured
    hy_teensy_update(&self, &readings, 45000);
    expect_within(self.battery_v, 11.8, 1e-6);

    readings.digitals = 0xb00008; // those of modules 0, 1 and 3, and one that is no home switch
    readings.digital_levels = 0xe00008;
    hy_teensy_update(&self, &readings, 47000);
    assert_true(self.has_home[0] && self.has_home[1] && !self.has_home[2] && self.has_home[3]);
    assert_true(!self.at_home[0] && self.at_home[1] && !self.at_home[2] && self.at_home[3]);

    hy_outputs out;
    hy_motor_set(&self.motor[7], -0.75, 0);
    hy_led_set(&self.led, true);
    hy_teensy_outputs(&self, &out, 0);
    assert_int_equal(out.motors, 0xFF);
    expect_near((double)out.motor[7], -0.75);
    assert_int_equal(out.servos, 0);
    assert_true(out.led);
    hy_teensy_rebase(&self);
    readings.encoder[0].count = 0;
    readings.encoder[1].count = 0;
    hy_teensy_update(&self, &readings, 60000);
    assert_int_equal(self.encoder[0].counts, 97968);
    expect_near(self.encoder[1].distance, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motor_is_limited_and_inverted),
        cmocka_unit_test(a_motor_that_nobody_sets_stops),
        cmocka_unit_test(a_servo_has_angles),
        cmocka_unit_test(a_device_that_is_none_of_its_kind_is_left_alone),
        cmocka_unit_test(outputs_say_what_was_asked_for),
        cmocka_unit_test(an_led_blinks),
        cmocka_unit_test(an_encoder_counts_from_where_it_is_found),
        cmocka_unit_test(an_absolute_encoder_believes_the_robots_count),
        cmocka_unit_test(a_count_that_wraps_goes_on),
        cmocka_unit_test(a_robot_that_restarted_loses_no_way),
        cmocka_unit_test(the_rate_is_the_periods),
        cmocka_unit_test(after_a_reversal_the_period_is_not_believed),
        cmocka_unit_test(a_wheel_that_stops_slows_down_and_stands),
        cmocka_unit_test(a_wheel_that_the_firmware_calls_still_stands),
        cmocka_unit_test(without_periods_the_counts_tell),
        cmocka_unit_test(what_is_no_encoder_is_refused),
        cmocka_unit_test(a_heading_goes_on_past_the_wrap),
        cmocka_unit_test(angles_that_do_not_wrap_are_fine_too),
        cmocka_unit_test(a_gyro_resets_and_survives_a_restart),
        cmocka_unit_test(all_three_axes_count),
        cmocka_unit_test(readings_that_are_none_are_counted),
        cmocka_unit_test(gravity_is_9_8),
        cmocka_unit_test(white_is_0_and_black_is_1),
        cmocka_unit_test(metres_from_volts),
        cmocka_unit_test(a_button_has_edges),
        cmocka_unit_test(everything_of_an_xrp),
        cmocka_unit_test(what_an_xrp_does_not_report_stays),
        cmocka_unit_test(an_xrp_that_restarts_goes_on),
        cmocka_unit_test(an_encoders_position_is_set),
        cmocka_unit_test(everything_of_a_teensy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
