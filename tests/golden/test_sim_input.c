// The byte form of a simulator's input: bytes on file, each refused where it is cut or malformed. SPEC sim.
#include <halyard/sim.h>

#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"

#define BYTES_MAX 1024

// --------------------------------------------------------------------------- the input on file

static const uint8_t probe[] = { 0x2a };
static const hy_sim_datagram datagrams[] = {
    { .board = 0,
      .peer = { .ip = { HY_IPV4_PREFIX, 192, 168, 42, 9 }, .port = 5800 },
      .at_us = 999999,
      .bytes = { probe, sizeof probe } },
    { .board = 1, .peer = { .ip = { 0xfe, 0x80, [15] = 1 }, .scope = 3, .port = 65535 }, .at_us = -1 },
};
static const hy_sim_command commands[] = {
    { 1, 999998, { 1, -1, 0.5, 0, 0x1p-9, -0x1p-9, true, false, true } },
};
static const hy_sim_reset resets[] = { { 0 }, { HY_SIM_RESET_ALL } };
static const hy_sim_button buttons[] = { { 2, true } };
static const hy_sim_power_cycle power_cycles[] = { { 1 } };
static const hy_sim_placement placements[] = { { 63, 1.5, -0.25, 0, 1, 0, -2 } };
static const double lidar_noises_m[] = { 0.01 };
static const hy_sim_board_change board_changes[] = { { 0, HY_ENCODER_SHORT, true } };

static const hy_sim_input everything = {
    .now_us = 1000000,
    .world_steps = 1,
    .datagrams = datagrams,
    .datagram_count = 2,
    .commands = commands,
    .command_count = 1,
    .resets = resets,
    .reset_count = 2,
    .buttons = buttons,
    .button_count = 1,
    .power_cycles = power_cycles,
    .power_cycle_count = 1,
    .placements = placements,
    .placement_count = 1,
    .lidar_noises_m = lidar_noises_m,
    .lidar_noise_count = 1,
    .board_changes = board_changes,
    .board_change_count = 1,
};

// clang-format off
static const uint8_t everything_bytes[] = {
    2, 0,                                             // version
    1,                                                // one step of the world
    0xff,                                             // all eight lists
    0x40, 0x42, 0x0f, 0, 0, 0, 0, 0,                  // now: 1,000,000 us
    2,                                                // datagrams
      0,                                              //   to board 0
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 168, 42, 9,
      0, 0, 0, 0, 0xa8, 0x16,                         //   no scope, port 5800
      0x3f, 0x42, 0x0f, 0, 0, 0, 0, 0,                //   a microsecond before
      1, 0, 0x2a,                                     //   one byte: a probe
      1,                                              //   to board 1
      0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
      3, 0, 0, 0, 0xff, 0xff,                         //   interface 3, port 65535
      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, //   before the start
      0, 0,                                           //   empty
    1,                                                // commands
      1,                                              //   of player 1
      0x3e, 0x42, 0x0f, 0, 0, 0, 0, 0,                //   two microseconds before
      0, 0, 0, 0, 0, 0, 0xf0, 0x3f,                   //   1
      0, 0, 0, 0, 0, 0, 0xf0, 0xbf,                   //   -1
      0, 0, 0, 0, 0, 0, 0xe0, 0x3f,                   //   0.5
      0, 0, 0, 0, 0, 0, 0, 0,                         //   0
      0, 0, 0, 0, 0, 0, 0x60, 0x3f,                   //   1/512
      0, 0, 0, 0, 0, 0, 0x60, 0xbf,                   //   -1/512
      1, 0, 1,                                        //   timer, no reset, outtake
    2, 0, 0xff,                                       // resets: vehicle 0, everything
    1, 2, 1,                                          // buttons: vehicle 2, pressed
    1, 1,                                             // switched off and on: board 1
    1,                                                // placed pieces
      63,
      0, 0, 0, 0, 0, 0, 0xf8, 0x3f,                   //   x 1.5 m
      0, 0, 0, 0, 0, 0, 0xd0, 0xbf,                   //   y -0.25 m
      0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0xf0, 0x3f,                   //   vx 1 m/s
      0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0xc0,                      //   vz -2 m/s
    1, 0x7b, 0x14, 0xae, 0x47, 0xe1, 0x7a, 0x84, 0x3f, // lidar noise: 0.01 m
    1, 0, 1, 1,                                       // changed: board 0, short encoder block, defects
};
static const uint8_t pushed_bytes[] = {
    3, 0,                      // version
    1,                         // one step of the world
    8, 1,                      // buttons and pushes
    0x40, 0x42, 0x0f, 0, 0, 0, 0, 0,
    1, 2, 1,                   // buttons: vehicle 2, pressed
    2, 0, 7,                   // pushes: vehicles 0 and 7
};
static const uint8_t refused_bytes[] = {
    3, 0,                      // version
    0,                         // no step of the world
    0, 2,                      // what boards only count
    0x40, 0x42, 0x0f, 0, 0, 0, 0, 0,
    1, 1,                      // board 1
    0x34, 0x12, 0, 0, 0, 0, 0, 0, // 4,660 of strangers
    0, 0, 0, 0, 1, 0, 0, 0,    // 2^32 too short ones
};
static const uint8_t empty_bytes[] = {
    2, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0x20, 0, // now: 2^53 us
};
// clang-format on

// --------------------------------------------------------------------------- both ways

static void assert_bytes(const uint8_t *is, size_t is_size, const uint8_t *should, size_t size)
{
    for (size_t i = 0; i < size && i < is_size; i++) {
        if (is[i] != should[i]) {
            fail_msg("byte %zu is 0x%02x, not 0x%02x", i, is[i], should[i]);
        }
    }
    assert_int_equal(is_size, size);
}

static const hy_sim_push pushes[] = { { 0 }, { 7 } };
static const hy_sim_input pushed = {
    .now_us = 1000000,
    .world_steps = 1,
    .buttons = buttons,
    .button_count = 1,
    .pushes = pushes,
    .push_count = 2,
};

static void check_both_ways(const hy_sim_input *input, const uint8_t *bytes, size_t size)
{
    uint8_t written[BYTES_MAX];
    const size_t written_size = hy_sim_input_write(input, (hy_room){ written, sizeof written });
    assert_bytes(written, written_size, bytes, size);
    static hy_sim_lists lists;
    hy_sim_input read;
    size_t read_size = 0;
    assert_int_equal(hy_sim_input_read((hy_bytes){ bytes, size }, &lists, &read, &read_size), HY_OK);
    assert_int_equal(read_size, size);
    memset(written, 0x5a, sizeof written);
    assert_bytes(written, hy_sim_input_write(&read, (hy_room){ written, size }), bytes, size);
    assert_int_equal(written[size], 0x5a); // behind the room
}

static void test_bytes_on_file(void **state)
{
    (void)state;
    check_both_ways(&everything, everything_bytes, sizeof everything_bytes);
    check_both_ways(&pushed, pushed_bytes, sizeof pushed_bytes);
    const hy_sim_refusal refusal = { 1, { .strangers = 0x1234, .too_short = UINT64_C(1) << 32 } };
    check_both_ways(&(hy_sim_input){ .now_us = 1000000, .refusals = &refusal, .refusal_count = 1 },
                    refused_bytes, sizeof refused_bytes);
    const hy_sim_input empty = { .now_us = HY_SIM_TIME_MAX_US };
    check_both_ways(&empty, empty_bytes, sizeof empty_bytes);
    static const uint8_t nothing_bytes[12] = { 2 }; // at the start
    check_both_ways(&(hy_sim_input){ .now_us = 0 }, nothing_bytes, sizeof nothing_bytes);
}

static void test_what_is_read(void **state)
{
    (void)state;
    static hy_sim_lists lists;
    hy_sim_input in;
    size_t size;
    const hy_bytes bytes = { everything_bytes, sizeof everything_bytes };
    assert_int_equal(hy_sim_input_read(bytes, &lists, &in, &size), HY_OK);
    assert_int_equal(in.now_us, 1000000);
    assert_int_equal(in.world_steps, 1);
    assert_int_equal(in.datagram_count, 2);
    assert_int_equal(in.datagrams[1].board, 1);
    assert_int_equal(in.datagrams[1].peer.scope, 3);
    assert_int_equal(in.datagrams[1].at_us, -1);
    assert_true(hy_endpoint_equal(&in.datagrams[0].peer, &datagrams[0].peer));
    assert_int_equal(in.datagrams[0].bytes.size, 1);
    assert_int_equal(in.datagrams[0].bytes.data[0], 0x2a);
    assert_true(in.datagrams[0].bytes.data > everything_bytes); // borrowed, not copied
    assert_true(in.commands[0].commands.intake_center == 0.5);
    assert_true(in.commands[0].commands.outtake && !in.commands[0].commands.reset);
    assert_true(in.resets[1].vehicle == HY_SIM_RESET_ALL);
    assert_int_equal(in.power_cycle_count, 1);
    assert_true(in.placements[0].vz_m_s < -1.9 && in.placements[0].piece == 63);
    assert_true(in.board_changes[0].stock_bugs);
}

// --------------------------------------------------------------------------- refusals

static bool is_refused(const uint8_t *bytes, size_t size)
{
    static hy_sim_lists lists;
    hy_sim_input in = { .now_us = 77 };
    size_t used = 99;
    const hy_status status = hy_sim_input_read((hy_bytes){ bytes, size }, &lists, &in, &used);
    assert_true(status == HY_OK || (status == HY_EFORMAT && in.now_us == 77 && used == 99));
    return status != HY_OK;
}

static void test_every_prefix_is_refused(void **state)
{
    (void)state;
    uint8_t room[sizeof everything_bytes];
    for (size_t size = 0; size < sizeof everything_bytes; size++) {
        if (!is_refused(everything_bytes, size)) {
            fail_msg("%zu bytes of %zu are accepted", size, sizeof everything_bytes);
        }
        assert_int_equal(hy_sim_input_write(&everything, (hy_room){ room, size }), 0);
    }
    assert_false(is_refused(everything_bytes, sizeof everything_bytes));
}

static void test_values_out_of_range_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint8_t value;
        const char *what;
    } cases[] = {
        { 0, 1, "version 1" },
        { 1, 1, "version 258" },
        { 2, 2, "two steps" },
        { 10, 0x21, "a time beyond the last one" },
        { 11, 0x80, "a time before the start" },
        { 12, 0, "no datagrams in their list" },
        { 12, 65, "too many datagrams" },
        { 139, 2, "a bool of 2" },
        { sizeof everything_bytes - 2, 2, "no encoder block" },
        { sizeof everything_bytes - 1, 2, "a bool of 2 at the end" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[sizeof everything_bytes];
        memcpy(bytes, everything_bytes, sizeof bytes);
        assert_int_not_equal(bytes[cases[i].at], cases[i].value);
        bytes[cases[i].at] = cases[i].value;
        if (!is_refused(bytes, sizeof bytes)) {
            fail_msg("accepted: %s", cases[i].what);
        }
    }
}

// Each input has one byte form: the list of version 3 is in no other version, and version 3 has it.
static void test_pushes_need_version_3(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof pushed_bytes; size++) {
        assert_true(is_refused(pushed_bytes, size));
    }
    assert_false(is_refused(pushed_bytes, sizeof pushed_bytes));
    static const struct {
        size_t at;
        uint8_t value;
    } cases[] = { { 0, 2 }, { 0, 4 }, { 1, 1 }, { 4, 0 }, { 4, 3 }, { 4, 2 }, { 16, 0 }, { 16, 65 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[sizeof pushed_bytes];
        memcpy(bytes, pushed_bytes, sizeof bytes);
        bytes[cases[i].at] = cases[i].value;
        if (!is_refused(bytes, sizeof bytes)) {
            fail_msg("accepted: %u at byte %zu", cases[i].value, cases[i].at);
        }
    }
}

// What fuzz/fuzz_sim_input.c begins with.
static void test_seeds_of_the_fuzzer_are_these(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s/../fuzz/corpus/fuzz_sim_input/everything", HALYARD_TEST_DATA);
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t bytes[BYTES_MAX];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_bytes(bytes, size, everything_bytes, sizeof everything_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_on_file),
        cmocka_unit_test(test_what_is_read),
        cmocka_unit_test(test_every_prefix_is_refused),
        cmocka_unit_test(test_values_out_of_range_are_refused),
        cmocka_unit_test(test_pushes_need_version_3),
        cmocka_unit_test(test_seeds_of_the_fuzzer_are_these),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
