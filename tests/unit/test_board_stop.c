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
    static const uint16_t counts[] = { 1, 1000, 40000, 65530 }, jumps[] = { 2, 40, 1000, 30000 };
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

static void test_a_late_stop_of_a_former_owner_is_none(void **state)
{
    (void)state;
    bench b = bench_start(&xrp);
    go(&b, 100);
    bench_wait(&b, 600 * BENCH_MS);
    stop(&b, 99);
    assert_int_equal(hy_board_counts(b.board)->rx_sequence, 1);
    assert_int_equal(hy_board_counts(b.board)->late_stops, 0);
    bench_end(&b);
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

// --------------------------------------------------------------------------- held-up commands

static void drive_and_stop(bench *b, uint16_t port, uint16_t stop_seq)
{
    bench_command(b, port, (uint16_t)(stop_seq - 1), 1, 1.0F);
    assert_driving(b);
    bench_command(b, port, stop_seq, 0, 0.0F);
    assert_stopped(b);
}

/// Commands 1..20 of `port`'s arrive at once. True if they move the robot.
static bool held_up_commands_drive(bench *b, uint16_t port)
{
    bool drives = false;
    for (uint16_t seq = 1; seq <= 20; seq++) {
        bench_command(b, port, seq, 1, 1.0F);
        drives = drives || bench_duty(b, 0) != 0.0;
    }
    return drives;
}

static void test_held_up_commands_do_not_drive_behind_a_stop(void **state)
{
    (void)state;
    for (size_t d = 0; d < DIALECTS; d++) {
        bench b = bench_start(dialects[d]);
        drive_and_stop(&b, CLIENT, 21);
        for (int k = 0; k < 50; k++) { // also again and again
            bench_wait(&b, 1000 * BENCH_MS);
            assert_false(held_up_commands_drive(&b, CLIENT));
        }
        bench_end(&b);
    }
}

static void test_nor_when_only_a_copy_65535_of_the_stop_arrived(void **state)
{
    (void)state;
    bench b = bench_start(&xrp);
    go(&b, 40);
    stop(&b, 65535);
    assert_stopped(&b);
    bench_wait(&b, 1000 * BENCH_MS);
    assert_false(held_up_commands_drive(&b, CLIENT));
    bench_end(&b);
}

static void test_eight_senders_are_remembered_through_others(void **state)
{
    (void)state;
    bench b = bench_start(&xrp);
    for (uint16_t port = CLIENT; port < CLIENT + 8; port++) {
        drive_and_stop(&b, port, 21);
        bench_wait(&b, 600 * BENCH_MS);
    }
    for (uint16_t port = CLIENT; port < CLIENT + 8; port++) {
        assert_false(held_up_commands_drive(&b, port));
    }
    drive_and_stop(&b, CLIENT + 8, 21); // takes the place of the first
    bench_wait(&b, 600 * BENCH_MS);
    for (uint16_t port = CLIENT + 1; port <= CLIENT + 8; port++) {
        assert_false(held_up_commands_drive(&b, port));
    }
    assert_true(held_up_commands_drive(&b, CLIENT)); // the bound that wire.md states
    bench_end(&b);
}

static void test_a_sender_is_remembered_for_a_minute(void **state)
{
    (void)state;
    for (int64_t more_us = -1; more_us <= 0; more_us++) {
        bench b = bench_start(&xrp);
        drive_and_stop(&b, CLIENT, 21);
        bench_wait(&b, 60000 * BENCH_MS + more_us);
        assert_int_equal(held_up_commands_drive(&b, CLIENT), more_us == 0);
        bench_end(&b);
    }
}

// The minute begins with its last command, not with its first.
static void test_a_sender_that_goes_on_is_remembered_from_its_last_command(void **state)
{
    (void)state;
    bench b = bench_start(&xrp);
    drive_and_stop(&b, CLIENT, 21);
    bench_wait(&b, 50000 * BENCH_MS);
    drive_and_stop(&b, CLIENT, 41);
    bench_wait(&b, 50000 * BENCH_MS);
    assert_false(held_up_commands_drive(&b, CLIENT));
    bench_end(&b);
}

// An XRP reads its floor when a status is due; a Teensy robot has no sensor for it.
static void test_who_sees_the_floor_late(void **state)
{
    (void)state;
    bench one = bench_start(&xrp), other = bench_start(&teensy);
    assert_true(hy_board_sees_floor_late(one.board));
    assert_false(hy_board_sees_floor_late(other.board));
    bench_end(&one);
    bench_end(&other);
}

/// Milliseconds from the first packet of a client that starts again at 50 Hz until the robot drives for it.
static int64_t ms_until_driving(uint16_t reached, unsigned disabled_packets)
{
    bench b = bench_start(&xrp);
    drive_and_stop(&b, CLIENT, reached);
    bench_wait(&b, 20 * BENCH_MS);
    const int64_t began_us = b.now_us;
    uint16_t seq = 0;
    while (bench_duty(&b, 0) == 0.0 && b.now_us < began_us + 10000 * BENCH_MS) {
        bench_command(&b, CLIENT, seq, seq >= disabled_packets, 1.0F);
        seq++;
        bench_wait(&b, 20 * BENCH_MS);
    }
    bench_end(&b);
    return (b.now_us - began_us) / BENCH_MS;
}

static void test_a_client_that_starts_again_is_served(void **state)
{
    (void)state;
    static const uint16_t reached[] = { 1,    10,    30,    60,    100,   300,
                                        1000, 30000, 32768, 40000, 65000, 65535 };
    for (size_t i = 0; i < sizeof reached / sizeof reached[0]; i++) {
        assert_true(ms_until_driving(reached[i], 0) < 2000); // begins enabled
        assert_true(ms_until_driving(reached[i], 40) <
                    1000); // begins disabled, as all of ours do and WPILib's
    }
}

// --------------------------------------------------------------------------- read late

/// A command that arrived at `at_us`, however late it is handed over.
static void arrived(bench *b, int64_t at_us, uint16_t seq, uint8_t control)
{
    const int64_t now_us = b->now_us;
    b->now_us = at_us;
    bench_command(b, CLIENT, seq, control, control == 1 ? 1.0F : 0.0F);
    b->now_us = now_us;
}

static void test_what_is_older_than_the_watchdog_moves_nothing(void **state)
{
    (void)state;
    static const hy_board_options *const kinds[] = { &xrp, &teensy, &stock };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        bench b = bench_start(kinds[k]);
        go(&b, 1);
        bench_wait(
            &b, 10000 * BENCH_MS); // stopped; then the board sees the time first, and what came meanwhile
        for (uint16_t i = 0; i < 475; i++) {
            arrived(&b, 20 * i * BENCH_MS, (uint16_t)(2 + i), 1);
            assert_stopped(&b);
        }
        arrived(&b, 9500 * BENCH_MS, 1000, 1);
        assert_stopped(&b);
        assert_int_equal(hy_board_counts(b.board)->commands, 1);
        assert_int_equal(hy_board_counts(b.board)->rx_old, 476);
        const hy_endpoint owner = hy_board_owner(b.board);
        assert_true(hy_endpoint_is_nobody(&owner));
        bench_end(&b);
    }
}

static void test_the_watchdog_runs_from_the_arrival(void **state)
{
    (void)state;
    bench b = bench_start(&xrp);
    bench_wait(&b, 10000 * BENCH_MS);
    arrived(&b, 9501 * BENCH_MS, 1, 1);
    assert_driving(&b);
    bench_wait(&b, BENCH_MS - 1);
    assert_driving(&b);
    bench_wait(&b, 1);
    assert_stopped(&b);
    arrived(&b, 9900 * BENCH_MS, 2, 1); // out of the order of time: the younger one counts
    arrived(&b, 9600 * BENCH_MS, 3, 1);
    bench_wait(&b, 398 * BENCH_MS);
    assert_driving(&b);
    bench_wait(&b, BENCH_MS);
    assert_stopped(&b);
    bench_end(&b);
}

static void test_old_commands_set_the_order(void **state)
{
    (void)state;
    bench b = bench_start(&xrp);
    go(&b, 100);
    bench_wait(&b, 10000 * BENCH_MS);
    arrived(&b, 9000 * BENCH_MS, 130, 0); // the stop
    arrived(&b, 9990 * BENCH_MS, 110, 1); // and what it overtook
    arrived(&b, 9995 * BENCH_MS, 111, 1);
    assert_stopped(&b);
    arrived(&b, 9999 * BENCH_MS, 131, 1);
    assert_driving(&b);
    bench_end(&b);
}

static void test_an_old_stop_of_the_owner_stops(void **state)
{
    (void)state;
    static const hy_board_options *const kinds[] = { &xrp, &teensy, &stock };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        bench b = bench_start(kinds[k]);
        bench_wait(&b, 10000 * BENCH_MS);
        arrived(&b, 9900 * BENCH_MS, 100, 1);
        arrived(&b, 9000 * BENCH_MS, 101, 1); // by a clock that was set; its number is newer
        assert_driving(&b);
        arrived(&b, 9000 * BENCH_MS, 102, 0);
        assert_stopped(&b);
        bench_end(&b);
    }
}

static void test_a_loss_shuts_off_and_hands_nobody_the_board(void **state)
{
    (void)state;
    static const hy_board_options *const kinds[] = { &xrp, &teensy, &stock };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        bench b = bench_start(kinds[k]);
        go(&b, 1);
        hy_board_note_loss(b.board);
        assert_stopped(&b);
        assert_int_equal(hy_board_counts(b.board)->losses, 1);
        if (kinds[k] != &stock) { // which obeys everybody
            bench_command(&b, STRANGER, 2, 1, 1.0F);
            assert_stopped(&b);
            assert_int_equal(hy_board_owner(b.board).port, CLIENT);
        }
        go(&b, 2); // until the next command of its owner
        assert_driving(&b);
        hy_board_note_loss(b.board);
        bench_wait(&b, 500 * BENCH_MS); // who may be gone
        bench_command(&b, STRANGER, 3, 1, 1.0F);
        assert_driving(&b);
        bench_end(&b);
    }
}

// Whoever drives: it stands until its program begins anew.
static void test_a_person_stops_it(void **state)
{
    (void)state;
    static const hy_board_options *const kinds[] = { &xrp, &teensy, &stock };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        bench b = bench_start(kinds[k]);
        go(&b, 10);
        const uint64_t before = hy_board_hash(b.board);
        hy_board_stop(b.board);
        assert_true(hy_board_hash(b.board) != before);
        assert_stopped(&b);
        for (uint16_t seq = 11; seq < 60; seq++) { // its program does not know
            go(&b, seq);
            assert_stopped(&b);
            bench_wait(&b, 20 * BENCH_MS);
        }
        assert_true(hy_board_is_stopped(b.board));
        stop(&b, 9); // late: it was sent before the stop
        go(&b, 60);
        assert_stopped(&b);
        bench_wait(&b, 1000 * BENCH_MS); // its program ends without a word, and another one comes
        bench_command(&b, STRANGER, 1, 1, 1.0F);
        assert_stopped(&b);
        bench_command(&b, STRANGER, 2, 0, 0.0F);
        assert_false(hy_board_is_stopped(b.board));
        bench_command(&b, STRANGER, 3, 1, 1.0F);
        assert_driving(&b);
        bench_end(&b);
    }
}

// --------------------------------------------------------------------------- the stock firmware

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
        cmocka_unit_test(test_a_late_stop_of_a_former_owner_is_none),
        cmocka_unit_test(test_a_late_stop_does_nothing_more),
        cmocka_unit_test(test_a_stop_in_order_is_a_command),
        cmocka_unit_test(test_a_strangers_stop_stops_nobody),
        cmocka_unit_test(test_each_copy_of_a_stop_in_a_round_disables),
        cmocka_unit_test(test_held_up_commands_do_not_drive_behind_a_stop),
        cmocka_unit_test(test_nor_when_only_a_copy_65535_of_the_stop_arrived),
        cmocka_unit_test(test_eight_senders_are_remembered_through_others),
        cmocka_unit_test(test_a_sender_is_remembered_for_a_minute),
        cmocka_unit_test(test_a_sender_that_goes_on_is_remembered_from_its_last_command),
        cmocka_unit_test(test_who_sees_the_floor_late),
        cmocka_unit_test(test_a_client_that_starts_again_is_served),
        cmocka_unit_test(test_what_is_older_than_the_watchdog_moves_nothing),
        cmocka_unit_test(test_the_watchdog_runs_from_the_arrival),
        cmocka_unit_test(test_old_commands_set_the_order),
        cmocka_unit_test(test_an_old_stop_of_the_owner_stops),
        cmocka_unit_test(test_a_loss_shuts_off_and_hands_nobody_the_board),
        cmocka_unit_test(test_a_person_stops_it),
        cmocka_unit_test(test_stock_keeps_the_firmwares_rule),
    };
    return cmocka_run_group_tests_name("board stop", tests, NULL, NULL);
}
