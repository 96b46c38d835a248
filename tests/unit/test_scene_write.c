// What is written to the page: JSON whatever the numbers and names are, and never a byte beyond the room.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "cmocka_all.h"
#include "scene/scene.h"

static uint8_t room[1 << 16];

static hy_text start(void)
{
    memset(room, 0xee, sizeof room);
    return hy_text_in((hy_room){ room, sizeof room });
}

static void expect(const hy_text *text, const char *wanted)
{
    assert_false(text->is_full);
    if (text->size != strlen(wanted) || memcmp(text->bytes, wanted, text->size) != 0) {
        fail_msg("wanted %s, got %.*s", wanted, (int)text->size, text->bytes);
    }
}

static void expect_number(double value, int decimals, const char *wanted)
{
    hy_text text = start();
    hy_text_put_number(&text, value, decimals);
    expect(&text, wanted);
}

static void numbers_are_short_and_finite(void **state)
{
    (void)state;
    expect_number(0.0, 4, "0");
    expect_number(-0.0, 4, "0");
    expect_number(1.5, 4, "1.5");
    expect_number(-1.5, 4, "-1.5");
    expect_number(0.05, 1, "0.1");
    expect_number(-0.00004, 4, "0");
    expect_number(-0.00006, 4, "-0.0001");
    expect_number(3.14159265, 4, "3.1416");
    expect_number(0.999999, 3, "1");
    expect_number(100.0, 3, "100");
    expect_number(1200, 0, "1200");
    expect_number(12.5, 0, "13");
    expect_number((double)NAN, 4, "0");
    expect_number((double)INFINITY, 2, "1000000000");
    expect_number((double)-INFINITY, 2, "-1000000000");
    expect_number(1e300, 6, "1000000000");
    hy_random random = hy_random_seeded(3);
    for (int i = 0; i < 100000; i++) {
        const double value = (hy_random_unit(&random) - 0.5) * pow(10.0, hy_random_below(&random, 9));
        const int decimals = (int)hy_random_below(&random, 7);
        hy_text text = start();
        hy_text_put_number(&text, value, decimals);
        room[text.size] = '\0';
        assert_true(fabs(strtod((const char *)room, NULL) - value) <=
                    0.5000001 * pow(10.0, -decimals) + 1e-9 * fabs(value));
    }
}

static void strings_are_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        { "3260", "\"3260\"" },
        { "", "\"\"" },
        { "a\"b\\c\n", "\"a\\u0022b\\u005cc\\u000a\"" },
        { "Z\xc3\xbcrich \xe2\x82\xac \xf0\x9f\xa4\x96",
          "\"Z\xc3\xbcrich \xe2\x82\xac \xf0\x9f\xa4\x96\"" },
        { "cut \xe2\x82", "\"cut ??\"" },
        { "\xff\xfe", "\"??\"" },
        { "\xc0\xaf", "\"??\"" },           // '/' in two bytes
        { "\xed\xa0\x80", "\"???\"" },      // a surrogate
        { "\xf4\x90\x80\x80", "\"????\"" }, // beyond Unicode
        { "\x80", "\"?\"" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_text text = start();
        hy_text_put_string(&text, cases[i].text);
        expect(&text, cases[i].wanted);
    }
}

// --------------------------------------------------------------------------- whole messages

static const hy_point square[] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, (double)NAN } };

static hy_scene example_scene(void)
{
    static const hy_scene_wall walls[] = { { 0.5, { square, 4 } }, { 0.3, { square, 2 } } };
    static const hy_scene_goal goals[] = { { HY_ALLIANCE_RED, { square, 4 } } };
    static const hy_scene_part parts[] = { { "body", 0.05, 0.3, { square, 4 } } };
    static const hy_scene_wheel wheels[] = { { 0, 0.28, 0.0762, 0.03 } };
    static const hy_scene_robot robots[] = {
        { .kind = "tank",
          .name = "32\"60",
          .alliance = "Blue",
          .player = 1,
          .parts = parts,
          .part_count = 1,
          .wheels = wheels,
          .wheel_count = 1 },
        { .kind = "xrp",
          .name = "x",
          .has_range_cone = true,
          .range_far_m = 4.0,
          .reflectance_count = 2,
          .encoders = 4,
          .servos = 4 },
    };
    return (hy_scene){ .is_match = true,
                       .title = "field",
                       .floor_m = { -1, -2, 1, 2 },
                       .mat_url = "/mat.png",
                       .mat_m = { 0, 0, 1.8, 1.3 },
                       .walls = walls,
                       .wall_count = 2,
                       .goals = goals,
                       .goal_count = 1,
                       .piece_radius_m = 0.0889,
                       .faults = "loss 5%",
                       .match_s = 20,
                       .robots = robots,
                       .robot_count = 2 };
}

static hy_scene_state example_state(void)
{
    static const hy_icd_lidar_point points[] = { { 0.1, 0, 2.5 }, { 6.2, 0, -1.0 } };
    static const hy_scene_robot_state robots[] = {
        { .x_m = 1.5,
          .heading_rad = -142.0,
          .is_tank = true,
          .drive_rad_s = { 87.2151, -3 },
          .lidar = { points, 2 } },
        { .is_board = true,
          .enabled = true,
          .duty = { 0.5, -0.5 },
          .duty_count = 2,
          .encoder_counts = { -585 },
          .encoder_count = 1,
          .has_range = true,
          .range_m = 0.52,
          .azimuth_rad = { 1, 2, 3, 4 },
          .azimuth_count = 4,
          .has_battery = true,
          .battery_v = (double)NAN,
          .browned_out = true },
    };
    static const hy_icd_piece pieces[] = { { 1, 2, 0.4689, HY_ICD_BLUE_GOAL } };
    return (hy_scene_state){ .t_s = 12.3456,
                             .is_simulated = true,
                             .simulated_s = 12.25,
                             .is_match = true,
                             .blue_score = 3,
                             .timer_runs = true,
                             .timer_s = 134.99,
                             .robots = robots,
                             .robot_count = 2,
                             .pieces = pieces,
                             .piece_count = 1 };
}

static yyjson_doc *parse(const hy_text *text)
{
    assert_false(text->is_full);
    yyjson_doc *const doc = yyjson_read((const char *)text->bytes, text->size, 0);
    if (doc == NULL) {
        fail_msg("no JSON: %.*s", (int)text->size, text->bytes);
    }
    return doc;
}

static const char *string_at(yyjson_doc *doc, const char *pointer)
{
    const char *const text = yyjson_get_str(yyjson_doc_ptr_get(doc, pointer));
    assert_non_null(text);
    return text;
}

static double number_at(yyjson_doc *doc, const char *pointer)
{
    yyjson_val *const value = yyjson_doc_ptr_get(doc, pointer);
    assert_true(yyjson_is_num(value));
    return yyjson_get_num(value);
}

static bool has(yyjson_doc *doc, const char *pointer)
{
    return yyjson_doc_ptr_get(doc, pointer) != NULL;
}

static void hello_says_what_there_is(void **state)
{
    (void)state;
    uint8_t bytes[8192];
    hy_text scene_text = hy_text_in((hy_room){ bytes, sizeof bytes });
    const hy_scene scene = example_scene();
    hy_scene_write(&scene_text, &scene);
    hy_text text = start();
    const hy_scene_hello hello = { .may_command = true, .seat = 2, .addresses = "10.0.0.2:5800" };
    hy_scene_write_hello(&text, &hello, (hy_bytes){ scene_text.bytes, scene_text.size });
    yyjson_doc *const doc = parse(&text);
    assert_string_equal(string_at(doc, "/type"), "hello");
    assert_true(number_at(doc, "/version") == 1);
    assert_true(number_at(doc, "/seat") == 2);
    assert_string_equal(string_at(doc, "/addresses"), "10.0.0.2:5800");
    assert_null(yyjson_doc_ptr_get(doc, "/token"));
    assert_string_equal(string_at(doc, "/scene/robots/0/name"), "32\"60");
    assert_string_equal(string_at(doc, "/scene/mat/url"), "/mat.png");
    assert_string_equal(string_at(doc, "/scene/faults"), "loss 5%");
    assert_string_equal(string_at(doc, "/scene/goals/0/alliance"), "Red");
    assert_true(number_at(doc, "/scene/match_seconds") == 20);
    assert_true(number_at(doc, "/scene/walls/1/points/2") == 1);
    assert_true(number_at(doc, "/scene/robots/0/wheels/0/radius") == 0.0762);
    assert_true(yyjson_is_null(yyjson_doc_ptr_get(doc, "/scene/robots/1/alliance")));
    assert_true(yyjson_is_null(yyjson_doc_ptr_get(doc, "/scene/robots/0/range_cone")));
    assert_true(number_at(doc, "/scene/robots/1/range_cone/3") == 4);
    yyjson_doc_free(doc);
}

static void a_state_leaves_out_what_is_not_there(void **state)
{
    (void)state;
    const hy_scene_state example = example_state();
    hy_text text = start();
    hy_scene_write_state(&text, &example);
    yyjson_doc *doc = parse(&text);
    assert_true(number_at(doc, "/t") == 12.3456);
    assert_true(number_at(doc, "/simulated") == 12.25);
    assert_true(number_at(doc, "/match/blue") == 3);
    assert_true(number_at(doc, "/robots/0/drive/0") == 87.215);
    assert_true(number_at(doc, "/robots/0/at/2") == -142);
    assert_true(number_at(doc, "/robots/0/lidar/3") == -1);
    assert_false(has(doc, "/robots/0/battery"));
    assert_false(has(doc, "/robots/1/drive"));
    assert_false(has(doc, "/robots/1/servos"));
    assert_true(number_at(doc, "/robots/1/encoders/0") == -585);
    assert_true(number_at(doc, "/robots/1/battery") == 0); // NaN
    assert_true(has(doc, "/robots/1/brownout") && !has(doc, "/robots/0/brownout"));
    assert_true(number_at(doc, "/pieces/0/3") == 5);
    assert_false(has(doc, "/sim"));
    yyjson_doc_free(doc);
    const hy_scene_state empty = { .t_s = 1.0 };
    text = start();
    hy_scene_write_state(&text, &empty);
    expect(&text, "{\"type\":\"state\",\"t\":1,\"robots\":[],\"pieces\":[]}");
}

// A sensor that has not measured, in volts less than 0, shows no distance.
static void what_was_not_measured_is_null(void **state)
{
    (void)state;
    const hy_scene_robot_state robot = { .is_board = true,
                                         .has_range = true,
                                         .range_m = -0.8,
                                         .reflectance = { 0.25, -0.2 },
                                         .reflectance_count = 2 };
    const hy_scene_state from = { .t_s = 1.0, .robots = &robot, .robot_count = 1 };
    hy_text text = start();
    hy_scene_write_state(&text, &from);
    expect(
        &text,
        "{\"type\":\"state\",\"t\":1,\"robots\":[{\"at\":[0,0,0],\"enabled\":false,\"range\":null,"
        "\"reflectance\":[0.25,null],\"led\":false,\"button\":false,\"touching\":false}],"
        "\"pieces\":[]}");
}

static void a_state_has_what_the_sim_says_of_itself(void **state)
{
    (void)state;
    const hy_scene_state told = {
        .t_s = 1.0, .is_sim_known = true, .speed = 0.99871, .step_us = 21.44, .refused = 3
    };
    hy_text text = start();
    hy_scene_write_state(&text, &told);
    expect(&text, "{\"type\":\"state\",\"t\":1,\"sim\":{\"speed\":0.999,\"step_us\":21.4,"
                  "\"refused\":3},\"robots\":[],\"pieces\":[]}");
}

static void links_are_known_or_null(void **state)
{
    (void)state;
    const hy_scene_link links[] = {
        { .player = 1,
          .core = -1,
          .rate_hz = 99.84,
          .age_ms = 11,
          .loss = -1,
          .latency_ms = 9.5,
          .sim = true,
          .heard = 1,
          .core_rate_hz = 100,
          .core_age_ms = 4.04,
          .core_latency_ms = 0.7 },
        { .player = 2,
          .core = 0,
          .rate_hz = -1,
          .age_ms = -1,
          .loss = 0.25,
          .latency_ms = -1,
          .heard = -1,
          .core_rate_hz = -1,
          .core_age_ms = -1,
          .core_latency_ms = -1,
          .is_bot = true },
        { .player = 3, .heard = 0 },
    };
    const hy_scene_driver drivers[] = { { HY_SCENE_YOU, "" },
                                        { HY_SCENE_NOBODY, NULL },
                                        { HY_SCENE_OTHER, "Ana" } };
    hy_text text = start();
    hy_scene_write_players(&text, links, drivers, 3);
    expect(&text, "{\"type\":\"players\",\"players\":["
                  "{\"player\":1,\"owner\":\"you\",\"core\":null,\"sim\":true,\"rate_hz\":99.8,"
                  "\"age_ms\":11,\"loss\":null,\"latency_ms\":9.5,\"heard\":true,"
                  "\"core_rate_hz\":100,\"core_age_ms\":4,\"core_latency_ms\":0.7},"
                  "{\"player\":2,\"owner\":\"bot\",\"core\":false,\"sim\":false,\"rate_hz\":"
                  "null,\"age_ms\":null,\"loss\":0.25,\"latency_ms\":null,\"heard\":null,"
                  "\"core_rate_hz\":null,\"core_age_ms\":null,\"core_latency_ms\":null},"
                  "{\"player\":3,\"owner\":\"other\",\"name\":\"Ana\",\"core\":false,\"sim\":"
                  "false,\"rate_hz\":0,"
                  "\"age_ms\":0,\"loss\":0,\"latency_ms\":0,\"heard\":false,"
                  "\"core_rate_hz\":0,\"core_age_ms\":0,\"core_latency_ms\":0}]}");
}

// In rooms of every size the text is there or is_full says so, and nothing beyond is touched.
static void no_room_is_ever_left(void **state)
{
    (void)state;
    const hy_scene scene = example_scene();
    const hy_scene_state example = example_state();
    hy_text whole = start();
    hy_scene_write(&whole, &scene);
    const size_t scene_size = whole.size;
    whole = start();
    hy_scene_write_state(&whole, &example);
    const size_t state_size = whole.size;
    for (size_t size = 0; size <= scene_size; size++) {
        memset(room, 0xee, scene_size + 64);
        hy_text text = hy_text_in((hy_room){ room, size });
        hy_scene_write(&text, &scene);
        assert_true(text.is_full == (size < scene_size));
        for (size_t i = size; i < size + 64; i++) {
            assert_int_equal(room[i], 0xee);
        }
        text = hy_text_in((hy_room){ room, size });
        hy_scene_write_state(&text, &example);
        assert_true(text.is_full == (size < state_size));
        memset(room, 0xee, size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_short_and_finite),
        cmocka_unit_test(strings_are_utf8),
        cmocka_unit_test(hello_says_what_there_is),
        cmocka_unit_test(a_state_leaves_out_what_is_not_there),
        cmocka_unit_test(what_was_not_measured_is_null),
        cmocka_unit_test(a_state_has_what_the_sim_says_of_itself),
        cmocka_unit_test(links_are_known_or_null),
        cmocka_unit_test(no_room_is_ever_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
