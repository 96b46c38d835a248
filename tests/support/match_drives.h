/// @file match_drives.h
/// Commands for a whole match without players.
#ifndef HALYARD_TESTS_MATCH_DRIVES_H
#define HALYARD_TESTS_MATCH_DRIVES_H

#include <halyard/match.h>

/// Driving as players do: mostly forward, turning either way, intakes running.
static inline void choose_drives(hy_match *match, unsigned players, hy_random *random, int64_t now_us)
{
    for (unsigned i = 1; i <= players; i++) {
        const double both = (double)hy_random_below(random, 900) - 350;
        const double apart = (double)hy_random_below(random, 400) - 200;
        const hy_match_commands commands = { .left_drive = (both - apart) / 512,
                                             .right_drive = (both + apart) / 512,
                                             .intake_center = 1,
                                             .intake_left = 1,
                                             .intake_right = 1,
                                             .tube = (double)hy_random_below(random, 2) / 2 };
        hy_match_command(match, i, &commands, now_us);
    }
}

#endif
