/// @file record_option.h
/// `--record FILE` and `--overwrite`: a log for AdvantageScope.
#ifndef HALYARD_APPS_RECORD_OPTION_H
#define HALYARD_APPS_RECORD_OPTION_H

#include <halyard/record_sim.h>

#include "options.h"

typedef struct {
    const char *path; // NULL: nothing is recorded
    bool overwrite;
    bool waits; ///< The simulation waits for the disk; else what it is too slow for is left out and counted.
    bool lidar;
    int dialect;                   ///< An hy_nt_dialect.
    const char *faults;            ///< NULL: none
    const hy_telemetry_sink *live; ///< A sink that gets the same, also without a file; NULL: none.
    const char *world; ///< What the file says of the run; without use for a path that is NULL.
    uint64_t seed;
    char options[HY_RECORD_OPTIONS_MAX]; ///< Further ones that change the run, by hy_record_add_option().
} record_option;

/// The two lines of a subcommand's table.
#define RECORD_OPTIONS(to)                                          \
    { .name = "record",                                             \
      .value = "FILE",                                              \
      .text = &(to)->path,                                          \
      .help = "write a log (WPILOG), which AdvantageScope opens" }, \
    {                                                               \
        .name = "overwrite", .flag = &(to)->overwrite,              \
        .help = "with --record: replace FILE if it is there"        \
    }

/// The choices of --nt-dialect.
extern const char *const record_option_dialects[];

/// One more for what serves NetworkTables, too.
#define RECORD_OPTION_DIALECT(to)                                                           \
    {                                                                                       \
        .name = "nt-dialect", .choice = &(to)->dialect, .choices = record_option_dialects,  \
        .help = "the names and types of which WPILib, for --nt and --record (default 2026)" \
    }

/// One more for what has lidars.
#define RECORD_OPTION_LIDAR(to)                                                            \
    {                                                                                      \
        .name = "record-lidar", .flag = &(to)->lidar,                                      \
        .help = "with --record: the lidars' points, too, which make it many times as long" \
    }

/// Whether the options go together, and the file is not there already; false with a sentence.
bool record_option_check(const char *command, const record_option *asked);

/// Begins the recording, if one was asked for, with the world and the seed as its metadata; false with a sentence if that cannot be.
bool record_option_start(const char *command, const record_option *asked, hy_sim_record *record,
                         hy_sim *sim);

/// Ends it; false with a sentence if the file is not complete.
bool record_option_end(const char *command, hy_sim_record *record);

#endif
