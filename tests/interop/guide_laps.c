// Three laps of the line with somebody's program, in simulated time (a minute and a half on the clock): the program that
// run_guide.py has put together from the course, as a shared object. Its hy_program_main() is the one of example_run.c.
#include "cmocka_all.h"

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/example_laps.h"

#define LAPS    3
#define SEEDS   6
#define LIMIT_S 120.0

static int (*program_main)(int argc, char **argv);

static void it_drives_its_laps(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS;
         seed++) { // on a good network: the course says what a bad one does
        const example_setup setup = { .example = program_main, .seed = seed };
        example_laps("the course's program", &setup, LAPS);
    }
}

// Left alone it ends by itself: nothing of what it drives on for is said to it.
static void then_it_stands(void **state)
{
    (void)state;
    const example_setup setup = {
        .example = program_main, .world = "xrp-line", .seed = 1, .duration_s = LIMIT_S
    };
    const example_result result = example_run(&setup);
    assert_true(fabs(result.truth.speed_m_s) < 0.001);
    assert_false(result.touched);
    print_message("it stands, and says '%s'\n", result.said);
}

int main(int argc, char **argv)
{
    void *const program = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    void *const start = program != NULL ? dlsym(program, "main") : NULL;
    if (start == NULL) {
        fprintf(stderr, "usage: guide_laps PROGRAM.so (%s)\n", argc == 2 ? dlerror() : "one program");
        return 2;
    }
    memcpy(&program_main, &start, sizeof start); // C has no cast from an object to a function
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_drives_its_laps),
        cmocka_unit_test(then_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
