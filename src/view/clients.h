/// @file clients.h
/// Who may do what: tokens, owners of players, sticks and their silence, buttons. Pages come and go and say things; time is an
/// argument, and no socket is near.
#ifndef HY_VIEW_CLIENTS_H
#define HY_VIEW_CLIENTS_H

#include <halyard/view.h>

#include "bucket.h"
#include "person.h"

#define CLIENTS_ROBOTS    HY_SCENE_ROBOTS
#define CLIENTS_WORD_SIZE 120
#define CLIENTS_SILENT_US 2000000 ///< A page that says nothing at all for so long is sent away.
/// A page with the token of a seat that was silent for so long gives way to another one with that token.
#define CLIENTS_SEAT_SILENT_US 3000000

typedef struct {
    bool is_there;
    bool is_known; ///< Its first message came: it is told everything from now on.
    bool may_command;
    bool is_leaving; ///< It was sent away: what it still says is dropped.
    unsigned seat;   ///< The only player that it may drive: it has that seat's token. 0: any.
    const char *end_why; ///< It is to be sent away, with this sentence; what it says is dropped. NULL: it stays.
    char name[VIEW_NAME_SIZE]; ///< Of the person at it; "": none.
    int64_t since_us;
    int64_t said_us;    ///< It said something then.
    view_bucket bucket; ///< Of its messages after the first.
    hy_view_plot plot;  ///< The newest that it asked for and that was not taken yet.
    bool wants_plot;
} clients_page;

typedef struct {
    int owner; ///< A page's number, or -1.
    hy_icd_sticks sticks;
    int64_t said_us;
    // The newest of those that came while its page said too much; taken by clients_settle().
    uint8_t late[HY_WEB_MESSAGE_MAX];
    size_t late_size;                    ///< 0: none.
    char seat_token[HY_VIEW_TOKEN_SIZE]; ///< Lets a page drive this player only; "": there is none.
} clients_player;

typedef struct {
    hy_web_audience held; ///< The pages that hold it down.
    int64_t until_us;     ///< It stays down at least so long.
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
    clients_player player[HY_ICD_PLAYERS];
    clients_button button[CLIENTS_ROBOTS];
    hy_view_replay replay; ///< What was asked for and not taken yet.
    char once[HY_VIEW_TOKEN_SIZE]; ///< Is taken for the token once; "": nothing is. See hy_view_make_once().
    unsigned reset_by; ///< The player who pressed Guide last, until clients_take_reset(); 0: nobody.
} clients;

/// What a page's words lead to.
typedef enum {
    CLIENTS_NOTHING,
    CLIENTS_ADMITTED,  ///< Tell it everything from now on.
    CLIENTS_SENT_AWAY, ///< End its connection and say `word`.
    CLIENTS_ERROR,     ///< Answer `word`.
    CLIENTS_PONG,      ///< The same.
    CLIENTS_OWNERS,    ///< A player has another owner.
    CLIENTS_STICKS,
    CLIENTS_RESET,
    CLIENTS_REPLAY,
    CLIENTS_SEATS, ///< The tokens of seats are other ones.
} clients_what;

typedef struct {
    clients_what what;
    char word[CLIENTS_WORD_SIZE];
} clients_reply;

/// Nobody is there, nobody drives. What is to be set before is kept.
void clients_start(clients *self);

void clients_open(clients *self, unsigned page, int64_t now_us);

/// A page has gone: what it held is let go. True if it owned a player.
bool clients_close(clients *self, unsigned page);

/// A page is to go: it is told nothing more, and what it held is let go. True if it owned a player.
bool clients_send_away(clients *self, unsigned page);

/// A page says something, whatever that is. From a page that says too much only what lets go is obeyed at once (`release`, a button's
/// `up`), and its newest sticks by clients_settle(); the rest is dropped.
clients_reply clients_receive(clients *self, unsigned page, hy_bytes text, int64_t now_us);

/// Takes the newest sticks of players whose pages said too much. True if there were any. Call it after a batch of clients_receive().
bool clients_settle(clients *self, int64_t now_us);

/// Takes the plot that a page has asked for. False: none has.
bool clients_take_plot(clients *self, hy_view_plot *out);

/// Nobody drives a player (1 .. HY_ICD_PLAYERS) any more.
void clients_take_away(clients *self, unsigned player);

/// A page that is to be sent away, or -1: it has not said anything for too long, its seat was revoked, or another page has its seat.
/// `*why` says which.
int clients_find_ended(const clients *self, int64_t now_us, const char **why);

/// The player whose Guide button, which resets a match, was pressed since the last call; 0: none was.
unsigned clients_take_reset(clients *self);

/// Whether a page has the whole token: it may command everything.
bool clients_has_token(const clients *self, unsigned page);

/// Whether a page with the token of this player's seat is there.
bool clients_is_seat_used(const clients *self, unsigned player);

/// Pages that are told everything.
hy_web_audience clients_audience(const clients *self);

#endif
