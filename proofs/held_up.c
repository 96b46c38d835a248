// After a stop that was taken, commands that the network held up since before it cannot drive: for every number of a stop and every number that lies up to
// HELD_UP_MAX before it, with control 1. Frama-C takes no part in this one: the program goes through all of them, with the real gate. The held-up
// commands come in the order in which they were sent, in bursts that are shorter than the steady count of a restarted client (SPEC wire 7.2).
// For every 16th number of a stop they also come slowly, and in the opposite order.
#include <halyard/wire.h>
#include <stdio.h>

// The numbers before a stop that are refused for ever. Those further back look like the next round of hy_seq_sender (SPEC wire 7.3).
#define HELD_UP_MAX 32256U

#define STOP_US  INT64_C(10000000)
#define BURST    900U // numbers, one a millisecond
#define PAUSE_US INT64_C(201000)

static int64_t time_of(uint32_t nth, bool is_fast)
{
    return STOP_US + (is_fast ? nth * INT64_C(1000) + nth / BURST * PAUSE_US : nth * PAUSE_US);
}

// The k-th number before the stop, of those that were held up, as the nth datagram. Returns how many of them drove.
static uint32_t deliver(uint16_t stop, bool is_rising, bool is_fast)
{
    hy_seq_gate gate = { 0 };
    uint32_t driving = 0;
    hy_seq_gate_accept_command(&gate, (uint16_t)(stop - 1), HY_WIRE_CONTROL_ENABLED, STOP_US - 1);
    hy_seq_gate_accept_command(&gate, stop, 0, STOP_US);
    for (uint32_t nth = 0; nth <= HELD_UP_MAX; nth++) {
        const uint32_t behind = is_rising ? HELD_UP_MAX - nth : nth;
        driving += hy_seq_gate_accept_command(&gate, (uint16_t)(stop - behind),
                                              HY_WIRE_CONTROL_ENABLED, time_of(nth, is_fast));
    }
    return driving;
}

int main(void)
{
    for (uint32_t stop = 0; stop <= UINT16_MAX; stop++) {
        for (unsigned history = 0; history < (stop % 16 == 0 ? 4 : 1); history++) {
            const uint32_t driving = deliver((uint16_t)stop, (history & 1) == 0, (history & 2) == 0);
            if (driving != 0) {
                printf("after stop %u, history %u: %u held-up commands were obeyed\n",
                       (unsigned)stop, history, (unsigned)driving);
                return 1;
            }
        }
    }
    return 0;
}
