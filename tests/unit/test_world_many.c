// Several vehicles in a world, several worlds in a process, and no allocation while stepping.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "world_bench.h"

// --------------------------------------------------------------------------- allocations

// The linker sends the C library's allocators here (--wrap): every one of our own is seen. The
// engine takes its memory by aligned_alloc(), which is its own business.
static atomic_int allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __real_calloc(count, size);
}
void *__wrap_realloc(void *memory, size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __real_realloc(memory, size);
}

// Also the engine's, which is a static library.
static atomic_int clock_reads;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    atomic_fetch_add(&clock_reads, 1);
    return __real_clock_gettime(clock, now);
}

static void drive_wildly(world_bench *b, hy_random *random, int steps)
{
    const size_t vehicles = hy_world_describe(b->model).vehicles;
    for (int i = 0; i < steps; i++) {
        for (size_t k = 0; k < vehicles && i % 25 == 0; k++) {
            world_bench_drive(b, k, hy_random_unit(random) * 2 - 0.6,
                              hy_random_unit(random) * 2 - 0.6);
            b->input.vehicle[k].servo_pulse_us[0] = 500 + hy_random_unit(random) * 2000;
            b->input.vehicle[k].motor_duty[2] = hy_random_unit(random);
        }
        world_bench_step(b);
    }
}

static void test_stepping_allocates_nothing(void **state)
{
    (void)state;
    world_bench b = world_bench_file("xrp-arena.yaml");
    assert_true(atomic_load(&allocations) > 0); // loading did: the counter works
    hy_random random = hy_random_seeded(3);
    atomic_store(&allocations, 0);
    drive_wildly(&b, &random, 20000);
    const hy_truth truth = world_bench_truth(&b);
    (void)hy_world_hash(b.state);
    assert_int_equal(atomic_load(&allocations), 0);
    assert_true(truth.wheel_counts[0] > 1000);
    world_bench_end(&b);
}

static void test_stepping_reads_no_clock(void **state)
{
    (void)state;
    world_bench b = world_bench_file("xrp-arena.yaml");
    hy_random random = hy_random_seeded(4);
    struct timespec now;
    atomic_store(&clock_reads, 0);
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    assert_int_equal(atomic_load(&clock_reads), 1); // the counter works
    drive_wildly(&b, &random, 2000);
    assert_int_equal(atomic_load(&clock_reads), 1);
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- equal worlds

static void test_equal_inputs_equal_states(void **state)
{
    (void)state;
    world_bench a = world_bench_file("xrp-arena.yaml");
    world_bench b = world_bench_file("xrp-arena.yaml");
    hy_random for_a = hy_random_seeded(5), for_b = hy_random_seeded(5);
    for (int i = 0; i < 100; i++) { // in turns, so that one would notice the other
        drive_wildly(&a, &for_a, 100);
        drive_wildly(&b, &for_b, 100);
        assert_int_equal(hy_world_hash(a.state), hy_world_hash(b.state));
        assert_int_equal(hy_world_steps(a.state), (uint64_t)(i + 1) * 100);
    }
    // One model carries any number of states.
    hy_world_state *again = NULL;
    (void)hy_world_open(a.model, 1, &again);
    hy_world_state *fresh = NULL;
    (void)hy_world_open(b.model, 1, &fresh);
    hy_world_state *other = NULL;
    (void)hy_world_open(b.model, 2, &other);
    assert_int_equal(hy_world_hash(again), hy_world_hash(fresh));
    assert_int_not_equal(hy_world_hash(other), hy_world_hash(fresh));
    hy_world_close(again);
    hy_world_close(fresh);
    hy_world_close(other);
    world_bench_end(&a);
    world_bench_end(&b);
}

static void test_hash_sees_inputs(void **state)
{
    (void)state;
    world_bench a = world_bench_of(OPEN_XRP);
    world_bench b = world_bench_of(OPEN_XRP);
    world_bench_step(&a);
    world_bench_step(&b);
    assert_int_equal(hy_world_hash(a.state), hy_world_hash(b.state));
    b.input.button[0] = true;
    world_bench_step(&a);
    world_bench_step(&b);
    assert_int_not_equal(hy_world_hash(a.state), hy_world_hash(b.state));
    world_bench_end(&a);
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- many

#define EIGHT                                                                                 \
    "name: eight\nfloor: { width_m: 2, height_m: 2 }\nvehicles:\n" XRP_AT(0.4, 0.4, 0)        \
        XRP_AT(1.0, 0.4, 45) XRP_AT(1.6, 0.4, 90) XRP_AT(0.4, 1.0, 135) XRP_AT(1.6, 1.0, 180) \
            XRP_AT(0.4, 1.6, 225) XRP_AT(1.0, 1.6, 270) XRP_AT(1.6, 1.6, 315)

static void test_eight_vehicles(void **state)
{
    (void)state;
    world_bench b = world_bench_of(EIGHT);
    hy_random random = hy_random_seeded(9);
    assert_int_equal(hy_world_describe(b.model).vehicles, 8);
    int touches = 0;
    for (int i = 0; i < 6000; i++) {
        drive_wildly(&b, &random, 1);
        for (size_t k = 0; k < 8; k++) {
            if (i % 50 == 0) {
                world_bench_drive(&b, k, hy_random_unit(&random) * 2 - 0.6,
                                  hy_random_unit(&random) * 2 - 0.6);
            }
            const hy_truth t = hy_world_truth(b.model, b.state, k);
            touches += t.touching;
            assert_true(t.x_m > 0.07 && t.x_m < 1.93 && t.y_m > 0.07 && t.y_m < 1.93);
        }
    }
    assert_true(touches > 1000);
    world_bench_end(&b);
}

// A world full of others does not change what one does as long as nobody is in reach.
static void test_vehicles_are_apart(void **state)
{
    (void)state;
    static const char lone[] =
        "name: a\nfloor: { width_m: 9, height_m: 9 }\nvehicles:\n" XRP_AT(3, 3, 30);
    static const char pair[] =
        "name: a\nfloor: { width_m: 9, height_m: 9 }\nvehicles:\n" XRP_AT(3, 3, 30) XRP_AT(8, 8, 0);
    world_bench a = world_bench_of(lone), b = world_bench_of(pair);
    for (int i = 0; i < 500; i++) {
        world_bench_drive(&a, 0, 0.8, 0.7);
        world_bench_drive(&b, 0, 0.8, 0.7);
        world_bench_drive(&b, 1, -1, 1);
        world_bench_step(&a);
        world_bench_step(&b);
        const hy_truth at = world_bench_truth(&a), bt = world_bench_truth(&b);
        assert_near(at.x_m, bt.x_m, 0);
        assert_near(at.heading_rad, bt.heading_rad, 0);
    }
    world_bench_end(&a);
    world_bench_end(&b);
}

static void test_worlds_run_out(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP);
    hy_world_state *states[200] = { NULL };
    size_t count = 0;
    while (count < 200 && hy_world_open(b.model, 1, &states[count]) == HY_OK) {
        count++;
    }
    assert_int_equal(count, 128 - 1); // one is the bench's: refused in time, not aborted by the engine
    hy_world_close(states[--count]);
    assert_int_equal(hy_world_open(b.model, 1, &states[count]),
                     HY_OK); // what one gives back another can have
    for (size_t i = 0; i <= count; i++) {
        hy_world_step(b.model, states[i], &b.input);
        hy_world_close(states[i]);
    }
    hy_world_close(NULL);
    world_bench_end(&b);
}

static void *race(void *model)
{
    for (int i = 0; i < 5; i++) {
        world_bench b = { .model = model };
        (void)hy_world_open(model, 1, &b.state);
        hy_random random = hy_random_seeded(2);
        drive_wildly(&b, &random, 500);
        if (i == 4) { // a hash of 0 does not occur here
            const uint64_t hash = hy_world_hash(b.state);
            hy_world_close(b.state);
            return (void *)(uintptr_t)hash;
        }
        hy_world_close(b.state);
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    world_bench b = world_bench_file("xrp-arena.yaml");
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, race, b.model), 0);
    }
    void *expected = race(b.model);
    for (int i = 0; i < 4; i++) {
        void *hash;
        assert_int_equal(pthread_join(threads[i], &hash), 0);
        assert_ptr_equal(hash, expected);
    }
    world_bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stepping_allocates_nothing),
        cmocka_unit_test(test_stepping_reads_no_clock),
        cmocka_unit_test(test_equal_inputs_equal_states),
        cmocka_unit_test(test_hash_sees_inputs),
        cmocka_unit_test(test_eight_vehicles),
        cmocka_unit_test(test_vehicles_are_apart),
        cmocka_unit_test(test_worlds_run_out),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
