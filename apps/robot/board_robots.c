#include "board_robots.h"

#include <halyard/link.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board_print.h"
#include "host/host_loop.h"
#include "robot_world.h"
#include "system/system.h"
#include "text/text_plain.h"

#define PORT_TRIES   20 // for as many free ports in a row
#define FILES_BESIDE 64 // descriptors that are no robot's

typedef struct {
    board_options *options;
    hy_world_model *model;
    board_robot *members;
    size_t opened, started; // of the members
    hy_host host;
    hy_host_loop loop;
    hy_host_page page;
    bool is_pressed;    // the user button, as the simulation knows it
    bool is_reset_said; // since it is enabled
} group;

// What only one robot alone has.
static bool is_one(const group *self)
{
    return self->options->count == 1;
}

// --------------------------------------------------------------------------- running

static bool is_pressed(const board_options *options, double t_s)
{
    for (size_t i = 0; i < options->press_texts.count; i++) {
        if (t_s >= options->presses[i].from_s && t_s < options->presses[i].to_s) {
            return true;
        }
    }
    return false;
}

static bool step(void *context, int64_t due_us)
{
    group *const self = context;
    const int64_t at_us = due_us - self->host.start_us;
    const bool is_down = is_pressed(self->options, (double)at_us * 1e-6) ||
                         hy_host_page_button(&self->page, ROBOT_WORLD_VEHICLE, due_us);
    const hy_sim_button button = { ROBOT_WORLD_VEHICLE, is_down };
    const hy_sim_push push = { ROBOT_WORLD_VEHICLE };
    const bool is_pushed = hy_host_page_take_push(&self->page, ROBOT_WORLD_VEHICLE);
    const hy_sim_input input = { .now_us = at_us,
                                 .world_steps = 1,
                                 .buttons = &button,
                                 .button_count = is_down != self->is_pressed ? 1 : 0,
                                 .pushes = &push,
                                 .push_count = is_pushed ? 1 : 0 };
    self->is_pressed = is_down;
    for (size_t i = 0; i < self->started; i++) {
        hy_sim_step(self->members[i].sim, &input);
        hy_host_boards_send(&self->members[i].boards, self->members[i].sim);
    }
    hy_host_stepped(&self->host, self->members[0].sim);
    return true;
}

static void say(const char *what)
{
    hy_print(stdout, "%s\n", what);
    fflush(stdout);
}

static void stop_robot(const group *self, int64_t at_us, bool is_enabled)
{
    static const uint8_t any = 0;
    const hy_sim_datagram stop = { .bytes = { &any, sizeof any } };
    hy_sim_step(self->members[0].sim,
                &(hy_sim_input){ .now_us = at_us, .datagrams = &stop, .datagram_count = 1 });
    hy_host_boards_send(&self->members[0].boards, self->members[0].sim);
    if (is_enabled) {
        say("a page stopped the robot: it obeys again when its program was disabled and enabled");
    }
}

// What has come for one robot, which may be due to send a status between two steps of its world.
static void take_inputs_of_one(group *self, int64_t at_us)
{
    board_robot *const one = &self->members[0];
    const hy_sim_reset all = { HY_SIM_RESET_ALL };
    const bool is_enabled = hy_board_is_enabled(hy_sim_board_at(one->sim, 0));
    const bool is_reset = hy_host_page_take_reset(&self->page);
    if (hy_host_page_take_stop(&self->page)) {
        stop_robot(self, at_us, is_enabled);
    }
    self->is_reset_said = self->is_reset_said && is_enabled;
    if (is_reset && is_enabled &&
        !self->is_reset_said) { // a line for each would fill a pipe that nobody reads
        say("a page reset the world; the program of the robot drives on");
        self->is_reset_said = true;
    }
    hy_host_boards_receive(&one->boards, one->sim, at_us, self->host.start_us);
    hy_sim_step(one->sim,
                &(hy_sim_input){ .now_us = at_us, .resets = &all, .reset_count = is_reset ? 1 : 0 });
    hy_host_boards_send(&one->boards, one->sim);
}

// What has come, after the steps of the past: time never falls.
static void take_inputs(void *context, int64_t now_us)
{
    group *const self = context;
    const int64_t at_us = now_us - self->host.start_us;
    if (is_one(self)) {
        take_inputs_of_one(self, at_us);
        return;
    }
    for (size_t i = 0; i < self->started; i++) {
        hy_host_boards_receive(&self->members[i].boards, self->members[i].sim, at_us,
                               self->host.start_us);
    }
}

static void on_event(void *context, int64_t now_us)
{
    group *const self = context;
    (void)hy_host_turn(&self->host, now_us);
}

// --------------------------------------------------------------------------- start

static void close_links(group *self)
{
    while (self->opened > 0) {
        hy_host_boards_close(&self->members[--self->opened].boards);
    }
}

// As many ports in a row from `first` on; from any free one on if its port is 0.
static hy_status open_in_a_row(group *self, const hy_endpoint *first)
{
    hy_endpoint local = *first;
    hy_status status = HY_OK;
    while (self->opened < self->options->count && status == HY_OK) {
        board_robot *const next = &self->members[self->opened];
        status = hy_link_open(&next->boards.link[0], &local);
        if (status == HY_OK) {
            self->opened++;
            next->boards.count = 1;
            next->boards.program = BOARD_COMMAND;
            const unsigned port = next->boards.link[0].local.port + 1U;
            local.port = (uint16_t)port;
            status = port > UINT16_MAX && self->opened < self->options->count ? HY_EADDRESS : HY_OK;
        }
    }
    if (status != HY_OK) {
        close_links(self);
    }
    return status;
}

static bool open_links(group *self)
{
    const board_options *const o = self->options;
    hy_endpoint first;
    const int found = hy_link_resolve(o->listen, HY_WIRE_PORT, &first, 1);
    if (found < 1) {
        hy_print_error(BOARD_COMMAND,
                       "--listen %s: %s; give an address of this machine, as in 127.0.0.1:3540",
                       o->listen, hy_status_text(found < 0 ? (hy_status)found : HY_ENAME));
        return false;
    }
    hy_status status = HY_AGAIN;
    for (int i = 0; i < (first.port == 0 ? PORT_TRIES : 1) && status != HY_OK; i++) {
        status = open_in_a_row(self, &first);
    }
    const char *const why =
        status == HY_EADDRESS ? "it is not an address of this machine" : hy_status_text(status);
    char owner[HY_PORT_OWNER_MAX] = "";
    for (uint64_t i = 0; i < o->count && first.port != 0 && owner[0] == '\0'; i++) {
        (void)hy_port_owner(status, first.port + (unsigned)i, false, owner);
    }
    if (status != HY_OK && is_one(self)) {
        hy_print_error(BOARD_COMMAND,
                       "cannot listen on %s: %s; choose another address or port with --listen%s",
                       o->listen, why, owner);
    } else if (status != HY_OK) {
        hy_print_error(BOARD_COMMAND,
                       "--listen %s: %" PRIu64 " ports in a row cannot be opened there: %s%s",
                       o->listen, o->count, hy_status_text(status), owner);
    }
    return status == HY_OK;
}

static bool start_sims(group *self)
{
    const board_options *const o = self->options;
    const hy_worldfile_robots robots = { .pwm_hz = o->pwm_hz,
                                         .traits = hy_host_traits_of(&o->traits) };
    hy_world_error error;
    self->model = robot_world_load(o->world, o->robot.kind, robots, &error);
    const hy_sim_board board = { ROBOT_WORLD_VEHICLE, o->robot };
    hy_sim_setup setup = {
        .world = self->model, .boards = &board, .board_count = 1, .faults = &o->faults.spec
    };
    bool ok = self->model != NULL;
    while (ok && self->started < o->count) {
        setup.seed = o->seed + self->started;
        ok = hy_sim_open(&setup, &self->members[self->started].sim, &error) == HY_OK;
        self->started += ok ? 1 : 0;
    }
    if (!ok && self->started > 0) {
        hy_print_error(BOARD_COMMAND, "robot %zu: %s", self->started + 1, error.text);
    } else if (!ok) {
        hy_print_error(BOARD_COMMAND, "%s", error.text);
    }
    return ok;
}

// Of many, one timer for all: no call of the system for a robot but to look for its datagrams.
static bool start_loop(group *self)
{
    const int64_t start_us = self->host.start_us;
    const int64_t step_us = hy_sim_step_us(self->members[0].sim);
    const int64_t status_us = hy_board_status_period_us(hy_sim_board_at(self->members[0].sim, 0));
    hy_host_loop_every(&self->loop, start_us + step_us, step_us, on_event, self);
    if (is_one(self)) {
        hy_host_loop_every(&self->loop, start_us + status_us, status_us, on_event, self);
        hy_host_loop_watch(&self->loop, hy_link_descriptor(&self->members[0].boards.link[0]),
                           on_event, self);
    }
    hy_host_loop_end_after(&self->loop, start_us, self->options->duration_s);
    return hy_host_loop_start(&self->loop);
}

static bool attach_all(group *self)
{
    board_options *const o = self->options;
    hy_sim *const sim = self->members[0].sim;
    const hy_host_page_setup page = { .page = &o->page,
                                      .phantoms = &o->phantom,
                                      .sim = sim,
                                      .faults = o->faults.text,
                                      .may = "press the robot's button and reset its world",
                                      .loop = &self->loop.loop };
    o->page.place.names = o->names.names;
    o->nt.trusted = o->names.names.at;
    o->nt.trusted_count = o->names.names.count;
    hy_host_nt_start(&o->nt, &self->host);
    o->record.live = hy_host_nt_sink(&o->nt);
    return hy_host_truth_start(&o->truth, &self->host) &&
           hy_host_page_start(&self->page, &self->host, &page) && start_loop(self) &&
           hy_host_record_start(&o->record, &self->host, sim);
}

// --------------------------------------------------------------------------- life

static bool serve(group *self)
{
    board_options *const o = self->options;
    if (is_one(self)) {
        board_print_one(o, &self->members[0], &self->page);
    } else {
        board_print_many(o, &self->members[0].boards.link[0].local);
    }
    const bool ok = hy_host_loop_run(&self->loop);
    const double ran_s = (double)(hy_clock_now_us() - self->host.start_us) * 1e-6;
    board_print_end(o, self->members, ran_s);
    return ok;
}

static bool run(group *self)
{
    if (!open_links(self) || !start_sims(self)) {
        return false;
    }
    self->host = (hy_host){ .step = step, .take_inputs = take_inputs, .context = self };
    hy_host_start(&self->host, BOARD_COMMAND, hy_sim_step_us(self->members[0].sim), 1.0,
                  hy_clock_now_us());
    const bool ok = attach_all(self) && serve(self);
    hy_host_close(&self->host);
    return ok && !self->options->record.has_failed && !self->options->truth.has_failed;
}

bool board_robots_run(board_options *options)
{
    group *const self = calloc(1, sizeof *self);
    board_robot *const members = calloc(options->count, sizeof *members);
    bool ok = self != NULL && members != NULL;
    if (ok) {
        self->options = options;
        self->members = members;
        hy_host_loop_init(&self->loop, BOARD_COMMAND);
        hy_process_allow_handles(options->count + FILES_BESIDE); // the usual limit is 1,024
        ok = run(self);
        while (self->started > 0) {
            hy_sim_close(members[--self->started].sim);
        }
        close_links(self);
        hy_world_free(self->model);
    } else {
        hy_print_error(BOARD_COMMAND, "there is not enough memory");
    }
    free(members);
    free(self);
    return ok;
}
