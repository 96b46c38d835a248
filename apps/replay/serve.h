/// @file serve.h
/// `halyard replay FILE`: a page with a recording and its time line.
#ifndef HALYARD_APPS_REPLAY_SERVE_H
#define HALYARD_APPS_REPLAY_SERVE_H

#include <halyard/view_page.h>

/// Serves the recording in `file`, whose name is `path`, until Ctrl-C. Returns the exit status.
int serve_recording(const char *command, const char *path, hy_bytes file, const hy_view_place *place);

#endif
