// Whole matches and minutes of driving in the XRP's worlds give the same hashes whatever the compiler, its
// optimisation and the target: 16 hashes that native code and WebAssembly agreed on before the match was
// rewritten in SI units. The driving is that of bench_match and bench_world.
//
// When a change of the physics is meant: HALYARD_WRITE_GOLDEN=1 writes the file anew.
#include <stdlib.h>

#include "ideal_world.h"
#include "match_bench.h"
#include "match_drives.h"

#define GOLDEN       HALYARD_TEST_DATA "/golden/match_hash.txt"
#define NEW_DRIVE    50
#define NEW_DRIVE_US 500000
#define WORLD_US     60000000

typedef struct {
    char text[2048];
    size_t length;
} lines;

static void append_line(lines *out, const char *name, int step, uint64_t hash)
{
    const int more = snprintf(out->text + out->length, sizeof out->text - out->length,
                              "%s %d %016llx\n", name, step, (unsigned long long)hash);
    assert_true(more > 0 && (size_t)more < sizeof out->text - out->length);
    out->length += (size_t)more;
}

// --------------------------------------------------------------------------- matches

static void append_match(lines *out, const hy_match_model *model, const char *name, uint64_t seed)
{
    const hy_match_options options = { .seed = seed, .lidar_noise_m = 0.01 };
    hy_match *match = NULL;
    (void)hy_match_open(model, &options, &match);
    assert_non_null(match);
    hy_random random = hy_random_seeded(seed);
    for (int step = 0; step < HY_MATCH_SECONDS * 100; step++) {
        const int64_t now_us = step * (int64_t)HY_MATCH_STEP_US;
        if (step % NEW_DRIVE == 0) {
            choose_drives(match, hy_match_players(model), &random, now_us);
        }
        hy_match_step(match, now_us + HY_MATCH_STEP_US);
        if (step + 1 == 100 || step + 1 == 1000 || step + 1 == HY_MATCH_SECONDS * 100) {
            append_line(out, name, step + 1, hy_match_hash(match));
        }
    }
    hy_match_close(match);
}

static void append_matches(lines *out, hy_world_drive drive, const char *const names[2])
{
    match_bench b = match_bench_2020(drive);
    append_match(out, b.model, names[0], 1);
    append_match(out, b.model, names[1], 2);
    match_bench_end(&b);
}

// --------------------------------------------------------------------------- worlds

static void append_world(lines *out, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/../worlds/%s.yaml", HALYARD_TEST_DATA, name);
    hy_world_model *model;
    hy_world_error error = { "" };
    if (ideal_world_load(path, false, &model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_world_state *world = NULL;
    (void)hy_world_open(model, 1, &world);
    assert_non_null(world);
    hy_random random = hy_random_seeded(1);
    hy_world_input input = { 0 };
    for (int64_t now_us = 0; now_us < WORLD_US; now_us += hy_world_describe(model).step_us) {
        if (now_us % NEW_DRIVE_US == 0) {
            const double both = hy_random_unit(&random) * 1.6 - 0.5;
            const double apart = hy_random_unit(&random) - 0.5;
            input.vehicle[0].motor_duty[0] = both - apart;
            input.vehicle[0].motor_duty[1] = -(both + apart);
        }
        hy_world_step(model, world, &input);
    }
    append_line(out, name, (int)hy_world_steps(world), hy_world_hash(world));
    hy_world_close(world);
    hy_world_free(model);
}

// --------------------------------------------------------------------------- the comparison

static void write_golden(const lines *got)
{
    FILE *file = fopen(GOLDEN, "w");
    assert_non_null(file);
    assert_true(fputs(got->text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_hashes(void **state)
{
    (void)state;
    lines got = { "", 0 };
    append_matches(&got, HY_WORLD_DRIVE_DCMOTOR, (const char *const[]){ "dcmotor-1", "dcmotor-2" });
    append_matches(&got, HY_WORLD_DRIVE_IDEAL, (const char *const[]){ "ideal-1", "ideal-2" });
    append_world(&got, "xrp-arena");
    append_world(&got, "xrp-open");
    append_world(&got, "xrp-line");
    append_world(&got, "xrp-course");
    if (getenv("HALYARD_WRITE_GOLDEN") != NULL) {
        write_golden(&got);
    }
    FILE *file = fopen(GOLDEN, "r");
    assert_non_null(file);
    char expected[sizeof got.text] = "";
    expected[fread(expected, 1, sizeof expected - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(got.text, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_hashes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
