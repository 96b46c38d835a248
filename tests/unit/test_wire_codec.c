// What the structs add to the blocks: ranges, masks, duplicates, what is skipped and counted.
#include <halyard/wire.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"

#define BYTES(...) \
    ((hy_bytes){ (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }) })

static float float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define NAN_FLOAT float_from_bits(0x7FC00000)
#define INF_FLOAT float_from_bits(0x7F800000)

// --------------------------------------------------------------------------- encoding a command

// clang-format off
static void efforts_are_limited_and_nan_stands_still(void **state)
{
    (void)state;
    const struct { float effort; uint8_t bytes[4]; } cases[] = {
        { 0.5F,                        { 0x3f, 0x00, 0, 0 } },
        { 1.0F,                        { 0x3f, 0x80, 0, 0 } },
        { float_from_bits(0x3F800001), { 0x3f, 0x80, 0, 0 } }, // the next one above 1
        { -1.5F,                       { 0xbf, 0x80, 0, 0 } },
        { INF_FLOAT,                   { 0x3f, 0x80, 0, 0 } },
        { -INF_FLOAT,                  { 0xbf, 0x80, 0, 0 } },
        { NAN_FLOAT,                   { 0, 0, 0, 0 } },
        { float_from_bits(0xFF800001), { 0, 0, 0, 0 } },       // a negative signalling NaN
        { -0.0F,                       { 0x80, 0, 0, 0 } },
        { float_from_bits(1),          { 0, 0, 0, 1 } },       // the smallest number
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const hy_wire_command command = { .seq = 7, .control = 1, .motors = 2, .motor = { [1] = cases[i].effort } };
        uint8_t room[HY_WIRE_COMMAND_MAX];
        assert_int_equal(hy_xrp_command_encode(&command, (hy_room){ room, sizeof room }), 10);
        const uint8_t head[] = { 0, 7, 1, 0x06, 0x12, 1 };
        assert_memory_equal(room, head, sizeof head);
        assert_memory_equal(room + 6, cases[i].bytes, 4);
    }
}

static void positions_are_limited_and_nan_is_not_sent(void **state)
{
    (void)state;
    const struct { float position; size_t size; uint8_t bytes[4]; } cases[] = {
        { 0.25F,      10, { 0x3e, 0x80, 0, 0 } },
        { 1.5F,       10, { 0x3f, 0x80, 0, 0 } },
        { -0.5F,      10, { 0, 0, 0, 0 } },
        { -0.0F,      10, { 0, 0, 0, 0 } },
        { INF_FLOAT,  10, { 0x3f, 0x80, 0, 0 } },
        { -INF_FLOAT, 10, { 0, 0, 0, 0 } },
        { NAN_FLOAT,   3, { 0 } },
        { -NAN_FLOAT,  3, { 0 } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const hy_wire_command command = { .control = 1, .servos = 1, .servo = { cases[i].position } };
        uint8_t room[HY_WIRE_COMMAND_MAX];
        assert_int_equal(hy_xrp_command_encode(&command, (hy_room){ room, sizeof room }), cases[i].size);
        if (cases[i].size == 10) {
            assert_int_equal(room[5], HY_WIRE_SERVO_FIRST_ID);
            assert_memory_equal(room + 6, cases[i].bytes, 4);
        }
    }
}

static void a_command_is_in_wpilibs_order(void **state)
{
    (void)state;
    const hy_wire_command command = {
        .seq = 0x1234, .control = 1, .motors = 0x5, .servos = 0x2, .dios = 0x80000002, .dio_levels = 0x80000000,
        .motor = { 1.0F, 0, -1.0F }, .servo = { 0, 0.5F },
    };
    static const uint8_t wanted[] = {
        0x12, 0x34, 1,
        0x06, 0x12, 0, 0x3f, 0x80, 0, 0,
        0x06, 0x12, 2, 0xbf, 0x80, 0, 0,
        0x06, 0x13, 5, 0x3f, 0x00, 0, 0,
        0x03, 0x14, 1, 0,
        0x03, 0x14, 31, 1,
    };
    uint8_t room[sizeof wanted];
    assert_int_equal(hy_xrp_command_encode(&command, (hy_room){ room, sizeof room }), sizeof wanted);
    assert_memory_equal(room, wanted, sizeof wanted);
}
// clang-format on

static void channels_that_the_dialect_lacks_are_left_out(void **state)
{
    (void)state;
    const hy_wire_command command = { .motors = 0xFF, .servos = 0xFF };
    const hy_wire_status status = { .encoders = 0xFF, .has_accel = true, .has_gyro = true };
    uint8_t room[HY_WIRE_STATUS_MAX];
    const hy_room all = { room, sizeof room };
    assert_int_equal(hy_xrp_command_encode(&command, all), 3 + 4 * 7 + 4 * 7);
    assert_int_equal(hy_teensy_command_encode(&command, all), 3 + 8 * 7);
    assert_int_equal(hy_xrp_status_encode(&status, all), 3 + 4 * 7 + 26 + 14);
    assert_int_equal(hy_teensy_status_encode(&status, all), 3 + 8 * 7 + 26);
}

// The two constants in the header are the sum of everything that any dialect can say.
static void the_longest_packets_have_the_sizes_that_the_header_promises(void **state)
{
    (void)state;
    hy_wire_command command = { .motors = 0xFF, .servos = 0xFF, .dios = UINT32_MAX };
    hy_wire_status status = {
        .encoders = 0xFF, .analogs = 0xFF, .has_gyro = true, .has_accel = true, .dios = UINT32_MAX
    };
    for (int i = 0; i < HY_WIRE_ENCODERS; i++) {
        status.encoder[i].has_period = true;
    }
    static uint8_t room[1000];
    const hy_room all = { room, sizeof room };
    assert_int_equal(hy_xrp_command_encode(&command, all), HY_WIRE_COMMAND_MAX - 4 * 7);
    assert_int_equal(hy_teensy_command_encode(&command, all), HY_WIRE_COMMAND_MAX - 4 * 7);
    assert_int_equal(hy_xrp_status_encode(&status, all), HY_WIRE_STATUS_MAX - 4 * 15);
    assert_int_equal(hy_teensy_status_encode(&status, all), HY_WIRE_STATUS_MAX - 14);
}

static void too_little_room_writes_nothing_past_it_and_returns_0(void **state)
{
    (void)state;
    const hy_wire_command command = { .motors = 0x0F, .servos = 3, .dios = 2 };
    for (size_t size = 0; size <= 49; size++) {
        uint8_t room[64];
        memset(room, 0xEE, sizeof room);
        assert_int_equal(hy_xrp_command_encode(&command, (hy_room){ room, size }),
                         size == 49 ? 49 : 0);
        for (size_t i = size; i < sizeof room; i++) {
            assert_int_equal(room[i], 0xEE);
        }
    }
}

static void a_status_that_has_too_little_room_is_none(void **state)
{
    (void)state;
    static const struct {
        const hy_dialect *dialect;
        size_t size;
    } cases[] = { { &hy_dialect_xrp, 3 + 4 * 15 + 3 * 7 + 26 + 14 + 4 },
                  { &hy_dialect_teensy, 3 + 8 * 15 + 3 * 7 + 26 + 4 } };
    hy_wire_status status = {
        .encoders = 0xFF, .analogs = 0x07, .has_gyro = true, .has_accel = true, .dios = 1
    };
    for (int i = 0; i < HY_WIRE_ENCODERS; i++) {
        status.encoder[i].has_period = true;
    }
    for (size_t i = 0; i < 2; i++) {
        for (size_t size = 0; size <= cases[i].size; size++) {
            uint8_t room[HY_WIRE_STATUS_MAX];
            memset(room, 0xEE, sizeof room);
            assert_int_equal(cases[i].dialect->status_encode(&status, (hy_room){ room, size }),
                             size == cases[i].size ? size : 0);
            for (size_t k = size; k < sizeof room; k++) {
                assert_int_equal(room[k], 0xEE);
            }
        }
    }
}

// --------------------------------------------------------------------------- decoding a command

static void no_header_decodes_to_nothing(void **state)
{
    (void)state;
    const hy_bytes datagrams[] = { { NULL, 0 }, BYTES(0), BYTES(0, 7) };
    for (size_t i = 0; i < 3; i++) {
        hy_wire_command command;
        hy_wire_status status;
        memset(&command, 0xA5, sizeof command);
        memset(&status, 0xA5, sizeof status);
        assert_int_equal(hy_xrp_command_decode(datagrams[i], &command).error, HY_WIRE_NO_HEADER);
        assert_int_equal(hy_xrp_status_decode(datagrams[i], &status).error, HY_WIRE_NO_HEADER);
        assert_int_equal(command.seq | command.control | command.motors, 0);
        assert_int_equal(status.seq | status.control | status.encoders, 0);
    }
}

// The error's offset is that of the size byte that lies; what stood before it counts.
static void a_cut_block_ends_the_decoding_at_its_offset(void **state)
{
    (void)state;
    hy_wire_command command;
    const hy_wire_report report = hy_xrp_command_decode(
        BYTES(0, 7, 1, 0x06, 0x12, 0, 0x3f, 0, 0, 0, 0x06, 0x12, 1, 0x3f, 0x80), &command);
    //                                               ^^^^ 6 bytes promised, 4 there
    assert_int_equal(report.error, HY_WIRE_CUT_BLOCK);
    assert_int_equal(report.error_at, 10);
    assert_int_equal(command.motors, 1);
    assert_true(command.motor[0] == 0.5F);
}

static void later_duplicates_win(void **state)
{
    (void)state;
    hy_wire_command command;
    hy_wire_report report = hy_xrp_command_decode(
        BYTES(0, 7, 1, 0x06, 0x12, 0, 0x3f, 0x80, 0, 0, 0x06, 0x12, 0, 0xbf, 0, 0, 0), &command);
    assert_int_equal(report.error, HY_WIRE_WELL_FORMED);
    assert_true(command.motor[0] == -0.5F);
    report = hy_xrp_command_decode(BYTES(0, 7, 1, 0x03, 0x14, 1, 1, 0x03, 0x14, 1, 0), &command);
    assert_int_equal(command.dios, 2);
    assert_int_equal(command.dio_levels, 0);
    // An encoder that is first told with its period and then without one has none.
    hy_wire_status status;
    report = hy_xrp_status_decode(BYTES(0, 7, 0, 0x0e, 0x18, 0, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 1,
                                        0x06, 0x18, 0, 0, 0, 0, 2),
                                  &status);
    assert_int_equal(report.error, HY_WIRE_WELL_FORMED);
    assert_int_equal(status.encoder[0].count, 2);
    assert_false(status.encoder[0].has_period);
    assert_int_equal(status.encoder[0].period_num, 0);
}

static void only_a_level_of_1_is_high(void **state)
{
    (void)state;
    hy_wire_command command;
    hy_xrp_command_decode(
        BYTES(0, 7, 1, 0x03, 0x14, 0, 0, 0x03, 0x14, 1, 1, 0x03, 0x14, 2, 2, 0x03, 0x14, 3, 255),
        &command);
    assert_int_equal(command.dios, 0xF);
    assert_int_equal(command.dio_levels, 0x2);
}

static void what_is_skipped_is_counted(void **state)
{
    (void)state;
    hy_wire_command command;
    const hy_wire_report report =
        hy_xrp_command_decode(BYTES(0, 7, 1,                         //
                                    0x01, 0x12,                      // too short
                                    0x05, 0x13, 4, 0, 0, 0,          // too short
                                    0x02, 0x14, 1,                   // too short
                                    0x06, 0x12, 8, 0x3f, 0x80, 0, 0, // no such channel
                                    0x03, 0x14, 32, 1,               // no such channel
                                    0x06, 0x15, 0, 0, 0, 0, 0,       // a robot's
                                    0x01, 0x42),                     // nobody's
                              &command);
    assert_int_equal(report.error, HY_WIRE_WELL_FORMED);
    assert_int_equal(report.too_short, 3);
    assert_int_equal(report.unknown, 4);
    assert_int_equal(command.motors | command.servos | (int)command.dios, 0);
}

static void xrp_motor_blocks_move_servos_and_servo_blocks_move_motors(void **state)
{
    (void)state;
    hy_wire_command command;
    hy_xrp_command_decode(BYTES(0, 7, 1, 0x06, 0x12, 4, 0xbf, 0x80, 0, 0, // motor block, -1
                                0x06, 0x12, 7, 0x3f, 0x00, 0, 0,          // motor block, +0.5
                                0x06, 0x13, 0, 0x3f, 0x80, 0, 0,          // servo block, 1
                                0x06, 0x13, 3, 0x3e, 0x80, 0, 0),         // servo block, 0.25
                          &command);
    assert_int_equal(command.servos, 0x9);
    assert_int_equal(command.motors, 0x9);
    assert_true(command.servo[0] == 0.0F && command.servo[3] == 0.75F);
    assert_true(command.motor[0] == 1.0F && command.motor[3] == -0.5F);
}

static void values_are_decoded_as_sent(void **state)
{
    (void)state;
    hy_wire_command command;
    hy_xrp_command_decode(
        BYTES(0, 7, 0, 0x06, 0x12, 0, 0x40, 0x20, 0, 0, 0x06, 0x12, 1, 0x7f, 0xc0, 0, 0), &command);
    assert_true(command.motor[0] == 2.5F);
    assert_true(command.motor[1] != command.motor[1]);
}

// --------------------------------------------------------------------------- status

static void an_encoder_has_a_period_from_13_bytes_on(void **state)
{
    (void)state;
    uint8_t bytes[3 + 2 + 20] = { 0,    7, 0, 0,    0x18, 0, 0xff, 0xff, 0xff,
                                  0xfe, 0, 0, 0x0f, 0xa1, 0, 0x0f, 0x42, 0x40 };
    for (size_t payload = 0; payload <= 20; payload++) {
        hy_wire_status status;
        bytes[3] = (uint8_t)(1 + payload);
        const hy_wire_report report = hy_xrp_status_decode((hy_bytes){ bytes, 5 + payload }, &status);
        assert_int_equal(report.error, HY_WIRE_WELL_FORMED);
        assert_int_equal(report.too_short, payload < 5);
        assert_int_equal(status.encoders, payload >= 5);
        assert_int_equal(status.encoder[0].count, payload >= 5 ? -2 : 0);
        assert_int_equal(status.encoder[0].has_period, payload >= 13);
        assert_int_equal(status.encoder[0].period_num, payload >= 13 ? 4001 : 0);
        assert_int_equal(status.encoder[0].period_den, payload >= 13 ? 1000000 : 0);
    }
}

static void a_gyro_has_24_bytes_and_an_accelerometer_12(void **state)
{
    (void)state;
    uint8_t bytes[3 + 2 + 30] = { 0, 7, 0 };
    for (size_t payload = 0; payload <= 30; payload++) {
        hy_wire_status status;
        bytes[3] = (uint8_t)(1 + payload);
        bytes[4] = 0x16;
        hy_wire_report report = hy_xrp_status_decode((hy_bytes){ bytes, 5 + payload }, &status);
        assert_int_equal(status.has_gyro, payload >= 24);
        assert_int_equal(report.too_short, payload < 24);
        bytes[4] = 0x17;
        report = hy_xrp_status_decode((hy_bytes){ bytes, 5 + payload }, &status);
        assert_int_equal(status.has_accel, payload >= 12);
        assert_int_equal(report.too_short, payload < 12);
    }
}

// The stock XRP's status is decoded by a path of its own; with a byte of padding behind it, by the general one. Both find the same in it.
static void expect_same_with_padding(uint8_t bytes[HY_WIRE_STATUS_MAX], size_t size)
{
    uint8_t again[2][HY_WIRE_STATUS_MAX];
    hy_wire_status one, other;
    uint8_t *const exact = malloc(size); // so that a sanitizer sees the first byte too many
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    const hy_wire_report stock = hy_xrp_status_decode((hy_bytes){ exact, size }, &one);
    free(exact);
    bytes[size] = 0;
    const hy_wire_report padded = hy_xrp_status_decode((hy_bytes){ bytes, size + 1 }, &other);
    if (stock.error == HY_WIRE_WELL_FORMED) { // else a block may take in the padding
        assert_int_equal(padded.error, HY_WIRE_WELL_FORMED);
        assert_int_equal(stock.unknown, padded.unknown);
        assert_int_equal(stock.too_short, padded.too_short);
        const size_t one_size = hy_xrp_status_encode(&one, (hy_room){ again[0], sizeof again[0] });
        assert_int_equal(hy_xrp_status_encode(&other, (hy_room){ again[1], sizeof again[1] }),
                         one_size);
        assert_memory_equal(again[0], again[1], one_size);
    }
}

static size_t write_stock_status(uint8_t bytes[HY_WIRE_STATUS_MAX])
{
    hy_wire_status status = {
        .seq = 7, .encoders = 0x0F, .analogs = 0x07, .has_gyro = true, .has_accel = true, .dios = 1
    };
    for (unsigned i = 0; i < 4; i++) {
        status.encoder[i] = (hy_wire_encoder){ (int32_t)i + 5, i + 50, i + 500, true };
    }
    const size_t size = hy_xrp_status_encode(&status, (hy_room){ bytes, HY_WIRE_STATUS_MAX });
    assert_int_equal(size, 128);
    return size;
}

static void a_stock_status_decodes_as_any_other_whichever_bit_is_wrong(void **state)
{
    (void)state;
    uint8_t bytes[HY_WIRE_STATUS_MAX];
    const size_t size = write_stock_status(bytes);
    for (size_t at = 0; at < size * 8; at++) {
        bytes[at / 8] ^= (uint8_t)(1U << at % 8);
        expect_same_with_padding(bytes, size);
        bytes[at / 8] ^= (uint8_t)(1U << at % 8);
    }
}

// Blocks that are all wrong in the same way are not taken for the stock firmware's either.
static void a_stock_status_decodes_as_any_other_if_all_its_sizes_tags_or_channels_are_wrong(void **state)
{
    (void)state;
    static const size_t groups[][8] = { { 3, 18, 33, 48, 63, 107, 114, 121 }, { 67 }, { 93 } };
    for (unsigned wrong = 0; wrong < 3 * 3 * 6; wrong++) {
        uint8_t bytes[HY_WIRE_STATUS_MAX];
        const size_t size = write_stock_status(bytes);
        bytes[66] = bytes[69] = bytes[68]; // the bytes around the gyro's tag are as the tag
        bytes[92] = bytes[95] = bytes[94]; // and those around the accelerometer's
        for (size_t i = 0; i < 8 && groups[wrong % 3][i] != 0; i++) {
            uint8_t *const p = &bytes[groups[wrong % 3][i] + wrong / 3 % 3]; // size, tag or channel
            const int values[] = { 0, *p - 2, *p - 1, *p + 1, *p + 2, *p * 2 };
            *p = (uint8_t)values[wrong / 9];
        }
        expect_same_with_padding(bytes, size);
    }
}

// Nor are blocks of analog inputs that lie elsewhere.
static void a_stock_status_decodes_as_any_other_wherever_its_analogs_lie(void **state)
{
    (void)state;
    for (size_t at = 69; at <= 107; at++) {
        for (size_t apart = 6; apart <= 8; apart++) {
            uint8_t bytes[HY_WIRE_STATUS_MAX];
            const size_t size = write_stock_status(bytes);
            uint8_t accel[2];
            memcpy(accel, &bytes[93], sizeof accel);
            for (uint8_t i = 0; i < 3; i++) {
                memcpy(&bytes[at + apart * i], ((const uint8_t[]){ 6, 0x15, i }), 3);
            }
            memcpy(&bytes[93], accel, sizeof accel);
            expect_same_with_padding(bytes, size);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stock_status_decodes_as_any_other_whichever_bit_is_wrong),
        cmocka_unit_test(
            a_stock_status_decodes_as_any_other_if_all_its_sizes_tags_or_channels_are_wrong),
        cmocka_unit_test(a_stock_status_decodes_as_any_other_wherever_its_analogs_lie),
        cmocka_unit_test(a_status_that_has_too_little_room_is_none),
        cmocka_unit_test(efforts_are_limited_and_nan_stands_still),
        cmocka_unit_test(positions_are_limited_and_nan_is_not_sent),
        cmocka_unit_test(a_command_is_in_wpilibs_order),
        cmocka_unit_test(channels_that_the_dialect_lacks_are_left_out),
        cmocka_unit_test(the_longest_packets_have_the_sizes_that_the_header_promises),
        cmocka_unit_test(too_little_room_writes_nothing_past_it_and_returns_0),
        cmocka_unit_test(no_header_decodes_to_nothing),
        cmocka_unit_test(a_cut_block_ends_the_decoding_at_its_offset),
        cmocka_unit_test(later_duplicates_win),
        cmocka_unit_test(only_a_level_of_1_is_high),
        cmocka_unit_test(what_is_skipped_is_counted),
        cmocka_unit_test(xrp_motor_blocks_move_servos_and_servo_blocks_move_motors),
        cmocka_unit_test(values_are_decoded_as_sent),
        cmocka_unit_test(an_encoder_has_a_period_from_13_bytes_on),
        cmocka_unit_test(a_gyro_has_24_bytes_and_an_accelerometer_12),
    };
    return cmocka_run_group_tests_name("wire codec", tests, NULL, NULL);
}
