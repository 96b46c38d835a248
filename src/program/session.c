#include "session.h"

#include <halyard/link.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/host_faults.h"

#include "tuning.h"

// One of each channel: clients that go on changing them meanwhile do not hold the loop.
#define CHANGES_A_TURN (HY_TUNABLES_MAX + HY_CHOOSERS_MAX)

hy_status program_session_open(program_session *self, const hy_program *program,
                               const hy_program_options *options, char error[PROGRAM_SAVED_ERROR_MAX])
{
    *self =
        (program_session){ .program = program, .options = options, .host.program = program->name };
    if (options->record != NULL) {
        self->journal = &self->journal_room;
        program_journal_prepare(self->journal, program);
        self->program = &self->journal->program;
    }
    return program_saved_read(options->tunables, &self->saved, error);
}

// Whether a run is served that nobody asked to serve.
static bool is_by_default(const hy_program_options *options)
{
    const char *const wish = getenv("HALYARD_NT");
    const bool is_simulated =
        options->world != NULL || options->model != NULL || options->what_if != NULL;
    return (!is_simulated || options->speed == 1.0) && (wish == NULL || strcmp(wish, "off") != 0);
}

void program_session_serve(program_session *self)
{
    const hy_program_options *const options = self->options;
    if (options->nt == NULL || (options->nt_by_default && !is_by_default(options))) {
        return;
    }
    self->nt = (hy_host_nt){ .listen = options->nt,
                             .allowed = options->nt_allowed,
                             .allowed_count = options->nt_allowed_count,
                             .write = options->nt_write,
                             .trusted = options->trusted,
                             .trusted_count = options->trusted_count };
    hy_host_nt_start(&self->nt, &self->host);
}

// What enabling the program means, as a driver station calls it.
static hy_station_mode station_mode(const hy_program *program)
{
    const hy_mode mode = hy_program_mode(program);
    return mode == HY_MODE_AUTONOMOUS ? HY_STATION_AUTONOMOUS
           : mode == HY_MODE_TEST     ? HY_STATION_TEST
                                      : HY_STATION_TELEOP;
}

hy_status program_session_record(program_session *self, const hy_sim *sim,
                                 const hy_telemetry_sink *live, hy_record_error *error)
{
    const hy_program_options *const options = self->options;
    self->record = (hy_host_record){ .path = options->record,
                                     .overwrite = options->overwrite,
                                     .waits = sim != NULL,
                                     .is_robot_program = true,
                                     .mode = station_mode(self->program),
                                     .dialect = (int)options->nt_dialect,
                                     .live = live,
                                     .title = self->program->name,
                                     .world = options->world,
                                     .faults = options->faults_text,
                                     .seed = options->seed };
    hy_record_add_option(self->record.options, "robot", options->robot);
    hy_record_add_option(self->record.options, "hardware", options->hardware);
    hy_record_add_number(self->record.options, "pwm", options->pwm_hz);
    return hy_host_record_open(&self->record, &self->host, sim, error);
}

void program_session_announce(const program_session *self, const char *page)
{
    FILE *const out = self->options->json ? stderr : stdout;
    hy_ready_line ready = { .pairs = "" };
    hy_host_faults_announce(self->program->name, self->options->faults_text);
    if (page != NULL) {
        hy_ready_line_add(&ready, "page", "%s", page);
    }
    hy_host_nt_announce(&self->nt, &ready);
    if (ready.pairs[0] != '\0') {
        hy_ready_line_print(&ready, out);
    }
    hy_host_nt_notice(&self->nt, out);
}

void program_session_begin(program_session *self)
{
    program_note *const note = &self->station.note;
    note->telemetry = self->record.sim.telemetry;
    note->saved = self->saved;
    self->before = program_note_use(note);
    self->has_begun = true;
    program_journal_begin(self->journal, note->telemetry, note);
}

void program_session_obey(program_session *self)
{
    hy_nt_change change;
    for (size_t i = 0;
         self->nt.nt != NULL && i < CHANGES_A_TURN && hy_nt_next(self->nt.nt, &change); i++) {
        if (change.kind == HY_NT_NUMBER || change.kind == HY_NT_TEXT) {
            const bool is_text = change.kind == HY_NT_TEXT;
            program_tuning_change(&self->station.note, self->journal, change.channel,
                                  is_text ? 0.0 : change.number, is_text ? change.text : NULL);
        }
    }
}

hy_status program_session_end(program_session *self, hy_record_error *error)
{
    program_journal_end(self->journal);
    const hy_status status = hy_sim_record_close(&self->record.sim, error);
    return status != HY_OK ? status
                           : program_saved_write(self->options->save_tunables,
                                                 &self->station.note.tunables, error->text);
}

void program_session_close(program_session *self)
{
    if (self->has_begun) {
        (void)program_note_use(self->before);
    }
    hy_host_close(&self->host);
    free(self->saved);
    self->saved = NULL;
}
