#include "clients.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "page_messages.h"
#include "text/text_decimal.h"
#include "token.h"

#define NOBODY (-1)

static void release(clients_player *player)
{
    player->owner = NOBODY;
    player->sticks = (hy_icd_sticks){ .left_x = 0 };
    player->said_us = 0;
    player->late_size = 0;
}

void clients_start(clients *self)
{
    for (size_t i = 0; i < HY_ICD_PLAYERS; i++) {
        release(&self->player[i]);
    }
}

// --------------------------------------------------------------------------- coming and going

void clients_open(clients *self, unsigned page, int64_t now_us)
{
    assert(page < HY_WEB_CLIENTS);
    self->pages[page] = (clients_page){ .is_there = true, .since_us = now_us };
    view_bucket_start(&self->pages[page].bucket, now_us);
}

static bool let_go(clients *self, unsigned page)
{
    bool any = false;
    for (size_t i = 0; i < HY_ICD_PLAYERS; i++) {
        if (self->player[i].owner == (int)page) {
            release(&self->player[i]);
            any = true;
        }
    }
    for (size_t i = 0; i < CLIENTS_ROBOTS; i++) {
        self->button[i].is_held_by[page] = false;
    }
    return any;
}

bool clients_close(clients *self, unsigned page)
{
    assert(page < HY_WEB_CLIENTS);
    self->pages[page] = (clients_page){ .is_there = false };
    return let_go(self, page);
}

bool clients_disconnect(clients *self, unsigned page)
{
    assert(page < HY_WEB_CLIENTS);
    self->pages[page] = (clients_page){ .is_there = true, .is_leaving = true };
    return let_go(self, page);
}

void clients_take_away(clients *self, unsigned player)
{
    assert(player >= 1 && player <= HY_ICD_PLAYERS);
    release(&self->player[player - 1]);
}

int clients_find_ended(const clients *self, int64_t now_us, const char **why)
{
    for (int i = 0; i < HY_WEB_CLIENTS; i++) {
        const clients_page *const page = &self->pages[i];
        if (!page->is_there || page->is_leaving) {
            continue;
        }
        const bool is_silent = !page->is_known && now_us - page->since_us > CLIENTS_SILENT_US;
        *why = is_silent ? "a page begins with its token" : page->end_why;
        if (*why != NULL) {
            return i;
        }
    }
    return -1;
}

unsigned clients_take_reset(clients *self)
{
    const unsigned player = self->reset_by;
    self->reset_by = 0;
    return player;
}

bool clients_has_token(const clients *self, unsigned page)
{
    return self->pages[page].may_command && self->pages[page].seat == 0;
}

/// The page that has the token of a player's seat, or -1.
static int find_seat_page(const clients *self, unsigned player)
{
    for (int i = 0; i < HY_WEB_CLIENTS; i++) {
        const clients_page *const page = &self->pages[i];
        if (page->is_there && page->is_known && page->seat == player && page->end_why == NULL) {
            return i;
        }
    }
    return -1;
}

bool clients_is_seat_used(const clients *self, unsigned player)
{
    return find_seat_page(self, player) >= 0;
}

bool clients_is_watching(const clients *self, unsigned page)
{
    return self->pages[page].is_there && self->pages[page].is_known;
}

hy_web_audience clients_audience(const clients *self)
{
    hy_web_audience audience = { .has = { false } };
    for (unsigned i = 0; i < HY_WEB_CLIENTS; i++) {
        audience.has[i] = clients_is_watching(self, i);
    }
    return audience;
}

bool clients_is_held(const clients *self, unsigned robot)
{
    const bool *const held = self->button[robot].is_held_by;
    return memchr(held, 1, HY_WEB_CLIENTS) != NULL;
}

// --------------------------------------------------------------------------- words

/// Takes the first word off a text, and the blank behind it.
static hy_bytes take_word(hy_bytes *text)
{
    size_t size = 0;
    while (size < text->size && text->data[size] != ' ') {
        size++;
    }
    const hy_bytes word = { text->data, size };
    const size_t behind = size < text->size ? size + 1 : size;
    *text = (hy_bytes){ behind > 0 ? text->data + behind : text->data, text->size - behind };
    return word;
}

static bool is_word(hy_bytes word, const char *wanted)
{
    return word.size == strlen(wanted) && memcmp(word.data, wanted, word.size) == 0;
}

/// A word of one digit, 1 .. 9; 0 if it is none.
static unsigned number_of(hy_bytes word)
{
    return word.size == 1 && word.data[0] >= '1' && word.data[0] <= '9'
               ? (unsigned)(word.data[0] - '0')
               : 0;
}

static bool has_bit(unsigned bits, unsigned number)
{
    return number >= 1 && (bits >> (number - 1) & 1) != 0;
}

// --------------------------------------------------------------------------- commands

/// A message behind its first word.
typedef struct {
    unsigned page; ///< That sent it.
    hy_bytes text;
    bool is_old; ///< It may have waited for half a second.
    int64_t now_us;
} page_command;

static clients_reply only(clients_what what)
{
    return (clients_reply){ .what = what };
}

static clients_reply drop(clients *self)
{
    self->counters.dropped++;
    return only(CLIENTS_NOTHING);
}

static clients_reply understood(clients *self, clients_what what)
{
    self->counters.messages++;
    return only(what);
}

__attribute__((format(printf, 2, 3))) static clients_reply refuse(clients *self, const char *format,
                                                                  ...)
{
    clients_reply reply = { .what = CLIENTS_ERROR };
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reply.word, sizeof reply.word, format, arguments);
    va_end(arguments);
    self->counters.refused++;
    return reply;
}

static clients_reply handle_own(clients *self, page_command it)
{
    const unsigned number = number_of(it.text);
    if (number == 0) {
        return drop(self);
    }
    if (number > HY_ICD_PLAYERS || !has_bit(self->players, number)) {
        return refuse(self, "there is no player %u to drive here", number);
    }
    clients_player *const player = &self->player[number - 1];
    if (player->owner != NOBODY && player->owner != (int)it.page) {
        return refuse(self, "player %u is driven by another page", number);
    }
    if (player->owner == NOBODY) {
        release(player);
        player->owner = (int)it.page;
    }
    return understood(self, CLIENTS_OWNERS);
}

static clients_player *owned(clients *self, unsigned page, unsigned number)
{
    const bool is_there = number >= 1 && number <= HY_ICD_PLAYERS;
    return is_there && self->player[number - 1].owner == (int)page ? &self->player[number - 1] : NULL;
}

static clients_reply handle_release(clients *self, page_command it)
{
    clients_player *const player = owned(self, it.page, number_of(it.text));
    if (player == NULL) {
        return drop(self);
    }
    release(player);
    return understood(self, CLIENTS_OWNERS);
}

static clients_reply take_sticks(clients *self, clients_player *player, hy_bytes json, int64_t now_us)
{
    const bool had_guide = player->sticks.guide;
    player->late_size = 0; // these are newer
    if (hy_icd_read_sticks(self->reader, json, &player->sticks) != HY_OK) {
        return drop(self);
    }
    player->said_us = now_us;
    if (player->sticks.guide && !had_guide) {
        self->reset_by = (unsigned)(player - self->player) + 1;
    }
    return understood(self, CLIENTS_STICKS);
}

static clients_reply handle_sticks(clients *self, page_command it)
{
    hy_bytes json = it.text;
    clients_player *const player = owned(self, it.page, number_of(take_word(&json)));
    return player != NULL && !it.is_old ? take_sticks(self, player, json, it.now_us) : drop(self);
}

static clients_reply handle_button(clients *self, page_command it)
{
    hy_bytes text = it.text;
    const unsigned number = number_of(take_word(&text));
    if (number == 0 || number > CLIENTS_ROBOTS || !has_bit(self->buttons, number)) {
        return number != 0 ? refuse(self, "robot %u has no button here", number) : drop(self);
    }
    clients_button *const button = &self->button[number - 1];
    if (is_word(text, "down")) {
        button->is_held_by[it.page] = true;
        button->until_us = it.now_us + HY_VIEW_PRESS_US;
    } else if (is_word(text, "up")) {
        button->is_held_by[it.page] = false;
    } else {
        return drop(self);
    }
    return understood(self, CLIENTS_NOTHING);
}

static clients_reply handle_reset(clients *self, page_command it)
{
    if (it.text.size > 0) {
        return drop(self);
    }
    return self->can_reset ? understood(self, CLIENTS_RESET)
                           : refuse(self, "a match is reset by a robot's guide button");
}

static clients_reply handle_stop(clients *self, page_command it)
{
    if (it.text.size > 0) {
        return drop(self);
    }
    return self->can_reset ? understood(self, CLIENTS_STOP)
                           : refuse(self, "there is no robot to be stopped from here");
}

static clients_reply handle_push(clients *self, page_command it)
{
    const unsigned number = number_of(take_word(&it.text));
    if (number == 0 || it.text.size > 0) {
        return drop(self);
    }
    if (number > CLIENTS_ROBOTS || !has_bit(self->buttons, number)) {
        return refuse(self, "robot %u cannot be pushed here", number);
    }
    self->pushed |= 1U << (number - 1);
    return understood(self, CLIENTS_PUSH);
}

/// A word of 1 to 10 digits.
static bool whole_of(hy_bytes word, int64_t *out)
{
    int64_t value = 0;
    for (size_t i = 0; i < word.size; i++) {
        if (word.data[i] < '0' || word.data[i] > '9' || i == 10) {
            return false;
        }
        value = 10 * value + (word.data[i] - '0');
    }
    *out = value;
    return word.size > 0;
}

/// FROM TO N...
static clients_reply handle_plot(clients *self, unsigned page, hy_bytes text)
{
    hy_view_plot plot = { .page = page };
    bool is_right = whole_of(take_word(&text), &plot.from_ms);
    is_right = whole_of(take_word(&text), &plot.to_ms) && is_right;
    while (is_right && text.size > 0) {
        int64_t channel = 0;
        is_right = plot.count < HY_VIEW_PLOT_CHANNELS && whole_of(take_word(&text), &channel) &&
                   channel <= UINT16_MAX;
        plot.channels[is_right ? plot.count++ : 0] = (unsigned)channel;
    }
    if (!is_right) {
        return drop(self);
    }
    self->pages[page].plot = plot;
    self->pages[page].wants_plot = true;
    return understood(self, CLIENTS_REPLAY);
}

bool clients_take_plot(clients *self, hy_view_plot *out)
{
    for (unsigned i = 0; i < HY_WEB_CLIENTS; i++) {
        const unsigned page = (self->plotted + 1 + i) % HY_WEB_CLIENTS;
        if (self->pages[page].wants_plot) {
            self->pages[page].wants_plot = false;
            self->plotted = page;
            *out = self->pages[page].plot;
            return true;
        }
    }
    return false;
}

static clients_reply handle_replay(clients *self, page_command it)
{
    hy_bytes text = it.text;
    const hy_bytes what = take_word(&text);
    int64_t value;
    if (self->is_replay && is_word(what, "plot")) {
        return handle_plot(self, it.page, text);
    }
    if (!self->is_replay || !whole_of(text, &value)) {
        return drop(self);
    }
    if (is_word(what, "seek")) {
        self->replay.seeks = true;
        self->replay.to_ms = value;
    } else if (is_word(what, "pace") && value <= HY_VIEW_PACE_MAX) {
        self->replay.changes_pace = true;
        self->replay.pace_permille = value;
    } else {
        return drop(self);
    }
    return understood(self, CLIENTS_REPLAY);
}

/// N V, or N alone: an index below `count`, and what it becomes. False if it is neither, or too long to be a number.
static bool read_change(hy_bytes text, size_t count, hy_view_change *out, char value[40])
{
    int64_t index;
    if (!whole_of(take_word(&text), &index) || index >= (int64_t)count ||
        text.size >= sizeof(char[40])) {
        return false;
    }
    out->index = (size_t)index;
    out->is_start = text.size == 0;
    memcpy(value, text.data, text.size);
    value[text.size] = '\0';
    return strlen(value) == text.size;
}

static clients_reply keep_change(clients *self, size_t place, const hy_view_change *change)
{
    self->change[place] = *change;
    self->is_changed[place] = true;
    return understood(self, CLIENTS_CHANGE);
}

static clients_reply handle_tune(clients *self, page_command it)
{
    hy_view_change change = { .is_choice = false };
    char value[40];
    if (!read_change(it.text, self->numbers, &change, value) ||
        (!change.is_start && !hy_decimal_read(value, &change.value))) {
        return drop(self);
    }
    return keep_change(self, change.index, &change);
}

static clients_reply handle_choose(clients *self, page_command it)
{
    hy_view_change change = { .is_choice = true };
    char value[40];
    int64_t option = 0;
    if (!read_change(it.text, self->choosers, &change, value) ||
        (!change.is_start && (!whole_of((hy_bytes){ (const uint8_t *)value, strlen(value) }, &option) ||
                              option > UINT16_MAX))) {
        return drop(self);
    }
    change.option = (unsigned)option;
    return keep_change(self, HY_SCENE_TUNABLES + change.index, &change);
}

bool clients_take_change(clients *self, hy_view_change *out)
{
    for (size_t i = 0; i < HY_SCENE_TUNABLES + HY_SCENE_CHOOSERS; i++) {
        if (self->is_changed[i]) {
            self->is_changed[i] = false;
            *out = self->change[i];
            return true;
        }
    }
    return false;
}

static clients_reply handle_ping(clients *self, page_command it)
{
    clients_reply reply = understood(self, CLIENTS_PONG);
    const size_t room = sizeof reply.word - 1;
    memcpy(reply.word, it.text.data, it.text.size < room ? it.text.size : room);
    return reply;
}

// --------------------------------------------------------------------------- seats and names

static clients_reply handle_invite(clients *self, page_command it)
{
    const unsigned number = number_of(it.text);
    if (number > HY_ICD_PLAYERS || !has_bit(self->players, number)) {
        return number != 0 ? refuse(self, "there is no player %u to drive here", number) : drop(self);
    }
    char *const token = self->player[number - 1].seat_token;
    if (token[0] == '\0' && !hy_view_new_token(token)) { // coverage: make inject lets it fail
        token[0] = '\0';
        return refuse(self, "the system gives no random numbers for a token");
    }
    return understood(self, CLIENTS_SEATS);
}

static clients_reply handle_revoke(clients *self, page_command it)
{
    const unsigned number = number_of(it.text);
    if (number == 0 || number > HY_ICD_PLAYERS || self->player[number - 1].seat_token[0] == '\0') {
        return drop(self);
    }
    memset(self->player[number - 1].seat_token, 0, HY_VIEW_TOKEN_SIZE);
    const int page = find_seat_page(self, number);
    if (page >= 0) {
        self->pages[page].end_why = "this seat was revoked";
    }
    return understood(self, CLIENTS_SEATS);
}

static clients_reply handle_name(clients *self, page_command it)
{
    if (!view_name_take(self->pages[it.page].name, it.text)) {
        return refuse(self, "a name has at most %d characters, no invisible ones, and one that shows",
                      VIEW_NAME_CHARACTERS);
    }
    return understood(self, CLIENTS_OWNERS);
}

/// The player whose seat a token is for; 0: none.
static unsigned find_seat(const clients *self, hy_bytes token)
{
    unsigned found = 0;
    for (unsigned i = 0; i < HY_ICD_PLAYERS; i++) {
        const char *const seat = self->player[i].seat_token;
        found = seat[0] != '\0' && view_token_is(seat, token) ? i + 1 : found;
    }
    return found;
}

/// A page comes with the token of a seat. One page at a time has a seat: the older one keeps it as long as it is there.
static clients_reply take_seat(clients *self, clients_page *page, unsigned player, int64_t now_us)
{
    const int before = find_seat_page(self, player);
    if (before >= 0 && now_us - self->pages[before].said_us < CLIENTS_SEAT_SILENT_US) {
        clients_reply reply = { .what = CLIENTS_DISCONNECTED };
        snprintf(reply.word, sizeof reply.word, "another page has the seat of player %u", player);
        return reply;
    }
    if (before >= 0) {
        self->pages[before].end_why = "another page has this seat now";
        (void)let_go(self, (unsigned)before);
    }
    page->may_command = page->is_known = true;
    page->seat = player;
    return understood(self, CLIENTS_ADMITTED);
}

/// The token, or what is taken for it once.
static bool is_whole_token(clients *self, hy_bytes token)
{
    if (self->once[0] != '\0' && view_token_is(self->once, token)) {
        memset(self->once, 0, sizeof self->once);
        return true;
    }
    return view_token_is(self->token, token);
}

static clients_reply handle_first(clients *self, clients_page *page, hy_bytes text, int64_t now_us)
{
    const bool is_token = is_word(take_word(&text), "token");
    page->may_command = is_token && is_whole_token(self, text);
    if (page->may_command) {
        page->is_known = true;
        return understood(self, CLIENTS_ADMITTED);
    }
    const unsigned player = is_token ? find_seat(self, text) : 0;
    if (player > 0) {
        return take_seat(self, page, player, now_us);
    }
    self->counters.wrong_tokens++;
    if (self->watchers) {
        page->is_known = true;
        return only(CLIENTS_ADMITTED);
    }
    clients_reply reply = { .what = CLIENTS_DISCONNECTED };
    snprintf(reply.word, sizeof reply.word,
             "wrong token: open the whole address that the program printed");
    return reply;
}

// --------------------------------------------------------------------------- too many messages

static unsigned seats_of(const clients *self, unsigned page)
{
    unsigned seats = 0;
    for (size_t i = 0; i < HY_ICD_PLAYERS; i++) {
        seats += self->player[i].owner == (int)page ? 1 : 0;
    }
    return seats;
}

static clients_reply drop_over(clients *self)
{
    self->counters.over_limit++;
    return only(CLIENTS_NOTHING);
}

static clients_reply keep_sticks(clients *self, page_command it)
{
    hy_bytes text = it.text;
    clients_player *const player = owned(self, it.page, number_of(take_word(&text)));
    if (player != NULL && text.size > 0 && !it.is_old) {
        memcpy(player->late, text.data, text.size);
        player->late_size = text.size;
    }
    return drop_over(self); // if no newer ones come, clients_settle() obeys them all the same
}

/// Of a page that says too much: what it does costs nearly nothing, and never keeps a robot going.
static clients_reply handle_over(clients *self, page_command it)
{
    const hy_bytes verb = take_word(&it.text);
    if (is_word(verb, "stop") && clients_has_token(self, it.page)) {
        return handle_stop(self, it);
    }
    if (is_word(verb, "sticks")) {
        return keep_sticks(self, it);
    }
    if (is_word(verb, "release")) {
        return handle_release(self, it);
    }
    hy_bytes rest = it.text;
    (void)take_word(&rest);
    return is_word(verb, "button") && is_word(rest, "up") ? handle_button(self, it) : drop_over(self);
}

bool clients_settle(clients *self, int64_t now_us)
{
    bool any = false;
    for (size_t i = 0; i < HY_ICD_PLAYERS; i++) {
        clients_player *const player = &self->player[i];
        if (player->late_size > 0) {
            const hy_bytes json = { player->late, player->late_size };
            any = take_sticks(self, player, json, now_us).what == CLIENTS_STICKS || any;
        }
    }
    return any;
}

// --------------------------------------------------------------------------- all messages

static const struct {
    const char *verb;
    view_page_right right;
    clients_reply (*hear)(clients *self, page_command it);
} commands[] = {
#define COMMAND(verb, right) { #verb, right, handle_##verb },
    VIEW_PAGE_VERBS(COMMAND)
#undef COMMAND
};

static bool is_own_seat(const clients_page *page, hy_bytes text)
{
    return page->seat == 0 || number_of(take_word(&text)) == page->seat;
}

static clients_reply handle_command(clients *self, page_command it)
{
    const clients_page *const who = &self->pages[it.page];
    const hy_bytes verb = take_word(&it.text);
    size_t i = 0;
    while (i < sizeof commands / sizeof commands[0] && !is_word(verb, commands[i].verb)) {
        i++;
    }
    if (i == sizeof commands / sizeof commands[0]) {
        return drop(self);
    }
    const view_page_right right = commands[i].right;
    if (right != VIEW_ANYBODY && !who->may_command) {
        return refuse(self,
                      "this page may only look: open the whole address that the program printed");
    }
    if ((right == VIEW_TOKEN && who->seat != 0) ||
        (right == VIEW_OWN_SEAT && !is_own_seat(who, it.text))) {
        return refuse(self, "this page may only drive player %u", who->seat);
    }
    return commands[i].hear(self, it);
}

clients_reply clients_receive(clients *self, unsigned page, hy_bytes text, bool is_old,
                              int64_t now_us)
{
    assert(page < HY_WEB_CLIENTS);
    clients_page *const who = &self->pages[page];
    if (who->is_leaving || who->end_why != NULL) {
        return drop(self);
    }
    who->said_us = now_us;
    if (!who->is_known) {
        return handle_first(self, who, text, now_us);
    }
    switch (view_bucket_take(&who->bucket, seats_of(self, page), now_us)) {
    case VIEW_BUCKET_OVER: return handle_over(self, (page_command){ page, text, is_old, now_us });
    case VIEW_BUCKET_TOO_LONG:
        return (clients_reply){ .what = CLIENTS_DISCONNECTED,
                                .word = "this page sends too many messages" };
    case VIEW_BUCKET_PASSES: break;
    }
    return handle_command(self, (page_command){ page, text, is_old, now_us });
}
