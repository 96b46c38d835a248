// The numbers in a log's values: which there are of structs, of arrays and of both, and what is not understood.
#include <halyard/telemetry_numbers.h>

#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"

typedef struct {
    char text[2000];
} listing;

static void append_number(void *context, const hy_log_number *number)
{
    listing *const self = context;
    const size_t length = strlen(self->text);
    (void)snprintf(self->text + length, sizeof self->text - length, "%s=%g ", number->key,
                   hy_log_number_value(number));
}

static hy_bytes bytes_of(const char *text)
{
    return (hy_bytes){ (const uint8_t *)text, strlen(text) };
}

// Number, then name, type and value of entries: schemas.
static hy_log_entries *entries_with(const char *const (*schemas)[2], size_t count)
{
    hy_log_entries *entries;
    assert_int_equal(hy_log_entries_create(&entries), HY_OK);
    for (uint32_t i = 0; i < count; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "NT:/.schema/struct:%s", schemas[i][0]);
        static char names[16][64]; // the log's bytes stay
        memcpy(names[i], name, sizeof name);
        const hy_wpilog_record start = { .kind = HY_WPILOG_START,
                                         .entry = 10 + i,
                                         .name = bytes_of(names[i]),
                                         .type = bytes_of("structschema") };
        const hy_wpilog_record value = { .kind = HY_WPILOG_VALUE,
                                         .entry = 10 + i,
                                         .value = bytes_of(schemas[i][1]) };
        assert_true(hy_log_entries_take(entries, &start));
        assert_true(hy_log_entries_take(entries, &value));
    }
    return entries;
}

static bool visit(hy_log_entries *entries, const char *type, hy_bytes value, size_t elements_max,
                  listing *out)
{
    const hy_wpilog_record start = {
        .kind = HY_WPILOG_START, .entry = 1, .name = bytes_of("a"), .type = bytes_of(type)
    };
    const hy_log_visitor visitor = { append_number, out, elements_max };
    out->text[0] = '\0';
    assert_true(hy_log_entries_take(entries, &start));
    return hy_log_visit_numbers(entries, 1, value, &visitor);
}

static const uint8_t some[] = { 1, 0xfe, 0xff, 3, 4, 5, 0, 0, 0x80, 0x3f };
static const hy_bytes value = { some, sizeof some };

static void every_kind_of_number_is_read(void **state)
{
    (void)state;
    static const char *const schemas[][2] = {
        { "S", "bool b;int16 n;uint8 u[2]; uint8 v ;float f" },
    };
    hy_log_entries *const entries = entries_with(schemas, 1);
    listing out;
    assert_true(visit(entries, "struct:S", value, 9, &out));
    assert_string_equal(out.text, "a/b=1 a/n=-2 a/u/0=3 a/u/1=4 a/v=5 a/f=1 ");
    assert_true(visit(entries, "uint8[]", (hy_bytes){ some, 2 }, 9, &out));
    assert_string_equal(out.text, "a/0=1 a/1=254 ");
    assert_true(visit(entries, "uint8[]", value, 3, &out)); // no more elements were wanted
    assert_string_equal(out.text, "a/0=1 a/1=254 a/2=255 ");
    hy_log_entries_destroy(entries);
}

static void structs_in_structs_and_arrays_of_them_have_keys(void **state)
{
    (void)state;
    static const char *const schemas[][2] = { { "Inner", "uint8 x" },
                                              { "Outer", "Inner one;Inner two[2];uint8 last" } };
    hy_log_entries *const entries = entries_with(schemas, 2);
    listing out;
    assert_true(visit(entries, "struct:Outer[]", (hy_bytes){ some, 4 }, 9, &out));
    assert_string_equal(out.text, "a/0/one/x=1 a/0/two/0/x=254 a/0/two/1/x=255 a/0/last=3 ");
    assert_false(visit(entries, "struct:Outer[]", (hy_bytes){ some, 5 }, 9, &out)); // cut in the second
    hy_log_entries_destroy(entries);
}

static void what_is_not_understood_ends_the_visit(void **state)
{
    (void)state;
    static const char *const schemas[][2] = {
        { "Bits", "uint8 x;uint8 y:3;uint8 z" },
        { "Unknown", "uint8 x;Missing y;uint8 z" },
        { "Itself", "uint8 x;Itself y" },
        { "Long", "uint8 x;uint8 y[999999]" },
    };
    hy_log_entries *const entries = entries_with(schemas, 4);
    listing out;
    assert_false(visit(entries, "struct:Bits", value, 9, &out));
    assert_string_equal(out.text, "a/x=1 ");
    assert_false(visit(entries, "struct:Unknown", value, 9, &out));
    assert_string_equal(out.text, "a/x=1 ");
    assert_false(visit(entries, "struct:Itself", value, 9, &out));
    assert_false(visit(entries, "struct:Long", value, 9, &out));
    assert_false(visit(entries, "struct:None", value, 9, &out));
    assert_false(visit(entries, "raw", value, 9, &out));
    assert_false(
        hy_log_visit_numbers(entries, 70000, value, &(hy_log_visitor){ append_number, &out, 1 }));
    hy_log_entries_destroy(entries);
}

// Five levels of eight structs: 32,768 visits if an empty struct were no end, and more with more levels.
static void structs_without_a_number_end_the_visit(void **state)
{
    (void)state;
    static const char *const schemas[][2] = {
        { "A", "B b;B b;B b;B b;B b;B b;B b;B b" }, { "B", "C b;C b;C b;C b;C b;C b;C b;C b" },
        { "C", "D b;D b;D b;D b;D b;D b;D b;D b" }, { "D", "E b;E b;E b;E b;E b;E b;E b;E b" },
        { "E", "F b;F b;F b;F b;F b;F b;F b;F b" }, { "F", ";" },
    };
    hy_log_entries *const entries = entries_with(schemas, 6);
    listing out;
    assert_false(visit(entries, "struct:A", value, 9, &out));
    assert_false(visit(entries, "struct:A[]", value, SIZE_MAX, &out));
    assert_string_equal(out.text, "");
    hy_log_entries_destroy(entries);
}

// Keys have room for so much; what is longer is cut, and nothing is written behind it.
static void long_names_are_cut(void **state)
{
    (void)state;
    static char text[2000];
    const char *schemas[][2] = { { "S", text } };
    listing out;
    for (size_t size = 1; size < 1500; size = size < 40 ? size + 1 : size * 5 / 4) {
        memcpy(text, "uint8 ", 6);
        memset(text + 6, 'm', size);
        text[6 + size] = '\0';
        hy_log_entries *const entries = entries_with((const char *const(*)[2])schemas, 1);
        assert_true(visit(entries, "struct:S", (hy_bytes){ some, 1 }, 9, &out));
        assert_memory_equal(out.text, "a/m", 3);
        assert_true(strlen(out.text) <= 2 + size + 3);
        hy_log_entries_destroy(entries);
        // As the name and the type of a channel.
        hy_log_entries *named;
        assert_int_equal(hy_log_entries_create(&named), HY_OK);
        const hy_wpilog_record start = { .kind = HY_WPILOG_START,
                                         .entry = 1,
                                         .name = { (const uint8_t *)text + 6, size },
                                         .type = bytes_of("uint8") };
        const hy_log_visitor visitor = { append_number, &out, 9 };
        out.text[0] = '\0';
        assert_true(hy_log_entries_take(named, &start));
        assert_true(hy_log_visit_numbers(named, 1, (hy_bytes){ some, 1 }, &visitor));
        assert_true(strlen(out.text) <= size + 3 && out.text[0] == 'm');
        memcpy(text, "struct:", 7);
        assert_false(visit(named, text, (hy_bytes){ some, 1 }, 9, &out)); // nothing has its schema
        hy_log_entries_destroy(named);
    }
}

static void schemas_that_break_off_are_not_understood(void **state)
{
    (void)state;
    static const struct {
        const char *schema;
        bool is_whole;
        const char *numbers;
    } rows[] = {
        { " uint8  x ; ; uint8 y;", true, "a/x=1 a/y=254 " },
        { "uint8 x[", true, "" }, // no element
        { "uint8 x[2", true, "a/x/0=1 a/x/1=254 " },
        { "uint8 x [ 2 ]", true, "a/x/0=1 a/x/1=254 " },
        { "uint8 y;uint8 x[-1]", false, "a/y=1 " },
        { "uint8 y;uint8 x[2;uint8 z", true, "a/y=1 a/x/0=254 a/x/1=255 a/z=3 " },
        { "uint8 y;uint8 x[2a]", false, "a/y=1 " },
        { "uint8", false, "" },
        { "uint8 [2]", false, "" },
        { "uint8 x:3", false, "" },
        { "enum{a=1} uint8 x", false, "" },
        { "uint8 x;uint8", false, "a/x=1 " },
        { " ; ", true, "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *schemas[][2] = { { "S", rows[i].schema } };
        hy_log_entries *const entries = entries_with((const char *const(*)[2])schemas, 1);
        listing out;
        const bool is_whole = visit(entries, "struct:S", value, 9, &out);
        if (strcmp(out.text, rows[i].numbers) != 0) {
            fail_msg("%s: %s", rows[i].schema, out.text);
        }
        if (rows[i].numbers[0] != '\0' && is_whole != rows[i].is_whole) {
            fail_msg("%s", rows[i].schema);
        }
        assert_false(visit(entries, "[]", value, 9, &out)); // an array of nothing
        assert_false(visit(entries, "struct:", value, 9, &out));
        hy_log_entries_destroy(entries);
    }
    hy_log_entries_destroy(NULL); // harmless
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_number_is_read),
        cmocka_unit_test(structs_in_structs_and_arrays_of_them_have_keys),
        cmocka_unit_test(what_is_not_understood_ends_the_visit),
        cmocka_unit_test(structs_without_a_number_end_the_visit),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(schemas_that_break_off_are_not_understood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
