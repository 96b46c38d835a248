// What readers of files and messages cost for each thing in a text with n and with 4n of them: tools/check_cost.sh fails when that
// grows, for then the time grows with the square of the text. What the texts have is what makes readers slow: many of a kind, each of
// which could be compared with all before it.
#include <halyard/faults.h>
#include <halyard/icd.h>
#include <halyard/player.h>
#include <halyard/program.h>
#include <halyard/replay.h>
#include <halyard/wire.h>
#include <halyard/worldfile.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../apps/robot/script.h"
#include "../src/record/picture.h"
#include "calibrate/calibrate.h"
#include "cost.h"
#include "record/record_inputs.h"
#include "record/record_log.h"
#include "record/record_playback.h"
#include "telemetry/telemetry_nt4.h"
#include "telemetry/telemetry_numbers.h"

#define ROOM (8u << 20)

static uint8_t bytes[ROOM];
static size_t size;

// --------------------------------------------------------------------------- texts

static hy_bytes text_of_all(void)
{
    return (hy_bytes){ bytes, size };
}

static void put(const void *more, size_t count)
{
    if (count > ROOM - 1 - size) {
        cost_fail("the text has no room");
    }
    memcpy(bytes + size, more, count);
    size += count;
    bytes[size] = '\0';
}

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
static void
print(const char *format, ...)
{
    char line[300];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    put(line, (size_t)length);
}

static void put_number(uint64_t number, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t byte = (uint8_t)(number >> (8 * i));
        put(&byte, 1);
    }
}

// --------------------------------------------------------------------------- logs

static void begin_log(void)
{
    size = 0;
    put("WPILOG\0\1\0\0\0\0", 12);
}

static void put_head(uint32_t entry, uint64_t at_us, size_t count)
{
    put_number(0x7f, 1);
    put_number(entry, 4);
    put_number(count, 4);
    put_number(at_us, 8);
}

static void put_start(uint32_t entry, const char *name, const char *type)
{
    put_head(0, 0, 17 + strlen(name) + strlen(type));
    put_number(0, 1);
    put_number(entry, 4);
    put_number(strlen(name), 4);
    put(name, strlen(name));
    put_number(strlen(type), 4);
    put(type, strlen(type));
    put_number(0, 4);
}

static void put_value(uint32_t entry, uint64_t at_us, const char *value)
{
    put_head(entry, at_us, strlen(value));
    put(value, strlen(value));
}

// Each is needed by the one before it.
static void make_schemas(void *about)
{
    const unsigned count = *(const unsigned *)about;
    begin_log();
    for (unsigned i = 0; i < count; i++) {
        char name[40], schema[40];
        (void)snprintf(name, sizeof name, "/.schema/struct:S%u", i);
        (void)snprintf(schema, sizeof schema, i + 1 < count ? "S%u x" : "uint8 x", i + 1);
        put_start(i + 1, name, "structschema");
        put_value(i + 1, 0, schema);
        put_start(60000, "value", "struct:S0");
        put_value(60000, i, "1");
    }
}

// Members without bytes, and as many values.
static void make_members(void *about)
{
    const unsigned count = *(const unsigned *)about;
    begin_log();
    put_start(1, "/.schema/struct:Empty", "structschema");
    put_value(1, 0, ";");
    put_start(2, "/.schema/struct:S", "structschema");
    put_head(2, 0, 8 * count + 8);
    for (unsigned i = 0; i < count; i++) {
        put("Empty x;", 8);
    }
    put("uint8 x;", 8);
    put_start(3, "value", "struct:S[]");
    for (unsigned i = 0; i < count; i++) {
        put_value(3, i, "1");
    }
}

static void count_number(void *context, const hy_log_number *number)
{
    (void)number;
    ++*(unsigned *)context;
}

static void read_numbers(unsigned count)
{
    hy_log_entries *entries;
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    unsigned numbers = 0;
    const hy_log_visitor visitor = { count_number, &numbers, SIZE_MAX };
    if (hy_log_entries_open(&entries) != HY_OK ||
        hy_wpilog_reader_init(&reader, text_of_all()) != HY_OK) {
        cost_fail("no log");
    }
    while (hy_wpilog_next(&reader, &record)) {
        (void)hy_log_entries_take(entries, &record);
        if (record.kind == HY_WPILOG_VALUE) {
            (void)hy_log_visit_numbers(entries, record.entry, record.value, &visitor);
        }
    }
    (void)count;
    hy_log_entries_close(entries);
}

// Channels, and as many times one that is there already.
static void make_channels(void *about)
{
    begin_log();
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, "NT:/SmartDashboard/channel/%u", i);
        put_start(2 * i + 1, name, "double");
        put_start(2 * i + 2, "NT:/SmartDashboard/channel/0", "double");
        put_value(2 * i + 1, i, "12345678");
    }
}

// At times that are far from each other, and records that cannot be read.
static void make_odd_records(void *about)
{
    begin_log();
    put_start(1, "a", "string");
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        put_value(1, (uint64_t)(i * 7919 % 1000) << 50, "");
        put_value(0, i, "");
    }
}

static void ignore_channel(void *context, const hy_channel_info *channel, uint64_t now_us)
{
    (void)context, (void)channel, (void)now_us;
}

static void ignore_value(void *context, const hy_channel_info *channel, uint64_t now_us,
                         hy_bytes value)
{
    (void)context, (void)channel, (void)now_us, (void)value;
}

static void play_log(unsigned count)
{
    (void)count;
    hy_log_player *player;
    hy_world_error error;
    const hy_telemetry_sink sink = { NULL, ignore_channel, ignore_value };
    if (hy_log_player_open(text_of_all(), sink, &player, &error) != HY_OK) {
        cost_fail(error.text);
    }
    hy_log_player_close(player);
}

// Poses, which are all candidates for robots, in front of values of other channels.
static void make_poses(void *about)
{
    begin_log();
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, "NT:/Vision/%u", i);
        put_start(i + 1, name, "struct:Pose2d");
        put_value(i + 1, i, "123456789012345678901234");
    }
}

// A robot's channel, started again and again under two numbers.
static void make_setup(void *about)
{
    begin_log();
    put_start(1, "/Halyard/Replay/Setup", "raw");
    put_start(2, "/Halyard/Replay/Hash", "int64[]");
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        put_value(1, 0, "setup");
    }
}

static void show_log(unsigned count)
{
    (void)count;
    hy_playback *playback;
    hy_world_error error;
    (void)hy_playback_open(text_of_all(), &playback, &error);
    hy_playback_close(playback);
}

static void run_again(unsigned count)
{
    (void)count;
    hy_record_inputs *inputs;
    hy_world_error error;
    static hy_replay_report report;
    hy_program_replay_report program_report;
    const hy_program program = { .name = "reader" };
    (void)hy_record_inputs_open(text_of_all(), &inputs, &error);
    hy_replay_verify(text_of_all(), &report);
    hy_program_replay(&program, text_of_all(), &program_report);
}

// A channel of the picture gets another entry, again and again.
static void start_tracks(unsigned count)
{
    static picture shown;
    for (unsigned i = 0; i < count; i++) {
        if (!picture_start_entry(&shown, i, i % 1000, (int)(i % 7))) {
            cost_fail("no memory");
        }
    }
    picture_free(&shown);
    shown = (picture){ .count = 0 };
}

static void make_calibration(void *about)
{
    static const char *const channels[][2] = { { "Motors", "double[]" },
                                               { "Sensors/Encoders", "double[]" },
                                               { "Sensors/GyroAngle", "double[]" },
                                               { "Link/StatusAge", "double" } };
    begin_log();
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        for (unsigned k = 0; k < 4; k++) {
            char name[60];
            (void)snprintf(name, sizeof name, "NT:/Robot/%s", channels[k][0]);
            put_start(k + 1, name, channels[k][1]);
            put_value(k + 1, i * 1000, "123456781234567812345678");
        }
    }
}

static void calibrate(unsigned count)
{
    (void)count;
    static hy_calibration_log log;
    const char *missing;
    (void)hy_calibration_read(text_of_all(), &log, &missing);
}

// --------------------------------------------------------------------------- YAML

static void begin_world(void)
{
    size = 0;
    print("name: test\nfloor: { width_m: 100, height_m: 100 }\n");
}

static void end_world(void)
{
    print("vehicles:\n  - { kind: xrp, start: { x_m: 50, y_m: 50 } }\n");
}

static void make_obstacles(void *about)
{
    begin_world();
    print("obstacles:\n");
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print("  - disc: { center_m: [%u.5, %u.5], radius_m: 0.1 }\n", i % 90, i / 90);
    }
    end_world();
}

static void make_shapes(void *about)
{
    begin_world();
    print("mat:\n  size_m: [1, 1]\n  cell_m: 0.1\n  shapes:\n");
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print("    - disc: { center_m: [0.%u, 0.5], radius_m: 0.001 }\n", i);
    }
    end_world();
}

static void make_anchors(void *about)
{
    begin_world();
    print("pieces: [");
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print("&anchor%u 1,\n", i);
    }
    print("]\n");
}

static void make_directives(void *about)
{
    size = 0;
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print("%%TAG !t%u! tag:%u\n", i, i);
    }
    print("---\n");
    print("name: test\n");
}

static void make_tags(void *about)
{
    begin_world();
    print("pieces: [");
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print("!t%u 1,\n", i);
    }
    print("]\n");
}

static void make_brackets(void *about)
{
    size = 0;
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print("[ ");
    }
}

static void make_lines(void *about)
{
    size = 0;
    print("name: \"");
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print("text\n\n  # text\n");
    }
    print("\"\n");
}

static void make_comments(void *about)
{
    begin_world();
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print("# comment\n\n");
    }
    end_world();
}

// Of a robotConfig, which has keys that are not read.
static void make_keys(void *about)
{
    size = 0;
    print("players:\n");
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print("  - { key: %u }\n", i);
    }
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print("key%u: { x: 1, y: [2, 3] }\n", i);
    }
}

static void load_world(unsigned count)
{
    (void)count;
    static hy_world_spec world;
    hy_world_error error;
    hy_world_model *model;
    const hy_worldfile_text text = { .name = "test", .folder = "", .yaml = text_of_all() };
    if (hy_worldfile_parse(&text, &world, &error) != HY_OK ||
        hy_world_compile(&world, &model, &error) != HY_OK) {
        cost_fail(error.text);
    }
    hy_world_free(model);
    hy_world_spec_free(&world);
}

// As each kind of file; most of them are refused.
static void read_yaml(unsigned count)
{
    (void)count;
    static hy_match_spec match;
    static hy_world_spec world;
    hy_world_error error;
    hy_robot_traits traits;
    const hy_worldfile_text text = { .name = "test", .folder = "", .yaml = text_of_all() };
    hy_world_spec_init(&match.world);
    if (hy_worldfile_parse_match(&text, &match, &error) == HY_OK) {
        hy_match_spec_free(&match);
    }
    if (hy_worldfile_parse(&text, &world, &error) == HY_OK) {
        hy_world_spec_free(&world);
    }
    (void)hy_robot_file_parse(&text, &traits, &error);
}

// --------------------------------------------------------------------------- JSON

static void make_members_again(void *about)
{
    size = 0;
    print("{\"field\":{}");
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print(",\"vehicles\":[{\"lidarPoints\":[[1,0,2]]}],\"key%u\":[[]],\"status\":1", i);
    }
    print("}");
}

static void make_long_numbers(void *about)
{
    size = 0;
    print("{\"timer\":0.");
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print("1234567890123456");
    }
    print("}");
}

static void read_match(unsigned count)
{
    (void)count;
    static hy_icd_reader *reader;
    static hy_icd_match match;
    static hy_icd_status status;
    static hy_icd_sensors sensors;
    reader = reader != NULL ? reader : hy_icd_reader_open();
    if (reader == NULL) {
        cost_fail("no memory");
    }
    (void)hy_icd_read_match(reader, text_of_all(), &match);
    (void)hy_icd_read_status(reader, text_of_all(), &status);
    (void)hy_icd_read_sensors(reader, text_of_all(), &sensors);
}

static void make_messages(void *about)
{
    size = 0;
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print("%s{\"method\":\"publish\",\"params\":{\"name\":\"/topic/"
              "%u\",\"type\":\"double\",\"pubuid\":%u,"
              "\"properties\":{\"key\":%u}}},{\"method\":\"subscribe\",\"params\":{\"topics\":[\"/"
              "%u\"],\"subuid\":%u}}",
              i == 0 ? "[" : ",", i, i, i, i, i);
    }
    print("]");
}

static void make_topics(void *about)
{
    size = 0;
    print("[{\"method\":\"subscribe\",\"params\":{\"topics\":[\"a\"");
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print(",\"/topic/%u\"", i);
    }
    print("],\"subuid\":1");
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print(",\"subuid\":%u", i);
    }
    print("}}]");
}

static void read_messages(unsigned count)
{
    (void)count;
    static hy_json_reader *reader;
    hy_nt4_message message;
    const char *key;
    const hy_json_value *value;
    reader = reader != NULL ? reader : hy_json_reader_open(ROOM);
    if (reader == NULL) {
        cost_fail("no memory");
    }
    hy_json_items frame = hy_json_items_of(hy_json_parse(reader, text_of_all()));
    while (hy_nt4_next_message(&frame, &message)) {
        while (hy_json_next(&message.topics, &key, &value)) {
            (void)hy_json_string(value);
        }
    }
}

// --------------------------------------------------------------------------- lines

static void make_faults(void *about)
{
    size = 0;
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print("# comment\nrate=9kB/s, loss=%u%%,up.delay=3ms\n", i % 100);
    }
}

static void read_faults(unsigned count)
{
    (void)count;
    hy_faults_spec spec;
    hy_faults_error error;
    if (hy_faults_parse((const char *)bytes, &spec, &error) != HY_OK) {
        cost_fail(error.text);
    }
}

static void make_drive(void *about)
{
    size = 0;
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print("+0.1 drive 0.5 -0.5 # comment\n\n");
    }
}

static void read_drive(unsigned count)
{
    (void)count;
    script_reader lines = { .text = text_of_all(), .dialect = &hy_dialect_xrp };
    script_command command;
    script_error error;
    while (lines.at < lines.text.size) {
        if (script_read_line(&lines, &command, &error) < 0) {
            cost_fail(error.what);
        }
    }
}

static void make_sticks(void *about)
{
    size = 0;
    for (unsigned i = 0; i < *(const unsigned *)about; i++) {
        print("+0.1 left_y=512 a=1 # comment\n\n");
    }
}

static void read_sticks(unsigned count)
{
    (void)count;
    char text[200];
    hy_player_script sticks;
    if (hy_player_script_parse(&sticks, text_of_all(), "test",
                               (hy_player_error){ text, sizeof text }) != HY_OK) {
        cost_fail(text);
    }
    hy_player_script_free(&sticks);
}

// --------------------------------------------------------------------------- the table

#define GROWTH(name, n, make, read)                            \
    { name, n, make, read, &(unsigned){ n } },                 \
    {                                                          \
        name COST_FOUR_TIMES, 4 * (n), make, read, &(unsigned) \
        {                                                      \
            4 * (n)                                            \
        }                                                      \
    }

const cost_operation cost_readers[] = {
    GROWTH("log: a schema that needs another one", 1000, make_schemas, read_numbers),
    GROWTH("log: a member without bytes, and a value", 1000, make_members, read_numbers),
    GROWTH("log: a channel, and one that is there", 1000, make_channels, play_log),
    GROWTH("log: an outlier, and an unreadable record", 2000, make_odd_records, play_log),
    GROWTH("log: a pose", 1000, make_poses, show_log),
    GROWTH("log: a start and a value for calibrate", 1000, make_calibration, calibrate),
    GROWTH("recording: a part of the setup, shown", 2000, make_setup, show_log),
    GROWTH("recording: a part of the setup, run again", 2000, make_setup, run_again),
    GROWTH("recording: two channels and a value, run again", 1000, make_channels, run_again),
    GROWTH("recording: another entry of a channel", 2000, NULL, start_tracks),
    GROWTH("world: an obstacle", 250, make_obstacles, load_world),
    GROWTH("world: a shape of the mat", 250, make_shapes, load_world),
    GROWTH("YAML: an anchor", 1000, make_anchors, read_yaml),
    GROWTH("YAML: a directive", 1000, make_directives, read_yaml),
    GROWTH("YAML: a tag", 1000, make_tags, read_yaml),
    GROWTH("YAML: an open bracket", 1000, make_brackets, read_yaml),
    GROWTH("YAML: a line of a text", 1000, make_lines, read_yaml),
    GROWTH("YAML: a comment", 1000, make_comments, read_yaml),
    GROWTH("robotConfig: a key that is not read", 1000, make_keys, read_yaml),
    GROWTH("icd: a member that is there again", 200, make_members_again, read_match),
    GROWTH("icd: 16 digits of a number", 1000, make_long_numbers, read_match),
    GROWTH("nt: two messages of a frame", 1000, make_messages, read_messages),
    GROWTH("nt: a topic of a subscription", 1000, make_topics, read_messages),
    GROWTH("faults: three items", 1000, make_faults, read_faults),
    GROWTH("drive: a line of a script", 1000, make_drive, read_drive),
    GROWTH("joystick: a line of a script", 1000, make_sticks, read_sticks),
};
const size_t cost_reader_count = sizeof cost_readers / sizeof cost_readers[0];
