/// @file program_replay.h
/// A robot program run again on what it read when it was recorded (`--record` of a robot program,
/// docs/spec/recording.md): without robots, sockets, clock and simulation. What it commands and
/// publishes is compared with the recording. What `--replay` does on a program's command line.
///
///     static int check(const hy_program *my_program, hy_bytes file)
///     {
///         hy_program_replay_report report;
///         hy_program_replay(my_program, file, &report);
///         puts(report.text);
///         return report.result == HY_REPLAY_EQUAL ? 0 : 1;
///     }
#ifndef HALYARD_PROGRAM_REPLAY_H
#define HALYARD_PROGRAM_REPLAY_H

#include <halyard/program.h>
#include <halyard/record_replay.h>

HY_API_BEGIN

/// What a replay has shown.
typedef struct {
    /// HY_REPLAY_DIFFERS: other commands or other values, of another program or of one that reads
    /// what no recording has (rand(), time() and the like), or an altered file.
    /// HY_REPLAY_IMPOSSIBLE: the file has no such inputs, or another version recorded it.
    hy_replay_result result;
    uint64_t loops;           ///< That were run again.
    uint64_t differing_loops; ///< Of these, those whose commands or values differ.
    uint64_t first_loop;      ///< The first of them, from 1; 0: none.
    uint64_t unknown_calls;   ///< Whose values were dropped while recording, and not compared.
    double recorded_s;        ///< Recorded time of the last input.
    /// The recording does not go on to the program's end: the file was cut or damaged, inputs were
    /// lost, or the program was killed.
    bool is_partial;
    size_t offset;   ///< Of a partial recording: where its inputs end.
    char text[1024]; ///< One or more sentences, without the file's name.
} hy_program_replay_report;

/// Runs `program` again on the recording in `file`, the bytes of a whole file; any bytes will do.
/// Its devices are initialised and its calls are called as they were recorded, in this thread; but
/// not draw(). `supervise` gets no simulation. One replay at a time in a process.
void hy_program_replay(const hy_program *program, hy_bytes file, hy_program_replay_report *report);

HY_API_END

#endif
