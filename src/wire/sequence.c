// Who counts how, which numbers are new, and how a peer that started again is told from packets that were held up. SPEC wire 7.
#include <halyard/wire.h>

// SPEC wire 7.1. The number that the stock firmware takes at any time: hy_seq_sender puts it on
// every command after its first 65535, as that firmware's copy.
#define SEQ_ANYTIME 65535U

// SPEC wire 7.4. The last number of a round of hy_seq_sender.
#define SEQ_ROUND_END 32768U

// SPEC wire 7.3. Numbers that a round may lose at its end, or the next one at its start.
#define SEQ_ROUND_SLACK 256U

// SPEC wire 7.2. A late number that is no further behind is an old packet, not a new count ...
#define SEQ_STALE 256U
// ... unless it is as small as a new count is in its first second; but this close it is old anyway:
// a new count passes that in less than a second.
#define SEQ_FRESH       64U
#define SEQ_FRESH_STALE 8U

// SPEC wire 7.2. How far, and how much later, the number that confirms a new count may be.
#define SEQ_CONFIRM_SPAN 32U

// SPEC wire 7.2. After a stop, numbers that rise for so long, never pausing for longer than the second, are a new count.
#define SEQ_RUN_US     1000000
#define SEQ_RUN_GAP_US 200000

// --------------------------------------------------------------------------- order

bool hy_seq_is_newer(uint16_t a, uint16_t b)
{
    const uint16_t ahead = (uint16_t)(a - b);
    return ahead != 0 && ahead < 0x8000;
}

/// A round of hy_seq_sender ends 32768, 65535, 0, and modular order alone would take the 0 for late
/// if the end of the round were lost.
static bool begins_next_round(uint16_t last, uint16_t seq)
{
    return last > SEQ_ROUND_END - SEQ_ROUND_SLACK && seq < SEQ_ROUND_SLACK;
}

/// And modular order alone would take what is left of the end of a round for newer than the start of the next.
static bool is_from_last_round(uint16_t last, uint16_t seq)
{
    return last < SEQ_ROUND_SLACK && seq > SEQ_ROUND_END - SEQ_ROUND_SLACK && seq <= SEQ_ROUND_END;
}

/// The peer has started again, and this is a packet of its former count rather than a leap of the new one.
static bool is_of_former_count(const hy_seq_gate *gate, uint16_t seq)
{
    return gate->has_former && (uint16_t)(gate->former + SEQ_STALE - seq) <= 2 * SEQ_STALE &&
           (uint16_t)(seq - gate->last) > SEQ_CONFIRM_SPAN;
}

/// Modular order from round to round.
static bool follows(uint16_t last, uint16_t seq)
{
    return begins_next_round(last, seq) ||
           (hy_seq_is_newer(seq, last) && !is_from_last_round(last, seq));
}

static bool accept(hy_seq_gate *gate, uint16_t seq, bool stops, int64_t now_us)
{
    gate->accepted++;
    gate->accepted_us = now_us;
    gate->last = seq;
    gate->started = true;
    gate->has_former =
        gate->has_former && !hy_seq_is_newer(seq, (uint16_t)(gate->former + SEQ_STALE));
    if (stops) {
        gate->stop = seq;
        gate->has_stop = true;
    }
    return true;
}

// --------------------------------------------------------------------------- restarts

static bool is_stale(uint16_t last, uint16_t seq)
{
    const uint16_t behind = (uint16_t)(last - seq);
    return behind <= (seq < SEQ_FRESH ? SEQ_FRESH_STALE : SEQ_STALE);
}

static bool is_next(uint16_t before, uint16_t seq)
{
    const uint16_t ahead = (uint16_t)(seq - before);
    return ahead != 0 && ahead <= SEQ_CONFIRM_SPAN;
}

static bool is_past_stop(const hy_seq_gate *gate, uint16_t seq)
{
    return !gate->has_stop || (follows(gate->stop, seq) && !is_of_former_count(gate, seq));
}

/// True if `seq` and the candidate are two successive numbers of a new count, and no command that was held up since before a stop.
/// A candidate from before the last accepted number is older than the silence, so it expired.
static bool confirms_candidate(const hy_seq_gate *gate, uint16_t seq, bool stops, int64_t now_us)
{
    return is_next(gate->candidate, seq) && now_us - gate->candidate_us < HY_SEQ_SILENCE_US &&
           ((stops && gate->candidate_stops) ||
            (is_past_stop(gate, seq) && is_past_stop(gate, gate->candidate)));
}

/// Follows late numbers that rise steadily. True if they have done so for long enough to be a new count. A number that was
/// overtaken by its successor, or doubled, neither helps nor harms.
static bool extends_run(hy_seq_gate *gate, uint16_t seq, int64_t now_us)
{
    const bool is_steady = now_us - gate->run_us <= SEQ_RUN_GAP_US;
    if (is_steady && is_next(gate->run_last, seq)) {
        gate->run_last = seq;
        gate->run_us = now_us;
        return now_us - gate->run_began_us >= SEQ_RUN_US;
    }
    const bool is_overtaken = seq == gate->run_last || is_next(seq, gate->run_last);
    if (!(is_steady && is_overtaken) && !is_stale(gate->last, seq)) {
        gate->run_last = seq;
        gate->run_us = gate->run_began_us = now_us;
    }
    return false;
}

static bool accept_restart(hy_seq_gate *gate, uint16_t seq, bool stops, int64_t now_us)
{
    gate->restarts++;
    gate->former = gate->last;
    gate->has_former = true;
    return accept(gate, seq, stops, now_us);
}

/// Refuses a late number, or recognises in it a peer that started again.
static bool judge_late(hy_seq_gate *gate, uint16_t seq, bool stops, int64_t now_us)
{
    if (now_us - gate->accepted_us >= HY_SEQ_SILENCE_US) {
        const bool is_steady = extends_run(gate, seq, now_us);
        if (is_steady || confirms_candidate(gate, seq, stops, now_us)) {
            return accept_restart(gate, seq, stops, now_us);
        }
        if (!is_stale(gate->last, seq)) {
            gate->candidate = seq;
            gate->candidate_us = now_us;
            gate->candidate_stops = stops;
        }
    }
    gate->late++;
    return false;
}

bool hy_seq_gate_accept_command(hy_seq_gate *gate, uint16_t seq, uint8_t control, int64_t now_us)
{
    const bool stops = control != HY_WIRE_CONTROL_ENABLED;
    if (!gate->started) {
        return accept(gate, seq, stops, now_us);
    }
    if (follows(gate->last, seq) && !is_of_former_count(gate, seq)) {
        // 65535 stands outside the count, before and after it.
        if (seq != SEQ_ANYTIME && gate->last != SEQ_ANYTIME) {
            gate->lost += (uint16_t)(seq - gate->last - 1U);
        }
        return accept(gate, seq, stops, now_us);
    }
    if (seq == gate->last || seq == SEQ_ANYTIME) {
        gate->duplicates++;
        return false;
    }
    return judge_late(gate, seq, stops, now_us);
}

bool hy_seq_gate_accept(hy_seq_gate *gate, uint16_t seq, int64_t now_us)
{
    return hy_seq_gate_accept_command(gate, seq, HY_WIRE_CONTROL_ENABLED, now_us);
}

void hy_seq_gate_note_stop(hy_seq_gate *gate)
{
    gate->stop = gate->last;
    gate->has_stop = gate->started;
}

// --------------------------------------------------------------------------- sending

hy_seq_sender hy_seq_sender_at(uint16_t first)
{
    return (hy_seq_sender){ .next = (uint16_t)(first - 1U) };
}

unsigned hy_seq_sender_next(hy_seq_sender *sender, uint16_t seq[2])
{
    if (!sender->wrapped) {
        seq[0] = ++sender->next;
        if (sender->next == SEQ_ANYTIME) {
            sender->wrapped = true;
            sender->next = 0;
        }
        return 1;
    }
    seq[0] = SEQ_ANYTIME; // first: a modular receiver must not meet it after 32768, where it is newer
    if (sender->next > SEQ_ROUND_END) {
        sender->next = 0;
        return 1;
    }
    seq[1] = sender->next++;
    return 2;
}
