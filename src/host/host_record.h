/// @file host_record.h
/// `--record FILE` and `--overwrite`: a log for AdvantageScope.
#ifndef HALYARD_HOST_RECORD_H
#define HALYARD_HOST_RECORD_H

#include "host.h"
#include "options/options.h"
#include "record/record_sim.h"

#define HY_HOST_SAID_MAX 80 ///< Bytes of what a program says, with its end.

/// What a program asks for, and the recording under way. All zero: nothing is recorded.
typedef struct {
    const char *path; ///< NULL: nothing is recorded.
    bool overwrite;
    bool waits; ///< The simulation waits for the disk; else what it is too slow for is left out and counted.
    bool lidar;
    bool is_robot_program; ///< It says things, and enabled robots do what `mode` says.
    hy_station_mode mode;
    int dialect;                   ///< An hy_nt_dialect.
    const hy_telemetry_sink *live; ///< A sink that gets the same, also without a file; NULL: none.
    const char *title; ///< What the file says of the run, without use for a path that is NULL: whose it is; NULL: nothing.
    const char *world, *faults; ///< NULL: none.
    uint64_t seed;
    char options[HY_RECORD_OPTIONS_MAX]; ///< Further ones that change the run, by hy_record_add_option().
    hy_sim_record sim; ///< From hy_host_record_start() on; also that of a program without a simulation.
    bool has_failed; ///< The file is not complete.
    // Private.
    const char *program;
    const hy_host *host;
    int64_t start_us;
    hy_record_dates dates;
    hy_channel messages;
    char said[HY_HOST_SAID_MAX]; // last
} hy_host_record;

/// How many of its options a program takes.
typedef enum {
    HY_HOST_RECORD_NEW = 1,     ///< --record.
    HY_HOST_RECORD_FILE = 2,    ///< --record and --overwrite.
    HY_HOST_RECORD_DIALECT = 3, ///< And --nt-dialect.
    HY_HOST_RECORD_LIDAR = 4,   ///< And --record-lidar.
} hy_host_record_extent;

hy_option_group hy_host_record_group(hy_host_record *to, hy_host_record_extent extent);

/// Begins the recording of `sim`, if one was asked for, with the world and the seed as its metadata, and attaches it to `host`; false with a
/// sentence if that cannot be. Without a simulation (NULL) time counts from now on: hy_host_record_time().
bool hy_host_record_start(hy_host_record *self, hy_host *host, hy_sim *sim);

/// The same for who says himself what is wrong: a status, with the sentence in `error`; and for who has the inputs of `sim` recorded, by
/// hy_sim_record_input().
hy_status hy_host_record_open(hy_host_record *self, hy_host *host, const hy_sim *sim,
                              hy_record_error *error);

/// The time of what is put next.
void hy_host_record_time(hy_host_record *self, int64_t now_us);

/// What the program says, if that is new. Records nothing unless `is_robot_program`.
void hy_host_record_say(hy_host_record *self, const char *text);

#endif
