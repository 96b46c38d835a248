// The name of a file without its folders and its ending.
#include "cmocka_all.h"

#include <halyard/base.h>

static void names(void **state)
{
    (void)state;
    static const char *const paths[][2] = {
        { "runs/best.wpilog", "best" },
        { "best", "best" },
        { "a.b/c", "c" },
        { "my.xrp.yaml", "my.xrp" },
        { "/x/.hidden", ".hidden" },
        { "", "" },
        { "runs/", "" },
        { "a.", "a" },
        { "longer than it.yaml", "longer " },
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char name[8];
        hy_path_name(paths[i][0], name, sizeof name);
        assert_string_equal(name, paths[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(names) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
