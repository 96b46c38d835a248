// What a step of a match costs: 10 ms, six robots driving at random, twenty balls, two lidars of 80 rays a
// step, with real motors and with ideal ones. The same match is played several times, and of each of its
// rounds the least time counts: what other programs on the machine take away is not the match's. Last, what a step costs
// in real time, where 10 ms of sleep lie before each: other programs have had the processor and its caches meanwhile.
//
//   bench_match [FOLDER OF THE WORLDS]
#include <halyard/worldfile.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../tests/support/match_drives.h"
#include "measure.h"

#define REPEATS     6
#define ROUNDS      20
#define ROUND_STEPS 1000
#define NEW_DRIVE   50
#define GOAL_US     28.0
#define COLD_STEPS  300

typedef struct {
    double step_us;
    double cold_us;  ///< The same after a sleep.
    double touching; ///< Share of the robots that touch something.
} cost;

static double play_round(const hy_match_model *model, hy_match *match, hy_random *random,
                         int64_t *now_us, double *touching)
{
    const unsigned players = hy_match_players(model);
    double spent_ns = 0;
    long touches = 0;
    for (int step = 0; step < ROUND_STEPS; step += NEW_DRIVE) {
        choose_drives(match, players, random, *now_us);
        const double from_ns = measure_cpu_ns();
        for (int i = 0; i < NEW_DRIVE; i++) {
            *now_us += HY_MATCH_STEP_US;
            hy_match_step(match, *now_us);
        }
        spent_ns += measure_cpu_ns() - from_ns;
        for (unsigned i = 1; i <= players; i++) {
            touches += hy_world_truth(hy_match_world(model), hy_match_world_state(match),
                                      hy_match_vehicle(model, i))
                           .touching;
        }
    }
    *touching += (double)touches / ((double)ROUND_STEPS / NEW_DRIVE * players) / ROUNDS;
    return spent_ns / ROUND_STEPS;
}

static cost measure(const hy_match_model *model, uint64_t seed)
{
    const int repeats = measure_repeats(REPEATS);
    double least_ns[ROUNDS], sum_ns = 0, touching = 0;
    for (int repeat = 0; repeat < repeats; repeat++) {
        hy_match *match = NULL;
        (void)hy_match_open(model, &(hy_match_options){ .seed = seed }, &match);
        hy_random random = hy_random_seeded(seed);
        int64_t now_us = 0;
        touching = 0;
        if (match == NULL) {
            fputs("bench_match: no memory\n", stderr);
            exit(1);
        }
        for (int round = 0; round < ROUNDS; round++) {
            const double ns = play_round(model, match, &random, &now_us, &touching);
            least_ns[round] = repeat == 0 || ns < least_ns[round] ? ns : least_ns[round];
        }
        hy_match_close(match);
    }
    for (int round = 0; round < ROUNDS; round++) {
        sum_ns += least_ns[round];
    }
    return (cost){ .step_us = sum_ns / ROUNDS / 1000, .touching = touching };
}

static int compare(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/// The median of steps that each come after a sleep.
static double measure_cold(const hy_match_model *model)
{
    static double spent_ns[COLD_STEPS];
    hy_match *match = NULL;
    (void)hy_match_open(model, &(hy_match_options){ .seed = 1 }, &match);
    hy_random random = hy_random_seeded(1);
    int64_t now_us = 0;
    if (match == NULL) {
        fputs("bench_match: no memory\n", stderr);
        exit(1);
    }
    for (int step = 0; step < COLD_STEPS; step++) {
        if (step % NEW_DRIVE == 0) {
            choose_drives(match, hy_match_players(model), &random, now_us);
        }
        nanosleep(&(struct timespec){ .tv_nsec = HY_MATCH_STEP_US * 1000 }, NULL);
        now_us += HY_MATCH_STEP_US;
        const double from_ns = measure_cpu_ns();
        hy_match_step(match, now_us);
        spent_ns[step] = measure_cpu_ns() - from_ns;
    }
    hy_match_close(match);
    qsort(spent_ns, COLD_STEPS, sizeof *spent_ns, compare);
    return spent_ns[COLD_STEPS / 2] / 1000;
}

static cost measure_drive(const char *path, hy_world_drive drive)
{
    hy_match_spec spec;
    hy_match_model *model = NULL;
    hy_world_error error;
    if (hy_worldfile_read_match(path, &spec, &error) == HY_OK) {
        hy_world_spec_set_drive(&spec.world, drive);
        (void)hy_match_compile(&spec, &model, &error);
    }
    hy_match_spec_free(&spec);
    if (model == NULL) {
        fprintf(stderr, "bench_match: %s\n", error.text);
        exit(1);
    }
    cost result = measure(model, 1);
    result.cold_us = measure_cold(model);
    hy_match_free(model);
    return result;
}

int main(int count, char **arguments)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/field2020.yaml", count > 1 ? arguments[1] : "worlds");
    const cost real = measure_drive(path, HY_WORLD_DRIVE_DCMOTOR);
    const cost ideal = measure_drive(path, HY_WORLD_DRIVE_IDEAL);
    printf(
        "match step, 6 robots, 20 balls, 2 lidars: dcmotor %5.1f us (touching %2.0f %%); goal %.0f "
        "us: %s\n",
        real.step_us, 100 * real.touching, GOAL_US, real.step_us <= GOAL_US ? "reached" : "MISSED");
    printf("                                          ideal   %5.1f us (touching %2.0f %%)\n",
           ideal.step_us, 100 * ideal.touching);
    printf("after 10 ms of sleep (median of %d):      dcmotor %5.1f us, ideal %5.1f us\n",
           COLD_STEPS, real.cold_us, ideal.cold_us);
    return 0;
}
