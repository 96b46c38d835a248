// A recorded robot program run again: the byte form of its inputs, and files that are altered, cut or of another version.
#include "cmocka_all.h"

#include <halyard/program.h>
#include <halyard/telemetry.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../src/program/journal/journal_event.h"

#define FILE_MOST (1 << 20)

static hy_xrp xrp;
static double effort;

static void start(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    effort = 0.0;
}

static void drive(void *context, int64_t now_us)
{
    (void)context;
    effort = effort * 0.9 + xrp.reflectance.left * 0.1;
    hy_motor_set(&xrp.motor[0], effort, now_us);
    hy_program_put_number("effort", effort);
}

static const hy_program program = {
    .name = "replayed",
    .robots = { { .xrp = &xrp } },
    .loop = { .mode = { [HY_MODE_TELEOP] = { .periodic = drive } }, .robot_init = start },
};

// A second of a run; the file's bytes, which the caller frees.
static uint8_t *record_run(size_t *size)
{
    char path[] = "/tmp/halyard-replay-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    (void)close(file);
    const hy_program_options options = {
        .world = "xrp-line", .seed = 1, .duration_s = 1, .record = path, .overwrite = true
    };
    hy_program_outcome outcome;
    assert_int_equal(hy_program_run(&program, &options, &outcome), HY_OK);
    uint8_t *const bytes = malloc(FILE_MOST);
    FILE *const recorded = fopen(path, "rb");
    assert_non_null(bytes);
    assert_non_null(recorded);
    *size = fread(bytes, 1, FILE_MOST, recorded);
    assert_in_range(*size, 1000, FILE_MOST - 1);
    (void)fclose(recorded);
    (void)remove(path);
    return bytes;
}

static hy_program_replay_report replay(const uint8_t *bytes, size_t size)
{
    hy_program_replay_report report;
    hy_program_replay(&program, (hy_bytes){ bytes, size }, &report);
    assert_true(strlen(report.text) > 0);
    assert_true(report.offset <= size);
    return report;
}

static void a_run_is_equal_to_itself(void **state)
{
    (void)state;
    size_t size;
    uint8_t *const bytes = record_run(&size);
    const hy_program_replay_report report = replay(bytes, size);
    assert_string_equal(report.text, "50 loops are equal, up to 1.000 s");
    assert_int_equal(report.result, HY_REPLAY_EQUAL);
    assert_int_equal(report.loops, 50);
    assert_false(report.is_partial);
    free(bytes);
}

static void a_cut_file_is_run_up_to_its_end(void **state)
{
    (void)state;
    size_t size, with_loops = 0;
    uint8_t *const bytes = record_run(&size);
    for (size_t cut = 0; cut < size; cut += 97) {
        const hy_program_replay_report report = replay(bytes, cut);
        assert_int_not_equal(report.result, HY_REPLAY_DIFFERS);
        assert_true(report.result == HY_REPLAY_IMPOSSIBLE || report.is_partial);
        with_loops += report.loops > 0;
    }
    assert_true(with_loops > 100);
    free(bytes);
}

// Offsets and sizes of the events in the file.
static size_t find_events(hy_bytes file, size_t *offsets, hy_bytes *events, size_t room)
{
    hy_wpilog_reader reader;
    uint32_t entry = 0;
    size_t count = 0;
    assert_int_equal(hy_wpilog_reader_init(&reader, file), HY_OK);
    size_t offset = reader.offset;
    for (hy_wpilog_record record; count < room && hy_wpilog_next(&reader, &record);) {
        const bool is_journal = record.name.size == strlen(JOURNAL_CHANNEL) &&
                                memcmp(record.name.data, JOURNAL_CHANNEL, record.name.size) == 0;
        if (record.kind == HY_WPILOG_START && is_journal) {
            entry = record.entry;
        } else if (record.kind == HY_WPILOG_VALUE && record.entry == entry) {
            offsets[count] = offset;
            events[count++] = record.value;
        }
        offset = reader.offset;
    }
    return count;
}

static void an_altered_input_is_named_with_its_offset(void **state)
{
    (void)state;
    size_t size, offsets[400];
    hy_bytes events[400];
    uint8_t *const bytes = record_run(&size);
    const size_t count = find_events((hy_bytes){ bytes, size }, offsets, events, 400);
    assert_true(count > 150);
    for (size_t i = 0; i < count; i += 7) {
        char sentence[100];
        uint8_t *const byte = bytes + (events[i].data - bytes) + i % events[i].size;
        *byte ^= 0x40;
        const hy_program_replay_report report = replay(bytes, size);
        assert_int_equal(report.result, HY_REPLAY_DIFFERS);
        (void)snprintf(sentence, sizeof sentence,
                       "the program's input %zu, at offset %zu, was altered", i, offsets[i]);
        assert_string_equal(report.text, sentence);
        *byte ^= 0x40;
    }
    free(bytes);
}

static void another_version_and_any_flipped_byte_are_survived(void **state)
{
    (void)state;
    size_t size;
    uint8_t *const bytes = record_run(&size);
    uint8_t *const copy = malloc(size);
    assert_non_null(copy);
    for (size_t i = 0; i < size; i += 131) {
        memcpy(copy, bytes, size);
        copy[i] ^= (uint8_t)(1u << i % 8);
        (void)replay(copy, size);
    }
    const size_t length = strlen(hy_version());
    size_t at = 0;
    while (at + length < size && memcmp(bytes + at, hy_version(), length) != 0) {
        at++;
    }
    bytes[at + length - 1] = 'x';
    const hy_program_replay_report report = replay(bytes, size);
    assert_int_equal(report.result, HY_REPLAY_IMPOSSIBLE);
    assert_non_null(strstr(report.text, "it was recorded by version"));
    assert_non_null(strstr(report.text, hy_version()));
    free(copy);
    free(bytes);
}

// --------------------------------------------------------------------------- the byte form

static void events_are_read_as_they_were_written(void **state)
{
    (void)state;
    for (unsigned kind = JOURNAL_START; kind < JOURNAL_KINDS; kind++) {
        journal_event event = { .kind = (journal_kind)kind,
                                .index = 1,
                                .now_us = 5,
                                .readings = { .encoders = 5,
                                              .analogs = 2,
                                              .has_gyro = true,
                                              .digitals = 0x3c,
                                              .digital_levels = 0x8 },
                                .outputs = { .motors = 3, .motor = { 0.25f, -0.5f } },
                                .key = { .what = HY_KEY_RELEASE, .key = 0x1F600 },
                                .state = { .robots = 2, .is_over = true },
                                .wish = HY_PROGRAM_END,
                                .value = 1e300,
                                .puts = 70000,
                                .has_said = true,
                                .name = "a name",
                                .text = "a text",
                                .address = { "one", "two" } };
        event.readings.encoder[2] = (hy_encoder_reading){ -7, 3, 4, true };
        event.state.link[1].age_us = INT64_MAX;
        uint8_t bytes[JOURNAL_EVENT_MAX], again[JOURNAL_EVENT_MAX];
        uint64_t number;
        journal_event read;
        const size_t size = journal_event_write(&event, 9, bytes);
        assert_true(journal_event_read((hy_bytes){ bytes, size }, &number, &read));
        assert_int_equal(number, 9);
        assert_int_equal(read.kind, kind);
        assert_int_equal(journal_event_write(&read, 9, again), size);
        assert_memory_equal(bytes, again, size);
        for (size_t cut = 0; cut < size; cut++) {
            assert_false(journal_event_read((hy_bytes){ bytes, cut }, &number, &read));
            bytes[cut] ^= 1;
            assert_false(journal_event_read((hy_bytes){ bytes, size }, &number, &read));
            bytes[cut] ^= 1;
        }
    }
}

// The longest of all fits.
static void the_longest_texts_fit(void **state)
{
    (void)state;
    journal_event event = { .kind = JOURNAL_STATE, .state.robots = HY_PROGRAM_ROBOTS };
    memset(event.text, 'x', JOURNAL_TEXT_MAX - 1);
    for (size_t i = 0; i < HY_PROGRAM_ROBOTS; i++) {
        memset(event.address[i], 'y', JOURNAL_TEXT_MAX - 1);
    }
    uint8_t bytes[JOURNAL_EVENT_MAX];
    uint64_t number;
    journal_event read;
    const size_t size = journal_event_write(&event, UINT64_MAX, bytes);
    assert_true(journal_event_read((hy_bytes){ bytes, size }, &number, &read));
    assert_string_equal(read.address[3], event.address[3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_equal_to_itself),
        cmocka_unit_test(a_cut_file_is_run_up_to_its_end),
        cmocka_unit_test(an_altered_input_is_named_with_its_offset),
        cmocka_unit_test(another_version_and_any_flipped_byte_are_survived),
        cmocka_unit_test(events_are_read_as_they_were_written),
        cmocka_unit_test(the_longest_texts_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
