/// @file plots.h
/// What pages plot of a recording that is shown.
#ifndef HALYARD_REPLAY_PLOTS_H
#define HALYARD_REPLAY_PLOTS_H

#include <halyard/record_playback.h>
#include <halyard/record_series.h>
#include <halyard/view.h>

typedef struct {
    const hy_series *series; // the playback's; NULL: nothing can be plotted
    hy_scene_sample (*samples)[HY_VIEW_PLOT_SAMPLES];
    double start_s; // the file's time at the recording's moment 0
} replay_plots;

/// Lists what the recording has and tells pages of it by `options`. Without memory nothing can be plotted.
void replay_plots_open(replay_plots *self, const hy_playback *playback, hy_view_options *options);
void replay_plots_close(replay_plots *self);

/// Shows pages the plots that they have asked for. Each costs a pass over the file.
void replay_plots_show(const replay_plots *self, hy_view *view);

#endif
