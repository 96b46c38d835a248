/// @file serve.h
/// `halyard replay FILE`: a page with a recording and its time line, and with `--nt` its channels for dashboards.
#ifndef HALYARD_APPS_REPLAY_SERVE_H
#define HALYARD_APPS_REPLAY_SERVE_H

#include "host/host_names.h"
#include "host/host_nt.h"
#include "host/host_page.h"

typedef struct {
    hy_host_page_options page;
    hy_host_nt nt;
    hy_host_names names;
    double speed;        ///< Recorded time over real time at the start.
    double from_s, to_s; ///< The part that is shown, in the file's time.
} serve_options;

/// Serves the recording in `file`, whose name is `path`, until Ctrl-C: on a page, if it is one of a simulation, and, if asked for, by
/// NetworkTables, whoever wrote it. Returns the exit status.
int serve_recording(const char *command, const char *path, hy_bytes file,
                    const serve_options *options);

#endif
