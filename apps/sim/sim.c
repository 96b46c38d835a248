// `halyard sim`: the vehicle sim, one world for all players.
#include <halyard/sim.h>
#include <halyard/worldfile.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app.h"
#include "host/host.h"
#include "host/host_faults.h"
#include "host/host_loop.h"
#include "host/host_names.h"
#include "host/host_nt.h"
#include "host/host_ready.h"
#include "host/host_record.h"
#include "host/host_traits.h"
#include "host/host_world.h"
#include "sim_boards.h"
#include "sim_players.h"
#include "sim_sticks.h"

#define COMMAND "halyard sim"

#define PLAYERS_ALL UINT64_MAX // as the file has them

// Of the newest step in the smoothed cost of one.
#define STEP_COST_SHARE 0.05

typedef struct {
    const char *config;
    uint64_t players, seed, bots, views;
    double speed; ///< Simulated time over real time; 0: as fast as it goes.
    double duration_s, lidar_noise_m, match_s;
    int drive, form, lidar;
    bool headless, once;
    hy_host_faults faults;
    hy_host_record record;
    hy_host_nt nt;
    hy_host_names names;
    const char *board_items[SIM_BOARDS_MAX];
    hy_option_list board_texts;
    sim_board_plan boards[SIM_BOARDS_MAX];
    hy_host_traits traits; // of `boards`
    sim_players_options players_options;
} sim_options;

typedef struct {
    sim_options options;
    hy_match_model *model;
    unsigned first_bot; ///< The player from whom on the robots play by themselves; 0: none.
    hy_sim *sim;
    hy_host host;
    sim_players players;
    sim_sticks sticks;
    sim_boards boards;
    hy_host_loop loop;
    uint64_t steps_left; ///< UINT64_MAX: no end.
    unsigned probed; // whose commands wake us, or did last: how long they wait for their step is measured in turns; 0: nobody's
    double step_us;  // what a step costs, smoothed
    bool has_commands; // that are not to wait for the next step
} simulation;

// --------------------------------------------------------------------------- the command line

static bool read_boards(sim_options *options)
{
    for (size_t i = 0; i < options->board_texts.count; i++) {
        if (!sim_board_read(COMMAND, options->board_texts.items[i], i, &options->boards[i])) {
            return false;
        }
    }
    return true;
}

static const char *const speeds[] = { "max", NULL };
static const char *const drives[] = { "file", "ideal", "dcmotor", NULL };
/// The choices of --drive.
enum { DRIVE_AS_FILED, DRIVE_IDEAL };

/// What a recording says of it.
static void describe_run(sim_options *options)
{
    hy_host_record *const record = &options->record;
    record->world = options->config;
    record->seed = options->seed;
    record->faults = options->faults.text;
    hy_record_add_number(record->options, "players", (double)options->players);
    hy_record_add_number(record->options, "bots", (double)options->bots);
    hy_record_add_option(record->options, "drive",
                         options->drive == DRIVE_AS_FILED ? NULL : drives[options->drive]);
    hy_record_add_number(record->options, "seconds", options->match_s);
    hy_record_add_number(record->options, "lidar-noise", options->lidar_noise_m);
    hy_record_add_option(record->options, "robot", options->traits.text);
}

static bool check(const char *program, void *to)
{
    sim_options *const options = to;
    (void)program;
    if (options->players == PLAYERS_ALL) {
        options->players = 0; // as the match calls them
    } else if (options->players < 1 || options->players > HY_ICD_PLAYERS) {
        hy_print_error(COMMAND, "--players %" PRIu64 ": there is room for 1 to %d",
                       options->players, HY_ICD_PLAYERS);
        return false;
    }
    if (options->views > HY_ICD_PLAYERS) {
        hy_print_error(COMMAND, "--views %" PRIu64 ": there are at most %d players with a view each",
                       options->views, HY_ICD_PLAYERS);
        return false;
    }
    options->players_options.form = options->form == 0 ? HY_ICD_DOCUMENT : HY_ICD_LATER;
    options->players_options.sweeps = options->lidar == 1;
    options->players_options.views = (unsigned)options->views;
    options->record.waits = options->speed <= 0.0;
    describe_run(options);
    return icd_options_check(&options->players_options.icd, COMMAND) && read_boards(options);
}

static hy_options_result read_options(int argc, char **argv, sim_options *out)
{
    static const char *const forms[] = { "document", "later", NULL };
    static const char *const lidars[] = { "stream", "sweep", NULL };
    *out = (sim_options){ .config = "field2020",
                          .players = PLAYERS_ALL,
                          .speed = 1.0,
                          .seed = 1,
                          .players_options.icd = ICD_OPTIONS };
    out->board_texts = (hy_option_list){ .items = out->board_items, .room = SIM_BOARDS_MAX };
    // clang-format off
    const hy_option table[] = {
        { HY_OPTION(TEXT, sim_options, config), .name = "config", .value = "NAME|FILE", .reads = true, .find = hy_host_world_find, .help = "the field and its robots: a world, or a robotConfig.yml (default field2020)" },
        { HY_OPTION(WHOLE, sim_options, players), .name = "players", .value = "N", .help = "simulate only its first N robots (default all)" },
        { HY_OPTION(WHOLE, sim_options, bots), .name = "bots", .value = "N", .help = "the last N robots play by themselves ('halyard core --bot'): each is fitted with a lidar and stands while the timer does" },
        { HY_OPTION(FLAG, sim_options, once), .name = "once", .help = "exit when the match is over" },
        { HY_OPTION(CHOICE, sim_options, drive), .name = "drive", .choices = drives, .help = "how robots move: ideal is the reference's kinematics; dcmotor, the default unless the file says otherwise, has motors, mass and grip" },
        { HY_OPTION(NUMBER, sim_options, speed), .name = "speed", .value = "X|max", .low = 0.01, .high = 1000.0, .choices = speeds, .help = "speed as a multiple of real time (default 1)" },
        { HY_OPTION(NUMBER, sim_options, duration_s), .name = "duration", .value = "SECONDS", .low = 0.01, .high = 1e9, .help = "exit after this much simulated time (default: on Ctrl-C)" },
        { HY_OPTION(NUMBER, sim_options, match_s), .name = "seconds", .value = "N", .low = 1.0, .high = 36000.0, .help = "length of a match (default 135)" },
        { HY_OPTION(WHOLE, sim_options, seed), .name = "seed", .value = "N", .help = "seed for all sensor noise (default 1)" },
        { HY_OPTION(LIST, sim_options, board_texts), .name = "board", .value = "ROBOT@ADDR:PORT[,X,Y[,DEG]]", .help = "add a robot, such as an xrp or a teensy, that is driven by its own protocol; up to two" },
        { HY_OPTION(CHOICE, sim_options, form), .name = "icd", .choices = forms, .help = "which form of the messages is sent; both are understood (default document)" },
        { HY_OPTION(CHOICE, sim_options, lidar), .name = "lidar", .choices = lidars, .help = "points as they are measured, or whole sweeps ten times a second (default stream)" },
        { HY_OPTION(NUMBER, sim_options, lidar_noise_m), .name = "lidar-noise", .value = "METRES", .low = 0.0, .high = 1.0, .help = "spread of the lidars' ranges (default 0)" },
        { HY_OPTION(FLAG, sim_options, headless), .name = "headless", .help = "accepted and ignored, for old scripts: there is no window" },
        { HY_OPTION(WHOLE, sim_options, views), .name = "views", .value = "N", .help = "send the state to the views of players 1 to N only: 1 where one view shows all players (default: to each player's view)" },
        ICD_OPTION_HOST("core", sim_options, players_options.core, "core of each player"),
        ICD_OPTION_HOST("view", sim_options, players_options.view, "view of each player"),
        ICD_OPTION_COMMON(sim_options, players_options.icd),
    };
    // clang-format on
    hy_option_group groups[] = { HY_OPTION_GROUP_CHECKED(NULL, table, out, check),
                                 hy_host_traits_group(&out->traits),
                                 hy_host_faults_group(&out->faults),
                                 hy_host_record_group(&out->record, HY_HOST_RECORD_LIDAR),
                                 hy_host_nt_group(&out->nt),
                                 hy_host_names_group(&out->names, true) };
    const hy_command_line line = {
        COMMAND, "simulates the field, its robots and the game", groups,
        sizeof groups / sizeof groups[0],
        "When it is ready it prints 'halyard: ready players=N'. It does not wait "
        "for the other programs: a robot\n"
        "whose core is silent stands still."
    };
    return hy_options_parse(&line, argc, argv);
}

// --------------------------------------------------------------------------- stepping

static void tell_batteries(const simulation *self, hy_icd_status *status)
{
    const hy_world_model *const world = hy_match_world(self->model);
    for (unsigned i = 0; i < hy_match_players(self->model); i++) {
        const hy_world_battery battery = hy_world_battery_of(world, hy_sim_world(self->sim),
                                                             hy_match_vehicle(self->model, i + 1));
        status->player[i].battery_v = battery.volts;
        status->player[i].browned_out = battery.browned_out;
    }
}

static void send_status(simulation *self, int64_t now_us)
{
    hy_icd_status status = { .step_us = self->step_us };
    status.speed = self->options.speed;
    tell_batteries(self, &status);
    sim_boards_tell(&self->boards, self->model, self->sim, &status);
    sim_players_send_status(&self->players, &status, now_us);
}

// One input, of all that has been received.
static void advance(simulation *self, unsigned world_steps, int64_t now_us)
{
    const int64_t origin_us = hy_host_origin_us(&self->host);
    hy_sim_input input = { .now_us = now_us - self->host.start_us, .world_steps = world_steps };
    hy_host_boards_receive(&self->boards.ports, self->sim, input.now_us, origin_us);
    const bool timer_runs = hy_match_describe(hy_sim_match(self->sim)).timer_runs;
    self->players.standing_from = timer_runs ? 0 : self->first_bot;
    sim_players_give(&self->players, &input, origin_us);
    hy_sim_step(self->sim, &input);
    hy_host_boards_send(&self->boards.ports, self->sim);
}

static void take_inputs(void *context, int64_t now_us)
{
    simulation *const self = context;
    if (self->has_commands) {
        self->has_commands = false;
        advance(self, 0, now_us);
    }
}

static void on_turn(void *context, int64_t now_us)
{
    simulation *const self = context;
    if (!hy_host_turn(&self->host, now_us)) {
        hy_host_loop_quit(&self->loop);
    }
}

// Commands that are not to wait for the next step.
static void on_board_commands(void *context, int64_t now_us)
{
    simulation *const self = context;
    self->has_commands = true;
    on_turn(self, now_us);
}

static void on_commands(void *context, int64_t now_us)
{
    simulation *const self = context;
    sim_players_probe(&self->players, self->probed, now_us);
    on_board_commands(self, now_us);
}

// A step reads all commands that have come, and waking for each would cost more than all the rest. One core after the other may
// wake us for a step, so that we know when its commands come.
static void probe_next(simulation *self)
{
    const hy_link *const links = self->players.to_core;
    const unsigned next = self->probed % HY_ICD_PLAYERS + 1;
    self->probed = next <= self->players.count ? next : 1;
    (void)hy_loop_watch(&self->loop.loop, hy_link_descriptor(&links[self->probed - 1]), on_commands,
                        self); // there is room: at most this one and the boards' are watched
}

static void end_probe(simulation *self)
{
    if (self->probed > 0) {
        hy_loop_forget(&self->loop.loop,
                       hy_link_descriptor(&self->players.to_core[self->probed - 1]));
    }
}

static bool step(void *context, int64_t due_us)
{
    simulation *const self = context;
    const int64_t began_us = hy_clock_now_us();
    sim_players_receive(&self->players, began_us); // what has come is in time for this step
    advance(self, 1, due_us);
    hy_host_stepped(&self->host, self->sim);
    sim_sticks_receive(&self->sticks, &self->players);
    self->step_us += ((double)(hy_clock_now_us() - began_us) - self->step_us) * STEP_COST_SHARE;
    end_probe(self);
    if (sim_players_status_is_due(&self->players)) {
        send_status(self, began_us);
        probe_next(self);
    }
    sim_players_send(&self->players, hy_sim_match(self->sim),
                     began_us); // every step: lidar points are there for one
    self->steps_left--;
    const bool is_over = hy_match_describe(hy_sim_match(self->sim)).over;
    return self->steps_left > 0 && !(is_over && self->options.once);
}

// In slow motion cores are not slow: what they say is taken in between steps.
static void on_slow_turn(void *context, int64_t now_us)
{
    simulation *const self = context;
    sim_players_receive(&self->players, now_us);
    self->has_commands = true;
    on_turn(self, now_us);
}

// --------------------------------------------------------------------------- life

static bool fit_bots(const sim_options *o, hy_match_spec *spec, hy_world_error *error)
{
    const size_t tanks = hy_world_spec_tanks(&spec->world);
    const unsigned players = (unsigned)(tanks < HY_ICD_PLAYERS ? tanks : HY_ICD_PLAYERS);
    bool ok = o->bots <= players;
    for (unsigned player = players; ok && player + o->bots > players; player--) {
        ok = hy_match_spec_add_lidar(spec, player);
    }
    if (!ok) {
        snprintf(error->text, sizeof error->text,
                 "--bots %" PRIu64
                 ": this match has %u robots, and each bot needs room for a lidar",
                 o->bots, players);
    }
    return ok;
}

/// Changes what the file says by the options.
static hy_status edit(const sim_options *o, hy_match_spec *spec, hy_world_error *error)
{
    if (o->drive != DRIVE_AS_FILED) {
        hy_world_spec_set_drive(&spec->world, o->drive == DRIVE_IDEAL ? HY_WORLD_DRIVE_IDEAL
                                                                      : HY_WORLD_DRIVE_DCMOTOR);
    }
    if (o->players > 0 && hy_match_spec_set_players(spec, (unsigned)o->players, error) != HY_OK) {
        return HY_ERANGE;
    }
    if (!fit_bots(o, spec, error)) {
        return HY_ERANGE;
    }
    for (size_t i = 0; i < o->board_texts.count; i++) {
        if (!sim_board_add_vehicle(&o->boards[i], hy_host_traits_of(&o->traits), spec)) {
            snprintf(error->text, sizeof error->text,
                     "the world has no room for --board: %d vehicles are the most",
                     HY_WORLD_VEHICLES);
            return HY_ERANGE;
        }
    }
    return HY_OK;
}

static bool load(simulation *self)
{
    const sim_options *const o = &self->options;
    char path[HY_WORLDFILE_PATH_MAX];
    hy_world_error error;
    hy_match_spec spec;
    if (!hy_worldfile_find(o->config, path, &error) ||
        hy_worldfile_read_match(path, &spec, &error) != HY_OK) {
        hy_print_error(COMMAND, "%s", error.text);
        return false;
    }
    const hy_status status =
        edit(o, &spec, &error) == HY_OK ? hy_match_compile(&spec, &self->model, &error) : HY_ERANGE;
    hy_match_spec_free(&spec);
    if (status != HY_OK) {
        hy_print_error(COMMAND, "%s", error.text);
        return false;
    }
    hy_sim_board boards[SIM_BOARDS_MAX];
    sim_boards_fill(o->boards, o->board_texts.count, self->model, boards);
    const hy_sim_setup sim_setup = { .match = self->model,
                                     .boards = boards,
                                     .board_count = o->board_texts.count,
                                     .seed = o->seed,
                                     .lidar_noise_m = o->lidar_noise_m,
                                     .faults = &o->faults.spec,
                                     .match_s = o->match_s };
    if (hy_sim_open(&sim_setup, &self->sim, &error) != HY_OK) {
        hy_print_error(COMMAND, "%s", error.text);
        return false;
    }
    self->first_bot = o->bots > 0 ? hy_match_players(self->model) + 1 - (unsigned)o->bots : 0;
    return true;
}

static bool watch(simulation *self)
{
    hy_host_loop *const loop = &self->loop;
    const int64_t period_us =
        self->options.speed > 0.0 ? (int64_t)(HY_MATCH_STEP_US / self->options.speed) : 0;
    for (size_t i = 0; i < self->boards.ports.count; i++) {
        hy_host_loop_watch(loop, hy_link_descriptor(&self->boards.ports.link[i]), on_board_commands,
                           self);
    }
    if (period_us > 0) {
        hy_host_loop_every(loop, self->host.due_us, period_us, on_turn, self);
    }
    if (period_us > HY_MATCH_STEP_US) {
        hy_host_loop_every(loop, self->host.due_us, HY_MATCH_STEP_US, on_slow_turn, self);
    }
    return hy_host_loop_start(loop);
}

// As fast as it goes: steps, after whatever has come.
static bool take_turn(void *context)
{
    simulation *const self = context;
    return hy_host_turn(&self->host, hy_clock_now_us());
}

// What is written as zero has no sign.
static double unsigned_zero(double value, double unit)
{
    return fabs(value) < unit / 2.0 ? 0.0 : value;
}

static void print_summary(const simulation *self)
{
    const hy_match *const match = hy_sim_match(self->sim);
    const hy_match_facts facts = hy_match_describe(match);
    const sim_players_counters *const c = &self->players.counters;
    printf("steps %" PRIu64 ", blue %d, red %d, hash %016" PRIx64 "\n", facts.steps,
           facts.blue_score, facts.red_score, hy_match_hash(match));
    for (unsigned player = 1; player <= self->players.count; player++) {
        hy_match_sensors at;
        hy_match_read_sensors(match, player, &at);
        printf("player %u at x %.3f m, y %.3f m, heading %.1f degrees\n", player,
               unsigned_zero(at.x_m, 0.001), unsigned_zero(at.y_m, 0.001),
               unsigned_zero(hy_deg_from_rad(at.heading_rad), 0.1));
    }
    hy_print_error(COMMAND,
                   "%" PRIu64 " commands obeyed, %" PRIu64 " messages sent; dropped %" PRIu64
                   " malformed, %" PRIu64 " from strangers, %" PRIu64 " read too late; %" PRIu64
                   " not sent; %.3f s of real time left out",
                   c->commands, c->tx_messages, c->rx_malformed, c->rx_strangers, c->rx_old,
                   c->tx_failed, (double)self->host.skipped_us * 1e-6);
}

static bool serve(simulation *self)
{
    if (!watch(self)) {
        return false;
    }
    hy_ready_line ready = { .pairs = "" };
    hy_ready_line_add(&ready, "players", "%u", self->players.count);
    for (size_t i = 0; i < self->boards.ports.count; i++) {
        hy_ready_line_add_address(&ready, "udp", &self->boards.ports.link[i].local);
    }
    hy_host_nt_announce(&self->options.nt, &ready);
    hy_ready_line_print(&ready, stdout);
    printf("ready: %u players\n", self->players.count);
    fflush(stdout);
    hy_host_faults_announce(COMMAND, self->options.faults.text);
    icd_notice(&self->options.players_options.icd, "can drive the robots and reset the match");
    hy_host_nt_notice(&self->options.nt, stdout);
    const bool ok = self->options.speed > 0.0 ? hy_host_loop_run(&self->loop)
                                              : hy_host_loop_race(&self->loop, take_turn, self);
    print_summary(self);
    hy_host_faults_sum_up(COMMAND, self->options.faults.text, self->sim);
    return ok;
}

static bool run(simulation *self)
{
    const sim_options *const o = &self->options;
    hy_host_loop_init(&self->loop, COMMAND);
    self->steps_left = UINT64_MAX;
    if (o->duration_s > 0.0) {
        self->steps_left = (uint64_t)ceil(o->duration_s * 1e6 / HY_MATCH_STEP_US - 1e-6);
    }
    if (!load(self) ||
        !sim_players_open(&self->players, COMMAND, &o->players_options,
                          hy_match_players(self->model)) ||
        !sim_boards_open(&self->boards, COMMAND, o->boards, o->board_texts.count)) {
        return false;
    }
    self->host = (hy_host){ .step = step, .take_inputs = take_inputs, .context = self };
    hy_host_start(&self->host, COMMAND, HY_MATCH_STEP_US, o->speed, hy_clock_now_us());
    self->options.nt.trusted = o->names.names.at;
    self->options.nt.trusted_count = o->names.names.count;
    hy_host_nt_start(&self->options.nt, &self->host);
    self->options.record.live = hy_host_nt_sink(&self->options.nt);
    bool ok = hy_host_record_start(&self->options.record, &self->host, self->sim);
    if (ok) {
        sim_sticks_open(&self->sticks, self->options.record.sim.telemetry, &self->players);
        ok = serve(self);
    }
    sim_sticks_close(&self->sticks);
    hy_host_close(&self->host);
    return ok && !self->options.record.has_failed;
}

int app_sim(int argc, char **argv)
{
    simulation *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        hy_print_error(COMMAND, "there is not enough memory");
        return APP_FAILED;
    }
    const hy_options_result result = read_options(argc, argv, &self->options);
    int exit_status = app_status(result);
    if (result == HY_OPTIONS_OK) {
        exit_status = run(self) ? APP_OK : APP_FAILED;
        hy_host_boards_close(&self->boards.ports);
        sim_players_close(&self->players);
        hy_sim_close(self->sim);
        hy_match_free(self->model);
    }
    free(self);
    return exit_status;
}
