// What the XRP does with its pins: enable edge, quantisation, LED, and what its status tells.
#include "board_bench.h"
#include "cmocka_all.h"

#include <math.h>

#include "../../src/board/pins.h"

enum { CLIENT = 5800 };

static const hy_board_options prod = { .kind = &hy_board_xrp };
static const hy_board_options beta = { .kind = &hy_board_xrp_beta };
static const hy_board_options stock = { .kind = &hy_board_xrp_beta, .stock_bugs = true };
static const hy_board_options stock_prod = { .kind = &hy_board_xrp, .stock_bugs = true };

static const hy_actuators *pins(const bench *b)
{
    return hy_board_actuators(b->board);
}

#define GIVE(b, ...)                                        \
    bench_give(b, CLIENT, (const uint8_t[]){ __VA_ARGS__ }, \
               sizeof((const uint8_t[]){ __VA_ARGS__ }))

static void give_value(bench *b, uint16_t seq, uint8_t tag, uint8_t id, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    GIVE(b, (uint8_t)(seq >> 8), (uint8_t)seq, 1, 6, tag, id, (uint8_t)(bits >> 24),
         (uint8_t)(bits >> 16), (uint8_t)(bits >> 8), (uint8_t)bits);
}

// --------------------------------------------------------------------------- enable and disable

static void test_power_up(void **state)
{
    (void)state;
    bench b = bench_start(&prod);
    bench two = bench_start(&beta);
    for (int i = 0; i < 4; i++) {
        assert_pin(pins(&b)->motor_duty[i], 0.0);
        assert_pin(pins(&b)->servo_pulse_us[i], 1500.0);
        assert_pin(pins(&two)->servo_pulse_us[i], i < 2 ? 1500.0 : 0.0); // no such pin
    }
    assert_false(pins(&b)->led);
    assert_false(hy_board_is_enabled(b.board));
    const hy_endpoint owner = hy_board_owner(b.board);
    assert_true(hy_endpoint_is_nobody(&owner));
    assert_true(hy_board_due_us(b.board) == INT64_MAX);
    bench_end(&b);
    bench_end(&two);
}

static void test_disable_is_at_once_and_nothing_comes_back(void **state)
{
    (void)state;
    bench b = bench_start(&prod);
    //       seq  on  motor 0 = 1.0            servo 4 = 0            LED
    GIVE(&b, 0, 1, 1, 6, 0x12, 0, 0x3f, 0x80, 0, 0, 6, 0x13, 4, 0, 0, 0, 0, 3, 0x14, 1, 1);
    assert_pin(pins(&b)->motor_duty[0], 1.0);
    assert_pin(pins(&b)->servo_pulse_us[0], 500.0);
    GIVE(&b, 0, 2, 0, 6, 0x12, 0, 0x3f, 0x80, 0, 0); // its motor is not obeyed
    assert_pin(pins(&b)->motor_duty[0], 0.0);
    assert_pin(pins(&b)->servo_pulse_us[0], 1500.0);
    assert_true(pins(&b)->led);
    GIVE(&b, 0, 3, 1);
    assert_true(hy_board_is_enabled(b.board));
    assert_pin(pins(&b)->motor_duty[0], 0.0);
    assert_pin(pins(&b)->servo_pulse_us[0], 1500.0);
    bench_end(&b);
}

static void test_enabling_packet_takes_effect_itself(void **state)
{
    (void)state;
    bench b = bench_start(&prod);
    give_value(&b, 1, 0x12, 2, -0.5F);
    assert_pin(pins(&b)->motor_duty[2], -127.0 / 255.0);
    GIVE(&b, 0, 2, 1); // enabled without blocks: the outputs stay
    assert_pin(pins(&b)->motor_duty[2], -127.0 / 255.0);
    GIVE(&b, 0, 3, 0);
    give_value(&b, 4, 0x12, 1, 0.25F);
    assert_pin(pins(&b)->motor_duty[2], 0.0);
    assert_pin(pins(&b)->motor_duty[1], 63.0 / 255.0);
    bench_end(&b);
}

static void test_only_1_enables(void **state)
{
    (void)state;
    for (unsigned control = 0; control < 256; control++) {
        bench b = bench_start(&prod);
        GIVE(&b, 0, 1, (uint8_t)control);
        assert_int_equal(hy_board_is_enabled(b.board), control == 1);
        bench_end(&b);
    }
}

static void test_led_works_while_disabled_and_stays(void **state)
{
    (void)state;
    bench b = bench_start(&prod);
    GIVE(&b, 0, 1, 0, 3, 0x14, 1, 1);
    assert_true(pins(&b)->led);
    bench_wait(&b, 600 * BENCH_MS); // no watchdog for it
    assert_true(pins(&b)->led);
    GIVE(&b, 0, 2, 0, 3, 0x14, 1, 2); // only 1 is on
    assert_false(pins(&b)->led);
    GIVE(&b, 0, 3, 0, 3, 0x14, 2, 1); // another channel is no LED
    assert_false(pins(&b)->led);
    bench_end(&b);
}

// --------------------------------------------------------------------------- quantisation

static void test_motor_quantisation(void **state)
{
    (void)state;
    static const struct {
        double effort, duty;
    } rows[] = {
        { 1.0, 1.0 },
        { -1.0, -1.0 },
        { 0.5, 127 / 255.0 },
        { 0.999, 254 / 255.0 },
        { 0.0039, 0.0 },
        { 0.00393, 1 / 255.0 },
        { 1.004, 1.0 },
        { 1e6, 1.0 },
        { 1052688.0, 1.0 },
        { 1052690.0, 0.0 },
        { 2e6, 0.0 },
        { 8.4e6, 0.0 },
        { 3e6, 1.0 },
        { 4.3e6, 1.0 },
        { 1e7, 0.0 },
        { 1e9, 0.0 },
        { 3.4e38, 0.0 },
        { (double)INFINITY, 0.0 },
        { -(double)INFINITY, 0.0 },
        { (double)NAN, 0.0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_pin(motor_duty(rows[i].effort), rows[i].duty);
    }
}

static void test_servo_quantisation(void **state)
{
    (void)state;
    static const struct {
        float wire;
        double pulse_us;
    } rows[] = {
        { 0.0F, 500 },     { 0.1F, 689 },   { 0.25F, 1000 },  { 0.5F, 1500 },  { 0.75F, 2000 },
        { 0.9999F, 2489 }, { 1.0F, 2500 },  { 1.111F, 2500 }, { 1.112F, 500 }, { 2.7F, 500 },
        { 5.0F, 900 },     { 10.0F, 1800 }, { 14.0F, 2500 },  { -0.01F, 500 }, { INFINITY, 2500 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bench with_bugs = bench_start(&stock);
        bench without = bench_start(&prod);
        give_value(&with_bugs, 1, 0x13, 4, rows[i].wire);
        give_value(&without, 1, 0x13, 4, rows[i].wire);
        assert_pin(pins(&with_bugs)->servo_pulse_us[0], rows[i].pulse_us);
        const bool in_range = rows[i].wire >= 0.0F && rows[i].wire <= 1.0F;
        const double limited_us = isinf(rows[i].wire) ? 1500 : rows[i].wire < 0.0F ? 500 : 2500;
        assert_pin(pins(&without)->servo_pulse_us[0], in_range ? rows[i].pulse_us : limited_us);
        bench_end(&with_bugs);
        bench_end(&without);
    }
}

static void test_what_is_no_number_is_no_command(void **state)
{
    (void)state;
    const float values[] = { NAN, -NAN, INFINITY, -INFINITY };
    for (size_t i = 0; i < 4; i++) {
        bench b = bench_start(&prod);
        give_value(&b, 1, 0x12, 0, 0.5F);
        give_value(&b, 2, 0x13, 4, 0.25F);
        give_value(&b, 3, 0x12, 0, values[i]);
        give_value(&b, 4, 0x13, 4, values[i]);
        assert_pin(pins(&b)->motor_duty[0], 0.0);        // stands
        assert_pin(pins(&b)->servo_pulse_us[0], 1000.0); // stays
        bench_end(&b);
    }
}

// One space of ids: the id says what moves, the tag how the value is scaled.
static void test_ids_cross_over(void **state)
{
    (void)state;
    const hy_board_options *both[] = { &prod, &stock_prod };
    for (size_t i = 0; i < 2; i++) {
        bench b = bench_start(both[i]);
        give_value(&b, 1, 0x12, 7, 1.0F);
        assert_pin(pins(&b)->servo_pulse_us[3], 2500.0);
        give_value(&b, 2, 0x12, 6, 0.0F);
        assert_pin(pins(&b)->servo_pulse_us[2], 1500.0);
        give_value(&b, 3, 0x13, 1, 0.0F);
        assert_pin(pins(&b)->motor_duty[1], -1.0);
        give_value(&b, 4, 0x12, 8, 1.0F);
        give_value(&b, 5, 0x13, 255, 1.0F);
        for (int k = 4; k < HY_PIN_MOTORS; k++) {
            assert_pin(pins(&b)->motor_duty[k], 0.0);
        }
        bench_end(&b);
    }
}

// --------------------------------------------------------------------------- malformed packets

static void test_what_stood_before_a_cut_block_counts(void **state)
{
    (void)state;
    bench b = bench_start(&prod);
    GIVE(&b, 0, 1, 1, 6, 0x12, 0, 0x3f, 0x80, 0, 0, 6, 0x12, 1, 0x3f, 0x80, 0);
    //                                              ^ this block has one byte less
    assert_pin(pins(&b)->motor_duty[0], 1.0);
    assert_pin(pins(&b)->motor_duty[1], 0.0);
    assert_int_equal(hy_board_counts(b.board)->rx_malformed, 1);
    assert_int_equal(hy_board_counts(b.board)->commands, 1);
    bench_end(&b);
}

// The longest datagram that the stock firmware reads, with a block whose value would lie past its
// 8193 bytes: it reads what is there and nothing behind it.
static void test_stock_never_reads_past_its_buffer(void **state)
{
    (void)state;
    static uint8_t big[9000];
    const size_t sizes[] = { 8188, 8189, 8190, 8191, 8192, 8193, 9000 };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        bench b = bench_start(&stock);
        memset(big, 0, sizeof big);
        big[1] = 1;
        big[2] = 1;
        const size_t read = sizes[i] < 8192 ? sizes[i] : 8192;
        big[read - 2] = 6;
        big[read - 1] = 0x12;
        bench_give(&b, CLIENT, big, sizes[i]);
        assert_int_equal(hy_board_counts(b.board)->commands, 1);
        assert_pin(pins(&b)->motor_duty[0], 0.0);
        big[read - 2] = 0;
        big[read - 1] = 255;
        big[1] = 2;
        bench_give(&b, CLIENT, big, sizes[i]);
        bench_end(&b);
    }
}

// --------------------------------------------------------------------------- sensors

static void test_status_sizes(void **state)
{
    (void)state;
    const hy_board_options old = { .kind = &hy_board_xrp, .encoder_format = HY_ENCODER_SHORT };
    bench b = bench_start(&prod);
    bench_command(&b, CLIENT, 1, 0, 0.0F);
    bench_status(&b);
    assert_int_equal(b.sent_size, 128);
    assert_int_equal(b.sent[3], 14);
    bench_end(&b);
    b = bench_start(&old);
    bench_command(&b, CLIENT, 1, 0, 0.0F);
    const hy_wire_status s = bench_status(&b);
    assert_int_equal(b.sent_size, 96);
    assert_int_equal(b.sent[3], 6);
    assert_false(s.encoder[0].has_period);
    bench_end(&b);
}

static void test_encoder_0_is_turned_around(void **state)
{
    (void)state;
    bench b = bench_start(&prod);
    bench_command(&b, CLIENT, 1, 1, 0.5F);
    bench_wait(&b, BENCH_MS);
    for (int i = 0; i < 4; i++) {
        b.sensors.encoder_counts[i] = 100.0;
    }
    bench_wait(&b, 99 * BENCH_MS);
    const hy_wire_status s = bench_status(&b);
    assert_int_equal(s.encoder[0].count, -100);
    assert_int_equal(s.encoder[1].count, 100);
    assert_int_equal(s.encoder[0].period_num & 1, 0);
    assert_int_equal(s.encoder[1].period_num & 1, 1);
    assert_int_equal(s.encoder[3].period_den, 9375000);
    bench_end(&b);
}

static void test_disabled_encoders_stand_and_lose_counts(void **state)
{
    (void)state;
    bench b = bench_start(&prod);
    bench_wait(&b, 0);
    bench_command(&b, CLIENT, 1, 1, 0.5F);
    b.sensors.encoder_counts[1] = 50.0;
    bench_wait(&b, 20 * BENCH_MS);
    bench_command(&b, CLIENT, 2, 0, 0.0F);
    b.sensors.encoder_counts[1] = 80.0;
    bench_wait(&b, 20 * BENCH_MS);
    hy_wire_status s = bench_status(&b);
    assert_int_equal(s.encoder[1].count, 50);
    assert_int_equal(s.encoder[0].period_num, 0xfffffffeU);
    assert_int_equal(s.encoder[1].period_num, 0xffffffffU);
    bench_command(&b, CLIENT, 3, 1, 0.0F);
    assert_int_equal(bench_status(&b).encoder[1].count, 50); // enabling resets nothing
    bench_end(&b);
}

static void test_the_watchdog_stops_the_counting_in_time(void **state)
{
    (void)state;
    bench b = bench_start(&prod);
    bench_wait(&b, 0);
    bench_command(&b, CLIENT, 1, 1, 0.5F);
    b.sensors.encoder_counts[1] = 1000.0;
    bench_wait(&b, 1000 * BENCH_MS); // one long step: counting ended in its middle
    assert_int_equal(bench_status(&b).encoder[1].count, 500);
    bench_end(&b);
}

static float yaw_at(double angle_rad)
{
    bench b = bench_start(&prod);
    b.sensors.gyro_angle_rad[2] = angle_rad;
    bench_wait(&b, 0);
    bench_command(&b, CLIENT, 1, 0, 0.0F);
    const float yaw_deg = bench_status(&b).gyro_angle_deg[2];
    bench_end(&b);
    return yaw_deg;
}

static void test_yaw_starts_at_180_and_wraps_at_360(void **state)
{
    (void)state;
    assert_float_equal(yaw_at(0.0), 180.0F, 0.0F);
    assert_float_equal(yaw_at(HY_PI / 2), 270.0F, 0.0F);
    assert_float_equal(yaw_at(-HY_PI / 2), 90.0F, 0.0F);
    assert_float_equal(yaw_at(HY_PI), 0.0F, 0.0F);
    assert_float_equal(yaw_at(HY_PI + 0.1), (float)(0.1 * 180 / HY_PI), 1e-4F);
    assert_float_equal(yaw_at(-HY_PI + 0.1), (float)(0.1 * 180 / HY_PI), 1e-4F);
    assert_float_equal(yaw_at(20 * HY_PI), 180.0F, 1e-4F);
    for (double a = -7.0; a < 7.0; a += 0.001) {
        const float yaw_deg = yaw_at(a);
        assert_true(yaw_deg >= 0.0F && yaw_deg < 360.0F);
    }
}

// x to the right, y forward, z up; the vehicle's axes are x forward, y left, z up.
static void test_imu_axes(void **state)
{
    (void)state;
    bench b = bench_start(&prod);
    b.sensors.accel_m_s2[0] = 1.0 * 9.80665;
    b.sensors.accel_m_s2[1] = 2.0 * 9.80665;
    b.sensors.accel_m_s2[2] = 3.0 * 9.80665;
    for (int i = 0; i < 3; i++) {
        b.sensors.gyro_rate_rad_s[i] = hy_rad_from_deg(10.0 * (i + 1));
        b.sensors.gyro_angle_rad[i] = hy_rad_from_deg(i + 1);
    }
    bench_wait(&b, 0);
    bench_command(&b, CLIENT, 1, 0, 0.0F);
    const hy_wire_status s = bench_status(&b);
    const float accel_g[3] = { -2.0F, 1.0F, 3.0F };
    const float rate_dps[3] = { -20.0F, 10.0F, 30.0F };
    const float angle_deg[3] = { -2.0F, 1.0F, 183.0F };
    for (int i = 0; i < 3; i++) {
        assert_float_equal(s.accel_g[i], accel_g[i], 1e-5F);
        assert_float_equal(s.gyro_rate_dps[i], rate_dps[i], 1e-5F);
        assert_float_equal(s.gyro_angle_deg[i], angle_deg[i], 1e-4F);
    }
    bench_end(&b);
}

// 25 Hz against 20 Hz: what the statuses show is 10, 30, 0 or 20 ms old.
static void test_imu_is_read_every_40_ms(void **state)
{
    (void)state;
    bench b = bench_start(&prod);
    bench_wait(&b, 0);
    bench_command(&b, CLIENT, 1, 0, 0.0F);
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 5; k++) {
            b.sensors.gyro_rate_rad_s[2] = hy_rad_from_deg((double)(b.now_us / BENCH_MS) + 10.0);
            bench_wait(&b, 10 * BENCH_MS);
        }
        const hy_wire_status s = bench_status(&b);
        const int64_t now_ms = b.now_us / BENCH_MS;
        assert_float_equal(s.gyro_rate_dps[2], (float)(now_ms - now_ms % 40), 1e-3F);
    }
    bench_end(&b);
}

static void test_analogs(void **state)
{
    (void)state;
    static const struct {
        double reflectance;
        float v;
    } floors[] = { { 0.0, 0.0F }, { 0.25, 1.2503F }, { 1.0, 5.0F }, { 1.2, 5.0F }, { -0.1, 0.0F } };
    for (size_t i = 0; i < sizeof floors / sizeof floors[0]; i++) {
        assert_float_equal(reflectance_v(floors[i].reflectance), floors[i].v, 5e-5F);
    }
    static const struct {
        double range_m;
        float v;
    } ranges[] = { { 0.02, 0.025F }, { 0.5, 0.625F }, { 1.0, 1.25F },
                   { 3.9, 4.875F },  { 4.0, 5.0F },   { 7.0, 5.0F } };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        assert_float_equal(range_v(ranges[i].range_m), ranges[i].v, 1e-6F);
    }
    // The converter has 4096 levels.
    int levels = 1;
    for (int i = 1; i <= 100000; i++) {
        levels += reflectance_v(i / 1e5) > reflectance_v((i - 1) / 1e5) ? 1 : 0;
    }
    assert_int_equal(levels, 4096);
}

static void test_range_is_read_every_50_ms_and_the_button_at_once(void **state)
{
    (void)state;
    bench b = bench_start(&prod);
    b.sensors.range_m = 1.0;
    bench_wait(&b, 0);
    b.sensors.range_m = 2.0;
    b.sensors.button = true;
    bench_wait(&b, 49 * BENCH_MS);
    bench_give(&b, CLIENT, "?", 1);
    hy_wire_status s = bench_status(&b);
    assert_float_equal(s.analog_v[2], 1.25F, 0.0F);
    assert_int_equal(s.dios, 1);
    assert_int_equal(s.dio_levels, 1);
    b.sensors.button = false;
    bench_wait(&b, BENCH_MS);
    bench_give(&b, CLIENT, "?", 1);
    s = bench_status(&b);
    assert_float_equal(s.analog_v[2], 2.5F, 0.0F);
    assert_int_equal(s.dio_levels, 0);
    assert_int_equal(s.analogs, 7);
    bench_end(&b);
}

// The grids on which sensors are read begin when the board does.
static void test_sensors_are_read_as_soon_as_it_runs(void **state)
{
    (void)state;
    bench b = bench_start(&prod);
    b.now_us = 7 * BENCH_MS;
    b.board = hy_board_init(b.board, &prod, b.now_us);
    b.sensors.range_m = 1.0;
    b.sensors.gyro_rate_rad_s[2] = 1.0;
    bench_wait(&b, 0);
    b.sensors.range_m = 2.0;
    b.sensors.gyro_rate_rad_s[2] = 2.0;
    bench_wait(&b, 39 * BENCH_MS);
    bench_give(&b, CLIENT, "?", 1);
    hy_wire_status s = bench_status(&b);
    assert_float_equal(s.analog_v[2], 1.25F, 0.0F);
    assert_float_equal(s.gyro_rate_dps[2], 57.29578F, 1e-4F);
    bench_wait(&b, 10 * BENCH_MS);
    bench_give(&b, CLIENT, "?", 1);
    s = bench_status(&b);
    assert_float_equal(s.analog_v[2], 1.25F, 0.0F);
    assert_float_equal(s.gyro_rate_dps[2], 2 * 57.29578F, 1e-4F);
    bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power_up),
        cmocka_unit_test(test_disable_is_at_once_and_nothing_comes_back),
        cmocka_unit_test(test_enabling_packet_takes_effect_itself),
        cmocka_unit_test(test_only_1_enables),
        cmocka_unit_test(test_led_works_while_disabled_and_stays),
        cmocka_unit_test(test_motor_quantisation),
        cmocka_unit_test(test_servo_quantisation),
        cmocka_unit_test(test_what_is_no_number_is_no_command),
        cmocka_unit_test(test_ids_cross_over),
        cmocka_unit_test(test_what_stood_before_a_cut_block_counts),
        cmocka_unit_test(test_stock_never_reads_past_its_buffer),
        cmocka_unit_test(test_status_sizes),
        cmocka_unit_test(test_encoder_0_is_turned_around),
        cmocka_unit_test(test_disabled_encoders_stand_and_lose_counts),
        cmocka_unit_test(test_the_watchdog_stops_the_counting_in_time),
        cmocka_unit_test(test_yaw_starts_at_180_and_wraps_at_360),
        cmocka_unit_test(test_imu_axes),
        cmocka_unit_test(test_imu_is_read_every_40_ms),
        cmocka_unit_test(test_analogs),
        cmocka_unit_test(test_sensors_are_read_as_soon_as_it_runs),
        cmocka_unit_test(test_range_is_read_every_50_ms_and_the_button_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
