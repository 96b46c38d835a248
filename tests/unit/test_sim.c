// A simulation as one object: what an input does, what comes out, and what is refused.
#include <halyard/sim.h>

#include <stdlib.h>

#include "cmocka_all.h"
#include "match_with_extra_vehicles.h"
#include "sim_script.h"
#include "world_bench.h"
#include "world_read.h"

#define STEP_US 10000

typedef struct {
    hy_world_model *model;
    hy_sim *sim;
    hy_commander commander;
    int64_t now_us;
} bench;

static hy_world_model *model_of(const char *yaml)
{
    hy_world_model *model;
    hy_world_error error = { "" };
    const hy_worldfile_text text = { { (const uint8_t *)yaml, strlen(yaml) }, "test", "" };
    if (world_read(&text, &model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    return model;
}

static hy_match_model *match_2020(void)
{
    hy_match_model *model;
    hy_world_error error = { "" };
    char path[512];
    snprintf(path, sizeof path, "%s/../worlds/field2020.yaml", HALYARD_TEST_DATA);
    assert_int_equal(hy_worldfile_load_match(path, &model, &error), HY_OK);
    return model;
}

static bench bench_start(const char *yaml)
{
    static const hy_sim_board board = { .options.kind = &hy_board_xrp };
    bench b = { .model = model_of(yaml) };
    hy_world_error error = { "" };
    const hy_sim_setup setup = { .world = b.model, .boards = &board, .board_count = 1, .seed = 1 };
    if (hy_sim_open(&setup, &b.sim, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_commander_init(&b.commander, &hy_dialect_xrp);
    return b;
}

static void bench_end(bench *b)
{
    hy_sim_close(b->sim);
    hy_world_free(b->model);
}

static hy_endpoint peer(uint16_t port)
{
    return (hy_endpoint){ .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 }, .port = port };
}

static size_t take_all(hy_sim *sim)
{
    size_t count = 0;
    for (hy_sim_datagram out; hy_sim_next_datagram(sim, &out);) {
        count++;
    }
    return count;
}

// Steps of the world, each with a command.
static size_t drive(bench *b, float left, float right, int steps)
{
    size_t statuses = 0;
    hy_commander_enable(&b->commander);
    b->commander.command.motors = 3;
    b->commander.command.motor[0] = left;
    b->commander.command.motor[1] = right;
    for (int i = 0; i < steps; i++) {
        b->now_us += STEP_US;
        hy_wire_datagram out[2];
        (void)hy_commander_write(&b->commander, b->now_us, out);
        const hy_sim_datagram command = { .peer = peer(5800),
                                          .at_us = b->now_us - 1,
                                          .bytes = { out[0].data, out[0].size } };
        hy_sim_step(b->sim, &(hy_sim_input){ .now_us = b->now_us,
                                             .world_steps = 1,
                                             .datagrams = &command,
                                             .datagram_count = 1 });
        statuses += take_all(b->sim);
    }
    return statuses;
}

static const hy_board *board_of(const bench *b)
{
    return hy_sim_board_at(b->sim, 0);
}

// --------------------------------------------------------------------------- steps

static void test_commands_move_the_robot_and_statuses_come(void **state)
{
    (void)state;
    bench b = bench_start(OPEN_XRP);
    const hy_truth before = hy_sim_truth(b.sim, 0);
    assert_int_equal(drive(&b, 1, -1, 100), 20); // every 50 ms in a second
    const hy_truth after = hy_sim_truth(b.sim, 0);
    assert_true(after.x_m > before.x_m + 0.3);
    assert_true(hy_board_is_enabled(board_of(&b)));
    assert_int_equal(hy_sim_steps(b.sim), 100);
    assert_int_equal(hy_sim_step_us(b.sim), STEP_US);
    assert_int_equal(hy_sim_now_us(b.sim), 100 * STEP_US);
    bench_end(&b);
}

static void test_probes_are_answered_between_steps(void **state)
{
    (void)state;
    bench b = bench_start(OPEN_XRP);
    (void)drive(&b, 1, -1, 3);
    const uint64_t world = hy_world_hash(hy_sim_world(b.sim));
    const hy_sim_datagram probe = { .peer = peer(7000),
                                    .at_us = b.now_us + 100,
                                    .bytes = { (const uint8_t *)"?", 1 } };
    hy_sim_step(b.sim, &(hy_sim_input){
                           .now_us = b.now_us + 123, .datagrams = &probe, .datagram_count = 1 });
    hy_sim_datagram answer;
    assert_true(hy_sim_next_datagram(b.sim, &answer));
    assert_int_equal(answer.peer.port, 7000);
    assert_int_equal(answer.at_us, b.now_us + 123);
    assert_int_equal(answer.bytes.size, 128); // a status
    assert_false(hy_sim_next_datagram(b.sim, &answer));
    assert_int_equal(hy_sim_steps(b.sim), 3);
    assert_int_equal(hy_world_hash(hy_sim_world(b.sim)), world);
    bench_end(&b);
}

static void test_a_stall_is_one_input_with_a_jump(void **state)
{
    (void)state;
    bench b = bench_start(OPEN_XRP);
    (void)drive(&b, 1, -1, 10);
    hy_sim_step(b.sim, &(hy_sim_input){ .now_us = b.now_us + 3 * 1000000, .world_steps = 1 });
    assert_int_equal(hy_sim_steps(b.sim), 11); // simulated time did not jump
    assert_false(hy_board_is_enabled(board_of(&b)));
    assert_int_equal(hy_board_counts(board_of(&b))->watchdog_trips, 1);
    assert_int_equal(take_all(b.sim), 1); // no burst of old statuses
    bench_end(&b);
}

static void test_silence_counts_between_steps_too(void **state)
{
    (void)state;
    bench b = bench_start(OPEN_XRP);
    (void)drive(&b, 1, -1, 10);
    hy_sim_step(b.sim, &(hy_sim_input){ .now_us = b.now_us + HY_BOARD_WATCHDOG_US - 2 });
    assert_true(hy_board_is_enabled(board_of(&b))); // the command came 1 us before the step's end
    hy_sim_step(b.sim, &(hy_sim_input){ .now_us = b.now_us + HY_BOARD_WATCHDOG_US - 1 });
    assert_false(hy_board_is_enabled(board_of(&b)));
    bench_end(&b);
}

static void test_time_never_falls(void **state)
{
    (void)state;
    bench b = bench_start(OPEN_XRP);
    (void)drive(&b, 1, -1, 10);
    hy_sim_step(b.sim, &(hy_sim_input){ .now_us = 5, .world_steps = 1 });
    assert_int_equal(hy_sim_now_us(b.sim), b.now_us);
    const hy_sim_datagram probes[] = {
        { .peer = peer(7000), .at_us = -5, .bytes = { (const uint8_t *)"?", 1 } },
        { .peer = peer(7001), .at_us = INT64_MAX, .bytes = { (const uint8_t *)"?", 1 } },
    };
    hy_sim_step(b.sim,
                &(hy_sim_input){ .now_us = b.now_us + 7, .datagrams = probes, .datagram_count = 2 });
    assert_int_equal(hy_sim_now_us(b.sim), b.now_us + 7);
    assert_true(hy_board_is_enabled(board_of(&b))); // no watchdog ran out at the end of time
    assert_int_equal(take_all(b.sim), 2);
    bench_end(&b);
}

// --------------------------------------------------------------------------- the other lists

static void test_buttons_stay_as_they_are(void **state)
{
    (void)state;
    bench b = bench_start(OPEN_XRP);
    const hy_sim_button down = { 0, true }, up = { 0, false };
    hy_sim_step(
        b.sim,
        &(hy_sim_input){ .now_us = STEP_US, .world_steps = 1, .buttons = &down, .button_count = 1 });
    assert_true(hy_sim_truth(b.sim, 0).button);
    hy_sim_step(b.sim, &(hy_sim_input){ .now_us = 2 * STEP_US, .world_steps = 1 });
    assert_true(hy_sim_truth(b.sim, 0).button);
    hy_sim_step(b.sim,
                &(hy_sim_input){
                    .now_us = 3 * STEP_US, .world_steps = 1, .buttons = &up, .button_count = 1 });
    assert_false(hy_sim_truth(b.sim, 0).button);
    bench_end(&b);
}

static void test_resets_carry_robots_back(void **state)
{
    (void)state;
    bench b = bench_start(OPEN_XRP);
    const hy_truth start = hy_sim_truth(b.sim, 0);
    const hy_sim_reset resets[] = { { HY_SIM_RESET_ALL }, { 0 } };
    for (size_t i = 0; i < 2; i++) {
        (void)drive(&b, 1, -1, 100);
        assert_true(hy_sim_truth(b.sim, 0).x_m > start.x_m + 0.3);
        hy_sim_step(b.sim,
                    &(hy_sim_input){ .now_us = b.now_us, .resets = &resets[i], .reset_count = 1 });
        assert_near(hy_sim_truth(b.sim, 0).x_m, start.x_m, 0);
        assert_true(hy_board_is_enabled(board_of(&b))); // a reset carries robots, it does not reboot them
    }
    bench_end(&b);
}

static double gyro_rate_dps(const bench *b)
{
    hy_sensors sensors;
    hy_world_read_sensors(hy_sim_model(b->sim), hy_sim_world(b->sim), 0, &sensors);
    return sensors.gyro_rate_rad_s[2] / HY_RAD_PER_DEG;
}

static double resting_rate_dps(bench *b)
{
    double sum_dps = 0;
    for (int i = 0; i < 100; i++) {
        b->now_us += STEP_US;
        hy_sim_step(b->sim, &(hy_sim_input){ .now_us = b->now_us, .world_steps = 1 });
        sum_dps += gyro_rate_dps(b);
    }
    return sum_dps / 100;
}

// SPEC robot, The gyro's calibration.
static void test_a_push_spoils_the_gyro_until_it_is_calibrated_again(void **state)
{
    (void)state;
    bench b = bench_start(OPEN_XRP);
    const double good_dps = resting_rate_dps(&b);
    assert_near(good_dps, 0, 0.1);
    const hy_sim_push pushes[] = { { 0 }, { 7 } }; // of the last there is none
    const hy_sim_power_cycle cycle = { 0 };
    const hy_sim_reset resets[] = { { 0 }, { HY_SIM_RESET_ALL } };
    bool left = false, right = false;
    for (int i = 0; i < 30; i++) {
        const hy_truth before = hy_sim_truth(b.sim, 0);
        hy_sim_step(b.sim, &(hy_sim_input){ .now_us = b.now_us, .pushes = pushes, .push_count = 2 });
        const double bad_dps = resting_rate_dps(&b) - good_dps;
        assert_in_range(fabs(bad_dps) * 100, 95, 505);
        left = left || bad_dps > 0;
        right = right || bad_dps < 0;
        assert_near(hy_sim_truth(b.sim, 0).heading_rad, before.heading_rad, 0);
        hy_sim_input cure = { .now_us = b.now_us };
        if (i % 3 == 0) {
            cure.power_cycles = &cycle;
            cure.power_cycle_count = 1;
        } else {
            cure.resets = &resets[i % 3 - 1];
            cure.reset_count = 1;
        }
        hy_sim_step(b.sim, &cure);
        assert_near(resting_rate_dps(&b), good_dps, 0.1);
    }
    assert_true(left && right);
    bench_end(&b);
}

static void test_a_second_push_replaces_the_first(void **state)
{
    (void)state;
    bench b = bench_start(OPEN_XRP);
    const hy_sim_push push = { 0 };
    for (int i = 0; i < 20; i++) {
        hy_sim_step(b.sim, &(hy_sim_input){ .now_us = b.now_us, .pushes = &push, .push_count = 1 });
        assert_in_range(fabs(resting_rate_dps(&b)) * 100, 90, 510);
    }
    hy_sim_restart(b.sim, 1);
    b.now_us = 0;
    assert_near(resting_rate_dps(&b), 0, 0.1);
    bench_end(&b);
}

static void test_old_datagrams_move_nothing_and_lost_ones_are_silence(void **state)
{
    (void)state;
    bench b = bench_start(OPEN_XRP);
    (void)drive(&b, 1, -1, 1);
    b.now_us += 10000000; // the host stalled
    hy_sim_step(b.sim, &(hy_sim_input){ .now_us = b.now_us });
    static const uint8_t next[] = { 0, 2, 1, 0x06, 0x12, 0, 0x3f, 0x80, 0, 0 };
    hy_sim_datagram command = { .peer = peer(5800),
                                .at_us = b.now_us - HY_BOARD_WATCHDOG_US,
                                .bytes = { next, sizeof next } };
    const hy_sim_input input = { .now_us = b.now_us, .datagrams = &command, .datagram_count = 1 };
    hy_sim_step(b.sim, &input);
    assert_false(hy_board_is_enabled(board_of(&b)));
    assert_int_equal(hy_board_counts(board_of(&b))->rx_old, 1);

    static const uint8_t after[] = { 0, 3, 1, 0x06, 0x12, 0, 0x3f, 0x80, 0, 0 };
    command.at_us++;
    command.bytes.data = after;
    hy_sim_step(b.sim, &input);
    assert_true(hy_board_is_enabled(board_of(&b)));

    command = (hy_sim_datagram){ .at_us = b.now_us }; // from nobody
    hy_sim_step(b.sim, &input);
    assert_false(hy_board_is_enabled(board_of(&b)));
    assert_int_equal(hy_board_counts(board_of(&b))->losses, 1);
    bench_end(&b);
}

static void test_a_datagram_of_nobody_with_bytes_is_a_persons_stop(void **state)
{
    (void)state;
    bench b = bench_start(OPEN_XRP);
    (void)drive(&b, 1, -1, 1);
    static const uint8_t any = 0;
    hy_sim_datagram one = { .at_us = b.now_us, .bytes = { &any, sizeof any } };
    const hy_sim_input input = { .now_us = b.now_us, .datagrams = &one, .datagram_count = 1 };
    hy_sim_step(b.sim, &input);
    assert_true(hy_board_is_stopped(board_of(&b)));
    assert_int_equal(hy_board_counts(board_of(&b))->losses, 0);
    static const uint8_t next[] = { 0, 2, 1, 0x06, 0x12, 0, 0x3f, 0x80, 0, 0 };
    one = (hy_sim_datagram){ .peer = peer(5800), .at_us = b.now_us, .bytes = { next, sizeof next } };
    hy_sim_step(b.sim, &input);
    assert_false(hy_board_is_enabled(board_of(&b)));
    bench_end(&b);
}

// The same commands and strangers, one simulation with all datagrams and one whose strangers are only counted: their hashes agree.
static void test_strangers_are_counted_without_a_step(void **state)
{
    (void)state;
    bench all = bench_start(OPEN_XRP), some = bench_start(OPEN_XRP);
    hy_sim_refusal refusal = { .board = 0 };
    unsigned given = 0;
    for (uint8_t i = 1; i < 200; i++) {
        const uint8_t command[] = { 0, i, 1, 0x06, 0x12, 0, 0x3f, 0x80, 0, 0 };
        static const uint8_t rubbish[1000] = { 7, 7 };
        const hy_sim_datagram came[] = {
            { 0, peer(5800), all.now_us, { command, sizeof command } },
            { 0, peer(5801), all.now_us, { rubbish, sizeof rubbish } },
            { 0, peer(5800), all.now_us, { command, sizeof command } }, // once more
        };
        for (size_t k = 0; k < 3; k++) {
            hy_sim_step(all.sim, &(hy_sim_input){ .now_us = all.now_us,
                                                  .datagrams = &came[k],
                                                  .datagram_count = 1 });
            given += hy_sim_give(some.sim, all.now_us, &came[k], &refusal);
        }
        all.now_us += STEP_US;
        hy_sim_step(all.sim, &(hy_sim_input){ .now_us = all.now_us, .world_steps = 1 });
        hy_sim_step(some.sim, &(hy_sim_input){ .now_us = all.now_us,
                                               .world_steps = 1,
                                               .refusals = &refusal,
                                               .refusal_count = 1 });
        refusal = (hy_sim_refusal){ .board = 0 };
        assert_true(hy_sim_state_hash(all.sim) == hy_sim_state_hash(some.sim));
    }
    assert_int_equal(given, 2 * 199);
    assert_int_equal(hy_board_counts(board_of(&some))->rx_strangers, 199);
    assert_int_equal(hy_board_counts(board_of(&some))->rx_sequence, 199);
    bench_end(&all);
    bench_end(&some);
}

static void test_boards_are_switched_off_and_on(void **state)
{
    (void)state;
    bench b = bench_start(OPEN_XRP);
    (void)drive(&b, 1, -1, 10);
    const hy_sim_power_cycle cycle = { 0 };
    hy_sim_step(b.sim, &(hy_sim_input){
                           .now_us = b.now_us, .power_cycles = &cycle, .power_cycle_count = 1 });
    assert_false(hy_board_is_enabled(board_of(&b)));
    assert_int_equal(hy_board_counts(board_of(&b))->commands, 0);

    const hy_sim_board_change change = { .board = 0, .encoder_format = HY_ENCODER_SHORT };
    hy_sim_step(b.sim, &(hy_sim_input){
                           .now_us = b.now_us, .board_changes = &change, .board_change_count = 1 });
    hy_sim_step(b.sim, &(hy_sim_input){
                           .now_us = b.now_us, .power_cycles = &cycle, .power_cycle_count = 1 });
    const hy_sim_datagram probe = { .peer = peer(7000), .bytes = { (const uint8_t *)"?", 1 } };
    hy_sim_step(b.sim,
                &(hy_sim_input){ .now_us = b.now_us, .datagrams = &probe, .datagram_count = 1 });
    hy_sim_datagram answer;
    assert_true(hy_sim_next_datagram(b.sim, &answer));
    assert_int_equal(answer.bytes.size, 96); // with counts only, also after it was switched off and on

    hy_sim_restart(b.sim, 1); // with the options of the setup
    hy_sim_step(b.sim, &(hy_sim_input){ .now_us = 5, .datagrams = &probe, .datagram_count = 1 });
    assert_true(hy_sim_next_datagram(b.sim, &answer));
    assert_int_equal(answer.bytes.size, 128);
    bench_end(&b);
}

static void test_pieces_are_placed_and_lidars_made_noisy(void **state)
{
    (void)state;
    hy_world_error error = { "" };
    hy_match_model *model = match_2020();
    hy_sim *a, *b;
    const hy_sim_setup setup = { .match = model, .seed = 1 };
    assert_int_equal(hy_sim_open(&setup, &a, &error), HY_OK);
    assert_int_equal(hy_sim_open(&setup, &b, &error), HY_OK);
    const hy_point middle = hy_match_middle(model);
    const hy_sim_placement placement = { .piece = 3, .x_m = 0.25, .y_m = -0.5 };
    hy_sim_step(a, &(hy_sim_input){ .placements = &placement, .placement_count = 1 });
    const hy_piece piece = hy_world_piece(hy_sim_world(a), 3);
    assert_near(piece.x_m, middle.x_m + 0.25, 1e-12);
    assert_near(piece.y_m, middle.y_m - 0.5, 1e-12);
    hy_sim_restart(a, 1);
    assert_int_equal(hy_sim_hash(a), hy_sim_hash(b));
    const double noise_m = 0.1;
    hy_sim_step(a, &(hy_sim_input){ .now_us = STEP_US,
                                    .world_steps = 1,
                                    .lidar_noises_m = &noise_m,
                                    .lidar_noise_count = 1 });
    hy_sim_step(b, &(hy_sim_input){ .now_us = STEP_US, .world_steps = 1 });
    assert_int_not_equal(hy_sim_hash(a), hy_sim_hash(b));
    const double noises_m[] = { 0.1, 0 }; // the last one counts
    hy_sim_restart(a, 1);
    hy_sim_restart(b, 1);
    hy_sim_step(a, &(hy_sim_input){ .now_us = STEP_US,
                                    .world_steps = 1,
                                    .lidar_noises_m = noises_m,
                                    .lidar_noise_count = 2 });
    hy_sim_step(b, &(hy_sim_input){ .now_us = STEP_US, .world_steps = 1 });
    assert_int_equal(hy_sim_hash(a), hy_sim_hash(b));
    assert_non_null(hy_sim_match(a));
    hy_sim_close(a);
    hy_sim_close(b);
    uint64_t hashes[2];
    for (size_t i = 0; i < 2; i++) { // also of the setup of a world without a match
        const hy_sim_setup world = { .world = hy_match_world(model),
                                     .lidar_noise_m = 0.1 * (double)i };
        assert_int_equal(hy_sim_open(&world, &a, &error), HY_OK);
        hy_sim_step(a, &(hy_sim_input){ .now_us = STEP_US, .world_steps = 1 });
        hashes[i] = hy_sim_hash(a);
        hy_sim_close(a);
    }
    assert_int_not_equal(hashes[0], hashes[1]);
    hy_match_free(model);
}

static void test_silence_of_a_player_is_counted_from_arrival(void **state)
{
    (void)state;
    hy_world_error error = { "" };
    hy_match_model *model = match_2020();
    hy_sim *sim;
    assert_int_equal(hy_sim_open(&(hy_sim_setup){ .match = model, .seed = 1 }, &sim, &error), HY_OK);
    const int64_t now_us = 10000000; // the host stalled
    hy_sim_step(sim, &(hy_sim_input){ .now_us = now_us });
    hy_sim_command command = { .player = 1,
                               .at_us = now_us - HY_MATCH_SILENCE_US + 1,
                               .commands.left_drive = 1 };
    const hy_sim_input input = { .now_us = now_us, .commands = &command, .command_count = 1 };
    hy_sim_step(sim, &input);
    assert_true(hy_match_has_commands(hy_sim_match(sim), 1, now_us));
    assert_false(hy_match_has_commands(hy_sim_match(sim), 1, now_us + 1));

    command.at_us = now_us + 1000; // limited to now
    hy_sim_step(sim, &input);
    assert_true(hy_match_has_commands(hy_sim_match(sim), 1, now_us + HY_MATCH_SILENCE_US - 1));
    assert_false(hy_match_has_commands(hy_sim_match(sim), 1, now_us + HY_MATCH_SILENCE_US));
    hy_sim_close(sim);
    hy_match_free(model);
}

static void test_what_is_not_there_is_ignored(void **state)
{
    (void)state;
    bench a = bench_start(OPEN_XRP), b = bench_start(OPEN_XRP);
    const hy_sim_datagram probe = { .board = 1, .bytes = { (const uint8_t *)"?", 1 } };
    const hy_sim_command command = { .player = 1, .commands.left_drive = 1 };
    const hy_sim_reset no_reset = { 1 };
    const hy_sim_button button = { 1, true };
    const hy_sim_power_cycle cycle = { 1 };
    const hy_sim_placement placement = { .piece = 0 };
    const hy_sim_board_change change = { .board = 1 };
    hy_sim_step(a.sim, &(hy_sim_input){ .now_us = STEP_US,
                                        .world_steps = 1,
                                        .datagrams = &probe,
                                        .datagram_count = 1,
                                        .commands = &command,
                                        .command_count = 1,
                                        .resets = &no_reset,
                                        .reset_count = 1,
                                        .buttons = &button,
                                        .button_count = 1,
                                        .power_cycles = &cycle,
                                        .power_cycle_count = 1,
                                        .placements = &placement,
                                        .placement_count = 1,
                                        .board_changes = &change,
                                        .board_change_count = 1 });
    hy_sim_step(b.sim, &(hy_sim_input){ .now_us = STEP_US, .world_steps = 1 });
    assert_int_equal(hy_sim_hash(a.sim), hy_sim_hash(b.sim));
    bench_end(&a);
    bench_end(&b);
}

// Two players, and a board in each of the two extra vehicles.
static hy_sim *start_extra_vehicles(const hy_match_model *model, const hy_faults_spec *faults)
{
    const hy_sim_board boards[] = {
        { hy_match_extra_vehicle(model, 0), { .kind = &hy_board_xrp } },
        { hy_match_extra_vehicle(model, 1), { .kind = &hy_board_teensy } },
    };
    hy_world_error error = { "" };
    hy_sim *sim;
    const hy_sim_setup setup = {
        .match = model, .boards = boards, .board_count = 2, .seed = 1, .faults = faults
    };
    if (hy_sim_open(&setup, &sim, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    return sim;
}

static void test_all_entries_of_a_list_count(void **state)
{
    (void)state;
    hy_match_model *const model = load_match_with_extra_vehicles();
    hy_sim *const sim = start_extra_vehicles(model, NULL);
    const hy_bytes nonsense = { (const uint8_t *)"??", 2 }, mark = { (const uint8_t *)"?", 1 };
    const hy_sim_command ahead[] = { { 1, 0, { .left_drive = 1, .right_drive = 1 } },
                                     { 2, 0, { .left_drive = 1, .right_drive = 1 } } };
    const hy_sim_datagram short_ones[] = { { 0, peer(7000), 0, nonsense },
                                           { 1, peer(7000), 0, nonsense } };
    hy_truth starts[2];
    for (unsigned i = 0; i < 2; i++) {
        starts[i] = hy_sim_truth(sim, hy_match_vehicle(model, i + 1));
    }
    for (int64_t step = 1; step <= 30; step++) {
        hy_sim_step(sim, &(hy_sim_input){ .now_us = step * STEP_US,
                                          .world_steps = 1,
                                          .commands = ahead,
                                          .command_count = 2,
                                          .datagrams = short_ones,
                                          .datagram_count = 2 });
    }
    for (unsigned i = 0; i < 2; i++) {
        const hy_truth now = hy_sim_truth(sim, hy_match_vehicle(model, i + 1));
        assert_true(fabs(now.x_m - starts[i].x_m) + fabs(now.y_m - starts[i].y_m) > 0.05);
        assert_int_equal(hy_board_counts(hy_sim_board_at(sim, i))->rx_too_short, 30);
    }
    const hy_sim_reset resets[] = { { hy_match_vehicle(model, 1) }, { hy_match_vehicle(model, 2) } };
    const hy_sim_button buttons[] = { { hy_match_extra_vehicle(model, 0), true },
                                      { hy_match_extra_vehicle(model, 1), true } };
    const hy_sim_power_cycle cycles[] = { { 0 }, { 1 } };
    const hy_sim_placement placements[] = { { .piece = 3, .x_m = 0.5 }, { .piece = 4, .x_m = 0.25 } };
    const hy_sim_board_change changes[] = { { 0, HY_ENCODER_SHORT, false },
                                            { 1, HY_ENCODER_SHORT, false } };
    hy_sim_step(sim, &(hy_sim_input){ .now_us = 30 * STEP_US,
                                      .resets = resets,
                                      .reset_count = 2,
                                      .power_cycles = cycles,
                                      .power_cycle_count = 2,
                                      .placements = placements,
                                      .placement_count = 2 });
    assert_near(hy_world_piece(hy_sim_world(sim), 3).x_m, hy_match_middle(model).x_m + 0.5, 1e-12);
    assert_near(hy_world_piece(hy_sim_world(sim), 4).x_m, hy_match_middle(model).x_m + 0.25, 1e-12);
    for (unsigned i = 0; i < 2; i++) {
        assert_near(hy_sim_truth(sim, hy_match_vehicle(model, i + 1)).x_m, starts[i].x_m, 1e-12);
        assert_int_equal(hy_board_counts(hy_sim_board_at(sim, i))->rx_too_short, 0);
    }
    const hy_sim_datagram probes[] = { { 0, peer(7000), 0, mark }, { 1, peer(7001), 0, mark } };
    size_t sizes[2][2];
    for (unsigned i = 0; i < 2; i++) {
        hy_sim_step(sim, &(hy_sim_input){ .now_us = 31 * STEP_US,
                                          .datagrams = probes,
                                          .datagram_count = 2,
                                          .board_changes = changes,
                                          .board_change_count = 2 * i });
        hy_sim_step(sim, &(hy_sim_input){
                             .now_us = 31 * STEP_US, .datagrams = probes, .datagram_count = 2 });
        for (hy_sim_datagram out; hy_sim_next_datagram(sim, &out);) {
            sizes[i][out.board] = out.bytes.size;
        }
    }
    assert_true(sizes[1][0] < sizes[0][0] && sizes[1][1] < sizes[0][1]);
    hy_sim_step(
        sim, &(hy_sim_input){
                 .now_us = 32 * STEP_US, .world_steps = 1, .buttons = buttons, .button_count = 2 });
    assert_true(hy_sim_truth(sim, hy_match_extra_vehicle(model, 0)).button);
    assert_true(hy_sim_truth(sim, hy_match_extra_vehicle(model, 1)).button);
    hy_sim_close(sim);
    hy_match_free(model);
}

// --------------------------------------------------------------------------- datagrams that wait

static void test_the_queue_is_bounded(void **state)
{
    (void)state;
    bench b = bench_start(OPEN_XRP);
    hy_sim_datagram probes[10];
    for (uint16_t i = 0; i < 10; i++) {
        probes[i] = (hy_sim_datagram){ .peer = peer((uint16_t)(1000 + i)),
                                       .bytes = { (const uint8_t *)"?", 1 } };
    }
    const hy_sim_input ten = { .datagrams = probes, .datagram_count = 10 };
    for (int i = 0; i < 20; i++) {
        hy_sim_step(b.sim, &ten);
    }
    assert_int_equal(hy_sim_overflowed(b.sim), 200 - HY_SIM_QUEUE);
    hy_sim_datagram out;
    for (int i = 0; i < HY_SIM_QUEUE; i++) { // the oldest are there, in their order
        assert_true(hy_sim_next_datagram(b.sim, &out));
        assert_int_equal(out.peer.port, 1000 + i % 10);
    }
    assert_false(hy_sim_next_datagram(b.sim, &out));
    hy_sim_step(b.sim, &ten);
    assert_int_equal(take_all(b.sim), 10);
    assert_int_equal(hy_sim_overflowed(b.sim), 200 - HY_SIM_QUEUE);
    hy_sim_restart(b.sim, 1);
    assert_int_equal(hy_sim_overflowed(b.sim), 0);
    bench_end(&b);
}

// --------------------------------------------------------------------------- the hash

static void test_the_hash_sees_boards_and_what_waits(void **state)
{
    (void)state;
    bench a = bench_start(OPEN_XRP), b = bench_start(OPEN_XRP);
    assert_int_equal(hy_sim_hash(a.sim), hy_sim_hash(b.sim));
    const hy_sim_datagram probe = { .peer = peer(7000), .bytes = { (const uint8_t *)"?", 1 } };
    const hy_sim_input probed = { .datagrams = &probe, .datagram_count = 1 };
    hy_sim_step(a.sim, &probed);
    hy_sim_step(b.sim, &probed);
    assert_int_equal(hy_sim_hash(a.sim), hy_sim_hash(b.sim));
    assert_int_equal(take_all(a.sim), 1);
    assert_int_not_equal(hy_sim_hash(a.sim), hy_sim_hash(b.sim)); // one still waits
    assert_int_equal(take_all(b.sim), 1);
    assert_int_equal(hy_sim_hash(a.sim), hy_sim_hash(b.sim));
    const hy_sim_datagram nonsense = { .peer = peer(7000), .bytes = { (const uint8_t *)"??", 2 } };
    hy_sim_step(a.sim, &(hy_sim_input){ .datagrams = &nonsense, .datagram_count = 1 });
    assert_int_not_equal(hy_sim_hash(a.sim), hy_sim_hash(b.sim)); // the board counted it
    hy_sim_step(b.sim, &(hy_sim_input){ .datagrams = &nonsense, .datagram_count = 1 });
    assert_int_equal(hy_sim_hash(a.sim), hy_sim_hash(b.sim));
    const hy_sim_datagram other = { .peer = peer(7001), .bytes = { (const uint8_t *)"?", 1 } };
    hy_sim_step(a.sim, &probed);
    hy_sim_step(b.sim, &(hy_sim_input){ .datagrams = &other, .datagram_count = 1 });
    assert_int_not_equal(hy_sim_hash(a.sim), hy_sim_hash(b.sim)); // to whom it goes
    bench_end(&a);
    bench_end(&b);
}

// --------------------------------------------------------------------------- refusals

static void check_refused(const hy_sim_setup *setup, const char *words)
{
    hy_world_error error = { "" };
    hy_sim *sim;
    assert_int_equal(hy_sim_open(setup, &sim, &error), HY_ERANGE);
    assert_null(sim);
    if (strstr(error.text, words) == NULL) {
        fail_msg("'%s' does not say '%s'", error.text, words);
    }
}

static void test_boards_need_a_vehicle_of_their_own(void **state)
{
    (void)state;
    hy_world_model *const model = model_of(OPEN_XRP);
    hy_sim_board boards[2] = { { .vehicle = 1, .options.kind = &hy_board_xrp } };
    check_refused(&(hy_sim_setup){ .world = model, .boards = boards, .board_count = 1 },
                  "open: has 1 vehicles; there is none for board 0");
    boards[0].vehicle = 0;
    boards[1] = boards[0];
    check_refused(&(hy_sim_setup){ .world = model, .boards = boards, .board_count = 2 },
                  "vehicle 0 is driven by another board");
    hy_world_free(model);

    hy_match_model *match = match_2020();
    check_refused(&(hy_sim_setup){ .match = match, .boards = boards, .board_count = 1 },
                  "or by a player");
    hy_match_free(match);
}

static void test_simulations_run_out(void **state)
{
    (void)state;
    hy_world_model *const model = model_of(OPEN_XRP);
    const hy_sim_setup setup = { .world = model };
    hy_world_error error = { "" };
    static hy_sim *sims[200];
    size_t count = 0;
    hy_status status = HY_OK;
    while (count < 200 && (status = hy_sim_open(&setup, &sims[count], &error)) == HY_OK) {
        count++;
    }
    assert_int_equal(count, 128);
    assert_int_equal(status, HY_EFULL);
    assert_null(sims[count]);
    assert_string_equal(error.text, "this process simulates 128 worlds already; end one first");
    hy_sim_restart(sims[5], 2); // needs no further one
    hy_sim_close(sims[--count]);
    assert_int_equal(hy_sim_open(&setup, &sims[count], &error), HY_OK);
    for (size_t i = 0; i <= count; i++) {
        hy_sim_step(sims[i], &(hy_sim_input){ .now_us = STEP_US, .world_steps = 1 });
        hy_sim_close(sims[i]);
    }
    hy_sim_close(NULL);
    hy_world_free(model);
}

// --------------------------------------------------------------------------- faults

static bench bench_with_faults(const char *text)
{
    static const hy_sim_board board = { .options.kind = &hy_board_xrp };
    bench b = { .model = model_of(OPEN_XRP) };
    hy_faults_spec faults;
    hy_faults_error mistake;
    hy_world_error error = { "" };
    assert_int_equal(hy_faults_parse(text, &faults, &mistake), HY_OK);
    const hy_sim_setup setup = {
        .world = b.model, .boards = &board, .board_count = 1, .seed = 1, .faults = &faults
    };
    assert_int_equal(hy_sim_open(&setup, &b.sim, &error), HY_OK);
    hy_commander_init(&b.commander, &hy_dialect_xrp);
    return b;
}

static void test_faults_do_what_they_say(void **state)
{
    (void)state;
    bench b = bench_with_faults("down.loss=50% seed=2");
    const size_t statuses = drive(&b, 0.5F, -0.5F, 400); // 80 statuses without faults
    assert_in_range(statuses, 25, 55);
    const hy_sim_fault_counts counts = hy_sim_faults(b.sim, 0);
    assert_int_equal(counts.from_robot.taken, statuses);
    assert_int_equal(counts.to_robot.lost, 0);
    assert_true(hy_sim_truth(b.sim, 0).speed_m_s > 0.05);
    bench_end(&b);

    b = bench_with_faults("outage=1s+2s"); // the watchdog stops the robot, commands after it drive again
    drive(&b, 0.5F, -0.5F, 180);
    assert_false(hy_board_is_enabled(board_of(&b)));
    assert_int_equal(hy_board_counts(board_of(&b))->watchdog_trips, 1);
    drive(&b, 0.5F, -0.5F, 160);
    assert_true(hy_board_is_enabled(board_of(&b)));
    bench_end(&b);

    b = bench_with_faults("reboot=1s"); // it has forgotten that it was enabled, and numbers begin again
    drive(&b, 0.5F, -0.5F, 99);
    assert_int_equal(hy_board_counts(board_of(&b))->commands, 99);
    drive(&b, 0.5F, -0.5F, 11);
    assert_in_range(hy_board_counts(board_of(&b))->commands, 9, 11);
    assert_int_equal(hy_sim_faults(b.sim, 0).reboots, 1);
    bench_end(&b);

    b = bench_with_faults("clock=2s@1s"); // silence, by the robot's own clock
    drive(&b, 0.5F, -0.5F, 95);
    hy_sim_step(b.sim, &(hy_sim_input){ .now_us = 99 * STEP_US, .world_steps = 1 });
    assert_true(hy_board_is_enabled(board_of(&b)));
    hy_sim_step(b.sim, &(hy_sim_input){ .now_us = 100 * STEP_US, .world_steps = 1 });
    assert_false(hy_board_is_enabled(board_of(&b)));
    b.now_us = 100 * STEP_US;
    drive(&b, 0.5F, -0.5F, 5);
    assert_true(hy_board_is_enabled(board_of(&b))); // what comes then is new by the same clock
    bench_end(&b);

    b = bench_with_faults("slip=0"); // the left wheel is weak: it turns to the left
    drive(&b, 0.5F, -0.5F, 100);
    assert_true(hy_sim_truth(b.sim, 0).heading_rad > 0.3);
    bench_end(&b);
}

static void test_delayed_commands_arrive_late(void **state)
{
    (void)state;
    bench b = bench_with_faults("up.delay=55ms");
    drive(&b, 0.5F, -0.5F, 5);
    assert_int_equal(hy_board_counts(board_of(&b))->commands, 0);
    drive(&b, 0.5F, -0.5F, 5);
    assert_int_equal(hy_board_counts(board_of(&b))->commands,
                     4); // those of the steps 1 to 4, up to 1 us before their end
    bench_end(&b);

    b = bench_with_faults("up.delay=50ms");
    const hy_sim_datagram probe = { .peer = peer(7000),
                                    .at_us = STEP_US,
                                    .bytes = { (const uint8_t *)"?", 1 } };
    hy_sim_step(b.sim,
                &(hy_sim_input){ .now_us = STEP_US, .datagrams = &probe, .datagram_count = 1 });
    hy_sim_step(b.sim, &(hy_sim_input){ .now_us = STEP_US + 49999 });
    assert_int_equal(take_all(b.sim), 0);
    hy_sim_step(b.sim, &(hy_sim_input){ .now_us = STEP_US + 50000 });
    assert_int_equal(take_all(b.sim), 1);
    bench_end(&b);
}

static void test_the_start_number_of_statuses(void **state)
{
    (void)state;
    bench b = bench_with_faults("start=65535");
    uint16_t numbers[3];
    size_t count = 0;
    while (count < 3) {
        const uint8_t nothing[] = { 0, (uint8_t)(b.now_us / STEP_US + 1), 0 };
        b.now_us += STEP_US;
        const hy_sim_datagram command = { .peer = peer(5800),
                                          .at_us = b.now_us,
                                          .bytes = { nothing, sizeof nothing } };
        hy_sim_step(b.sim, &(hy_sim_input){ .now_us = b.now_us,
                                            .world_steps = 1,
                                            .datagrams = &command,
                                            .datagram_count = 1 });
        for (hy_sim_datagram out; count < 3 && hy_sim_next_datagram(b.sim, &out);) {
            numbers[count++] = (uint16_t)(out.bytes.data[0] << 8 | out.bytes.data[1]);
        }
    }
    assert_int_equal(numbers[0], 65535);
    assert_int_equal(numbers[1], 0);
    assert_int_equal(numbers[2], 1);
    bench_end(&b);
}

static uint64_t hash_after_drive(bench *b)
{
    drive(b, 0.4F, -0.3F, 150);
    return hy_sim_hash(b->sim);
}

static void test_faults_are_part_of_the_state(void **state)
{
    (void)state;
    const char *const text =
        "gym-full-of-phones duplicate=5% reorder=5% reboot=700ms stuck=accel seed=9";
    bench first = bench_with_faults(text), second = bench_with_faults(text);
    bench other = bench_with_faults(
        "gym-full-of-phones duplicate=5% reorder=5% reboot=700ms stuck=accel seed=8");
    bench none = bench_with_faults(""), plain = bench_start(OPEN_XRP);
    const uint64_t hash = hash_after_drive(&first);
    assert_true(hash == hash_after_drive(&second));
    assert_false(hash == hash_after_drive(&other));
    assert_true(hash_after_drive(&none) == hash_after_drive(&plain));
    hy_sim_restart(first.sim, 1);
    first.now_us = 0;
    hy_commander_init(&first.commander, &hy_dialect_xrp);
    assert_true(hash == hash_after_drive(&first));
    hy_sim_setup again = hy_sim_setup_of(first.sim);
    hy_sim *fresh;
    hy_world_error error;
    again.seed = 2;
    assert_int_equal(hy_sim_open(&again, &fresh, &error), HY_OK);
    hy_sim_restart(first.sim, 2); // the accelerometer is stuck at what it reads first, with this seed
    const hy_sim_datagram probe = { .peer = peer(7000), .bytes = { (const uint8_t *)"?", 1 } };
    for (int64_t step = 1; step <= 50;
         step++) { // statuses with its reading wait, as far as they come through
        const hy_sim_input input = {
            .now_us = step * STEP_US, .world_steps = 1, .datagrams = &probe, .datagram_count = 1
        };
        hy_sim_step(first.sim, &input);
        hy_sim_step(fresh, &input);
    }
    assert_true(hy_sim_hash(first.sim) == hy_sim_hash(fresh));
    hy_sim_close(fresh);
    bench *const all[] = { &first, &second, &other, &none, &plain };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        bench_end(all[i]);
    }
}

static void test_every_board_reboots(void **state)
{
    (void)state;
    hy_match_model *const model = load_match_with_extra_vehicles();
    hy_faults_spec faults;
    hy_faults_error mistake;
    assert_int_equal(hy_faults_parse("reboot=100ms", &faults, &mistake), HY_OK);
    hy_sim *const sim = start_extra_vehicles(model, &faults);
    const hy_bytes nonsense = { (const uint8_t *)"??", 2 };
    const hy_sim_datagram short_ones[] = { { 0, peer(7000), 0, nonsense },
                                           { 1, peer(7000), 0, nonsense } };
    hy_sim_step(sim,
                &(hy_sim_input){ .now_us = 99999, .datagrams = short_ones, .datagram_count = 2 });
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(hy_board_counts(hy_sim_board_at(sim, i))->rx_too_short, 1);
    }
    hy_sim_step(sim, &(hy_sim_input){ .now_us = 100000 });
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(hy_board_counts(hy_sim_board_at(sim, i))->rx_too_short, 0);
    }
    hy_sim_close(sim);
    hy_match_free(model);
}

// What the network holds back is state, of every board.
static void test_the_hashes_see_what_is_held_back(void **state)
{
    (void)state;
    hy_match_model *const model = load_match_with_extra_vehicles();
    hy_faults_spec faults;
    hy_faults_error mistake;
    assert_int_equal(hy_faults_parse("up.delay=1s", &faults, &mistake), HY_OK);
    hy_sim *const plain = start_extra_vehicles(model, &faults);
    hy_sim_step(plain, &(hy_sim_input){ .now_us = STEP_US });
    for (size_t board = 0; board < 2; board++) {
        hy_sim *const sim = start_extra_vehicles(model, &faults);
        const hy_sim_datagram probe = { board, peer(7000), 0, { (const uint8_t *)"?", 1 } };
        hy_sim_step(sim,
                    &(hy_sim_input){ .now_us = STEP_US, .datagrams = &probe, .datagram_count = 1 });
        assert_int_not_equal(hy_sim_hash(sim), hy_sim_hash(plain));
        assert_int_not_equal(hy_sim_state_hash(sim), hy_sim_state_hash(plain));
        hy_sim_close(sim);
    }
    hy_sim_close(plain);
    hy_match_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands_move_the_robot_and_statuses_come),
        cmocka_unit_test(test_probes_are_answered_between_steps),
        cmocka_unit_test(test_a_stall_is_one_input_with_a_jump),
        cmocka_unit_test(test_silence_counts_between_steps_too),
        cmocka_unit_test(test_time_never_falls),
        cmocka_unit_test(test_buttons_stay_as_they_are),
        cmocka_unit_test(test_resets_carry_robots_back),
        cmocka_unit_test(test_a_datagram_of_nobody_with_bytes_is_a_persons_stop),
        cmocka_unit_test(test_boards_are_switched_off_and_on),
        cmocka_unit_test(test_a_push_spoils_the_gyro_until_it_is_calibrated_again),
        cmocka_unit_test(test_a_second_push_replaces_the_first),
        cmocka_unit_test(test_old_datagrams_move_nothing_and_lost_ones_are_silence),
        cmocka_unit_test(test_strangers_are_counted_without_a_step),
        cmocka_unit_test(test_pieces_are_placed_and_lidars_made_noisy),
        cmocka_unit_test(test_silence_of_a_player_is_counted_from_arrival),
        cmocka_unit_test(test_what_is_not_there_is_ignored),
        cmocka_unit_test(test_all_entries_of_a_list_count),
        cmocka_unit_test(test_the_queue_is_bounded),
        cmocka_unit_test(test_the_hash_sees_boards_and_what_waits),
        cmocka_unit_test(test_boards_need_a_vehicle_of_their_own),
        cmocka_unit_test(test_faults_do_what_they_say),
        cmocka_unit_test(test_delayed_commands_arrive_late),
        cmocka_unit_test(test_the_start_number_of_statuses),
        cmocka_unit_test(test_faults_are_part_of_the_state),
        cmocka_unit_test(test_every_board_reboots),
        cmocka_unit_test(test_the_hashes_see_what_is_held_back),
        cmocka_unit_test(test_simulations_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
