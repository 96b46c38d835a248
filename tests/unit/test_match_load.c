// What a match is loaded from: our own world files, and the reference's robotConfig.yml, unchanged.
#include "match_bench.h"

#include <stdlib.h>

#define CONFIG HALYARD_TEST_DATA "/golden/traces/field2020.yml"

static char *read_config(void)
{
    FILE *file = fopen(CONFIG, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 15) - 1, file) > 1000);
    fclose(file);
    return text;
}

static hy_status parse(const char *text, hy_match_model **model, hy_world_error *error)
{
    const hy_worldfile_text file = { { (const uint8_t *)text, strlen(text) }, "c.yml", "" };
    hy_match_spec spec;
    *model = NULL;
    *error = (hy_world_error){ "" };
    hy_status status = hy_worldfile_parse_match(&file, &spec, error);
    if (status == HY_OK) {
        status = hy_match_compile(&spec, model, error);
    }
    hy_match_spec_free(&spec);
    return status;
}

// --------------------------------------------------------------------------- both forms are one

static void assert_same_points(const hy_point *a, const hy_point *b, size_t count)
{
    for (size_t i = 0; i < count; i++) { // ours is rounded to a hundredth of a millimetre
        assert_true(fabs(a[i].x_m - b[i].x_m) < 2e-5 && fabs(a[i].y_m - b[i].y_m) < 2e-5);
    }
}

static void assert_same_vehicles(const hy_world_model *a, const hy_world_model *b)
{
    for (size_t i = 0; i < 6; i++) {
        size_t count_a, count_b;
        const hy_world_tank *p = hy_world_tank_at(a, i), *q = hy_world_tank_at(b, i);
        const hy_world_part *r = hy_world_parts(a, i, &count_a), *s = hy_world_parts(b, i, &count_b);
        assert_string_equal(p->team, q->team);
        assert_int_equal(p->side, q->side);
        assert_int_equal(p->has_lidar, q->has_lidar);
        assert_true(fabs(p->left_drive_rad_s - q->left_drive_rad_s) < 1e-9);
        assert_true(fabs(p->tube_rad_s - q->tube_rad_s) < 1e-9);
        assert_int_equal(count_a, count_b);
        for (size_t k = 0; k < count_a; k++) {
            assert_int_equal(r[k].kind, s[k].kind);
            assert_int_equal(r[k].count, s[k].count);
        }
    }
}

// worlds/field2020.yaml and the reference's file are the same field, with the same robots and balls.
static void test_the_same_field(void **state)
{
    (void)state;
    match_bench ours = match_bench_of(FIELD_2020), theirs = match_bench_of(CONFIG);
    const hy_world_model *a = hy_match_world(ours.model), *b = hy_match_world(theirs.model);
    size_t count_a, count_b;
    const hy_point *p = hy_world_border(a, &count_a), *q = hy_world_border(b, &count_b);
    assert_int_equal(count_a, count_b);
    assert_int_equal(hy_world_solids(a), hy_world_solids(b));
    for (size_t i = 0; i < count_a; i++) { // the same ring, begun somewhere else
        double nearest_m = 1;
        for (size_t k = 0; k < count_b; k++) {
            nearest_m = fmin(nearest_m, hypot(p[i].x_m - q[k].x_m, p[i].y_m - q[k].y_m));
        }
        assert_true(nearest_m < 2e-5);
    }
    for (size_t i = 0; i < 2; i++) {
        const hy_world_goal *g = hy_world_goal_at(a, i), *h = hy_world_goal_at(b, i);
        assert_int_equal(g->side, h->side);
        assert_same_points(&(hy_point){ g->outtake_x_m, g->outtake_y_m },
                           &(hy_point){ h->outtake_x_m, h->outtake_y_m }, 1);
        assert_true(g->outtake_vy_m_s == h->outtake_vy_m_s);
    }
    assert_same_vehicles(a, b);
    match_bench_run(&ours, 1);
    match_bench_run(&theirs, 1);
    assert_int_equal(ours.seen.piece_count, 20);
    for (size_t i = 0; i < 20; i++) {
        assert_true(fabs(ours.seen.piece[i].x_m - theirs.seen.piece[i].x_m) < 2e-5);
        assert_true(fabs(ours.seen.piece[i].y_m - theirs.seen.piece[i].y_m) < 2e-5);
    }
    for (size_t i = 0; i < 6; i++) {
        assert_true(fabs(ours.seen.robot[i].x_m - theirs.seen.robot[i].x_m) < 2e-5);
        assert_true(fabs(ours.seen.robot[i].heading_rad - theirs.seen.robot[i].heading_rad) < 1e-6);
        assert_int_equal(ours.seen.robot[i].side, theirs.seen.robot[i].side);
    }
    match_bench_end(&ours);
    match_bench_end(&theirs);
}

static void test_players(void **state)
{
    (void)state;
    for (unsigned players = 1; players <= 6; players++) {
        hy_match_spec spec = match_bench_read(FIELD_2020);
        hy_world_error error = { "" };
        assert_int_equal(hy_match_spec_set_players(&spec, players, &error), HY_OK);
        match_bench b = match_bench_start(&spec);
        assert_int_equal(hy_match_players(b.model), players);
        match_bench_run(&b, 1);
        assert_int_equal(b.seen.robot_count, players);
        match_bench_end(&b);
    }
}

// An ideal drive has the reference's rounded units, the right one has real ones.
static void test_units(void **state)
{
    (void)state;
    hy_match_spec spec = match_bench_read(CONFIG);
    hy_world_spec_set_drive(&spec.world, HY_WORLD_DRIVE_IDEAL);
    match_bench ideal = match_bench_start(&spec);
    match_bench real = match_bench_of(CONFIG);
    match_bench_run(&ideal, 1);
    match_bench_run(&real, 1);
    assert_true(fabs(ideal.seen.robot[0].heading_rad - 1.575) < 1e-6);
    assert_true(fabs(real.seen.robot[0].heading_rad - HY_PI / 2) < 1e-6);
    const hy_world_tank *p = hy_world_tank_at(hy_match_world(ideal.model), 0);
    const hy_world_tank *q = hy_world_tank_at(hy_match_world(real.model), 0);
    assert_true(fabs(p->left_drive_rad_s - 87.2151) < 1e-4);
    assert_true(fabs(q->left_drive_rad_s - 833 * 2 * HY_PI / 60) < 1e-9);
    match_bench_end(&ideal);
    match_bench_end(&real);
}

/// Puts digits in place of others of the same number, behind the next `key` of `*at`.
static void set_digits(char **at, const char *key, const char *digits)
{
    *at = strstr(*at, key);
    assert_non_null(*at);
    *at += strlen(key);
    memcpy(*at, digits, strlen(digits));
}

// Each motor keeps its own speed: left and right are not exchanged, in the drive nor in the intakes.
static void test_sides(void **state)
{
    (void)state;
    char *const text = read_config();
    char *at = text;
    set_digits(&at, "leftMotorMaxSpeed: ", "500");
    set_digits(&at, "rightMotorMaxSpeed: ", "700");
    set_digits(&at, "centerMotorMaxSpeed: ", "21");
    set_digits(&at, "leftMotorMaxSpeed: ", "22");
    set_digits(&at, "rightMotorMaxSpeed: ", "23");
    set_digits(&at, "tubeMotorMaxSpeed: ", "24");
    hy_match_model *model;
    hy_world_error error;
    assert_int_equal(parse(text, &model, &error), HY_OK);
    const hy_world_tank *const tank = hy_world_tank_at(hy_match_world(model), 0);
    const double rad_s = 2 * HY_PI / 60;
    assert_true(fabs(tank->left_drive_rad_s - 500 * rad_s) < 1e-9);
    assert_true(fabs(tank->right_drive_rad_s - 700 * rad_s) < 1e-9);
    const double intakes_rad_s[] = { tank->intake_center_rad_s, tank->intake_left_rad_s,
                                     tank->intake_right_rad_s, tank->tube_rad_s };
    for (size_t i = 0; i < 4; i++) {
        assert_true(fabs(intakes_rad_s[i] - (21.0 + (double)i) * rad_s) < 1e-9);
    }
    hy_match_free(model);
    free(text);
}

// --------------------------------------------------------------------------- extra vehicles

// An XRP and a swerve robot on the same field: they drive and feel, and no message knows them.
static void test_extra_vehicles(void **state)
{
    (void)state;
    hy_match_spec spec = match_bench_read(FIELD_2020);
    hy_world_error error = { "" };
    assert_int_equal(hy_match_spec_set_players(&spec, 2, &error), HY_OK);
    assert_non_null(hy_match_spec_add_vehicle(&spec, "xrp", (hy_point){ 0.5, -3 }, HY_PI / 2));
    assert_non_null(hy_match_spec_add_vehicle(&spec, "swerve", (hy_point){ 2, 0 }, 0));
    match_bench b = match_bench_start(&spec);
    const hy_world_model *world = hy_match_world(b.model);
    assert_int_equal(hy_match_extra_vehicles(b.model), 2);
    assert_string_equal(hy_world_vehicle_kind(world, hy_match_extra_vehicle(b.model, 0)), "xrp");
    assert_string_equal(hy_world_vehicle_kind(world, hy_match_extra_vehicle(b.model, 1)), "swerve");
    const hy_actuators forward = { .motor_duty = { 1, -1 } };
    hy_match_actuate(b.match, 0, &forward, true);
    match_bench_run(&b, 200);
    const hy_truth at =
        hy_world_truth(world, hy_match_world_state(b.match), hy_match_extra_vehicle(b.model, 0));
    assert_true(at.y_m - hy_match_middle(b.model).y_m > -3 + 0.5);
    assert_true(fabs(at.x_m - hy_match_middle(b.model).x_m - 0.5) < 0.1);
    assert_true(at.button);
    hy_sensors sensors;
    hy_world_read_sensors(world, hy_match_world_state(b.match), hy_match_extra_vehicle(b.model, 0),
                          &sensors);
    assert_true(sensors.encoder_counts[0] < -1000);
    assert_int_equal(b.seen.robot_count, 2);
    match_bench_end(&b);
}

static void test_extra_vehicles_need_room(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        double x_m, y_m, heading_rad;
        const char *why;
    } cases[] = {
        { "xrp", 0, -197 * 0.0254, 0, "vehicle 7 (xrp) starts in another vehicle" },
        { "xrp", 4.2, 0, 0, "vehicle 7 (xrp) starts outside of the floor" },
        { "swerve", 3.9, 7.9, 0, "vehicle 7 (swerve) starts outside of the floor" }, // a cut corner
        { "xrp", 97.5 * 0.0254, -44.5 * 0.0254, 0, "vehicle 7 (xrp) starts in an obstacle" },
        { "xrp", NAN, 0, 0, "vehicle 7 (xrp): start: x_m must be from 0 to 1000" },
        { "xrp", 0, 0, NAN, "vehicle 7 (xrp): start: heading_deg must be from -360 to 360" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_match_spec spec = match_bench_read(FIELD_2020);
        hy_match_model *model;
        hy_world_error error = { "" };
        const hy_point at = { cases[i].x_m, cases[i].y_m };
        assert_null(hy_match_spec_add_vehicle(&spec, "car", at, 0));
        assert_non_null(hy_match_spec_add_vehicle(&spec, cases[i].type, at, cases[i].heading_rad));
        assert_int_equal(hy_match_compile(&spec, &model, &error), HY_ERANGE);
        hy_match_spec_free(&spec);
        assert_null(model);
        if (strstr(error.text, cases[i].why) == NULL) {
            fail_msg("'%s' does not say '%s'", error.text, cases[i].why);
        }
    }
}

// --------------------------------------------------------------------------- what is wrong

typedef struct {
    const char *from, *to; ///< Of the reference's file.
    hy_status status;
    const char *why;
} damage;

static void assert_refused(const damage *d)
{
    char *text = read_config();
    char *made = calloc(1, 1 << 16);
    char *const at = strstr(text, d->from);
    assert_non_null(made);
    assert_non_null(at);
    *at = '\0';
    snprintf(made, 1 << 15, "%s%s%s", text, d->to, at + strlen(d->from));
    hy_match_model *model;
    hy_world_error error;
    const hy_status status = parse(made, &model, &error);
    if (status != d->status || strstr(error.text, d->why) == NULL) {
        fail_msg("'%s' -> '%s': status %d, '%s' does not say '%s'", d->from, d->to, (int)status,
                 error.text, d->why);
    }
    hy_match_free(model);
    free(text);
    free(made);
}

static void test_wrong_configs(void **state)
{
    (void)state;
    static const damage cases[] = {
        { "weight: 154", "wait: 154", HY_EFORMAT, "c.yml:100:5: vehicle needs a 'weight'" },
        { "weight: 154", "weight: heavy", HY_EFORMAT, "weight needs a number here, not 'heavy'" },
        { "weight: 154", "weight: -3", HY_ERANGE, "weight must be from 3 to 2000" },
        { "gamePiece:", "gamePieces:", HY_EFORMAT, "sim needs a 'gamePiece'" },
        { "hasLidar: true", "hasLidar: perhaps", HY_EFORMAT, "hasLidar is true or false" },
        { "hasLidar: true", "hasLidar: True", HY_OK, "" },
        { "hasLidar: true", "hasLidar: False", HY_OK, "" },
        { "hasLidar: true", "hasLidar: [true]", HY_EFORMAT, "hasLidar is true or false" },
        { "team: \"3260\"", "team: [3260]", HY_EFORMAT, "team needs some text here" },
        { "alliance: \"Blue\"", "alliance: [Blue]", HY_EFORMAT, "alliance needs" },
        { "    tubeRegion:", "    tube:", HY_EFORMAT, "vehicle needs a 'tubeRegion'" },
        { "players:", "player:", HY_EFORMAT, "a world has no key" }, // so it should be one
        { "x: 60.0, y: -197.0", "x: 10.0, y: -197.0", HY_ERANGE, "in another vehicle" },
        { "x: 60.0, y: -197.0", "x: 160.0, y: -197.0", HY_ERANGE, "in a wall" },
        { "x: 60.0, y: -197.0", "x: 60.0, y: -1970.0", HY_ERANGE, "y_m must be from" },
        { "{ x: 90.94, y: 314.96 }", "{ x: -300, y: 100 }", HY_ERANGE, "crosses itself" },
        { "leftMotorMaxSpeed: 833", "leftMotorMaxSpeed: 2999", HY_ERANGE, "more than 20 m/s" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(&cases[i]);
    }
}

/// `count` corners on a circle around the middle of a polygon of the reference's file, in its form.
static void write_ring(char *out, size_t size, double x, double y, double radius, int count)
{
    size_t length = (size_t)snprintf(out, size, "[");
    for (int i = 0; i < count; i++) {
        const double angle = 2 * HY_PI * i / count;
        length +=
            (size_t)snprintf(out + length, size - length, "%s{ x: %.4f, y: %.4f }",
                             i > 0 ? ", " : "", x + radius * cos(angle), y + radius * sin(angle));
    }
    snprintf(out + length, size - length, "]");
}

/// Replaces the list that a key holds.
static char *with_value(char *text, const char *key, const char *value)
{
    char *const at = strstr(text, key);
    assert_non_null(at);
    const char *end = strchr(at, '\n');
    while (end != NULL && strncmp(end, "\n      - ", 9) == 0) {
        end = strchr(end + 1, '\n');
    }
    assert_non_null(end);
    char *made = calloc(1, strlen(text) + strlen(value) + 16);
    assert_non_null(made);
    *at = '\0';
    strcat(strcat(strcat(strcat(made, text), key), " "), value);
    strcat(made, end);
    free(text);
    return made;
}

// Walls with as many corners as a reader of the reference's file takes: they become as many obstacles of few
// corners as they need, and cover what the polygon covers.
static void test_polygons_of_many_corners(void **state)
{
    (void)state;
    static const char *const columns[] = { "rightColumn:", "topColumn:", "leftColumn:",
                                           "bottomColumn:" };
    static const double middle[4][2] = { { 98, -45 }, { 37, 105 }, { -98, 45 }, { -37, -105 } };
    char *text = read_config();
    char ring[8192];
    for (size_t i = 0; i < 4; i++) {
        write_ring(ring, sizeof ring, middle[i][0], middle[i][1], 8, 60);
        text = with_value(text, columns[i], ring);
    }
    hy_match_model *model;
    hy_world_error error;
    if (parse(text, &model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    free(text);
    const hy_world_model *world = hy_match_world(model);
    double area_m2 = 0;
    for (size_t i = 0; i < hy_world_solids(world); i++) {
        const hy_world_solid solid = hy_world_solid_at(world, i);
        double twice = 0;
        for (size_t k = 0; k < solid.count; k++) {
            const hy_point a = solid.corners[k], b = solid.corners[(k + 1) % solid.count];
            twice += a.x_m * b.y_m - b.x_m * a.y_m;
        }
        area_m2 += solid.height_m == 2 ? twice / 2 : 0; // so high are columns only
    }
    const double radius_m = 8 * 0.0254;
    assert_true(fabs(area_m2 - 4 * 30 * radius_m * radius_m * sin(2 * HY_PI / 60)) < 1e-4);
    hy_match_free(model);
}

// What is too much is told with its place; before, it overflowed a buffer and became another sentence.
static void test_too_many_corners(void **state)
{
    (void)state;
    char ring[8192];
    write_ring(ring, sizeof ring, 0, 0, 12, 60);
    static const struct {
        const char *key, *why;
    } cases[] = {
        { "blueGoalRegion:", "blueGoalRegion needs 3 to 8 items, not 60" },
        { "boundingPolygonBumperLeft:",
          "this boundingPolygon: the polygons have too many corners" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = with_value(read_config(), cases[i].key, ring);
        text = i == 1 ? with_value(text, "boundingPolygonBumperRight:", ring) : text;
        hy_match_model *model;
        hy_world_error error;
        assert_int_equal(parse(text, &model, &error), HY_ERANGE);
        if (strncmp(error.text, "c.yml:", 6) != 0 || strstr(error.text, cases[i].why) == NULL) {
            fail_msg("'%s' does not say '%s'", error.text, cases[i].why);
        }
        free(text);
    }
}

// What shows only in the world that is made of it is told with the place in the reference's file.
static void test_places(void **state)
{
    (void)state;
    static const damage player = { "x: 60.0, y: -197.0", "x: 10.0, y: -197.0", HY_ERANGE,
                                   "c.yml:5:5: vehicle 1 starts in another vehicle" };
    assert_refused(&player);
}

static void test_wrong_worlds(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        { "", "empty" },
        { "name: a\nfloor: { width_m: 2, height_m: 2 }\nvehicles:\n  - kind: xrp\n    start: { "
          "x_m: 1, y_m: "
          "1 }\n",
          "a match is for 1 to 6 vehicles of kind tank, not 0" },
        { "name: a\nstep_ms: 5\nfloor: { width_m: 9, height_m: 9 }\nvehicles:\n  - kind: tank\n    "
          "start: { "
          "x_m: 4, y_m: 4 }\n",
          "a match needs step_ms: 10" },
        { "[", "c.yml:2:1: this is not YAML" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_match_model *model;
        hy_world_error error;
        assert_true(parse(cases[i].text, &model, &error) != HY_OK);
        assert_null(model);
        if (strstr(error.text, cases[i].why) == NULL) {
            fail_msg("'%s' does not say '%s'", error.text, cases[i].why);
        }
    }
    hy_match_spec spec;
    hy_world_error error;
    assert_int_equal(hy_worldfile_read_match("/nonexistent.yml", &spec, &error), HY_EFILE);
    assert_non_null(strstr(error.text, "/nonexistent.yml: the world file cannot be opened"));
    hy_match_model *model;
    assert_int_equal(hy_worldfile_load_match("/nonexistent.yml", &model, &error), HY_EFILE);
    assert_null(model);
    assert_int_equal(hy_worldfile_load_match(FIELD_2020, &model, &error), HY_OK);
    hy_match_free(model);
    spec = match_bench_read(FIELD_2020);
    assert_int_equal(hy_match_spec_set_players(&spec, 7, &error), HY_ERANGE);
    assert_non_null(strstr(error.text, "for 7 players, but the world has 6 vehicles of kind tank"));
    assert_int_equal(hy_match_spec_set_players(&spec, 0, &error), HY_ERANGE);
    hy_match_spec_free(&spec);
}

// A match that comes from no file, whose sentences begin with no name.
static void test_matches_made_by_code(void **state)
{
    (void)state;
    static hy_match_spec spec;
    hy_match_model *model;
    hy_world_error error;
    hy_world_spec_init(&spec.world);
    memcpy(spec.world.name, "made", sizeof "made");
    spec.world.width_m = spec.world.height_m = 20;
    assert_non_null(hy_match_spec_add_vehicle(&spec, "xrp", (hy_point){ 18, 18 }, 0));
    assert_false(hy_match_spec_add_lidar(&spec, 1)); // an XRP is no player
    for (int i = 0; i < HY_MATCH_PLAYERS; i++) {
        assert_non_null(hy_match_spec_add_vehicle(&spec, "tank", (hy_point){ 2 + 2 * i, 2 }, 0));
    }
    assert_true(hy_match_spec_add_lidar(&spec, 1));
    assert_non_null(hy_vehicle_spec_wired(&spec.world.vehicle[1], HY_SENSOR_LIDAR, 0));
    assert_int_equal(hy_match_compile(&spec, &model, &error), HY_OK);
    hy_match_free(model);
    assert_non_null(hy_match_spec_add_vehicle(&spec, "tank", (hy_point){ 2, 18 }, 0));
    assert_int_equal(hy_match_compile(&spec, &model, &error), HY_ERANGE);
    assert_string_equal(error.text, "a match is for 1 to 6 vehicles of kind tank, not 7");
    hy_match_spec_free(&spec);
}

// Names are only text: what YAML could take for something else survives, and long ones are cut.
static void test_team_names(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *team;
    } cases[] = {
        { "\"\\\"x\\\\: {\\n\"", "\"x\\: {\n" },
        { "'# 1'", "# 1" },
        { "1234", "1234" },
        { "\"\"", "" },
        { "\"0123456789012345678901234567890123456789\"", "0123456789012345678901234567890" },
        { "\"012345678901234567890123456789\\u00e4\"", "012345678901234567890123456789" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = read_config();
        char *made = calloc(1, 1 << 16);
        char *const at = strstr(text, "\"3260\"");
        assert_non_null(made);
        *at = '\0';
        snprintf(made, 1 << 15, "%s%s%s", text, cases[i].yaml, at + 6);
        hy_match_model *model;
        hy_world_error error;
        if (parse(made, &model, &error) != HY_OK) {
            fail_msg("%s", error.text);
        }
        assert_string_equal(hy_world_tank_at(hy_match_world(model), 0)->team, cases[i].team);
        hy_match_free(model);
        free(text);
        free(made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_field),
        cmocka_unit_test(test_players),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_extra_vehicles),
        cmocka_unit_test(test_extra_vehicles_need_room),
        cmocka_unit_test(test_wrong_configs),
        cmocka_unit_test(test_polygons_of_many_corners),
        cmocka_unit_test(test_too_many_corners),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_wrong_worlds),
        cmocka_unit_test(test_matches_made_by_code),
        cmocka_unit_test(test_team_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
