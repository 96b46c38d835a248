// The block iterator and the block writer, byte by byte.
#include <halyard/wire.h>
#include <string.h>

#include "cmocka_all.h"

#define BYTES(...) \
    ((hy_bytes){ (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }) })

static void a_datagram_without_a_header_has_no_block(void **state)
{
    (void)state;
    const hy_bytes datagrams[] = { { NULL, 0 }, BYTES(6), BYTES(0, 7), BYTES(0, 7, 1) };
    for (size_t i = 0; i < 4; i++) {
        hy_block_iter iter = hy_block_begin(datagrams[i]);
        hy_block block;
        assert_false(hy_block_next(&iter, &block));
        assert_false(iter.malformed);
    }
}

static void blocks_come_in_order_with_their_offsets(void **state)
{
    (void)state;
    const hy_bytes d =
        BYTES(0, 7, 1, /* 3 */ 0x03, 0x14, 1, 1, /* 7 */ 0x01, 0x42, /* 9 */ 0x02, 0x99, 5);
    static const struct {
        uint8_t tag;
        size_t at, size;
    } wanted[] = { { 0x14, 3, 2 }, { 0x42, 7, 0 }, { 0x99, 9, 1 } };
    hy_block_iter iter = hy_block_begin(d);
    hy_block block;
    for (size_t i = 0; i < 3; i++) {
        assert_true(hy_block_next(&iter, &block));
        assert_int_equal(block.tag, wanted[i].tag);
        assert_int_equal(block.at, wanted[i].at);
        assert_int_equal(block.payload.size, wanted[i].size);
        assert_ptr_equal(block.payload.data, d.data + wanted[i].at + 2);
    }
    assert_false(hy_block_next(&iter, &block));
    assert_false(iter.malformed);
}

static void a_size_of_0_is_one_byte_of_padding(void **state)
{
    (void)state;
    hy_block_iter iter = hy_block_begin(BYTES(0, 7, 1, 0, 0, 0x01, 0x42, 0, 0, 0));
    hy_block block;
    assert_true(hy_block_next(&iter, &block));
    assert_int_equal(block.at, 5);
    assert_false(hy_block_next(&iter, &block));
    assert_false(iter.malformed);
}

// clang-format off
static void the_error_points_at_the_size_byte_that_lies(void **state)
{
    (void)state;
    static const struct { uint8_t bytes[12]; size_t size, error_at; } cases[] = {
        //  seq   en size  tag
        { { 0, 7, 1, 0x01 },                              4, 3 }, // no room for the tag
        //           ^^^^
        { { 0, 7, 1, 0x05, 0x18 },                        5, 3 }, // block longer than the datagram
        //           ^^^^
        { { 0, 7, 1, 0x06, 0x12, 0, 0x3f },               7, 3 }, // motor block cut inside its value
        //           ^^^^
        { { 0, 7, 1, 0x03, 0x14, 1, 1, 0, 0x02, 0x14 },  10, 8 }, // behind a whole block and padding
        //                                ^^^^
        { { 0, 7, 1, 0xff, 0x12, 0, 0, 0, 0, 0 },        10, 3 }, // 255 is long, not negative
        //           ^^^^
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_block_iter iter = hy_block_begin((hy_bytes){ cases[i].bytes, cases[i].size });
        hy_block block;
        while (hy_block_next(&iter, &block)) {
        }
        assert_true(iter.malformed);
        assert_int_equal(iter.error_at, cases[i].error_at);
        assert_false(hy_block_next(&iter, &block)); // and stays there
        assert_true(iter.malformed);
    }
}
// clang-format on

static void the_largest_block_fits_exactly(void **state)
{
    (void)state;
    uint8_t bytes[3 + 256] = { 0, 7, 1, 255, 0x42 };
    hy_block_iter iter = hy_block_begin((hy_bytes){ bytes, sizeof bytes });
    hy_block block;
    assert_true(hy_block_next(&iter, &block));
    assert_int_equal(block.payload.size, HY_WIRE_PAYLOAD_MAX);
    assert_false(hy_block_next(&iter, &block));
    assert_false(iter.malformed);
}

static void the_writer_writes_what_the_iterator_reads(void **state)
{
    (void)state;
    static const uint8_t wanted[] = { 0x12, 0x34, 1, 0x03, 0x14, 1, 1, 0x01, 0x42, 0x02, 0x99, 5 };
    uint8_t room[sizeof wanted];
    hy_block_writer writer = hy_block_write_begin((hy_room){ room, sizeof room }, 0x1234, 1);
    assert_true(hy_block_write(&writer, 0x14, BYTES(1, 1)));
    assert_true(hy_block_write(&writer, 0x42, (hy_bytes){ NULL, 0 }));
    assert_true(hy_block_write(&writer, 0x99, BYTES(5)));
    assert_false(writer.full);
    assert_int_equal(writer.size, sizeof wanted);
    assert_memory_equal(room, wanted, sizeof wanted);
}

static void a_full_writer_keeps_whole_blocks_and_stays_full(void **state)
{
    (void)state;
    static const uint8_t wanted[] = { 0, 7, 1, 0x03, 0x14, 1, 1, 0xEE, 0xEE, 0xEE };
    uint8_t room[sizeof wanted];
    memset(room, 0xEE, sizeof room);
    hy_block_writer writer = hy_block_write_begin((hy_room){ room, sizeof room }, 7, 1);
    assert_true(hy_block_write(&writer, 0x14, BYTES(1, 1)));
    assert_false(hy_block_write(&writer, 0x14, BYTES(2, 1))); // one byte too few
    assert_true(writer.full);
    assert_false(hy_block_write(&writer, 0x42, BYTES(1))); // it would fit, but not in its place
    assert_int_equal(writer.size, 7);
    assert_memory_equal(room, wanted, sizeof wanted);
}

static void room_without_a_header_is_full_from_the_start(void **state)
{
    (void)state;
    uint8_t room[2] = { 0xEE, 0xEE };
    hy_block_writer writer = hy_block_write_begin((hy_room){ room, sizeof room }, 7, 1);
    assert_true(writer.full);
    assert_int_equal(writer.size, 0);
    assert_int_equal(room[0], 0xEE);
    assert_true(hy_block_write_begin((hy_room){ NULL, 0 }, 7, 1).full);
}

static void a_payload_has_at_most_254_bytes(void **state)
{
    (void)state;
    uint8_t room[600];
    static const uint8_t payload[255] = { 1 };
    hy_block_writer writer = hy_block_write_begin((hy_room){ room, sizeof room }, 7, 1);
    assert_true(hy_block_write(&writer, 0x42, (hy_bytes){ payload, 254 }));
    assert_int_equal(room[3], 255);
    assert_false(hy_block_write(&writer, 0x42, (hy_bytes){ payload, 255 }));
    assert_true(writer.full);
    assert_int_equal(writer.size, 3 + 256);
}

static void every_error_has_a_text(void **state)
{
    (void)state;
    assert_string_equal(hy_wire_error_text(HY_WIRE_WELL_FORMED), "well formed");
    assert_string_equal(hy_wire_error_text(HY_WIRE_NO_HEADER),
                        "shorter than the 3 bytes of a header");
    assert_string_equal(hy_wire_error_text(HY_WIRE_CUT_BLOCK),
                        "block runs past the end of the datagram");
    assert_non_null(hy_wire_error_text((hy_wire_error)77));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_datagram_without_a_header_has_no_block),
        cmocka_unit_test(blocks_come_in_order_with_their_offsets),
        cmocka_unit_test(a_size_of_0_is_one_byte_of_padding),
        cmocka_unit_test(the_error_points_at_the_size_byte_that_lies),
        cmocka_unit_test(the_largest_block_fits_exactly),
        cmocka_unit_test(the_writer_writes_what_the_iterator_reads),
        cmocka_unit_test(a_full_writer_keeps_whole_blocks_and_stays_full),
        cmocka_unit_test(room_without_a_header_is_full_from_the_start),
        cmocka_unit_test(a_payload_has_at_most_254_bytes),
        cmocka_unit_test(every_error_has_a_text),
    };
    return cmocka_run_group_tests_name("wire blocks", tests, NULL, NULL);
}
