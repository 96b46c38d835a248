#include "picture.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void picture_free(picture *self)
{
    free(self->shown_us);
    free(self->newest);
    free(self->starts);
}

// --------------------------------------------------------------------------- reading the file

static bool add_point(picture *self)
{
    void *shown_us = self->shown_us;
    if (!log_points_grow(&shown_us, &self->room, self->count, sizeof *self->shown_us)) {
        return false;
    }
    self->shown_us = shown_us;
    const size_t used = self->count * self->tracks;
    if (used + self->tracks > self->newest_room) {
        const size_t room = 2 * used + 64 * self->tracks;
        uint64_t *const newest = realloc(self->newest, room * sizeof *newest);
        if (newest == NULL) {
            return false;
        }
        self->newest = newest;
        self->newest_room = room;
    }
    memcpy(self->newest + used, self->places, self->tracks * sizeof *self->newest);
    self->shown_us[self->count++] = self->end_us;
    return true;
}

static bool change_entry(picture *self, size_t offset, uint32_t entry, uint32_t track)
{
    if (self->track_of[entry] == track) {
        return true;
    }
    void *starts = self->starts;
    if (!log_points_grow(&starts, &self->start_room, self->start_count, sizeof *self->starts)) {
        return false;
    }
    self->starts = starts;
    self->starts[self->start_count++] = (picture_start){ offset, entry, track };
    self->started = self->start_count;
    self->track_of[entry] = (uint8_t)track;
    return true;
}

bool picture_start_entry(picture *self, size_t offset, uint32_t entry, int track)
{
    if (entry >= PICTURE_ENTRIES) {
        return true;
    }
    if (track >= 0) { // it has another entry now
        const uint32_t before = self->entry_of[track];
        if (before != entry && self->track_of[before] == track + 1 &&
            !change_entry(self, offset, before, 0)) {
            return false;
        }
        self->entry_of[track] = entry;
    }
    return change_entry(self, offset, entry, (uint32_t)(track + 1));
}

int picture_track_of(const picture *self, const hy_wpilog_record *record)
{
    return record->kind == HY_WPILOG_VALUE && record->entry < PICTURE_ENTRIES &&
                   !hy_wpilog_is_outlier(self->times, record->at_us)
               ? self->track_of[record->entry] - 1
               : -1;
}

static void take_value(picture *self, size_t track, const hy_wpilog_record *record, uint64_t offset)
{
    self->places[track] = offset;
    self->values[track] = record->value;
}

bool picture_take(picture *self, const hy_wpilog_record *record, size_t offset)
{
    if (self->points->count > self->count && !add_point(self)) {
        return false;
    }
    const int track = picture_track_of(self, record);
    if (track >= 0) {
        take_value(self, (size_t)track, record, offset);
        self->end_us = record->at_us > self->end_us ? record->at_us : self->end_us;
        self->at_us = UINT64_MAX; // picture_seek() begins at a point
    }
    return true;
}

// --------------------------------------------------------------------------- moments

// The starts in front of `offset`, and no others.
static void use_starts(picture *self, uint64_t offset)
{
    if (self->started > 0 && self->starts[self->started - 1].offset >= offset) {
        memset(self->track_of, 0, sizeof self->track_of);
        self->started = 0;
    }
    for (; self->started < self->start_count && self->starts[self->started].offset < offset;
         self->started++) {
        const picture_start *const start = &self->starts[self->started];
        self->track_of[start->entry] = (uint8_t)start->track;
    }
}

static void load_point(picture *self, size_t point)
{
    self->offset = self->points->points[point].offset;
    self->at_us = self->shown_us[point];
    use_starts(self, self->offset);
    for (size_t i = 0; i < self->tracks; i++) {
        const uint64_t place = self->newest[point * self->tracks + i];
        hy_wpilog_record record;
        self->values[i] = place > 0 && log_points_read(self->file, place, &record)
                              ? record.value
                              : (hy_bytes){ NULL, 0 };
    }
}

// The last point at which nothing is shown that is later.
static size_t find_point(const picture *self, uint64_t at_us)
{
    size_t low = 0, high = self->count;
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        if (self->shown_us[middle] <= at_us) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void picture_seek(picture *self, uint64_t at_us)
{
    if (self->count == 0) {
        return;
    }
    const size_t point = find_point(self, at_us);
    if (at_us < self->at_us || self->points->points[point].offset > self->offset) {
        load_point(self, point);
    }
    hy_wpilog_reader reader = { .offset = 0 };
    hy_wpilog_record record;
    assert(self->offset <= self->file.size);
    const uint64_t begin = self->offset;
    hy_wpilog_reader_continue(
        &reader, (hy_bytes){ self->file.data + (size_t)begin, self->file.size - (size_t)begin });
    for (; hy_wpilog_next(&reader, &record); self->offset = begin + reader.offset) {
        if (record.kind == HY_WPILOG_START) {
            use_starts(self, begin + reader.begin + 1);
        }
        const int track = picture_track_of(self, &record);
        // A value that is earlier than one before it counts as of the time of that.
        if (track >= 0 && record.at_us > at_us) {
            break;
        }
        if (track >= 0) {
            take_value(self, (size_t)track, &record, begin + reader.begin);
            self->at_us = record.at_us > self->at_us ? record.at_us : self->at_us;
        }
    }
}
