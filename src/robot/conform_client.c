// Grading a program that drives robots: what it sends is watched, and the robot that it believes to drive misbehaves.
#include <halyard/robots.h>

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "conform_client.h"

#define STOP_WINDOW_US 200000
#define CLEAN_US       500000 // of undamaged statuses after the restart, and behind the enable after it
#define HANDS_OFF_US   1000000  // after the restart: who enables earlier does so by itself
#define PATIENT_US     10000000 // for a person to enable it after the restart
// Numbers after the restart must be lower for longer than the clean statuses last, and those of the damaged ones, which continue the
// old count, newer than them in modular order: for 27,000 statuses, nine minutes before the silence.
#define FIRST_STATUS    5000
#define BURST           8 // damaged statuses after each good one
#define RANDOM_STATUSES 16

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

int64_t conform_client_back_since(const hy_conform_client *self)
{
    return self->silent_since_us + HY_CONFORM_CLIENT_SILENCE_US;
}

static void take_enable(hy_conform_client *self, int64_t now_us)
{
    if (!hy_conform_client_is_enabled(self)) {
        self->enabled_since_us = now_us;
        self->single_stops += self->stops > 0 && self->copies_of_stop < CONFORM_STOP_COPIES;
    }
    self->has_enabled = true;
    if (self->fell_silent && !self->has_rebooted) {
        self->reaction_us = now_us - self->silent_since_us;
    }
    if (self->has_rebooted) {
        self->self_enabled += now_us - conform_client_back_since(self) < HANDS_OFF_US;
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

bool conform_client_is_damage_done(const hy_conform_client *self)
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
    self->commands_after_damage += conform_client_is_damage_done(self);
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
        return now_us - conform_client_back_since(self) >= CLEAN_US;
    }
    if (self->enabled_again_us > 0) {
        return now_us - self->enabled_again_us >= CLEAN_US;
    }
    return (self->told_us > 0 && now_us - self->told_us >= CONFORM_TOLD_US) ||
           now_us - conform_client_back_since(self) >= PATIENT_US;
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
    if (self->fell_silent && !self->has_rebooted && now_us >= conform_client_back_since(self)) {
        start_again(self);
    }
    self->awaits_enable_again =
        self->is_stopped_by_silence && now_us - conform_client_back_since(self) >= HANDS_OFF_US;
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
    if (self->burst > 0 && !conform_client_is_damage_done(self)) {
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
    return conform_client_is_damage_done(self) ? HY_CONFORM_CLIENT_AWAITS_END
           : is_back || self->sends_damaged    ? HY_CONFORM_CLIENT_DAMAGES
           : self->awaits_enable_again         ? HY_CONFORM_CLIENT_AWAITS_ENABLE_AGAIN
           : self->fell_silent                 ? HY_CONFORM_CLIENT_IS_SILENT
           : self->has_enabled                 ? HY_CONFORM_CLIENT_DRIVES
           : self->has_command                 ? HY_CONFORM_CLIENT_AWAITS_ENABLE
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
