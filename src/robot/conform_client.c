// Grading a program that drives robots: what it sends is watched, and the robot that it believes to drive misbehaves.
#include <halyard/robots.h>

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "robot_conform_client.h"

#define GAP_MAX_US      250000 // half of a robot's watchdog: one lost command must not stop it
#define RATE_LEAST_HZ   10.0
#define REACTION_MAX_US 1000000 // from a robot's silence to the program's stop
#define STOP_COPIES     2
#define STOP_WINDOW_US  200000
#define RESTART_PROOF   2 // numbers with control 0 that prove to a robot that its client began anew
#define CLEAN_US        500000 // of undamaged statuses after the restart, and behind the enable after it
#define HANDS_OFF_US    1000000  // after the restart: who enables earlier does so by itself
#define TOLD_US         2000000  // in which a program that was told to enable has to
#define PATIENT_US      10000000 // for a person to enable it after the restart
// Numbers after the restart must be lower for longer than the clean statuses last, and those of the damaged ones, which continue the
// old count, newer than them in modular order: for 27,000 statuses, nine minutes before the silence.
#define FIRST_STATUS    5000
#define BURST           8 // damaged statuses after each good one
#define RANDOM_STATUSES 16
#define COMMANDS_LEAST  5       // that show that a program goes on
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

static const hy_conform_test tests[TESTS] = {
    [TEST_FRAMING] = { .id = "client.framing",
                       .title = "Every command is well formed",
                       .sent = "statuses",
                       .expected =
                           "commands whose blocks end where the datagram ends, of known kinds",
                       .why = "A stock robot executes bytes of earlier packets behind a truncated "
                              "block." },
    [TEST_NUMBER] = { .id = "client.number",
                      .title = "Numbers of commands rise",
                      .sent = "statuses",
                      .expected = "each number newer than the one before; 65535 may come with "
                                  "every command",
                      .why =
                          "A robot ignores repeated and falling numbers and stops after 500 ms." },
    [TEST_NUMBER_ZERO] = { .id = "client.number-zero",
                           .title = "The first command does not have number 0",
                           .sent = "statuses",
                           .expected = "a first number of 1 or more",
                           .why = "The stock firmware never obeys number 0: that command is lost.",
                           .known = WPILIB "begins with 0" },
    [TEST_NUMBER_WRAP] = { .id = "client.number-wrap",
                           .title = "Behind number 65535 each command comes as 65535, too",
                           .sent = "statuses, for more than 65535 commands",
                           .expected = "two datagrams a command, the first with number 65535",
                           .why = "The stock firmware refuses 0 and all that follows, and drives "
                                  "on for 500 ms with the last command.",
                           .known = WPILIB "goes on with 0, 1, 2" },
    [TEST_RATE] = { .id = "client.rate",
                    .title = "Commands come at least ten times a second, without gaps over 250 ms",
                    .sent = "statuses",
                    .expected = "10 commands a second or more",
                    .why = "Robots stop after 500 ms without a command; one lost datagram must not "
                           "do that." },
    [TEST_BEGINS_DISABLED] = { .id = "client.begins-disabled",
                               .title = "The first command disables",
                               .sent = "statuses",
                               .expected = "control 0",
                               .why = "A program that starts must not move a robot that nobody has "
                                      "enabled." },
    [TEST_VALUES] = { .id = "client.values",
                      .title =
                          "Efforts are in -1..+1, servo positions in 0..1, none is NaN or infinite",
                      .sent = "statuses",
                      .expected = "values in range",
                      .why = "The stock firmware computes with overflow: an effort of 1e7 stands "
                             "still, a position "
                             "of 1.2 moves to the other end.",
                      .known = WPILIB "sends what robot code sets, NaN included" },
    [TEST_STOP_REPEATED] = { .id = "client.stop-repeated",
                             .title = "A disable is sent at least twice within 200 ms",
                             .sent = "statuses",
                             .expected = "two or more commands with control 0 after the last with "
                                         "control 1",
                             .why = "If the only stop is lost, the robot drives on for 500 ms." },
    [TEST_STOP_MOTORS] = { .id = "client.stop-motors",
                           .title = "A command that disables has all its motors at 0",
                           .sent = "statuses",
                           .expected = "efforts of 0 beside control 0",
                           .why = "A robot that looks at the motors first must not see an effort.",
                           .known = WPILIB "sends the last efforts beside control 0" },
    [TEST_SILENCE] = { .id = "client.robot-silent",
                       .title = "A robot that falls silent is disabled within a second",
                       .sent = "no status for 1.5 s after 1.5 s of enabled driving",
                       .expected = "control 0, or the end of the commands",
                       .why = "A robot that comes back into reach drives off by itself.",
                       .known = WPILIB "goes on commanding" },
    [TEST_SELF_ENABLE] = { .id = "client.self-enable",
                           .title = "A robot that comes back is not enabled by itself",
                           .sent = "statuses again, as after a restart",
                           .expected =
                               "control 0 until a person enables (do not enable within a second)",
                           .why = "A robot that is restarted in somebody's hands drives off." },
    [TEST_REBOOT] = { .id = "client.robot-restarted",
                      .title = "The program goes on after the robot has started again",
                      .sent = "statuses with numbers from 0 on",
                      .expected = "commands",
                      .why = "Every battery change would need a restart of the program." },
    [TEST_REBOOT_NUMBER] = { .id = "client.number-after-restart",
                             .title = "Numbers go on after the robot has started again",
                             .sent = "statuses with numbers from 0 on",
                             .expected = "numbers newer than the last one before, or a new count "
                                         "that begins with two commands with control 0",
                             .why = "A program cannot tell a restart from a gap in the network: a "
                                    "robot that was only out of reach ignores a count that falls "
                                    "and begins enabled." },
    [TEST_REBOOT_STATUS] = { .id = "client.status-after-restart",
                             .title = "Statuses of a robot that has started again are taken",
                             .sent = "statuses from number 5000 on; after the silence from 0 on",
                             .expected = "a program that has disabled for the silence can be "
                                         "enabled again",
                             .why = "Until the numbers have passed the old ones, many minutes, it "
                                    "shows old readings and holds the robot for silent.",
                             .known = WPILIB "ignores lower numbers" },
    [TEST_DAMAGED_STATUS] = { .id = "client.damaged-status",
                              .title = "Truncated and random statuses do not end the program",
                              .sent = "a status cut at each of its bytes, blocks that promise "
                                      "more than there is, random bytes; good ones in between",
                              .expected = "commands go on behind the last of them",
                              .why = "Anybody in the network can end the program.",
                              .known = WPILIB "crashes on a truncated status" },
    [TEST_EXIT] = { .id = "client.exit",
                    .title = "A program that is ended while enabled disables last",
                    .sent = "statuses until the program ends",
                    .expected = "control 0 in its last command",
                    .why = "The robot drives on for 500 ms after the program has ended.",
                    .known = WPILIB "sends nothing when it ends" },
    [TEST_SIGTERM] = { .id = "client.sigterm",
                       .title = "SIGTERM disables the robot",
                       .sent = "statuses; SIGTERM after half a second of enabled driving",
                       .expected = "control 0 in the last command",
                       .why = "The robot drives on for 500 ms when the system ends the program.",
                       .known = WPILIB "sends nothing when it ends" },
    [TEST_SIGINT] = { .id = "client.sigint",
                      .title = "SIGINT (Ctrl-C) disables the robot",
                      .sent = "statuses; SIGINT after half a second of enabled driving",
                      .expected = "control 0 in the last command",
                      .why = "The robot drives on for 500 ms after Ctrl-C.",
                      .known = WPILIB "sends nothing when it ends" },
    [TEST_SIGKILL] = { .id = "client.sigkill",
                       .title = "After SIGKILL the robot stops",
                       .sent = "nothing",
                       .expected = "the robot's own watchdog stops it",
                       .why = "The robot drives on." },
};

const hy_conform_test *hy_conform_client_test_at(size_t index)
{
    return index < TESTS ? &tests[index] : NULL;
}

void hy_conform_client_init(hy_conform_client *self, const hy_dialect *dialect, int64_t now_us)
{
    *self = (hy_conform_client){ .dialect = dialect,
                                 .status_period_us =
                                     hy_robot_status_period_us(hy_robot_type_of_dialect(dialect)),
                                 .start_us = now_us,
                                 .status_due_us = now_us,
                                 .status_number = FIRST_STATUS };
}

// --------------------------------------------------------------------------- commands

static void note_bad_value(hy_conform_client *self, const char *what, unsigned channel, double value)
{
    self->bad_values++;
    snprintf(self->bad_value, sizeof self->bad_value, "%s %u is %g", what, channel, value);
}

static void check_values(hy_conform_client *self, const hy_wire_command *command)
{
    for (unsigned i = 0; i < HY_WIRE_MOTORS; i++) {
        const double effort = (double)command->motor[i];
        if ((command->motors >> i & 1) != 0 && !(fabs(effort) <= 1.0)) {
            note_bad_value(self, "motor", i, effort);
        }
    }
    for (unsigned i = 0; i < HY_WIRE_SERVOS; i++) {
        const double position = (double)command->servo[i];
        if ((command->servos >> i & 1) != 0 && !(position >= 0.0 && position <= 1.0)) {
            note_bad_value(self, "servo", i, position);
        }
    }
}

static bool moves_a_motor(const hy_wire_command *command)
{
    for (unsigned i = 0; i < HY_WIRE_MOTORS; i++) {
        if ((command->motors >> i & 1) != 0 && command->motor[i] != 0.0F) {
            return true;
        }
    }
    return false;
}

// SPEC wire 7.4: behind the wrap every command comes as 65535 and as n; the former says nothing about order.
static void check_wrap(hy_conform_client *self, uint16_t number)
{
    if (number == UINT16_MAX) {
        self->wrapped_copies += self->has_wrapped;
        return;
    }
    const uint16_t newest = (uint16_t)self->numbers[1];
    self->has_wrapped = self->has_wrapped || (number < newest && hy_seq_is_newer(number, newest));
    self->wrapped_commands += self->has_wrapped;
}

// SPEC wire 7.3: a round of numbers ends with 32768, and the next begins.
static bool begins_round(const hy_conform_client *self, uint16_t number)
{
    return self->has_wrapped && number < 256 && self->numbers[1] > 32512;
}

static void check_number(hy_conform_client *self, uint16_t number)
{
    if (!self->has_command) {
        self->numbers[0] = self->numbers[1] = number;
        return;
    }
    check_wrap(self, number);
    if (number == UINT16_MAX) {
        return;
    }
    const uint16_t newest = (uint16_t)self->numbers[1];
    if (number == newest) {
        self->repeated++;
    } else if (!hy_seq_is_newer(number, newest) && !begins_round(self, number)) {
        // The first that falls after the robot's restart begins a new count (SPEC wire 7.2).
        if (self->has_rebooted && !self->has_recounted) {
            self->has_recounted = true;
        } else {
            self->falling++;
        }
    }
    self->numbers[1] = number;
}

static void take_stop(hy_conform_client *self, const hy_wire_command *command, int64_t now_us)
{
    const bool was_enabled = self->control == HY_WIRE_CONTROL_ENABLED;
    if (was_enabled) {
        self->disable_us = now_us;
        self->copies_of_stop = 0;
        self->stops++;
    }
    if (self->stops > 0 && now_us - self->disable_us <= STOP_WINDOW_US) {
        self->copies_of_stop++;
        self->moving_stops += moves_a_motor(command);
    }
}

static int64_t back_since(const hy_conform_client *self)
{
    return self->silent_since_us + HY_CONFORM_CLIENT_SILENCE_US;
}

static void take_enable(hy_conform_client *self, int64_t now_us)
{
    if (!hy_conform_client_is_enabled(self)) {
        self->enabled_since_us = now_us;
        self->single_stops += self->stops > 0 && self->copies_of_stop < STOP_COPIES;
    }
    self->has_enabled = true;
    if (self->fell_silent && !self->has_rebooted) {
        self->reaction_us = now_us - self->silent_since_us;
    }
    if (self->has_rebooted) {
        self->self_enabled += now_us - back_since(self) < HANDS_OFF_US;
        if (self->enabled_again_us == 0 && !self->sends_damaged) { // whose numbers are not lower
            self->enabled_again_us = now_us;
        }
    }
}

// A status is cut at each byte but the first, damaged in its blocks' sizes, and filled with random bytes.
static size_t damaged_statuses(const hy_conform_client *self)
{
    return self->status_size - 1 + RANDOM_STATUSES;
}

static bool is_damage_done(const hy_conform_client *self)
{
    return self->status_size > 0 && self->damaged_sent >= damaged_statuses(self);
}

void hy_conform_client_receive(hy_conform_client *self, hy_bytes datagram, int64_t now_us)
{
    hy_wire_command command;
    const hy_wire_report report = self->dialect->command_decode(datagram, &command);
    if (report.error == HY_WIRE_NO_HEADER) {
        return; // a probe
    }
    self->malformed += report.error != HY_WIRE_WELL_FORMED;
    self->unknown += report.unknown + (uint64_t)report.too_short;
    check_number(self, command.seq);
    check_values(self, &command);
    if (!self->has_command) {
        self->first_was_disabled = command.control != HY_WIRE_CONTROL_ENABLED;
        self->start_us = now_us;
    } else if (now_us - self->command_us > self->longest_gap_us) {
        self->longest_gap_us = now_us - self->command_us;
    }
    if (self->has_recounted && !self->has_enabled_recount) {
        self->has_enabled_recount = command.control == HY_WIRE_CONTROL_ENABLED;
        self->recount_stops += command.control != HY_WIRE_CONTROL_ENABLED;
    }
    if (command.control == HY_WIRE_CONTROL_ENABLED) {
        take_enable(self, now_us);
    } else {
        take_stop(self, &command, now_us);
    }
    self->has_command = true;
    self->control = command.control;
    self->command_us = now_us;
    self->commands++;
    self->commands_after_reboot += self->has_rebooted;
    self->commands_after_damage += is_damage_done(self);
}

// --------------------------------------------------------------------------- statuses

static void begin_silence(hy_conform_client *self, int64_t now_us)
{
    self->fell_silent = true;
    self->silent_since_us = now_us;
}

static void start_again(hy_conform_client *self)
{
    self->has_rebooted = true;
    self->is_stopped_by_silence = !hy_conform_client_is_enabled(self);
    self->last_before = self->status_number;
    self->status_number = 0;
}

/// Whether it has been seen what the program makes of the lower numbers, or cannot be seen.
static bool is_clean_over(const hy_conform_client *self, int64_t now_us)
{
    if (!self->is_stopped_by_silence) {
        return now_us - back_since(self) >= CLEAN_US;
    }
    if (self->enabled_again_us > 0) {
        return now_us - self->enabled_again_us >= CLEAN_US;
    }
    return (self->told_us > 0 && now_us - self->told_us >= TOLD_US) ||
           now_us - back_since(self) >= PATIENT_US;
}

// Newer numbers than all before: a program that ignores lower ones takes these.
static void begin_damage(hy_conform_client *self)
{
    self->sends_damaged = true;
    self->status_number = self->last_before;
}

// The silence begins when the program has driven for a while, and ends with a restart; damaged statuses follow.
static void plan(hy_conform_client *self, int64_t now_us)
{
    const bool drives = self->has_command && hy_conform_client_is_enabled(self);
    if (!self->fell_silent && drives &&
        now_us - self->enabled_since_us >= HY_CONFORM_CLIENT_SILENT_AFTER_US) {
        begin_silence(self, now_us);
    }
    if (self->fell_silent && !self->has_rebooted && now_us >= back_since(self)) {
        start_again(self);
    }
    self->awaits_enable_again =
        self->is_stopped_by_silence && now_us - back_since(self) >= HANDS_OFF_US;
    if (self->has_rebooted && !self->sends_damaged && is_clean_over(self, now_us)) {
        begin_damage(self);
    }
}

static size_t encode_status(const hy_conform_client *self, hy_room room)
{
    const hy_dialect *const dialect = self->dialect;
    hy_wire_status status = { .seq = self->status_number,
                              .encoders = (uint8_t)((1u << dialect->encoders) - 1),
                              .dios = 1,
                              .has_gyro = true,
                              .has_accel = dialect->tag[HY_WIRE_ACCEL] != 0,
                              .accel_g = { 0.0F, 0.0F, 1.0F },
                              .analogs = 0x01 };
    for (unsigned i = 0; i < dialect->encoders; i++) {
        status.encoder[i] = (hy_wire_encoder){ 0, UINT32_MAX, 9375000, true };
    }
    return dialect->status_encode(&status, room);
}

// Cuts the status that was written, or writes over its blocks.
static size_t damage_status(const hy_conform_client *self, hy_room room, size_t size)
{
    const uint64_t n = self->damaged_sent;
    if (n + 1 < size) {
        return size - 1 - (size_t)n;
    }
    hy_random random = hy_random_seeded(n);
    if (n % 2 == 0) {
        for (size_t i = 3; i < size; i++) {
            room.data[i] = (uint8_t)hy_random_bits(&random);
        }
    } else {
        room.data[3] = (uint8_t)(0xff - hy_random_below(&random, 64)); // more than there is
    }
    return size;
}

static size_t next_status(hy_conform_client *self, hy_room room)
{
    const size_t size = self->status_size = encode_status(self, room);
    self->status_number++;
    return size;
}

size_t hy_conform_client_send(hy_conform_client *self, int64_t now_us, hy_room room)
{
    plan(self, now_us);
    if (self->burst > 0 && !is_damage_done(self)) {
        const size_t size = damage_status(self, room, next_status(self, room));
        self->burst--;
        self->damaged_sent++;
        return size;
    }
    if (!self->has_command || now_us < self->status_due_us) {
        return 0;
    }
    self->status_due_us += self->status_period_us;
    if (self->status_due_us <= now_us) {
        self->status_due_us = now_us + self->status_period_us;
    }
    if (self->fell_silent && !self->has_rebooted) {
        return 0;
    }
    self->burst = self->sends_damaged ? BURST : 0;
    return next_status(self, room);
}

int64_t hy_conform_client_due_us(const hy_conform_client *self)
{
    return self->status_due_us;
}

// --------------------------------------------------------------------------- the course of a run

hy_conform_client_stage hy_conform_client_stage_of(const hy_conform_client *self)
{
    const bool is_back = self->has_rebooted && !self->is_stopped_by_silence;
    return is_damage_done(self)             ? HY_CONFORM_CLIENT_AWAITS_END
           : is_back || self->sends_damaged ? HY_CONFORM_CLIENT_DAMAGES
           : self->awaits_enable_again      ? HY_CONFORM_CLIENT_AWAITS_ENABLE_AGAIN
           : self->fell_silent              ? HY_CONFORM_CLIENT_IS_SILENT
           : self->has_enabled              ? HY_CONFORM_CLIENT_DRIVES
           : self->has_command              ? HY_CONFORM_CLIENT_AWAITS_ENABLE
                                            : HY_CONFORM_CLIENT_AWAITS_COMMAND;
}

const char *hy_conform_client_next_step(hy_conform_client_stage stage)
{
    static const char *const steps[] = {
        [HY_CONFORM_CLIENT_AWAITS_COMMAND] =
            "start the program that drives; it has to speak to this address",
        [HY_CONFORM_CLIENT_AWAITS_ENABLE] =
            "enable it, disable it, enable it again, and drive for two seconds",
        [HY_CONFORM_CLIENT_DRIVES] = "drive on",
        [HY_CONFORM_CLIENT_IS_SILENT] = "wait: the robot is silent now",
        [HY_CONFORM_CLIENT_AWAITS_ENABLE_AGAIN] = "the robot is back: enable the program again",
        [HY_CONFORM_CLIENT_DAMAGES] =
            "wait: the robot has started again, and sends damaged statuses",
        [HY_CONFORM_CLIENT_AWAITS_END] =
            "enable it if it is not, and end the program while it is enabled",
    };
    return steps[stage];
}

void hy_conform_client_told_to_enable(hy_conform_client *self, int64_t now_us)
{
    self->told_us = now_us;
}

bool hy_conform_client_is_enabled(const hy_conform_client *self)
{
    return self->control == HY_WIRE_CONTROL_ENABLED;
}

void hy_conform_client_program_ended(hy_conform_client *self, int exit_status)
{
    self->has_ended = true;
    self->exit_status = exit_status;
}

bool hy_conform_client_is_over(const hy_conform_client *self, int64_t now_us)
{
    return self->has_enabled && now_us - self->command_us >= HY_CONFORM_CLIENT_END_US;
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
    const uint64_t single = self->single_stops + (is_stopped && self->copies_of_stop < STOP_COPIES);
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
    const bool is_done = is_damage_done(self);
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
                   (double)(self->enabled_again_us - back_since(self)) * 1e-6);
    } else {
        const bool is_told = self->told_us > 0 && self->command_us - self->told_us >= TOLD_US;
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
