// `halyard sim`: the vehicle sim, one world for all players.
#include <halyard/sim.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app.h"
#include "host/host.h"
#include "host/host_loop.h"
#include "host/host_ready.h"
#include "sim_options.h"
#include "sim_sticks.h"

// Of the newest step in the smoothed cost of one.
#define STEP_COST_SHARE 0.05

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

static bool load(simulation *self)
{
    const sim_options *const o = &self->options;
    hy_world_error error;
    self->model = sim_options_compile(o);
    if (self->model == NULL) {
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
        hy_print_error(SIM_COMMAND, "%s", error.text);
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
    const figure figures[] = {
        { "commands", (double)c->commands },
        { "messages", (double)c->tx_messages },
        { "malformed", (double)c->rx_malformed },
        { "from_strangers", (double)c->rx_strangers },
        { "read_too_late", (double)c->rx_old },
        { "not_sent", (double)c->tx_failed },
        { "skipped_s", (double)self->host.skipped_us * 1e-6 },
    };
    if (self->options.players_options.icd.is_json) {
        FIGURES_PRINT(figures);
    } else {
        icd_print_end(SIM_COMMAND, "ended; commands obeyed", c->commands,
                      c->rx_malformed + c->rx_strangers);
    }
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
    hy_host_faults_announce(SIM_COMMAND, self->options.faults.text);
    icd_notice(&self->options.players_options.icd, "can drive the robots and reset the match");
    hy_host_nt_notice(&self->options.nt, stdout);
    const bool ok = self->options.speed > 0.0 ? hy_host_loop_run(&self->loop)
                                              : hy_host_loop_race(&self->loop, take_turn, self);
    print_summary(self);
    hy_host_faults_sum_up(SIM_COMMAND, self->options.faults.text, self->sim);
    return ok;
}

static bool run(simulation *self)
{
    const sim_options *const o = &self->options;
    hy_host_loop_init(&self->loop, SIM_COMMAND);
    self->steps_left = UINT64_MAX;
    if (o->duration_s > 0.0) {
        self->steps_left = (uint64_t)ceil(o->duration_s * 1e6 / HY_MATCH_STEP_US - 1e-6);
    }
    if (!load(self) ||
        !sim_players_open(&self->players, SIM_COMMAND, &o->players_options,
                          hy_match_players(self->model)) ||
        !sim_boards_open(&self->boards, SIM_COMMAND, o->boards, o->board_texts.count)) {
        return false;
    }
    self->host = (hy_host){ .step = step, .take_inputs = take_inputs, .context = self };
    hy_host_start(&self->host, SIM_COMMAND, HY_MATCH_STEP_US, o->speed, hy_clock_now_us());
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
        hy_print_error(SIM_COMMAND, "there is not enough memory");
        return APP_FAILED;
    }
    const hy_options_result result = sim_options_read(argc, argv, &self->options);
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
