#include "sim.h"

#include <halyard/link.h>
#include <halyard/robot.h>
#include <halyard/robots.h>
#include <halyard/run.h>
#include <halyard/worldfile.h>

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/host.h"
#include "host/host_page.h"
#include "host/host_phantoms.h"
#include "options.h"
#include "session.h"
#include "tuning.h"
#include "values.h"
#include "watch.h"
#include "what_if.h"

#define DURATION_S  60.0
#define GIVES_UP_US 5000000 // nobody sits in front of a program that runs as fast as it goes

// --------------------------------------------------------------------------- devices

static void init(const void *devices)
{
    hy_program_devices_init(devices);
}

static void update(const void *devices, const hy_wire_status *status, int64_t now_us)
{
    hy_program_devices_update(devices, status, now_us);
}

static void rebase(const void *devices)
{
    hy_program_devices_rebase(devices);
}

static void stop(const void *devices, int64_t now_us)
{
    hy_program_devices_stop(devices, now_us);
}

static void command(const void *devices, hy_wire_command *to, int64_t now_us)
{
    hy_program_devices_command(devices, to, now_us);
}

static const hy_robot_variant *variant_of(const hy_program_robot *robot, const char *hardware)
{
    return hardware != NULL ? hy_robot_variant_find(hy_program_robot_type(robot), hardware) : NULL;
}

// The hardware that was asked for, of the first robot that there is with it.
static const hy_robot_variant *find_variant(const hy_program *program, const char *hardware)
{
    const hy_robot_variant *variant = NULL;
    for (size_t i = 0; i < HY_PROGRAM_ROBOTS && variant == NULL; i++) {
        const hy_program_robot *const robot = &program->robots[i];
        variant = hy_program_device_class(robot) != NULL ? variant_of(robot, hardware) : NULL;
    }
    return variant;
}

static size_t list_robots(const hy_program *program, const char *hardware,
                          hy_run_robot robots[HY_PROGRAM_ROBOTS])
{
    size_t count = 0;
    while (count < HY_PROGRAM_ROBOTS && hy_program_device_class(&program->robots[count]) != NULL) {
        const hy_program_robot *const robot = &program->robots[count];
        robots[count++] = (hy_run_robot){
            .type = hy_program_robot_type(robot),
            .variant = variant_of(robot, hardware),
            .devices = robot,
            .init = init,
            .update = update,
            .rebase = rebase,
            .stop = stop,
            .command = command,
        };
    }
    return count;
}

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
    hy_host_page page;
    program_values values; // for its plots
    unsigned tuning_shown; // hy_tunables.changes that its pages know
    char url[HY_VIEW_URL_MAX];
    bool is_pressed[HY_PROGRAM_ROBOTS]; // on the page, as the run knows it
    program_what_if *what_if;           // NULL: it runs in a world
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
    out->page = self->page.view != NULL ? self->url : NULL;
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

// --------------------------------------------------------------------------- the page

// In a file of JSON it would be in the way.
static void announce_page(sim_runner *self)
{
    FILE *const out = self->session.options->json ? stderr : stdout;
    program_session_announce(&self->session, hy_view_url(self->page.view, self->url));
    if (!self->with_terminal) { // which shows it all the time
        fprintf(out, "open %s\n", self->url);
    }
    hy_host_page_notice(self->page.view, "press what is on it", out);
}

static bool open_phantoms(sim_runner *self)
{
    hy_host_phantoms asked = { .files.items = asked.items,
                               .files.count = self->session.options->phantom_count };
    memcpy(asked.items, self->session.options->phantoms, sizeof asked.items);
    return hy_host_phantoms_open_for(self->session.program->name, &asked, hy_run_sim(self->run),
                                     &self->page.phantoms);
}

static hy_status open_page(sim_runner *self, hy_program_outcome *out)
{
    const char *const listen = self->session.options->view;
    if (listen == NULL) {
        program_session_announce(&self->session, NULL);
        return HY_OK;
    }
    if (!open_phantoms(self)) {
        snprintf(out->error, sizeof out->error, "a phantom's file cannot be used");
        self->is_refused = true;
        return HY_EFILE;
    }
    hy_view_error error;
    hy_view_place place = { .listen = listen[0] != '\0' ? listen : NULL };
    for (size_t i = 0; i < self->session.options->trusted_count; i++) {
        (void)hy_web_trust(&place.names, self->session.options->trusted[i]); // no name trusts nobody
    }
    const hy_status status = hy_host_page_open(&self->page, &place, hy_run_sim(self->run),
                                               self->session.options->faults_text, &error);
    snprintf(out->error, sizeof out->error, "%.300s", status != HY_OK ? error.text : "");
    if (status != HY_OK) {
        self->is_refused = status == HY_EFORMAT; // the token in the environment is none
        return status;
    }
    if (error.text[0] != '\0') { // it tells browsers that it was not built
        hy_print_error(self->session.program->name, "%s", error.text);
    }
    announce_page(self);
    return HY_OK;
}

// Takes in what the visitors want.
static void obey_page(sim_runner *self, int64_t host_us)
{
    if (self->page.view == NULL) {
        return;
    }
    if (hy_host_page_poll(&self->page, host_us)) {
        hy_run_reset(self->run);
        if (hy_run_is_enabled(self->run)) {
            station_report(&self->session.station, "a page reset the world; the program drives on");
        }
    }
    if (hy_host_page_take_stop(&self->page)) {
        station_hold(&self->session.station, "stopped on a page");
    }
    for (size_t i = 0; i < self->robots; i++) {
        const size_t vehicle = hy_sim_board_vehicle(hy_run_sim(self->run), i);
        const bool is_pressed = hy_host_page_button(&self->page, vehicle, host_us);
        if (is_pressed != self->is_pressed[i]) {
            self->is_pressed[i] = is_pressed;
            hy_run_press(self->run, vehicle, is_pressed);
        }
        if (hy_host_page_take_push(&self->page, vehicle)) {
            hy_run_push(self->run, vehicle);
        }
    }
}

// --------------------------------------------------------------------------- the run

static void wait_for(const sim_runner *self, int64_t until_us)
{
    const int64_t wait_us = until_us - hy_clock_now_us();
    const bool has_page = self->page.view != NULL;
    if (!self->session.station.state.has_terminal && !has_page && wait_us > 0) {
        const struct timespec pause = { .tv_sec = (time_t)(wait_us / 1000000),
                                        .tv_nsec = (long)(wait_us % 1000000) * 1000 };
        nanosleep(&pause, NULL); // a signal ends it
    } else if (wait_us > 0) {
        struct pollfd sources[] = {
            { .fd = self->session.station.state.has_terminal ? STDIN_FILENO : -1, .events = POLLIN },
            { .fd = has_page ? (int)hy_view_descriptor(self->page.view) : -1, .events = POLLIN },
        };
        poll(sources, 2, (int)((wait_us + 999) / 1000));
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
    program_tuning_obey(self->page.view, &self->session.station.note, self->session.journal);
    hy_host_page_collect(&self->page, hy_run_sim(self->run));
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
    obey_page(self, self->host_us);
}

static void show(sim_runner *self)
{
    station_show(&self->session.station, self->host_us);
    if (self->page.view != NULL) {
        program_values_collect(&self->values,
                               hy_world_pose_of(hy_sim_world(hy_run_sim(self->run)), 0));
        self->page.values = self->values.items;
        self->page.value_count = self->values.count;
        program_tuning_show(self->page.view, &self->session.station.note.tunables,
                            &self->tuning_shown);
    }
    hy_host_page_show(&self->page, hy_run_sim(self->run), self->host_us);
}

static void run_to_the_end(sim_runner *self, double speed)
{
    const bool has_clock = speed > 0.0 || self->page.view != NULL;
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
        show(self);
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
    hy_host_page_close(&self->page);
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
    const hy_telemetry_sink shown = program_values_sink(&self->values, live);
    self->values.start = hy_world_pose_of(hy_sim_world(hy_run_sim(self->run)), 0);
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
    self->robots = list_robots(self->session.program, self->session.options->hardware, robots);
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
        status = open_page(self, out);
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
        hy_host_page_close(&self->page);
        (void)hy_run_close(self->run);
    }
    hy_phantoms_close(self->page.phantoms);
    return status;
}

static hy_status find_and_run(sim_runner *self, hy_program_outcome *outcome)
{
    char path[HY_WORLDFILE_PATH_MAX];
    hy_world_model *model = NULL;
    hy_world_error error;
    if (self->what_if != NULL) {
        return run_in(self, NULL, outcome);
    }
    if (self->session.options->model != NULL) {
        return run_in(self, self->session.options->model, outcome);
    }
    hy_status status = HY_EFILE;
    if (hy_worldfile_find(self->session.options->world, path, &error)) {
        const char *const robot = self->session.options->robot;
        hy_robot_traits traits = { .name = "" };
        const hy_worldfile_robots robots = { .variant = find_variant(self->session.program,
                                                                     self->session.options->hardware),
                                             .pwm_hz = self->session.options->pwm_hz,
                                             .traits = robot != NULL ? &traits : NULL };
        status = robot != NULL ? hy_robot_choose(robot, &traits, &error) : HY_OK;
        status = status == HY_OK ? hy_worldfile_load_robots(path, &robots, &model, &error) : status;
    }
    if (status != HY_OK) {
        snprintf(outcome->error, sizeof outcome->error, "%s", error.text);
        return status;
    }
    status = run_in(self, model, outcome);
    hy_world_free(model);
    return status;
}

// How it is run; the rest of a runner is zero.
typedef struct {
    const hy_program *program;
    const hy_program_options *options;
    program_watch *watch;
    program_what_if *what_if;
    bool with_terminal;
} sim_plan;

static hy_status run_with(const sim_plan *how, hy_program_outcome *outcome, int *exit_status)
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

hy_status hy_program_run(const hy_program *program, const hy_program_options *options,
                         hy_program_outcome *outcome)
{
    int exit_status;
    program_what_if what_if = { .inputs = NULL };
    const sim_plan how = { .program = program, .options = options, .what_if = &what_if };
    const hy_status status = run_with(&how, outcome, &exit_status);
    program_what_if_close(&what_if);
    return status;
}

// --------------------------------------------------------------------------- what is printed

static void print_json(const hy_program_options *options, const hy_run_outcome *o)
{
    printf("{\"seed\":%" PRIu64 ",\"time_s\":%.6f,\"steps\":%" PRIu64 ",\"loops\":%" PRIu64
           ",\"x_m\":%.6f,\"y_m\":%.6f,\"heading_rad\":%.6f,\"driven_m\":%.6f,\"touches\":%" PRIu64
           ",\"watchdog_trips\":%" PRIu64 ",",
           options->seed, o->time_s, o->steps, o->loops, o->x_m, o->y_m, o->heading_rad,
           o->driven_m, o->touches, o->watchdog_trips);
    if (o->has_line) {
        printf("\"laps\":%.6f,\"line_mean_m\":%.6f,\"line_most_m\":%.6f,", o->laps, o->line_mean_m,
               o->line_most_m);
    }
    printf("\"hash\":\"%016" PRIx64 "\"}\n", o->hash);
}

static void print_text(const hy_program *program, const hy_program_outcome *outcome)
{
    const hy_run_outcome *const o = &outcome->run;
    printf("%s: %.2f s simulated, %" PRIu64
           " loops, drove %.3f m to x %.3f m, y %.3f m, %.1f degrees; "
           "touched something %" PRIu64 " times\n",
           program->name, o->time_s, o->loops, o->driven_m, o->x_m, o->y_m,
           hy_deg_from_rad(hy_wrap_angle(o->heading_rad)), o->touches);
    if (o->has_line) {
        printf("%s: %.3f laps, %.1f mm from the line on average, %.1f mm at most\n", program->name,
               o->laps, o->line_mean_m * 1e3, o->line_most_m * 1e3);
    }
    printf("%s: hash %016" PRIx64 "%s%s\n", program->name, o->hash,
           outcome->said[0] != '\0' ? "; " : "", outcome->said);
}

static void print_outcome(const hy_program *program, const hy_program_options *options,
                          const hy_program_outcome *outcome)
{
    if (options->json) {
        print_json(options, &outcome->run);
    } else if (program->supervise == NULL) {
        print_text(program, outcome);
    }
}

// An outcome of a run that was cut short is no outcome, unless a person did it who saw it.
static bool is_interrupted(const sim_plan *how)
{
    return !how->with_terminal && how->program->supervise == NULL && hy_robot_is_ending();
}

int program_sim_execute(const hy_program *program, const hy_program_options *options,
                        hy_program_outcome *outcome)
{
    hy_program_outcome own = { .error = "" };
    hy_program_outcome *const out = outcome != NULL ? outcome : &own;
    const bool is_attended = options->speed > 0.0 && !options->json && !options->unattended;
    program_watch watch = { .in_process = true,
                            .gives_up_us = options->speed > 0.0 ? 0 : GIVES_UP_US };
    program_what_if what_if = { .inputs = NULL };
    const sim_plan how = { .program = program,
                           .options = options,
                           .watch = &watch,
                           .what_if = &what_if,
                           .with_terminal =
                               is_attended && hy_terminal_is_there(STDIN_FILENO, STDOUT_FILENO) };
    int exit_status = 1;
    program_watch_start(&watch, program->name);
    hy_robot_watch_signals();
    const hy_status status = run_with(&how, out, &exit_status);
    hy_robot_unwatch_signals();
    program_watch_end(&watch);
    if (status != HY_OK) {
        hy_print_error(program->name, "%s", out->error);
    } else if (is_interrupted(&how)) {
        hy_print_error(program->name, "interrupted after %.2f s of simulated time", out->run.time_s);
        exit_status = 1;
    } else if (options->what_if != NULL && !options->json) {
        program_what_if_print(&what_if, program, &out->run);
    } else {
        print_outcome(program, options, out);
    }
    program_what_if_close(&what_if);
    return exit_status;
}
