#include "calibrate_bench.h"

#include <halyard/program.h>
#include <halyard/world.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLOOR_M 100.0
#define STEP_S  0.010

static double between(hy_random *random, double low, double high)
{
    return low + (high - low) * hy_random_unit(random);
}

static void hide_pair(hy_random *random, double pair[2], double off)
{
    const double middle = between(random, 1 - off, 1 + off);
    const double apart = between(random, -0.05, 0.05);
    pair[0] = middle * (1 + apart / 2);
    pair[1] = middle * (1 - apart / 2);
}

void calibrate_hide(hy_robot_traits *out, uint64_t seed)
{
    hy_random random = hy_random_seeded(1000 + seed);
    hy_robot_traits_ideal(out);
    snprintf(out->name, sizeof out->name, "hidden %u", (unsigned)seed);
    hide_pair(&random, out->strength, 0.2);
    hide_pair(&random, out->speed, 0.2);
    hide_pair(&random, out->friction, 0.2);
    out->breakaway = between(&random, 0.5, 0.8);
    out->track = between(&random, 0.97, 1.03);
    out->battery_v = between(&random, 4.4, 6.5);
    out->decay = hy_random_below(&random, 2) == 0 ? HY_DECAY_BRAKE : HY_DECAY_COAST;
}

// --------------------------------------------------------------------------- what is found of them

static const struct {
    const char *name;
    size_t offset;
} hiding[CALIBRATE_HIDDEN] = {
    { "motors: left_strength", offsetof(hy_robot_traits, strength[0]) },
    { "motors: right_strength", offsetof(hy_robot_traits, strength[1]) },
    { "motors: left_speed", offsetof(hy_robot_traits, speed[0]) },
    { "motors: right_speed", offsetof(hy_robot_traits, speed[1]) },
    { "motors: left_friction", offsetof(hy_robot_traits, friction[0]) },
    { "motors: right_friction", offsetof(hy_robot_traits, friction[1]) },
    { "motors: breakaway", offsetof(hy_robot_traits, breakaway) },
    { "wheels: track", offsetof(hy_robot_traits, track) },
    { "battery: volts", offsetof(hy_robot_traits, battery_v) },
};

const char *calibrate_hidden_name(size_t which)
{
    return hiding[which].name;
}

double calibrate_off(const hy_calibration *result, const hy_robot_traits *hidden, size_t which,
                     bool *is_determined)
{
    const hy_calibration_value *value = result->values;
    while (strcmp(value->name, hiding[which].name) != 0) {
        value++;
    }
    double truth;
    memcpy(&truth, (const char *)hidden + hiding[which].offset, sizeof truth);
    *is_determined = value->is_determined;
    return (value->value - truth) / value->deviation;
}

// --------------------------------------------------------------------------- the drive

static hy_world_model *compile(const hy_robot_traits *traits)
{
    hy_world_spec *const spec = malloc(sizeof *spec);
    hy_world_model *model = NULL;
    hy_world_error error;
    if (spec == NULL) {
        abort();
    }
    hy_world_spec_init(spec);
    snprintf(spec->name, sizeof spec->name, "open");
    spec->width_m = spec->height_m = FLOOR_M;
    hy_vehicle_spec *const xrp = hy_world_spec_add_vehicle(spec, "xrp");
    xrp->start_x_m = xrp->start_y_m = FLOOR_M / 2;
    (void)hy_vehicle_spec_set_traits(xrp, traits);
    if (hy_world_compile(spec, &model, &error) != HY_OK) {
        puts(error.text);
        abort();
    }
    hy_world_spec_free(spec);
    free(spec);
    return model;
}

void calibrate_record(hy_calibration_log *log, const hy_robot_traits *hidden, uint64_t seed)
{
    hy_calibration_drive drive = { .log = log };
    const hy_program program = {
        .name = "calibration",
        .robots = { { .of = &hy_calibration_devices,
                      .type = hy_robot_type_of_devices(&hy_xrp_devices),
                      .devices = &drive } },
        .loop = { .mode = { [HY_MODE_AUTONOMOUS] = { .init = hy_calibration_begin } },
                  .context = &drive },
    };
    hy_world_model *const model = compile(hidden);
    hy_program_outcome outcome;
    const hy_program_options options = { .model = model,
                                         .seed = seed,
                                         .duration_s = hy_calibration_script_s() + 1 };
    if (hy_program_run(&program, &options, &outcome) != HY_OK || !drive.is_done) {
        printf("the script was not driven: %s\n", outcome.error);
        abort();
    }
    hy_world_free(model);
}

// --------------------------------------------------------------------------- laps

static void step(const hy_world_model *model, hy_world_state *state, const double effort[2])
{
    hy_world_input input = { 0 };
    input.vehicle[0].motor_duty[0] = effort[0];
    input.vehicle[0].motor_duty[1] = -effort[1];
    hy_world_step(model, state, &input);
}

calibrate_error calibrate_compare(const hy_robot_traits *one, const hy_robot_traits *other,
                                  unsigned lap)
{
    hy_world_model *const model[2] = { compile(one), compile(other) };
    hy_world_state *state[2];
    (void)hy_world_open(model[0], 1, &state[0]);
    (void)hy_world_open(model[1], 1, &state[1]);
    calibrate_error error = { 0 };
    hy_world_pose before = hy_world_pose_of(state[0], 0);
    double effort[2];
    const unsigned steps = (unsigned)(hy_calibration_lap_efforts(lap, 0, effort) / STEP_S);
    for (unsigned i = 0; i < steps; i++) {
        (void)hy_calibration_lap_efforts(lap, i * STEP_S, effort);
        step(model[0], state[0], effort);
        step(model[1], state[1], effort);
        const hy_world_pose a = hy_world_pose_of(state[0], 0), b = hy_world_pose_of(state[1], 0);
        const double apart_m = hypot(a.x_m - b.x_m, a.y_m - b.y_m);
        const double turned_rad = a.heading_rad - b.heading_rad;
        error.way_m += hypot(a.x_m - before.x_m, a.y_m - before.y_m);
        error.position_rms_m += apart_m * apart_m / steps;
        error.heading_rms_rad += turned_rad * turned_rad / steps;
        before = a;
    }
    error.position_rms_m = sqrt(error.position_rms_m);
    error.heading_rms_rad = sqrt(error.heading_rms_rad);
    for (int i = 0; i < 2; i++) {
        hy_world_close(state[i]);
        hy_world_free(model[i]);
    }
    return error;
}
