/// @file program_run.h
/// A whole robot program against a simulation in its own process, for tests: simulated time,
/// thousands of times faster than real. What `--sim` does on a program's command line.
///
///     static void test(const hy_program *my_program)
///     {
///         const hy_program_options options = { .world = "xrp-line", .seed = 1, .duration_s = 30 };
///         hy_program_outcome outcome;
///         if (hy_program_run(my_program, &options, &outcome) != HY_OK) { puts(outcome.error); }
///         assert(outcome.run.laps > 0.9 && outcome.run.touches == 0);
///     }
#ifndef HALYARD_PROGRAM_RUN_H
#define HALYARD_PROGRAM_RUN_H

#include <halyard/nt.h>
#include <halyard/program.h>
#include <halyard/record_phantoms.h>
#include <halyard/run.h>

HY_API_BEGIN

/// How a program is run.
typedef struct {
    // In the same process as its robots.
    const char *world; ///< A world's name, or a file (docs/spec/world.md); NULL: none.
    /// Instead of `world`: one that is loaded already; the caller's during the run.
    const hy_world_model *model;
    /// Which version of their hardware its robots have in `world`, as `halyard board --hardware`
    /// has it: "beta"; robots of a type without such a version have their first. The model in
    /// `model` is as it is: this is the controllers' there. NULL: all have their first.
    const char *hardware;
    /// Of the PWM of the robots' motors in `world`, in hertz; 0: as their controllers have it.
    double pwm_hz;
    /// Which XRP it drives in `world`, as `--robot` says it: "ideal", "typical", a seed or a robot
    /// file (hy_robot_choose()); NULL: the one that the world's file names.
    const char *robot;
    uint64_t seed; ///< For all sensor noise.
    double speed;  ///< Times real time; 0: as fast as it goes. Changes nothing else.
    /// A page shows the world on this address of this machine (ADDR[:PORT], "": HY_VIEW_LISTEN),
    /// and its visitors press buttons and reset; NULL: none. Who only looks changes nothing.
    const char *view;
    /// With `view`: earlier runs in this world (`record`) that are shown beside the first robot,
    /// with how far ahead they are. One that does not fit is left out with a sentence.
    const char *phantoms[HY_PHANTOMS_MAX];
    size_t phantom_count;
    bool json; ///< hy_program_execute() prints the outcome as JSON.
    /// A log of the run is written to this file (WPILOG: sensors, motors, what the program said; in
    /// a world poses too); NULL: none. Equal runs in a world give equal files.
    const char *record;
    bool overwrite; ///< A `record` that is there already is replaced, instead of an error.
    /// hy_program_execute() runs the program again on what it read in this recording, without
    /// robots and world, and compares (program_replay.h). `record` is then a copy of it that has
    /// what the program does now as channels /Replay/... . NULL: it runs as the rest says.
    const char *replay;
    /// Runs in the simulation that this recording has, from its start, in the place of whoever
    /// drove the program's robots then; everything else that acts on it is as recorded. Instead of
    /// `world`, with its seed, faults and length. NULL: none.
    const char *what_if;
    /// AdvantageScope, Elastic and other clients of NetworkTables see the run on this address
    /// (ADDR[:PORT], "": 127.0.0.1:5810) while it lasts, and change its tunables; NULL: none. If
    /// the port is taken, one sentence says so and the run goes on.
    const char *nt;
    /// `nt` only holds in real time (not at another `speed`), and not if HALYARD_NT is "off".
    bool nt_by_default;
    hy_nt_dialect nt_dialect;        ///< Names and types of what is published and recorded.
    bool nt_write;                   ///< Other machines may change tunables, too.
    const hy_nt_network *nt_allowed; ///< Other machines that may connect.
    size_t nt_allowed_count;
    hy_web_names names; ///< As in hy_nt_options, and of `view`.
    /// Tunables begin with what this file has for their names (--tunables); NULL: none.
    const char *tunables;
    /// At the end of the run the tunables are written to this file (--save-tunables), if something
    /// was published or recorded; NULL: none.
    const char *save_tunables;
    // Over a network: hy_program_execute() without `world` and `model`.
    const char *url[HY_PROGRAM_ROBOTS]; ///< NULL: the robot's own, or this computer.
    // Both.
    bool unattended; ///< Takes no terminal even if there is one.
    bool enable;     ///< hy_program_execute() enables as soon as all robots answer.
    /// Simulated in a world, 0: 60 s there unless a person ends it; else real, 0: for ever.
    double duration_s;
    /// Of the network and the robots; NULL: none. The caller's during the run.
    const hy_faults_spec *faults;
    const char *faults_text; ///< The same as written on a command line, to be shown; may be NULL.
} hy_program_options;

typedef struct {
    hy_run_outcome run;
    char said[80];   ///< By hy_program_say(), last.
    char error[320]; ///< Why it did not run: a sentence.
} hy_program_outcome;

/// Runs `program` against a simulation instead of robots on the network: enabled as soon as they
/// answer, in simulated time, without sockets and, unless `speed` is set, without a clock. The same
/// options give the same outcome to the bit, if the program starts afresh in its init calls.
/// Anything but HY_OK leaves a sentence in `outcome->error`. Runs in different threads share
/// nothing, if their programs do not.
hy_status hy_program_run(const hy_program *program, const hy_program_options *options,
                         hy_program_outcome *outcome);

/// What hy_program_main() does once it has read its command line: runs `program` in a world or over
/// a network, with a person at the terminal if there is one, and returns the exit status. `outcome`
/// (may be NULL) is set by a run in a world.
int hy_program_execute(const hy_program *program, const hy_program_options *options,
                       hy_program_outcome *outcome);

HY_API_END

#endif
