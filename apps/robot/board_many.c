#include "board_many.h"

#include <halyard/link.h>
#include <halyard/sim.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cli/app.h"
#include "cli/network_notice.h"
#include "host/host.h"
#include "host/host_boards.h"
#include "host/host_faults.h"
#include "host/host_ready.h"
#include "process/child.h"
#include "robot_world.h"

#define ROBOTS_PER_PROCESS 125 // robots of one process, each with a world of the engine's 128
#define PROCESSES          ((BOARD_MANY_MAX + ROBOTS_PER_PROCESS - 1) / ROBOTS_PER_PROCESS)
#define PORT_TRIES         20 // for as many free ports in a row
#define START_LIMIT_US     INT64_C(60000000)
#define END_LIMIT_MS       5000
#define FILES_BESIDE       64 // descriptors that are no robot's

// --------------------------------------------------------------------------- robots

typedef struct {
    hy_host_boards boards; // one
    hy_sim *sim;
} member;

typedef struct {
    const board_many_options *options;
    hy_world_model *model;
    member *members;
    size_t opened, started; // of the members
    hy_loop loop;
    hy_host host;
} robot_group;

static bool step(void *context, int64_t due_us)
{
    robot_group *const self = context;
    const hy_sim_input input = { .now_us = due_us - self->host.start_us, .world_steps = 1 };
    for (size_t i = 0; i < self->started; i++) {
        hy_sim_step(self->members[i].sim, &input);
        hy_host_boards_send(&self->members[i].boards, self->members[i].sim);
    }
    return true;
}

static void take_inputs(void *context, int64_t now_us)
{
    robot_group *const self = context;
    for (size_t i = 0; i < self->started; i++) {
        hy_host_boards_receive(&self->members[i].boards, self->members[i].sim,
                               now_us - self->host.start_us, self->host.start_us);
    }
}

// All robots at once: one timer, and no call of the system for a robot but to look for its datagrams.
static void on_step(void *context, int64_t now_us)
{
    robot_group *const self = context;
    (void)hy_host_turn(&self->host, now_us);
}

static void on_signal(void *context, int signal_number)
{
    (void)signal_number;
    hy_loop_quit(context);
}

static void on_end(void *context, int64_t now_us)
{
    (void)now_us;
    hy_loop_quit(context);
}

// --------------------------------------------------------------------------- start

// Each robot needs a descriptor; the usual limit is 1,024.
static void allow_descriptors(size_t count)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < count + FILES_BESIDE) {
        const rlim_t wanted = count + FILES_BESIDE;
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        (void)setrlimit(RLIMIT_NOFILE, &limit); // else opening a link fails, and says so
    }
}

static void close_links(robot_group *self)
{
    while (self->opened > 0) {
        hy_host_boards_close(&self->members[--self->opened].boards);
    }
}

// As many ports in a row from `first` on; from any free one on if its port is 0.
static hy_status open_in_a_row(robot_group *self, const hy_endpoint *first)
{
    hy_endpoint local = *first;
    hy_status status = HY_OK;
    while (self->opened < self->options->count && status == HY_OK) {
        member *const next = &self->members[self->opened];
        status = hy_link_open(&next->boards.link[0], &local);
        if (status == HY_OK) {
            self->opened++;
            next->boards.count = 1;
            next->boards.program = self->options->command;
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

static bool open_links(robot_group *self)
{
    const board_many_options *const o = self->options;
    hy_endpoint first;
    const int found = hy_link_resolve(o->listen, HY_WIRE_PORT, &first, 1);
    hy_status status = found < 0 ? (hy_status)found : found == 0 ? HY_ENAME : HY_AGAIN;
    for (int i = 0; found == 1 && i < PORT_TRIES && status != HY_OK; i++) {
        status = open_in_a_row(self, &first);
        if (first.port != 0) {
            break;
        }
    }
    if (status != HY_OK) {
        hy_print_error(o->command, "--listen %s: %zu ports in a row cannot be opened there: %s",
                       o->listen, o->count, hy_status_text(status));
    }
    return status == HY_OK;
}

static bool start_sims(robot_group *self)
{
    const board_many_options *const o = self->options;
    const hy_sim_board board = { ROBOT_WORLD_VEHICLE, o->robot };
    hy_sim_setup setup = {
        .world = self->model, .boards = &board, .board_count = 1, .faults = o->faults
    };
    for (; self->started < o->count; self->started++) {
        hy_world_error error;
        setup.seed = o->seed + self->started;
        if (hy_sim_start(&setup, &self->members[self->started].sim, &error) != HY_OK) {
            hy_print_error(o->command, "robot %zu: %s", self->started + 1, error.text);
            return false;
        }
    }
    return true;
}

static bool load_model(robot_group *self)
{
    hy_world_error error;
    self->model = robot_world_load(self->options->world, self->options->robot.kind,
                                   self->options->robots, &error);
    if (self->model == NULL) {
        hy_print_error(self->options->command, "%s", error.text);
    }
    return self->model != NULL;
}

static bool start_loop(robot_group *self)
{
    const int64_t end_us = (int64_t)(self->options->duration_s * 1e6);
    hy_loop_init(&self->loop);
    const int64_t step_us = hy_world_describe(self->model).step_us;
    self->host = (hy_host){ .step = step, .take_inputs = take_inputs, .context = self };
    hy_host_start(&self->host, self->options->command, step_us, 1.0, hy_clock_now_us());
    hy_status status = hy_loop_every(&self->loop, self->host.due_us, step_us, on_step, self);
    if (status == HY_OK && end_us > 0) {
        status = hy_loop_every(&self->loop, self->host.start_us + end_us, end_us + 1, on_end,
                               &self->loop);
    }
    if (status == HY_OK) {
        status = hy_loop_on_signals(&self->loop, on_signal, &self->loop);
    }
    if (status != HY_OK) {
        hy_print_error(self->options->command, "cannot start: %s", hy_status_text(status));
    }
    return status == HY_OK;
}

// --------------------------------------------------------------------------- life

static void announce(const board_many_options *options, const hy_endpoint *first)
{
    hy_ready_line ready = { .pairs = "" };
    hy_ready_line_add_address(&ready, "udp", first);
    hy_ready_line_add(&ready, "count", "%zu", options->count);
    hy_ready_line_print(&ready, stdout);
    network_notice(first,
                   "can drive these robots and read their sensors: their protocol has no password");
    hy_host_faults_announce(options->command, options->faults_text);
    fflush(stdout);
}

static void sum_up(const robot_group *self)
{
    hy_board_counters sum = { .commands = 0 };
    hy_sim_fault_counts faults = { .to_robot = { .put = 0 } };
    uint64_t overflowed = 0;
    for (size_t i = 0; i < self->started; i++) {
        hy_host_faults_add(&faults, self->members[i].sim);
        const hy_board_counters *const c = hy_board_counts(hy_sim_board_at(self->members[i].sim, 0));
        sum.commands += c->commands;
        sum.statuses += c->statuses;
        sum.watchdog_trips += c->watchdog_trips;
        overflowed += hy_host_boards_overflowed(&self->members[i].boards);
    }
    hy_print_error(self->options->command,
                   "%zu robots ran %.1f s: %" PRIu64 " commands obeyed, %" PRIu64
                   " statuses sent, %" PRIu64 " watchdog trips; %" PRIu64
                   " datagrams lost in this machine",
                   self->started, (double)(hy_clock_now_us() - self->host.start_us) * 1e-6,
                   sum.commands, sum.statuses, sum.watchdog_trips, overflowed);
    if (self->options->faults_text != NULL) {
        hy_host_faults_print_sum(self->options->command, &faults);
    }
}

static bool run_group(robot_group *self)
{
    if (!open_links(self) || !load_model(self) || !start_sims(self) || !start_loop(self)) {
        return false;
    }
    announce(self->options, &self->members[0].boards.link[0].local);
    const hy_status status = hy_loop_run(&self->loop);
    hy_loop_on_signals(&self->loop, NULL, NULL);
    sum_up(self);
    return status == HY_OK;
}

static bool run_here(const board_many_options *options)
{
    robot_group self = { .options = options };
    self.members = calloc(options->count, sizeof *self.members);
    if (self.members == NULL) {
        hy_print_error(options->command, "there is not enough memory");
        return false;
    }
    allow_descriptors(options->count);
    const bool ok = run_group(&self);
    while (self.started > 0) {
        hy_sim_end(self.members[--self.started].sim);
    }
    close_links(&self);
    hy_world_free(self.model);
    free(self.members);
    return ok;
}

// --------------------------------------------------------------------------- more processes

typedef struct {
    const board_many_options *options;
    child processes[PROCESSES];
    size_t count;
    hy_loop loop;
    bool failed;
} process_group;

// The command line without `name` and its value.
static void leave_out(const char **arguments, const char *name)
{
    const size_t size = strlen(name);
    size_t to = 0;
    for (size_t from = 0; arguments[from] != NULL; from++) {
        if (strcmp(arguments[from], name) == 0) {
            from += arguments[from + 1] != NULL;
        } else if (strncmp(arguments[from], name, size) != 0 || arguments[from][size] != '=') {
            arguments[to++] = arguments[from];
        }
    }
    arguments[to] = NULL;
}

static bool start_process(process_group *self, const hy_endpoint *first)
{
    const board_many_options *const o = self->options;
    const size_t before = self->count * ROBOTS_PER_PROCESS;
    const size_t count =
        o->count - before < ROBOTS_PER_PROCESS ? o->count - before : ROBOTS_PER_PROCESS;
    char listen[HY_ENDPOINT_TEXT_MAX + 16], count_text[40], seed[40];
    const char *arguments[CHILD_ARGUMENTS_MAX + 1] = { NULL };
    hy_endpoint local = *first;
    local.port = (uint16_t)(first->port + before);
    (void)hy_endpoint_format(&local, listen);
    snprintf(count_text, sizeof count_text, "--count=%zu", count);
    snprintf(seed, sizeof seed, "--seed=%" PRIu64, o->seed + before);
    for (int i = 0; i < o->argc && i < CHILD_ARGUMENTS_MAX - 4; i++) {
        arguments[i] = o->argv[i];
    }
    leave_out(arguments, "--listen");
    leave_out(arguments, "--count");
    leave_out(arguments, "--seed");
    size_t end = 0;
    while (arguments[end] != NULL) {
        end++;
    }
    arguments[end] = "--listen";
    arguments[end + 1] = listen;
    arguments[end + 2] = count_text;
    arguments[end + 3] = seed;
    if (!child_start(&self->processes[self->count], o->run, arguments)) {
        hy_print_error(o->command, "another process cannot be started");
        return false;
    }
    self->count++;
    return true;
}

static void repeat_line(const char *line)
{
    if (!hy_ready_line_is(line)) {
        fprintf(stderr, "%s\n", line);
    }
}

static bool await_ready(child *process)
{
    const int64_t until_us = hy_clock_now_us() + START_LIMIT_US;
    const char *line;
    while ((line = child_await(process, until_us)) != NULL) {
        if (hy_ready_line_is(line)) {
            return true;
        }
        repeat_line(line);
    }
    return false;
}

// One that ends ends all: robots that somebody counts on are gone.
static void on_line(void *context, int64_t now_us)
{
    (void)now_us;
    process_group *const self = context;
    for (size_t i = 0; i < self->count; i++) {
        child *const one = &self->processes[i];
        for (const char *line; (line = child_read(one)) != NULL;) {
            repeat_line(line);
        }
        int status = 0;
        if (one->pid != 0 && child_has_ended(one, &status)) {
            self->failed = self->failed || status != 0;
            hy_loop_quit(&self->loop);
        }
    }
}

static bool serve_processes(process_group *self, const hy_endpoint *first)
{
    bool ok = true;
    for (size_t i = 0; i * ROBOTS_PER_PROCESS < self->options->count && ok; i++) {
        ok = start_process(self, first);
    }
    hy_loop_init(&self->loop);
    for (size_t i = 0; i < self->count && ok; i++) {
        ok = await_ready(&self->processes[i]) &&
             hy_loop_watch(&self->loop, self->processes[i].said, on_line, self) == HY_OK;
    }
    ok = ok && hy_loop_on_signals(&self->loop, on_signal, &self->loop) == HY_OK;
    if (ok) {
        announce(self->options, first);
        ok = hy_loop_run(&self->loop) == HY_OK;
        hy_loop_on_signals(&self->loop, NULL, NULL);
    }
    return ok;
}

static bool run_processes(const board_many_options *options)
{
    process_group self = { .options = options };
    hy_endpoint first;
    if (hy_link_resolve(options->listen, HY_WIRE_PORT, &first, 1) != 1 || first.port == 0 ||
        first.port + options->count - 1 > UINT16_MAX) {
        hy_print_error(
            options->command, "--listen %s: more than %d robots need the port of the first by number, and as many behind it",
            options->listen, ROBOTS_PER_PROCESS);
        return false;
    }
    bool ok = serve_processes(&self, &first);
    for (size_t i = 0; i < self.count; i++) {
        child_stop(&self.processes[i]);
    }
    const int64_t until_us = hy_clock_now_us() + END_LIMIT_MS * INT64_C(1000);
    for (size_t i = 0; i < self.count; i++) {
        for (const char *line; (line = child_await(&self.processes[i], until_us)) != NULL;) {
            repeat_line(line); // how its robots were
        }
        ok = child_close(&self.processes[i], END_LIMIT_MS) == 0 && ok;
    }
    return ok && !self.failed;
}

bool board_many_run(const board_many_options *options)
{
    return options->count > ROBOTS_PER_PROCESS ? run_processes(options) : run_here(options);
}
