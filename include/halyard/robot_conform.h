/// @file robot_conform.h
/// Grades the firmware of a robot over the network: framing, statuses, sequence numbers, ownership,
/// stop, watchdog, malformed packets, encoders. Works with real and virtual robots, of any maker,
/// that speak one of Halyard's dialects; what is required is specified in docs/spec/wire.md,
/// xrp-robot.md and teensy-robot.md.
///
/// Safety: without `allow_motion` every packet that is sent, malformed ones too, has control 0,
/// which disables. With it the robot moves: an XRP turns on the spot, a Teensy's modules turn while
/// its wheels stand. Every motion lasts at most 1.5 s, is followed by 650 ms of silence (in
/// which the robot's watchdog stops it whatever it thinks of the packets), and the end is a stop
/// that is sent six times.
///
///     hy_conform_report report;
///     hy_conform_options options = { .allow_motion = true };
///     if (hy_conform_run("xrp://192.168.42.1", &options, &report) == HY_OK) {
///         printf("%zu of %zu failed\n", report.failed, report.count);
///     }
#ifndef HALYARD_ROBOT_CONFORM_H
#define HALYARD_ROBOT_CONFORM_H

#include <halyard/wire.h>

HY_API_BEGIN

#define HY_CONFORM_TESTS 48  ///< Room for the results of all tests.
#define HY_CONFORM_TEXT  160 ///< Room for one sentence of a result, with its end.

/// What a test says of the robot.
typedef enum {
    HY_CONFORM_PASSED,
    HY_CONFORM_FAILED,
    /// It needs motion, or something that the robot does not have; `came` says which.
    HY_CONFORM_NOT_TESTED,
} hy_conform_verdict;

/// One requirement. All texts are static.
typedef struct {
    const char *id;       ///< "sequence.wrap": stable, for scripts.
    const char *title;    ///< What a robot must do, in one sentence.
    const char *sent;     ///< What the test sends.
    const char *expected; ///< What must come then.
    const char *why;      ///< What goes wrong on a robot that fails.
    const char *known;    ///< Who is known to fail it, and since when; NULL: nobody.
    bool needs_motion;
} hy_conform_test;

typedef struct {
    const hy_conform_test *test;
    hy_conform_verdict verdict;
    unsigned attempts; ///< A test that fails is repeated; this many runs were counted, 1 to 3.
    char came[HY_CONFORM_TEXT]; ///< What came, with its numbers.
    double took_s;
} hy_conform_result;

typedef struct {
    const hy_dialect *dialect;
    char address[80]; ///< Where the robot answered.
    hy_conform_result results[HY_CONFORM_TESTS];
    size_t count, passed, failed, not_tested;
    /// The robot stopped answering in this test (index in `results`) and did not come back: later
    /// tests were not run, and it may still be moving. SIZE_MAX: it did not.
    size_t stopped_answering;
} hy_conform_report;

/// What the caller chooses. All zero: no motion, default effort, silent, until the end.
typedef struct {
    /// The robot may move: it stands on blocks, or has a metre of free floor around it.
    bool allow_motion;
    double effort; ///< Of the motors, (0, 1]; 0 means 0.5. Less may not move a heavy robot.
    /// Called before each test and about ten times a second; returns true to end early, which stops
    /// the robot. May be NULL.
    bool (*progress)(void *context, const hy_conform_test *test, size_t index, size_t count);
    void *context;
} hy_conform_options;

/// Test `index` of the list, static; NULL behind the last. O(tests).
const hy_conform_test *hy_conform_test_at(size_t index);

/// How many tests there are.
size_t hy_conform_test_count(void);

/// Grades the robot at `url` ("xrp://HOST[:PORT]"). Blocks for about 15 s, with motion for about 80
/// s. Commands the robot: nobody else may drive it meanwhile. HY_OK: `report` is filled, also if
/// everything failed. HY_EADDRESS (not a robot's URL), HY_ENAME, HY_EUNREACHABLE (nobody answers
/// there), HY_EINUSE (another program drives it), HY_EMEMORY, HY_AGAIN (ended by `progress`; the
/// results so far are in `report`), HY_ESYSTEM.
hy_status hy_conform_run(const char *url, const hy_conform_options *options,
                         hy_conform_report *report);

HY_API_END

#endif
