/// @file replay.h
/// A recording of a simulation (record_sim.h), run again: the same setup, the same inputs, and the
/// state after every half second compared with what the file says of it. No file is opened here and
/// no clock is read.
///
///     static int verify(hy_bytes file)
///     {
///         hy_replay_report report;
///         hy_replay_verify(file, &report);
///         puts(report.text);
///         return report.result == HY_REPLAY_EQUAL ? 0 : 1;
///     }
#ifndef HALYARD_REPLAY_H
#define HALYARD_REPLAY_H

#include <halyard/sim.h>

HY_API_BEGIN

/// What a verification has shown.
typedef enum {
    HY_REPLAY_EQUAL,      ///< All hashes agree, up to the end or to where the inputs end.
    HY_REPLAY_DIFFERS,    ///< An input was altered, or a hash differs.
    HY_REPLAY_IMPOSSIBLE, ///< It is no such recording, or another version has made it.
} hy_replay_result;

/// The result with its reasons.
typedef struct {
    hy_replay_result result;
    uint64_t hashes;         ///< That agree.
    uint64_t inputs;         ///< That were given to the simulation.
    uint64_t steps;          ///< Of the world, up to the last hash that agrees.
    double simulated_s;      ///< The same in seconds.
    uint64_t differing_step; ///< HY_REPLAY_DIFFERS: the step that differs, from 1.
    /// The inputs do not go on to the end of the file: it was cut or damaged, or inputs were lost
    /// while it was recorded.
    bool is_partial;
    size_t offset;  ///< Of a partial or differing file: where that is.
    char text[640]; ///< One sentence, without the file's name.
} hy_replay_report;

/// Runs the recording in `file`, the bytes of a whole file, again, and compares. Any bytes will do.
/// Allocates a simulation and frees it. Costs what the steps cost.
void hy_replay_verify(hy_bytes file, hy_replay_report *report);

HY_API_END

#endif
