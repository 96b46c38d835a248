#include "page.h"

#include <halyard/run.h>

#include <stdio.h>
#include <string.h>

#include "host/host_phantoms.h"
#include "text/text_plain.h"
#include "tuning.h"

// In a file of JSON it would be in the way.
static void announce(program_page *self, bool with_terminal)
{
    FILE *const out = self->session->options->json ? stderr : stdout;
    program_session_announce(self->session, hy_view_url(self->host.view, self->url));
    if (!with_terminal) { // which shows it all the time
        hy_print(out, "open %s\n", self->url);
    }
    hy_host_page_notice(self->host.view, "press what is on it", out);
}

static bool open_phantoms(program_page *self)
{
    hy_host_phantoms asked = { .files.items = asked.items,
                               .files.count = self->session->options->phantom_count };
    memcpy(asked.items, self->session->options->phantoms, sizeof asked.items);
    return hy_host_phantoms_open_for(self->session->program->name, &asked, hy_run_sim(self->run),
                                     &self->host.phantoms);
}

hy_status program_page_open(program_page *self, program_session *session, hy_run *run,
                            bool with_terminal, hy_view_error *error)
{
    const hy_program_options *const options = session->options;
    self->session = session;
    self->run = run;
    error->text[0] = '\0';
    if (options->view == NULL) {
        program_session_announce(session, NULL);
        return HY_OK;
    }
    if (!open_phantoms(self)) {
        (void)snprintf(error->text, sizeof error->text, "a phantom's file cannot be used");
        return HY_EFORMAT;
    }
    hy_view_place place = { .listen = options->view[0] != '\0' ? options->view : NULL };
    for (size_t i = 0; i < options->trusted_count; i++) {
        (void)hy_web_trust(&place.names, options->trusted[i]); // no name trusts nobody
    }
    const hy_status status =
        hy_host_page_open(&self->host, &place, hy_run_sim(run), options->faults_text, error);
    if (status == HY_OK && error->text[0] != '\0') { // it tells browsers that it was not built
        hy_print_error(session->program->name, "%s", error->text);
    }
    if (status == HY_OK) {
        announce(self, with_terminal);
    }
    return status;
}

void program_page_obey(program_page *self, int64_t host_us)
{
    if (self->host.view == NULL) {
        return;
    }
    if (hy_host_page_poll(&self->host, host_us)) {
        hy_run_reset(self->run);
        if (hy_run_is_enabled(self->run)) {
            station_report(&self->session->station,
                           "a page reset the world; the program drives on");
        }
    }
    if (hy_host_page_take_stop(&self->host)) {
        station_hold(&self->session->station, "stopped on a page");
    }
    for (size_t i = 0; i < self->robots; i++) {
        const size_t vehicle = hy_sim_board_vehicle(hy_run_sim(self->run), i);
        const bool is_pressed = hy_host_page_button(&self->host, vehicle, host_us);
        if (is_pressed != self->is_pressed[i]) {
            self->is_pressed[i] = is_pressed;
            hy_run_press(self->run, vehicle, is_pressed);
        }
        if (hy_host_page_take_push(&self->host, vehicle)) {
            hy_run_push(self->run, vehicle);
        }
    }
}

void program_page_tune(const program_page *self)
{
    program_tuning_obey(self->host.view, &self->session->station.note, self->session->journal);
}

void program_page_show(program_page *self, int64_t host_us)
{
    if (self->host.view != NULL) {
        program_values_collect(&self->values,
                               hy_world_pose_of(hy_sim_world(hy_run_sim(self->run)), 0));
        self->host.values = self->values.items;
        self->host.value_count = self->values.count;
        program_tuning_show(self->host.view, &self->session->station.note.tunables,
                            &self->tuning_shown);
    }
    hy_host_page_show(&self->host, hy_run_sim(self->run), host_us);
}
