#include "session.h"

#include <string.h>

#include "turn.h"

void session_start(session *self, bool stock_bugs, int64_t status_period_us, int64_t now_us)
{
    *self = (session){
        .stock_bugs = stock_bugs,
        .status_period_us = status_period_us,
        .status_due_us = now_us + status_period_us,
    };
}

bool session_expire(session *self, int64_t now_us, int64_t *ran_out_us)
{
    if (!self->alive || now_us - self->fed_us < HY_BOARD_WATCHDOG_US) {
        return false;
    }
    *ran_out_us = self->fed_us + HY_BOARD_WATCHDOG_US;
    self->alive = false;
    self->stock_max = 0; // the stock firmware's way to serve a restarted client
    return true;
}

// --------------------------------------------------------------------------- who is obeyed

static uint16_t number_of(hy_bytes datagram)
{
    return (uint16_t)(datagram.data[0] << 8 | datagram.data[1]);
}

// SPEC xrp-robot, sequence: 65531..65535 always count, and 0 never does.
static bool stock_accept(session *self, uint16_t seq)
{
    if (seq <= self->stock_max && UINT16_MAX - seq >= 5) {
        return false;
    }
    self->stock_max = seq;
    return true;
}

static bool is_free(const session_sender *sender, int64_t now_us)
{
    return hy_endpoint_is_nobody(&sender->endpoint) ||
           now_us - sender->taken_us >= SESSION_REMEMBER_US;
}

/// The one who sends from `from`: remembered, or new in the place of the one that has been silent for longest.
static session_sender *find_sender(session *self, const hy_endpoint *from, int64_t now_us)
{
    session_sender *found = &self->senders[0];
    for (size_t i = 0; i < SESSION_SENDERS; i++) {
        session_sender *const sender = &self->senders[i];
        if (!is_free(sender, now_us) && hy_endpoint_equal(from, &sender->endpoint)) {
            return sender;
        }
        if (!is_free(found, now_us) &&
            (is_free(sender, now_us) || sender->taken_us < found->taken_us)) {
            found = sender;
        }
    }
    *found = (session_sender){ .endpoint = *from, .taken_us = now_us };
    return found;
}

static bool sender_accept(session_sender *self, uint16_t seq, uint8_t control, int64_t now_us)
{
    const bool is_new = hy_seq_gate_accept_command(&self->gate, seq, control, now_us);
    self->taken_us = is_new ? now_us : self->taken_us;
    return is_new;
}

static bool is_owned_by_another(const session *self, const hy_endpoint *from)
{
    return !self->stock_bugs && self->alive && !hy_endpoint_equal(from, &self->commander);
}

static void answer_probe(session *self, const hy_endpoint *from, int64_t now_us)
{
    if (self->probe_count == SESSION_PROBES) {
        self->counts.probes_dropped++;
        return;
    }
    if (self->probe_count == 0) {
        self->probed_us = now_us;
    }
    self->probes[self->probe_count++] = *from;
}

/// Its owner gets statuses anyway.
static bool is_probe(const session *self, const hy_endpoint *from, size_t size)
{
    const bool gets_statuses = self->alive && hy_endpoint_equal(from, &self->commander);
    return size == 1 && !self->stock_bugs && !gets_statuses;
}

bool session_only_counts(const session *self, const hy_endpoint *from, size_t size)
{
    return size < HY_WIRE_HEADER_SIZE ? !self->stock_bugs && !is_probe(self, from, size)
                                      : is_owned_by_another(self, from);
}

static void drop_short(session *self, const hy_endpoint *from, size_t size, int64_t now_us)
{
    self->counts.rx_too_short++;
    if (is_probe(self, from, size)) {
        answer_probe(self, from, now_us);
    }
}

static void send_statuses_to(session *self, const hy_endpoint *listener, int64_t now_us)
{
    if (hy_endpoint_is_nobody(&self->listener)) {
        // Nobody took part in the turns so far.
        (void)turn_comes(&self->status_due_us, self->status_period_us, now_us);
    }
    self->listener = *listener;
}

/// A command of the owner that does not count: control 0 disables all the same (SPEC xrp-robot, whom it obeys).
static session_verdict refuse_command(session *self, const hy_endpoint *from, uint8_t control)
{
    const bool is_owner = self->alive && hy_endpoint_equal(from, &self->commander);
    return is_owner && control != HY_WIRE_CONTROL_ENABLED ? SESSION_STOP : SESSION_DROP;
}

/// A command whose number counts. One that has waited for as long as the watchdog is silence by now.
static session_verdict take_command(session *self, const hy_endpoint *from, uint8_t control,
                                    const session_time *time)
{
    if (time->now_us - time->at_us >= HY_BOARD_WATCHDOG_US) {
        self->counts.rx_old++;
        return refuse_command(self, from, control);
    }
    self->counts.commands++;
    self->commander = *from;
    send_statuses_to(self, from, time->now_us);
    self->fed_us = self->alive && self->fed_us > time->at_us ? self->fed_us : time->at_us;
    self->alive = true;
    return SESSION_OBEY;
}

static session_verdict stock_receive(session *self, const hy_endpoint *from, hy_bytes datagram,
                                     const session_time *time)
{
    if (!stock_accept(self, number_of(datagram))) {
        self->counts.rx_sequence++;
        return SESSION_DROP;
    }
    return take_command(self, from, datagram.data[2], time);
}

static session_verdict receive_command(session *self, const hy_endpoint *from, hy_bytes datagram,
                                       const session_time *time)
{
    const uint8_t control = datagram.data[2];
    session_sender *const sender = find_sender(self, from, time->at_us);
    const uint64_t lost_before = sender->gate.lost;
    if (sender_accept(sender, number_of(datagram), control, time->at_us)) {
        self->counts.commands_lost += sender->gate.lost - lost_before;
        return take_command(self, from, control, time);
    }
    self->counts.rx_sequence++;
    const session_verdict verdict = refuse_command(self, from, control);
    if (verdict == SESSION_STOP) {
        self->counts.late_stops++;
        hy_seq_gate_note_stop(&sender->gate);
    }
    return verdict;
}

session_verdict session_receive(session *self, const hy_endpoint *from, hy_bytes datagram,
                                const session_time *time)
{
    if (self->stock_bugs && datagram.size > 0) {
        send_statuses_to(self, from, time->now_us); // even where the datagram is dropped right below
    }
    if (datagram.size < HY_WIRE_HEADER_SIZE) {
        drop_short(self, from, datagram.size, time->now_us);
        return SESSION_DROP;
    }
    if (is_owned_by_another(self, from)) {
        self->counts.rx_strangers++;
        return SESSION_DROP;
    }
    return self->stock_bugs ? stock_receive(self, from, datagram, time)
                            : receive_command(self, from, datagram, time);
}

// --------------------------------------------------------------------------- when the board speaks

static bool take_probe(session *self, session_status *out)
{
    if (self->probe_count == 0) {
        return false;
    }
    // The number of the next regular status: an answer to a stranger leaves no gap in the stream.
    *out = (session_status){ .to = self->probes[0], .seq = self->status_seq };
    self->probe_count--;
    memmove(&self->probes[0], &self->probes[1], self->probe_count * sizeof self->probes[0]);
    self->counts.probes_answered++;
    return true;
}

bool session_next_status(session *self, int64_t now_us, session_status *out)
{
    if (take_probe(self, out)) {
        return true;
    }
    if (hy_endpoint_is_nobody(&self->listener) ||
        !turn_comes(&self->status_due_us, self->status_period_us, now_us)) {
        return false;
    }
    *out = (session_status){ .to = self->listener, .seq = self->status_seq, .is_regular = true };
    self->status_seq++;
    self->counts.statuses++;
    return true;
}

int64_t session_due_us(const session *self)
{
    if (self->probe_count > 0) {
        return self->probed_us; // at once
    }
    int64_t due_us = INT64_MAX;
    if (!hy_endpoint_is_nobody(&self->listener)) {
        due_us = self->status_due_us;
    }
    if (self->alive && self->fed_us + HY_BOARD_WATCHDOG_US < due_us) {
        due_us = self->fed_us + HY_BOARD_WATCHDOG_US;
    }
    return due_us;
}

// --------------------------------------------------------------------------- hash

static void hash_endpoint(hy_hash *hash, const hy_endpoint *endpoint)
{
    hy_hash_bytes(hash, (hy_bytes){ endpoint->ip, sizeof endpoint->ip });
    hy_hash_u64(hash, (uint64_t)endpoint->scope << 16 | endpoint->port);
}

static void hash_counts(hy_hash *hash, const hy_board_counters *c)
{
    const uint64_t counts[] = { c->commands,       c->rx_too_short,   c->rx_sequence,
                                c->late_stops,     c->rx_old,         c->losses,
                                c->rx_strangers,   c->rx_malformed,   c->probes_answered,
                                c->probes_dropped, c->watchdog_trips, c->statuses };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        hy_hash_u64(hash, counts[i]);
    }
}

static void hash_gate(hy_hash *hash, const hy_seq_gate *gate)
{
    const uint64_t numbers[] = { gate->accepted,
                                 gate->late,
                                 gate->restarts,
                                 gate->duplicates,
                                 gate->lost,
                                 (uint64_t)gate->accepted_us,
                                 (uint64_t)gate->candidate_us,
                                 (uint64_t)gate->run_began_us,
                                 (uint64_t)gate->run_us,
                                 gate->last,
                                 gate->candidate,
                                 gate->run_last,
                                 gate->stop,
                                 gate->former,
                                 gate->started,
                                 gate->candidate_stops,
                                 gate->has_stop,
                                 gate->has_former };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        hy_hash_u64(hash, numbers[i]);
    }
}

void session_hash(const session *self, hy_hash *hash)
{
    hash_counts(hash, &self->counts);
    hash_endpoint(hash, &self->commander);
    hash_endpoint(hash, &self->listener);
    for (size_t i = 0; i < self->probe_count; i++) {
        hash_endpoint(hash, &self->probes[i]);
    }
    hy_hash_u64(hash, (uint64_t)self->probe_count << 2 | (uint64_t)self->stock_bugs << 1 |
                          (uint64_t)self->alive);
    hy_hash_u64(hash, (uint64_t)self->stock_max << 16 | self->status_seq);
    hy_hash_u64(hash, (uint64_t)self->fed_us);
    hy_hash_u64(hash, (uint64_t)self->status_due_us);
    hy_hash_u64(hash, (uint64_t)self->probed_us);
    for (size_t i = 0; i < SESSION_SENDERS; i++) {
        hash_endpoint(hash, &self->senders[i].endpoint);
        if (!hy_endpoint_is_nobody(&self->senders[i].endpoint)) {
            hash_gate(hash, &self->senders[i].gate);
            hy_hash_u64(hash, (uint64_t)self->senders[i].taken_us);
        }
    }
}
