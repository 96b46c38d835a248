// Who commands a board, which commands count, and when it speaks; with and without stock defects.
#include "board_bench.h"
#include "cmocka_all.h"

enum { CLIENT = 5800, STRANGER = 6000, OTHER = 7000 };

static const hy_board_options right = { .kind = &hy_board_xrp };
static const hy_board_options stock = { .kind = &hy_board_xrp, .stock_bugs = true };

#define FULL 1.0F

static const hy_board_counters *counts(const bench *b)
{
    return hy_board_counts(b->board);
}

// --------------------------------------------------------------------------- watchdog

static void test_watchdog_shuts_off_after_500_ms(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    bench_command(&b, CLIENT, 1, 1, FULL);
    assert_pin(bench_duty(&b, 0), 1.0);
    assert_int_equal(hy_board_due_us(b.board), 50 * BENCH_MS);
    bench_wait(&b, HY_BOARD_WATCHDOG_US - 1);
    assert_pin(bench_duty(&b, 0), 1.0);
    bench_wait(&b, 1); // the limit is strict: 500 ms are too many
    assert_pin(bench_duty(&b, 0), 0.0);
    assert_false(hy_board_is_enabled(b.board));
    assert_int_equal(counts(&b)->watchdog_trips, 1);
    bench_wait(&b, HY_BOARD_WATCHDOG_US);
    assert_int_equal(counts(&b)->watchdog_trips, 1);
    bench_end(&b);
}

// Without statuses in between, the watchdog is what is due.
static void test_watchdog_is_due(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    assert_true(hy_board_due_us(b.board) == INT64_MAX);
    b.now_us = 470 * BENCH_MS;
    bench_command(&b, CLIENT, 1, 1, FULL);
    assert_int_equal(hy_board_due_us(b.board), 500 * BENCH_MS); // a status
    b.now_us = 969 * BENCH_MS;
    assert_true(bench_take(&b)); // late
    assert_int_equal(hy_board_due_us(b.board), 970 * BENCH_MS);
    b.now_us = 970 * BENCH_MS;
    assert_false(bench_take(&b)); // sending runs the watchdog, too
    assert_pin(bench_duty(&b, 0), 0.0);
    assert_int_equal(hy_board_due_us(b.board), 1000 * BENCH_MS);
    bench_end(&b);
}

static void test_numbers_that_commands_skip_are_lost(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    bench_command(&b, CLIENT, 5, 1, FULL);
    bench_command(&b, CLIENT, 6, 1, FULL);
    assert_int_equal(counts(&b)->commands_lost, 0);
    bench_command(&b, CLIENT, 10, 1, FULL);
    assert_int_equal(counts(&b)->commands_lost, 3);
    bench_command(&b, CLIENT, 8, 1, FULL); // late: it stays lost
    bench_command(&b, CLIENT, 12, 1, FULL);
    assert_int_equal(counts(&b)->commands_lost, 4);
    bench_end(&b);
}

static void test_disabled_commands_feed_it_and_rejected_ones_do_not(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    bench_command(&b, CLIENT, 5, 0, 0.0F);
    bench_wait(&b, 400 * BENCH_MS);
    bench_command(&b, CLIENT, 6, 0, 0.0F);
    bench_wait(&b, 400 * BENCH_MS);
    hy_endpoint owner = hy_board_owner(b.board);
    assert_int_equal(owner.port, CLIENT);
    bench_command(&b, CLIENT, 6, 1, FULL); // doubled
    bench_command(&b, CLIENT, 4, 1, FULL); // late
    assert_int_equal(counts(&b)->rx_sequence, 2);
    assert_int_equal(counts(&b)->commands_lost, 0);
    assert_false(hy_board_is_enabled(b.board));
    bench_wait(&b, 100 * BENCH_MS);
    owner = hy_board_owner(b.board);
    assert_true(hy_endpoint_is_nobody(&owner));
    assert_int_equal(counts(&b)->watchdog_trips, 0); // nothing was to be shut off
    bench_end(&b);
}

// --------------------------------------------------------------------------- owner and strangers

static void test_a_stranger_changes_nothing_while_the_owner_lives(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    bench_command(&b, CLIENT, 100, 1, FULL);
    const hy_actuators before = *hy_board_actuators(b.board);
    const uint16_t numbers[] = { 101, 200, 65535, 0, 99 };
    for (size_t i = 0; i < 5; i++) {
        bench_wait(&b, 10 * BENCH_MS);
        bench_command(&b, STRANGER, numbers[i], (uint8_t)(i % 2), -FULL);
        bench_give(&b, STRANGER, "\0\0", 2);
        assert_memory_equal(hy_board_actuators(b.board), &before, sizeof before);
    }
    assert_int_equal(counts(&b)->rx_strangers, 5);
    assert_int_equal(counts(&b)->rx_too_short, 5);
    assert_int_equal(hy_board_owner(b.board).port, CLIENT);
    bench_command(&b, CLIENT, 101, 1, 0.5F); // the owner's next is still the next
    assert_int_equal(counts(&b)->commands, 2);
    bench_status(&b);
    assert_int_equal(b.sent_to.port, CLIENT);
    bench_end(&b);
}

static void test_the_same_address_with_another_port_is_a_stranger(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    bench_command(&b, CLIENT, 1, 1, FULL);
    bench_command(&b, CLIENT + 1, 2, 0, 0.0F);
    assert_true(hy_board_is_enabled(b.board));
    bench_end(&b);
}

static void test_the_robot_is_free_500_ms_after_its_owner_fell_silent(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    bench_command(&b, CLIENT, 40000, 1, FULL);
    bench_wait(&b, HY_BOARD_WATCHDOG_US - 1);
    bench_command(&b, STRANGER, 39990, 1, -FULL);
    assert_int_equal(counts(&b)->rx_strangers, 1);
    bench_wait(&b, 1);
    bench_command(&b, STRANGER, 39991, 1, -FULL); // any number is good for a new owner
    assert_int_equal(hy_board_owner(b.board).port, STRANGER);
    assert_pin(bench_duty(&b, 0), -1.0);
    bench_command(&b, CLIENT, 40001, 1, FULL);
    assert_pin(bench_duty(&b, 0), -1.0);
    bench_status(&b);
    assert_int_equal(b.sent_to.port, STRANGER);
    bench_end(&b);
}

static void test_stock_any_datagram_steals_the_stream(void **state)
{
    (void)state;
    bench b = bench_start(&stock);
    bench_command(&b, CLIENT, 1, 1, FULL);
    bench_status(&b);
    assert_int_equal(b.sent_to.port, CLIENT);
    bench_give(&b, STRANGER, "x", 1);
    bench_wait(&b, BENCH_MS);
    bench_status(&b);
    assert_int_equal(b.sent_to.port, STRANGER);
    bench_command(&b, OTHER, 0, 1, FULL); // a number that is refused
    bench_wait(&b, BENCH_MS);
    bench_status(&b);
    assert_int_equal(b.sent_to.port, OTHER);
    bench_give(&b, STRANGER, "", 0); // nothing steals nothing
    bench_wait(&b, BENCH_MS);
    bench_status(&b);
    assert_int_equal(b.sent_to.port, OTHER);
    bench_command(&b, CLIENT, 2, 1, FULL); // the next one of the first client moves it back
    bench_wait(&b, BENCH_MS);
    bench_status(&b);
    assert_int_equal(b.sent_to.port, CLIENT);
    bench_command(&b, STRANGER, 3, 1, -FULL); // and everybody steers
    assert_pin(bench_duty(&b, 0), -1.0);
    bench_end(&b);
}

// --------------------------------------------------------------------------- probes

static void test_a_probe_is_answered_once_and_the_owner_keeps_the_stream(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    bench_command(&b, CLIENT, 1, 1, FULL);
    assert_int_equal(bench_status(&b).seq, 0);
    bench_wait(&b, 10 * BENCH_MS);
    assert_false(bench_take(&b));
    bench_give(&b, STRANGER, "?", 1);
    assert_int_equal(hy_board_due_us(b.board), b.now_us);
    assert_true(bench_take(&b)); // at once
    assert_int_equal(b.sent_to.port, STRANGER);
    assert_int_equal(b.sent_size, 128);
    assert_false(bench_take(&b));              // once
    assert_int_equal(bench_status(&b).seq, 1); // and no number is missing for the owner
    assert_int_equal(b.sent_to.port, CLIENT);
    assert_int_equal(b.now_us, 100 * BENCH_MS);
    assert_int_equal(counts(&b)->probes_answered, 1);
    assert_int_equal(counts(&b)->statuses, 2);
    assert_true(hy_board_is_enabled(b.board));
    bench_end(&b);
}

static void test_a_probe_is_answered_when_nobody_owns_the_robot(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    bench_give(&b, STRANGER, "?", 1);
    assert_true(bench_take(&b));
    assert_int_equal(b.sent_to.port, STRANGER);
    bench_wait(&b, 200 * BENCH_MS);
    assert_false(bench_take(&b)); // a probe starts no stream
    bench_end(&b);
}

static void test_probes_wait_in_a_bounded_queue(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    bench_give(&b, CLIENT, "", 0);
    bench_give(&b, CLIENT, "ab", 2);
    assert_false(bench_take(&b)); // neither is a probe
    for (uint16_t i = 0; i < 20; i++) {
        bench_give(&b, (uint16_t)(STRANGER + i), "?", 1);
    }
    for (uint16_t i = 0; i < 16; i++) {
        assert_true(bench_take(&b));
        assert_int_equal(b.sent_to.port, STRANGER + i);
    }
    assert_false(bench_take(&b));
    assert_int_equal(counts(&b)->probes_answered, 16);
    assert_int_equal(counts(&b)->probes_dropped, 4);
    bench_end(&b);
}

static void test_the_owner_needs_no_probe(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    bench_command(&b, CLIENT, 1, 0, 0.0F);
    bench_give(&b, CLIENT, "?", 1);
    assert_false(bench_take(&b));
    bench_end(&b);
}

// --------------------------------------------------------------------------- sequence numbers

// 50 Hz from the client; the fewest motor updates that got through between two checks is 1.
static void check_no_gap(bench *b, uint16_t seq[2], unsigned count, unsigned long i)
{
    const float effort = i % 2 == 0 ? 0.25F : 0.75F;
    for (unsigned k = 0; k < count; k++) {
        bench_command(b, CLIENT, seq[k], 1, effort);
    }
    const double expected = i % 2 == 0 ? 63 / 255.0 : 191 / 255.0;
    assert_pin(bench_duty(b, 0), expected);
    bench_wait(b, 20 * BENCH_MS);
}

static void test_wpilib_numbering_across_the_wrap(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    for (unsigned long i = 0; i < 140000; i++) { // plain from 0: wraps twice
        uint16_t seq[2] = { (uint16_t)i, 0 };
        check_no_gap(&b, seq, 1, i);
    }
    assert_int_equal(counts(&b)->watchdog_trips, 0);
    assert_int_equal(counts(&b)->rx_sequence, 0);
    bench_end(&b);
}

static void check_own_numbering(const hy_board_options *options)
{
    bench b = bench_start(options);
    hy_seq_sender sender = { 0 };
    for (unsigned long i = 0; i < 200000; i++) {
        uint16_t seq[2];
        const unsigned count = hy_seq_sender_next(&sender, seq);
        check_no_gap(&b, seq, count, i);
    }
    assert_int_equal(counts(&b)->watchdog_trips, 0);
    bench_end(&b);
}

static void test_own_numbering_across_the_wrap(void **state)
{
    (void)state;
    check_own_numbering(&right);
    check_own_numbering(&stock);
}

// The stock firmware's own table of accepted and refused numbers.
static void check_stock_case(const uint16_t *seq, const char *fate)
{
    bench b = bench_start(&stock);
    for (size_t i = 0; fate[i] != '\0'; i++) {
        const uint64_t before = counts(&b)->commands;
        bench_command(&b, CLIENT, seq[i], 1, FULL);
        if (counts(&b)->commands - before != (fate[i] == 'A' ? 1U : 0U)) {
            fail_msg("number %u, the %zu. of \"%s\"", seq[i], i + 1, fate);
        }
    }
    bench_end(&b);
}

static void test_stock_sequence_rule(void **state)
{
    (void)state;
    check_stock_case((const uint16_t[]){ 0, 0, 1 }, "RRA");
    check_stock_case((const uint16_t[]){ 65529, 65530, 65531, 65535, 65532, 65531, 65530, 65529, 0,
                                         1, 2, 3, 4, 5, 100 },
                     "AAAAAARRRRRRRRR");
    check_stock_case((const uint16_t[]){ 65532, 65533, 0, 65534, 65535, 1 }, "AARAAR");
    check_stock_case((const uint16_t[]){ 100, 100, 99, 102, 101, 103 }, "ARRARA");
    check_stock_case((const uint16_t[]){ 1000, 65535, 1001, 1002 }, "AARR"); // a stray 65535 locks out
}

// At the wrap the stock firmware goes deaf, runs on for 500 ms, stops, and starts again.
static void test_stock_wrap_at_50_hz(void **state)
{
    (void)state;
    bench b = bench_start(&stock);
    bench_command(&b, CLIENT, 65535, 1, FULL);
    unsigned rejected = 0;
    int64_t driving_us = 0;
    for (uint16_t seq = 0; counts(&b)->commands < 2; seq++) {
        for (int i = 0; i < 20; i++) {
            bench_wait(&b, BENCH_MS);
            driving_us += bench_duty(&b, 0) > 0.0 ? BENCH_MS : 0;
        }
        bench_command(&b, CLIENT, seq, 1, FULL);
        rejected++;
    }
    rejected--; // the last one was taken
    assert_in_range(rejected, 24, 25);
    assert_int_equal(driving_us, 499 * BENCH_MS);
    assert_in_range(b.now_us, 500 * BENCH_MS, 520 * BENCH_MS);
    assert_int_equal(counts(&b)->watchdog_trips, 1);
    bench_end(&b);
}

static void test_stock_constant_numbers(void **state)
{
    (void)state;
    const struct {
        uint16_t seq;
        uint64_t accepted_in_2_s;
    } rows[] = { { 65535, 100 }, { 65530, 4 } };
    for (size_t i = 0; i < 2; i++) {
        bench b = bench_start(&stock);
        for (int k = 0; k < 100; k++) {
            bench_command(&b, CLIENT, rows[i].seq, 1, FULL);
            bench_wait(&b, 20 * BENCH_MS);
        }
        assert_int_equal(counts(&b)->commands, rows[i].accepted_in_2_s);
        bench_end(&b);
    }
}

static void check_restart(const hy_board_options *options, uint16_t reached, int64_t pause_ms)
{
    bench b = bench_start(options);
    bench_command(&b, CLIENT, (uint16_t)(reached - 1), 1, FULL);
    bench_wait(&b, 20 * BENCH_MS);
    bench_command(&b, CLIENT, reached, 1, FULL);
    bench_wait(&b, pause_ms * BENCH_MS);
    const int64_t restarted_us = b.now_us;
    const uint64_t before = counts(&b)->commands;
    for (uint16_t seq = 0; counts(&b)->commands < before + 2; seq++) {
        bench_command(&b, CLIENT, seq, 1, -FULL);
        if (counts(&b)->commands < before + 2) {
            bench_wait(&b, 20 * BENCH_MS);
        }
    }
    assert_true(b.now_us - restarted_us <= 1000 * BENCH_MS);
    assert_pin(bench_duty(&b, 0), -1.0);
    bench_end(&b);
}

static void test_a_restarted_client_is_served_within_a_second(void **state)
{
    (void)state;
    const uint16_t reached[] = { 10, 30, 60, 100, 300, 1000, 30000, 32768, 40000, 65000, 65535 };
    const int64_t pauses_ms[] = { 20, 100, 300, 480, 499, 600, 5000 };
    for (size_t i = 0; i < sizeof reached / sizeof reached[0]; i++) {
        for (size_t k = 0; k < sizeof pauses_ms / sizeof pauses_ms[0]; k++) {
            check_restart(&right, reached[i], pauses_ms[k]);
            if (reached[i] < 65531) {
                check_restart(&stock, reached[i], pauses_ms[k]);
            }
        }
    }
}

// --------------------------------------------------------------------------- statuses

static void test_status_every_50_ms_on_one_grid(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    bench_wait(&b, 123 * BENCH_MS);
    assert_false(bench_take(&b)); // nobody is there to listen
    bench_command(&b, CLIENT, 0, 0, 0.0F);
    for (uint16_t i = 0; i < 100; i++) {
        assert_int_equal(bench_status(&b).seq, i);
        assert_int_equal(b.now_us, (150 + 50 * i) * BENCH_MS);
        bench_command(&b, CLIENT, (uint16_t)(i + 1), i % 2, 0.0F); // sent enabled or not
    }
    bench_end(&b);
}

static void test_missed_turns_are_skipped(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    bench_command(&b, CLIENT, 0, 0, 0.0F);
    bench_wait(&b, 333 * BENCH_MS);
    assert_true(bench_take(&b));
    assert_false(bench_take(&b));
    assert_int_equal(hy_board_due_us(b.board), 350 * BENCH_MS);
    bench_end(&b);
}

static void test_status_goes_on_to_the_last_owner(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    bench_command(&b, CLIENT, 0, 0, 0.0F);
    bench_wait(&b, 10000 * BENCH_MS);
    bench_status(&b);
    bench_wait(&b, 50 * BENCH_MS);
    bench_status(&b);
    assert_int_equal(b.sent_to.port, CLIENT);
    bench_end(&b);
}

static void test_status_numbers_wrap(void **state)
{
    (void)state;
    bench b = bench_start(&right);
    bench_command(&b, CLIENT, 0, 0, 0.0F);
    for (unsigned long i = 0; i < 65540; i++) {
        b.now_us += HY_XRP_STATUS_PERIOD_US;
        assert_true(bench_take(&b));
        assert_int_equal(b.sent[0] << 8 | b.sent[1], i % 65536);
    }
    bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_watchdog_shuts_off_after_500_ms),
        cmocka_unit_test(test_watchdog_is_due),
        cmocka_unit_test(test_numbers_that_commands_skip_are_lost),
        cmocka_unit_test(test_disabled_commands_feed_it_and_rejected_ones_do_not),
        cmocka_unit_test(test_a_stranger_changes_nothing_while_the_owner_lives),
        cmocka_unit_test(test_the_same_address_with_another_port_is_a_stranger),
        cmocka_unit_test(test_the_robot_is_free_500_ms_after_its_owner_fell_silent),
        cmocka_unit_test(test_stock_any_datagram_steals_the_stream),
        cmocka_unit_test(test_a_probe_is_answered_once_and_the_owner_keeps_the_stream),
        cmocka_unit_test(test_a_probe_is_answered_when_nobody_owns_the_robot),
        cmocka_unit_test(test_probes_wait_in_a_bounded_queue),
        cmocka_unit_test(test_the_owner_needs_no_probe),
        cmocka_unit_test(test_wpilib_numbering_across_the_wrap),
        cmocka_unit_test(test_own_numbering_across_the_wrap),
        cmocka_unit_test(test_stock_sequence_rule),
        cmocka_unit_test(test_stock_wrap_at_50_hz),
        cmocka_unit_test(test_stock_constant_numbers),
        cmocka_unit_test(test_a_restarted_client_is_served_within_a_second),
        cmocka_unit_test(test_status_every_50_ms_on_one_grid),
        cmocka_unit_test(test_missed_turns_are_skipped),
        cmocka_unit_test(test_status_goes_on_to_the_last_owner),
        cmocka_unit_test(test_status_numbers_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
