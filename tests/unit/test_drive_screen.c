// The screen: what is sent for a frame, and that only changes are.
#include "cmocka_all.h"

#include <string.h>

#include "../../apps/terminal/screen.h"

static screen out;

static void expect_frame(const char *wanted)
{
    size_t size;
    const char *const bytes = screen_end(&out, &size);
    char text[4096];
    assert_true(size < sizeof text);
    memcpy(text, bytes, size);
    text[size] = '\0';
    assert_string_equal(text, wanted);
}

static int fresh(void **state)
{
    (void)state;
    memset(&out, 0, sizeof out);
    return 0;
}

static void only_changes_are_sent(void **state)
{
    (void)state;
    screen_begin(&out, 10, 3);
    screen_print(&out, 1, 0, LOOK_PLAIN, "abc");
    expect_frame("\033[0m\033[2J\033[1;2H\033[0mabc");
    screen_begin(&out, 10, 3);
    screen_print(&out, 1, 0, LOOK_PLAIN, "abc");
    expect_frame("");
    screen_begin(&out, 10, 3);
    screen_print(&out, 1, 0, LOOK_PLAIN, "aXc");
    expect_frame("\033[1;3H\033[0mX");
    screen_begin(&out, 10, 3);
    screen_print(&out, 1, 0, LOOK_BAD, "aX");
    expect_frame("\033[1;2H\033[0;1;31maX\033[0m ");
}

static void another_size_or_a_lost_frame_is_sent_whole(void **state)
{
    (void)state;
    screen_begin(&out, 10, 3);
    screen_put(&out, 0, 0, LOOK_PLAIN, 'x');
    expect_frame("\033[0m\033[2J\033[1;1H\033[0mx");
    screen_begin(&out, 11, 3);
    screen_put(&out, 0, 0, LOOK_PLAIN, 'x');
    expect_frame("\033[0m\033[2J\033[1;1H\033[0mx");
    screen_forget(&out);
    screen_begin(&out, 11, 3);
    screen_put(&out, 0, 0, LOOK_PLAIN, 'x');
    expect_frame("\033[0m\033[2J\033[1;1H\033[0mx");
}

static void what_lies_outside_is_cut_off(void **state)
{
    (void)state;
    screen_begin(&out, 4, 1);
    assert_int_equal(screen_print(&out, 2, 0, LOOK_PLAIN, "abcdef"), 8);
    screen_print(&out, 0, 1, LOOK_PLAIN, "below");
    expect_frame("\033[0m\033[2J\033[1;3H\033[0mab");
    screen_begin(&out, 100000, 100000);
    assert_int_equal(out.columns, SCREEN_COLUMNS_MAX);
    assert_int_equal(out.rows, SCREEN_ROWS_MAX);
}

static void utf8_goes_out_as_it_is_or_as_ascii(void **state)
{
    (void)state;
    screen_begin(&out, 4, 1);
    screen_print(&out, 0, 0, LOOK_PLAIN, "│●°");
    expect_frame("\033[0m\033[2J\033[1;1H\033[0m│●°");
    memset(&out, 0, sizeof out);
    out.ascii = true;
    screen_begin(&out, 4, 1);
    screen_print(&out, 0, 0, LOOK_PLAIN, "│●↑");
    screen_put(&out, 3, 0, LOOK_PLAIN, 0x28ff);
    expect_frame("\033[0m\033[2J\033[1;1H\033[0m|*^.");
}

// A robot's URL comes from a command line: it must not steer the terminal.
static void control_characters_are_not_sent(void **state)
{
    (void)state;
    screen_begin(&out, 8, 1);
    screen_print(&out, 0, 0, LOOK_PLAIN, "%s", "a\033[2J\xff");
    expect_frame("\033[0m\033[2J\033[1;1H\033[0ma?[2J?");
}

static void the_fullest_frame_fits(void **state)
{
    (void)state;
    screen_begin(&out, SCREEN_COLUMNS_MAX, SCREEN_ROWS_MAX);
    for (unsigned row = 0; row < SCREEN_ROWS_MAX; row++) {
        for (unsigned column = 0; column < SCREEN_COLUMNS_MAX; column++) {
            screen_put(&out, column, row, column % 2 == 0 ? LOOK_ENABLED : LOOK_DISABLED, 0x28ff);
        }
    }
    size_t size;
    const char *const bytes = screen_end(&out, &size);
    assert_true(size < sizeof out.bytes);
    assert_memory_equal(bytes + size - 3, "\xe2\xa3\xbf", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(only_changes_are_sent, fresh),
        cmocka_unit_test_setup(another_size_or_a_lost_frame_is_sent_whole, fresh),
        cmocka_unit_test_setup(what_lies_outside_is_cut_off, fresh),
        cmocka_unit_test_setup(utf8_goes_out_as_it_is_or_as_ascii, fresh),
        cmocka_unit_test_setup(control_characters_are_not_sent, fresh),
        cmocka_unit_test_setup(the_fullest_frame_fits, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
