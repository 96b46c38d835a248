// The encoder of the XRP: counts, the mean of eight periods, standstill, and rest while disabled.
#include "../../src/board/encoder.h"

#include <halyard/base.h>
#include <math.h>

#include "cmocka_all.h"

#define PROD_HZ 9375000
#define NEVER   0xffffffffU
#define MS      INT64_C(1000)

static encoder started(void)
{
    encoder e;
    encoder_start(&e, PROD_HZ, 0);
    encoder_sense(&e, 0.0, 0);
    return e;
}

static encoder counting(void)
{
    encoder e = started();
    encoder_count_on(&e, 0);
    return e;
}

// What a status at `now_us` says.
static uint32_t latched(encoder *e, int64_t now_us)
{
    encoder_latch(e);
    return encoder_period(e, now_us);
}

static void test_never_moved(void **state)
{
    (void)state;
    encoder e = started();
    assert_int_equal(latched(&e, 10 * MS), NEVER); // off
    encoder_count_on(&e, 20 * MS);
    assert_int_equal(latched(&e, 30 * MS), NEVER); // on
    assert_int_equal(latched(&e, 70000 * MS), NEVER);
    assert_int_equal(e.count, 0);
}

static void test_counts_whole_edges_both_ways(void **state)
{
    (void)state;
    static const struct {
        double position;
        int32_t count;
    } path[] = {
        { 0.9, 0 },   { 1.0, 1 },   { 2.5, 2 },     { 2.0, 2 },         { 1.99, 1 },
        { -0.1, -1 }, { -3.0, -3 }, { -2.999, -3 }, { -1e6, -1000000 }, { 1e6, 1000000 },
    };
    encoder e = counting();
    for (size_t i = 0; i < sizeof path / sizeof path[0]; i++) {
        encoder_sense(&e, path[i].position, ((int64_t)i + 1) * 10 * MS);
        assert_int_equal((int32_t)e.count, path[i].count);
    }
}

static void test_count_wraps(void **state)
{
    (void)state;
    encoder e = counting();
    encoder_sense(&e, 2147483647.0, 1 * MS);
    assert_int_equal((int32_t)e.count, INT32_MAX);
    encoder_sense(&e, 2147483648.0, 2 * MS);
    assert_int_equal((int32_t)e.count, INT32_MIN);
}

static void test_impossible_positions_are_ignored(void **state)
{
    (void)state;
    encoder e = counting();
    encoder_sense(&e, 5.0, 10 * MS);
    const double wrong[] = { (double)NAN, (double)INFINITY, -(double)INFINITY, 1e300 };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        encoder_sense(&e, wrong[i], 20 * MS);
        assert_int_equal(e.count, 5);
    }
    encoder_sense(&e, 7.0, 30 * MS);
    assert_int_equal(e.count, 7);
}

// 498.04 counts/s (0.5 of a wheel that does 1000 at full): 2.008 ms, whatever the step.
static void test_period_is_exact_at_any_step(void **state)
{
    (void)state;
    const double rate = 127.0 / 255.0 * 1000.0;
    static const int64_t steps_us[] = { 1 * MS, 5 * MS, 10 * MS, 7333, 50 * MS };
    for (size_t i = 0; i < sizeof steps_us / sizeof steps_us[0]; i++) {
        for (int direction = -1; direction <= 1; direction += 2) {
            encoder e = counting();
            for (int64_t t = steps_us[i]; t <= 1000 * MS; t += steps_us[i]) {
                encoder_sense(&e, direction * rate * (double)t * 1e-6, t);
            }
            // xrp/status.txt: STATUS_prod_forward
            assert_int_equal(latched(&e, 1000 * MS), direction > 0 ? 0x930f : 0x930e);
        }
    }
}

static void test_mean_of_the_last_eight(void **state)
{
    (void)state;
    encoder e = counting();
    int64_t now_us = 0;
    for (int i = 1; i <= 20; i++) { // edge i comes i ms after the one before
        now_us += i * MS;
        encoder_sense(&e, i, now_us);
    }
    // 13 + 14 + ... + 20 ms = 132 ms
    assert_int_equal(latched(&e, now_us) >> 1, 132 * 9375 / 8);
}

static void test_old_period_until_eight_counts_the_other_way(void **state)
{
    (void)state;
    encoder e = counting();
    int64_t now_us = 0;
    for (int i = 1; i <= 8; i++) {
        now_us += 4 * MS;
        encoder_sense(&e, i, now_us);
        assert_int_equal(latched(&e, now_us), i < 8 ? NEVER : 4 * 9375 << 1 | 1);
    }
    for (int i = 1; i <= 8; i++) {
        now_us += 2 * MS;
        encoder_sense(&e, 8.9 - i, now_us);
        const uint32_t old = 4 * 9375 << 1 | 1;
        const uint32_t now = latched(&e, now_us);
        if (i < 8) {
            assert_int_equal(now, old);
        } else {
            assert_int_equal(now & 1, 0);
            assert_in_range(now >> 1, 2 * 9375 - 400, 2 * 9375 + 4000); // the turn itself took longer
        }
    }
    assert_int_equal(e.count, 0);
}

// Old period for 16 x its milliseconds (rounded up), then the time since, then nothing after 60 s.
static void test_stopped_wheel(void **state)
{
    (void)state;
    encoder e = counting();
    int64_t now_us = 0;
    for (int i = 1; i <= 10; i++) {
        now_us += 2008; // "ceil" of 2.008 ms is 3 ms: 48 ms
        encoder_sense(&e, i, now_us);
    }
    const uint32_t moving = latched(&e, now_us);
    assert_int_equal(moving & 1, 1);
    const int64_t last_ms = now_us / MS;
    assert_int_equal(latched(&e, (last_ms + 47) * MS), moving);
    assert_int_equal(latched(&e, (last_ms + 48) * MS), 48 * 9375 << 1 | 1);
    assert_int_equal(latched(&e, (last_ms + 146) * MS), 146 * 9375 << 1 | 1);
    assert_int_equal(latched(&e, (last_ms + 2850) * MS), 2850 * 9375 << 1 | 1);
    assert_int_equal(latched(&e, (last_ms + 60000) * MS), 60000U * 9375 << 1 | 1);
    assert_int_equal(latched(&e, (last_ms + 60001) * MS), NEVER);
}

// When a wheel that stood goes on, its old period stands until eight new counts have come; the first
// of them holds the time for which it stood.
static void test_restart(void **state)
{
    (void)state;
    encoder e = counting();
    int64_t now_us = 0;
    for (int i = 1; i <= 8; i++) {
        now_us += 4 * MS;
        encoder_sense(&e, i, now_us);
    }
    assert_int_equal(latched(&e, now_us), 4 * 9375 << 1 | 1);
    now_us += 800 * MS;
    for (int i = 9; i <= 17; i++) {
        encoder_sense(&e, i - 1, now_us - 4 * MS); // it stood until then
        encoder_sense(&e, i, now_us);
        const int64_t mean_ms = i == 16 ? (7 * 4 + 800) / 8 : 4;
        assert_in_range(latched(&e, now_us) >> 1, mean_ms * 9375, (mean_ms + 1) * 9375);
        now_us += 4 * MS;
    }
}

static void test_counts_while_off_are_lost(void **state)
{
    (void)state;
    encoder e = started();
    encoder_sense(&e, 100.0, 10 * MS);
    assert_int_equal(e.count, 0);
    encoder_count_on(&e, 15 * MS);
    encoder_sense(&e, 110.0, 20 * MS); // half of these ten came after the start
    assert_int_equal(e.count, 5);
    encoder_sense(&e, 120.0, 30 * MS);
    assert_int_equal(e.count, 15);
    encoder_count_off(&e, 38 * MS);
    encoder_sense(&e, 130.0, 40 * MS); // eight of these before the end
    assert_int_equal(e.count, 23);
    assert_int_equal(latched(&e, 40 * MS), NEVER);
    encoder_sense(&e, 500.0, 50 * MS);
    encoder_count_on(&e, 50 * MS);
    encoder_sense(&e, 501.0, 51 * MS);
    assert_int_equal(e.count, 24);
}

// Counting begins at the very time of a position: all edges up to it came before.
static void test_what_came_until_counting_began_is_lost(void **state)
{
    (void)state;
    for (int edges = 1; edges < 2000; edges++) {
        encoder e = started();
        encoder_sense(&e, 0.1, 3 * MS);
        encoder_count_on(&e, 10 * MS);
        encoder_sense(&e, edges, 10 * MS);
        assert_int_equal(e.count, 0);
    }
}

// What the encoder timed before a pause goes on after it, without the pause.
static void test_time_off_is_not_timed(void **state)
{
    (void)state;
    encoder e = counting();
    for (int i = 1; i <= 8; i++) {
        encoder_sense(&e, i, i * 4 * MS);
    }
    assert_int_equal(latched(&e, 32 * MS), 4 * 9375 << 1 | 1);
    encoder_count_off(&e, 33 * MS);
    encoder_sense(&e, 8.0, 1033 * MS);
    encoder_count_on(&e, 1033 * MS);
    encoder_sense(&e, 8.0, 1035 * MS);
    encoder_sense(&e, 9.0, 1036 * MS); // 1 ms before the pause, and 3 ms after it
    assert_int_equal(latched(&e, 1036 * MS), 4 * 9375 << 1 | 1);
}

// A jump costs no more than a step, and its period is the mean over its last edges.
static void test_a_jump_is_cheap(void **state)
{
    (void)state;
    encoder e = counting();
    encoder_sense(&e, 1e12, 1000 * MS);
    assert_int_equal(e.count, (uint32_t)INT64_C(1000000000000));
    assert_int_equal(latched(&e, 1000 * MS), 1); // a million counts a microsecond: no tick between
    encoder_sense(&e, 1e12 + 1000.0, 2000 * MS);
    assert_int_equal(latched(&e, 2000 * MS) >> 1, 9375);
}

// A position that is a whole number lies on the edge: it counts now, or it never would.
static void test_no_edge_is_lost_between_two_steps(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(7);
    for (int wheel = 0; wheel < 2000; wheel++) { // near 0, where positions are finest
        encoder e = counting();
        double position = 0.0;
        for (int64_t step = 1; step <= 50; step++) {
            position += 6.0 * hy_random_unit(&random) - 2.4;
            position = hy_random_below(&random, 3) == 0 ? floor(position) : position;
            encoder_sense(&e, position, step * 10 * MS);
            assert_int_equal((int32_t)e.count, (int32_t)floor(position));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_moved),
        cmocka_unit_test(test_counts_whole_edges_both_ways),
        cmocka_unit_test(test_no_edge_is_lost_between_two_steps),
        cmocka_unit_test(test_count_wraps),
        cmocka_unit_test(test_impossible_positions_are_ignored),
        cmocka_unit_test(test_period_is_exact_at_any_step),
        cmocka_unit_test(test_mean_of_the_last_eight),
        cmocka_unit_test(test_old_period_until_eight_counts_the_other_way),
        cmocka_unit_test(test_stopped_wheel),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_counts_while_off_are_lost),
        cmocka_unit_test(test_what_came_until_counting_began_is_lost),
        cmocka_unit_test(test_time_off_is_not_timed),
        cmocka_unit_test(test_a_jump_is_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
