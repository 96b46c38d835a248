#include "sim.h"

#include <halyard/link.h>
#include <halyard/robot.h>
#include <halyard/run.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "session.h"
#include "sim_world.h"
#include "system/system_sockets.h"
#include "system/system_terminal.h"
#include "system/system_threads.h"
#include "watch.h"
#include "what_if.h"

#define DURATION_S 60.0

// --------------------------------------------------------------------------- what a station does with robots

// A run with whoever enables its robots.
typedef struct {
    program_session session;
    program_watch *watch; // NULL: nobody watches that calls return
    bool with_terminal;
    hy_run *run;
    int64_t host_us; // the clock in this turn; 0 without one
    size_t robots;
    char address[128];
    bool is_refused; // a file that was asked for could not be begun or read
    program_page page;
    program_what_if *what_if; // NULL: it runs in a world
} sim_runner;

// Else its robots are enabled when they answer.
static bool has_station(const sim_runner *self)
{
    return self->what_if == NULL && (self->with_terminal || self->session.program->supervise != NULL);
}

static bool enable_robots(void *context)
{
    sim_runner *const self = context;
    return !hy_robot_is_ending() && hy_run_enable(self->run);
}

static void disable_robots(void *context, int64_t now_us)
{
    (void)now_us;
    sim_runner *const self = context;
    hy_run_disable(self->run);
}

static void emergency_stop_robots(void *context)
{
    disable_robots(context, 0);
}

static bool are_robots_enabled(void *context)
{
    const sim_runner *const self = context;
    return hy_run_is_enabled(self->run);
}

static void describe_robots(void *context, hy_program_state *out)
{
    const sim_runner *const self = context;
    const int64_t now_us = hy_sim_now_us(hy_run_sim(self->run));
    out->robots = self->robots;
    out->sim = hy_run_sim(self->run);
    out->page = self->page.host.view != NULL ? self->page.url : NULL;
    for (size_t i = 0; i < self->robots; i++) {
        const hy_run_traffic t = hy_run_traffic_of(self->run, i);
        const bool is_up = t.heard_us != INT64_MIN && now_us - t.heard_us < HY_RUN_SILENCE_US;
        const double loss = t.lost > 0 ? (double)t.lost / (double)(t.lost + t.statuses) : 0.0;
        out->link[i] =
            (hy_program_link){ .address = self->address,
                               .is_up = is_up,
                               .rate_hz = is_up && t.period_us > 0 ? 1e6 / (double)t.period_us : 0.0,
                               .loss = loss,
                               .loss_total = loss,
                               .age_us = t.statuses > 0 ? now_us - t.heard_us : INT64_MAX,
                               .commands = t.commands,
                               .statuses = t.statuses };
    }
}

// --------------------------------------------------------------------------- the run

static void wait_for(const sim_runner *self, int64_t until_us)
{
    const int64_t wait_us = until_us - hy_clock_now_us();
    const hy_view *const page = self->page.host.view;
    const intptr_t keys = hy_terminal_handle(), pages = page != NULL ? hy_view_descriptor(page) : -1;
    if (keys < 0 && pages < 0) {
        hy_time_sleep(wait_us); // a signal ends it
    } else if (wait_us > 0) {
        (void)hy_wait_to_read(keys, pages, wait_us);
    }
}

static void record_step(sim_runner *self)
{
    hy_host_stepped(&self->session.host, hy_run_sim(self->run));
    hy_host_record_say(&self->session.record, program_note_text(&self->session.station.note));
}

static bool step(void *context, int64_t due_us)
{
    sim_runner *const self = context;
    (void)due_us;
    if (has_station(self)) {
        station_watch(&self->session.station, hy_sim_now_us(hy_run_sim(self->run)), 0);
    }
    const bool is_done = !has_station(self) && self->session.station.note.has_finished;
    if (is_done || self->session.station.over || hy_robot_is_ending() || !hy_run_step(self->run)) {
        return false;
    }
    record_step(self);
    program_session_obey(&self->session);
    program_page_tune(&self->page);
    hy_host_page_collect(&self->page.host, hy_run_sim(self->run));
    return true;
}

static void suspend_if_asked(sim_runner *self)
{
    if (hy_robot_is_suspending() && !self->session.station.state.has_terminal) {
        hy_robot_suspend();
    }
}

static void take_inputs(void *context, int64_t now_us)
{
    sim_runner *const self = context;
    (void)now_us; // of the steps, if there is no pace
    station_read_keys(&self->session.station, self->host_us, hy_sim_now_us(hy_run_sim(self->run)));
    program_page_obey(&self->page, self->host_us);
}

static void run_to_the_end(sim_runner *self, double speed)
{
    const bool has_clock = speed > 0.0 || self->page.host.view != NULL;
    const int64_t step_us = hy_sim_step_us(hy_run_sim(self->run));
    bool goes_on = true;
    hy_host *const host = &self->session.host;
    host->step = step;
    host->take_inputs = take_inputs;
    host->context = self;
    hy_host_start(host, self->session.program->name, step_us, speed,
                  has_clock ? hy_clock_now_us() : 0);
    while (goes_on && !self->session.station.over) {
        self->host_us = has_clock ? hy_clock_now_us() : 0;
        goes_on = hy_host_turn(&self->session.host, self->host_us);
        station_show(&self->session.station, self->host_us);
        program_page_show(&self->page, self->host_us);
        if (speed > 0.0) {
            const int64_t due_us = hy_host_due_us(host);
            const int64_t station_us = station_due_us(&self->session.station);
            wait_for(self, due_us < station_us ? due_us : station_us);
        }
        suspend_if_asked(self);
    }
}

// --------------------------------------------------------------------------- start and end

static int64_t duration_us(const sim_runner *self)
{
    const double duration_s = self->session.options->duration_s;
    if (duration_s > 0.0) {
        return (int64_t)(duration_s * 1e6);
    }
    return has_station(self) ? INT64_MAX : (int64_t)(DURATION_S * 1e6);
}

static hy_status start_station(sim_runner *self)
{
    const char *const world = self->session.options->world;
    snprintf(self->address, sizeof self->address, "sim://%s", world != NULL ? world : "");
    const station_setup setup = {
        .program = self->session.program,
        .options = self->session.options,
        .robots = { self, enable_robots, disable_robots, emergency_stop_robots, are_robots_enabled,
                    describe_robots },
        .with_terminal = self->with_terminal,
        .all_are_here = true,
    };
    return station_start(&self->session.station, &setup);
}

static hy_status run_started(sim_runner *self, hy_program_outcome *out)
{
    hy_record_error error = { "" };
    program_session_begin(&self->session);
    run_to_the_end(self, self->session.options->speed);
    if (has_station(self)) {
        station_stop(&self->session.station, hy_sim_now_us(hy_run_sim(self->run)));
    }
    record_step(self);
    station_end(&self->session.station);
    hy_sim_record_finish(&self->session.record.sim);
    hy_host_page_close(&self->page.host);
    if (self->what_if != NULL) {
        self->what_if->before = hy_run_recorded_outcome(self->run);
    }
    out->run = hy_run_close(self->run);
    snprintf(out->said, sizeof out->said, "%s", program_note_text(&self->session.station.note));
    const hy_status status = program_session_end(&self->session, &error);
    snprintf(out->error, sizeof out->error, "%.300s", error.text);
    return status;
}

static hy_status start_record(sim_runner *self, hy_program_outcome *out)
{
    hy_record_error error = { "" };
    const hy_telemetry_sink *const live = hy_host_nt_sink(&self->session.nt);
    const hy_telemetry_sink shown = program_values_sink(&self->page.values, live);
    self->page.values.start = hy_world_pose_of(hy_sim_world(hy_run_sim(self->run)), 0);
    const hy_status status =
        program_session_record(&self->session, hy_run_sim(self->run),
                               self->session.options->view != NULL ? &shown : live, &error);
    snprintf(out->error, sizeof out->error, "%.300s", error.text);
    self->is_refused = status != HY_OK;
    hy_run_watch(self->run, hy_sim_record_input, &self->session.record.sim);
    return status;
}

static hy_status run_in(sim_runner *self, const hy_world_model *world, hy_program_outcome *out)
{
    hy_run_robot robots[HY_PROGRAM_ROBOTS];
    self->robots = program_sim_robots(self->session.program, self->session.options->hardware, robots);
    const hy_run_setup setup = { .program = &self->session.program->loop,
                                 .mode = hy_program_mode(self->session.program),
                                 .starts_disabled = has_station(self),
                                 .robots = robots,
                                 .robot_count = self->robots,
                                 .recorded = self->what_if != NULL ? &self->what_if->recorded : NULL,
                                 .world = world,
                                 .seed = self->session.options->seed,
                                 .faults = self->session.options->faults,
                                 .duration_us = duration_us(self),
                                 .watcher = self->watch != NULL ? program_watch_call : NULL,
                                 .watcher_context = self->watch };
    hy_world_error error;
    hy_status status = hy_run_open(&setup, &self->run, &error);
    if (status != HY_OK) {
        snprintf(out->error, sizeof out->error, "%s", error.text);
        return status;
    }
    program_session_serve(&self->session);
    status = start_record(self, out);
    if (status == HY_OK) {
        hy_view_error why;
        self->page.robots = self->robots;
        status = program_page_open(&self->page, &self->session, self->run, self->with_terminal, &why);
        snprintf(out->error, sizeof out->error, "%.300s", status != HY_OK ? why.text : "");
        self->is_refused = status == HY_EFORMAT; // what was asked for cannot be used
    }
    if (status == HY_OK && start_station(self) != HY_OK) {
        status = HY_EMEMORY;
        snprintf(out->error, sizeof out->error, "%s", hy_status_text(status));
    }
    if (status == HY_OK) {
        status = run_started(self, out);
    } else {
        hy_record_error unread; // of a run that did not begin
        (void)hy_sim_record_close(&self->session.record.sim, &unread);
        hy_host_page_close(&self->page.host);
        (void)hy_run_close(self->run);
    }
    hy_phantoms_close(self->page.host.phantoms);
    return status;
}

static hy_status find_and_run(sim_runner *self, hy_program_outcome *outcome)
{
    if (self->what_if != NULL) {
        return run_in(self, NULL, outcome);
    }
    if (self->session.options->model != NULL) {
        return run_in(self, self->session.options->model, outcome);
    }
    hy_world_error error;
    hy_world_model *model;
    hy_status status = program_sim_load(self->session.program, self->session.options, &model, &error);
    if (status == HY_OK) {
        status = run_in(self, model, outcome);
        hy_world_free(model);
    } else {
        snprintf(outcome->error, sizeof outcome->error, "%s", error.text);
    }
    return status;
}

hy_status program_sim_run(const program_sim_plan *how, hy_program_outcome *outcome, int *exit_status)
{
    sim_runner *const self = calloc(1, sizeof *self);
    memset(outcome, 0, sizeof *outcome);
    if (self == NULL) {
        snprintf(outcome->error, sizeof outcome->error, "%s", hy_status_text(HY_EMEMORY));
        return HY_EMEMORY;
    }
    self->watch = how->watch;
    self->with_terminal = how->with_terminal;
    self->what_if = how->options->what_if != NULL ? how->what_if : NULL;
    hy_status status =
        program_session_open(&self->session, how->program, how->options, outcome->error);
    if (status == HY_OK && self->what_if != NULL) {
        status = program_what_if_open(self->what_if, self->session.program, how->options->what_if,
                                      outcome->error);
    }
    self->is_refused = status != HY_OK;
    status = status == HY_OK ? find_and_run(self, outcome) : status;
    program_session_close(&self->session);
    *exit_status = self->is_refused ? 2 : status != HY_OK || self->session.station.failed ? 1 : 0;
    free(self);
    return status;
}
