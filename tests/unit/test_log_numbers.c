// The numbers in a log's values: which there are of structs, of arrays and of both, and what is not understood.

#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "telemetry/telemetry_numbers.h"

typedef struct {
    char text[2000];
} listing;

static void append_number(void *context, const hy_log_number *number)
{
    listing *const self = context;
    const size_t length = strlen(self->text);
    if (number->form == HY_LOG_TEXT) {
        (void)snprintf(self->text + length, sizeof self->text - length, "%s='%.*s' ", number->key,
                       (int)number->size, (const char *)number->bytes);
    } else {
        (void)snprintf(self->text + length, sizeof self->text - length, "%s=%g ", number->key,
                       hy_log_number_value(number));
    }
}

static hy_bytes bytes_of(const char *text)
{
    return (hy_bytes){ (const uint8_t *)text, strlen(text) };
}

// Number, then name, type and value of entries: schemas.
static hy_log_entries *entries_with(const char *const (*schemas)[2], size_t count)
{
    hy_log_entries *entries;
    assert_int_equal(hy_log_entries_open(&entries), HY_OK);
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
    hy_log_entries_close(entries);
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
    hy_log_entries_close(entries);
}

// The examples of WPILib's specification of packed structs (allwpilib, wpiutil/doc/struct.adoc), and those of its tests.
static void structs_are_packed_as_wpilib_packs_them(void **state)
{
    (void)state;
#define BYTES(text) (text), sizeof(text) - 1
    static const struct {
        const char *schema, *bytes;
        size_t size;
        const char *numbers;
    } rows[] = {
        { "bool b;int16 i", BYTES("\x01\xfe\xff"), "a/b=1 a/i=-2 " },
        { "int16 i[2]", BYTES("\x01\x00\x02\x00"), "a/i/0=1 a/i/1=2 " },
        { "char c;Inner s;bool b", BYTES("x\x01\x02\x03\x01"), "a/c='x' a/s/i=513 a/s/x=3 a/b=1 " },
        // Of another width a new number begins, even if the bits would fit.
        { "int8 a:4;int16 b:4", BYTES("\x0a\x05\x00"), "a/a=-6 a/b=5 " },
        { "int16 a:4;uint16 b:5;bool c:1;int16 d:7", BYTES("\x57\x03\x41\x00"),
          "a/a=7 a/b=21 a/c=1 a/d=-63 " },
        { "uint8 a:4;int8 b:2;bool c:1;int16 d:1", BYTES("\x6f\x01\x00"),
          "a/a=15 a/b=-2 a/c=1 a/d=-1 " },
        { "bool a:1;bool b:1;int8 c:2", BYTES("\x06"), "a/a=0 a/b=1 a/c=1 " },
        { "bool a:1;bool b:1;int16 c:2", BYTES("\x01\x01\x00"), "a/a=1 a/b=0 a/c=1 " },
        { "int8 b:1;Bit s;int8 c:1", BYTES("\x01\x00\x01"), "a/b=-1 a/s/a=0 a/c=-1 " },
        { "int32 a:2; uint32 b:30", BYTES("\x06\x00\x00\x80"), "a/a=-2 a/b=5.36871e+08 " },
        { "int8 a:4; int8 b:5", BYTES("\xf1\x0f"), "a/a=1 a/b=15 " },
        { "int16 a:2; bool b:1; bool c:1; uint16 d:5", BYTES("\xf5\x00"),
          "a/a=1 a/b=1 a/c=0 a/d=15 " },
        { "int16 a:15; bool b:1", BYTES("\x03\x80"), "a/a=3 a/b=1 " },
        { "int16 a:16; bool b:1", BYTES("\x03\x80\x01"), "a/a=-32765 a/b=1 " },
        { "uint64 a:64;bool b:1", BYTES("\1\0\0\0\0\0\0\0\1"), "a/a=1 a/b=1 " },
        { "uint8 a:3;uint8 x;uint8 b:3", BYTES("\x07\x08\x09"), "a/a=7 a/x=8 a/b=1 " },
        { "bool a:1;bool b:1;bool c:1;bool d:1;bool e:1;bool f:1;bool g:1;bool h:1;bool i:1",
          BYTES("\x81\x01"), "a/a=1 a/b=0 a/c=0 a/d=0 a/e=0 a/f=0 a/g=0 a/h=1 a/i=1 " },
        // Texts end at the last byte that is not 0, and before a character that is cut.
        { "char s[4]", BYTES("a\0\0\0"), "a/s='a' " },
        { "char s[4]; uint8 x", BYTES("abcd\x05"), "a/s='abcd' a/x=5 " },
        { "char s[4]", BYTES("\0\0\0\0"), "a/s='' " },
        { "char s[3]", BYTES("a\xc8\xb4"), "a/s='a\xc8\xb4' " },
        { "char s[2]", BYTES("a\xc8"), "a/s='a' " },
        { "char s[3]", BYTES("a\xe1\x88"), "a/s='a' " },
        { "char s[4]", BYTES("a\xf0\x9f\x90"), "a/s='a' " },
        { "char s[5]", BYTES("a\xf0\x9f\x90\x80"), "a/s='a\xf0\x9f\x90\x80' " },
        { "char s[2]", BYTES("\x80\x80"), "a/s='\x80\x80' " },
        // Enumerations.
        { "enum{} int8 x", BYTES("\xff"), "a/x=-1 " },
        { "enum { a = 1 } int8 x", BYTES("\x01"), "a/x=1 " },
        { "enum{a=1,b=2,}int8 x[2]", BYTES("\x01\x02"), "a/x/0=1 a/x/1=2 " },
        { "{a=-1}int16 x", BYTES("\xff\xff"), "a/x=-1 " },
        { "enum {a=1, b=2} uint32 value : 2;uint32 rest:30", BYTES("\x06\x00\x00\x00"),
          "a/value=2 a/rest=1 " },
        { "uint64 opModeHash:56;enum{unknown=0,autonomous=1,teleoperated=2,utility=3}uint64 "
          "robotMode:2;bool enabled:1;bool eStop:1;bool fmsAttached:1;bool dsAttached:1",
          BYTES("\x01\x00\x00\x00\x00\x00\x00\x26"),
          "a/opModeHash=1 a/robotMode=2 a/enabled=1 a/eStop=0 a/fmsAttached=0 a/dsAttached=1 " },
        // Blanks and empty declarations.
        { "\t uint8\n x\r;;\n ; uint8 y [\t2 ] ;\n", BYTES("\x01\x02\x03"), "a/x=1 a/y/0=2 a/y/1=3 " },
        { "uint8 \xc3\xa9;\xc3\x96 x", BYTES("\x01\x02"), "a/\xc3\xa9=1 a/x/z=2 a/x/a=0 " },
        { "float32 f;float64 d;float g", BYTES("\0\0\x80\x3f\0\0\0\0\0\0\0\x40\0\0\x80\xbf"),
          "a/f=1 a/d=2 a/g=-1 " },
        { "int64 a;uint64 b;uint32 c;uint16 d",
          BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\x01\0\0\0\0\0\0\0\x02\0\0\0\x03\0"),
          "a/a=-1 a/b=1 a/c=2 a/d=3 " },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const schemas[][2] = {
            { "S", rows[i].schema },
            { "Inner", "int16 i;int8 x" },
            { "Bit", "int8 a:1" },
            { "\xc3\x96", "int8 z:6;int8 a:2" },
        };
        hy_log_entries *const entries = entries_with(schemas, 4);
        const hy_bytes bytes = { (const uint8_t *)rows[i].bytes, rows[i].size };
        listing out;
        const bool is_whole = visit(entries, "struct:S", bytes, 9, &out);
        if (!is_whole || strcmp(out.text, rows[i].numbers) != 0) {
            fail_msg("%s: %s", rows[i].schema, out.text);
        }
        // All bytes are used up: one fewer is too few.
        assert_false(visit(entries, "struct:S", (hy_bytes){ bytes.data, bytes.size - 1 }, 9, &out));
        assert_true(visit(entries, "struct:S[]", bytes, 9, &out));
        hy_log_entries_close(entries);
    }
}

static void what_is_not_understood_is_not_visited(void **state)
{
    (void)state;
    static const char *const nothing[][2] = { { "Nothing", "" } }; // and no member of any other
    listing none;
    hy_log_entries *const empty = entries_with(nothing, 1);
    assert_false(visit(empty, "struct:Nothing", value, 9, &none));
    hy_log_entries_close(empty);
    static const char *const schemas[][2] = {
        { "Unknown", "uint8 x;Missing y;uint8 z" },
        { "Itself", "uint8 x;Itself y" },
        { "Ring", "uint8 x;Round y" },
        { "Round", "Ring x" },
        { "Wrong", "uint8 x;Bad y" },
        { "Bad", "uint8" },
        { "Long", "uint8 x;uint8 y[999999]" },
        { "Longer", "uint64 y[2147483647]" },
        { "Longest", "Long y[2147483647]" },
        { "Empty", "" },
        { "Empties", "Empty x[9];Empty y" },
    };
    hy_log_entries *const entries = entries_with(schemas, 11);
    static const char *const types[] = { "Unknown", "Itself", "Ring",    "Round", "Wrong",  "Bad",
                                         "None",    "Longer", "Longest", "Empty", "Empties" };
    listing out;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        char type[40];
        (void)snprintf(type, sizeof type, "struct:%s", types[i]);
        assert_false(visit(entries, type, value, 9, &out));
        assert_string_equal(out.text, "");
        (void)strncat(type, "[]", 3);
        assert_false(visit(entries, type, value, 9, &out));
    }
    assert_false(visit(entries, "struct:Long", value, 9, &out)); // cut
    assert_memory_equal(out.text, "a/x=1 a/y/0=254 ", 16);
    assert_false(visit(entries, "raw", value, 9, &out));
    assert_false(
        hy_log_visit_numbers(entries, 70000, value, &(hy_log_visitor){ append_number, &out, 1 }));
    hy_log_entries_close(entries);
}

// In any order: 33 structs in each other are laid out when the last one comes, and 34 are too many.
static void structs_are_laid_out_when_all_schemas_are_there(void **state)
{
    (void)state;
    for (unsigned levels = 1; levels <= 35; levels++) {
        for (int order = 0; order < 3; order++) {
            static char texts[40][2][20];
            hy_log_entries *entries;
            assert_int_equal(hy_log_entries_open(&entries), HY_OK);
            for (unsigned i = 0; i < levels; i++) {
                const unsigned at = order == 0   ? i
                                    : order == 1 ? levels - 1 - i
                                                 : (i * 7 + 3) % levels;
                const unsigned number = order == 2 && levels % 7 == 0 ? i : at;
                const bool is_last = number + 1 == levels;
                (void)snprintf(texts[i][0], sizeof texts[i][0], "/.schema/struct:S%u", number);
                (void)snprintf(texts[i][1], sizeof texts[i][1], is_last ? "uint8 x" : "S%u x",
                               number + 1);
                const hy_wpilog_record start = { .kind = HY_WPILOG_START,
                                                 .entry = 10 + i,
                                                 .name = bytes_of(texts[i][0]),
                                                 .type = bytes_of("structschema") };
                const hy_wpilog_record schema = { .kind = HY_WPILOG_VALUE,
                                                  .entry = 10 + i,
                                                  .value = bytes_of(texts[i][1]) };
                listing out;
                assert_false(visit(entries, "struct:S0", value, 9, &out));
                assert_true(hy_log_entries_take(entries, &start));
                assert_true(hy_log_entries_take(entries, &schema));
                assert_false(hy_log_entries_take(entries, &schema)); // the first one counts
            }
            listing out;
            assert_int_equal(visit(entries, "struct:S0", value, 9, &out), levels <= 33);
            hy_log_entries_close(entries);
        }
    }
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
    hy_log_entries_close(entries);
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
        hy_log_entries_close(entries);
        // As the name and the type of a channel.
        hy_log_entries *named;
        assert_int_equal(hy_log_entries_open(&named), HY_OK);
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
        hy_log_entries_close(named);
    }
}

static void wrong_schemas_are_not_understood(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "uint8",
        "uint8 [2]",
        "uint8 x;uint8",
        "uint8 x uint8 y",
        "uint8 x,y",
        "uint8 x[",
        "uint8 x[2",
        "uint8 x[]",
        "uint8 x[0]",
        "uint8 x[-1]",
        "uint8 x[2a]",
        "uint8 x[2;uint8 z",
        "uint8 x]",
        "uint8 x{",
        "{} uint8",
        "uint8 x[2][2]",
        "enum uint8 x",
        "enum",
        "enum{=2} int8 x",
        "enum{a=1,b,c} int8 x",
        "enum{a=} int8 x",
        "enum{a=x} int8 x",
        "enum{a=-} int8 x",
        "enum{a=1 int8 x",
        "enum{a=1}",
        "double val:2",
        "float val:2",
        "int32 val[2]:2",
        "int32 val:2[2]",
        "bool val:3",
        "int16 val:17",
        "int16 val:0",
        "int16 val:",
        "int16 val:x",
        "char c:1",
        "Fine x:1",
        "uint8 x:-1",
        "uint8 x:4 uint8 y",
        "uint64 x:65",
        "uint8 x=1",
        "uint8 x[99999999999999999999999]",
        "uint8 x;int8 x",
        "uint8 2x",
        "2 x",
        "uint8 x-1",
        "uint8 x.y",
        "uint8 x[-]",
        "enum{a} int8 x",
        "enum{a=1,2} int8 x",
        "{a=1}}uint8 x",
        "uint8 x:99999999999999999999",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *const schemas[][2] = { { "Fine", "uint8 x" },
                                           { "S", wrong[i] },
                                           { "Also", "Fine x" } };
        hy_log_entries *const entries = entries_with(schemas, 3);
        listing out;
        if (visit(entries, "struct:S", value, 9, &out) || out.text[0] != '\0') {
            fail_msg("%s: %s", wrong[i], out.text);
        }
        assert_true(visit(entries, "struct:Also", value, 9, &out));
        assert_string_equal(out.text, "a/x/x=1 ");
        assert_false(visit(entries, "[]", value, 9, &out)); // an array of nothing
        assert_false(visit(entries, "struct:", value, 9, &out));
        hy_log_entries_close(entries);
    }
    hy_log_entries_close(NULL); // harmless
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_number_is_read),
        cmocka_unit_test(structs_in_structs_and_arrays_of_them_have_keys),
        cmocka_unit_test(structs_are_packed_as_wpilib_packs_them),
        cmocka_unit_test(what_is_not_understood_is_not_visited),
        cmocka_unit_test(structs_are_laid_out_when_all_schemas_are_there),
        cmocka_unit_test(structs_without_a_number_end_the_visit),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(wrong_schemas_are_not_understood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
