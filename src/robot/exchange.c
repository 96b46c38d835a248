// The datagrams between a program and its robot: the commander says what to send, this says when.
#include "exchange.h"

#include "air.h"

// --------------------------------------------------------------------------- addresses

// False while the system refused every socket: there is nothing to send or receive on then, until the
// next address gets its turn.
static bool has_link(const hy_robot *self)
{
    return self->link.is_open;
}

hy_status hy_robot_use_address(hy_robot *self, size_t index, int64_t now_us)
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
    self->counters.first_malformed = self->peer.first_malformed;
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

static void receive_statuses(hy_robot *self, int64_t now_us)
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
        hy_robot_use_address(self, self->address_index + 1, now_us);
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
    receive_statuses(self, now_us);
    watch_silence(self, now_us);
    send_due(self, now_us);
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

bool hy_robot_is_up(const hy_robot *self, int64_t now_us)
{
    return hy_peer_is_up(&self->peer, now_us);
}
