/// @file sim_sticks.h
/// The sticks that cores say they used (docs/spec/icd.md), for a recording of a match. They change nothing in it.
#ifndef HALYARD_APPS_SIM_STICKS_H
#define HALYARD_APPS_SIM_STICKS_H

#include "sim_players.h"
#include "stick_channels.h"

/// All zero: nothing is recorded, and every function here does nothing.
typedef struct {
    hy_telemetry *telemetry;
    unsigned count;
    hy_link links[HY_ICD_PLAYERS];
    stick_channels channels[HY_ICD_PLAYERS]; // declared with a player's first message
    bool is_declared[HY_ICD_PLAYERS];
} sim_sticks;

/// Listens for all players; a port that another program has costs that player's sticks, with a sentence.
void sim_sticks_open(sim_sticks *self, hy_telemetry *telemetry, const sim_players *players);

/// Records what has come since the last call.
void sim_sticks_receive(sim_sticks *self, const sim_players *players);

void sim_sticks_close(sim_sticks *self);

#endif
