/// @file view_players.h
/// The players of `halyard view`: their links to the sim, which tells all of them the same, and to their cores.
#ifndef HALYARD_APPS_VIEW_PLAYERS_H
#define HALYARD_APPS_VIEW_PLAYERS_H

#include "view_player.h"

/// All zero: there are none.
typedef struct {
    view_player player[HY_ICD_PLAYERS]; ///< By number; those that are not viewed stay zero.
    unsigned first, last;               ///< Players that are viewed.
    unsigned last_told;                 ///< The sim sends to the ports of players up to this one.
    unsigned told_by;                   ///< Whose messages are read.
    hy_icd_status status;               ///< As last told.
    hy_icd_reader *reader;
    uint64_t rx_malformed;
    // Private.
    const icd_options *icd;
    int64_t status_us; // when it was told; 0: never
} view_players;

/// Opens players 1 to `count`, 0: the one of the options, of which the sim tells up to `told`, 0: all. False with a sentence of `command`.
bool view_players_open(view_players *self, const char *command, const view_player_options *options,
                       unsigned count, unsigned told);
void view_players_close(view_players *self);

view_player *view_players_at(view_players *self, unsigned number);

/// Receives what the sim sent to player `number` into `batch`; returns how many messages. Those to others than `told_by` are only counted.
size_t view_players_receive(view_players *self, unsigned number, hy_datagram *batch, int64_t now_us);

/// Whether the sim has told player `number` nothing for a while.
bool view_players_is_silent(view_players *self, unsigned number, int64_t now_us);

/// Reads a message of the sim. False: it is malformed, which is counted and said.
bool view_players_read(view_players *self, const hy_datagram *datagram, hy_icd_match *out);

/// Takes the statuses that came; true if there is a new one.
bool view_players_take_status(view_players *self, int64_t now_us);

/// Has the sim know that somebody looks.
void view_players_beat(view_players *self);

/// How all links do; the last `bots` players are bots. Returns how many there are.
size_t view_players_links(view_players *self, unsigned bots, int64_t now_us,
                          hy_scene_link links[HY_ICD_PLAYERS]);

/// Whoever was driving lets go. Several times, as a message may be lost.
void view_players_let_go(view_players *self);

/// What all of them counted.
view_player_counters view_players_sum(const view_players *self);

#endif
