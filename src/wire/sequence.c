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

static bool is_stale(uint16_t last, uint16_t seq)
{
    const uint16_t behind = (uint16_t)(last - seq);
    return behind <= (seq < SEQ_FRESH ? SEQ_FRESH_STALE : SEQ_STALE);
}

/// A candidate from before the last accepted number is older than the silence, so it expired.
static bool confirms_restart(const hy_seq_gate *gate, uint16_t seq, int64_t now_us)
{
    const uint16_t ahead = (uint16_t)(seq - gate->candidate);
    return ahead != 0 && ahead <= SEQ_CONFIRM_SPAN && now_us - gate->candidate_us < HY_SEQ_SILENCE_US;
}

static bool accept(hy_seq_gate *gate, uint16_t seq, int64_t now_us)
{
    gate->accepted++;
    gate->accepted_us = now_us;
    gate->last = seq;
    gate->started = true;
    return true;
}

/// Refuses a late number, or recognises in it a peer that started again.
static bool accept_restart(hy_seq_gate *gate, uint16_t seq, int64_t now_us)
{
    if (now_us - gate->accepted_us >= HY_SEQ_SILENCE_US) {
        if (confirms_restart(gate, seq, now_us)) {
            gate->restarts++;
            return accept(gate, seq, now_us);
        }
        if (!is_stale(gate->last, seq)) {
            gate->candidate = seq;
            gate->candidate_us = now_us;
        }
    }
    gate->late++;
    return false;
}

bool hy_seq_gate_accept(hy_seq_gate *gate, uint16_t seq, int64_t now_us)
{
    if (!gate->started) {
        return accept(gate, seq, now_us);
    }
    if (hy_seq_is_newer(seq, gate->last) || begins_next_round(gate->last, seq)) {
        // 65535 stands outside the count, before and after it.
        if (seq != SEQ_ANYTIME && gate->last != SEQ_ANYTIME) {
            gate->lost += (uint16_t)(seq - gate->last - 1U);
        }
        return accept(gate, seq, now_us);
    }
    if (seq == gate->last || seq == SEQ_ANYTIME) {
        gate->duplicates++;
        return false;
    }
    return accept_restart(gate, seq, now_us);
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
