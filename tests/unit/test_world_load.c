// World files: the ones we ship load; wrong ones get one sentence that points at the place.
#include "world_bench.h"
#include "world_read.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/config.h"

#define NAME     "name: a\n"
#define FLOOR    "floor: { width_m: 2, height_m: 2 }\n"
#define VEHICLES "vehicles:\n" XRP_AT(1, 1, 0)
#define GOOD     NAME FLOOR VEHICLES
#define TANK     NAME FLOOR "vehicles:\n" VEHICLE_AT("tank", 1, 1, 0)
#define SWERVE   NAME FLOOR "vehicles:\n" SWERVE_AT(1, 1, 0)
#define GOAL(corners)                               \
    "goals: [{ alliance: blue, corners_m: " corners \
    ", outtake_m: [1, 1.9], outtake_m_s: [0, -1] }]\n"

static hy_status parse(const char *yaml, size_t size, hy_world_error *error)
{
    hy_world_model *model = (hy_world_model *)1;
    const hy_status status = world_read(
        &(hy_worldfile_text){ { (const uint8_t *)yaml, size }, "x.yaml", "" }, &model, error);
    assert_int_equal(status == HY_OK, model != NULL);
    hy_world_free(model);
    return status;
}

typedef struct {
    const char *yaml;
    hy_status status;
    const char *begins, *says;
} wrong;

static void assert_refused(const wrong *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hy_world_error error = { "" };
        const hy_status status = parse(cases[i].yaml, strlen(cases[i].yaml), &error);
        const bool begins = strncmp(error.text, cases[i].begins, strlen(cases[i].begins)) == 0;
        if (status != cases[i].status || !begins || strstr(error.text, cases[i].says) == NULL) {
            fail_msg("case %zu: status %d, \"%s\"; expected %d, \"%s ... %s\"", i, (int)status,
                     error.text, (int)cases[i].status, cases[i].begins, cases[i].says);
        }
    }
}
#define ASSERT_REFUSED(cases) assert_refused(cases, sizeof(cases) / sizeof((cases)[0]))

// --------------------------------------------------------------------------- good ones

static void test_shipped_worlds(void **state)
{
    (void)state;
    static const char *const names[] = {
        "xrp-arena.yaml",     "xrp-course.yaml",   "xrp-line.yaml", "xrp-open.yaml",
        "xrp-sensors.yaml",   "teensy-field.yaml", "xrp-town.yaml", "xrp-dusty.yaml",
        "teensy-homing.yaml", "xrp-circle.yaml",   "xrp-grid.yaml", "xrp-maze.yaml"
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        world_bench b = world_bench_file(names[i]);
        const hy_world_facts facts = hy_world_describe(b.model);
        assert_int_equal(facts.step_us, 10000);
        assert_int_equal(facts.vehicles, 1);
        assert_true(strlen(facts.name) > 0);
        size_t edges;
        assert_non_null(hy_world_segments(b.model, &edges));
        assert_true(edges >= 4);
        world_bench_end(&b);
    }
}

static void test_defaults_and_order(void **state)
{
    (void)state;
    hy_world_error error = { "" };
    static const char *const good[] = {
        GOOD,
        VEHICLES FLOOR NAME,   // keys in any order
        GOOD "step_ms: 2.5\n", // 2500 us
        GOOD "obstacles: []\n",
        GOOD "regions: [{ disc: { center_m: [1, 1], radius_m: 0.1, grip: 0.05 } }]\n",
        SWERVE "    drive: { load_kg_m2: 1e-5 }\n",
        GOOD "mat: { shapes: [], size_m: [1, 1] }\n",
        "name: triangle\nfloor: { width_m: 2, height_m: 2, edge_m: [[0, 0], [2, 0], [0, 2]] }\n"
        "vehicles:\n" XRP_AT(0.5, 0.5, 0),
        "\xef\xbb\xbf" GOOD, // a byte order mark, as Windows' editor writes it
        "name: a\r\nfloor: { width_m: 2, height_m: 2 }\r\nvehicles:\r\n  - kind: xrp\r\n"
        "    start: { x_m: 1, y_m: 1 }\r\n",
        "# comment\n--- # and a document's beginning\n" GOOD "...\n",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        if (parse(good[i], strlen(good[i]), &error) != HY_OK) {
            fail_msg("case %zu: %s", i, error.text);
        }
    }
}

// The line of xrp-line.yaml is closed: following its middle all around never meets the white.
static void test_line_is_closed(void **state)
{
    (void)state;
    world_bench b = world_bench_file("xrp-line.yaml");
    static const struct {
        double straight_m, turn_deg, radius_m;
    } pieces[] = {
        { 1.0, 180, 0.3 }, { 0.25, 90, 0.12 }, { 0, -180, 0.12 }, { 0, 90, 0.12 }, { 0.27, 180, 0.3 }
    };
    double x_m = 0.5, y_m = 0.25, heading = 0, length_m = 0;
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        const double arc_m = hy_rad_from_deg(pieces[i].turn_deg) * pieces[i].radius_m;
        const double piece_m = pieces[i].straight_m + (arc_m < 0 ? -arc_m : arc_m);
        for (int k = 0; k * 0.0005 < piece_m; k++) {
            const double turn = pieces[i].turn_deg < 0 ? -1 : 1;
            heading += k * 0.0005 < pieces[i].straight_m ? 0 : turn * 0.0005 / pieces[i].radius_m;
            x_m += 0.0005 * hy_cos(heading);
            y_m += 0.0005 * hy_sin(heading);
            length_m += 0.0005;
            assert_true(hy_world_darkness(b.model, x_m, y_m) > 0.99);
            const double left_x = x_m - 0.012 * hy_sin(heading);
            const double left_y = y_m + 0.012 * hy_cos(heading);
            assert_true(hy_world_darkness(b.model, left_x, left_y) < 0.1); // 19 mm, not more
        }
    }
    assert_near(x_m, 0.5, 0.005);
    assert_near(y_m, 0.25, 0.005);
    assert_true(length_m > 4);
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- wrong ones

static void test_syntax(void **state)
{
    (void)state;
    static const wrong cases[] = {
        { "", HY_EFORMAT, "x.yaml:1:1: ", "empty" },
        { "# nothing\n", HY_EFORMAT, "x.yaml:1:1: ", "empty" },
        { "name: a\nfloor: { width_m: 2, height_m: 2\nvehicles: []\n", HY_EFORMAT,
          "x.yaml:3:", "YAML" },
        //                                           ^ no brace
        { "name: a\n\tfloor: 1\n", HY_EFORMAT, "x.yaml:2:1: ", "YAML" },
        //         ^ a tab
        { "name: \"a\nfloor: 1\n", HY_EFORMAT, "x.yaml:", "YAML" },
        { "name: \xc3\xa4\xff\n", HY_EFORMAT, "x.yaml:1:8: ", "YAML" }, // not UTF-8
        { "name: a\n  - b\n c: d\n", HY_EFORMAT, "x.yaml:", "YAML" },
        { GOOD "---\nname: b\n", HY_EFORMAT, "x.yaml:6:1: ", "one world" },
        { "name: &n a\nfloor: &n { width_m: 2, height_m: 2 }\n" VEHICLES, HY_EFORMAT,
          "x.yaml:2:", "this is not YAML: found duplicate anchor" },
        { GOOD "--- [\n", HY_EFORMAT, "x.yaml:6:1: ", "one world" },
        { GOOD "obstacles: [\n", HY_EFORMAT, "x.yaml:7:1: ", "YAML" },
        { "just text\n", HY_EFORMAT, "x.yaml:1:1: ", "key: value" },
        { "- a\n- b\n", HY_EFORMAT, "x.yaml:1:1: ", "key: value" },
    };
    ASSERT_REFUSED(cases);
}

static void test_keys(void **state)
{
    (void)state;
    static const wrong cases[] = {
        { GOOD "nmae: b\n", HY_EFORMAT, "x.yaml:6:1: ", "did you mean 'name'?" },
        { GOOD "step: 10\n", HY_EFORMAT, "x.yaml:6:1: ", "did you mean 'step_ms'?" },
        { GOOD "zebra: 1\n", HY_EFORMAT, "x.yaml:6:1: ", "it has: name, step_ms, floor, mat" },
        { NAME "floor: { width_m: 2, height_m: 2, heigth_m: 2 }\n" VEHICLES, HY_EFORMAT,
          //                                      ^ column 35
          "x.yaml:2:35: ", "did you mean 'height_m'?" },
        { GOOD "name: b\n", HY_EFORMAT, "x.yaml:6:1: ", "given twice" },
        { NAME FLOOR, HY_EFORMAT, "x.yaml:1:1: ", "needs a 'vehicles'" },
        { NAME VEHICLES, HY_EFORMAT, "x.yaml:1:1: ", "needs a 'floor'" },
        { NAME "floor: { width_m: 2 }\n" VEHICLES, HY_EFORMAT, "x.yaml:2:8: ", "needs a 'height_m'" },
        { NAME FLOOR "vehicles:\n  - kind: xrp\n", HY_EFORMAT, "x.yaml:4:5: ", "needs a 'start'" },
        { NAME FLOOR "vehicles:\n  - start: {}\n", HY_EFORMAT, "x.yaml:4:5: ", "needs a 'kind'" },
        { NAME FLOOR "vehicles:\n  - kind: rpx\n", HY_EFORMAT, "x.yaml:4:5: ", "kinds: xrp, swerve" },
        { SWERVE "    wheels: {}\n", HY_EFORMAT,
          "x.yaml:6:5: ", "a vehicle of kind swerve has no key" },
        { SWERVE "    azimut: {}\n", HY_EFORMAT, "x.yaml:6:5: ", "did you mean 'azimuth'?" },
        { GOOD "    body: { mas_kg: 1 }\n", HY_EFORMAT, "x.yaml:6:13: ", "did you mean 'mass_kg'?" },
        { GOOD "[a]: 1\n", HY_EFORMAT, "x.yaml:6:1: ", "plain words" },
        { GOOD "obstacles: [{ bx: {} }]\n", HY_EFORMAT, "x.yaml:6:15: ", "did you mean 'box'?" },
        { GOOD "obstacles: [{ box: {}, disc: {} }]\n", HY_EFORMAT, "x.yaml:6:13: ", "one key" },
        { GOOD "obstacles: [{ box: { center_m: [1, 1] } }]\n", HY_EFORMAT,
          "x.yaml:6:20: ", "needs a 'size_m'" },
        { GOOD "a\x01: 1\n", HY_EFORMAT, "x.yaml:6:2: ", "YAML" },
        { GOOD "\"a\\x7f\\xe4\": 1\n", HY_EFORMAT, "x.yaml:6:1: ", "no key 'a\?\?\?'" },
        { TANK "    drive: { [a]: 1 }\n", HY_EFORMAT, "x.yaml:6:14: ", "plain words" },
    };
    ASSERT_REFUSED(cases);
}

static void test_types(void **state)
{
    (void)state;
    static const wrong cases[] = {
        { GOOD "step_ms: ten\n", HY_EFORMAT, "x.yaml:6:10: ", "not 'ten'" },
        { GOOD "step_ms: \"10\"\n", HY_EFORMAT, "x.yaml:6:10: ", "needs a number" },
        { GOOD "step_ms: [10]\n", HY_EFORMAT, "x.yaml:6:10: ", "needs a number" },
        { GOOD "step_ms:\n", HY_EFORMAT, "x.yaml:6:9: ", "needs a number" },
        { GOOD "step_ms: .nan\n", HY_EFORMAT, "x.yaml:6:10: ", "not '.nan'" },
        { GOOD "step_ms: .inf\n", HY_EFORMAT, "x.yaml:6:10: ", "not '.inf'" },
        { GOOD "step_ms: nan\n", HY_EFORMAT, "x.yaml:6:10: ", "not 'nan'" },
        { GOOD "step_ms: 0x10\n", HY_EFORMAT, "x.yaml:6:10: ", "not '0x10'" },
        { GOOD "step_ms: 10 ms\n", HY_EFORMAT, "x.yaml:6:10: ", "not '10 ms'" },
        { GOOD "step_ms: 1,5\n", HY_EFORMAT, "x.yaml:6:10: ", "not '1,5'" },
        { GOOD "step_ms: 1e\n", HY_EFORMAT, "x.yaml:6:10: ", "not '1e'" },
        { GOOD "step_ms: 10.00000000000000001\n", HY_ERANGE, "x.yaml:6:10: ", "15 digits" },
        { "name: [a]\n" FLOOR VEHICLES, HY_EFORMAT, "x.yaml:1:7: ", "text" },
        { "name: \"\"\n" FLOOR VEHICLES, HY_EFORMAT, "x.yaml:1:7: ", "text" },
        { "name: \"a\\0b\"\n" FLOOR VEHICLES, HY_EFORMAT, "x.yaml:1:7: ", "text" },
        { NAME "floor: 2\n" VEHICLES, HY_EFORMAT, "x.yaml:2:8: ", "key: value" },
        { NAME FLOOR "vehicles: 2\n", HY_EFORMAT, "x.yaml:3:11: ", "needs a list" },
        { NAME FLOOR "vehicles: [xrp]\n", HY_EFORMAT, "x.yaml:3:12: ", "needs a 'kind'" },
        { GOOD "mat: { size_m: [1] }\n", HY_EFORMAT, "x.yaml:6:16: ", "two numbers" },
        { GOOD "mat: { size_m: 1 }\n", HY_EFORMAT, "x.yaml:6:16: ", "two numbers" },
        { GOOD "mat: { size_m: [1, x] }\n", HY_EFORMAT, "x.yaml:6:20: ", "not 'x'" },
        { GOOD "regions: 1\n", HY_EFORMAT, "x.yaml:6:10: ", "regions needs a list" },
        { GOOD "    sensors: 1\n", HY_EFORMAT, "x.yaml:6:14: ", "sensors needs a list" },
        { TANK "    shape: { bodies_m: 1 }\n", HY_EFORMAT, "x.yaml:6:24: ", "needs a list" },
        { TANK "    alliance: [red]\n", HY_EFORMAT, "x.yaml:6:15: ", "alliance needs some text" },
        { TANK "    alliance: green\n", HY_EFORMAT, "x.yaml:6:15: ", "alliance is blue or red" },
        { TANK "    drive: { model: [ideal] }\n", HY_EFORMAT, "x.yaml:6:21: ", "needs some text" },
        { TANK "    drive: { model: fast }\n", HY_EFORMAT, "x.yaml:6:21: ", "dcmotor or ideal" },
        { TANK "    drive: { motors: [4-neo] }\n", HY_EFORMAT, "x.yaml:6:22: ", "4-neo or 4-cim" },
        { TANK "    drive: { motors: 5-neo }\n", HY_EFORMAT, "x.yaml:6:22: ", "4-neo or 4-cim" },
        { GOOD "mat: { size_m: [1, 1], picture: none.png }\n", HY_EFILE,
          "x.yaml:6:33: ", "the picture none.png cannot be opened" },
        { GOOD "obstacles: { box: {} }\n", HY_EFORMAT, "x.yaml:6:12: ", "needs a list" },
        { GOOD "    robot: [ideal]\n", HY_EFORMAT, "x.yaml:6:12: ", "robot needs" },
        { GOOD "    robot: idle\n", HY_EFORMAT,
          "x.yaml:6:12: ", "robot is ideal, typical, or a seed" },
        { GOOD "    robot: 1234567890123456789\n", HY_EFORMAT, "x.yaml:6:12: ", "at most 18 digits" },
        { GOOD "    robot: \"\"\n", HY_EFORMAT, "x.yaml:6:12: ", "robot" },
        { GOOD "mat: { size_m: [1, 1], picture: [m.png] }\n", HY_EFORMAT,
          "x.yaml:6:33: ", "picture needs" },
        { GOOD "mat: { size_m: [1, 1], shapes: 1 }\n", HY_EFORMAT, "x.yaml:6:32: ", "needs a list" },
        { GOOD "a: &x 1\nb: *x\n", HY_EFORMAT, "x.yaml:7:4: ", "alias" },
        { GOOD "a: &x [*x]\n", HY_EFORMAT, "x.yaml:6:8: ", "alias" },
        { "name: &n a\nfloor: &f { width_m: 2, height_m: 2 }\nmat: *f\n" VEHICLES, HY_EFORMAT,
          "x.yaml:3:6: ", "alias" },
    };
    ASSERT_REFUSED(cases);
}

static void test_ranges(void **state)
{
    (void)state;
    static const wrong cases[] = {
        { GOOD "step_ms: 0\n", HY_ERANGE, "x.yaml:6:10: ", "from 1 to 20, not 0" },
        { GOOD "step_ms: 1e22\n", HY_ERANGE, "x.yaml:6:10: ", "from 1 to 20, not 1e+22" },
        { GOOD "step_ms: 1e999999999999\n", HY_ERANGE, "x.yaml:6:10: ", "15 digits" },
        { GOOD "step_ms: -1\n", HY_ERANGE, "x.yaml:6:10: ", "not -1" },
        { "name: 0123456789012345678901234567890123456789012345678901234567890123\n" FLOOR VEHICLES,
          HY_ERANGE, "x.yaml:1:7: ", "shorter than 64" },
        { NAME "floor: { width_m: 2000, height_m: 2 }\n" VEHICLES, HY_ERANGE,
          "x.yaml:2:19: ", "width_m must be from 0.2 to 200, not 2000" },
        { NAME FLOOR "vehicles: []\n", HY_ERANGE, "x.yaml:3:11: ", "1 to 8 items, not 0" },
        { NAME FLOOR VEHICLES "    body: { com_ahead_m: 0.1 }\n", HY_ERANGE,
          "x.yaml:4:5: ", "tips over" },
        { NAME FLOOR VEHICLES "    motors: { start_v: 5 }\n", HY_ERANGE, "x.yaml:4:5: ", "start_v" },
        { NAME FLOOR VEHICLES "    rangefinder: { near_m: 1, far_m: 1 }\n", HY_ERANGE,
          "x.yaml:4:5: ", "near_m" },
        { SWERVE "    body: { com_ahead_m: 0.12 }\n", HY_ERANGE, "x.yaml:4:5: ", "tips over" },
        { SWERVE "    drive: { start_v: 10, nominal_v: 9 }\n", HY_ERANGE,
          "x.yaml:4:5: ", "drive: start_v" },
        { SWERVE "    azimuth: { start_v: 10, nominal_v: 9 }\n", HY_ERANGE,
          "x.yaml:4:5: ", "azimuth: start_v" },
        { SWERVE "    modules: { creep_m_s: 0 }\n", HY_ERANGE, "x.yaml:6:27: ", "from 0.001 to 0.2" },
        { GOOD "obstacles: [{ wall: { from_m: [1, 1], to_m: [1, 1] } }]\n", HY_ERANGE,
          "x.yaml:6:21: ", "long" },
        { GOOD "mat: { size_m: [200, 200] }\n", HY_ERANGE, "x.yaml:6:6: ", "16 million cells" },
        { GOOD
          "mat: { size_m: [1, 1], shapes: [{ arc: { center_m: [0, 0], radius_m: 1, from_deg: 9,"
          " to_deg: 9 } }] }\n",
          HY_ERANGE, "x.yaml:6:40: ", "to_deg" },
        { GOOD "mat: { size_m: [1, 1], shapes: [{ line: { points_m: [[0, 0]] } }] }\n", HY_ERANGE,
          "x.yaml:6:53: ", "2 to 2000 items, not 1" },
        { NAME FLOOR "vehicles:\n" XRP_AT(0.05, 1, 0), HY_ERANGE,
          "x.yaml:4:5: ", "vehicle 1 starts in a wall" },
        { NAME FLOOR "vehicles:\n" XRP_AT(3, 1, 0), HY_ERANGE,
          "x.yaml:4:5: ", "vehicle 1 starts outside of the floor" },
        { GOOD "obstacles: [{ box: { center_m: [0.5, 0.5], size_m: [0.2, 0.2] } }]\n"
               "pieces: { at_m: [[0.5, 0.59]] }\n",
          HY_ERANGE, "x.yaml:1:1: ", "a piece in an obstacle" },
        { GOOD "obstacles: [{ box: { center_m: [0.5, 0.5], size_m: [0.2, 0.2] } }]\n"
               "pieces: { at_m: [[0.41, 0.5]] }\n",
          HY_ERANGE, "x.yaml:1:1: ", "a piece in an obstacle" },
        { GOOD
          "obstacles: [{ polygon: { corners_m: [[0.3, 0.3], [0.6, 0.3], [0.6, 0.301], [0.3, 0.6]] }"
          " }]\n",
          HY_ERANGE, "x.yaml:6:", "two of its corners are nearer than 0.005 m" },
        { GOOD "pieces: { at_m: [[0, 1]] }\n", HY_ERANGE, "x.yaml:1:1: ", "outside of the floor" },
        { GOOD "pieces: { at_m: [[1, 0]] }\n", HY_ERANGE, "x.yaml:1:1: ", "outside of the floor" },
        { NAME FLOOR "vehicles:\n" XRP_AT(1, 1, 0) XRP_AT(1.1, 1, 90), HY_ERANGE,
          "x.yaml:4:5: ", "vehicle 1 starts in another vehicle" },
        { NAME FLOOR "vehicles:\n" XRP_AT(1, 1, 0) XRP_AT(1, 1, 0), HY_ERANGE,
          "x.yaml:4:5: ", "vehicle 1 starts in another vehicle" },
        { NAME FLOOR "vehicles:\n" XRP_AT(1, 1, 0) XRP_AT(0.02, 1, 0), HY_ERANGE,
          "x.yaml:6:5: ", "vehicle 2 starts in a wall" },
        { GOOD "obstacles: [{ disc: { center_m: [1, 1], radius_m: 0.5 } }]\n", HY_ERANGE,
          "x.yaml:4:5: ", "vehicle 1 starts in an obstacle" },
        { GOOD "obstacles: [{ box: { center_m: [1.05, 1], size_m: [0.01, 0.01] } }]\n", HY_ERANGE,
          "x.yaml:4:5: ", "vehicle 1 starts in an obstacle" },
        { GOOD GOAL("[[0.5, 0.5], [1.5, 0.5], [1.5, 1.5], [0.5, 1.5]]"), HY_ERANGE,
          "x.yaml:4:5: ", "vehicle 1 starts in a goal" },
        { GOOD GOAL("[[0.99, 0.99], [1.01, 0.99], [1.01, 1.01], [0.99, 1.01]]"), HY_ERANGE,
          "x.yaml:4:5: ", "vehicle 1 starts in a goal" },
        { GOOD GOAL("[[1.05, 0.5], [1.5, 0.5], [1.5, 1.5], [1.05, 1.5]]"), HY_ERANGE,
          "x.yaml:4:5: ", "vehicle 1 starts in a goal" },
    };
    ASSERT_REFUSED(cases);
}

/// `count` times `piece` between two texts; the caller frees it.
static char *repeated(const char *before, const char *piece, size_t count, const char *after)
{
    char *text = malloc(strlen(before) + strlen(piece) * count + strlen(after) + 1);
    assert_non_null(text);
    char *at = stpcpy(text, before);
    for (size_t i = 0; i < count; i++) {
        at = stpcpy(at, piece);
    }
    stpcpy(at, after);
    return text;
}

static void test_hostile_files(void **state)
{
    (void)state;
    static const struct {
        const char *before, *piece;
        size_t count;
        const char *after, *says;
    } cases[] = {
        { GOOD "obstacles: ", "[", 200000, "", "nested too deeply" },
        { GOOD "obstacles:\n", "- - - - - - - - ", 5000, "", "" },
        { GOOD "obstacles: ", "{ box: ", 20000, "", "nested too deeply" },
        { GOOD "obstacles: [", "{}, ", 1001, "]\n", "0 to 1000 items" },
        { GOOD "# ", "0123456789", 105000, "\n", "1 MiB" }, // too long
        { TANK "    shape: { bumpers_m: [[[0, 0], [1, 0], [0, 1]]], bodies_m: [",
          "[[0, 0], [1, 0], [0, 1]],", 24, "] }\n", "a shape has at most 24 polygons" },
        { GOOD "mat: { size_m: [4, 4], shapes: [", "{ disc: { center_m: [2, 2], radius_m: 9 } },",
          500, "] }\n", "too much paint" },
        { GOOD "mat: { size_m: [4, 4], shapes: [{ line: { points_m: [", "[0, 0], [4, 4],", 900,
          "] } }] }\n", "too much paint" },
        { GOOD "obstacles: [", "&a 1,", 200000, "]\n", "more than 100 anchors" },
        { "", "%TAG !a! b\n", 90000, "---\n" GOOD, "too many directives" },
        { "", "%TAG !a! b\r", 90000, "---\n" GOOD, "too many directives" },
        { "", "%TAG !a! b\xe2\x80\xa8", 80000, "---\n" GOOD, "too many directives" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_world_error error = { "" };
        char *text = repeated(cases[i].before, cases[i].piece, cases[i].count, cases[i].after);
        assert_true(parse(text, strlen(text), &error) < HY_OK);
        if (strstr(error.text, cases[i].says) == NULL) {
            fail_msg("case %zu: %s", i, error.text);
        }
        free(text);
    }
}

static void test_a_hundred_marks_are_no_harm(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        static char text[40000];
        size_t size = 0;
        for (int i = 0; i < 100; i++) { // and percentages, which are none
            size += (size_t)sprintf(text + size, "%%TAG !t%d! tag:%d\n# 5 %% of %%d 3%%\n", i, i);
        }
        size += (size_t)sprintf(text + size, "---\n" GOOD "obstacles:\n");
        for (int i = 0; i < 100 + more; i++) {
            size += (size_t)sprintf(text + size,
                                    "  - &a%d disc: { center_m: [0.2, 0.2], radius_m: 0.01 }\n", i);
        }
        hy_world_error error = { "" };
        assert_true(size < sizeof text);
        if ((parse(text, size, &error) == HY_OK) != (more == 0)) {
            fail_msg("%s", error.text);
        }
    }
}

// Every prefix of a world, and every single byte of it changed: a world or a sentence.
static void test_damaged_files(void **state)
{
    (void)state;
    static const char yaml[] = NAME FLOOR
        "mat: { size_m: [0.1, 0.1], shapes: [{ box: { center_m: [0, 0], size_m: [1, 1] } }] }\n"
        "obstacles: [{ wall: { from_m: [0, 0.2], to_m: [0.3, 0.2] } }]\n" VEHICLES;
    char text[sizeof yaml];
    for (size_t size = 0; size < sizeof yaml; size++) {
        hy_world_error error = { "" };
        if (parse(yaml, size, &error) != HY_OK) {
            assert_true(strncmp(error.text, "x.yaml:", 7) == 0);
        }
    }
    for (size_t i = 0; i + 1 < sizeof yaml; i++) {
        for (int k = 0; k < 6; k++) {
            memcpy(text, yaml, sizeof yaml);
            text[i] = "\0\xff\n{9*"[k];
            hy_world_error error = { "" };
            parse(text, sizeof yaml - 1, &error);
        }
    }
}

// --------------------------------------------------------------------------- files

static hy_status load(const char *path, hy_world_error *error)
{
    hy_world_model *model = (hy_world_model *)1;
    const hy_status status = hy_worldfile_load(path, &model, error);
    assert_int_equal(status == HY_OK, model != NULL);
    hy_world_free(model);
    return status;
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void test_files(void **state)
{
    (void)state;
    hy_world_error error;
    char folder[] = "/tmp/halyard-world-XXXXXX";
    char path[64], picture[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/w.yaml", folder);
    snprintf(picture, sizeof picture, "%s/m.png", folder);

    assert_int_equal(load(path, &error), HY_EFILE);
    assert_non_null(strstr(error.text, "w.yaml: the world file cannot be opened: No such file"));
    assert_int_equal(load(folder, &error), HY_EFILE);
    assert_non_null(strstr(error.text, "cannot be read"));

    static const char yaml[] = GOOD "mat: { size_m: [1, 1], picture: m.png }\n";
    write_file(path, yaml, sizeof yaml - 1);
    assert_int_equal(load(path, &error), HY_EFILE);
    assert_non_null(strstr(error.text, "w.yaml:6:33: the picture "));
    assert_non_null(strstr(error.text, "m.png cannot be opened"));

    assert_int_equal(mkfifo(picture, 0600), 0); // fopen() would wait for somebody who writes into it
    assert_int_equal(load(path, &error), HY_EFILE);
    assert_non_null(strstr(error.text, "m.png cannot be opened"));
    assert_int_equal(unlink(picture), 0);

    write_file(picture, "no picture", 10);
    assert_int_equal(load(path, &error), HY_EFORMAT);
    assert_non_null(strstr(error.text, "is not a PNG picture"));

    // A header that claims 100,000 x 100,000 pixels: refused before anything is unpacked.
    static const uint8_t bomb[] = { 0x89, 'P',  'N',  'G',  '\r', '\n', 0x1a, '\n', 0,
                                    0,    0,    13,   'I',  'H',  'D',  'R',  0,    1,
                                    0x86, 0xa0, 0,    1,    0x86, 0xa0, 8,    0,    0,
                                    0,    0,    0x8d, 0x39, 0x54, 0x14, 0,    0,    0,
                                    0,    'I',  'D',  'A',  'T',  0x35, 0xaf, 0x06, 0x1e };
    write_file(picture, bomb, sizeof bomb);
    assert_int_equal(load(path, &error), HY_ERANGE);
    assert_non_null(strstr(error.text, "16 million pixels"));

    // A path of its own, and names that are too long: by themselves, and behind their folder.
    static char long_name[5000];
    static const struct {
        size_t folder, name;
        hy_status status;
        const char *says;
    } names[] = { { 0, 0, HY_ERANGE, "16 million pixels" },
                  { 20, 5000, HY_ERANGE, "picture: the file's name is too long" },
                  { 4090, 200, HY_ERANGE, "picture: the path is too long" } };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[6000], here[5000];
        memset(here, 'f', names[i].folder);
        here[names[i].folder] = '\0';
        memset(long_name, 'n', sizeof long_name - 1);
        long_name[names[i].name > 0 ? names[i].name - 1 : 0] = '\0';
        snprintf(text, sizeof text, GOOD "mat: { size_m: [1, 1], picture: %s }\n",
                 names[i].name > 0 ? long_name : picture);
        hy_world_model *model;
        const hy_worldfile_text in = { { (const uint8_t *)text, strlen(text) }, "x.yaml", here };
        assert_int_equal(world_read(&in, &model, &error), names[i].status);
        if (strstr(error.text, names[i].says) == NULL) {
            fail_msg("%s", error.text);
        }
    }

    unlink(picture);
    unlink(path);
    rmdir(folder);
}

static void test_other_robots(void **state)
{
    (void)state;
    static const char path[] = HALYARD_TEST_DATA "/../worlds/xrp-open.yaml";
    hy_robot_traits typical;
    hy_robot_traits_typical(&typical);
    const hy_worldfile_robots robots = { .traits = &typical };
    hy_world_error error;
    for (int i = 0; i < 2; i++) { // NULL: those of the file
        hy_world_model *model;
        assert_int_equal(hy_worldfile_load_robots(path, i == 0 ? NULL : &robots, &model, &error),
                         HY_OK);
        hy_world_free(model);
    }
}

static void test_folders(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "w.yaml", "" }, { "/w.yaml", "/" }, { "a/bc/w.yaml", "a/bc" }, { "a/bcd/w.yaml", "" }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char folder[6]; // too small for the last one
        hy_yaml_folder_of(cases[i][0], folder, sizeof folder);
        assert_string_equal(folder, cases[i][1]);
    }
}

// --------------------------------------------------------------------------- a caller's own table

static bool fail_twice(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    (void)field;
    (void)target;
    (void)hy_yaml_fail(yaml, HY_EFORMAT, node, "the first");
    return hy_yaml_fail(yaml, HY_ERANGE, node, "the second");
}

static void test_own_table(void **state)
{
    (void)state;
    static const hy_yaml_words words = { "texts", "a text holds one map", "a text begins" };
    static const hy_yaml_field fields[] = {
        { .key = "first", .type = HY_YAML_OTHER, .read = fail_twice },
        { .key = "a_key_that_is_longer_than_what_suggestions_are_made_of_which_is_63_bytes" },
    };
    static const hy_yaml_table table = HY_YAML_TABLE("a text", fields);
    static const struct {
        const char *text, *error;
    } cases[] = {
        { "first: 1\n", "t:1:8: the first" },
        { "zebra: 1\n",
          "t:1:1: a text has no key 'zebra'; it has: first, "
          "a_key_that_is_longer_than_what_suggestions_are_made_of_which_is_63_bytes" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char error[200];
        bool target = false; // of neither key
        hy_yaml yaml = { .name = "t",
                         .text = { (const uint8_t *)cases[i].text, strlen(cases[i].text) },
                         .words = &words,
                         .error = error,
                         .error_size = sizeof error };
        assert_int_equal(hy_yaml_parse(&yaml, &table, &target), HY_EFORMAT);
        assert_string_equal(error, cases[i].error);
    }
}

// --------------------------------------------------------------------------- models

typedef struct {
    const char *name; ///< What the world's file says.
    const uint8_t *bytes;
    size_t size; ///< Of the file m.glb.
    hy_status status;
    const char *says;
} model_case;

/// A binary glTF file of a header and one chunk with this JSON, of as many bytes as `SIZE` says.
#define GLB(size, json_size, json) "glTF\2\0\0\0" size "\0\0\0" json_size "\0\0\0JSON" json
#define GLB_CASE(name, status, says, bytes)                             \
    {                                                                   \
        name, (const uint8_t *)(bytes), sizeof(bytes) - 1, status, says \
    }

static void test_gltf(void **state)
{
    (void)state;
    static const char outside[] =
        "gltf names a .glb file in the folder of the world file or below it";
    static const model_case cases[] = {
        GLB_CASE("m.glb", HY_OK, "", GLB("\x18", "\4", "{}  ")),
        GLB_CASE("./m.glb", HY_OK, "", GLB("\x18", "\4", "{}  ")),
        GLB_CASE("m.glb", HY_OK, "", GLB("\x20", "\xc", "{\"a\": \"uri\"}")), // no key
        GLB_CASE("m.glb", HY_EFORMAT, "its lengths do not fit", GLB("\x19", "\4", "{}  ")),
        GLB_CASE("m.glb", HY_EFORMAT, "its lengths do not fit", GLB("\x18", "\5", "{}  ")),
        GLB_CASE("m.glb", HY_EFORMAT, "refers to another file or address",
                 GLB("\x20", "\xc", "{\"uri\" :\"x\"}")),
        GLB_CASE("m.glb", HY_EFORMAT, "is not a binary glTF 2.0 file", "{\"asset\":{}}       "),
        GLB_CASE("m.glb", HY_EFORMAT, "is not a binary glTF 2.0 file", "glTF"),
        GLB_CASE("n.glb", HY_EFILE, "n.glb cannot be opened", GLB("\x18", "\4", "{}  ")),
        GLB_CASE("m.gltf", HY_EFORMAT, outside, GLB("\x18", "\4", "{}  ")),
        GLB_CASE("../m.glb", HY_EFORMAT, outside, GLB("\x18", "\4", "{}  ")),
        GLB_CASE("a/../../m.glb", HY_EFORMAT, outside, GLB("\x18", "\4", "{}  ")),
        GLB_CASE("/etc/m.glb", HY_EFORMAT, outside, GLB("\x18", "\4", "{}  ")),
    };
    char folder[] = "/tmp/halyard-world-XXXXXX";
    char path[64], model[64], yaml[512];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/w.yaml", folder);
    snprintf(model, sizeof model, "%s/m.glb", folder);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_world_error error = { "" };
        write_file(model, cases[i].bytes, cases[i].size);
        snprintf(yaml, sizeof yaml, GOOD "    gltf: %s\n", cases[i].name);
        write_file(path, yaml, strlen(yaml));
        if (load(path, &error) != cases[i].status || strstr(error.text, cases[i].says) == NULL) {
            fail_msg("case %zu: \"%s\"", i, error.text);
        }
        if (cases[i].status != HY_OK) {
            assert_non_null(strstr(error.text, "w.yaml:6:11: "));
        }
    }
    assert_int_equal(truncate(model, (6 << 20) + 1), 0);
    snprintf(yaml, sizeof yaml, GOOD "gltf: m.glb\n");
    write_file(path, yaml, strlen(yaml));
    hy_world_error error;
    assert_int_equal(load(path, &error), HY_ERANGE);
    assert_non_null(strstr(error.text, "w.yaml:6:7: "));
    assert_non_null(strstr(error.text, "is larger than 6 MiB"));
    unlink(model);
    unlink(path);
    rmdir(folder);
}

// --------------------------------------------------------------------------- the document

static void assert_has(const char *document, const char *key, const char *what)
{
    char word[64];
    static const char *const forms[] = { "`%s`", "`%s:`" }; // a key, or the first of its section
    bool found = false;
    for (size_t k = 0; k < 2; k++) {
        snprintf(word, sizeof word, forms[k], key);
        found = found || strstr(document, word) != NULL;
    }
    if (!found) {
        fail_msg("docs/spec/world.md does not have '%s' of %s", key, what);
    }
}

/// Whether a table's cell, which ends at `end`, is one or several of the classes that the document has for numbers.
static bool are_classes(const char *cell, const char *end)
{
    static const char *const classes[] = { "measured", "data sheet", "estimate", "choice" };
    size_t size = 0;
    do {
        size = 0;
        for (size_t i = 0; i < sizeof classes / sizeof classes[0] && size == 0; i++) {
            const size_t length = strlen(classes[i]);
            size = strncmp(cell, classes[i], length) == 0 ? length : 0;
        }
        cell += size;
        if (size > 0 && cell == end) {
            return true;
        }
        cell += strncmp(cell, ", ", 2) == 0 ? 2 : 0;
    } while (size > 0 && cell < end);
    return false;
}

/// Whether the table's row that begins there has a class behind its key and its default.
static bool has_class(const char *row)
{
    const char *cell = row;
    for (int i = 0; i < 2; i++) {
        cell = strstr(cell + 1, " | ");
        if (cell == NULL) {
            return false;
        }
    }
    const char *const end = strstr(cell + 3, " |");
    return end != NULL && are_classes(cell + 3, end);
}

typedef struct {
    const char *from, *end;
} chapter;

static chapter chapter_of(const char *document, hy_vehicle_type type)
{
    static const char *const titles[] = {
        [HY_VEHICLE_XRP] = "\n## The XRP", [HY_VEHICLE_SWERVE] = "\n## The swerve robot", [HY_VEHICLE_TANK] = "\n## The tank"
    };
    const char *const from = strstr(document, titles[type]);
    assert_non_null(from);
    const char *const end = strstr(from + 1, "\n## ");
    assert_non_null(end);
    return (chapter){ from, end };
}

/// The first row of a chapter's tables that has that key in its first column; NULL: there is none.
static const char *row_of(chapter c, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "`%s`", name);
    for (const char *row = strstr(c.from, "\n| `"); row != NULL && row < c.end;
         row = strstr(row + 1, "\n| `")) {
        const char *const found = strstr(row, key);
        if (found != NULL && found < strstr(row + 3, " | ")) {
            return row + 1;
        }
    }
    return NULL;
}

/// Numbers and choices of vehicles say where they come from. What a chapter leaves out is as in the XRP's.
static void assert_classes(const char *document, hy_vehicle_type type)
{
    const hy_spec_table *const table = hy_vehicle_spec_table(type);
    for (size_t i = 0; i < table->count; i++) {
        const hy_spec_field *const field = &table->fields[i];
        const bool is_of_start = field->section != NULL && strcmp(field->section, "start") == 0;
        if ((field->type != HY_SPEC_NUMBER && field->type != HY_SPEC_CHOICE) || is_of_start) {
            continue;
        }
        const char *row = row_of(chapter_of(document, type), field->name);
        row = row != NULL ? row : row_of(chapter_of(document, HY_VEHICLE_XRP), field->name);
        if (row == NULL || !has_class(row)) {
            fail_msg("docs/spec/world.md does not say of '%s' of %s whether it is measured or an "
                     "estimate",
                     field->name, table->what);
        }
    }
}

static void assert_documented(const char *document, const hy_spec_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        assert_has(document, table->fields[i].name, table->what);
        if (table->fields[i].section != NULL) {
            assert_has(document, table->fields[i].section, table->what);
        }
    }
}

static void test_every_key_is_documented(void **state)
{
    (void)state;
    FILE *file = fopen(HALYARD_TEST_DATA "/../docs/spec/world.md", "r");
    assert_non_null(file);
    char *document = calloc(1, 1 << 17);
    assert_non_null(document);
    assert_true(fread(document, 1, (1 << 17) - 1, file) > 1000);
    fclose(file);
    for (int type = 0; type < HY_VEHICLE_TYPES; type++) {
        assert_documented(document, hy_vehicle_spec_table((hy_vehicle_type)type));
        assert_classes(document, (hy_vehicle_type)type);
    }
    for (int shape = 0; shape <= HY_OBSTACLE_POLYGON; shape++) {
        assert_documented(document, hy_obstacle_spec_table((hy_obstacle_shape)shape));
    }
    assert_documented(document, &hy_goal_spec_table);
    assert_documented(document, &hy_world_spec_table);
    free(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shipped_worlds),
        cmocka_unit_test(test_defaults_and_order),
        cmocka_unit_test(test_line_is_closed),
        cmocka_unit_test(test_syntax),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_hostile_files),
        cmocka_unit_test(test_a_hundred_marks_are_no_harm),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_other_robots),
        cmocka_unit_test(test_folders),
        cmocka_unit_test(test_own_table),
        cmocka_unit_test(test_gltf),
        cmocka_unit_test(test_every_key_is_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
