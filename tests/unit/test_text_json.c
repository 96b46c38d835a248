// JSON values of any shape: what is read, and what a copy keeps of it.
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "text/text_json.h"

enum { TEXT_MAX = 4096 };

static int start(void **state)
{
    *state = hy_json_reader_open(TEXT_MAX);
    return *state != NULL ? 0 : -1;
}

static int end(void **state)
{
    hy_json_reader_close(*state);
    return 0;
}

static const hy_json_value *parse(hy_json_reader *reader, const char *text)
{
    return hy_json_parse(reader, (hy_bytes){ (const uint8_t *)text, strlen(text) });
}

/// "" if it cannot be copied.
static void expect_copy(void **state, const char *text, const char *copy)
{
    uint8_t out[512];
    const hy_json_value *const value = parse(*state, text);
    assert_non_null(value);
    const size_t size = hy_json_copy(value, (hy_room){ out, sizeof out });
    if (size != strlen(copy) || memcmp(out, copy, size) != 0) {
        fail_msg("%s: %.*s, not %s", text, (int)size, (const char *)out, copy);
    }
    for (size_t room = 0; room < size; room++) { // whole, or not at all
        assert_int_equal(hy_json_copy(value, (hy_room){ out, room }), 0);
    }
}

static void a_copy_says_the_same(void **state)
{
    expect_copy(state, "[1, -2, 18446744073709551615, -9223372036854775808]",
                "[1,-2,18446744073709551615,-9223372036854775808]");
    expect_copy(state, "[0.5, -1e300, 2.5e-7]",
                "[0.5,-1.0000000000000001e+300,2.4999999999999999e-07]");
    expect_copy(state, "[1e5, -2.0, 1e22]", "[100000,-2,1e+22]"); // without a point
    expect_copy(state, "[1e400]", "[0]");                         // which no double holds
    expect_copy(state, "[true, false, null, \"\", {}, []]", "[true,false,null,\"\",{},[]]");
    expect_copy(state, "{\"a\": 1, \"a\": [\"\\u00e4\\n\\\"\"], \"\": {\"b\": true}}",
                "{\"a\":1,\"a\":[\"\xc3\xa4\\u000a\\u0022\"],\"\":{\"b\":true}}");
    expect_copy(state, "7", "7");
}

static void what_no_copy_can_hold_is_not_copied(void **state)
{
    expect_copy(state, "[\"a\\u0000b\"]", "");
    expect_copy(state, "{\"a\\u0000b\": 1}", "{\"\":1}");     // a key with a NUL inside is ""
    expect_copy(state, "[[[[[[[7]]]]]]]", "[[[[[[[7]]]]]]]"); // 8 levels with the number
    expect_copy(state, "[[[[[[[[7]]]]]]]]", "");
}

static void a_value_is_of_one_type(void **state)
{
    static const char *const texts[] = { "\"s\"", "1.5", "true", "null", "{}", "[]" };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const hy_json_value *const value = parse(*state, texts[i]);
        double number = 7.0;
        bool flag = false;
        assert_int_equal(hy_json_string(value) != NULL, i == 0);
        assert_int_equal(hy_json_number(value, &number), i == 1);
        assert_true(number == (i == 1 ? 1.5 : 0.0));
        assert_int_equal(hy_json_flag(value, &flag), i == 2);
        assert_int_equal(flag, i == 2);
        assert_int_equal(hy_json_is_null(value), i == 3);
        assert_int_equal(hy_json_is_object(value), i == 4);
        assert_null(hy_json_member(value, "a"));
        assert_int_equal(hy_json_items_of(value).left, 0);
    }
    assert_null(hy_json_string(parse(*state, "\"a\\u0000b\""))); // C has no such string
    assert_null(hy_json_string(NULL));
    assert_false(hy_json_is_null(NULL));
    assert_int_equal(hy_json_items_of(NULL).left, 0);
}

static void members_and_items_come_in_their_order(void **state)
{
    const hy_json_value *const object = parse(*state, "{\"a\": 1, \"b\": [2, 3], \"a\": 4}");
    const hy_json_value *value;
    const char *key;
    double number;
    assert_true(hy_json_number(hy_json_member(object, "a"), &number));
    assert_true(number == 4.0); // the last of several
    hy_json_items items = hy_json_items_of(object);
    static const char *const keys[] = { "a", "b", "a" };
    for (size_t i = 0; i < 3; i++) {
        assert_true(hy_json_next(&items, &key, &value));
        assert_string_equal(key, keys[i]);
    }
    assert_false(hy_json_next(&items, &key, &value));
    items = hy_json_items_of(hy_json_member(object, "b"));
    for (int i = 2; i <= 3; i++) {
        assert_true(hy_json_next(&items, &key, &value));
        assert_null(key);
        assert_true(hy_json_number(value, &number) && number == (double)i);
    }
    assert_false(hy_json_next(&items, &key, &value));
}

static void what_is_no_json_is_refused(void **state)
{
    static const char *const wrong[] = { "",         " ",        "{",      "[1,]", "{\"a\":}",
                                         "nul",      "1 2",      "{a: 1}", "'a'",  "[1] // c",
                                         "+1",       "01",       "1.",     "NaN",  "\"\\ud800\"",
                                         "\"\x80\"", "\"\x01\"", "\"\\x\"" };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (parse(*state, wrong[i]) != NULL) {
            fail_msg("%s", wrong[i]);
        }
        assert_true(hy_json_reader_why(*state)[0] != '\0');
    }
    static char longest[TEXT_MAX + 2];
    memset(longest, ' ', sizeof longest - 1);
    longest[0] = '1';
    assert_null(parse(*state, longest));
    longest[TEXT_MAX] = '\0';
    assert_non_null(parse(*state, longest));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_copy_says_the_same, start, end),
        cmocka_unit_test_setup_teardown(what_no_copy_can_hold_is_not_copied, start, end),
        cmocka_unit_test_setup_teardown(a_value_is_of_one_type, start, end),
        cmocka_unit_test_setup_teardown(members_and_items_come_in_their_order, start, end),
        cmocka_unit_test_setup_teardown(what_is_no_json_is_refused, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
