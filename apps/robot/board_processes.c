#include "board_processes.h"

#include <halyard/link.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "board_print.h"
#include "host/host_loop.h"
#include "host/host_ready.h"
#include "process/service.h"
#include "text/text_plain.h"

#define PROCESSES      ((BOARD_MANY_MAX + BOARD_PROCESS_MAX - 1) / BOARD_PROCESS_MAX)
#define START_LIMIT_MS 60000
#define END_LIMIT_MS   5000

typedef struct {
    const board_command *command;
    service processes[PROCESSES];
    size_t count;
    hy_host_loop loop;
    bool failed;
} process_group;

static void repeat_line(service *self, const char *line)
{
    (void)self;
    if (!hy_ready_line_is(line)) {
        hy_print(stderr, "%s\n", line);
    }
}

// Adds the words of this command line but for the options that are said anew: `name` and its value.
static void add_words(service *to, const board_command *command)
{
    static const char *const anew[] = { "--listen", "--count", "--seed" };
    for (int i = 0; i < command->argc && to->word_count < HY_CHILD_ARGUMENTS_MAX - 4; i++) {
        bool is_kept = true;
        for (size_t k = 0; k < sizeof anew / sizeof anew[0] && is_kept; k++) {
            const size_t size = strlen(anew[k]);
            is_kept = strncmp(command->argv[i], anew[k], size) != 0 ||
                      (command->argv[i][size] != '\0' && command->argv[i][size] != '=');
        }
        if (is_kept) {
            service_add(to, command->argv[i]);
        } else if (strchr(command->argv[i], '=') == NULL) {
            i++; // its value
        }
    }
}

static void plan_process(process_group *self, const board_options *o, const hy_endpoint *first)
{
    service *const one = &self->processes[self->count];
    const uint64_t before = self->count * BOARD_PROCESS_MAX;
    const uint64_t left = o->count - before;
    char text[HY_ENDPOINT_TEXT_MAX];
    hy_endpoint local = *first;
    local.port = (uint16_t)(first->port + before);
    service_add_pair(one, "--listen", service_print(one, "%s", hy_endpoint_format(&local, text)));
    service_add(one, service_print(one, "--count=%" PRIu64,
                                   left < BOARD_PROCESS_MAX ? left : BOARD_PROCESS_MAX));
    service_add(one, service_print(one, "--seed=%" PRIu64, o->seed + before));
}

// One that ends ends all: robots that somebody counts on are gone.
static void on_line(void *context, int64_t now_us)
{
    (void)now_us;
    process_group *const self = context;
    for (size_t i = 0; i < self->count; i++) {
        hy_child *const one = &self->processes[i].child;
        for (const char *line; (line = hy_child_read(one)) != NULL;) {
            repeat_line(NULL, line);
        }
        int status = 0;
        if (one->pid != 0 && hy_child_has_ended(one, &status)) {
            self->failed = self->failed || status != 0;
            hy_host_loop_quit(&self->loop);
        }
    }
}

static bool start_all(process_group *self, const board_options *o, const hy_endpoint *first)
{
    bool ok = true;
    for (; ok && self->count * BOARD_PROCESS_MAX < o->count; self->count += ok ? 1 : 0) {
        service *const one = &self->processes[self->count];
        *one = (service){ .command = BOARD_COMMAND,
                          .run = self->command->run,
                          .on_line = repeat_line,
                          .child.said = -1 };
        (void)snprintf(one->name, sizeof one->name, "process %zu", self->count + 1);
        add_words(one, self->command);
        plan_process(self, o, first);
        ok = service_start(one);
    }
    for (size_t i = 0; i < self->count && ok; i++) {
        ok = service_await_ready(&self->processes[i], START_LIMIT_MS);
        if (ok) {
            hy_host_loop_watch(&self->loop, self->processes[i].child.said, on_line, self);
        }
    }
    return ok && hy_host_loop_start(&self->loop);
}

bool board_processes_run(const board_options *options, const board_command *command)
{
    static process_group self; // too large for a stack
    hy_endpoint first;
    if (hy_link_resolve(options->listen, HY_WIRE_PORT, &first, 1) != 1 || first.port == 0 ||
        first.port + options->count - 1 > UINT16_MAX) {
        hy_print_error(
            BOARD_COMMAND, "--listen %s: more than %d robots need the port of the first by number, and as many behind it",
            options->listen, BOARD_PROCESS_MAX);
        return false;
    }
    self.command = command;
    hy_host_loop_init(&self.loop, BOARD_COMMAND);
    bool ok = start_all(&self, options, &first);
    if (ok) {
        board_print_many(options, &first);
        ok = hy_host_loop_run(&self.loop);
    }
    for (size_t i = 0; i < self.count; i++) {
        hy_child_stop(&self.processes[i].child); // all at once
    }
    for (size_t i = 0; i < self.count; i++) {
        ok = service_end(&self.processes[i], END_LIMIT_MS, true) && ok;
    }
    return ok && !self.failed;
}
