/// @file environment.h
/// What whoever runs a test can change of it: the numbers HY_SEED and HY_PACKETS, and by HY_LONG=1 how much of a search it does.
#ifndef HALYARD_TESTS_ENVIRONMENT_H
#define HALYARD_TESTS_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static inline uint64_t number_from_environment(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

/// Whether this is the long run of a test, which `make check-slow` does: all of a search of which other runs do a sample.
static inline bool is_long_run(void)
{
    return number_from_environment("HY_LONG", 0) != 0;
}

#endif
