// Command lines from groups of options: what needs what, what is handed on, what a number's word means.
#include "options/options.h"

#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"

typedef struct {
    const char *view, *world;
    bool watchers;
    double speed;
    uint64_t count;
    int colour;
    const char *items[2];
    hy_option_list list;
} wishes;

static const char *const max[] = { "max", NULL };
static const char *const colours[] = { "blue", "red", NULL };

static const hy_option own[] = {
    { HY_OPTION(TEXT, wishes, world), .name = "sim", .value = "WORLD", .help = "w" },
    { HY_OPTION(NUMBER, wishes, speed), .name = "speed", .value = "X|max", .low = 0.5, .high = 2,
      .choices = max, .help = "s" },
    { HY_OPTION(WHOLE, wishes, count), .name = "count", .value = "N", .low = 1, .high = 10,
      .help = "c" },
};
static const hy_option page[] = {
    { HY_OPTION(OPTIONAL, wishes, view), .name = "view", .value = "ADDR", .help = "v" },
    { HY_OPTION(FLAG, wishes, watchers), .name = "watchers", .needs = "view", .help = "w" },
    { HY_OPTION(CHOICE, wishes, colour), .name = "colour", .choices = colours, .needs = "missing",
      .help = "c" },
    { HY_OPTION(LIST, wishes, list), .name = "file", .value = "FILE", .help = "f" },
};

static hy_option_group groups[2];

static hy_options_result parse(wishes *to, int argc, const char *const *words)
{
    char *argv[16];
    for (int i = 0; i < argc; i++) {
        argv[i] = (char *)(uintptr_t)words[i];
    }
    *to = (wishes){ .speed = 1.0, .list = { .items = to->items, .room = 2 } };
    groups[0] = (hy_option_group)HY_OPTION_GROUP(NULL, own, to);
    groups[1] = (hy_option_group)HY_OPTION_GROUP("Page", page, to);
    groups[1].needs = "sim";
    const hy_command_line line = { "test", NULL, groups, 2, NULL };
    return hy_options_parse(&line, argc, argv);
}

#define PARSE(to, ...)                                                                   \
    parse((to), (int)(sizeof((const char *[]){ "test", __VA_ARGS__ }) / sizeof(char *)), \
          (const char *[]){ "test", __VA_ARGS__ })

static void an_option_needs_another(void **state)
{
    (void)state;
    wishes to;
    assert_int_equal(PARSE(&to, "--sim", "a", "--watchers"), HY_OPTIONS_WRONG); // no --view
    assert_int_equal(PARSE(&to, "--view=x", "--watchers"), HY_OPTIONS_WRONG); // its group: no --sim
    assert_int_equal(PARSE(&to, "--colour", "red"),
                     HY_OPTIONS_WRONG); // what it needs is not here, what its group needs is
    assert_int_equal(PARSE(&to, "--watchers", "--view", "--sim=a"), HY_OPTIONS_OK);
    assert_true(to.watchers);
    assert_string_equal(to.view, "");
    assert_string_equal(to.world, "a");
}

static void a_number_has_a_range_and_may_have_a_word(void **state)
{
    (void)state;
    wishes to;
    assert_int_equal(PARSE(&to, "--speed", "max", "--count=10"), HY_OPTIONS_OK);
    assert_true(to.speed == 0.0 && to.count == 10);
    assert_int_equal(PARSE(&to, "--speed=2"), HY_OPTIONS_OK);
    assert_true(to.speed == 2.0);
    assert_int_equal(PARSE(&to, "--speed=0"), HY_OPTIONS_WRONG);
    assert_int_equal(PARSE(&to, "--speed=nan"), HY_OPTIONS_WRONG);
    assert_int_equal(PARSE(&to, "--speed=maximum"), HY_OPTIONS_WRONG);
    assert_int_equal(PARSE(&to, "--count=0"), HY_OPTIONS_WRONG);
    assert_int_equal(PARSE(&to, "--count=11"), HY_OPTIONS_WRONG);
    assert_int_equal(PARSE(&to, "--count=18446744073709551616"), HY_OPTIONS_WRONG);
}

static void add(void *context, const hy_option *option, const char *value)
{
    char *const text = context;
    strcat(text, option->name);
    strcat(text, "=");
    strcat(text, value != NULL ? value : "-");
    strcat(text, " ");
}

static void a_group_is_handed_on(void **state)
{
    (void)state;
    wishes to;
    char text[200] = "";
    assert_int_equal(PARSE(&to, "--sim", "a", "--file", "1", "--view", "--file=2", "--colour", "blue"),
                     HY_OPTIONS_OK);
    hy_options_each_given(&groups[1], add, text);
    assert_string_equal(text, "view= colour=blue file=1 file=2 ");
    text[0] = '\0';
    assert_int_equal(PARSE(&to, "--sim=a", "--speed=1.25", "--count=7"), HY_OPTIONS_OK);
    hy_options_each_given(&groups[0], add, text);
    assert_string_equal(text, "sim=a speed=1.25 count=7 ");
    assert_int_equal(PARSE(&to, "--sim=a", "--file=1", "--file=2", "--file=3"), HY_OPTIONS_WRONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(an_option_needs_another),
                                        cmocka_unit_test(a_number_has_a_range_and_may_have_a_word),
                                        cmocka_unit_test(a_group_is_handed_on) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
