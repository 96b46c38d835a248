// A robot program over a network: keys in, the loop at its rate, commands out.
#include <halyard/program.h>
#include <halyard/robot.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net_robot.h"
#include "network.h"
#include "options.h"
#include "publish.h"
#include "session.h"
#include "system/system_sockets.h"
#include "system/system_terminal.h"
#include "text/text_plain.h"
#include "watch.h"

typedef struct {
    program_session session;
    program_net_robot robot[HY_PROGRAM_ROBOTS];
    size_t robots;
    hy_timed_robot loop;
    program_watch watch;
    program_publisher publisher;
    int64_t polled_us, held_up_us; // when robots were polled last; the last pause that was too long
    int64_t end_us;
    hy_mode mode; // what enabling means
} runner;

// --------------------------------------------------------------------------- what a station does with robots

static void disable_robots(void *context, int64_t now_us)
{
    runner *const self = context;
    for (size_t i = 0; i < self->robots; i++) {
        hy_robot_disable(self->robot[i].link);
        hy_program_devices_stop(&self->session.program->robots[i], now_us);
    }
}

static bool enable_robots(void *context)
{
    runner *const self = context;
    for (size_t i = 0; i < self->robots; i++) {
        if (!hy_robot_enable(self->robot[i].link)) {
            for (size_t k = 0; k < i; k++) {
                hy_robot_disable(self->robot[k].link);
            }
            return false;
        }
    }
    return true;
}

static void emergency_stop_robots(void *context)
{
    runner *const self = context;
    for (size_t i = 0; i < self->robots; i++) {
        hy_robot_emergency_stop(self->robot[i].link);
    }
}

static bool are_robots_enabled(void *context)
{
    const runner *const self = context;
    for (size_t i = 0; i < self->robots; i++) {
        if (!hy_robot_is_enabled(self->robot[i].link)) {
            return false;
        }
    }
    return true;
}

static void describe_robots(void *context, hy_program_state *out)
{
    const runner *const self = context;
    const int64_t now_us = hy_clock_now_us();
    out->robots = self->robots;
    for (size_t i = 0; i < self->robots; i++) {
        out->link[i] = program_net_robot_describe(&self->robot[i], now_us);
    }
}

// --------------------------------------------------------------------------- the loop

static void command_robots(runner *self, int64_t now_us)
{
    for (size_t i = 0; i < self->robots; i++) {
        hy_wire_command command;
        program_net_robot_command(&self->robot[i], self->session.station.enabled, now_us, &command);
        program_publish(&self->publisher, i, self->robot[i].link, &command);
    }
}

static void poll_robots(runner *self, int64_t now_us)
{
    if (now_us - self->polled_us >= HY_ROBOT_PAUSE_US) {
        self->held_up_us = now_us - self->polled_us;
    }
    self->polled_us = now_us;
    for (size_t i = 0; i < self->robots; i++) {
        program_net_robot_poll(&self->robot[i], self->session.options->faults == NULL, now_us);
    }
}

static void turn(runner *self, int64_t now_us)
{
    program_station *const station = &self->session.station;
    station_read_keys(station, now_us, now_us);
    station_watch(station, now_us, self->held_up_us);
    self->held_up_us = 0;
    station->over = station->over || now_us >= self->end_us;
    const hy_mode mode = station->enabled ? self->mode : HY_MODE_DISABLED;
    program_publish_loop(&self->publisher, now_us, station->enabled,
                         program_note_text(&station->note));
    (void)hy_host_turn(&self->session.host, now_us);
    program_session_obey(&self->session);
    if (hy_timed_robot_begin(&self->loop, mode, now_us)) {
        command_robots(self, now_us);
        poll_robots(self, now_us);
        hy_timed_robot_end(&self->loop, hy_clock_now_us());
    } else {
        poll_robots(self, now_us);
    }
    for (size_t i = 0; i < self->robots; i++) {
        program_net_robot_update(&self->robot[i]);
    }
    station_show(station, now_us);
}

static int64_t earlier(int64_t a_us, int64_t b_us)
{
    return a_us < b_us ? a_us : b_us;
}

static void wait_for_something(const runner *self)
{
    int64_t due_us = earlier(self->loop.due_us, station_due_us(&self->session.station));
    due_us = earlier(self->end_us, due_us);
    hy_wait_source sources[1 + HY_PROGRAM_ROBOTS] = {
        { .handle = hy_terminal_handle(), .wants_read = true },
    };
    for (size_t i = 0; i < self->robots; i++) {
        due_us = earlier(due_us, hy_robot_due_us(self->robot[i].link));
        sources[1 + i] = (hy_wait_source){ .handle = hy_robot_descriptor(self->robot[i].link),
                                           .wants_read = true };
    }
    (void)hy_wait(sources, 1 + self->robots, due_us - hy_clock_now_us());
}

// --------------------------------------------------------------------------- start and end

// Returns the exit status with which the program ends now; -1 if it goes on.
static int open_robots(runner *self)
{
    const hy_program *const program = self->session.program;
    const hy_program_options *const options = self->session.options;
    int status = -1;
    while (self->robots < HY_PROGRAM_ROBOTS && status < 0 &&
           hy_program_device_class(&program->robots[self->robots]) != NULL) {
        program_net_robot *const one = &self->robot[self->robots];
        status = program_net_robot_open(one, program, &program->robots[self->robots], options,
                                        options->url[self->robots]);
        self->robots += one->link != NULL ? 1 : 0;
    }
    return status;
}

// Returns the exit status with which the program ends now; -1 if it goes on.
static int start_record(runner *self)
{
    program_session *const session = &self->session;
    hy_record_error error;
    program_session_serve(session);
    if (program_session_record(session, NULL, hy_host_nt_sink(&session->nt), &error) != HY_OK) {
        hy_print_error(session->program->name, "%s", error.text);
        return 2;
    }
    program_publish_start(&self->publisher, &session->record);
    for (size_t i = 0; i < self->robots; i++) {
        program_publish_robot(&self->publisher, i, self->robots, self->robot[i].link);
    }
    program_session_announce(session, NULL);
    return -1;
}

// All of them are told to stop before the first one is waited for.
static void stop_robots(runner *self)
{
    for (size_t i = 0; i < self->robots; i++) {
        hy_robot_emergency_stop(self->robot[i].link);
    }
    for (size_t i = 0; i < self->robots; i++) {
        while (!hy_robot_is_stopped(self->robot[i].link)) {
            (void)hy_robot_wait(self->robot[i].link, HY_STOP_REPEAT_US);
        }
    }
}

static void close_robots(runner *self)
{
    for (size_t i = 0; i < self->robots; i++) {
        program_net_robot_close(&self->robot[i]);
    }
    self->robots = 0;
}

static bool are_all_here(const runner *self)
{
    for (size_t i = 0; i < self->robots; i++) {
        const hy_endpoint address = hy_robot_get_address(self->robot[i].link);
        if (!hy_endpoint_is_loopback(&address)) {
            return false;
        }
    }
    return true;
}

static void run_loop(runner *self)
{
    const int64_t now_us = hy_clock_now_us();
    const double duration_s = self->session.options->duration_s;
    self->end_us = duration_s > 0.0 ? now_us + (int64_t)(duration_s * 1e6) : INT64_MAX;
    // The loop runs when a command is due, so that what it decides goes out at once.
    self->polled_us = now_us;
    hy_timed_robot_init(&self->loop, &self->session.program->loop, HY_ROBOT_COMMAND_PERIOD_US,
                        self->session.station.setup.all_are_here,
                        hy_robot_due_us(self->robot[0].link));
    program_watch_start(&self->watch, self->session.program->name);
    self->loop.watcher = program_watch_call;
    self->loop.watcher_context = &self->watch;
    while (!self->session.station.over) {
        wait_for_something(self);
        turn(self, hy_clock_now_us());
    }
    station_stop(&self->session.station, hy_clock_now_us());
    hy_timed_robot_exit(&self->loop, hy_clock_now_us());
    program_watch_end(&self->watch);
}

// What the program said last, or why it ended, and whether it kept its pace.
static void print_end(runner *self)
{
    const char *const said = program_note_text(&self->session.station.note);
    const char *const last = said[0] != '\0' ? said : self->session.station.event;
    hy_print(stdout, "%s: ended%s%s", self->session.program->name, last[0] != '\0' ? "; " : "", last);
    if (self->loop.overruns > 0) {
        printf("; %" PRIu64 " of %" PRIu64 " loops took longer than their %g ms, up to %.1f ms",
               self->loop.overruns, self->loop.loops, (double)self->loop.period_us * 1e-3,
               (double)self->loop.worst_us * 1e-3);
    }
    printf("\n");
}

static void sum_up(runner *self)
{
    program_station *const station = &self->session.station;
    for (size_t i = 0; i < self->robots; i++) {
        const hy_robot_counters counters = hy_robot_get_counters(self->robot[i].link);
        if (counters.rx_malformed > 0 && self->session.options->faults == NULL) {
            hy_print_error(self->session.program->name,
                           "%llu statuses of %s were malformed; the first: %s (byte %zu)",
                           (unsigned long long)counters.rx_malformed, self->robot[i].url,
                           hy_wire_error_text(counters.first_malformed.error),
                           counters.first_malformed.error_at);
        }
        if (counters.statuses == 0) {
            char help[HY_ROBOT_MISSING_MAX] = "";
            const bool is_missing =
                !station->state.link[i].is_taken && self->session.options->faults == NULL;
            station_fail(station,
                         is_missing ? "no robot answered at %s; %s"
                         : station->state.link[i].is_taken
                             ? "another program drives the robot at %s; end it first%s"
                             : "no status came from %s through the faults that are injected; is "
                               "the robot on?%s",
                         self->robot[i].url,
                         is_missing ? hy_robot_missing(self->robot[i].url, help) : "");
        }
    }
    if (self->session.options->json) {
        printf("{\"loops\":%" PRIu64 ",\"late\":%" PRIu64 ",\"longest_ms\":%.1f}\n",
               self->loop.loops, self->loop.overruns, (double)self->loop.worst_us * 1e-3);
    } else if (self->session.program->supervise == NULL) {
        print_end(self);
    }
}

static int run_opened(runner *self, bool with_terminal)
{
    const station_setup setup = {
        .program = self->session.program,
        .options = self->session.options,
        .robots = { self, enable_robots, disable_robots, emergency_stop_robots, are_robots_enabled,
                    describe_robots },
        .with_terminal = with_terminal,
        .all_are_here = are_all_here(self),
    };
    if (station_start(&self->session.station, &setup) != HY_OK) {
        hy_print_error(self->session.program->name, "%s", hy_status_text(HY_EMEMORY));
        return 1;
    }
    program_session_begin(&self->session);
    run_loop(self);
    stop_robots(self);
    program_publish_loop(&self->publisher, hy_clock_now_us(), false,
                         program_note_text(&self->session.station.note));
    sum_up(self);
    hy_record_error error;
    if (program_session_end(&self->session, &error) != HY_OK) {
        station_fail(&self->session.station, "%s", error.text);
    }
    station_end(&self->session.station);
    return self->session.station.failed ? 1 : 0;
}

int program_network_execute(const hy_program *program, const hy_program_options *options)
{
    const bool with_terminal = !options->unattended && hy_terminal_is_there();
    if (!with_terminal && !options->enable && program->supervise == NULL) {
        hy_print_error(program->name, "there is no terminal to press Enter at: add --enable");
        return 1;
    }
    runner *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        hy_print_error(program->name, "%s", hy_status_text(HY_EMEMORY));
        return 1;
    }
    char error[PROGRAM_SAVED_ERROR_MAX];
    int status = -1;
    if (program_session_open(&self->session, program, options, error) != HY_OK) {
        hy_print_error(program->name, "%s", error);
        status = 2;
    }
    self->mode = hy_program_mode(self->session.program);
    status = status < 0 ? open_robots(self) : status;
    status = status < 0 ? start_record(self) : status;
    status = status < 0 ? run_opened(self, with_terminal) : status;
    program_session_close(&self->session);
    close_robots(self);
    free(self);
    return status;
}
