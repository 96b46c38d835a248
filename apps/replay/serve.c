#include "serve.h"

#include <halyard/link.h>
#include <halyard/record_playback.h>

#include "cli/app.h"
#include "cli/page_option.h"
#include "cli/ready_line.h"

#define TURN_US   20000  // as often as poses are recorded
#define REPEAT_US 200000 // of a state that does not change, so that pages know that we are there

typedef struct {
    const char *command;
    hy_playback *playback;
    double length_s;
    hy_view *view;
    hy_loop loop;
    double at_s, pace; // recorded time over real time; 0: paused
    int64_t start_us, turned_us, shown_us;
    bool has_changed;
} player;

// --------------------------------------------------------------------------- turns

static void obey_pages(player *self, int64_t now_us)
{
    (void)hy_view_poll(self->view, now_us);
    const hy_view_replay asked = hy_view_take_replay(self->view);
    if (asked.changes_pace) {
        self->pace = (double)asked.pace_permille * 1e-3;
        if (self->pace > 0 && self->at_s >= self->length_s) {
            self->at_s = 0; // once more
        }
    }
    if (asked.seeks) {
        self->at_s = (double)asked.to_ms * 1e-3;
    }
    self->has_changed = self->has_changed || asked.changes_pace || asked.seeks;
}

static void move_on(player *self, int64_t now_us)
{
    const double passed_s = (double)(now_us - self->turned_us) * 1e-6;
    self->turned_us = now_us;
    if (self->pace > 0 && hy_view_is_watched(self->view)) { // nobody misses the beginning
        self->at_s += passed_s * self->pace;
        self->has_changed = true;
    }
    if (self->at_s >= self->length_s) {
        self->at_s = self->length_s;
        self->pace = 0;
    }
}

static void on_turn(void *context, int64_t now_us)
{
    player *const self = context;
    obey_pages(self, now_us);
    move_on(self, now_us);
    if (hy_view_wants_state(self->view, now_us) &&
        (self->has_changed || now_us - self->shown_us >= REPEAT_US)) {
        hy_scene_state *const state = hy_playback_state(self->playback, self->at_s);
        state->pace = self->pace;
        state->t_s = (double)(now_us - self->start_us) * 1e-6;
        hy_view_set_state(self->view, state, now_us);
        self->shown_us = now_us;
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

static void on_signal(void *context, int signal_number)
{
    (void)signal_number;
    player *const self = context;
    hy_loop_quit(&self->loop);
}

// --------------------------------------------------------------------------- life

static bool start_view(player *self, const hy_view_place *place)
{
    const hy_view_options options = { .is_replay = true };
    self->view = page_option_serve(self->command, place, &options, hy_playback_scene(self->playback));
    return self->view != NULL;
}

static hy_status start_loop(player *self)
{
    hy_loop_init(&self->loop);
    self->start_us = self->turned_us = hy_clock_now_us();
    hy_status status = hy_loop_every(&self->loop, self->turned_us + TURN_US, TURN_US, on_turn, self);
    if (status == HY_OK) {
        status = hy_loop_watch(&self->loop, hy_view_descriptor(self->view), on_pages, self);
    }
    return status == HY_OK ? hy_loop_on_signals(&self->loop, on_signal, self) : status;
}

static bool serve(player *self)
{
    char url[HY_VIEW_URL_MAX];
    ready_line ready = { .pairs = "" };
    hy_status status = start_loop(self);
    if (status == HY_OK) {
        ready_line_add(&ready, "page", "%s", hy_view_url(self->view, url));
        ready_line_print(&ready, stdout);
        page_option_announce(self->view);
        fflush(stdout);
        status = hy_loop_run(&self->loop);
        hy_loop_on_signals(&self->loop, NULL, NULL);
    }
    if (status != HY_OK) {
        app_error(self->command, "stopped: %s", hy_status_text(status));
    }
    return status == HY_OK;
}

int serve_recording(const char *command, const char *path, hy_bytes file, const hy_view_place *place)
{
    player self = { .command = command, .pace = 1 };
    hy_world_error error = { "" };
    if (hy_playback_open(file, &self.playback, &error) != HY_OK) {
        app_error(command, "%s: %s", path, error.text);
        return APP_FAILED;
    }
    if (hy_playback_damage(self.playback)[0] != '\0') {
        app_error(command, "%s: %s", path, hy_playback_damage(self.playback));
    }
    self.length_s = hy_playback_scene(self.playback)->replay->length_s;
    const bool ok = start_view(&self, place) && serve(&self);
    hy_view_stop(self.view);
    hy_playback_close(self.playback);
    return ok ? APP_OK : APP_FAILED;
}
