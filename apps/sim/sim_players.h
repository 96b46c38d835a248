/// @file sim_players.h
/// The sim's side of the interface document: commands of each player's core in, what its robot feels and what everybody
/// sees out.
#ifndef HALYARD_APPS_SIM_PLAYERS_H
#define HALYARD_APPS_SIM_PLAYERS_H

#include <halyard/link.h>
#include <halyard/sim.h>

#include "icd_options.h"
#include "scene/scene.h"

#define SIM_PLAYERS_SWEEP 800 ///< Points of a turn of a lidar.

typedef struct {
    icd_options icd;
    const char *core, *view; ///< Hosts; NULL is this machine.
    hy_icd_form form;
    /// Whole turns of the lidars instead of points as they are measured: in the document's form the newest one in every message,
    /// in the later form one of each robot ten times a second.
    bool sweeps;
    unsigned views; ///< Only the views of players 1 .. `views` are told the state and the status; 0: every player's.
} sim_players_options;

typedef struct {
    uint64_t commands, heartbeats; ///< Messages used.
    uint64_t rx_malformed, rx_strangers;
    uint64_t rx_old; ///< Commands that were read HY_MATCH_SILENCE_US after their arrival or later.
    uint64_t losses; ///< The system had to drop commands: counted as silence.
    uint64_t tx_messages, tx_failed; ///< Sent; refused by the system, a full buffer among them.
} sim_players_counters;

/// Most commands of one player in one input.
#define SIM_PLAYERS_COMMANDS (HY_SIM_LIST_MAX / HY_ICD_PLAYERS)

/// What comes from a core.
typedef struct {
    uint64_t commands;   // in the window under way
    int64_t received_us; // when the newest command came; 0: never
    uint64_t overflowed; // messages that the system lost, as far as the match knows
    size_t listed;       // its commands in the next input
    size_t newest;       // where the last of them is
    int64_t waits_us;    // when a probed command came that no step has obeyed yet; 0: none
    double rate_hz, latency_ms;
} core_input;

typedef struct sim_players {
    sim_players_counters counters;
    unsigned count;
    unsigned views; ///< How many of them have a view of their own.
    unsigned standing_from; ///< The robots of players from this one on stand, whatever their cores say; 0: none.
    hy_link to_core[HY_ICD_PLAYERS], to_view[HY_ICD_PLAYERS];
    // Private.
    const sim_players_options *options;
    hy_endpoint core[HY_ICD_PLAYERS], view[HY_ICD_PLAYERS];
    hy_sim_command commands[HY_SIM_LIST_MAX];
    size_t command_count;
    hy_icd_reader *reader;
    uint8_t *text;
    uint64_t steps;
    core_input input[HY_ICD_PLAYERS];
    hy_endpoint status_at[HY_ICD_PLAYERS];
    int64_t window_us; // when the rates' window began
    hy_lidar_point thinned[HY_ICD_PLAYERS][SIM_PLAYERS_SWEEP / 2];
} sim_players;

/// Opens a port for each player's core and for each view. False with a sentence printed for `command`.
bool sim_players_open(sim_players *self, const char *command, const sim_players_options *options,
                      unsigned count);
void sim_players_close(sim_players *self);

/// Receives all that waits of all cores, and of the views one a call, for their heartbeats are only counted. Of more than SIM_PLAYERS_COMMANDS
/// of one player the newest takes the place of the one before it.
void sim_players_receive(sim_players *self, int64_t now_us);

/// Receives from one player's core, 1 .. `count`: from now to the end of the next step it waits.
void sim_players_probe(sim_players *self, unsigned player, int64_t now_us);

/// Hands what was received to `input`; it stays until the next call of the two above. The simulation began at `start_us`.
void sim_players_give(sim_players *self, hy_sim_input *input, int64_t start_us);

/// What each player's robot senses after a step that ended at `now_us`, to its core, and the state to every view.
void sim_players_send(sim_players *self, const hy_match *match, int64_t now_us);

/// True ten times a second of the match.
bool sim_players_status_is_due(const sim_players *self);

/// What the document's messages cannot carry, to every view: the caller's robots and costs, and how cores are heard, which is filled
/// in here.
void sim_players_send_status(sim_players *self, hy_icd_status *status, int64_t now_us);

#endif
