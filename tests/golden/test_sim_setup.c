// The byte form of a simulation's setup: bytes on file with every kind of fault, each refused where it is cut or out of range. SPEC sim 4.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "sim/sim_setup.h"

// --------------------------------------------------------------------------- the setup on file

// Doubles whose last six bytes are 0, and numbers below 256.
#define F64(seventh, eighth) 0, 0, 0, 0, 0, 0, seventh, eighth
#define I64(lowest)          lowest, 0, 0, 0, 0, 0, 0, 0
#define DAY                  0x00, 0x60, 0xd7, 0x1d, 0x14, 0, 0, 0

static const hy_faults_spec faults = {
    .to_robot = { 0.5, 0.25, 2, 11, 12, 0.75, 1, 0.125, 0.0625, 1 },
    .from_robot = { .loss = 1 },
    .outage = { { 21, 22, 23 }, { 24, 25, 0 } },
    .outage_count = 2,
    .reboot_us = { INT64_C(86400000000) },
    .reboot_count = 1,
    .clock_jump_us = 31,
    .clock_jump_at_us = 32,
    .has_start_number = true,
    .start_number = 0xfffe,
    .dead_encoders = 3,
    .slipping_wheels = 0x81,
    .stuck_sensors = 15,
    .seed = UINT64_C(0xffffffffffffffff),
};
static const hy_sim_board board = {
    .options = { .kind = &hy_board_xrp, .encoder_format = HY_ENCODER_SHORT, .stock_bugs = true }
};

// clang-format off
static const uint8_t head_bytes[] = {
    'H', 'Y', 'S', 'S',
    1, 0,                           // version
    2,                              // no match, faults
    0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01, // seed
    F64(0xe0, 0x3f),                // lidar noise: 0.5 m
    F64(0x3e, 0x40),                // a match of 30 s
    F64(0, 0), F64(0, 0),           // no field
    1,                              // one board
      0,                            //   in vehicle 0
      3, 'x', 'r', 'p',
      4, 'p', 'r', 'o', 'd',
      1, 1,                         //   short encoder block, defects
    // To the robot:
      F64(0xe0, 0x3f), F64(0xd0, 0x3f), F64(0x00, 0x40), // loss, bursts of 2
      I64(11), I64(12),             //   delay and jitter
      F64(0xe8, 0x3f), F64(0xf0, 0x3f), F64(0xc0, 0x3f), F64(0xb0, 0x3f), // duplicate to truncate
      F64(0xf0, 0x3f),              //   a byte a second
    // From the robot:
      F64(0xf0, 0x3f), F64(0, 0), F64(0, 0), I64(0), I64(0), F64(0, 0), F64(0, 0), F64(0, 0), F64(0, 0), F64(0, 0),
    2,                              // outages
      I64(21), I64(22), I64(23),
      I64(24), I64(25), I64(0),
    1,                              // reboots
      DAY,
    I64(31), I64(32),               // the clock's jump
    1, 0xfe, 0xff,                  // first number
    3, 0x81, 15,                    // encoders, wheels, sensors
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, // seed of the faults
};
// clang-format on

enum {
    NOISE_AT = 15,
    MATCH_S_AT = 23,
    MIDDLE_AT = 31,
    BOARDS_AT = 47,
    TYPE_AT = 49,
    FORMAT_AT = 58,
    TO_ROBOT_AT = 60,
    FROM_ROBOT_AT = 140,
    OUTAGES_AT = 220,
    REBOOTS_AT = 269,
    CLOCK_AT = 278,
    HAS_START_AT = 294,
    STUCK_AT = 299,
    HEAD_SIZE = sizeof head_bytes,
};

// Big enough for a world with one robot.
typedef struct {
    uint8_t bytes[4096];
    size_t size;
} file_bytes;

static hy_world_model *room_with_an_xrp(void)
{
    hy_world_model *model;
    hy_world_spec spec;
    hy_world_error error = { "" };
    hy_world_spec_init(&spec);
    memcpy(spec.name, "room", sizeof "room");
    spec.width_m = spec.height_m = 2;
    hy_vehicle_spec *const xrp = hy_world_spec_add_vehicle(&spec, "xrp");
    xrp->start_x_m = xrp->start_y_m = 1;
    if (hy_world_compile(&spec, &model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_world_spec_free(&spec);
    return model;
}

static file_bytes write_setup(const hy_sim_setup *setup)
{
    static file_bytes out;
    out.size = hy_sim_setup_write(setup, (hy_room){ out.bytes, sizeof out.bytes });
    assert_in_range(out.size, 1, sizeof out.bytes);
    return out;
}

static file_bytes setup_on_file(void)
{
    hy_world_model *const model = room_with_an_xrp();
    const file_bytes out = write_setup(&(hy_sim_setup){ .world = model,
                                                        .boards = &board,
                                                        .board_count = 1,
                                                        .seed = UINT64_C(0x123456789abcdef),
                                                        .faults = &faults,
                                                        .lidar_noise_m = 0.5,
                                                        .match_s = 30 });
    const hy_bytes world = hy_world_spec_bytes(model);
    assert_int_equal(out.size, HEAD_SIZE + world.size);
    assert_memory_equal(out.bytes + HEAD_SIZE, world.data, world.size);
    hy_world_free(model);
    return out;
}

// From a copy of just these bytes, so that reading beyond them is found.
static bool is_accepted(const uint8_t *bytes, size_t size)
{
    hy_sim_stored stored;
    hy_world_error error = { "" };
    uint8_t *const copy = malloc(size > 0 ? size : 1);
    memcpy(copy, bytes, size);
    const hy_status status = hy_sim_stored_read(&stored, (hy_bytes){ copy, size }, &error);
    free(copy);
    assert_true(status == HY_OK || error.text[0] != '\0');
    hy_sim_stored_free(&stored);
    return status == HY_OK;
}

// --------------------------------------------------------------------------- tests

static void it_has_these_bytes(void **state)
{
    (void)state;
    const file_bytes file = setup_on_file();
    for (size_t i = 0; i < HEAD_SIZE; i++) {
        if (file.bytes[i] != head_bytes[i]) {
            fail_msg("byte %zu is 0x%02x, not 0x%02x", i, file.bytes[i], head_bytes[i]);
        }
    }
    hy_sim_stored stored;
    hy_world_error error = { "" };
    assert_int_equal(hy_sim_stored_read(&stored, (hy_bytes){ file.bytes, file.size }, &error), HY_OK);
    assert_ptr_equal(stored.setup.boards[0].options.kind, &hy_board_xrp);
    assert_int_equal(stored.setup.faults->reboot_us[0], faults.reboot_us[0]);
    const file_bytes again = write_setup(&stored.setup);
    assert_int_equal(again.size, file.size);
    assert_memory_equal(again.bytes, file.bytes, file.size);
    hy_sim_stored_free(&stored);
    assert_null(stored.setup.world);
}

static void a_room_that_is_too_small_is_told_its_size(void **state)
{
    (void)state;
    hy_world_model *const model = room_with_an_xrp();
    const hy_sim_setup setup = { .world = model };
    uint8_t bytes[1024] = { 0 };
    const size_t size = hy_sim_setup_write(&setup, (hy_room){ bytes, 0 });
    assert_in_range(size, BOARDS_AT + 1, sizeof bytes);
    assert_int_equal(hy_sim_setup_write(&setup, (hy_room){ bytes, size }), size);
    assert_true(is_accepted(bytes, size));
    assert_int_equal(bytes[6], 0); // no match, no faults
    hy_world_free(model);
}

static void what_has_no_byte_form_is_not_written(void **state)
{
    (void)state;
    hy_world_model *const model = room_with_an_xrp();
    uint8_t bytes[4096];
    const hy_room room = { bytes, sizeof bytes };
    const hy_faults_spec impossible = { .to_robot.loss = 2 };
    hy_sim_setup setup = { .world = model, .faults = &impossible };
    assert_int_equal(hy_sim_setup_write(&setup, room), 0);
    const hy_sim_board of_no_type = { .options.kind = NULL };
    setup = (hy_sim_setup){ .world = model, .boards = &of_no_type, .board_count = 1 };
    assert_int_equal(hy_sim_setup_write(&setup, room), 0);
    hy_world_free(model);
}

static void an_unknown_robot_is_named(void **state)
{
    (void)state;
    file_bytes file = setup_on_file();
    hy_sim_stored stored;
    hy_world_error error = { "" };
    static const hy_sim_stored nothing;
    memset(&stored, 0xff, sizeof stored);
    file.bytes[TYPE_AT + 1] = 'y';
    assert_int_equal(hy_sim_stored_read(&stored, (hy_bytes){ file.bytes, file.size }, &error),
                     HY_EFORMAT);
    assert_string_equal(error.text, "this program knows no robot 'yrp' with the hardware 'prod'");
    assert_memory_equal(&stored, &nothing, sizeof stored);
    file.bytes[TYPE_AT + 1] = 'x';
    file.bytes[TYPE_AT] = 4; // "xrp" and a 0 behind it
    memmove(file.bytes + TYPE_AT + 5, file.bytes + TYPE_AT + 4, file.size - TYPE_AT - 4);
    file.bytes[TYPE_AT + 4] = 0;
    assert_false(is_accepted(file.bytes, file.size + 1));
}

static void every_prefix_is_refused(void **state)
{
    (void)state;
    const file_bytes file = setup_on_file();
    for (size_t size = 0; size < file.size; size++) {
        if (is_accepted(file.bytes, size)) {
            fail_msg("%zu bytes of %zu are accepted", size, file.size);
        }
    }
    assert_true(is_accepted(file.bytes, file.size));
}

static void values_out_of_range_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint8_t good, bad;
        const char *what;
    } rows[] = {
        { 0, 'H', 'h', "another magic" },
        { 3, 'S', 'T', "another magic" },
        { 4, 1, 2, "version 2" },
        { 5, 0, 1, "version 257" },
        { 6, 2, 4, "an unknown flag" },
        { BOARDS_AT, 1, 9, "nine boards" },
        { TYPE_AT, 3, 32, "a name of 32 bytes" },
        { TYPE_AT + 1, 'x', 0, "a name with a 0" },
        { TYPE_AT + 1, 'x', 'y', "an unknown robot" },
        { TYPE_AT + 5, 'p', 'q', "unknown hardware" },
        { FORMAT_AT, 0, 2, "an unknown encoder block" },
        { FORMAT_AT + 1, 0, 2, "a bool of 2" },
        { OUTAGES_AT, 2, 9, "nine outages" },
        { REBOOTS_AT, 1, 9, "nine reboots" },
        { HAS_START_AT, 0, 2, "a bool of 2" },
        { STUCK_AT, 15, 16, "an unknown sensor" },
        { HEAD_SIZE, 0, 0xff, "another world" },
    };
    const file_bytes file = setup_on_file();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        file_bytes changed = file;
        changed.bytes[rows[i].at] = rows[i].bad;
        if (is_accepted(changed.bytes, changed.size)) {
            fail_msg("accepted: %s", rows[i].what);
        }
        changed.bytes[rows[i].at] = rows[i].good;
        if (rows[i].at != HEAD_SIZE && !is_accepted(changed.bytes, changed.size)) {
            fail_msg("refused without %s", rows[i].what);
        }
    }
}

static bool is_accepted_with(const file_bytes *file, size_t at, const void *value)
{
    file_bytes changed = *file;
    memcpy(changed.bytes + at, value, 8);
    return is_accepted(changed.bytes, changed.size);
}

static void numbers_have_their_ranges(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        double low, high;
    } rows[] = {
        { NOISE_AT, 0, 1e9 },
        { MATCH_S_AT, 0, 1e9 },
        { MIDDLE_AT, -1e9, 1e9 },
        { MIDDLE_AT + 8, -1e9, 1e9 },
        { TO_ROBOT_AT, 0, 1 },     // loss
        { TO_ROBOT_AT + 8, 0, 1 }, // burst
        { TO_ROBOT_AT + 16, 0, 1e15 },
        { TO_ROBOT_AT + 40, 0, 1 },   // duplicate
        { TO_ROBOT_AT + 48, 0, 1 },   // reorder
        { FROM_ROBOT_AT + 56, 0, 1 }, // corrupt
        { FROM_ROBOT_AT + 64, 0, 1 }, // truncate
        { FROM_ROBOT_AT + 72, 1, 1e15 },
    };
    const file_bytes file = setup_on_file();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const double good[] = { rows[i].low, rows[i].high };
        const double bad[] = { nextafter(rows[i].low, -HUGE_VAL), nextafter(rows[i].high, HUGE_VAL),
                               (double)NAN };
        for (size_t k = 0; k < 2; k++) {
            if (!is_accepted_with(&file, rows[i].at, &good[k])) {
                fail_msg("refused at byte %zu: %g", rows[i].at, good[k]);
            }
        }
        for (size_t k = 0; k < 3; k++) {
            if (is_accepted_with(&file, rows[i].at, &bad[k])) {
                fail_msg("accepted at byte %zu: %g", rows[i].at, bad[k]);
            }
        }
    }
    const double no_limit = 0;
    assert_true(is_accepted_with(&file, FROM_ROBOT_AT + 72, &no_limit));
}

static void times_are_within_a_day(void **state)
{
    (void)state;
    static const size_t times[] = { TO_ROBOT_AT + 24, FROM_ROBOT_AT + 32, OUTAGES_AT + 1,
                                    OUTAGES_AT + 33,  OUTAGES_AT + 17,    REBOOTS_AT + 1,
                                    CLOCK_AT,         CLOCK_AT + 8 };
    static const int64_t day_us = INT64_C(86400000000);
    const int64_t rows[] = { 0, day_us, -1, day_us + 1 };
    const file_bytes file = setup_on_file();
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        for (size_t k = 0; k < 4; k++) {
            if (is_accepted_with(&file, times[i], &rows[k]) != (k < 2)) {
                fail_msg("byte %zu: %lld us", times[i], (long long)rows[k]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_these_bytes),
        cmocka_unit_test(a_room_that_is_too_small_is_told_its_size),
        cmocka_unit_test(what_has_no_byte_form_is_not_written),
        cmocka_unit_test(an_unknown_robot_is_named),
        cmocka_unit_test(every_prefix_is_refused),
        cmocka_unit_test(values_out_of_range_are_refused),
        cmocka_unit_test(numbers_have_their_ranges),
        cmocka_unit_test(times_are_within_a_day),
    };
    return cmocka_run_group_tests_name("sim setup", tests, NULL, NULL);
}
