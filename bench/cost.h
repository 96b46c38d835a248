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

extern const cost_operation cost_messages[], cost_motion[], cost_telemetry[], cost_readers[];
extern const size_t cost_message_count, cost_motion_count, cost_telemetry_count, cost_reader_count;

/// Behind the name of an operation whose text is four times as long as that of the one before it: it must not cost more for each
/// thing in it, but for a logarithm.
#define COST_FOUR_TIMES ", of 4 n"

/// Where the world files are.
extern const char *cost_worlds;

/// Ends the program with a sentence: a measurement of something that failed would be none.
_Noreturn void cost_fail(const char *what);

#endif
