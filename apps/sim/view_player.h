/// @file view_player.h
/// One player of `halyard view`: what its sim sends, and the joystick that a page is.
#ifndef HALYARD_APPS_VIEW_PLAYER_H
#define HALYARD_APPS_VIEW_PLAYER_H

#include "icd_options.h"
#include "stick_pace.h"
#include "view/view.h"

typedef struct {
    icd_options icd;
    const char *sim, *core; ///< Hosts; NULL is this machine.
} view_player_options;

typedef struct {
    uint64_t states, statuses, heartbeats; ///< Received.
    uint64_t rx_strangers;                 ///< Dropped for where they came from.
    uint64_t tx_sticks;
} view_player_counters;

typedef struct {
    view_player_counters counters;
    hy_link sim; ///< To be watched by the caller's loop while the player is open.
    bool is_driving;
    hy_view_meter meter;
    // Private.
    hy_link joystick; // open while it drives
    hy_link status;   // not open if another program has its port
    const view_player_options *options;
    const char *command;
    unsigned player;
    hy_endpoint sim_peer, core_peer;
    hy_icd_sticks sent;
    stick_pace pace;
    int64_t taken_us; // when it began to drive
    int64_t heartbeat_us;
    unsigned releases_left; // messages with all let go before the port is free again; 0: somebody drives
} view_player;

/// Finds where sim and core are. False with a sentence printed for `command`. No port is opened yet.
bool view_player_init(view_player *self, const char *command, const view_player_options *options,
                      unsigned player);

/// Opens the ports of the sim's messages. False with a sentence printed; of the status, which is optional, only the sentence.
bool view_player_open(view_player *self);

/// Harmless for a zero-initialised one.
void view_player_close(view_player *self);

/// Receives what the sim sent, up to HY_LINK_BATCH datagrams, into `batch`; returns how many are from the sim.
size_t view_player_receive(view_player *self, hy_datagram *batch, int64_t now_us);

/// For a player whose ports are not open: `count` messages of the sim have come to another one's.
void view_player_share(view_player *self, size_t count, int64_t now_us);

/// The same as view_player_receive() for its status; up to HY_LINK_BATCH of them, none where that port is another program's.
size_t view_player_receive_status(view_player *self, hy_datagram *batch);

/// Has the sim know that somebody looks.
void view_player_beat(view_player *self);

/// Takes the joystick's port, if it has not got it; false with a sentence printed if another program has it.
bool view_player_take(view_player *self, int64_t now_us);

/// Nobody drives any more: the next messages say so, then the port is given back.
void view_player_let_go(view_player *self);

/// Sends the sticks if it is time to, and its core has answered; call it every 10 ms and when they have changed. False if that was the
/// last message: close the port with view_player_give_back() then.
bool view_player_send(view_player *self, const hy_icd_sticks *sticks, int64_t now_us);

/// Sends at once that nothing is held, if it drives, also where its core has not answered yet: for the end of the program.
void view_player_stop(view_player *self, int64_t now_us);
void view_player_give_back(view_player *self);

/// How its links do; `heard` is what the sim tells of its core, NULL if that is unknown.
hy_scene_link view_player_link(view_player *self, const hy_icd_player *heard, int64_t now_us);

#endif
