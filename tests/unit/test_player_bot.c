// A bot plays whole matches on the field of 2020, alone, with a lidar that is 2 cm wrong, from other places each time: it scores, for
// either alliance, and does not lean on walls.
#include <halyard/player.h>

#include "environment.h"
#include "match_bench.h"
#include "scene/scene.h"

#define SEEDS        (is_long_run() ? 10 : 1)
#define WALLS_MAX    512
#define LEAN_STEPS   200 // 2 s
#define NOISE_M      0.02
#define MATCH_STEPS  (HY_MATCH_SECONDS * 100)
#define SCORE_LEAST  5
#define MOVED_MOST_M 0.5 // from the starting place of the file, along each side of the field

typedef struct {
    uint64_t seed;
    unsigned player;
    hy_player_skill skill;
} game;

typedef struct {
    int score, other_score;
    int leaned_steps; // the longest time in touch with anything that does not move
    unsigned held_most;
} outcome;

static hy_match_spec spec_of(const game *it)
{
    hy_match_spec spec = match_bench_read(FIELD_2020);
    hy_world_error error;
    assert_int_equal(hy_match_spec_set_players(&spec, it->player, &error), HY_OK);
    assert_true(hy_match_spec_add_lidar(&spec, it->player));
    hy_random random = hy_random_seeded(it->seed);
    hy_vehicle_spec *const robot = &spec.world.vehicle[it->player - 1];
    robot->start_x_m += 2.0 * MOVED_MOST_M * (hy_random_unit(&random) - 0.5);
    robot->start_y_m += 2.0 * MOVED_MOST_M * (hy_random_unit(&random) - 0.5);
    robot->start_heading_rad += hy_random_unit(&random) - 0.5;
    return spec;
}

static hy_player_bot *bot_for(const hy_match_model *model, hy_player_skill skill)
{
    static hy_segment walls[WALLS_MAX];
    const hy_player_field field = {
        .walls = walls,
        .wall_count = hy_match_walls(model, walls, WALLS_MAX),
        .goal = { [HY_ALLIANCE_BLUE] = hy_match_goal(model, HY_ALLIANCE_BLUE),
                  [HY_ALLIANCE_RED] = hy_match_goal(model, HY_ALLIANCE_RED) },
        .ball_radius_m = hy_world_describe(hy_match_world(model)).piece_radius_m,
    };
    assert_in_range(field.wall_count, 1, WALLS_MAX);
    hy_player_bot *const bot = hy_player_bot_open(&field, skill);
    assert_non_null(bot);
    return bot;
}

static hy_icd_commands drive(hy_player_bot *bot, const hy_match *match, unsigned player,
                             int64_t now_us)
{
    hy_match_sensors sensors;
    hy_icd_sensors message;
    hy_match_read_sensors(match, player, &sensors);
    hy_icd_sensors_from_match(&sensors, &message);
    message.ingested = 0; // the document's form of the message does not have it
    return hy_player_bot_drive(bot, &message, true, now_us);
}

static outcome play(const game *it)
{
    hy_match_spec spec = spec_of(it);
    match_bench b = match_bench_start(&spec);
    hy_match_restart(b.match, &(hy_match_options){ .seed = it->seed, .lidar_noise_m = NOISE_M });
    hy_player_bot *const bot = bot_for(b.model, it->skill);
    outcome out = { 0 };
    int leaned = 0;
    for (int step = 0; step < MATCH_STEPS; step++) {
        const hy_icd_commands commands = drive(bot, b.match, it->player, b.now_us);
        b.commands[it->player - 1] = hy_match_commands_from_icd(&commands);
        match_bench_run(&b, 1);
        leaned = b.seen.in_collision ? leaned + 1 : 0;
        out.leaned_steps = leaned > out.leaned_steps ? leaned : out.leaned_steps;
        const unsigned held = hy_player_bot_describe(bot).balls_held;
        out.held_most = held > out.held_most ? held : out.held_most;
    }
    const bool is_blue = it->player % 2 == 1;
    out.score = is_blue ? b.seen.blue_score : b.seen.red_score;
    out.other_score = is_blue ? b.seen.red_score : b.seen.blue_score;
    hy_player_bot_close(bot);
    match_bench_end(&b);
    return out;
}

static void test_a_hard_bot_scores(void **state)
{
    (void)state;
    const int seeds = SEEDS;
    int sum = 0;
    for (int seed = 1; seed <= seeds; seed++) {
        const outcome out = play(&(game){ (uint64_t)seed, 1, HY_PLAYER_HARD });
        print_message("seed %d: %d balls, %.2f s at a wall at most\n", seed, out.score,
                      out.leaned_steps * 0.01);
        assert_true(out.score >= SCORE_LEAST);
        assert_int_equal(out.other_score, 0);
        assert_true(out.leaned_steps <= LEAN_STEPS);
        sum += out.score;
    }
    assert_true(sum > 2 * seeds * SCORE_LEAST);
}

static void test_a_red_one_scores_for_red(void **state)
{
    (void)state;
    const outcome out = play(&(game){ 1, 2, HY_PLAYER_HARD });
    assert_true(out.score >= SCORE_LEAST);
    assert_int_equal(out.other_score, 0);
}

static void test_an_easy_bot_scores_less(void **state)
{
    (void)state;
    const int easy = play(&(game){ 2, 1, HY_PLAYER_EASY }).score;
    const int hard = play(&(game){ 2, 1, HY_PLAYER_HARD }).score;
    assert_in_range(easy, 1, hard - 1);
}

// Without a pose it stands, and after a state that makes no sense it goes on.
static void test_states_without_sense(void **state)
{
    (void)state;
    match_bench b = match_bench_of(FIELD_2020);
    hy_player_bot *const bot = bot_for(b.model, HY_PLAYER_HARD);
    const hy_icd_sensors blind = { 0 };
    const hy_icd_commands none = hy_player_bot_drive(bot, &blind, true, 0);
    assert_int_equal(none.left_drive, 0);
    assert_int_equal(none.right_drive, 0);
    hy_lidar_point points[] = { { .azimuth_rad = NAN, .range_m = NAN },
                                { .azimuth_rad = 1e9, .range_m = 1e9 },
                                { .azimuth_rad = 0, .range_m = 1 } };
    hy_icd_sensors wild = { .has_pose = true, .x_m = 1e9, .y_m = -1e9, .theta_rad = 1e9 };
    wild.lidar = (hy_icd_lidar){ points, 3 };
    for (int64_t now_us = 10000; now_us < 1000000; now_us += 10000) {
        const hy_icd_commands out = hy_player_bot_drive(bot, &wild, true, now_us);
        assert_in_range(out.left_drive + HY_ICD_FULL * 2, 0, HY_ICD_FULL * 4);
    }
    hy_player_bot_close(bot);
    match_bench_end(&b);
}

static void test_fields_that_are_none(void **state)
{
    (void)state;
    assert_null(hy_player_bot_open(&(hy_player_field){ 0 }, HY_PLAYER_EASY));
    const hy_segment endless = { { 0, 0 }, { INFINITY, 0 } }, far = { { 0, 0 }, { 1e6, 0 } };
    assert_null(
        hy_player_bot_open(&(hy_player_field){ &endless, 1, { { 0, 0 } }, 0.1 }, HY_PLAYER_EASY));
    assert_null(hy_player_bot_open(&(hy_player_field){ &far, 1, { { 0, 0 } }, 0.1 }, HY_PLAYER_EASY));
    hy_player_bot_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_hard_bot_scores),
        cmocka_unit_test(test_a_red_one_scores_for_red),
        cmocka_unit_test(test_an_easy_bot_scores_less),
        cmocka_unit_test(test_states_without_sense),
        cmocka_unit_test(test_fields_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
