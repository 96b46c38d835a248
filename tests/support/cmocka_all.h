/// cmocka with the headers that it needs before it, in the order that it needs them.
#ifndef HALYARD_TESTS_CMOCKA_ALL_H
#define HALYARD_TESTS_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What two runs said or their hashes, which must be equal to the bit. A test that says "mismatch" has failed for good: tools/run_tests.py
/// does not run it again.
static inline void assert_equal_runs(const char *is, const char *should)
{
    if (strcmp(is, should) != 0) {
        fail_msg("mismatch between runs: '%s', not '%s'", is, should);
    }
}

/// Runs all tests, or one part of them: HALYARD_TEST_PART=2/3 in the environment takes every third test from the second
/// on. CMake's halyard_test(PARTS 3) runs the parts beside each other, because most of the time tests wait.
static inline int run_part_of_group(const char *group, const struct CMUnitTest *tests, size_t count,
                                    CMFixtureFunction setup, CMFixtureFunction teardown)
{
    struct CMUnitTest chosen[256];
    size_t chosen_count = 0;
    unsigned part = 1, parts = 1;
    const char *const text = getenv("HALYARD_TEST_PART");
    if (count > sizeof chosen / sizeof chosen[0] ||
        (text != NULL && (sscanf(text, "%u/%u", &part, &parts) != 2 || part < 1 || part > parts))) {
        fprintf(stderr, "HALYARD_TEST_PART must be like 2/3\n");
        return 1;
    }
    for (size_t i = part - 1; i < count; i += parts) {
        chosen[chosen_count++] = tests[i];
    }
    return _cmocka_run_group_tests(group, chosen, chosen_count, setup, teardown);
}

#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, setup, teardown) \
    run_part_of_group(#tests, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

#endif
