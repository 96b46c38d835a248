// `halyard view`: a match in the browser, and the browser as joysticks.
#include <halyard/robots.h>
#include <halyard/worldfile.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/app.h"
#include "host/host_loop.h"
#include "host/host_names.h"
#include "host/host_page.h"
#include "host/host_phantoms.h"
#include "host/host_ready.h"
#include "view_player.h"
#include "view_record.h"

#define COMMAND "halyard view"

#define PLAYERS_ONE UINT64_MAX // the one of --player

#define TICK_US        10000
#define TICK_EARLY_US  500  // a state that comes so little before a tick is the tick
#define TICK_LATE_US   2000 // and so long the next one may be late
#define TICKS_A_BEAT   5    // heartbeats to the sim
#define TICKS_A_COUNT  3    // the sim's messages that nobody reads
#define TICKS_A_STATUS 5    // the sim's, which comes every tenth of a second
#define TICKS_A_LINK   20   // what pages hear about links
#define SIM_SILENT_US  100000

// Sent at the end for who was driving, so that a lost one does not matter.
#define LAST_MESSAGES 5

typedef struct {
    const char *config;
    uint64_t players, views, bots;
    double duration_s, match_s;
    const char *faults_shown; // NULL: none
    hy_host_page_options page;
    hy_host_names names;
    view_player_options player;
    hy_host_record record;
    hy_host_phantoms phantom;
} view_options;

typedef struct viewer {
    view_options options;
    hy_match_model *model;
    hy_scene_of_world scene;
    hy_world_model *showroom; ///< One robot of each type ...
    hy_scene_of_world looks;  ///< ... and how they look.
    hy_scene_of_match match;
    hy_phantoms *phantoms; // NULL: none are shown
    view_record record;
    hy_icd_status status; // as last told
    int64_t status_us;    // when; 0: never
    hy_view *view;
    hy_icd_reader *reader;
    hy_host host; // without a simulation: the recording is attached to it
    hy_host_loop loop;
    view_player players[HY_ICD_PLAYERS]; // by number; those that are not viewed stay zero
    unsigned first, last;                // players that are viewed
    unsigned last_told;                  // the sim sends to the ports of players up to this one
    unsigned told_by;                    // whose messages are read: all views are told the same
    unsigned ticks;
    int64_t tick_us; // when the last one was
    uint64_t rx_malformed;
} viewer;

// --------------------------------------------------------------------------- the command line

static bool check(view_options *options)
{
    if (options->players == PLAYERS_ONE) {
        options->players = 0;
    } else if (options->players < 1 || options->players > HY_ICD_PLAYERS) {
        hy_print_error(COMMAND, "--players %" PRIu64 ": there is room for 1 to %d",
                       options->players, HY_ICD_PLAYERS);
        return false;
    }
    if (options->views > options->players) {
        hy_print_error(COMMAND,
                       "--views %" PRIu64 ": give --players N as well, and no more than that",
                       options->views);
        return false;
    }
    if (options->bots > options->players) {
        hy_print_error(COMMAND, "--bots %" PRIu64 ": that is more than --players", options->bots);
        return false;
    }
    return icd_options_check(&options->player.icd, COMMAND) &&
           hy_host_phantoms_check(COMMAND, &options->phantom) &&
           hy_host_record_check(COMMAND, &options->record);
}

static hy_options_result read_options(int argc, char **argv, view_options *out)
{
    *out = (view_options){
        .config = "field2020", .players = PLAYERS_ONE, .page.view = "", .player.icd = ICD_OPTIONS
    };
    // clang-format off
    const hy_option table[] = {
        { HY_OPTION(TEXT, view_options, page.view), .name = "listen", .value = "ADDR:PORT", .help = "where the page is served (default " HY_VIEW_LISTEN "; port 0: any free one)" },
        ICD_OPTION_PLAYER(view_options, player.icd),
        { HY_OPTION(WHOLE, view_options, players), .name = "players", .value = "N", .help = "players 1 to N on one page, instead of --player" },
        { HY_OPTION(WHOLE, view_options, views), .name = "views", .value = "N", .help = "the sim sends its state to the ports of players 1 to N only, as its own --views says (default: to each player's)" },
        { HY_OPTION(TEXT, view_options, config), .name = "config", .value = "NAME|FILE", .help = "the field and its robots, as the sim has them (default field2020)" },
        { HY_OPTION(TEXT, view_options, faults_shown), .name = "faults-shown", .value = "TEXT", .help = "what the page shows as injected on purpose: what the sim's --faults says" },
        { HY_OPTION(NUMBER, view_options, match_s), .name = "seconds", .value = "N", .low = 1.0, .high = 36000.0, .help = "length of a match, as the sim has it (default 135)" },
        { HY_OPTION(WHOLE, view_options, bots), .name = "bots", .value = "N", .help = "the last N of --players are driven by bots while no page drives them: the page says so" },
        ICD_OPTION_HOST("sim", view_options, player.sim, "sim"),
        ICD_OPTION_HOST("core", view_options, player.core, "core"),
        { HY_OPTION(TEXT, view_options, player.icd.listen), .name = "receive", .value = "ADDR", .help = "address of this machine for messages of sim and cores (default 127.0.0.1)" },
        { HY_OPTION(WHOLE, view_options, player.icd.shift), .name = "shift", .value = "N", .help = "add N to every port but the page's: another match on this machine" },
        ICD_OPTION_PORTS(view_options, player.icd),
        { HY_OPTION(FLAG, view_options, player.icd.any_address), .name = "any-address", .help = "check only a sender's port, not its address" },
        { HY_OPTION(NUMBER, view_options, duration_s), .name = "duration", .value = "SECONDS", .low = 0.01, .high = 1e9, .help = "exit after that long (default: on Ctrl-C)" },
    };
    // clang-format on
    hy_option_group groups[] = { HY_OPTION_GROUP(NULL, table, out),
                                 hy_host_page_group_without_view(&out->page),
                                 hy_host_phantoms_group(&out->phantom),
                                 hy_host_names_group(&out->names, false),
                                 hy_host_record_group(&out->record, HY_HOST_RECORD_FILE) };
    const hy_command_line line = {
        COMMAND, "shows a match in the browser, where players can drive", groups,
        sizeof groups / sizeof groups[0],
        "When it is ready it prints 'halyard: ready page=http://ADDR:PORT/#TOKEN'. "
        "Who opens that address may drive; while a\n"
        "page drives a player, this program is that player's joystick."
    };
    const hy_options_result result = hy_options_parse(&line, argc, argv);
    return result != HY_OPTIONS_OK ? result : check(out) ? HY_OPTIONS_OK : HY_OPTIONS_WRONG;
}

// --------------------------------------------------------------------------- what the sim says

static view_player *player_of(viewer *self, unsigned number)
{
    return &self->players[number - 1];
}

// Time is that of the match: what is left of it falls.
static void move_phantoms(const viewer *self)
{
    const hy_icd_match *const match = &self->match.match;
    if (self->phantoms != NULL && match->vehicle_count > 0) {
        const hy_icd_vehicle *const robot = &match->vehicle[0];
        const hy_phantoms_living living = { -match->timer_s, robot->x_m, robot->y_m,
                                            robot->theta_rad, match->timer_runs };
        hy_phantoms_move(self->phantoms, &living);
    }
}

static void read_state(viewer *self, const hy_datagram *datagram, int64_t now_us)
{
    if (hy_icd_read_match(self->reader, datagram->bytes, &self->match.match) != HY_OK) {
        self->rx_malformed++;
        icd_refuse(&self->options.player.icd, datagram, self->reader);
        return;
    }
    hy_scene_of_match_receive(&self->match, datagram->at_us);
    move_phantoms(self);
    view_record_put(&self->record, &self->match.match, now_us);
    for (unsigned number = self->first; number <= self->last; number++) {
        if (number <= self->match.match.vehicle_count) {
            hy_view_meter_seen(&player_of(self, number)->meter,
                               &self->match.match.vehicle[number - 1], now_us);
        }
    }
}

static void show_if_due(viewer *self, int64_t now_us)
{
    if (self->match.is_new && hy_view_wants_state(self->view, now_us)) {
        if (hy_scene_of_match_update(&self->match, now_us) &&
            hy_view_set_scene(self->view, &self->match.scene) != HY_OK) {
            return; // cannot happen with names as short as these
        }
        hy_scene_state state = hy_scene_of_match_state(&self->match, now_us);
        if (self->phantoms != NULL) {
            hy_phantoms_put(self->phantoms, &state);
        }
        hy_view_set_state(self->view, &state, now_us);
    }
}

static void on_states(void *context, int64_t now_us);

/// Has the loop wake us for the messages of player `number`. Those to the others say the same: they are only counted, when there
/// is time.
static hy_status listen_to(viewer *self, unsigned number)
{
    hy_loop_forget(&self->loop.loop, hy_link_descriptor(&player_of(self, self->told_by)->sim));
    self->told_by = number;
    return hy_loop_watch(&self->loop.loop, hy_link_descriptor(&player_of(self, number)->sim),
                         on_states, self);
}

static bool is_silent(viewer *self, unsigned number, int64_t now_us)
{
    const double age_ms = hy_view_meter_age_ms(&player_of(self, number)->meter, now_us);
    return age_ms < 0.0 || age_ms > SIM_SILENT_US * 1e-3;
}

static void take_states(viewer *self, unsigned number, int64_t now_us)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = view_player_receive(player_of(self, number), batch, now_us);
    for (unsigned untold = self->last_told + 1; untold <= self->last; untold++) {
        view_player_share(player_of(self, untold), count, now_us);
    }
    if (count > 0 && number != self->told_by && is_silent(self, self->told_by, now_us)) {
        (void)listen_to(self, number); // there is room: another was forgotten
    }
    // Without a page, a recording and phantoms they only show that the sim is there.
    const bool is_wanted = hy_view_is_watched(self->view) ||
                           self->options.record.sim.telemetry != NULL || self->phantoms != NULL;
    const bool is_read = number == self->told_by && is_wanted;
    for (size_t i = 0; i < count && is_read; i++) {
        read_state(self, &batch[i], now_us);
    }
}

/// All views are told the same, so any will do; a sim that is not ours tells nothing.
static void take_statuses(viewer *self, unsigned number, int64_t now_us)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = view_player_receive_status(player_of(self, number), batch);
    for (size_t i = 0; i < count; i++) {
        if (hy_icd_read_status(self->reader, batch[i].bytes, &self->status) != HY_OK) {
            self->rx_malformed++;
            icd_refuse(&self->options.player.icd, &batch[i], self->reader);
            continue;
        }
        self->status_us = now_us;
        hy_scene_of_match_receive_status(&self->match, &self->status, now_us);
    }
}

/// What the sim tells of a player's core; NULL if it does not.
static const hy_icd_player *heard_of(const viewer *self, unsigned number, int64_t now_us)
{
    const bool is_known =
        self->status_us != 0 && now_us - self->status_us < HY_SCENE_STATUS_SILENT_US;
    return is_known && number <= self->status.player_count ? &self->status.player[number - 1] : NULL;
}

// --------------------------------------------------------------------------- what pages say

static void take_joystick(viewer *self, unsigned number, int64_t now_us)
{
    view_player *const player = player_of(self, number);
    if (!view_player_take(player, now_us)) {
        char why[120];
        snprintf(why, sizeof why,
                 "player %u is driven by another program on this machine: end it first", number);
        hy_view_take_away(self->view, number, why);
    }
}

static void drive(viewer *self, unsigned number, int64_t now_us)
{
    view_player *const player = player_of(self, number);
    if (!player->is_driving) {
        return;
    }
    const hy_icd_sticks sticks = hy_view_sticks(self->view, number, now_us);
    view_record_sticks(&self->record, number, &sticks, now_us);
    if (self->match.is_known && number <= self->match.match.vehicle_count) {
        hy_view_meter_sticks(&player->meter, &sticks, &self->match.match.vehicle[number - 1], now_us);
    }
    if (!view_player_send(player, &sticks, now_us)) {
        view_player_give_back(player);
    }
}

static void drive_all(viewer *self, int64_t now_us)
{
    for (unsigned number = self->first; number <= self->last; number++) {
        const bool is_wanted = hy_view_is_driven(self->view, number);
        if (is_wanted) {
            take_joystick(self, number, now_us);
        } else {
            view_player_let_go(player_of(self, number));
        }
        drive(self, number, now_us);
    }
}

static void on_pages(void *context, int64_t now_us)
{
    viewer *const self = context;
    if ((hy_view_poll(self->view, now_us) & HY_VIEW_NEW_STICKS) != 0) {
        drive_all(self, now_us);
    }
}

// --------------------------------------------------------------------------- time

static void show_links(viewer *self, int64_t now_us)
{
    hy_scene_link links[HY_ICD_PLAYERS];
    size_t count = 0;
    for (unsigned number = self->first; number <= self->last; number++) {
        links[count] =
            view_player_link(player_of(self, number), heard_of(self, number, now_us), now_us);
        links[count++].is_bot = number + self->options.bots > self->last;
    }
    hy_view_set_links(self->view, links, count);
}

static void tick(viewer *self, int64_t now_us)
{
    self->tick_us = now_us;
    self->ticks++;
    if (self->ticks % TICKS_A_BEAT == 0) {
        for (unsigned number = self->first; number <= self->last_told; number++) {
            view_player_beat(player_of(self, number));
        }
    }
    for (unsigned number = self->first;
         number <= self->last_told && self->ticks % TICKS_A_STATUS == 0; number++) {
        take_statuses(self, number, now_us);
    }
    if (self->ticks % TICKS_A_LINK == 0) {
        hy_view_poll(self->view, now_us);
        show_links(self, now_us);
    }
    for (unsigned number = self->first;
         number <= self->last_told && self->ticks % TICKS_A_COUNT == 0; number++) {
        if (number != self->told_by) {
            take_states(self, number, now_us);
        }
    }
    drive_all(self, now_us);
}

static void on_tick(void *context, int64_t now_us)
{
    viewer *const self = context;
    tick(self, now_us);
    show_if_due(self, now_us);
}

/// One wake for both where the sim steps as often as we tick.
static void on_states(void *context, int64_t now_us)
{
    viewer *const self = context;
    take_states(self, self->told_by, now_us);
    if (now_us - self->tick_us >= TICK_US - TICK_EARLY_US) {
        tick(self, now_us);
    }
    // Late by that much each time, ticks meet the states after a few.
    hy_loop_postpone(&self->loop.loop, on_tick, self, self->tick_us + TICK_US + TICK_LATE_US);
    show_if_due(self, now_us);
}

// --------------------------------------------------------------------------- life

/// What robots of other kinds look like, on every field the same: they are drawn from a world that has one of each type.
static bool make_looks(viewer *self)
{
    hy_world_error error;
    hy_world_spec spec;
    hy_world_spec_init(&spec);
    snprintf(spec.name, sizeof spec.name, "showroom");
    spec.height_m = 3;
    const hy_robot_type *type;
    for (size_t i = 0; (type = hy_robot_type_at(i)) != NULL; i++) {
        hy_vehicle_spec *const vehicle = hy_world_spec_add_vehicle(&spec, type->variants[0].vehicle);
        if (vehicle != NULL) {
            vehicle->start_x_m = spec.width_m + 1.5;
            vehicle->start_y_m = 1.5;
            spec.width_m += 3;
        }
    }
    return hy_world_compile(&spec, &self->showroom, &error) == HY_OK &&
           hy_scene_make(&self->looks, self->showroom, (hy_point){ 0.0, 0.0 });
}

static bool load_scene(viewer *self)
{
    char path[HY_WORLDFILE_PATH_MAX];
    hy_world_error error;
    if (!hy_worldfile_find(self->options.config, path, &error) ||
        hy_worldfile_load_match(path, &self->model, &error) != HY_OK) {
        hy_print_error(COMMAND, "%s", error.text);
        return false;
    }
    if (!hy_scene_make(&self->scene, hy_match_world(self->model), hy_match_middle(self->model)) ||
        !make_looks(self)) {
        hy_print_error(COMMAND, "there is not enough memory");
        return false;
    }
    if (!hy_host_phantoms_open(COMMAND, &self->options.phantom, &self->scene.scene, &self->phantoms)) {
        return false;
    }
    if (self->phantoms != NULL) {
        hy_phantoms_show(self->phantoms, &self->scene.scene);
    }
    self->scene.scene.faults = self->options.faults_shown;
    self->scene.scene.match_s = self->options.match_s > 0 ? self->options.match_s : HY_MATCH_SECONDS;
    hy_scene_of_match_start(&self->match, &self->scene, self->model, &self->looks.scene,
                            hy_clock_now_us());
    return true;
}

static bool open_players(viewer *self)
{
    const view_options *const o = &self->options;
    self->first = o->players > 0 ? 1 : (unsigned)o->player.icd.player;
    self->last = o->players > 0 ? (unsigned)o->players : self->first;
    self->last_told = o->views > 0 ? (unsigned)o->views : self->last;
    self->told_by = self->first;
    bool ok = true;
    for (unsigned number = self->first; number <= self->last && ok; number++) {
        ok = view_player_init(player_of(self, number), COMMAND, &o->player, number) &&
             (number > self->last_told || view_player_open(player_of(self, number)));
    }
    self->reader = hy_icd_reader_new();
    if (self->reader == NULL) {
        hy_print_error(COMMAND, "there is not enough memory");
    }
    return ok && self->reader != NULL;
}

static bool start_view(viewer *self)
{
    hy_view_options options = { .watchers = false };
    for (unsigned number = self->first; number <= self->last; number++) {
        options.players |= 1U << (number - 1);
    }
    self->options.page.place.names = self->options.names.names;
    self->view = hy_host_page_serve(COMMAND, &self->options.page.place, &options, &self->match.scene);
    return self->view != NULL;
}

static bool start_record(viewer *self)
{
    self->options.record.title = COMMAND;
    self->record.file = &self->options.record;
    self->record.middle = hy_match_middle(self->model);
    const bool ok = hy_host_record_start(&self->options.record, &self->host, NULL);
    view_record_declare(&self->record);
    return ok;
}

static bool start_loop(viewer *self)
{
    hy_host_loop *const loop = &self->loop;
    const int64_t now_us = hy_clock_now_us();
    hy_host_loop_every(loop, now_us + TICK_US, TICK_US, on_tick, self);
    loop->status = loop->status == HY_OK ? listen_to(self, self->first) : loop->status;
    hy_host_loop_watch(loop, hy_view_descriptor(self->view), on_pages, self);
    hy_host_loop_end_after(loop, now_us, self->options.duration_s);
    return hy_host_loop_start(loop);
}

/// Whoever was driving lets go: the reference core repeats the last sticks for ever. Several times, as a message may be lost.
static void say_goodbye(viewer *self)
{
    bool any = true;
    for (int i = 0; i < LAST_MESSAGES && any; i++) {
        any = false;
        for (unsigned number = self->first; number <= self->last; number++) {
            view_player *const player = player_of(self, number);
            any = any || player->is_driving;
            view_player_stop(player, hy_clock_now_us());
        }
        if (any) {
            nanosleep(&(struct timespec){ .tv_nsec = TICK_US * 1000 }, NULL);
        }
    }
}

static void print_summary(const viewer *self)
{
    const hy_view_counters pages = hy_view_count(self->view);
    view_player_counters sum = { 0 };
    for (size_t i = 0; i < HY_ICD_PLAYERS; i++) {
        sum.states += self->players[i].counters.states;
        sum.rx_strangers += self->players[i].counters.rx_strangers;
        sum.tx_sticks += self->players[i].counters.tx_sticks;
    }
    hy_print_error(COMMAND,
                   "%" PRIu64 " messages of the sim, %" PRIu64 " states shown, %" PRIu64
                   " joystick messages sent; dropped %" PRIu64 " malformed, %" PRIu64
                   " from strangers, %" PRIu64 " of pages, %" PRIu64
                   " of pages that sent too many; %" PRIu64 " wrong tokens",
                   sum.states, pages.states, sum.tx_sticks, self->rx_malformed, sum.rx_strangers,
                   pages.dropped, pages.over_limit, pages.wrong_tokens);
}

static bool serve(viewer *self)
{
    char url[HY_VIEW_URL_MAX];
    hy_ready_line ready = { .pairs = "" };
    hy_ready_line_add(&ready, "page", "%s", hy_view_url(self->view, url));
    hy_ready_line_print(&ready, stdout);
    hy_host_page_announce(COMMAND, self->view, "drive", self->options.page.opens);
    icd_notice(&self->options.player.icd, "can show the page a match that does not take place");
    const bool ok = hy_host_loop_run(&self->loop);
    say_goodbye(self);
    print_summary(self);
    return ok;
}

int app_view(int argc, char **argv)
{
    viewer *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        hy_print_error(COMMAND, "there is not enough memory");
        return APP_FAILED;
    }
    hy_host_loop_init(&self->loop, COMMAND);
    self->host.program = COMMAND;
    hy_options_result result = read_options(argc, argv, &self->options);
    if (result == HY_OPTIONS_OK && !(hy_host_page_check(COMMAND, &self->options.page) &&
                                     hy_host_names_check(COMMAND, &self->options.names))) {
        result = HY_OPTIONS_WRONG;
    }
    int exit_status = app_status(result);
    if (result == HY_OPTIONS_OK) {
        const bool ok = load_scene(self) && open_players(self) && start_view(self) &&
                        start_record(self) && start_loop(self) && serve(self);
        hy_host_close(&self->host);
        exit_status = ok && !self->options.record.has_failed ? APP_OK : APP_FAILED;
        hy_view_stop(self->view);
        for (size_t i = 0; i < HY_ICD_PLAYERS; i++) {
            view_player_close(&self->players[i]);
        }
        hy_icd_reader_free(self->reader);
        hy_phantoms_free(self->phantoms);
        hy_scene_free(&self->scene);
        hy_scene_free(&self->looks);
        hy_world_free(self->showroom);
        hy_match_free(self->model);
    }
    free(self);
    return exit_status;
}
