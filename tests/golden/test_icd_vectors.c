// Every recorded datagram of the reference's four programs, in both forms of the interface: read, and written
// again as the same JSON. Same keys, same order, whole numbers where it has them, values as close as
// the spec says.
#include <halyard/icd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "cmocka_all.h"

typedef struct {
    const char *name;
    size_t lines;
} vector_file;

static const vector_file files[] = {
    { "core_to_joystick", 1 },        { "core_to_sim", 14 },
    { "joystick_to_core", 18 },       { "sim_to_core", 6 },
    { "sim_to_simview", 5 },          { "simview_to_sim", 1 },
    { "later_core_to_joystick", 1 },  { "later_core_to_sim", 12 },
    { "later_joystick_to_core", 16 }, { "later_sim_to_core", 6 },
    { "later_sim_to_simview", 5 },    { "later_simview_to_sim", 1 },
};

#define FILES (sizeof files / sizeof files[0])

typedef struct {
    char name[64]; ///< "sim_to_core 3", counted from 1.
    hy_icd_form form;
    unsigned src, dst;
    size_t len;
    yyjson_doc *line;
    hy_bytes raw;
} recorded;

static recorded all[128];
static size_t count;
static hy_icd_reader *reader;

static void load_line(const vector_file *file, char *text, size_t number)
{
    recorded *const r = &all[count++];
    assert_true(count <= sizeof all / sizeof all[0]);
    snprintf(r->name, sizeof r->name, "%s %zu", file->name, number);
    r->form = strncmp(file->name, "later_", 6) == 0 ? HY_ICD_LATER : HY_ICD_DOCUMENT;
    r->line = yyjson_read(text, strlen(text), 0);
    yyjson_val *const root = yyjson_doc_get_root(r->line);
    yyjson_val *const raw = yyjson_obj_get(root, "raw");
    assert_true(yyjson_is_str(raw));
    r->src = (unsigned)yyjson_get_uint(yyjson_obj_get(root, "src"));
    r->dst = (unsigned)yyjson_get_uint(yyjson_obj_get(root, "dst"));
    r->len = yyjson_get_uint(yyjson_obj_get(root, "len"));
    r->raw = (hy_bytes){ (const uint8_t *)yyjson_get_str(raw), yyjson_get_len(raw) };
}

static void load_file(const vector_file *file)
{
    static char line[4 * HY_ICD_MESSAGE_MAX];
    char path[1024];
    snprintf(path, sizeof path, "%s/golden/icd/%s.jsonl", HALYARD_TEST_DATA, file->name);
    FILE *const f = fopen(path, "r");
    assert_non_null(f);
    size_t lines = 0;
    while (fgets(line, sizeof line, f) != NULL) {
        load_line(file, line, ++lines);
    }
    fclose(f);
    assert_int_equal(lines, file->lines);
}

static int load(void **state)
{
    (void)state;
    for (size_t i = 0; i < FILES; i++) {
        load_file(&files[i]);
    }
    reader = hy_icd_reader_open();
    return reader == NULL;
}

static int unload(void **state)
{
    (void)state;
    hy_icd_reader_close(reader);
    for (size_t i = 0; i < count; i++) {
        yyjson_doc_free(all[i].line);
    }
    return 0;
}

// --------------------------------------------------------------------------- the same JSON

typedef struct {
    const char *vector, *key; ///< Where we are: the innermost key.
    size_t index;             ///< And the number in its list.
    bool any_order;
} place;

static double tolerance(const place *at)
{
    const bool is_range =
        strcmp(at->key, "range") == 0 || (strcmp(at->key, "lidarPoints") == 0 && at->index == 2);
    return is_range ? 0.5000001e-4 : 0.5000001e-6;
}

static void differ(const place *at, const char *how)
{
    fail_msg("%s, at \"%s\" %zu: %s", at->vector, at->key, at->index, how);
}

static void compare_values(place at, yyjson_val *theirs, yyjson_val *ours);

static void compare_objects(place at, yyjson_val *theirs, yyjson_val *ours)
{
    if (yyjson_obj_size(theirs) != yyjson_obj_size(ours)) {
        differ(&at, "other keys");
    }
    yyjson_obj_iter their_items = yyjson_obj_iter_with(theirs);
    yyjson_obj_iter our_items = yyjson_obj_iter_with(ours);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&their_items)) != NULL;) {
        yyjson_val *const our_key = yyjson_obj_iter_next(&our_items);
        at.key = yyjson_get_str(key);
        if (!at.any_order && !yyjson_equals_str(our_key, at.key)) {
            differ(&at, "another key here");
        }
        compare_values(at, yyjson_obj_iter_get_val(key), yyjson_obj_get(ours, at.key));
    }
}

static void compare_lists(place at, yyjson_val *theirs, yyjson_val *ours)
{
    if (yyjson_arr_size(theirs) != yyjson_arr_size(ours)) {
        differ(&at, "a list of another length");
    }
    yyjson_arr_iter their_items = yyjson_arr_iter_with(theirs);
    yyjson_arr_iter our_items = yyjson_arr_iter_with(ours);
    at.index = 0;
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&their_items)) != NULL; at.index++) {
        compare_values(at, item, yyjson_arr_iter_next(&our_items));
    }
}

static void compare_values(place at, yyjson_val *theirs, yyjson_val *ours)
{
    if (yyjson_get_type(theirs) != yyjson_get_type(ours) ||
        (yyjson_is_num(theirs) && yyjson_is_int(theirs) != yyjson_is_int(ours))) {
        differ(&at, "another type");
    }
    if (yyjson_is_obj(theirs)) {
        compare_objects(at, theirs, ours);
    } else if (yyjson_is_arr(theirs)) {
        compare_lists(at, theirs, ours);
    } else if (yyjson_is_real(theirs)) {
        const double off = yyjson_get_real(theirs) - yyjson_get_real(ours);
        if (!(off <= tolerance(&at) && off >= -tolerance(&at))) {
            differ(&at, "another number");
        }
    } else if (!yyjson_equals(theirs, ours)) {
        differ(&at, "another value");
    }
}

// --------------------------------------------------------------------------- reading and writing

static size_t rewrite_sensors(const recorded *r, hy_room room)
{
    hy_icd_sensors sensors;
    size_t from = 0;
    assert_int_equal(hy_icd_read_sensors(reader, r->raw, &sensors), HY_OK);
    assert_int_equal(sensors.has_pose, r->line != NULL); // the document lists no pose
    const size_t size = hy_icd_write_sensors(&sensors, r->form, &from, room);
    assert_int_equal(from, sensors.lidar.count);
    return size;
}

static size_t rewrite_match(const recorded *r, hy_room room)
{
    static hy_icd_match match;
    size_t from = 0;
    assert_int_equal(hy_icd_read_match(reader, r->raw, &match), HY_OK);
    const size_t size = hy_icd_write_match(&match, r->form, &from, room);
    assert_int_equal(from, hy_icd_match_points(&match));
    return size;
}

// Reads the message that goes to this port and writes what was read.
static size_t rewrite(const recorded *r, hy_room room)
{
    hy_icd_sticks sticks;
    hy_icd_commands commands;
    switch (r->dst / 1000 * 1000) {
    case HY_ICD_CORE_JOYSTICK:
        assert_int_equal(hy_icd_read_sticks(reader, r->raw, &sticks), HY_OK);
        return hy_icd_write_sticks(&sticks, room);
    case HY_ICD_SIM_CORE:
        assert_int_equal(hy_icd_read_commands(reader, r->raw, &commands), HY_OK);
        return hy_icd_write_commands(&commands, room);
    case HY_ICD_CORE_SIM: return rewrite_sensors(r, room);
    case HY_ICD_VIEW: return rewrite_match(r, room);
    default:
        assert_int_equal(hy_icd_read_heartbeat(reader, r->raw), HY_OK);
        memcpy(room.data, HY_ICD_HEARTBEAT, strlen(HY_ICD_HEARTBEAT));
        return strlen(HY_ICD_HEARTBEAT);
    }
}

static void every_vector_is_read_and_written_again(void **state)
{
    (void)state;
    static uint8_t text[HY_ICD_MESSAGE_MAX];
    for (size_t i = 0; i < count; i++) {
        const recorded *const r = &all[i];
        assert_int_equal(r->len, r->raw.size);
        const size_t size = rewrite(r, (hy_room){ text, sizeof text });
        assert_true(size > 0 && size <= r->len); // ours are never longer
        yyjson_doc *const theirs = yyjson_read((const char *)r->raw.data, r->raw.size, 0);
        yyjson_doc *const ours = yyjson_read((const char *)text, size, 0);
        assert_non_null(ours);
        // The reference's joystick is written in a language whose maps have no order.
        const bool any_order = r->dst / 1000 * 1000 == HY_ICD_CORE_JOYSTICK;
        compare_values((place){ r->name, "", 0, any_order }, yyjson_doc_get_root(theirs),
                       yyjson_doc_get_root(ours));
        yyjson_doc_free(theirs);
        yyjson_doc_free(ours);
    }
    assert_int_equal(hy_icd_reader_left_out(reader), 0);
}

// --------------------------------------------------------------------------- the interface document's samples

static void expect_sample(const recorded *r)
{
    static uint8_t text[4096];
    const size_t size = rewrite(r, (hy_room){ text, sizeof text });
    yyjson_doc *const theirs =
        yyjson_read((const char *)r->raw.data, r->raw.size,
                    YYJSON_READ_ALLOW_COMMENTS | YYJSON_READ_ALLOW_TRAILING_COMMAS);
    yyjson_doc *const ours = yyjson_read((const char *)text, size, 0);
    assert_non_null(theirs);
    assert_non_null(ours);
    compare_values((place){ r->name, "", 0, false }, yyjson_doc_get_root(theirs),
                   yyjson_doc_get_root(ours));
    yyjson_doc_free(theirs);
    yyjson_doc_free(ours);
}

// As they stand there, and with 1 for each 0, which a key that is not known would lose.
static void the_documents_samples_are_read_verbatim(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        hy_icd_port to;
    } samples[] = {
        { "joystick_to_core", HY_ICD_CORE_JOYSTICK },
        { "core_to_joystick", HY_ICD_JOYSTICK },
        { "core_to_sim", HY_ICD_SIM_CORE },
        { "sim_to_core", HY_ICD_CORE_SIM },
        { "sim_to_simview", HY_ICD_VIEW },
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        char path[1024], text[4096];
        snprintf(path, sizeof path, "%s/golden/icd/document/%s.json5", HALYARD_TEST_DATA,
                 samples[i].name);
        FILE *const f = fopen(path, "r");
        assert_non_null(f);
        const size_t size = fread(text, 1, sizeof text, f);
        fclose(f);
        recorded sample = { .dst = samples[i].to, .raw = { (const uint8_t *)text, size } };
        snprintf(sample.name, sizeof sample.name, "sample %s", samples[i].name);
        expect_sample(&sample);
        for (size_t k = 1; k < size; k++) {
            text[k] = text[k] == '0' && text[k - 1] == ' ' ? '1' : text[k];
        }
        expect_sample(&sample);
    }
}

static void every_vector_went_between_our_ports(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        hy_icd_port from, to;
    } ways[] = {
        { "core_to_joystick", HY_ICD_CORE_JOYSTICK, HY_ICD_JOYSTICK },
        { "core_to_sim", HY_ICD_CORE_SIM, HY_ICD_SIM_CORE },
        { "joystick_to_core", HY_ICD_JOYSTICK, HY_ICD_CORE_JOYSTICK },
        { "sim_to_core", HY_ICD_SIM_CORE, HY_ICD_CORE_SIM },
        { "sim_to_simview", HY_ICD_SIM_VIEW, HY_ICD_VIEW },
        { "simview_to_sim", HY_ICD_VIEW, HY_ICD_SIM_VIEW },
    };
    for (size_t i = 0; i < count; i++) {
        const recorded *const r = &all[i];
        const char *const file = r->form == HY_ICD_LATER ? r->name + strlen("later_") : r->name;
        size_t w = 0;
        while (strncmp(file, ways[w].file, strlen(ways[w].file)) != 0 ||
               file[strlen(ways[w].file)] != ' ') {
            assert_true(++w < sizeof ways / sizeof ways[0]);
        }
        const unsigned player = 1 + r->dst % 1000 / 10;
        assert_int_equal(r->src, hy_icd_port_of(ways[w].from, player));
        assert_int_equal(r->dst, hy_icd_port_of(ways[w].to, player));
    }
}

// --------------------------------------------------------------------------- pinned values

static hy_bytes raw_of(const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i].name, name) == 0) {
            return all[i].raw;
        }
    }
    fail_msg("there is no %s", name);
    return (hy_bytes){ NULL, 0 };
}

static void pinned_sticks(void **state)
{
    (void)state;
    hy_icd_sticks s;
    assert_int_equal(hy_icd_read_sticks(reader, raw_of("joystick_to_core 4"), &s), HY_OK);
    const hy_icd_sticks four = { .left_y = 149, .right_x = -2, .left_trigger = 512 };
    assert_memory_equal(&s, &four, offsetof(hy_icd_sticks, guide) + 1);
    assert_int_equal(hy_icd_read_sticks(reader, raw_of("joystick_to_core 9"), &s), HY_OK);
    assert_int_equal(s.left_trigger, 256);
    assert_int_equal(s.right_trigger, 300);
    assert_int_equal(hy_icd_read_sticks(reader, raw_of("joystick_to_core 10"), &s), HY_OK);
    assert_int_equal(s.left_x, 200);
    assert_int_equal(hy_icd_read_sticks(reader, raw_of("joystick_to_core 16"), &s), HY_OK);
    assert_true(s.b && !s.a && !s.x && !s.y);
    assert_int_equal(hy_icd_read_sticks(reader, raw_of("joystick_to_core 18"), &s), HY_OK);
    assert_true(s.guide && !s.start && !s.back);
    assert_int_equal(hy_icd_read_sticks(reader, raw_of("later_joystick_to_core 4"), &s), HY_OK);
    assert_true(s.back && !s.guide);
}

static void pinned_commands(void **state)
{
    (void)state;
    hy_icd_commands c;
    assert_int_equal(hy_icd_read_commands(reader, raw_of("core_to_sim 4"), &c), HY_OK);
    const hy_icd_commands four = { 62, 64, 512, 512, 512, 0, false, false, false };
    assert_memory_equal(&c, &four, offsetof(hy_icd_commands, outtake) + 1);
    assert_int_equal(hy_icd_read_commands(reader, raw_of("core_to_sim 3"), &c), HY_OK);
    assert_true(c.outtake && !c.reset && !c.timer_start_stop);
    assert_int_equal(hy_icd_read_commands(reader, raw_of("core_to_sim 12"), &c), HY_OK);
    assert_true(c.timer_start_stop && !c.outtake);
    assert_int_equal(hy_icd_read_commands(reader, raw_of("later_core_to_sim 9"), &c), HY_OK);
    assert_int_equal(c.left_drive, -512);
    assert_int_equal(c.right_drive, -256);
}

static void pinned_sensors(void **state)
{
    (void)state;
    hy_icd_sensors s;
    assert_int_equal(hy_icd_read_sensors(reader, raw_of("sim_to_core 1"), &s), HY_OK);
    assert_true(s.has_pose && s.x_m == 0 && s.y_m == -5.003799915313721 &&
                s.theta_rad == 1.5750000476837158);
    assert_int_equal(s.lidar.count, 800);
    assert_true(s.lidar.points[0].range_m == 2.876868199557066);
    assert_true(s.lidar.points[799].azimuth_rad == 6.275331325545611);
    assert_true(s.lidar.points[8].range_m == -1);
    assert_int_equal(hy_icd_read_sensors(reader, raw_of("sim_to_core 3"), &s), HY_OK);
    assert_int_equal(s.lidar.count, 0);
    assert_int_equal(hy_icd_read_sensors(reader, raw_of("later_sim_to_core 2"), &s), HY_OK);
    assert_int_equal(s.ingested, 1);
    assert_int_equal(s.lidar.count, 79);
    assert_true(s.lidar.points[0].azimuth_rad == 2.623229865753565);
}

static void pinned_matches(void **state)
{
    (void)state;
    static hy_icd_match m;
    assert_int_equal(hy_icd_read_match(reader, raw_of("sim_to_simview 1"), &m), HY_OK);
    assert_true(m.timer_s == 135 && !m.timer_runs && !m.in_collision);
    assert_int_equal(m.vehicle_count, 6);
    assert_string_equal(m.vehicle[5].team, "412");
    assert_int_equal(m.vehicle[0].alliance, HY_ALLIANCE_BLUE);
    assert_int_equal(m.vehicle[5].alliance, HY_ALLIANCE_RED);
    assert_int_equal(m.vehicle[0].lidar.count, 800);
    assert_int_equal(m.vehicle[1].lidar.count, 0);
    assert_int_equal(m.piece_count, 20);
    assert_true(m.piece[0].x_m == 1.199895977973938);
    assert_int_equal(hy_icd_read_match(reader, raw_of("sim_to_simview 3"), &m), HY_OK);
    assert_true(m.timer_runs && m.timer_s == 132.5970001220703);
    assert_true(m.vehicle[0].intake_left_rad_s == 2.617500066757202 && m.vehicle[0].tube_rad_s == 0);
    assert_int_equal(hy_icd_read_match(reader, raw_of("sim_to_simview 5"), &m), HY_OK);
    assert_int_equal(m.blue_score, 2);
    assert_int_equal(hy_icd_read_match(reader, raw_of("later_sim_to_simview 3"), &m), HY_OK);
    assert_true(m.in_collision && m.vehicle[0].right_drive_rad_s == -3.406839609146118);
    assert_int_equal(m.vehicle[0].lidar.count, 87);
    assert_true(m.piece[19].x_m == -3.4000439643859863 && m.piece[19].y_m == -1.8300700187683105);
}

// Where every piece was, over all recordings: 0 free, 1 center intake .. 6 red goal.
static void pinned_ingestion_states(void **state)
{
    (void)state;
    static hy_icd_match m;
    size_t seen[2][7] = { { 0 } };
    for (size_t i = 0; i < count; i++) {
        if (all[i].dst / 1000 * 1000 == HY_ICD_VIEW) {
            assert_int_equal(hy_icd_read_match(reader, all[i].raw, &m), HY_OK);
            for (size_t p = 0; p < m.piece_count; p++) {
                seen[all[i].form][m.piece[p].ingestion]++;
            }
        }
    }
    static const size_t expected[2][7] = { { 97, [HY_ICD_TUBE] = 3 }, { 96, [HY_ICD_TUBE] = 4 } };
    assert_memory_equal(seen, expected, sizeof seen);
}

// --------------------------------------------------------------------------- the spec

static void assert_keys_named(const char *spec, yyjson_val *value)
{
    if (yyjson_is_arr(value) && yyjson_arr_size(value) > 0) {
        assert_keys_named(spec, yyjson_arr_get_first(value));
    }
    yyjson_obj_iter items = yyjson_obj_iter_with(value);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&items)) != NULL;) {
        char quoted[64];
        snprintf(quoted, sizeof quoted, "`%s`", yyjson_get_str(key));
        if (strstr(spec, quoted) == NULL) {
            fail_msg("docs/spec/icd.md does not name %s", quoted);
        }
        assert_keys_named(spec, yyjson_obj_iter_get_val(key));
    }
}

static void the_spec_names_every_key(void **state)
{
    (void)state;
    static char spec[1 << 16];
    FILE *const f = fopen(HALYARD_TEST_DATA "/../docs/spec/icd.md", "r");
    assert_non_null(f);
    spec[fread(spec, 1, sizeof spec - 1, f)] = '\0';
    fclose(f);
    for (size_t i = 0; i < count; i++) {
        yyjson_doc *const message = yyjson_read((const char *)all[i].raw.data, all[i].raw.size, 0);
        assert_keys_named(spec, yyjson_doc_get_root(message));
        yyjson_doc_free(message);
    }
    static uint8_t text[1024];
    const hy_icd_status status = { .player_count = 1, .robot_count = 1 };
    const size_t size = hy_icd_write_status(&status, (hy_room){ text, sizeof text });
    yyjson_doc *const message = yyjson_read((const char *)text, size, 0);
    assert_keys_named(spec, yyjson_doc_get_root(message));
    yyjson_doc_free(message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_vector_is_read_and_written_again),
        cmocka_unit_test(the_documents_samples_are_read_verbatim),
        cmocka_unit_test(every_vector_went_between_our_ports),
        cmocka_unit_test(pinned_sticks),
        cmocka_unit_test(pinned_commands),
        cmocka_unit_test(pinned_sensors),
        cmocka_unit_test(pinned_matches),
        cmocka_unit_test(pinned_ingestion_states),
        cmocka_unit_test(the_spec_names_every_key),
    };
    return cmocka_run_group_tests_name("icd vectors", tests, load, unload);
}
