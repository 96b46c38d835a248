// A match as messages describe it: when its scene changes, and what its states have.
#include <halyard/worldfile.h>

#include <string.h>

#include "cmocka_all.h"
#include "scene/scene.h"

static hy_match_model *model;
static hy_scene_of_world drawn;
static hy_scene_of_match match;

static hy_scene_robot extra_looks[] = { { .kind = "xrp", .name = "" } };
static const hy_scene extras = { .robots = extra_looks, .robot_count = 1 };

static int load(void **state)
{
    (void)state;
    hy_world_error error;
    assert_int_equal(
        hy_worldfile_load_match(HALYARD_TEST_DATA "/golden/traces/field2020.yml", &model, &error),
        HY_OK);
    assert_true(hy_scene_make(&drawn, hy_match_world(model), hy_match_middle(model)));
    return 0;
}

static int unload(void **state)
{
    (void)state;
    hy_scene_free(&drawn);
    hy_match_free(model);
    return 0;
}

static void receive(size_t vehicles, const hy_icd_lidar_point *points, size_t count)
{
    match.match = (hy_icd_match){ .vehicle_count = vehicles, .blue_score = 7 };
    for (size_t i = 0; i < vehicles; i++) {
        match.match.vehicle[i] =
            (hy_icd_vehicle){ .team = "412", .alliance = HY_ALLIANCE_RED, .x_m = 1.5 };
    }
    match.match.vehicle[0].lidar = (hy_icd_lidar){ points, count };
    hy_scene_of_match_receive(&match, 1010000);
}

static void the_scene_follows_the_messages(void **state)
{
    (void)state;
    hy_scene_of_match_init(&match, &drawn, model, &extras, 1000000);
    assert_int_equal(match.scene.robot_count, hy_match_players(model));
    receive(2, NULL, 0);
    assert_true(match.is_known && match.is_new);
    assert_true(hy_scene_of_match_update(&match, 1010000));
    assert_int_equal(match.scene.robot_count, 2);
    assert_string_equal(match.scene.robots[1].name, "412");
    assert_string_equal(match.scene.robots[1].alliance, "Red");
    receive(2, NULL, 0);
    assert_false(hy_scene_of_match_update(&match, 1020000)); // the same robots
    const hy_scene_state s = hy_scene_of_match_state(&match, 1020000);
    assert_false(match.is_new);
    match.match.vehicle[1].alliance = HY_ALLIANCE_NONE;
    assert_true(hy_scene_of_match_update(&match, 1020000));
    assert_string_equal(match.scene.robots[1].alliance, "Blue"); // as it would be written
    assert_true(s.is_match && s.blue_score == 7 && s.robot_count == 2 && !s.is_sim_known);
    assert_true(s.robots[1].is_tank && s.robots[1].x_m == 1.5);
}

static void extra_robots_come_and_go_with_statuses(void **state)
{
    (void)state;
    static const hy_icd_status status = {
        .speed = 0.5,
        .player_count = 2,
        .player = { { .battery_v = 12.25 }, { .battery_v = 6.25, .browned_out = true } },
        .robot_count = 4,
        .robot = { { .kind = "no such kind" },
                   { .kind = "xrp", .name = "one", .x_m = 2, .enabled = true, .battery_v = 5.5 },
                   { .kind = "xrp", .name = "two" },
                   { .kind = "xrp", .name = "one too many" } },
    };
    hy_scene_of_match_init(&match, &drawn, model, &extras, 1000000);
    receive(6, NULL, 0);
    hy_scene_of_match_receive_status(&match, &status, 1000000);
    assert_true(hy_scene_of_match_update(&match, 1010000));
    assert_int_equal(match.scene.robot_count, 6 + HY_SCENE_EXTRAS);
    assert_string_equal(match.scene.robots[7].name, "two");

    hy_scene_state s = hy_scene_of_match_state(&match, 1499999);
    assert_true(s.is_sim_known && s.speed == 0.5);
    assert_true(s.robots[6].is_extra && s.robots[6].enabled && s.robots[6].x_m == 2);
    assert_true(s.robots[0].has_battery && s.robots[0].battery_v == 12.25 &&
                !s.robots[0].browned_out);
    assert_true(s.robots[1].browned_out && s.robots[1].battery_v == 6.25);
    assert_true(!s.robots[2].has_battery && !s.robots[7].has_battery); // nobody simulates them
    assert_true(s.robots[6].has_battery && s.robots[6].battery_v == 5.5);
    s = hy_scene_of_match_state(&match, 1500000);
    assert_true(!s.is_sim_known && !s.robots[6].is_extra && s.robots[6].x_m == 2);
    assert_true(!s.robots[0].has_battery && !s.robots[1].browned_out && !s.robots[6].has_battery);

    assert_false(hy_scene_of_match_update(&match, 2999999));
    assert_true(hy_scene_of_match_update(&match, 3000000));
    assert_int_equal(match.scene.robot_count, 6);
}

static void lidar_points_are_kept_until_a_state_has_them(void **state)
{
    (void)state;
    static hy_icd_lidar_point points[HY_SCENE_SCAN_POINTS];
    for (size_t i = 0; i < HY_SCENE_SCAN_POINTS; i++) {
        points[i].range_m = (double)i;
    }
    hy_scene_of_match_init(&match, &drawn, model, &extras, 1000000);
    receive(1, points, 3);
    receive(1, points + 3, 2);
    assert_int_equal(match.match.vehicle[0].lidar.count, 0); // they were the reader's
    hy_scene_state s = hy_scene_of_match_state(&match, 1010000);
    assert_int_equal(s.robots[0].lidar.count, 5);
    assert_true(s.robots[0].lidar.points[4].range_m == 4);
    receive(1, NULL, 0);
    s = hy_scene_of_match_state(&match, 1010000);
    assert_int_equal(s.robots[0].lidar.count, 0);

    receive(1, points, 2); // no state is made for long: the newest points stay
    receive(1, points, HY_SCENE_SCAN_POINTS);
    s = hy_scene_of_match_state(&match, 1010000);
    assert_int_equal(s.robots[0].lidar.count, HY_SCENE_SCAN_POINTS);
    assert_true(s.robots[0].lidar.points[1].range_m == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scene_follows_the_messages),
        cmocka_unit_test(extra_robots_come_and_go_with_statuses),
        cmocka_unit_test(lidar_points_are_kept_until_a_state_has_them),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
