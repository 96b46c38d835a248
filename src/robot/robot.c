// One robot over one link: the commander says what to send, this says when.
#include <halyard/robot.h>
#include <halyard/robot_find.h>

#include <poll.h>
#include <stdlib.h>

#include "air.h"
#include "ending.h"

// --------------------------------------------------------------------------- open and close

// False while the system refused every socket: there is nothing to send or receive on then, until the
// next address gets its turn.
static bool has_link(const hy_robot *self)
{
    return self->link.is_open;
}

// Speaks to the address `index` from now on, or to the first one behind it that the system can speak to.
static hy_status use_address(hy_robot *self, size_t index, int64_t now_us)
{
    hy_status status = HY_EUNREACHABLE;
    for (size_t i = 0; i < self->address_count && status != HY_OK; i++) {
        self->address_index = (index + i) % self->address_count;
        self->address = self->addresses[self->address_index];
        self->address_since_us = now_us;
        hy_peer_set_addresses(&self->peer, &self->address, 1);
        hy_link_close(&self->link);
        status = hy_link_open_to(&self->link, &self->address);
    }
    return status;
}

static hy_status connect_to(hy_robot *self, const char *url)
{
    const int found = hy_robot_resolve(url, &self->dialect, self->addresses, HY_ROBOT_ADDRESSES);
    if (found < 0) {
        return (hy_status)found;
    }
    self->address_count = (size_t)found;
    self->status_us = INT64_MIN;
    hy_peer_start(&self->peer, self->dialect, HY_ROBOT_SILENCE_US);
    const int64_t now_us = hy_clock_now_us();
    self->send_due_us = self->polled_us = now_us;
    return use_address(self, 0, now_us);
}

hy_status hy_robot_open(hy_robot **out, const char *url)
{
    *out = NULL;
    hy_robot *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return HY_EFULL;
    }
    hy_status status = connect_to(self, url);
    if (status == HY_OK) {
        status = hy_ending_add(self);
    }
    if (status != HY_OK) {
        hy_link_close(&self->link);
        free(self);
        return status;
    }
    *out = self;
    return HY_OK;
}

void hy_robot_close(hy_robot *self)
{
    if (self == NULL) {
        return;
    }
    if (!self->emergency_stopped) { // which stopped it for good
        hy_robot_disable(self);
    }
    hy_ending_remove(self);
    hy_link_close(&self->link);
    free(self->air);
    free(self);
}

// --------------------------------------------------------------------------- sending

// A stop is never touched by faults, and what was held back before it is dropped: it would drive behind it.
static void send_datagram(hy_robot *self, hy_bytes datagram, bool is_first, int64_t now_us)
{
    if (self->air == NULL) {
        // What the network refuses is counted by the link; the next command is 20 ms away.
        (void)hy_link_send(&self->link, &self->address, datagram);
        return;
    }
    if (hy_robot_is_enabled(self)) {
        hy_faults_put(&self->air->to_robot, &self->address, datagram, now_us);
    } else {
        hy_faults_put_untouched(&self->air->to_robot, &self->address, datagram, is_first, now_us);
    }
    robot_air_flush(self->air, &self->link, now_us);
}

static void send_command(hy_robot *self, int64_t now_us)
{
    hy_wire_datagram datagrams[2];
    const unsigned count = hy_commander_write(&self->peer.commander, now_us, datagrams);
    for (unsigned i = 0; i < count && has_link(self); i++) {
        send_datagram(self, (hy_bytes){ datagrams[i].data, datagrams[i].size }, i == 0, now_us);
        self->counters.commands++;
    }
}

static int64_t command_due_us(const hy_robot *self)
{
    const int64_t stop_us = hy_commander_due_us(&self->peer.commander);
    return stop_us < self->send_due_us ? stop_us : self->send_due_us;
}

static void send_due(hy_robot *self, int64_t now_us)
{
    if (self->air != NULL) {
        robot_air_flush(self->air, &self->link, now_us);
    }
    if (now_us < command_due_us(self)) {
        return;
    }
    send_command(self, now_us);
    self->send_due_us += HY_ROBOT_COMMAND_PERIOD_US;
    if (self->send_due_us <= now_us) { // late by more than a period: missed turns are not made up for
        self->send_due_us = now_us + HY_ROBOT_COMMAND_PERIOD_US;
    }
}

int64_t hy_robot_due_us(const hy_robot *self)
{
    const int64_t command_us = command_due_us(self);
    const int64_t held_us = robot_air_due_us(self->air);
    return command_us < held_us ? command_us : held_us;
}

// --------------------------------------------------------------------------- receiving

static void take_status(hy_robot *self, const hy_datagram *datagram)
{
    hy_wire_status status;
    // The socket is connected: whatever comes is from there.
    const unsigned news =
        hy_peer_take(&self->peer, &self->address, datagram->bytes, datagram->at_us, &status);
    self->counters.rx_malformed = self->peer.rx_malformed;
    self->counters.rx_sequence = self->peer.rx_sequence;
    if (news == 0) {
        return;
    }
    const size_t slot = self->counters.statuses % HY_ROBOT_WINDOW;
    self->window[slot].at_us = datagram->at_us;
    self->window[slot].lost = self->peer.gate.lost;
    self->counters.statuses++;
    self->status = status;
    self->status_us = datagram->at_us;
}

static void receive(hy_robot *self, int64_t now_us)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = has_link(self) ? hy_link_receive(&self->link, batch, HY_LINK_BATCH) : 0;
    for (size_t i = 0; i < count; i++) {
        if (self->air != NULL) {
            hy_faults_put(&self->air->from_robot, &batch[i].peer, batch[i].bytes, batch[i].at_us);
        } else {
            take_status(self, &batch[i]);
        }
    }
    hy_datagram delayed = { .at_us = now_us };
    while (self->air != NULL &&
           hy_faults_take(&self->air->from_robot, now_us, &delayed.peer, &delayed.bytes)) {
        take_status(self, &delayed);
    }
}

static void watch_silence(hy_robot *self, int64_t now_us)
{
    if (hy_robot_is_up(self, now_us)) {
        return;
    }
    if (hy_robot_is_enabled(self)) {
        self->counters.lost_robots++;
        hy_robot_disable(self);
    }
    // A name with several addresses: whichever answers first is the robot's.
    const bool is_heard = self->status_us != INT64_MIN;
    if (!is_heard && self->address_count > 1 && hy_robot_is_stopped(self) &&
        now_us - self->address_since_us >= HY_ROBOT_SILENCE_US) {
        use_address(self, self->address_index + 1, now_us);
    }
}

static void watch_ourselves(hy_robot *self, int64_t now_us)
{
    const bool is_pause = now_us - self->polled_us >= HY_ROBOT_PAUSE_US;
    self->polled_us = now_us;
    if (!hy_robot_is_enabled(self) || !(is_pause || hy_robot_is_ending())) {
        return;
    }
    self->counters.pauses += is_pause;
    hy_robot_disable(self);
}

void hy_robot_exchange(hy_robot *self, int64_t now_us)
{
    watch_ourselves(self, now_us);
    receive(self, now_us);
    watch_silence(self, now_us);
    send_due(self, now_us);
}

void hy_robot_poll(hy_robot *self, int64_t now_us)
{
    hy_robot_exchange(self, now_us);
    hy_ending_suspend(self, now_us);
}

intptr_t hy_robot_descriptor(const hy_robot *self)
{
    return has_link(self) ? hy_link_descriptor(&self->link) : -1;
}

bool hy_robot_wait(hy_robot *self, int64_t duration_us)
{
    const int64_t start_us = hy_clock_now_us();
    // "For ever" is a duration too.
    const int64_t end_us = duration_us > INT64_MAX - start_us ? INT64_MAX : start_us + duration_us;
    for (;;) {
        const int64_t now_us = hy_clock_now_us();
        hy_robot_poll(self, now_us);
        const bool is_over = hy_robot_is_ending() ? hy_robot_is_stopped(self) : now_us >= end_us;
        if (is_over) {
            return !hy_robot_is_ending();
        }
        int64_t until_us = hy_robot_due_us(self);
        if (end_us < until_us && !hy_robot_is_ending()) {
            until_us = end_us;
        }
        const int64_t wait_ms = (until_us - now_us + 999) / 1000;
        struct pollfd socket = { .fd = (int)hy_robot_descriptor(self), .events = POLLIN };
        poll(&socket, 1, wait_ms > 0 ? (int)wait_ms : 0);
    }
}

// --------------------------------------------------------------------------- enable and disable

bool hy_robot_enable(hy_robot *self)
{
    if (self->emergency_stopped || hy_robot_is_ending() || hy_robot_is_suspending() ||
        !hy_robot_is_up(self, hy_clock_now_us())) {
        return false;
    }
    return hy_commander_enable(&self->peer.commander);
}

void hy_robot_disable(hy_robot *self)
{
    const int64_t now_us = hy_clock_now_us();
    hy_commander_stop(&self->peer.commander, now_us);
    send_command(self, now_us);
}

void hy_robot_emergency_stop(hy_robot *self)
{
    self->emergency_stopped = true;
    hy_robot_disable(self);
}

bool hy_robot_is_enabled(const hy_robot *self)
{
    return hy_commander_is_enabled(&self->peer.commander);
}

bool hy_robot_is_stopped(const hy_robot *self)
{
    return !hy_robot_is_enabled(self) && hy_commander_is_done(&self->peer.commander);
}

// --------------------------------------------------------------------------- commands

bool hy_robot_set_motor(hy_robot *self, unsigned motor, float effort)
{
    if (motor >= self->dialect->motors) {
        return false;
    }
    self->peer.commander.command.motors |= (uint8_t)(1u << motor);
    // + 0: a motor at rest is sent as 0, never as -0.
    self->peer.commander.command.motor[motor] =
        (float)hy_clamp((double)effort, -1.0, 1.0, 0.0) + 0.0f;
    return true;
}

bool hy_robot_set_servo(hy_robot *self, unsigned servo, float position)
{
    if (servo >= self->dialect->servos || position != position) {
        return false;
    }
    self->peer.commander.command.servos |= (uint8_t)(1u << servo);
    self->peer.commander.command.servo[servo] = (float)hy_clamp((double)position, 0.0, 1.0, 0.0);
    return true;
}

bool hy_robot_set_dio(hy_robot *self, unsigned dio, bool level)
{
    if (dio >= self->dialect->dios) {
        return false;
    }
    const uint32_t bit = (uint32_t)1 << dio;
    hy_wire_command *const command = &self->peer.commander.command;
    command->dios |= bit;
    command->dio_levels = level ? command->dio_levels | bit : command->dio_levels & ~bit;
    return true;
}

// --------------------------------------------------------------------------- how the link does

bool hy_robot_is_up(const hy_robot *self, int64_t now_us)
{
    return hy_peer_is_up(&self->peer, now_us);
}

static double share(uint64_t part, uint64_t rest)
{
    return part == 0 ? 0.0 : (double)part / (double)(part + rest);
}

hy_robot_figures hy_robot_measure(const hy_robot *self, int64_t now_us)
{
    hy_robot_figures figures = { .age_us = INT64_MAX };
    const uint64_t statuses = self->counters.statuses;
    if (statuses == 0) {
        return figures;
    }
    // The status may have come after the caller looked at the clock.
    figures.age_us = now_us > self->status_us ? now_us - self->status_us : 0;
    figures.loss_total = share(self->peer.gate.lost, self->peer.gate.accepted);
    const uint64_t newest = statuses - 1;
    uint64_t oldest = newest;
    while (oldest > 0 && newest - oldest + 1 < HY_ROBOT_WINDOW &&
           now_us - self->window[(oldest - 1) % HY_ROBOT_WINDOW].at_us < HY_ROBOT_WINDOW_US) {
        oldest--;
    }
    const int64_t span_us = self->status_us - self->window[oldest % HY_ROBOT_WINDOW].at_us;
    if (span_us > 0 && figures.age_us < HY_ROBOT_SILENCE_US) {
        figures.rate_hz = (double)(newest - oldest) * 1e6 / (double)span_us;
    }
    figures.loss =
        share(self->peer.gate.lost - self->window[oldest % HY_ROBOT_WINDOW].lost, newest - oldest);
    return figures;
}
