// Names keep their numbers, whichever names there are: begins of each other, with NULs, of any length.

#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "text/text.h"
#include "text/text_names.h"

static hy_bytes bytes_of(const char *text)
{
    return (hy_bytes){ (const uint8_t *)text, strlen(text) };
}

static void nothing_is_found_among_none(void **state)
{
    (void)state;
    hy_names names = { .names = NULL };
    assert_int_equal(hy_names_find(&names, bytes_of("a")), 0);
    assert_int_equal(hy_names_find(&names, (hy_bytes){ NULL, 0 }), 0);
    hy_names_free(&names);
}

static void names_that_differ_in_any_bit_are_told_apart(void **state)
{
    (void)state;
    static const uint8_t bytes[] = { 0, 0, 0, 1, 0x80, 0xff, 'a', 'b', 'a', 'b', 0 };
    hy_names names = { .names = NULL };
    uint32_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t begin = 0; begin < sizeof bytes; begin++) {
            for (size_t size = 0; begin + size <= sizeof bytes; size++) {
                const hy_bytes name = { bytes + begin, size };
                const uint32_t before = hy_names_find(&names, name);
                const uint32_t number = hy_names_add(&names, name);
                assert_int_equal(number, before > 0 ? before : ++count);
                assert_int_equal(hy_names_find(&names, name), number);
                assert_true(pass == 0 || before > 0);
            }
        }
    }
    hy_names_free(&names);
    assert_int_equal(hy_names_find(&names, (hy_bytes){ bytes, 3 }), 0);
    assert_int_equal(hy_names_add(&names, (hy_bytes){ bytes, 3 }), 1); // it is empty again
    hy_names_free(&names);
}

static void numbers_are_those_of_the_order_in_which_names_came(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static char texts[COUNT][24];
    hy_names names = { .names = NULL };
    hy_random random = hy_random_seeded(1);
    for (uint32_t i = 0; i < COUNT; i++) {
        (void)snprintf(texts[i], sizeof texts[i], "%.*s%u", (int)hy_random_below(&random, 8),
                       "/Robot/", i);
        assert_int_equal(hy_names_add(&names, bytes_of(texts[i])), i + 1);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(hy_names_find(&names, bytes_of(texts[i])), i + 1);
        assert_int_equal(
            hy_names_find(&names, (hy_bytes){ (const uint8_t *)texts[i], strlen(texts[i]) + 1 }), 0);
    }
    hy_names_free(&names);
}

static void only_ascii_letters_have_a_case(void **state)
{
    (void)state;
    assert_true(hy_text_is_alike("WebSocket", "wEBsOCKET"));
    assert_true(hy_text_is_alike("", ""));
    assert_false(hy_text_is_alike("WebSocket", "WebSockets"));
    assert_false(hy_text_is_alike("@[", "`{")); // as far from each other as A from a
    assert_false(hy_text_is_alike("\xc3\x84", "\xc3\xa4"));
    assert_true(hy_text_begins_alike("Gzip;q=1", "gzip", 4));
    assert_false(hy_text_begins_alike("gzi", "gzip", 4));
    assert_true(hy_text_begins_alike("gzi", "gzip", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_ascii_letters_have_a_case),
        cmocka_unit_test(nothing_is_found_among_none),
        cmocka_unit_test(names_that_differ_in_any_bit_are_told_apart),
        cmocka_unit_test(numbers_are_those_of_the_order_in_which_names_came),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
