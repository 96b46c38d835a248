// How many messages a page may send. Time is a number.
#include "cmocka_all.h"

#include "../../src/view/bucket.h"

#define SECOND_US INT64_C(1000000)

/// Sends `count` messages at once; how many pass.
static int burst(view_bucket *self, unsigned seats, int count, int64_t now_us)
{
    int passed = 0;
    for (int i = 0; i < count; i++) {
        passed += view_bucket_take(self, seats, now_us) == VIEW_BUCKET_PASSES;
    }
    return passed;
}

/// Sends at a constant rate from `from_us` on, for `time_us`; how many pass before it is over for too long, if that happens.
static int stream(view_bucket *self, unsigned seats, int rate, int64_t from_us, int64_t time_us)
{
    int passed = 0;
    for (int64_t i = 0; i * SECOND_US / rate < time_us; i++) {
        const view_bucket_verdict verdict =
            view_bucket_take(self, seats, from_us + i * SECOND_US / rate);
        if (verdict == VIEW_BUCKET_TOO_LONG) {
            return -1;
        }
        passed += verdict == VIEW_BUCKET_PASSES;
    }
    return passed;
}

static void a_second_of_messages_may_come_at_once(void **state)
{
    (void)state;
    view_bucket self;
    view_bucket_start(&self, 5);
    assert_int_equal(burst(&self, 0, 1000, 5), 200);
    assert_int_equal(burst(&self, 0, 1000, 5 + SECOND_US / 2), 100);
    assert_int_equal(burst(&self, 0, 1000, 5 + 100 * SECOND_US), 200); // no more than it holds
    assert_int_equal(burst(&self, 2, 2000, 5 + 200 * SECOND_US), 500);
    view_bucket_start(&self, 0);
    assert_int_equal(burst(&self, 6, 1, INT64_C(1) << 60), 1); // no time is too long
}

static void the_rate_passes_for_ever(void **state)
{
    (void)state;
    for (unsigned seats = 0; seats <= 6; seats++) {
        view_bucket self;
        view_bucket_start(&self, 0);
        const int rate = 200 + 150 * (int)seats;
        assert_int_equal(stream(&self, seats, rate, 0, 60 * SECOND_US), 60 * rate);
    }
}

static void a_page_with_six_sticks_passes(void **state)
{
    (void)state;
    view_bucket self;
    view_bucket_start(&self, 0);
    assert_int_equal(stream(&self, 6, 6 * 125 + 10, 0, 60 * SECOND_US), 60 * 760);
}

static void twice_the_rate_is_too_long_after_two_seconds(void **state)
{
    (void)state;
    view_bucket self;
    view_bucket_start(&self, 0);
    assert_int_equal(burst(&self, 0, 201, 0), 200); // over from now on
    const int64_t limit_us = VIEW_BUCKET_OVER_US;
    assert_true(stream(&self, 0, 400, 0, limit_us) >= 390); // half of it passes
    (void)burst(&self, 0, 10, limit_us);                    // what had trickled in
    assert_int_equal(view_bucket_take(&self, 0, limit_us), VIEW_BUCKET_OVER);
    assert_int_equal(view_bucket_take(&self, 0, limit_us + 1), VIEW_BUCKET_TOO_LONG);
}

// A second of calm ends it, to the microsecond: two seconds are counted from the first message too many.
static void calm_is_more_than_a_second(void **state)
{
    (void)state;
    for (int64_t more_us = 0; more_us < 2; more_us++) {
        view_bucket self;
        view_bucket_start(&self, 0);
        (void)burst(&self, 0, 201, 0);
        (void)burst(&self, 0, 201, VIEW_BUCKET_CALM_US + more_us);
        (void)burst(&self, 0, 201, VIEW_BUCKET_CALM_US * 3 / 2);
        (void)burst(&self, 0, 200, VIEW_BUCKET_OVER_US + 1);
        assert_int_equal(view_bucket_take(&self, 0, VIEW_BUCKET_OVER_US + 1),
                         more_us == 0 ? VIEW_BUCKET_TOO_LONG : VIEW_BUCKET_OVER);
    }
}

static void bursts_with_rests_between_them_are_never_too_long(void **state)
{
    (void)state;
    view_bucket self;
    view_bucket_start(&self, 0);
    for (int64_t i = 0; i < 100; i++) { // as after a browser that stalls
        assert_true(stream(&self, 0, 2000, i * 4 * SECOND_US, SECOND_US) > 0);
    }
}

static void what_arrives_in_one_moment_is_never_too_long(void **state)
{
    (void)state;
    view_bucket self;
    view_bucket_start(&self, 0);
    for (int i = 0; i < 100000; i++) { // read at once after this program was stopped
        assert_int_not_equal(view_bucket_take(&self, 1, 60 * SECOND_US), VIEW_BUCKET_TOO_LONG);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_of_messages_may_come_at_once),
        cmocka_unit_test(the_rate_passes_for_ever),
        cmocka_unit_test(a_page_with_six_sticks_passes),
        cmocka_unit_test(twice_the_rate_is_too_long_after_two_seconds),
        cmocka_unit_test(calm_is_more_than_a_second),
        cmocka_unit_test(bursts_with_rests_between_them_are_never_too_long),
        cmocka_unit_test(what_arrives_in_one_moment_is_never_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
