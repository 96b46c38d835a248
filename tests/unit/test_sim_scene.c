// What can be drawn of a simulation: the scene of its world or match, and its state after every step.
#include <halyard/wire.h>
#include <halyard/worldfile.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "near.h"
#include "sim/sim_scene.h"

#define STEP_US 10000

typedef struct {
    hy_world_model *world;
    hy_match_model *match;
    hy_sim *sim;
    hy_sim_scene drawn;
} bench;

static void start(bench *b, hy_sim_setup setup)
{
    hy_world_error error = { "" };
    setup.world = b->world;
    setup.match = b->match;
    setup.seed = 1;
    if (hy_sim_open(&setup, &b->sim, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    assert_true(hy_sim_scene_open(&b->drawn, b->sim));
}

static void end(bench *b)
{
    hy_sim_scene_close(&b->drawn);
    hy_sim_close(b->sim);
    hy_world_free(b->world);
    hy_match_free(b->match);
}

static bench board_bench(const hy_sensor_spec *sensors, size_t sensor_count)
{
    static const hy_sim_board board = { .options.kind = &hy_board_xrp };
    bench b = { .match = NULL };
    hy_world_error error = { "" };
    hy_world_spec spec;
    hy_world_spec_init(&spec);
    snprintf(spec.name, sizeof spec.name, "room");
    spec.width_m = spec.height_m = 2;
    spec.floor_shade = 0.4;
    hy_vehicle_spec *const xrp = hy_world_spec_add_vehicle(&spec, "xrp");
    for (size_t i = 0; i < sensor_count; i++) {
        *hy_vehicle_spec_add_sensor(xrp, sensors[i].type) = sensors[i];
    }
    spec.vehicle[0].start_x_m = 0.5;
    spec.vehicle[0].start_y_m = 1.5;
    hy_world_spec_add_vehicle(&spec, "swerve");
    spec.vehicle[1].start_x_m = spec.vehicle[1].start_y_m = 1;
    if (hy_world_compile(&spec, &b.world, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    start(&b, (hy_sim_setup){ .boards = &board, .board_count = 1 });
    return b;
}

// Two players with a lidar each, and an XRP beside them.
static bench match_bench(void)
{
    static hy_sim_board board = { .options.kind = &hy_board_xrp };
    bench b = { .world = NULL };
    hy_match_spec spec;
    hy_world_error error = { "" };
    char path[512];
    snprintf(path, sizeof path, "%s/../worlds/field2020.yaml", HALYARD_TEST_DATA);
    assert_int_equal(hy_worldfile_read_match(path, &spec, &error), HY_OK);
    assert_int_equal(hy_match_spec_set_players(&spec, 2, &error), HY_OK);
    assert_non_null(hy_match_spec_add_vehicle(&spec, "xrp", (hy_point){ 0.25, 0.75 }, 0));
    assert_int_equal(hy_match_compile(&spec, &b.match, &error), HY_OK);
    hy_match_spec_free(&spec);
    board.vehicle = hy_match_extra_vehicle(b.match, 0);
    start(&b, (hy_sim_setup){ .boards = &board, .board_count = 1, .match_s = 20 });
    return b;
}

static void step(bench *b, int64_t now_us)
{
    hy_sim_step(b->sim, &(hy_sim_input){ .now_us = now_us, .world_steps = 1 });
    hy_sim_scene_collect(&b->drawn, b->sim);
}

static void a_board_is_drawn_with_its_channels(void **state)
{
    (void)state;
    bench b = board_bench(NULL, 0);
    const hy_scene *const scene = &b.drawn.world.scene;
    assert_false(scene->is_match);
    assert_string_equal(scene->title, "room");
    assert_int_equal(scene->robot_count, 2);
    assert_string_equal(scene->robots[0].name, "room");
    assert_int_equal(scene->robots[0].encoders, 4);
    assert_int_equal(scene->robots[0].servos, 4);
    const hy_scene_state *const now = hy_sim_scene_state(&b.drawn, b.sim);
    assert_false(now->is_match || now->is_sim_known);
    assert_int_equal(now->robot_count, 2);
    assert_true(now->robots[0].is_board && !now->robots[1].is_board);
    assert_near(now->robots[0].x_m, 0.5, 1e-9);
    assert_near(now->robots[1].y_m, 1.0, 1e-9);
    assert_int_equal(now->robots[0].encoder_count, 4);
    assert_int_equal(now->robots[0].reflectance_count, 2);
    assert_true(now->robots[0].has_range && now->robots[0].range_m > 1.0);
    assert_true(now->robots[0].has_battery && !now->robots[0].browned_out);
    assert_near(now->robots[0].battery_v, hy_sim_truth(b.sim, 0).battery_v, 0);
    end(&b);
}

// What a page shows of a board is what its pins have.
static void a_boards_pins_are_shown(void **state)
{
    (void)state;
    bench b = board_bench(NULL, 0);
    const hy_sim_button down = { 0, true };
    hy_sim_step(
        b.sim,
        &(hy_sim_input){ .now_us = STEP_US, .world_steps = 1, .buttons = &down, .button_count = 1 });
    const hy_scene_robot_state *const robot = &hy_sim_scene_state(&b.drawn, b.sim)->robots[0];
    const hy_truth truth = hy_sim_truth(b.sim, 0);
    hy_sensors sensors;
    hy_world_read_sensors(b.world, hy_sim_world(b.sim), 0, &sensors);
    assert_true(robot->button && truth.button && !robot->enabled && !robot->touching);
    assert_int_equal(robot->led, truth.led);
    assert_int_equal(robot->servo_count, 4);
    assert_int_equal(robot->duty_count, 4);
    assert_near(robot->range_m, sensors.range_m, 0);
    for (size_t i = 0; i < HY_PIN_REFLECTANCE; i++) {
        assert_true(sensors.reflectance[i] > 0);
        assert_near(robot->reflectance[i], sensors.reflectance[i], 0);
    }
    end(&b);
}

/// Commands the first two motors of the only board for a second.
static void drive(bench *b, const hy_dialect *dialect, float first, float second)
{
    hy_commander commander;
    hy_commander_init(&commander, dialect);
    assert_true(hy_commander_enable(&commander));
    commander.command.motors = 3;
    commander.command.motor[0] = first;
    commander.command.motor[1] = second;
    commander.command.servos = dialect->servos > 0;
    commander.command.servo[0] = 0.9F;
    for (int i = 1; i <= 100; i++) {
        hy_wire_datagram out[2];
        (void)hy_commander_write(&commander, i * STEP_US, out);
        const hy_sim_datagram one = { .peer = { .port = 9 },
                                      .at_us = i * STEP_US,
                                      .bytes = { out[0].data, out[0].size } };
        hy_sim_step(b->sim, &(hy_sim_input){ .now_us = i * STEP_US,
                                             .world_steps = 1,
                                             .datagrams = &one,
                                             .datagram_count = 1 });
    }
}

// As its program counts: both wheels turn forward, though one motor is mounted the other way round.
static void forward_is_positive(void **state)
{
    (void)state;
    bench b = board_bench(NULL, 0);
    drive(&b, &hy_dialect_xrp, 0.5F, -0.5F);
    const hy_scene_state *const now = hy_sim_scene_state(&b.drawn, b.sim);
    assert_true(now->robots[0].enabled && now->robots[0].x_m > 0.55);
    for (size_t i = 0; i < 2; i++) {
        assert_near(now->robots[0].duty[i], 0.5, 0.01);
        assert_true(now->robots[0].encoder_counts[i] > 100);
    }
    const hy_truth truth = hy_sim_truth(b.sim, 0);
    assert_true(fabs(truth.servo_rad[0]) > 0.1);
    assert_near(now->robots[0].servo_rad[0], truth.servo_rad[0], 0);
    end(&b);
}

// Of a module with play the picture shows where its wheel points, and the panel what its encoder counts.
static void encoders_do_not_see_play(void **state)
{
    (void)state;
    static const hy_sim_board board = { .options.kind = &hy_board_teensy };
    bench b = { .match = NULL };
    hy_world_error error = { "" };
    hy_world_spec spec;
    hy_world_spec_init(&spec);
    snprintf(spec.name, sizeof spec.name, "room");
    spec.width_m = spec.height_m = 2;
    hy_vehicle_spec *const swerve = hy_world_spec_add_vehicle(&spec, "swerve");
    swerve->start_x_m = swerve->start_y_m = 1;
    swerve->of.swerve.play_rad = 0.1;
    assert_int_equal(hy_world_compile(&spec, &b.world, &error), HY_OK);
    start(&b, (hy_sim_setup){ .boards = &board, .board_count = 1 });
    drive(&b, &hy_dialect_teensy, 0, 0.5F);
    const hy_scene_robot_state *const robot = &hy_sim_scene_state(&b.drawn, b.sim)->robots[0];
    const double counted_rad = robot->encoder_counts[1] / 3591.84 * 2 * HY_PI;
    assert_int_equal(robot->azimuth_count, 4);
    assert_true(robot->reflectance_count == 0 && !robot->has_range); // it has neither
    assert_true(counted_rad > 1);
    assert_near(counted_rad - robot->azimuth_rad[0], 0.05, 0.002); // a count is 0.00175
    end(&b);
}

// A host that stalled: its time goes on, simulated time does not.
static void simulated_time_stands_beside_the_clock(void **state)
{
    (void)state;
    bench b = board_bench(NULL, 0);
    step(&b, STEP_US);
    step(&b, 5000000 + STEP_US);
    const hy_scene_state *const now = hy_sim_scene_state(&b.drawn, b.sim);
    assert_near(now->t_s, 5.01, 1e-9);
    assert_near(now->simulated_s, 0.02, 1e-9);
    uint8_t bytes[4096];
    hy_text text = hy_text_in((hy_room){ bytes, sizeof bytes - 1 });
    hy_scene_write_state(&text, now);
    assert_false(text.is_full);
    bytes[text.size] = '\0';
    static const char wanted[] = "{\"type\":\"state\",\"t\":5.01,\"simulated\":0.02,\"robots\":[";
    assert_memory_equal(bytes, wanted, sizeof wanted - 1);
    end(&b);
}

static void a_match_is_drawn_with_its_players_and_extra_vehicles(void **state)
{
    (void)state;
    bench b = match_bench();
    const hy_scene *const scene = &b.drawn.world.scene;
    const size_t extra = hy_match_extra_vehicle(b.match, 0);
    assert_true(scene->is_match);
    assert_near(scene->match_s, 20, 0);
    assert_int_equal(scene->robot_count, 3);
    for (unsigned player = 1; player <= 2; player++) {
        assert_int_equal(scene->robots[hy_match_vehicle(b.match, player)].player, player);
    }
    assert_int_equal(scene->robots[extra].player, 0);
    const hy_sim_command ahead = { 1,
                                   STEP_US,
                                   { 1, -0.5, 0.25, 0.5, 0.75, 0.5, .timer_start_stop = true } };
    hy_sim_step(b.sim,
                &(hy_sim_input){
                    .now_us = STEP_US, .world_steps = 1, .commands = &ahead, .command_count = 1 });
    const hy_scene_state *const now = hy_sim_scene_state(&b.drawn, b.sim);
    const hy_world_tank *const tank =
        hy_world_tank_at(hy_sim_model(b.sim), hy_match_vehicle(b.match, 1));
    hy_match_state match;
    hy_match_read_state(hy_sim_match(b.sim), &match);
    const hy_scene_robot_state *const first = &now->robots[hy_match_vehicle(b.match, 1)];
    assert_true(now->is_match && first->is_tank && now->robots[extra].is_board);
    assert_near(now->timer_s, 20, 0.02);
    assert_true(first->has_battery && now->robots[extra].has_battery);
    assert_near(first->battery_v, hy_sim_truth(b.sim, hy_match_vehicle(b.match, 1)).battery_v, 0);
    assert_near(first->drive_rad_s[0], tank->left_drive_rad_s, 1e-9);
    assert_near(first->drive_rad_s[1], tank->right_drive_rad_s * -0.5, 1e-9);
    assert_near(first->intake_rad_s[0], match.robot[0].intake_center_rad_s, 0);
    assert_near(first->intake_rad_s[1], match.robot[0].intake_left_rad_s, 0);
    assert_near(first->intake_rad_s[2], match.robot[0].intake_right_rad_s, 0);
    assert_true(first->intake_rad_s[0] > 0 && first->intake_rad_s[1] > 0 &&
                first->intake_rad_s[2] > 0);
    assert_near(first->tube_rad_s, tank->tube_rad_s / 2, 1e-9);
    assert_false(now->timer_runs);
    assert_near(first->x_m, match.robot[0].x_m, 1e-12);
    assert_near(now->robots[extra].x_m, 0.25, 1e-6);
    assert_near(now->robots[extra].y_m, 0.75, 1e-6);
    assert_int_equal(now->piece_count, match.piece_count);
    for (size_t i = 0; i < now->piece_count; i++) {
        const hy_icd_piece piece = hy_icd_piece_from_match(&match.piece[i]);
        assert_near(now->pieces[i].x_m, piece.x_m, 0);
        assert_int_equal(now->pieces[i].ingestion, piece.ingestion);
    }
    const hy_sim_command released = { .player = 1, .at_us = 2 * STEP_US }; // starts the clock
    hy_sim_step(b.sim, &(hy_sim_input){ .now_us = 2 * STEP_US,
                                        .world_steps = 1,
                                        .commands = &released,
                                        .command_count = 1 });
    assert_true(hy_match_describe(hy_sim_match(b.sim)).timer_runs);
    assert_true(hy_sim_scene_state(&b.drawn, b.sim)->timer_runs);
    end(&b);
}

static void check_json(const hy_text *text, const char *wanted)
{
    assert_false(text->is_full);
    char all[4096];
    snprintf(all, sizeof all, "%.*s", (int)text->size, (const char *)text->bytes);
    if (strstr(all, wanted) == NULL) {
        fail_msg("no %s in %s", wanted, all);
    }
}

// What no wire carries: a third reflectance sensor and a lidar, which looks backwards.
static void further_sensors_are_drawn_with_what_they_read(void **state)
{
    (void)state;
    hy_sensor_spec sensors[2];
    hy_sensor_spec_init(&sensors[0], HY_SENSOR_REFLECTANCE);
    snprintf(sensors[0].name, sizeof sensors[0].name, "middle");
    sensors[0].of.reflectance.noise = 0;
    sensors[0].at_m.x_m = 0.085;
    hy_sensor_spec_init(&sensors[1], HY_SENSOR_LIDAR);
    snprintf(sensors[1].name, sizeof sensors[1].name, "scanner");
    sensors[1].heading_rad = 3.14159;
    sensors[1].of.lidar =
        (hy_lidar_spec){ .near_m = 0.1, .far_m = 8, .rays_per_s = 3600, .sweeps_per_s = 10 };
    bench b = board_bench(sensors, 2);
    uint8_t bytes[4096];
    hy_text text = hy_text_in((hy_room){ bytes, sizeof bytes });
    hy_scene_write(&text, &b.drawn.world.scene);
    check_json(&text,
               "\"sensors\":[{\"name\":\"middle\",\"type\":\"reflectance\",\"at\":[0.085,0,0],"
               "\"half_angle\":0,\"far\":0},{\"name\":\"scanner\",\"type\":\"lidar\",\"at\":[0,0,"
               "3.1416],\"half_angle\":0,\"far\":8}]");
    step(&b, STEP_US);
    step(&b, 2 * STEP_US);
    const hy_scene_state *const now = hy_sim_scene_state(&b.drawn, b.sim);
    const hy_scene_robot_state *const robot = &now->robots[0];
    assert_int_equal(robot->scan_count, 1);
    assert_int_equal(robot->scans[0].count, 72);
    // Backwards from (0.5, 1.5): the wall at x = 0.
    assert_near(robot->scans[0].points[0].range_m, 0.5, 0.01);
    assert_int_equal(robot->reading_count, 1);
    assert_int_equal(now->robots[1].scan_count, 0);
    assert_int_equal(now->robots[1].reading_count, 0);
    text = hy_text_in((hy_room){ bytes, sizeof bytes });
    hy_scene_write_state(&text, now);
    char wanted[64];
    snprintf(wanted, sizeof wanted, "\"readings\":{\"middle.reflectance\":%.4g}",
             robot->readings[0].value);
    check_json(&text, wanted);
    check_json(&text, "\"scans\":[[0.0175,0.5,");
    assert_int_equal(hy_sim_scene_state(&b.drawn, b.sim)->robots[0].scans[0].count, 0);
    end(&b);
}

static void a_lidar_may_be_the_first_sensor(void **state)
{
    (void)state;
    hy_sensor_spec sensor;
    hy_sensor_spec_init(&sensor, HY_SENSOR_LIDAR);
    snprintf(sensor.name, sizeof sensor.name, "scanner");
    sensor.of.lidar =
        (hy_lidar_spec){ .near_m = 0.1, .far_m = 8, .rays_per_s = 3600, .sweeps_per_s = 10 };
    bench b = board_bench(&sensor, 1);
    step(&b, STEP_US);
    const hy_scene_robot_state *const robot = &hy_sim_scene_state(&b.drawn, b.sim)->robots[0];
    assert_int_equal(robot->scan_count, 1);
    assert_int_equal(robot->scans[0].count, 36);
    end(&b);
}

static void lidar_points_are_collected_until_they_are_shown(void **state)
{
    (void)state;
    bench b = match_bench();
    const size_t first = hy_match_vehicle(b.match, 1);
    const unsigned rays = hy_world_tank_at(hy_sim_model(b.sim), first)->lidar_rays_per_step;
    for (int i = 1; i <= 3; i++) {
        step(&b, i * STEP_US);
        hy_sim_scene_collect(&b.drawn, b.sim); // the same step: not twice
    }
    const hy_scene_state *now = hy_sim_scene_state(&b.drawn, b.sim);
    assert_int_equal(now->robots[first].lidar.count, 3 * rays);
    const size_t second = hy_match_vehicle(b.match, 2);
    assert_int_equal(now->robots[second].lidar.count, 3 * rays); // of each robot
    const hy_lidar_points newest = hy_match_lidar(hy_sim_match(b.sim), 1, rays);
    for (size_t i = 0; i < rays; i++) {
        const hy_lidar_point *const shown = &now->robots[first].lidar.points[2 * rays + i];
        assert_near(shown->azimuth_rad, newest.points[i].azimuth_rad, 0);
        assert_near(shown->range_m, newest.points[i].range_m, 0);
    }
    now = hy_sim_scene_state(&b.drawn, b.sim);
    assert_int_equal(now->robots[first].lidar.count, 0);
    for (int i = 4; i < 40; i++) { // nobody looks: what is kept stays within its room
        step(&b, i * STEP_US);
    }
    now = hy_sim_scene_state(&b.drawn, b.sim);
    assert_in_range(now->robots[first].lidar.count, rays, HY_SIM_SCENE_POINTS);
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_board_is_drawn_with_its_channels),
        cmocka_unit_test(a_boards_pins_are_shown),
        cmocka_unit_test(forward_is_positive),
        cmocka_unit_test(encoders_do_not_see_play),
        cmocka_unit_test(simulated_time_stands_beside_the_clock),
        cmocka_unit_test(a_match_is_drawn_with_its_players_and_extra_vehicles),
        cmocka_unit_test(further_sensors_are_drawn_with_what_they_read),
        cmocka_unit_test(a_lidar_may_be_the_first_sensor),
        cmocka_unit_test(lidar_points_are_collected_until_they_are_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
