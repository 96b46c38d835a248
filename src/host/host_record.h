/// @file host_record.h
/// `--record FILE` and `--overwrite`: a log for AdvantageScope.
#ifndef HALYARD_HOST_RECORD_H
#define HALYARD_HOST_RECORD_H

#include <halyard/record_sim.h>

#include "host.h"
#include "options/options.h"

/// What a program asks for, and the recording under way. All zero: nothing is recorded.
typedef struct {
    const char *path; ///< NULL: nothing is recorded.
    bool overwrite;
    bool waits; ///< The simulation waits for the disk; else what it is too slow for is left out and counted.
    bool lidar;
    int dialect;                   ///< An hy_nt_dialect.
    const char *faults;            ///< NULL: none
    const hy_telemetry_sink *live; ///< A sink that gets the same, also without a file; NULL: none.
    const char *world; ///< What the file says of the run; without use for a path that is NULL.
    uint64_t seed;
    char options[HY_RECORD_OPTIONS_MAX]; ///< Further ones that change the run, by hy_record_add_option().
    hy_sim_record sim;                   ///< From hy_host_record_start() on.
    bool has_failed;                     ///< The file is not complete.
    // Private.
    const char *program;
} hy_host_record;

/// How many of its options a program takes.
typedef enum {
    HY_HOST_RECORD_FILE = 2,    ///< --record and --overwrite.
    HY_HOST_RECORD_DIALECT = 3, ///< And --nt-dialect.
    HY_HOST_RECORD_LIDAR = 4,   ///< And --record-lidar.
} hy_host_record_extent;

hy_option_group hy_host_record_group(hy_host_record *to, hy_host_record_extent extent);

/// Whether the options go together, and the file is not there already; false with a sentence.
bool hy_host_record_check(const char *program, const hy_host_record *asked);

/// Begins the recording of `sim`, if one was asked for, with the world and the seed as its metadata, and attaches it to `host`; false with a
/// sentence if that cannot be.
bool hy_host_record_start(hy_host_record *self, hy_host *host, hy_sim *sim);

#endif
