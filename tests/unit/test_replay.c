// Recordings that are run again: equal ones are found equal, an altered byte is found at its step, and files that are cut, foreign or
// of another version are told apart.
#include <halyard/replay.h>
#include <halyard/telemetry.h>
#include <halyard/worldfile.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "environment.h"
#include "match_with_extra_vehicles.h"
#include "record/record_playback.h"
#include "record/record_sim.h"
#include "sim/sim_setup.h"
#include "sim_script.h"

#define INPUTS     900
#define INPUT_NAME "/Halyard/Replay/PackedInput"

typedef struct {
    uint8_t *bytes;
    size_t size;
} file_bytes;

static char path[256];
static uint64_t seen_steps;
static hy_world_pose *seen_poses; // of each step of what is recorded; NULL: nobody asks

// --------------------------------------------------------------------------- recording

static hy_world_model *load_arena(void)
{
    hy_world_model *model;
    hy_world_error error;
    char name[512];
    (void)snprintf(name, sizeof name, "%s/../worlds/xrp-arena.yaml", HALYARD_TEST_DATA);
    if (hy_worldfile_load(name, &model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    return model;
}

static file_bytes read_file(const char *name)
{
    FILE *const file = fopen(name, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    assert_true(size > 0);
    rewind(file);
    const file_bytes out = { malloc((size_t)size), (size_t)size };
    assert_non_null(out.bytes);
    assert_int_equal(fread(out.bytes, 1, out.size, file), out.size);
    (void)fclose(file);
    return out;
}

// Of each step once: resets move robots between two of them, and are recorded with the next.
static void see_pose(const hy_sim *sim)
{
    if (seen_poses != NULL && seen_steps <= hy_sim_steps(sim)) {
        seen_poses[seen_steps] = hy_world_pose_of(hy_sim_world(sim), 0);
        seen_steps++;
    }
}

// Runs `setup` through a script, and returns its recording.
static file_bytes record(const hy_sim_setup *setup)
{
    hy_sim *sim;
    hy_world_error error;
    if (hy_sim_open(setup, &sim, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    static hy_sim_record recording;
    hy_record_error why;
    const hy_record_options options = { .path = path, .overwrite = true, .waits = true };
    if (hy_sim_record_open(&recording, &options, sim, &why) != HY_OK) {
        fail_msg("%s", why.text);
    }
    hy_sim_watch(sim, hy_sim_record_input, &recording);
    sim_script *const script = calloc(1, sizeof *script);
    assert_non_null(script);
    sim_script_start(script, setup->board_count, 3);
    script->has_pushes = true;
    seen_steps = 0;
    see_pose(sim);
    for (int i = 0; i < INPUTS; i++) {
        hy_sim_step(sim, sim_script_next(script));
        for (hy_sim_datagram out; hy_sim_next_datagram(sim, &out);) {
        }
        hy_sim_record_step(&recording, sim);
        see_pose(sim);
    }
    free(script);
    assert_int_equal(hy_sim_record_close(&recording, &why), HY_OK);
    hy_sim_close(sim);
    const file_bytes out = read_file(path);
    (void)unlink(path);
    return out;
}

static file_bytes record_arena(const hy_faults_spec *faults)
{
    hy_world_model *const model = load_arena();
    const hy_sim_board board = { 0, { .kind = &hy_board_xrp } };
    const hy_sim_setup setup = {
        .world = model, .boards = &board, .board_count = 1, .seed = 5, .faults = faults
    };
    const file_bytes out = record(&setup);
    hy_world_free(model);
    return out;
}

static hy_replay_report verify(const file_bytes *file, size_t size)
{
    hy_replay_report report;
    // A copy of just these bytes, so that reading beyond them is found.
    uint8_t *const copy = malloc(size + (size == 0));
    assert_non_null(copy);
    memcpy(copy, file->bytes, size);
    hy_replay_verify((hy_bytes){ copy, size }, &report);
    free(copy);
    assert_int_not_equal(report.text[0], 0);
    return report;
}

static void check_equal(const file_bytes *file)
{
    const hy_replay_report report = verify(file, file->size);
    if (report.result != HY_REPLAY_EQUAL) {
        fail_msg("%s", report.text);
    }
    assert_int_equal(report.inputs, INPUTS);
    assert_false(report.is_partial);
    assert_true(report.steps > INPUTS / 2 && report.steps < INPUTS);
    assert_int_equal(report.hashes, report.steps / 50 + 1 + (report.steps % 50 != 0));
}

// --------------------------------------------------------------------------- equal

static void equal_runs_are_equal(void **state)
{
    (void)state;
    const file_bytes file = record_arena(NULL);
    check_equal(&file);
    free(file.bytes);
}

static void a_match_with_boards_is_equal(void **state)
{
    (void)state;
    hy_match_model *const model = load_match_with_extra_vehicles();
    const hy_sim_board boards[] = {
        { hy_match_extra_vehicle(model, 0), { .kind = &hy_board_xrp_beta } },
        { hy_match_extra_vehicle(model, 1), { .kind = &hy_board_teensy } }
    };
    const hy_sim_setup setup = { .match = model,
                                 .boards = boards,
                                 .board_count = 2,
                                 .seed = UINT64_MAX,
                                 .lidar_noise_m = 0.02,
                                 .match_s = 4 };
    const file_bytes file = record(&setup);
    check_equal(&file);
    free(file.bytes);
    hy_match_free(model);
}

static void faults_are_equal(void **state)
{
    (void)state;
    hy_faults_spec faults;
    hy_faults_error error;
    assert_int_equal(
        hy_faults_parse("gym-full-of-phones outage=1s+200ms/2s reboot=3s clock=80ms@2s "
                        "start=65530 slip=1 stuck=gyro dead-encoder=0 seed=9",
                        &faults, &error),
        HY_OK);
    const file_bytes file = record_arena(&faults);
    check_equal(&file);
    free(file.bytes);
}

// --------------------------------------------------------------------------- different

// Where the inputs' records are: the offset of their payload, its size, and the step that they belong to.
typedef struct {
    size_t at, size;
    uint64_t step;
} input_place;

// SPEC sim 1: the steps of the world are byte 2 of an input, so byte 14 with its head: in the second group.
static uint64_t steps_of_input(hy_bytes packed)
{
    size_t second = 1;
    for (unsigned i = 0; i < 8; i++) {
        second += packed.data[0] >> i & 1;
    }
    return packed.data[second] >> 6 & 1;
}

static size_t find_inputs(const file_bytes *file, input_place out[INPUTS])
{
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    uint32_t entry = 0;
    uint64_t steps = 0;
    size_t count = 0;
    assert_int_equal(hy_wpilog_reader_init(&reader, (hy_bytes){ file->bytes, file->size }), HY_OK);
    while (hy_wpilog_next(&reader, &record)) {
        if (record.kind == HY_WPILOG_START && record.name.size == strlen(INPUT_NAME) &&
            memcmp(record.name.data, INPUT_NAME, record.name.size) == 0) {
            entry = record.entry;
        } else if (record.kind == HY_WPILOG_VALUE && record.entry == entry) {
            assert_true(count < INPUTS);
            out[count++] = (input_place){ (size_t)(record.value.data - file->bytes),
                                          record.value.size, steps + 1 };
            steps += steps_of_input(record.value);
        }
    }
    return count;
}

// One byte of every input, another one each time.
static void an_altered_byte_is_found_at_its_step(void **state)
{
    (void)state;
    static input_place inputs[INPUTS];
    const file_bytes file = record_arena(NULL);
    assert_int_equal(find_inputs(&file, inputs), INPUTS);
    for (size_t i = 0; i < INPUTS; i += 83) {
        uint8_t *const byte = &file.bytes[inputs[i].at + i % inputs[i].size];
        *byte ^= (uint8_t)(1U << i % 8);
        const hy_replay_report report = verify(&file, file.size);
        *byte ^= (uint8_t)(1U << i % 8);
        if (report.result != HY_REPLAY_DIFFERS || report.differing_step != inputs[i].step) {
            fail_msg("input %zu, step %llu: result %d, step %llu: %s", i,
                     (unsigned long long)inputs[i].step, (int)report.result,
                     (unsigned long long)report.differing_step, report.text);
        }
    }
    free(file.bytes);
}

// The n-th hash of a recording: three numbers of 8 bytes.
static uint8_t *find_hash(const file_bytes *file, int number)
{
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    assert_int_equal(hy_wpilog_reader_init(&reader, (hy_bytes){ file->bytes, file->size }), HY_OK);
    uint32_t entry = 0;
    while (hy_wpilog_next(&reader, &record)) {
        if (record.kind == HY_WPILOG_START && record.name.size == 20 &&
            memcmp(record.name.data, "/Halyard/Replay/Hash", 20) == 0) {
            entry = record.entry;
        } else if (entry != 0 && record.kind == HY_WPILOG_VALUE && record.entry == entry &&
                   --number == 0) {
            return file->bytes + (record.value.data - file->bytes);
        }
    }
    fail();
    return NULL;
}

// As a recording looks whose simulation has changed: its hashes are of another one.
static void another_state_is_found_at_the_next_hash(void **state)
{
    (void)state;
    const file_bytes file = record_arena(NULL);
    find_hash(&file, 4)[16] ^= 1;
    const hy_replay_report report = verify(&file, file.size);
    assert_int_equal(report.result, HY_REPLAY_DIFFERS);
    assert_int_equal(report.differing_step, 150); // the first hash is of step 0
    assert_int_equal(report.steps, 100);
    assert_int_equal(report.hashes, 3);
    free(file.bytes);
}

// --------------------------------------------------------------------------- partial and foreign files

static void a_cut_file_is_verified_up_to_its_end(void **state)
{
    (void)state;
    static input_place inputs[INPUTS];
    const file_bytes file = record_arena(NULL);
    assert_int_equal(find_inputs(&file, inputs), INPUTS);
    uint64_t last = 0;
    for (size_t size = 0; size < file.size; size += 1 + file.size / 13) {
        const hy_replay_report report = verify(&file, size);
        const bool has_hash = size >= inputs[0].at || report.hashes > 0;
        assert_int_equal(report.result, has_hash ? HY_REPLAY_EQUAL : HY_REPLAY_IMPOSSIBLE);
        assert_true(report.inputs >= last);
        last = report.inputs;
    }
    assert_true(last > INPUTS * 9 / 10);
    free(file.bytes);
}

// The record of one input is taken out, as if it had been dropped.
static void a_lost_input_ends_the_verification(void **state)
{
    (void)state;
    static input_place inputs[INPUTS];
    file_bytes file = record_arena(NULL);
    assert_int_equal(find_inputs(&file, inputs), INPUTS);
    // Other records stand between inputs; the one that is taken out begins in front of its payload.
    size_t head = 0;
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    assert_int_equal(hy_wpilog_reader_init(&reader, (hy_bytes){ file.bytes, file.size }), HY_OK);
    for (size_t at = reader.offset; hy_wpilog_next(&reader, &record); at = reader.offset) {
        if (record.kind == HY_WPILOG_VALUE &&
            (size_t)(record.value.data - file.bytes) == inputs[400].at) {
            head = at;
        }
    }
    const size_t end = inputs[400].at + inputs[400].size;
    assert_true(head > 0);
    memmove(file.bytes + head, file.bytes + end, file.size - end);
    file.size -= end - head;
    const hy_replay_report report = verify(&file, file.size);
    assert_int_equal(report.result, HY_REPLAY_EQUAL);
    assert_true(report.is_partial);
    assert_int_equal(report.inputs, 400);
    assert_non_null(strstr(report.text, "input 400 was lost"));
    free(file.bytes);
}

// Inputs were lost before the first hash, or its number was altered: no hash was compared, so nothing is equal.
static void without_a_comparable_hash_nothing_is_equal(void **state)
{
    (void)state;
    const file_bytes file = record_arena(NULL);
    find_hash(&file, 1)[0] ^= 1;
    const hy_replay_report report = verify(&file, file.size);
    assert_int_equal(report.result, HY_REPLAY_IMPOSSIBLE);
    assert_int_equal(report.hashes, 0);
    assert_non_null(strstr(report.text, "none of its hashes can be compared; input 0 was lost"));
    free(file.bytes);
}

static void another_version_is_named(void **state)
{
    (void)state;
    const file_bytes file = record_arena(NULL);
    const size_t length = strlen(hy_version());
    for (size_t i = 0; i + length < file.size; i++) {
        if (memcmp(file.bytes + i, hy_version(), length) == 0) {
            file.bytes[i] = '7';
            break;
        }
    }
    const hy_replay_report report = verify(&file, file.size);
    assert_int_equal(report.result, HY_REPLAY_IMPOSSIBLE);
    assert_non_null(strstr(report.text, "version 7"));
    assert_non_null(strstr(report.text, hy_version()));
    free(file.bytes);
}

static void a_foreign_log_has_no_hashes(void **state)
{
    (void)state;
    static const uint8_t other[] = "WPILOG\0\1\0\0\0\0\x10\0\x13\0"
                                   "\0\1\0\0\0\1\0\0\0a\1\0\0\0b\0\0\0\0";
    hy_replay_report report;
    hy_replay_verify((hy_bytes){ other, sizeof other - 1 }, &report);
    assert_int_equal(report.result, HY_REPLAY_IMPOSSIBLE);
    assert_non_null(strstr(report.text, "no hashes"));
    hy_replay_verify((hy_bytes){ (const uint8_t *)"PK", 2 }, &report);
    assert_int_equal(report.result, HY_REPLAY_IMPOSSIBLE);
    assert_non_null(strstr(report.text, "WPILOG"));
}

// --------------------------------------------------------------------------- pictures

// The playback lists the numbers that a pass over the file of its own finds.
static void assert_same_numbers(file_bytes file, const hy_series *listed)
{
    hy_series *alone = NULL;
    assert_int_equal(hy_series_open((hy_bytes){ file.bytes, file.size }, &alone), HY_OK);
    assert_non_null(listed);
    assert_true(hy_series_count(alone) > 10);
    assert_int_equal(hy_series_count(listed), hy_series_count(alone));
    for (size_t i = 0; i < hy_series_count(alone); i++) {
        assert_string_equal(hy_series_names(listed)[i], hy_series_names(alone)[i]);
    }
    hy_series_close(alone);
}

// Any moment shows what was there, forwards, backwards and between two values.
static void any_moment_shows_what_was_there(void **state)
{
    (void)state;
    static hy_world_pose poses[INPUTS];
    seen_poses = poses;
    const file_bytes file = record_arena(NULL);
    seen_poses = NULL;
    hy_playback *playback = NULL;
    hy_world_error error = { "" };
    assert_int_equal(hy_playback_open((hy_bytes){ file.bytes, file.size }, &playback, &error), HY_OK);
    assert_string_equal(hy_playback_damage(playback), "");
    const hy_scene *const scene = hy_playback_scene(playback);
    const int most = (int)(scene->replay->length_s / 0.02 + 0.5);
    assert_true(most > 100 && most < INPUTS / 2);
    assert_true(scene->replay->event_count > 2);
    assert_int_equal(scene->robots[0].player, 0);
    for (int turn = 0; turn < most * 2; turn++) { // any order
        const int step = turn * 37 % most;
        const double late_s = turn % 3 * 0.006;
        const hy_scene_state *const shown = hy_playback_state(playback, step * 0.02 + late_s);
        assert_true(shown->is_replay && shown->robot_count == 1);
        assert_true(shown->robots[0].x_m == poses[2 * step].x_m);
        assert_true(shown->robots[0].y_m == poses[2 * step].y_m);
        assert_true(shown->robots[0].heading_rad == poses[2 * step].heading_rad);
    }
    assert_true(hy_playback_state(playback, 1e9)->replay_s == scene->replay->length_s);
    assert_true(hy_playback_state(playback, -1)->replay_s == 0);
    assert_same_numbers(file, hy_playback_series(playback));
    hy_playback_close(playback);
    free(file.bytes);
}

static void show_all(const file_bytes *file, size_t size)
{
    hy_playback *playback = NULL;
    hy_world_error error = { "" };
    uint8_t *const copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, file->bytes, size);
    if (hy_playback_open((hy_bytes){ copy, size }, &playback, &error) == HY_OK) {
        for (double at_s = 0; at_s < 8; at_s += 0.5) {
            (void)hy_playback_state(playback, at_s);
        }
    } else {
        assert_int_not_equal(error.text[0], 0);
    }
    hy_playback_close(playback);
    free(copy);
}

static void damaged_files_are_shown_as_far_as_they_go(void **state)
{
    (void)state;
    const size_t cuts = is_long_run() ? 13 : 5;
    const int altered = is_long_run() ? 20 : 5;
    const file_bytes file = record_arena(NULL);
    for (size_t size = 0; size < file.size; size += 1 + file.size / cuts) {
        show_all(&file, size);
    }
    hy_random random = hy_random_seeded(1);
    for (int i = 0; i < altered; i++) {
        uint8_t *const byte = &file.bytes[hy_random_below(&random, (uint32_t)file.size)];
        *byte ^= (uint8_t)(1 + hy_random_below(&random, 255));
        show_all(&file, file.size); // one more each time
    }
    free(file.bytes);
}

// --------------------------------------------------------------------------- setups

// Whatever is altered in a setup, it is refused or gives a simulation.
static void altered_setups_are_survived(void **state)
{
    (void)state;
    static hy_sim_stored stored;
    hy_world_model *const model = load_arena();
    hy_faults_spec faults;
    hy_faults_error why;
    assert_int_equal(hy_faults_parse("bad-wifi reboot=1s", &faults, &why), HY_OK);
    const hy_sim_board board = { 0, { .kind = &hy_board_xrp } };
    const hy_sim_setup setup = {
        .world = model, .boards = &board, .board_count = 1, .seed = 5, .faults = &faults
    };
    const size_t size = hy_sim_setup_write(&setup, (hy_room){ NULL, 0 });
    uint8_t *const bytes = malloc(size), *const again = malloc(size);
    assert_non_null(bytes);
    assert_non_null(again);
    assert_int_equal(hy_sim_setup_write(&setup, (hy_room){ bytes, size }), size);
    hy_world_error error = { "" };
    assert_int_equal(hy_sim_stored_read(&stored, (hy_bytes){ bytes, size }, &error), HY_OK);
    assert_int_equal(hy_sim_setup_write(&stored.setup, (hy_room){ again, size }), size);
    assert_memory_equal(bytes, again, size);
    hy_sim_stored_free(&stored);
    for (size_t i = 0; i < 700 && i < size; i++) {
        memcpy(again, bytes, size);
        again[i] ^= 0xff;
        if (hy_sim_stored_read(&stored, (hy_bytes){ again, size }, &error) == HY_OK) {
            assert_int_equal(hy_sim_setup_write(&stored.setup, (hy_room){ NULL, 0 }), size);
        } else {
            assert_int_not_equal(error.text[0], 0);
        }
        hy_sim_stored_free(&stored);
        if (i < 300) {
            assert_int_not_equal(hy_sim_stored_read(&stored, (hy_bytes){ bytes, i }, &error), HY_OK);
        }
    }
    free(bytes);
    free(again);
    hy_world_free(model);
}

// What a later version may write: the description of the world begins with another number.
static void a_later_recording_shows_its_poses(void **state)
{
    (void)state;
    static const char name[] = "/Halyard/Replay/Setup";
    const file_bytes file = record_arena(NULL);
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    uint32_t entry = 0;
    assert_int_equal(hy_wpilog_reader_init(&reader, (hy_bytes){ file.bytes, file.size }), HY_OK);
    while (hy_wpilog_next(&reader, &record)) {
        if (record.kind == HY_WPILOG_START && record.name.size == strlen(name) &&
            memcmp(record.name.data, name, record.name.size) == 0) {
            entry = record.entry;
        } else if (record.kind == HY_WPILOG_VALUE && record.entry == entry) {
            file.bytes[record.value.data - file.bytes]++;
            break;
        }
    }
    hy_playback *playback;
    hy_world_error error = { "" };
    assert_int_equal(hy_playback_open((hy_bytes){ file.bytes, file.size }, &playback, &error), HY_OK);
    assert_non_null(strstr(hy_playback_damage(playback), "only poses are shown"));
    const hy_scene *const scene = hy_playback_scene(playback);
    assert_int_equal(scene->robot_count, 1);
    assert_true(scene->replay->length_s > 5);
    const hy_scene_robot_state start = hy_playback_state(playback, 0)->robots[0];
    const hy_scene_robot_state end = hy_playback_state(playback, 1e9)->robots[0];
    assert_true(start.x_m != end.x_m || start.y_m != end.y_m);
    hy_playback_close(playback);
    assert_int_equal(verify(&file, file.size).result, HY_REPLAY_IMPOSSIBLE);
    free(file.bytes);
}

int main(void)
{
    const char *const folder = getenv("TMPDIR");
    (void)snprintf(path, sizeof path, "%s/halyard-replay-%ld.wpilog",
                   folder != NULL ? folder : "/tmp", (long)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_runs_are_equal),
        cmocka_unit_test(a_match_with_boards_is_equal),
        cmocka_unit_test(faults_are_equal),
        cmocka_unit_test(an_altered_byte_is_found_at_its_step),
        cmocka_unit_test(another_state_is_found_at_the_next_hash),
        cmocka_unit_test(a_cut_file_is_verified_up_to_its_end),
        cmocka_unit_test(a_lost_input_ends_the_verification),
        cmocka_unit_test(without_a_comparable_hash_nothing_is_equal),
        cmocka_unit_test(another_version_is_named),
        cmocka_unit_test(a_foreign_log_has_no_hashes),
        cmocka_unit_test(any_moment_shows_what_was_there),
        cmocka_unit_test(damaged_files_are_shown_as_far_as_they_go),
        cmocka_unit_test(altered_setups_are_survived),
        cmocka_unit_test(a_later_recording_shows_its_poses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
