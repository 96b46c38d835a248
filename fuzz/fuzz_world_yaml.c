// LINK: worldfile match world config base
// Any text is a world or one sentence that begins with the file's name. A world that loads can be
// driven at full speed: its vehicles stay on the floor, and every reading is a number.
#include <halyard/worldfile.h>

#include <assert.h>
#include <string.h>

#define STEPS 60

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_finite(double value)
{
    return value - value == 0;
}

static void check_vehicle(const hy_world_model *model, const hy_world_state *state, size_t index)
{
    const hy_world_facts facts = hy_world_describe(model);
    const hy_truth truth = hy_world_truth(model, state, index);
    hy_sensors sensors;
    hy_world_read_sensors(model, state, index, &sensors);
    assert(truth.x_m > 0 && truth.x_m < facts.width_m);
    assert(truth.y_m > 0 && truth.y_m < facts.height_m);
    assert(is_finite(truth.heading_rad) && is_finite(truth.speed_m_s));
    assert(sensors.battery_v >= 0 && is_finite(sensors.range_m));
    for (int i = 0; i < HY_PIN_REFLECTANCE; i++) {
        assert(sensors.reflectance[i] >= 0 && sensors.reflectance[i] <= 1);
    }
    for (int i = 0; i < 3; i++) {
        assert(is_finite(sensors.gyro_rate_rad_s[i]) && is_finite(sensors.accel_m_s2[i]));
    }
    for (int i = 0; i < HY_PIN_ENCODERS; i++) {
        assert(is_finite(sensors.encoder_counts[i]));
    }
}

static void drive(const hy_world_model *model)
{
    hy_world_state *state = NULL;
    (void)hy_world_open(model, 1, &state);
    const size_t vehicles = hy_world_describe(model).vehicles;
    hy_world_input input = { 0 };
    for (size_t i = 0; i < vehicles; i++) {
        input.vehicle[i].motor_duty[0] = 1;
        input.vehicle[i].motor_duty[1] = i % 2 ? 1 : -0.9;
        for (int motor = 2; motor < HY_PIN_MOTORS; motor++) {
            input.vehicle[i].motor_duty[motor] = motor % 3 ? 1 : -0.7;
        }
    }
    for (int step = 0; state != NULL && step < STEPS; step++) {
        hy_world_step(model, state, &input);
        for (size_t i = 0; i < vehicles; i++) {
            check_vehicle(model, state, i);
        }
    }
    hy_world_close(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hy_world_spec spec;
    hy_world_model *model = NULL;
    hy_world_error error = { "" };
    // Pictures are looked for where there are none: a fuzzer must not wander through the disk.
    const hy_worldfile_text text = { { data, size }, "fuzz", "/nonexistent" };
    hy_status status = hy_worldfile_parse(&text, &spec, &error);
    if (status == HY_OK) {
        status = hy_world_compile(&spec, &model, &error);
    }
    hy_world_spec_free(&spec);
    assert((status == HY_OK) == (model != NULL));
    assert(status == HY_OK || strncmp(error.text, "fuzz:", 5) == 0);
    if (model != NULL) {
        drive(model);
        hy_world_free(model);
    }
    return 0;
}
