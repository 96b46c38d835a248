// A swerve robot against what physics and docs/spec/teensy-robot.md say: motors, modules, tyres.
#include "world_bench.h"

#include <math.h>

#include "../../src/world/vehicles/steer.h"

#define WHEELS         4
#define COUNTS_PER_RAD (3591.84 / (2 * HY_PI)) // of an azimuth
#define M_PER_COUNT    (HY_PI * 0.060 / 979.68)
#define MODULE_M       0.115 // from the middle, ahead and to the side
#define GRIP           0.8

#define OPEN_SWERVE OPEN_FLOOR "vehicles:\n" SWERVE_AT(50, 50, 0)
#define RAMP_AHEAD                                                                           \
    OPEN_FLOOR "regions:\n  - box: { center_m: [60, 50], size_m: [20, 20], slope_deg: 4 }\n" \
               "vehicles:\n"
#define IDEAL_BATTERY "    battery: { volts: 12, resistance_ohm: 0, board_a: 0 }\n"

static const double ahead[WHEELS] = { 0, 0, 0, 0 };
static const double all[WHEELS] = { 1, 1, 1, 1 };
static const double left[WHEELS] = { HY_PI / 2, HY_PI / 2, HY_PI / 2, HY_PI / 2 };
/// Each across its arm, by the short way: to turn counter-clockwise FL and RL roll backward.
static const double around[WHEELS] = { -HY_PI / 4, HY_PI / 4, -HY_PI / 4, HY_PI / 4 };

static double azimuth(const world_bench *b, int wheel)
{
    return world_bench_truth(b).wheel_counts[2 * wheel + 1] / COUNTS_PER_RAD;
}

/// Drives the wheels with `share` of their efforts while the modules go, and stay, where `goal` says.
static void run(world_bench *b, const double goal[WHEELS], const double effort[WHEELS],
                double share, double seconds)
{
    const int64_t step_us = hy_world_describe(b->model).step_us;
    for (int64_t left_us = (int64_t)(seconds * 1e6 + 0.5); left_us > 0; left_us -= step_us) {
        for (int i = 0; i < WHEELS; i++) {
            b->input.vehicle[0].motor_duty[2 * i] = share * effort[i];
            b->input.vehicle[0].motor_duty[2 * i + 1] = 8 * (goal[i] - azimuth(b, i));
        }
        world_bench_step(b);
    }
}

static void set_all(world_bench *b, int first, double duty)
{
    for (int i = first; i < 2 * WHEELS; i += 2) {
        b->input.vehicle[0].motor_duty[i] = duty;
    }
}

// --------------------------------------------------------------------------- motors

// An azimuth motor turns at what its data sheet says for a free shaft, if nothing rubs.
static void test_azimuth_free_speeds(void **state)
{
    (void)state;
    static const struct {
        double duty, share; // of 75 rpm: (duty * 12 V - 0.8 V) / (12 V - 0.8 V)
    } cases[] = { { 1.0, 1.0 }, { 0.5, 5.2 / 11.2 }, { 0.06, 0.0 }, { -0.25, -2.2 / 11.2 } };
    world_bench b =
        world_bench_of(OPEN_SWERVE IDEAL_BATTERY "    modules: { patch_radius_m: 0 }\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_all(&b, 1, cases[i].duty);
        world_bench_run(&b, 1);
        const double before = world_bench_truth(&b).wheel_counts[1];
        world_bench_run(&b, 1);
        const double counts_s = world_bench_truth(&b).wheel_counts[1] - before;
        assert_near(counts_s, cases[i].share * 75 / 60 * 3591.84, 0.05);
    }
    world_bench_end(&b);
}

// Without rolling resistance a robot that no longer accelerates is as fast as its free motors.
static void test_drive_free_speeds(void **state)
{
    (void)state;
    static const double duties[] = { 1.0, 0.5, -0.25 };
    for (size_t i = 0; i < sizeof duties / sizeof duties[0]; i++) {
        world_bench b =
            world_bench_of(OPEN_SWERVE IDEAL_BATTERY "    modules: { rolling_resistance: 0 }\n");
        set_all(&b, 0, duties[i]);
        world_bench_run(&b, 4);
        const double free_v = 12 * fabs(duties[i]) - 0.8;
        const double free_m_s = free_v / 11.2 * (375 * 2 * HY_PI / 60) * 0.030;
        assert_near(world_bench_truth(&b).speed_m_s, copysign(free_m_s, duties[i]), 1e-6);
        world_bench_end(&b);
    }
}

static void test_quarter_turn_takes_its_time(void **state)
{
    (void)state;
    world_bench b = world_bench_of("step_ms: 1\n" OPEN_SWERVE);
    set_all(&b, 1, 1);
    int ms = 0;
    while (azimuth(&b, 0) < HY_PI / 2) {
        world_bench_step(&b);
        assert_true(++ms < 1000);
    }
    assert_in_range(ms, 100, 350);
    world_bench_end(&b);
}

// Turning a module moves neither the wheel nor the robot.
static void test_azimuths_alone_move_nothing(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_SWERVE);
    set_all(&b, 1, -1);
    world_bench_run(&b, 3);
    const hy_truth truth = world_bench_truth(&b);
    assert_true(azimuth(&b, 2) < -20); // more than three turns, and no end stop
    for (int i = 0; i < WHEELS; i++) {
        assert_near(truth.wheel_counts[2 * i], 0, 0);
    }
    assert_near(truth.x_m, 50, 0);
    assert_near(truth.heading_rad, 0, 0);
    world_bench_end(&b);
}

static void test_battery_sags(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_SWERVE);
    assert_near(world_bench_truth(&b).battery_v, 11.8 - 0.05 * 0.4, 1e-9);
    for (int i = 0; i < 2 * WHEELS; i++) {
        b.input.vehicle[0].motor_duty[i] = 1;
    }
    world_bench_step(&b);
    // Stalled: four motors of 6.67 ohm and four of 13.33, behind 0.05.
    const double per_ohm = 4 * 1.8 / 12 + 4 * 0.9 / 12;
    assert_near(world_bench_truth(&b).battery_v, 11.78 / (1 + 0.05 * per_ohm), 0.01);
    assert_near(world_bench_sensors(&b, 0).battery_v, world_bench_truth(&b).battery_v, 1e-9);
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- signs

// One drive motor at a time: it pulls its own corner forward.
static void test_each_drive_motor_has_its_corner(void **state)
{
    (void)state;
    static const double turns[WHEELS] = { -1, -1, +1, +1 }; // FL, RL, RR, FR
    for (int wheel = 0; wheel < WHEELS; wheel++) {
        world_bench b = world_bench_of(OPEN_SWERVE);
        b.input.vehicle[0].motor_duty[2 * wheel] = 0.5;
        world_bench_run(&b, 0.3);
        const hy_truth truth = world_bench_truth(&b);
        assert_true(truth.wheel_counts[2 * wheel] > 10);
        assert_true(world_bench_sensors(&b, 0).encoder_counts[2 * wheel] > 10);
        assert_true(truth.heading_rad * turns[wheel] > 1e-3);
        world_bench_end(&b);
    }
}

// One azimuth at a time: counter-clockwise, so that its wheel then pulls the robot to the left.
static void test_each_azimuth_motor_has_its_corner(void **state)
{
    (void)state;
    static const double ahead_of_middle[WHEELS] = { +1, -1, -1, +1 };
    for (int wheel = 0; wheel < WHEELS; wheel++) {
        world_bench b = world_bench_of(OPEN_SWERVE);
        double goal[WHEELS] = { 0, 0, 0, 0 };
        goal[wheel] = HY_PI / 2;
        run(&b, goal, all, 0, 1);
        assert_near(azimuth(&b, wheel), HY_PI / 2, 0.02);
        assert_true(world_bench_sensors(&b, 0).encoder_counts[2 * wheel + 1] > 800);
        b.input.vehicle[0].motor_duty[2 * wheel] = 1;
        world_bench_run(&b, 0.3);
        const hy_truth truth = world_bench_truth(&b);
        assert_true(truth.heading_rad * ahead_of_middle[wheel] > 1e-3);
        assert_true(truth.y_m > 50);
        world_bench_end(&b);
    }
}

// --------------------------------------------------------------------------- driving

static void test_straight(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_SWERVE);
    set_all(&b, 0, 1);
    world_bench_run(&b, 3);
    const hy_truth truth = world_bench_truth(&b);
    assert_true(truth.speed_m_s > 1.05 && truth.speed_m_s < 1.2);
    assert_near(truth.y_m, 50, 1e-9);
    assert_near(truth.heading_rad, 0, 1e-9);
    world_bench_end(&b);
}

static void test_sideways(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_SWERVE);
    run(&b, left, all, 0, 1);
    const double from = world_bench_truth(&b).wheel_counts[0];
    run(&b, left, all, 0.5, 2);
    const hy_truth truth = world_bench_truth(&b);
    assert_true(truth.lateral_m_s > 0.4 && truth.y_m > 50.7);
    assert_near(truth.heading_rad, 0, 1e-6);
    assert_near(truth.x_m, 50, 0.02); // a module that stops a degree short leads astray
    assert_near((truth.wheel_counts[0] - from) * M_PER_COUNT, truth.y_m - 50, 0.01);
    world_bench_end(&b);
}

static void test_rotation_in_place(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_SWERVE QUIET_IMU);
    static const double efforts[WHEELS] = { -0.4, -0.4, 0.4, 0.4 };
    run(&b, around, efforts, 0, 1);
    const double from = world_bench_truth(&b).wheel_counts[4];
    run(&b, around, efforts, 1, 20);
    const hy_truth truth = world_bench_truth(&b);
    const double rolled_m = (truth.wheel_counts[4] - from) * M_PER_COUNT;
    assert_true(truth.heading_rad > 12 * HY_PI); // it never wraps
    assert_near(truth.heading_rad, rolled_m / (MODULE_M * sqrt(2)), 0.01 * truth.heading_rad);
    assert_near(truth.x_m, 50, 0.02);
    assert_near(truth.y_m, 50, 0.02);
    assert_near(world_bench_sensors(&b, 0).gyro_angle_rad[2], truth.heading_rad, 0.05);
    world_bench_end(&b);
}

// Odometry as robot code does it: the mean over the wheels, and the gyro's heading.
typedef struct {
    double x_m, y_m, heading_rad, counts[WHEELS];
} odometry;

static void follow(odometry *o, const world_bench *b)
{
    const hy_sensors sensors = world_bench_sensors(b, 0);
    double ahead_m = 0, left_m = 0;
    for (int i = 0; i < WHEELS; i++) {
        const double way_m = (sensors.encoder_counts[2 * i] - o->counts[i]) * M_PER_COUNT;
        const double at_rad = sensors.encoder_counts[2 * i + 1] / COUNTS_PER_RAD;
        ahead_m += way_m * hy_cos(at_rad) / WHEELS;
        left_m += way_m * hy_sin(at_rad) / WHEELS;
        o->counts[i] = sensors.encoder_counts[2 * i];
    }
    const double middle_rad = (o->heading_rad + sensors.gyro_angle_rad[2]) / 2;
    o->x_m += ahead_m * hy_cos(middle_rad) - left_m * hy_sin(middle_rad);
    o->y_m += ahead_m * hy_sin(middle_rad) + left_m * hy_cos(middle_rad);
    o->heading_rad = sensors.gyro_angle_rad[2];
}

/// Starts four times, gaining `effort_per_s` up to `effort`, and stops gently, with modules that sway.
/// Returns how far odometry is from the truth at the end, as a share of the way.
static double odometry_error(const char *world, double sway_rad, double effort, double effort_per_s)
{
    const double gentle_per_s = 0.5, step_s = 0.01;
    world_bench b = world_bench_of(world);
    odometry o = { 50, 50, 0, { 0 } };
    double way_m = 0, now = 0;
    for (int i = 0; i < 1200; i++) {
        const bool starting = i % 300 < 100;
        now += hy_clamp((starting ? effort : 0) - now, -gentle_per_s * step_s,
                        effort_per_s * step_s, 0);
        const double sway = sway_rad * hy_sin(i * step_s);
        const double front_and_rear[WHEELS] = { sway, -sway, -sway, sway };
        run(&b, front_and_rear, all, now, step_s);
        follow(&o, &b);
        way_m += fabs(world_bench_truth(&b).speed_m_s) * step_s;
    }
    const hy_truth truth = world_bench_truth(&b);
    const double x_m = o.x_m - truth.x_m, y_m = o.y_m - truth.y_m;
    world_bench_end(&b);
    return sqrt(x_m * x_m + y_m * y_m) / way_m;
}

static void test_odometry_holds_until_wheels_slip(void **state)
{
    (void)state;
    static const char dusty[] = OPEN_SWERVE QUIET_IMU "    modules: { grip: 0.3 }\n";
    static const char firm[] = OPEN_SWERVE QUIET_IMU;
    assert_true(odometry_error(firm, 0, 0.5, 0.5) < 0.002);
    assert_true(odometry_error(firm, 0.4, 0.5, 0.5) < 0.015);
    assert_true(odometry_error(firm, 0, 1, 1000) > 0.001); // a tenth of a second of slip a start
    assert_true(odometry_error(dusty, 0, 1, 1000) > 0.05);
}

/// Drives one side of a square by encoders and gyro alone, as robot code does: modules towards the goal,
/// slower when it is near. Field-relative: the heading has a goal of its own.
static void go_to(world_bench *b, odometry *o, double x_m, double y_m, double heading_rad)
{
    const double turning[WHEELS][2] = { { -1, 1 }, { -1, -1 }, { 1, -1 }, { 1, 1 } };
    for (int i = 0; i < 350; i++) {
        const double off_x = x_m - o->x_m, off_y = y_m - o->y_m;
        const double c = hy_cos(o->heading_rad), s = hy_sin(o->heading_rad);
        const double ahead_m = c * off_x + s * off_y, left_m = c * off_y - s * off_x;
        const double turn = hy_clamp(heading_rad - o->heading_rad, -0.3, 0.3, 0) * 0.15;
        double goal[WHEELS], effort[WHEELS];
        for (int k = 0; k < WHEELS; k++) {
            const double vx = ahead_m + turn * turning[k][0], vy = left_m + turn * turning[k][1];
            const double now_rad = azimuth(b, k);
            const double turn_rad = hy_wrap_angle(hy_atan2(vy, vx) - now_rad);
            const bool backward = fabs(turn_rad) > HY_PI / 2; // the short way
            const double size = sqrt(vx * vx + vy * vy);
            const bool there = size < 0.003;
            goal[k] = now_rad + (there ? 0 : backward ? hy_wrap_angle(turn_rad + HY_PI) : turn_rad);
            const double pull = there ? 0 : hy_clamp(0.08 + 0.8 * size, 0, 0.45, 0);
            effort[k] = pull * hy_cos(turn_rad);
        }
        run(b, goal, effort, 1, 0.01);
        follow(o, b);
    }
}

static void test_square_by_encoders_and_gyro(void **state)
{
    (void)state;
    static const double corners[][2] = { { 51, 50 }, { 51, 51 }, { 50, 51 }, { 50, 50 } };
    world_bench b = world_bench_of(OPEN_SWERVE); // with the gyro's noise and drift
    odometry o = { 50, 50, 0, { 0 } };
    for (int i = 0; i < 4; i++) {
        go_to(&b, &o, corners[i][0], corners[i][1], (i + 1) * HY_PI / 8);
        const hy_truth truth = world_bench_truth(&b);
        assert_near(truth.x_m, corners[i][0], 0.05);
        assert_near(truth.y_m, corners[i][1], 0.05);
        assert_near(truth.heading_rad, (i + 1) * HY_PI / 8, hy_rad_from_deg(3));
    }
    world_bench_end(&b);
}

static void test_small_duty_stands(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_SWERVE);
    set_all(&b, 0, 0.06); // 0.7 V, of 0.8 V
    set_all(&b, 1, 0.06);
    world_bench_run(&b, 5);
    const hy_truth truth = world_bench_truth(&b);
    assert_near(truth.x_m, 50, 0);
    for (int i = 0; i < 2 * WHEELS; i++) {
        assert_near(truth.wheel_counts[i], 0, 0);
    }
    set_all(&b, 0, 0.12);
    world_bench_run(&b, 2);
    assert_true(world_bench_truth(&b).x_m > 50.02);
    world_bench_end(&b);
}

static void test_stopping(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_SWERVE);
    set_all(&b, 0, 1);
    world_bench_run(&b, 2);
    const double from_m = world_bench_truth(&b).x_m;
    set_all(&b, 0, 0);
    world_bench_run(&b, 1);
    const hy_truth stopped = world_bench_truth(&b);
    assert_near(stopped.speed_m_s, 0, 0);
    assert_true(stopped.x_m - from_m > 0.08 && stopped.x_m - from_m < 0.2);
    world_bench_run(&b, 1);
    assert_near(world_bench_truth(&b).x_m, stopped.x_m, 0);
    world_bench_end(&b);
}

// The step does not matter: 10 ms and 1 ms agree within half a hundredth.
static bool stands(const world_bench *b)
{
    const hy_truth truth = world_bench_truth(b);
    return truth.speed_m_s == 0 && truth.lateral_m_s == 0 && truth.rate_z_rad_s == 0;
}

// A robot that turned on the spot stands soon after its motors are cut, whatever it did before: no wheel rolls
// to and fro for ever where dry friction should hold it.
static void test_it_comes_to_rest(void **state)
{
    (void)state;
    static const double efforts[WHEELS] = { -1, -1, 1, 1 };
    for (int i = 0; i < 100; i++) {
        world_bench b = world_bench_of(OPEN_SWERVE);
        run(&b, around, efforts, 0, 0.6);
        run(&b, around, efforts, 0.1 + 0.004 * i, 0.5);
        set_all(&b, 0, 0);
        set_all(&b, 1, 0);
        for (int steps = 200; steps > 0 && !stands(&b); steps--) {
            world_bench_step(&b);
        }
        assert_true(stands(&b));
        world_bench_end(&b);
    }
}

static void test_step_size(void **state)
{
    (void)state;
    static const struct {
        const double *azimuths;
        double effort[WHEELS];
    } cases[] = {
        { ahead, { 1, 1, 1, 1 } }, // wheels spin
        { ahead, { 0.3, 0.3, 0.3, 0.3 } },
        { ahead, { 0.3, 0.3, 0.5, 0.5 } }, // scrubs around a curve
        { around, { -0.7, -0.7, 0.7, 0.7 } },
        { left, { 0.6, 0.6, 0.6, 0.6 } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_truth ends[2];
        for (int fine = 0; fine < 2; fine++) {
            world_bench b = world_bench_of(fine ? "step_ms: 1\n" OPEN_SWERVE : OPEN_SWERVE);
            // Open loop: a controller would see another robot at another rate.
            for (int k = 0; k < 2 * WHEELS; k++) {
                b.input.vehicle[0].motor_duty[k] =
                    k % 2 == 0 ? cases[i].effort[k / 2] : 0.5 * cases[i].azimuths[k / 2];
            }
            world_bench_run(&b, 0.5);
            for (int k = 0; k < 2 * WHEELS; k++) {
                b.input.vehicle[0].motor_duty[k] = 0;
            }
            world_bench_run(&b, 0.5);
            ends[fine] = world_bench_truth(&b);
            world_bench_end(&b);
        }
        const double way_m =
            fabs(ends[1].wheel_counts[0] + ends[1].wheel_counts[4]) / 2 * M_PER_COUNT + 0.1;
        assert_near(ends[0].x_m, ends[1].x_m, 0.005 * way_m);
        assert_near(ends[0].y_m, ends[1].y_m, 0.005 * way_m);
        assert_near(ends[0].heading_rad, ends[1].heading_rad, 0.005 * way_m / 0.16);
        for (int k = 0; k < 2 * WHEELS; k++) {
            assert_near(ends[0].wheel_counts[k], ends[1].wheel_counts[k],
                        0.01 * fabs(ends[1].wheel_counts[k]) + 2);
        }
    }
}

// --------------------------------------------------------------------------- the bridge

// With effort 0 a bridge that coasts lets the robot roll: dry friction, the motors' and the floor's, is all that stops it.
static void test_coasting(void **state)
{
    (void)state;
    static const char *const yaml[] = { OPEN_SWERVE, OPEN_SWERVE "    bridge: { decay: brake }\n",
                                        OPEN_SWERVE "    bridge: { decay: coast }\n" };
    double way_m[3], speed_m_s[3];
    for (size_t i = 0; i < 3; i++) {
        world_bench b = world_bench_of(yaml[i]);
        set_all(&b, 0, 1);
        world_bench_run(&b, 2);
        const hy_truth before = world_bench_truth(&b);
        set_all(&b, 0, 0);
        world_bench_run(&b, 5);
        way_m[i] = world_bench_truth(&b).x_m - before.x_m;
        speed_m_s[i] = before.speed_m_s;
        assert_near(world_bench_truth(&b).speed_m_s, 0, 1e-9);
        world_bench_end(&b);
    }
    assert_near(way_m[0], way_m[1], 0); // without a word it brakes
    assert_near(speed_m_s[2], speed_m_s[1], 0.01 * speed_m_s[1]);
    // Nothing of the motor but its dry friction: Kt Tc / R at the rim, and the rolling resistance, stop mass and rotors.
    const double torque_n_m_a = 0.357 * (12 / 1.8) / (12 - 0.8);
    const double friction_n =
        4 * torque_n_m_a * 0.8 / (12 / 1.8) / 0.030 + 0.02 * 2.8 * HY_GRAVITY_M_S2;
    const double mass_kg = 2.8 + 4 * (6e-7 * 20.41 * 20.41 + 2e-5) / (0.030 * 0.030);
    const double expected_m = mass_kg * speed_m_s[2] * speed_m_s[2] / 2 / friction_n;
    assert_near(way_m[2], expected_m, 0.03 * expected_m);
    assert_true(way_m[2] > 2 * way_m[1]);
}

// An azimuth motor whose bridge coasts runs on, too.
static void test_azimuths_coast(void **state)
{
    (void)state;
    double on_rad[2];
    for (int coasts = 0; coasts < 2; coasts++) {
        world_bench b =
            world_bench_of(coasts ? OPEN_SWERVE "    bridge: { decay: coast }\n" : OPEN_SWERVE);
        set_all(&b, 1, 1);
        world_bench_run(&b, 0.5);
        const double before = azimuth(&b, 0);
        set_all(&b, 1, 0);
        world_bench_run(&b, 1);
        on_rad[coasts] = azimuth(&b, 0) - before;
        world_bench_end(&b);
    }
    assert_true(on_rad[1] > 1.2 * on_rad[0] && on_rad[0] > 0.01);
}

// --------------------------------------------------------------------------- play

#define PLAY_DEG  2.0
#define WITH_PLAY OPEN_SWERVE "    azimuth: { play_deg: 2 }\n"
#define PLAY_RAD  (PLAY_DEG * HY_RAD_PER_DEG)

static double measured(const world_bench *b, int wheel)
{
    return world_bench_sensors(b, 0).encoder_counts[2 * wheel + 1] / COUNTS_PER_RAD;
}

/// What the encoder says more than where the wheel points.
static double lag(const world_bench *b, int wheel)
{
    return measured(b, wheel) - azimuth(b, wheel);
}

// A module follows its motor at half of the play, stays when the motor turns back, and then follows on the other side.
static void test_a_module_lags_by_its_play(void **state)
{
    (void)state;
    world_bench b = world_bench_of("step_ms: 1\n" WITH_PLAY);
    assert_near(lag(&b, 0), 0, 0); // it begins in the middle
    set_all(&b, 1, 0.5);
    world_bench_run(&b, 0.5);
    double turned_back_rad = 0;
    for (int i = 0; i < WHEELS; i++) {
        assert_near(lag(&b, i), PLAY_RAD / 2, 1e-9);
    }
    set_all(&b, 1, 0);
    world_bench_run(&b, 0.5);
    const double stood = azimuth(&b, 0), motor = measured(&b, 0);
    set_all(&b, 1, -0.2);
    while (turned_back_rad < 3 * PLAY_RAD) {
        world_bench_step(&b);
        turned_back_rad = motor - measured(&b, 0);
        const double followed_rad = turned_back_rad > PLAY_RAD ? turned_back_rad - PLAY_RAD : 0;
        assert_near(stood - azimuth(&b, 0), followed_rad, 1e-9);
    }
    assert_near(lag(&b, 0), -PLAY_RAD / 2, 1e-9);
    world_bench_end(&b);
}

// The robot goes where its wheels point, not where the encoders say: half of the play aside.
static void test_play_leads_astray(void **state)
{
    (void)state;
    for (int has_play = 0; has_play < 2; has_play++) {
        world_bench b = world_bench_of(has_play ? WITH_PLAY : OPEN_SWERVE);
        set_all(&b, 1, 0.3);
        world_bench_run(&b, 0.4);
        set_all(&b, 1, 0);
        world_bench_run(&b, 0.4);
        set_all(&b, 0, 0.5);
        world_bench_run(&b, 3);
        const hy_truth truth = world_bench_truth(&b);
        const double went_rad = hy_atan2(truth.y_m - 50, truth.x_m - 50);
        assert_true(truth.y_m > 50.5);
        assert_near(measured(&b, 0) - went_rad, has_play ? PLAY_RAD / 2 : 0, 1e-6);
        world_bench_end(&b);
    }
}

// Two robots that differ only in where their wheels point are not the same.
static void test_play_is_in_the_hash(void **state)
{
    (void)state;
    world_bench with = world_bench_of(WITH_PLAY),
                more = world_bench_of(OPEN_SWERVE "    azimuth: { play_deg: 3 }\n");
    set_all(&with, 1, 0.5);
    set_all(&more, 1, 0.5);
    world_bench_run(&with, 0.5);
    world_bench_run(&more, 0.5);
    assert_near(measured(&with, 0), measured(&more, 0), 0); // all else is equal
    assert_near(world_bench_truth(&with).x_m, world_bench_truth(&more).x_m, 0);
    assert_false(hy_world_hash(with.state) == hy_world_hash(more.state));
    world_bench_end(&with);
    world_bench_end(&more);
}

// --------------------------------------------------------------------------- modules that start anywhere

#define ANYWHERE OPEN_SWERVE "    azimuth: { start_deg: 180, home_deg: 3 }\n"
#define HOME_RAD (3 * HY_RAD_PER_DEG)

// Encoders begin at 0 wherever the wheels point, which another seed draws otherwise, and the same seed not.
static void test_modules_start_anywhere(void **state)
{
    (void)state;
    double first_rad = 0, most_rad = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        world_bench b = world_bench_seeded(ANYWHERE, seed), same = world_bench_seeded(ANYWHERE, seed);
        for (int i = 0; i < WHEELS; i++) {
            assert_near(measured(&b, i), 0, 0);
            assert_true(fabs(azimuth(&b, i)) <= HY_PI && azimuth(&b, i) == azimuth(&same, i));
            most_rad = fmax(most_rad, fabs(azimuth(&b, i)));
        }
        assert_true(azimuth(&b, 0) != azimuth(&b, 1));
        assert_int_equal(hy_world_hash(b.state), hy_world_hash(same.state));
        assert_true(seed == 1 || azimuth(&b, 0) != first_rad);
        first_rad = seed == 1 ? azimuth(&b, 0) : first_rad;
        world_bench_end(&b);
        world_bench_end(&same);
    }
    assert_true(most_rad > 0.9 * HY_PI);
}

// It drives where its wheels point, whatever the encoders say, and all its sensors read what those of a robot read that starts ahead.
static void test_a_start_aside_turns_the_way(void **state)
{
    (void)state;
    world_bench b = world_bench_of(ANYWHERE), plain = world_bench_of(OPEN_SWERVE);
    double turn_rad[WHEELS];
    for (int i = 0; i < WHEELS; i++) {
        turn_rad[i] = -azimuth(&b, i);
    }
    assert_near(world_bench_sensors(&b, 0).gyro_rate_rad_s[2],
                world_bench_sensors(&plain, 0).gyro_rate_rad_s[2], 0);
    run(&b, ahead, all, 0, 2); // by what is true: all point ahead
    for (int i = 0; i < WHEELS; i++) {
        assert_near(measured(&b, i), turn_rad[i], 0.02);
    }
    const hy_truth before = world_bench_truth(&b);
    run(&b, ahead, all, 0.3, 3);
    const hy_truth after = world_bench_truth(&b);
    const double way_rad = hy_atan2(after.y_m - before.y_m, after.x_m - before.x_m);
    assert_true(after.x_m > before.x_m + 0.5 &&
                fabs(hy_wrap_angle(way_rad - before.heading_rad)) < 0.03);
    world_bench_end(&b);
    world_bench_end(&plain);
}

// A home switch is closed while its module points forward, within its half width, turn after turn, with play as without.
static void test_home_switches(void **state)
{
    (void)state;
    static const char *const worlds[] = {
        ANYWHERE, OPEN_SWERVE "    azimuth: { start_deg: 90, home_deg: 3, play_deg: 2 }\n"
    };
    for (size_t w = 0; w < sizeof worlds / sizeof worlds[0]; w++) {
        world_bench b = world_bench_of(worlds[w]);
        int changes = 0;
        set_all(&b, 1, 0.5);
        for (int step = 0; step < 1000; step++) {
            const hy_sensors before = world_bench_sensors(&b, 0);
            world_bench_step(&b);
            const hy_sensors now = world_bench_sensors(&b, 0);
            assert_int_equal(now.home_switches, 0xf);
            for (int i = 0; i < WHEELS; i++) {
                const bool is_home = fabs(hy_wrap_angle(azimuth(&b, i))) <= HOME_RAD;
                assert_int_equal(now.at_home >> i & 1, is_home);
                changes += (before.at_home ^ now.at_home) >> i & 1;
            }
        }
        assert_true(changes >= 4 * 2 * WHEELS); // four turns and more
        world_bench_end(&b);
    }
    world_bench b = world_bench_of(OPEN_SWERVE); // it has none
    assert_int_equal(world_bench_sensors(&b, 0).home_switches, 0);
    assert_int_equal(world_bench_sensors(&b, 0).at_home, 0);
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- tyres

static void test_wheels_spin_at_full_duty(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_SWERVE);
    set_all(&b, 0, 1);
    world_bench_run(&b, 0.05);
    const hy_truth truth = world_bench_truth(&b);
    // From the floor it gets what friction gives, and no more.
    assert_near(truth.speed_m_s, GRIP * HY_GRAVITY_M_S2 * 0.05, 0.01 * GRIP * HY_GRAVITY_M_S2 * 0.05);
    assert_true(truth.wheel_counts[0] * M_PER_COUNT > 1.3 * (truth.x_m - 50));
    world_bench_end(&b);

    // On ice hardly anything.
    b = world_bench_of(OPEN_SWERVE "    modules: { grip: 0.05 }\n");
    set_all(&b, 0, 1);
    world_bench_run(&b, 0.5);
    const hy_truth ice = world_bench_truth(&b);
    assert_near(ice.speed_m_s, 0.05 * HY_GRAVITY_M_S2 * 0.5, 0.01 * 0.05 * HY_GRAVITY_M_S2 * 0.5);
    assert_true(ice.wheel_counts[0] * M_PER_COUNT > 5 * (ice.x_m - 50));
    world_bench_end(&b);
}

// Whatever wheels and modules do, the floor never gives more than its friction: forward and sideways
// together, and around the middle.
static void test_friction_circle(void **state)
{
    (void)state;
    world_bench b = world_bench_of("step_ms: 5\n" OPEN_SWERVE);
    hy_random random = hy_random_seeded(3);
    int at_the_limit = 0;
    for (int i = 0; i < 4000; i++) {
        if (i % 60 == 0) {
            for (int k = 0; k < WHEELS; k++) {
                b.input.vehicle[0].motor_duty[2 * k + 1] = hy_random_unit(&random) * 2 - 1;
            }
            set_all(&b, 0, hy_random_below(&random, 2) == 0 ? 1 : -1);
        }
        const hy_truth before = world_bench_truth(&b);
        world_bench_step(&b);
        const hy_truth now = world_bench_truth(&b);
        const double half = now.heading_rad - before.heading_rad;
        const double x = before.speed_m_s * hy_cos(half) + before.lateral_m_s * hy_sin(half);
        const double y = before.lateral_m_s * hy_cos(half) - before.speed_m_s * hy_sin(half);
        const double dx = now.speed_m_s - x, dy = now.lateral_m_s - y;
        const double gained_m_s2 = sqrt(dx * dx + dy * dy) / 0.005;
        assert_true(gained_m_s2 < GRIP * HY_GRAVITY_M_S2 * 1.01);
        const double spin_up = fabs(now.rate_z_rad_s - before.rate_z_rad_s) / 0.005;
        const double arm_m = MODULE_M * sqrt(2);
        assert_true(spin_up < GRIP * HY_GRAVITY_M_S2 * 2.8 * arm_m / 0.050 * 1.01);
        at_the_limit += gained_m_s2 > GRIP * HY_GRAVITY_M_S2 * 0.9;
    }
    assert_true(at_the_limit > 20); // so the limit was really tried
    world_bench_end(&b);
}

// A wheel that spins has hardly any grip left to the side: both directions share one circle.
static void test_spinning_wheels_give_way_sideways(void **state)
{
    (void)state;
    const double step_s = 0.001, sideways_m_s = 0.3, spin_m_s = 2.0;
    const double most_m_s = GRIP * HY_GRAVITY_M_S2 * step_s;
    hy_motor_model motor = { .resistance_ohm = 1, .inertia_kg_m2 = 1 }; // it keeps its speed
    hy_body_model body = { .mass_kg = 2.8, .inertia_kg_m2 = 0.050 };
    const double m = MODULE_M;
    hy_steer_model steer = { .at_m = { { m, m }, { -m, m }, { -m, -m }, { m, -m } },
                             .radius_m = 0.030,
                             .grip = GRIP,
                             .creep_m_s = 0.02 };
    const hy_motor_model *const motors[WHEELS] = { &motor, &motor, &motor, &motor };
    hy_motor_prepare(&motor, step_s);
    hy_body_prepare(&body);
    hy_steer_prepare(&steer, &body, motors, step_s);
    for (int spinning = 0; spinning < 2; spinning++) {
        const double rim_m_s = spinning ? spin_m_s : 0;
        hy_steer_state wheels = { .motion = { 0, sideways_m_s, 0 },
                                  .grip = hy_even_grip,
                                  .rim = steer.rim };
        for (int i = 0; i < WHEELS; i++) {
            wheels.along[i] = (hy_vec){ 1, 0 };
            wheels.rim_m_s[i] = rim_m_s;
        }
        hy_steer_step(&steer, &body, &wheels);
        const double slip_m_s = sqrt(rim_m_s * rim_m_s + sideways_m_s * sideways_m_s);
        const double tolerance = 0.02 * most_m_s;
        assert_near(wheels.motion.x, most_m_s * rim_m_s / slip_m_s, tolerance);
        assert_near(sideways_m_s - wheels.motion.y, most_m_s * sideways_m_s / slip_m_s, tolerance);
        assert_near(wheels.motion.turn, 0, 1e-12);
    }
}

// --------------------------------------------------------------------------- the rest

static void test_walls_stop_it(void **state)
{
    (void)state;
    world_bench b = world_bench_of(
        "name: box\nfloor: { width_m: 2, height_m: 2 }\nvehicles:\n" SWERVE_AT(1, 1, 0));
    set_all(&b, 0, 1);
    world_bench_run(&b, 3);
    const hy_truth truth = world_bench_truth(&b);
    assert_true(truth.touching);
    assert_near(truth.x_m, 2 - 0.150, 0.003);
    assert_near(truth.y_m, 1, 0.01);
    assert_true(truth.wheel_counts[0] * M_PER_COUNT > 1.5); // the wheels spin on
    run(&b, left, all, 0, 1);
    run(&b, left, all, 0.5, 1); // along the wall, which rubs
    assert_true(world_bench_truth(&b).y_m > 1.05);
    world_bench_end(&b);
}

static void test_it_has_no_eyes(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_SWERVE);
    world_bench_run(&b, 0.2);
    const hy_sensors sensors = world_bench_sensors(&b, 0);
    assert_near(sensors.reflectance[0] + sensors.reflectance[1] + sensors.range_m, 0, 0);
    assert_string_equal(hy_world_vehicle_kind(b.model, 0), "swerve");
    world_bench_end(&b);
}

static void test_odd_duties(void **state)
{
    (void)state;
    world_bench_check_odd_duties(OPEN_SWERVE);
}

// The axle that is nearer to the centre of mass carries more, and all four carry the robot.
static void test_loads_follow_the_centre_of_mass(void **state)
{
    (void)state;
    const hy_steer_model steer = {
        .at_m = { { 0.1, 0.1 }, { 0.1, -0.1 }, { -0.1, 0.1 }, { -0.1, -0.1 } }
    };
    const hy_body_model body = { .mass_kg = 4, .com_ahead_m = 0.025 };
    static const double shares[WHEELS] = { 1.25, 1.25, 0.75, 0.75 };
    for (int i = 0; i < WHEELS; i++) {
        assert_near(hy_steer_load(&steer, &body, i), HY_GRAVITY_M_S2 * shares[i], 1e-12);
    }
}

// With its rear or its front half on a ramp of 4 degrees it stands at half of that.
static void test_half_of_it_on_a_ramp(void **state)
{
    (void)state;
    static const char *const yaml[] = { RAMP_AHEAD SWERVE_AT(50, 50, 0),
                                        RAMP_AHEAD SWERVE_AT(50, 50, 180) };
    for (size_t i = 0; i < 2; i++) {
        world_bench b = world_bench_of(yaml[i]);
        world_bench_step(&b);
        const double uphill = i == 0 ? 1 : -1;
        assert_near(world_bench_sensors(&b, 0).accel_m_s2[0],
                    uphill * HY_GRAVITY_M_S2 * sin(2 * HY_PI / 180), 0.15); // and noise
        world_bench_end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_azimuth_free_speeds),
        cmocka_unit_test(test_drive_free_speeds),
        cmocka_unit_test(test_quarter_turn_takes_its_time),
        cmocka_unit_test(test_azimuths_alone_move_nothing),
        cmocka_unit_test(test_battery_sags),
        cmocka_unit_test(test_each_drive_motor_has_its_corner),
        cmocka_unit_test(test_each_azimuth_motor_has_its_corner),
        cmocka_unit_test(test_straight),
        cmocka_unit_test(test_sideways),
        cmocka_unit_test(test_rotation_in_place),
        cmocka_unit_test(test_odometry_holds_until_wheels_slip),
        cmocka_unit_test(test_square_by_encoders_and_gyro),
        cmocka_unit_test(test_small_duty_stands),
        cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_it_comes_to_rest),
        cmocka_unit_test(test_step_size),
        cmocka_unit_test(test_coasting),
        cmocka_unit_test(test_azimuths_coast),
        cmocka_unit_test(test_a_module_lags_by_its_play),
        cmocka_unit_test(test_play_leads_astray),
        cmocka_unit_test(test_play_is_in_the_hash),
        cmocka_unit_test(test_modules_start_anywhere),
        cmocka_unit_test(test_a_start_aside_turns_the_way),
        cmocka_unit_test(test_home_switches),
        cmocka_unit_test(test_wheels_spin_at_full_duty),
        cmocka_unit_test(test_friction_circle),
        cmocka_unit_test(test_spinning_wheels_give_way_sideways),
        cmocka_unit_test(test_walls_stop_it),
        cmocka_unit_test(test_it_has_no_eyes),
        cmocka_unit_test(test_odd_duties),
        cmocka_unit_test(test_half_of_it_on_a_ramp),
        cmocka_unit_test(test_loads_follow_the_centre_of_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
