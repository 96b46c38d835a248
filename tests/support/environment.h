/// @file environment.h
/// Numbers by which whoever runs a test can change it: HY_SEED, HY_PACKETS.
#ifndef HALYARD_TESTS_ENVIRONMENT_H
#define HALYARD_TESTS_ENVIRONMENT_H

#include <stdint.h>
#include <stdlib.h>

static inline uint64_t number_from_environment(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

#endif
