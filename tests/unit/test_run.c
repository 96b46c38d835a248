// A robot program in the same process as its robot: the same seed is the same run, the outcome is the world's truth, and what
// cannot run says why.
#include <halyard/program.h>

#include <halyard/robot.h>
#include <halyard/run.h>
#include <halyard/worldfile.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "world_bench.h"

extern const hy_program line_follow; // examples/line_follow.c, without its main()

static hy_program_outcome run_ok(const hy_program *program, const hy_program_options *options)
{
    hy_program_outcome out;
    if (hy_program_run(program, options, &out) != HY_OK) {
        fail_msg("%s", out.error);
    }
    return out;
}

// Field by field: a struct's padding may hold anything.
static void assert_same_run(const hy_run_outcome *a, const hy_run_outcome *b)
{
    assert_true(a->time_s == b->time_s && a->steps == b->steps && a->loops == b->loops);
    assert_true(a->x_m == b->x_m && a->y_m == b->y_m && a->heading_rad == b->heading_rad);
    assert_true(a->driven_m == b->driven_m && a->laps == b->laps && a->has_line == b->has_line);
    assert_true(a->line_mean_m == b->line_mean_m && a->line_most_m == b->line_most_m);
    assert_int_equal(a->touches, b->touches);
    assert_int_equal(a->watchdog_trips, b->watchdog_trips);
    assert_int_equal(a->hash, b->hash);
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
    assert_true(out.run.laps > 1.3 && out.run.laps < 1.8); // 4.16 m at 0.190 m/s
    assert_true(out.run.driven_m > 5.4 && out.run.driven_m < 8.0);
    assert_true(out.run.line_most_m < 0.01); // its sensors stay on the tape
    char line[HY_RUN_LINE_MAX];
    if (out.run.off_line_s == 0.0) {
        assert_null(strstr(hy_run_line_text(&out.run, line), "not under the sensors"));
    }
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
    assert_same_run(&again.run, &first.run);
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
    assert_same_run(&real.run, &fast.run);
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
    assert_true(out.run.off_line_s > 1.0 && out.run.off_line_s < 9.0); // at the wall until the end
    assert_true(out.run.off_line_mean_m > out.run.line_mean_m);
    assert_true(fabs(out.run.off_line_mean_m * out.run.off_line_s - out.run.line_mean_m * 10.0) <
                0.01);
    char line[HY_RUN_LINE_MAX], wanted[HY_RUN_LINE_MAX];
    (void)snprintf(wanted, sizeof wanted, "%.1f mm at most; for %.2f s it was not under the sensors",
                   out.run.line_most_m * 1e3, out.run.off_line_s);
    assert_non_null(strstr(hy_run_line_text(&out.run, line), wanted));
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

// --------------------------------------------------------------------------- a program that supervises its own run

typedef struct {
    hy_program_state last;
    char message[96]; // of it
    int64_t enabled_us, stopped_us;
    bool goes_on; // enabled for ever
    hy_readings in;
} supervised;

static void take_readings(void *devices, const hy_readings *readings, int64_t now_us)
{
    (void)now_us;
    ((supervised *)devices)->in = *readings;
}

static void drive_on(void *devices, hy_outputs *out, int64_t now_us)
{
    (void)devices, (void)now_us;
    *out = (hy_outputs){ .motors = 0x03, .motor = { 0.5F, -0.5F } };
}

static void do_nothing(void *devices)
{
    (void)devices;
}

static void do_nothing_at(void *devices, int64_t now_us)
{
    (void)devices, (void)now_us;
}

// Enables from 0.5 s to 1 s, and ends after 1.5 s.
static hy_program_wish supervise(void *context, const hy_program_state *state)
{
    supervised *const self = context;
    if (state->is_enabled && self->enabled_us == 0) {
        self->enabled_us = state->now_us;
    }
    if (!state->is_enabled && self->last.is_enabled) {
        self->stopped_us = state->now_us;
    }
    self->last = *state;
    snprintf(self->message, sizeof self->message, "%s", state->message);
    if (state->is_over) {
        return HY_PROGRAM_GO_ON;
    }
    const int64_t t_us = state->now_us;
    return t_us < 500000                     ? HY_PROGRAM_GO_ON
           : self->goes_on || t_us < 1000000 ? HY_PROGRAM_ENABLE
           : t_us < 1500000                  ? HY_PROGRAM_DISABLE
                                             : HY_PROGRAM_END;
}

static const hy_device_class plain_devices = { .init = do_nothing,
                                               .update = take_readings,
                                               .outputs = drive_on,
                                               .rebase = do_nothing,
                                               .stop = do_nothing_at };

static void test_a_program_enables_and_disables_itself(void **state)
{
    (void)state;
    supervised self = { .enabled_us = 0 };
    const hy_program program = {
        .name = "supervised",
        .robots = { { .type = hy_robot_type_find("xrp"), .of = &plain_devices, .devices = &self } },
        .loop = { .context = &self },
        .supervise = supervise,
    };
    const hy_program_outcome out =
        run_ok(&program, &(hy_program_options){ .world = "xrp-open", .seed = 1 });
    assert_int_equal(self.enabled_us, 510000); // it is told one step later
    assert_int_equal(self.stopped_us, 1010000);
    assert_int_equal(out.run.time_s * 1e6, 1500000);
    assert_true(self.last.is_over && !self.last.is_enabled && !self.last.has_failed);
    assert_non_null(self.last.sim);
    assert_true(self.last.link[0].is_up && self.last.link[0].statuses > 20);
    assert_true(self.last.link[0].rate_hz > 19.9 && self.last.link[0].rate_hz < 20.1);
    assert_true(self.in.encoders != 0 && self.in.encoder[0].count > 0);
    // Half a second of half power, and then it rolls out: its motors were on no longer than that, whatever its devices say.
    assert_true(out.run.driven_m > 0.05 && out.run.driven_m < 0.25);
    assert_int_equal(out.run.watchdog_trips, 0);
}

// As over a network: half a second without a status disables, and nobody is there to enable again.
static void test_a_silent_robot_ends_an_unattended_run(void **state)
{
    (void)state;
    hy_faults_spec faults;
    hy_faults_error error;
    assert_int_equal(hy_robot_read_faults("outage=0.6s+5s", &faults, &error), HY_OK);
    supervised self = { .goes_on = true };
    const hy_program program = { .name = "supervised",
                                 .robots = { { .xrp = &xrp } },
                                 .loop = { .context = &self },
                                 .supervise = supervise };
    const hy_program_options options = { .world = "xrp-open", .seed = 1, .faults = &faults };
    const hy_program_outcome out = run_ok(&program, &options);
    assert_true(self.last.has_failed);
    assert_non_null(strstr(self.message, "disabled: no status from sim://xrp-open for 0.5 s"));
    assert_true(out.run.time_s > 0.9 && out.run.time_s < 1.2);
}

// --------------------------------------------------------------------------- two runs at a time

typedef struct {
    hy_xrp xrp;
    double effort;
    hy_program_outcome out;
    uint64_t seed;
} circle;

static void drive_circle(void *context, int64_t now_us)
{
    circle *const self = context;
    hy_motor_set(&self->xrp.motor[0], self->effort, now_us);
    hy_motor_set(&self->xrp.motor[1], 0.5, now_us);
    hy_program_set_status("%.2f at %.3f m", self->effort, self->xrp.encoder[0].distance);
}

static void *run_circle(void *context)
{
    circle *const self = context;
    const hy_program program = {
        .name = "circle",
        .robots = { { .xrp = &self->xrp } },
        .loop = { .mode = { [HY_MODE_TELEOP] = { .periodic = drive_circle } }, .context = self },
    };
    const hy_program_options options = { .world = "xrp-arena", .seed = self->seed, .duration_s = 30 };
    if (hy_program_run(&program, &options, &self->out) != HY_OK) {
        self->out.run.steps = 0;
    }
    return NULL;
}

static void test_runs_in_two_threads_share_nothing(void **state)
{
    (void)state;
    static circle alone[2], together[2];
    pthread_t threads[2];
    for (unsigned i = 0; i < 2; i++) {
        alone[i] = together[i] = (circle){ .effort = 0.3 + 0.1 * i, .seed = 3 + i };
        run_circle(&alone[i]);
        assert_int_equal(alone[i].out.run.steps, 3000);
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, run_circle, &together[i]), 0);
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_same_run(&together[i].out.run, &alone[i].out.run);
        assert_string_equal(together[i].out.said, alone[i].out.said);
    }
    assert_string_not_equal(alone[0].out.said, alone[1].out.said);
}

// --------------------------------------------------------------------------- what a program says

// One text a loop; the run ends after the last one that has its turn.
static void say_something(void *context, int64_t now_us)
{
    (void)now_us;
    char gone[] = "gone", format[] = "%d of %.1f";
    switch (*(const int *)context) {
    case 0: hy_program_set_status("%s", gone); break;
    case 1: hy_program_set_status(format, -3, 2.25); break;
    case 2: hy_program_set_status("%d%% %i %u %c|%x %X", -1, 2, 4000000000U, 'y', 255, 255); break;
    case 3:
        hy_program_set_status("%ld %lu %zu %zx", -5000000000L, 6000000000UL, sizeof(int), (size_t)17);
        break;
    case 4:
        hy_program_set_status("%+.2f|%-6.1f|%06.2f|% g|%e|%G", 0.125, 1.5, -2.5, 1e9, 1.0, 1e-9);
        break;
    case 5: hy_program_set_status("%d %d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8, 9); break;
    case 6: hy_program_set_status("%*d|%.*f|%hd|%lld", 4, 1, 1, 2.5, (short)7, 8LL); break;
    case 7: hy_program_set_status("%.0f", 1e100); break;
    default:
        hy_program_set_status(
            "the price of two is more than I have in all my pockets, which is nothing at all%d", 1);
    }
    memset(gone, 'x', sizeof gone - 1);
    memset(format, 'x', sizeof format - 1);
}

static void test_a_text_is_what_printf_makes_of_it(void **state)
{
    (void)state;
    static const char *const texts[] = { "gone",
                                         "-3 of 2.2",
                                         "-1% 2 4000000000 y|ff FF",
                                         "-5000000000 6000000000 4 11",
                                         "+0.12|1.5   |-02.50| 1e+09|1.000000e+00|1E-09",
                                         "1 2 3 4 5 6 7 8 9",
                                         "   1|2.5|7|8" };
    for (int i = 0; i < 9; i++) {
        const hy_program program = {
            .name = "talker",
            .robots = { { .xrp = &xrp } },
            .loop = { .mode = { [HY_MODE_TELEOP] = { .periodic = say_something } }, .context = &i },
        };
        const hy_program_options options = { .world = "xrp-open", .seed = 1, .duration_s = 0.2 };
        const hy_program_outcome out = run_ok(&program, &options);
        if (i < 7) {
            assert_string_equal(out.said, texts[i]);
        } else {
            assert_int_equal(strlen(out.said), 79); // the rest is cut off
        }
    }
}

// --------------------------------------------------------------------------- the controller

#define PULSE_LOOPS 50 // a second

typedef struct {
    hy_xrp xrp;
    double effort;
    unsigned loops;
} pulse;

static void drive_pulse(void *context, int64_t now_us)
{
    pulse *const self = context;
    const double effort = self->loops++ < PULSE_LOOPS ? self->effort : 0;
    hy_motor_set(&self->xrp.motor[0], effort, now_us);
    hy_motor_set(&self->xrp.motor[1], effort, now_us);
}

// How far an XRP drives in a second of that effort, and until it stands.
static double driven_after(double effort, const char *hardware, double pwm_hz)
{
    pulse self = { .effort = effort };
    const hy_program program = {
        .name = "pulse",
        .robots = { { .xrp = &self.xrp } },
        .loop = { .mode = { [HY_MODE_AUTONOMOUS] = { .periodic = drive_pulse } }, .context = &self },
    };
    const hy_program_options options = {
        .world = "xrp-open", .seed = 1, .duration_s = 3, .hardware = hardware, .pwm_hz = pwm_hz
    };
    return run_ok(&program, &options).run.driven_m;
}

static void test_its_controller_brakes_or_coasts(void **state)
{
    (void)state;
    const double prod_m = driven_after(1, "prod", 0), beta_m = driven_after(1, "beta", 0);
    assert_true(driven_after(1, NULL, 0) == prod_m);
    assert_true(driven_after(1, "none", 0) == prod_m); // no version of an XRP: the first
    assert_true(prod_m > beta_m + 0.04 && prod_m < beta_m + 0.08);
    // Low efforts: XRPLib's slow PWM drives a motor that coasts farther, and one that brakes as before.
    assert_true(driven_after(0.3, "prod", 50) > 1.3 * driven_after(0.3, "prod", 0));
    assert_true(driven_after(0.3, "beta", 50) == driven_after(0.3, "beta", 0));
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

// --------------------------------------------------------------------------- a run of one's own

static void pass_over(const void *devices)
{
    (void)devices;
}

static void stop_nothing(const void *devices, int64_t now_us)
{
    (void)devices;
    (void)now_us;
}

static double seen_rate_dps;

static void see_rate(const void *devices, const hy_wire_status *status, int64_t now_us)
{
    (void)devices;
    (void)now_us;
    seen_rate_dps = status->gyro_rate_dps[2];
}

static void command_nothing(const void *devices, hy_wire_command *command, int64_t now_us)
{
    (void)devices;
    (void)command;
    (void)now_us;
}

static double rate_after(hy_run *run, int steps)
{
    for (int i = 0; i < steps; i++) {
        assert_true(hy_run_step(run));
    }
    return seen_rate_dps;
}

static void test_a_push_reaches_the_gyro_until_a_reset(void **state)
{
    (void)state;
    char path[HY_WORLDFILE_PATH_MAX];
    hy_world_model *world;
    hy_world_error error;
    assert_true(hy_worldfile_find("xrp-open", path, &error));
    assert_int_equal(hy_worldfile_load(path, &world, &error), HY_OK);
    const hy_robot_program program = { .context = NULL };
    const hy_run_robot robot = { .type = hy_robot_type_find("xrp"),
                                 .init = pass_over,
                                 .update = see_rate,
                                 .rebase = pass_over,
                                 .stop = stop_nothing,
                                 .command = command_nothing };
    const hy_run_setup setup = { .program = &program,
                                 .robots = &robot,
                                 .robot_count = 1,
                                 .world = world,
                                 .seed = 1,
                                 .duration_us = 10000000 };
    hy_run *run;
    assert_int_equal(hy_run_open(&setup, &run, &error), HY_OK);
    assert_true(fabs(rate_after(run, 100)) < 0.5);
    hy_run_push(run, 0);
    assert_true(fabs(rate_after(run, 100)) > 0.5);
    hy_run_reset(run);
    assert_true(fabs(rate_after(run, 100)) < 0.5);
    hy_run_close(run);
    hy_world_free(world);
}

// --------------------------------------------------------------------------- a line, driven while it turns

static hy_teensy swerve;
static hy_swerve_drive swerve_drive;
static hy_slew_limiter rise;
static hy_chassis_speeds line;

static void start_swerve(void *context, int64_t now_us)
{
    (void)context;
    assert_true(hy_teensy_swerve_drive_init(&swerve_drive, &swerve, 0.02));
    hy_slew_limiter_init(&rise, 2.5, -2.5, 0.0, now_us);
}

static void drive_line(void *context, int64_t now_us)
{
    (void)context;
    const double share = hy_slew_limiter_calculate(&rise, 1.0, now_us);
    const hy_chassis_speeds speeds = { line.vx_m_s * share, line.vy_m_s * share,
                                       line.omega_rad_s * share };
    hy_swerve_drive_field(&swerve_drive, speeds, hy_rotation2d_from_rad(swerve.gyro.angle_rad[2]),
                          now_us);
}

// Its modules follow what they are told late, which is 3 to 13 degrees here: the drive reckons with that.
static void test_a_swerve_keeps_its_line_while_it_turns(void **state)
{
    (void)state;
    static const double speeds_m_s[] = { 0.2, 0.4, 0.6 }, rates_rad_s[] = { 0.5, 1, 2, 3, -1, -2 };
    const hy_program program = {
        .name = "line",
        .robots = { { .teensy = &swerve } },
        .loop = { .mode = { [HY_MODE_TELEOP] = { .init = start_swerve, .periodic = drive_line } } }
    };
    world_bench open = world_bench_of(OPEN_FLOOR "vehicles:\n" SWERVE_AT(50, 50, 0));
    for (size_t i = 0; i < 18; i++) {
        const double way_rad = (double)i; // over the field: any
        line = (hy_chassis_speeds){ speeds_m_s[i % 3] * cos(way_rad),
                                    speeds_m_s[i % 3] * sin(way_rad), rates_rad_s[i / 3] };
        hy_program_options options = { .model = open.model, .seed = 1, .duration_s = 1.5 };
        const hy_run_outcome a = run_ok(&program, &options).run; // it is at its speeds
        options.duration_s = 5;
        const hy_run_outcome b = run_ok(&program, &options).run;
        const double off_rad = hy_wrap_angle(atan2(b.y_m - a.y_m, b.x_m - a.x_m) - way_rad);
        if (!(fabs(off_rad) < 2 * HY_PI / 180)) {
            fail_msg("%.1f m/s, %.1f rad/s: %.2f degrees off the line", speeds_m_s[i % 3],
                     line.omega_rad_s, off_rad * 180 / HY_PI);
        }
    }
    world_bench_end(&open);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_program_is_judged_by_the_truth),
        cmocka_unit_test(test_the_same_seed_is_the_same_run),
        cmocka_unit_test(test_its_pace_changes_nothing),
        cmocka_unit_test(test_leaving_the_line_and_hitting_a_wall_are_seen),
        cmocka_unit_test(test_it_is_enabled_when_the_robot_answers),
        cmocka_unit_test(test_a_program_enables_and_disables_itself),
        cmocka_unit_test(test_a_silent_robot_ends_an_unattended_run),
        cmocka_unit_test(test_runs_in_two_threads_share_nothing),
        cmocka_unit_test(test_a_text_is_what_printf_makes_of_it),
        cmocka_unit_test(test_its_controller_brakes_or_coasts),
        cmocka_unit_test(test_what_cannot_run_says_why),
        cmocka_unit_test(test_a_push_reaches_the_gyro_until_a_reset),
        cmocka_unit_test(test_a_swerve_keeps_its_line_while_it_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
