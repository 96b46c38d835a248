/// A small world on the bench: from text, driven for some seconds, looked at.
#ifndef HALYARD_TESTS_WORLD_BENCH_H
#define HALYARD_TESTS_WORLD_BENCH_H

#include <halyard/worldfile.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "ideal_world.h"
#include "near.h"

/// Keys of a vehicle that make its sensors exact; QUIET is for an XRP.
#define QUIET_IMU                                                                          \
    "    imu: { gyro_noise_dps: 0, gyro_bias_dps: 0, gyro_drift_dps: 0, accel_noise_g: 0," \
    " accel_bias_g: 0 }\n"
#define QUIET                         \
    QUIET_IMU                         \
    "    reflectance: { noise: 0 }\n" \
    "    rangefinder: { noise_m: 0 }\n"

#define VEHICLE_AT(kind, x, y, heading) \
    "  - kind: " kind "\n    start: { x_m: " #x ", y_m: " #y ", heading_deg: " #heading " }\n"
#define XRP_AT(x, y, heading)    VEHICLE_AT("xrp", x, y, heading)
#define SWERVE_AT(x, y, heading) VEHICLE_AT("swerve", x, y, heading)

/// A floor on which nothing is in reach.
#define OPEN_FLOOR "name: open\nfloor: { width_m: 100, height_m: 100 }\n"
#define OPEN_XRP   OPEN_FLOOR "vehicles:\n" XRP_AT(50, 50, 0)

typedef struct {
    hy_world_model *model;
    hy_world_state *state;
    hy_world_input input;
} world_bench;

static inline world_bench world_bench_seeded(const char *yaml, uint64_t seed)
{
    world_bench b = { 0 };
    hy_world_error error = { "" };
    const hy_worldfile_text text = { { (const uint8_t *)yaml, strlen(yaml) }, "test", "" };
    hy_world_spec spec;
    if (hy_worldfile_parse(&text, &spec, &error) != HY_OK ||
        hy_world_compile(&spec, &b.model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_world_spec_free(&spec);
    (void)hy_world_open(b.model, seed, &b.state);
    assert_non_null(b.state);
    return b;
}

static inline world_bench world_bench_of(const char *yaml)
{
    return world_bench_seeded(yaml, 1);
}

/// The world of that file with ideal robots.
static inline world_bench world_bench_file(const char *name)
{
    world_bench b = { 0 };
    hy_world_error error = { "" };
    char path[512];
    snprintf(path, sizeof path, "%s/../worlds/%s", HALYARD_TEST_DATA, name);
    if (ideal_world_load(path, false, &b.model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    (void)hy_world_open(b.model, 1, &b.state);
    assert_non_null(b.state);
    return b;
}

/// Duties of the drive motors, forward positive: the right motor is mounted the other way round.
static inline void world_bench_drive(world_bench *b, size_t vehicle, double left, double right)
{
    b->input.vehicle[vehicle].motor_duty[0] = left;
    b->input.vehicle[vehicle].motor_duty[1] = -right;
}

static inline void world_bench_step(world_bench *b)
{
    hy_world_step(b->model, b->state, &b->input);
}

static inline void world_bench_run(world_bench *b, double seconds)
{
    const int64_t us = (int64_t)(seconds * 1e6 + 0.5);
    for (int64_t now_us = 0; now_us < us; now_us += hy_world_describe(b->model).step_us) {
        world_bench_step(b);
    }
}

static inline hy_truth world_bench_truth(const world_bench *b)
{
    return hy_world_truth(b->model, b->state, 0);
}

static inline hy_sensors world_bench_sensors(const world_bench *b, size_t vehicle)
{
    hy_sensors sensors;
    hy_world_read_sensors(b->model, b->state, vehicle, &sensors);
    return sensors;
}

static inline void world_bench_end(world_bench *b)
{
    hy_world_close(b->state);
    hy_world_free(b->model);
}

/// Duties that are no numbers, or out of range, drive a world of one vehicle like those they stand for.
static inline void world_bench_check_odd_duties(const char *yaml)
{
    static const struct {
        double given, meant;
    } cases[] = { { NAN, 0 }, { INFINITY, 1 }, { -INFINITY, -1 }, { 5, 1 }, { -1e300, -1 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        world_bench odd = world_bench_of(yaml);
        world_bench plain = world_bench_of(yaml);
        for (int motor = 0; motor < HY_PIN_MOTORS; motor++) {
            odd.input.vehicle[0].motor_duty[motor] = cases[i].given;
            plain.input.vehicle[0].motor_duty[motor] = cases[i].meant;
        }
        world_bench_run(&odd, 0.5);
        world_bench_run(&plain, 0.5);
        assert_int_equal(hy_world_hash(odd.state), hy_world_hash(plain.state));
        world_bench_end(&odd);
        world_bench_end(&plain);
    }
}

#endif
