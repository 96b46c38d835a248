// Every robot program of this folder's recordings program-*.wpilog, run again on what it read, does what it did, whatever the compiler and
// its optimisation: commands, published values and words, bit for bit.
#include <stdio.h>

#include "cmocka_all.h"

// The examples' own main(): see CMakeLists.txt.
int example_line_follow(int argc, char **argv);
int example_swerve_auto(int argc, char **argv);
int example_trajectory(int argc, char **argv);

static void replay_with(int (*program)(int argc, char **argv), const char *name, int wanted)
{
    char word[] = "program", option[] = "--replay", path[600];
    char *arguments[] = { word, option, path, NULL };
    (void)snprintf(path, sizeof path, "%s/replay/program-%s.wpilog", HALYARD_TEST_DATA, name);
    if (program(3, arguments) != wanted) {
        fail_msg("%s: see above; if that was intended: tools/make_replays.sh", path);
    }
}

static void programs_do_what_they_did(void **state)
{
    (void)state;
    replay_with(example_line_follow, "line", 0);
    replay_with(example_trajectory, "trajectory", 0);
    replay_with(example_swerve_auto, "swerve", 0);
}

static void other_programs_are_told_apart(void **state)
{
    (void)state;
    replay_with(example_line_follow, "trajectory", 1);
    replay_with(example_trajectory, "swerve", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(programs_do_what_they_did),
                                        cmocka_unit_test(other_programs_are_told_apart) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
