// A match of ten minutes, in short runs of 20 s, all six robots and two boards driven in every step: recorded, run again with every hash
// equal, and one altered byte of an input found at its step.
#include <halyard/replay.h>
#include <halyard/telemetry.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "environment.h"
#include "long_match.h"
#include "match_with_extra_vehicles.h"
#include "record/record_sim.h"

#define INPUT_NAME "/Halyard/Replay/PackedInput"

// --------------------------------------------------------------------------- the file

static uint8_t *map_file(const char *path, size_t *size)
{
    struct stat facts = { .st_size = 0 };
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0 && fstat(file, &facts) == 0);
    *size = (size_t)facts.st_size;
    uint8_t *const bytes = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    assert_ptr_not_equal(bytes, MAP_FAILED);
    (void)close(file);
    return bytes;
}

// The payload of the input that makes step `step`, from 1: every input makes one.
static uint8_t *input_of_step(hy_bytes file, uint64_t step, size_t *size)
{
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    uint32_t entry = 0;
    assert_int_equal(hy_wpilog_reader_init(&reader, file), HY_OK);
    while (hy_wpilog_next(&reader, &record)) {
        if (record.kind == HY_WPILOG_START && record.name.size == strlen(INPUT_NAME) &&
            memcmp(record.name.data, INPUT_NAME, record.name.size) == 0) {
            entry = record.entry;
        } else if (record.kind == HY_WPILOG_VALUE && record.entry == entry && --step == 0) {
            *size = record.value.size;
            return (uint8_t *)(uintptr_t)record.value.data;
        }
    }
    fail_msg("the recording has no such step");
    return NULL;
}

static void a_long_match_is_verified_to_the_bit(void **state)
{
    (void)state;
    const uint64_t seconds = is_long_run() ? 600 : 20;
    char path[] = "/tmp/halyard-long-match-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    (void)close(file);
    hy_match_model *const model = load_match_with_extra_vehicles();
    assert_int_equal(hy_match_players(model), LONG_MATCH_PLAYERS);
    assert_true(record_long_match(model, path, (double)seconds, LONG_MATCH_BOARDS));
    hy_match_free(model);
    size_t size = 0, input_size = 0;
    uint8_t *const bytes = map_file(path, &size);
    (void)unlink(path);
    hy_replay_report report;
    hy_replay_verify((hy_bytes){ bytes, size }, &report);
    if (report.result != HY_REPLAY_EQUAL) {
        fail_msg("%s", report.text);
    }
    assert_int_equal(report.steps, seconds * (1000000 / LONG_MATCH_STEP_US));
    assert_int_equal(report.inputs, report.steps);
    assert_int_equal(report.hashes, seconds * 2 + 1);
    assert_false(report.is_partial);
    const uint64_t altered = report.steps / 3;
    uint8_t *const input = input_of_step((hy_bytes){ bytes, size }, altered, &input_size);
    input[input_size / 2] ^= 4;
    hy_replay_verify((hy_bytes){ bytes, size }, &report);
    assert_int_equal(report.result, HY_REPLAY_DIFFERS);
    assert_int_equal(report.differing_step, altered);
    (void)munmap(bytes, size);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_long_match_is_verified_to_the_bit) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
