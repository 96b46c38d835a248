// What a simulation publishes: its channels, how often, and that equal runs give equal files, byte by byte, whatever compiler built them.
#include <halyard/sim_publish.h>
#include <halyard/telemetry_wpilog.h>
#include <halyard/worldfile.h>

#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
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
    if (hy_sim_start(setup, &b->sim, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(hy_telemetry_create(&b->telemetry), HY_OK);
    assert_int_equal(hy_wpilog_create(&(hy_wpilog_options){ .room = LOG_ROOM }, &b->log), HY_OK);
    assert_int_equal(hy_telemetry_attach(b->telemetry, hy_wpilog_sink(b->log)), HY_OK);
    assert_int_equal(hy_sim_publisher_start(&b->publisher, b->sim, b->telemetry), HY_OK);
}

static void end(bench *b)
{
    hy_telemetry_destroy(b->telemetry);
    hy_wpilog_destroy(b->log);
    hy_sim_end(b->sim);
    hy_world_free(b->world);
    hy_match_free(b->match);
}

static void begin_board(bench *b)
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
    spec.vehicle[0].start_x_m = spec.vehicle[0].start_y_m = 1;
    if (hy_world_compile(&spec, &b->world, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_world_spec_free(&spec);
    begin(b, &(hy_sim_setup){ .world = b->world, .boards = &board, .board_count = 1, .seed = 1 });
}

static void begin_match(bench *b)
{
    hy_match_spec spec;
    hy_world_error error = { "" };
    char path[512];
    *b = (bench){ .world = NULL };
    (void)snprintf(path, sizeof path, "%s/../worlds/field2020.yaml", HALYARD_TEST_DATA);
    assert_int_equal(hy_worldfile_read_match(path, &spec, &error), HY_OK);
    assert_int_equal(hy_match_spec_set_players(&spec, 2, &error), HY_OK);
    assert_int_equal(hy_match_compile(&spec, &b->match, &error), HY_OK);
    hy_match_spec_free(&spec);
    begin(b, &(hy_sim_setup){ .match = b->match, .seed = 1 });
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
    assert_int_equal(hy_wpilog_reader_start(&reader, hy_wpilog_peek(b->log)), HY_OK);
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
    const channel_values slow = values_of(&b, "NT:/Robot/LED", "boolean");
    assert_true(slow.values >= 6 && slow.values < SAMPLES); // twice a second, and when something changes
    assert_true(values_of(&b, "DS:enabled", "boolean").values >= 6);
    end(&b);
}

static void a_sensor_of_a_world_file_is_published_by_its_name(void **state)
{
    (void)state;
    bench b;
    begin_board(&b);
    run_script(&b);
    hy_world_reading reading;
    assert_int_equal(hy_world_read_further(b.world, hy_sim_world(b.sim), 0, &reading, 1), 1);
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
    const hy_sim_command start = {
        .player = 1, .commands = { .timer_start_stop = true, .left_drive = 1, .right_drive = 1 }
    };
    for (int64_t step = 1; step <= STEPS; step++) {
        hy_sim_step(b.sim, &(hy_sim_input){ .now_us = step * 10000,
                                            .world_steps = 1,
                                            .commands = &start,
                                            .command_count = step == 1 });
        hy_sim_publish(&b.publisher, b.sim);
    }
    const size_t pieces = hy_world_describe(hy_match_world(b.match)).pieces;
    assert_int_equal(values_of(&b, "NT:/Robot2/Truth/Pose", "struct:Pose2d").values, SAMPLES);
    assert_int_equal(values_of(&b, "NT:/Field/Pieces", "struct:Translation3d[]").last.size,
                     pieces * 24);
    assert_int_equal(values_of(&b, "NT:/Match/Blue", "int64").last.size, 8);
    const channel_values time_left = values_of(&b, "NT:/Match/Time", "double");
    assert_true(number_at(time_left.last, 0) < HY_MATCH_SECONDS &&
                number_at(time_left.last, 0) > HY_MATCH_SECONDS - 4);
    assert_int_equal(values_of(&b, "NT:/Match/Running", "boolean").last.data[0], 1);
    assert_int_equal(values_of(&b, "DS:enabled", "boolean").last.data[0], 1);
    end(&b);
}

static void without_a_sink_nothing_is_published(void **state)
{
    (void)state;
    bench b;
    begin_board(&b);
    hy_telemetry *deaf;
    hy_sim_publisher publisher;
    assert_int_equal(hy_telemetry_create(&deaf), HY_OK);
    assert_int_equal(hy_sim_publisher_start(&publisher, b.sim, deaf), HY_OK);
    hy_sim_publish(&publisher, b.sim);
    assert_int_equal(publisher.next_us, 0);
    hy_telemetry_destroy(deaf);
    end(&b);
}

static void equal_runs_give_equal_bytes_on_every_compiler(void **state)
{
    (void)state;
    for (int run = 0; run < 2; run++) {
        bench b;
        begin_board(&b);
        run_script(&b);
        hy_hash hash = hy_hash_start();
        hy_hash_bytes(&hash, hy_wpilog_peek(b.log));
        if (hash.value != UINT64_C(0x72e0a33bfc25f118)) {
            fail_msg("run %d: %#llx", run, (unsigned long long)hash.value);
        }
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_robot_publishes_its_pose_its_sensors_and_what_seldom_changes),
        cmocka_unit_test(a_sensor_of_a_world_file_is_published_by_its_name),
        cmocka_unit_test(a_match_publishes_robots_pieces_and_score),
        cmocka_unit_test(without_a_sink_nothing_is_published),
        cmocka_unit_test(equal_runs_give_equal_bytes_on_every_compiler),
    };
    return cmocka_run_group_tests_name("sim publish", tests, NULL, NULL);
}
