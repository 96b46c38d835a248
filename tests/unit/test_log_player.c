// Any WPILOG file played into a sink: every value once and in the order of time, the newest of each channel after a jump, and no file
// that it cannot stand.
#include <halyard/telemetry.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "record/record_log.h"

#define FILE_MAX   65536
#define VALUES_MAX 2000
#define MS         1000

typedef struct {
    char name[64], type[64], metadata[64];
} heard_channel;

static heard_channel channels[16];
static size_t channel_count;
static struct {
    hy_channel channel;
    uint64_t now_us;
    uint8_t bytes[256];
    size_t size;
} values[VALUES_MAX];
static size_t value_count;

static void hear_channel(void *context, const hy_channel_info *channel, uint64_t now_us)
{
    (void)context;
    (void)now_us;
    assert_int_equal(channel->handle, channel_count + 1);
    heard_channel *const to = &channels[channel_count++];
    (void)snprintf(to->name, sizeof to->name, "%s", channel->name);
    (void)snprintf(to->type, sizeof to->type, "%s", channel->type);
    (void)snprintf(to->metadata, sizeof to->metadata, "%s", channel->metadata);
}

static void hear_value(void *context, const hy_channel_info *channel, uint64_t now_us, hy_bytes value)
{
    (void)context;
    assert_true(value_count < VALUES_MAX && value.size <= sizeof values->bytes);
    assert_true(value_count == 0 || now_us >= values[value_count - 1].now_us);
    values[value_count].channel = channel->handle;
    values[value_count].now_us = now_us;
    values[value_count].size = value.size;
    memcpy(values[value_count].bytes, value.data, value.size);
    value_count++;
}

static const hy_telemetry_sink ears = { NULL, hear_channel, hear_value };

static double newest_double(hy_channel channel)
{
    double value = -1.0;
    for (size_t i = 0; i < value_count; i++) {
        if (values[i].channel == channel) {
            memcpy(&value, values[i].bytes, sizeof value);
        }
    }
    return value;
}

// --------------------------------------------------------------------------- a file

static uint8_t file[FILE_MAX];
static size_t file_size;

// A number every 10 ms, and a pose at two moments; `disordered`: the poses stand behind all numbers.
static void write_file(bool disordered)
{
    hy_telemetry *telemetry;
    hy_wpilog *log;
    assert_int_equal(hy_telemetry_open(&telemetry), HY_OK);
    assert_int_equal(hy_wpilog_open(&(hy_wpilog_options){ .room = FILE_MAX }, &log), HY_OK);
    assert_int_equal(hy_telemetry_attach(telemetry, hy_wpilog_sink(log)), HY_OK);
    const hy_channel number = hy_telemetry_declare(
        telemetry, &(hy_channel_spec){ .name = "/number", .kind = HY_CHANNEL_DOUBLE, .unit = "V" });
    const hy_channel pose = hy_telemetry_declare(
        telemetry,
        &(hy_channel_spec){ .name = "/pose", .kind = HY_CHANNEL_STRUCT, .type = &hy_struct_pose2d });
    const hy_channel only_file =
        hy_telemetry_declare(telemetry, &(hy_channel_spec){ .name = "DS:enabled",
                                                            .kind = HY_CHANNEL_BOOLEAN,
                                                            .is_file_only = true,
                                                            .metadata = "{\"source\":\"me\"}" });
    const hy_channel input =
        hy_telemetry_declare(telemetry, &(hy_channel_spec){ .name = "/Halyard/Replay/Input",
                                                            .kind = HY_CHANNEL_RAW,
                                                            .is_file_only = true });
    const hy_channel twice = hy_telemetry_declare(
        telemetry,
        &(hy_channel_spec){ .name = "/number", .kind = HY_CHANNEL_DOUBLE, .is_file_only = true });
    (void)twice;
    const hy_telemetry_pose2d places[] = { { 1, 2, 3 }, { 4, 5, 6 } };
    for (uint64_t i = 0; i < 500; i++) {
        hy_telemetry_set_time(telemetry, 1000000 + i * 10 * MS);
        hy_telemetry_put_double(telemetry, number, (double)i);
        hy_telemetry_put_bytes(telemetry, input, (hy_bytes){ (const uint8_t *)"xy", 2 });
        if (!disordered && (i == 100 || i == 300)) {
            hy_telemetry_put_struct(telemetry, pose, &places[i == 300]);
        }
    }
    for (uint64_t i = 0; i < 2 && disordered; i++) {
        hy_telemetry_set_time(telemetry, 2000000 + i * 2000 * MS);
        hy_telemetry_put_struct(telemetry, pose, &places[i]);
    }
    hy_telemetry_set_time(telemetry, 1000000);
    hy_telemetry_put_boolean(telemetry, only_file, true);
    file_size = 0;
    for (hy_bytes bytes; (bytes = hy_wpilog_peek(log)).size > 0; hy_wpilog_consume(log, bytes.size)) {
        memcpy(&file[file_size], bytes.data, bytes.size);
        file_size += bytes.size;
    }
    hy_telemetry_close(telemetry);
    hy_wpilog_close(log);
}

static hy_log_player *open_file(void)
{
    hy_log_player *player;
    hy_world_error error;
    channel_count = value_count = 0;
    assert_int_equal(hy_log_player_open((hy_bytes){ file, file_size }, ears, &player, &error), HY_OK);
    return player;
}

static hy_channel channel_named(const char *name)
{
    for (size_t i = 0; i < channel_count; i++) {
        if (strcmp(channels[i].name, name) == 0) {
            return (hy_channel)i + 1;
        }
    }
    fail_msg("there is no channel '%s'", name);
    return 0;
}

// --------------------------------------------------------------------------- tests

static void channels_have_their_types_and_units(void **state)
{
    (void)state;
    write_file(false);
    hy_log_player *const player = open_file();
    const hy_log_facts facts = hy_log_player_facts(player);
    assert_int_equal(facts.channels, channel_count);
    assert_int_equal(facts.left_out, 0); // a second declaration of a name gives the first's channel
    assert_string_equal(channels[channel_named("/number") - 1].type, "double");
    assert_string_equal(channels[channel_named("/number") - 1].metadata, "{\"unit\":\"V\"}");
    assert_string_equal(channels[channel_named("/pose") - 1].type, "struct:Pose2d");
    assert_string_equal(channels[channel_named("/.schema/struct:Pose2d") - 1].type, "structschema");
    assert_string_equal(channels[channel_named("DS:enabled") - 1].metadata, "");
    for (size_t i = 0; i < channel_count; i++) {
        assert_null(strstr(channels[i].name, "Replay"));
    }
    assert_true(facts.start_s <= 1.0 && facts.end_s > 5.9899 && facts.end_s < 5.9901);
    assert_string_equal(facts.damage, "");
    hy_log_player_close(player);
}

static void every_value_comes_once_and_in_order(void **state)
{
    (void)state;
    for (int disordered = 0; disordered < 2; disordered++) {
        write_file(disordered != 0);
        hy_log_player *const player = open_file();
        const hy_channel number = channel_named("/number"), pose = channel_named("/pose");
        double next = 0.0;
        size_t poses = 0, seen = 0;
        for (int i = 0; i <= 320; i++) { // at twice the speed: 20 ms are 10 ms of the show
            hy_log_player_move(player, i * 0.02, (uint64_t)i * 10 * MS);
            for (; seen < value_count; seen++) {
                double value;
                memcpy(&value, values[seen].bytes, sizeof value);
                assert_true(values[seen].now_us <= (uint64_t)i * 10 * MS);
                if (values[seen].channel == number) {
                    assert_true(value == next);
                    next += 1.0;
                } else if (values[seen].channel == pose) {
                    assert_true(value == (poses == 0 ? 1.0 : 4.0));
                    assert_true(next == (poses == 0 ? 101.0 : 301.0)); // between its neighbours
                    poses++;
                }
            }
        }
        assert_true(next == 500.0);
        assert_int_equal(poses, 2);
        assert_int_equal(value_count, hy_log_player_facts(player).values);
        hy_log_player_close(player);
    }
}

static void a_jump_puts_the_newest_of_each_channel(void **state)
{
    (void)state;
    write_file(true);
    hy_log_player *const player = open_file();
    const hy_channel number = channel_named("/number"), pose = channel_named("/pose");
    hy_log_player_move(player, 4.505, 1000);
    assert_true(newest_double(number) == 350.0 && newest_double(pose) == 4.0);
    assert_true(value_count <= channel_count);
    value_count = 0;
    hy_log_player_move(player, 2.5, 900); // back; the sink's time does not go back
    assert_true(newest_double(number) == 150.0 && newest_double(pose) == 1.0);
    value_count = 0;
    hy_log_player_move(player, 1.2, 2000);
    assert_true(newest_double(number) == 20.0 && newest_double(pose) == -1.0);
    value_count = 0;
    hy_log_player_move(player, 1.2, 3000); // paused
    assert_int_equal(value_count, 0);
    hy_log_player_move(player, 1.25, 4000);
    assert_int_equal(value_count, 5);
    hy_log_player_move(player, 1e300, 5000);
    assert_true(newest_double(number) == 499.0);
    hy_log_player_close(player);
}

static void cut_and_altered_files_are_played_as_far_as_they_go(void **state)
{
    (void)state;
    write_file(false);
    uint8_t *const whole = malloc(file_size);
    assert_non_null(whole);
    memcpy(whole, file, file_size);
    const size_t size = file_size;
    uint32_t random = 5;
    for (size_t i = 0; i < 400; i++) {
        memcpy(file, whole, size);
        random = random * 1664525 + 1013904223;
        const size_t at = random % size;
        file_size = i % 2 == 0 ? at : size;
        file[at] ^= i % 2 == 0 ? 0 : (uint8_t)(random >> 24 | 1);
        // A copy of just these bytes, so that reading beyond them is found.
        uint8_t *const copy = malloc(file_size + (file_size == 0));
        assert_non_null(copy);
        memcpy(copy, file, file_size);
        hy_log_player *player;
        hy_world_error error = { "" };
        channel_count = value_count = 0;
        const hy_telemetry_sink none = { NULL, hear_channel, hear_value };
        if (hy_log_player_open((hy_bytes){ copy, file_size }, none, &player, &error) == HY_OK) {
            const hy_log_facts facts = hy_log_player_facts(player);
            assert_true(file_size == size || facts.values < 1000);
            hy_log_player_move(player, facts.end_s / 2, 1);
            value_count = 0;
            hy_log_player_move(player, facts.end_s, 2);
        } else {
            assert_true(strlen(error.text) > 0);
        }
        hy_log_player_close(player);
        free(copy);
    }
    free(whole);
}

// --------------------------------------------------------------------------- bounds

static uint8_t made[8 << 20];
static size_t made_size;

static void put(const void *bytes, size_t size)
{
    assert_true(made_size + size <= sizeof made);
    memcpy(made + made_size, bytes, size);
    made_size += size;
}

static void put_u32(uint32_t number)
{
    for (int i = 0; i < 4; i++) {
        put(&(uint8_t){ (uint8_t)(number >> 8 * i) }, 1);
    }
}

/// A record with fields of 4, 4 and 1 bytes, at `at_us` < 256.
static void put_record(uint32_t entry, size_t size, uint8_t at_us)
{
    put("\x0f", 1);
    put_u32(entry);
    put_u32((uint32_t)size);
    put(&at_us, 1);
}

static void put_text(const char *text)
{
    put_u32((uint32_t)strlen(text));
    put(text, strlen(text));
}

static void put_start(uint32_t entry, const char *name, const char *type, const char *metadata)
{
    put_record(0, 5 + 12 + strlen(name) + strlen(type) + strlen(metadata), 0);
    put("\0", 1);
    put_u32(entry);
    put_text(name);
    put_text(type);
    put_text(metadata);
}

static void begin_made(void)
{
    made_size = 0;
    channel_count = value_count = 0;
    put("WPILOG\0\1\0\0\0\0", 12);
}

static size_t declared; // also more than `channels` has room for

static void count_channel(void *context, const hy_channel_info *channel, uint64_t now_us)
{
    (void)context;
    (void)now_us;
    assert_int_equal(channel->handle, ++declared);
}

static hy_log_facts facts_of_made(void)
{
    hy_log_player *player;
    hy_world_error error;
    declared = 0;
    const hy_telemetry_sink counter = { NULL, count_channel, hear_value };
    assert_int_equal(hy_log_player_open((hy_bytes){ made, made_size }, counter, &player, &error),
                     HY_OK);
    hy_log_facts facts = hy_log_player_facts(player);
    assert_string_equal(facts.damage, "");
    assert_int_equal(facts.channels, declared);
    hy_log_player_close(player);
    return facts;
}

// What was a value when the file was opened is one no more: it is passed over.
static void a_file_that_is_altered_while_it_is_played_is_survived(void **state)
{
    (void)state;
    begin_made();
    put_start(1, "a", "int64", "");
    const size_t place = made_size;
    put_record(1, 8, 10);
    put("\1\0\0\0\0\0\0\0", 8);
    put_record(7, 8, 11); // of no channel: it is not put in place of the value before it
    put("\2\0\0\0\0\0\0\0", 8);
    hy_log_player *player;
    hy_world_error error;
    assert_int_equal(hy_log_player_open((hy_bytes){ made, made_size }, ears, &player, &error), HY_OK);
    hy_log_player_move(player, 1.0, 1);
    assert_int_equal(value_count, 1);
    made[place + 1] = 0; // the end of an entry
    hy_log_player_move(player, 0.5, 2);
    assert_int_equal(value_count, 1);
    made[place] = 0x80; // no record
    hy_log_player_move(player, 0.25, 3);
    assert_int_equal(value_count, 1);
    hy_log_player_close(player);
}

static void names_types_and_numbers_of_entries_have_bounds(void **state)
{
    (void)state;
    char name[HY_CHANNEL_NAME_MAX + 2] = "", type[257] = "";
    memset(name, 'n', sizeof name - 1);
    memset(type, 't', sizeof type - 1);
    begin_made();
    put_start(1, name, "double", ""); // one character too many
    put_start(2, name + 1, "double", "");
    put_start(3, "/type", type, ""); // likewise
    put_start(4, "/type", type + 1, "");
    put_start(65536, "/number", "double", ""); // likewise
    put_start(65535, "/number", "double", "");
    put_start(5, "", "double", "");
    put_start(6, "NT:", "double", ""); // nothing behind its prefix
    static const uint32_t entries[] = { 1, 2, 3, 4, 5, 6, 65535, 65536, 99 };
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        put_record(entries[i], 8, (uint8_t)i);
        put("\0\0\0\0\0\0\0\0", 8);
    }
    const hy_log_facts facts = facts_of_made();
    assert_int_equal(facts.channels, 3);
    assert_int_equal(facts.left_out, 5);
    assert_int_equal(facts.values, 3);
}

static void more_channels_than_there_is_room_for_are_left_out(void **state)
{
    (void)state;
    begin_made();
    for (uint32_t i = 0; i < HY_CHANNELS_MAX + 3; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "/%u", i);
        put_start(1 + i, name, "double", "");
    }
    const hy_log_facts facts = facts_of_made();
    assert_int_equal(facts.channels, HY_CHANNELS_MAX);
    assert_int_equal(facts.left_out, 3);
}

static void units_that_would_break_the_metadata_are_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *metadata, *passed_on;
    } rows[] = {
        { "{\"unit\":\"m\"}", "{\"unit\":\"m\"}" },
        { "{\"unit\":\"a\\\"b\"}", "" },
        { "{\"unit\":\"a\\\\b\"}", "" },
        { "{\"unit\":7}", "" },
        { "{\"unit\":\"0123456789012345678901234567890123456789012345678901234567890123\"}", "" },
        { "no JSON", "" },
    };
    begin_made();
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "/%u", i);
        put_start(1 + i, name, "double", rows[i].metadata);
    }
    hy_log_player *player;
    hy_world_error error;
    assert_int_equal(hy_log_player_open((hy_bytes){ made, made_size }, ears, &player, &error), HY_OK);
    assert_int_equal(channel_count, sizeof rows / sizeof rows[0]);
    for (size_t i = 0; i < channel_count; i++) {
        assert_string_equal(channels[i].metadata, rows[i].passed_on);
    }
    hy_log_player_close(player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_have_their_types_and_units),
        cmocka_unit_test(every_value_comes_once_and_in_order),
        cmocka_unit_test(a_jump_puts_the_newest_of_each_channel),
        cmocka_unit_test(a_file_that_is_altered_while_it_is_played_is_survived),
        cmocka_unit_test(names_types_and_numbers_of_entries_have_bounds),
        cmocka_unit_test(more_channels_than_there_is_room_for_are_left_out),
        cmocka_unit_test(units_that_would_break_the_metadata_are_left_out),
        cmocka_unit_test(cut_and_altered_files_are_played_as_far_as_they_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
