/// @file clients.h
/// The connected pages and their rights: which of them has a token, which drives which player, the newest sticks and their timeout,
/// the buttons. Pure: it opens no socket, and time is an argument.
#ifndef HY_VIEW_CLIENTS_H
#define HY_VIEW_CLIENTS_H

#include "bucket.h"
#include "person.h"
#include "view.h"

#define CLIENTS_ROBOTS    HY_SCENE_ROBOTS
#define CLIENTS_WORD_SIZE 120
#define CLIENTS_SILENT_US \
    2000000 ///< A page that has not sent its first message after this time is disconnected.
/// After this time without a message, a page with a seat's token is replaced by another page that comes with the same token.
#define CLIENTS_SEAT_SILENT_US 3000000

typedef struct {
    bool is_there;
    bool is_known; ///< Its first message came, and was accepted: scene and states are sent to it.
    bool may_command;
    bool is_leaving;     ///< Its connection is being closed: messages that still come are dropped.
    unsigned seat;       ///< The only player that it may drive: it has that seat's token. 0: any.
    const char *end_why; ///< Why its connection is to be closed, a sentence; its messages are dropped. NULL: it stays connected.
    char name[VIEW_NAME_SIZE]; ///< Of the person who uses it; "": none was given.
    int64_t since_us;
    int64_t said_us;    ///< When its last message came.
    view_bucket bucket; ///< Limits the rate of its messages after the first.
    hy_view_plot plot;  ///< The newest plot that it asked for, if `wants_plot`.
    bool wants_plot;
} clients_page;

typedef struct {
    int owner; ///< A page's number, or -1.
    hy_icd_sticks sticks;
    int64_t said_us;
    // The newest sticks that came while the page was over its message limit; clients_settle() reads them.
    uint8_t late[HY_WEB_MESSAGE_MAX];
    size_t late_size;                    ///< 0: none.
    char seat_token[HY_VIEW_TOKEN_SIZE]; ///< Lets a page drive this player only; "": there is none.
} clients_player;

typedef struct {
    bool is_held_by[HY_WEB_CLIENTS]; ///< The pages that hold it down.
    int64_t until_us;                ///< It stays down until then, even if no page holds it.
} clients_button;

typedef struct {
    // Set before the start.
    const char *token;
    bool watchers, can_reset, is_replay;
    unsigned players, buttons; ///< As in hy_view_options.
    hy_icd_reader *reader;
    // Read-only.
    hy_view_counters counters;
    clients_page pages[HY_WEB_CLIENTS];
    unsigned plotted; ///< The page whose plot was taken last: the next page's turn comes first.
    clients_player player[HY_ICD_PLAYERS];
    clients_button button[CLIENTS_ROBOTS];
    size_t numbers, choosers; ///< How many of each pages may change.
    hy_view_change change[HY_SCENE_TUNABLES + HY_SCENE_CHOOSERS]; ///< The newest of each; choosers behind numbers.
    bool is_changed[HY_SCENE_TUNABLES + HY_SCENE_CHOOSERS]; ///< Whether it is there.
    hy_view_replay replay; ///< What pages asked for and the caller has not taken yet.
    char once[HY_VIEW_TOKEN_SIZE]; ///< Is taken for the token once; "": nothing is. See hy_view_make_redirect().
    unsigned pushed; ///< Robots that were pushed, a bit each, until the caller takes them; bit 0 is robot 1.
    unsigned reset_by; ///< The player who pressed Guide last, until clients_take_reset(); 0: nobody.
} clients;

/// What the caller has to do after a message.
typedef enum {
    CLIENTS_NOTHING,
    CLIENTS_ADMITTED,     ///< Send the scene and all states to this page from now on.
    CLIENTS_DISCONNECTED, ///< Close its connection, with `word` as the reason.
    CLIENTS_ERROR,        ///< Send it `word` as an error message.
    CLIENTS_PONG,         ///< Send it `word` as the answer to its ping.
    CLIENTS_OWNERS, ///< Another page drives a player now, or none, or a person's name changed.
    CLIENTS_STICKS,
    CLIENTS_RESET,
    CLIENTS_STOP,
    CLIENTS_PUSH,
    CLIENTS_REPLAY,
    CLIENTS_CHANGE,
    CLIENTS_SEATS, ///< The tokens of seats have changed.
} clients_what;

typedef struct {
    clients_what what;
    char word[CLIENTS_WORD_SIZE];
} clients_reply;

/// Starts without pages and drivers. The fields that are set before the start are kept.
void clients_start(clients *self);

void clients_open(clients *self, unsigned page, int64_t now_us);

/// The connection of a page has ended: its players and buttons are released. True if it owned a player.
bool clients_close(clients *self, unsigned page);

/// The connection of a page is to be closed: its players and buttons are released at once, and it belongs to no audience any more.
/// True if it owned a player.
bool clients_disconnect(clients *self, unsigned page);

/// Reads a message of a page; any bytes will do. From a page over its message limit only `release` and a button's `up` are obeyed at
/// once, its newest sticks are kept for clients_settle(), and everything else is dropped.
/// Sticks that are old (hy_web_event) are dropped.
clients_reply clients_receive(clients *self, unsigned page, hy_bytes text, bool is_old,
                              int64_t now_us);

/// Reads the newest sticks of players whose pages are over their message limit. True if there were any. Call it after a batch of clients_receive().
bool clients_settle(clients *self, int64_t now_us);

/// Takes a plot that a page has asked for, the pages in turn. False: no page has.
bool clients_take_plot(clients *self, hy_view_plot *out);

/// Takes a change of a number or a choice. False: no page wants any.
bool clients_take_change(clients *self, hy_view_change *out);

/// Ends the ownership of a player (1 .. HY_ICD_PLAYERS): its sticks are zero, and any page may own it next.
void clients_take_away(clients *self, unsigned player);

/// A page whose connection is to be closed, or -1: its first message has not come in time, its seat was revoked, or another page has
/// its seat. `*why` is the reason, a sentence.
int clients_find_ended(const clients *self, int64_t now_us, const char **why);

/// The player whose Guide button, which resets a match, was pressed since the last call; 0: none was.
unsigned clients_take_reset(clients *self);

/// Whether a page has the token itself, not that of a seat: it may send every message.
bool clients_has_token(const clients *self, unsigned page);

/// Whether a page with the token of this player's seat is connected.
bool clients_is_seat_used(const clients *self, unsigned player);

/// Whether scene and states are sent to a page.
bool clients_is_watching(const clients *self, unsigned page);

/// The pages to which they are sent. O(HY_WEB_CLIENTS).
hy_web_audience clients_audience(const clients *self);

/// Whether a page holds a robot's button (from 0).
bool clients_is_held(const clients *self, unsigned robot);

#endif
