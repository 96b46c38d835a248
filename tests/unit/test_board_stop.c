// A stop stops: whatever its number, whatever was numbered wrong or held up before it, in both dialects.
#include "board_bench.h"
#include "cmocka_all.h"

enum { CLIENT = 5800, STRANGER = 6000, LED_DIO = 1 };

static const hy_board_options xrp = { .kind = &hy_board_xrp };
static const hy_board_options teensy = { .kind = &hy_board_teensy };
static const hy_board_options stock = { .kind = &hy_board_xrp, .stock_bugs = true };
static const hy_board_options *const dialects[] = { &xrp, &teensy };

#define DIALECTS (sizeof dialects / sizeof dialects[0])

static void go(bench *b, uint16_t seq)
{
    bench_command(b, CLIENT, seq, 1, 1.0F);
}

static void stop(bench *b, uint16_t seq)
{
    bench_command(b, CLIENT, seq, 0, 0.0F);
}

#define assert_driving(b)                             \
    do {                                              \
        assert_true(hy_board_is_enabled((b)->board)); \
        assert_pin(bench_duty(b, 0), 1.0);            \
    } while (0)

#define assert_stopped(b)                              \
    do {                                               \
        assert_false(hy_board_is_enabled((b)->board)); \
        assert_pin(bench_duty(b, 0), 0.0);             \
    } while (0)

// --------------------------------------------------------------------------- stops out of order

static void test_a_number_far_ahead_does_not_lock_the_stops_out(void **state)
{
    (void)state;
    static const uint16_t counts[] = { 1, 1000, 40000, 65530 }, jumps[] = { 2, 40, 1000, 32767 };
    for (size_t d = 0; d < DIALECTS; d++) {
        for (size_t i = 0; i < 16; i++) {
            const uint16_t own = counts[i / 4], jump = jumps[i % 4];
            bench b = bench_start(dialects[d]);
            go(&b, own);
            go(&b, (uint16_t)(own + jump)); // forged, or misnumbered
            assert_driving(&b);
            for (uint16_t k = 1; k <= 6;
                 k++) { // each of the six, for each may be the only one that arrives
                stop(&b, (uint16_t)(own + k));
                assert_stopped(&b);
                bench_wait(&b, 20 * BENCH_MS);
                go(&b, (uint16_t)(own + jump + k)); // and the forger goes on
                assert_driving(&b);
            }
            bench_end(&b);
        }
    }
}

// Whatever the number of the stop is, next to whatever the gate took last.
static void test_a_stop_disables_whatever_its_number(void **state)
{
    (void)state;
    static const uint16_t lasts[] = { 0, 1, 255, 20000, 32767, 32768, 40000, 65534, 65535 };
    for (size_t i = 0; i < sizeof lasts / sizeof lasts[0]; i++) {
        for (uint32_t seq = 0; seq < 65536; seq += seq < 600 || seq > 65000 ? 1 : 97) {
            bench b = bench_start(&xrp);
            go(&b, lasts[i]);
            stop(&b, (uint16_t)seq);
            assert_stopped(&b);
            bench_end(&b);
        }
    }
}

static void test_any_control_but_1_is_a_stop(void **state)
{
    (void)state;
    for (unsigned control = 0; control < 256; control++) {
        bench b = bench_start(&xrp);
        go(&b, 100);
        bench_command(&b, CLIENT, 50, (uint8_t)control, 0.0F);
        assert_int_equal(hy_board_is_enabled(b.board), control == 1);
        bench_end(&b);
    }
}

static void test_a_late_stop_does_nothing_more(void **state)
{
    (void)state;
    bench b = bench_start(&xrp);
    go(&b, 100);
    bench_wait(&b, 400 * BENCH_MS);
    const uint8_t late[] = { 0, 99, 0, 3, 0x14, LED_DIO, 1 };
    bench_give(&b, CLIENT, late, sizeof late);
    assert_stopped(&b);
    assert_false(hy_board_actuators(b.board)->led);
    assert_int_equal(hy_board_counts(b.board)->commands, 1);
    assert_int_equal(hy_board_counts(b.board)->rx_sequence, 1);
    assert_int_equal(hy_board_counts(b.board)->late_stops, 1);
    go(&b, 101); // the next command goes on
    assert_driving(&b);
    bench_end(&b);

    b = bench_start(
        &xrp); // it feeds no watchdog: the owner is gone 500 ms after its last command in order
    go(&b, 100);
    bench_wait(&b, 499 * BENCH_MS);
    bench_give(&b, CLIENT, late, sizeof late);
    bench_wait(&b, BENCH_MS);
    bench_command(&b, STRANGER, 7, 1, 1.0F);
    assert_int_equal(hy_board_owner(b.board).port, STRANGER);
    assert_driving(&b);
    bench_end(&b);
}

static void test_a_stop_in_order_is_a_command(void **state)
{
    (void)state;
    bench b = bench_start(&xrp);
    go(&b, 100);
    bench_wait(&b, 400 * BENCH_MS);
    const uint8_t next[] = { 0, 101, 0, 3, 0x14, LED_DIO, 1 };
    bench_give(&b, CLIENT, next, sizeof next);
    assert_stopped(&b);
    assert_true(hy_board_actuators(b.board)->led);
    assert_int_equal(hy_board_counts(b.board)->commands, 2);
    assert_int_equal(hy_board_counts(b.board)->late_stops, 0);
    bench_wait(&b, 400 * BENCH_MS);
    assert_int_equal(hy_board_owner(b.board).port, CLIENT);
    bench_end(&b);
}

static void test_a_strangers_stop_stops_nobody(void **state)
{
    (void)state;
    bench b = bench_start(&xrp);
    go(&b, 100);
    bench_command(&b, STRANGER, 101, 0, 0.0F);
    assert_driving(&b);
    bench_end(&b);
}

// Each command of a round goes out as 65535 and as n: either copy of a stop is enough.
static void test_each_copy_of_a_stop_in_a_round_disables(void **state)
{
    (void)state;
    for (size_t d = 0; d < DIALECTS; d++) {
        for (uint32_t n = 1; n <= 32768; n += 331) {
            for (int lost = 0; lost < 2; lost++) {
                bench b = bench_start(dialects[d]);
                go(&b, (uint16_t)(n - 1));
                stop(&b, lost == 0 ? (uint16_t)n : 65535);
                assert_stopped(&b);
                // The copy n alone is in order.
                assert_int_equal(hy_board_counts(b.board)->commands, lost == 0 ? 2 : 1);
                bench_end(&b);
            }
        }
    }
}

static void test_stock_keeps_the_firmwares_rule(void **state)
{
    (void)state;
    bench b = bench_start(&stock);
    go(&b, 1000);
    stop(&b, 999); // refused, as the firmware refuses it
    assert_driving(&b);
    stop(&b, 1001);
    assert_stopped(&b);
    assert_int_equal(hy_board_counts(b.board)->late_stops, 0);
    bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_number_far_ahead_does_not_lock_the_stops_out),
        cmocka_unit_test(test_a_stop_disables_whatever_its_number),
        cmocka_unit_test(test_any_control_but_1_is_a_stop),
        cmocka_unit_test(test_a_late_stop_does_nothing_more),
        cmocka_unit_test(test_a_stop_in_order_is_a_command),
        cmocka_unit_test(test_a_strangers_stop_stops_nobody),
        cmocka_unit_test(test_each_copy_of_a_stop_in_a_round_disables),
        cmocka_unit_test(test_stock_keeps_the_firmwares_rule),
    };
    return cmocka_run_group_tests_name("board stop", tests, NULL, NULL);
}
