// A player's hands as text.
#include <halyard/player.h>

#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"

// Reading numbers is options.c's, which also complains; nobody here makes it.
__attribute__((format(printf, 2, 3))) void app_error(const char *command, const char *format, ...);
void app_error(const char *command, const char *format, ...)
{
    fail_msg("%s: %s", command, format);
}

static hy_status parse(hy_player_script *out, const char *text, char error[256])
{
    error[0] = '\0';
    return hy_player_script_parse(out, (hy_bytes){ (const uint8_t *)text, strlen(text) }, "F",
                                  (hy_player_error){ error, 256 });
}

static void assert_sticks(const hy_icd_sticks *got, const hy_icd_sticks *wanted)
{
#define SAME(name_, member_, type_, low_, high_) assert_int_equal(got->member_, wanted->member_);
    HY_PLAYER_SCRIPT_KEYS(SAME)
#undef SAME
}

static void values_hold_until_they_change(void **state)
{
    (void)state;
    hy_player_script script;
    char error[256];
    assert_int_equal(parse(&script,
                           "# a match\n"
                           "\n"
                           "1 left_y=512 start=1 # go\n"
                           "+0.5 left_y=-3 right_trigger=7\r\n"
                           "2 dpad_left=1 quit\n"
                           "3 left_y=1\n",
                           error),
                     HY_OK);
    hy_icd_sticks at = hy_player_script_at(&script, 0.99);
    assert_sticks(&at, &(hy_icd_sticks){ 0 });
    at = hy_player_script_at(&script, 1.0);
    assert_int_equal(at.left_y, 512);
    assert_true(at.start);
    at = hy_player_script_at(&script, 1.75);
    assert_int_equal(at.left_y, -3);
    assert_int_equal(at.right_trigger, 7);
    assert_true(at.start);
    assert_true(script.end_s == 2.0); // quit
    at = hy_player_script_at(&script, 2.0);
    assert_sticks(&at, &(hy_icd_sticks){ 0 });
    hy_player_script_free(&script);
}

static void a_script_may_be_long_but_its_lines_may_not(void **state)
{
    (void)state;
    static char text[8192];
    size_t size = 0;
    for (int i = 0; i < 200; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "%d left_y=%d\n", i, i);
    }
    hy_player_script script;
    char error[256];
    assert_int_equal(parse(&script, text, error), HY_OK);
    assert_int_equal(script.count, 200);
    assert_int_equal(hy_player_script_at(&script, 198.5).left_y, 198);
    hy_player_script_free(&script);
    memset(text, ' ', 3000);
    text[3000] = '\0';
    assert_int_equal(parse(&script, text, error), HY_EFORMAT);
    assert_non_null(strstr(error, "F:1: the line is longer than"));
}

static void every_name_is_known(void **state)
{
    (void)state;
#define CHECK(name_, member_, type_, low_, high_)                                  \
    {                                                                              \
        hy_player_script script;                                                   \
        char error[256];                                                           \
        assert_int_equal(parse(&script, "0 " name_ "=1\n9 quit\n", error), HY_OK); \
        const hy_icd_sticks at = hy_player_script_at(&script, 1.0);                \
        hy_icd_sticks expected = { 0 };                                            \
        expected.member_ = 1;                                                      \
        assert_sticks(&at, &expected);                                             \
        hy_player_script_free(&script);                                            \
    }
    HY_PLAYER_SCRIPT_KEYS(CHECK)
#undef CHECK
}

static void what_is_wrong_is_told_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } wrong[] = {
        { "0 left_y=513\n", "F:1: left_y=513 is out of range" },
        { "0 left_y=0.5\n", "F:1: left_y=0.5 is out of range" },
        { "0 left_trigger=-1\n", "out of range" },
        { "0 a=2\n", "out of range" },
        { "\n0 left=1\n", "F:2: there is no stick, trigger or button 'left'" },
        { "0 left_y\n", "'left_y' is not NAME=NUMBER" },
        { "0 left_y=\n", "is not NAME=NUMBER" },
        { "0 left_y=nan\n", "is not NAME=NUMBER" },
        { "later a=1\n", "'later' is no time" },
        { "-1 a=1\n", "is no time" },
        { "2 a=1\n1 a=0\n", "F:2: time 1 lies before" },
        { "9999999 a=1\n", "beyond" },
        { "0 a=1e300\n", "out of range" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        hy_player_script script;
        char error[256];
        assert_int_equal(parse(&script, wrong[i].text, error), HY_EFORMAT);
        if (strstr(error, wrong[i].says) == NULL) {
            print_message("%s\n%s\n", wrong[i].text, error);
        }
        assert_non_null(strstr(error, wrong[i].says));
        assert_null(script.steps);
    }
}

static void any_bytes_will_do(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(7);
    static const char pieces[] = "0123456789+-.=#\n \tabxyleft_ystartquit\0\xff";
    for (int round = 0; round < 20000; round++) {
        uint8_t text[64];
        const size_t size = hy_random_below(&random, sizeof text);
        for (size_t i = 0; i < size; i++) {
            text[i] = (uint8_t)pieces[hy_random_below(&random, sizeof pieces - 1)];
        }
        hy_player_script script;
        char error[256] = "";
        if (hy_player_script_parse(&script, (hy_bytes){ text, size }, "F",
                                   (hy_player_error){ error, sizeof error }) != HY_OK) {
            assert_true(strncmp(error, "F:", 2) == 0);
        }
        hy_player_script_free(&script);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_hold_until_they_change),
        cmocka_unit_test(a_script_may_be_long_but_its_lines_may_not),
        cmocka_unit_test(every_name_is_known),
        cmocka_unit_test(what_is_wrong_is_told_with_its_line),
        cmocka_unit_test(any_bytes_will_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
