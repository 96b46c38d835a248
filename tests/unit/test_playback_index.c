// A recording opened with the index that was kept of it shows the same as without; an index that is damaged, or of another file, is
// not used.
#include <halyard/telemetry.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "environment.h"
#include "made_log.h"
#include "record/record_playback.h"
#include "text/text.h"

#define CHANGED   77
#define TURNS     (is_long_run() ? 100 : 30)
#define TEXT_ROOM (1u << 20)

static uint8_t file_room[1u << 20];
static char texts[2][TEXT_ROOM];

static hy_bytes read_recording(const char *name)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/replay/%s.wpilog", HALYARD_TEST_DATA, name);
    FILE *const stream = fopen(path, "rb");
    assert_non_null(stream);
    const hy_bytes file = { file_room, fread(file_room, 1, sizeof file_room, stream) };
    assert_true(file.size > 1000 && file.size < sizeof file_room);
    (void)fclose(stream);
    return file;
}

static hy_playback *open_with(hy_bytes file, hy_bytes index, uint64_t changed)
{
    hy_playback *playback = NULL;
    hy_world_error error = { "" };
    const hy_playback_source source = { file, index, changed };
    if (hy_playback_open_source(&source, &playback, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    return playback;
}

static hy_bytes index_of(hy_bytes file)
{
    hy_playback *const playback = open_with(file, (hy_bytes){ NULL, 0 }, 0);
    assert_false(hy_playback_is_indexed(playback));
    const hy_bytes index = hy_playback_index(playback, CHANGED);
    assert_true(index.size > 0);
    hy_playback_close(playback);
    return index;
}

static const char *end_text(const hy_text *text, char *room)
{
    assert_true(text->size > 100 && !text->is_full);
    room[text->size] = '\0';
    return room;
}

static const char *scene_text(const hy_playback *playback, char *room)
{
    hy_text text = hy_text_in((hy_room){ (uint8_t *)room, TEXT_ROOM - 1 });
    hy_scene_write(&text, hy_playback_scene(playback));
    return end_text(&text, room);
}

static const char *state_text(hy_playback *playback, double at_s, char *room)
{
    hy_text text = hy_text_in((hy_room){ (uint8_t *)room, TEXT_ROOM - 1 });
    hy_scene_write_state(&text, hy_playback_state(playback, at_s));
    return end_text(&text, room);
}

static void assert_same_series(const hy_series *first, const hy_series *second)
{
    enum { ROOM = 40 };
    static hy_scene_sample samples[2][ROOM];
    assert_int_equal(hy_series_count(first), hy_series_count(second));
    for (unsigned i = 0; i < hy_series_count(first); i++) {
        assert_string_equal(hy_series_names(first)[i], hy_series_names(second)[i]);
        hy_scene_series one = { .channel = i, .samples = samples[0], .room = ROOM };
        hy_scene_series other = { .channel = i, .samples = samples[1], .room = ROOM };
        hy_series_read(first, 0.5, 3, &one, 1);
        hy_series_read(second, 0.5, 3, &other, 1);
        assert_int_equal(one.count, other.count);
        assert_memory_equal(samples[0], samples[1], one.count * sizeof *samples[0]);
    }
}

// The recordings with one robot, with many, one that was cut, and one of a program that publishes poses.
static void an_index_shows_the_same(void **state)
{
    (void)state;
    static const char *const names[] = { "teensy-square", "match-guests", "cut",
                                         "program-trajectory" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const hy_bytes file = read_recording(names[i]), index = index_of(file);
        hy_playback *const plain = open_with(file, (hy_bytes){ NULL, 0 }, 0);
        hy_playback *const indexed = open_with(file, index, CHANGED);
        assert_true(hy_playback_is_indexed(indexed));
        assert_string_equal(hy_playback_damage(indexed), hy_playback_damage(plain));
        assert_string_equal(scene_text(indexed, texts[0]), scene_text(plain, texts[1]));
        const double length_s = hy_playback_scene(plain)->replay->length_s;
        for (int turn = 0; turn < TURNS; turn++) { // forwards and back
            const double at_s = turn * 37 % 100 * length_s / 99;
            assert_string_equal(state_text(indexed, at_s, texts[0]),
                                state_text(plain, turn * 37 % 100 * length_s / 99, texts[1]));
        }
        assert_same_series(hy_playback_series(indexed), hy_playback_series(plain));
        const hy_bytes again = hy_playback_index(indexed, CHANGED);
        assert_int_equal(again.size, index.size);
        assert_memory_equal(again.data, index.data, index.size);
        hy_playback_close(plain);
        hy_playback_close(indexed);
        free((void *)(uintptr_t)again.data);
        free((void *)(uintptr_t)index.data);
    }
}

// Behind `at` bytes of a file, so many more.
static hy_bytes insert(hy_bytes file, size_t at, const made_log *more)
{
    assert_true(file.size + more->size < sizeof file_room);
    memmove(file_room + at + more->size, file_room + at, file.size - at);
    memcpy(file_room + at, more->bytes, more->size);
    return (hy_bytes){ file_room, file.size + more->size };
}

// Poses at wild times, and records that cannot be read, between any two records: all is shown as without them, with an index too, and
// both are said.
static void what_cannot_be_read_and_outliers_change_nothing(void **state)
{
    (void)state;
    static made_log more;
    const size_t whole = read_recording("xrp-square").size;
    for (size_t part = 1; part <= 9; part += 2) {
        hy_bytes file = read_recording("xrp-square");
        hy_wpilog_reader reader;
        hy_wpilog_record record;
        uint32_t pose = 0;
        hy_playback *const plain = open_with(file, (hy_bytes){ NULL, 0 }, 0);
        const double length_s = hy_playback_scene(plain)->replay->length_s;
        char states[5][200];
        for (int i = 0; i < 5; i++) {
            const hy_scene_robot_state *const robot =
                &hy_playback_state(plain, length_s * i / 4)->robots[0];
            (void)snprintf(states[i], sizeof states[i], "%.17g %.17g %.17g", robot->x_m, robot->y_m,
                           robot->heading_rad);
        }
        hy_playback_close(plain);
        assert_int_equal(hy_wpilog_reader_init(&reader, file), HY_OK);
        while (hy_wpilog_next(&reader, &record) && reader.offset < whole * part / 10) {
            const bool is_pose = record.kind == HY_WPILOG_START &&
                                 hy_wpilog_text_is(record.name, "NT:/Robot/Truth/Pose");
            pose = is_pose ? record.entry : pose;
        }
        more.size = 0;
        for (uint64_t i = 0; i < 3; i++) {
            put_doubles(&more, pose, UINT64_C(1000000000000000) << i, (const double[]){ 9, 9, 9 }, 3);
            put_head(&more, 0, 1, 5);
            put(&more, "\7", 1);
        }
        file = insert(file, reader.begin, &more);
        const hy_bytes index = index_of(file);
        hy_playback *const both[] = { open_with(file, (hy_bytes){ NULL, 0 }, 0),
                                      open_with(file, index, CHANGED) };
        assert_true(hy_playback_is_indexed(both[1]));
        assert_string_equal(hy_playback_damage(both[0]), hy_playback_damage(both[1]));
        for (int k = 0; k < 2; k++) {
            const char *const damage = hy_playback_damage(both[k]);
            assert_non_null(strstr(damage, "3 records cannot be read and are skipped"));
            assert_non_null(strstr(damage, "3 values are left out"));
            assert_non_null(strstr(damage, "'NT:/Robot/Truth/Pose', at 1000000000.000 s"));
            assert_true(hy_playback_scene(both[k])->replay->length_s == length_s);
            assert_int_equal(hy_playback_scene(both[k])->replay->outliers, 3);
            for (int i = 8; i >= 0; i--) { // back, then forwards
                const int at = i > 4 ? i - 4 : 4 - i;
                const hy_scene_robot_state *const robot =
                    &hy_playback_state(both[k], length_s * at / 4)->robots[0];
                char text[200];
                (void)snprintf(text, sizeof text, "%.17g %.17g %.17g", robot->x_m, robot->y_m,
                               robot->heading_rad);
                assert_string_equal(text, states[at]);
            }
            hy_playback_close(both[k]);
        }
        free((void *)(uintptr_t)index.data);
    }
}

static double value_of(const hy_scene_state *state, const char *name)
{
    for (size_t i = 0; i < state->value_count; i++) {
        if (strcmp(state->values[i].name, name) == 0) {
            return state->values[i].value;
        }
    }
    fail_msg("no value %s", name);
    return 0;
}

static void a_programs_setpoint_is_shown_beside_the_truth(void **state)
{
    (void)state;
    const hy_bytes file = read_recording("program-trajectory");
    hy_playback *const playback = open_with(file, (hy_bytes){ NULL, 0 }, 0);
    const double length_s = hy_playback_scene(playback)->replay->length_s;
    for (int i = 1; i < 20; i++) {
        const hy_scene_state *const shown = hy_playback_state(playback, i * length_s / 20);
        const double dx_m = value_of(shown, "SmartDashboard/wanted/x") - value_of(shown, "truth/x");
        const double dy_m = value_of(shown, "SmartDashboard/wanted/y") - value_of(shown, "truth/y");
        assert_true(dx_m * dx_m + dy_m * dy_m < 0.05 * 0.05);
    }
    assert_true(value_of(hy_playback_state(playback, length_s), "truth/x") > 0.05); // it has driven
    hy_playback_close(playback);
    hy_playback *const other = open_with(read_recording("xrp-square"), (hy_bytes){ NULL, 0 }, 0);
    assert_int_equal(hy_playback_state(other, 1)->value_count, 0); // nobody published a pose
    hy_playback_close(other);
}

static bool is_used(hy_bytes file, hy_bytes index, uint64_t changed)
{
    hy_playback *const playback = open_with(file, index, changed);
    const bool is_used = hy_playback_is_indexed(playback);
    const double length_s = hy_playback_scene(playback)->replay->length_s;
    assert_true(length_s > 1 && hy_playback_scene(playback)->replay->event_count > 0);
    assert_true(hy_series_count(hy_playback_series(playback)) > 10);
    hy_playback_close(playback);
    return is_used;
}

static void an_index_of_another_file_is_not_used(void **state)
{
    (void)state;
    const hy_bytes file = read_recording("match-two"), index = index_of(file);
    assert_true(is_used(file, index, CHANGED));
    assert_false(is_used(file, index, CHANGED + 1)); // written to since then
    assert_false(is_used((hy_bytes){ file.data, file.size - 1 }, index, CHANGED)); // shorter
    file_room[file.size - 1] ^= 1;                                                 // another end
    assert_false(is_used(file, index, CHANGED));
    file_room[file.size - 1] ^= 1;

    assert_true(is_used(file, index, CHANGED));
    free((void *)(uintptr_t)index.data);
}

static void a_damaged_index_is_not_used(void **state)
{
    (void)state;
    const hy_bytes file = read_recording("match-two"), index = index_of(file);
    uint8_t *const bytes = (uint8_t *)(uintptr_t)index.data;
    for (size_t i = 0; i < index.size; i += 1 + i) {
        bytes[i] ^= 1;
        assert_false(is_used(file, index, CHANGED));
        bytes[i] ^= 1;
        assert_false(is_used(file, (hy_bytes){ bytes, i }, CHANGED)); // cut
    }
    assert_true(is_used(file, index, CHANGED));
    free(bytes);
}

// Its hash is right, and what it says is not: then the picture is wrong, and nothing else.
static void a_forged_index_is_survived(void **state)
{
    (void)state;
    const hy_bytes file = read_recording("match-two"), index = index_of(file);
    uint8_t *const bytes = malloc(index.size);
    assert_non_null(bytes);
    hy_random random = hy_random_seeded(1);
    for (int turn = 0; turn < 30; turn++) {
        memcpy(bytes, index.data, index.size);
        for (int i = 0; i < 4; i++) { // one of them in the head, which counts the others
            const uint32_t most = i == 0 ? 19 * 8 : (uint32_t)index.size - 8;
            bytes[hy_random_below(&random, most)] = (uint8_t)hy_random_below(&random, 256);
        }
        hy_hash hash = hy_hash_start();
        for (size_t i = 0; i + 8 < index.size; i += 8) {
            uint64_t word = 0;
            for (size_t k = 8; k-- > 0;) {
                word = word << 8 | bytes[i + k];
            }
            hy_hash_u64(&hash, word);
        }
        for (size_t k = 0; k < 8; k++) {
            bytes[index.size - 8 + k] = (uint8_t)(hash.value >> (8 * k));
        }
        hy_playback *const playback = open_with(file, (hy_bytes){ bytes, index.size }, CHANGED);
        for (int i = 0; i < 5; i++) {
            (void)hy_playback_state(playback, i * 0.9);
        }
        assert_same_series(hy_playback_series(playback), hy_playback_series(playback));
        hy_playback_close(playback);
    }
    free(bytes);
    free((void *)(uintptr_t)index.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_index_shows_the_same),
        cmocka_unit_test(what_cannot_be_read_and_outliers_change_nothing),
        cmocka_unit_test(a_programs_setpoint_is_shown_beside_the_truth),
        cmocka_unit_test(an_index_of_another_file_is_not_used),
        cmocka_unit_test(a_damaged_index_is_not_used),
        cmocka_unit_test(a_forged_index_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
