// What a step of a match costs: 10 ms, six robots driving at random, twenty balls, two lidars of 80 rays a
// step, with real motors and with ideal ones; and the same without lidars.
//
//   bench_match [FOLDER OF THE WORLDS]
#include <halyard/match.h>

#include <string.h>

#include "measure.h"

#define ROUNDS      31
#define ROUND_STEPS 2000
#define NEW_DRIVE   50
#define GOAL_US     28.0

/// Time of this program on its core: a busy machine next to it does not count.
static double cpu_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/// Driving as players do: mostly forward, turning either way, intakes running.
static void choose_drives(hy_match *match, unsigned players, hy_chance *chance, int64_t now_us)
{
    for (unsigned i = 1; i <= players; i++) {
        const int both = (int)hy_chance_below(chance, 900) - 350;
        const int apart = (int)hy_chance_below(chance, 400) - 200;
        const hy_icd_commands commands = { .left_drive = both - apart,
                                           .right_drive = both + apart,
                                           .intake_center = HY_ICD_FULL,
                                           .intake_left = HY_ICD_FULL,
                                           .intake_right = HY_ICD_FULL,
                                           .tube = (int)hy_chance_below(chance, 2) * 256 };
        hy_match_command(match, i, &commands, now_us);
    }
}

typedef struct {
    double step_us;
    double touching; ///< Share of the robots that touch something.
} cost;

static cost measure(const hy_match_model *model, uint64_t seed)
{
    hy_match *match = hy_match_start(model, &(hy_match_options){ .seed = seed });
    hy_chance chance = hy_chance_seeded(seed);
    double ns[ROUNDS];
    int64_t now_us = 0;
    long touching = 0, looks = 0;
    if (match == NULL) {
        fputs("bench_match: no memory\n", stderr);
        exit(1);
    }
    for (int round = -1; round < ROUNDS; round++) { // the first to the middle of things
        double spent_ns = 0;
        for (int step = 0; step < ROUND_STEPS; step += NEW_DRIVE) {
            choose_drives(match, hy_match_players(model), &chance, now_us);
            const double from_ns = cpu_now_ns();
            for (int i = 0; i < NEW_DRIVE; i++) {
                now_us += HY_MATCH_STEP_US;
                hy_match_step(match, now_us);
            }
            spent_ns += cpu_now_ns() - from_ns;
            for (unsigned i = 1; i <= hy_match_players(model); i++, looks++) {
                touching += hy_world_truth(hy_match_world(model), hy_match_world_state(match),
                                           hy_match_vehicle(model, i))
                                .touching;
            }
        }
        if (round >= 0) {
            ns[round] = spent_ns / ROUND_STEPS;
        }
    }
    hy_match_end(match);
    return (cost){ measure_median(ns, ROUNDS) / 1000, (double)touching / (double)looks };
}

static cost measure_drive(const char *path, hy_world_drive drive)
{
    const hy_match_setup setup = { .drive = drive };
    hy_match_model *model;
    hy_world_error error;
    if (hy_match_load(path, &setup, &model, &error) != HY_OK) {
        fprintf(stderr, "bench_match: %s\n", error.text);
        exit(1);
    }
    const cost result = measure(model, 1);
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
    return 0;
}
