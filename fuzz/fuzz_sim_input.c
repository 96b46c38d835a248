// LINK: sim worldfile match board config world wire base
// Any bytes are an input or are refused. An input that is read gives the same bytes when it is written, and a simulation takes
// any sequence of inputs: two of them agree on the hash.
#include <halyard/sim.h>
#include <halyard/worldfile.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define INPUTS_MAX 40

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static hy_sim *start(void)
{
    static const char yaml[] =
        "name: a\nfloor: { width_m: 2, height_m: 2 }\nvehicles:\n"
        "  - kind: xrp\n    start: { x_m: 1, y_m: 1, heading_deg: 0 }\n"
        "  - kind: swerve\n    start: { x_m: 0.4, y_m: 0.4, heading_deg: 0 }\n";
    static const hy_sim_board boards[] = { { 0, { .kind = &hy_board_xrp } },
                                           { 1, { .kind = &hy_board_teensy } } };
    static hy_world_model *model;
    hy_world_error error;
    const hy_worldfile_text text = { { (const uint8_t *)yaml, sizeof yaml - 1 }, "a", "" };
    if (model == NULL) {
        static hy_world_spec spec;
        if (hy_worldfile_parse(&text, &spec, &error) != HY_OK ||
            hy_world_compile(&spec, &model, &error) != HY_OK) {
            abort();
        }
        hy_world_spec_free(&spec);
    }
    hy_sim *sim;
    const hy_sim_setup setup = { .world = model, .boards = boards, .board_count = 2, .seed = 1 };
    if (hy_sim_open(&setup, &sim, &error) != HY_OK) {
        abort();
    }
    return sim;
}

static void check_written(const hy_sim_input *input, const uint8_t *bytes, size_t size)
{
    uint8_t *const written = malloc(size);
    assert(written != NULL);
    assert(hy_sim_input_write(input, (hy_room){ written, size }) == size);
    assert(memcmp(written, bytes, size) == 0);
    free(written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static hy_sim *a, *b;
    static hy_sim_lists lists;
    static bool is_stepped; // a start makes two worlds of bodies: most inputs are refused before a step
    if (a == NULL) {
        a = start();
        b = start();
    }
    if (is_stepped) {
        hy_sim_restart(a, 1);
        hy_sim_restart(b, 1);
        is_stepped = false;
    }
    size_t at = 0;
    for (int i = 0; i < INPUTS_MAX; i++) {
        hy_sim_input input;
        size_t used;
        if (hy_sim_input_read((hy_bytes){ data + at, size - at }, &lists, &input, &used) != HY_OK) {
            break;
        }
        assert(used >= 12 && used <= size - at);
        check_written(&input, data + at, used);
        at += used;
        is_stepped = true;
        hy_sim_step(a, &input);
        hy_sim_step(b, &input);
        assert(hy_sim_hash(a) == hy_sim_hash(b));
        hy_sim_datagram out;
        while (hy_sim_next_datagram(a, &out) && hy_sim_next_datagram(b, &out)) {
            assert(out.bytes.size > 0 && out.bytes.size <= HY_WIRE_STATUS_MAX);
        }
    }
    return 0;
}
