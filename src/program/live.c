#include "live.h"

#include <halyard/link.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <halyard/program_nt.h>

#include "options.h"
#include "tuning.h"

// One of each channel: clients that go on changing them meanwhile do not hold the loop.
#define CHANGES_A_TURN (HY_TUNABLES_MAX + HY_CHOOSERS_MAX)

void program_live_announce(const program_live *self, const hy_program *program,
                           const hy_program_options *options, const char *page)
{
    char text[HY_PROGRAM_NT_TEXT_MAX] = "";
    FILE *const out = options->json ? stderr : stdout;
    if (options->faults_text != NULL) {
        program_complain(program, "injecting faults: %s", options->faults_text);
    }
    if (self->nt != NULL) {
        (void)hy_program_nt_place(self->nt, text);
    }
    if (page != NULL || self->nt != NULL) {
        (void)fprintf(out, "halyard: ready%s%s%s%s\n", page != NULL ? " page=" : "",
                      page != NULL ? page : "", self->nt != NULL ? " nt=" : "", text);
    }
    if (self->nt != NULL &&
        hy_program_nt_notice(self->nt, options->nt_allowed_count > 0, options->nt_write, text)) {
        (void)fprintf(out, "%s: %s\n", program->name, text);
    }
    (void)fflush(out);
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
    hy_nt_options server = { .allowed = options->nt_allowed,
                             .allowed_count = options->nt_allowed_count,
                             .others_may_write = options->nt_write,
                             .names = options->names };
    hy_status status = hy_program_nt_address(options->nt, &server);
    status = status == HY_OK ? hy_nt_start(&self->nt, &server) : status;
    if (status == HY_OK) {
        self->sink = hy_nt_sink(self->nt);
    } else {
        char text[HY_ENDPOINT_TEXT_MAX];
        program_complain(program, "no NetworkTables at %s: %s; the run goes on without",
                         hy_program_nt_is_client(options->nt)
                             ? options->nt
                             : hy_endpoint_format(&server.listen, text),
                         hy_program_nt_failure(options->nt, status));
    }
}

const hy_telemetry_sink *program_live_sink(const program_live *self)
{
    return self->nt != NULL ? &self->sink : NULL;
}

void program_live_apply(program_live *self, program_note *note, program_journal *journal)
{
    char news[HY_PROGRAM_NT_TEXT_MAX];
    if (self->nt == NULL) {
        return;
    }
    if (hy_program_nt_report(self->nt, news)) {
        program_complain(self->program, "%s", news);
    }
    hy_nt_change change;
    for (size_t i = 0; i < CHANGES_A_TURN && hy_nt_next(self->nt, &change); i++) {
        if (change.kind == HY_NT_NUMBER) {
            program_tuning_change(note, journal, change.channel, change.number, NULL);
        } else if (change.kind == HY_NT_TEXT) {
            program_tuning_change(note, journal, change.channel, 0.0, change.text);
        }
    }
}

void program_live_end(program_live *self)
{
    hy_nt_stop(self->nt);
    self->nt = NULL;
}
