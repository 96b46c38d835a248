// The player that plays by itself scores with motors and with the ideal drive, for both alliances, however late
// its commands take effect and whatever time it starts at.
#include <halyard/player.h>

#include "match_bench.h"
#include "scene/scene.h"

#define SECONDS   10
#define DELAY_MAX 8 ///< Steps from a state to the commands that it led to.

typedef struct {
    hy_world_drive drive;
    unsigned player;
    int delay;
    int start; ///< Steps that the match has run before.
} play;

/// Plays for ten seconds; the time of the score in steps, or -1.
static int steps_to_score(const play *how)
{
    hy_match_spec spec = match_bench_read(FIELD_2020);
    hy_world_error error;
    hy_world_spec_set_drive(&spec.world, how->drive);
    assert_int_equal(hy_match_spec_set_players(&spec, 2, &error), HY_OK);
    match_bench b = match_bench_start(&spec);
    match_bench_run(&b, how->start);
    hy_player_demo demo = { .stages = hy_player_one_ball };
    hy_match_commands late[DELAY_MAX + 1] = { { 0 } };
    int scored = -1;
    for (int step = 0; step < SECONDS * 100; step++) {
        hy_match_sensors sensors;
        hy_icd_sensors message;
        hy_match_read_sensors(b.match, how->player, &sensors);
        hy_icd_sensors_from_match(&sensors, &message);
        const hy_icd_commands commands = hy_player_demo_drive(&demo, &message, true, b.now_us);
        late[step % (how->delay + 1)] = hy_match_commands_from_icd(&commands);
        b.commands[how->player - 1] = late[(step + 1) % (how->delay + 1)];
        match_bench_run(&b, 1);
        if (scored < 0 && b.seen.blue_score + b.seen.red_score > 0) {
            scored = step;
        }
    }
    const bool is_over = hy_player_demo_is_over(&demo);
    const int right = how->player % 2 == 1 ? b.seen.blue_score : b.seen.red_score;
    match_bench_end(&b);
    return is_over && right == 1 ? scored : -1;
}

static void test_it_scores(void **state)
{
    (void)state;
    for (hy_world_drive drive = HY_WORLD_DRIVE_IDEAL; drive <= HY_WORLD_DRIVE_DCMOTOR; drive++) {
        for (unsigned player = 1; player <= 2; player++) {
            for (int delay = 0; delay <= DELAY_MAX; delay += 2) {
                const play how = { drive, player, delay, 7 * delay };
                const int scored = steps_to_score(&how);
                assert_in_range(scored, 1, 700);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_it_scores) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
