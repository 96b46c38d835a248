#include <halyard/wire.h>

void hy_peer_init(hy_peer *self, const hy_dialect *dialect, int64_t silence_us)
{
    *self = (hy_peer){ .heard_us = INT64_MIN, .dialect = dialect, .silence_us = silence_us };
    hy_commander_init(&self->commander, dialect);
}

// --------------------------------------------------------------------------- addresses

// Nothing comes from port 0.
static bool is_answering(const hy_peer *self)
{
    return self->answering.port != 0;
}

void hy_peer_set_addresses(hy_peer *self, const hy_endpoint *addresses, size_t count)
{
    self->address_count = count < HY_PEER_ADDRESSES ? count : HY_PEER_ADDRESSES;
    for (size_t i = 0; i < self->address_count; i++) {
        self->addresses[i] = addresses[i];
    }
}

size_t hy_peer_destinations(const hy_peer *self, const hy_endpoint **out)
{
    if (!is_answering(self)) {
        *out = self->addresses;
        return self->address_count;
    }
    *out = &self->answering;
    return 1;
}

static bool is_from_robot(const hy_peer *self, const hy_endpoint *from)
{
    const hy_endpoint *addresses;
    const size_t count = hy_peer_destinations(self, &addresses);
    for (size_t i = 0; i < count; i++) {
        if (hy_endpoint_equal(&addresses[i], from)) {
            return true;
        }
    }
    return false;
}

// --------------------------------------------------------------------------- statuses

// The gate proves restarts whose numbers are behind the old ones. Numbers of a new count may also be ahead of the old ones in
// modular order (5 is ahead of 40000): then only the silence in between and the smaller number tell.
static bool has_restarted(const hy_peer *self, uint64_t proved_before, uint16_t seq, int64_t at_us)
{
    const bool is_first = self->heard_us == INT64_MIN;
    return self->gate.restarts != proved_before ||
           (!is_first && at_us - self->heard_us >= HY_SEQ_SILENCE_US && seq < self->last_seq);
}

unsigned hy_peer_take(hy_peer *self, const hy_endpoint *from, hy_bytes datagram, int64_t at_us,
                      hy_wire_status *out)
{
    if (!is_from_robot(self, from)) {
        return 0;
    }
    const hy_wire_report report = self->dialect->status_decode(datagram, out);
    if (report.error != HY_WIRE_WELL_FORMED && self->rx_malformed++ == 0) {
        self->first_malformed = report;
    }
    if (report.error == HY_WIRE_NO_HEADER) {
        return 0;
    }
    const uint64_t proved_before = self->gate.restarts;
    if (!hy_seq_gate_accept(&self->gate, out->seq, at_us)) {
        self->rx_sequence++;
        return 0;
    }
    unsigned news = HY_PEER_STATUS;
    news |= !is_answering(self) ? HY_PEER_ANSWERS : 0;
    if (has_restarted(self, proved_before, out->seq, at_us)) {
        news |= HY_PEER_RESTARTED;
        self->restarts++;
    }
    self->answering = *from;
    self->heard_us = at_us;
    self->last_seq = out->seq;
    return news;
}

// --------------------------------------------------------------------------- silence

bool hy_peer_watch(hy_peer *self, int64_t now_us)
{
    if (!is_answering(self) || now_us - self->heard_us < self->silence_us) {
        return false;
    }
    self->answering.port = 0;
    return true;
}
