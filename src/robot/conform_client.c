// Grading a program that drives robots: what it sends is watched, and the robot that it believes to drive misbehaves.
#include <halyard/robot_conform_client.h>
#include <halyard/robots.h>

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define GAP_MAX_US      250000 // half of a robot's watchdog: one lost command must not stop it
#define RATE_LEAST_HZ   10.0
#define REACTION_MAX_US 1000000 // from a robot's silence to the program's stop
#define STOP_COPIES     2
#define STOP_WINDOW_US  200000
#define DAMAGE_EVERY    7 // every seventh status after the restart is followed by a damaged one

enum {
    TEST_FRAMING,
    TEST_NUMBER,
    TEST_NUMBER_ZERO,
    TEST_RATE,
    TEST_BEGINS_DISABLED,
    TEST_VALUES,
    TEST_STOP_REPEATED,
    TEST_STOP_MOTORS,
    TEST_SILENCE,
    TEST_SELF_ENABLE,
    TEST_REBOOT,
    TEST_DAMAGED_STATUS,
    TEST_EXIT,
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
                       .sent = "no status for 1.5 s after 3 s of enabled driving",
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
    [TEST_DAMAGED_STATUS] = { .id = "client.damaged-status",
                              .title =
                                  "Truncated, empty and random statuses do not end the program",
                              .sent = "good statuses, some followed by a damaged one",
                              .expected = "commands go on",
                              .why = "Anybody in the network can end the program.",
                              .known = WPILIB "crashes on a truncated status" },
    [TEST_EXIT] = { .id = "client.exit",
                    .title = "The program's last command disables",
                    .sent = "statuses until the program ends",
                    .expected = "control 0 in its last command",
                    .why = "The robot drives on for 500 ms after the program has ended.",
                    .known = WPILIB "sends nothing when it ends" },
};

const hy_conform_test *hy_conform_client_test_at(size_t index)
{
    return index < TESTS ? &tests[index] : NULL;
}

void hy_conform_client_start(hy_conform_client *self, const hy_dialect *dialect, int64_t now_us)
{
    *self = (hy_conform_client){ .dialect = dialect,
                                 .status_period_us =
                                     hy_robot_status_period_us(hy_robot_type_of_dialect(dialect)),
                                 .start_us = now_us,
                                 .status_due_us = now_us };
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
static void check_number(hy_conform_client *self, uint16_t number)
{
    if (!self->has_command) {
        self->numbers[0] = self->numbers[1] = number;
        return;
    }
    if (number == UINT16_MAX) {
        return;
    }
    const uint16_t newest = (uint16_t)self->numbers[1];
    if (number == newest) {
        self->repeated++;
    } else if (!hy_seq_is_newer(number, newest)) {
        self->falling++;
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

static void take_enable(hy_conform_client *self, int64_t now_us)
{
    const bool was_enabled = self->control == HY_WIRE_CONTROL_ENABLED;
    if (!was_enabled) {
        self->enabled_since_us = now_us;
        self->single_stops += self->stops > 0 && self->copies_of_stop < STOP_COPIES;
    }
    self->has_enabled = true;
    if (self->fell_silent && !self->has_rebooted) {
        self->enabled_in_silence++;
        self->reaction_us = now_us - self->silent_since_us;
    }
    const int64_t back_us = self->silent_since_us + HY_CONFORM_CLIENT_SILENCE_US;
    self->self_enabled += self->has_rebooted && now_us - back_us < 1000000;
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
    self->commands_after_damage += self->damaged_sent > 0;
}

// --------------------------------------------------------------------------- statuses

// The silence begins when the program has driven for a while, and ends with a restart.
static void plan(hy_conform_client *self, int64_t now_us)
{
    const bool drives = self->has_command && self->control == HY_WIRE_CONTROL_ENABLED;
    if (!self->fell_silent && drives &&
        now_us - self->enabled_since_us >= HY_CONFORM_CLIENT_SILENT_AFTER_US) {
        self->fell_silent = true;
        self->silent_since_us = now_us;
    }
    if (self->fell_silent && !self->has_rebooted &&
        now_us - self->silent_since_us >= HY_CONFORM_CLIENT_SILENCE_US) {
        self->has_rebooted = true;
        self->status_number = 0;
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

// Cuts the status that was written, or replaces it, in one of four ways.
static size_t damage_status(hy_conform_client *self, hy_room room, size_t size)
{
    hy_chance chance = hy_chance_seeded(self->damaged_sent);
    switch (self->damaged_sent % 4) {
    case 0:
        return size - 1 - hy_chance_below(&chance, (uint32_t)size - 1); // at least one byte is left
    case 1: return 2;
    case 2:
        for (size_t i = 3; i < size; i++) {
            room.data[i] = (uint8_t)hy_chance_bits(&chance);
        }
        return size;
    default: room.data[3] = 0xff; return size; // the first block promises more than there is
    }
}

size_t hy_conform_client_send(hy_conform_client *self, int64_t now_us, hy_room room)
{
    plan(self, now_us);
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
    size_t size = encode_status(self, room);
    if (self->has_rebooted && self->status_number % DAMAGE_EVERY == DAMAGE_EVERY - 1) {
        size = damage_status(self, room, size);
        self->damaged_sent++;
    }
    self->status_number++;
    return size;
}

int64_t hy_conform_client_due_us(const hy_conform_client *self)
{
    return self->status_due_us;
}

// --------------------------------------------------------------------------- the course of a run

const char *hy_conform_client_next_step(const hy_conform_client *self)
{
    if (!self->has_command) {
        return "start the program that drives; it has to speak to this address";
    }
    if (!self->has_enabled) {
        return "enable it, and drive for three seconds";
    }
    if (!self->fell_silent) {
        return "drive on";
    }
    if (!self->has_rebooted) {
        return "wait: the robot is silent now";
    }
    return "wait two seconds, enable again, disable, and end the program";
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

static void judge_silence(const hy_conform_client *self, hy_conform_report *report)
{
    // A program may end when its robot falls silent; how it takes the rest cannot be seen then.
    if (self->fell_silent && self->commands_after_reboot == 0) {
        add_result(report, TEST_SILENCE, verdict_of(self->reaction_us <= REACTION_MAX_US),
                   "enabled for another %.2f s, then no commands", (double)self->reaction_us * 1e-6);
    }
    if (self->commands_after_reboot == 0) {
        for (size_t test = self->fell_silent ? TEST_SELF_ENABLE : TEST_SILENCE;
             test <= TEST_DAMAGED_STATUS; test++) {
            add_result(report, test, HY_CONFORM_NOT_TESTED,
                       self->fell_silent ? "the program sent nothing after the robot's silence"
                                         : "the program did not drive for 3 s");
        }
        return;
    }
    add_result(report, TEST_SILENCE, verdict_of(self->reaction_us <= REACTION_MAX_US),
               "enabled for another %.2f s", (double)self->reaction_us * 1e-6);
    add_result(report, TEST_SELF_ENABLE, verdict_of(self->self_enabled == 0),
               "%" PRIu64 " enabled commands in the first second", self->self_enabled);
    add_result(report, TEST_REBOOT, verdict_of(self->commands_after_reboot >= 5),
               "%" PRIu64 " commands", self->commands_after_reboot);
    add_result(report, TEST_DAMAGED_STATUS,
               self->damaged_sent > 0 ? verdict_of(self->commands_after_damage >= 5)
                                      : HY_CONFORM_NOT_TESTED,
               "%" PRIu64 " commands after %" PRIu64 " damaged statuses",
               self->commands_after_damage, self->damaged_sent);
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
    judge_silence(self, report);
    const bool has_ended = now_us - self->command_us >= HY_CONFORM_CLIENT_END_US;
    const bool is_disabled = self->control != HY_WIRE_CONTROL_ENABLED;
    add_result(report, TEST_EXIT,
               is_cut_short && !has_ended ? HY_CONFORM_NOT_TESTED : verdict_of(is_disabled),
               is_cut_short && !has_ended ? "the program still runs"
               : is_disabled              ? "control 0"
                                          : "control 1");
}
