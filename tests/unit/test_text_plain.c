// What of a foreign text is printed.
#include "text/text_plain.h"

#include <string.h>

#include "cmocka_all.h"

static char printed[9000];

static const char *contents(FILE *file)
{
    rewind(file);
    printed[fread(printed, 1, sizeof printed - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    return printed;
}

#define PRINTED(...)                 \
    do {                             \
        file = tmpfile();            \
        assert_non_null(file);       \
        hy_print(file, __VA_ARGS__); \
        (void)contents(file);        \
    } while (0)

static void what_steers_a_terminal_is_a_question_mark(void **state)
{
    (void)state;
    static const struct {
        const char *text, *printed;
    } cases[] = {
        { "abc ~ \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80",
          "abc ~ \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80" },
        { "\033[2J\a\b\x7F", "?[2J???" },
        { "a\r\nhalyard: ready", "a??halyard: ready" },
        { "a\tb", "a\tb" },
        { "\xC2\x80|\xC2\x9B|\xC2\x9F|\xC2\xA0", "?|?|?|\xC2\xA0" }, // C1; a blank that does not break
        { "\x9B|\xFF|\xC3", "?|?|?" },                               // no UTF-8
        { "\xE2\x80\xA7|\xE2\x80\xA8|\xE2\x80\xAE|\xE2\x80\xAF", "\xE2\x80\xA7|?|?|\xE2\x80\xAF" },
        { "\xE2\x81\xA5|\xE2\x81\xA6|\xE2\x81\xA9|\xE2\x81\xAA", "\xE2\x81\xA5|?|?|\xE2\x81\xAA" },
        { "\xED\xA0\x80", "???" }, // a surrogate
    };
    FILE *file;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        PRINTED("%s", cases[i].text);
        assert_string_equal(printed, cases[i].printed);
    }
}

static void only_the_format_ends_lines(void **state)
{
    (void)state;
    FILE *file;
    PRINTED("\n%s and %s\n\n", "a\n", "b\n");
    assert_string_equal(printed, "\na? and b?\n\n");
    PRINTED("\n");
    assert_string_equal(printed, "\n");
    PRINTED("%s", "");
    assert_string_equal(printed, "");
    static char longest[20000];
    memset(longest, 'x', sizeof longest - 1);
    PRINTED("%s\n", longest);
    assert_int_equal(strlen(printed), 8192);
    assert_string_equal(printed + 8190, "x\n");
}

static void bytes_without_an_end_are_printed(void **state)
{
    (void)state;
    static const uint8_t bytes[] = { 'a', 0, '\n', 0xC2, 0x9B, 0xE2, 0x82, 0xAC };
    for (size_t size = 0; size <= sizeof bytes; size++) { // cut anywhere, nothing behind is read
        FILE *const file = tmpfile();
        assert_non_null(file);
        hy_print_plain(file, (hy_bytes){ bytes, size }, "\n");
        static const char *const wanted[] = { "",       "a",       "a?",
                                              "a?\n",   "a?\n?",   "a?\n?",
                                              "a?\n??", "a?\n???", "a?\n?\xE2\x82\xAC" };
        assert_string_equal(contents(file), wanted[size]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_steers_a_terminal_is_a_question_mark),
        cmocka_unit_test(only_the_format_ends_lines),
        cmocka_unit_test(bytes_without_an_end_are_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
