/// @file plots.h
/// What pages plot of a recording that is shown.
#ifndef HALYARD_REPLAY_PLOTS_H
#define HALYARD_REPLAY_PLOTS_H

#include "record/record_playback.h"
#include "record/record_series.h"
#include "view/view.h"

typedef struct {
    const hy_series *series; // the playback's; NULL: nothing can be plotted
    bool is_reading;         // the plot `asked`, whose values are `wanted`
    hy_view_plot asked;
    hy_scene_series wanted[HY_VIEW_PLOT_CHANNELS];
    hy_series_reading reading;
    hy_scene_sample (*samples)[HY_VIEW_PLOT_SAMPLES];
    double start_s; // the file's time at the recording's moment 0
} replay_plots;

/// Lists what the recording has and tells pages of it by `options`. Without memory nothing can be plotted.
void replay_plots_open(replay_plots *self, const hy_playback *playback, hy_view_options *options);
void replay_plots_close(replay_plots *self);

/// Goes on with a plot that a page has asked for: reads 8 MB of the file at most, so that whoever serves pages is never held up for
/// long. Call it in every turn.
void replay_plots_go_on(replay_plots *self, hy_view *view);

#endif
