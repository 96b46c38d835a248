// LINK: worldfile match world config base
// Any text is a match or one sentence that begins with the file's name. A match that loads can be played at
// full speed: robots stay on the floor, balls are somewhere, all that is told is a number.
#include <halyard/worldfile.h>

#include <assert.h>
#include <string.h>

#define STEPS 40

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_finite(double value)
{
    return value - value == 0;
}

static void check(const hy_match_model *model, const hy_match *match)
{
    static hy_match_state seen;
    const hy_world_facts facts = hy_world_describe(hy_match_world(model));
    const hy_point middle = hy_match_middle(model);
    hy_match_read_state(match, &seen);
    assert(seen.robot_count == hy_match_players(model) && seen.piece_count == facts.pieces);
    for (size_t i = 0; i < seen.robot_count; i++) {
        const hy_match_robot *robot = &seen.robot[i];
        const double x = robot->x_m + middle.x_m, y = robot->y_m + middle.y_m;
        assert(x > 0 && x < facts.width_m && y > 0 && y < facts.height_m);
        assert(is_finite(robot->heading_rad) && is_finite(robot->left_drive_rad_s));
        for (size_t k = 0; k < robot->lidar.count; k++) {
            assert(is_finite(robot->lidar.points[k].range_m));
        }
    }
    for (size_t i = 0; i < seen.piece_count; i++) {
        assert(is_finite(seen.piece[i].x_m) && is_finite(seen.piece[i].y_m));
        assert(seen.piece[i].z_m >= 0 && seen.piece[i].z_m < 10);
    }
    assert(seen.blue_score + seen.red_score <= (int)facts.pieces);
}

static void play(const hy_match_model *model)
{
    static const hy_match_options options = { .seed = 1, .lidar_noise_m = 0.01 };
    hy_match *match = NULL;
    (void)hy_match_open(model, &options, &match);
    for (int step = 0; match != NULL && step < STEPS; step++) {
        for (unsigned i = 1; i <= hy_match_players(model); i++) {
            const hy_match_commands commands = { .left_drive = i % 2 ? 1 : -1,
                                                 .right_drive = step < STEPS / 2 ? 1 : -0.88,
                                                 .intake_center = 1,
                                                 .intake_left = 1,
                                                 .intake_right = -1,
                                                 .tube = 1,
                                                 .timer_start_stop = step % 3 == 0 };
            hy_match_command(match, i, &commands, step * (int64_t)HY_MATCH_STEP_US);
        }
        hy_match_step(match, step * (int64_t)HY_MATCH_STEP_US);
        check(model, match);
    }
    hy_match_close(match);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hy_match_spec spec;
    hy_match_model *model = NULL;
    hy_world_error error = { "" };
    const hy_worldfile_text text = { { data, size }, "fuzz", "/nonexistent" };
    hy_status status = hy_worldfile_parse_match(&text, &spec, &error);
    if (size % 2 != 0) {
        hy_world_spec_set_drive(&spec.world, HY_WORLD_DRIVE_IDEAL);
    }
    if (status == HY_OK) {
        status = hy_match_compile(&spec, &model, &error);
    }
    hy_match_spec_free(&spec);
    assert((status == HY_OK) == (model != NULL));
    assert(status == HY_OK || strncmp(error.text, "fuzz:", 5) == 0);
    if (model != NULL) {
        play(model);
        hy_match_free(model);
    }
    return 0;
}
