// A robot program's side, against the board's logic over loopback.
#include "cmocka_all.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

#include "../../src/robot/robot_state.h"
#include "../e2e/board_thread.h"
#include "near.h"

#define LIMIT_US 30000000 // for what comes at once on an idle machine

typedef struct {
    board_thread *board;
    hy_robot *robot;
} bench;

static void connect_robot(bench *self, const char *address)
{
    char url[128];
    snprintf(url, sizeof url, "xrp://%s", address);
    assert_int_equal(hy_robot_open(&self->robot, url), HY_OK);
}

static int set_up(void **state)
{
    static bench bench_memory;
    bench_memory = (bench){ board_thread_start("127.0.0.1"), NULL };
    assert_non_null(bench_memory.board);
    connect_robot(&bench_memory, board_thread_address(bench_memory.board));
    *state = &bench_memory;
    return 0;
}

static int tear_down(void **state)
{
    bench *const self = *state;
    hy_robot_close(self->robot);
    board_thread_end(self->board);
    return 0;
}

// Lets the robot's side run until something is so. Many turns, not a time: a busy machine holds either thread up, and a turn that lasted
// long enough for a watchdog has disabled the robot, so what is waited for may have to be asked for again.
#define RUN_UNTIL(self, condition)                                   \
    do {                                                             \
        for (int turn_ = 0; turn_ < 4000 && !(condition); turn_++) { \
            assert_true(hy_robot_wait((self)->robot, 5000));         \
        }                                                            \
        assert_true(condition);                                      \
    } while (0)

static void enable(bench *self)
{
    RUN_UNTIL(self, hy_robot_enable(self->robot));
}

static bool moves(bench *self, double effort)
{
    if (!hy_robot_is_enabled(self->robot)) {
        (void)hy_robot_enable(self->robot);
    }
    assert_true(hy_robot_set_motor(self->robot, 0, (float)effort));
    return fabs(board_thread_motor(self->board, 0) - effort) < 0.1;
}

static void drive(bench *self)
{
    RUN_UNTIL(self, moves(self, 0.5));
}

static void sleep_us(int64_t us)
{
    const struct timespec pause = { us / 1000000, (long)(us % 1000000) * 1000 };
    nanosleep(&pause, NULL);
}

// --------------------------------------------------------------------------- tests

static void wrong_urls(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "localhost",
        "xrp:",
        "xrp://",
        "xrp:///",
        "rover://localhost",
        "XRP://localhost",
        "xrp://127.0.0.1:99999",
        "xrp://127.0.0.1:0",
        "xrp://[::1",
        "averyveryverylongscheme://localhost",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        hy_robot *robot = (hy_robot *)&robot;
        const hy_status status = hy_robot_open(&robot, wrong[i]);
        if (status >= HY_OK || robot != NULL) {
            fail_msg("'%s' was taken for a robot", wrong[i]);
        }
    }
}

static void starts_disabled_and_enables_only_a_robot_that_answers(void **state)
{
    bench *const self = *state;
    assert_false(hy_robot_is_up(self->robot, hy_clock_now_us()));
    assert_false(hy_robot_enable(self->robot));
    RUN_UNTIL(self, hy_robot_is_up(self->robot, hy_clock_now_us()));
    assert_false(hy_robot_is_enabled(self->robot));
    assert_false(board_thread_is_enabled(self->board));
    RUN_UNTIL(self, hy_robot_enable(self->robot) && board_thread_is_enabled(self->board));
}

/// Commands more than there is; whether the board's motors have the limits.
static bool exceeds_limits(bench *self)
{
    (void)moves(self, 7.0);
    assert_true(hy_robot_set_motor(self->robot, 1, -INFINITY));
    assert_true(hy_robot_set_motor(self->robot, 2, NAN));
    return board_thread_motor(self->board, 0) == 1.0 && board_thread_motor(self->board, 1) == -1.0;
}

static void commands_are_clamped_and_checked(void **state)
{
    bench *const self = *state;
    drive(self);
    assert_false(hy_robot_set_motor(self->robot, 4, 0.5f)); // an XRP has four
    assert_true(hy_robot_set_motor(self->robot, 3, -0.0f)); // is sent as 0
    assert_false(signbit(self->robot->peer.commander.command.motor[3]));
    assert_true(hy_robot_set_servo(self->robot, 3, 2.0f));
    assert_false(hy_robot_set_servo(self->robot, 0, NAN));
    assert_false(hy_robot_set_servo(self->robot, 4, 0.5f));
    assert_true(hy_robot_set_dio(self->robot, 1, true));
    assert_false(hy_robot_set_dio(self->robot, 32, true));
    RUN_UNTIL(self, exceeds_limits(self));
    assert_true(board_thread_motor(self->board, 2) == 0.0);
}

// However the motors are mounted: the right one of an XRP goes forward with a negative effort.
static void efforts_of_both_sides_are_positive_forward(void **state)
{
    bench *const self = *state;
    const hy_wire_command *const sent = &self->robot->peer.commander.command;
    assert_true(hy_robot_set_efforts(self->robot, 0.25, 0.5));
    assert_true(sent->motor[0] == 0.25f && sent->motor[1] == -0.5f);
    assert_true(hy_robot_set_efforts(self->robot, NAN, -INFINITY));
    assert_true(sent->motor[0] == 0.0f && sent->motor[1] == 1.0f);
    hy_robot *swerve;
    assert_int_equal(hy_robot_open(&swerve, "teensy://127.0.0.1:9"), HY_OK);
    assert_false(hy_robot_set_efforts(swerve, 0.5, 0.5)); // it has eight motors and no sides
    hy_robot_close(swerve);
}

static void readings_are_in_si_and_nan_without_a_status(void **state)
{
    bench *const self = *state;
    double rate_rad_s[3], angle_rad[3], accel_m_s2[3];
    assert_true(isnan(hy_robot_encoder_counts(self->robot, 0)));
    assert_true(isnan(hy_robot_encoder_rate(self->robot, 0)));
    assert_true(isnan(hy_robot_analog_v(self->robot, 0)));
    assert_false(hy_robot_dio(self->robot, 0));
    assert_false(hy_robot_gyro(self->robot, rate_rad_s, angle_rad));
    assert_true(isnan(rate_rad_s[0]) && isnan(angle_rad[2]));
    assert_false(hy_robot_accel(self->robot, accel_m_s2));
    assert_true(isnan(accel_m_s2[2]));
    assert_true(hy_robot_wait(self->robot, 120000));

    hy_wire_status *const status = &self->robot->status;
    assert_ptr_equal(hy_robot_get_status(self->robot), status);
    status->encoders = 2;
    status->encoder[1] = (hy_wire_encoder){
        .count = -77, .period_num = 200 << 1, .period_den = 1000, .has_period = true
    };
    status->analogs = 4;
    status->analog_v[2] = 1.5f;
    status->dios = 3;
    status->dio_levels = 2;
    status->has_gyro = true;
    status->gyro_rate_dps[2] = -90.0f;
    status->gyro_angle_deg[2] = 180.0f;
    status->has_accel = true;
    status->accel_g[2] = 1.0f;
    assert_true(hy_robot_encoder_counts(self->robot, 1) == -77.0);
    assert_true(hy_robot_encoder_rate(self->robot, 1) == -5.0);
    assert_true(isnan(hy_robot_encoder_counts(self->robot, 0)));   // not reported
    assert_true(isnan(hy_robot_encoder_counts(self->robot, 400))); // no such channel
    assert_true(hy_robot_analog_v(self->robot, 2) == 1.5);
    status->analog_v[2] = -1.0f; // firmware without a sensor at that pin
    assert_true(isnan(hy_robot_analog_v(self->robot, 2)));
    assert_true(hy_robot_dio(self->robot, 1) && !hy_robot_dio(self->robot, 0));
    assert_true(hy_robot_gyro(self->robot, rate_rad_s, angle_rad));
    assert_true(fabs(rate_rad_s[2] + HY_PI / 2) < 1e-12 && fabs(angle_rad[2] - HY_PI) < 1e-12);
    assert_true(hy_robot_accel(self->robot, accel_m_s2));
    assert_true(accel_m_s2[2] == 9.80665);
}

static void a_loop_of_ones_own_knows_when_it_is_due(void **state)
{
    bench *const self = *state;
    assert_false(hy_robot_is_suspending());
    for (int i = 0; i < 5; i++) {
        const int64_t due_us = hy_robot_due_us(self->robot);
        hy_robot_poll(self->robot, due_us); // sends what is due, at whatever time that is said to be
        assert_true(hy_robot_due_us(self->robot) > due_us);
        assert_true(hy_robot_due_us(self->robot) <= due_us + 2 * HY_ROBOT_COMMAND_PERIOD_US);
    }
}

static void disable_stops_and_forgets(void **state)
{
    bench *const self = *state;
    drive(self);
    const uint64_t trips = board_thread_counts(self->board).watchdog_trips;
    hy_robot_disable(self->robot);
    assert_false(hy_robot_is_enabled(self->robot));
    assert_false(hy_robot_is_stopped(self->robot));
    assert_true(board_thread_await_still(self->board, true, LIMIT_US)); // the first stop was enough
    assert_false(hy_robot_enable(self->robot)); // the stop is still being repeated
    RUN_UNTIL(self, hy_robot_is_stopped(self->robot));
    assert_int_equal(board_thread_counts(self->board).watchdog_trips, trips);
    RUN_UNTIL(self, hy_robot_enable(self->robot) && board_thread_is_enabled(self->board));
    assert_true(board_thread_motor(self->board, 0) == 0.0); // it stands until it is told to move
}

static void emergency_stop_is_for_good(void **state)
{
    bench *const self = *state;
    drive(self);
    hy_robot_emergency_stop(self->robot);
    assert_true(board_thread_await_still(self->board, true, LIMIT_US));
    assert_true(hy_robot_wait(self->robot, 300000));
    assert_false(hy_robot_enable(self->robot));
    assert_false(board_thread_is_enabled(self->board));
}

static void silence_disables_and_nothing_enables_again(void **state)
{
    bench *const self = *state;
    drive(self);
    board_thread_lose(self->board, 0.0, 1.0); // it hears, but is not heard
    const uint64_t pauses = self->robot->counters.pauses;
    RUN_UNTIL(self, !hy_robot_is_enabled(self->robot));
    const bool was_held_up = self->robot->counters.pauses > pauses; // which disables as well
    assert_true(was_held_up || hy_clock_now_us() - self->robot->status_us >=
                                   HY_ROBOT_SILENCE_US); // not before its time
    assert_true(was_held_up || self->robot->counters.lost_robots == 1);
    assert_true(board_thread_await_still(self->board, true, LIMIT_US));
    board_thread_lose(self->board, 0.0, 0.0);
    RUN_UNTIL(self, hy_robot_is_up(self->robot, hy_clock_now_us()));
    assert_true(hy_robot_wait(self->robot, 100000));
    assert_false(hy_robot_is_enabled(self->robot));
    assert_false(board_thread_is_enabled(self->board));
}

static void a_program_that_slept_does_not_go_on(void **state)
{
    bench *const self = *state;
    drive(self);
    const uint64_t pauses = self->robot->counters.pauses;
    sleep_us(HY_ROBOT_PAUSE_US + 300000); // as if stopped by a debugger: the board's watchdog trips
    assert_true(hy_robot_wait(self->robot, 100000));
    assert_false(hy_robot_is_enabled(self->robot));
    assert_int_equal(self->robot->counters.pauses, pauses + 1);
    assert_true(board_thread_motor(self->board, 0) == 0.0);
}

static void a_restarted_robot_is_found_again(void **state)
{
    bench *const self = *state;
    // So that the new count is far behind when the silence is over, also on a busy machine: a status closer than 8 looks late.
    while (self->robot->counters.statuses < 60) {
        assert_true(hy_robot_wait(self->robot, 100000));
    }
    board_thread_restart(self->board);
    while (self->robot->peer.restarts == 0 && self->robot->counters.statuses < 200) {
        assert_true(hy_robot_wait(self->robot, 100000));
    }
    assert_int_equal(self->robot->peer.restarts, 1);
}

static void figures_tell_rate_and_loss(void **state)
{
    bench *const self = *state;
    const hy_robot *const robot = self->robot;
    assert_true(hy_robot_measure(robot, hy_clock_now_us()).age_us == INT64_MAX);
    RUN_UNTIL(self, robot->counters.statuses >= 1); // more of them if the machine was busy
    const uint64_t first = robot->counters.statuses;
    const int64_t first_us = robot->status_us;
    RUN_UNTIL(self, robot->counters.statuses >= 20);
    hy_robot_figures figures = hy_robot_measure(robot, robot->status_us + 1000);
    const double mean_hz =
        (double)(robot->counters.statuses - first) * 1e6 / (double)(robot->status_us - first_us);
    assert_true(figures.rate_hz > 0.0);
    if (robot->status_us + 1000 - first_us < HY_ROBOT_WINDOW_US) { // else a busy machine held us up
        assert_near(figures.rate_hz, mean_hz, 1e-9);
    }
    assert_true(figures.loss == 0.0);
    assert_int_equal(figures.age_us, 1000);
    // A clock that was looked at before the status came.
    assert_int_equal(hy_robot_measure(self->robot, self->robot->status_us - 5000).age_us, 0);
    board_thread_lose(self->board, 0.0, 0.25);
    RUN_UNTIL(self, robot->counters.statuses >= 65);
    figures = hy_robot_measure(robot, robot->status_us);
    assert_true(figures.loss > 0.0 && figures.loss < 0.6);
    assert_true(figures.loss_total > 0.0 && figures.loss_total < 0.5);
    board_thread_lose(self->board, 0.0, 1.0);
    RUN_UNTIL(self, hy_clock_now_us() - robot->status_us > HY_ROBOT_SILENCE_US);
    assert_true(hy_robot_measure(robot, hy_clock_now_us()).rate_hz == 0.0);
}

// Stops that meet a bad network, also where the numbers wrap: the last datagram before the stop, the
// stop, and what follows lie at every place around 65535.
static void a_stop_arrives_through_loss_also_at_the_wrap(void **state)
{
    bench *const self = *state;
    self->robot->peer.commander.seq.next = 65350; // so that 65535 is reached half way
    for (unsigned i = 0; i < 24; i++) {
        drive(self);
        assert_true(hy_robot_wait(self->robot, 7000 * (i % 5)));
        const uint64_t trips = board_thread_counts(self->board).watchdog_trips;
        board_thread_lose(self->board, 0.2, 0.2);
        hy_robot_disable(self->robot);
        RUN_UNTIL(self, hy_robot_is_stopped(self->robot));
        assert_true(hy_robot_wait(self->robot, 60000));
        assert_true(board_thread_await_still(self->board, true, LIMIT_US));
        // Of nine commands a fifth is lost each: all of them once in 80,000 runs of this test. It was they, and not the watchdog.
        assert_int_equal(board_thread_counts(self->board).watchdog_trips, trips);
        board_thread_lose(self->board, 0.0, 0.0);
    }
    assert_true(self->robot->peer.commander.seq.wrapped);
}

static void a_name_with_two_addresses_is_tried_until_one_answers(void **state)
{
    bench *const self = *state;
    // As if the name had resolved to a place where nobody is, and then to the board.
    hy_robot *const robot = self->robot;
    robot->addresses[1] = robot->addresses[0];
    robot->addresses[0].port = 9; // "discard"
    robot->address_count = 2;
    robot->address = robot->addresses[0];
    hy_link_close(&robot->link);
    assert_int_equal(hy_link_open_to(&robot->link, &robot->address), HY_OK);
    RUN_UNTIL(self, hy_robot_is_up(robot, hy_clock_now_us()));
    assert_true(hy_endpoint_equal(&robot->address, &robot->addresses[1]));
    enable(self); // and it stays there
    assert_true(hy_robot_wait(robot, 900000));
    assert_true(hy_endpoint_equal(&robot->address, &robot->addresses[1]));
}

// What the system refuses is no reason to die while the robot may still have to be stopped.
static void a_system_without_sockets_is_survived(void **state)
{
    bench *const self = *state;
    hy_robot *const robot = self->robot;
    robot->addresses[1] = robot->addresses[0];
    robot->address_count = 2;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    board_thread_lose(self->board, 0.0, 1.0);
    const struct rlimit none = { 1, before.rlim_max }; // what is open stays so
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    RUN_UNTIL(self, hy_robot_descriptor(robot) == -1);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    board_thread_lose(self->board, 0.0, 0.0);
    RUN_UNTIL(self, hy_robot_is_up(robot, hy_clock_now_us()));
}

static void end_the_program(int number)
{
    (void)number;
    raise(SIGTERM);
}

// The last test: what asks the program to end stays asked.
static void waiting_for_ever_ends_with_the_program(void **state)
{
    bench *const self = *state;
    enable(self);
    signal(SIGALRM, end_the_program);
    const struct itimerval once = { .it_value = { .tv_usec = 200000 } };
    assert_int_equal(setitimer(ITIMER_REAL, &once, NULL), 0);
    assert_false(hy_robot_wait(self->robot, INT64_MAX));
    assert_true(hy_robot_is_ending());
    assert_true(hy_robot_is_stopped(self->robot));
}

int main(void)
{
#define WITH_BENCH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_urls),
        WITH_BENCH(readings_are_in_si_and_nan_without_a_status),
        WITH_BENCH(starts_disabled_and_enables_only_a_robot_that_answers),
        WITH_BENCH(commands_are_clamped_and_checked),
        WITH_BENCH(efforts_of_both_sides_are_positive_forward),
        WITH_BENCH(a_loop_of_ones_own_knows_when_it_is_due),
        WITH_BENCH(disable_stops_and_forgets),
        WITH_BENCH(emergency_stop_is_for_good),
        WITH_BENCH(silence_disables_and_nothing_enables_again),
        WITH_BENCH(a_program_that_slept_does_not_go_on),
        WITH_BENCH(a_restarted_robot_is_found_again),
        WITH_BENCH(figures_tell_rate_and_loss),
        WITH_BENCH(a_stop_arrives_through_loss_also_at_the_wrap),
        WITH_BENCH(a_name_with_two_addresses_is_tried_until_one_answers),
        WITH_BENCH(a_system_without_sockets_is_survived),
        WITH_BENCH(waiting_for_ever_ends_with_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
