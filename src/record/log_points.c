#include "log_points.h"

#include <stdlib.h>

#define STEP_MIN   16384 // bytes from one point to the next; in a large file more
#define POINTS_MAX 8192  // of a large file, about

void log_points_free(log_points *self)
{
    free(self->points);
    free(self->notes);
    *self = (log_points){ .points = NULL };
}

bool log_points_grow(void **items, size_t *room, size_t count, size_t size)
{
    if (count < *room) {
        return true;
    }
    const size_t wanted = *room * 2 + 64;
    void *const grown = wanted <= SIZE_MAX / size ? realloc(*items, wanted * size) : NULL;
    if (grown == NULL) {
        return false;
    }
    *items = grown;
    *room = wanted;
    return true;
}

static bool begin_point(log_points *self, size_t offset)
{
    void *points = self->points;
    if (!log_points_grow(&points, &self->room, self->count, sizeof *self->points)) {
        return false;
    }
    self->points = points;
    self->points[self->count++] = (log_point){ .offset = offset, .low_us = UINT64_MAX };
    return true;
}

bool log_points_take(log_points *self, hy_bytes file, const hy_wpilog_record *record, size_t offset)
{
    const size_t share = file.size / POINTS_MAX, step = share > STEP_MIN ? share : STEP_MIN;
    if ((self->count == 0 || offset - self->points[self->count - 1].offset >= step) &&
        !begin_point(self, offset)) {
        return false;
    }
    log_point *const point = &self->points[self->count - 1];
    if (record->kind == HY_WPILOG_VALUE) {
        point->low_us = record->at_us < point->low_us ? record->at_us : point->low_us;
        point->high_us = record->at_us > point->high_us ? record->at_us : point->high_us;
    }
    return true;
}

bool log_points_note(log_points *self, size_t offset)
{
    void *notes = self->notes;
    if (!log_points_grow(&notes, &self->note_room, self->note_count, sizeof *self->notes)) {
        return false;
    }
    self->notes = notes;
    self->notes[self->note_count++] = offset;
    return true;
}

size_t log_points_end(const log_points *self, hy_bytes file, size_t point)
{
    return point + 1 < self->count ? (size_t)self->points[point + 1].offset : file.size;
}

bool log_points_read(hy_bytes file, uint64_t offset, hy_wpilog_record *record)
{
    hy_wpilog_reader reader = { .offset = 0 };
    if (offset >= file.size) {
        return false;
    }
    hy_wpilog_reader_continue(&reader,
                              (hy_bytes){ file.data + (size_t)offset, file.size - (size_t)offset });
    return hy_wpilog_next(&reader, record) && reader.skipped == 0;
}
