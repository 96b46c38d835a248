// The messages of the interface document and the match's SI units: each number both ways.
#include <string.h>

#include "cmocka_all.h"
#include "scene/scene.h"

// Exactly n / 512, for every command there is: golden traces and hashes stand on it.
static void test_commands_are_512ths(void **state)
{
    (void)state;
    for (int n = -HY_ICD_FULL; n <= HY_ICD_FULL; n++) {
        const hy_match_commands c = hy_match_commands_from_icd(
            &(hy_icd_commands){ .left_drive = n, .right_drive = -n, .intake_center = n, .tube = n });
        assert_true(c.left_drive * 512 == n && c.right_drive * 512 == -n);
        assert_true(c.intake_center * 512 == n && c.tube * 512 == n);
        assert_true(c.intake_left == 0 && c.intake_right == 0);
    }
}

static void test_each_command_is_its_own(void **state)
{
    (void)state;
    const hy_match_commands c = hy_match_commands_from_icd(&(hy_icd_commands){
        .left_drive = 64,
        .right_drive = 128,
        .intake_center = 192,
        .intake_left = 256,
        .intake_right = 320,
        .tube = 384,
        .reset = true,
    });
    assert_true(c.left_drive == 0.125 && c.right_drive == 0.25);
    assert_true(c.intake_center == 0.375 && c.intake_left == 0.5 && c.intake_right == 0.625);
    assert_true(c.tube == 0.75);
    assert_true(c.reset && !c.timer_start_stop && !c.outtake);
    assert_true(
        hy_match_commands_from_icd(&(hy_icd_commands){ .timer_start_stop = true }).timer_start_stop);
    assert_true(hy_match_commands_from_icd(&(hy_icd_commands){ .outtake = true }).outtake);
}

// Ten bits, rounded down, wrapping below 0 as above 1023.
static void test_encoders_have_ten_bits(void **state)
{
    (void)state;
    static const struct {
        double counts;
        int ticks;
    } cases[] = { { 0, 0 },          { 0.9, 0 },          { 1, 1 },
                  { 1023.99, 1023 }, { 1024, 0 },         { 1025.5, 1 },
                  { -0.1, 1023 },    { -1, 1023 },        { -1024, 0 },
                  { -1024.5, 1023 }, { 1048576e6 + 5, 5 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const hy_match_sensors sensors = { .left_encoder_counts = cases[i].counts,
                                           .right_encoder_counts = -3 };
        hy_icd_sensors out;
        hy_icd_sensors_from_match(&sensors, &out);
        assert_int_equal(out.left_encoder, cases[i].ticks);
        assert_int_equal(out.right_encoder, 1021);
    }
}

static void test_sensors(void **state)
{
    (void)state;
    static const hy_lidar_point point = { 1, 0, 2 };
    const hy_match_sensors sensors = {
        .x_m = 1.5, .y_m = -2.5, .heading_rad = 100, .ingested = 3, .lidar = { &point, 1 }
    };
    hy_icd_sensors out;
    hy_icd_sensors_from_match(&sensors, &out);
    assert_true(out.has_pose && out.x_m == 1.5 && out.y_m == -2.5 && out.theta_rad == 100);
    assert_int_equal(out.ingested, 3);
    assert_true(out.lidar.points == &point && out.lidar.count == 1);
}

static void test_robots(void **state)
{
    (void)state;
    static hy_match_state match;
    static hy_icd_match out;
    match = (hy_match_state){ .blue_score = 4,
                              .red_score = 5,
                              .timer_runs = true,
                              .timer_us = 1230000,
                              .in_collision = true,
                              .robot_count = 2 };
    match.robot[0] = (hy_match_robot){ .team = "a name of more than thirty-one letters",
                                       .side = HY_ALLIANCE_BLUE,
                                       .x_m = 1,
                                       .y_m = 2,
                                       .heading_rad = 3,
                                       .left_drive_rad_s = 4,
                                       .right_drive_rad_s = 5,
                                       .intake_center_rad_s = 6,
                                       .intake_left_rad_s = 7,
                                       .intake_right_rad_s = 8,
                                       .tube_rad_s = 9 };
    match.robot[1] = (hy_match_robot){ .team = "", .side = HY_ALLIANCE_NONE };
    hy_icd_match_from_state(&match, &out);
    assert_true(out.blue_score == 4 && out.red_score == 5 && out.timer_runs && out.in_collision);
    assert_true(out.timer_s == 1.23);
    assert_int_equal(out.vehicle_count, 2);
    const hy_icd_vehicle *v = &out.vehicle[0];
    assert_string_equal(v->team, "a name of more than thirty-one ");
    assert_true(v->alliance == HY_ALLIANCE_BLUE && v->x_m == 1 && v->y_m == 2 && v->theta_rad == 3);
    assert_true(v->left_drive_rad_s == 4 && v->right_drive_rad_s == 5 && v->tube_rad_s == 9);
    assert_true(v->intake_center_rad_s == 6 && v->intake_left_rad_s == 7);
    assert_true(v->intake_right_rad_s == 8);
    assert_int_equal(out.vehicle[1].alliance, HY_ALLIANCE_RED); // as the reference does
    assert_string_equal(out.vehicle[1].team, "");
}

static void test_pieces(void **state)
{
    (void)state;
    static const struct {
        hy_piece_place place;
        hy_alliance side;
        hy_icd_ingestion ingestion;
    } cases[] = {
        { HY_PIECE_FREE, HY_ALLIANCE_NONE, HY_ICD_FREE },
        { HY_PIECE_INTAKE_CENTER, HY_ALLIANCE_NONE, HY_ICD_INTAKE_CENTER },
        { HY_PIECE_INTAKE_LEFT, HY_ALLIANCE_NONE, HY_ICD_INTAKE_LEFT },
        { HY_PIECE_INTAKE_RIGHT, HY_ALLIANCE_NONE, HY_ICD_INTAKE_RIGHT },
        { HY_PIECE_TUBE, HY_ALLIANCE_NONE, HY_ICD_TUBE },
        { HY_PIECE_GOAL, HY_ALLIANCE_BLUE, HY_ICD_BLUE_GOAL },
        { HY_PIECE_GOAL, HY_ALLIANCE_RED, HY_ICD_RED_GOAL },
        { HY_PIECE_GOAL, HY_ALLIANCE_NONE, HY_ICD_FREE },
    };
    static hy_match_state match;
    static hy_icd_match out;
    match.piece_count = sizeof cases / sizeof cases[0];
    for (size_t i = 0; i < match.piece_count; i++) {
        match.piece[i] = (hy_match_piece){ (double)i, 20, 0.5, cases[i].place, cases[i].side };
    }
    hy_icd_match_from_state(&match, &out);
    assert_int_equal(out.piece_count, match.piece_count);
    for (size_t i = 0; i < match.piece_count; i++) {
        assert_int_equal(out.piece[i].ingestion, cases[i].ingestion);
        assert_true(out.piece[i].x_m == (double)i && out.piece[i].y_m == 20);
        assert_true(out.piece[i].z_m == 0.5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands_are_512ths),
        cmocka_unit_test(test_each_command_is_its_own),
        cmocka_unit_test(test_encoders_have_ten_bits),
        cmocka_unit_test(test_sensors),
        cmocka_unit_test(test_robots),
        cmocka_unit_test(test_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
