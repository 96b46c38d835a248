// What a check's figures are made of, and what is said of them.
#include "board_bench.h"
#include "cmocka_all.h"
#include "near.h"

#include "../../src/robot/check.h"

#include <halyard/link.h>
#include <halyard/wire.h>

#define SECOND_US 1000000

// --------------------------------------------------------------------------- numbers

static void test_a_spread_is_by_nearest_rank(void **state)
{
    (void)state;
    int64_t values[100];
    for (int i = 0; i < 100; i++) {
        values[i] = 1000 * ((i * 37) % 100 + 1); // 1 .. 100 ms in some order
    }
    hy_robot_spread spread = hy_robot_spread_of(values, 100);
    assert_int_equal(spread.count, 100);
    assert_int_equal(spread.least_us, 1000);
    assert_int_equal(spread.median_us, 50000);
    assert_int_equal(spread.p95_us, 95000);
    assert_int_equal(spread.p99_us, 99000);
    assert_int_equal(spread.most_us, 100000);
    assert_near(spread.mean_us, 50500.0, 1e-9);
    assert_near(spread.deviation_us, 28866.070047722, 1e-6); // sqrt((100^2 - 1) / 12) ms

    int64_t few[] = { 30, -10, 20 };
    spread = hy_robot_spread_of(few, 3);
    assert_int_equal(spread.least_us, -10);
    assert_int_equal(spread.median_us, 20);
    assert_int_equal(spread.p95_us, 30);
    assert_int_equal(spread.p99_us, 30);
    assert_near(spread.mean_us, 40.0 / 3.0, 1e-12);

    int64_t one[] = { 7 };
    spread = hy_robot_spread_of(one, 1);
    assert_int_equal(spread.median_us, 7);
    assert_int_equal(spread.most_us, 7);
    assert_near(spread.deviation_us, 0.0, 0.0);

    spread = hy_robot_spread_of(NULL, 0);
    assert_int_equal(spread.count, 0);
    assert_int_equal(spread.most_us, 0);
}

static void test_room_grows_with_the_duration(void **state)
{
    (void)state;
    assert_int_equal(hy_robot_check_room(0), 200);
    assert_int_equal(hy_robot_check_room(3 * SECOND_US), 800);
    assert_int_equal(hy_robot_check_room(INT64_C(600) * SECOND_US), 120200);
}

// --------------------------------------------------------------------------- in plain words

static void expect_words(const hy_robot_report *report, const char *address_text, const char *words)
{
    hy_endpoint address;
    assert_int_equal(hy_endpoint_parse(address_text, 3540, &address), HY_OK);
    hy_robot_finding found[HY_FINDINGS];
    const size_t count = hy_robot_findings(report, "xrp://somewhere", &address, found, HY_FINDINGS);
    for (size_t i = 0; i < count; i++) {
        if (strstr(found[i].text, words) != NULL) {
            return;
        }
    }
    fail_msg("nothing says '%s' but '%s'", words, count > 0 ? found[0].text : "");
}

static void test_advice_fits_the_address(void **state)
{
    (void)state;
    hy_robot_report report = { .manner = HY_ROBOT_SILENT };
    expect_words(
        &report, "192.168.42.1",
        "No robot answers at 192.168.42.1:3540. Is this computer connected to the robot's Wi-Fi "
        "(XRP-xxxx)?");
    expect_words(&report, "127.0.0.1", "'halyard board xrp' starts a virtual robot");
    expect_words(&report, "[::1]", "'halyard board xrp' starts a virtual robot");
    expect_words(&report, "10.1.2.3", "in another network");
    report.is_near = true;
    expect_words(&report, "192.168.42.1", "is the robot switched on");
    expect_words(&report, "10.1.2.3", "--sweep");
    expect_words(&report, "10.1.2.3", "One that another program commands may stay silent as well");
    report.reports = 1;
    expect_words(&report, "10.1.2.3", "nobody listens at 10.1.2.3:3540");
    report.is_unreachable = true;
    expect_words(&report, "10.1.2.3", "knows no way to 10.1.2.3:3540");
}

static void test_figures_are_in_the_sentences(void **state)
{
    (void)state;
    const hy_robot_report report = {
        .manner = HY_ROBOT_STREAMS,
        .dialect = &hy_dialect_xrp,
        .has_stream = true,
        .has_periods = true,
        .statuses = 82,
        .lost = 18,
        .loss = 0.18,
        .rate_hz = 8.2,
        .sent_rate_hz = 10.0,
        .longest_silence_us = 321000,
        .interval = { .count = 60, .median_us = 50000, .p95_us = 140000 },
    };
    expect_words(&report, "10.1.2.3", "18 % of its statuses get lost");
    expect_words(&report, "10.1.2.3", "Nothing came for 321 ms at a time");
    expect_words(&report, "10.1.2.3", "one in twenty is 90 ms late or more");
    expect_words(&report, "10.1.2.3", "sends 10.0 statuses a second instead of 20");
}

static void test_trouble_stands_before_what_is_good_to_know(void **state)
{
    (void)state;
    const hy_robot_report report = { .manner = HY_ROBOT_STREAMS,
                                     .dialect = &hy_dialect_xrp,
                                     .has_stream = true,
                                     .has_periods = true,
                                     .statuses = 99,
                                     .lost = 1,
                                     .loss = 0.01,
                                     .restarts = 1,
                                     .malformed = 1 };
    const hy_endpoint address = bench_peer(3540);
    hy_robot_finding found[HY_FINDINGS];
    assert_int_equal(hy_robot_findings(&report, "xrp://somewhere", &address, found, HY_FINDINGS), 3);
    static const char *const order[] = { "restart", "damage", "loss" };
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(hy_robot_finding_text(found[i].kind), order[i]);
        assert_int_equal(found[i].is_trouble, i < 2);
    }
}

static void test_findings_stay_in_their_room(void **state)
{
    (void)state;
    const hy_robot_report report = { .manner = HY_ROBOT_STREAMS,
                                     .dialect = &hy_dialect_teensy,
                                     .has_stream = true,
                                     .is_owned = true,
                                     .statuses = 1,
                                     .lost = 50,
                                     .loss = 0.98,
                                     .malformed = 3,
                                     .restarts = 1 };
    const hy_endpoint address = bench_peer(3540);
    hy_robot_finding found[3] = { [2] = { .text = "untouched" } };
    assert_int_equal(hy_robot_findings(&report, "xrp://somewhere", &address, found, 2), 2);
    assert_string_equal(found[2].text, "untouched");
    assert_string_equal(hy_robot_finding_text(HY_FINDINGS), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_spread_is_by_nearest_rank),
        cmocka_unit_test(test_room_grows_with_the_duration),
        cmocka_unit_test(test_advice_fits_the_address),
        cmocka_unit_test(test_figures_are_in_the_sentences),
        cmocka_unit_test(test_trouble_stands_before_what_is_good_to_know),
        cmocka_unit_test(test_findings_stay_in_their_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
