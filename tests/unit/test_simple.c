// First programs: what each call does, when time passes, what a stop leaves of them, and how well they drive, by the world's truth.
#include "cmocka_all.h"
#include "environment.h"
#include "stderr_text.h"

#include <halyard/program.h>
#include <halyard/simple.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void figure_eight(void); // examples/first.c

static hy_program_outcome run_in(const hy_program *program, hy_program_options options)
{
    hy_program_outcome outcome;
    options.duration_s = options.duration_s > 0.0 ? options.duration_s : 60.0;
    if (hy_program_run(program, &options, &outcome) != HY_OK) {
        fail_msg("%s", outcome.error);
    }
    return outcome;
}

// --------------------------------------------------------------------------- a figure eight

static hy_run_outcome drive_eight(const char *robot, uint64_t seed)
{
    const hy_program_options options = { .world = "xrp-open", .robot = robot, .seed = seed };
    const hy_run_outcome run = run_in(hy_simple_program("figure_eight", figure_eight), options).run;
    print_message("%s, seed %d: %.1f mm and %.2f degrees from the start after %.1f s\n", robot,
                  (int)seed, hypot(run.x_m - 50.0, run.y_m - 50.0) * 1e3,
                  hy_deg_from_rad(run.heading_rad), run.time_s);
    assert_true(run.time_s < 50.0); // it ended by itself
    assert_true(run.driven_m > 1.55 && run.driven_m < 2.1);
    return run;
}

static void the_eight_closes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const hy_run_outcome run = drive_eight("ideal", seed);
        assert_true(hypot(run.x_m - 50.0, run.y_m - 50.0) <= 0.01);
        assert_true(fabs(run.heading_rad) <= hy_rad_from_deg(2.0));
    }
}

static void any_robot_closes_it(void **state)
{
    (void)state;
    const int robots = is_long_run() ? 20 : 5;
    for (int i = 0; i <= robots; i++) {
        char name[16] = "typical";
        if (i > 0) {
            snprintf(name, sizeof name, "%d", i);
        }
        const hy_run_outcome run = drive_eight(name, 1);
        assert_true(hypot(run.x_m - 50.0, run.y_m - 50.0) <= 0.03);
        assert_true(fabs(run.heading_rad) <= hy_rad_from_deg(5.0));
    }
}

static void equal_runs_are_equal(void **state)
{
    (void)state;
    const uint64_t hash = drive_eight("typical", 1).hash;
    if (drive_eight("typical", 1).hash != hash) {
        fail_msg("mismatch: two runs differ");
    }
    assert_true(drive_eight("typical", 2).hash != hash);
}

// --------------------------------------------------------------------------- moves, with what is in the way

static bool results[4];
static double before_cm, after_cm;

static void into_the_wall(void)
{
    before_cm = rangefinder_cm();
    results[0] = drive_straight_cm(500, 0.3);
    after_cm = rangefinder_cm();
    results[1] = drive_straight_cm(30, -0.6); // back
    results[2] = turn_deg(-90);
    results[3] = drive_straight_cm(-5, 1.0);
}

static void it_gives_up_at_a_wall_and_goes_on(void **state)
{
    (void)state;
    const hy_program_options options = { .world = "xrp-course", .seed = 1 };
    const hy_program_outcome outcome = run_in(hy_simple_program("wall", into_the_wall), options);
    assert_true(!results[0] && results[1] && results[2] && results[3]);
    assert_true(before_cm > 50.0 && after_cm < 10.0);
    assert_true(outcome.run.touches > 0 && outcome.run.time_s < 55.0);
    assert_string_equal(outcome.said,
                        "drive_straight_cm(): gave up: the wheels stand; is something in the way?");
    assert_true(fabs(outcome.run.heading_rad + HY_PI / 2) < hy_rad_from_deg(5.0));
}

// Loops that only look: each turn sees what is new.
static void until_near(void)
{
    set_effort(0.4, 0.4);
    while (rangefinder_cm() > 25) {
    }
    set_effort(-0.3, -0.3);
    wait_s(0.1);
}

static void a_loop_that_only_looks_waits(void **state)
{
    (void)state;
    const hy_program_options options = { .world = "xrp-course", .seed = 1 };
    const hy_run_outcome run = run_in(hy_simple_program("near", until_near), options).run;
    assert_true(run.time_s < 20.0 && run.driven_m > 0.3 && run.touches == 0);
}

// --------------------------------------------------------------------------- call by call, without a robot

// A program whose loop this test calls, with what the robot says. Loop n is at n * 20 ms.
typedef struct {
    const hy_program *program;
    int64_t now_us;
    hy_wire_command command; // after the last loop
    uint16_t seq;
    bool button, has_no_gyro;
} bench;

static void run_loops(bench *self, int count)
{
    const hy_robot_program *const loop = &self->program->loop;
    for (int i = 0; i < count; i++) {
        const hy_wire_status status = { .seq = ++self->seq,
                                        .dios = 1,
                                        .dio_levels = self->button,
                                        .analogs = 7,
                                        .analog_v = { 0.0F, 2.5F, 1.25F },
                                        .has_gyro = !self->has_no_gyro };
        hy_program_devices_update(&self->program->robots[0], &status, self->now_us);
        loop->mode[HY_MODE_AUTONOMOUS].periodic(loop->context, self->now_us);
        hy_program_devices_command(&self->program->robots[0], &self->command, self->now_us);
        self->now_us += HY_LOOP_PERIOD_US;
    }
}

static bench start_bench(void (*robot)(void))
{
    const bench self = { .program = hy_simple_program("bench", robot) };
    const hy_robot_program *const loop = &self.program->loop;
    hy_program_devices_init(&self.program->robots[0]);
    loop->mode[HY_MODE_AUTONOMOUS].init(loop->context, 0);
    return self;
}

static void end_bench(const bench *self)
{
    const hy_robot_program *const loop = &self->program->loop;
    loop->mode[HY_MODE_AUTONOMOUS].exit(loop->context, self->now_us);
}

static int step;

static void small_steps(void)
{
    set_effort(0.5, -0.25);
    led(true);
    servo_deg(1, 90);
    step = rangefinder_cm() == 100.0 && line_left() == 0.0 && line_right() == 0.5 ? 1 : -1;
    wait_s(0.1);
    step = 2;
    wait_button();
    step = 3;
    servo_deg(4, 45);
    servo_deg(4, 180); // the second time: a loop later
    step = 4;
    led(false);
}

static void each_call_does_what_it_says(void **state)
{
    (void)state;
    bench self = start_bench(small_steps);
    self.button = true; // is held down already: no press
    assert_int_equal(step, 0);
    run_loops(&self, 1);
    assert_int_equal(step, 1);
    assert_true(self.command.motor[0] == 0.5F && self.command.motor[1] == 0.25F); // that is mirrored
    assert_true(self.command.servos == 1 && self.command.servo[0] == 0.5F);
    assert_int_equal(self.command.dio_levels, 2);
    run_loops(&self, 4);
    assert_int_equal(step, 1);
    run_loops(&self, 1); // 0.1 s later
    assert_int_equal(step, 2);
    run_loops(&self, 100);
    self.button = false;
    run_loops(&self, 100);
    assert_true(self.command.motor[0] == 0.5F); // while it waits
    assert_int_equal(step, 2);
    self.button = true;
    run_loops(&self, 1);
    assert_int_equal(step, 3);
    assert_true(self.command.servos == 9 && self.command.servo[3] == 0.25F);
    run_loops(&self, 1);
    assert_int_equal(step, 4);
    assert_true(self.command.servo[3] == 1.0F && self.command.dio_levels == 0);
    assert_true(self.command.motor[0] == 0.0F && self.command.motor[1] == 0.0F); // its last line is done
    end_bench(&self);
}

static void blind_steps(void)
{
    step = drive_straight_cm(10, 0.5) ? -1 : 1;
    step = turn_deg(10) ? -1 : step + 1;
}

// A robot whose statuses say nothing of its motion is not driven on and on.
static void a_blind_robot_is_given_up(void **state)
{
    (void)state;
    bench self = start_bench(blind_steps);
    self.has_no_gyro = true;
    step = 0;
    run_loops(&self, 100);
    assert_int_equal(step, 0);
    assert_true(self.command.motor[0] >= 0.5F);
    run_loops(&self, 60);
    assert_int_equal(step, 1);
    assert_true(self.command.motor[0] < 0.0F && self.command.motor[1] < 0.0F); // it turns, to the left
    run_loops(&self, 160);
    assert_int_equal(step, 2);
    assert_true(self.command.motor[0] == 0.0F && self.command.motor[1] == 0.0F);
    end_bench(&self);
}

static void one_move(void)
{
    step = drive_straight_cm(30, 0.5) ? 1 : -1;
}

// A computer that was busy for less than disables the robot: the time that passed meanwhile is no rest at the goal.
static void a_pause_ends_no_move(void **state)
{
    (void)state;
    bench self = start_bench(one_move);
    step = 0;
    run_loops(&self, 10);
    self.now_us += 350000;
    run_loops(&self, 10);
    assert_int_equal(step, 0);
    assert_true(self.command.motor[0] >= 0.5F);
    end_bench(&self);
}

static void wrong_steps(void)
{
    set_effort(50, -0.5);
    wait_s(0.02);
    set_effort(0.5, -50);
    wait_s(0.02);
    set_effort(0.5, 0.5);
    set_effort(NAN, 0.5);
    set_effort(INFINITY, 0.5);
    wait_s(-1);
    wait_s(NAN);
    set_effort(0.5, 0.5);
    step = !drive_straight_cm(NAN, 0.5) && !drive_straight_cm(10, NAN) && !turn_deg(NAN) ? 1 : -1;
    servo_deg(0, 90);
    servo_deg(5, 90);
    servo_deg(2, NAN);
    servo_deg(1, 270);
    wait_s(1);
}

static void wrong_numbers_are_limited_or_nothing(void **state)
{
    (void)state;
    bench self = start_bench(wrong_steps);
    run_loops(&self, 1);
    assert_true(self.command.motor[0] == 1.0F && self.command.motor[1] == 0.5F);
    run_loops(&self, 1);
    assert_true(self.command.motor[0] == 0.5F && self.command.motor[1] == 1.0F);
    run_loops(&self, 1);
    assert_true(self.command.motor[0] == 0.5F);
    run_loops(&self, 1);
    assert_true(self.command.motor[0] == 0.0F && self.command.motor[1] == 0.0F); // NaN
    run_loops(&self, 1);
    assert_true(self.command.motor[0] == 1.0F); // an infinity is a large number
    step = 0;
    run_loops(&self, 20);
    assert_int_equal(step, 1);
    assert_true(self.command.motor[0] == 0.0F && self.command.motor[1] == 0.0F);
    assert_true(self.command.servos == 1 && self.command.servo[0] == 1.0F);
    end_bench(&self);
}

static void too_much(void)
{
    set_effort(50, 70);
    set_effort(60, -INFINITY);
}

static void no_number(void)
{
    turn_deg(NAN);
    turn_deg(1e9 * 0.0);
}

static void no_servo(void)
{
    servo_deg(5, 90);
    servo_deg(0, 900);
}

// The first of each function alone.
static void wrong_numbers_are_said_once(void **state)
{
    (void)state;
    static const struct {
        void (*robot)(void);
        const char *said;
    } programs[] = {
        { too_much, "set_effort(): 50 is outside of -1 to 1; limited" },
        { no_number, "turn_deg(): an argument is NaN, not a number; the motors stop" },
        { no_servo, "servo_deg(): an XRP has servos 1 to 4; nothing is done" },
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        const hy_program_options options = { .world = "xrp-open", .seed = 1 };
        const hy_program_outcome outcome =
            run_in(hy_simple_program("wrong", programs[i].robot), options);
        assert_string_equal(outcome.said, programs[i].said);
        assert_true(outcome.run.driven_m < 0.01);
    }
}

// --------------------------------------------------------------------------- elsewhere

static void *call_elsewhere(void *context)
{
    (void)context;
    set_effort(1.0, 1.0);
    wait_s(1000);
    return NULL;
}

static void with_a_thread(void)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, call_elsewhere, NULL), 0);
    pthread_join(thread, NULL);
    wait_s(10);
}

static void calls_elsewhere_do_nothing(void **state)
{
    (void)state;
    stderr_text said = stderr_text_begin();
    const bool moved = drive_straight_cm(10, 0.5) || rangefinder_cm() != 0.0;
    bench self = start_bench(with_a_thread);
    run_loops(&self, 2);
    stderr_text_end(&said);
    assert_false(moved);
    assert_true(self.command.motor[0] == 0.0F);
    assert_string_equal(said.text,
                        "drive_straight_cm() does nothing here: call it in the block behind "
                        "HY_SIMPLE_MAIN()\n");
    end_bench(&self);
}

// --------------------------------------------------------------------------- stops

static int starts, seconds, ends;

static void long_way(void)
{
    starts++;
    drive_straight_cm(300, 0.6);
    seconds++;
    drive_straight_cm(300, 0.6);
    ends++;
}

// A person who enables at 0.5 s and 3 s, disables at 1.5 s and 4 s, and ends at 5 s.
static int moving, moving_while_disabled;

static hy_program_wish supervise(void *context, const hy_program_state *state)
{
    (void)context;
    const double t_s = (double)state->now_us * 1e-6;
    if (state->is_over) {
        return HY_PROGRAM_END;
    }
    const hy_actuators *const a = hy_board_actuators(hy_sim_board_at(state->sim, 0));
    const bool moves = a->motor_duty[0] != 0.0 || a->motor_duty[1] != 0.0;
    moving += moves;
    moving_while_disabled += moves && ((t_s > 1.53 && t_s < 3.0) || t_s > 4.03);
    return t_s < 0.5   ? HY_PROGRAM_GO_ON
           : t_s < 1.5 ? HY_PROGRAM_ENABLE
           : t_s < 3.0 ? HY_PROGRAM_DISABLE
           : t_s < 4.0 ? HY_PROGRAM_ENABLE
           : t_s < 5.0 ? HY_PROGRAM_DISABLE
                       : HY_PROGRAM_END;
}

static void a_stop_ends_the_call_and_all_that_follows(void **state)
{
    (void)state;
    hy_program program = *hy_simple_program("long_way", long_way);
    program.supervise = supervise;
    const hy_run_outcome run =
        run_in(&program, (hy_program_options){ .world = "xrp-open", .seed = 1 }).run;
    assert_int_equal(starts, 2); // again from the first line
    assert_int_equal(seconds, 0);
    assert_int_equal(ends, 0);
    assert_true(moving > 100);
    assert_int_equal(moving_while_disabled, 0);
    assert_true(run.driven_m > 0.3 && run.driven_m < 1.0);
}

// As many times as one likes, wherever it is: nothing is left behind that a sanitizer would find.
static void it_ends_and_begins_anywhere(void **state)
{
    (void)state;
    for (int loops = 0; loops < 30; loops++) {
        bench self = start_bench(small_steps);
        step = 0;
        run_loops(&self, loops);
        end_bench(&self);
        end_bench(&self); // harmless
        const int reached = step;
        run_loops(&self, 3); // nobody is there any more
        assert_int_equal(step, reached);
        assert_true(self.command.motor[0] == 0.0F || loops == 0 || self.command.motor[0] == 0.5F);
    }
}

// --------------------------------------------------------------------------- run again

static double gain = 0.25;

static void follow(void)
{
    for (int i = 0; i < 100; i++) {
        const double turn = gain * (line_left() - line_right());
        set_effort(0.4 - turn, 0.4 + turn);
        hy_program_put_number("turn", turn);
        hy_program_set_status("turn %d", i);
    }
    turn_deg(20);
}

static hy_bytes read_file(const char *path)
{
    static uint8_t bytes[1 << 20];
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return (hy_bytes){ bytes, size };
}

static void a_recording_runs_again(void **state)
{
    (void)state;
    char path[] = "/tmp/halyard-simple-XXXXXX";
    close(mkstemp(path));
    run_in(hy_simple_program("follow", follow),
           (hy_program_options){ .world = "xrp-line", .seed = 1, .record = path, .overwrite = true });
    const hy_bytes file = read_file(path);
    unlink(path);
    hy_program_replay_report report;
    hy_program_replay(hy_simple_program("follow", follow), file, &report);
    if (report.result != HY_REPLAY_EQUAL || report.loops < 100) {
        fail_msg("mismatch: %s", report.text);
    }
    gain = 0.26;
    hy_program_replay(hy_simple_program("follow", follow), file, &report);
    assert_int_equal(report.result, HY_REPLAY_DIFFERS);
    gain = 0.25;
    // Cut in the middle, where it waits.
    const hy_bytes half = { file.data, file.size / 2 };
    hy_program_replay(hy_simple_program("follow", follow), half, &report);
    assert_true(report.result == HY_REPLAY_EQUAL && report.is_partial);
    (void)hy_simple_program("follow", follow); // ends what waits there
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_eight_closes),
        cmocka_unit_test(any_robot_closes_it),
        cmocka_unit_test(equal_runs_are_equal),
        cmocka_unit_test(it_gives_up_at_a_wall_and_goes_on),
        cmocka_unit_test(a_loop_that_only_looks_waits),
        cmocka_unit_test(each_call_does_what_it_says),
        cmocka_unit_test(a_blind_robot_is_given_up),
        cmocka_unit_test(a_pause_ends_no_move),
        cmocka_unit_test(wrong_numbers_are_limited_or_nothing),
        cmocka_unit_test(wrong_numbers_are_said_once),
        cmocka_unit_test(calls_elsewhere_do_nothing),
        cmocka_unit_test(a_stop_ends_the_call_and_all_that_follows),
        cmocka_unit_test(it_ends_and_begins_anywhere),
        cmocka_unit_test(a_recording_runs_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
