// A match of ten minutes, in short runs of 20 s, all six robots and two boards driven in every step: recorded, run again with every hash
// equal, and one altered byte of an input found at its step.
//
//   test_long_match FILE SECONDS [robots]    only records such a match, for measurements; robots: without boards
#include <halyard/record_replay.h>
#include <halyard/record_sim.h>
#include <halyard/telemetry_wpilog.h>
#include <halyard/wire_teensy.h>
#include <halyard/wire_xrp.h>
#include <halyard/worldfile.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "environment.h"
#include "match_with_guests.h"

#define PLAYERS      6
#define BOARDS       2
#define STEP_US      10000
#define CHANGE_STEPS 40 // after so many steps the players choose other speeds
#define INPUT_NAME   "/Halyard/Replay/PackedInput"

static size_t board_count = BOARDS;

// --------------------------------------------------------------------------- the match

// What drives it.
typedef struct {
    hy_chance chance;
    hy_commander commander[BOARDS];
    hy_sim_command commands[PLAYERS];
    hy_wire_datagram bytes[2 * BOARDS];
    hy_sim_datagram datagrams[2 * BOARDS];
} driver;

static double choose(driver *self)
{
    return hy_chance_unit(&self->chance) * 2 - 0.8; // forwards more often than back
}

static void choose_all(driver *self, unsigned step)
{
    for (unsigned i = 0; i < PLAYERS && step % CHANGE_STEPS == 0; i++) {
        hy_match_commands *const commands = &self->commands[i].commands;
        *commands = (hy_match_commands){ .left_drive = choose(self), .right_drive = choose(self) };
        commands->intake_center = 1.0;
        commands->timer_start_stop = step == CHANGE_STEPS && i == 0; // starts the match
    }
    for (unsigned board = 0; board < board_count && step % CHANGE_STEPS == 0; board++) {
        hy_wire_command *const command = &self->commander[board].command;
        command->motors = 3;
        command->motor[0] = (float)choose(self);
        command->motor[1] = (float)choose(self);
    }
}

static hy_sim_input next_input(driver *self, unsigned step)
{
    const int64_t now_us = (int64_t)(step + 1) * STEP_US;
    choose_all(self, step);
    size_t count = 0;
    for (unsigned i = 0; i < PLAYERS; i++) {
        self->commands[i].player = i + 1;
        self->commands[i].at_us = now_us - 1;
    }
    for (unsigned board = 0; board < board_count; board++) {
        (void)hy_commander_enable(&self->commander[board]);
        const unsigned written =
            hy_commander_write(&self->commander[board], now_us - 1, &self->bytes[count]);
        for (unsigned i = 0; i < written; i++, count++) {
            self->datagrams[count] =
                (hy_sim_datagram){ .board = board,
                                   .peer = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 }, .port = 5800 },
                                   .at_us = now_us - 1,
                                   .bytes = { self->bytes[count].data, self->bytes[count].size } };
        }
    }
    return (hy_sim_input){ .now_us = now_us,
                           .world_steps = 1,
                           .commands = self->commands,
                           .command_count = PLAYERS,
                           .datagrams = self->datagrams,
                           .datagram_count = count };
}

static void drive(hy_sim *sim, hy_sim_record *recording, double seconds)
{
    driver *const self = calloc(1, sizeof *self);
    assert_non_null(self);
    self->chance = hy_chance_seeded(8);
    hy_commander_start(&self->commander[0], &hy_dialect_xrp);
    hy_commander_start(&self->commander[1], &hy_dialect_teensy);
    for (unsigned step = 0; (double)step * STEP_US < seconds * 1e6; step++) {
        const hy_sim_input input = next_input(self, step);
        hy_sim_step(sim, &input);
        for (hy_sim_datagram unread; hy_sim_next_datagram(sim, &unread);) {
        }
        hy_sim_record_step(recording, sim);
    }
    free(self);
}

static void record_match(const char *path, double seconds)
{
    hy_match_model *const model = load_match_with_guests();
    assert_int_equal(hy_match_players(model), PLAYERS);
    const hy_sim_board boards[] = { { hy_match_guest(model, 0), { .kind = &hy_board_xrp_beta } },
                                    { hy_match_guest(model, 1), { .kind = &hy_board_teensy } } };
    const hy_sim_setup setup = {
        .match = model, .boards = boards, .board_count = board_count, .seed = 3, .match_s = seconds
    };
    const hy_record_options options = { .path = path, .overwrite = true, .waits = true };
    static hy_sim_record recording;
    hy_record_error why = { "" };
    hy_world_error error;
    hy_sim *sim = NULL;
    assert_int_equal(hy_sim_start(&setup, &sim, &error), HY_OK);
    if (hy_sim_record_start(&recording, &options, sim, &why) != HY_OK) {
        fail_msg("%s", why.text);
    }
    hy_sim_watch(sim, hy_sim_record_input, &recording);
    drive(sim, &recording, seconds);
    if (hy_sim_record_end(&recording, &why) != HY_OK) {
        fail_msg("%s", why.text);
    }
    hy_sim_end(sim);
    hy_match_free(model);
}

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
    assert_int_equal(hy_wpilog_reader_start(&reader, file), HY_OK);
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
    record_match(path, (double)seconds);
    size_t size = 0, input_size = 0;
    uint8_t *const bytes = map_file(path, &size);
    (void)unlink(path);
    hy_replay_report report;
    hy_replay_verify((hy_bytes){ bytes, size }, &report);
    if (report.result != HY_REPLAY_EQUAL) {
        fail_msg("%s", report.text);
    }
    assert_int_equal(report.steps, seconds * (1000000 / STEP_US));
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

int main(int argc, char **argv)
{
    if (argc >= 3) {
        board_count = argc > 3 && strcmp(argv[3], "robots") == 0 ? 0 : BOARDS;
        record_match(argv[1], strtod(argv[2], NULL));
        return 0;
    }
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_long_match_is_verified_to_the_bit) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
