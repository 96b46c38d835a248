/// @file calibrate.h
/// Finds out in which way one XRP differs from its type: a script drives it, what it did is
/// recorded (commands, encoders, gyro), and its traits (world_spec.h) are fitted so that the
/// world's own step, given the same commands, does the same. docs/spec/robot.md, "Calibration".
///
///     static void calibrate(const hy_calibration_log *log)
///     {
///         hy_calibration result;
///         if (hy_calibrate(log, 0, &result) == HY_OK) {
///             printf("the bridge %s\n", result.coasts ? "coasts" : "brakes");
///         }
///     }
#ifndef HALYARD_CALIBRATE_H
#define HALYARD_CALIBRATE_H

#include <halyard/bot_devices.h>
#include <halyard/telemetry.h>
#include <halyard/world_spec.h>

// --------------------------------------------------------------------------- what was recorded

#define HY_CALIBRATION_LOG 4096 ///< Most commands and most statuses of a recording.

/// What was commanded from a time on: efforts of the left and the right wheel, forward positive.
typedef struct {
    int64_t at_us; ///< When it was sent.
    double effort[2];
} hy_calibration_command;

/// What a status said.
typedef struct {
    int64_t at_us;    ///< When it came.
    double counts[2]; ///< Of the left and the right wheel, forward positive; they never wrap.
    double yaw_rad;   ///< Counter-clockwise; it never wraps.
} hy_calibration_status;

/// A recording: the robot stands at its beginning. All zero is an empty one.
typedef struct {
    hy_calibration_command commands[HY_CALIBRATION_LOG];
    hy_calibration_status statuses[HY_CALIBRATION_LOG];
    size_t command_count, status_count;
    bool is_full; ///< Something was left out.
    /// Of a file that was read: what of it cannot be read, and values that lie far from the others
    /// in time, which are left out; "": neither.
    char damage[600];
} hy_calibration_log;

/// Adds a command, unless it is the same as before.
void hy_calibration_add_command(hy_calibration_log *log, int64_t at_us, const double effort[2]);

/// Adds a status. Without encoders of both wheels and a gyro it is left out.
void hy_calibration_add_status(hy_calibration_log *log, int64_t at_us, const hy_readings *readings);

/// Puts a recording into a log file: the motors, encoders and gyro angles of a robot program's
/// recording (docs/spec/channels.md), at the times of the commands and statuses. Declares the
/// channels.
void hy_calibration_publish(const hy_calibration_log *log, hy_telemetry *to);

/// Reads the recording from the bytes of a log file (WPILOG) that hy_calibration_publish() wrote,
/// exactly, or that a robot program or `halyard drive` wrote over a link: that of one robot. Of a
/// longer file the beginning is used, and `log->is_full` is set. HY_OK; HY_EFORMAT: no log file;
/// HY_ERANGE: the channel `*missing` (static) has no values. Any bytes will do. O(size of the
/// file).
hy_status hy_calibration_read(hy_bytes file, hy_calibration_log *log, const char **missing);

// --------------------------------------------------------------------------- the script

/// A piece of the script: efforts that change evenly from `from` to `to`.
typedef struct {
    const char *what; ///< "steps", for people; static.
    double seconds;
    double from[2], to[2];
} hy_calibration_piece;

/// The pieces of the script, `*count` of them; static.
const hy_calibration_piece *hy_calibration_script(size_t *count);

/// How long it takes.
double hy_calibration_script_s(void);

/// The piece at that time since its beginning, and what it commands then; NULL behind its end: 0.
const hy_calibration_piece *hy_calibration_efforts(double at_s, double effort[2]);

#define HY_CALIBRATION_PHASES 32 ///< Most phases of a recording.

/// A part of a recording: the pieces of the script that follow each other under one name.
typedef struct {
    const char *what;    ///< "steps"; "recording", if it is not of the script; static.
    double from_s, to_s; ///< Since the first command.
    size_t first, count; ///< Its statuses.
} hy_calibration_phase;

/// Divides a recording into the phases of the script that it has statuses of, or, if its commands
/// are not those of the script, into pieces of 15 s. Writes at most HY_CALIBRATION_PHASES; how
/// many.
size_t hy_calibration_phases(const hy_calibration_log *log, hy_calibration_phase *phases);

/// Drives the script and records, as the devices of a robot program (program.h). All zero but `log`
/// is one that waits for hy_calibration_begin().
typedef struct {
    hy_calibration_log *log; ///< The caller's.
    bool is_running;         ///< Between the beginning and the end of the script.
    bool is_done;            ///< The script has come to its end.
    int64_t begin_us;
    const hy_calibration_piece *piece; ///< Where it is.
} hy_calibration_drive;

/// Its calls; `devices` is a hy_calibration_drive.
extern const hy_device_class hy_calibration_devices;

/// A call of a mode (bot.h): the script begins.
void hy_calibration_begin(void *drive, int64_t now_us);

// --------------------------------------------------------------------------- the fit

#define HY_CALIBRATION_VALUES 17 ///< How many numbers are fitted.

/// A number that was fitted.
typedef struct {
    const char *name;   ///< As in a robot file: "wheels: track"; static.
    double value;       ///< As in a robot file.
    double deviation;   ///< Standard deviation; it covers what the recording and `expected` leave.
    bool is_determined; ///< Else the recording says little, and it is about what was expected.
    const char *why;    ///< Of one that is not: static. "no turns in the recording"
    bool is_at_bound;   ///< The search ended at its bound: what is beyond was not tried.
} hy_calibration_value;

#define HY_CALIBRATION_LAPS 3 ///< Laps of which the error is predicted.

/// How far the robot and its twin are expected to come apart on a lap that both drive without
/// feedback: root mean squares over the lap, one standard deviation.
typedef struct {
    const char *what; ///< "square"; static.
    double way_m;     ///< Of the twin.
    double position_rms_m, heading_rms_rad;
} hy_calibration_lap;

/// What is commanded on a lap at that time, as the script's efforts; how long the lap takes, in
/// seconds.
double hy_calibration_lap_efforts(unsigned lap, double at_s, double effort[2]);

/// What a recording says of a robot.
typedef struct {
    hy_robot_traits traits;
    hy_calibration_value values[HY_CALIBRATION_VALUES];
    unsigned simulations; ///< Of the recording.
    bool coasts;          ///< Its bridges disconnect the motors; else they short them.
    /// How many times larger the sum of squares is with the other bridge; 1: nobody knows.
    double bridge_ratio;
    /// Statuses that did not count: from a pause of the connection, of 150 ms or more, to the next
    /// rest, since nobody knows when the robot got which command.
    size_t left_out;
    double counts_rms, yaw_rms_rad; ///< What is left of encoders and gyro, since the last rest.
    /// So much is left (over 6 counts or 3 degrees; 2 and 1.5 are usual) that the numbers are not
    /// to be trusted: the robot touched something or slipped, or the connection paused.
    bool is_poor;
    /// Predicted from what the recording leaves open. The size of both wheels adds to it, 1 cm a
    /// metre for 1 %: no encoder sees it. All 0: nothing can be predicted, so little is known.
    hy_calibration_lap laps[HY_CALIBRATION_LAPS];
} hy_calibration;

/// Fits. `volts` is what the battery was measured to have without load, or 0. HY_ERANGE: in the
/// recording the robot hardly moves; HY_EMEMORY. Allocates 1 MB, keeps nothing. About four
/// seconds for the script.
hy_status hy_calibrate(const hy_calibration_log *log, double volts, hy_calibration *out);

/// What the robot of `result` shows where `log` has a status, one for each: from where the recorded
/// robot last stood, by the same commands. HY_ERANGE: there can be no such robot; HY_EMEMORY.
hy_status hy_calibration_fitted(const hy_calibration_log *log, const hy_calibration *result,
                                hy_calibration_status *fitted);

#endif
