/// @file record.h
/// A log file (WPILOG) on its way to the disk: a sink of telemetry whose bytes a thread writes, so
/// that whoever puts values never waits for a disk.
///
///     static hy_record *start(hy_telemetry *telemetry)
///     {
///         const hy_record_options options = { .path = "run.wpilog" };
///         hy_record *record;
///         hy_record_error error;
///         if (hy_record_open(&options, &record, &error) != HY_OK) {
///             puts(error.text);
///             return NULL;
///         }
///         hy_telemetry_attach(telemetry, hy_record_sink(record));
///         return record; // hy_record_close() ends it
///     }
#ifndef HALYARD_RECORD_H
#define HALYARD_RECORD_H

#include <halyard/telemetry.h>

/// What went wrong with a file: one sentence with its path.
typedef struct {
    char text[640];
} hy_record_error;

typedef struct {
    const char *path; ///< Of the file; copied.
    bool overwrite;   ///< A file that is there is replaced; otherwise it is an error.
    /// Simulated time: who puts values waits when the disk is slower, and nothing is dropped.
    /// Otherwise values are dropped when four megabytes wait, whole and counted.
    bool waits;
    /// Called once, by the thread that writes, when the file cannot be written any more (a full
    /// disk): `text` is one sentence. The rest is dropped; the program goes on. NULL: standard
    /// error.
    void (*report)(void *context, const char *text);
    void *context;
    /// For who records a whole simulation (record_sim.h): a sink that gets the same values, with or
    /// without a file; NULL: none.
    const hy_telemetry_sink *live;
    hy_nt_dialect dialect; ///< Of the channels of such a recording.
} hy_record_options;

/// What was written so far.
typedef struct {
    uint64_t bytes;   ///< In the file.
    uint64_t dropped; ///< Records that did not get there.
} hy_record_counts;

typedef struct hy_record hy_record;

/// Creates the file and starts its thread, which writes at least every 50 ms and asks the system to
/// put it on the disk (fsync) at least every second: after a crash or a power cut everything before
/// can be read. HY_OK, or `*out` is NULL and `error` says why: HY_EFILE (the file is there,
/// cannot be created, or is neither a regular file nor a device), HY_EMEMORY, HY_ESYSTEM (no
/// thread). Never waits for the reader of a named pipe.
hy_status hy_record_open(const hy_record_options *options, hy_record **out, hy_record_error *error);

/// The sink to attach to a hy_telemetry.
hy_telemetry_sink hy_record_sink(hy_record *self);

/// A line of AdvantageScope's metadata tab, such as the version, the world or the seed, in the
/// files of `telemetry`. `name` has at most 200 bytes.
void hy_record_metadata(hy_telemetry *telemetry, const char *name, const char *text);

/// The same for a file that was named, such as the world's: without its folders, which may tell who
/// runs this. NULL counts as "".
void hy_record_file_name(hy_telemetry *telemetry, const char *name, const char *path);

#define HY_RECORD_OPTIONS_MAX 256 ///< Bytes of a text of options, with its end.

/// Appends an option that changes the run to `text`, which is then the metadata "Options":
/// "--robot 7 --pwm 50". `text` has HY_RECORD_OPTIONS_MAX bytes and begins as "". A value that is a
/// path is written without its folders, as by hy_record_file_name(); NULL is an option that was not
/// given. One for which there is no room is left out whole.
void hy_record_add_option(char *text, const char *name, const char *value);

/// The same for a number; 0 is an option that was not given.
void hy_record_add_number(char *text, const char *name, double value);

/// When `systemTime` was put last. All zero: not yet.
typedef struct {
    int64_t put_us, offset_us;
} hy_record_dates;

/// Puts into `systemTime` what the clock of the day showed when the log's time was `log_us`, by
/// which viewers lay other logs beside this one: for runs in real time, whose files differ anyway.
/// `at_us` is when that was, by hy_clock_now_us(). Call it for each new time of the log, behind
/// hy_telemetry_set_time(): it puts the first, one every 10 s, and one when the log has left out
/// more than 0.1 s. O(1).
void hy_record_date(hy_record_dates *self, hy_telemetry *telemetry, uint64_t log_us, int64_t at_us);

/// Sets the dialect of `telemetry` and writes it into its files, if it is not 2026, so that a
/// replay uses it. Call it when all sinks are attached.
void hy_record_dialect(hy_telemetry *telemetry, hy_nt_dialect dialect);

/// What enabled robots do.
typedef enum {
    HY_STATION_TELEOP,
    HY_STATION_AUTONOMOUS,
    HY_STATION_TEST,
} hy_station_mode;

/// Whether robots are enabled, as WPILib's driver station publishes it and AdvantageScope colours
/// its timeline by it: int /FMSInfo/FMSControlData, in the dialect of 2027 struct:ControlWord
/// /DriverStation/ControlWord. The rest of the table (alliance, match) is left out: it belongs to
/// one robot. Declares the channels at the first call. O(channels).
void hy_record_station(hy_telemetry *telemetry, bool is_enabled, hy_station_mode mode);

/// Returns when all that was put so far is in the file, or cannot be written: for values that must
/// not be dropped at a start. Waits for the disk; call from the thread that puts values.
void hy_record_flush(hy_record *self);

/// Bytes and drops so far. Call from the thread that puts values. O(1).
hy_record_counts hy_record_count(const hy_record *self);

/// Writes what is left, ends the thread and closes the file; nothing may be put any more. HY_OK, or
/// HY_EFILE and a sentence if not everything got into the file. NULL is harmless. Waits for the
/// disk.
hy_status hy_record_close(hy_record *self, hy_record_error *error);

#endif
