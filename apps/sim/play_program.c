#include "play_program.h"

#include <halyard/link.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/host_ready.h"
#include "text/text_plain.h"

// Started again, the view serves the same port, so the pages that are open find back; the address is the one that was asked for, for
// what is printed stands for one of its several.
static void keep_port(play_program *self)
{
    service *const view = &self->service;
    char address[SERVICE_TEXT_SIZE], asked[HY_ENDPOINT_TEXT_MAX];
    const char *const port =
        sscanf(self->page, "http://%63[^/]/", address) == 1 ? strrchr(address, ':') : NULL;
    hy_endpoint listen;
    if (port == NULL) {
        return;
    }
    for (unsigned i = 0; i + 1 < view->word_count; i++) {
        if (strcmp(view->words[i], "--listen") == 0 &&
            hy_link_resolve(view->words[i + 1], 0, &listen, 1) == 1) {
            listen.port = (uint16_t)strtoul(port + 1, NULL, 10);
            const char *const kept = service_print(view, "%s", hy_endpoint_format(&listen, asked));
            view->words[i + 1] = kept != NULL ? kept : view->words[i + 1];
        }
    }
}

// The number behind `key` in a line; -1 without it.
static long number_behind(const char *line, const char *key)
{
    const char *const at = strstr(line, key);
    char *end = NULL;
    const long value = at != NULL ? strtol(at + strlen(key), &end, 10) : -1;
    return at != NULL && end != at + strlen(key) ? value : -1;
}

// The sim reports the scores when it ends: "steps 950, blue 1, red 0, hash ...".
static void keep_points(play_program *self, const char *line)
{
    const long blue = number_behind(line, ", blue "), red = number_behind(line, ", red ");
    if (strncmp(line, "steps ", 6) == 0 && blue >= 0 && red >= 0) {
        self->blue = blue;
        self->red = red;
    }
}

// A sim that is started again serves where dashboards look for it, even if any free port was asked for.
static void keep_nt(play_program *self, const char *line)
{
    if (hy_ready_line_find(line, "nt", self->nt, sizeof self->nt)) {
        (void)snprintf(self->joined, sizeof self->joined, "--nt=%s", self->nt);
    }
}

static void take_line(service *of, const char *line)
{
    play_program *const self = (play_program *)of; // its first member
    if (of->run == app_sim) {
        keep_points(self, line);
    }
    if (hy_ready_line_is(line)) {
        keep_nt(self, line);
        if (hy_ready_line_find(line, "page", self->page, sizeof self->page)) {
            keep_port(self);
            hy_print(stdout, "open %s\n", self->page);
        }
    } else if (strncmp(line, "ready: ", 7) != 0 && strncmp(line, "open ", 5) != 0) {
        hy_print(stdout, "%s: %s\n", of->name, service_without_name(line));
    }
    fflush(stdout);
}

// What was recorded before a program ended is kept: started again it writes run-2.wpilog beside run.wpilog.
static void restart(service *of)
{
    play_program *const self = (play_program *)of;
    if (self->record_word > 0) {
        const char *const slash = strrchr(self->record, '/');
        const char *dot = strrchr(self->record, '.');
        dot = dot != NULL && (slash == NULL || dot > slash) ? dot
                                                            : self->record + strlen(self->record);
        snprintf(self->next_record, sizeof self->next_record, "%.*s-%u%s",
                 (int)(dot - self->record), self->record, of->starts, dot);
        of->words[self->record_word] = self->next_record;
    }
    if (strcmp(of->words[of->word_count - 1], "--open") == 0) {
        of->word_count--; // its page is open already
    }
}

void play_program_init(play_program *self, const char *name, app_run *run, unsigned player)
{
    service *const added = &self->service;
    *self = (play_program){ .service = { .command = PLAY_COMMAND,
                                         .run = run,
                                         .on_line = take_line,
                                         .on_restart = restart,
                                         .child.said = -1 } };
    service_add(added, name);
    if (player > 0) {
        snprintf(added->name, sizeof added->name, "%.10s %u", name, player);
        service_add_pair(added, "--player", service_print(added, "%u", player));
    } else {
        snprintf(added->name, sizeof added->name, "%.10s", name);
    }
}
