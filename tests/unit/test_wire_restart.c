// After a stop: what a client that started again needs to be served, and what commands that were held up do not get.
#include <stdio.h>

#include "cmocka_all.h"

#include <halyard/wire.h>

#define MS INT64_C(1000)

static bool go(hy_seq_gate *gate, uint32_t seq, int64_t now_us)
{
    return hy_seq_gate_accept_command(gate, (uint16_t)seq, 1, now_us);
}

static bool stop(hy_seq_gate *gate, uint32_t seq, int64_t now_us)
{
    return hy_seq_gate_accept_command(gate, (uint16_t)seq, 0, now_us);
}

/// A gate that took a command and then a stop numbered `last`, at time 0.
static hy_seq_gate stopped_at(uint32_t last)
{
    hy_seq_gate gate = { 0 };
    assert_true(go(&gate, last - 1, 0));
    assert_true(stop(&gate, last, 0));
    return gate;
}

// --------------------------------------------------------------------------- held up

static void commands_from_before_a_stop_do_not_drive_behind_it(void **state)
{
    (void)state;
    static const uint32_t lasts[] = { 21,    30,    64,    300,       5000,
                                      32768, 40000, 65535, 65536 + 5, 65536 + 300 };
    for (size_t i = 0; i < sizeof lasts / sizeof lasts[0]; i++) {
        for (int64_t gap_us = 0; gap_us <= 50 * MS;
             gap_us += 10 * MS) { // 20 of them take at most 0.95 s
            for (uint32_t oldest = 21; oldest < 1000 && oldest <= lasts[i]; oldest += 7) {
                hy_seq_gate gate = stopped_at(lasts[i]);
                for (uint32_t k = 0; k < 20; k++) {
                    assert_false(go(&gate, lasts[i] - oldest + k, 1000 * MS + k * gap_us));
                }
                assert_int_equal(gate.restarts, 0);
            }
        }
    }
}

static void nor_behind_commands_that_followed_the_stop(void **state)
{
    (void)state;
    hy_seq_gate gate = stopped_at(21);
    assert_true(go(&gate, 22, 20 * MS));
    assert_true(go(&gate, 100, 40 * MS));
    for (uint32_t k = 1; k <= 20; k++) { // held up since before the stop
        assert_false(go(&gate, k, 1040 * MS));
    }
    // But these two are from after it, or of a client that started again: no stop speaks against them.
    assert_false(go(&gate, 50, 1060 * MS));
    assert_true(go(&gate, 51, 1060 * MS));
}

static void nor_does_one_of_two_numbers_with_control_0(void **state)
{
    (void)state;
    hy_seq_gate gate = stopped_at(5000);
    assert_false(stop(&gate, 1, 1000 * MS));
    assert_false(go(&gate, 2, 1001 * MS));
    assert_false(stop(&gate, 3, 1002 * MS));
    assert_false(go(&gate, 4, 1003 * MS));
    assert_false(stop(&gate, 4, 1004 * MS)); // the same number again
    assert_true(stop(&gate, 5, 1005 * MS));
    assert_int_equal(gate.restarts, 1);
    assert_false(go(&gate, 4, 1006 * MS)); // older than the newest stop
    assert_true(go(&gate, 6, 1007 * MS));
}

static void a_count_that_was_left_behind_is_no_leap_of_the_new_one(void **state)
{
    (void)state;
    hy_seq_gate gate = stopped_at(1000);
    assert_false(stop(&gate, 1, 600 * MS));
    assert_true(stop(&gate, 2, 620 * MS));
    for (uint32_t seq = 1000 - 256; seq <= 1000 + 256; seq++) {
        assert_false(go(&gate, seq, 640 * MS));
    }
    for (uint32_t seq = 1000 - 257; seq <= 1000 + 257; seq += 514) { // further away it is a leap
        hy_seq_gate leaping = gate;
        assert_true(go(&leaping, seq, 640 * MS));
    }
    assert_true(go(&gate, 3, 660 * MS));
    for (uint32_t seq = 4; seq < 3000;
         seq += 32) { // the new count comes there in its own time, with losses
        assert_true(go(&gate, seq, 680 * MS));
    }
    assert_true(go(&gate, 40 + 30000, 700 * MS));
}

static void the_end_of_a_round_is_not_newer_than_the_start_of_the_next(void **state)
{
    (void)state;
    for (uint32_t last = 1; last < 256; last++) {
        for (uint32_t before = 0; before < 256; before++) {
            hy_seq_gate gate = stopped_at(last);
            assert_false(go(&gate, 32768 - before, 20 * MS));
        }
    }
    hy_seq_gate gate = stopped_at(255);
    assert_true(go(&gate, 32769 - 256 - 1, 0)); // what is further away than a round can lose
    gate = stopped_at(255);
    assert_true(go(&gate, 32769, 0)); // and what no round has
    gate = stopped_at(256);
    assert_true(go(&gate, 32768, 0));
}

static void a_stop_whose_number_was_refused_counts_as_well(void **state)
{
    (void)state;
    hy_seq_gate gate = { 0 };
    assert_true(go(&gate, 20, 0));
    assert_false(stop(&gate, 65535, 20 * MS)); // only this copy of it arrives
    hy_seq_gate_note_stop(&gate);
    for (uint32_t k = 1; k < 12; k++) {
        assert_false(go(&gate, k, 1000 * MS));
    }
    gate = (hy_seq_gate){ 0 };
    hy_seq_gate_note_stop(&gate); // nothing yet to be stopped
    assert_true(go(&gate, 7, 0));
}

// --------------------------------------------------------------------------- served

typedef struct {
    uint32_t last, begin;
    int64_t period_us, pause_us;
    bool begins_disabled;
} client;

/// Microseconds from its first packet until one of a client that started again is taken.
static int64_t time_to_serve(const client *c)
{
    hy_seq_gate gate = stopped_at(c->last);
    uint32_t seq = c->begin;
    for (int64_t t = 0; t < 10000 * MS; t += c->period_us) {
        const bool is_served = c->begins_disabled ? stop(&gate, seq, c->pause_us + t)
                                                  : go(&gate, seq, c->pause_us + t);
        seq++;
        if (is_served) {
            for (int64_t more = 1; more < 100; more++) { // from then on, in either state
                assert_true(go(&gate, seq++, c->pause_us + t + more * c->period_us));
            }
            return t;
        }
    }
    fail_msg("never served: last %u, period %d us, pause %d us", c->last, (int)c->period_us,
             (int)c->pause_us);
    return 0;
}

static int64_t worst_time_to_serve(bool begins_disabled)
{
    static const int64_t periods_us[] = { 50 * MS, 20 * MS, 10 * MS };
    static const int64_t pauses_us[] = { 1 * MS, 100 * MS, 300 * MS, 499 * MS, 600 * MS, 5000 * MS };
    int64_t worst_us = 0;
    for (uint32_t last = 1; last < 65536; last += last < 1000 ? 1 : 97) {
        for (size_t i = 0; i < 3 * 6 * 2; i++) {
            const client c = { .last = last,
                               .begin = (uint32_t)(i % 2),
                               .period_us = periods_us[i / 2 % 3],
                               .pause_us = pauses_us[i / 6],
                               .begins_disabled = begins_disabled };
            const int64_t us = time_to_serve(&c);
            worst_us = us > worst_us ? us : worst_us;
        }
    }
    return worst_us;
}

static void a_client_that_begins_disabled_is_served_within_a_second(void **state)
{
    (void)state;
    const int64_t worst_us = worst_time_to_serve(true);
    printf("a client that begins disabled is served after at most %d ms\n", (int)(worst_us / MS));
    assert_true(worst_us < 1000 * MS);
}

static void a_client_that_begins_enabled_is_served_within_two(void **state)
{
    (void)state;
    const int64_t worst_us = worst_time_to_serve(false);
    printf("a client that begins enabled is served after at most %d ms\n", (int)(worst_us / MS));
    assert_true(worst_us < 2000 * MS && worst_us > 1000 * MS);
}

// --------------------------------------------------------------------------- a steady count

static void a_second_is_a_second_to_the_microsecond(void **state)
{
    (void)state;
    for (int64_t early_us = 0; early_us <= 1; early_us++) {
        hy_seq_gate gate = stopped_at(5000);
        for (uint32_t k = 0; k < 10; k++) {
            assert_false(go(&gate, 1 + k, 1000 * MS + k * 100 * MS));
        }
        assert_int_equal(go(&gate, 11, 2000 * MS - early_us), early_us == 0);
    }
}

static void a_gap_over_200_ms_starts_it_again(void **state)
{
    (void)state;
    for (int64_t more_us = 0; more_us <= 1; more_us++) {
        hy_seq_gate gate = stopped_at(5000);
        int64_t now_us = 1000 * MS;
        bool is_served = false;
        for (uint32_t k = 0; k <= 5 && !is_served; k++) { // 0, 200 .. 1000 ms
            is_served = go(&gate, 1 + k, now_us);
            now_us += 200 * MS + (k == 2 ? more_us : 0);
        }
        assert_int_equal(is_served, more_us == 0);
    }
}

static void a_leap_starts_it_again(void **state)
{
    (void)state;
    for (uint32_t leap = 32; leap <= 33; leap++) {
        hy_seq_gate gate = stopped_at(5000);
        uint32_t k = 0;
        while (k < 30 && !go(&gate, 1 + k + (k > 4 ? leap - 1 : 0), 1000 * MS + k * 100 * MS)) {
            k++;
        }
        assert_int_equal(k, leap == 32 ? 10 : 15); // a second after the first one, or after the leap
    }
}

static void doubled_and_overtaken_numbers_do_not_harm_it(void **state)
{
    (void)state;
    hy_seq_gate gate = stopped_at(5000);
    bool is_served = false;
    for (uint32_t k = 0; k <= 10; k++) {
        const int64_t now_us = 1000 * MS + k * 100 * MS;
        is_served = go(&gate, 2 + 2 * k, now_us);
        assert_int_equal(is_served, k == 10);
        assert_false(go(&gate, 2 + 2 * k, now_us));
        assert_false(go(&gate, 1 + 2 * k, now_us));
    }
}

static void nor_do_they_help_it(void **state)
{
    (void)state;
    hy_seq_gate gate = stopped_at(5000);
    for (int64_t t = 1000 * MS; t < 10000 * MS; t += 10 * MS) { // the same twenty again and again
        assert_false(go(&gate, 1 + (uint32_t)(t / (10 * MS) % 20), t));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_from_before_a_stop_do_not_drive_behind_it),
        cmocka_unit_test(nor_behind_commands_that_followed_the_stop),
        cmocka_unit_test(nor_does_one_of_two_numbers_with_control_0),
        cmocka_unit_test(a_count_that_was_left_behind_is_no_leap_of_the_new_one),
        cmocka_unit_test(the_end_of_a_round_is_not_newer_than_the_start_of_the_next),
        cmocka_unit_test(a_stop_whose_number_was_refused_counts_as_well),
        cmocka_unit_test(a_client_that_begins_disabled_is_served_within_a_second),
        cmocka_unit_test(a_client_that_begins_enabled_is_served_within_two),
        cmocka_unit_test(a_second_is_a_second_to_the_microsecond),
        cmocka_unit_test(a_gap_over_200_ms_starts_it_again),
        cmocka_unit_test(a_leap_starts_it_again),
        cmocka_unit_test(doubled_and_overtaken_numbers_do_not_harm_it),
        cmocka_unit_test(nor_do_they_help_it),
    };
    return cmocka_run_group_tests_name("wire restart", tests, NULL, NULL);
}
