// The grades of a program that drives robots: conform_client.c has what it sent, and what it was sent.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "conform_client.h"

#define GAP_MAX_US      250000 // half of a robot's watchdog: one lost command must not stop it
#define RATE_LEAST_HZ   10.0
#define REACTION_MAX_US 1000000 // from a robot's silence to the program's stop
#define RESTART_PROOF   2 // numbers with control 0 that prove to a robot that its client began anew
#define COMMANDS_LEAST  5 // that show that a program goes on
#define EXIT_US         1000000 // a program disabled for longer was not ended while enabled

enum {
    TEST_FRAMING,
    TEST_NUMBER,
    TEST_NUMBER_ZERO,
    TEST_NUMBER_WRAP,
    TEST_RATE,
    TEST_BEGINS_DISABLED,
    TEST_VALUES,
    TEST_STOP_REPEATED,
    TEST_STOP_MOTORS,
    TEST_SILENCE,
    TEST_SELF_ENABLE,
    TEST_REBOOT,
    TEST_REBOOT_NUMBER,
    TEST_REBOOT_STATUS,
    TEST_DAMAGED_STATUS,
    TEST_EXIT,
    TEST_SIGTERM,
    TEST_SIGINT,
    TEST_SIGKILL,
    TESTS,
};

#define WPILIB "WPILib's own extension, up to 2026.2.2, "

// clang-format off
static const hy_conform_test tests[TESTS] = {
    [TEST_FRAMING] = { .id = "client.framing", .title = "Every command is well formed",
        .sent = "statuses",
        .expected = "commands whose blocks end where the datagram ends, of known kinds",
        .why = "A stock robot executes bytes of earlier packets behind a truncated block." },
    [TEST_NUMBER] = { .id = "client.number", .title = "Numbers of commands rise",
        .sent = "statuses",
        .expected = "each number newer than the one before; 65535 may come with every command",
        .why = "A robot ignores repeated and falling numbers and stops after 500 ms." },
    [TEST_NUMBER_ZERO] = { .id = "client.number-zero", .title = "The first command does not have number 0",
        .sent = "statuses",
        .expected = "a first number of 1 or more",
        .why = "The stock firmware never obeys number 0: that command is lost.",
        .known = WPILIB "begins with 0" },
    [TEST_NUMBER_WRAP] = { .id = "client.number-wrap", .title = "Behind number 65535 each command comes as 65535, too",
        .sent = "statuses, for more than 65535 commands",
        .expected = "two datagrams a command, the first with number 65535",
        .why = "The stock firmware refuses 0 and all that follows, and drives on for 500 ms with the last command.",
        .known = WPILIB "goes on with 0, 1, 2" },
    [TEST_RATE] = { .id = "client.rate", .title = "Commands come at least ten times a second, without gaps over 250 ms",
        .sent = "statuses",
        .expected = "10 commands a second or more",
        .why = "Robots stop after 500 ms without a command; one lost datagram must not do that." },
    [TEST_BEGINS_DISABLED] = { .id = "client.begins-disabled", .title = "The first command disables",
        .sent = "statuses",
        .expected = "control 0",
        .why = "A program that starts must not move a robot that nobody has enabled." },
    [TEST_VALUES] = { .id = "client.values", .title = "Efforts are in -1..+1, servo positions in 0..1, none is NaN or infinite",
        .sent = "statuses",
        .expected = "values in range",
        .why = "The stock firmware computes with overflow: an effort of 1e7 stands still, a position of 1.2 moves to the other end.",
        .known = WPILIB "sends what robot code sets, NaN included" },
    [TEST_STOP_REPEATED] = { .id = "client.stop-repeated", .title = "A disable is sent at least twice within 200 ms",
        .sent = "statuses",
        .expected = "two or more commands with control 0 after the last with control 1",
        .why = "If the only stop is lost, the robot drives on for 500 ms." },
    [TEST_STOP_MOTORS] = { .id = "client.stop-motors", .title = "A command that disables has all its motors at 0",
        .sent = "statuses",
        .expected = "efforts of 0 beside control 0",
        .why = "A robot that looks at the motors first must not see an effort.",
        .known = WPILIB "sends the last efforts beside control 0" },
    [TEST_SILENCE] = { .id = "client.robot-silent", .title = "A robot that falls silent is disabled within a second",
        .sent = "no status for 1.5 s after 1.5 s of enabled driving",
        .expected = "control 0, or the end of the commands",
        .why = "A robot that comes back into reach drives off by itself.",
        .known = WPILIB "goes on commanding" },
    [TEST_SELF_ENABLE] = { .id = "client.self-enable", .title = "A robot that comes back is not enabled by itself",
        .sent = "statuses again, as after a restart",
        .expected = "control 0 until a person enables (do not enable within a second)",
        .why = "A robot that is restarted in somebody's hands drives off." },
    [TEST_REBOOT] = { .id = "client.robot-restarted", .title = "The program goes on after the robot has started again",
        .sent = "statuses with numbers from 0 on",
        .expected = "commands",
        .why = "Every battery change would need a restart of the program." },
    [TEST_REBOOT_NUMBER] = { .id = "client.number-after-restart", .title = "Numbers go on after the robot has started again",
        .sent = "statuses with numbers from 0 on",
        .expected = "numbers newer than the last one before, or a new count that begins with two commands with control 0",
        .why = "A program cannot tell a restart from a gap in the network: a robot that was only out of reach ignores a count that falls and begins enabled." },
    [TEST_REBOOT_STATUS] = { .id = "client.status-after-restart", .title = "Statuses of a robot that has started again are taken",
        .sent = "statuses from number 5000 on; after the silence from 0 on",
        .expected = "a program that has disabled for the silence can be enabled again",
        .why = "Until the numbers have passed the old ones, many minutes, it shows old readings and holds the robot for silent.",
        .known = WPILIB "ignores lower numbers" },
    [TEST_DAMAGED_STATUS] = { .id = "client.damaged-status", .title = "Truncated and random statuses do not end the program",
        .sent = "a status cut at each of its bytes, blocks that promise more than there is, random bytes; good ones in between",
        .expected = "commands go on behind the last of them",
        .why = "Anybody in the network can end the program.",
        .known = WPILIB "crashes on a truncated status" },
    [TEST_EXIT] = { .id = "client.exit", .title = "A program that is ended while enabled disables last",
        .sent = "statuses until the program ends",
        .expected = "control 0 in its last command",
        .why = "The robot drives on for 500 ms after the program has ended.",
        .known = WPILIB "sends nothing when it ends" },
    [TEST_SIGTERM] = { .id = "client.sigterm", .title = "SIGTERM disables the robot",
        .sent = "statuses; SIGTERM after half a second of enabled driving",
        .expected = "control 0 in the last command",
        .why = "The robot drives on for 500 ms when the system ends the program.",
        .known = WPILIB "sends nothing when it ends" },
    [TEST_SIGINT] = { .id = "client.sigint", .title = "SIGINT (Ctrl-C) disables the robot",
        .sent = "statuses; SIGINT after half a second of enabled driving",
        .expected = "control 0 in the last command",
        .why = "The robot drives on for 500 ms after Ctrl-C.",
        .known = WPILIB "sends nothing when it ends" },
    [TEST_SIGKILL] = { .id = "client.sigkill", .title = "After SIGKILL the robot stops",
        .sent = "nothing",
        .expected = "the robot's own watchdog stops it",
        .why = "The robot drives on." },
};
// clang-format on

const hy_conform_test *hy_conform_client_test_at(size_t index)
{
    return index < TESTS ? &tests[index] : NULL;
}

// --------------------------------------------------------------------------- results

__attribute__((format(printf, 4, 5))) static void add_result(hy_conform_report *report, size_t test,
                                                             hy_conform_verdict verdict,
                                                             const char *format, ...)
{
    hy_conform_result *const result = &report->results[report->count++];
    *result = (hy_conform_result){ .test = &tests[test], .verdict = verdict, .attempts = 1 };
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->came, sizeof result->came, format, arguments);
    va_end(arguments);
    report->passed += verdict == HY_CONFORM_PASSED;
    report->failed += verdict == HY_CONFORM_FAILED;
    report->not_tested += verdict == HY_CONFORM_NOT_TESTED;
}

static hy_conform_verdict verdict_of(bool is_good)
{
    return is_good ? HY_CONFORM_PASSED : HY_CONFORM_FAILED;
}

static void judge_commands(const hy_conform_client *self, hy_conform_report *report)
{
    const double span_s = (double)(self->command_us - self->start_us) * 1e-6;
    const double rate_hz = span_s > 0.0 ? (double)(self->commands - 1) / span_s : 0.0;
    add_result(report, TEST_FRAMING, verdict_of(self->malformed == 0 && self->unknown == 0),
               "%" PRIu64 " commands, %" PRIu64 " malformed, %" PRIu64 " blocks of unknown kinds",
               self->commands, self->malformed, self->unknown);
    add_result(report, TEST_NUMBER, verdict_of(self->repeated == 0 && self->falling == 0),
               "%" PRIu64 " repeated, %" PRIu64 " falling", self->repeated, self->falling);
    add_result(report, TEST_NUMBER_ZERO, verdict_of(self->numbers[0] != 0),
               "the first number is %" PRIu32, self->numbers[0]);
    const bool has_wrapped = self->wrapped_commands >= COMMANDS_LEAST;
    add_result(report, TEST_NUMBER_WRAP,
               has_wrapped ? verdict_of(self->wrapped_copies * 10 >= self->wrapped_commands * 9)
                           : HY_CONFORM_NOT_TESTED,
               has_wrapped ? "%" PRIu64 " commands behind the wrap, %" PRIu64 " copies 65535"
                           : "the program did not count that far%.0" PRIu64 "%.0" PRIu64,
               self->wrapped_commands, self->wrapped_copies);
    add_result(report, TEST_RATE,
               verdict_of(rate_hz >= RATE_LEAST_HZ && self->longest_gap_us <= GAP_MAX_US),
               "%.1f commands a second, the longest gap %.0f ms", rate_hz,
               (double)self->longest_gap_us * 1e-3);
    add_result(report, TEST_BEGINS_DISABLED, verdict_of(self->first_was_disabled), "control %s",
               self->first_was_disabled ? "0" : "1");
    add_result(report, TEST_VALUES, verdict_of(self->bad_values == 0),
               self->bad_values == 0 ? "all values in range%.0s" : "%s",
               self->bad_values == 0 ? "" : self->bad_value);
}

static void judge_stops(const hy_conform_client *self, hy_conform_report *report)
{
    const bool is_stopped = self->stops > 0 && self->control != HY_WIRE_CONTROL_ENABLED;
    const uint64_t single =
        self->single_stops + (is_stopped && self->copies_of_stop < CONFORM_STOP_COPIES);
    const bool has_stopped = self->stops > 0;
    add_result(report, TEST_STOP_REPEATED,
               has_stopped ? verdict_of(single == 0) : HY_CONFORM_NOT_TESTED,
               has_stopped ? "%" PRIu64 " stops, %" PRIu64 " of them sent once"
                           : "the program never disabled%.0" PRIu64 "%.0" PRIu64,
               self->stops, single);
    add_result(report, TEST_STOP_MOTORS,
               has_stopped ? verdict_of(self->moving_stops == 0) : HY_CONFORM_NOT_TESTED,
               "%" PRIu64 " disabling commands with an effort", self->moving_stops);
}

static void judge_damage(const hy_conform_client *self, hy_conform_report *report)
{
    const bool is_done = conform_client_is_damage_done(self);
    char crash[40] = "";
    if (self->exit_status < 0 && !is_done) {
        snprintf(crash, sizeof crash, "; signal %d ended it", -self->exit_status);
    }
    add_result(report, TEST_DAMAGED_STATUS,
               self->damaged_sent > 0 ? verdict_of(self->commands_after_damage >= COMMANDS_LEAST)
                                      : HY_CONFORM_NOT_TESTED,
               is_done ? "%" PRIu64 " damaged statuses, then %" PRIu64 " commands"
                       : "the commands ended after %" PRIu64 " damaged statuses%.0" PRIu64 "%s",
               self->damaged_sent, self->commands_after_damage, crash);
}

static void judge_restart_number(const hy_conform_client *self, hy_conform_report *report)
{
    const bool is_proved = self->recount_stops >= RESTART_PROOF;
    add_result(report, TEST_REBOOT_NUMBER,
               !self->has_recounted || is_proved ? HY_CONFORM_PASSED
               : self->has_enabled_recount       ? HY_CONFORM_FAILED
                                                 : HY_CONFORM_NOT_TESTED,
               self->has_recounted ? "a new count, which begins with %" PRIu64
                                     " commands that disable"
                                   : "they go on%.0" PRIu64,
               self->recount_stops);
}

static void judge_restart_status(const hy_conform_client *self, hy_conform_report *report)
{
    if (!self->is_stopped_by_silence) {
        add_result(report, TEST_REBOOT_STATUS, HY_CONFORM_NOT_TESTED,
                   "it drives without statuses, and does not show which it takes");
    } else if (self->enabled_again_us > 0) {
        add_result(report, TEST_REBOOT_STATUS, HY_CONFORM_PASSED,
                   "enabled again %.1f s after the restart",
                   (double)(self->enabled_again_us - conform_client_back_since(self)) * 1e-6);
    } else {
        const bool is_told = self->told_us > 0 && self->command_us - self->told_us >= CONFORM_TOLD_US;
        add_result(report, TEST_REBOOT_STATUS, is_told ? HY_CONFORM_FAILED : HY_CONFORM_NOT_TESTED,
                   is_told ? "it was told to enable, and did not" : "it was not enabled again");
    }
}

static void judge_silence(const hy_conform_client *self, int64_t silent_us, hy_conform_report *report)
{
    // A program may end when its robot falls silent; how it takes the rest cannot be seen then.
    if (self->fell_silent && silent_us <= REACTION_MAX_US) {
        add_result(report, TEST_SILENCE, HY_CONFORM_NOT_TESTED, "the run was ended in the silence");
    } else if (self->fell_silent && self->commands_after_reboot == 0) {
        add_result(report, TEST_SILENCE, verdict_of(self->reaction_us <= REACTION_MAX_US),
                   "enabled for another %.2f s, then no commands", (double)self->reaction_us * 1e-6);
    }
    if (self->commands_after_reboot == 0) {
        for (size_t test = self->fell_silent ? TEST_SELF_ENABLE : TEST_SILENCE;
             test <= TEST_DAMAGED_STATUS; test++) {
            add_result(report, test, HY_CONFORM_NOT_TESTED,
                       self->fell_silent ? "the program sent nothing after the robot's silence"
                                         : "the program did not drive for 1.5 s");
        }
        return;
    }
    add_result(report, TEST_SILENCE, verdict_of(self->reaction_us <= REACTION_MAX_US),
               "enabled for another %.2f s", (double)self->reaction_us * 1e-6);
    add_result(report, TEST_SELF_ENABLE, verdict_of(self->self_enabled == 0),
               "%" PRIu64 " enabled commands in the first second", self->self_enabled);
    add_result(report, TEST_REBOOT, verdict_of(self->commands_after_reboot >= COMMANDS_LEAST),
               "%" PRIu64 " commands", self->commands_after_reboot);
    judge_restart_number(self, report);
    judge_restart_status(self, report);
    judge_damage(self, report);
}

static const char *describe_end(const hy_conform_client *self, char text[32])
{
    snprintf(text, 32, self->exit_status < 0 ? "; ended by signal %d" : "; exit status %d",
             self->exit_status < 0 ? -self->exit_status : self->exit_status);
    return self->has_ended ? text : "";
}

static void judge_exit(const hy_conform_client *self, bool still_runs, hy_conform_report *report)
{
    char end[32];
    const bool is_disabled = self->control != HY_WIRE_CONTROL_ENABLED;
    if (still_runs) {
        add_result(report, TEST_EXIT, HY_CONFORM_NOT_TESTED, "the program still runs");
    } else if (is_disabled && self->command_us - self->disable_us > EXIT_US) {
        add_result(report, TEST_EXIT, HY_CONFORM_NOT_TESTED, "it was disabled before%s",
                   describe_end(self, end));
    } else {
        add_result(report, TEST_EXIT, verdict_of(is_disabled), "control %d%s", !is_disabled,
                   describe_end(self, end));
    }
}

void hy_conform_client_finish(const hy_conform_client *self, bool is_cut_short, int64_t now_us,
                              hy_conform_report *report)
{
    memset(report, 0, sizeof *report);
    report->dialect = self->dialect;
    report->stopped_answering = SIZE_MAX;
    if (!self->has_command) {
        return;
    }
    judge_commands(self, report);
    judge_stops(self, report);
    const bool has_ended = self->has_ended || now_us - self->command_us >= HY_CONFORM_CLIENT_END_US;
    // A program that has ended disables nothing any more: its silence is judged as it is.
    judge_silence(self, has_ended ? INT64_MAX : now_us - self->silent_since_us, report);
    judge_exit(self, is_cut_short && !has_ended, report);
}

void hy_conform_client_add_end(const hy_conform_client *run, hy_conform_client_end end,
                               hy_conform_report *report)
{
    static const size_t test_of[HY_CONFORM_CLIENT_ENDS] = {
        [HY_CONFORM_CLIENT_SIGTERM] = TEST_SIGTERM,
        [HY_CONFORM_CLIENT_SIGINT] = TEST_SIGINT,
        [HY_CONFORM_CLIENT_SIGKILL] = TEST_SIGKILL,
    };
    char text[32];
    const size_t test = test_of[end];
    if (test == TEST_SIGKILL) {
        add_result(
            report, test, HY_CONFORM_NOT_TESTED,
            "no program can send anything then: 'halyard conform' grades the robot's watchdog");
    } else if (run == NULL) {
        add_result(report, test, HY_CONFORM_NOT_TESTED,
                   "only programs that are started here, behind '--', are ended so");
    } else if (!run->has_enabled) {
        add_result(report, test, HY_CONFORM_NOT_TESTED, "started again it was not enabled%s",
                   describe_end(run, text));
    } else {
        const bool is_disabled = run->control != HY_WIRE_CONTROL_ENABLED;
        add_result(report, test, verdict_of(is_disabled), "control %d%s", !is_disabled,
                   run->has_ended ? describe_end(run, text) : "; it did not end");
    }
}
