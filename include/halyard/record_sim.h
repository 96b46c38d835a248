/// @file record_sim.h
/// A simulation and the log file of what it publishes, together: what `--record` does.
///
///     static bool run(hy_sim *sim)
///     {
///         static hy_sim_record record;
///         hy_record_error error;
///         const hy_record_options options = { .path = "run.wpilog", .waits = true };
///         if (hy_sim_record_start(&record, &options, sim, &error) != HY_OK) {
///             puts(error.text);
///             return false;
///         }
///         hy_sim_record_metadata(&record, "Seed", "1");
///         for (int64_t now_us = 10000; now_us <= 1000000; now_us += 10000) {
///             hy_sim_step(sim, &(hy_sim_input){ .now_us = now_us, .world_steps = 1 });
///             hy_sim_record_step(&record, sim);
///         }
///         return hy_sim_record_end(&record, &error) == HY_OK;
///     }
#ifndef HALYARD_RECORD_SIM_H
#define HALYARD_RECORD_SIM_H

#include <halyard/record.h>
#include <halyard/sim_publish.h>

HY_API_BEGIN

/// A recording under way. All zero: nothing is recorded, and every function here does nothing.
typedef struct {
    /// To declare channels of one's own between start and end; NULL: nothing is recorded.
    hy_telemetry *telemetry;
    // Private.
    hy_record *file;
    hy_sim_publisher publisher;
} hy_sim_record;

/// Creates the file, declares the channels of `sim` and publishes its state. Without a path
/// nothing is recorded. HY_OK, or as hy_record_open(), with a sentence in `error`; `self` is then
/// all zero.
hy_status hy_sim_record_start(hy_sim_record *self, const hy_record_options *options,
                              const hy_sim *sim, hy_record_error *error);

/// A line of AdvantageScope's metadata tab, such as the version, the world or the seed; only what
/// changes the run, so that equal runs give equal files. `name` has at most 200 bytes.
void hy_sim_record_metadata(hy_sim_record *self, const char *name, const char *text);

/// Records the points of all lidars, too: hy_sim_publisher_add_lidar(). Call it before the first
/// step.
void hy_sim_record_lidar(hy_sim_record *self, const hy_sim *sim);

/// Publishes what is due; call it after every step. See hy_sim_publish() for its cost.
void hy_sim_record_step(hy_sim_record *self, const hy_sim *sim);

/// Writes what is left and closes the file: as hy_record_close(). `self` is all zero afterwards.
hy_status hy_sim_record_end(hy_sim_record *self, hy_record_error *error);

HY_API_END

#endif
