/// @file cost.h
/// The operations whose instructions bench/cost.txt has.
#ifndef HALYARD_BENCH_COST_H
#define HALYARD_BENCH_COST_H

#include <stddef.h>

typedef struct {
    const char *name;
    unsigned count; ///< How often run() does it: enough that the loop around it does not show.
    void (*prepare)(void *about); ///< Called once before, not counted; may be NULL.
    void (*run)(unsigned count);
    void *about; ///< For prepare().
} cost_operation;

extern const cost_operation cost_messages[], cost_motion[], cost_telemetry[];
extern const size_t cost_message_count, cost_motion_count, cost_telemetry_count;

/// Where the world files are.
extern const char *cost_worlds;

/// Ends the program with a sentence: a measurement of something that failed would be none.
_Noreturn void cost_fail(const char *what);

#endif
