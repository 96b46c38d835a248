// The same inputs give the same simulation to the bit: in a second object, in threads, after a restart, and from inputs that
// were written and read back. A step and a restart allocate nothing.
#include <halyard/worldfile.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "environment.h"
#include "sim_script.h"

#define INPUTS  (is_long_run() ? 4000 : 1500)
#define THREADS 4

// The linker sends the C library's allocators here (--wrap). The engine takes its memory by aligned_alloc(), which is its own
// business.
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

// --------------------------------------------------------------------------- what is simulated

typedef struct {
    hy_world_model *arena;
    hy_match_model *match;
} models;

static models load_models(void)
{
    models out = { 0 };
    hy_world_error error = { "" };
    char path[512];
    snprintf(path, sizeof path, "%s/../worlds/xrp-arena.yaml", HALYARD_TEST_DATA);
    if (hy_worldfile_load(path, &out.arena, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    snprintf(path, sizeof path, "%s/../worlds/field2020.yaml", HALYARD_TEST_DATA);
    hy_match_spec spec;
    if (hy_worldfile_read_match(path, &spec, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    assert_non_null(hy_match_spec_add_vehicle(&spec, "xrp", (hy_point){ 1.5, 0 }, 0));
    assert_non_null(hy_match_spec_add_vehicle(&spec, "swerve", (hy_point){ -1.5, 0 }, 0));
    if (hy_match_compile(&spec, &out.match, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_match_spec_free(&spec);
    return out;
}

static void free_models(models *m)
{
    hy_world_free(m->arena);
    hy_match_free(m->match);
}

static hy_sim *start(const models *m, bool is_match, uint64_t seed)
{
    hy_sim_board boards[2] = { { .options.kind = &hy_board_xrp },
                               { .options.kind = &hy_board_teensy } };
    hy_sim_setup setup = { .boards = boards, .board_count = 1, .seed = seed };
    if (is_match) {
        setup.match = m->match;
        setup.board_count = 2;
        setup.lidar_noise_m = 0.01;
        boards[0].vehicle = hy_match_extra_vehicle(m->match, 0);
        boards[1].vehicle = hy_match_extra_vehicle(m->match, 1);
    } else {
        setup.world = m->arena;
    }
    hy_sim *sim = NULL;
    hy_world_error error = { "" };
    if (hy_sim_open(&setup, &sim, &error) != HY_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
    return sim;
}

// --------------------------------------------------------------------------- a run

typedef struct {
    hy_sim *sim;
    uint64_t script;
    bool unasked; // for its hash
    bool by_bytes;
    uint64_t trace; // over every hash and every datagram
    uint64_t sent;  // over every datagram
    uint64_t steps, datagrams;
} run;

static bool step_by_bytes(hy_sim *sim, const hy_sim_input *input)
{
    static _Thread_local uint8_t bytes[16384];
    static _Thread_local hy_sim_lists lists;
    hy_sim_input read;
    size_t read_size = 0;
    const size_t size = hy_sim_input_write(input, (hy_room){ bytes, sizeof bytes });
    if (size == 0 ||
        hy_sim_input_read((hy_bytes){ bytes, size }, &lists, &read, &read_size) != HY_OK ||
        read_size != size) {
        return false;
    }
    hy_sim_step(sim, &read);
    return true;
}

static void take_all(run *self, hy_hash *trace)
{
    for (hy_sim_datagram out; hy_sim_next_datagram(self->sim, &out);) {
        hy_hash_u64(trace, out.board);
        hy_hash_u64(trace, out.peer.port);
        hy_hash_u64(trace, (uint64_t)out.at_us);
        hy_hash_bytes(trace, out.bytes);
        self->datagrams++;
    }
}

static void play(run *self)
{
    sim_script script;
    sim_script_start(&script, hy_sim_boards(self->sim), self->script);
    script.has_pushes = true;
    hy_hash trace = hy_hash_start(), sent = hy_hash_start();
    const int inputs = INPUTS;
    for (int i = 0; i < inputs; i++) {
        const hy_sim_input *const input = sim_script_next(&script);
        if (!self->by_bytes) {
            hy_sim_step(self->sim, input);
        } else if (!step_by_bytes(self->sim, input)) {
            self->trace = 0;
            return;
        }
        if (!self->unasked) {
            hy_hash_u64(&trace, hy_sim_hash(self->sim)); // also of what waits
        }
        hy_hash taken = hy_hash_start();
        take_all(self, &taken);
        hy_hash_u64(&trace, taken.value);
        hy_hash_u64(&sent, taken.value);
    }
    self->sent = sent.value;
    self->steps = hy_sim_steps(self->sim);
    self->trace = trace.value;
}

static uint64_t trace_of(hy_sim *sim, uint64_t script, bool by_bytes)
{
    run r = { .sim = sim, .script = script, .by_bytes = by_bytes };
    play(&r);
    assert_true(r.steps > (uint64_t)INPUTS / 2 &&
                r.steps < (uint64_t)INPUTS); // some inputs step, some do not
    assert_true(r.datagrams > (uint64_t)INPUTS / 8);
    return r.trace;
}

// --------------------------------------------------------------------------- tests

static void check_second_object(const models *m, bool is_match)
{
    hy_sim *const a = start(m, is_match, 1), *const b = start(m, is_match, 1);
    hy_sim *const other_seed = start(m, is_match, 2);
    const uint64_t first = trace_of(a, 1, false);
    assert_int_equal(trace_of(b, 1, false), first);
    assert_int_not_equal(trace_of(other_seed, 1, false), first);
    hy_sim_restart(b, 1);
    assert_int_not_equal(trace_of(b, 2, false), first); // other inputs
    hy_sim_close(a);
    hy_sim_close(b);
    hy_sim_close(other_seed);
}

static void test_a_second_object(void **state)
{
    models *const m = *state;
    check_second_object(m, false);
    check_second_object(m, true);
}

// Sensors are read when somebody asks; neither that nor asking changes what a robot sends.
static void check_asking(const models *m, bool is_match)
{
    run asked = { .sim = start(m, is_match, 1), .script = 1 };
    run unasked = { .sim = start(m, is_match, 1), .script = 1, .unasked = true };
    play(&asked);
    play(&unasked);
    assert_true(asked.datagrams > (uint64_t)INPUTS / 8);
    assert_int_equal(unasked.sent, asked.sent);
    assert_int_equal(hy_sim_hash(unasked.sim), hy_sim_hash(asked.sim));
    hy_sim_close(asked.sim);
    hy_sim_close(unasked.sim);
}

static void test_asking_changes_nothing(void **state)
{
    models *const m = *state;
    check_asking(m, false);
    check_asking(m, true);
}

static void check_restart(const models *m, bool is_match)
{
    hy_sim *const used = start(m, is_match, 1), *const fresh = start(m, is_match, 7);
    const uint64_t hash_at_start = hy_sim_hash(fresh);
    (void)trace_of(used, 3, false);
    assert_int_not_equal(hy_sim_hash(used), hash_at_start);
    hy_sim_restart(used, 7);
    assert_int_equal(hy_sim_hash(used), hash_at_start);
    assert_int_equal(hy_sim_now_us(used), 0);
    assert_int_equal(hy_sim_steps(used), 0);
    assert_int_equal(trace_of(used, 4, false), trace_of(fresh, 4, false));
    hy_sim_close(used);
    hy_sim_close(fresh);
}

static void test_a_restart(void **state)
{
    models *const m = *state;
    check_restart(m, false);
    check_restart(m, true);
}

static void test_inputs_written_and_read(void **state)
{
    models *const m = *state;
    for (int is_match = 0; is_match < 2; is_match++) {
        hy_sim *const sim = start(m, is_match, 1);
        const uint64_t expected = trace_of(sim, 5, false);
        hy_sim_restart(sim, 1);
        assert_int_equal(trace_of(sim, 5, true), expected);
        hy_sim_close(sim);
    }
}

static void *play_in_thread(void *argument)
{
    play(argument);
    return NULL;
}

static void test_four_threads(void **state)
{
    models *const m = *state;
    for (int is_match = 0; is_match < 2; is_match++) {
        run runs[THREADS];
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++) { // all on the same model
            runs[i] = (run){ .sim = start(m, is_match, 1), .script = 6, .by_bytes = i % 2 == 1 };
            assert_non_null(runs[i].sim);
        }
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(pthread_create(&threads[i], NULL, play_in_thread, &runs[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        }
        hy_sim *const alone = start(m, is_match, 1);
        const uint64_t expected = trace_of(alone, 6, false);
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(runs[i].trace, expected);
            hy_sim_close(runs[i].sim);
        }
        hy_sim_close(alone);
    }
}

static void test_nothing_is_allocated(void **state)
{
    models *const m = *state;
    for (int is_match = 0; is_match < 2; is_match++) {
        const int before = atomic_load(&allocations);
        hy_sim *const sim = start(m, is_match, 1);
        assert_true(atomic_load(&allocations) > before); // the counter works
        atomic_store(&allocations, 0);
        (void)trace_of(sim, 7, true);
        hy_sim_restart(sim, 2);
        (void)trace_of(sim, 8, false);
        assert_int_equal(atomic_load(&allocations), 0);
        hy_sim_close(sim);
    }
}

static int set_up(void **state)
{
    static models m;
    m = load_models();
    *state = &m;
    return 0;
}

static int tear_down(void **state)
{
    free_models(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_second_object),
        cmocka_unit_test(test_a_restart),
        cmocka_unit_test(test_asking_changes_nothing),
        cmocka_unit_test(test_inputs_written_and_read),
        cmocka_unit_test(test_four_threads),
        cmocka_unit_test(test_nothing_is_allocated),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
