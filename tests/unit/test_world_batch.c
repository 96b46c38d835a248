// Worlds of a batch beside worlds of their own: the same bits on every path, whatever they drive into.
#include <math.h>
#include <stdio.h>

#include "batch.h"
#include "cmocka_all.h"
#include "environment.h"
#include "ideal_world.h"
#include "lanes/processor.h"

#define WORLDS 37 // no whole number of groups, nor of those that take a step together
#define STEPS  (is_long_run() ? 1000 : 400)

static hy_world_model *load(const char *name, const hy_robot_traits *traits)
{
    char path[256];
    hy_world_model *model = NULL;
    hy_world_error error;
    snprintf(path, sizeof path, HALYARD_TEST_DATA "/../worlds/%s.yaml", name);
    if (ideal_world_load_traits(path, traits, &model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    return model;
}

static hy_world_model *load_ideal(const char *name)
{
    hy_robot_traits ideal;
    hy_robot_traits_ideal(&ideal);
    return load(name, &ideal);
}

/// All deviations, those of a bridge that coasts among them.
static hy_world_model *load_typical(const char *name)
{
    hy_robot_traits typical;
    hy_robot_traits_typical(&typical);
    typical.decay = HY_DECAY_COAST;
    typical.battery_ah = 0.002; // it empties during the test
    typical.spikes_per_s = 2;
    return load(name, &typical);
}

/// Driving that is often at a wall: mostly forward, turning either way; now and then a header's motor, a servo, the LED, NaN.
static hy_actuators choose(hy_random *random)
{
    const double both = hy_random_unit(random) * 2.4 - 0.7;
    const double apart = hy_random_unit(random) - 0.5;
    hy_actuators actuators = { .motor_duty = { both - apart, -(both + apart) } };
    switch (hy_random_below(random, 8)) {
    case 0: actuators.motor_duty[2] = hy_random_unit(random); break;
    case 1: actuators.servo_pulse_us[1] = 500 + 2000 * hy_random_unit(random); break;
    case 2: actuators.led = true; break;
    case 3: actuators.motor_duty[0] = (double)NAN; break;
    case 4: actuators = (hy_actuators){ .led = false }; break;
    default: break;
    }
    return actuators;
}

typedef struct {
    const hy_world_model *model;
    hy_world_state *alone[WORLDS];
    hy_world_input input[WORLDS];
    hy_world_batch *batch;
    uint64_t seed[WORLDS];
    hy_random random;
    long touching;
} race;

static race start(const hy_world_model *model, const hy_xrp_path *path)
{
    race r = { .model = model, .random = hy_random_seeded(7) };
    for (size_t i = 0; i < WORLDS; i++) {
        r.seed[i] = 100 + i;
        assert_int_equal(hy_world_open(model, r.seed[i], &r.alone[i]), HY_OK);
    }
    assert_int_equal(hy_batch_open(model, r.seed, WORLDS, path, &r.batch), HY_OK);
    return r;
}

static void finish(race *r)
{
    for (size_t i = 0; i < WORLDS; i++) {
        hy_world_close(r->alone[i]);
    }
    hy_world_batch_close(r->batch);
}

static void drive(race *r, size_t i)
{
    if (hy_random_below(&r->random, 40) == 0) {
        r->input[i].vehicle[0] = choose(&r->random);
        r->input[i].button[0] = hy_random_below(&r->random, 2) != 0;
        hy_world_batch_set(r->batch, i, &r->input[i].vehicle[0], r->input[i].button[0]);
    }
    if (hy_random_below(&r->random, 4000) == 0) {
        r->input[i] = (hy_world_input){ .button = { false } };
        hy_world_restart(r->model, r->alone[i], ++r->seed[i]);
        hy_world_batch_restart(r->batch, i, r->seed[i]);
    }
}

static void compare(race *r, size_t i)
{
    const hy_world_state *const of_batch = hy_world_batch_look(r->batch, i);
    const hy_world_pose pose = hy_world_batch_pose(r->batch, i);
    const hy_truth wanted = hy_world_truth(r->model, r->alone[i], 0);
    const hy_truth got = hy_world_truth(r->model, of_batch, 0);
    assert_int_equal(hy_world_steps(of_batch), hy_world_steps(r->alone[i]));
    assert_true(pose.x_m == wanted.x_m && pose.y_m == wanted.y_m);
    assert_true(pose.heading_rad == wanted.heading_rad && pose.touching == wanted.touching);
    assert_true(got.battery_v == wanted.battery_v && got.range_m == wanted.range_m);
    assert_true(got.touching_field == wanted.touching_field && got.led == wanted.led);
    assert_int_equal(hy_world_hash(of_batch), hy_world_hash(r->alone[i]));
    r->touching += wanted.touching;
}

static void run(race *r)
{
    const int steps = STEPS;
    for (int step = 0; step < steps; step++) {
        for (size_t i = 0; i < WORLDS; i++) {
            drive(r, i);
            hy_world_step(r->model, r->alone[i], &r->input[i]);
        }
        hy_world_batch_step(r->batch);
        for (size_t i = 0; i < WORLDS; i++) {
            compare(r, i);
        }
    }
}

/// Every path that was built and that the processor has, and no path.
static void run_on_every_path(hy_world_model *model, bool has_walls)
{
    const hy_xrp_path *paths[HY_XRP_PATHS];
    const size_t count = hy_xrp_paths(paths);
    assert_int_equal(count, 1 + (hy_xrp_avx2.step != NULL && hy_has_avx2()) +
                                (hy_xrp_avx512.step != NULL && hy_has_avx512()));
    assert_ptr_equal(paths[count - 1], &hy_xrp_baseline); // for every processor
    assert_true(hy_xrp_lanes_fit(model));
    for (size_t p = 0; p <= count; p++) {
        race r = start(model, p < count ? paths[p] : NULL);
        assert_string_equal(hy_world_batch_path(r.batch), p < count ? paths[p]->name : "one by one");
        run(&r);
        assert_true(has_walls ? r.touching > WORLDS : r.touching == 0);
        finish(&r);
    }
    hy_world_free(model);
}

static void test_every_path_gives_the_bits_of_single_worlds(void **state)
{
    (void)state;
    run_on_every_path(load_ideal("xrp-open"), false);
    run_on_every_path(load_ideal("xrp-arena"), true);
    run_on_every_path(load_ideal("xrp-line"), true);
}

static void test_every_path_gives_the_bits_of_typical_robots(void **state)
{
    (void)state;
    run_on_every_path(load_typical("xrp-arena"), true);
}

static void test_worlds_with_regions_go_one_by_one(void **state)
{
    (void)state;
    hy_world_model *const model = load_ideal("xrp-dusty");
    assert_false(hy_xrp_lanes_fit(model));
    race r = start(model, NULL);
    run(&r);
    finish(&r);
    hy_world_free(model);
}

static void test_what_a_batch_refuses(void **state)
{
    (void)state;
    static const uint64_t seeds[1] = { 1 };
    hy_world_model *const open = load_ideal("xrp-open");
    hy_world_batch *batch = (hy_world_batch *)(void *)&batch;
    assert_int_equal(hy_world_batch_open(open, seeds, 0, &batch), HY_ERANGE);
    assert_null(batch);
    assert_int_equal(hy_world_batch_open(open, seeds, HY_WORLD_BATCH_MAX + 1, &batch), HY_ERANGE);
    assert_null(batch);
    hy_world_batch_close(NULL);
    hy_world_free(open);
    hy_world_model *const match = load_ideal("field2020");
    assert_int_equal(hy_world_batch_open(match, seeds, 1, &batch), HY_ERANGE);
    hy_world_free(match);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_path_gives_the_bits_of_single_worlds),
        cmocka_unit_test(test_every_path_gives_the_bits_of_typical_robots),
        cmocka_unit_test(test_worlds_with_regions_go_one_by_one),
        cmocka_unit_test(test_what_a_batch_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
