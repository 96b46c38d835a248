/// @file log_points.h
/// Points in a log file from which it can be read, with the times of the values between them: so that a part of a large file is found
/// without reading what is before it.
#ifndef HY_RECORD_LOG_POINTS_H
#define HY_RECORD_LOG_POINTS_H

#include <halyard/telemetry.h>

typedef struct {
    uint64_t offset; // of its first record
    uint64_t low_us,
        high_us; // of the values from here to the next point; low_us > high_us: there are none
} log_point;

/// All zero is empty; end it with log_points_free().
typedef struct {
    log_point *points; // in the order of the file
    size_t count, room;
    uint64_t *notes; // offsets of the records that say what channels there are
    size_t note_count, note_room;
} log_points;

void log_points_free(log_points *self);

/// Makes room for one more of `size` bytes in `*items`. False: no memory.
bool log_points_grow(void **items, size_t *room, size_t count, size_t size);

/// Takes the record at `offset` of `file`: begins a point there if the last one is far away. False: no memory.
bool log_points_take(log_points *self, hy_bytes file, const hy_wpilog_record *record, size_t offset);
bool log_points_note(log_points *self, size_t offset);

/// Where the values from a point on end: at the next point, or at the end of the file. O(1).
size_t log_points_end(const log_points *self, hy_bytes file, size_t point);

/// Reads the record at `offset`; false if there is none.
bool log_points_read(hy_bytes file, uint64_t offset, hy_wpilog_record *record);

#endif
