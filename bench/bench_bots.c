// What six hard bots cost in a whole match on the field of 2020, beside the match that they play: processor time of one core. Last, the
// score of both alliances together over all matches, which tells whether a change of the bots made them worse.
//
//   bench_bots [MATCHES]
#include <halyard/player.h>
#include <halyard/worldfile.h>

#include <math.h>

#include "measure.h"
#include "scene/scene.h"

#define MATCHES     3
#define MATCHES_MAX 10000
#define PLAYERS     6
#define WALLS_MAX   512
#define MATCH_STEPS (HY_MATCH_SECONDS * 1000000 / HY_MATCH_STEP_US)
#define NOISE_M     0.02 // of the lidars
#define GOAL_S      0.5

typedef struct {
    double bots_ns, world_ns, score;
} game;

static hy_match_model *load_match(void)
{
    hy_match_spec spec;
    hy_match_model *model = NULL;
    hy_world_error error = { .text = "no memory" };
    bool is_read = hy_worldfile_read_match("worlds/field2020.yaml", &spec, &error) == HY_OK;
    for (unsigned player = 1; player <= PLAYERS && is_read; player++) {
        is_read = hy_match_spec_add_lidar(&spec, player);
    }
    if (!is_read || hy_match_compile(&spec, &model, &error) != HY_OK) {
        (void)fprintf(stderr, "bench_bots: %s\n", error.text);
        exit(1);
    }
    hy_match_spec_free(&spec);
    return model;
}

static hy_player_bot *make_bot(const hy_match_model *model)
{
    static hy_segment walls[WALLS_MAX];
    const hy_player_field field = {
        .walls = walls,
        .wall_count = hy_match_walls(model, walls, WALLS_MAX),
        .goal = { [HY_ALLIANCE_BLUE] = hy_match_goal(model, HY_ALLIANCE_BLUE),
                  [HY_ALLIANCE_RED] = hy_match_goal(model, HY_ALLIANCE_RED) },
        .ball_radius_m = hy_world_describe(hy_match_world(model)).piece_radius_m,
    };
    return hy_player_bot_open(&field, HY_PLAYER_HARD);
}

static void play_step(hy_match *match, hy_player_bot *const *bots, int64_t now_us, game *out)
{
    static hy_match_sensors sensors[PLAYERS];
    hy_icd_sensors messages[PLAYERS];
    hy_icd_commands commands[PLAYERS];
    for (unsigned i = 0; i < PLAYERS; i++) {
        hy_match_read_sensors(match, i + 1, &sensors[i]);
        hy_icd_sensors_from_match(&sensors[i], &messages[i]);
    }
    const double from_ns = measure_cpu_ns();
    for (unsigned i = 0; i < PLAYERS; i++) {
        commands[i] = hy_player_bot_drive(bots[i], &messages[i], true, now_us);
    }
    const double played_ns = measure_cpu_ns();
    for (unsigned i = 0; i < PLAYERS; i++) {
        const hy_match_commands out_of_it = hy_match_commands_from_icd(&commands[i]);
        hy_match_command(match, i + 1, &out_of_it, now_us);
    }
    hy_match_step(match, now_us);
    out->bots_ns += played_ns - from_ns;
    out->world_ns += measure_cpu_ns() - played_ns;
}

static game play(const hy_match_model *model, uint64_t seed)
{
    game out = { 0 };
    hy_match_state seen;
    hy_player_bot *bots[PLAYERS];
    hy_match *match = NULL;
    (void)hy_match_open(model, &(hy_match_options){ .seed = seed, .lidar_noise_m = NOISE_M }, &match);
    bool is_ready = match != NULL;
    for (unsigned i = 0; i < PLAYERS; i++) {
        bots[i] = make_bot(model);
        is_ready = is_ready && bots[i] != NULL;
    }
    if (!is_ready) {
        (void)fputs("bench_bots: no memory\n", stderr);
        exit(1);
    }
    for (int64_t step = 1; step <= MATCH_STEPS; step++) {
        play_step(match, bots, step * HY_MATCH_STEP_US, &out);
    }
    hy_match_read_state(match, &seen);
    out.score = seen.blue_score + seen.red_score;
    for (unsigned i = 0; i < PLAYERS; i++) {
        hy_player_bot_close(bots[i]);
    }
    hy_match_close(match);
    return out;
}

int main(int count, char **arguments)
{
    static double bots_s[MATCHES_MAX], world_s[MATCHES_MAX];
    const int matches = count > 1 ? atoi(arguments[1]) : measure_repeats(MATCHES);
    double sum = 0, squares = 0;
    if (matches < 1 || matches > MATCHES_MAX) {
        (void)fprintf(stderr, "bench_bots: 1 to %d matches\n", MATCHES_MAX);
        return 2;
    }
    hy_match_model *const model = load_match();
    for (int i = 0; i < matches; i++) {
        const game it = play(model, (uint64_t)i + 1);
        bots_s[i] = it.bots_ns * 1e-9;
        world_s[i] = it.world_ns * 1e-9;
        sum += it.score;
        squares += it.score * it.score;
    }
    hy_match_free(model);
    const double mean = sum / matches;
    const double error = matches > 1 ? sqrt((squares - sum * mean) / (matches - 1.0) / matches) : NAN;
    printf("a match of six bots, %d s (median of %d): bots %.2f s (goal %.1f), world %.2f s\n",
           HY_MATCH_SECONDS, matches, measure_median(bots_s, (size_t)matches), GOAL_S,
           measure_median(world_s, (size_t)matches));
    printf("balls scored in a match:                   %.1f, standard error %.2f\n", mean, error);
    return 0;
}
