/// @file record_sim.h
/// A simulation and the log file of what it publishes, together: what `--record` does. The file
/// also has what is needed to run the simulation again (docs/spec/recording.md): its setup, every
/// input, and hashes of its state. replay.h does that.
///
///     static bool run(hy_sim *sim)
///     {
///         static hy_sim_record record;
///         hy_record_error error;
///         const hy_record_options options = { .path = "run.wpilog", .waits = true };
///         if (hy_sim_record_open(&record, &options, sim, &error) != HY_OK) {
///             puts(error.text);
///             return false;
///         }
///         hy_sim_watch(sim, hy_sim_record_input, &record);
///         hy_sim_record_metadata(&record, "Seed", "1");
///         for (int64_t now_us = 10000; now_us <= 1000000; now_us += 10000) {
///             hy_sim_step(sim, &(hy_sim_input){ .now_us = now_us, .world_steps = 1 });
///             hy_sim_record_step(&record, sim);
///         }
///         return hy_sim_record_close(&record, &error) == HY_OK;
///     }
#ifndef HALYARD_RECORD_SIM_H
#define HALYARD_RECORD_SIM_H

#include "record.h"
#include "sim/sim_publish.h"

/// A recording under way. All zero: nothing is recorded, and every function here does nothing.
typedef struct {
    /// To declare channels of one's own between start and end; NULL: nothing is recorded.
    hy_telemetry *telemetry;
    hy_station_mode mode; ///< What enabled robots do, if its owner knows.
    // Private.
    hy_record *file;
    hy_sim_publisher publisher;
    hy_channel input, hash;
    uint8_t *bytes;    // room for the bytes of an input, and for the same packed
    const hy_sim *sim; // while its inputs are recorded
    uint64_t inputs;   // so far
    uint64_t hashed;   // of these, when the last hash was put
    uint64_t next_hash_us;
} hy_sim_record;

#define HY_SIM_RECORD_HASH_US 500000 ///< Simulated time from one hash of the state to the next.

/// Creates the file, declares the channels of `sim`, which has not been stepped yet, writes its
/// setup and publishes its state. Without a path nothing is recorded. HY_OK, or as
/// hy_record_open(), with a sentence in `error`; `self` is then all zero. `sim` is NULL for a file
/// of one's own channels alone: then only they, metadata and the end are recorded.
hy_status hy_sim_record_open(hy_sim_record *self, const hy_record_options *options,
                             const hy_sim *sim, hy_record_error *error);

/// A line of AdvantageScope's metadata tab, such as the version, the world or the seed; only what
/// changes the run, so that equal runs give equal files. `name` has at most 200 bytes.
void hy_sim_record_metadata(hy_sim_record *self, const char *name, const char *text);

/// See hy_record_file_name().
void hy_sim_record_file_name(hy_sim_record *self, const char *name, const char *path);

/// The metadata "Options", as hy_record_add_option() makes it; "" leaves it out.
void hy_sim_record_options(hy_sim_record *self, const char *text);

/// Records the points of all lidars, too: hy_sim_publisher_add_lidar(). Call it before the first
/// step.
void hy_sim_record_lidar(hy_sim_record *self, const hy_sim *sim);

/// A hy_sim_watcher: records an input and, when one is due, a hash of the state. `record` is a
/// hy_sim_record that stays as long as `sim` is stepped. An input whose bytes do not get into the
/// file is lost: a replay ends there.
void hy_sim_record_input(void *record, const hy_sim *sim, const hy_sim_input *input);

/// Puts a last hash; of the simulation nothing is recorded from now on. For those who end it before
/// the recording; hy_sim_record_close() does it otherwise.
void hy_sim_record_finish(hy_sim_record *self);

/// Publishes what is due; call it after every step. See hy_sim_publish() for its cost.
void hy_sim_record_step(hy_sim_record *self, const hy_sim *sim);

/// Writes what is left and closes the file: as hy_record_close(). `self` is all zero afterwards.
hy_status hy_sim_record_close(hy_sim_record *self, hy_record_error *error);

#endif
