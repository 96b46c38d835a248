/// @file robot_check.h
/// A closer look at one robot: how it answers, how regularly its statuses come, what gets lost, who
/// else speaks to it, and what all that means in plain words.
///
/// A check never enables and, unless it is told that it has the robot for itself, never sends a
/// command: it asks with probes of one byte (halyard/robot.h says what they do to whom). It tells
/// three manners apart:
///
/// - A robot that *streams* (the stock firmware, when nobody commands it) goes on sending after one
///   probe: a check just listens, and nothing more is sent.
/// - A board that *answers* (a Halyard board) sends one status for each probe, and two probes that
///   arrive together get the same number twice, which no stream does. Asking such a board disturbs
///   nobody, so the check goes on asking: that gives round trips, and the numbers tell whether a
///   stream goes to somebody else meanwhile.
/// - From a stock robot that another program commands, a status can only be *borrowed*: after a few
///   of them the check stops asking.
///
///     static void check(hy_endpoint robot, const hy_dialect *dialect)
///     {
///         const hy_robot_check_options options = { .dialect = dialect, .duration_us = 1500000 };
///         hy_robot_checkup *checkup;
///         if (hy_robot_checkup_open(&checkup, &robot, &options) != HY_OK) { return; }
///         while (hy_robot_checkup_wait(checkup, hy_clock_now_us() + 100000)) {
///             // show hy_robot_checkup_progress()
///         }
///         const hy_robot_report report = hy_robot_checkup_close(checkup);
///         printf("%.1f statuses a second\n", report.rate_hz);
///     }
///
/// ## Grading a robot's firmware
///
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
#ifndef HALYARD_ROBOT_CHECK_H
#define HALYARD_ROBOT_CHECK_H

#include <halyard/base.h>
#include <halyard/link.h>
#include <halyard/robot.h>
#include <halyard/wire.h>

HY_API_BEGIN

// --------------------------------------------------------------------------- statistics

/// How a number of durations spread. Percentiles are by nearest rank: the smallest value that at
/// least so many per cent do not exceed. All zero without a value.
typedef struct {
    size_t count;
    int64_t least_us, median_us, p95_us, p99_us, most_us;
    double mean_us,
        deviation_us; ///< The standard deviation of the values as they are (divided by count).
} hy_robot_spread;

/// Sorts `values_us` in place. O(count log count).
hy_robot_spread hy_robot_spread_of(int64_t *values_us, size_t count);

// --------------------------------------------------------------------------- what is learnt

/// How a robot deals with somebody who only asks, and the name of that in JSON.
#define HY_ROBOT_MANNER_MAP(X)                                                 \
    X(HY_ROBOT_SILENT, "silent")       /* nothing came */                      \
    X(HY_ROBOT_STRANGE, "not a robot") /* something came, but no status */     \
    X(HY_ROBOT_STREAMS, "streams")     /* one probe, and its stream is ours */ \
    X(HY_ROBOT_ANSWERS, "answers")     /* one status a probe */                \
    X(HY_ROBOT_BORROWED, "borrowed")   /* a status now and then: another has it */

typedef enum {
#define HY_ROBOT_MANNER_ENUM(name, text) name,
    HY_ROBOT_MANNER_MAP(HY_ROBOT_MANNER_ENUM)
#undef HY_ROBOT_MANNER_ENUM
} hy_robot_manner;

/// The static name of a manner, never NULL.
const char *hy_robot_manner_text(hy_robot_manner manner);

/// What a check has learnt. Rates and spreads are 0 where there was nothing to measure.
typedef struct {
    hy_robot_manner manner;
    const hy_dialect *dialect; ///< That it speaks; NULL if no status came.
    bool is_commanded;         ///< Commands with control 0 went out.
    bool has_stream;           ///< What follows on statuses was measured on a stream of our own.
    bool is_owned;             ///< Another program seems to command it.
    bool has_periods; ///< Its encoders tell their periods: an XRP's firmware is newer than 1.0.1.
    double foreign_rate_hz; ///< Statuses a second that go to somebody else, where that can be seen.
    int64_t duration_us;    ///< That was measured for, without finding out how to.

    uint64_t statuses;  ///< Used, of the stream; without one, all that came.
    uint64_t lost;      ///< Gaps in their numbers.
    uint64_t late;      ///< Duplicates, and such as were overtaken.
    uint64_t restarts;  ///< Times that their numbers began anew.
    uint64_t malformed; ///< With a block that ran past the datagram.
    uint64_t others;    ///< Datagrams from there that are no status.
    /// Times that the stream had stopped for half a second and was asked for again.
    uint64_t asked_again;
    double rate_hz;             ///< That came.
    double sent_rate_hz;        ///< That the robot sent: the lost ones included.
    double loss;                ///< Share of the stream that got lost, [0, 1].
    hy_robot_spread interval;   ///< Between statuses with successive numbers.
    int64_t longest_silence_us; ///< Without any, also before the first and behind the last one.
    int64_t age_us;             ///< Of the newest one at the end; INT64_MAX if none came.

    uint64_t probes,
        answers; ///< Of the measurement; what was sent before, to find out how, is not counted.
    hy_robot_spread round_trip; ///< Of the probes that were answered.

    uint64_t reports;    ///< Times that the network said: nobody there, or no way (ICMP).
    bool is_unreachable; ///< The system had no way to send there.
    bool is_near;        ///< This computer has an address in the same network.
} hy_robot_report;

// --------------------------------------------------------------------------- in plain words

/// What can be wrong, or worth knowing, and the name of that in JSON.
#define HY_ROBOT_FINDING_MAP(X)            \
    X(HY_FINDING_SILENT, "silent")         \
    X(HY_FINDING_NO_WAY, "no-way")         \
    X(HY_FINDING_REFUSED, "refused")       \
    X(HY_FINDING_STRANGE, "strange")       \
    X(HY_FINDING_DIALECT, "dialect")       \
    X(HY_FINDING_OWNED, "owned")           \
    X(HY_FINDING_LOSS, "loss")             \
    X(HY_FINDING_UNANSWERED, "unanswered") \
    X(HY_FINDING_SILENCES, "silences")     \
    X(HY_FINDING_JITTER, "jitter")         \
    X(HY_FINDING_SLOW, "slow")             \
    X(HY_FINDING_DELAY, "delay")           \
    X(HY_FINDING_RESTART, "restart")       \
    X(HY_FINDING_DAMAGE, "damage")         \
    X(HY_FINDING_FIRMWARE, "firmware")     \
    X(HY_FINDING_FEW, "few")               \
    X(HY_FINDING_NO_STREAM, "no-stream")

typedef enum {
#define HY_ROBOT_FINDING_ENUM(name, text) name,
    HY_ROBOT_FINDING_MAP(HY_ROBOT_FINDING_ENUM)
#undef HY_ROBOT_FINDING_ENUM
        HY_FINDINGS ///< Number of findings.
} hy_robot_finding_kind;

/// The static name of a finding, never NULL.
const char *hy_robot_finding_text(hy_robot_finding_kind kind);

typedef struct {
    hy_robot_finding_kind kind;
    bool is_trouble; ///< Something to do something about; otherwise good to know.
    char text[400];  ///< What is so, and what to do: whole sentences.
} hy_robot_finding;

/// What a report means. `url` and `address` are the robot's; `url` also says which dialect was
/// expected. Writes at most `room` findings (HY_FINDINGS is always enough), the gravest first;
/// returns how many. None at all: healthy.
size_t hy_robot_findings(const hy_robot_report *report, const char *url, const hy_endpoint *address,
                         hy_robot_finding *out, size_t room);

// ----------------------------------------------------------------------- the check

typedef struct {
    const hy_dialect *dialect; ///< That the robot is expected to speak.
    int64_t duration_us; ///< To measure for; at most 1.9 s more go by before, to find out how.
    /// The caller has the robot for itself: send control 0 at 50 Hz, which disables it and brings
    /// its stream here. Not done to a robot that only lends its statuses.
    bool is_exclusive;
} hy_robot_check_options;

/// A check of the robot at one address over UDP. It belongs to one thread.
typedef struct hy_robot_checkup hy_robot_checkup;

/// Starts; `*out` is NULL on failure. Fails as hy_link_open_to(), or with HY_EMEMORY. Allocates
/// 1.6 kB for each second of `duration_us`, which hy_robot_checkup_close() frees.
hy_status hy_robot_checkup_open(hy_robot_checkup **out, const hy_endpoint *address,
                                const hy_robot_check_options *options);

/// Asks, listens and waits until the check is over or `until_us` (hy_clock_now_us()) has come;
/// false once it is over.
bool hy_robot_checkup_wait(hy_robot_checkup *self, int64_t until_us);

/// The share that is done, [0, 1].
double hy_robot_checkup_progress(const hy_robot_checkup *self);

/// Closes, and says what was learnt, at whatever time it is called: O(n log n) for n statuses.
hy_robot_report hy_robot_checkup_close(hy_robot_checkup *self);

// ---------------------------------------------------------------------- grading a robot's firmware

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
