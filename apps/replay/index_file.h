/// @file index_file.h
/// The index of a large recording, kept beside it as FILE.index, so that it opens faster the next time.
#ifndef HALYARD_APPS_REPLAY_INDEX_FILE_H
#define HALYARD_APPS_REPLAY_INDEX_FILE_H

#include "record/record_playback.h"

/// Opens the recording in `file`, whose name is `path`, as hy_playback_open() does: with the index beside it, if there is one of this
/// file. Otherwise makes one and, if the recording is large, keeps it there if it can; nobody is told if it cannot.
hy_status index_file_open(const char *path, hy_bytes file, hy_playback **out, hy_world_error *error);

#endif
