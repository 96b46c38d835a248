/// @file turn.h
/// Things that happen on a fixed grid of time.
#ifndef HALYARD_BOARD_TURN_H
#define HALYARD_BOARD_TURN_H

#include <stdbool.h>
#include <stdint.h>

/// True if the turn at `*due_us` has come; the next one is then later than `now_us`. Turns that were
/// missed are not made up for: old news in a burst helps nobody, and the grid stays where it was.
static inline bool turn_comes(int64_t *due_us, int64_t period_us, int64_t now_us)
{
    if (now_us < *due_us) {
        return false;
    }
    *due_us += ((now_us - *due_us) / period_us + 1) * period_us;
    return true;
}

#endif
