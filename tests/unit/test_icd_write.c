// Our messages, byte for byte; what is limited, escaped and replaced; and rooms of every size.
#include <halyard/icd.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "environment.h"

static uint8_t text[HY_ICD_MESSAGE_MAX + 1];

static const char *ended(size_t size)
{
    text[size] = '\0';
    return (const char *)text;
}

static const char *text_of_match(const hy_icd_match *match, hy_icd_form form)
{
    size_t from = 0;
    return ended(hy_icd_write_match(match, form, &from, (hy_room){ text, HY_ICD_MESSAGE_MAX }));
}

static const char *text_of_sensors(const hy_icd_sensors *sensors, hy_icd_form form)
{
    size_t from = 0;
    return ended(hy_icd_write_sensors(sensors, form, &from, (hy_room){ text, HY_ICD_MESSAGE_MAX }));
}

// --------------------------------------------------------------------------- bytes

static void sticks_in_the_documents_order(void **state)
{
    (void)state;
    const hy_icd_sticks sticks = { .left_x = -1,
                                   .left_y = 512,
                                   .right_x = 3,
                                   .right_y = -513,
                                   .left_trigger = 600,
                                   .right_trigger = -1,
                                   .dpad_down = true,
                                   .right_bumper = true,
                                   .x = true,
                                   .guide = true };
    assert_string_equal(ended(hy_icd_write_sticks(&sticks, (hy_room){ text, HY_ICD_MESSAGE_MAX })),
                        "{\"leftJoystick\":[-1,512],\"rightJoystick\":[3,-512],\"dpad\":[0,1,0,0],"
                        "\"leftTrigger\":512,"
                        "\"rightTrigger\":0,\"leftBumper\":0,\"rightBumper\":1,\"a\":0,\"b\":0,"
                        "\"x\":1,\"y\":0,\"back\":0,"
                        "\"start\":0,\"guide\":1}");
}

static void commands_in_the_documents_order(void **state)
{
    (void)state;
    const hy_icd_commands commands = { 10,         -200, 512,   513, -2147483647 - 1,
                                       2147483647, true, false, true };
    assert_string_equal(
        ended(hy_icd_write_commands(&commands, (hy_room){ text, HY_ICD_MESSAGE_MAX })),
        "{\"leftDriveMotorSpeed\":10,\"rightDriveMotorSpeed\":-200,\"intakeCenterMotorSpeed\":512,"
        "\"intakeLeftMotorSpeed\":512,\"intakeRightMotorSpeed\":-512,\"tubeMotorSpeed\":512,"
        "\"timerStartStop\":1,\"reset\":0,\"outtake\":1}");
}

static const hy_icd_lidar_point points[] = {
    { 0.007853981633974484, 0, 2.8753646537661554 },
    { 6.275331325545611, 0, -1 },
    { 1.5, -0.25, 10.99996 },
};

static void sensors_in_both_forms(void **state)
{
    (void)state;
    const hy_icd_sensors sensors = { .left_encoder = 1023,
                                     .right_encoder = 5,
                                     .has_pose = true,
                                     .x_m = 0,
                                     .y_m = -5.003799915313721,
                                     .theta_rad = -142.0926055908203,
                                     .ingested = 2,
                                     .lidar = { points, 3 } };
    assert_string_equal(text_of_sensors(&sensors, HY_ICD_DOCUMENT),
                        "{\"x\":0.0,\"y\":-5.0038,\"theta\":-142.092606,\"leftDriveEncoder\":1023,"
                        "\"rightDriveEncoder\":5,\"lidarSweep\":["
                        "{\"azimuth\":0.007854,\"elevation\":0.0,\"range\":2.8754},"
                        "{\"azimuth\":6.275331,\"elevation\":0.0,\"range\":-1.0},"
                        "{\"azimuth\":1.5,\"elevation\":-0.25,\"range\":11.0}]}");
    assert_string_equal(text_of_sensors(&sensors, HY_ICD_LATER),
                        "{\"x\":0.0,\"y\":-5.0038,\"theta\":-142.092606,\"leftDriveEncoder\":1023,"
                        "\"rightDriveEncoder\":5,\"numIngestedBalls\":2,\"lidarPoints\":["
                        "[0.007854,0.0,2.8754],[6.275331,0.0,-1.0],[1.5,-0.25,11.0]]}");
    const hy_icd_lidar_point high = { 1, 1, 1 };
    const hy_icd_sensors one = { .lidar = { &high, 1 } };
    assert_non_null(strstr(text_of_sensors(&one, HY_ICD_DOCUMENT), "\"elevation\":1.0,"));
    assert_non_null(strstr(text_of_sensors(&one, HY_ICD_LATER), "[[1.0,1.0,1.0]]"));
    const hy_icd_sensors blind = { .x_m = 3 };
    assert_string_equal(text_of_sensors(&blind, HY_ICD_DOCUMENT),
                        "{\"leftDriveEncoder\":0,\"rightDriveEncoder\":0,\"lidarSweep\":[]}");
}

#define VEHICLE_HEAD                                                                           \
    "{\"blueScore\":3,\"redScore\":0,\"isTimerRunning\":true,\"timer\":134.99,"                \
    "\"field\":{\"inCollision\":true},\"vehicles\":[{\"team\":\"3260\",\"alliance\":\"Blue\"," \
    "\"x\":1.5,\"y\":-2.25,\"theta\":6.5,\"intakeCenterMotorSpeed\":2.6175,"                   \
    "\"intakeLeftMotorSpeed\":0.0,\"intakeRightMotorSpeed\":0.0,\"tubeMotorSpeed\":-2.6175,"   \
    "\"leftDriveMotorSpeed\":87.21511,\"rightDriveMotorSpeed\":0.0,"
#define SECOND_VEHICLE                                                                           \
    "{\"team\":\"412\",\"alliance\":\"Red\",\"x\":0.0,\"y\":0.0,\"theta\":0.0,"                  \
    "\"intakeCenterMotorSpeed\":0.0,\"intakeLeftMotorSpeed\":0.0,\"intakeRightMotorSpeed\":0.0," \
    "\"tubeMotorSpeed\":0.0,\"leftDriveMotorSpeed\":0.0,\"rightDriveMotorSpeed\":0.0,"

static void matches_in_both_forms(void **state)
{
    (void)state;
    const hy_icd_match match = {
        .blue_score = 3,
        .timer_runs = true,
        .timer_s = 134.98999999999998,
        .in_collision = true,
        .vehicle_count = 2,
        .vehicle = { { .team = "3260",
                       .x_m = 1.5,
                       .y_m = -2.25,
                       .theta_rad = 6.5,
                       .intake_center_rad_s = 2.6175,
                       .tube_rad_s = -2.6175,
                       .left_drive_rad_s = 87.21511,
                       .lidar = { points, 1 } },
                     { .team = "412", .alliance = HY_ALLIANCE_RED } },
        .piece_count = 2,
        .piece = { { 1.2, -3.4, 0.5, HY_ICD_TUBE }, { 0, 0, 0, HY_ICD_RED_GOAL } },
    };
    assert_string_equal(text_of_match(&match, HY_ICD_DOCUMENT), VEHICLE_HEAD
                        "\"lidarSweep\":[{\"azimuth\":0.007854,\"elevation\":0.0,\"range\":2.8754}]"
                        "}," SECOND_VEHICLE "\"lidarSweep\":[]}],\"gamePieces\":["
                        "{\"x\":1.2,\"y\":-3.4,\"z\":0.5,\"ingestionState\":4},"
                        "{\"x\":0.0,\"y\":0.0,\"z\":0.0,\"ingestionState\":6}]}");
    assert_string_equal(text_of_match(&match, HY_ICD_LATER),
                        VEHICLE_HEAD "\"lidarPoints\":[[0.007854,0.0,2.8754]]}," SECOND_VEHICLE
                                     "\"lidarPoints\":[]}],\"gamePieces\":["
                                     "{\"position\":[1.2,-3.4,0.5],\"ingestionState\":4},"
                                     "{\"position\":[0.0,0.0,0.0],\"ingestionState\":6}]}");
    const hy_icd_match none = { 0 };
    assert_string_equal(text_of_match(&none, HY_ICD_DOCUMENT),
                        "{\"blueScore\":0,\"redScore\":0,\"isTimerRunning\":false,\"timer\":0.0,"
                        "\"field\":{\"inCollision\":false},\"vehicles\":[],\"gamePieces\":[]}");
}

static void status_carries_what_the_document_cannot(void **state)
{
    (void)state;
    const hy_icd_status status = {
        .player_count = 2,
        .player = { { true, 99.5, 8.25, 3.5, 12.25, false },
                    { .rate_hz = -7, .battery_v = 6.25, .browned_out = true } },
        .robot_count = 1,
        .robot = { { "xrp", "Ada", 0.5, -0.25, 3, true, 5.5 } },
        .speed = 1,
        .step_us = 27.5,
        .dropped = 12,
    };
    assert_string_equal(
        ended(hy_icd_write_status(&status, (hy_room){ text, HY_ICD_MESSAGE_MAX })),
        "{\"status\":1,\"players\":["
        "{\"connected\":true,\"rateHz\":99.5,\"ageMs\":8.25,\"latencyMs\":3.5,"
        "\"batteryV\":12.25,\"brownedOut\":false},"
        "{\"connected\":false,\"rateHz\":0.0,\"ageMs\":0.0,\"latencyMs\":0.0,"
        "\"batteryV\":6.25,\"brownedOut\":true}],"
        "\"robots\":[{\"kind\":\"xrp\",\"name\":\"Ada\",\"x\":0.5,\"y\":-0.25,\"theta\":3.0,"
        "\"enabled\":true,\"batteryV\":5.5}],\"sim\":{\"speed\":1.0,\"stepUs\":27.5,\"dropped\":12}"
        "}");
}

// What cannot be less than 0 is 0 then, and no more.
static void a_status_of_nothing_is_of_zeros(void **state)
{
    (void)state;
    static const char zeros[] = "{\"status\":1,\"players\":[{\"connected\":false,\"rateHz\":0.0,"
                                "\"ageMs\":0.0,\"latencyMs\":0.0,"
                                "\"batteryV\":0.0,\"brownedOut\":false}],\"robots\":[{\"kind\":"
                                "\"\",\"name\":\"\",\"x\":0.0,\"y\":0.0,"
                                "\"theta\":0.0,\"enabled\":false,\"batteryV\":0.0}],\"sim\":{"
                                "\"speed\":0.0,\"stepUs\":0.0,\"dropped\":0}}";
    hy_icd_status status = { .player_count = 1, .robot_count = 1 };
    const hy_room room = { text, HY_ICD_MESSAGE_MAX };
    assert_string_equal(ended(hy_icd_write_status(&status, room)), zeros);
    status.player[0] =
        (hy_icd_player){ .rate_hz = -1, .age_ms = -1, .latency_ms = -1, .battery_v = -1 };
    status.robot[0].battery_v = status.speed = status.step_us = -1;
    status.dropped = -1;
    assert_string_equal(ended(hy_icd_write_status(&status, room)), zeros);
}

static void used_sticks_are_read_again(void **state)
{
    (void)state;
    const hy_icd_sticks sticks = {
        .left_y = -512, .right_trigger = 7, .dpad_left = true, .guide = true
    };
    hy_icd_sticks again = { 0 };
    hy_icd_reader *const reader = hy_icd_reader_open();
    const size_t size = hy_icd_write_used_sticks(&sticks, (hy_room){ text, HY_ICD_MESSAGE_MAX });
    assert_memory_equal(text, "{\"usedSticks\":1,\"sticks\":{\"leftJoystick\":[0,-512],", 49);
    assert_int_equal(hy_icd_read_used_sticks(reader, (hy_bytes){ text, size }, &again), HY_OK);
    assert_true(again.left_y == -512 && again.right_trigger == 7 && again.dpad_left && again.guide);
    assert_true(again.left_x == 0 && !again.dpad_right && !again.a);
    static const char *const refused[] = { "{}", "{\"usedSticks\":2}", "{\"leftJoystick\":[1,2]}",
                                           "{\"usedSticks\":1,\"sticks\":[]}" };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const hy_bytes bytes = { (const uint8_t *)refused[i], strlen(refused[i]) };
        assert_int_equal(hy_icd_read_used_sticks(reader, bytes, &again), HY_EFORMAT);
        assert_int_equal(again.left_y, -512);
    }
    hy_icd_reader_close(reader);
}

static void status_is_read_again(void **state)
{
    (void)state;
    const hy_icd_status status = { .player_count = 1,
                                   .player = { { true, 99.5, 8.25, 3.5, 12.25, true } },
                                   .robot_count = 1,
                                   .robot = { { "swerve", "Bob", 1, 2, 3, false, 11.5 } },
                                   .speed = 2.5,
                                   .step_us = 30,
                                   .dropped = 4 };
    hy_icd_status again;
    hy_icd_reader *const reader = hy_icd_reader_open();
    const size_t size = hy_icd_write_status(&status, (hy_room){ text, HY_ICD_MESSAGE_MAX });
    assert_int_equal(hy_icd_read_status(reader, (hy_bytes){ text, size }, &again), HY_OK);
    hy_icd_reader_close(reader);
    assert_int_equal(again.player_count, 1);
    assert_true(again.player[0].connected && again.player[0].rate_hz == 99.5);
    assert_true(again.player[0].age_ms == 8.25 && again.player[0].latency_ms == 3.5);
    assert_true(again.player[0].battery_v == 12.25 && again.player[0].browned_out);
    assert_int_equal(again.robot_count, 1);
    assert_true(again.robot[0].battery_v == 11.5);
    assert_string_equal(again.robot[0].kind, "swerve");
    assert_string_equal(again.robot[0].name, "Bob");
    assert_true(again.robot[0].theta_rad == 3 && !again.robot[0].enabled);
    assert_true(again.speed == 2.5 && again.step_us == 30 && again.dropped == 4);
}

static void points_are_those_of_the_vehicles_that_there_are(void **state)
{
    (void)state;
    hy_icd_match match = { .vehicle_count = 2 };
    for (size_t i = 0; i < HY_ICD_PLAYERS; i++) {
        match.vehicle[i].lidar.count = (size_t)1 << i;
    }
    assert_int_equal(hy_icd_match_points(&match), 3);
    match.vehicle_count = HY_ICD_PLAYERS + 1; // of which there is no more room than for six
    assert_int_equal(hy_icd_match_points(&match), 63);
}

static void heartbeats_are_what_the_reference_sends(void **state)
{
    (void)state;
    assert_string_equal(HY_ICD_HEARTBEAT, "{}");
}

static void ports_are_ten_apart(void **state)
{
    (void)state;
    assert_int_equal(hy_icd_port_of(HY_ICD_JOYSTICK, 1), 2000);
    assert_int_equal(hy_icd_port_of(HY_ICD_CORE_JOYSTICK, 2), 4010);
    assert_int_equal(hy_icd_port_of(HY_ICD_CORE_SIM, 6), 6050);
    assert_int_equal(hy_icd_port_of(HY_ICD_SIM_CORE, 1), 8000);
    assert_int_equal(hy_icd_port_of(HY_ICD_SIM_VIEW, 3), 10020);
    assert_int_equal(hy_icd_port_of(HY_ICD_VIEW, 6), 12050);
    assert_int_equal(hy_icd_port_of(HY_ICD_VIEW_STATUS, 2), 14010);
}

static void other_ports_replace_the_documents(void **state)
{
    (void)state;
    const hy_icd_ports none = { { 0 } }, some = { { [1] = 4100, [6] = 65530 } };
    for (unsigned port = HY_ICD_JOYSTICK; port <= HY_ICD_SIM_STICKS; port += 2000) {
        assert_int_equal(hy_icd_port_under(&none, (hy_icd_port)port, 6), port + 50);
    }
    assert_int_equal(hy_icd_port_under(&some, HY_ICD_JOYSTICK, 1), 2000);
    assert_int_equal(hy_icd_port_under(&some, HY_ICD_CORE_JOYSTICK, 3), 4120);
    assert_int_equal(hy_icd_port_under(&some, HY_ICD_VIEW_STATUS, 2), 65540); // which is none
}

// --------------------------------------------------------------------------- odd values

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define NOT_A_NUMBER double_of(UINT64_C(0x7FF8000000000000))
#define INFINITE     double_of(UINT64_C(0x7FF0000000000000))

static void odd_numbers(void **state)
{
    (void)state;
    const struct {
        double value;
        const char *timer, *range;
    } cases[] = {
        { NOT_A_NUMBER, "0.0", "0.0" },
        { -NOT_A_NUMBER, "0.0", "0.0" },
        { INFINITE, "0.0", "0.0" },
        { -INFINITE, "0.0", "0.0" },
        { 1e300, "1000000000.0", "1000000000.0" },
        { -1e300, "-1000000000.0", "-1.0" },
        { -0.0, "0.0", "0.0" },
        { -1e-7, "0.0", "0.0" },
        { double_of(1), "0.0", "0.0" },
        { 0.0000005, "0.0", "0.0" }, // a little less than half
        { 0.00000051, "0.000001", "0.0" },
        { 9.9999996, "10.0", "10.0" },
        { 0.9999994, "0.999999", "1.0" },
        { 0.0078125, "0.007812", "0.0078" }, // half to even
        { 0.0234375, "0.023438", "0.0234" },
        { 999999999.9999999, "1000000000.0", "1000000000.0" },
        { 123456789.123456, "123456789.123456", "123456789.1235" },
        { 100, "100.0", "100.0" },
        { 99.9999, "99.9999", "99.9999" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const hy_icd_lidar_point point = { .range_m = cases[i].value };
        const hy_icd_match match = { .timer_s = cases[i].value,
                                     .vehicle_count = 1,
                                     .vehicle = { { .lidar = { &point, 1 } } } };
        char timer[64];
        char range[64];
        snprintf(timer, sizeof timer, "\"timer\":%s,", cases[i].timer);
        snprintf(range, sizeof range, "[0.0,0.0,%s]", cases[i].range);
        const char *const written = text_of_match(&match, HY_ICD_LATER);
        if (strstr(written, timer) == NULL || strstr(written, range) == NULL) {
            fail_msg("case %zu: %s", i, written);
        }
    }
}

static void odd_azimuths(void **state)
{
    (void)state;
    const struct {
        double azimuth_rad;
        const char *written;
    } cases[] = { { -0.1, "[0.0,0.0," },           { 7, "[6.283185,0.0," },
                  { NOT_A_NUMBER, "[0.0,0.0," },   { INFINITE, "[0.0,0.0," },
                  { 2 * HY_PI, "[6.283185,0.0," }, { 1.354392153984918e-10, "[0.0,0.0," } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const hy_icd_lidar_point point = { .azimuth_rad = cases[i].azimuth_rad, .range_m = 1 };
        const hy_icd_sensors sensors = { .lidar = { &point, 1 } };
        assert_non_null(strstr(text_of_sensors(&sensors, HY_ICD_LATER), cases[i].written));
    }
}

static void odd_enumerations_and_counts(void **state)
{
    (void)state;
    static hy_icd_match match = { .vehicle_count = 99, .piece_count = 999 };
    match.piece[0].ingestion = (hy_icd_ingestion)7;
    match.piece[1].ingestion = (hy_icd_ingestion)-1;
    match.vehicle[0].alliance = (hy_alliance)5;
    hy_icd_match again;
    hy_icd_reader *const reader = hy_icd_reader_open();
    const hy_bytes written = { text, strlen(text_of_match(&match, HY_ICD_DOCUMENT)) };
    assert_int_equal(hy_icd_read_match(reader, written, &again), HY_OK);
    hy_icd_reader_close(reader);
    assert_int_equal(again.vehicle_count, HY_ICD_PLAYERS);
    assert_int_equal(again.piece_count, HY_ICD_PIECES);
    assert_int_equal(again.piece[0].ingestion, HY_ICD_FREE);
    assert_int_equal(again.piece[1].ingestion, HY_ICD_FREE);
    assert_int_equal(again.vehicle[0].alliance, HY_ALLIANCE_RED);
}

// clang-format off
static void teams_are_escaped_utf8(void **state)
{
    (void)state;
    static const struct { const char *team, *written; } cases[] = {
        { "",                          "\"\"" },
        { "Team SHARP 3260",           "\"Team SHARP 3260\"" },
        { "a\"b\\c",                   "\"a\\\"b\\\\c\"" },
        { "\x01\n\t\x1f\x7f/",         "\"\\u0001\\u000a\\u0009\\u001f\x7f/\"" },
        { "\xC3\xA9\xE2\x82\xAC",      "\"\xC3\xA9\xE2\x82\xAC\"" },
        { "\xF0\x9F\xA4\x96",          "\"\xF0\x9F\xA4\x96\"" },
        { "a\xFFz",                    "\"a\xEF\xBF\xBDz\"" },
        { "\xC0\x80",                  "\"\xEF\xBF\xBD\xEF\xBF\xBD\"" },             // over-long
        { "\xE0\x80\x80",              "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"" }, // over-long
        { "\xED\xA0\x80",              "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"" }, // a surrogate
        { "\xF4\x90\x80\x80",          "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"" }, // beyond
        { "\xE2\x82",                  "\"\xEF\xBF\xBD\xEF\xBF\xBD\"" },             // cut
        { "\x80y",                     "\"\xEF\xBF\xBDy\"" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_icd_match match = { .vehicle_count = 1 };
        memcpy(match.vehicle[0].team, cases[i].team, strlen(cases[i].team));
        char expected[128];
        snprintf(expected, sizeof expected, "\"team\":%s,\"alliance\"", cases[i].written);
        if (strstr(text_of_match(&match, HY_ICD_DOCUMENT), expected) == NULL) {
            fail_msg("case %zu: %s", i, (const char *)text);
        }
    }
}
// clang-format on

static void a_name_without_an_end_ends_with_its_room(void **state)
{
    (void)state;
    hy_icd_match match = { .vehicle_count = 1 };
    memset(match.vehicle[0].team, 'q', sizeof match.vehicle[0].team);
    match.vehicle[0].team[31] = '\xC3'; // half a character
    assert_non_null(strstr(text_of_match(&match, HY_ICD_DOCUMENT),
                           "\"qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq\xEF\xBF\xBD\""));
}

// Everything as long as it can be.
static void the_longest_state_fits(void **state)
{
    (void)state;
    static hy_icd_match match = { .blue_score = -2000000000,
                                  .red_score = -2000000000,
                                  .timer_s = -1e9,
                                  .vehicle_count = HY_ICD_PLAYERS,
                                  .piece_count = HY_ICD_PIECES };
    for (size_t i = 0; i < HY_ICD_PLAYERS; i++) {
        hy_icd_vehicle *const v = &match.vehicle[i];
        memset(v->team, 1, sizeof v->team);
        v->x_m = v->y_m = v->theta_rad = v->intake_center_rad_s = v->intake_left_rad_s =
            v->intake_right_rad_s = v->tube_rad_s = v->left_drive_rad_s = v->right_drive_rad_s =
                -999999999.999999;
    }
    for (size_t i = 0; i < HY_ICD_PIECES; i++) {
        match.piece[i] =
            (hy_icd_piece){ -999999999.999999, -999999999.999999, -999999999.999999, HY_ICD_TUBE };
    }
    static hy_icd_status status = { .player_count = HY_ICD_PLAYERS,
                                    .robot_count = HY_ICD_ROBOTS,
                                    .speed = 999999999.999999,
                                    .step_us = 999999999.999999,
                                    .dropped = 2000000000 };
    for (size_t i = 0; i < HY_ICD_PLAYERS; i++) {
        status.player[i] = (hy_icd_player){
            false, 999999999.999999, 999999999.999999, 999999999.999999, 999999999.999999, false
        };
    }
    for (size_t i = 0; i < HY_ICD_ROBOTS; i++) {
        status.robot[i] = (hy_icd_robot){ .battery_v = 999999999.999999,
                                          .x_m = -999999999.999999,
                                          .y_m = -999999999.999999,
                                          .theta_rad = -999999999.999999 };
        memset(status.robot[i].kind, 1, sizeof status.robot[i].kind);
        memset(status.robot[i].name, 1, sizeof status.robot[i].name);
    }
    const size_t sizes[] = { strlen(text_of_match(&match, HY_ICD_DOCUMENT)),
                             strlen(text_of_match(&match, HY_ICD_LATER)),
                             hy_icd_write_status(&status, (hy_room){ text, HY_ICD_MESSAGE_MAX }) };
    for (size_t i = 0; i < 3; i++) {
        assert_in_range(sizes[i], 7000, 14000);
    }
}

// --------------------------------------------------------------------------- rooms

static void small_messages_fit_or_are_not_written(void **state)
{
    (void)state;
    const hy_icd_commands commands = { .tube = 12 };
    const size_t whole = hy_icd_write_commands(&commands, (hy_room){ text, HY_ICD_MESSAGE_MAX });
    assert_int_equal(hy_icd_write_commands(&commands, (hy_room){ NULL, 0 }), 0);
    for (size_t size = 0; size <= whole + 1; size++) {
        uint8_t *const exact = malloc(size + 1);
        assert_non_null(exact);
        exact[size] = 0xEE;
        assert_int_equal(hy_icd_write_commands(&commands, (hy_room){ exact, size }),
                         size < whole ? 0 : whole);
        assert_int_equal(exact[size], 0xEE);
        free(exact);
    }
}

// --------------------------------------------------------------------------- rounding

// What printf says, without needless zeros.
static void expected_text(double value, int places, char *out, size_t size)
{
    snprintf(out, size, "%.*f", places, value);
    for (size_t n = strlen(out); out[n - 1] == '0' && out[n - 2] != '.'; n--) {
        out[n - 1] = '\0';
    }
    if (strcmp(out, "-0.0") == 0) {
        memcpy(out, "0.0", 4);
    }
}

static double odd_number(hy_random *random)
{
    static const double scales[] = { 1e-9, 1e-6, 1e-5, 1e-3, 0.1, 1, 10, 100, 1e4, 1e6, 1e8, 1e9 };
    const double unit = hy_random_unit(random);
    const double scale = scales[hy_random_below(random, sizeof scales / sizeof scales[0])];
    const double sign = hy_random_below(random, 2) == 0 ? 1 : -1;
    const double whole = (double)hy_random_below(random, 100000000);
    double value = unit * scale;
    switch (hy_random_below(random, 5)) {
    case 0: value = (whole + 0.5) / 1e6; break; // beside the middle
    case 1: value = (whole + 0.5) / 1e4; break;
    case 2: value = whole / 128; break; // in the middle
    case 3: value = whole / 32; break;
    default: break;
    }
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t step = hy_random_below(random, 4); // one bit up or down, or not
    bits += value > 1e-9 && value < 9e8 && step < 2 ? (uint64_t)2 * step - 1 : 0;
    return sign * double_of(bits);
}

static void numbers_are_rounded_as_printf_does(void **state)
{
    (void)state;
    const uint64_t seed = number_from_environment("HY_SEED", 1234);
    hy_random random = hy_random_seeded(seed);
    for (int i = 0; i < 300000; i++) {
        const double value = odd_number(&random);
        const hy_icd_lidar_point point = { .elevation_rad = value, .range_m = value };
        const hy_icd_sensors sensors = { .lidar = { &point, 1 } };
        char six[64];
        char four[64];
        char expected[256];
        expected_text(value, 6, six, sizeof six);
        expected_text(value < -1 ? -1 : value, 4, four, sizeof four);
        snprintf(expected, sizeof expected,
                 "{\"leftDriveEncoder\":0,\"rightDriveEncoder\":0,\"numIngestedBalls\":0,"
                 "\"lidarPoints\":[[0.0,%s,%s]]}",
                 six, four);
        if (strcmp(text_of_sensors(&sensors, HY_ICD_LATER), expected) != 0) {
            fail_msg("HY_SEED=%" PRIu64 ", number %d: %s instead of %s", seed, i,
                     (const char *)text, expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sticks_in_the_documents_order),
        cmocka_unit_test(commands_in_the_documents_order),
        cmocka_unit_test(sensors_in_both_forms),
        cmocka_unit_test(matches_in_both_forms),
        cmocka_unit_test(status_carries_what_the_document_cannot),
        cmocka_unit_test(a_status_of_nothing_is_of_zeros),
        cmocka_unit_test(used_sticks_are_read_again),
        cmocka_unit_test(status_is_read_again),
        cmocka_unit_test(points_are_those_of_the_vehicles_that_there_are),
        cmocka_unit_test(heartbeats_are_what_the_reference_sends),
        cmocka_unit_test(ports_are_ten_apart),
        cmocka_unit_test(other_ports_replace_the_documents),
        cmocka_unit_test(odd_numbers),
        cmocka_unit_test(odd_azimuths),
        cmocka_unit_test(odd_enumerations_and_counts),
        cmocka_unit_test(teams_are_escaped_utf8),
        cmocka_unit_test(a_name_without_an_end_ends_with_its_room),
        cmocka_unit_test(the_longest_state_fits),
        cmocka_unit_test(small_messages_fit_or_are_not_written),
        cmocka_unit_test(numbers_are_rounded_as_printf_does),
    };
    return cmocka_run_group_tests_name("icd writing", tests, NULL, NULL);
}
