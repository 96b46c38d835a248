// `halyard view`: a match in the browser, and the browser as joysticks.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/app.h"
#include "host/host_loop.h"
#include "host/host_names.h"
#include "host/host_page.h"
#include "host/host_ready.h"
#include "host/host_world.h"
#include "view_picture.h"
#include "view_players.h"
#include "view_record.h"

#define COMMAND "halyard view"

#define TICK_US        10000
#define TICK_EARLY_US  500  // a state that comes so little before a tick is the tick
#define TICK_LATE_US   2000 // and so long the next one may be late
#define TICKS_A_BEAT   5    // heartbeats to the sim
#define TICKS_A_COUNT  3    // the sim's messages that nobody reads
#define TICKS_A_STATUS 5    // the sim's, which comes every tenth of a second
#define TICKS_A_LINK   20   // what pages hear about links

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
    view_picture picture;
    view_record record;
    hy_view *view;
    hy_host host; // without a simulation: the recording is attached to it
    hy_host_loop loop;
    view_players players;
    unsigned ticks;
    int64_t tick_us; // when the last one was
} viewer;

// --------------------------------------------------------------------------- the command line

static bool check(const char *program, void *to)
{
    view_options *const options = to;
    (void)program;
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
    return icd_options_check(&options->player.icd, COMMAND);
}

static hy_options_result read_options(int argc, char **argv, view_options *out)
{
    *out = (view_options){ .config = "field2020", .page.view = "", .player.icd = ICD_OPTIONS };
    // clang-format off
    const hy_option table[] = {
        { HY_OPTION(TEXT, view_options, page.view), .name = "listen", .value = "ADDR:PORT", .help = "where the page is served (default " HY_VIEW_LISTEN "; port 0: any free one)" },
        ICD_OPTION_PLAYER(view_options, player.icd),
        { HY_OPTION(WHOLE, view_options, players), .name = "players", .value = "N", .low = 1, .high = HY_ICD_PLAYERS, .help = "players 1 to N on one page, instead of --player" },
        { HY_OPTION(WHOLE, view_options, views), .name = "views", .value = "N", .help = "the sim sends its state to the ports of players 1 to N only, as its own --views says (default: to each player's)" },
        { HY_OPTION(TEXT, view_options, config), .name = "config", .value = "NAME|FILE", .reads = true, .names = hy_host_world_names, .help = "the field and its robots, as the sim has them (default field2020)" },
        { HY_OPTION(TEXT, view_options, faults_shown), .name = "faults-shown", .value = "TEXT", .help = "what the page shows as injected on purpose: what the sim's --faults says" },
        { HY_OPTION(NUMBER, view_options, match_s), .name = "seconds", .value = "N", .low = 1.0, .high = 36000.0, .help = "length of a match, as the sim has it (default 135)" },
        { HY_OPTION(WHOLE, view_options, bots), .name = "bots", .value = "N", .help = "the last N of --players are driven by bots while no page drives them: the page says so" },
        ICD_OPTION_HOST("sim", view_options, player.sim, "sim"),
        ICD_OPTION_HOST("core", view_options, player.core, "core"),
        { HY_OPTION(TEXT, view_options, player.icd.listen), .name = "receive", .value = "ADDR", .help = "address of this machine for messages of sim and cores (default 127.0.0.1)" },
        { HY_OPTION(WHOLE, view_options, player.icd.shift), .name = "shift", .value = "N", .help = "add N to every port but the page's: another match on this machine" },
        { HY_OPTION(FLAG, view_options, player.icd.is_json), .name = "json", .help = FIGURES_HELP },
        ICD_OPTION_PORTS(view_options, player.icd),
        { HY_OPTION(FLAG, view_options, player.icd.any_address), .name = "any-address", .help = "check only a sender's port, not its address" },
        { HY_OPTION(NUMBER, view_options, duration_s), .name = "duration", .value = "SECONDS", .low = 0.01, .high = 1e9, .help = "exit after that long (default: on Ctrl-C)" },
    };
    // clang-format on
    hy_option_group groups[] = { HY_OPTION_GROUP_CHECKED(NULL, table, out, check),
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
    return hy_options_parse(&line, argc, argv);
}

// --------------------------------------------------------------------------- what the sim says

static void read_state(viewer *self, const hy_datagram *datagram, int64_t now_us)
{
    view_players *const players = &self->players;
    const hy_icd_match *const match = &self->picture.match.match;
    if (!view_players_read(players, datagram, &self->picture.match.match)) {
        return;
    }
    view_picture_receive(&self->picture, datagram->at_us);
    view_record_put(&self->record, match, now_us);
    for (unsigned number = players->first;
         number <= players->last && number <= match->vehicle_count; number++) {
        hy_view_meter_seen(&view_players_at(players, number)->meter, &match->vehicle[number - 1],
                           now_us);
    }
}

static void on_states(void *context, int64_t now_us);

/// Has the loop wake us for the messages of player `number`. Those to the others say the same: they are only counted, when there
/// is time.
static hy_status listen_to(viewer *self, unsigned number)
{
    view_players *const players = &self->players;
    hy_loop *const loop = &self->loop.loop;
    hy_loop_forget(loop, hy_link_descriptor(&view_players_at(players, players->told_by)->sim));
    players->told_by = number;
    return hy_loop_watch(loop, hy_link_descriptor(&view_players_at(players, number)->sim),
                         on_states, self);
}

static void take_states(viewer *self, unsigned number, int64_t now_us)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = view_players_receive(&self->players, number, batch, now_us);
    const unsigned told_by = self->players.told_by;
    if (count > 0 && number != told_by && view_players_is_silent(&self->players, told_by, now_us)) {
        (void)listen_to(self, number); // there is room: another was forgotten
    }
    // Without a page, a recording and phantoms they only show that the sim is there.
    const bool is_wanted = hy_view_is_watched(self->view) ||
                           self->options.record.sim.telemetry != NULL ||
                           self->picture.phantoms != NULL;
    for (size_t i = 0; i < count && is_wanted && number == self->players.told_by; i++) {
        read_state(self, &batch[i], now_us);
    }
}

// --------------------------------------------------------------------------- what pages say

static void take_joystick(viewer *self, unsigned number, int64_t now_us)
{
    view_player *const player = view_players_at(&self->players, number);
    if (!view_player_take(player, now_us)) {
        char why[120];
        snprintf(why, sizeof why,
                 "player %u is driven by another program on this machine: end it first", number);
        hy_view_take_away(self->view, number, why);
    }
}

static void drive(viewer *self, unsigned number, int64_t now_us)
{
    view_player *const player = view_players_at(&self->players, number);
    if (!player->is_driving) {
        return;
    }
    const hy_icd_sticks sticks = hy_view_sticks(self->view, number, now_us);
    view_record_sticks(&self->record, number, &sticks, now_us);
    if (self->picture.match.is_known && number <= self->picture.match.match.vehicle_count) {
        hy_view_meter_sticks(&player->meter, &sticks,
                             &self->picture.match.match.vehicle[number - 1], now_us);
    }
    if (!view_player_send(player, &sticks, now_us)) {
        view_player_give_back(player);
    }
}

static void drive_all(viewer *self, int64_t now_us)
{
    for (unsigned number = self->players.first; number <= self->players.last; number++) {
        const bool is_wanted = hy_view_is_driven(self->view, number);
        if (is_wanted) {
            take_joystick(self, number, now_us);
        } else {
            view_player_let_go(view_players_at(&self->players, number));
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

static void tick(viewer *self, int64_t now_us)
{
    self->tick_us = now_us;
    self->ticks++;
    if (self->ticks % TICKS_A_BEAT == 0) {
        view_players_beat(&self->players);
    }
    if (self->ticks % TICKS_A_STATUS == 0 && view_players_take_status(&self->players, now_us)) {
        hy_scene_of_match_receive_status(&self->picture.match, &self->players.status, now_us);
    }
    if (self->ticks % TICKS_A_LINK == 0) {
        hy_scene_link links[HY_ICD_PLAYERS];
        hy_view_poll(self->view, now_us);
        const size_t count =
            view_players_links(&self->players, (unsigned)self->options.bots, now_us, links);
        hy_view_set_links(self->view, links, count);
    }
    for (unsigned number = self->players.first;
         number <= self->players.last_told && self->ticks % TICKS_A_COUNT == 0; number++) {
        if (number != self->players.told_by) {
            take_states(self, number, now_us);
        }
    }
    drive_all(self, now_us);
}

static void on_tick(void *context, int64_t now_us)
{
    viewer *const self = context;
    tick(self, now_us);
    view_picture_show(&self->picture, self->view, now_us);
}

/// One wake for both where the sim steps as often as we tick.
static void on_states(void *context, int64_t now_us)
{
    viewer *const self = context;
    take_states(self, self->players.told_by, now_us);
    if (now_us - self->tick_us >= TICK_US - TICK_EARLY_US) {
        tick(self, now_us);
    }
    // Late by that much each time, ticks meet the states after a few.
    hy_loop_postpone(&self->loop.loop, on_tick, self, self->tick_us + TICK_US + TICK_LATE_US);
    view_picture_show(&self->picture, self->view, now_us);
}

// --------------------------------------------------------------------------- life

static bool start_view(viewer *self)
{
    hy_view_options options = { .watchers = false };
    for (unsigned number = self->players.first; number <= self->players.last; number++) {
        options.players |= 1U << (number - 1);
    }
    self->options.page.place.names = self->options.names.names;
    self->view =
        hy_host_page_serve(COMMAND, &self->options.page.place, &options, &self->picture.match.scene);
    return self->view != NULL;
}

static bool start_record(viewer *self)
{
    self->options.record.title = COMMAND;
    self->record.file = &self->options.record;
    self->record.middle = hy_match_middle(self->picture.model);
    const bool ok = hy_host_record_start(&self->options.record, &self->host, NULL);
    view_record_declare(&self->record);
    return ok;
}

static bool start_loop(viewer *self)
{
    hy_host_loop *const loop = &self->loop;
    const int64_t now_us = hy_clock_now_us();
    hy_host_loop_every(loop, now_us + TICK_US, TICK_US, on_tick, self);
    loop->status = loop->status == HY_OK ? listen_to(self, self->players.first) : loop->status;
    hy_host_loop_watch(loop, hy_view_descriptor(self->view), on_pages, self);
    hy_host_loop_end_after(loop, now_us, self->options.duration_s);
    return hy_host_loop_start(loop);
}

static void print_summary(const viewer *self)
{
    const hy_view_counters pages = hy_view_count(self->view);
    const view_player_counters sum = view_players_sum(&self->players);
    const figure figures[] = {
        { "sim_messages", (double)sum.states },
        { "states_shown", (double)pages.states },
        { "joystick_messages", (double)sum.tx_sticks },
        { "malformed", (double)self->players.rx_malformed },
        { "from_strangers", (double)sum.rx_strangers },
        { "of_pages", (double)pages.dropped },
        { "over_limit", (double)pages.over_limit },
        { "wrong_tokens", (double)pages.wrong_tokens },
    };
    if (self->options.player.icd.is_json) {
        FIGURES_PRINT(figures);
    } else {
        icd_print_end(COMMAND, "ended; pictures shown", pages.states,
                      self->players.rx_malformed + sum.rx_strangers + pages.dropped);
    }
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
    view_players_let_go(&self->players);
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
    const hy_options_result result = read_options(argc, argv, &self->options);
    int exit_status = app_status(result);
    if (result == HY_OPTIONS_OK) {
        const view_options *const o = &self->options;
        const view_picture_setup picture = { o->config, &o->phantom, o->faults_shown, o->match_s };
        const bool ok = view_picture_load(&self->picture, COMMAND, &picture) &&
                        view_players_open(&self->players, COMMAND, &o->player, (unsigned)o->players,
                                          (unsigned)o->views) &&
                        start_view(self) && start_record(self) && start_loop(self) && serve(self);
        hy_host_close(&self->host);
        exit_status = ok && !self->options.record.has_failed ? APP_OK : APP_FAILED;
        hy_view_close(self->view);
        view_players_close(&self->players);
        view_picture_free(&self->picture);
    }
    free(self);
    return exit_status;
}
