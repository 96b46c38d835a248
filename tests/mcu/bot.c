// The whole robot library on a bare microcontroller: two short drives, step by step the bits of a
// PC.
#include "../support/bot_run.h"

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static bot_run_room room;
    const uint64_t hash = bot_run(&room, BOT_RUN_SHORT_STEPS);
    const bool same_bits = hash == BOT_RUN_SHORT;
    printf("  robot library, %d steps each of an XRP and a swerve: hash %08lx%08lx, %s\n",
           BOT_RUN_SHORT_STEPS, (unsigned long)(hash >> 32), (unsigned long)(hash & UINT32_MAX),
           same_bits ? "the bits of a PC" : "OTHER BITS");
    return same_bits ? EXIT_SUCCESS : EXIT_FAILURE;
}
