// What the Teensy of a swerve robot does with its pins, and what its status tells.
#include "board_bench.h"
#include "cmocka_all.h"
#include <halyard/board.h>
#include <halyard/wire.h>

#include <math.h>

enum { CLIENT = 5800 };

static const hy_board_options teensy = { .kind = &hy_board_teensy };

static const hy_actuators *pins(const bench *b)
{
    return hy_board_actuators(b->board);
}

static void give_motor(bench *b, uint16_t seq, unsigned id, float effort)
{
    hy_wire_command command = { .seq = seq, .control = 1, .motors = (uint8_t)(1U << id) };
    command.motor[id] = effort;
    uint8_t bytes[HY_WIRE_COMMAND_MAX];
    const size_t size = hy_teensy_command_encode(&command, (hy_room){ bytes, sizeof bytes });
    bench_give(b, CLIENT, bytes, size);
}

static void assert_all_stand(const bench *b)
{
    for (unsigned i = 0; i < HY_PIN_MOTORS; i++) {
        assert_pin(bench_duty(b, i), 0.0);
    }
}

// --------------------------------------------------------------------------- commands

static void test_power_up(void **state)
{
    (void)state;
    bench b = bench_start(&teensy);
    assert_ptr_equal(hy_board_dialect(b.board), &hy_dialect_teensy);
    assert_int_equal(hy_board_status_period_us(b.board), 20000);
    assert_all_stand(&b);
    for (int i = 0; i < HY_PIN_SERVOS; i++) {
        assert_pin(pins(&b)->servo_pulse_us[i], 0.0); // it has none
    }
    assert_false(pins(&b)->led || hy_board_is_enabled(b.board));
    bench_wait(&b, 100 * BENCH_MS);
    assert_false(bench_take(&b)); // nobody has spoken with it
    bench_end(&b);
}

static void test_each_motor_has_its_id(void **state)
{
    (void)state;
    for (unsigned id = 0; id < HY_PIN_MOTORS; id++) {
        bench b = bench_start(&teensy);
        give_motor(&b, 1, id, -1.0F);
        for (unsigned i = 0; i < HY_PIN_MOTORS; i++) {
            assert_pin(bench_duty(&b, i), i == id ? -1.0 : 0.0);
        }
        bench_end(&b);
    }
}

static void test_motor_quantisation(void **state)
{
    (void)state;
    static const struct {
        const char *effort;
        uint8_t bytes[4];
        double duty;
    } rows[] = {
        { "0", { 0, 0, 0, 0 }, 0.0 },
        { "0.5", { 0x3f, 0, 0, 0 }, 2048 / 4095.0 },
        { "-0.5", { 0xbf, 0, 0, 0 }, -2048 / 4095.0 },
        { "0.25", { 0x3e, 0x80, 0, 0 }, 1024 / 4095.0 },
        { "1", { 0x3f, 0x80, 0, 0 }, 1.0 },
        { "-1", { 0xbf, 0x80, 0, 0 }, -1.0 },
        { "0.0001", { 0x38, 0xd1, 0xb7, 0x17 }, 0.0 },
        { "0.0002", { 0x39, 0x51, 0xb7, 0x17 }, 1 / 4095.0 },
        { "2", { 0x40, 0, 0, 0 }, 1.0 },
        { "-3.4e38", { 0xff, 0x7f, 0xff, 0xff }, -1.0 },
        { "infinity", { 0x7f, 0x80, 0, 0 }, 0.0 },
        { "-infinity", { 0xff, 0x80, 0, 0 }, 0.0 },
        { "not a number", { 0x7f, 0xc0, 0, 0 }, 0.0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bench b = bench_start(&teensy);
        give_motor(&b, 1, 5, 0.75F); // so that "stops" differs from "ignored"
        uint8_t bytes[] = { 0, 2, 1, 6, 0x12, 5, 0, 0, 0, 0 };
        memcpy(&bytes[6], rows[i].bytes, 4);
        bench_give(&b, CLIENT, bytes, sizeof bytes);
        assert_pin(bench_duty(&b, 5), rows[i].duty);
        bench_end(&b);
    }
}

static void test_what_moves_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        uint8_t bytes[16];
        size_t size;
    } rows[] = {
        { "motor 8", { 0, 2, 1, 6, 0x12, 8, 0x3f, 0x80, 0, 0 }, 10 },
        //                              ^
        { "motor 255", { 0, 2, 1, 6, 0x12, 255, 0x3f, 0x80, 0, 0 }, 10 },
        //                                 ^^^
        { "tag 0x13 is no servo here", { 0, 2, 1, 6, 0x13, 4, 0x3f, 0x80, 0, 0 }, 10 },
        //                                           ^^^^
        { "an analog is an input", { 0, 2, 1, 6, 0x14, 0, 0x3f, 0x80, 0, 0 }, 10 },
        //                                       ^^^^
        { "a motor block cut inside its value", { 0, 2, 1, 6, 0x12, 0, 0x3f, 0x80, 0 }, 9 },
        //                                                 ^
        { "disabled", { 0, 2, 0, 6, 0x12, 0, 0x3f, 0x80, 0, 0 }, 10 },
        //                    ^
        { "not newer", { 0, 1, 1, 6, 0x12, 0, 0x3f, 0x80, 0, 0 }, 10 },
        //                  ^
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bench b = bench_start(&teensy);
        bench_command(&b, CLIENT, 1, 1, 0.0F);
        bench_give(&b, CLIENT, rows[i].bytes, rows[i].size);
        assert_all_stand(&b);
        assert_false(pins(&b)->led);
        bench_end(&b);
    }
}

static void test_the_watchdog_stops_all_eight(void **state)
{
    (void)state;
    bench b = bench_start(&teensy);
    for (unsigned id = 0; id < HY_PIN_MOTORS; id++) {
        give_motor(&b, (uint16_t)(id + 1), id, 1.0F);
    }
    bench_wait(&b, 500 * BENCH_MS - 1);
    for (unsigned id = 0; id < HY_PIN_MOTORS; id++) {
        assert_pin(bench_duty(&b, id), 1.0);
    }
    bench_wait(&b, 1);
    assert_all_stand(&b);
    assert_false(hy_board_is_enabled(b.board));
    assert_int_equal(hy_board_counts(b.board)->watchdog_trips, 1);
    bench_command(&b, CLIENT, 9, 1, 0.0F); // and nothing comes back
    assert_true(hy_board_is_enabled(b.board));
    assert_all_stand(&b);
    bench_end(&b);
}

static void test_disable_is_at_once_and_nothing_comes_back(void **state)
{
    (void)state;
    bench b = bench_start(&teensy);
    give_motor(&b, 1, 1, 0.5F);
    give_motor(&b, 2, 6, 0.5F); // a motor that is not mentioned keeps its duty
    assert_pin(bench_duty(&b, 1), 2048 / 4095.0);
    bench_command(&b, CLIENT, 3, 0, 0.0F);
    assert_all_stand(&b);
    give_motor(&b, 4, 0, 0.25F); // the enabling packet takes effect itself
    assert_pin(bench_duty(&b, 0), 1024 / 4095.0);
    assert_pin(bench_duty(&b, 1), 0.0);
    bench_end(&b);
}

static void test_led_and_button(void **state)
{
    (void)state;
    bench b = bench_start(&teensy);
    static const uint8_t on[] = { 0, 1, 0, 3, 0x13, 1, 1 };  // while disabled
    static const uint8_t off[] = { 0, 2, 0, 3, 0x13, 1, 2 }; // only 1 is on
    bench_give(&b, CLIENT, on, sizeof on);
    assert_true(pins(&b)->led);
    bench_give(&b, CLIENT, off, sizeof off);
    assert_false(pins(&b)->led);
    b.sensors.button = true;
    bench_wait(&b, BENCH_MS);
    const hy_wire_status s = bench_status(&b);
    assert_int_equal(s.dios, 1);
    assert_int_equal(s.dio_levels, 1);
    bench_end(&b);
}

// A kind of somebody's own may have them on other DIOs.
static void test_led_and_button_are_where_the_kind_says(void **state)
{
    (void)state;
    hy_board_kind other = hy_board_teensy;
    other.button_dio = 3;
    other.led_dio = 2;
    bench b = bench_start(&(hy_board_options){ .kind = &other });
    bench_give(&b, CLIENT, ((const uint8_t[]){ 0, 1, 0, 3, 0x13, 2, 1 }), 7);
    assert_true(pins(&b)->led);
    b.sensors.button = true;
    bench_wait(&b, BENCH_MS);
    const hy_wire_status s = bench_status(&b);
    assert_int_equal(s.dios, 8);
    assert_int_equal(s.dio_levels, 8);
    bench_end(&b);
}

static void test_the_owner_alone_commands(void **state)
{
    (void)state;
    bench b = bench_start(&teensy);
    give_motor(&b, 1, 3, 1.0F);
    bench_command(&b, CLIENT + 1, 2, 0, 0.0F);
    assert_pin(bench_duty(&b, 3), 1.0);
    assert_int_equal(hy_board_counts(b.board)->rx_strangers, 1);
    bench_give(&b, CLIENT + 1, "?", 1);
    assert_true(bench_take(&b)); // a probe: one status, to who asked
    assert_int_equal(b.sent_to.port, CLIENT + 1);
    assert_int_equal(b.sent_size, 160);
    assert_false(bench_take(&b));
    bench_end(&b);
}

// Random datagrams and times: no pin leaves its range, nothing moves while disabled, every status is whole.
static void test_random_packets(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(1);
    bench b = bench_start(&teensy);
    unsigned moving = 0;
    for (int i = 0; i < 200000; i++) {
        uint8_t bytes[40] = { (uint8_t)(i >> 8), (uint8_t)i, hy_random_below(&random, 8) != 0 };
        const size_t size = hy_random_below(&random, sizeof bytes + 1);
        for (size_t at = 3; at < size; at++) {
            bytes[at] = (uint8_t)hy_random_bits(&random);
        }
        if (size > 5 && hy_random_below(&random, 2) == 0) { // often a motor block
            bytes[3] = 6;
            bytes[4] = 0x12;
            bytes[5] %= 9;
        }
        bench_give(&b, CLIENT, bytes, size);
        for (unsigned motor = 0; motor < HY_PIN_MOTORS; motor++) {
            const double duty = bench_duty(&b, motor);
            assert_true(duty >= -1.0 && duty <= 1.0);
            assert_true(duty == 0.0 || hy_board_is_enabled(b.board));
            moving += duty != 0.0 ? 1 : 0;
        }
        bench_wait(&b, hy_random_below(&random, 50000));
        while (bench_take(&b)) {
            assert_int_equal(b.sent_size, 160);
        }
        assert_true(hy_board_due_us(b.board) > b.now_us);
    }
    assert_true(moving > 100000);
    bench_end(&b);
}

// --------------------------------------------------------------------------- status

static void test_a_status_every_20_ms(void **state)
{
    (void)state;
    bench b = bench_start(&teensy);
    bench_wait(&b, 7 * BENCH_MS);
    bench_command(&b, CLIENT, 1, 0, 0.0F);
    for (int i = 0; i < 10; i++) {
        const hy_wire_status s = bench_status(&b);
        assert_int_equal(s.seq, i);
        assert_int_equal(b.now_us, (i + 1) * 20 * BENCH_MS); // on the grid of power-up
        assert_int_equal(b.sent_size, 160);
        assert_true(s.has_gyro && !s.has_accel);
        assert_int_equal(s.analogs, 1);
        assert_int_equal(s.encoders, 0xff);
    }
    bench_end(&b);
}

// Digital inputs 20 to 23 are home switches, and only of those modules that have one.
static void test_home_switches(void **state)
{
    (void)state;
    bench b = bench_start(&teensy);
    give_motor(&b, 1, 0, 0);
    b.sensors.home_switches = 0xb;
    b.sensors.at_home = 0x6; // module 2 has none
    b.sensors.button = true;
    bench_wait(&b, 20 * BENCH_MS);
    const hy_wire_status status = bench_status(&b);
    assert_int_equal(status.dios, 0xb00001);
    assert_int_equal(status.dio_levels, 0x200001);
    assert_int_equal(b.sent_size, 160 + 3 * 4);
    bench_end(&b);
}

static void test_short_encoders(void **state)
{
    (void)state;
    const hy_board_options old = { .kind = &hy_board_teensy, .encoder_format = HY_ENCODER_SHORT };
    bench b = bench_start(&old);
    bench_command(&b, CLIENT, 1, 0, 0.0F);
    assert_false(bench_status(&b).encoder[7].has_period);
    assert_int_equal(b.sent_size, 96);
    bench_end(&b);
}

// Each encoder is its own, counts up when the pins do, and goes on while the robot is disabled.
static void test_encoders_count_always(void **state)
{
    (void)state;
    bench b = bench_start(&teensy);
    bench_wait(&b, 0);
    for (int i = 0; i < HY_PIN_ENCODERS; i++) {
        b.sensors.encoder_counts[i] = 100.0 * i - 250.0;
    }
    bench_wait(&b, 100 * BENCH_MS); // nobody has enabled it yet
    bench_command(&b, CLIENT, 1, 0, 0.0F);
    hy_wire_status s = bench_status(&b);
    for (int i = 0; i < HY_PIN_ENCODERS; i++) {
        assert_int_equal(s.encoder[i].count, 100 * i - 250);
        assert_int_equal(s.encoder[i].period_den, 24000000);
        assert_int_equal(s.encoder[i].period_num & 1, i > 2); // encoders 0 to 2 fell
    }
    bench_command(&b, CLIENT, 2, 1, 0.0F);
    b.sensors.encoder_counts[1] = 1000.0;
    bench_wait(&b, 1000 * BENCH_MS); // the watchdog disables it half-way
    assert_false(hy_board_is_enabled(b.board));
    s = bench_status(&b);
    assert_int_equal(s.encoder[1].count, 1000);
    bench_end(&b);
}

static void test_encoder_period(void **state)
{
    (void)state;
    bench b = bench_start(&teensy);
    bench_wait(&b, 0);
    bench_command(&b, CLIENT, 1, 0, 0.0F);
    for (int i = 0; i < 10; i++) { // 3000 counts a second forward, 1000 backward
        b.sensors.encoder_counts[0] += 60.0;
        b.sensors.encoder_counts[7] -= 20.0;
        bench_wait(&b, 20 * BENCH_MS);
    }
    const hy_wire_status s = bench_status(&b);
    float rate;
    assert_int_equal(hy_wire_encoder_rate(&s.encoder[0], &rate), HY_ENCODER_MOVING);
    assert_float_equal(rate, 3000.0F, 1.0F);
    assert_int_equal(hy_wire_encoder_rate(&s.encoder[7], &rate), HY_ENCODER_MOVING);
    assert_float_equal(rate, -1000.0F, 1.0F);
    assert_int_equal(hy_wire_encoder_rate(&s.encoder[3], &rate), HY_ENCODER_STILL);
    bench_end(&b);
}

// The robot's own axes; the angles begin at 0, are read at once and never wrap.
static void test_gyro(void **state)
{
    (void)state;
    static const float turned_deg[] = { 0.0F, 179.0F, 181.0F, 359.5F, 360.0F, 3600.25F, -725.5F };
    bench b = bench_start(&teensy);
    bench_command(&b, CLIENT, 1, 0, 0.0F);
    for (size_t i = 0; i < sizeof turned_deg / sizeof turned_deg[0]; i++) {
        for (int axis = 0; axis < 3; axis++) {
            b.sensors.gyro_rate_rad_s[axis] = hy_rad_from_deg(10.0 * axis - 5.0);
            b.sensors.gyro_angle_rad[axis] = hy_rad_from_deg((double)turned_deg[i] / (axis + 1));
        }
        bench_wait(&b, 20 * BENCH_MS);
        const hy_wire_status s = bench_status(&b);
        for (int axis = 0; axis < 3; axis++) {
            const float angle_deg = turned_deg[i] / (float)(axis + 1);
            assert_float_equal(s.gyro_rate_dps[axis], 10.0F * (float)axis - 5.0F, 1e-5F);
            assert_float_equal(s.gyro_angle_deg[axis], angle_deg, 1e-3F);
        }
    }
    bench_end(&b);
}

static void test_battery(void **state)
{
    (void)state;
    static const struct {
        double battery_v;
        float pin_v;
    } rows[] = { { 0.0, 0.0F },  { 9.0, 2.25F }, { 11.8, 2.95F },      { 13.2, 3.3F },
                 { 20.0, 3.3F }, { -1.0, 0.0F }, { (double)NAN, 0.0F } };
    bench b = bench_start(&teensy);
    bench_command(&b, CLIENT, 1, 0, 0.0F);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        b.sensors.battery_v = rows[i].battery_v;
        bench_wait(&b, 20 * BENCH_MS);
        assert_float_equal(bench_status(&b).analog_v[0], rows[i].pin_v, 3.3F / 4095 / 2 + 1e-6F);
    }
    bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power_up),
        cmocka_unit_test(test_each_motor_has_its_id),
        cmocka_unit_test(test_motor_quantisation),
        cmocka_unit_test(test_what_moves_nothing),
        cmocka_unit_test(test_the_watchdog_stops_all_eight),
        cmocka_unit_test(test_disable_is_at_once_and_nothing_comes_back),
        cmocka_unit_test(test_led_and_button),
        cmocka_unit_test(test_led_and_button_are_where_the_kind_says),
        cmocka_unit_test(test_the_owner_alone_commands),
        cmocka_unit_test(test_random_packets),
        cmocka_unit_test(test_a_status_every_20_ms),
        cmocka_unit_test(test_home_switches),
        cmocka_unit_test(test_short_encoders),
        cmocka_unit_test(test_encoders_count_always),
        cmocka_unit_test(test_encoder_period),
        cmocka_unit_test(test_gyro),
        cmocka_unit_test(test_battery),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
