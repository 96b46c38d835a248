// Every byte that the Teensy of a swerve robot sends, in the situations of docs/spec/teensy-robot.md.
#include "board_bench.h"
#include "cmocka_all.h"

enum { CLIENT = 5800 };

#define STATUS_SIZE 160

static bench start(void)
{
    const hy_board_options options = { .kind = &hy_board_teensy };
    bench b = bench_start(&options);
    b.sensors.battery_v = 11.8;
    bench_wait(&b, 0);
    return b;
}

// Points at the byte that differs.
static void check(const bench *b, const uint8_t expected[STATUS_SIZE])
{
    assert_int_equal(b->sent_size, STATUS_SIZE);
    for (size_t i = 0; i < STATUS_SIZE; i++) {
        if (b->sent[i] != expected[i]) {
            fail_msg("byte %zu is %02x, not %02x", i, b->sent[i], expected[i]);
        }
    }
}

// clang-format off
static void test_a_robot_that_stands(void **state)
{
    (void)state;
    static const uint8_t expected[STATUS_SIZE] = {
    //  seq   control
        0, 0, 0,
    //  size  tag   id  count       never moved             24 000 000
        0x0e, 0x16, 0,  0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x01, 0x6e, 0x36, 0x00,
        0x0e, 0x16, 1,  0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x01, 0x6e, 0x36, 0x00,
        0x0e, 0x16, 2,  0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x01, 0x6e, 0x36, 0x00,
        0x0e, 0x16, 3,  0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x01, 0x6e, 0x36, 0x00,
        0x0e, 0x16, 4,  0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x01, 0x6e, 0x36, 0x00,
        0x0e, 0x16, 5,  0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x01, 0x6e, 0x36, 0x00,
        0x0e, 0x16, 6,  0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x01, 0x6e, 0x36, 0x00,
        0x0e, 0x16, 7,  0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x01, 0x6e, 0x36, 0x00,
    //  button
        0x03, 0x13, 0, 0,
    //  gyro: rates and angles about x, y, z
        0x19, 0x15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    //  battery: 3661 / 4095 * 3.3 V
        0x06, 0x14, 0, 0x40, 0x3c, 0xd1, 0x00,
    };
    bench b = start();
    bench_command(&b, CLIENT, 1, 0, 0.0F);
    bench_status(&b);
    check(&b, expected);
    bench_end(&b);
}

static void test_a_robot_that_drives(void **state)
{
    (void)state;
    static const uint8_t command[] = {
    //  seq   on
        0, 1, 1,
    //        tag   id  effort
        0x06, 0x12, 0,  0x3f, 0x00, 0x00, 0x00,
        0x06, 0x12, 1,  0xbe, 0x80, 0x00, 0x00,
        0x06, 0x12, 6,  0x3f, 0x80, 0x00, 0x00,
        0x03, 0x13, 1, 1,
    };
    static const uint8_t expected[STATUS_SIZE] = {
        0, 1, 0,
    //  FL drive: 20 counts in 20 ms, 24 000 ticks each, rising: 24 000 * 2 + 1
        0x0e, 0x16, 0,  0, 0, 0, 40, 0x00, 0x00, 0xbb, 0x81, 0x01, 0x6e, 0x36, 0x00,
    //  FL azimuth: 10 counts in 20 ms, 48 000 ticks each, falling: 48 000 * 2
        0x0e, 0x16, 1,  0xff, 0xff, 0xff, 0xec, 0x00, 0x01, 0x77, 0x00, 0x01, 0x6e, 0x36, 0x00,
        0x0e, 0x16, 2,  0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x01, 0x6e, 0x36, 0x00,
        0x0e, 0x16, 3,  0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x01, 0x6e, 0x36, 0x00,
        0x0e, 0x16, 4,  0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x01, 0x6e, 0x36, 0x00,
        0x0e, 0x16, 5,  0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x01, 0x6e, 0x36, 0x00,
    //  FR drive: 40 counts in 20 ms, 12 000 ticks each, rising
        0x0e, 0x16, 6,  0, 0, 0, 80, 0x00, 0x00, 0x5d, 0xc1, 0x01, 0x6e, 0x36, 0x00,
        0x0e, 0x16, 7,  0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x01, 0x6e, 0x36, 0x00,
    //  the button is down
        0x03, 0x13, 0, 1,
    //  rates 1, -2, 90 degrees per second; angles 0.5, -0.25, 450 degrees
        0x19, 0x15, 0x3f, 0x80, 0x00, 0x00, 0xc0, 0x00, 0x00, 0x00, 0x42, 0xb4, 0x00, 0x00,
                    0x3f, 0x00, 0x00, 0x00, 0xbe, 0x80, 0x00, 0x00, 0x43, 0xe1, 0x00, 0x00,
    //  9.9 V: 3071 / 4095 * 3.3 V, 2.4748 V
        0x06, 0x14, 0, 0x40, 0x1e, 0x63, 0x19,
    };
    bench b = start();
    bench_give(&b, CLIENT, command, sizeof command);
    assert_pin(bench_duty(&b, 0), 2048 / 4095.0);
    assert_pin(bench_duty(&b, 1), -1024 / 4095.0);
    assert_pin(bench_duty(&b, 6), 1.0);
    assert_true(hy_board_actuators(b.board)->led);
    static const double rate_dps[3] = { 1.0, -2.0, 90.0 }, angle_deg[3] = { 0.5, -0.25, 450.0 };
    for (int i = 0; i < 3; i++) {
        b.sensors.gyro_rate_rad_s[i] = hy_rad_from_deg(rate_dps[i]);
        b.sensors.gyro_angle_rad[i] = hy_rad_from_deg(angle_deg[i]);
    }
    b.sensors.battery_v = 9.9;
    b.sensors.button = true;
    for (int i = 0; i < 2; i++) {
        b.sensors.encoder_counts[0] += 20.0;
        b.sensors.encoder_counts[1] -= 10.0;
        b.sensors.encoder_counts[6] += 40.0;
        bench_wait(&b, 20 * BENCH_MS);
        assert_true(bench_take(&b));
    }
    check(&b, expected);
    bench_end(&b);
}
// clang-format on

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_robot_that_stands),
        cmocka_unit_test(test_a_robot_that_drives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
