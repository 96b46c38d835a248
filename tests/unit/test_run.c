// A robot program in the same process as its robot: the same seed is the same run, the outcome is the world's truth, and what
// cannot run says why.
#include <halyard/robot_run.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"

extern const hy_program line_follow; // examples/line_follow.c, without its main()

static hy_program_outcome run_ok(const hy_program *program, const hy_program_options *options)
{
    hy_program_outcome out;
    if (hy_program_run(program, options, &out) != HY_OK) {
        fail_msg("%s", out.error);
    }
    return out;
}

// --------------------------------------------------------------------------- the line follower

static void test_a_program_is_judged_by_the_truth(void **state)
{
    (void)state;
    const hy_program_options options = { .world = "xrp-line", .seed = 1, .duration_s = 35 };
    const hy_program_outcome out = run_ok(&line_follow, &options);
    assert_int_equal(out.run.steps, 3500);
    assert_int_equal(out.run.loops, 1750); // at 50 Hz
    assert_true(out.run.has_line);
    assert_true(out.run.laps > 1.0 && out.run.laps < 1.5); // 4.16 m at 0.144 m/s
    assert_true(out.run.driven_m > 4.2 && out.run.driven_m < 6.0);
    assert_true(out.run.line_most_m < 0.01); // its sensors stay on the tape
    assert_int_equal(out.run.touches, 0);
    assert_int_equal(out.run.watchdog_trips, 0);
    assert_non_null(strstr(out.said, "left "));
}

static void test_the_same_seed_is_the_same_run(void **state)
{
    (void)state;
    hy_program_options options = { .world = "xrp-line", .seed = 7, .duration_s = 10 };
    const hy_program_outcome first = run_ok(&line_follow, &options);
    const hy_program_outcome again = run_ok(&line_follow, &options);
    assert_memory_equal(&again.run, &first.run, sizeof first.run);
    options.seed = 8;
    const hy_program_outcome other = run_ok(&line_follow, &options);
    assert_int_not_equal(other.run.hash, first.run.hash);
}

static void test_its_pace_changes_nothing(void **state)
{
    (void)state;
    hy_program_options options = { .world = "xrp-line", .seed = 7, .duration_s = 1 };
    const hy_program_outcome fast = run_ok(&line_follow, &options);
    options.speed = 1;
    const hy_program_outcome real = run_ok(&line_follow, &options);
    assert_memory_equal(&real.run, &fast.run, sizeof fast.run);
}

// --------------------------------------------------------------------------- programs of this file

static hy_xrp xrp, second;

static void go_ahead(void *context, int64_t now_us)
{
    (void)context;
    hy_motor_set(&xrp.motor[0], 0.6, now_us);
    hy_motor_set(&xrp.motor[1], 0.6, now_us);
}

static void test_leaving_the_line_and_hitting_a_wall_are_seen(void **state)
{
    (void)state;
    const hy_program ahead = { .name = "ahead",
                               .robots = { { .xrp = &xrp } },
                               .loop = { .mode = { [HY_MODE_TELEOP] = { .periodic = go_ahead } } } };
    // Along the lower straight and past its end, to the wall 0.2 m beyond the line.
    const hy_program_outcome out =
        run_ok(&ahead, &(hy_program_options){ .world = "xrp-line", .seed = 1, .duration_s = 10 });
    assert_true(out.run.touches >= 1);
    assert_true(out.run.x_m > 1.85 && fabs(out.run.y_m - 0.25) < 0.1);
    assert_true(out.run.line_most_m > 0.15 && out.run.line_most_m < 0.4);
    assert_true(out.run.line_mean_m > 0.0 && out.run.line_mean_m < out.run.line_most_m);
    const hy_program_outcome open =
        run_ok(&ahead, &(hy_program_options){ .world = "xrp-open", .seed = 1, .duration_s = 1 });
    assert_false(open.run.has_line);
    assert_true(open.run.x_m > 50.1);
}

static int64_t entered_us, left_us;
static int disabled_loops;

static void on_disabled(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    disabled_loops++;
}

static void on_enter(void *context, int64_t now_us)
{
    (void)context;
    entered_us = now_us;
    assert_true(xrp.reflectance.is_ready); // its first status came before
}

static void on_leave(void *context, int64_t now_us)
{
    (void)context;
    left_us = now_us;
}

static void test_it_is_enabled_when_the_robot_answers(void **state)
{
    (void)state;
    const hy_program program = {
        .name = "modes",
        .robots = { { .xrp = &xrp } },
        .loop = { .mode = { [HY_MODE_DISABLED] = { .periodic = on_disabled },
                            [HY_MODE_AUTONOMOUS] = { .init = on_enter, .exit = on_leave } } }
    };
    (void)run_ok(&program, &(hy_program_options){ .world = "xrp-open", .duration_s = 1 });
    assert_int_equal(entered_us, 60000); // statuses come every 50 ms, loops every 20
    assert_int_equal(disabled_loops, 3);
    assert_int_equal(left_us, 1000000);
}

// --------------------------------------------------------------------------- refusals

static void check_refused(const hy_program *program, const char *world, hy_status status,
                          const char *words)
{
    hy_program_outcome out;
    assert_int_equal(hy_program_run(program, &(hy_program_options){ .world = world }, &out), status);
    if (strstr(out.error, words) == NULL) {
        fail_msg("'%s' does not say '%s'", out.error, words);
    }
}

static void test_what_cannot_run_says_why(void **state)
{
    (void)state;
    static hy_teensy teensy;
    const hy_program swerve = { .name = "a", .robots = { { .teensy = &teensy } } };
    const hy_program pair = { .name = "b", .robots = { { .xrp = &xrp }, { .xrp = &second } } };
    check_refused(&line_follow, "nowhere", HY_EFILE, "no world called 'nowhere'");
    check_refused(&swerve, "xrp-line", HY_ERANGE,
                  "XRP line: has no vehicle of kind swerve for robot 1");
    check_refused(&pair, "xrp-line", HY_ERANGE, "no vehicle of kind xrp for robot 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_program_is_judged_by_the_truth),
        cmocka_unit_test(test_the_same_seed_is_the_same_run),
        cmocka_unit_test(test_its_pace_changes_nothing),
        cmocka_unit_test(test_leaving_the_line_and_hitting_a_wall_are_seen),
        cmocka_unit_test(test_it_is_enabled_when_the_robot_answers),
        cmocka_unit_test(test_what_cannot_run_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
