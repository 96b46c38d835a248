// The server's thread: waits for sockets, moves bytes between them and their connections, and connections' messages and texts between
// them and the owner.
#include <stdio.h>
#include <string.h>

#include "crowd.h"
#include "server.h"

#define SECOND_US INT64_C(1000000)

// A connection is ended after so long: without a whole request; idle between two; without taking what is sent to it; after its last bytes.
#define ASKING_US  (5 * SECOND_US)
#define IDLE_US    (30 * SECOND_US)
#define STALLED_US (10 * SECOND_US)
#define LEAVING_US (1 * SECOND_US)

// A WebSocket that was silent for so long is asked for a sign of life, and is gone if there is none: a telephone out of reach.
#define PING_US    (4 * SECOND_US)
#define HANG_UP_US (10 * SECOND_US)

// What one connection may have done in a turn, so that all get theirs.
#define ACCEPTS_A_TURN 16
#define ROUNDS_A_TURN  16

// What one connection may send: 1 byte a microsecond, and at once. A page that drives six robots sends 0.2 MB a second.
#define CREDIT_MAX   65536
#define CREDIT_AGAIN 16384

#define STALL_US (SECOND_US / 2) // since the sockets were looked at last: what they hold is old
// What did not fit into a socket meanwhile waits at its sender, and comes when the socket has been read.
#define SETTLE_US    (3 * SECOND_US / 10)
#define TICK_US      100000 // for the times above
#define CREDIT_US    10000  // while a connection has used its credit up
#define EXHAUSTED_US (SECOND_US / 10)
#define TURN_SOURCES 2 // the wake and the listener

// Of the sockets that are no member's.
#define SOCKETS_IN_ALL (WEB_SOCKETS - 2 * HY_WEB_MEMBERS)

static const web_crowd_limits socket_limits = { .in_all = SOCKETS_IN_ALL,
                                                .from_one = SOCKETS_IN_ALL / 2 - 4 };
static const web_crowd_limits no_limits = { .in_all = SIZE_MAX, .from_one = SIZE_MAX };

// --------------------------------------------------------------------------- clients

void web_unlock_and_wake(hy_web *self, bool wants, bool *is_woken, hy_waker *waker)
{
    const bool wakes = wants && !*is_woken;
    *is_woken = *is_woken || wakes;
    hy_mutex_unlock(&self->lock);
    if (wakes && !hy_waker_wake(waker)) { // whoever asks next tries again
        hy_mutex_lock(&self->lock);
        *is_woken = false;
        hy_mutex_unlock(&self->lock);
    }
}

static void unlock_and_wake_owner(hy_web *self)
{
    web_unlock_and_wake(self, true, &self->is_owner_woken, &self->owner_waker);
}

static void count_one(hy_web *self, uint64_t *counter)
{
    hy_mutex_lock(&self->lock);
    (*counter)++;
    hy_mutex_unlock(&self->lock);
}

/// The client's place is given back once its owner has been told.
static void let_go(hy_web *self, web_socket *at)
{
    if (at->client < 0) {
        return;
    }
    hy_mutex_lock(&self->lock);
    self->clients[at->client].phase = WEB_CLIENT_GONE;
    unlock_and_wake_owner(self);
    at->client = -1;
    at->is_held_back = false;
}

static void drop_socket(hy_web *self, web_socket *at)
{
    let_go(self, at);
    hy_stream_close(at->socket);
    at->socket = -1;
    while (self->socket_end > 0 && self->sockets[self->socket_end - 1].socket < 0) {
        self->socket_end--;
    }
}

/// Under the lock.
static web_place place_of_client(const web_client *client)
{
    web_place place = { .is_taken = client->phase != WEB_CLIENT_FREE,
                        .is_counted = client->standing != WEB_MEMBER,
                        .may_go =
                            client->phase == WEB_CLIENT_OPEN && client->standing == WEB_STRANGER,
                        .is_leaving = client->is_closing,
                        .came_us = client->since_us };
    memcpy(place.ip, client->ip, sizeof place.ip);
    return place;
}

/// A client's place for a newcomer, or -1. If another has to go for it, `*victim` is that.
static int choose_client(hy_web *self, const web_socket *at, int64_t now_us, int *victim)
{
    web_place places[HY_WEB_CLIENTS];
    const size_t count = self->client_count;
    const size_t strangers = self->site.is_open ? count : count - HY_WEB_MEMBERS;
    const web_crowd_limits limits = { .in_all = strangers, .from_one = web_crowd_share(strangers) };
    size_t taken = 0; // by strangers and visitors
    for (size_t i = 0; i < count; i++) {
        places[i] = place_of_client(&self->clients[i]);
        taken += places[i].is_taken && places[i].is_counted;
    }
    const int chosen =
        web_crowd_choose(places, count, at->ip, at->talk.has_token ? &no_limits : &limits, now_us);
    *victim = chosen >= 0 && places[chosen].is_taken ? chosen : -1;
    // A victim's own place is not free before its owner knows. Those of members are nobody else's meanwhile.
    const bool has_room = chosen >= 0 && (at->talk.has_token || taken < strangers);
    for (size_t i = 0; i < count && has_room; i++) {
        if (!places[i].is_taken) {
            return (int)i;
        }
    }
    return -1;
}

static void evict_client(hy_web *self, int client)
{
    for (size_t i = 0; i < self->socket_end; i++) {
        web_socket *const at = &self->sockets[i];
        if (at->socket >= 0 && at->client == client) {
            web_connection_leave(&at->talk, WEB_CLOSE_POLICY, "too many pages are open");
            at->since_us = hy_time_now_us();
            self->counters.evicted++;
            return;
        }
    }
}

/// Where nobody needs a token nobody is ended for a newcomer, and no address has more than its share.
static web_standing standing_of(const hy_web *self, const web_socket *at)
{
    return self->site.is_open ? WEB_VISITOR : at->talk.has_token ? WEB_MEMBER : WEB_STRANGER;
}

static void let_in(hy_web *self, web_socket *at, int64_t now_us)
{
    int victim;
    hy_mutex_lock(&self->lock);
    at->client = choose_client(self, at, now_us, &victim);
    if (at->client >= 0) {
        web_client_open(
            &self->clients[at->client],
            &(web_client_origin){ at->talk.endpoint, at->ip, at->talk.path, at->talk.origin },
            now_us);
        self->clients[at->client].standing = standing_of(self, at);
        const unsigned end = (unsigned)at->client + 1;
        self->client_end = end > self->client_end ? end : self->client_end;
    } else {
        self->counters.refused++;
    }
    if (victim >= 0) {
        evict_client(self, victim);
    }
    web_unlock_and_wake(self, at->client >= 0, &self->is_owner_woken, &self->owner_waker);
    at->pinged_us = at->heard_us = now_us;
    if (at->client < 0) {
        web_connection_leave(&at->talk, WEB_CLOSE_POLICY, "too many pages are open");
    }
}

/// If this program stood still since it began to wait for sockets the last time, for it was stopped or the machine busy, what they hold
/// has waited.
static void note_stall(hy_web *self, int64_t now_us)
{
    if (now_us - self->looked_us <= STALL_US) {
        return;
    }
    self->has_old_newcomers = true;
    self->stalled_us = now_us;
    for (size_t i = 0; i < self->socket_end; i++) {
        self->sockets[i].has_old = true;
    }
}

/// Hands the message of `talk` over; until there is room the connection is held back.
static void hand_over(hy_web *self, web_socket *at)
{
    note_stall(self,
               hy_time_now_us()); // it may have stood still between its look at the sockets and here
    const web_frames *const said = &at->talk.frames;
    web_client *const client = &self->clients[at->client];
    const hy_bytes message = { said->message, said->message_size };
    hy_mutex_lock(&self->lock);
    const web_kind kind = { .is_binary = said->is_binary, .is_old = at->has_old };
    at->is_held_back = !web_fifo_put(&client->inbox, message, kind);
    client->is_held_back = at->is_held_back;
    self->counters.rx_messages += at->is_held_back ? 0 : 1;
    unlock_and_wake_owner(self);
}

/// Begins to send the client's next message, or its closing frame.
static void take_text(hy_web *self, web_socket *at)
{
    web_client *const client = &self->clients[at->client];
    uint8_t *const to = self->sending[at->client];
    size_t size = 0;
    web_kind kind = { .is_binary = false };
    char why[WEB_WHY_SIZE] = "";
    hy_mutex_lock(&self->lock);
    const bool is_queued = web_fifo_take(&client->queue, to, &size, &kind);
    const int slot = is_queued ? -1 : web_client_fresh(client);
    const bool is_leaving = !is_queued && slot < 0 && client->is_closing;
    if (slot >= 0) {
        size = client->slots[slot].size;
        memcpy(to, client->slots[slot].bytes, size);
        client->slots[slot].is_fresh = false;
        self->counters.tx_texts++;
    } else if (is_leaving) {
        memcpy(why, client->why, sizeof why);
    }
    hy_mutex_unlock(&self->lock);
    if (slot >= 0 || is_queued) {
        web_connection_say(&at->talk, (hy_bytes){ to, size }, kind.is_binary);
    } else if (is_leaving) {
        web_connection_leave(&at->talk, WEB_CLOSE_POLICY, why);
    }
}

// --------------------------------------------------------------------------- sockets

static web_place place_of_socket(hy_web *self, const web_socket *at)
{
    const bool is_open = at->socket >= 0 && at->client >= 0;
    hy_mutex_lock(&self->lock);
    const web_standing standing = is_open ? self->clients[at->client].standing : WEB_STRANGER;
    hy_mutex_unlock(&self->lock);
    web_place place = { .is_taken = at->socket >= 0,
                        .is_counted = standing != WEB_MEMBER,
                        .may_go = standing == WEB_STRANGER,
                        .is_leaving = at->talk.stage == WEB_LEAVING,
                        .has_spoken = at->has_spoken,
                        .is_served = at->socket >= 0 && web_connection_output(&at->talk).size > 0,
                        .came_us = at->came_us };
    memcpy(place.ip, at->ip, sizeof place.ip);
    return place;
}

static void take_in(hy_web *self, intptr_t socket_, const uint8_t ip[16], int64_t now_us)
{
    web_place places[WEB_SOCKETS];
    for (size_t i = 0; i < WEB_SOCKETS; i++) {
        places[i] = place_of_socket(self, &self->sockets[i]);
    }
    const int chosen = web_crowd_choose(places, WEB_SOCKETS, ip, &socket_limits, now_us);
    if (chosen < 0) {
        hy_stream_close(socket_);
        count_one(self, &self->counters.refused);
        return;
    }
    web_socket *const at = &self->sockets[chosen];
    if (at->socket >= 0) {
        drop_socket(self, at);
        count_one(self, &self->counters.evicted);
    }
    at->socket = socket_;
    at->client = -1;
    self->socket_end = (size_t)chosen < self->socket_end ? self->socket_end : (size_t)chosen + 1;
    at->is_held_back = at->is_throttled = at->has_more = at->has_ended = at->has_shut = false;
    at->is_answered = at->has_spoken = false;
    at->has_old = self->has_old_newcomers;
    memcpy(at->ip, ip, sizeof at->ip);
    at->came_us = at->since_us = at->heard_us = at->sent_us = at->credit_us = now_us;
    at->credit = CREDIT_MAX;
    web_connection_start(&at->talk, at->message);
}

static void accept_all(hy_web *self, int64_t now_us)
{
    for (int i = 0; i < ACCEPTS_A_TURN; i++) {
        uint8_t ip[16] = { 0 };
        bool is_exhausted;
        const intptr_t socket_ = hy_stream_accept(self->listener, ip, &is_exhausted);
        if (socket_ < 0) {
            self->accept_us = is_exhausted ? now_us + EXHAUSTED_US : 0;
            self->has_old_newcomers = self->has_old_newcomers && is_exhausted;
            return;
        }
        take_in(self, socket_, ip, now_us);
    }
}

static void renew_credit(web_socket *at, int64_t now_us)
{
    const int64_t credit = at->credit + (now_us - at->credit_us);
    at->credit = credit < CREDIT_MAX ? credit : CREDIT_MAX;
    at->credit_us = now_us;
    at->is_throttled = at->credit <= 0 || (at->is_throttled && at->credit < CREDIT_AGAIN);
}

static bool may_read(const web_socket *at)
{
    const size_t left = at->talk.received_size - at->talk.received_at;
    const bool has_room = left < sizeof at->talk.received;
    return !at->is_throttled && has_room && !at->is_held_back && !at->has_more && !at->has_ended;
}

/// False if the connection has ended.
static bool receive_bytes(web_socket *at, int64_t now_us)
{
    const hy_room room = web_connection_room(&at->talk);
    const size_t most = room.size < (size_t)at->credit ? room.size : (size_t)at->credit;
    const int64_t got = hy_stream_receive(at->socket, (hy_room){ room.data, most });
    at->is_empty = got < (int64_t)most;
    if (got == 0) {
        at->has_ended = true;
        return at->talk.stage == WEB_ANSWERING;
    }
    if (got < 0) {
        return got == HY_AGAIN;
    }
    if (at->talk.stage == WEB_ASKING && room.size == sizeof at->talk.received) {
        at->since_us = now_us; // a request begins
    }
    web_connection_received(&at->talk, (size_t)got);
    at->credit -= got;
    at->heard_us = now_us;
    at->is_answered = false;
    return true;
}

/// Sends what is due; false if the connection has ended. `*more`: the socket took all of it.
static bool transmit(web_socket *at, int64_t now_us, bool *more)
{
    *more = true;
    for (hy_bytes out; *more && (out = web_connection_output(&at->talk)).size > 0;) {
        const hy_bytes after = web_connection_output_after(&at->talk);
        const int64_t sent = hy_stream_send(at->socket, out, after);
        if (sent == HY_ESYSTEM) {
            return false;
        }
        *more = sent == (int64_t)(out.size + after.size);
        if (sent > 0) {
            web_connection_sent(&at->talk, (size_t)sent);
            at->sent_us = at->since_us = now_us;
            at->is_answered = true;
        }
    }
    return true;
}

static void note_refusal(hy_web *self, const web_socket *at)
{
    hy_mutex_lock(&self->lock);
    const bool is_told = at->talk.refused != NULL && self->refused_count < REFUSALS;
    self->counters.refused++;
    if (is_told) {
        web_refused *const to = &self->refused[self->refused_count++];
        (void)snprintf(to->origin, sizeof to->origin, "%s", at->talk.refused);
        memcpy(to->ip, at->ip, sizeof to->ip);
    }
    web_unlock_and_wake(self, is_told, &self->is_owner_woken, &self->owner_waker);
}

/// Deals with what was received; true if something happened.
static bool step_socket(hy_web *self, web_socket *at, int64_t now_us)
{
    if (at->is_held_back) {
        hand_over(self, at);
    }
    const web_happening happened =
        at->is_held_back ? WEB_NOTHING : web_connection_step(&at->talk, &self->site);
    at->has_spoken = at->has_spoken || happened == WEB_REQUESTED || happened == WEB_REFUSED;
    switch (happened) {
    case WEB_REQUESTED: count_one(self, &self->counters.requests); break;
    case WEB_REFUSED: note_refusal(self, at); break;
    case WEB_OPENED: let_in(self, at, now_us); break;
    case WEB_MESSAGE: hand_over(self, at); break;
    case WEB_TOO_LONG: count_one(self, &self->counters.rx_too_long); break;
    case WEB_CLOSED:
    case WEB_NOTHING: break;
    }
    return happened != WEB_NOTHING;
}

/// One connection's turn; false if it has ended.
static bool serve_one(hy_web *self, web_socket *at, bool is_readable, int64_t now_us)
{
    if (is_readable && !receive_bytes(at, now_us)) {
        return false;
    }
    bool any = true, more = true;
    for (int round = 0; round < ROUNDS_A_TURN && any; round++) {
        any = step_socket(self, at, now_us);
        const bool was_sending = web_connection_output(&at->talk).size > 0;
        if (!was_sending && web_connection_takes_text(&at->talk) && at->client >= 0) {
            take_text(self, at);
        }
        any = any || web_connection_output(&at->talk).size > 0;
        if (!transmit(at, now_us, &more)) {
            return false;
        }
        any = any && more;
    }
    at->has_more = any;
    if (at->has_ended && at->talk.stage != WEB_ANSWERING) {
        return false;
    }
    if (at->talk.stage == WEB_LEAVING && web_connection_output(&at->talk).size == 0) {
        let_go(self, at);
        if (!at->has_shut) {
            at->has_shut = true;
            at->since_us = now_us;
            hy_stream_shut(
                at->socket); // then it is the client that closes, and gets to read what was sent
        }
    }
    return true;
}

/// False if there is more to do for the server's thread.
static bool send_texts(hy_web *self, web_socket *at, int64_t now_us)
{
    bool more = true;
    do {
        if (!web_connection_takes_text(&at->talk)) {
            return false;
        }
        take_text(self, at);
        if (web_connection_output(&at->talk).size == 0) {
            return true;
        }
    } while (transmit(at, now_us, &more) && more);
    return false;
}

void web_send_shown(hy_web *self, const hy_web_audience *to)
{
    bool is_left = true;
    if (hy_mutex_try(&self->turn)) {
        const int64_t now_us = hy_time_now_us();
        is_left = false;
        for (size_t i = 0; i < self->socket_end; i++) {
            web_socket *const at = &self->sockets[i];
            if (at->socket >= 0 && at->client >= 0 && to->has[at->client]) {
                is_left |= !send_texts(self, at, now_us);
            }
        }
        hy_mutex_unlock(&self->turn);
    }
    if (is_left) {
        hy_mutex_lock(&self->lock);
        web_unlock_and_wake(self, true, &self->is_server_woken, &self->server_waker);
    }
}

// --------------------------------------------------------------------------- time

static bool is_late(const web_socket *at, int64_t now_us)
{
    const bool is_sending = web_connection_output(&at->talk).size > 0;
    if (is_sending && now_us - at->sent_us > STALLED_US && now_us - at->since_us > STALLED_US) {
        return true;
    }
    switch (at->talk.stage) {
    case WEB_ASKING: {
        const bool is_idle = at->is_answered && at->talk.received_size == at->talk.received_at;
        return now_us - at->since_us > (is_idle ? IDLE_US : ASKING_US);
    }
    case WEB_OPEN: return !at->is_held_back && now_us - at->heard_us > HANG_UP_US;
    case WEB_LEAVING: return now_us - at->since_us > LEAVING_US;
    case WEB_ANSWERING: break;
    }
    return false;
}

static void ping_if_silent(web_socket *at, int64_t now_us)
{
    if (at->is_held_back) { // nobody listens to it
        at->heard_us = now_us;
    }
    if (at->talk.stage == WEB_OPEN && now_us - at->heard_us > PING_US &&
        now_us - at->pinged_us > PING_US) {
        at->pinged_us = now_us;
        web_connection_ping(&at->talk);
    }
}

// --------------------------------------------------------------------------- the loop

/// What each socket waits for; how long at most.
static int64_t prepare_wait(hy_web *self, hy_wait_source sources[TURN_SOURCES + WEB_SOCKETS],
                            int64_t now_us)
{
    int64_t wait_us = INT64_MAX;
    sources[0] = (hy_wait_source){ .handle = self->server_waker.handle, .wants_read = true };
    sources[1] = (hy_wait_source){ .handle = self->listener, .wants_read = true };
    if (self->accept_us > now_us) {
        sources[1].handle = -1;
        wait_us = TICK_US;
    }
    for (size_t i = 0; i < self->socket_end; i++) {
        web_socket *const at = &self->sockets[i];
        sources[TURN_SOURCES + i] = (hy_wait_source){ .handle = at->socket };
        if (at->socket < 0) {
            continue;
        }
        renew_credit(at, now_us);
        sources[TURN_SOURCES + i].wants_read = may_read(at);
        sources[TURN_SOURCES + i].wants_write = web_connection_output(&at->talk).size > 0;
        const int64_t own_us = at->has_more ? 0 : at->is_throttled ? CREDIT_US : TICK_US;
        wait_us = own_us < wait_us ? own_us : wait_us;
    }
    return wait_us;
}

/// Whether a client that is not being read has closed its connection: its robots must not wait until all that it said before is read.
static bool has_hung_up(const web_socket *at, bool is_broken)
{
    return !may_read(at) && // else reading tells
           (is_broken || (at->talk.stage == WEB_OPEN && hy_stream_has_hung_up(at->socket)));
}

static bool is_told_to_stop(hy_web *self)
{
    hy_mutex_lock(&self->lock);
    const bool is_stopping = self->is_stopping;
    hy_mutex_unlock(&self->lock);
    return is_stopping;
}

static bool take_turn(hy_web *self)
{
    hy_wait_source sources[TURN_SOURCES + WEB_SOCKETS];
    const int64_t began_us = hy_time_now_us();
    const int64_t wait_us = prepare_wait(self, sources, began_us);
    const size_t count = self->socket_end;
    hy_mutex_unlock(&self->turn);
    const int ready = hy_wait(sources, TURN_SOURCES + count, wait_us);
    if (ready == HY_ESYSTEM) { // it is short of memory, and is asked again a little later
        hy_time_sleep(TICK_US);
    }
    hy_mutex_lock(&self->turn);
    if (ready < 0) {
        return !is_told_to_stop(self);
    }
    const int64_t now_us = hy_time_now_us();
    if (wait_us < INT64_MAX) { // else it waited for the first connection, however long
        note_stall(self, now_us);
    }
    self->looked_us = wait_us < INT64_MAX ? began_us : now_us;
    hy_mutex_lock(&self->lock);
    const bool is_stopping = self->is_stopping;
    if (sources[0].is_readable) {
        hy_waker_clear(&self->server_waker);
        self->is_server_woken = false;
    }
    hy_mutex_unlock(&self->lock);
    for (size_t i = 0; i < count && !is_stopping; i++) {
        web_socket *const at = &self->sockets[i];
        const hy_wait_source *const source = &sources[TURN_SOURCES + i];
        if (at->socket < 0) {
            continue;
        }
        ping_if_silent(at, now_us);
        const bool is_readable = source->is_readable && may_read(at);
        at->is_empty = may_read(at) && !is_readable;
        if (has_hung_up(at, source->is_broken) || !serve_one(self, at, is_readable, now_us) ||
            is_late(at, now_us)) {
            drop_socket(self, at);
        }
        at->has_old = at->has_old && (!at->is_empty || at->has_more || at->is_held_back ||
                                      now_us - self->stalled_us < SETTLE_US);
    }
    if (sources[1].is_readable && !is_stopping) {
        accept_all(self, now_us);
    }
    return !is_stopping;
}

void web_serve(void *server)
{
    hy_web *const self = server;
    hy_mutex_lock(&self->turn);
    while (take_turn(self)) {
    }
    hy_mutex_unlock(&self->turn);
}
