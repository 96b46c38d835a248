/// @file serve.h
/// `halyard replay FILE`: a page with a recording and its time line, and with `--nt` its channels for dashboards.
#ifndef HALYARD_APPS_REPLAY_SERVE_H
#define HALYARD_APPS_REPLAY_SERVE_H

#include <halyard/view_page.h>

#include "cli/nt_option.h"

typedef struct {
    hy_view_place page;
    nt_option nt;
    double speed;        ///< Recorded time over real time at the start.
    double from_s, to_s; ///< The part that is shown, in the file's time.
} serve_options;

/// Serves the recording in `file`, whose name is `path`, until Ctrl-C: on a page, if it is one of a simulation, and, if asked for, by
/// NetworkTables, whoever wrote it. Returns the exit status.
int serve_recording(const char *command, const char *path, hy_bytes file,
                    const serve_options *options);

#endif
