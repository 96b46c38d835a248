/// @file desk.h
/// Who may do what: tokens, owners of players, sticks and their silence, buttons. Pages come and go and say things; time is an
/// argument, and no socket is near.
#ifndef HY_VIEW_DESK_H
#define HY_VIEW_DESK_H

#include <halyard/view.h>

#include "bucket.h"

#define DESK_ROBOTS    HY_SCENE_ROBOTS
#define DESK_WORD_SIZE 120
#define DESK_SILENT_US 2000000 ///< A page that says nothing at all for so long is sent away.

typedef struct {
    bool is_there;
    bool is_known; ///< Its first message came: it is told everything from now on.
    bool may_command;
    bool is_leaving; ///< It was sent away: what it still says is dropped.
    int64_t since_us;
    view_bucket bucket; ///< Of its messages after the first.
} desk_page;

typedef struct {
    int owner; ///< A page's number, or -1.
    hy_icd_sticks sticks;
    int64_t said_us;
    // The newest of those that came while its page said too much; taken by desk_settle().
    uint8_t late[HY_WEB_MESSAGE_MAX];
    size_t late_size; ///< 0: none.
} desk_player;

typedef struct {
    uint32_t held;    ///< Bit n: page n holds it down.
    int64_t until_us; ///< It stays down at least so long.
} desk_button;

typedef struct {
    // Set before the start.
    const char *token;
    bool watchers, can_reset, is_replay;
    unsigned players, buttons; ///< As in hy_view_options.
    hy_icd_reader *reader;
    // Read-only.
    hy_view_counters counters;
    desk_page pages[HY_WEB_CLIENTS];
    desk_player player[HY_ICD_PLAYERS];
    desk_button button[DESK_ROBOTS];
    hy_view_replay replay; ///< What was asked for and not taken yet.
} desk;

/// What a page's words lead to.
typedef enum {
    DESK_NOTHING,
    DESK_ADMITTED,  ///< Tell it everything from now on.
    DESK_SENT_AWAY, ///< End its connection and say `word`.
    DESK_SORRY,     ///< Answer `word`.
    DESK_PONG,      ///< The same.
    DESK_OWNERS,    ///< A player has another owner.
    DESK_STICKS,
    DESK_RESET,
    DESK_REPLAY,
} desk_what;

typedef struct {
    desk_what what;
    char word[DESK_WORD_SIZE];
} desk_reply;

/// Nobody is there, nobody drives. What is to be set before is kept.
void desk_start(desk *self);

void desk_open(desk *self, unsigned page, int64_t now_us);

/// A page has gone: what it held is let go. True if it owned a player.
bool desk_close(desk *self, unsigned page);

/// A page is to go: it is told nothing more, and what it held is let go. True if it owned a player.
bool desk_send_away(desk *self, unsigned page);

/// A page says something, whatever that is. From a page that says too much only what lets go is obeyed at once (`release`, a button's
/// `up`), and its newest sticks by desk_settle(); the rest is dropped.
desk_reply desk_hear(desk *self, unsigned page, hy_bytes text, int64_t now_us);

/// Takes the newest sticks of players whose pages said too much. True if there were any. Call it after a batch of desk_hear().
bool desk_settle(desk *self, int64_t now_us);

/// Nobody drives a player (1 .. HY_ICD_PLAYERS) any more.
void desk_take_away(desk *self, unsigned player);

/// A page that has not said anything for too long, or -1.
int desk_find_silent(const desk *self, int64_t now_us);

/// Pages that are told everything.
hy_web_audience desk_audience(const desk *self);

#endif
