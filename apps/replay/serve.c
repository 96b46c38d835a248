#include "serve.h"

#include <halyard/link.h>

#include <math.h>
#include <string.h>

#include "cli/app.h"
#include "host/host_loop.h"
#include "host/host_page.h"
#include "host/host_ready.h"
#include "index_file.h"
#include "plots.h"
#include "record/record_log.h"
#include "record/record_playback.h"

#define TURN_US 20000 // as often as poses are recorded
#define MOVE_MAX_S \
    1.0 // of the recording in one turn: after a stall of the host no value is left out
#define REPEAT_US 200000 // of a state that does not change, so that pages know that we are there

typedef struct {
    const char *command;
    hy_playback *playback; // NULL: it is no recording of a simulation, and there is no page
    hy_view *view;         // with a playback
    hy_host host;          // without a simulation
    hy_host_nt nt;
    hy_log_player *channels; // with NetworkTables
    replay_plots plots;
    hy_scene scene; // of the playback, but with the part that is shown
    hy_scene_replay part;
    hy_scene_event events[HY_SCENE_EVENTS];
    double file_start_s;   // what the file calls the moment 0 of what is shown
    double begin_s, end_s; // of the part that is shown
    hy_host_loop loop;
    double at_s, pace; // recorded time over real time; 0: paused
    int64_t start_us, turned_us, shown_us;
    bool has_changed;
} player;

// --------------------------------------------------------------------------- turns

static void obey_pages(player *self, int64_t now_us)
{
    if (self->view == NULL) {
        return;
    }
    (void)hy_view_poll(self->view, now_us);
    const hy_view_replay asked = hy_view_take_replay(self->view);
    if (asked.changes_pace) {
        self->pace = (double)asked.pace_permille * 1e-3;
        if (self->pace > 0 && self->at_s >= self->end_s) {
            self->at_s = self->begin_s; // once more
        }
    }
    if (asked.seeks) {
        self->at_s = fmax((double)asked.to_ms * 1e-3, self->begin_s);
    }
    self->has_changed = self->has_changed || asked.changes_pace || asked.seeks;
}

// Nobody misses the beginning.
static bool is_watched(player *self)
{
    if (self->view != NULL && hy_view_is_watched(self->view)) {
        return true;
    }
    if (self->nt.nt == NULL) {
        return false;
    }
    const hy_nt_counters counters = hy_nt_count(self->nt.nt);
    return hy_nt_is_client(self->nt.nt) ? counters.values_out > 0 : counters.clients > 0;
}

static void move_on(player *self, int64_t now_us)
{
    const double passed_s = (double)(now_us - self->turned_us) * 1e-6;
    self->turned_us = now_us;
    if (self->pace > 0 && is_watched(self)) {
        const double move_s = passed_s * self->pace;
        self->at_s += move_s < MOVE_MAX_S ? move_s : MOVE_MAX_S;
        self->has_changed = true;
    }
    if (self->at_s >= self->end_s) {
        self->at_s = self->end_s;
        self->pace = 0;
    }
}

static void show(player *self, int64_t now_us)
{
    hy_scene_state *const state = hy_playback_state(self->playback, self->at_s);
    state->pace = self->pace;
    state->t_s = (double)(now_us - self->start_us) * 1e-6;
    hy_view_set_state(self->view, state, now_us);
    self->shown_us = now_us;
}

static void on_turn(void *context, int64_t now_us)
{
    player *const self = context;
    obey_pages(self, now_us);
    if (self->view != NULL) {
        replay_plots_go_on(&self->plots, self->view);
    }
    move_on(self, now_us);
    (void)hy_host_turn(&self->host, now_us);
    if (self->channels != NULL) { // clients have times that do not go back, so these are of the show
        hy_log_player_move(self->channels, self->file_start_s + self->at_s,
                           (uint64_t)(now_us - self->start_us));
    }
    if (self->view != NULL && hy_view_wants_state(self->view, now_us) &&
        (self->has_changed || now_us - self->shown_us >= REPEAT_US)) {
        show(self, now_us);
        self->has_changed = false;
    }
}

static void on_pages(void *context, int64_t now_us)
{
    player *const self = context;
    obey_pages(self, now_us);
    if (self->has_changed) {
        on_turn(self, now_us);
    }
}

// --------------------------------------------------------------------------- life

static bool start_loop(player *self)
{
    self->start_us = self->turned_us = hy_clock_now_us();
    hy_host_loop_init(&self->loop, self->command);
    hy_host_loop_every(&self->loop, self->turned_us + TURN_US, TURN_US, on_turn, self);
    if (self->view != NULL) {
        hy_host_loop_watch(&self->loop, hy_view_descriptor(self->view), on_pages, self);
    }
    return hy_host_loop_start(&self->loop);
}

static void announce(const player *self)
{
    char url[HY_VIEW_URL_MAX];
    hy_ready_line ready = { .pairs = "" };
    if (self->view != NULL) {
        hy_ready_line_add(&ready, "page", "%s", hy_view_url(self->view, url));
    }
    hy_host_nt_announce(&self->nt, &ready);
    hy_ready_line_print(&ready, stdout);
    if (self->view != NULL) {
        hy_host_page_announce(self->command, self->view, "play and pause the recording", false);
    }
    hy_host_nt_notice(&self->nt, stdout);
    fflush(stdout);
}

// False with a sentence if nothing is left of it.
static bool choose_part(player *self, const char *path, const serve_options *options)
{
    const double length_s = self->end_s;
    self->begin_s = fmax(options->from_s - self->file_start_s, 0.0);
    self->end_s = fmin(options->to_s - self->file_start_s, length_s);
    self->at_s = self->begin_s;
    if (self->begin_s > self->end_s) {
        hy_print_error(self->command,
                       "%s: its time is %.3f s to %.3f s; --from and --to leave nothing of it",
                       path, self->file_start_s, self->file_start_s + length_s);
        return false;
    }
    return true;
}

static bool start_nt(player *self, const char *path, hy_bytes file, const serve_options *options,
                     hy_world_error *error)
{
    self->nt = options->nt;
    self->nt.trusted = options->names.names.at;
    self->nt.trusted_count = options->names.names.count;
    hy_host_nt_start(&self->nt, &self->host);
    if (self->nt.nt == NULL) {
        return self->playback != NULL; // why was said; the page is there
    }
    if (hy_log_player_open(file, self->nt.sink, &self->channels, error) != HY_OK) {
        return false;
    }
    const hy_log_facts facts = hy_log_player_facts(self->channels);
    if (facts.left_out > 0) {
        hy_print_error(
            self->command,
            "%s: %zu channels are not served: too many, or names that are too long or there twice: "
            "%s",
            path, facts.left_out, facts.left_out_names);
    }
    if (self->playback == NULL) {
        self->file_start_s = facts.start_s;
        self->end_s = facts.end_s - facts.start_s;
        return choose_part(self, path, options);
    }
    return true;
}

// Its time line is that of the part alone, and its title the file's name.
static void make_scene(player *self, const char *path)
{
    const char *const folders_end = strrchr(path, '/');
    self->scene = *hy_playback_scene(self->playback);
    self->scene.title = folders_end != NULL ? folders_end + 1 : path;
    const hy_scene_replay *const whole = self->scene.replay;
    self->part = *whole;
    self->part.from_s = self->begin_s;
    self->part.length_s = self->end_s;
    self->part.events = self->events;
    self->part.event_count = 0;
    for (size_t i = 0; i < whole->event_count; i++) {
        if (whole->events[i].t_s >= self->begin_s && whole->events[i].t_s <= self->end_s) {
            self->events[self->part.event_count++] = whole->events[i];
        }
    }
    self->scene.replay = &self->part;
}

static bool start_view(player *self, const char *path, const serve_options *options)
{
    hy_view_options view = { .is_replay = true };
    replay_plots_open(&self->plots, self->playback, &view);
    self->file_start_s = hy_playback_start_s(self->playback);
    self->end_s = hy_playback_scene(self->playback)->replay->length_s;
    if (!choose_part(self, path, options)) {
        return false;
    }
    make_scene(self, path);
    hy_view_place place = options->page.place;
    place.names = options->names.names;
    self->view = hy_host_page_serve(self->command, &place, &view, &self->scene);
    return self->view != NULL;
}

static bool start(player *self, const char *path, hy_bytes file, const serve_options *options)
{
    hy_world_error error = { "" };
    const bool has_scene = index_file_open(path, file, &self->playback, &error) == HY_OK;
    if (!has_scene && options->nt.listen == NULL) {
        hy_print_error(self->command, "%s: %s", path, error.text);
        return false;
    }
    if (!has_scene) {
        hy_print_error(self->command, "%s: there is no picture: %s", path, error.text);
    }
    error.text[0] = '\0';
    const bool ok = (!has_scene || start_view(self, path, options)) &&
                    (options->nt.listen == NULL || start_nt(self, path, file, options, &error));
    if (error.text[0] != '\0') {
        hy_print_error(self->command, "%s: %s", path, error.text);
    }
    const char *const damage = has_scene                ? hy_playback_damage(self->playback)
                               : self->channels != NULL ? hy_log_player_facts(self->channels).damage
                                                        : "";
    if (ok && damage[0] != '\0') {
        hy_print_error(self->command, "%s: %s", path, damage);
    }
    return ok;
}

int serve_recording(const char *command, const char *path, hy_bytes file,
                    const serve_options *options)
{
    player self = { .command = command, .pace = options->speed, .host.program = command };
    bool ok = start(&self, path, file, options) && start_loop(&self);
    if (ok) {
        announce(&self);
        ok = hy_host_loop_run(&self.loop);
    }
    hy_view_close(self.view);
    replay_plots_close(&self.plots);
    hy_log_player_close(self.channels);
    hy_host_close(&self.host);
    hy_playback_close(self.playback);
    return ok ? APP_OK : APP_FAILED;
}
