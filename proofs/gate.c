// Any commands at any times that do not fall: the gate and the sender of numbers have no run-time error, and a number that is taken is
// counted once.
#include "arbitrary.h"

#include "../src/wire/sequence.c"

#define TIME_MAX_US (INT64_C(1) << 53) // 285 years

int main(void)
{
    hy_seq_gate gate = { 0 };
    hy_seq_sender sender = { 0 };
    while (arbitrary_bool()) {
        uint16_t numbers[2];
        const int64_t now_us = Frama_C_long_interval(0, TIME_MAX_US);
        const uint16_t number = Frama_C_unsigned_short_interval(0, UINT16_MAX);
        (void)hy_seq_gate_accept_command(&gate, number, arbitrary_u8(), now_us);
        if (arbitrary_bool()) {
            hy_seq_gate_note_stop(&gate);
        }
        const unsigned count = hy_seq_sender_next(&sender, numbers);
        //@ assert count == 1 || count == 2;
    }
    return 0;
}
