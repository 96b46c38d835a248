#include "live.h"

#include <halyard/link.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/host_nt_text.h"

#include "options.h"
#include "tuning.h"

// One of each channel: clients that go on changing them meanwhile do not hold the loop.
#define CHANGES_A_TURN (HY_TUNABLES_MAX + HY_CHOOSERS_MAX)

void program_live_announce(const program_live *self, const hy_program *program,
                           const hy_program_options *options, const char *page)
{
    FILE *const out = options->json ? stderr : stdout;
    hy_ready_line ready = { .pairs = "" };
    if (options->faults_text != NULL) {
        hy_print_error(program->name, "injecting faults: %s", options->faults_text);
    }
    if (page != NULL) {
        hy_ready_line_add(&ready, "page", "%s", page);
    }
    hy_host_nt_announce(&self->nt, &ready);
    if (ready.pairs[0] != '\0') {
        hy_ready_line_print(&ready, out);
    }
    hy_host_nt_notice(&self->nt, out);
}

// Whether a run is served that nobody asked to serve.
static bool is_by_default(const hy_program_options *options)
{
    const char *const wish = getenv("HALYARD_NT");
    const bool is_simulated =
        options->world != NULL || options->model != NULL || options->what_if != NULL;
    return (!is_simulated || options->speed == 1.0) && (wish == NULL || strcmp(wish, "off") != 0);
}

void program_live_start(program_live *self, const hy_program *program,
                        const hy_program_options *options)
{
    *self = (program_live){ .program = program };
    if (options->nt == NULL || (options->nt_by_default && !is_by_default(options))) {
        return;
    }
    self->host.program = program->name;
    self->nt = (hy_host_nt){ .listen = options->nt,
                             .allowed = options->nt_allowed,
                             .allowed_count = options->nt_allowed_count,
                             .write = options->nt_write,
                             .names = options->names };
    hy_host_nt_start(&self->nt, &self->host);
}

const hy_telemetry_sink *program_live_sink(const program_live *self)
{
    return hy_host_nt_sink(&self->nt);
}

void program_live_apply(program_live *self, program_note *note, program_journal *journal)
{
    if (self->nt.nt == NULL) {
        return;
    }
    (void)hy_host_turn(&self->host, 0);
    hy_nt_change change;
    for (size_t i = 0; i < CHANGES_A_TURN && hy_nt_next(self->nt.nt, &change); i++) {
        if (change.kind == HY_NT_NUMBER) {
            program_tuning_change(note, journal, change.channel, change.number, NULL);
        } else if (change.kind == HY_NT_TEXT) {
            program_tuning_change(note, journal, change.channel, 0.0, change.text);
        }
    }
}

void program_live_end(program_live *self)
{
    hy_host_close(&self->host);
}
