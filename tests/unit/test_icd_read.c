// What a reader takes, what it limits, what it refuses and in which words.
#include <halyard/icd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"

static hy_icd_reader *reader;

static int open_reader(void **state)
{
    (void)state;
    reader = hy_icd_reader_open();
    return reader == NULL;
}

static int close_reader(void **state)
{
    (void)state;
    hy_icd_reader_close(reader);
    hy_icd_reader_close(NULL);
    return 0;
}

static hy_bytes bytes_of(const char *text)
{
    return (hy_bytes){ (const uint8_t *)text, strlen(text) };
}

static hy_icd_sticks sticks_of(const char *text)
{
    hy_icd_sticks sticks;
    assert_int_equal(hy_icd_read_sticks(reader, bytes_of(text), &sticks), HY_OK);
    assert_string_equal(hy_icd_reader_why(reader), "");
    return sticks;
}

static hy_icd_commands commands_of(const char *text)
{
    hy_icd_commands commands;
    assert_int_equal(hy_icd_read_commands(reader, bytes_of(text), &commands), HY_OK);
    return commands;
}

static hy_icd_sensors sensors_of(const char *text)
{
    hy_icd_sensors sensors;
    assert_int_equal(hy_icd_read_sensors(reader, bytes_of(text), &sensors), HY_OK);
    return sensors;
}

static hy_icd_match match_of(const char *text)
{
    hy_icd_match match;
    const hy_status status = hy_icd_read_match(reader, bytes_of(text), &match);
    assert_string_equal(hy_icd_reader_why(reader), "");
    assert_int_equal(status, HY_OK);
    return match;
}

static void assert_number(double value, double expected)
{
    assert_true(value == expected);
}

// --------------------------------------------------------------------------- what is taken

static void every_stick_and_button_has_its_key(void **state)
{
    (void)state;
    const hy_icd_sticks s =
        sticks_of("{\"leftJoystick\":[1,2],\"rightJoystick\":[3,4],\"dpad\":[1,0,1,0],"
                  "\"leftTrigger\":5,\"rightTrigger\":6,\"leftBumper\":1}");
    assert_int_equal(s.left_x, 1);
    assert_int_equal(s.left_y, 2);
    assert_int_equal(s.right_x, 3);
    assert_int_equal(s.right_y, 4);
    assert_true(s.dpad_up && !s.dpad_down && s.dpad_left && !s.dpad_right);
    assert_int_equal(s.left_trigger, 5);
    assert_int_equal(s.right_trigger, 6);
    assert_true(s.left_bumper && !s.right_bumper);
    static const struct {
        const char *key;
        size_t at;
    } buttons[] = {
        { "leftBumper", offsetof(hy_icd_sticks, left_bumper) },
        { "rightBumper", offsetof(hy_icd_sticks, right_bumper) },
        { "a", offsetof(hy_icd_sticks, a) },
        { "b", offsetof(hy_icd_sticks, b) },
        { "x", offsetof(hy_icd_sticks, x) },
        { "y", offsetof(hy_icd_sticks, y) },
        { "back", offsetof(hy_icd_sticks, back) },
        { "start", offsetof(hy_icd_sticks, start) },
        { "guide", offsetof(hy_icd_sticks, guide) },
    };
    for (size_t i = 0; i < sizeof buttons / sizeof buttons[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "{\"%s\":1}", buttons[i].key);
        const hy_icd_sticks pressed = sticks_of(text);
        for (size_t k = 0; k < sizeof buttons / sizeof buttons[0]; k++) {
            assert_int_equal(*((const char *)&pressed + buttons[k].at), k == i);
        }
    }
}

// As in the samples of the interface document.
static void comments_and_a_comma_at_the_end_are_passed_over(void **state)
{
    (void)state;
    const hy_icd_sticks sticks = sticks_of(
        "// the hands\n{ \"leftJoystick\": [ 1, // x (-512 - 512)\n 2, /* y\n */ ],\n"
        "/**/\"leftTrigger\": /* 4, */ 3, // \"leftTrigger\": 5\n \"a\": 1, } // the end");
    assert_int_equal(sticks.left_x, 1);
    assert_int_equal(sticks.left_y, 2);
    assert_int_equal(sticks.left_trigger, 3);
    assert_true(sticks.a);
    const hy_icd_match match = match_of(
        "{\"vehicles\":[{\"team\":\"//3260/*\",\"lidarSweep\":[{\"range\":1,},\n// Etc.\n]}]}");
    assert_string_equal(match.vehicle[0].team, "//3260/*");
    assert_int_equal(match.vehicle[0].lidar.count, 1);
}

static void missing_keys_keep_their_default(void **state)
{
    (void)state;
    static const hy_icd_commands none;
    const hy_icd_commands commands = commands_of("{}");
    assert_memory_equal(&commands, &none, offsetof(hy_icd_commands, outtake) + 1);
    const hy_icd_sensors sensors = sensors_of("{\"leftDriveEncoder\":7}");
    assert_false(sensors.has_pose);
    assert_int_equal(sensors.lidar.count, 0);
    const hy_icd_match match = match_of("{\"vehicles\":[{}],\"gamePieces\":[{}]}");
    assert_int_equal(match.vehicle_count, 1);
    assert_string_equal(match.vehicle[0].team, "");
    assert_int_equal(match.vehicle[0].alliance, HY_ALLIANCE_BLUE);
    assert_int_equal(match.piece_count, 1);
    assert_int_equal(match.piece[0].ingestion, HY_ICD_FREE);
}

static void null_says_nothing(void **state)
{
    (void)state;
    assert_int_equal(commands_of("{\"tubeMotorSpeed\":7,\"tubeMotorSpeed\":null}").tube, 7);
    assert_int_equal(match_of("{\"vehicles\":null,\"field\":null,\"timer\":null}").vehicle_count, 0);
    assert_false(sensors_of("{\"x\":1,\"y\":2,\"theta\":null}").has_pose);
    assert_int_equal(sticks_of("{\"leftJoystick\":null}").left_x, 0);
}

static void unknown_keys_are_ignored_whatever_they_hold(void **state)
{
    (void)state;
    const hy_icd_match match = match_of(
        "{\"x\":[[{\"vehicles\":7}]],\"field\":{\"blueScore\":9,\"inCollision\":true},"
        "\"Vehicles\":3,\"vehicles\":[{\"x\":1.5,\"z\":\"?\"}],\"blueScor\":1,\"blueScores\":1}");
    assert_true(match.in_collision);
    assert_int_equal(match.blue_score, 0);
    assert_number(match.vehicle[0].x_m, 1.5);
}

static void the_last_of_doubled_keys_wins(void **state)
{
    (void)state;
    assert_int_equal(commands_of("{\"tubeMotorSpeed\":1,\"tubeMotorSpeed\":2}").tube, 2);
    const hy_icd_match match =
        match_of("{\"vehicles\":[{\"team\":\"1\",\"x\":5},{}],\"vehicles\":[{\"y\":3}]}");
    assert_int_equal(match.vehicle_count, 1);
    assert_string_equal(match.vehicle[0].team, "");
    assert_number(match.vehicle[0].x_m, 0);
    assert_number(match.vehicle[0].y_m, 3);
    const hy_icd_sensors sensors =
        sensors_of("{\"lidarPoints\":[[1,0,2],[1,0,3]],\"lidarSweep\":[{\"range\":4}]}");
    assert_int_equal(sensors.lidar.count, 1);
    assert_number(sensors.lidar.points[0].range_m, 4);
}

static void numbers_come_in_any_clothes(void **state)
{
    (void)state;
    static const struct {
        const char *number;
        int expected;
    } cases[] = {
        { "10", 10 },     { "10.0", 10 },        { "1e1", 10 },
        { "10.9", 10 },   { "-10.9", -10 },      { "-0.9", 0 },
        { "-0", 0 },      { "0.0000001", 0 },    { "1E-400", 0 },
        { "513", 512 },   { "-2000", -512 },     { "512.9", 512 },
        { "1e308", 512 }, { "-1e9999", -512 },   { "99999999999999999999999", 512 },
        { "1e999", 512 }, { "4294967297", 512 }, { "-9223372036854775809", -512 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[96];
        snprintf(text, sizeof text, "{\"leftDriveMotorSpeed\":%s}", cases[i].number);
        assert_int_equal(commands_of(text).left_drive, cases[i].expected);
    }
}

static void flags_are_numbers_or_words(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        bool expected;
    } cases[] = {
        { "0", false },  { "1", true },    { "true", true }, { "false", false }, { "2", true },
        { "-1", false }, { "0.5", false }, { "1.0", true },  { "1e999", true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[96];
        snprintf(text, sizeof text, "{\"reset\":%s,\"isTimerRunning\":%s,\"dpad\":[0,0,0,%s]}",
                 cases[i].value, cases[i].value, cases[i].value);
        assert_int_equal(commands_of(text).reset, cases[i].expected);
        assert_int_equal(match_of(text).timer_runs, cases[i].expected);
        assert_int_equal(sticks_of(text).dpad_right, cases[i].expected);
    }
}

static void values_are_limited_to_the_documents_ranges(void **state)
{
    (void)state;
    const hy_icd_sticks s =
        sticks_of("{\"leftJoystick\":[-513,513],\"leftTrigger\":-1,\"rightTrigger\":513}");
    assert_int_equal(s.left_x, -512);
    assert_int_equal(s.left_y, 512);
    assert_int_equal(s.left_trigger, 0);
    assert_int_equal(s.right_trigger, 512);
    const hy_icd_sensors sensors =
        sensors_of("{\"x\":-1e300,\"y\":1e999,\"theta\":-142.09,\"leftDriveEncoder\":-1,"
                   "\"rightDriveEncoder\":1025,\"numIngestedBalls\":-3,"
                   "\"lidarPoints\":[[-1,-3,-7],[7,1e10,1e10]]}");
    assert_true(sensors.has_pose);
    assert_number(sensors.x_m, -1e9);
    assert_number(sensors.y_m, 1e9);
    assert_number(sensors.theta_rad, -142.09); // accumulated, never wrapped
    assert_int_equal(sensors.left_encoder, 0);
    assert_int_equal(sensors.right_encoder, 1024);
    assert_int_equal(sensors.ingested, 0);
    const hy_icd_lidar_point *const points = sensors.lidar.points;
    assert_number(points[0].azimuth_rad, 0);
    assert_number(points[0].elevation_rad, -3);
    assert_number(points[0].range_m, -1);
    assert_number(points[1].azimuth_rad, 2 * HY_PI);
    assert_number(points[1].elevation_rad, 1e9);
    assert_number(points[1].range_m, 1e9);
    const hy_icd_sensors turned =
        sensors_of("{\"leftDriveEncoder\":1025,\"rightDriveEncoder\":-1}");
    assert_int_equal(turned.left_encoder, 1024);
    assert_int_equal(turned.right_encoder, 0);
    assert_int_equal(match_of("{\"blueScore\":1e18}").blue_score, 1000000000);
}

static void pieces_know_seven_places(void **state)
{
    (void)state;
    const hy_icd_match match = match_of(
        "{\"gamePieces\":[{\"ingestionState\":6},{\"ingestionState\":7},{\"ingestionState\":-1},"
        "{\"ingestionState\":1e999},{\"ingestionState\":4.9},{\"ingestionState\":-0.9},"
        "{\"ingestionState\":6.5}]}");
    static const hy_icd_ingestion expected[] = { HY_ICD_RED_GOAL, HY_ICD_FREE, HY_ICD_FREE,
                                                 HY_ICD_FREE,     HY_ICD_TUBE, HY_ICD_FREE,
                                                 HY_ICD_RED_GOAL };
    assert_int_equal(match.piece_count, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(match.piece[i].ingestion, expected[i]);
    }
}

static void both_forms_are_understood_even_mixed(void **state)
{
    (void)state;
    const hy_icd_match match = match_of(
        "{\"vehicles\":[{\"lidarSweep\":[{\"azimuth\":1,\"elevation\":0.5,\"range\":2},{\"range\":-"
        "1.0}]},"
        "{\"lidarPoints\":[[3,0,4,\"more\"]]}],"
        "\"gamePieces\":[{\"x\":1,\"y\":2,\"z\":3},{\"position\":[4,5,6],\"ingestionState\":4}]}");
    const hy_icd_lidar *const sweep = &match.vehicle[0].lidar;
    assert_int_equal(sweep->count, 2);
    assert_number(sweep->points[0].azimuth_rad, 1);
    assert_number(sweep->points[0].elevation_rad, 0.5);
    assert_number(sweep->points[0].range_m, 2);
    assert_number(sweep->points[1].azimuth_rad, 0);
    assert_number(sweep->points[1].range_m, -1);
    assert_int_equal(match.vehicle[1].lidar.count, 1);
    assert_number(match.vehicle[1].lidar.points[0].range_m, 4);
    assert_number(match.piece[0].z_m, 3);
    assert_number(match.piece[1].x_m, 4);
    assert_number(match.piece[1].y_m, 5);
    assert_number(match.piece[1].z_m, 6);
    assert_int_equal(match.piece[1].ingestion, HY_ICD_TUBE);
}

static void teams_and_alliances(void **state)
{
    (void)state;
    const hy_icd_match match =
        match_of("{\"vehicles\":[{\"team\":\"3260\",\"alliance\":\"Blue\"},{\"team\":\"a\\u0000b\","
                 "\"alliance\":\"Red\"},"
                 "{\"team\":\"0123456789012345678901234567890123456789\",\"alliance\":\"blue\"},"
                 "{\"team\":\"012345678901234567890123456789\\u00e9\",\"alliance\":\"\"},"
                 "{\"team\":\"\\ud83e\\udd16 \\\"\\\\\"}]}");
    assert_string_equal(match.vehicle[0].team, "3260");
    assert_string_equal(match.vehicle[1].team, "a");
    assert_string_equal(match.vehicle[2].team, "0123456789012345678901234567890");
    assert_string_equal(match.vehicle[3].team, "012345678901234567890123456789"); // no half character
    assert_string_equal(match.vehicle[4].team, "\xF0\x9F\xA4\x96 \"\\");
    assert_int_equal(match.vehicle[0].alliance, HY_ALLIANCE_BLUE);
    for (size_t i = 1; i < 4; i++) {
        assert_int_equal(match.vehicle[i].alliance, HY_ALLIANCE_RED);
    }
    assert_int_equal(match.vehicle[4].alliance, HY_ALLIANCE_BLUE); // it names none
}

static void heartbeats_are_objects(void **state)
{
    (void)state;
    assert_int_equal(hy_icd_read_heartbeat(reader, bytes_of("{}")), HY_OK);
    assert_int_equal(hy_icd_read_heartbeat(reader, bytes_of(" {\"a\": [1]}\n")), HY_OK);
    assert_int_equal(hy_icd_read_heartbeat(reader, bytes_of("[]")), HY_EFORMAT);
    assert_string_equal(hy_icd_reader_why(reader), "not a JSON object");
    assert_int_equal(hy_icd_read_heartbeat(reader, (hy_bytes){ NULL, 0 }), HY_EFORMAT);
}

// --------------------------------------------------------------------------- what is left out

// `count` copies of `item` in a list called `key`.
static char *list_of(const char *key, const char *item, size_t count)
{
    char *const text = malloc(32 + (strlen(item) + 1) * (count + 1));
    assert_non_null(text);
    char *p = text + sprintf(text, "{\"%s\":[", key);
    for (size_t i = 0; i < count; i++) {
        p += sprintf(p, i == 0 ? "%s" : ",%s", item);
    }
    sprintf(p, "]}");
    return text;
}

static void too_many_are_left_out_and_counted(void **state)
{
    (void)state;
    static const struct {
        const char *key, *item;
        size_t count, left_out;
    } cases[] = {
        { "vehicles", "{\"lidarSweep\":[{}]}", 6, 0 },
        { "vehicles", "{\"lidarSweep\":[{}]}", 7, 1 },
        { "gamePieces", "{\"x\":1}", 64, 0 },
        { "gamePieces", "{\"x\":1}", 65, 1 },
        { "gamePieces", "{}", 3000, 2936 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t before = hy_icd_reader_left_out(reader);
        char *const text = list_of(cases[i].key, cases[i].item, cases[i].count);
        const hy_icd_match match = match_of(text);
        assert_int_equal(hy_icd_reader_left_out(reader) - before, cases[i].left_out);
        assert_int_equal(match.vehicle_count + match.piece_count, cases[i].count - cases[i].left_out);
        free(text);
    }
    // A refused message counts nothing.
    const uint64_t before = hy_icd_reader_left_out(reader);
    hy_icd_match match;
    assert_int_equal(
        hy_icd_read_match(reader, bytes_of("{\"vehicles\":[{},{},{},{},{},{},{}],\"timer\":[]}"),
                          &match),
        HY_EFORMAT);
    assert_int_equal(hy_icd_reader_left_out(reader), before);
}

static void points_come_in_both_shapes_under_both_names(void **state)
{
    (void)state;
    const char *const texts[] = {
        "{\"lidarPoints\":[{\"azimuth\":1,\"elevation\":0,\"range\":2},[3,0,4]]}",
        "{\"lidarSweep\":[[1,0,2],{\"azimuth\":3,\"elevation\":0,\"range\":4}]}",
    };
    for (size_t i = 0; i < 2; i++) {
        const hy_icd_lidar lidar = sensors_of(texts[i]).lidar;
        assert_int_equal(lidar.count, 2);
        for (size_t k = 0; k < 2; k++) {
            assert_number(lidar.points[k].azimuth_rad, 1.0 + 2.0 * (double)k);
            assert_number(lidar.points[k].range_m, 2.0 + 2.0 * (double)k);
        }
    }
}

static void all_points_of_the_longest_messages_are_taken(void **state)
{
    (void)state;
    static const struct {
        const char *key, *item;
    } cases[] = { { "lidarSweep", "{}" }, { "lidarPoints", "[0,0,1]" } };
    for (size_t i = 0; i < 2; i++) {
        const size_t count = (HY_ICD_MESSAGE_MAX - 32) / (strlen(cases[i].item) + 1);
        char *const text = list_of(cases[i].key, cases[i].item, count);
        const hy_icd_sensors sensors = sensors_of(text);
        assert_int_equal(sensors.lidar.count, count);
        assert_number(sensors.lidar.points[count - 1].range_m, (double)i);
        free(text);
    }
}

// --------------------------------------------------------------------------- what is refused

typedef hy_status reading(const char *text);

static hy_status read_sticks(const char *text)
{
    hy_icd_sticks out;
    return hy_icd_read_sticks(reader, bytes_of(text), &out);
}

static hy_status read_commands(const char *text)
{
    hy_icd_commands out;
    return hy_icd_read_commands(reader, bytes_of(text), &out);
}

static hy_status read_sensors(const char *text)
{
    hy_icd_sensors out;
    return hy_icd_read_sensors(reader, bytes_of(text), &out);
}

static hy_status read_match(const char *text)
{
    hy_icd_match out;
    return hy_icd_read_match(reader, bytes_of(text), &out);
}

static hy_status read_status(const char *text)
{
    hy_icd_status out;
    return hy_icd_read_status(reader, bytes_of(text), &out);
}

// clang-format off
static void wrong_types_are_refused_with_a_reason(void **state)
{
    (void)state;
    static const struct { reading *read; const char *text, *why; } cases[] = {
        { read_sticks, "{\"leftJoystick\":5}",              "leftJoystick is not a list of two numbers" },
        { read_sticks, "{\"leftJoystick\":[]}",             "leftJoystick is not a list of two numbers" },
        { read_sticks, "{\"rightJoystick\":[1]}",           "rightJoystick is not a list of two numbers" },
        { read_sticks, "{\"rightJoystick\":[1,\"2\"]}",     "rightJoystick is not a list of two numbers" },
        { read_sticks, "{\"rightJoystick\":[null,2]}",      "rightJoystick is not a list of two numbers" },
        { read_sticks, "{\"rightJoystick\":[true,2]}",      "rightJoystick is not a list of two numbers" },
        { read_sticks, "{\"dpad\":[0,0,0]}",                "dpad is not a list of four numbers" },
        { read_sticks, "{\"dpad\":{\"up\":1}}",             "dpad is not a list of four numbers" },
        { read_sticks, "{\"a\":\"1\"}",                     "a is not 0 or 1" },
        { read_sticks, "{\"guide\":[]}",                    "guide is not 0 or 1" },
        { read_sticks, "{\"leftTrigger\":false}",           "leftTrigger is not a number" },
        { read_commands, "{\"leftDriveMotorSpeed\":true}",  "leftDriveMotorSpeed is not a number" },
        { read_commands, "{\"tubeMotorSpeed\":\"12\"}",     "tubeMotorSpeed is not a number" },
        { read_commands, "{\"outtake\":{}}",                "outtake is not 0 or 1" },
        { read_commands, "{\"tubeMotorSpeed\":1,\"tubeMotorSpeed\":\"\"}", "tubeMotorSpeed is not a number" },
        { read_sensors, "{\"x\":\"1\"}",                    "x is not a number" },
        { read_sensors, "{\"leftDriveEncoder\":[0]}",       "leftDriveEncoder is not a number" },
        { read_sensors, "{\"lidarSweep\":{}}",              "lidarSweep is not a list of points" },
        { read_sensors, "{\"lidarSweep\":[[1,0]]}",         "lidarSweep is not a list of points" },
        { read_sensors, "{\"lidarSweep\":[{},null]}",       "lidarSweep is not a list of points" },
        { read_sensors, "{\"lidarSweep\":[{\"range\":\"\"}]}", "range of a lidar point is not a number" },
        { read_sensors, "{\"lidarPoints\":3}",              "lidarPoints is not a list of points" },
        { read_sensors, "{\"lidarPoints\":[3]}",            "lidarPoints is not a list of points" },
        { read_sensors, "{\"lidarPoints\":[[1,2]]}",        "lidarPoints is not a list of points" },
        { read_sensors, "{\"lidarPoints\":[[1,2,[]]]}",     "lidarPoints is not a list of points" },
        { read_match, "{\"timer\":false}",                  "timer is not a number" },
        { read_match, "{\"isTimerRunning\":\"no\"}",        "isTimerRunning is not true or false" },
        { read_match, "{\"field\":[]}",                     "field is not an object" },
        { read_match, "{\"field\":{\"inCollision\":[]}}",   "inCollision is not true or false" },
        { read_match, "{\"vehicles\":{}}",                  "vehicles is not a list of objects" },
        { read_match, "{\"vehicles\":[1]}",                 "vehicles is not a list of objects" },
        { read_match, "{\"vehicles\":[{},null]}",           "vehicles is not a list of objects" },
        { read_match, "{\"vehicles\":[{\"team\":3260}]}",   "team of a vehicle is not text" },
        { read_match, "{\"vehicles\":[{\"alliance\":0}]}",  "alliance of a vehicle is not text" },
        { read_match, "{\"vehicles\":[{\"theta\":\"\"}]}",  "theta of a vehicle is not a number" },
        { read_match, "{\"vehicles\":[{\"lidarSweep\":[{\"azimuth\":[]}]}]}", "azimuth of a lidar point is not a number" },
        { read_match, "{\"gamePieces\":[[1,2,3]]}",         "gamePieces is not a list of objects" },
        { read_match, "{\"gamePieces\":[{\"position\":[1,2]}]}", "position of a game piece is not a list of three numbers" },
        { read_match, "{\"gamePieces\":[{\"ingestionState\":\"tube\"}]}", "ingestionState of a game piece is not a number" },
        { read_status, "{}",                                "status is not 1" },
        { read_status, "{\"status\":2}",                    "status is not 1" },
        { read_status, "{\"status\":null}",                 "status is not 1" },
        { read_status, "{\"status\":1,\"players\":[{\"rateHz\":\"\"}]}", "rateHz of a player is not a number" },
        { read_status, "{\"status\":1,\"sim\":{\"speed\":[]}}", "speed of sim is not a number" },
        { read_match, "[]",                                 "not a JSON object" },
        { read_match, "7",                                  "not a JSON object" },
        { read_match, "\"{}\"",                             "not a JSON object" },
        { read_match, "null",                               "not a JSON object" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(cases[i].read(cases[i].text), HY_EFORMAT);
        assert_string_equal(hy_icd_reader_why(reader), cases[i].why);
    }
    assert_int_equal(read_match("{}"), HY_OK);
    assert_string_equal(hy_icd_reader_why(reader), "");
}

static void what_is_not_json_is_refused_with_its_place(void **state)
{
    (void)state;
    static const struct { const char *text, *why; } cases[] = {
        { "",                        "not JSON at byte 0: " },
        { " \n",                     "not JSON at byte " },
        { "{",                       "not JSON at byte 1: " },
        { "{\"a\":1,,}",             "not JSON at byte 7: " },
        { "{,}",                     "not JSON at byte " },
        { "{\"a\":1}x",              "not JSON at byte 7: " },
        { "{'a':1}",                 "not JSON at byte 1: " },
        { "{\"a\":01}",              "not JSON at byte " },
        { "{\"a\":NaN}",             "not JSON at byte 5: " },
        { "{\"a\":Infinity}",        "not JSON at byte 5: " },
        { "{\"a\":1}{\"a\":1}",      "not JSON at byte 7: " },
        { "{\"a\":/* 1}",            "not JSON at byte 5: " },
        { "{\"a\": / 1}",            "not JSON at byte 6: " },
        { "{\"a\":1} # 2",           "not JSON at byte 8: " },
        { "{\"\xff\":1}",            "not JSON at byte 2: " },
        { "{\"a\":\"\x01\"}",        "not JSON at byte 6: " },
        { "\xEF\xBB\xBF{}",          "not JSON at byte 0: " },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(read_commands(cases[i].text), HY_EFORMAT);
        const char *const why = hy_icd_reader_why(reader);
        if (strncmp(why, cases[i].why, strlen(cases[i].why)) != 0) {
            fail_msg("%s: %s", cases[i].text, why);
        }
    }
}
// clang-format on

static void a_refused_message_changes_nothing(void **state)
{
    (void)state;
    hy_icd_match match = match_of("{\"blueScore\":3,\"vehicles\":[{\"x\":1}]}");
    hy_icd_match before;
    memcpy(&before, &match, sizeof before);
    const char *const text =
        "{\"blueScore\":4,\"vehicles\":[{\"x\":2}],\"gamePieces\":[{\"x\":\"\"}]}";
    assert_int_equal(hy_icd_read_match(reader, bytes_of(text), &match), HY_EFORMAT);
    assert_memory_equal(&match, &before, sizeof match);
}

// A message of `size` bytes: {"a":[[[[...]]]]} and blanks.
static hy_status read_nested(size_t size, size_t depth)
{
    char *const text = malloc(size);
    assert_non_null(text);
    memset(text, ' ', size);
    memcpy(text, "{\"z\":", 5);
    memset(text + 5, '[', depth);
    memset(text + 5 + depth, ']', depth);
    text[size - 1] = '}';
    hy_icd_commands out;
    const hy_status status =
        hy_icd_read_commands(reader, (hy_bytes){ (const uint8_t *)text, size }, &out);
    free(text);
    return status;
}

static void deep_and_long_messages(void **state)
{
    (void)state;
    assert_int_equal(read_nested(HY_ICD_MESSAGE_MAX, 1), HY_OK);
    assert_int_equal(read_nested(HY_ICD_MESSAGE_MAX, 32700), HY_OK);
    assert_int_equal(read_nested(HY_ICD_MESSAGE_MAX + 1, 1), HY_ERANGE);
    assert_string_equal(hy_icd_reader_why(reader), "longer than 65507 bytes");
    assert_int_equal(read_nested(40000, 19997), HY_OK);
}

// What takes the most memory by the byte, valid and not.
static void the_hungriest_messages(void **state)
{
    (void)state;
    static uint8_t text[HY_ICD_MESSAGE_MAX];
    static const char *const fillings[] = { "[", "[[],", "{\"\":", "[1,", "[0.5,", "[1e999,", "[{}," };
    hy_icd_commands out;
    for (size_t i = 0; i < sizeof fillings / sizeof fillings[0]; i++) {
        for (size_t at = 0, n = strlen(fillings[i]); at < sizeof text; at++) {
            text[at] = (uint8_t)fillings[i][at % n];
        }
        const hy_status status = hy_icd_read_commands(reader, (hy_bytes){ text, sizeof text }, &out);
        assert_true(status == HY_EFORMAT || status == HY_ERANGE);
        assert_string_not_equal(hy_icd_reader_why(reader), "");
    }
    memset(text, '[', sizeof text);
    assert_int_equal(hy_icd_read_commands(reader, (hy_bytes){ text, sizeof text }, &out), HY_ERANGE);
    assert_string_equal(hy_icd_reader_why(reader), "nested too deep for the memory of a reader");
    // {"z":[1,1,1 ... 1]}: a value every second byte.
    memcpy(text, "{\"z\":[", 6);
    for (size_t at = 6; at < sizeof text; at++) {
        text[at] = at % 2 == 0 ? '1' : ',';
    }
    memcpy(text + sizeof text - 2, "]}", 2);
    assert_int_equal(hy_icd_read_commands(reader, (hy_bytes){ text, sizeof text }, &out), HY_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stick_and_button_has_its_key),
        cmocka_unit_test(comments_and_a_comma_at_the_end_are_passed_over),
        cmocka_unit_test(missing_keys_keep_their_default),
        cmocka_unit_test(null_says_nothing),
        cmocka_unit_test(unknown_keys_are_ignored_whatever_they_hold),
        cmocka_unit_test(the_last_of_doubled_keys_wins),
        cmocka_unit_test(numbers_come_in_any_clothes),
        cmocka_unit_test(flags_are_numbers_or_words),
        cmocka_unit_test(values_are_limited_to_the_documents_ranges),
        cmocka_unit_test(pieces_know_seven_places),
        cmocka_unit_test(both_forms_are_understood_even_mixed),
        cmocka_unit_test(teams_and_alliances),
        cmocka_unit_test(heartbeats_are_objects),
        cmocka_unit_test(too_many_are_left_out_and_counted),
        cmocka_unit_test(points_come_in_both_shapes_under_both_names),
        cmocka_unit_test(all_points_of_the_longest_messages_are_taken),
        cmocka_unit_test(wrong_types_are_refused_with_a_reason),
        cmocka_unit_test(what_is_not_json_is_refused_with_its_place),
        cmocka_unit_test(a_refused_message_changes_nothing),
        cmocka_unit_test(deep_and_long_messages),
        cmocka_unit_test(the_hungriest_messages),
    };
    return cmocka_run_group_tests_name("icd reading", tests, open_reader, close_reader);
}
