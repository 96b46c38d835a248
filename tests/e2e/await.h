/// @file await.h
/// Waiting for a state, not for a time: machines that run tests are busy.
#ifndef HALYARD_TESTS_AWAIT_H
#define HALYARD_TESTS_AWAIT_H

#include <halyard/link.h>

#include "cmocka_all.h"

/// Calls `pass(self)` until `is_so`; fails the test after `limit_us` with the words of the condition.
#define AWAIT_BY(pass, self, is_so, limit_us)                  \
    do {                                                       \
        const int64_t end_us = hy_clock_now_us() + (limit_us); \
        while (!(is_so)) {                                     \
            if (hy_clock_now_us() >= end_us) {                 \
                fail_msg("never: %s", #is_so);                 \
            }                                                  \
            pass(self);                                        \
        }                                                      \
    } while (0)

#endif
