#include "plots.h"

#include <stdlib.h>

#define READ_MAX (8u << 20) // bytes of the file in one turn: less than 10 ms

void replay_plots_open(replay_plots *self, const hy_playback *playback, hy_view_options *options)
{
    *self = (replay_plots){ .start_s = hy_playback_start_s(playback) };
    self->samples = calloc(HY_VIEW_PLOT_CHANNELS, sizeof *self->samples);
    self->series = self->samples != NULL ? hy_playback_series(playback) : NULL;
    if (self->series != NULL) {
        options->channels = hy_series_names(self->series);
        options->channel_count = hy_series_count(self->series);
    }
}

void replay_plots_close(replay_plots *self)
{
    free(self->samples);
}

static void start_plot(replay_plots *self)
{
    const hy_view_plot *const asked = &self->asked;
    hy_series_reading_init(&self->reading, self->series,
                           self->start_s + (double)asked->from_ms * 1e-3,
                           self->start_s + (double)asked->to_ms * 1e-3);
    for (size_t i = 0; i < asked->count; i++) {
        self->wanted[i] = (hy_scene_series){ .channel = asked->channels[i],
                                             .samples = self->samples[i],
                                             .room = HY_VIEW_PLOT_SAMPLES };
        hy_series_reading_add(&self->reading, &self->wanted[i]);
    }
}

static void show_plot(replay_plots *self, hy_view *view)
{
    for (size_t i = 0; i < self->asked.count; i++) {
        for (size_t k = 0; k < self->wanted[i].count; k++) {
            self->wanted[i].samples[k].t_s -= self->start_s;
        }
    }
    hy_view_show_plot(view, &self->asked, self->wanted, self->asked.count);
}

void replay_plots_go_on(replay_plots *self, hy_view *view)
{
    if (self->series == NULL) {
        return;
    }
    if (!self->is_reading && hy_view_take_plot(view, &self->asked)) {
        self->is_reading = true;
        start_plot(self);
    }
    if (self->is_reading && !hy_series_reading_go_on(&self->reading, READ_MAX)) {
        self->is_reading = false;
        show_plot(self, view);
    }
}
