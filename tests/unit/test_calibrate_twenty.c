// Twenty virtual robots with hidden numbers: the standard deviations of the report are what they are said to be.
#include <math.h>

#include "../support/calibrate_bench.h"
#include "cmocka_all.h"

#define ROBOTS 20

static hy_robot_traits hidden[ROBOTS];
static hy_calibration results[ROBOTS];

static int calibrate_all(void **state)
{
    (void)state;
    static hy_calibration_log log;
    for (unsigned i = 0; i < ROBOTS; i++) {
        calibrate_hide(&hidden[i], i);
        calibrate_record(&log, &hidden[i], i);
        if (hy_calibrate(&log, 0, &results[i]) != HY_OK) {
            return -1;
        }
    }
    return 0;
}

// Measured: 48 of 72 numbers that are determined (67 %), 124 of all 180 (69 %); with robots 20 to 39, 66 and 64 %. A share of
// 68 % of 72 numbers is itself known to 6 %, and those of one robot are not independent. With a search
// that stops in the first hollow, 51 and 57 %.
static void test_two_of_three_lie_within_a_deviation(void **state)
{
    (void)state;
    unsigned within = 0, determined = 0, within_determined = 0;
    double farthest = 0;
    for (unsigned robot = 0; robot < ROBOTS; robot++) {
        for (size_t i = 0; i < CALIBRATE_HIDDEN; i++) {
            bool is_determined;
            const double off =
                fabs(calibrate_off(&results[robot], &hidden[robot], i, &is_determined));
            within += off <= 1 ? 1 : 0;
            determined += is_determined ? 1 : 0;
            within_determined += is_determined && off <= 1 ? 1 : 0;
            farthest = fmax(farthest, off);
        }
    }
    const double share = (double)within / (ROBOTS * CALIBRATE_HIDDEN);
    const double share_determined = (double)within_determined / determined;
    if (share < 0.60 || share > 0.76 || share_determined < 0.58 || share_determined > 0.78 ||
        determined < 60 || farthest > 5) {
        fail_msg("within a deviation: %u of %u, %u of %u determined; the farthest is %.1f off",
                 within, ROBOTS * CALIBRATE_HIDDEN, within_determined, determined, farthest);
    }
}

static void test_every_bridge_is_right(void **state)
{
    (void)state;
    for (unsigned robot = 0; robot < ROBOTS; robot++) {
        assert_true(results[robot].coasts == (hidden[robot].decay == HY_DECAY_COAST));
        assert_true(results[robot].bridge_ratio > 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_of_three_lie_within_a_deviation),
        cmocka_unit_test(test_every_bridge_is_right),
    };
    return cmocka_run_group_tests(tests, calibrate_all, NULL);
}
