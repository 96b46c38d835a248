// What a match is loaded from: our own world files, and the reference's robotConfig.yml, unchanged.
#include "match_bench.h"

#include <stdlib.h>

#define CONFIG HALYARD_TEST_DATA "/golden/traces/field2020.yml"

static const hy_match_setup all = { .players = 0 };

static char *read_config(void)
{
    FILE *file = fopen(CONFIG, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 15);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 15) - 1, file) > 1000);
    fclose(file);
    return text;
}

static hy_status parse(const char *text, const hy_match_setup *setup, hy_match_model **model,
                       hy_world_error *error)
{
    const hy_world_text file = { { (const uint8_t *)text, strlen(text) }, "c.yml", "" };
    *error = (hy_world_error){ "" };
    return hy_match_parse(&file, setup, model, error);
}

// --------------------------------------------------------------------------- both forms are one

static void assert_same_points(const hy_world_point *a, const hy_world_point *b, size_t count)
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
    match_bench ours = match_bench_of(FIELD_2020, &all), theirs = match_bench_of(CONFIG, &all);
    const hy_world_model *a = hy_match_world(ours.model), *b = hy_match_world(theirs.model);
    size_t count_a, count_b;
    const hy_world_point *p = hy_world_border(a, &count_a), *q = hy_world_border(b, &count_b);
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
        assert_same_points(&(hy_world_point){ g->outtake_x_m, g->outtake_y_m },
                           &(hy_world_point){ h->outtake_x_m, h->outtake_y_m }, 1);
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
        match_bench b = match_bench_of(FIELD_2020, &(hy_match_setup){ .players = players });
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
    match_bench ideal = match_bench_of(CONFIG, &(hy_match_setup){ .drive = HY_WORLD_DRIVE_IDEAL });
    match_bench real = match_bench_of(CONFIG, &all);
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
    assert_int_equal(parse(text, &all, &model, &error), HY_OK);
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

// --------------------------------------------------------------------------- guests

// An XRP and a swerve robot on the same field: they drive and feel, and no message knows them.
static void test_guests(void **state)
{
    (void)state;
    static const hy_world_guest guests[] = { { "xrp", 0.5, -3, HY_PI / 2 }, { "swerve", 2, 0, 0 } };
    match_bench b = match_bench_of(
        FIELD_2020, &(hy_match_setup){ .players = 2, .guests = guests, .guest_count = 2 });
    const hy_world_model *world = hy_match_world(b.model);
    assert_int_equal(hy_match_guests(b.model), 2);
    assert_string_equal(hy_world_vehicle_kind(world, hy_match_guest(b.model, 0)), "xrp");
    assert_string_equal(hy_world_vehicle_kind(world, hy_match_guest(b.model, 1)), "swerve");
    const hy_actuators forward = { .motor_duty = { 1, -1 } };
    hy_match_actuate(b.match, 0, &forward, true);
    match_bench_run(&b, 200);
    const hy_truth at =
        hy_world_truth(world, hy_match_world_state(b.match), hy_match_guest(b.model, 0));
    assert_true(at.y_m - hy_match_middle(b.model).y_m > -3 + 0.5);
    assert_true(fabs(at.x_m - hy_match_middle(b.model).x_m - 0.5) < 0.1);
    assert_true(at.button);
    hy_sensors sensors;
    hy_world_read_sensors(world, hy_match_world_state(b.match), hy_match_guest(b.model, 0), &sensors);
    assert_true(sensors.encoder_counts[0] < -1000);
    assert_int_equal(b.seen.robot_count, 2);
    match_bench_end(&b);
}

static void test_guests_need_room(void **state)
{
    (void)state;
    static const struct {
        hy_world_guest guest;
        const char *why;
    } cases[] = {
        { { "xrp", 0, -197 * 0.0254, 0 }, "guest 1 (xrp) starts in another vehicle" },
        { { "xrp", 4.2, 0, 0 }, "guest 1 (xrp) starts outside of the floor" },
        { { "swerve", 3.9, 7.9, 0 }, "guest 1 (swerve) starts outside of the floor" }, // a cut corner
        { { "xrp", 97.5 * 0.0254, -44.5 * 0.0254, 0 }, "guest 1 (xrp) starts in an obstacle" },
        { { "car", 0, 0, 0 }, "guest 1 (car): there is no such kind" },
        { { "xrp", NAN, 0, 0 }, "guest 1 (xrp) starts outside of the floor" },
        { { "xrp", 0, 0, NAN }, "its heading must lie within" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const hy_match_setup setup = { .guests = &cases[i].guest, .guest_count = 1 };
        hy_match_model *model;
        hy_world_error error = { "" };
        assert_int_equal(hy_match_load(FIELD_2020, &setup, &model, &error), HY_ERANGE);
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
    char *made = calloc(1, 1 << 15);
    char *const at = strstr(text, d->from);
    assert_non_null(made);
    assert_non_null(at);
    *at = '\0';
    snprintf(made, 1 << 15, "%s%s%s", text, d->to, at + strlen(d->from));
    hy_match_model *model;
    hy_world_error error;
    const hy_status status = parse(made, &all, &model, &error);
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
          "this match is for 1 players, but the world has 0 vehicles of kind tank" },
        { "name: a\nstep_ms: 5\nfloor: { width_m: 9, height_m: 9 }\nvehicles:\n  - kind: tank\n    "
          "start: { "
          "x_m: 4, y_m: 4 }\n",
          "a match needs step_ms: 10" },
        { "[", "c.yml:2:1: this is not YAML" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_match_model *model;
        hy_world_error error;
        assert_true(parse(cases[i].text, &all, &model, &error) != HY_OK);
        assert_null(model);
        if (strstr(error.text, cases[i].why) == NULL) {
            fail_msg("'%s' does not say '%s'", error.text, cases[i].why);
        }
    }
    hy_match_model *model;
    hy_world_error error;
    assert_int_equal(hy_match_load("/nonexistent.yml", &all, &model, &error), HY_EFILE);
    assert_non_null(strstr(error.text, "/nonexistent.yml: the world file cannot be opened"));
    const hy_match_setup crowd = { .players = 7 };
    assert_int_equal(hy_match_load(FIELD_2020, &crowd, &model, &error), HY_ERANGE);
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
        char *made = calloc(1, 1 << 15);
        char *const at = strstr(text, "\"3260\"");
        assert_non_null(made);
        *at = '\0';
        snprintf(made, 1 << 15, "%s%s%s", text, cases[i].yaml, at + 6);
        hy_match_model *model;
        hy_world_error error;
        if (parse(made, &all, &model, &error) != HY_OK) {
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
        cmocka_unit_test(test_the_same_field), cmocka_unit_test(test_players),
        cmocka_unit_test(test_units),          cmocka_unit_test(test_sides),
        cmocka_unit_test(test_guests),         cmocka_unit_test(test_guests_need_room),
        cmocka_unit_test(test_wrong_configs),  cmocka_unit_test(test_places),
        cmocka_unit_test(test_wrong_worlds),   cmocka_unit_test(test_team_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
