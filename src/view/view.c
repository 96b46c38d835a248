#include <assert.h>
#include <halyard/link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients.h"
#include "layouts.h"
#include "system/system.h"
#include "token.h"
#include "view.h"

// The messages to a page, in the order in which they are sent.
enum {
    SLOT_HELLO,
    SLOT_ERROR,
    SLOT_PONG,
    SLOT_SEATS,
    SLOT_RESET,
    SLOT_PLAYERS,
    SLOT_TUNING,
    SLOT_CHANNELS,
    SLOT_PLOT,
    SLOT_STATE,
    SLOTS
};

#define SCENE_MAX     (1u << 20)
#define ADDRESSES_MAX 256
#define HELLO_HEAD    (256 + 2 * ADDRESSES_MAX)
#define WORD_MAX      (6 * CLIENTS_WORD_SIZE + 64) // every byte escaped
#define SEATS_MAX     1024
#define PLAYERS_MAX   4096
#define STATE_MAX     (256u << 10)
#define TUNING_MAX    (64u << 10)
#define PLOT_MAX      (40u * HY_VIEW_PLOT_CHANNELS * HY_VIEW_PLOT_SAMPLES)
#define NAMES_MAX     (1u << 20)
#define REDIRECT_MAX  1024

// All pages are told of a change of who drives at most this often; hy_view_set_links() tells them again.
#define PLAYERS_PERIOD_US 50000

struct hy_view {
    clients clients;
    hy_web *web;
    char token[HY_VIEW_TOKEN_SIZE];
    char addresses[ADDRESSES_MAX];
    char redirect[HY_FILE_PATH_MAX]; // a file that leads to the page; "": there is none
    hy_scene_link links[HY_ICD_PLAYERS];
    size_t link_count;
    bool has_new_players, has_new_seats; // since pages were told
    int64_t players_due_us, state_due_us;
    uint8_t *scene, *new_scene; // as JSON; the present one, and room for the next
    size_t scene_size, scene_room;
    uint8_t *hello, *state; // messages under way; the last state is kept for newcomers
    size_t state_size;
    uint8_t *tuning; // the last message of it, for newcomers; NULL: pages may change nothing
    size_t tuning_size;
    uint8_t *channels, *plot; // of a recording: messages that tell what can be plotted, and a plot
    size_t channels_size;
};

static hy_bytes written(const hy_text *text)
{
    return (hy_bytes){ text->bytes, text->size };
}

// --------------------------------------------------------------------------- sending

// Each slot is as large as the buffer that its text is written into.

static void show(hy_view *self, unsigned page, unsigned slot, const hy_text *text)
{
    if (!text->is_full) {
        (void)hy_web_show_one(self->web, page, slot, written(text));
    }
}

static void show_all(hy_view *self, unsigned slot, const hy_text *text)
{
    const hy_web_audience all = clients_audience(&self->clients);
    if (!text->is_full) {
        (void)hy_web_show(self->web, &all, slot, written(text));
    }
}

static void send_hello(hy_view *self, unsigned page)
{
    const bool has_token = clients_has_token(&self->clients, page);
    const hy_scene_hello hello = {
        .may_command = self->clients.pages[page].may_command,
        .seat = self->clients.pages[page].seat,
        .watchers = self->clients.watchers,
        .addresses = has_token && self->addresses[0] != '\0' ? self->addresses : NULL,
        .token = has_token ? self->token : NULL,
    };
    hy_text text = hy_text_in((hy_room){ self->hello, self->scene_room + HELLO_HEAD });
    hy_scene_write_hello(&text, &hello, (hy_bytes){ self->scene, self->scene_size });
    show(self, page, SLOT_HELLO, &text);
}

static void send_all_hello(hy_view *self)
{
    for (unsigned page = 0; page < HY_WEB_CLIENTS; page++) {
        if (clients_is_watching(&self->clients, page)) {
            send_hello(self, page);
        }
    }
}

/// Sends the tokens of seats to pages with the token, which could make them anyway.
static void send_seats(hy_view *self)
{
    hy_scene_seat seats[HY_ICD_PLAYERS];
    size_t count = 0;
    for (unsigned i = 0; i < HY_ICD_PLAYERS; i++) {
        const char *const token = self->clients.player[i].seat_token;
        if (token[0] != '\0') {
            seats[count++] =
                (hy_scene_seat){ token, i + 1, clients_is_seat_used(&self->clients, i + 1) };
        }
    }
    uint8_t bytes[SEATS_MAX];
    hy_text text = hy_text_in((hy_room){ bytes, sizeof bytes });
    hy_scene_write_seats(&text, seats, count);
    for (unsigned i = 0; i < HY_WEB_CLIENTS; i++) {
        if (clients_is_watching(&self->clients, i) && clients_has_token(&self->clients, i)) {
            show(self, i, SLOT_SEATS, &text);
        }
    }
}

/// Sends who reset a match with the button of a player, or, with player 0, a board's world.
static void send_reset(hy_view *self, unsigned player, const char *name)
{
    uint8_t bytes[WORD_MAX];
    hy_text text = hy_text_in((hy_room){ bytes, sizeof bytes });
    hy_scene_write_reset(&text, player, name);
    show_all(self, SLOT_RESET, &text);
}

/// The same of the button that was pressed since the last call, if one was.
static void send_pressed_reset(hy_view *self)
{
    const unsigned player = clients_take_reset(&self->clients);
    const int owner = player > 0 ? self->clients.player[player - 1].owner : -1;
    if (owner >= 0) {
        send_reset(self, player, self->clients.pages[owner].name);
    }
}

static void send_word(hy_view *self, unsigned page, unsigned slot, const char *type, const char *word)
{
    uint8_t bytes[WORD_MAX];
    hy_text text = hy_text_in((hy_room){ bytes, sizeof bytes });
    hy_scene_write_word(&text, type, word);
    show(self, page, slot, &text);
}

/// Sends a page who drives which player; its own players are "you".
static void send_players(hy_view *self, unsigned page)
{
    uint8_t bytes[PLAYERS_MAX];
    hy_scene_driver drivers[HY_ICD_PLAYERS];
    for (size_t i = 0; i < self->link_count; i++) {
        const int owner = self->clients.player[self->links[i].player - 1].owner;
        drivers[i].owner = owner < 0            ? HY_SCENE_NOBODY
                           : owner == (int)page ? HY_SCENE_YOU
                                                : HY_SCENE_OTHER;
        drivers[i].name = owner < 0 ? NULL : self->clients.pages[owner].name;
    }
    hy_text text = hy_text_in((hy_room){ bytes, sizeof bytes });
    hy_scene_write_players(&text, self->links, drivers, self->link_count);
    self->clients.counters.players++;
    show(self, page, SLOT_PLAYERS, &text);
}

static void send_all_players(hy_view *self)
{
    self->has_new_players = false;
    for (unsigned page = 0; page < HY_WEB_CLIENTS && self->link_count > 0; page++) {
        if (clients_is_watching(&self->clients, page)) {
            send_players(self, page);
        }
    }
}

/// Sends what has changed since the last call, once for however many messages: a page that gives itself a name a hundred times a
/// second costs no more than one that does it once.
static void send_changes(hy_view *self, int64_t now_us)
{
    if (self->has_new_players && now_us >= self->players_due_us) {
        self->players_due_us = now_us + PLAYERS_PERIOD_US;
        send_all_players(self);
    }
    if (self->has_new_seats) {
        self->has_new_seats = false;
        send_seats(self);
    }
}

static void admit(hy_view *self, unsigned page)
{
    send_hello(self, page);
    self->has_new_seats = true; // a seat may be used now
    if (self->link_count > 0) {
        send_players(self, page);
    }
    if (self->tuning_size > 0) {
        (void)hy_web_show_one(self->web, page, SLOT_TUNING,
                              (hy_bytes){ self->tuning, self->tuning_size });
    }
    if (self->channels_size > 0) {
        (void)hy_web_show_one(self->web, page, SLOT_CHANNELS,
                              (hy_bytes){ self->channels, self->channels_size });
    }
    if (self->state_size > 0) {
        (void)hy_web_show_one(self->web, page, SLOT_STATE,
                              (hy_bytes){ self->state, self->state_size });
    }
}

// --------------------------------------------------------------------------- receiving

/// Closes the connection of a page. Its players and buttons are released at once, however long the closing takes.
static unsigned disconnect(hy_view *self, unsigned page, const char *why)
{
    const bool had_player = clients_disconnect(&self->clients, page);
    hy_web_disconnect(self->web, page, why);
    self->has_new_players = self->has_new_players || had_player;
    self->has_new_seats = true;
    return had_player ? HY_VIEW_NEW_STICKS : 0;
}

static unsigned take_page(hy_view *self, unsigned page)
{
    if (!hy_web_admit(self->web, page, self->clients.pages[page].may_command)) {
        return disconnect(self, page, "too many pages are open");
    }
    admit(self, page);
    return 0;
}

/// Another page drives a player now, or is called otherwise: the page that wanted it is told at once.
static unsigned change_owners(hy_view *self, unsigned page)
{
    if (self->link_count > 0 && clients_is_watching(&self->clients, page)) {
        send_players(self, page);
    }
    self->has_new_players = true;
    return HY_VIEW_NEW_STICKS;
}

static unsigned obey(hy_view *self, unsigned page, const clients_reply *reply)
{
    switch (reply->what) {
    case CLIENTS_ADMITTED: return take_page(self, page);
    case CLIENTS_DISCONNECTED: return disconnect(self, page, reply->word);
    case CLIENTS_ERROR: send_word(self, page, SLOT_ERROR, "sorry", reply->word); return 0;
    case CLIENTS_PONG: send_word(self, page, SLOT_PONG, "pong", reply->word); return 0;
    case CLIENTS_OWNERS: return change_owners(self, page);
    case CLIENTS_STICKS: return HY_VIEW_NEW_STICKS;
    case CLIENTS_RESET: send_reset(self, 0, self->clients.pages[page].name); return HY_VIEW_RESET;
    case CLIENTS_STOP: return HY_VIEW_STOP;
    case CLIENTS_PUSH: return HY_VIEW_PUSH;
    case CLIENTS_REPLAY: return HY_VIEW_REPLAY;
    case CLIENTS_CHANGE: return HY_VIEW_CHANGE;
    case CLIENTS_SEATS: self->has_new_seats = true; return 0;
    case CLIENTS_NOTHING: break;
    }
    return 0;
}

static unsigned take_in(hy_view *self, const hy_web_event *event, int64_t now_us)
{
    if (event->what == HY_WEB_CONNECTED) {
        clients_open(&self->clients, event->client, now_us);
        return 0;
    }
    if (event->what == HY_WEB_CLOSED) {
        const bool had_player = clients_close(&self->clients, event->client);
        self->has_new_seats = true;
        return had_player ? obey(self, event->client, &(clients_reply){ .what = CLIENTS_OWNERS }) : 0;
    }
    const clients_reply reply =
        clients_receive(&self->clients, event->client, event->bytes, event->is_old, now_us);
    return obey(self, event->client, &reply);
}

static void remove_redirect(hy_view *self)
{
    if (self->redirect[0] != '\0') {
        (void)remove(self->redirect);
        self->redirect[0] = '\0';
    }
}

unsigned hy_view_poll(hy_view *self, int64_t now_us)
{
    unsigned happened = 0;
    hy_web_event event;
    for (int i = 0; i < HY_VIEW_POLL_MESSAGES && hy_web_next(self->web, &event); i++) {
        happened |= take_in(self, &event, now_us);
    }
    happened |= clients_settle(&self->clients, now_us) ? HY_VIEW_NEW_STICKS : 0;
    const char *why = NULL;
    for (int ended; (ended = clients_find_ended(&self->clients, now_us, &why)) >= 0;) {
        happened |= disconnect(self, (unsigned)ended, why);
    }
    if (self->clients.once[0] == '\0') { // its page is here
        remove_redirect(self);
    }
    send_changes(self, now_us);
    send_pressed_reset(self);
    return happened;
}

hy_view_replay hy_view_take_replay(hy_view *self)
{
    const hy_view_replay asked = self->clients.replay;
    self->clients.replay = (hy_view_replay){ .seeks = false };
    return asked;
}

bool hy_view_take_plot(hy_view *self, hy_view_plot *out)
{
    return clients_take_plot(&self->clients, out);
}

void hy_view_show_plot(hy_view *self, const hy_view_plot *asked, const hy_scene_series *series,
                       size_t count)
{
    if (self->plot != NULL) {
        hy_text text = hy_text_in((hy_room){ self->plot, PLOT_MAX });
        hy_scene_write_series(&text, (double)asked->from_ms * 1e-3, (double)asked->to_ms * 1e-3,
                              series, count);
        show(self, asked->page, SLOT_PLOT, &text);
    }
}

bool hy_view_take_change(hy_view *self, hy_view_change *out)
{
    return clients_take_change(&self->clients, out);
}

bool hy_view_is_driven(const hy_view *self, unsigned player)
{
    return player >= 1 && player <= HY_ICD_PLAYERS && self->clients.player[player - 1].owner >= 0;
}

hy_icd_sticks hy_view_sticks(const hy_view *self, unsigned player, int64_t now_us)
{
    if (hy_view_is_driven(self, player) &&
        now_us - self->clients.player[player - 1].said_us <= HY_VIEW_SILENCE_US) {
        return self->clients.player[player - 1].sticks;
    }
    return (hy_icd_sticks){ .left_x = 0 };
}

void hy_view_take_away(hy_view *self, unsigned player, const char *why)
{
    const int owner = hy_view_is_driven(self, player) ? self->clients.player[player - 1].owner : -1;
    if (owner >= 0) {
        clients_take_away(&self->clients, player);
        send_word(self, (unsigned)owner, SLOT_ERROR, "sorry", why);
        send_all_players(self);
    }
}

bool hy_view_button(const hy_view *self, unsigned robot, int64_t now_us)
{
    assert(robot >= 1 && robot <= HY_SCENE_ROBOTS);
    const clients_button *const button = &self->clients.button[robot - 1];
    return clients_is_held(&self->clients, robot - 1) || now_us < button->until_us;
}

bool hy_view_take_push(hy_view *self, unsigned robot)
{
    assert(robot >= 1 && robot <= HY_SCENE_ROBOTS);
    const unsigned bit = 1U << (robot - 1);
    const bool is_pushed = (self->clients.pushed & bit) != 0;
    self->clients.pushed &= ~bit;
    return is_pushed;
}

// --------------------------------------------------------------------------- scene and state

static hy_text write_scene(hy_room room, const hy_scene *scene)
{
    assert(scene->robot_count <= HY_SCENE_ROBOTS);
    hy_text text = hy_text_in(room);
    hy_scene_write(&text, scene);
    return text;
}

hy_status hy_view_set_scene(hy_view *self, const hy_scene *scene)
{
    const hy_text text = write_scene((hy_room){ self->new_scene, self->scene_room }, scene);
    if (text.is_full) {
        return HY_ERANGE;
    }
    if (text.size == self->scene_size && memcmp(self->scene, text.bytes, text.size) == 0) {
        return HY_OK;
    }
    uint8_t *const old = self->scene;
    self->scene = self->new_scene;
    self->new_scene = old;
    self->scene_size = text.size;
    self->state_size = 0; // it was of the old scene
    send_all_hello(self);
    return HY_OK;
}

bool hy_view_is_watched(const hy_view *self)
{
    for (unsigned page = 0; page < HY_WEB_CLIENTS; page++) {
        if (clients_is_watching(&self->clients, page)) {
            return true;
        }
    }
    return false;
}

bool hy_view_wants_state(const hy_view *self, int64_t now_us)
{
    return now_us >= self->state_due_us && hy_view_is_watched(self);
}

void hy_view_set_state(hy_view *self, const hy_scene_state *state, int64_t now_us)
{
    assert(state->robot_count <= HY_SCENE_ROBOTS && state->piece_count <= HY_ICD_PIECES);
    self->state_due_us = now_us + HY_VIEW_STATE_PERIOD_US;
    hy_text text = hy_text_in((hy_room){ self->state, STATE_MAX });
    hy_scene_write_state(&text, state);
    self->state_size = text.is_full ? 0 : text.size;
    self->clients.counters.states++;
    show_all(self, SLOT_STATE, &text);
}

void hy_view_set_links(hy_view *self, const hy_scene_link *links, size_t count)
{
    assert(count <= HY_ICD_PLAYERS);
    memcpy(self->links, links, count * sizeof *links);
    self->link_count = count;
    send_all_players(self);
}

void hy_view_set_tuning(hy_view *self, const hy_scene_tuning *tuning)
{
    assert(tuning->number_count <= HY_SCENE_TUNABLES && tuning->chooser_count <= HY_SCENE_CHOOSERS);
    if (self->tuning == NULL) {
        return;
    }
    hy_text text = hy_text_in((hy_room){ self->tuning, TUNING_MAX });
    hy_scene_write_tuning(&text, tuning);
    self->tuning_size = text.is_full ? 0 : text.size;
    self->clients.numbers = text.is_full ? 0 : tuning->number_count;
    self->clients.choosers = text.is_full ? 0 : tuning->chooser_count;
    show_all(self, SLOT_TUNING, &text);
}

// --------------------------------------------------------------------------- life

/// Allocates room for the scene as it is, and for a later one that is larger.
static hy_status make_scene(hy_view *self, const hy_scene *scene)
{
    uint8_t *const bytes = malloc(SCENE_MAX);
    if (bytes == NULL) {
        return HY_EMEMORY;
    }
    const hy_text text = write_scene((hy_room){ bytes, SCENE_MAX }, scene);
    self->scene_size = text.size;
    self->scene_room = text.size + text.size / 4 + 16384;
    self->scene = malloc(self->scene_room);
    self->new_scene = malloc(self->scene_room);
    self->hello = malloc(self->scene_room + HELLO_HEAD);
    self->state = malloc(STATE_MAX);
    const bool has_memory = self->scene != NULL && self->new_scene != NULL && self->hello != NULL &&
                            self->state != NULL;
    if (has_memory) {
        memcpy(self->scene, bytes, text.size);
    }
    free(bytes);
    return text.is_full ? HY_ERANGE : has_memory ? HY_OK : HY_EMEMORY;
}

/// Writes the message that lists a recording's channels. Without room for all of their names the list is empty.
static hy_status make_channels(hy_view *self, const hy_view_options *options)
{
    if (options->channel_count == 0) {
        return HY_OK;
    }
    self->channels = malloc(NAMES_MAX);
    self->plot = malloc(PLOT_MAX);
    if (self->channels == NULL || self->plot == NULL) {
        return HY_EMEMORY;
    }
    hy_text text = hy_text_in((hy_room){ self->channels, NAMES_MAX });
    hy_scene_write_channels(&text, options->channels, options->channel_count);
    self->channels_size = text.is_full ? 0 : text.size;
    return HY_OK;
}

#define SCENE_FILES (2 + HY_SCENE_ROBOTS) // the mat, and models of the field and of each robot

/// Adds a file of the scene, unless it is there already.
static void add_file(hy_web_file files[SCENE_FILES], size_t *count, hy_web_file file)
{
    size_t known = 0;
    while (file.path != NULL && known < *count && strcmp(files[known].path, file.path) != 0) {
        known++;
    }
    if (file.path != NULL && known == *count) {
        files[(*count)++] = file;
    }
}

/// The files that a scene names, which are served beside the page's. Returns how many there are.
static size_t list_files(const hy_scene *scene, hy_web_file files[SCENE_FILES])
{
    static const char gltf[] = "model/gltf-binary";
    size_t count = 0;
    add_file(files, &count, (hy_web_file){ scene->mat_url, "image/png", scene->mat_png });
    add_file(files, &count, (hy_web_file){ scene->gltf_url, gltf, scene->gltf });
    for (size_t i = 0; i < scene->robot_count; i++) {
        add_file(files, &count,
                 (hy_web_file){ scene->robots[i].gltf_url, gltf, scene->robots[i].gltf });
    }
    return count;
}

static hy_status start_web(hy_view *self, const hy_view_options *options, const hy_scene *scene)
{
    hy_web_file files[SCENE_FILES + LAYOUT_FILES];
    layout_memory *const layouts = malloc(sizeof *layouts);
    if (layouts == NULL) {
        return HY_EMEMORY;
    }
    size_t file_count = list_files(scene, files);
    file_count += layouts_write(scene, layouts, files + file_count);
    const size_t slot_sizes[SLOTS] = { [SLOT_HELLO] = self->scene_room + HELLO_HEAD,
                                       [SLOT_ERROR] = WORD_MAX,
                                       [SLOT_PONG] = WORD_MAX,
                                       [SLOT_SEATS] = SEATS_MAX,
                                       [SLOT_RESET] = WORD_MAX,
                                       [SLOT_PLAYERS] = PLAYERS_MAX,
                                       [SLOT_TUNING] = self->tuning != NULL ? TUNING_MAX : 1,
                                       [SLOT_CHANNELS] = self->channels_size + 1,
                                       [SLOT_PLOT] = self->plot != NULL ? PLOT_MAX : 1,
                                       [SLOT_STATE] = STATE_MAX };
    const hy_web_endpoint endpoint = { .path = "/live", .protocol = "halyard-page" };
    const hy_web_options web = {
        .listen = options->listen,
        .folder = options->folder,
        .without_folder = options->without_folder,
        .files = files,
        .file_count = file_count,
        .endpoints = &endpoint,
        .endpoint_count = 1,
        .token = self->token,
        .names = options->names,
        .slot_sizes = slot_sizes,
        .slot_count = SLOTS,
    };
    const hy_status status = hy_web_open(&self->web, &web);
    free(layouts);
    return status;
}

static hy_status start(hy_view *self, const hy_view_options *options, const hy_scene *scene)
{
    self->clients = (clients){ .token = self->token,
                               .watchers = options->watchers,
                               .can_reset = options->can_reset,
                               .is_replay = options->is_replay,
                               .players = options->players,
                               .buttons = options->buttons,
                               .reader = hy_icd_reader_open() };
    clients_start(&self->clients);
    if (self->clients.reader == NULL) {
        return HY_EMEMORY;
    }
    hy_status status = view_token_take(self->token, options->token);
    if (status == HY_OK) {
        status = make_scene(self, scene);
    }
    if (status == HY_OK) {
        status = make_channels(self, options);
    }
    if (status == HY_OK && options->can_tune) {
        self->tuning = malloc(TUNING_MAX);
        status = self->tuning != NULL ? HY_OK : HY_EMEMORY;
    }
    return status == HY_OK ? start_web(self, options, scene) : status;
}

hy_status hy_view_open(hy_view **out, const hy_view_options *options, const hy_scene *scene)
{
    *out = NULL;
    hy_view *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return HY_EMEMORY;
    }
    const hy_status status = start(self, options, scene);
    if (status != HY_OK) {
        hy_view_close(self);
        return status;
    }
    *out = self;
    return HY_OK;
}

void hy_view_close(hy_view *self)
{
    if (self == NULL) {
        return;
    }
    remove_redirect(self);
    hy_web_close(self->web);
    hy_icd_reader_close(self->clients.reader);
    free(self->scene);
    free(self->new_scene);
    free(self->hello);
    free(self->state);
    free(self->tuning);
    free(self->channels);
    free(self->plot);
    free(self);
}

hy_endpoint hy_view_address(const hy_view *self)
{
    return hy_web_address(self->web);
}

void hy_view_set_addresses(hy_view *self, const char *addresses)
{
    snprintf(self->addresses, sizeof self->addresses, "%s", addresses);
    send_all_hello(self);
}

const char *hy_view_make_redirect(hy_view *self)
{
    char page[REDIRECT_MAX], address[HY_ENDPOINT_TEXT_MAX];
    const hy_endpoint listens = hy_view_address(self), usable = hy_endpoint_local(&listens);
    remove_redirect(self);
    if (!hy_view_new_token(self->clients.once)) {
        return NULL;
    }
    const char *const once = self->clients.once;
    (void)hy_endpoint_format(&usable, address);
    const int size = snprintf(
        page, sizeof page,
        "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">"
        "<meta http-equiv=\"refresh\" content=\"0; url=http://%s/#%s\"><title>Halyard</title>"
        "<a href=\"http://%s/#%s\">Open the page</a>\n",
        address, once, address, once);
    const hy_bytes bytes = { (const uint8_t *)page, (size_t)size };
    return hy_file_write_private("halyard-open-", ".html", bytes, self->redirect) ? self->redirect
                                                                                  : NULL;
}

const char *hy_view_token(const hy_view *self)
{
    return self->token;
}

intptr_t hy_view_descriptor(const hy_view *self)
{
    return hy_web_descriptor(self->web);
}

hy_view_counters hy_view_count(const hy_view *self)
{
    return self->clients.counters;
}
