// LINK: worldfile match world config text base
// Any text is a robot or one sentence that begins with the file's name. A robot that is read drives as numbers, and is written as
// a file that gives the same file again.
#include <halyard/worldfile.h>

#include <assert.h>
#include <string.h>

#define STEPS 20

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void drive(const hy_robot_traits *traits)
{
    static hy_world_spec spec;
    hy_world_model *model;
    hy_world_error error;
    hy_world_spec_init(&spec);
    memcpy(spec.name, "fuzz", sizeof "fuzz");
    spec.width_m = spec.height_m = 4;
    hy_vehicle_spec *const xrp = hy_world_spec_add_vehicle(&spec, "xrp");
    xrp->start_x_m = xrp->start_y_m = 2;
    assert(hy_vehicle_spec_set_traits(xrp, traits));
    const hy_status status = hy_world_compile(&spec, &model, &error);
    hy_world_spec_free(&spec);
    if (status != HY_OK) { // numbers that are each in range, but not all together
        assert(error.text[0] != '\0');
        return;
    }
    hy_world_state *state = NULL;
    (void)hy_world_open(model, 1, &state);
    assert(state != NULL);
    hy_world_input input = { .vehicle[0].motor_duty = { 1, -0.7 } };
    for (int i = 0; i < STEPS; i++) {
        hy_world_step(model, state, &input);
        const hy_truth truth = hy_world_truth(model, state, 0);
        assert(truth.x_m - truth.x_m == 0 && truth.heading_rad - truth.heading_rad == 0);
    }
    hy_world_close(state);
    hy_world_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char name[] = "fuzz.yaml";
    static uint8_t first[HY_ROBOT_FILE_MAX], second[HY_ROBOT_FILE_MAX];
    const hy_worldfile_text text = { { data, size }, name, "" };
    hy_robot_traits traits, again;
    hy_world_error error;
    if (hy_robot_file_parse(&text, &traits, &error) != HY_OK) {
        assert(strncmp(error.text, name, sizeof name - 1) == 0);
        return 0;
    }
    const size_t written = hy_robot_file_write(&traits, (hy_room){ first, sizeof first });
    assert(written <= sizeof first);
    const hy_worldfile_text file = { { first, written }, name, "" };
    assert(hy_robot_file_parse(&file, &again, &error) == HY_OK);
    assert(hy_robot_file_write(&again, (hy_room){ second, sizeof second }) == written);
    assert(memcmp(first, second, written) == 0);
    drive(&traits);
    return 0;
}
