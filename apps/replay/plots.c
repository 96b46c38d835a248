#include "plots.h"

#include <stdlib.h>

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

static void show_plot(const replay_plots *self, hy_view *view, const hy_view_plot *asked)
{
    hy_scene_series series[HY_VIEW_PLOT_CHANNELS];
    for (size_t i = 0; i < asked->count; i++) {
        series[i] = (hy_scene_series){ .channel = asked->channels[i],
                                       .samples = self->samples[i],
                                       .room = HY_VIEW_PLOT_SAMPLES };
    }
    hy_series_read(self->series, self->start_s + (double)asked->from_ms * 1e-3,
                   self->start_s + (double)asked->to_ms * 1e-3, series, asked->count);
    for (size_t i = 0; i < asked->count; i++) {
        for (size_t k = 0; k < series[i].count; k++) {
            series[i].samples[k].t_s -= self->start_s;
        }
    }
    hy_view_show_plot(view, asked, series, asked->count);
}

void replay_plots_show(const replay_plots *self, hy_view *view)
{
    hy_view_plot asked;
    while (self->series != NULL && hy_view_take_plot(view, &asked)) {
        show_plot(self, view, &asked);
    }
}
