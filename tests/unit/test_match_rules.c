// The rules of the game: SPEC match. Each test names the reference's mistake if ours is right on purpose.
#include "match_bench.h"

#include <stdlib.h>

#define BLUE_1 0 // players, from 0 here
#define RED_2  1
#define BLUE_3 2

static double speed(const match_bench *b, unsigned player)
{
    const size_t vehicle = hy_match_vehicle(b->model, player + 1);
    return hy_world_truth(hy_match_world(b->model), hy_match_world_state(b->match), vehicle).speed_m_s;
}

static bool is_in_goal(const hy_match_piece *piece, hy_alliance side)
{
    return piece->place == HY_PIECE_GOAL && piece->goal_side == side;
}

// --------------------------------------------------------------------------- the timer

static void press_start(match_bench *b, unsigned player)
{
    b->commands[player].timer_start_stop = true;
    match_bench_run(b, 10);
    b->commands[player].timer_start_stop = false;
    match_bench_run(b, 1);
}

static void test_timer(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_DCMOTOR);
    match_bench_run(&b, 100);
    assert_false(b.seen.timer_runs);
    assert_true(b.seen.timer_us == 135000000);

    b.commands[BLUE_1].timer_start_stop = true;
    match_bench_run(&b, 20);
    assert_false(b.seen.timer_runs); // not before it is let go
    b.commands[BLUE_1].timer_start_stop = false;
    match_bench_run(&b, 1);
    assert_true(b.seen.timer_runs);
    match_bench_run(&b, 99);
    assert_true(b.seen.timer_us == 134000000);
    press_start(&b, RED_2); // anybody may
    assert_false(b.seen.timer_runs);
    const int64_t left_us = b.seen.timer_us;
    match_bench_run(&b, 50);
    assert_true(b.seen.timer_us == left_us);
    match_bench_end(&b);
}

static void test_length_is_an_option(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_DCMOTOR);
    const hy_match_options options = { .seed = 1, .match_s = 2.0 };
    hy_match_restart(b.match, &options);
    match_bench_run(&b, 1);
    assert_true(b.seen.timer_us == 2000000);
    press_start(&b, BLUE_1);
    match_bench_run(&b, 250);
    assert_true(b.seen.timer_us == 0 && hy_match_describe(b.match).over);
    hy_match_reset(b.match);
    assert_true(hy_match_describe(b.match).timer_us == 2000000);
    match_bench_end(&b);
}

// The reference shares one memory of the button among all players: holding it there makes the timer flicker.
static void test_timer_edges_are_each_players_own(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_DCMOTOR);
    int changes = 0;
    bool before = false;
    for (int press = 0; press < 10; press++) {
        for (int step = 0; step < 20; step++) {
            b.commands[RED_2].timer_start_stop = step < 10;
            match_bench_run(&b, 1);
            changes += b.seen.timer_runs != before;
            before = b.seen.timer_runs;
        }
    }
    assert_int_equal(changes, 10);
    match_bench_end(&b);
}

// Several words of a core may come between two steps: a sim that was kept waiting gets them in a heap.
static void test_taps_between_two_steps_count(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_DCMOTOR);
    static const hy_match_commands start = { .timer_start_stop = true }, reset = { .reset = true };
    hy_match_command(b.match, BLUE_1 + 1, &start, b.now_us);
    match_bench_run(&b, 1); // its own word is that nothing is pressed
    assert_false(b.seen.timer_runs);
    match_bench_run(&b, 1);
    assert_true(b.seen.timer_runs);
    hy_match_command(b.match, RED_2 + 1, &reset, b.now_us);
    match_bench_run(&b, 1);
    assert_false(b.seen.timer_runs);
    assert_true(b.seen.timer_us == 135000000);
    match_bench_run(&b, 10);
    assert_true(b.seen.timer_us == 135000000);
    match_bench_end(&b);
}

// A core that dies with the button held has let it go.
static void test_silence_lets_buttons_go(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_DCMOTOR);
    b.commands[BLUE_1].timer_start_stop = true;
    match_bench_run(&b, 5);
    b.silent[BLUE_1] = true;
    match_bench_run(&b, 48);
    assert_false(b.seen.timer_runs);
    match_bench_run(&b, 4);
    assert_true(b.seen.timer_runs);
    match_bench_end(&b);
}

static void test_end_of_match(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_DCMOTOR);
    press_start(&b, BLUE_1);
    match_bench_run(&b, 135 * 100 - 2);
    assert_true(b.seen.timer_runs);
    match_bench_score(&b, 0, 0, 0);
    b.commands[BLUE_1].left_drive = b.commands[BLUE_1].right_drive = 1;
    match_bench_run(&b, 1);
    assert_false(b.seen.timer_runs);
    assert_true(b.seen.timer_us == 0);
    assert_true(hy_match_describe(b.match).over);

    // Nothing moves and nothing is taken out any more; starting it does nothing either.
    b.commands[BLUE_1].outtake = true;
    match_bench_run(&b, 30);
    assert_int_equal(b.seen.robot[0].left_drive_rad_s * 1000, 0);
    assert_true(fabs(speed(&b, BLUE_1)) < 0.05);
    assert_true(is_in_goal(&b.seen.piece[0], HY_ALLIANCE_BLUE));
    press_start(&b, BLUE_1);
    assert_false(b.seen.timer_runs);
    assert_true(b.seen.timer_us == 0);

    b.commands[RED_2].reset = true;
    match_bench_run(&b, 1);
    b.commands[RED_2].reset = false;
    match_bench_run(&b, 20);
    assert_true(b.seen.timer_us == 135000000);
    assert_true(speed(&b, BLUE_1) > 0.5);
    match_bench_end(&b);
}

// --------------------------------------------------------------------------- driving

// Half a second after its core's last word a robot's motors are off; that of another drives on.
static void test_silence_stops_a_robot(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_IDEAL);
    for (unsigned i = 0; i < 2; i++) {
        b.commands[i] = (hy_match_commands){ .left_drive = 0.2, .right_drive = 0.2, .tube = 0.1 };
    }
    match_bench_run(&b, 10);
    b.silent[BLUE_1] = true;
    match_bench_run(&b, 49);
    assert_true(hy_match_has_commands(b.match, 1, b.now_us));
    assert_true(speed(&b, BLUE_1) > 1);
    match_bench_run(&b, 1);
    assert_false(hy_match_has_commands(b.match, 1, b.now_us));
    assert_true(speed(&b, BLUE_1) == 0);
    assert_true(b.seen.robot[0].tube_rad_s == 0);
    assert_true(speed(&b, RED_2) > 1);
    b.silent[BLUE_1] = false;
    match_bench_run(&b, 1);
    assert_true(speed(&b, BLUE_1) > 1);
    match_bench_end(&b);
}

// The reference obeys motor commands beyond full speed; players who do not exist change nothing.
static void test_commands_are_clamped(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_IDEAL);
    b.commands[BLUE_1] = (hy_match_commands){ .left_drive = 4, .right_drive = 4, .tube = -20 };
    match_bench_run(&b, 1);
    const double full_rad_s = b.seen.robot[0].left_drive_rad_s;
    assert_true(fabs(full_rad_s - 833 * 0.1047) < 0.01);
    assert_true(fabs(b.seen.robot[0].tube_rad_s + 25 * 0.1047) < 0.01);
    assert_true(fabs(speed(&b, BLUE_1) - 6.6458) < 0.001);
    hy_match_command(b.match, 0, &b.commands[0], b.now_us);
    hy_match_command(b.match, 7, &b.commands[0], b.now_us);
    assert_false(hy_match_has_commands(b.match, 7, b.now_us));
    match_bench_end(&b);
}

// Encoders count: 1024 a wheel turn, up when driving forward, and they never wrap.
static void test_encoders(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_IDEAL);
    hy_match_sensors sensors;
    double turns = 0;
    hy_match_read_sensors(b.match, 1, &sensors);
    assert_true(sensors.left_encoder_counts == 0);
    b.commands[BLUE_1] = (hy_match_commands){ .left_drive = 0.2, .right_drive = -0.2 };
    for (int step = 0; step < 60; step++) {
        match_bench_run(&b, 1);
        turns += 0.2 * 833 * (double)0.1047F * 0.010 / (2 * HY_PI);
        hy_match_read_sensors(b.match, 1, &sensors);
        assert_true(fabs(sensors.left_encoder_counts - turns * 1024) < 0.01);
        assert_true(fabs(sensors.right_encoder_counts + turns * 1024) < 0.01);
    }
    assert_true(sensors.left_encoder_counts > 1024);
    match_bench_end(&b);
}

// A share that is no number moves nothing.
static void test_nan_is_no_command(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_IDEAL);
    b.commands[BLUE_1] = (hy_match_commands){ .left_drive = NAN, .right_drive = NAN, .tube = NAN };
    match_bench_run(&b, 5);
    assert_true(speed(&b, BLUE_1) == 0);
    assert_true(b.seen.robot[0].left_drive_rad_s == 0);
    assert_true(b.seen.robot[0].tube_rad_s == 0);
    match_bench_end(&b);
}

// --------------------------------------------------------------------------- scores and outtake

static void test_scores(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_DCMOTOR);
    match_bench_score(&b, 3, 0, 0);
    match_bench_score(&b, 4, 0, 0.2);
    match_bench_score(&b, 5, 1, 0);
    match_bench_run(&b, 5);
    assert_int_equal(b.seen.blue_score, 2);
    assert_int_equal(b.seen.red_score, 1);
    assert_true(is_in_goal(&b.seen.piece[3], HY_ALLIANCE_BLUE));
    assert_true(is_in_goal(&b.seen.piece[5], HY_ALLIANCE_RED));
    assert_true(fabs(b.seen.piece[3].z_m - 0.4689) < 1e-4);

    // A press takes out one ball, the lowest, however long it is held; the score keeps it.
    b.commands[BLUE_3].outtake = true;
    match_bench_run(&b, 100);
    assert_int_equal(b.seen.piece[3].place, HY_PIECE_FREE);
    assert_true(is_in_goal(&b.seen.piece[4], HY_ALLIANCE_BLUE));
    assert_int_equal(b.seen.blue_score, 2);
    assert_true(b.seen.piece[3].y_m > 7 && b.seen.piece[3].y_m < 8); // at the far side
    assert_true(b.seen.piece[3].z_m == 0);

    // It stays counted, and a red robot has nothing to do with it.
    b.commands[RED_2].outtake = true;
    match_bench_run(&b, 1);
    assert_int_equal(b.seen.red_score, 1);
    assert_int_equal(b.seen.piece[5].place, HY_PIECE_FREE);
    assert_true(is_in_goal(&b.seen.piece[4], HY_ALLIANCE_BLUE));
    match_bench_end(&b);
}

// Two robots of one alliance ask in the same step. The reference moves one ball and counts two.
static void test_two_outtakes_at_once(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_DCMOTOR);
    match_bench_score(&b, 7, 0, 0);
    match_bench_run(&b, 3);
    b.commands[BLUE_1].outtake = b.commands[BLUE_3].outtake = true;
    match_bench_run(&b, 3);
    assert_int_equal(b.seen.blue_score, 1); // one ball is one point

    b.commands[BLUE_1].outtake = b.commands[BLUE_3].outtake = false;
    match_bench_score(&b, 8, 0, 0);
    match_bench_score(&b, 9, 0, 0.2);
    match_bench_run(&b, 3);
    assert_int_equal(b.seen.blue_score, 3);
    b.commands[BLUE_1].outtake = b.commands[BLUE_3].outtake = true;
    match_bench_run(&b, 1);
    assert_int_equal(b.seen.blue_score, 3);
    const hy_match_piece *p = &b.seen.piece[8], *q = &b.seen.piece[9];
    assert_int_equal(p->place, HY_PIECE_FREE);
    assert_int_equal(q->place, HY_PIECE_FREE);
    assert_true(hypot(p->x_m - q->x_m, p->y_m - q->y_m) > 0.15); // not one in the other
    match_bench_end(&b);
}

static void test_outtake_of_an_empty_goal(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_DCMOTOR);
    b.commands[BLUE_1].outtake = true;
    match_bench_run(&b, 10);
    assert_int_equal(b.seen.blue_score, 0);
    match_bench_score(&b, 0, 0, 0); // the request was dropped: it does not wait for this
    match_bench_run(&b, 10);
    assert_true(is_in_goal(&b.seen.piece[0], HY_ALLIANCE_BLUE));
    match_bench_end(&b);
}

// --------------------------------------------------------------------------- reset

static void test_reset(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_DCMOTOR);
    match_bench_run(&b, 1);
    const hy_match_state start = b.seen;
    press_start(&b, BLUE_1);
    for (unsigned i = 0; i < 6; i++) {
        b.commands[i] = (hy_match_commands){ .left_drive = 0.78, .right_drive = 0.68 };
    }
    match_bench_score(&b, 0, 0, 0);
    match_bench_run(&b, 200);
    assert_int_equal(b.seen.blue_score, 1);

    // As long as somebody holds it, everything stands where it began, whatever the sticks say.
    b.commands[BLUE_3].reset = true;
    for (int step = 0; step < 5; step++) {
        match_bench_run(&b, 1);
        assert_int_equal(b.seen.blue_score, 0);
        assert_false(b.seen.timer_runs);
        assert_true(b.seen.timer_us == 135000000);
        for (size_t i = 0; i < 6; i++) {
            assert_true(fabs(b.seen.robot[i].x_m - start.robot[i].x_m) < 1e-6);
            assert_true(fabs(b.seen.robot[i].heading_rad - start.robot[i].heading_rad) < 1e-6);
        }
        for (size_t i = 0; i < b.seen.piece_count; i++) {
            assert_true(fabs(b.seen.piece[i].x_m - start.piece[i].x_m) < 1e-5);
            assert_int_equal(b.seen.piece[i].place, HY_PIECE_FREE);
        }
    }
    b.commands[BLUE_3].reset = false;
    match_bench_run(&b, 50);
    assert_true(speed(&b, BLUE_1) > 1);
    match_bench_end(&b);
}

// --------------------------------------------------------------------------- lidar

// Exactly 80 points a step, however long; azimuths go on from step to step. The reference loses up to 3 %.
static void test_lidar_loses_nothing(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_DCMOTOR);
    double last_rad = 0;
    assert_int_equal(hy_match_points(b.match, 1), 0);
    for (int step = 1; step <= 1000; step++) {
        match_bench_run(&b, 1);
        assert_int_equal(hy_match_points(b.match, 1), 80 * step);
        hy_match_sensors sensors;
        hy_match_read_sensors(b.match, 1, &sensors);
        assert_int_equal(sensors.lidar.count, 80);
        for (size_t i = 0; i < 80; i++) {
            const hy_lidar_point *point = &sensors.lidar.points[i];
            double more_rad = point->azimuth_rad - last_rad;
            more_rad += more_rad < 0 ? 2 * HY_PI : 0;
            assert_true(fabs(more_rad - 2 * HY_PI / 800) < 1e-9);
            assert_true(point->range_m == -1 || (point->range_m >= 0.75 && point->range_m <= 12));
            last_rad = point->azimuth_rad;
        }
    }
    assert_int_equal(hy_match_lidar(b.match, 1, 800).count, 800);
    assert_int_equal(hy_match_lidar(b.match, 1, SIZE_MAX).count, HY_MATCH_SWEEP_MOST);
    assert_int_equal(hy_match_lidar(b.match, 3, 800).count, 0); // it has none
    assert_int_equal(hy_match_points(b.match, 3), 0);
    match_bench_end(&b);
}

static void test_lidar_noise(void **state)
{
    (void)state;
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_DCMOTOR);
    hy_match *noisy = NULL;
    (void)hy_match_open(b.model, &(hy_match_options){ .seed = 5, .lidar_noise_m = 0.03 }, &noisy);
    double squares = 0;
    size_t hits = 0;
    for (int step = 0; step < 50; step++) {
        match_bench_run(&b, 1);
        hy_match_step(noisy, b.now_us);
    }
    const hy_lidar_points clear = hy_match_lidar(b.match, 1, 1600),
                          rough = hy_match_lidar(noisy, 1, 1600);
    for (size_t i = 0; i < clear.count; i++) {
        const double off_m = rough.points[i].range_m - clear.points[i].range_m;
        assert_true((rough.points[i].range_m == -1) == (clear.points[i].range_m == -1));
        if (clear.points[i].range_m > 1 && clear.points[i].range_m < 11) {
            squares += off_m * off_m;
            hits++;
        }
    }
    assert_true(hits > 500);
    assert_true(fabs(sqrt(squares / (double)hits) - 0.03) < 0.004);
    hy_match_close(noisy);
    match_bench_end(&b);
}

// --------------------------------------------------------------------------- sameness

static uint64_t hash_of_a_run(uint64_t seed)
{
    match_bench b = match_bench_2020(HY_WORLD_DRIVE_DCMOTOR);
    hy_match *match = NULL;
    (void)hy_match_open(b.model, &(hy_match_options){ .seed = seed }, &match);
    hy_random random = hy_random_seeded(3);
    for (int step = 0; step < 400; step++) {
        for (unsigned i = 1; i <= 6 && step % 40 == 0; i++) {
            const hy_match_commands c = { .left_drive = hy_random_below(&random, 1025) / 512.0 - 1,
                                          .right_drive = hy_random_below(&random, 1025) / 512.0 - 1,
                                          .timer_start_stop = step == 80 && i == 3 };
            hy_match_command(match, i, &c, step * 10000);
        }
        hy_match_step(match, step * 10000);
    }
    const uint64_t hash = hy_match_hash(match);
    hy_match_close(match);
    match_bench_end(&b);
    return hash;
}

static void test_same_seed_same_match(void **state)
{
    (void)state;
    assert_true(hash_of_a_run(1) == hash_of_a_run(1));
    assert_true(hash_of_a_run(1) != hash_of_a_run(2)); // the noise of its sensors is part of it
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_timer),
        cmocka_unit_test(test_length_is_an_option),
        cmocka_unit_test(test_timer_edges_are_each_players_own),
        cmocka_unit_test(test_taps_between_two_steps_count),
        cmocka_unit_test(test_silence_lets_buttons_go),
        cmocka_unit_test(test_end_of_match),
        cmocka_unit_test(test_silence_stops_a_robot),
        cmocka_unit_test(test_commands_are_clamped),
        cmocka_unit_test(test_encoders),
        cmocka_unit_test(test_nan_is_no_command),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_two_outtakes_at_once),
        cmocka_unit_test(test_outtake_of_an_empty_goal),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_lidar_loses_nothing),
        cmocka_unit_test(test_lidar_noise),
        cmocka_unit_test(test_same_seed_same_match),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
