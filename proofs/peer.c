// A client's side of one robot, proved by induction: from every state that satisfies is_sound(), each call on a peer has no run-time error and leaves a
// state that satisfies it, and hy_peer_init() makes one. The codecs are replaced by functions that return anything, since take.c, encode.c
// and write.c prove the real ones.
#include "arbitrary.h"

#include "../src/base/endpoint.c"
#include "../src/wire/commander.c"
#include "../src/wire/peer.c"
#include "../src/wire/sequence.c"

#define TIME_MAX_US (INT64_C(1) << 53) // 285 years

static hy_wire_report any_status(hy_bytes datagram, hy_wire_status *out)
{
    (void)datagram;
    arbitrary(out, sizeof *out);
    return (hy_wire_report){ .error = (hy_wire_error)Frama_C_interval(0, 2) };
}

static size_t any_encoding(const hy_wire_command *command, hy_room room)
{
    (void)command;
    arbitrary(room.data, room.size);
    return arbitrary_size(HY_WIRE_HEADER_SIZE, HY_WIRE_COMMAND_MAX);
}

static hy_dialect dialect = { .status_decode = any_status, .command_encode = any_encoding };

static int64_t any_time(void)
{
    return Frama_C_long_interval(0, TIME_MAX_US);
}

// Each state: of a peer that was never heard, or of one that was.
static hy_peer any_peer(bool was_heard)
{
    hy_peer peer;
    arbitrary(&peer, sizeof peer);
    peer.dialect = peer.commander.dialect = &dialect;
    peer.silence_us = any_time();
    peer.address_count = arbitrary_size(0, HY_PEER_ADDRESSES);
    hy_seq_gate *const gate = &peer.gate;
    gate->accepted_us = any_time();
    gate->candidate_us = any_time();
    gate->run_began_us = any_time();
    gate->run_us = any_time();
    gate->started = arbitrary_bool();
    gate->candidate_stops = arbitrary_bool();
    gate->has_stop = arbitrary_bool();
    gate->has_former = arbitrary_bool();
    peer.commander.stop_began_us = any_time();
    peer.commander.stop_due_us = any_time();
    peer.commander.enabled = arbitrary_bool();
    peer.commander.stopping = arbitrary_bool();
    peer.commander.seq.wrapped = arbitrary_bool();
    peer.heard_us = was_heard ? any_time() : INT64_MIN;
    if (!was_heard) {
        peer.answering.port = 0;
    }
    return peer;
}

static bool is_sound(const hy_peer *peer, bool was_heard)
{
    return peer->address_count <= HY_PEER_ADDRESSES &&
           (was_heard ? peer->heard_us >= 0 && peer->heard_us <= TIME_MAX_US
                      : peer->heard_us == INT64_MIN && peer->answering.port == 0);
}

static void take(bool was_heard)
{
    hy_peer peer = any_peer(was_heard);
    hy_endpoint from;
    hy_wire_status status;
    arbitrary(&from, sizeof from);
    const unsigned news = hy_peer_take(&peer, &from, (hy_bytes){ NULL, 0 }, any_time(), &status);
    if (news != 0) {
        const bool is_heard = is_sound(&peer, true);
        //@ assert is_heard;
    } else {
        const bool is_as_before = is_sound(&peer, was_heard);
        //@ assert is_as_before;
    }
}

static void watch(bool was_heard)
{
    hy_peer peer = any_peer(was_heard);
    hy_peer_watch(&peer, any_time());
    (void)hy_peer_is_up(&peer, any_time());
    const bool is_as_before = is_sound(&peer, was_heard);
    //@ assert is_as_before;
}

static void set_addresses(bool was_heard)
{
    hy_peer peer = any_peer(was_heard);
    hy_endpoint addresses[HY_PEER_ADDRESSES + 1];
    arbitrary(addresses, sizeof addresses);
    hy_peer_set_addresses(&peer, addresses, arbitrary_size(0, HY_PEER_ADDRESSES + 1));
    const bool is_as_before = is_sound(&peer, was_heard);
    //@ assert is_as_before;
}

static void command(bool was_heard)
{
    hy_peer peer = any_peer(was_heard);
    hy_wire_datagram out[2];
    dialect.motors = Frama_C_unsigned_char_interval(0, HY_WIRE_MOTORS);
    if (arbitrary_bool()) {
        hy_commander_stop(&peer.commander, any_time());
    } else {
        hy_commander_enable(&peer.commander);
    }
    const unsigned count = hy_commander_write(&peer.commander, any_time(), out);
    //@ assert count == 1 || count == 2;
    const int64_t due_us = hy_commander_due_us(&peer.commander);
    //@ assert due_us >= 0;
}

int main(void)
{
    hy_peer peer;
    hy_peer_init(&peer, &dialect, any_time());
    const bool is_begun = is_sound(&peer, false);
    //@ assert is_begun;
    for (unsigned was_heard = 0; was_heard <= 1; was_heard++) {
        take(was_heard != 0);
        watch(was_heard != 0);
        set_addresses(was_heard != 0);
        command(was_heard != 0);
    }
    return 0;
}
