/// @file picture.h
/// The newest value of each channel that a picture needs, at any moment of a log file: from the last point before it, and the records
/// from there on.
#ifndef HY_RECORD_PICTURE_H
#define HY_RECORD_PICTURE_H

#include "log_points.h"

#define PICTURE_TRACKS  128   // most channels
#define PICTURE_ENTRIES 65536 // entries with higher numbers are not shown

// From an offset on an entry's values are those of a track: one more than its number; 0: of none.
typedef struct {
    uint64_t offset;
    uint32_t entry, track;
} picture_start;

/// All zero is empty; end it with picture_free().
typedef struct {
    hy_bytes file;
    const log_points *points;
    const hy_wpilog_times *times; // of the file: outliers are not shown
    size_t tracks;
    uint64_t *shown_us; // of each point: the time of what is shown there
    uint64_t *newest;   // of each point, `tracks` of them: the offset of the newest record; 0: none
    size_t count;       // points that have these
    size_t room, newest_room;
    picture_start *starts;
    size_t start_count, start_room;
    uint32_t entry_of[PICTURE_TRACKS]; // each track's newest one
    uint64_t end_us;
    // The moment that is shown.
    uint8_t track_of[PICTURE_ENTRIES]; // as the starts have it
    size_t started;                    // how many of them
    uint64_t offset, at_us;            // of the next record, and of the newest value
    uint64_t places[PICTURE_TRACKS];
    hy_bytes values[PICTURE_TRACKS];
} picture;

void picture_free(picture *self);

/// Reading the file: call picture_take() for each of its records, after log_points_take(). False: no memory.
bool picture_take(picture *self, const hy_wpilog_record *record, size_t offset);

/// The record at `offset` starts the entry of a track; -1: of none. False: no memory.
bool picture_start_entry(picture *self, size_t offset, uint32_t entry, int track);

/// The track of a value that was taken; -1: it is not shown. O(1).
int picture_track_of(const picture *self, const hy_wpilog_record *record);

/// Moves to a moment: `values` are then the newest ones, without bytes where there is none.
void picture_seek(picture *self, uint64_t at_us);

#endif
