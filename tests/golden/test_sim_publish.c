// What a simulation publishes: its channels, how often, and that equal runs give equal files, byte by byte, whatever compiler built them.
#include <halyard/telemetry.h>
#include <halyard/worldfile.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "sim/sim_publish.h"
#include "sim_script.h"

#define LOG_ROOM (1 << 22)
#define STEPS    300          // 3 s
#define SAMPLES  (3 * 50 + 1) // the first at once

typedef struct {
    hy_world_model *world;
    hy_match_model *match;
    hy_sim *sim;
    hy_telemetry *telemetry;
    hy_wpilog *log;
    hy_sim_publisher publisher;
} bench;

static void begin(bench *b, const hy_sim_setup *setup)
{
    hy_world_error error = { "" };
    if (hy_sim_open(setup, &b->sim, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(hy_telemetry_open(&b->telemetry), HY_OK);
    assert_int_equal(hy_wpilog_open(&(hy_wpilog_options){ .room = LOG_ROOM }, &b->log), HY_OK);
    assert_int_equal(hy_telemetry_attach(b->telemetry, hy_wpilog_sink(b->log)), HY_OK);
    assert_int_equal(hy_sim_publisher_init(&b->publisher, b->sim, b->telemetry), HY_OK);
}

static void end(bench *b)
{
    hy_telemetry_close(b->telemetry);
    hy_wpilog_close(b->log);
    hy_sim_close(b->sim);
    hy_world_free(b->world);
    hy_match_free(b->match);
}

static void begin_board_with(bench *b, const hy_faults_spec *faults)
{
    static const hy_sim_board board = { .options.kind = &hy_board_xrp };
    hy_world_error error = { "" };
    hy_world_spec spec;
    *b = (bench){ .match = NULL };
    hy_world_spec_init(&spec);
    (void)snprintf(spec.name, sizeof spec.name, "room");
    spec.width_m = spec.height_m = 2;
    hy_vehicle_spec *const xrp = hy_world_spec_add_vehicle(&spec, "xrp");
    hy_sensor_spec *const left = hy_vehicle_spec_add_sensor(xrp, HY_SENSOR_RANGE);
    (void)snprintf(left->name, sizeof left->name, "left");
    hy_sensor_spec *const scanner = hy_vehicle_spec_add_sensor(xrp, HY_SENSOR_LIDAR);
    (void)snprintf(scanner->name, sizeof scanner->name, "scanner");
    scanner->at_m = (hy_point){ 0.05, 0 };
    spec.vehicle[0].start_x_m = spec.vehicle[0].start_y_m = 1;
    if (hy_world_compile(&spec, &b->world, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_world_spec_free(&spec);
    begin(b,
          &(hy_sim_setup){
              .world = b->world, .boards = &board, .board_count = 1, .faults = faults, .seed = 1 });
}

static void begin_board(bench *b)
{
    begin_board_with(b, NULL);
}

static void begin_match_of(bench *b, unsigned players)
{
    hy_match_spec spec;
    hy_world_error error = { "" };
    char path[512];
    *b = (bench){ .world = NULL };
    (void)snprintf(path, sizeof path, "%s/../worlds/field2020.yaml", HALYARD_TEST_DATA);
    assert_int_equal(hy_worldfile_read_match(path, &spec, &error), HY_OK);
    assert_int_equal(hy_match_spec_set_players(&spec, players, &error), HY_OK);
    assert_int_equal(hy_match_compile(&spec, &b->match, &error), HY_OK);
    hy_match_spec_free(&spec);
    begin(b, &(hy_sim_setup){ .match = b->match, .seed = 1 });
}

static void begin_match(bench *b)
{
    begin_match_of(b, 2);
}

// Two players and, beside them, an XRP that is reached through a bad network; with the points of all lidars.
static void begin_everything(bench *b)
{
    static hy_sim_board board = { .options.kind = &hy_board_xrp };
    hy_match_spec spec;
    hy_faults_spec faults;
    hy_faults_error mistake;
    hy_world_error error = { "" };
    char path[512];
    *b = (bench){ .world = NULL };
    (void)snprintf(path, sizeof path, "%s/../worlds/field2020.yaml", HALYARD_TEST_DATA);
    assert_int_equal(hy_worldfile_read_match(path, &spec, &error), HY_OK);
    assert_int_equal(hy_match_spec_set_players(&spec, 2, &error), HY_OK);
    assert_non_null(hy_match_spec_add_vehicle(&spec, "xrp", (hy_point){ 1.5, 0 }, 0));
    assert_int_equal(hy_match_compile(&spec, &b->match, &error), HY_OK);
    hy_match_spec_free(&spec);
    board.vehicle = hy_match_extra_vehicle(b->match, 0);
    assert_int_equal(hy_faults_parse("gym-full-of-phones truncate=5%", &faults, &mistake), HY_OK);
    begin(b, &(hy_sim_setup){ .match = b->match,
                              .boards = &board,
                              .board_count = 1,
                              .faults = &faults,
                              .lidar_noise_m = 0.01,
                              .match_s = 2.5,
                              .seed = 1 });
    assert_int_equal(hy_sim_publisher_add_lidar(&b->publisher, b->sim), HY_OK);
}

static void run_script(bench *b)
{
    static sim_script script;
    sim_script_start(&script, hy_sim_boards(b->sim), 7);
    while (hy_sim_steps(b->sim) < STEPS) {
        hy_sim_step(b->sim, sim_script_next(&script));
        hy_sim_publish(&b->publisher, b->sim);
        for (hy_sim_datagram status; hy_sim_next_datagram(b->sim, &status);) {
        }
    }
}

// --------------------------------------------------------------------------- reading it back

typedef struct {
    uint64_t values;
    hy_bytes last;
} channel_values;

static bool is_text(hy_bytes bytes, const char *text)
{
    return bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0;
}

// The values of the channel `name`, which must be of `type`.
static channel_values values_of(const bench *b, const char *name, const char *type)
{
    channel_values found = { 0 };
    uint32_t entry = 0;
    hy_wpilog_reader reader;
    assert_int_equal(hy_wpilog_reader_init(&reader, hy_wpilog_peek(b->log)), HY_OK);
    for (hy_wpilog_record record; hy_wpilog_next(&reader, &record);) {
        if (record.kind == HY_WPILOG_START && is_text(record.name, name)) {
            assert_true(is_text(record.type, type));
            entry = record.entry;
        } else if (record.kind == HY_WPILOG_VALUE && record.entry == entry) {
            found.values++;
            found.last = record.value;
        }
    }
    if (entry == 0) {
        fail_msg("there is no channel %s", name);
    }
    return found;
}

static bool has_channel(const bench *b, const char *name)
{
    bool found = false;
    hy_wpilog_reader reader;
    assert_int_equal(hy_wpilog_reader_init(&reader, hy_wpilog_peek(b->log)), HY_OK);
    for (hy_wpilog_record record; hy_wpilog_next(&reader, &record);) {
        found = found || (record.kind == HY_WPILOG_START && is_text(record.name, name));
    }
    return found;
}

static double number_at(hy_bytes bytes, size_t index)
{
    double value;
    assert_true((index + 1) * sizeof value <= bytes.size);
    memcpy(&value, &bytes.data[index * sizeof value], sizeof value);
    return value;
}

// --------------------------------------------------------------------------- tests

static void a_robot_publishes_its_pose_its_sensors_and_what_seldom_changes(void **state)
{
    (void)state;
    bench b;
    begin_board(&b);
    run_script(&b);
    const hy_truth truth = hy_sim_truth(b.sim, 0);
    const channel_values pose = values_of(&b, "NT:/Robot/Truth/Pose", "struct:Pose2d");
    assert_int_equal(pose.values, SAMPLES);
    assert_int_equal(pose.last.size, 3 * sizeof(double));
    assert_true(number_at(pose.last, 0) == truth.x_m && number_at(pose.last, 2) == truth.heading_rad);
    const channel_values encoders = values_of(&b, "NT:/Robot/Sensors/Encoders", "double[]");
    assert_int_equal(encoders.values, SAMPLES);
    assert_int_equal(encoders.last.size, hy_dialect_xrp.encoders * sizeof(double));
    assert_int_equal(values_of(&b, "NT:/Robot/Motors", "double[]").last.size,
                     hy_dialect_xrp.motors * sizeof(double));
    assert_int_equal(values_of(&b, "NT:/Robot/Sensors/Range", "double").values, SAMPLES);
    assert_int_equal(values_of(&b, "NT:/Robot/Sensors/Reflectance", "double[]").last.size, 16);
    assert_int_equal(values_of(&b, "NT:/Robot/Sensors/GyroRate", "double[]").last.size, 24);
    assert_int_equal(values_of(&b, "NT:/Robot/Servos", "double[]").last.size,
                     hy_dialect_xrp.servos * sizeof(double));
    assert_int_equal(values_of(&b, "NT:/Robot/Link/CommandRate", "double").values, 3 * 2 + 1);
    assert_true(number_at(values_of(&b, "NT:/Robot/Link/CommandRate", "double").last, 0) > 0);
    assert_int_equal(values_of(&b, "NT:/Robot/Link/WatchdogTrips", "int64").last.size, 8);
    assert_int_equal(values_of(&b, "NT:/Robot/Link/CommandsLost", "int64").last.size, 8);
    const channel_values age = values_of(&b, "NT:/Robot/Link/CommandAge", "double");
    assert_true(age.values > 0 && age.values <= 3 * 2 + 1);
    assert_true(number_at(age.last, 0) >= 0 && number_at(age.last, 0) < 3.0);
    assert_false(has_channel(&b, "NT:/Robot/Faults/ToRobot"));
    const channel_values slow = values_of(&b, "NT:/Robot/LED", "boolean");
    assert_true(slow.values >= 6 && slow.values < SAMPLES); // twice a second, and when something changes
    assert_true(values_of(&b, "DS:enabled", "boolean").values >= 6);
    end(&b);
}

static int64_t whole_at(hy_bytes bytes, size_t index)
{
    int64_t value;
    assert_true((index + 1) * sizeof value <= bytes.size);
    memcpy(&value, &bytes.data[index * sizeof value], sizeof value);
    return value;
}

// What seldom changes is published with the sample in which it did: here while the robot drives against a wall.
static void a_touch_is_published_at_once(void **state)
{
    (void)state;
    bench b;
    hy_commander commander;
    int touches = 0;
    begin_board(&b);
    hy_commander_init(&commander, &hy_dialect_xrp);
    assert_true(hy_commander_enable(&commander));
    commander.command.motors = 3;
    commander.command.motor[0] = 1;
    commander.command.motor[1] = -1;
    for (int64_t step = 1; step <= 500; step++) {
        hy_wire_datagram out[2];
        (void)hy_commander_write(&commander, step * 10000, out);
        const hy_sim_datagram one = { .peer = { .port = 9 },
                                      .at_us = step * 10000,
                                      .bytes = { out[0].data, out[0].size } };
        hy_sim_step(b.sim, &(hy_sim_input){ .now_us = step * 10000,
                                            .world_steps = 1,
                                            .datagrams = &one,
                                            .datagram_count = 1 });
        hy_sim_publish(&b.publisher, b.sim);
        if (step > 200 && step % 2 == 0) { // a sample
            const bool is_touching = hy_sim_truth(b.sim, 0).touching;
            assert_int_equal(values_of(&b, "NT:/Robot/Touching", "boolean").last.data[0],
                             is_touching);
            touches += is_touching;
        }
    }
    assert_true(touches > 0 && touches < 150);
    assert_int_equal(values_of(&b, "NT:/Robot/Enabled", "boolean").last.data[0], 1);
    end(&b);
}

static void what_faults_have_done_is_published(void **state)
{
    (void)state;
    bench b;
    hy_faults_spec faults;
    hy_faults_error error;
    assert_int_equal(hy_faults_parse("loss=20%,duplicate=20%", &faults, &error), HY_OK);
    begin_board_with(&b, &faults);
    run_script(&b);
    const hy_sim_fault_counts counts = hy_sim_faults(b.sim, 0);
    const channel_values from = values_of(&b, "NT:/Robot/Faults/FromRobot", "struct:FaultCounts");
    assert_int_equal(from.values, 3 * 2 + 1);
    assert_int_equal(from.last.size, 6 * sizeof(int64_t));
    assert_true(whole_at(from.last, 1) > 0 && whole_at(from.last, 2) > 0);
    assert_int_equal(whole_at(from.last, 1), (int64_t)counts.from_robot.lost);
    assert_int_equal(whole_at(from.last, 2), (int64_t)counts.from_robot.duplicated);
    end(&b);
}

// A datagram that never arrives is lost, whichever fault it was.
static void every_kind_of_loss_counts(void **state)
{
    (void)state;
    bench b;
    begin_board_with(&b, &(hy_faults_spec){ .to_robot.loss = 0.5 });
    const hy_faults_counters counts = { .taken = 100,
                                        .lost = 1,
                                        .burst_lost = 2,
                                        .outage_lost = 4,
                                        .rate_lost = 8,
                                        .overflowed = 16,
                                        .duplicated = 3,
                                        .reordered = 5,
                                        .corrupted = 7,
                                        .truncated = 11 };
    static const int64_t wanted[] = { 100, 31, 3, 5, 7, 11 };
    hy_publish_fault_counts(b.telemetry, b.publisher.robots[0].faults_to, &counts);
    const hy_bytes last = values_of(&b, "NT:/Robot/Faults/ToRobot", "struct:FaultCounts").last;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        assert_int_equal(whole_at(last, i), wanted[i]);
    }
    end(&b);
}

static void a_sensor_of_a_world_file_is_published_by_its_name(void **state)
{
    (void)state;
    bench b;
    begin_board(&b);
    run_script(&b);
    hy_world_reading reading;
    assert_int_equal(hy_world_read_extra_sensors(b.world, hy_sim_world(b.sim), 0, &reading, 1), 1);
    char name[128];
    (void)snprintf(name, sizeof name, "NT:/Robot/Sensors/%s/%s", reading.sensor, reading.quantity);
    const channel_values values = values_of(&b, name, "double");
    assert_int_equal(values.values, SAMPLES);
    assert_true(number_at(values.last, 0) == reading.value);
    end(&b);
}

static void a_match_publishes_robots_pieces_and_score(void **state)
{
    (void)state;
    bench b;
    begin_match(&b);
    hy_sim_command start = { .player = 1,
                             .commands = { 1, -0.5, 0.25, 0.5, 0.75, -1, .reset = false } };
    for (int64_t step = 1; step <= STEPS; step++) {
        start.at_us = step * 10000;
        start.commands.timer_start_stop = step == 1;
        hy_sim_step(b.sim, &(hy_sim_input){ .now_us = step * 10000,
                                            .world_steps = 1,
                                            .commands = &start,
                                            .command_count = 1 });
        hy_sim_publish(&b.publisher, b.sim);
    }
    const size_t pieces = hy_world_describe(hy_match_world(b.match)).pieces;
    assert_int_equal(values_of(&b, "NT:/Robot2/Truth/Pose", "struct:Pose2d").values, SAMPLES);
    assert_int_equal(values_of(&b, "NT:/Field/Pieces", "struct:Translation3d[]").last.size,
                     pieces * 24);
    assert_int_equal(values_of(&b, "NT:/Match/Blue", "int64").last.size, 8);
    hy_match_state match;
    hy_match_read_state(hy_sim_match(b.sim), &match);
    const double wanted_rad_s[] = {
        match.robot[0].left_drive_rad_s,    match.robot[0].right_drive_rad_s,
        match.robot[0].intake_center_rad_s, match.robot[0].intake_left_rad_s,
        match.robot[0].intake_right_rad_s,  match.robot[0].tube_rad_s,
    };
    const hy_bytes commands = values_of(&b, "NT:/Robot1/Commands", "struct:MatchCommands").last;
    assert_int_equal(commands.size, 6 * sizeof(float));
    for (size_t i = 0; i < 6; i++) {
        float is_rad_s;
        memcpy(&is_rad_s, commands.data + i * sizeof is_rad_s, sizeof is_rad_s);
        assert_true(is_rad_s != 0 && is_rad_s == (float)wanted_rad_s[i]);
    }
    const channel_values time_left = values_of(&b, "NT:/Match/Time", "double");
    assert_true(number_at(time_left.last, 0) < HY_MATCH_SECONDS &&
                number_at(time_left.last, 0) > HY_MATCH_SECONDS - 4);
    assert_int_equal(values_of(&b, "NT:/Match/Running", "boolean").last.data[0], 1);
    assert_int_equal(values_of(&b, "DS:enabled", "boolean").last.data[0], 1);
    end(&b);
}

// The core of player 1 commands from step 1 to 60 and is silent for 0.5 s then; the timer is stopped at step 203, the field
// reset at step 250.
static void play_a_little(bench *b, bool with_lidar)
{
    if (with_lidar) {
        assert_int_equal(hy_sim_publisher_add_lidar(&b->publisher, b->sim), HY_OK);
    }
    const int64_t start_us = hy_sim_now_us(b->sim);
    for (int64_t step = 1; step <= STEPS; step++) {
        const int64_t now_us = start_us + step * 10000;
        const hy_sim_command command = { .player = 1,
                                         .at_us = now_us,
                                         .commands = { .timer_start_stop = step == 1 || step == 203,
                                                       .reset = step == 250,
                                                       .left_drive = step < 250 ? 0.5 : 0 } };
        const bool is_sent = step <= 60 || step == 203 || step == 204 || step == 250;
        hy_sim_step(b->sim, &(hy_sim_input){ .now_us = now_us,
                                             .world_steps = 1,
                                             .commands = &command,
                                             .command_count = is_sent });
        hy_sim_publish(&b->publisher, b->sim);
    }
}

static void a_match_publishes_commands_alliances_and_events(void **state)
{
    (void)state;
    bench b;
    begin_match(&b);
    play_a_little(&b, false);
    const channel_values commands = values_of(&b, "NT:/Robot1/Commands", "struct:MatchCommands");
    assert_int_equal(commands.last.size, 6 * sizeof(float));
    assert_true(commands.values >= 7 + 2 && commands.values < 20); // on change and every 0.5 s
    const hy_bytes alliance = values_of(&b, "NT:/Robot1/Alliance", "string").last;
    assert_true(is_text(alliance, "Blue") || is_text(alliance, "Red"));
    const channel_values events = values_of(&b, "NT:/Match/Events", "string");
    assert_int_equal(events.values, 3);
    assert_true(is_text(events.last, "reset: blue 0, red 0, 135.00 s left"));
    end(&b);
}

static void a_match_publishes_who_has_scored(void **state)
{
    (void)state;
    bench b;
    begin_match(&b);
    const hy_point middle = hy_match_middle(b.match);
    hy_sim_command start = { .player = 1 };
    const hy_sim_placement in_goals[] = {
        { 3, 2.4 - middle.x_m, 0.5 - middle.y_m, 0.38, 0, 0, 0 },
        { 4, 5.8 - middle.x_m, 17.5 - middle.y_m, 0.38, 0, 0, 0 },
    };
    static const char *const events[] = { "blue score changed: blue 1, red 0, ",
                                          "red score changed: blue 1, red 1, " };
    for (int64_t step = 1; step <= 200; step++) {
        const bool is_placed = step == 11 || step == 111;
        start.at_us = step * 10000;
        start.commands.timer_start_stop = step == 1;
        hy_sim_step(b.sim, &(hy_sim_input){ .now_us = step * 10000,
                                            .world_steps = 1,
                                            .commands = &start,
                                            .command_count = 1,
                                            .placements = &in_goals[step > 100],
                                            .placement_count = is_placed });
        hy_sim_publish(&b.publisher, b.sim);
        if (step % 100 == 0) {
            const hy_bytes last = values_of(&b, "NT:/Match/Events", "string").last;
            const char *const wanted = events[step / 100 - 1];
            assert_true(last.size > strlen(wanted));
            assert_memory_equal(last.data, wanted, strlen(wanted));
            const hy_bytes blue = values_of(&b, "NT:/Match/Blue", "int64").last;
            assert_int_equal(whole_at(blue, 0), 1);
        }
    }
    assert_int_equal(values_of(&b, "NT:/Match/Events", "string").values, 3);
    end(&b);
}

static void the_end_of_a_match_is_an_event(void **state)
{
    (void)state;
    bench b;
    begin_everything(&b); // a match of 2.5 s
    hy_sim_command start = { .player = 1 };
    for (int64_t step = 1; step <= 260; step++) {
        start.at_us = step * 10000;
        start.commands.timer_start_stop = step == 1;
        hy_sim_step(b.sim, &(hy_sim_input){ .now_us = step * 10000,
                                            .world_steps = 1,
                                            .commands = &start,
                                            .command_count = 1 });
        hy_sim_publish(&b.publisher, b.sim);
    }
    const channel_values events = values_of(&b, "NT:/Match/Events", "string");
    assert_int_equal(events.values, 2);
    assert_true(is_text(events.last, "match over: blue 0, red 0, 0.00 s left"));
    end(&b);
}

static void lidar_points_are_published_only_when_asked_for(void **state)
{
    (void)state;
    bench b;
    begin_match(&b);
    assert_true(hy_world_tank_at(hy_sim_model(b.sim), 0)->has_lidar);
    play_a_little(&b, false);
    assert_false(has_channel(&b, "NT:/Robot1/Lidar"));
    end(&b);

    begin_match(&b);
    play_a_little(&b, true);
    const channel_values points = values_of(&b, "NT:/Robot1/Lidar", "struct:Translation2d[]");
    assert_int_equal(points.values, STEPS);
    const hy_world_facts facts = hy_world_describe(hy_sim_model(b.sim));
    assert_true(points.last.size > 0 && points.last.size % 16 == 0);
    for (size_t i = 0; i < points.last.size / 16; i++) { // on the field, or on its walls
        assert_true(number_at(points.last, 2 * i) > -0.1 && number_at(points.last, 2 * i + 1) > -0.1);
        assert_true(number_at(points.last, 2 * i) < facts.width_m + 0.1);
        assert_true(number_at(points.last, 2 * i + 1) < facts.height_m + 0.1);
    }
    end(&b);
}

// It drives about in a room of 2 m: every ray ends at a wall.
static void points_of_a_lidar_that_a_world_file_adds(void **state)
{
    (void)state;
    bench b;
    begin_board(&b);
    assert_int_equal(hy_sim_publisher_add_lidar(&b.publisher, b.sim), HY_OK);
    run_script(&b);
    assert_true(fabs(hy_sim_truth(b.sim, 0).heading_rad) > 0.1);
    const channel_values points =
        values_of(&b, "NT:/Robot/Sensors/scanner/Points", "struct:Translation2d[]");
    size_t echoes;
    (void)hy_world_extra_sensor_echoes(b.world, hy_sim_world(b.sim), 0, 1, &echoes);
    assert_true(points.values >= STEPS);
    assert_true(echoes > 0);
    assert_int_equal(points.last.size, 16 * echoes);
    for (size_t i = 0; i < points.last.size / 16; i++) {
        const double x_m = number_at(points.last, 2 * i), y_m = number_at(points.last, 2 * i + 1);
        const double dx_m = fabs(x_m - 1), dy_m = fabs(y_m - 1);
        assert_true(fabs((dx_m > dy_m ? dx_m : dy_m) - 1) < 0.05);
    }
    end(&b);
}

// A world may have one piece. It is published while it moves, and every half second.
static void a_single_piece_is_published(void **state)
{
    (void)state;
    bench b = { .match = NULL };
    hy_world_error error = { "" };
    hy_world_spec spec;
    hy_world_spec_init(&spec);
    (void)snprintf(spec.name, sizeof spec.name, "room");
    spec.width_m = spec.height_m = 2;
    hy_vehicle_spec *const xrp = hy_world_spec_add_vehicle(&spec, "xrp");
    xrp->start_x_m = xrp->start_y_m = 0.5;
    hy_sensor_spec *const only = hy_vehicle_spec_add_sensor(xrp, HY_SENSOR_LIDAR);
    (void)snprintf(only->name, sizeof only->name, "only");
    spec.pieces.at_m[0] = (hy_point){ 0.5, 1.5 };
    spec.pieces.count = 1;
    if (hy_world_compile(&spec, &b.world, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_world_spec_free(&spec);
    begin(&b, &(hy_sim_setup){ .world = b.world });
    assert_int_equal(hy_sim_publisher_add_lidar(&b.publisher, b.sim), HY_OK);
    const hy_sim_placement kick = { .x_m = 0.5, .y_m = 1.5, .vx_m_s = 1.2 };
    for (int64_t step = 1; step <= 200; step++) {
        hy_sim_step(b.sim, &(hy_sim_input){ .now_us = step * 10000,
                                            .world_steps = 1,
                                            .placements = &kick,
                                            .placement_count = step == 101 });
        hy_sim_publish(&b.publisher, b.sim);
    }
    assert_true(has_channel(&b, "NT:/Robot/Sensors/only/Points")); // its first sensor
    const hy_piece piece = hy_world_piece(hy_sim_world(b.sim), 0);
    assert_true(piece.x_m > 0.7 && piece.vx_m_s > 0.001);
    const channel_values pieces = values_of(&b, "NT:/Field/Pieces", "struct:Translation3d[]");
    assert_int_equal(pieces.values, 3 + 50);
    assert_int_equal(pieces.last.size, 3 * sizeof(double));
    assert_true(number_at(pieces.last, 0) == piece.x_m && number_at(pieces.last, 1) == piece.y_m);
    end(&b);
}

// Six robots that drive about and push pieces, ten seconds of it: an hour takes less than 300 MB, and no 50 ms are without a record.
static void a_match_of_six_robots_takes_less_than_300_mb_an_hour(void **state)
{
    (void)state;
    bench b;
    begin_match_of(&b, 6);
    hy_random random = hy_random_seeded(1);
    const size_t before = hy_wpilog_peek(b.log).size;
    for (int64_t step = 1; step <= 1000; step++) {
        hy_sim_command commands[6];
        for (unsigned i = 0; i < 6; i++) {
            commands[i] = (hy_sim_command){ .player = i + 1,
                                            .at_us = step * 10000,
                                            .commands = { .timer_start_stop = step == 1 && i == 0,
                                                          .left_drive = hy_random_unit(&random),
                                                          .right_drive = hy_random_unit(&random),
                                                          .intake_center = 1 } };
        }
        hy_sim_step(b.sim, &(hy_sim_input){ .now_us = step * 10000,
                                            .world_steps = 1,
                                            .commands = commands,
                                            .command_count = step % 50 == 1 ? 6 : 0 });
        hy_sim_publish(&b.publisher, b.sim);
    }
    const double mb_an_hour = (double)(hy_wpilog_peek(b.log).size - before) * 360 / 1e6;
    print_message("%.0f MB an hour\n", mb_an_hour);
    assert_true(mb_an_hour > 50 && mb_an_hour < 300);
    hy_wpilog_reader reader;
    uint64_t last_us = 0;
    assert_int_equal(hy_wpilog_reader_init(&reader, hy_wpilog_peek(b.log)), HY_OK);
    for (hy_wpilog_record record; hy_wpilog_next(&reader, &record); last_us = record.at_us) {
        assert_true(record.at_us >= last_us && record.at_us - last_us <= 50000);
    }
    assert_null(reader.damage);
    assert_true(last_us > 9900000);
    end(&b);
}

static void without_a_sink_nothing_is_published(void **state)
{
    (void)state;
    bench b;
    begin_board(&b);
    hy_telemetry *deaf;
    hy_sim_publisher publisher;
    assert_int_equal(hy_telemetry_open(&deaf), HY_OK);
    assert_int_equal(hy_sim_publisher_init(&publisher, b.sim, deaf), HY_OK);
    hy_sim_publish(&publisher, b.sim);
    assert_int_equal(publisher.next_us, 0);
    hy_telemetry_close(deaf);
    end(&b);
}

static void check_bytes(const bench *b, uint64_t wanted)
{
    hy_hash hash = hy_hash_start();
    hy_hash_bytes(&hash, hy_wpilog_peek(b->log));
    if (hash.value != wanted) {
        fail_msg("%#llx", (unsigned long long)hash.value);
    }
}

static void equal_runs_give_equal_bytes_on_every_compiler(void **state)
{
    (void)state;
    for (int run = 0; run < 2; run++) {
        bench b;
        begin_board(&b);
        run_script(&b);
        check_bytes(&b, UINT64_C(0xcd137ac42534e0c1));
        end(&b);

        begin_everything(&b);
        run_script(&b);
        play_a_little(&b, false);
        check_bytes(&b, UINT64_C(0xb752fe93fe8f4237));
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_robot_publishes_its_pose_its_sensors_and_what_seldom_changes),
        cmocka_unit_test(a_touch_is_published_at_once),
        cmocka_unit_test(what_faults_have_done_is_published),
        cmocka_unit_test(every_kind_of_loss_counts),
        cmocka_unit_test(a_sensor_of_a_world_file_is_published_by_its_name),
        cmocka_unit_test(a_match_publishes_robots_pieces_and_score),
        cmocka_unit_test(a_match_publishes_commands_alliances_and_events),
        cmocka_unit_test(a_match_publishes_who_has_scored),
        cmocka_unit_test(the_end_of_a_match_is_an_event),
        cmocka_unit_test(lidar_points_are_published_only_when_asked_for),
        cmocka_unit_test(points_of_a_lidar_that_a_world_file_adds),
        cmocka_unit_test(a_single_piece_is_published),
        cmocka_unit_test(a_match_of_six_robots_takes_less_than_300_mb_an_hour),
        cmocka_unit_test(without_a_sink_nothing_is_published),
        cmocka_unit_test(equal_runs_give_equal_bytes_on_every_compiler),
    };
    return cmocka_run_group_tests_name("sim publish", tests, NULL, NULL);
}
