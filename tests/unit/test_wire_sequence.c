// Sequence numbers: what a receiver takes, how a peer that started again is recognised, and that
// our numbering loses nothing at any receiver out there.
#include <stdio.h>

#include "cmocka_all.h"
#include "wire_receivers.h"

#define MS INT64_C(1000)

static void newer_is_1_to_32767_ahead(void **state)
{
    (void)state;
    for (uint32_t b = 0; b < 65536; b += 4369) {
        for (uint32_t ahead = 0; ahead < 65536; ahead++) {
            const bool newer = ahead >= 1 && ahead <= 32767;
            assert_int_equal(hy_seq_is_newer((uint16_t)(b + ahead), (uint16_t)b), newer);
        }
    }
}

// --------------------------------------------------------------------------- the gate

static void any_first_number_is_accepted(void **state)
{
    (void)state;
    for (uint32_t seq = 0; seq < 65536; seq++) {
        hy_seq_gate gate = { 0 };
        assert_true(hy_seq_gate_accept(&gate, (uint16_t)seq, 0));
    }
}

// clang-format off
static void duplicates_and_late_numbers_are_refused_and_counted(void **state)
{
    (void)state;
    static const struct { uint16_t seq; bool accepted; } steps[] = {
        { 100, true }, { 100, false }, { 99, false }, { 102, true }, { 101, false }, { 103, true },
        { 65534 - 32768 + 103, true }, { 65534, true }, { 65535, true }, { 0, true }, { 65535, false }, { 65534, false }, { 1, true },
    };
    hy_seq_gate gate = { 0 };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        assert_int_equal(hy_seq_gate_accept(&gate, steps[i].seq, (int64_t)i * 20 * MS), steps[i].accepted);
    }
    assert_int_equal(gate.accepted, 8);
    assert_int_equal(gate.duplicates, 2); // 100, and 65535 behind the 0
    assert_int_equal(gate.late, 3);
    assert_int_equal(gate.restarts, 0);
    assert_int_equal(gate.lost, 1 + (65534 - 32768 - 1) + (32768 - 103 - 1));
}
// clang-format on

static void wpilibs_numbering_passes_the_wrap_unharmed(void **state)
{
    (void)state;
    hy_seq_gate gate = { 0 };
    for (uint32_t i = 0; i < 200000; i++) {
        assert_true(hy_seq_gate_accept(&gate, (uint16_t)i, (int64_t)i * 20 * MS));
    }
    assert_int_equal(gate.lost + gate.late + gate.duplicates + gate.restarts, 0);
}

/// Microseconds from the first packet of a new count, which starts at `start`, until one of it is
/// accepted; the old count ended at `last`, `pause_us` before.
static int64_t time_to_serve(uint16_t last, uint16_t start, int64_t period_us, int64_t pause_us)
{
    hy_seq_gate gate = { 0 };
    hy_seq_gate_accept(&gate, last, 0);
    for (int64_t t = 0; t < 100 * 1000 * MS; t += period_us) {
        if (hy_seq_gate_accept(&gate, start++, pause_us + t)) {
            // Whoever is served once is served from then on.
            for (int more = 1; more < 100; more++) {
                assert_true(hy_seq_gate_accept(&gate, start++, pause_us + t + more * period_us));
            }
            return t;
        }
    }
    fail_msg("never served: last %u, period %d us, pause %d us", last, (int)period_us, (int)pause_us);
    return 0;
}

static void a_restarted_peer_is_served_within_a_second(void **state)
{
    (void)state;
    static const int64_t periods_us[] = { 50 * MS, 20 * MS, 10 * MS };
    static const int64_t pauses_us[] = { 1 * MS, 100 * MS, 300 * MS, 499 * MS, 600 * MS, 5000 * MS };
    int64_t worst_us = 0;
    for (uint32_t last = 0; last < 65536; last += last < 1000 ? 1 : 97) {
        for (size_t p = 0; p < 3; p++) {
            for (size_t q = 0; q < 6; q++) {
                for (uint16_t start = 0; start <= 1; start++) {
                    const int64_t us =
                        time_to_serve((uint16_t)last, start, periods_us[p], pauses_us[q]);
                    worst_us = us > worst_us ? us : worst_us;
                }
            }
        }
    }
    printf("a restarted peer is served after at most %d ms\n", (int)(worst_us / MS));
    assert_true(worst_us < 1000 * MS);
}

static void a_restart_needs_silence(void **state)
{
    (void)state;
    hy_seq_gate gate = { 0 };
    uint16_t old = 5000;
    for (int64_t t = 0; t < 2000 * MS; t += 20 * MS) { // both count; the one that is served stays
        assert_true(hy_seq_gate_accept(&gate, old++, t));
        assert_false(hy_seq_gate_accept(&gate, (uint16_t)(t / (20 * MS)), t + 10 * MS));
    }
    for (int i = 0; i < 20; i++) { // nor is a new count taken alone, before the old one was silent
        assert_false(hy_seq_gate_accept(&gate, (uint16_t)(10 + i), (1980 + 20 * i) * MS));
    }
    assert_int_equal(gate.restarts, 0);
}

static void silence_is_half_a_second_to_the_microsecond(void **state)
{
    (void)state;
    hy_seq_gate gate = { 0 };
    hy_seq_gate_accept(&gate, 5000, 0);
    assert_false(hy_seq_gate_accept(&gate, 10, HY_SEQ_SILENCE_US - 1)); // no candidate
    assert_false(hy_seq_gate_accept(&gate, 11, HY_SEQ_SILENCE_US));     // so this one is
    assert_true(hy_seq_gate_accept(&gate, 12, HY_SEQ_SILENCE_US + 1));
}

static void old_packets_do_not_pass_for_a_restart(void **state)
{
    (void)state;
    // Whole trains of up to 256 old packets, long after the last one was accepted: a stop stays a stop.
    for (uint32_t last = 400; last < 65536; last += 311) {
        for (uint32_t oldest = 256; oldest > 0; oldest /= 2) {
            hy_seq_gate gate = { 0 };
            hy_seq_gate_accept(&gate, (uint16_t)last, 0);
            for (uint32_t behind = oldest; behind > 0; behind--) {
                assert_false(hy_seq_gate_accept(&gate, (uint16_t)(last - behind), 700 * MS));
            }
        }
    }
}

static void a_duplicate_is_no_candidate_for_a_restart(void **state)
{
    (void)state;
    hy_seq_gate gate = { 0 };
    hy_seq_gate_accept(&gate, 1000, 0);
    for (int i = 0; i < 5; i++) {
        assert_false(hy_seq_gate_accept(&gate, 1000, (700 + i) * MS));
    }
    assert_false(hy_seq_gate_accept(&gate, 10, 800 * MS)); // the candidate
    assert_false(hy_seq_gate_accept(&gate, 10, 820 * MS)); // its duplicate confirms nothing
    assert_true(hy_seq_gate_accept(&gate, 11, 840 * MS));
    assert_int_equal(gate.restarts, 1);
}

static void a_candidate_is_confirmed_by_a_near_number_soon(void **state)
{
    (void)state;
    hy_seq_gate gate = { 0 };
    hy_seq_gate_accept(&gate, 20000, 0);
    assert_false(hy_seq_gate_accept(&gate, 10, 1000 * MS));
    assert_false(hy_seq_gate_accept(&gate, 43, 1020 * MS)); // 33 ahead: too far, the new candidate
    assert_false(hy_seq_gate_accept(&gate, 42, 1040 * MS)); // behind it: the new candidate
    assert_false(hy_seq_gate_accept(&gate, 43, 1540 * MS)); // half a second later: too late
    assert_true(hy_seq_gate_accept(&gate, 75, 1560 * MS));  // 32 ahead, 19 ms later
}

// The 65535 that our numbering puts on every command never looks like a restart.
static void the_ever_returning_65535_is_no_candidate(void **state)
{
    (void)state;
    for (uint32_t last = 0; last <= 32767; last += 13) {
        hy_seq_gate gate = { 0 };
        hy_seq_gate_accept(&gate, (uint16_t)last, 0);
        for (int i = 0; i < 50; i++) {
            assert_false(hy_seq_gate_accept(&gate, 65535, (1000 + 20 * i) * MS));
        }
        assert_true(hy_seq_gate_accept(&gate, (uint16_t)(last + 5), 2000 * MS));
        assert_int_equal(gate.restarts, 0);
        assert_int_equal(gate.duplicates, 50);
        assert_int_equal(gate.lost, last + 5 == 65535 ? 0 : 4);
    }
}

static void a_restarted_client_of_ours_is_served_behind_the_wrap(void **state)
{
    (void)state;
    for (uint32_t last = 0; last <= 32768; last += 101) {
        hy_seq_gate gate = { 0 };
        hy_seq_gate_accept(&gate, (uint16_t)last, 0);
        hy_seq_sender sender = { .next = 12000, .wrapped = true }; // elsewhere in its round
        int served_after = -1;
        for (int i = 0; i < 50 && served_after < 0; i++) {
            uint16_t seq[2];
            const unsigned count = hy_seq_sender_next(&sender, seq);
            for (unsigned k = 0; k < count; k++) {
                served_after =
                    hy_seq_gate_accept(&gate, seq[k], 20 * (i + 1) * MS) ? i : served_after;
            }
        }
        // In the 256 numbers before it, it passes for a delayed packet, until it has caught up.
        const bool is_just_behind = last - 12000 <= 256 + 50;
        assert_true(is_just_behind || (served_after >= 0 && served_after < 50));
    }
}

// --------------------------------------------------------------------------- our numbering

static void numbers_are_1_to_65535_and_then_pairs(void **state)
{
    (void)state;
    hy_seq_sender sender = { 0 };
    uint16_t seq[2];
    for (uint32_t n = 1; n <= 65535; n++) {
        assert_int_equal(hy_seq_sender_next(&sender, seq), 1);
        assert_int_equal(seq[0], n);
    }
    for (int round = 0; round < 3; round++) {
        for (uint32_t n = 0; n <= 32768; n++) {
            assert_int_equal(hy_seq_sender_next(&sender, seq), 2);
            assert_int_equal(seq[0], 65535);
            assert_int_equal(seq[1], n);
        }
        assert_int_equal(hy_seq_sender_next(&sender, seq), 1);
        assert_int_equal(seq[0], 65535);
    }
}

typedef struct {
    stock_rule stock;
    modular_rule modular;
    hy_seq_gate gate;
    // Commands that were not applied, and that were applied twice, by each of them.
    unsigned lost[3], twice[3];
} receivers;

#define COMMANDS 400000

static void count_applied(receivers *self, const unsigned applied[3])
{
    for (int r = 0; r < 3; r++) {
        self->lost[r] += applied[r] == 0;
        self->twice[r] += applied[r] > 1;
    }
}

static void nothing_is_lost_or_applied_twice(void **state)
{
    (void)state;
    static receivers all;
    hy_seq_sender sender = { 0 };
    for (int64_t i = 0; i < COMMANDS; i++) {
        uint16_t seq[2];
        unsigned applied[3] = { 0 };
        const unsigned count = hy_seq_sender_next(&sender, seq);
        for (unsigned k = 0; k < count; k++) {
            applied[0] += stock_rule_accept(&all.stock, seq[k], i * 20 * MS);
            applied[1] += modular_rule_accept(&all.modular, seq[k]);
            applied[2] += hy_seq_gate_accept(&all.gate, seq[k], i * 20 * MS);
        }
        count_applied(&all, applied);
    }
    for (int r = 0; r < 3; r++) {
        assert_int_equal(all.lost[r], 0);
        assert_int_equal(all.twice[r], 0);
    }
    assert_int_equal(all.gate.lost, 0);
    assert_int_equal(all.gate.late, 0); // a second copy is a duplicate, not late
    assert_int_equal(all.gate.restarts, 0);
    assert_int_equal(all.gate.duplicates, COMMANDS - 65535 - 10); // all but the ten that went out alone
}

// What a lossy network adds is its own losses: a command whose copy for the receiver is lost. Plain
// modular order is left behind for half a round when 32768 is lost; hy_seq_gate is not.
static void a_lossy_network_adds_only_its_own_losses(void **state)
{
    (void)state;
    static receivers all;
    hy_random random = hy_random_seeded(20);
    hy_seq_sender sender = { 0 };
    for (int64_t i = 0; i < COMMANDS; i++) {
        uint16_t seq[2];
        unsigned applied[3] = { 0 };
        const unsigned count = hy_seq_sender_next(&sender, seq);
        for (unsigned k = 0; k < count; k++) {
            if (hy_random_below(&random, 5) == 0) {
                continue;
            }
            applied[0] += stock_rule_accept(&all.stock, seq[k], i * 20 * MS);
            applied[1] += modular_rule_accept(&all.modular, seq[k]);
            applied[2] += hy_seq_gate_accept(&all.gate, seq[k], i * 20 * MS);
        }
        count_applied(&all, applied);
    }
    static const char *const names[] = { "stock rule", "plain modular order", "hy_seq_gate" };
    for (int r = 0; r < 3; r++) {
        printf(
            "of %d commands, 20 %% of datagrams lost: %s misses %u (%.1f %%), applies %u twice\n",
            COMMANDS, names[r], all.lost[r], 100.0 * all.lost[r] / COMMANDS, all.twice[r]);
    }
    assert_true(all.lost[0] < COMMANDS * 21 / 100 && all.lost[2] < COMMANDS * 21 / 100);
    assert_true(all.twice[0] == 0 && all.twice[2] <= 10 * 2); // at most where a round begins
    assert_int_equal(all.gate.restarts, 0);
}

// However much of a round's end or of the next one's start is lost, the gate goes on with it.
static void a_lost_end_of_a_round_leaves_nobody_behind(void **state)
{
    (void)state;
    for (uint16_t lost_before = 0; lost_before < 256; lost_before += 5) {
        for (uint16_t lost_after = 0; lost_after < 256; lost_after += 5) {
            hy_seq_gate gate = { 0 };
            hy_seq_gate_accept(&gate, (uint16_t)(32768 - lost_before), 0);
            assert_true(hy_seq_gate_accept(&gate, lost_after, 20 * MS));
            assert_true(hy_seq_gate_accept(&gate, (uint16_t)(lost_after + 1), 40 * MS));
            assert_int_equal(gate.restarts, 0);
        }
    }
    hy_seq_gate gate = { 0 };
    hy_seq_gate_accept(&gate, 32768 - 256, 0); // more is no end of a round
    assert_false(hy_seq_gate_accept(&gate, 0, 20 * MS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newer_is_1_to_32767_ahead),
        cmocka_unit_test(any_first_number_is_accepted),
        cmocka_unit_test(duplicates_and_late_numbers_are_refused_and_counted),
        cmocka_unit_test(wpilibs_numbering_passes_the_wrap_unharmed),
        cmocka_unit_test(a_restarted_peer_is_served_within_a_second),
        cmocka_unit_test(a_restart_needs_silence),
        cmocka_unit_test(silence_is_half_a_second_to_the_microsecond),
        cmocka_unit_test(old_packets_do_not_pass_for_a_restart),
        cmocka_unit_test(a_duplicate_is_no_candidate_for_a_restart),
        cmocka_unit_test(a_candidate_is_confirmed_by_a_near_number_soon),
        cmocka_unit_test(the_ever_returning_65535_is_no_candidate),
        cmocka_unit_test(a_restarted_client_of_ours_is_served_behind_the_wrap),
        cmocka_unit_test(numbers_are_1_to_65535_and_then_pairs),
        cmocka_unit_test(nothing_is_lost_or_applied_twice),
        cmocka_unit_test(a_lossy_network_adds_only_its_own_losses),
        cmocka_unit_test(a_lost_end_of_a_round_leaves_nobody_behind),
    };
    return cmocka_run_group_tests_name("wire sequence", tests, NULL, NULL);
}
