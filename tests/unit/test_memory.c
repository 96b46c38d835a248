// Each allocation of each function that allocates fails once: it says HY_EMEMORY, and leaves nothing behind. Of thousands that one function
// makes, most of them of equal clients and sockets, a short run has the first, the last, and between them every 11th fail.
//
// The linker sends the C library's allocators here (--wrap): every one of our own is seen.
#include "cmocka_all.h"

#include <halyard/core.h>
#include <halyard/program.h>
#include <halyard/robot.h>
#include <halyard/sim.h>
#include <halyard/worldfile.h>

#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "environment.h"
#include "view/view.h"

static long left = -1;    // allocations until one fails; negative: none does
static long held;         // blocks that are allocated
static long asked;        // allocations of this attempt
static bool is_observing; // the functions under test run

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *memory);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static bool fails(void)
{
    asked += is_observing;
    return is_observing && left >= 0 && left-- == 0;
}

static void *count(void *memory)
{
    held += is_observing && memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t number, size_t size)
{
    return fails() ? NULL : count(__real_calloc(number, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (fails()) {
        return NULL;
    }
    void *const grown = __real_realloc(memory, size);
    held += is_observing && memory == NULL && grown != NULL;
    return grown;
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : count(__real_strdup(text));
}

// The engine's, which ends the program without memory: it is given what it asks for.
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return count(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *memory)
{
    held -= is_observing && memory != NULL;
    __real_free(memory);
}

// --------------------------------------------------------------------------- what is tried

static hy_world_model *arena; // compiled once
static hy_match_model *field;

static hy_status read_script(void)
{
    static const char text[] = "0.0 left_y=1\n1.0 left_y=0\n";
    char error[200];
    hy_player_script script;
    const hy_status status =
        hy_player_script_parse(&script, (hy_bytes){ (const uint8_t *)text, sizeof text - 1 },
                               "script", (hy_player_error){ error, sizeof error });
    hy_player_script_free(&script);
    return status;
}

static hy_icd_commands stand(void *context, const hy_core_input *in)
{
    (void)context;
    (void)in;
    return (hy_icd_commands){ 0 };
}

static hy_status open_core(void)
{
    static hy_core core;
    const hy_status status =
        hy_core_open(&core, &(hy_core_options){ .player = 1, .shift = 21340 }, stand, NULL);
    hy_core_close(&core);
    return status;
}

static hy_status open_robot(void)
{
    hy_robot *robot;
    const hy_status status = hy_robot_open(&robot, "xrp://127.0.0.1:9");
    if (status == HY_OK) {
        hy_faults_error error;
        const hy_faults_spec faults = { 0 };
        const hy_status injected = hy_robot_set_faults(robot, &faults, &error);
        hy_robot_close(robot);
        return injected;
    }
    return status;
}

static hy_status load_world(void)
{
    hy_world_model *model;
    hy_world_error error;
    const hy_status status =
        hy_worldfile_load(HALYARD_TEST_DATA "/../worlds/xrp-line.yaml", &model, &error);
    hy_world_free(model);
    return status;
}

static hy_status load_match(void)
{
    hy_match_spec spec;
    hy_world_error error;
    hy_status status =
        hy_worldfile_read_match(HALYARD_TEST_DATA "/../worlds/field2020.yaml", &spec, &error);
    if (status == HY_OK) {
        hy_match_model *model;
        status = hy_match_compile(&spec, &model, &error);
        hy_match_free(model);
        hy_match_spec_free(&spec);
    }
    return status;
}

static hy_status play_match(void)
{
    hy_match *match;
    const hy_status status = hy_match_open(field, &(hy_match_options){ .seed = 1 }, &match);
    hy_match_close(match);
    return status;
}

static hy_status simulate(void)
{
    hy_sim *sim;
    hy_world_error error;
    const hy_faults_spec faults = { 0 };
    const hy_sim_board board = { .options = { .kind = &hy_board_xrp } };
    const hy_status status = hy_sim_open(
        &(hy_sim_setup){ .world = arena, .boards = &board, .board_count = 1, .faults = &faults },
        &sim, &error);
    hy_sim_close(sim);
    return status;
}

static hy_status view_world(void)
{
    static hy_scene_of_world drawn;
    if (!hy_scene_make(&drawn, arena, (hy_point){ 0.0, 0.0 })) {
        return HY_EMEMORY;
    }
    hy_view *view;
    const hy_view_options options = { .listen = { .ip = { [10] = 0xff, [11] = 0xff, 127, 0, 0, 1 } },
                                      .without_folder = "no page" };
    const hy_status status = hy_view_open(&view, &options, &drawn.scene);
    hy_view_close(view);
    hy_scene_free(&drawn);
    return status;
}

static hy_xrp xrp;

static void stand_still(void *context, int64_t now_us)
{
    (void)context;
    hy_motor_set(&xrp.motor[0], 0.0, now_us);
}

static hy_status run_program(void)
{
    const hy_program program = { .name = "still",
                                 .robots = { { .xrp = &xrp } },
                                 .loop = {
                                     .mode = { [HY_MODE_TELEOP] = { .periodic = stand_still } } } };
    const hy_program_options options = { .world = HALYARD_TEST_DATA "/../worlds/xrp-line.yaml",
                                         .duration_s = 0.1 };
    hy_program_outcome outcome;
    return hy_program_run(&program, &options, &outcome);
}

// --------------------------------------------------------------------------- each allocation fails once

// Of the allocations that fail in a short run. The address sanitizer maps a view's large blocks anew for each.
#ifdef __SANITIZE_ADDRESS__
enum { AT_ENDS = 20, APART = 97 };
#else
enum { AT_ENDS = 100, APART = 11 };
#endif

static bool is_tried(long n, long all)
{
    return is_long_run() || n < AT_ENDS || n >= all - AT_ENDS || n % APART == 0;
}

static hy_status attempt_with(hy_status (*attempt)(void), long allocations)
{
    asked = 0;
    left = allocations;
    is_observing = true;
    const hy_status status = attempt();
    is_observing = false;
    return status;
}

static void says_so(void **state)
{
    hy_status (*const attempt)(void) = *(hy_status(**)(void)) * state;
    hy_status status = HY_EMEMORY;
    long failures = 0;
    held = 0;
    assert_int_equal(attempt_with(attempt, -1), HY_OK);
    const long all = asked;
    for (long n = 0; status != HY_OK; n++) {
        if (!is_tried(n, all)) {
            continue;
        }
        status = attempt_with(attempt, n);
        const bool has_failed = left < 0;
        assert_int_equal(status, has_failed ? HY_EMEMORY : HY_OK);
        assert_int_equal(held, 0);
        failures += has_failed;
    }
    assert_true(failures > 0);
}

static int load_models(void **state)
{
    (void)state;
    hy_world_error error;
    hy_match_spec spec;
    assert_int_equal(
        hy_worldfile_load(HALYARD_TEST_DATA "/../worlds/xrp-arena.yaml", &arena, &error), HY_OK);
    assert_int_equal(
        hy_worldfile_read_match(HALYARD_TEST_DATA "/../worlds/field2020.yaml", &spec, &error), HY_OK);
    assert_int_equal(hy_match_compile(&spec, &field, &error), HY_OK);
    hy_match_spec_free(&spec);
    return 0;
}

static int free_models(void **state)
{
    (void)state;
    hy_world_free(arena);
    hy_match_free(field);
    return 0;
}

/// A view's large blocks stay with the process between thousands of attempts, else the system clears their pages for each.
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 30);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

int main(void)
{
    keep_freed_memory();
#define ATTEMPT(attempt)                                                                 \
    {                                                                                    \
        .name = #attempt, .test_func = says_so, .initial_state = &(hy_status(*[])(void)) \
        {                                                                                \
            (attempt)                                                                    \
        }                                                                                \
    }
    const struct CMUnitTest tests[] = {
        ATTEMPT(read_script), ATTEMPT(open_core),  ATTEMPT(open_robot),
        ATTEMPT(load_world),  ATTEMPT(load_match), ATTEMPT(play_match),
        ATTEMPT(simulate),    ATTEMPT(view_world), ATTEMPT(run_program),
    };
    return cmocka_run_group_tests(tests, load_models, free_models);
}
