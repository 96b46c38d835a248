// The loop of a robot program in simulated time. A step: what the robots sent goes to the devices, the loop runs if it is due,
// its commands go to the boards, the world moves.
#include <halyard/run.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rerun.h"
#include "run_judge.h"
#include "run_line.h"

#define LOOP_PERIOD_US INT64_C(20000) // as often as a program commands over a link
#define PORT           5800

typedef struct {
    const hy_run_robot *robot;
    size_t board;
    hy_endpoint address; // as the board sees the program
    hy_commander commander;
    hy_seq_gate gate;
    hy_wire_datagram sent[2];
    unsigned sent_count;
    uint64_t restarts;
    hy_run_traffic traffic;
} run_link;

struct hy_run {
    const hy_run_setup *setup;
    hy_sim *sim;
    hy_timed_robot loop;
    run_link links[HY_RUN_ROBOTS];
    size_t robots;
    int64_t now_us, step_us;
    bool enabled;
    bool is_held; // hy_run_disable(): only hy_run_enable() enables again
    hy_sim_button presses[HY_WORLD_VEHICLES]; // with the next step, as the pushes and the reset
    size_t press_count;
    hy_sim_push pushes[HY_WORLD_VEHICLES];
    size_t push_count;
    bool is_reset;
    run_line line;
    run_judge judge;
    run_rerun *rerun; // NULL: nothing is run again
};

// --------------------------------------------------------------------------- start

// The next vehicle behind `*from` that is of kind `kind`.
static bool find_vehicle(const hy_world_model *world, const char *kind, size_t *from)
{
    const size_t count = hy_world_describe(world).vehicles;
    while (*from < count && strcmp(hy_world_vehicle_kind(world, *from), kind) != 0) {
        ++*from;
    }
    return *from < count;
}

// The program's robot i takes the i-th vehicle of its type.
static bool choose_vehicles(const hy_run_setup *setup, hy_sim_board *boards, hy_world_error *error)
{
    for (size_t i = 0; i < setup->robot_count; i++) {
        const hy_robot_type *const type = setup->robots[i].type;
        const hy_robot_variant *const asked = setup->robots[i].variant;
        const hy_robot_variant *const variant = asked != NULL ? asked : &type->variants[0];
        size_t vehicle = 0;
        for (size_t k = 0; k < i; k++) {
            vehicle = setup->robots[k].type == type ? boards[k].vehicle + 1 : vehicle;
        }
        if (!find_vehicle(setup->world, variant->vehicle, &vehicle)) {
            snprintf(error->text, sizeof error->text,
                     "%.100s: has no vehicle of kind %s for robot %zu of this program, a %s",
                     hy_world_describe(setup->world).name, variant->vehicle, i + 1, type->title);
            return false;
        }
        boards[i] = (hy_sim_board){ vehicle, { .kind = variant->board } };
    }
    return true;
}

static hy_status start_sim(hy_run *self, hy_world_error *error)
{
    const hy_run_setup *const setup = self->setup;
    static const hy_endpoint client = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 }, .port = PORT };
    hy_sim_board boards[HY_RUN_ROBOTS];
    const hy_run_recorded *const recorded = setup->recorded;
    for (size_t i = 0; i < setup->robot_count; i++) {
        self->links[i].board = recorded != NULL ? recorded->boards[i] : i;
        self->links[i].address = recorded != NULL ? recorded->drivers[i] : client;
    }
    if (recorded != NULL) {
        const hy_status status = run_rerun_start(&self->rerun, recorded, setup->robot_count, error);
        return status == HY_OK ? hy_sim_open(recorded->sim, &self->sim, error) : status;
    }
    if (!choose_vehicles(setup, boards, error)) {
        return HY_ERANGE;
    }
    const hy_sim_setup sim = { .world = setup->world,
                               .boards = boards,
                               .board_count = setup->robot_count,
                               .seed = setup->seed,
                               .faults = setup->faults };
    return hy_sim_open(&sim, &self->sim, error);
}

static void start_links(hy_run *self)
{
    self->robots = self->setup->robot_count;
    for (size_t i = 0; i < self->robots; i++) {
        run_link *const link = &self->links[i];
        link->robot = &self->setup->robots[i];
        link->traffic.heard_us = INT64_MIN;
        hy_commander_init(&link->commander, link->robot->type->dialect);
        link->robot->init(link->robot->devices);
    }
}

static hy_status set_up(hy_run *self, hy_world_error *error)
{
    const hy_run_setup *const setup = self->setup;
    const hy_status status = start_sim(self, error);
    if (status != HY_OK) {
        return status;
    }
    if (!run_line_find(&self->line, hy_sim_model(self->sim))) {
        snprintf(error->text, sizeof error->text, "%s", hy_status_text(HY_EMEMORY));
        return HY_EMEMORY;
    }
    self->step_us = hy_sim_step_us(self->sim);
    start_links(self);
    run_judge_start(&self->judge, self->sim, self->links[0].board, &self->line);
    if (self->rerun != NULL) {
        run_judge_start(&self->rerun->judge, self->rerun->sim, self->links[0].board, &self->line);
    }
    hy_timed_robot_init(&self->loop, setup->program, LOOP_PERIOD_US, true, 0);
    self->loop.watcher = setup->watcher;
    self->loop.watcher_context = setup->watcher_context;
    return HY_OK;
}

hy_status hy_run_open(const hy_run_setup *setup, hy_run **run, hy_world_error *error)
{
    assert(setup->robot_count >= 1 && setup->robot_count <= HY_RUN_ROBOTS);
    *run = NULL;
    hy_run *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        snprintf(error->text, sizeof error->text, "%s", hy_status_text(HY_EMEMORY));
        return HY_EMEMORY;
    }
    self->setup = setup;
    const hy_status status = set_up(self, error);
    if (status != HY_OK) {
        run_line_free(&self->line);
        run_rerun_end(self->rerun);
        hy_sim_close(self->sim);
        free(self);
        return status;
    }
    *run = self;
    return HY_OK;
}

// --------------------------------------------------------------------------- the program's turn

// The link that a datagram is for; NULL: somebody else's, in a recorded simulation.
static run_link *find_link(hy_run *self, const hy_sim_datagram *datagram)
{
    if (self->rerun == NULL) {
        return &self->links[datagram->board];
    }
    for (size_t i = 0; i < self->robots; i++) {
        run_link *const link = &self->links[i];
        if (link->board == datagram->board && hy_endpoint_equal(&link->address, &datagram->peer)) {
            return link;
        }
    }
    return NULL;
}

static void take_status(hy_run *self, const hy_sim_datagram *datagram)
{
    run_link *const link = find_link(self, datagram);
    if (link == NULL) {
        return;
    }
    const hy_run_robot *const robot = link->robot;
    hy_wire_status status;
    (void)robot->type->dialect->status_decode(datagram->bytes, &status);
    if (!hy_seq_gate_accept(&link->gate, status.seq, datagram->at_us)) {
        return;
    }
    if (link->gate.restarts != link->restarts) {
        link->restarts = link->gate.restarts;
        robot->rebase(robot->devices);
    }
    hy_run_traffic *const traffic = &link->traffic;
    // Two that arrive in one step, as faults have it, leave the period as it was.
    if (traffic->statuses > 0 && datagram->at_us > traffic->heard_us) {
        traffic->period_us = datagram->at_us - traffic->heard_us;
    }
    traffic->heard_us = datagram->at_us;
    traffic->statuses++;
    robot->update(robot->devices, &status, datagram->at_us);
}

static bool is_silent(const hy_run *self, const run_link *link)
{
    const int64_t heard_us = link->traffic.heard_us;
    return heard_us == INT64_MIN ||
           (self->setup->starts_disabled && self->now_us - heard_us >= HY_RUN_SILENCE_US);
}

bool hy_run_enable(hy_run *self)
{
    for (size_t i = 0; i < self->robots; i++) {
        if (is_silent(self, &self->links[i])) {
            return false;
        }
    }
    self->enabled = true;
    self->is_held = false;
    for (size_t i = 0; i < self->robots; i++) {
        self->enabled = hy_commander_enable(&self->links[i].commander) && self->enabled;
    }
    return self->enabled;
}

static void write_command(hy_run *self, run_link *link)
{
    link->sent_count = hy_commander_write(&link->commander, self->now_us, link->sent);
    link->traffic.commands += link->sent_count;
}

static void disable(hy_run *self)
{
    self->enabled = false;
    for (size_t i = 0; i < self->robots; i++) {
        run_link *const link = &self->links[i];
        link->robot->stop(link->robot->devices, self->now_us);
        hy_commander_stop(&link->commander, self->now_us);
        write_command(self, link);
    }
}

void hy_run_disable(hy_run *self)
{
    self->is_held = true;
    disable(self);
}

static void watch_silence(hy_run *self)
{
    for (size_t i = 0; i < self->robots && self->enabled; i++) {
        if (is_silent(self, &self->links[i])) {
            disable(self);
        }
    }
}

static void write_commands(hy_run *self)
{
    for (size_t i = 0; i < self->robots; i++) {
        run_link *const link = &self->links[i];
        const hy_run_robot *const robot = link->robot;
        if (!self->enabled) {
            robot->stop(robot->devices, self->now_us);
        }
        robot->command(robot->devices, &link->commander.command, self->now_us);
        write_command(self, link);
    }
}

static void run_program(hy_run *self)
{
    for (hy_sim_datagram status; hy_sim_next_datagram(self->sim, &status);) {
        take_status(self, &status);
    }
    watch_silence(self);
    if (self->rerun != NULL && self->enabled && !self->rerun->is_wanted) {
        disable(self);
    }
    const bool is_wanted =
        self->rerun != NULL ? self->rerun->is_wanted : !self->setup->starts_disabled;
    if (!self->enabled && is_wanted && !self->is_held) {
        (void)hy_run_enable(self);
    }
    const hy_mode mode = self->enabled ? self->setup->mode : HY_MODE_DISABLED;
    if (hy_timed_robot_begin(&self->loop, mode, self->now_us)) {
        write_commands(self);
        hy_timed_robot_end(&self->loop, self->now_us);
    }
}

// --------------------------------------------------------------------------- the world's turn

void hy_run_press(hy_run *self, size_t vehicle, bool is_down)
{
    size_t i = 0;
    while (i < self->press_count && self->presses[i].vehicle != vehicle) {
        i++;
    }
    if (i < HY_WORLD_VEHICLES) {
        self->presses[i] = (hy_sim_button){ vehicle, is_down };
        self->press_count += i == self->press_count ? 1 : 0;
    }
}

void hy_run_push(hy_run *self, size_t vehicle)
{
    size_t i = 0;
    while (i < self->push_count && self->pushes[i].vehicle != vehicle) {
        i++;
    }
    if (i < HY_WORLD_VEHICLES) {
        self->pushes[i] = (hy_sim_push){ vehicle };
        self->push_count += i == self->push_count ? 1 : 0;
    }
}

void hy_run_reset(hy_run *self)
{
    self->is_reset = true;
}

// What the program has sent since the last step. Returns how many.
static size_t take_sent(hy_run *self, hy_sim_datagram datagrams[2 * HY_RUN_ROBOTS])
{
    size_t count = 0;
    for (size_t i = 0; i < self->robots; i++) {
        run_link *const link = &self->links[i];
        for (unsigned k = 0; k < link->sent_count; k++) {
            datagrams[count++] =
                (hy_sim_datagram){ .board = link->board,
                                   .peer = link->address,
                                   .at_us = self->now_us + 1,
                                   .bytes = { link->sent[k].data, link->sent[k].size } };
        }
        link->sent_count = 0;
    }
    return count;
}

static void step_sim(hy_run *self)
{
    hy_sim_datagram datagrams[2 * HY_RUN_ROBOTS];
    const size_t count = take_sent(self, datagrams);
    const hy_sim_reset all = { HY_SIM_RESET_ALL };
    self->now_us += self->step_us;
    hy_sim_step(self->sim, &(hy_sim_input){ .now_us = self->now_us,
                                            .world_steps = 1,
                                            .datagrams = datagrams,
                                            .datagram_count = count,
                                            .resets = &all,
                                            .reset_count = self->is_reset ? 1 : 0,
                                            .buttons = self->presses,
                                            .button_count = self->press_count,
                                            .pushes = self->pushes,
                                            .push_count = self->push_count });
    self->press_count = 0;
    self->push_count = 0;
}

static void step_rerun(hy_run *self)
{
    hy_sim_datagram datagrams[2 * HY_RUN_ROBOTS];
    const size_t count = take_sent(self, datagrams);
    const hy_sim_input input = run_rerun_replace(self->rerun, datagrams, count);
    hy_sim_step(self->sim, &input);
    self->now_us = hy_sim_now_us(self->sim);
    self->is_reset = input.reset_count > 0;
    run_rerun_step(self->rerun, self->sim);
}

bool hy_run_step(hy_run *self)
{
    if (self->rerun != NULL && !run_rerun_next(self->rerun)) {
        return false;
    }
    run_program(self);
    if (self->rerun != NULL) {
        step_rerun(self);
    } else {
        step_sim(self);
    }
    run_judge_step(&self->judge, self->sim, self->enabled, self->is_reset);
    self->is_reset = false;
    return self->rerun != NULL || self->now_us < self->setup->duration_us;
}

const hy_sim *hy_run_sim(const hy_run *self)
{
    return self->sim;
}

void hy_run_watch(hy_run *self, hy_sim_watcher watcher, void *context)
{
    hy_sim_watch(self->sim, watcher, context);
}

bool hy_run_is_enabled(const hy_run *self)
{
    return self->enabled;
}

hy_run_traffic hy_run_traffic_of(const hy_run *self, size_t robot)
{
    hy_run_traffic traffic = self->links[robot].traffic;
    traffic.lost = self->links[robot].gate.lost;
    return traffic;
}

// --------------------------------------------------------------------------- end

hy_run_before hy_run_recorded_outcome(const hy_run *self)
{
    return (hy_run_before){ run_judge_end(&self->rerun->judge, self->rerun->sim),
                            self->rerun->differing_step };
}

hy_run_outcome hy_run_close(hy_run *self)
{
    hy_timed_robot_exit(&self->loop, self->now_us);
    hy_run_outcome out = run_judge_end(&self->judge, self->sim);
    out.loops = self->loop.loops;
    run_line_free(&self->line);
    run_rerun_end(self->rerun);
    hy_sim_close(self->sim);
    free(self);
    return out;
}
