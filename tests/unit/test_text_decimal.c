// Decimal text to numbers: what strtod() takes beyond a decimal number is refused.
#include "cmocka_all.h"

#include "text/text_decimal.h"

static void decimal_numbers_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = { { "0", 0 },        { "-0.5", -0.5 }, { "+2", 2 },       { ".25", 0.25 },
                 { "1e-3", 0.001 }, { "5.", 5 },      { "1E+2", 100.0 }, { "0012", 12 } };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double value = -77;
        assert_true(hy_decimal_read(good[i].text, &value));
        assert_true(value == good[i].value);
    }
}

static void anything_else_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = { "",          " 1",    "1 ",  "0x10",  "nan", "inf",
                                       "-infinity", "1e999", "1,5", "1.2.3", "e5",  "-",
                                       "1e",        "\t2",   "2\n", "1f",    "--1", "NAN(1)" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double value = -77;
        assert_false(hy_decimal_read(bad[i], &value));
        assert_true(value == -77); // untouched
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_numbers_are_read),
        cmocka_unit_test(anything_else_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
