// The examples against the world's truth: three laps of the line, the square, the wall, with noise and in bad air.
// Simulated time, see example_run.h; tests/e2e/test_examples_run.c runs the same programs over real sockets.
#include "cmocka_all.h"
#include "environment.h"

#include <halyard/bot_devices.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "example_laps.h"
#include "example_run.h"
#include "input/input.h"

int example_arcade_gamepad(int argc, char **argv);
int example_blink(int argc, char **argv);
int example_drive_square(int argc, char **argv);
int example_line_follow(int argc, char **argv);
int example_servo_wave(int argc, char **argv);
int example_swerve_auto(int argc, char **argv);
int example_swerve_home(int argc, char **argv);
int example_swerve_teleop(int argc, char **argv);
int example_trajectory(int argc, char **argv);
int example_two_robots(int argc, char **argv);
int example_wall_stop(int argc, char **argv);
int example_wasd(int argc, char **argv);

#define DEG (3.14159265358979323846 / 180.0)

// --------------------------------------------------------------------------- three laps

static void three_laps(uint64_t seed, bool bad_air)
{
    const example_setup setup = {
        .example = example_line_follow, .world = "xrp-line", .seed = seed, .bad_air = bad_air
    };
    const example_result result = example_laps("line_follow", &setup, 3);
    assert_true(bad_air == (result.lost > 0));
}

static void the_line_is_followed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        three_laps(seed, false);
    }
}

static void the_line_is_followed_in_bad_air(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        three_laps(seed, true);
    }
}

// --------------------------------------------------------------------------- the square

static void the_square_closes(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < 6; run++) {
        const example_setup setup = { .example = example_drive_square,
                                      .world = "xrp-open",
                                      .seed = run / 2 + 1,
                                      .bad_air = run % 2 != 0,
                                      .duration_s = 60.0 };
        const example_result result = example_run(&setup);
        const double off_m = hypot(result.truth.x_m - 50.0, result.truth.y_m - 50.0);
        const double off_deg = result.truth.heading_rad / DEG - 360.0;
        print_message("drive_square, seed %d%s: %.1f mm and %.2f degrees from the start, '%s'\n",
                      (int)setup.seed, setup.bad_air ? ", bad air" : "", off_m * 1e3, off_deg,
                      result.said);
        assert_string_equal(result.said, "the square is closed");
        assert_true(off_m <= 0.03 && fabs(off_deg) <= 3.0);
    }
}

// --------------------------------------------------------------------------- the wall

static void it_stops_before_the_wall(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < 6; run++) {
        const example_setup setup = { .example = example_wall_stop,
                                      .world = "xrp-course",
                                      .seed = run / 2 + 1,
                                      .bad_air = run % 2 != 0,
                                      .duration_s = 20.0 };
        const example_result result = example_run(&setup);
        print_message("wall_stop, seed %d%s: %.1f mm from the wall, %.4f m/s\n", (int)setup.seed,
                      setup.bad_air ? ", bad air" : "", result.truth.range_m * 1e3,
                      result.truth.speed_m_s);
        assert_true(fabs(result.truth.range_m - 0.2) <= 0.01);
        assert_true(fabs(result.truth.speed_m_s) < 0.005);
        assert_false(result.touched);
    }
}

// --------------------------------------------------------------------------- robots as they are built

#define ROBOTS (is_long_run() ? 20U : 5U)

// The typical robot, and the first seeds.
static const hy_robot_traits *robot_of(uint64_t number)
{
    static hy_robot_traits traits;
    hy_robot_traits_typical(&traits);
    if (number > 0) {
        hy_robot_traits_draw(&traits, number);
    }
    return &traits;
}

static void any_robot_follows_the_line(void **state)
{
    (void)state;
    for (uint64_t number = 0; number <= ROBOTS; number++) {
        // With an empty battery it is slow.
        const example_setup setup = { .example = example_line_follow,
                                      .world = "xrp-line",
                                      .traits = robot_of(number),
                                      .least_m_s = 0.08 };
        example_laps(setup.traits->name, &setup, 3);
    }
}

static void any_robot_closes_the_square(void **state)
{
    (void)state;
    for (uint64_t number = 0; number <= ROBOTS; number++) {
        const example_setup setup = { .example = example_drive_square,
                                      .world = "xrp-open",
                                      .traits = robot_of(number),
                                      .duration_s = 90.0 };
        const example_result result = example_run(&setup);
        const double off_m = hypot(result.truth.x_m - 50.0, result.truth.y_m - 50.0);
        print_message("drive_square, %s: %.1f mm, '%s'\n", setup.traits->name, off_m * 1e3,
                      result.said);
        assert_string_equal(result.said, "the square is closed");
        assert_true(off_m <= 0.06);
    }
}

static void any_robot_stops_before_the_wall(void **state)
{
    (void)state;
    for (uint64_t number = 0; number <= ROBOTS; number++) {
        const example_setup setup = { .example = example_wall_stop,
                                      .world = "xrp-course",
                                      .traits = robot_of(number),
                                      .duration_s = 30.0 };
        const example_result result = example_run(&setup);
        print_message("wall_stop, %s: %.1f mm from the wall\n", setup.traits->name,
                      result.truth.range_m * 1e3);
        assert_true(fabs(result.truth.range_m - 0.2) <= 0.02 && !result.touched);
    }
}

// --------------------------------------------------------------------------- trajectories

typedef struct {
    double x0_m, y0_m, worst_m;
} track_watch;

// The example says where it should be; where it is, the world knows. What was said is up to 20 ms old.
static bool watch_track(void *context, double t_s, const hy_truth *truth)
{
    (void)t_s;
    track_watch *const self = context;
    double x, y, is_x, is_y;
    if (sscanf(example_said(), "at (%lf, %lf) m, should be at (%lf, %lf)", &is_x, &is_y, &x, &y) ==
        4) {
        const double off = hypot(truth->x_m - self->x0_m - x, truth->y_m - self->y0_m - y);
        self->worst_m = fmax(self->worst_m, off);
    }
    return strcmp(example_said(), "arrived") != 0;
}

static void tracks(int (*example)(int, char **), const char *world, track_watch start)
{
    for (uint64_t run = 0; run < 6; run++) {
        track_watch watch = start;
        const example_setup setup = { .example = example,
                                      .world = world,
                                      .seed = run / 2 + 1,
                                      .bad_air = run % 2 != 0,
                                      .duration_s = 30.0,
                                      .watch = watch_track,
                                      .context = &watch };
        const example_result result = example_run(&setup);
        print_message("%s, seed %d%s: at most %.1f mm off, %.1f s, ends at (%.3f, %.3f)\n", world,
                      (int)setup.seed, setup.bad_air ? ", bad air" : "", watch.worst_m * 1e3,
                      result.end_s, result.truth.x_m - start.x0_m, result.truth.y_m - start.y0_m);
        assert_string_equal(result.said, "arrived");
        assert_true(watch.worst_m > 0.0 && watch.worst_m <= 0.05);
    }
}

static void trajectories_are_tracked(void **state)
{
    (void)state;
    tracks(example_swerve_auto, "teensy-field", (track_watch){ .x0_m = 0.75, .y0_m = 0.75 });
    tracks(example_trajectory, "xrp-open", (track_watch){ .x0_m = 50.0, .y0_m = 50.0 });
}

// --------------------------------------------------------------------------- homing

#define HOMING_SEEDS 20

static bool until_arrived(void *context, double t_s, const hy_truth *truth)
{
    (void)context, (void)t_s;
    return strncmp(example_said(), "arrived", 7) != 0 ||
           hypot(truth->speed_m_s, truth->lateral_m_s) > 0.01;
}

// Wherever the modules pointed: what the program takes for forward is forward, and the robot drives a metre ahead.
static void modules_are_found(void **state)
{
    (void)state;
    double worst_deg = 0, worst_m = 0, longest_s = 0;
    for (uint64_t seed = 1; seed <= HOMING_SEEDS; seed++) {
        const example_setup setup = { .example = example_swerve_home,
                                      .world = "teensy-homing",
                                      .seed = seed,
                                      .bad_air = seed % 2 == 0,
                                      .duration_s = 60.0,
                                      .watch = until_arrived };
        const example_result result = example_run(&setup);
        double said_deg[4];
        assert_int_equal(sscanf(result.said, "arrived: %*f m; modules at %lf %lf %lf %lf degrees",
                                &said_deg[0], &said_deg[1], &said_deg[2], &said_deg[3]),
                         4);
        for (int i = 0; i < 4; i++) {
            const double is_deg = result.truth.wheel_counts[2 * i + 1] * 360 / HY_TEENSY_STEER_COUNTS;
            worst_deg = fmax(worst_deg, fabs(remainder(is_deg - said_deg[i], 360)));
        }
        worst_m = fmax(worst_m, hypot(result.truth.x_m - 2.0, result.truth.y_m - 1.5));
        longest_s = fmax(longest_s, result.end_s);
    }
    print_message(
        "swerve_home: modules at most %.2f degrees from where it says, the robot %.1f mm from its "
        "goal, after %.1f s\n",
        worst_deg, worst_m * 1e3, longest_s);
    assert_true(worst_deg <= 0.5 && worst_m <= 0.05 && longest_s < 40);
}

// A robot without switches is told apart, and nothing turns.
static void missing_switches_are_said(void **state)
{
    (void)state;
    const example_setup setup = {
        .example = example_swerve_home, .world = "teensy-field", .seed = 1, .duration_s = 2.0
    };
    const example_result result = example_run(&setup);
    assert_string_equal(result.said,
                        "the front left module has no home switch, or it never closes");
    for (int motor = 0; motor < HY_TEENSY_MOTORS; motor++) {
        assert_true(result.truth.wheel_counts[motor] == 0);
    }
}

// --------------------------------------------------------------------------- keys

static example_result run_keys(int (*example)(int, char **), const char *world,
                               const example_key *keys, size_t count, size_t robots)
{
    const example_setup setup = { .example = example,
                                  .world = world,
                                  .seed = 1,
                                  .duration_s = 8.0,
                                  .keys = keys,
                                  .key_count = count,
                                  .robots = robots };
    const example_result result = example_run(&setup);
    print_message("keys: from the start to (%.2f, %.2f), turned %.0f degrees; %s\n",
                  result.truth.x_m, result.truth.y_m, result.truth.heading_rad / DEG, result.said);
    assert_true(hypot(result.truth.speed_m_s, result.truth.lateral_m_s) <
                0.01); // nobody holds a key any more
    return result;
}

static void swerve_keys_drive(void **state)
{
    (void)state;
    // Turned by about a quarter, W still goes up the field, not where the robot looks.
    const example_key keys[] = { { 1.0, 0.3, HY_KEY_LEFT }, { 4.0, 0.8, 'w' } };
    const example_result result = run_keys(example_swerve_teleop, "teensy-field", keys, 2, 1);
    assert_true(result.truth.heading_rad > 30.0 * DEG && result.truth.heading_rad < 150.0 * DEG);
    assert_true(result.truth.x_m - 0.75 > 0.3 && result.truth.x_m - 0.75 < 1.2);
    assert_true(fabs(result.truth.y_m - 0.75) < 0.05);
}

static void pad_keys_drive(void **state)
{
    (void)state;
    const example_key keys[] = { { 1.0, 1.0, 'w' } };
    const example_result result = run_keys(example_arcade_gamepad, "xrp-open", keys, 1, 1);
    assert_true(result.truth.x_m - 50.0 > 0.2 && result.truth.x_m - 50.0 < 0.6);
}

#define TWO_XRPS                                          \
    "name: two\nfloor: { width_m: 100, height_m: 100 }\n" \
    "vehicles:\n"                                         \
    "  - kind: xrp\n    start: { x_m: 50, y_m: 50 }\n"    \
    "  - kind: xrp\n    start: { x_m: 60, y_m: 50 }\n"

static void two_robots_drive(void **state)
{
    (void)state;
    const example_key keys[] = { { 1.0, 1.0, 'w' } };
    const example_result result = run_keys(example_two_robots, TWO_XRPS, keys, 1, 2);
    double first, second;
    assert_int_equal(sscanf(result.said, "first at %lf m, second at %lf m", &first, &second), 2);
    assert_true(fabs(first - (result.truth.x_m - 50.0)) < 0.02);
    assert_true(first > 0.2 && fabs(first - second) < 0.02);
}

// --------------------------------------------------------------------------- the small ones

typedef struct {
    double least_rad, most_rad;
    bool led;
    int flashes;
} small_watch;

static bool watch_small(void *context, double t_s, const hy_truth *truth)
{
    (void)t_s;
    small_watch *const self = context;
    self->least_rad = fmin(self->least_rad, truth->servo_rad[0]);
    self->most_rad = fmax(self->most_rad, truth->servo_rad[0]);
    self->flashes += truth->led && !self->led;
    self->led = truth->led;
    return true;
}

static example_result run_small(int (*example)(int, char **), double duration_s, small_watch *watch)
{
    const example_setup setup = { .example = example,
                                  .world = "xrp-open",
                                  .seed = 1,
                                  .duration_s = duration_s,
                                  .watch = watch_small,
                                  .context = watch };
    const example_result result = example_run(&setup);
    assert_true(fabs(result.truth.x_m - 50.0) < 1e-3); // nothing of this drives
    return result;
}

static void it_blinks(void **state)
{
    (void)state;
    small_watch watch = { 0 };
    run_small(example_blink, 10.4, &watch);
    assert_in_range(watch.flashes, 10, 11);
}

static void the_servo_waves(void **state)
{
    (void)state;
    small_watch watch = { 0 };
    run_small(example_servo_wave, 8.5, &watch);
    // 90 % of 90 degrees to each side, but for the whole degrees that the firmware knows.
    assert_true(fabs(watch.most_rad - 81.0 * DEG) < 1.5 * DEG);
    assert_true(fabs(watch.least_rad + 81.0 * DEG) < 1.5 * DEG);
}

static void keys_drive(void **state)
{
    (void)state;
    const example_key keys[] = { { 1.0, 2.0, 'w' }, { 5.0, 0.5, 'a' } };
    const example_setup setup = { .example = example_wasd,
                                  .world = "xrp-open",
                                  .seed = 1,
                                  .duration_s = 8.0,
                                  .keys = keys,
                                  .key_count = 2 };
    const example_result result = example_run(&setup);
    print_message("wasd: %.2f m ahead, turned %.0f degrees\n", result.truth.x_m - 50.0,
                  result.truth.heading_rad / DEG);
    assert_true(result.truth.x_m - 50.0 > 0.2 && result.truth.x_m - 50.0 < 0.7);
    assert_true(result.truth.heading_rad > 20.0 * DEG && result.truth.heading_rad < 240.0 * DEG);
    assert_true(fabs(result.truth.speed_m_s) < 0.005); // nobody holds a key any more
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_square_closes),
        cmocka_unit_test(it_stops_before_the_wall),
        cmocka_unit_test(any_robot_follows_the_line),
        cmocka_unit_test(any_robot_closes_the_square),
        cmocka_unit_test(any_robot_stops_before_the_wall),
        cmocka_unit_test(trajectories_are_tracked),
        cmocka_unit_test(modules_are_found),
        cmocka_unit_test(missing_switches_are_said),
        cmocka_unit_test(swerve_keys_drive),
        cmocka_unit_test(pad_keys_drive),
        cmocka_unit_test(two_robots_drive),
        cmocka_unit_test(it_blinks),
        cmocka_unit_test(the_servo_waves),
        cmocka_unit_test(keys_drive),
        cmocka_unit_test(the_line_is_followed),
        cmocka_unit_test(the_line_is_followed_in_bad_air),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
