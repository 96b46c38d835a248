#include "board_many.h"

#include <halyard/link.h>
#include <halyard/sim.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cli/app.h"
#include "cli/faults_option.h"
#include "cli/network_notice.h"
#include "cli/ready_line.h"
#include "cli/refusals.h"
#include "process/child.h"
#include "robot_world.h"

#define A_PROCESS       125 // robots of one process, each with a world of the engine's 128
#define PROCESSES       ((BOARD_MANY_MAX + A_PROCESS - 1) / A_PROCESS)
#define CATCH_UP_MAX_US 250000 // as far behind real time, the clocks of the worlds are set forward
#define PORT_TRIES      20     // for as many free ports in a row
#define START_LIMIT_US  INT64_C(60000000)
#define END_LIMIT_MS    5000
#define FILES_BESIDE    64 // descriptors that are no robot's
#define BATCHES_MAX     63 // of datagrams for one robot in a step: a flood cannot hold the others

// --------------------------------------------------------------------------- robots

typedef struct {
    hy_link link;
    hy_sim *sim;
    uint64_t overflowed;
} member;

typedef struct {
    const board_many_options *options;
    hy_world_model *model;
    member *members;
    size_t opened, started; // of the members
    hy_loop loop;
    int64_t start_us; // the simulations' time 0
    int64_t due_us;   // when the next step of the worlds ends
    int64_t step_us;
} crowd;

static void send_statuses(member *self)
{
    for (hy_sim_datagram out; hy_sim_next_datagram(self->sim, &out);) {
        (void)hy_link_send(&self->link, &out.peer,
                           out.bytes); // else counted by the link, as lost on the air
    }
}

static void step(member *self, const hy_sim_input *input)
{
    hy_sim_step(self->sim, input);
    send_statuses(self);
}

// A step of the world that ends at `at_us` of the simulation, or none, with what waits, up to one batch. Returns whether there may
// be more.
static bool step_with_datagrams(member *self, const crowd *of, int64_t at_us, unsigned steps)
{
    hy_datagram waiting[HY_LINK_BATCH];
    hy_sim_datagram datagrams[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->link, waiting, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        refusals_check_command(of->options->command, hy_board_dialect(hy_sim_board_at(self->sim, 0)),
                               &waiting[i].peer, waiting[i].bytes);
        datagrams[i] = (hy_sim_datagram){ .peer = waiting[i].peer,
                                          .at_us = waiting[i].at_us - of->start_us,
                                          .bytes = waiting[i].bytes };
    }
    step(self, &(hy_sim_input){ .now_us = at_us,
                                .world_steps = steps,
                                .datagrams = datagrams,
                                .datagram_count = count });
    return count == HY_LINK_BATCH;
}

// Only a robot that got a whole batch can have lost some. What was lost is newer than what was read, and may be a stop.
static void note_overflow(member *self, int64_t at_us)
{
    const uint64_t overflowed = hy_link_overflowed(&self->link);
    if (overflowed != self->overflowed) {
        self->overflowed = overflowed;
        const hy_sim_datagram lost = { .peer = { .port = 0 } };
        step(self, &(hy_sim_input){ .now_us = at_us, .datagrams = &lost, .datagram_count = 1 });
    }
}

static void step_member(member *self, const crowd *of, int64_t now_us)
{
    int64_t at_us = of->due_us - of->start_us;
    if (step_with_datagrams(self, of, at_us, 1)) {
        for (int i = 0; i < BATCHES_MAX && step_with_datagrams(self, of, at_us, 0); i++) {
        }
        note_overflow(self, at_us);
    }
    while ((at_us += of->step_us) <= now_us - of->start_us) {
        step(self, &(hy_sim_input){ .now_us = at_us, .world_steps = 1 });
    }
}

// All robots at once: one timer, and no call of the system for a robot but to look for its datagrams.
static void on_step(void *context, int64_t now_us)
{
    crowd *const self = context;
    if (now_us - self->due_us > CATCH_UP_MAX_US) {
        const int64_t skipped_us = (now_us - self->due_us) / self->step_us * self->step_us;
        self->due_us += skipped_us;
        app_error(self->options->command, "host stalled; skipped %.3f s of simulated time",
                  (double)skipped_us * 1e-6);
    }
    if (self->due_us > now_us) {
        return;
    }
    for (size_t i = 0; i < self->started; i++) {
        step_member(&self->members[i], self, now_us);
    }
    self->due_us += ((now_us - self->due_us) / self->step_us + 1) * self->step_us;
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

static void close_links(crowd *self)
{
    while (self->opened > 0) {
        hy_link_close(&self->members[--self->opened].link);
    }
}

// As many ports in a row from `first` on; from any free one on if its port is 0.
static hy_status open_in_a_row(crowd *self, const hy_endpoint *first)
{
    hy_endpoint local = *first;
    hy_status status = HY_OK;
    while (self->opened < self->options->count && status == HY_OK) {
        member *const next = &self->members[self->opened];
        status = hy_link_open(&next->link, &local);
        if (status == HY_OK) {
            self->opened++;
            const unsigned port = next->link.local.port + 1U;
            local.port = (uint16_t)port;
            status = port > UINT16_MAX && self->opened < self->options->count ? HY_EADDRESS : HY_OK;
        }
    }
    if (status != HY_OK) {
        close_links(self);
    }
    return status;
}

static bool open_links(crowd *self)
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
        app_error(o->command, "--listen %s: %zu ports in a row cannot be opened there: %s",
                  o->listen, o->count, hy_status_text(status));
    }
    return status == HY_OK;
}

static bool start_sims(crowd *self)
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
            app_error(o->command, "robot %zu: %s", self->started + 1, error.text);
            return false;
        }
    }
    return true;
}

static bool load_model(crowd *self)
{
    hy_world_error error;
    self->model = robot_world_load(self->options->world, self->options->robot.kind,
                                   self->options->robots, &error);
    if (self->model == NULL) {
        app_error(self->options->command, "%s", error.text);
    }
    return self->model != NULL;
}

static bool start_loop(crowd *self)
{
    const int64_t end_us = (int64_t)(self->options->duration_s * 1e6);
    hy_loop_init(&self->loop);
    self->step_us = hy_world_describe(self->model).step_us;
    self->start_us = hy_clock_now_us();
    self->due_us = self->start_us + self->step_us;
    hy_status status = hy_loop_every(&self->loop, self->due_us, self->step_us, on_step, self);
    if (status == HY_OK && end_us > 0) {
        status = hy_loop_every(&self->loop, self->start_us + end_us, end_us + 1, on_end, &self->loop);
    }
    if (status == HY_OK) {
        status = hy_loop_on_signals(&self->loop, on_signal, &self->loop);
    }
    if (status != HY_OK) {
        app_error(self->options->command, "cannot start: %s", hy_status_text(status));
    }
    return status == HY_OK;
}

// --------------------------------------------------------------------------- life

static void announce(const board_many_options *options, const hy_endpoint *first)
{
    ready_line ready = { .pairs = "" };
    ready_line_add_address(&ready, "udp", first);
    ready_line_add(&ready, "count", "%zu", options->count);
    ready_line_print(&ready, stdout);
    network_notice(first,
                   "can drive these robots and read their sensors: their protocol has no password");
    faults_option_announce(options->command, options->faults_text);
    fflush(stdout);
}

static void sum_up(const crowd *self)
{
    hy_board_counters sum = { .commands = 0 };
    hy_sim_fault_counts faults = { .to_robot = { .put = 0 } };
    uint64_t overflowed = 0;
    for (size_t i = 0; i < self->started; i++) {
        faults_option_add(&faults, self->members[i].sim);
        const hy_board_counters *const c = hy_board_counts(hy_sim_board_at(self->members[i].sim, 0));
        sum.commands += c->commands;
        sum.statuses += c->statuses;
        sum.watchdog_trips += c->watchdog_trips;
        overflowed += hy_link_overflowed(&self->members[i].link);
    }
    app_error(self->options->command,
              "%zu robots ran %.1f s: %" PRIu64 " commands obeyed, %" PRIu64
              " statuses sent, %" PRIu64 " watchdog trips; %" PRIu64
              " datagrams lost in this machine",
              self->started, (double)(hy_clock_now_us() - self->start_us) * 1e-6, sum.commands,
              sum.statuses, sum.watchdog_trips, overflowed);
    if (self->options->faults_text != NULL) {
        faults_option_print_sum(self->options->command, &faults);
    }
}

static bool run_crowd(crowd *self)
{
    if (!open_links(self) || !load_model(self) || !start_sims(self) || !start_loop(self)) {
        return false;
    }
    announce(self->options, &self->members[0].link.local);
    const hy_status status = hy_loop_run(&self->loop);
    hy_loop_on_signals(&self->loop, NULL, NULL);
    sum_up(self);
    return status == HY_OK;
}

static bool run_here(const board_many_options *options)
{
    crowd self = { .options = options };
    self.members = calloc(options->count, sizeof *self.members);
    if (self.members == NULL) {
        app_error(options->command, "there is not enough memory");
        return false;
    }
    allow_descriptors(options->count);
    const bool ok = run_crowd(&self);
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
} fleet;

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

static bool start_process(fleet *self, const hy_endpoint *first)
{
    const board_many_options *const o = self->options;
    const size_t before = self->count * A_PROCESS;
    const size_t count = o->count - before < A_PROCESS ? o->count - before : A_PROCESS;
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
        app_error(o->command, "another process cannot be started");
        return false;
    }
    self->count++;
    return true;
}

static void repeat_line(const char *line)
{
    if (!ready_line_is(line)) {
        fprintf(stderr, "%s\n", line);
    }
}

static bool await_ready(child *process)
{
    const int64_t until_us = hy_clock_now_us() + START_LIMIT_US;
    const char *line;
    while ((line = child_await(process, until_us)) != NULL) {
        if (ready_line_is(line)) {
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
    fleet *const self = context;
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

static bool serve_fleet(fleet *self, const hy_endpoint *first)
{
    bool ok = true;
    for (size_t i = 0; i * A_PROCESS < self->options->count && ok; i++) {
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
    fleet self = { .options = options };
    hy_endpoint first;
    if (hy_link_resolve(options->listen, HY_WIRE_PORT, &first, 1) != 1 || first.port == 0 ||
        first.port + options->count - 1 > UINT16_MAX) {
        app_error(
            options->command, "--listen %s: more than %d robots need the port of the first by number, and as many behind it",
            options->listen, A_PROCESS);
        return false;
    }
    bool ok = serve_fleet(&self, &first);
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
    return options->count > A_PROCESS ? run_processes(options) : run_here(options);
}
