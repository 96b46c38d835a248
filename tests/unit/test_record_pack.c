// Bytes without their zeros: the bytes of the specification, every length, and what is no packed form.
#include "cmocka_all.h"

#include "../../src/record/pack.h"

#include <string.h>

#define MOST 40

static void bytes_are_those_of_the_specification(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *packed;
        size_t packed_size;
    } rows[] = {
        { "", 0, "", 0 },
        { "\0\0\0", 3, "\0", 1 },
        { "\0\x07\0\xff", 4, "\x0a\x07\xff", 3 },
        { "\x01\x02\x03\x04\x05\x06\x07\x08\0\0\0\0\0\0\0\x09", 16,
          "\xff\x01\x02\x03\x04\x05\x06\x07\x08\x80\x09", 11 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t packed[RECORD_PACKED_MAX(MOST)];
        const hy_bytes bytes = { (const uint8_t *)rows[i].bytes, rows[i].size };
        assert_int_equal(record_pack(bytes, packed), rows[i].packed_size);
        assert_memory_equal(packed, rows[i].packed, rows[i].packed_size);
    }
}

static void every_length_comes_back(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(13);
    for (size_t size = 0; size <= MOST; size++) {
        uint8_t bytes[MOST], packed[RECORD_PACKED_MAX(MOST)], back[MOST + RECORD_PACK_GROUP];
        for (size_t i = 0; i < size; i++) {
            bytes[i] = (uint8_t)(hy_random_unit(&random) < 0.5 ? 0 : hy_random_bits(&random));
        }
        const size_t packed_size = record_pack((hy_bytes){ bytes, size }, packed);
        size_t back_size;
        assert_true(packed_size <= RECORD_PACKED_MAX(size));
        assert_true(record_unpack((hy_bytes){ packed, packed_size }, (hy_room){ back, sizeof back },
                                  &back_size));
        assert_int_equal(back_size, (size + 7) / 8 * 8);
        assert_memory_equal(back, bytes, size);
        for (size_t i = size; i < back_size; i++) {
            assert_int_equal(back[i], 0);
        }
    }
}

static void what_is_no_packed_form_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *packed;
        size_t size;
    } rows[] = {
        { "\x01", 1 }, { "\x03\x05", 2 }, { "\x01\0", 2 }, { "\xff\1\2\3\4\5\6\7\x08\x80", 10 }
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t back[MOST];
        size_t size;
        const hy_bytes packed = { (const uint8_t *)rows[i].packed, rows[i].size };
        assert_false(record_unpack(packed, (hy_room){ back, sizeof back }, &size));
    }
    uint8_t back[2 * RECORD_PACK_GROUP - 1]; // one byte too small for two groups
    size_t size;
    assert_true(record_unpack((hy_bytes){ (const uint8_t *)"\0", 1 },
                              (hy_room){ back, sizeof back }, &size));
    assert_false(record_unpack((hy_bytes){ (const uint8_t *)"\0\0", 2 },
                               (hy_room){ back, sizeof back }, &size));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_those_of_the_specification),
        cmocka_unit_test(every_length_comes_back),
        cmocka_unit_test(what_is_no_packed_form_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
