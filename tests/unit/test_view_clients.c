// Who may drive: tokens, owners, silence. No sockets, and time is a number.
#include "cmocka_all.h"

#include "near.h"

#include "../../src/view/clients.h"
#include "../../src/view/token.h"

#include <stdio.h>
#include <string.h>

#define RIGHT      "00112233445566778899aabbccddeeff"
#define FULL_AHEAD "sticks 1 {\"leftJoystick\":[0,512]}"
#define HALF_AHEAD "sticks 1 {\"leftJoystick\":[0,256]}"

static clients fresh(bool watchers)
{
    static hy_icd_reader *reader;
    if (reader == NULL) {
        reader = hy_icd_reader_open();
    }
    clients self = { .token = RIGHT,
                     .watchers = watchers,
                     .players = 0x3,
                     .buttons = 0x1,
                     .can_reset = true,
                     .reader = reader };
    clients_start(&self);
    return self;
}

static clients_reply say(clients *self, unsigned page, const char *text, int64_t now_us)
{
    return clients_receive(self, page, (hy_bytes){ (const uint8_t *)text, strlen(text) }, false,
                           now_us);
}

static int find_ended(const clients *self, int64_t now_us)
{
    const char *why = NULL;
    const int page = clients_find_ended(self, now_us, &why);
    assert_true(page < 0 || why != NULL);
    return page;
}

static void enter(clients *self, unsigned page)
{
    clients_open(self, page, 0);
    assert_int_equal(say(self, page, "token " RIGHT, 0).what, CLIENTS_ADMITTED);
    assert_true(self->pages[page].may_command);
}

static void tokens_are_random_and_compared_whole(void **state)
{
    (void)state;
    char a[HY_VIEW_TOKEN_SIZE], b[HY_VIEW_TOKEN_SIZE];
    assert_int_equal(view_token_take(a, NULL), HY_OK);
    assert_int_equal(view_token_take(b, NULL), HY_OK);
    assert_int_equal(strlen(a), 32);
    assert_int_equal(strspn(b, "0123456789abcdef"), 32);
    assert_string_not_equal(a, b);
    assert_int_equal(view_token_take(a, RIGHT), HY_OK);
    assert_string_equal(a, RIGHT);
    assert_true(view_token_is(RIGHT, (hy_bytes){ (const uint8_t *)RIGHT, 32 }));
    assert_false(view_token_is(RIGHT, (hy_bytes){ (const uint8_t *)RIGHT, 31 }));
    assert_false(view_token_is(RIGHT, (hy_bytes){ NULL, 0 }));
    for (size_t i = 0; i < 32; i++) { // wrong in one place
        char wrong[] = RIGHT;
        wrong[i] ^= 1;
        assert_false(view_token_is(RIGHT, (hy_bytes){ (const uint8_t *)wrong, 32 }));
    }
}

static void what_is_no_token_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = { "", "too short", RIGHT "0",
                                         "00112233445566778899AABBCCDDEEFF",
                                         "00112233445566778899aabbccddeef " };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char token[HY_VIEW_TOKEN_SIZE];
        assert_int_equal(view_token_take(token, wrong[i]), HY_EFORMAT);
    }
}

static void a_page_that_was_sent_away_holds_nothing(void **state)
{
    (void)state;
    clients self = fresh(false);
    enter(&self, 0);
    assert_int_equal(say(&self, 0, "own 1", 0).what, CLIENTS_OWNERS);
    assert_int_equal(say(&self, 0, "button 1 down", 0).what, CLIENTS_NOTHING);
    assert_true(clients_disconnect(&self, 0));
    assert_int_equal(self.player[0].owner, -1);
    assert_false(clients_is_held(&self, 0));
    assert_false(clients_is_watching(&self, 0));
    assert_int_equal(say(&self, 0, "token " RIGHT, 0).what, CLIENTS_NOTHING);
    assert_int_equal(say(&self, 0, "own 1", 0).what, CLIENTS_NOTHING);
    assert_int_equal(self.player[0].owner, -1);
    assert_int_equal(find_ended(&self, CLIENTS_SILENT_US * 2), -1); // it is told only once
    assert_false(clients_close(&self, 0));
    enter(&self, 0); // another page in the same place
}

/// Sends so many pings at one moment that nothing more passes.
static void say_too_much(clients *self, unsigned page, int64_t now_us)
{
    for (int i = 0; i < 1500; i++) {
        (void)say(self, page, "ping x", now_us);
    }
    assert_int_equal(say(self, page, "ping x", now_us).what, CLIENTS_NOTHING);
}

static void over_the_limit_what_lets_go_is_obeyed(void **state)
{
    (void)state;
    clients self = fresh(false);
    enter(&self, 0);
    assert_int_equal(say(&self, 0, "own 1", 0).what, CLIENTS_OWNERS);
    assert_int_equal(say(&self, 0, "own 2", 0).what, CLIENTS_OWNERS);
    assert_int_equal(say(&self, 0, "button 1 down", 0).what, CLIENTS_NOTHING);
    assert_int_equal(say(&self, 0, FULL_AHEAD, 0).what, CLIENTS_STICKS);
    say_too_much(&self, 0, 0);
    const uint64_t over_limit = self.counters.over_limit;
    assert_int_equal(say(&self, 0, "reset", 0).what, CLIENTS_NOTHING);
    assert_int_equal(self.counters.over_limit, over_limit + 1);
    assert_int_equal(say(&self, 0, "stop", 0).what, CLIENTS_STOP);
    assert_int_equal(say(&self, 0, "button 1 up", 0).what, CLIENTS_NOTHING);
    assert_false(clients_is_held(&self, 0));
    assert_int_equal(say(&self, 0, "button 1 down", 0).what, CLIENTS_NOTHING);
    assert_false(clients_is_held(&self, 0));
    assert_int_equal(say(&self, 0, "release 1", 0).what, CLIENTS_OWNERS);
    assert_int_equal(self.player[0].owner, -1);
    assert_int_equal(self.player[0].sticks.left_y, 0);
    assert_int_equal(say(&self, 0, "own 1", 0).what, CLIENTS_NOTHING);
    assert_int_equal(self.player[0].owner, -1);
    assert_true(clients_close(&self, 0));
    assert_int_equal(self.player[1].owner, -1);
    enter(&self, 0);
    self.pages[0].seat = 2; // it has the token of a seat
    say_too_much(&self, 0, 0);
    assert_int_equal(say(&self, 0, "stop", 0).what, CLIENTS_NOTHING);
}

static void over_the_limit_the_newest_sticks_win(void **state)
{
    (void)state;
    clients self = fresh(false);
    enter(&self, 0);
    assert_int_equal(say(&self, 0, "own 1", 0).what, CLIENTS_OWNERS);
    say_too_much(&self, 0, 0);
    assert_false(clients_settle(&self, 0));
    assert_int_equal(say(&self, 0, FULL_AHEAD, 7).what, CLIENTS_NOTHING);
    assert_int_equal(self.player[0].sticks.left_y, 0);
    assert_int_equal(say(&self, 0, "sticks 1 nonsense", 7).what, CLIENTS_NOTHING);
    assert_int_equal(say(&self, 0, HALF_AHEAD, 7).what, CLIENTS_NOTHING);
    assert_true(clients_settle(&self, 8));
    assert_int_equal(say(&self, 0, "sticks 1 nonsense", 8).what, CLIENTS_NOTHING);
    assert_false(clients_settle(&self, 8)); // which changes nothing
    assert_int_equal(self.player[0].sticks.left_y, 256);
    assert_int_equal(self.player[0].said_us, 8);
    assert_false(clients_settle(&self, 9));
    assert_int_equal(say(&self, 0, FULL_AHEAD, 9).what, CLIENTS_NOTHING);
    assert_int_equal(say(&self, 0, "release 1", 9).what, CLIENTS_OWNERS);
    assert_false(clients_settle(&self, 9)); // a release is newer than all sticks before it
    assert_int_equal(self.player[0].sticks.left_y, 0);
}

// Of two players, and without a word of where they are.
static void over_the_limit_each_players_sticks_are_kept(void **state)
{
    (void)state;
    clients self = fresh(false);
    enter(&self, 0);
    assert_int_equal(say(&self, 0, "own 1", 0).what, CLIENTS_OWNERS);
    assert_int_equal(say(&self, 0, "own 2", 0).what, CLIENTS_OWNERS);
    say_too_much(&self, 0, 0);
    assert_int_equal(say(&self, 0, "sticks 1", 7).what, CLIENTS_NOTHING);
    assert_false(clients_settle(&self, 7));
    assert_int_equal(say(&self, 0, FULL_AHEAD, 7).what, CLIENTS_NOTHING);
    assert_int_equal(say(&self, 0, "sticks 2 nonsense", 7).what, CLIENTS_NOTHING);
    assert_true(clients_settle(&self, 8));
    assert_int_equal(self.player[0].sticks.left_y, 512);
}

static void too_long_over_the_limit_ends_a_page(void **state)
{
    (void)state;
    clients self = fresh(true);
    clients_open(&self, 0, 0);
    assert_int_equal(say(&self, 0, "no token", 0).what, CLIENTS_ADMITTED);
    int64_t now_us = 0;
    clients_reply reply = { .what = CLIENTS_NOTHING };
    for (; reply.what != CLIENTS_DISCONNECTED && now_us < 10000000; now_us += 1000) {
        reply = say(&self, 0, "release 1", now_us); // whatever it says
    }
    assert_non_null(strstr(reply.word, "too many messages"));
    assert_true(now_us > 2000000 && now_us < 2400000);
}

static void without_the_token_nobody_commands(void **state)
{
    (void)state;
    static const char *const firsts[] = {
        "token",          "token ", "token 00112233445566778899aabbccddeef0",
        "own 1",          "",       ("token " RIGHT "0"),
        ("Token " RIGHT), "ping x"
    };
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        clients strict = fresh(false);
        clients_open(&strict, 0, 0);
        const clients_reply reply = say(&strict, 0, firsts[i], 0);
        assert_int_equal(reply.what, CLIENTS_DISCONNECTED);
        assert_non_null(strstr(reply.word, "token"));
        assert_false(clients_audience(&strict).has[0]);
        clients open = fresh(true);
        clients_open(&open, 0, 0);
        assert_int_equal(say(&open, 0, firsts[i], 0).what, CLIENTS_ADMITTED);
        assert_true(clients_audience(&open).has[0] && !clients_audience(&open).has[1]);
        assert_int_equal(say(&open, 0, "own 1", 0).what, CLIENTS_ERROR);
        assert_int_equal(say(&open, 0, "sticks 1 {}", 0).what, CLIENTS_ERROR);
        assert_int_equal(say(&open, 0, "button 1 down", 0).what, CLIENTS_ERROR);
        assert_int_equal(say(&open, 0, "reset", 0).what, CLIENTS_ERROR);
        assert_int_equal(say(&open, 0, "token " RIGHT, 0).what, CLIENTS_NOTHING); // too late
        assert_false(open.pages[0].may_command);
        assert_int_equal(open.player[0].owner, -1);
        assert_false(clients_is_held(&open, 0));
        assert_int_equal(say(&open, 0, "ping 7", 0).what, CLIENTS_PONG);
    }
}

static void a_player_has_one_owner(void **state)
{
    (void)state;
    clients self = fresh(false);
    enter(&self, 0);
    enter(&self, 1);
    assert_int_equal(say(&self, 0, "own 1", 0).what, CLIENTS_OWNERS);
    assert_int_equal(self.player[0].owner, 0);
    const clients_reply refused = say(&self, 1, "own 1", 0);
    assert_int_equal(refused.what, CLIENTS_ERROR);
    assert_string_equal(refused.word, "player 1 is driven by another page");
    assert_int_equal(say(&self, 1, "own 2", 0).what, CLIENTS_OWNERS);
    assert_int_equal(say(&self, 1, "release 1", 0).what, CLIENTS_NOTHING); // not its own
    assert_int_equal(self.player[0].owner, 0);
    assert_int_equal(say(&self, 0, "own 3", 0).what, CLIENTS_ERROR); // not of this view
    assert_int_equal(say(&self, 0, "own 9", 0).what, CLIENTS_ERROR);
    assert_int_equal(say(&self, 0, "own 0", 0).what, CLIENTS_NOTHING);
    assert_int_equal(say(&self, 0, "own 1x", 0).what, CLIENTS_NOTHING);
    assert_int_equal(say(&self, 0, "release 1", 0).what, CLIENTS_OWNERS);
    assert_int_equal(say(&self, 1, "own 1", 0).what, CLIENTS_OWNERS); // one page may have several
    assert_true(clients_close(&self, 1));
    assert_int_equal(self.player[0].owner, -1);
    assert_int_equal(self.player[1].owner, -1);
    assert_false(clients_close(&self, 0));
}

static void sticks_are_the_owners(void **state)
{
    (void)state;
    clients self = fresh(false);
    enter(&self, 0);
    enter(&self, 1);
    assert_int_equal(say(&self, 0, "sticks 1 {\"leftJoystick\":[0,512]}", 0).what, CLIENTS_NOTHING);
    assert_int_equal(say(&self, 0, "own 1", 0).what, CLIENTS_OWNERS);
    assert_int_equal(say(&self, 0, "sticks 1 {\"leftJoystick\":[0,9999],\"start\":1}", 5).what,
                     CLIENTS_STICKS);
    assert_int_equal(self.player[0].sticks.left_y, 512); // clamped
    assert_true(self.player[0].sticks.start);
    assert_int_equal(self.player[0].said_us, 5);
    assert_int_equal(say(&self, 1, "sticks 1 {\"leftJoystick\":[0,-512]}", 6).what, CLIENTS_NOTHING);
    assert_int_equal(self.player[0].sticks.left_y, 512);
    const uint64_t dropped = self.counters.dropped;
    static const char *const wrong[] = { "sticks 1",
                                         "sticks 1 ",
                                         "sticks 1 {",
                                         "sticks 1 []",
                                         "sticks 1 {\"leftJoystick\":\"up\"}",
                                         "sticks {}",
                                         "sticks 2 {}",
                                         "sticks 12 {}",
                                         "sticks -1 {}" };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(say(&self, 0, wrong[i], 7).what, CLIENTS_NOTHING);
        assert_int_equal(self.player[0].sticks.left_y, 512);
        assert_int_equal(self.player[0].said_us, 5); // a broken message does not keep a robot running
    }
    assert_int_equal(self.counters.dropped, dropped + sizeof wrong / sizeof wrong[0]);
    assert_int_equal(say(&self, 0, "release 1", 8).what, CLIENTS_OWNERS);
    assert_int_equal(self.player[0].sticks.left_y, 0);
    assert_int_equal(say(&self, 1, "own 1", 9).what, CLIENTS_OWNERS);
    assert_int_equal(self.player[0].sticks.left_y, 0); // a new owner starts with nothing pushed
}

static void buttons_are_held_and_let_go(void **state)
{
    (void)state;
    clients self = fresh(false);
    enter(&self, 0);
    enter(&self, 1);
    assert_int_equal(say(&self, 0, "button 1 down", 100).what, CLIENTS_NOTHING);
    assert_int_equal(self.button[0].until_us, 100 + HY_VIEW_PRESS_US);
    say(&self, 1, "button 1 down", 200);
    say(&self, 0, "button 1 up", 300);
    assert_true(clients_is_held(&self, 0) && self.button[0].is_held_by[1]);
    clients_close(&self, 1);
    assert_false(clients_is_held(&self, 0));
    assert_int_equal(say(&self, 0, "button 2 down", 0).what, CLIENTS_ERROR);
    clients two = fresh(false);
    two.buttons = 0x3;
    enter(&two, 0);
    say(&two, 0, "button 1 down", 0);
    say(&two, 0, "button 2 down", 0);
    assert_true(clients_is_held(&two, 0) && clients_is_held(&two, 1));
    clients_close(&two, 0); // lets go of all of them
    assert_false(clients_is_held(&two, 0) || clients_is_held(&two, 1));
    assert_int_equal(say(&self, 0, "button 1 sideways", 0).what, CLIENTS_NOTHING);
    assert_int_equal(say(&self, 0, "button", 0).what, CLIENTS_NOTHING);
    assert_int_equal(say(&self, 0, "push 2", 0).what, CLIENTS_ERROR);
    assert_int_equal(say(&self, 0, "push 4294967297", 0).what, CLIENTS_NOTHING); // no 1, cut to 32 bits
    char beyond[32];
    snprintf(beyond, sizeof beyond, "push %d", CLIENTS_ROBOTS + 1);
    assert_int_equal(say(&self, 0, beyond, 0).what, CLIENTS_ERROR);
    assert_int_equal(say(&self, 0, "push", 0).what, CLIENTS_NOTHING);
    assert_int_equal(say(&self, 0, "push 1 hard", 0).what, CLIENTS_NOTHING);
    assert_int_equal(self.pushed, 0);
    assert_int_equal(say(&self, 0, "push 1", 0).what, CLIENTS_PUSH);
    assert_int_equal(self.pushed, 1);
    assert_int_equal(say(&self, 0, "reset", 0).what, CLIENTS_RESET);
    assert_int_equal(say(&self, 0, "reset now", 0).what, CLIENTS_NOTHING);
    assert_int_equal(say(&self, 0, "stop", 0).what, CLIENTS_STOP);
    assert_int_equal(say(&self, 0, "stop 1", 0).what, CLIENTS_NOTHING);
    self.can_reset = false;
    assert_int_equal(say(&self, 0, "stop", 0).what, CLIENTS_ERROR);
    assert_int_equal(say(&self, 0, "reset", 0).what, CLIENTS_ERROR);
    assert_int_equal(say(&self, 0, "replay seek 1", 0).what, CLIENTS_NOTHING); // it is no recording
    assert_false(self.replay.seeks);
}

/// A page comes with the token of player 2's seat.
static clients_reply enter_seat(clients *self, unsigned page, const char *token, int64_t now_us)
{
    char text[64];
    snprintf(text, sizeof text, "token %s", token);
    clients_open(self, page, now_us);
    return say(self, page, text, now_us);
}

static clients_reply say_old(clients *self, const char *text)
{
    return clients_receive(self, 0, (hy_bytes){ (const uint8_t *)text, strlen(text) }, true, 0);
}

// What waited while this program stood still may let go, but not move anything.
static void old_messages_move_nothing(void **state)
{
    (void)state;
    clients self = fresh(false);
    enter(&self, 0);
    assert_int_equal(say_old(&self, "own 1").what, CLIENTS_OWNERS);
    assert_int_equal(say_old(&self, FULL_AHEAD).what, CLIENTS_NOTHING);
    assert_int_equal(self.player[0].sticks.left_y, 0);
    assert_int_equal(self.counters.dropped, 1);
    say(&self, 0, "button 1 down", 0);
    say_old(&self, "button 1 up");
    assert_false(clients_is_held(&self, 0));
    for (int i = 0; i < 1000; i++) { // over the limit, too
        say_old(&self, FULL_AHEAD);
    }
    clients_settle(&self, 0);
    assert_int_equal(self.player[0].sticks.left_y, 0);
    say_old(&self, "release 1");
    assert_int_equal(self.player[0].owner, -1);
}

static void the_token_of_a_seat_drives_one_player(void **state)
{
    (void)state;
    clients self = fresh(false);
    enter(&self, 0);
    assert_int_equal(say(&self, 0, "invite 3", 0).what, CLIENTS_ERROR); // nobody drives it from here
    assert_int_equal(say(&self, 0, "invite", 0).what, CLIENTS_NOTHING);
    assert_int_equal(say(&self, 0, "invite 2", 0).what, CLIENTS_SEATS);
    const char *const token = self.player[1].seat_token;
    assert_true(hy_view_is_token(token));
    assert_string_not_equal(token, RIGHT);
    assert_int_equal(enter_seat(&self, 1, token, 0).what, CLIENTS_ADMITTED);
    assert_true(clients_is_seat_used(&self, 2));
    assert_false(clients_has_token(&self, 1));
    assert_int_equal(say(&self, 1, "own 2", 0).what, CLIENTS_OWNERS);
    assert_int_equal(say(&self, 1, "sticks 2 {\"leftJoystick\":[0,512]}", 0).what, CLIENTS_STICKS);
    assert_int_equal(say(&self, 1, "name Ana", 0).what, CLIENTS_OWNERS);
    static const char *const refused[] = { "own 1",         "release 1", "sticks 1 {}", "reset",
                                           "button 1 down", "push 1",    "invite 1",    "revoke 2",
                                           "replay pace 0", "own 22" };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_int_equal(say(&self, 1, refused[i], 0).what, CLIENTS_ERROR);
    }
    assert_int_equal(self.player[0].owner, -1);
    assert_true(clients_is_seat_used(&self, 2)); // nothing was revoked
}

static void seats_are_those_of_players(void **state)
{
    (void)state;
    clients self = fresh(false);
    enter(&self, 0);
    static const char *const none[] = { "invite 7", "invite 99", "invite 0", "invite -1",
                                        "invite 1x" };
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_int_not_equal(say(&self, 0, none[i], 0).what, CLIENTS_SEATS);
    }
    static const char *const nobodys[] = { "revoke 7", "revoke 99", "revoke 0", "revoke 1",
                                           "revoke" };
    for (size_t i = 0; i < sizeof nobodys / sizeof nobodys[0]; i++) {
        assert_int_equal(say(&self, 0, nobodys[i], 0).what, CLIENTS_NOTHING);
    }
    assert_int_equal(say(&self, 0, "invite 1", 0).what, CLIENTS_SEATS);
    char token[HY_VIEW_TOKEN_SIZE];
    memcpy(token, self.player[0].seat_token, sizeof token);
    assert_int_equal(say(&self, 0, "invite 1", 0).what, CLIENTS_SEATS); // the same once more
    assert_string_equal(self.player[0].seat_token, token);
    assert_int_equal(say(&self, 0, "revoke 1", 0).what, CLIENTS_SEATS); // before anybody came
    assert_int_equal(enter_seat(&self, 1, token, 0).what, CLIENTS_DISCONNECTED);
    assert_int_equal(find_ended(&self, 0), -1);
}

// A seat whose page is about to end is free: its page does not stand in the way of the next.
static void a_seat_that_ends_is_nobodys(void **state)
{
    (void)state;
    clients self = fresh(false);
    enter(&self, 0);
    (void)say(&self, 0, "invite 2", 0);
    (void)enter_seat(&self, 1, self.player[1].seat_token, 0);
    (void)say(&self, 0, "revoke 2", 0);
    assert_int_equal(say(&self, 0, "invite 2", 0).what, CLIENTS_SEATS);
    assert_false(clients_is_seat_used(&self, 2)); // though the first one has not been told yet
    assert_int_equal(enter_seat(&self, 2, self.player[1].seat_token, 0).what, CLIENTS_ADMITTED);
    assert_int_equal(say(&self, 2, "own 2", 0).what, CLIENTS_OWNERS);
    assert_int_equal(say(&self, 1, "sticks 2 {}", 0).what, CLIENTS_NOTHING);
    assert_int_equal(find_ended(&self, 0), 1);
}

static void a_seat_is_revoked(void **state)
{
    (void)state;
    clients self = fresh(false);
    enter(&self, 0);
    assert_int_equal(say(&self, 0, "revoke 2", 0).what, CLIENTS_NOTHING); // there is none
    (void)say(&self, 0, "invite 2", 0);
    char token[HY_VIEW_TOKEN_SIZE];
    memcpy(token, self.player[1].seat_token, sizeof token);
    (void)enter_seat(&self, 1, token, 0);
    (void)say(&self, 1, "own 2", 0);
    assert_int_equal(say(&self, 0, "revoke 2", 0).what, CLIENTS_SEATS);
    assert_int_equal(say(&self, 1, "sticks 2 {}", 0).what, CLIENTS_NOTHING); // at once
    assert_int_equal(find_ended(&self, 0), 1);
    assert_true(clients_disconnect(&self, 1));
    assert_int_equal(self.player[1].owner, -1);
    clients_close(&self, 1);
    assert_int_equal(enter_seat(&self, 1, token, 0).what, CLIENTS_DISCONNECTED);
    (void)say(&self, 0, "invite 2", 0);
    assert_string_not_equal(self.player[1].seat_token, token);
    assert_int_equal(enter_seat(&self, 2, token, 0).what, CLIENTS_DISCONNECTED);
    assert_int_equal(find_ended(&self, 0), -1);
}

static void every_player_may_have_a_seat(void **state)
{
    (void)state;
    clients self = fresh(false);
    self.players = (1U << HY_ICD_PLAYERS) - 1;
    enter(&self, 0);
    for (unsigned player = 1; player <= HY_ICD_PLAYERS; player++) {
        char text[16];
        snprintf(text, sizeof text, "invite %u", player);
        assert_int_equal(say(&self, 0, text, 0).what, CLIENTS_SEATS);
        assert_int_equal(enter_seat(&self, player, self.player[player - 1].seat_token, 0).what,
                         CLIENTS_ADMITTED);
        assert_int_equal(self.pages[player].seat, player);
        snprintf(text, sizeof text, "revoke %u", player);
        assert_int_equal(say(&self, 0, text, 0).what, CLIENTS_SEATS);
        assert_int_equal(find_ended(&self, 0), player);
        clients_close(&self, player);
    }
}

static void one_page_has_a_seat(void **state)
{
    (void)state;
    clients self = fresh(false);
    enter(&self, 0);
    (void)say(&self, 0, "invite 2", 0);
    const char *const token = self.player[1].seat_token;
    const int64_t begin_us = 7000000, end_us = begin_us + CLIENTS_SEAT_SILENT_US;
    (void)enter_seat(&self, 1, token, begin_us);
    (void)say(&self, 1, "own 2", begin_us);
    assert_int_equal(enter_seat(&self, 2, token, end_us - 1).what, CLIENTS_DISCONNECTED);
    clients_close(&self, 2);
    // A telephone that lost its connection comes back with another one.
    assert_int_equal(enter_seat(&self, 2, token, end_us).what, CLIENTS_ADMITTED);
    assert_int_equal(self.player[1].owner, -1);
    assert_int_equal(find_ended(&self, end_us), 1);
    assert_int_equal(say(&self, 2, "own 2", end_us).what, CLIENTS_OWNERS);
    clients_close(&self, 0);
    clients_close(&self, 1);
    clients_close(&self, 2);
    assert_false(clients_is_seat_used(&self, 2));
    assert_int_equal(enter_seat(&self, 0, token, end_us).what, CLIENTS_ADMITTED); // the first page, too
    assert_true(clients_is_seat_used(&self, 2));
    assert_int_equal(enter_seat(&self, 1, token, end_us + CLIENTS_SEAT_SILENT_US).what,
                     CLIENTS_ADMITTED);
    assert_int_equal(find_ended(&self, end_us), 0);
}

static void once_is_once(void **state)
{
    (void)state;
    clients self = fresh(false);
    clients_open(&self, 0, 0);
    assert_int_equal(say(&self, 0, "token ", 0).what, CLIENTS_DISCONNECTED); // there is none yet
    clients_close(&self, 0);
    memcpy(self.once, "ffeeddccbbaa99887766554433221100", HY_VIEW_TOKEN_SIZE);
    assert_int_equal(enter_seat(&self, 2, "ffeeddccbbaa99887766554433221101", 0).what,
                     CLIENTS_DISCONNECTED); // a wrong one does not use it up
    assert_int_equal(enter_seat(&self, 0, "ffeeddccbbaa99887766554433221100", 0).what,
                     CLIENTS_ADMITTED);
    assert_true(clients_has_token(&self, 0));
    assert_int_equal(enter_seat(&self, 1, "ffeeddccbbaa99887766554433221100", 0).what,
                     CLIENTS_DISCONNECTED);
}

static void names_are_short_and_visible(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool ok;
    } cases[] = {
        { "", true },
        { "Ana <b>\"&amp;", true }, // pages show it as text
        { "12345678901234567890", true },
        { "123456789012345678901", false },
        { "\xC3\xB1\xC3\xB1\xC3\xB1\xC3\xB1\xC3\xB1\xC3\xB1\xC3\xB1\xC3\xB1\xC3\xB1\xC3\xB1"
          "\xC3\xB1\xC3\xB1\xC3\xB1\xC3\xB1\xC3\xB1\xC3\xB1\xC3\xB1\xC3\xB1\xC3\xB1\xC3\xB1",
          true },
        { "a\nb", false },
        { "a\x7F", false },
        { "a\xC2\x85", false }, // next line
        { "\xE2\x80\xAE"
          "ana",
          false }, // right-to-left override
        { "\xE2\x81\xA6"
          "ana",
          false },                  // left-to-right isolate
        { "a\xE2\x80\x8F", false }, // right-to-left mark
        { "a\xD8\x9C", false },     // Arabic letter mark
        { "a\xE2\x80\x8B"
          "b",
          false },                     // zero-width space
        { "a\xEF\xBB\xBF", false },    // byte order mark
        { "\xF3\xA0\x81\x81", false }, // tag
        { "\xF0\x9F\xA4\x96", true },  // a robot
        { " ", false },                // nothing shows
        { "   ", false },
        { "\xC2\xA0\xE3\x80\x80", false },              // no-break and ideographic space
        { "\xE1\xA0\x8B", false },                      // U+180B
        { "\xCD\x8F", false },                          // U+034F
        { "\xE3\x85\xA4\xE3\x85\xA4", false },          // U+3164
        { "\xEF\xBE\xA0", false },                      // U+FFA0
        { "\xE2\xA0\x80", false },                      // U+2800
        { "\xCC\x81", false },                          // U+0301: a mark on nothing
        { "\xEE\x80\x80", false },                      // private use
        { "\xF0\x93\x91\x81 \xF0\x9D\x85\x99", false }, // blank hieroglyph, null notehead
        { "e\xCC\x81", true },                          // but on a letter
        { "Ana \xE2\xA0\x80", true },                   // others show
        { "\xE2\xA0\x81", true },                       // a dot
        { ".", true },
        { "\xD8\xB9", true },      // an Arabic letter
        { "\xE6\x97\xA5", true },  // a Chinese one
        { "\xC3", false },         // cut
        { "\xED\xA0\x80", false }, // surrogate
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char name[VIEW_NAME_SIZE] = "before";
        const hy_bytes said = { (const uint8_t *)cases[i].name, strlen(cases[i].name) };
        assert_int_equal(view_name_take(name, said), cases[i].ok);
        assert_string_equal(name, cases[i].ok ? cases[i].name : "before");
    }
    static char large[4000];
    memset(large, 'a', sizeof large);
    char name[VIEW_NAME_SIZE] = "before";
    assert_false(view_name_take(name, (hy_bytes){ (uint8_t *)large, sizeof large }));
    assert_false(view_name_take(name, (hy_bytes){ (const uint8_t *)"a\0b", 3 }));
    assert_string_equal(name, "before");
}

/// The UTF-8 form of a character, with a NUL behind it.
static hy_bytes utf8_of(uint32_t character, uint8_t out[5])
{
    const size_t size = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    memset(out, 0, 5);
    for (size_t i = size - 1; i > 0; i--) {
        out[i] = (uint8_t)(0x80 | (character & 0x3F));
        character >>= 6;
    }
    out[0] = (uint8_t)(size == 1 ? character : (0xF00U >> size & 0xFF) | character);
    return (hy_bytes){ out, size };
}

/// Beside one that shows.
static bool is_in_a_name(uint32_t character)
{
    uint8_t bytes[6] = "a";
    char name[VIEW_NAME_SIZE];
    const size_t size = utf8_of(character, bytes + 1).size;
    return view_name_take(name, (hy_bytes){ bytes, size + 1 });
}

// SPEC page, Names.
static void characters_of_names_have_bounds(void **state)
{
    (void)state;
    static const uint32_t refused[][2] = {
        { 0x00, 0x1F },     { 0x7F, 0x9F },     { 0xAD, 0xAD },     { 0x061C, 0x061C },
        { 0x180E, 0x180E }, { 0x200B, 0x200F }, { 0x2028, 0x202E }, { 0x2060, 0x206F },
        { 0xFE00, 0xFE0F }, { 0xFEFF, 0xFEFF }, { 0xFFF0, 0xFFFF }, { 0xE0000, 0xE0FFF },
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const uint32_t first = refused[i][0], last = refused[i][1];
        if ((first > 0 && !is_in_a_name(first - 1)) || is_in_a_name(first) || is_in_a_name(last) ||
            !is_in_a_name(last + 1)) {
            fail_msg("around %x to %x", first, last);
        }
    }
}

static void names_are_of_pages_that_may_command(void **state)
{
    (void)state;
    clients self = fresh(true);
    enter(&self, 0);
    clients_open(&self, 1, 0);
    assert_int_equal(say(&self, 1, "token wrong", 0).what, CLIENTS_ADMITTED);
    assert_int_equal(say(&self, 1, "name Ana", 0).what, CLIENTS_ERROR);
    assert_int_equal(say(&self, 0, "name Ana", 0).what, CLIENTS_OWNERS);
    assert_string_equal(self.pages[0].name, "Ana");
    assert_int_equal(say(&self, 0, "name \n", 0).what, CLIENTS_ERROR);
    assert_string_equal(self.pages[0].name, "Ana");
    clients_close(&self, 0);
    enter(&self, 0);
    assert_string_equal(self.pages[0].name, "");
}

static void who_resets_a_match_is_known(void **state)
{
    (void)state;
    clients self = fresh(false);
    enter(&self, 0);
    (void)say(&self, 0, "own 2", 0);
    (void)say(&self, 0, "sticks 2 {}", 0);
    assert_int_equal(clients_take_reset(&self), 0);
    (void)say(&self, 0, "sticks 2 {\"guide\":1}", 0);
    assert_int_equal(clients_take_reset(&self), 2);
    (void)say(&self, 0, "sticks 2 {\"guide\":1}", 0); // it is still held
    assert_int_equal(clients_take_reset(&self), 0);
}

static void silent_pages_are_found(void **state)
{
    (void)state;
    clients self = fresh(true);
    clients_open(&self, 3, 1000);
    enter(&self, 4);
    assert_int_equal(find_ended(&self, 1000 + CLIENTS_SILENT_US), -1);
    assert_int_equal(find_ended(&self, 1001 + CLIENTS_SILENT_US), 3);
    clients_close(&self, 3);
    assert_int_equal(find_ended(&self, 1001 + CLIENTS_SILENT_US), -1);
}

static void a_long_ping_is_cut(void **state)
{
    (void)state;
    clients self = fresh(false);
    enter(&self, 0);
    char text[4000];
    memset(text, 'p', sizeof text);
    memcpy(text, "ping ", 5);
    text[sizeof text - 1] = '\0';
    const clients_reply reply = say(&self, 0, text, 0);
    assert_int_equal(reply.what, CLIENTS_PONG);
    assert_int_equal(strlen(reply.word), CLIENTS_WORD_SIZE - 1);
    assert_string_equal(say(&self, 0, "ping 12.5", 0).word, "12.5");
    assert_string_equal(say(&self, 0, "ping", 0).word, "");
}

// --------------------------------------------------------------------------- meter

static void a_rate_is_counted(void **state)
{
    (void)state;
    hy_view_meter meter = { .last_us = 0 };
    assert_true(hy_view_meter_rate_hz(&meter, 0) < 0.0);
    assert_true(hy_view_meter_age_ms(&meter, 0) < 0.0);
    int64_t now_us = 5000000;
    for (int i = 0; i < 300; i++) {
        hy_view_meter_arrived(&meter, now_us += 10000);
    }
    const double rate_hz = hy_view_meter_rate_hz(&meter, now_us);
    assert_true(rate_hz > 95.0 && rate_hz < 106.0);
    assert_true(hy_view_meter_age_ms(&meter, now_us + 7000) == 7.0);
    assert_true(hy_view_meter_rate_hz(&meter, now_us + 3000000) == 0.0);
}

// Five buckets of a fifth of a second: four whole ones and the one that is being filled.
static void a_rate_is_that_of_the_last_second(void **state)
{
    (void)state;
    hy_view_meter meter = { .last_us = 0 };
    const int64_t first_us = 5000000;
    for (int i = 0; i < 300; i++) {
        hy_view_meter_arrived(&meter, first_us + i * 10000);
    }
    const int64_t last_us = first_us + 2990000; // 20 in each bucket
    assert_near(hy_view_meter_rate_hz(&meter, last_us), 100 / 0.99, 1e-9);
    assert_near(hy_view_meter_rate_hz(&meter, last_us + 9999), 100 / 0.999999, 1e-9);
    assert_near(hy_view_meter_rate_hz(&meter, last_us + 10000), 80 / 0.8, 1e-9);
    assert_near(hy_view_meter_rate_hz(&meter, last_us + 510000), 40 / 0.9, 1e-9);
    assert_near(hy_view_meter_rate_hz(&meter, last_us + 809999), 20 / 0.999999, 1e-9);
    assert_near(hy_view_meter_rate_hz(&meter, last_us + 810000), 0, 0);
    hy_view_meter_arrived(&meter, last_us + 10000000);
    assert_near(hy_view_meter_rate_hz(&meter, last_us + 10000000), 1 / 0.8, 1e-9);
    assert_near(hy_view_meter_age_ms(&meter, last_us + 10001500), 1.5, 1e-9);
    meter = (hy_view_meter){ .last_us = 0 }; // a second of silence and a fifth: all are empty
    hy_view_meter_arrived(&meter, first_us);
    hy_view_meter_arrived(&meter, first_us + 1199999);
    assert_near(hy_view_meter_rate_hz(&meter, first_us + 1199999), 1 / 0.999999, 1e-9);
    hy_view_meter_arrived(&meter, first_us + 2200000);
    assert_near(hy_view_meter_rate_hz(&meter, first_us + 2200000), 1 / 0.8, 1e-9);
}

static void latency_is_from_stick_to_motor(void **state)
{
    (void)state;
    hy_view_meter meter = { .last_us = 0 };
    hy_icd_vehicle seen = { .left_drive_rad_s = 0.0 };
    hy_icd_sticks sticks = { .left_y = 0 };
    int64_t now_us = 1000000;
    assert_true(hy_view_meter_latency_ms(&meter) < 0.0);
    hy_view_meter_sticks(&meter, &sticks, &seen, now_us);
    static const int64_t delays_us[] = { 12000, 30000, 11000, 13000, 11500 };
    for (size_t i = 0; i < 5; i++) {
        sticks.left_y += 10;
        hy_view_meter_sticks(&meter, &sticks, &seen, now_us);
        hy_view_meter_seen(&meter, &seen, now_us + 5000); // not yet
        seen.left_drive_rad_s += 1.0;
        hy_view_meter_seen(&meter, &seen, now_us + delays_us[i]);
        hy_view_meter_seen(&meter, &seen, now_us + 90000); // nothing is awaited
        now_us += 100000;
    }
    assert_true(hy_view_meter_latency_ms(&meter) == 12.0);
    sticks.left_y += 10; // a robot that may not move gives no number
    hy_view_meter_sticks(&meter, &sticks, &seen, now_us);
    hy_view_meter_seen(&meter, &seen, now_us + 600000);
    seen.left_drive_rad_s += 1.0;
    hy_view_meter_seen(&meter, &seen, now_us + 700000);
    assert_true(hy_view_meter_latency_ms(&meter) == 12.0);
}

#define PATIENCE_US 500000

// What a stick's movement changes ends the measurement, whichever of the two it is.
static void every_stick_and_every_motor_counts(void **state)
{
    (void)state;
    static const hy_icd_sticks moves[] = {
        { .left_y = 1 }, { .right_x = 1 }, { .left_trigger = 1 }, { .right_trigger = 1 }
    };
    static const hy_icd_vehicle changes[] = { { .left_drive_rad_s = 1 },
                                              { .right_drive_rad_s = 1 },
                                              { .tube_rad_s = 1 },
                                              { .intake_center_rad_s = 1 } };
    const hy_icd_sticks still = { .left_y = 0 };
    const hy_icd_vehicle at_rest = { .left_drive_rad_s = 0 };
    for (size_t i = 0; i < 4; i++) {
        hy_view_meter meter = { .last_us = 0 };
        hy_view_meter_sticks(&meter, &moves[i], &at_rest, 1000); // the first ones move nothing
        hy_view_meter_seen(&meter, &changes[i], 2000);
        assert_true(hy_view_meter_latency_ms(&meter) < 0);
        hy_view_meter_sticks(&meter,
                             &(hy_icd_sticks){ .left_x = 9,
                                               .left_y = moves[i].left_y,
                                               .right_x = moves[i].right_x,
                                               .left_trigger = moves[i].left_trigger,
                                               .right_trigger = moves[i].right_trigger },
                             &at_rest, 3000); // no motor follows this axis
        hy_view_meter_seen(&meter, &changes[i], 4000);
        assert_true(hy_view_meter_latency_ms(&meter) < 0);
        hy_view_meter_sticks(&meter, &still, &at_rest, 5000);
        hy_view_meter_sticks(&meter, &moves[i], &at_rest, 6000); // counted from the first
        hy_view_meter_seen(&meter, &at_rest, 7000);
        hy_view_meter_seen(&meter, &changes[i], 8000);
        assert_near(hy_view_meter_latency_ms(&meter), 3, 1e-9);
    }
}

static void a_latency_of_half_a_second_is_one(void **state)
{
    (void)state;
    hy_icd_sticks sticks = { .left_y = 0 };
    const hy_icd_vehicle at_rest = { .left_drive_rad_s = 0 }, moves = { .left_drive_rad_s = 1 };
    for (int64_t more_us = 0; more_us < 2; more_us++) {
        hy_view_meter meter = { .last_us = 0 };
        hy_view_meter_sticks(&meter, &sticks, &at_rest, 1000);
        sticks.left_y++;
        hy_view_meter_sticks(&meter, &sticks, &at_rest, 1000);
        hy_view_meter_seen(&meter, &at_rest, 1000 + PATIENCE_US + more_us);
        hy_view_meter_seen(&meter, &moves, 1000 + PATIENCE_US + more_us);
        assert_near(hy_view_meter_latency_ms(&meter), more_us == 0 ? 500 : -1, 1e-9);
    }
}

// Half of the last ones are below: an odd one out does not matter, and old ones are forgotten.
static void a_latency_is_the_median(void **state)
{
    (void)state;
    enum { KEPT = sizeof((hy_view_meter *)0)->latency_ms / sizeof(double) };
    hy_view_meter meter = { .last_us = 0 };
    hy_icd_sticks sticks = { .left_y = 0 };
    hy_icd_vehicle seen = { .left_drive_rad_s = 0 };
    hy_view_meter_sticks(&meter, &sticks, &seen, 1000);
    for (int i = 0; i < 2 * KEPT; i++) {
        const int64_t now_us = (i + 1) * 1000000;
        sticks.left_y++;
        hy_view_meter_sticks(&meter, &sticks, &seen, now_us);
        seen.left_drive_rad_s++;
        hy_view_meter_seen(&meter, &seen, now_us + (i + 1) * 1000);
        // Of 1, 2 .. n ms; of the newest KEPT from then on.
        const int first = i < KEPT ? 0 : i + 1 - KEPT;
        assert_near(hy_view_meter_latency_ms(&meter), first + (i + 1 - first) / 2 + 1, 1e-9);
    }
}

static void a_recording_is_moved(void **state)
{
    (void)state;
    clients self = fresh(false);
    self.is_replay = true;
    enter(&self, 0);
    assert_int_equal(say(&self, 0, "replay seek 61200", 0).what, CLIENTS_REPLAY);
    assert_int_equal(say(&self, 0, "replay pace 16000", 0).what, CLIENTS_REPLAY);
    assert_int_equal(say(&self, 0, "replay seek 9876543210", 0).what, CLIENTS_REPLAY);
    assert_int_equal(self.replay.to_ms, 9876543210);
    assert_int_equal(say(&self, 0, "replay seek 0", 0).what, CLIENTS_REPLAY);
    assert_true(self.replay.seeks && self.replay.changes_pace);
    assert_int_equal(self.replay.to_ms, 0); // the newest counts
    assert_int_equal(self.replay.pace_permille, 16000);
    static const char *const wrong[] = { "replay",
                                         "replay seek",
                                         "replay seek -1",
                                         "replay seek 1.5",
                                         "replay seek 12345678901",
                                         "replay pace 16001",
                                         "replay stop 1",
                                         "replay seek 1 2" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(say(&self, 0, wrong[i], 0).what, CLIENTS_NOTHING);
    }
    assert_int_equal(self.replay.to_ms, 0);
    assert_int_equal(self.replay.pace_permille, 16000);
    self.pages[0].may_command = false;
    assert_int_equal(say(&self, 0, "replay seek 5", 0).what, CLIENTS_ERROR);
}

static void plots_are_asked_for(void **state)
{
    (void)state;
    clients self = fresh(false);
    hy_view_plot plot;
    enter(&self, 0);
    enter(&self, 3);
    assert_int_equal(say(&self, 0, "replay plot 0 1000 1", 0).what, CLIENTS_NOTHING); // no recording
    self.is_replay = true;
    assert_int_equal(say(&self, 0, "replay plot 0 1000 1", 0).what, CLIENTS_REPLAY);
    assert_int_equal(say(&self, 3, "replay plot 5 60000 7 0 65535", 0).what, CLIENTS_REPLAY);
    assert_int_equal(say(&self, 0, "replay plot 0 2000", 0).what, CLIENTS_REPLAY);
    static const char *const wrong[] = { "replay plot",        "replay plot 1",
                                         "replay plot x 1",    "replay plot x y 1",
                                         "replay plot 0 1 x",  "replay plot 0 1 65536",
                                         "replay plot 0 1 -1", "replay plot 0 1 1 2 3 4 5 6 7 8 9" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(say(&self, 0, wrong[i], 0).what, CLIENTS_NOTHING);
    }
    assert_true(clients_take_plot(&self, &plot));
    assert_true(plot.page == 3 && plot.from_ms == 5 && plot.to_ms == 60000 && plot.count == 3);
    assert_true(plot.channels[0] == 7 && plot.channels[1] == 0 && plot.channels[2] == 65535);
    assert_int_equal(say(&self, 3, "replay plot 0 3000", 0).what,
                     CLIENTS_REPLAY); // in turn, however often one asks
    assert_true(clients_take_plot(&self, &plot));
    assert_true(plot.page == 0 && plot.to_ms == 2000 && plot.count == 0); // the newest of a page
    assert_true(clients_take_plot(&self, &plot));
    assert_true(plot.page == 3 && plot.to_ms == 3000);
    assert_false(clients_take_plot(&self, &plot));
    assert_int_equal(say(&self, 3, "replay plot 0 1 1", 0).what, CLIENTS_REPLAY);
    clients_close(&self, 3);
    assert_false(clients_take_plot(&self, &plot)); // nobody is there to see it
}

static void numbers_and_choices_are_changed(void **state)
{
    (void)state;
    clients self = fresh(true);
    hy_view_change change;
    self.numbers = 2;
    self.choosers = 2;
    enter(&self, 0);
    assert_int_equal(say(&self, 0, "tune 1 0.25", 0).what, CLIENTS_CHANGE);
    assert_int_equal(say(&self, 0, "tune 1 -1e3", 0).what, CLIENTS_CHANGE); // the newest counts
    assert_int_equal(say(&self, 0, "tune 0", 0).what, CLIENTS_CHANGE);
    assert_int_equal(say(&self, 0, "choose 0 65535", 0).what, CLIENTS_CHANGE);
    assert_int_equal(say(&self, 0, "choose 1 9", 0).what, CLIENTS_CHANGE);
    static const char *const wrong[] = {
        "tune",         "tune 2 1",      "tune -1 1",
        "tune x 1",     "tune 0 nan",    "tune 0 inf",
        "tune 0 1e999", "tune 0 0x10",   "tune 0 1 ",
        "tune 0 1 2",   "choose",        "choose 2 0",
        "choose 0 -1",  "tune 0  1",     "choose 0 65536",
        "choose 0 1.5", "choose 0 left", "tune 0 00000000000000000000000000000000000000001"
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(say(&self, 0, wrong[i], 0).what, CLIENTS_NOTHING);
    }
    static const uint8_t cut[] = "tune 0 1\0 2";
    assert_int_equal(clients_receive(&self, 0, (hy_bytes){ cut, sizeof cut - 1 }, false, 0).what,
                     CLIENTS_NOTHING);
    assert_true(clients_take_change(&self, &change));
    assert_true(!change.is_choice && change.index == 0 && change.is_start);
    assert_true(clients_take_change(&self, &change));
    assert_true(!change.is_choice && change.index == 1 && !change.is_start && change.value == -1e3);
    assert_true(clients_take_change(&self, &change));
    assert_true(change.is_choice && change.index == 0 && change.option == 65535);
    assert_true(clients_take_change(&self, &change));
    assert_true(change.is_choice && change.index == 1 && change.option == 9);
    assert_int_equal(say(&self, 0, "choose 0", 0).what, CLIENTS_CHANGE); // as at the start
    assert_true(clients_take_change(&self, &change));
    assert_true(change.is_choice && change.index == 0 && change.is_start && change.option == 0);
    assert_false(clients_take_change(&self, &change));
    clients_open(&self, 1, 0);
    assert_int_equal(say(&self, 1, "token wrong", 0).what, CLIENTS_ADMITTED); // a watcher
    assert_int_equal(say(&self, 1, "tune 0 1", 0).what, CLIENTS_ERROR);
    assert_int_equal(say(&self, 1, "choose 0 0", 0).what, CLIENTS_ERROR);
    self.pages[0].seat = 2; // it has the token of a seat
    assert_int_equal(say(&self, 0, "tune 0 1", 0).what, CLIENTS_ERROR);
    assert_int_equal(say(&self, 0, "choose 0 0", 0).what, CLIENTS_ERROR);
    assert_false(clients_take_change(&self, &change));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_random_and_compared_whole),
        cmocka_unit_test(what_is_no_token_is_refused),
        cmocka_unit_test(a_page_that_was_sent_away_holds_nothing),
        cmocka_unit_test(over_the_limit_what_lets_go_is_obeyed),
        cmocka_unit_test(over_the_limit_the_newest_sticks_win),
        cmocka_unit_test(over_the_limit_each_players_sticks_are_kept),
        cmocka_unit_test(too_long_over_the_limit_ends_a_page),
        cmocka_unit_test(without_the_token_nobody_commands),
        cmocka_unit_test(a_player_has_one_owner),
        cmocka_unit_test(sticks_are_the_owners),
        cmocka_unit_test(buttons_are_held_and_let_go),
        cmocka_unit_test(a_recording_is_moved),
        cmocka_unit_test(plots_are_asked_for),
        cmocka_unit_test(numbers_and_choices_are_changed),
        cmocka_unit_test(old_messages_move_nothing),
        cmocka_unit_test(the_token_of_a_seat_drives_one_player),
        cmocka_unit_test(seats_are_those_of_players),
        cmocka_unit_test(a_seat_that_ends_is_nobodys),
        cmocka_unit_test(a_seat_is_revoked),
        cmocka_unit_test(every_player_may_have_a_seat),
        cmocka_unit_test(one_page_has_a_seat),
        cmocka_unit_test(once_is_once),
        cmocka_unit_test(names_are_short_and_visible),
        cmocka_unit_test(characters_of_names_have_bounds),
        cmocka_unit_test(names_are_of_pages_that_may_command),
        cmocka_unit_test(who_resets_a_match_is_known),
        cmocka_unit_test(silent_pages_are_found),
        cmocka_unit_test(a_long_ping_is_cut),
        cmocka_unit_test(a_rate_is_counted),
        cmocka_unit_test(a_rate_is_that_of_the_last_second),
        cmocka_unit_test(every_stick_and_every_motor_counts),
        cmocka_unit_test(a_latency_of_half_a_second_is_one),
        cmocka_unit_test(a_latency_is_the_median),
        cmocka_unit_test(latency_is_from_stick_to_motor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
