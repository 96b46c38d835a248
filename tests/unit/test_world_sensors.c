// What a vehicle feels, against what is true: exact without noise, of the right spread with it.
#include "world_bench.h"
#include "world_read.h"

#include "state.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <unistd.h>

#define RAD_PER_DEG (HY_PI / 180)

#define FLOOR(w, h) "name: test\nfloor: { width_m: " #w ", height_m: " #h ", shade: 0.1 }\n"

// --------------------------------------------------------------------------- the IMU

static void test_imu_at_rest(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP QUIET);
    for (int i = 0; i < 100; i++) {
        const hy_sensors sensors = world_bench_sensors(&b, 0);
        for (int axis = 0; axis < 3; axis++) {
            assert_near(sensors.accel_m_s2[axis], axis == 2 ? HY_GRAVITY_M_S2 : 0, 0);
            assert_near(sensors.gyro_rate_rad_s[axis], 0, 0);
            assert_near(sensors.gyro_angle_rad[axis], 0, 0);
        }
        world_bench_step(&b);
    }
    world_bench_end(&b);
}

static void test_acceleration(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP QUIET);
    world_bench_drive(&b, 0, 1, 1);
    double speed_m_s = 0;
    for (int i = 0; i < 50; i++) { // starting: the forward axis is the change of speed
        world_bench_step(&b);
        const double now_m_s = world_bench_truth(&b).speed_m_s;
        const hy_sensors sensors = world_bench_sensors(&b, 0);
        assert_near(sensors.accel_m_s2[0], (now_m_s - speed_m_s) / 0.010, 1e-9);
        assert_near(sensors.accel_m_s2[1], 0, 1e-9);
        speed_m_s = now_m_s;
    }
    world_bench_drive(&b, 0, 0.5, 1.0);
    world_bench_run(&b, 3);
    // On a steady circle: towards its middle, and towards the axle by where the IMU sits (0.02, 0).
    const hy_truth truth = world_bench_truth(&b);
    const hy_sensors sensors = world_bench_sensors(&b, 0);
    const double rate = truth.rate_z_rad_s;
    assert_true(rate > 1);
    assert_near(sensors.accel_m_s2[0], -rate * rate * 0.02, 0.01);
    assert_near(sensors.accel_m_s2[1], truth.speed_m_s * rate, 0.01);
    assert_near(sensors.gyro_rate_rad_s[2], rate, 1e-12);
    world_bench_end(&b);
}

static void test_angle_is_sum_of_rates(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP "    imu: { gyro_noise_dps: 1, gyro_bias_dps: 3 }\n");
    double angle_rad[3] = { 0, 0, 0 };
    world_bench_drive(&b, 0, -1, 1);
    for (int i = 0; i < 1000; i++) {
        world_bench_step(&b);
        for (int axis = 0; axis < 3; axis++) {
            angle_rad[axis] += world_bench_sensors(&b, 0).gyro_rate_rad_s[axis] * 0.010;
            assert_near(world_bench_sensors(&b, 0).gyro_angle_rad[axis], angle_rad[axis], 1e-9);
        }
    }
    assert_true(angle_rad[2] > 4 * HY_PI);
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- noise

typedef struct {
    double sum, squares;
    int count;
} spread;

static void take(spread *s, double value)
{
    s->sum += value;
    s->squares += value * value;
    s->count++;
}
static double mean_of(const spread *s)
{
    return s->sum / s->count;
}
static double deviation_of(const spread *s)
{
    const double mean = mean_of(s);
    return sqrt(s->squares / s->count - mean * mean);
}

static void test_noise(void **state)
{
    (void)state;
    world_bench b =
        world_bench_of(FLOOR(3, 2) "mat: { size_m: [3, 2], shade: 0.5 }\nvehicles:\n" XRP_AT(
            1, 1, 0) "    imu: { gyro_noise_dps: 0.5, gyro_bias_dps: 0, gyro_drift_dps: 0, "
                     "accel_noise_g: 0.01,"
                     " accel_bias_g: 0 }\n"
                     "    reflectance: { noise: 0.02 }\n"
                     "    rangefinder: { noise_m: 0.01, period_ms: 10 }\n");
    spread gyro = { 0 }, accel = { 0 }, reflectance = { 0 }, range = { 0 };
    for (int i = 0; i < 20000; i++) {
        world_bench_step(&b);
        const hy_sensors sensors = world_bench_sensors(&b, 0);
        take(&gyro, sensors.gyro_rate_rad_s[2]);
        take(&accel, sensors.accel_m_s2[1]);
        take(&reflectance, sensors.reflectance[1]);
        take(&range, sensors.range_m);
    }
    assert_near(deviation_of(&gyro) / (0.5 * RAD_PER_DEG), 1, 0.03);
    assert_near(deviation_of(&accel) / (0.01 * HY_GRAVITY_M_S2), 1, 0.03);
    assert_near(deviation_of(&reflectance) / 0.02, 1, 0.03);
    assert_near(deviation_of(&range) / 0.01, 1, 0.03);
    assert_near(mean_of(&gyro), 0, 4 * 0.5 * RAD_PER_DEG / 141);
    assert_near(mean_of(&accel), 0, 4 * 0.01 * HY_GRAVITY_M_S2 / 141);
    assert_near(mean_of(&reflectance), 128.0 / 255, 4 * 0.02 / 141);
    assert_near(mean_of(&range), 1.9, 4 * 0.01 / 141);
    world_bench_end(&b);
}

/// Mean rate about z over the last second, of a robot that stands for `seconds`.
static double rate_after(const char *yaml, uint64_t seed, double seconds)
{
    world_bench b = world_bench_seeded(yaml, seed);
    world_bench_run(&b, seconds - 1);
    const double from = world_bench_sensors(&b, 0).gyro_angle_rad[2];
    world_bench_run(&b, 1);
    const double rate = world_bench_sensors(&b, 0).gyro_angle_rad[2] - from;
    world_bench_end(&b);
    return rate;
}

static void test_bias_and_drift(void **state)
{
    (void)state;
    spread bias = { 0 }, drift = { 0 };
    for (uint64_t seed = 1; seed <= 200; seed++) {
        take(&bias, rate_after(OPEN_XRP "    imu: { gyro_noise_dps: 0, gyro_bias_dps: 2,"
                                        " gyro_drift_dps: 0 }\n",
                               seed, 1));
        // A random walk: its spread after 16 s is four times that after one.
        take(&drift, rate_after(OPEN_XRP "    imu: { gyro_noise_dps: 0, gyro_bias_dps: 0,"
                                         " gyro_drift_dps: 0.5 }\n",
                                seed, 16));
    }
    assert_near(deviation_of(&bias) / (2 * RAD_PER_DEG), 1, 0.15);
    assert_near(deviation_of(&drift) / (0.5 * 4 * RAD_PER_DEG), 1, 0.15);
}

// --------------------------------------------------------------------------- the rangefinder

/// What it reads at the start; the sensor sits 0.1 m ahead of the axle.
static double range_in(const char *yaml)
{
    world_bench b = world_bench_of(yaml);
    const double range_m = world_bench_sensors(&b, 0).range_m;
    assert_near(range_m, world_bench_truth(&b).range_m, 0);
    world_bench_end(&b);
    return range_m;
}

static void test_range_geometry(void **state)
{
    (void)state;
    static const struct {
        const char *yaml;
        double range_m;
    } cases[] = {
        // A wall straight ahead, at 4 - 1 - 0.1.
        { FLOOR(4, 2) "vehicles:\n" XRP_AT(1, 1, 0) QUIET, 2.9 },
        { FLOOR(4, 2) "vehicles:\n" XRP_AT(3.8, 1, 0) QUIET, 0.1 },
        { FLOOR(4, 2) "vehicles:\n" XRP_AT(1, 1, 180) QUIET, 0.9 },
        { FLOOR(4, 2) "vehicles:\n" XRP_AT(1, 0.5, -90) QUIET, 0.4 },
        // Nearer than it can measure, and beyond.
        { FLOOR(4, 2) "vehicles:\n" XRP_AT(3.894, 1, 0) QUIET, 0.02 },
        { OPEN_XRP QUIET, 4.0 },
        // At 45 degrees to the wall ahead the edge of the cone, at 30, meets it first:
        // (4 - 3 - 0.1 cos 45) / cos 30.
        { FLOOR(4, 4) "vehicles:\n" XRP_AT(3, 2, 45) QUIET, 1.073046 },
        // A post in the middle of the cone, at its edge (15 degrees: 0.134 m at 0.5 m), outside it.
        { FLOOR(4, 2) "obstacles: [{ disc: { center_m: [1.6, 1], radius_m: 0.02 } }]\n"
                      "vehicles:\n" XRP_AT(1, 1, 0) QUIET,
          0.48 },
        { FLOOR(4, 2) "obstacles: [{ box: { center_m: [1.62, 1.11], size_m: [0.04, 0.04] } }]\n"
                      "vehicles:\n" XRP_AT(1, 1, 0) QUIET,
          0.508035 },
        { FLOOR(4, 2) "obstacles: [{ disc: { center_m: [1.6, 1.2], radius_m: 0.02 } }]\n"
                      "vehicles:\n" XRP_AT(1, 1, 0) QUIET,
          2.9 },
        // A pillar of 12 cm two metres away and a little to the side, and a pole of 1 cm.
        { FLOOR(4, 2) "obstacles: [{ disc: { center_m: [3.0989, 1.0654], radius_m: 0.06 } }]\n"
                      "vehicles:\n" XRP_AT(1, 1, 0) QUIET,
          1.94 },
        { FLOOR(4, 2) "obstacles: [{ disc: { center_m: [3.0989, 1.0654], radius_m: 0.005 } }]\n"
                      "vehicles:\n" XRP_AT(1, 1, 0) QUIET,
          1.995 },
        // Another robot's back, 0.08 m behind its axle.
        { FLOOR(4, 2) "vehicles:\n" XRP_AT(1, 1, 0) QUIET XRP_AT(2, 1, 0), 0.82 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_near(range_in(cases[i].yaml), cases[i].range_m, 1e-3);
    }
}

static void test_range_period(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FLOOR(4, 2) "vehicles:\n" XRP_AT(1, 1, 0) QUIET);
    world_bench_drive(&b, 0, 1, 1);
    double last_m = world_bench_sensors(&b, 0).range_m;
    for (int i = 1; i <= 100; i++) {
        world_bench_step(&b);
        const double now_m = world_bench_sensors(&b, 0).range_m;
        assert_int_equal(now_m != last_m, i % 5 == 0); // a measurement every 50 ms
        last_m = now_m;
    }
    world_bench_end(&b);
}

static void test_no_echo_has_no_noise(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP "    rangefinder: { noise_m: 0.5 }\n");
    for (int i = 0; i < 100; i++) {
        assert_near(world_bench_sensors(&b, 0).range_m, 4, 0);
        world_bench_step(&b);
    }
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- mats

#define MAT_FLOOR FLOOR(4, 2)
#define MAT_XRP   "vehicles:\n" XRP_AT(3, 1, 0) QUIET

static void test_shapes(void **state)
{
    (void)state;
    world_bench b = world_bench_of(
        MAT_FLOOR
        "mat:\n  corner_m: [0.5, 0.5]\n  size_m: [2, 1]\n  shade: 0.2\n  shapes:\n"
        "    - line: { points_m: [[0.6, 0.7], [1.0, 0.7], [1.0, 1.0]], width_m: 0.02 }\n"
        "    - arc: { center_m: [1.6, 1], radius_m: 0.3, from_deg: 0, to_deg: 90, width_m: 0.04 }\n"
        "    - disc: { center_m: [2.2, 0.8], radius_m: 0.1, shade: 0.6 }\n"
        "    - box: { center_m: [2.2, 1.2], size_m: [0.2, 0.02], angle_deg: 90, shade: 0 "
        "}\n" MAT_XRP);
    static const struct {
        double x_m, y_m, darkness;
    } cases[] = {
        { 0.7, 0.7, 1 },     { 0.7, 0.695, 1 },     { 0.7, 0.715, 0.2 }, // the line and beside it
        { 1.0, 0.9, 1 },     { 1.008, 0.9, 1 },     { 1.02, 0.9, 0.2 },  // after its corner
        { 0.592, 0.7, 1 },   { 0.585, 0.7, 0.2 },                        // its round end
        { 1.9, 1.05, 1 },    { 1.812, 1.212, 1 },   { 1.6, 1.318, 1 },   // the arc
        { 1.6, 1.33, 0.2 },  { 1.312, 1.212, 0.2 }, { 1.812, 0.788, 0.2 },
        { 1.88, 0.97, 0.2 }, { 1.6, 1.0, 0.2 },     { 2.2, 0.8, 0.6 },
        { 2.26, 0.86, 0.6 }, { 2.28, 0.88, 0.2 },                       // the disc
        { 2.2, 1.29, 0 },    { 2.2, 1.31, 0.2 },    { 2.25, 1.2, 0.2 }, // the turned box
        { 0.49, 0.7, 0.1 },  { 3.5, 1.9, 0.1 },                         // off the mat
        { NAN, 1, 0.1 },     { 1, -INFINITY, 0.1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double got = hy_world_darkness(b.model, cases[i].x_m, cases[i].y_m);
        assert_near(got, cases[i].darkness, 0.005);
    }
    // The line's edge is where it was drawn: half covered.
    assert_near(hy_world_darkness(b.model, 0.7, 0.71), 0.6, 0.02);
    world_bench_end(&b);
}

// The sensors sit 0.085 m ahead, 0.01 m to the left and to the right.
// The floor is looked at when somebody asks: what is read is still of the last step, also behind a reset.
static void test_a_reset_changes_no_reading(void **state)
{
    (void)state;
    world_bench b = world_bench_of(
        FLOOR(1, 1) "mat:\n  size_m: [1, 1]\n  shapes:\n"
                    "    - box: { center_m: [0.75, 0.5], size_m: [0.5, 1], shade: 1 }\n"
                    "vehicles:\n" XRP_AT(0.2, 0.5, 0));
    world_bench_drive(&b, 0, 1, 1);
    world_bench_run(&b, 1.5);
    const hy_sensors before = world_bench_sensors(&b, 0);
    const uint64_t hash = hy_world_hash(b.state);
    assert_true(before.reflectance[0] > 0.9);
    assert_int_equal(hy_world_hash(b.state), hash); // asking changes nothing
    for (int i = 0; i < 2; i++) {
        hy_world_reset(b.model, b.state);
        const hy_sensors after = world_bench_sensors(&b, 0);
        assert_memory_equal(after.reflectance, before.reflectance, sizeof before.reflectance);
    }
    world_bench_step(&b);
    assert_true(world_bench_sensors(&b, 0).reflectance[0] < 0.2);
    world_bench_end(&b);
}

static void test_reflectance(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        double left, right;
    } cases[] = {
        { "[[1.0, 1.02], [2, 1.02]], width_m: 0.04", 1, 0 }, // its edge between the sensors
        { "[[1.0, 0.98], [2, 0.98]], width_m: 0.04", 0, 1 },
        { "[[1.0, 1.0], [2, 1.0]], width_m: 0.04", 1, 1 },
        { "[[1.0, 1.0], [2, 1.0]], width_m: 0.02", 0.5, 0.5 }, // edges under both spots
        { "[[1.0, 0.8], [2, 0.8]], width_m: 0.04", 0, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char yaml[1024];
        snprintf(yaml, sizeof yaml,
                 "%smat: { size_m: [4, 2], shapes: [{ line: { points_m: %s } }] }\n"
                 "vehicles:\n" XRP_AT(1.3, 1, 0) QUIET,
                 MAT_FLOOR, cases[i].line);
        world_bench b = world_bench_of(yaml);
        const hy_sensors sensors = world_bench_sensors(&b, 0);
        assert_near(sensors.reflectance[0], cases[i].left, 0.02);
        assert_near(sensors.reflectance[1], cases[i].right, 0.02);
        assert_near(world_bench_truth(&b).reflectance[0], sensors.reflectance[0], 0);
        world_bench_end(&b);
    }
}

static void test_picture(void **state)
{
    (void)state;
    // Seen as people see it: top left black, top right white, bottom left grey, bottom right clear.
    static const uint8_t pixels[] = { 0,   0,   0,   255, 255, 255, 255, 255,
                                      188, 188, 188, 255, 0,   0,   0,   0 };
    char folder[] = "/tmp/halyard-mat-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char path[64];
    snprintf(path, sizeof path, "%s/mat.png", folder);
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = 2, .height = 2, .format = PNG_FORMAT_RGBA
    };
    assert_true(png_image_write_to_file(&image, path, 0, pixels, 0, NULL));

    static const char yaml[] = MAT_FLOOR "mat: { size_m: [2, 2], picture: mat.png }\n" MAT_XRP;
    hy_world_model *model;
    hy_world_error error;
    const hy_worldfile_text text = { { (const uint8_t *)yaml, sizeof yaml - 1 }, "test", folder };
    assert_int_equal(world_read(&text, &model, &error), HY_OK);
    assert_near(hy_world_darkness(model, 0.5, 1.5), 1, 1e-9);
    assert_near(hy_world_darkness(model, 1.5, 1.5), 0, 1e-9);
    assert_near(hy_world_darkness(model, 0.5, 0.5), 67.0 / 255, 0.01);
    assert_near(hy_world_darkness(model, 1.5, 0.5), 0, 1e-9);
    hy_world_free(model);
    unlink(path);
    rmdir(folder);
}

// --------------------------------------------------------------------------- where all that is

static void test_fittings_are_the_files(void **state)
{
    (void)state;
    world_bench b =
        world_bench_of(FLOOR(4, 4) "vehicles:\n"
                                   "  - kind: xrp\n"
                                   "    start: { x_m: 1, y_m: 2 }\n"
                                   "    wheels: { track_m: 0.2 }\n"
                                   "    rangefinder: { at_m: [0.05, 0.01], far_m: 2 }\n"
                                   "    reflectance: { at_m: [0.04, 0], apart_m: 0.03 }\n"
                                   "  - { kind: swerve, start: { x_m: 3, y_m: 2 } }\n");
    const hy_world_fittings xrp = hy_world_fittings_of(b.model, 0);
    assert_int_equal(xrp.wheel_count, 2);
    assert_near(xrp.wheels[0].y_m, 0.1, 1e-12);
    assert_true(xrp.has_range && xrp.has_reflectance);
    assert_near(xrp.range.x_m, 0.05, 1e-12);
    assert_near(xrp.range.y_m, 0.01, 1e-12);
    assert_near(xrp.range_far_m, 2, 1e-12);
    assert_near(xrp.reflectance[0].y_m, 0.015, 1e-12);
    assert_near(xrp.reflectance[1].y_m, -0.015, 1e-12);
    const hy_world_fittings swerve = hy_world_fittings_of(b.model, 1);
    assert_int_equal(swerve.wheel_count, 4);
    assert_true(swerve.wheels[1].x_m < 0 && swerve.wheels[1].y_m > 0);
    assert_false(swerve.has_range || swerve.has_reflectance);
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- sensors that are not wired

#define FURTHER_FLOOR                                                                              \
    FLOOR(4, 4)                                                                                    \
    "mat: { size_m: [4, 4], cell_m: 0.01, shapes: [{ disc: { center_m: [2, 2.3], radius_m: 0.2 } " \
    "}] }\n"                                                                                       \
    "vehicles:\n  - kind: xrp\n    start: { x_m: 2, y_m: 2, heading_deg: 90 }\n"
#define THIRD_EYE "      - reflectance: { name: middle, at_m: [0.3, 0], noise: 0.01 }\n"
#define SCANNER                                                                                 \
    "      - lidar: { name: scanner, at_m: [0.05, 0], near_m: 0.1, far_m: 8, rays_per_s: 3600," \
    " sweeps_per_s: 10 }\n"

static double reading(const world_bench *b, const char *sensor, const char *quantity, bool truth)
{
    hy_world_reading readings[32];
    const size_t count = hy_world_read_extra_sensors(b->model, b->state, 0, readings, 32);
    for (size_t i = 0; i < count && i < 32; i++) {
        if (strcmp(readings[i].sensor, sensor) == 0 && strcmp(readings[i].quantity, quantity) == 0) {
            return truth ? readings[i].truth : readings[i].value;
        }
    }
    fail_msg("%s has no %s", sensor, quantity);
    return 0;
}

// A lidar and a third reflectance sensor on an XRP, by its world file alone.
static void test_an_xrp_with_a_lidar(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FURTHER_FLOOR "    sensors:\n" THIRD_EYE SCANNER);
    assert_int_equal(hy_world_extra_sensors(b.model, 0), 2);
    assert_string_equal(hy_world_extra_sensor_at(b.model, 0, 1)->name, "scanner");
    for (int step = 0; step < 10; step++) { // a whole sweep
        world_bench_step(&b);
        assert_true(reading(&b, "middle", "reflectance", false) <= 1); // black with noise
        size_t count;
        const hy_world_echo *echo = hy_world_extra_sensor_echoes(b.model, b.state, 0, 1, &count);
        assert_int_equal(count, 36);
        for (size_t i = 0; i < count; i++) { // to the walls of a square floor
            const double at_y = 2.05, azimuth = echo[i].azimuth_rad + HY_PI / 2;
            const double x = cos(azimuth), y = sin(azimuth);
            const double to_x = fabs(x) > 1e-9 ? 2 / fabs(x) : INFINITY;
            const double to_y = fabs(y) > 1e-9 ? (y > 0 ? 4 - at_y : at_y) / fabs(y) : INFINITY;
            assert_near(echo[i].range_m, fmin(to_x, to_y), 1e-6);
        }
    }
    assert_near(reading(&b, "middle", "reflectance", true), 1, 1e-9);
    assert_near(reading(&b, "middle", "reflectance", false), 1, 0.05);
    assert_near(world_bench_truth(&b).reflectance[0], 0, 1e-9); // the wired ones are on white
    world_bench_end(&b);
}

/// Drives in circles; what is wired must not know of what is not.
static void drive_beside(world_bench *plain, world_bench *fitted)
{
    for (int step = 0; step < 300; step++) {
        world_bench_drive(plain, 0, 0.6, 0.9);
        world_bench_drive(fitted, 0, 0.6, 0.9);
        world_bench_step(plain);
        world_bench_step(fitted);
        const hy_sensors a = world_bench_sensors(plain, 0), b = world_bench_sensors(fitted, 0);
        assert_memory_equal(a.gyro_rate_rad_s, b.gyro_rate_rad_s, sizeof a.gyro_rate_rad_s);
        assert_memory_equal(a.accel_m_s2, b.accel_m_s2, sizeof a.accel_m_s2);
        assert_memory_equal(a.reflectance, b.reflectance, sizeof a.reflectance);
        assert_memory_equal(&a.range_m, &b.range_m, sizeof a.range_m);
    }
}

static void test_extra_sensors_have_streams_of_their_own(void **state)
{
    (void)state;
    static const char others[] =
        "      - imu: { name: spare, at_m: [0.01, 0.02] }\n"
        "      - range: { name: left, heading_deg: 90, at_m: [0, 0.09] }\n";
    char text[2048];
    snprintf(text, sizeof text, FURTHER_FLOOR "    sensors:\n%s%s", THIRD_EYE, others);
    world_bench plain = world_bench_of(FURTHER_FLOOR);
    world_bench one = world_bench_of(FURTHER_FLOOR "    sensors:\n" THIRD_EYE);
    world_bench three = world_bench_of(text);
    drive_beside(&plain, &one);
    hy_world_restart(plain.model, plain.state, 1);
    drive_beside(&plain, &three);
    // One more sensor behind it does not change what a sensor reads; its noise is not that of the others.
    assert_near(reading(&one, "middle", "reflectance", false),
                reading(&three, "middle", "reflectance", false), 0);
    assert_true(reading(&three, "spare", "gyro_rate_z_rad_s", false) !=
                world_bench_sensors(&three, 0).gyro_rate_rad_s[2]);
    assert_near(reading(&three, "spare", "gyro_rate_z_rad_s", false),
                world_bench_truth(&three).rate_z_rad_s, 0.02);
    assert_true(hy_world_hash(plain.state) != hy_world_hash(one.state));
    assert_true(hy_world_hash(one.state) != hy_world_hash(three.state));
    // A state that is started again is a new one.
    const uint64_t first = hy_world_hash(three.state);
    hy_world_restart(three.model, three.state, 1);
    hy_world_restart(plain.model, plain.state, 1);
    drive_beside(&plain, &three);
    assert_true(hy_world_hash(three.state) == first);
    world_bench_end(&plain);
    world_bench_end(&one);
    world_bench_end(&three);
}

// A range sensor that looks to the left sees the left wall, a turn of its place included.
static void test_a_range_sensor_that_looks_aside(void **state)
{
    (void)state;
    world_bench b = world_bench_of(
        FURTHER_FLOOR
        "    sensors:\n"
        "      - range: { name: left, heading_deg: 90, at_m: [0.02, 0.09], noise_m: 0 }\n");
    assert_near(reading(&b, "left", "range_m", false), 2 - 0.09, 1e-9);
    assert_near(reading(&b, "left", "range_m", true), 2 - 0.09, 1e-9);
    world_bench_end(&b);
}

// Each push takes the place of the one before, and a calibration at rest takes it away; one that has nothing to take away draws nothing.
static void test_pushes_do_not_add_up(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP), other = world_bench_of(OPEN_XRP);
    const double *const bias_rad_s = &b.state->vehicle[0].gyro_bias_rad_s[2];
    const double first_rad_s = *bias_rad_s;
    hy_world_calibrate_gyro(b.model, b.state, 0, false);
    assert_int_equal(hy_world_hash(b.state), hy_world_hash(other.state));
    double last_rad_s = first_rad_s;
    for (int i = 0; i < 20; i++) {
        hy_world_calibrate_gyro(b.model, b.state, 0, true);
        const double off_dps = fabs(*bias_rad_s - first_rad_s) / RAD_PER_DEG;
        assert_true(off_dps > 0.99 && off_dps < 5.01 && *bias_rad_s != last_rad_s);
        last_rad_s = *bias_rad_s;
    }
    hy_world_calibrate_gyro(b.model, b.state, 0, false);
    assert_near(*bias_rad_s, first_rad_s, 1e-15);
    assert_true(b.state->vehicle[0].gyro_pushed_rad_s == 0);
    hy_world_calibrate_gyro(b.model, b.state, 0, true); // and so does a reset
    hy_world_reset(b.model, b.state);
    assert_near(*bias_rad_s, first_rad_s, 1e-15);
    world_bench_end(&b);
    world_bench_end(&other);
}

// A board has pins for one IMU; a spec that wires two is refused, and says which vehicle and why.
static void test_two_wired_imus(void **state)
{
    (void)state;
    hy_world_spec spec;
    hy_world_model *model;
    hy_world_error error;
    const hy_worldfile_text text = { { (const uint8_t *)OPEN_XRP, strlen(OPEN_XRP) }, "test", "" };
    assert_int_equal(hy_worldfile_parse(&text, &spec, &error), HY_OK);
    hy_vehicle_spec *const xrp = &spec.vehicle[0];
    xrp->sensor[xrp->sensor_count] = *hy_vehicle_spec_wired(xrp, HY_SENSOR_IMU, 0);
    xrp->sensor_count++;
    assert_int_equal(hy_world_compile(&spec, &model, &error), HY_ERANGE);
    assert_non_null(strstr(error.text, "at most one IMU"));
    xrp->sensor_count--;
    xrp->mass_kg = -1;
    assert_int_equal(hy_world_compile(&spec, &model, &error), HY_ERANGE);
    assert_non_null(strstr(error.text, "vehicle 1 (xrp): body: mass_kg must be from 0.1 to 10"));
    hy_world_spec_free(&spec);
}

static void test_wrong_sensors(void **state)
{
    (void)state;
    static const struct {
        const char *sensors, *says;
    } cases[] = {
        { "      - reflectance: { at_m: [0, 0] }\n", "reflectance needs a 'name'" },
        { THIRD_EYE THIRD_EYE, "test:5:5: sensors: two have the same name" },
        { "      - reflectance: { name: a b }\n", "a name has letters, digits, '_' and '-' only" },
        { "      - sonar: { name: a }\n", "it has: imu, reflectance, range, lidar" },
        { "      - lidar: { name: a, near_m: 2, far_m: 1 }\n", "near_m must be less than far_m" },
        { "      - range: { name: a, far_m: 100 }\n", "far_m must be from 1 to 20" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char yaml[2048];
        snprintf(yaml, sizeof yaml, FURTHER_FLOOR "    sensors:\n%s", cases[i].sensors);
        const hy_worldfile_text text = { { (const uint8_t *)yaml, strlen(yaml) }, "test", "" };
        hy_world_model *model;
        hy_world_error error;
        assert_true(world_read(&text, &model, &error) != HY_OK);
        if (strstr(error.text, cases[i].says) == NULL) {
            fail_msg("'%s' does not say '%s'", error.text, cases[i].says);
        }
    }
}

// Further sensors survive the byte form.
static void test_sensors_as_bytes(void **state)
{
    (void)state;
    static const char yaml[] = FURTHER_FLOOR "    sensors:\n" THIRD_EYE SCANNER;
    const hy_worldfile_text text = { { (const uint8_t *)yaml, sizeof yaml - 1 }, "test", "" };
    static hy_world_spec spec, again;
    static uint8_t bytes[1 << 18];
    hy_world_error error;
    assert_int_equal(hy_worldfile_parse(&text, &spec, &error), HY_OK);
    const size_t size = hy_world_spec_write(&spec, (hy_room){ bytes, sizeof bytes });
    assert_true(size < sizeof bytes);
    assert_int_equal(hy_world_spec_read((hy_bytes){ bytes, size }, &again), HY_OK);
    assert_int_equal(again.vehicle[0].sensor_count, spec.vehicle[0].sensor_count);
    for (size_t i = 0; i < spec.vehicle[0].sensor_count; i++) {
        const hy_sensor_spec *a = &spec.vehicle[0].sensor[i], *b = &again.vehicle[0].sensor[i];
        assert_true(a->type == b->type && a->wired == b->wired && a->at_m.x_m == b->at_m.x_m);
        assert_string_equal(a->name, b->name);
    }
    hy_world_spec_free(&spec);
    hy_world_spec_free(&again);
}

// 300 boxes in a row have 1200 edges: too many for a lidar, and nothing to a world without one.
static void test_edges_are_limited_with_a_lidar_only(void **state)
{
    (void)state;
    for (int has_lidar = 0; has_lidar < 2; has_lidar++) {
        hy_world_spec spec;
        hy_world_model *model = NULL;
        hy_world_error error = { "" };
        hy_world_spec_init(&spec);
        snprintf(spec.name, sizeof spec.name, "boxes");
        spec.width_m = spec.height_m = 40;
        hy_vehicle_spec *const xrp = hy_world_spec_add_vehicle(&spec, "xrp");
        xrp->start_x_m = xrp->start_y_m = 20;
        if (has_lidar != 0) {
            snprintf(hy_vehicle_spec_add_sensor(xrp, HY_SENSOR_LIDAR)->name, 8, "scanner");
        }
        for (int i = 0; i < 300; i++) {
            hy_obstacle_spec *const box = hy_world_spec_add_obstacle(&spec, HY_OBSTACLE_BOX);
            box->center_m = (hy_point){ 1 + 0.1 * i, 1 };
            box->size_m = (hy_point){ 0.05, 0.05 };
        }
        const hy_status status = hy_world_compile(&spec, &model, &error);
        assert_int_equal(status, has_lidar != 0 ? HY_ERANGE : HY_OK);
        assert_int_equal(strstr(error.text, "at most 1024 edges") != NULL, has_lidar != 0);
        hy_world_free(model);
        hy_world_spec_free(&spec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_imu_at_rest),
        cmocka_unit_test(test_acceleration),
        cmocka_unit_test(test_angle_is_sum_of_rates),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_bias_and_drift),
        cmocka_unit_test(test_range_geometry),
        cmocka_unit_test(test_range_period),
        cmocka_unit_test(test_no_echo_has_no_noise),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_reflectance),
        cmocka_unit_test(test_a_reset_changes_no_reading),
        cmocka_unit_test(test_picture),
        cmocka_unit_test(test_fittings_are_the_files),
        cmocka_unit_test(test_an_xrp_with_a_lidar),
        cmocka_unit_test(test_edges_are_limited_with_a_lidar_only),
        cmocka_unit_test(test_extra_sensors_have_streams_of_their_own),
        cmocka_unit_test(test_a_range_sensor_that_looks_aside),
        cmocka_unit_test(test_pushes_do_not_add_up),
        cmocka_unit_test(test_two_wired_imus),
        cmocka_unit_test(test_wrong_sensors),
        cmocka_unit_test(test_sensors_as_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
