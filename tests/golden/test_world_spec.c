// The byte form of a spec: golden bytes both ways, every cut refused, and the document's tables are those of the code.
//
// When a change of the bytes is meant: HALYARD_WRITE_GOLDEN=1 writes world_spec.hex anew.
#include <halyard/worldfile.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"

#define GOLDEN   HALYARD_TEST_DATA "/golden/world_spec.hex"
#define DOCUMENT HALYARD_TEST_DATA "/../docs/spec/world-spec.md"

/// Something of everything, on a mat of 20 cells.
static const char small[] =
    "name: small\nstep_ms: 10\n"
    "floor: { width_m: 4, height_m: 3, wall_m: 0.5, shade: 0.25,\n"
    "  edge_m: [[0, 0], [4, 0], [4, 3], [0.5, 3], [0, 2.5]] }\n"
    "mat: { size_m: [0.5, 0.4], corner_m: [1, 1], cell_m: 0.1, shapes: [{ disc: { center_m: [1.25, "
    "1.2], radius_m: 0.1 } }] }\n"
    "obstacles: [{ box: { center_m: [3, 0.5], size_m: [0.2, 0.1], angle_deg: 30 } },\n"
    "  { disc: { center_m: [3.5, 0.5], radius_m: 0.1, height_m: 0.3 } },\n"
    "  { polygon: { corners_m: [[2, 0.2], [2.2, 0.2], [2, 0.4]] } }]\n"
    "vehicles:\n"
    "  - { kind: xrp, start: { x_m: 0.5, y_m: 0.5, heading_deg: 90 }, robot: typical }\n"
    "  - { kind: swerve, start: { x_m: 1.5, y_m: 0.5 } }\n"
    "  - { kind: tank, start: { x_m: 2, y_m: 2 }, team: \"3260\", alliance: red, lidar: {} }\n"
    "goals: [{ alliance: blue, corners_m: [[3.5, 1], [4, 1], [4, 1.5], [3.5, 1.5]], outtake_m: "
    "[3.2, 1.2],\n"
    "  outtake_m_s: [-1, 0] }]\n"
    "pieces: { radius_m: 0.05, at_m: [[0.5, 1.5]] }\n"
    "regions: [{ box: { center_m: [1, 2], size_m: [0.5, 0.3], angle_deg: 45, grip: 0.25, "
    "slope_deg: 3 } },\n"
    "  { disc: { center_m: [3, 2], radius_m: 0.2, grip: 1.5 } }]\n";

static void read_small(hy_world_spec *spec)
{
    const hy_worldfile_text text = { { (const uint8_t *)small, sizeof small - 1 }, "small", "" };
    hy_world_error error;
    if (hy_worldfile_parse(&text, spec, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
}

/// All its bytes; the caller frees them.
static hy_room bytes_of(const hy_world_spec *spec)
{
    hy_room room = { NULL, hy_world_spec_write(spec, (hy_room){ NULL, 0 }) };
    room.data = malloc(room.size);
    assert_non_null(room.data);
    assert_int_equal(hy_world_spec_write(spec, room), room.size);
    return room;
}

static hy_bytes view_of(hy_room room)
{
    return (hy_bytes){ room.data, room.size };
}

// --------------------------------------------------------------------------- golden bytes

static void write_golden(hy_room bytes)
{
    FILE *file = fopen(GOLDEN, "w");
    assert_non_null(file);
    for (size_t i = 0; i < bytes.size; i++) {
        fprintf(file, "%02x%s", bytes.data[i], i % 32 == 31 || i + 1 == bytes.size ? "\n" : " ");
    }
    assert_int_equal(fclose(file), 0);
}

static hy_room read_golden(void)
{
    static uint8_t bytes[1 << 16];
    hy_room room = { bytes, 0 };
    FILE *file = fopen(GOLDEN, "r");
    assert_non_null(file);
    char word[4];
    while (fscanf(file, "%3s", word) == 1) {
        assert_true(room.size < sizeof bytes);
        bytes[room.size++] = (uint8_t)strtoul(word, NULL, 16);
    }
    fclose(file);
    return room;
}

static void test_golden_bytes(void **state)
{
    (void)state;
    hy_world_spec spec, again;
    read_small(&spec);
    hy_room got = bytes_of(&spec);
    if (getenv("HALYARD_WRITE_GOLDEN") != NULL) {
        write_golden(got);
    }
    const hy_room expected = read_golden();
    for (size_t i = 0; i < got.size && i < expected.size; i++) {
        if (got.data[i] != expected.data[i]) {
            fail_msg("byte %zu is %02x, the file says %02x", i, got.data[i], expected.data[i]);
        }
    }
    assert_int_equal(got.size, expected.size);
    assert_int_equal(hy_world_spec_read(view_of(expected), &again), HY_OK);
    hy_room rewritten = bytes_of(&again);
    assert_int_equal(rewritten.size, got.size);
    assert_memory_equal(rewritten.data, got.data, got.size);
    hy_world_spec_free(&spec);
    hy_world_spec_free(&again);
    free(rewritten.data);
    free(got.data);
}

// A world that is read from bytes is the world that was written: the same hashes after a second of driving.
static uint64_t hash_after_driving(const hy_world_spec *spec)
{
    hy_world_model *model;
    hy_world_error error;
    if (hy_world_compile(spec, &model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_world_state *world = NULL;
    (void)hy_world_open(model, 5, &world);
    assert_non_null(world);
    hy_world_input input = { 0 };
    for (size_t i = 0; i < HY_WORLD_VEHICLES; i++) {
        input.vehicle[i].motor_duty[0] = 0.8;
        input.vehicle[i].motor_duty[1] = -0.5;
    }
    for (int step = 0; step < 100; step++) {
        hy_world_step(model, world, &input);
    }
    const uint64_t hash = hy_world_hash(world);
    hy_world_close(world);
    hy_world_free(model);
    return hash;
}

static void test_shipped_worlds(void **state)
{
    (void)state;
    static const char *const names[] = { "xrp-arena",    "xrp-course", "xrp-line",     "xrp-open",
                                         "teensy-field", "field2020",  "teensy-homing" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[512];
        hy_world_spec spec, again;
        hy_world_error error;
        snprintf(path, sizeof path, "%s/../worlds/%s.yaml", HALYARD_TEST_DATA, names[i]);
        assert_int_equal(hy_worldfile_read(path, &spec, &error), HY_OK);
        hy_room bytes = bytes_of(&spec);
        assert_true(bytes.size < spec.mat.columns * spec.mat.rows / 4 + 20000); // runs are short
        assert_int_equal(hy_world_spec_read(view_of(bytes), &again), HY_OK);
        assert_true(hash_after_driving(&spec) == hash_after_driving(&again));
        hy_world_spec_free(&spec);
        hy_world_spec_free(&again);
        free(bytes.data);
    }
}

static void test_match_bytes(void **state)
{
    (void)state;
    hy_match_spec spec, again;
    read_small(&spec.world);
    spec.middle = (hy_point){ 2, 1.5 };
    static uint8_t bytes[1 << 16];
    const size_t size = hy_match_spec_write(&spec, (hy_room){ bytes, sizeof bytes });
    assert_true(size == hy_match_spec_write(&spec, (hy_room){ NULL, 0 }) && size < sizeof bytes);
    assert_memory_equal(bytes, "HYMS\1\0\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\xf8\x3fHYWS\5\0", 28);
    for (size_t cut = 0; cut < size; cut++) {
        assert_int_equal(hy_match_spec_read((hy_bytes){ bytes, cut }, &again), HY_EFORMAT);
    }
    assert_int_equal(hy_match_spec_read((hy_bytes){ bytes, size }, &again), HY_OK);
    assert_true(again.middle.x_m == 2 && again.middle.y_m == 1.5 && again.world.vehicle_count == 3);
    hy_match_spec_free(&spec);
    hy_match_spec_free(&again);
}

/// Where in the golden bytes a text stands.
static size_t find(hy_room golden, const char *bytes, size_t size)
{
    for (size_t i = 0; i + size <= golden.size; i++) {
        if (memcmp(golden.data + i, bytes, size) == 0) {
            return i;
        }
    }
    fail_msg("not found");
    return 0;
}

/// The bytes without `size` of them at `at`.
static void cut_out(hy_room *bytes, size_t at, size_t size)
{
    memmove(bytes->data + at, bytes->data + at + size, bytes->size - at - size);
    bytes->size -= size;
}

static void assert_reads_as(hy_bytes bytes, const hy_world_spec *spec, double inductance_h)
{
    hy_world_spec again;
    assert_int_equal(hy_world_spec_read(bytes, &again), HY_OK);
    assert_true(again.vehicle[0].bridge.decay == HY_DECAY_CONTROLLER &&
                again.vehicle[0].bridge.inductance_h == inductance_h &&
                again.vehicle[0].traits_count == 0 && again.vehicle_count == 3 &&
                again.vehicle[0].of.xrp.servo_rad_s == spec->vehicle[0].of.xrp.servo_rad_s);
    assert_true(hash_after_driving(spec) == hash_after_driving(&again));
    hy_world_spec_free(&again);
}

// Where the bytes of the vehicle of that type and place begin.
static size_t find_vehicle(hy_room bytes, uint8_t type, hy_point start)
{
    char begin[1 + 2 * sizeof(double)] = { (char)type };
    memcpy(begin + 1, &start.x_m, sizeof(double));
    memcpy(begin + 1 + sizeof(double), &start.y_m, sizeof(double));
    return find(bytes, begin, sizeof begin);
}

/// Takes out what version 5 added: regions, an XRP's `com_height_m`, a swerve robot's `play_deg`, `start_deg`, `home_deg`, `robot` and `bridge`, and of an XRP's robot `play_deg`, if there is one.
static void cut_to_version_4(hy_room *bytes, bool has_robot, const hy_world_spec *spec)
{
    const hy_motor_spec *const azimuth = &spec->vehicle[1].of.swerve.azimuth;
    const size_t bridge =
        1 + 2 * sizeof(double); // decay, pwm_hz, inductance_h, behind the list of robots
    cut_out(bytes, find_vehicle(*bytes, HY_VEHICLE_TANK, (hy_point){ 2, 2 }) - 2 - bridge,
            2 + bridge);
    char load[2 * sizeof(double)];
    memcpy(load, &azimuth->counts_per_turn, sizeof(double));
    memcpy(load + sizeof(double), &azimuth->load_kg_m2, sizeof(double));
    cut_out(bytes, find(*bytes, load, sizeof load) + sizeof load, 3 * sizeof(double));
    const size_t size = has_robot ? 2 * sizeof(double) : sizeof(double);
    cut_out(bytes, find_vehicle(*bytes, HY_VEHICLE_SWERVE, (hy_point){ 1.5, 0.5 }) - size, size);
    bytes->size -= 2; // the count of regions
    bytes->data[4] = 4;
}

// Version 1 had no bridges and no breakaway, version 2 no robot, version 3 no current limit and no brownout of tanks, and version 4
// no regions, no height of the centre of mass, no play of azimuths, no robot and no bridge of swerves: they read as 0, which changes nothing.
static void test_older_versions(void **state)
{
    (void)state;
    hy_world_spec spec;
    read_small(&spec);
    hy_tank_spec *const tank = &spec.vehicle[2].of.tank;
    tank->limit_a = tank->motors_per_side = tank->brownout_v = 0;
    spec.region_count = 0;
    spec.vehicle[0].of.xrp.com_height_m = 0;
    hy_room with_robot = bytes_of(&spec);
    spec.vehicle[0].traits_count = 0;
    hy_room bytes = bytes_of(&spec);
    size_t robot = 0;
    while (bytes.data[robot] == with_robot.data[robot]) {
        robot++;
    }
    cut_to_version_4(&with_robot, true, &spec);
    hy_world_spec fourth;
    assert_int_equal(hy_world_spec_read(view_of(with_robot), &fourth), HY_OK);
    assert_true(fourth.vehicle[0].traits_count == 1 && fourth.vehicle[0].traits.spikes_per_s == 0.1 &&
                fourth.vehicle[0].traits.azimuth_play_rad == 0 &&
                fourth.vehicle[1].of.swerve.play_rad == 0 && fourth.vehicle[1].traits_count == 0);
    hy_world_spec_free(&fourth);
    cut_to_version_4(&bytes, false, &spec);
    assert_reads_as(view_of(bytes), &spec, spec.vehicle[0].bridge.inductance_h);
    const hy_battery_spec *const battery =
        &spec.vehicle[2].battery; // what version 4 added is behind it
    char before[sizeof *battery];
    memcpy(before, battery, sizeof before);
    cut_out(&bytes, find(bytes, before, sizeof before) + sizeof before, 3 * sizeof(double));
    bytes.data[4] = 3;
    assert_reads_as(view_of(bytes), &spec, spec.vehicle[0].bridge.inductance_h);
    cut_out(&bytes, robot, 2); // the count of a list
    bytes.data[4] = 2;
    assert_reads_as(view_of(bytes), &spec, spec.vehicle[0].bridge.inductance_h);
    // The XRP's fields behind `right_speed` (1): breakaway, decay, pwm_hz, inductance_h; then the servos' speed.
    const size_t added = 8 + 1 + 8 + 8;
    char servo[8];
    memcpy(servo, &spec.vehicle[0].of.xrp.servo_rad_s, sizeof servo);
    cut_out(&bytes, find(bytes, servo, sizeof servo) - added, added);
    bytes.data[4] = 1;
    assert_reads_as(view_of(bytes), &spec, 0);
    hy_world_spec_free(&spec);
    free(with_robot.data);
    free(bytes.data);
}

// A text that fills its field is kept whole.
static void test_the_longest_name(void **state)
{
    (void)state;
    hy_world_spec spec, again;
    read_small(&spec);
    memset(spec.name, 'n', sizeof spec.name - 1);
    spec.name[sizeof spec.name - 1] = '\0';
    hy_room bytes = bytes_of(&spec);
    assert_int_equal(hy_world_spec_read(view_of(bytes), &again), HY_OK);
    assert_string_equal(again.name, spec.name);
    free(bytes.data);
    hy_world_spec_free(&again);
    hy_world_spec_free(&spec);
}

// --------------------------------------------------------------------------- what is refused

static void assert_refused(hy_bytes bytes)
{
    hy_world_spec spec;
    assert_int_equal(hy_world_spec_read(bytes, &spec), HY_EFORMAT);
    assert_true(spec.mat.cells == NULL && spec.obstacles == NULL && spec.vehicle_count == 0);
}

static void test_every_prefix(void **state)
{
    (void)state;
    const hy_room golden = read_golden();
    for (size_t size = 0; size < golden.size; size++) {
        assert_refused((hy_bytes){ golden.data, size });
    }
    golden.data[golden.size] = 0; // one byte more
    assert_refused((hy_bytes){ golden.data, golden.size + 1 });
}

static void test_wrong_bytes(void **state)
{
    (void)state;
    hy_room golden = read_golden();
    // The mat is five columns and four rows, then its place and size, then runs: u16 cells, u8 shade.
    const size_t mat = find(golden, "\5\0\0\0\4\0\0\0", 8);
    const size_t runs = mat + 8 + 32;
    const struct {
        size_t at;
        uint8_t value;
    } cases[] = {
        { 0, 'h' },
        { 4, 6 }, // magic, version
        { 6, 64 },
        { 7, 0 }, // a name that is too long, or has a NUL inside
        { mat + 3, 1 },
        { mat, 0 }, // 16 million columns; none
        { runs, 0 },
        { runs + 1, 1 },                     // a run of no cells, of too many
        { runs + 5, golden.data[runs + 2] }, // two runs of one shade
        { find(golden,
               "\x04"
               "3260",
               5) +
              5,
          3 }, // an alliance that is none
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        golden = read_golden();
        assert_true(golden.data[cases[i].at] != cases[i].value);
        golden.data[cases[i].at] = cases[i].value;
        hy_world_spec spec;
        if (hy_world_spec_read(view_of(golden), &spec) != HY_EFORMAT) {
            fail_msg("case %zu is taken", i);
        }
    }
}

// --------------------------------------------------------------------------- the document

static const char *type_of(const hy_spec_field *field, char *room, size_t size)
{
    switch (field->type) {
    case HY_SPEC_NUMBER:
        snprintf(room, size, "f64, %g to %g", field->low, field->high);
        return room;
    case HY_SPEC_POINT:
        snprintf(room, size, "f64 x, f64 y, %g to %g", field->low, field->high);
        return room;
    case HY_SPEC_TEXT: snprintf(room, size, "text, at most %g bytes", field->high - 1); return room;
    case HY_SPEC_FLAG: return "u8, 0 or 1";
    case HY_SPEC_CHOICE: snprintf(room, size, "u8, below %g", field->high); return room;
    case HY_SPEC_LIST:
        snprintf(room, size, "list of %g to %g%s", field->low, field->high,
                 field->table_count > 1 ? ", each with its type" : "");
        return room;
    case HY_SPEC_MAT: return "mat";
    }
    return NULL;
}

static void assert_documented(const char *document, const hy_spec_table *table)
{
    char text[8192];
    size_t length = 0;
    for (size_t i = 0; i < table->count; i++) {
        const hy_spec_field *field = &table->fields[i];
        char room[64];
        length += (size_t)snprintf(text + length, sizeof text - length, "| %s%s`%s` | %s |\n",
                                   field->section != NULL ? field->section : "",
                                   field->section != NULL ? ": " : "", field->name,
                                   type_of(field, room, sizeof room));
    }
    if (strstr(document, text) == NULL) {
        fail_msg("docs/spec/world-spec.md does not have the fields of %s:\n%s", table->what, text);
    }
}

/// What one of a field's name is in SI units, by the unit that the name ends with.
static double unit_by_name(const char *name)
{
    static const struct {
        const char *end;
        double unit;
    } units[] = { { "_deg", HY_RAD_PER_DEG },
                  { "_dps", HY_RAD_PER_DEG },
                  { "_rpm", HY_PI / 30 },
                  { "_ms", 1e-3 },
                  { "_g", HY_GRAVITY_M_S2 } };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const size_t size = strlen(name), end = strlen(units[i].end);
        if (size > end && strcmp(name + size - end, units[i].end) == 0) {
            return units[i].unit;
        }
    }
    return 1;
}

static void assert_units(const hy_spec_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const hy_spec_field *const field = &table->fields[i];
        const double unit = field->unit != 0 ? field->unit : 1;
        const double wanted = unit_by_name(field->name);
        if (field->type == HY_SPEC_NUMBER && fabs(unit / wanted - 1) > 1e-12) {
            fail_msg("%s of %s has the unit %g, not %g", field->name, table->what, unit, wanted);
        }
    }
}

static void test_units_are_those_of_the_names(void **state)
{
    (void)state;
    assert_units(&hy_world_spec_table);
    assert_units(&hy_goal_spec_table);
    assert_units(&hy_robot_traits_table);
    for (int i = 0; i < HY_VEHICLE_TYPES; i++) {
        assert_units(hy_vehicle_spec_table((hy_vehicle_type)i));
    }
    for (int i = 0; i < HY_SENSOR_TYPES; i++) {
        assert_units(hy_sensor_spec_table((hy_sensor_type)i));
    }
    for (int i = 0; i <= HY_OBSTACLE_POLYGON; i++) {
        assert_units(hy_obstacle_spec_table((hy_obstacle_shape)i));
    }
    for (int i = 0; i <= HY_REGION_DISC; i++) {
        assert_units(hy_region_spec_table((hy_region_shape)i));
    }
}

static void test_every_field_is_documented(void **state)
{
    (void)state;
    static char document[1 << 16];
    FILE *file = fopen(DOCUMENT, "r");
    assert_non_null(file);
    assert_true(fread(document, 1, sizeof document - 1, file) > 1000);
    fclose(file);
    assert_documented(document, &hy_world_spec_table);
    assert_documented(document, &hy_goal_spec_table);
    assert_documented(document, &hy_robot_traits_table);
    for (int i = 0; i < HY_VEHICLE_TYPES; i++) {
        assert_documented(document, hy_vehicle_spec_table((hy_vehicle_type)i));
    }
    for (int i = 0; i < HY_SENSOR_TYPES; i++) {
        assert_documented(document, hy_sensor_spec_table((hy_sensor_type)i));
    }
    for (int i = 0; i <= HY_OBSTACLE_POLYGON; i++) {
        assert_documented(document, hy_obstacle_spec_table((hy_obstacle_shape)i));
    }
    for (int i = 0; i <= HY_REGION_DISC; i++) {
        assert_documented(document, hy_region_spec_table((hy_region_shape)i));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_bytes),
        cmocka_unit_test(test_shipped_worlds),
        cmocka_unit_test(test_match_bytes),
        cmocka_unit_test(test_older_versions),
        cmocka_unit_test(test_the_longest_name),
        cmocka_unit_test(test_every_prefix),
        cmocka_unit_test(test_wrong_bytes),
        cmocka_unit_test(test_units_are_those_of_the_names),
        cmocka_unit_test(test_every_field_is_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
