#include "system.h"

#include <assert.h>
#include <string.h>

// --------------------------------------------------------------------------- opening and closing

hy_status hy_link_open(hy_link *self, const hy_endpoint *local)
{
    memset(self, 0, sizeof *self);
    const hy_status status = hy_system_open(local, &self->socket, &self->local);
    if (status != HY_OK) {
        return status;
    }
    hy_system_ask_for_stamps(self->socket);
    self->inbox = hy_system_inbox_open();
    if (self->inbox == NULL) {
        hy_system_close(self->socket);
        return HY_EMEMORY;
    }
    self->empty_us = hy_clock_now_us();
    self->receive_room = hy_system_receive_room(self->socket);
    self->is_open = true;
    self->is_ipv6 = !hy_endpoint_is_ipv4(local);
    return HY_OK;
}

hy_status hy_link_open_to(hy_link *self, const hy_endpoint *peer)
{
    hy_endpoint local = { .port = 0 };
    if (hy_endpoint_is_ipv4(peer)) {
        memcpy(local.ip, peer->ip, 12); // 0.0.0.0
    }
    if (peer->port == 0) {
        memset(self, 0, sizeof *self);
        return HY_EADDRESS;
    }
    const hy_status status = hy_link_open(self, &local);
    if (status == HY_OK) {
        // Not connect(): the system would drop what comes from others without a word, and a peer
        // that is not up yet would make it refuse the datagrams after the first.
        self->only_peer = *peer;
        hy_system_keep_reports(self->socket, self->is_ipv6);
    }
    return status;
}

void hy_link_close(hy_link *self)
{
    if (self->is_open) {
        hy_system_close(self->socket);
        hy_system_inbox_close(self->inbox);
        self->inbox = NULL;
        self->is_open = false;
    }
}

// What the system counts at most against its buffer for a datagram, beside twice its bytes: adapters that receive into large
// buffers of their own have 16 KiB (r8152, for one).
#define OVERHEAD_MAX 16384

uint64_t hy_link_overflowed(hy_link *self)
{
    if (!self->is_open) {
        return 0;
    }
    // What has filled the buffer has been read since, or is waiting.
    const bool had_room = self->is_empty && self->queued_most < self->receive_room;
    if (!had_room) {
        self->overflowed = hy_system_overflowed(self->socket);
        self->queued_most = 0;
    }
    return self->overflowed;
}

/// Keeps account of how full the system's buffer may have been, and of what is known to be lost.
static void note_queue(hy_link *self, const hy_system_batch *batch, size_t received)
{
    self->overflowed = batch->overflowed > self->overflowed ? batch->overflowed : self->overflowed;
    for (size_t i = 0; i < received; i++) {
        self->queued += 2 * batch->out[i].bytes.size + OVERHEAD_MAX;
    }
    self->queued_most = self->queued > self->queued_most ? self->queued : self->queued_most;
    self->is_empty = batch->emptied;
    self->queued = batch->emptied ? 0 : self->queued;
}

intptr_t hy_link_descriptor(const hy_link *self)
{
    assert(self->is_open);
    return self->socket;
}

static bool has_only_peer(const hy_link *self)
{
    return !hy_endpoint_is_nobody(&self->only_peer);
}

/// Counts the network's reports about earlier datagrams; returns how many there were.
static size_t take_reports(hy_link *self)
{
    const size_t reports = has_only_peer(self) ? hy_system_take_reports(self->socket) : 0;
    self->counters.rx_errors += reports;
    return reports;
}

// --------------------------------------------------------------------------- sending

/// As hy_system_send(), but a report about an earlier datagram does not cost this one its turn.
static int send_some(hy_link *self, const hy_datagram *datagrams, size_t count)
{
    int sent = hy_system_send(self->socket, self->is_ipv6, datagrams, count);
    if (sent < 0 && take_reports(self) > 0) {
        sent = hy_system_send(self->socket, self->is_ipv6, datagrams, count);
    }
    for (int i = 0; i < sent; i++) {
        self->counters.tx_datagrams++;
        self->counters.tx_bytes += datagrams[i].bytes.size;
    }
    return sent;
}

static void count_refusal(hy_link *self, hy_status status, size_t datagrams)
{
    hy_link_counters *counters = &self->counters;
    switch (status) {
    case HY_AGAIN: counters->tx_full += datagrams; break;
    case HY_EUNREACHABLE: counters->tx_unreachable += datagrams; break;
    default: counters->tx_errors += datagrams; break;
    }
}

hy_status hy_link_send(hy_link *self, const hy_endpoint *to, hy_bytes bytes)
{
    assert(self->is_open);
    int sent = hy_system_send_one(self->socket, self->is_ipv6, to, bytes);
    if (sent < 0 && take_reports(self) > 0) {
        sent = hy_system_send_one(self->socket, self->is_ipv6, to, bytes);
    }
    if (sent < 0) {
        count_refusal(self, (hy_status)sent, 1);
        return (hy_status)sent;
    }
    self->counters.tx_datagrams++;
    self->counters.tx_bytes += bytes.size;
    return HY_OK;
}

size_t hy_link_send_batch(hy_link *self, const hy_datagram *datagrams, size_t count)
{
    assert(self->is_open);
    size_t done = 0;
    while (done < count) {
        const size_t left = count - done;
        const int sent =
            send_some(self, datagrams + done, left < HY_LINK_BATCH ? left : HY_LINK_BATCH);
        if (sent == HY_AGAIN) {
            count_refusal(self, HY_AGAIN, left);
            break;
        }
        if (sent < 0) {
            count_refusal(self, (hy_status)sent, 1);
            done++;
        } else {
            done += (size_t)sent;
        }
    }
    return done;
}

// --------------------------------------------------------------------------- receiving

/// Batches that one call may drop as a whole before it gives up: a flood of what this link does not
/// want must not hold the caller.
#define UNWANTED_BATCHES 8

/// What has waited for so long at most counts as arrived when it was read.
#define STALL_US 1000

/// When a datagram of a batch arrived. It cannot have waited for longer than since `empty_us`; and that is how long it is taken to have
/// waited if the system's clock for dates does not tell.
static int64_t arrived_us(const hy_system_batch *batch, size_t index, int64_t empty_us)
{
    const int64_t longest_us = batch->read_us - empty_us, waited_us = batch->waited_us[index];
    return !batch->wants_stamps                       ? batch->read_us
           : waited_us >= 0 && waited_us < longest_us ? batch->read_us - waited_us
                                                      : empty_us;
}

/// Moves the datagrams that the link wants to the front; returns how many they are.
static size_t keep_wanted(hy_link *self, const hy_system_batch *batch, size_t count)
{
    hy_datagram *const datagrams = batch->out;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const hy_datagram *datagram = &datagrams[i];
        if (has_only_peer(self) && !hy_endpoint_equal(&datagram->peer, &self->only_peer)) {
            self->counters.rx_foreign++;
        } else {
            self->counters.rx_datagrams++;
            self->counters.rx_bytes += datagram->bytes.size;
            if (kept < i) {
                datagrams[kept] = *datagram;
            }
            datagrams[kept].read_us = batch->read_us;
            datagrams[kept++].at_us = arrived_us(batch, i, self->empty_us);
        }
    }
    return kept;
}

size_t hy_link_receive(hy_link *self, hy_datagram *out, size_t room)
{
    assert(self->is_open && room > 0);
    hy_system_batch batch; // not all of it: most of its times are never used
    batch.out = out;
    batch.room = room < HY_LINK_BATCH ? room : HY_LINK_BATCH;
    batch.overflowed = 0;
    for (int i = 0; i < UNWANTED_BATCHES; i++) {
        const int64_t began_us =
            hy_clock_now_us(); // before it looks: what arrives behind the look has waited since then
        batch.read_us = began_us;
        batch.wants_stamps = began_us - self->empty_us > STALL_US;
        const int received = hy_system_receive(self->socket, self->inbox, &batch);
        note_queue(self, &batch, received > 0 ? (size_t)received : 0);
        const size_t kept = received > 0 ? keep_wanted(self, &batch, (size_t)received) : 0;
        if (batch.emptied) {
            self->empty_us = began_us;
        } else if (received > 0 && batch.wants_stamps) { // what waits has come after the last of them
            self->empty_us = arrived_us(&batch, (size_t)received - 1, self->empty_us);
        }
        if (received == HY_AGAIN) {
            (void)take_reports(self); // they too make a socket look readable
            return 0;
        }
        if (received < 0) {
            self->counters.rx_errors += take_reports(self) > 0 ? 0 : 1;
        }
        if (kept > 0) {
            return kept;
        }
    }
    return 0;
}

/// Batches that hy_link_receive_waiting() reads at most.
#define WAITING_BATCHES 64

size_t hy_link_receive_waiting(hy_link *self, hy_link_take *take, void *context)
{
    const int64_t began_us = hy_clock_now_us();
    hy_datagram batch[HY_LINK_BATCH];
    size_t total = 0;
    for (int i = 0; i < WAITING_BATCHES; i++) {
        const size_t count = hy_link_receive(self, batch, HY_LINK_BATCH);
        for (size_t k = 0; k < count; k++) {
            take(context, &batch[k]);
        }
        total += count;
        // Behind what arrived after the beginning comes nothing that waited then.
        if (self->is_empty || self->empty_us > began_us) {
            break;
        }
    }
    return total;
}
