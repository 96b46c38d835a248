/// @file saved_index.h
/// What one pass over a recording has found, as bytes to be kept beside it: SPEC recording, "The index".
#ifndef HY_RECORD_SAVED_INDEX_H
#define HY_RECORD_SAVED_INDEX_H

#include "moments.h"
#include "picture.h"

/// What is saved, and where it is put when it is read.
typedef struct {
    picture *shown;
    log_points *points;
    moments *events;
    hy_wpilog_reader *read; // how reading the file ended: where, and what was skipped
    hy_wpilog_times *times;
} saved_index;

/// The bytes, for the caller to free(); `changed` is when the file was changed last. Without bytes: no memory.
hy_bytes saved_index_write(const saved_index *self, uint64_t changed);

/// False: the bytes are not such an index of that file; what it was to be put into must not be used then.
bool saved_index_read(const saved_index *self, hy_bytes bytes, uint64_t changed);

#endif
