#include "saved_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base_transfer.h"

// Everything is a u64, little-endian. The first are the head; the last is the hash of all before it.
#define MAGIC       UINT64_C(0x7865646e69796c68) // "hlyindex"
#define VERSION     4
#define CHECKED     65536 // bytes at each end of the recording
#define POINT_WORDS 4
#define START_WORDS 2
#define EVENT_WORDS 3

typedef enum {
    HEAD_MAGIC,
    HEAD_VERSION,
    HEAD_LIBRARY, // hash of the version of Halyard: another one may find other events
    HEAD_SIZE,    // of the recording
    HEAD_CHANGED,
    HEAD_ENDS, // hash of its first and last bytes
    HEAD_TRACKS,
    HEAD_READ_END,
    HEAD_SKIPPED,
    HEAD_FIRST_SKIPPED,
    HEAD_FIRST_US,
    HEAD_LAST_US,
    HEAD_OUTLIERS,
    HEAD_OUTLIER,
    HEAD_END_US,
    HEAD_POINTS,
    HEAD_STARTS,
    HEAD_NOTES,
    HEAD_EVENTS,
    HEAD_LEFT_OUT,
    HEAD_WORDS
} head_word;

static uint64_t hash_text(const char *text)
{
    hy_hash hash = hy_hash_start();
    hy_hash_bytes(&hash, (hy_bytes){ (const uint8_t *)text, strlen(text) });
    return hash.value;
}

static uint64_t hash_ends(hy_bytes file)
{
    const size_t part = file.size < CHECKED ? file.size : CHECKED;
    hy_hash hash = hy_hash_start();
    hy_hash_bytes(&hash, (hy_bytes){ file.data, part });
    hy_hash_bytes(&hash, (hy_bytes){ file.data + (file.size - part), part });
    return hash.value;
}

static uint64_t words_of(const uint64_t head[HEAD_WORDS])
{
    return HEAD_WORDS + head[HEAD_POINTS] * (POINT_WORDS + head[HEAD_TRACKS]) +
           head[HEAD_STARTS] * START_WORDS + head[HEAD_NOTES] + head[HEAD_EVENTS] * EVENT_WORDS + 1;
}

// --------------------------------------------------------------------------- words in both directions

typedef struct {
    hy_transfer_cursor at;
    hy_hash hash; // of the words so far
} index_cursor;

static uint64_t word(index_cursor *c, uint64_t value)
{
    const uint64_t there = hy_transfer_number(&c->at, value, 8);
    hy_hash_u64(&c->hash, there);
    return there;
}

static void fill_head(const saved_index *self, uint64_t changed, uint64_t head[HEAD_WORDS])
{
    head[HEAD_MAGIC] = MAGIC;
    head[HEAD_VERSION] = VERSION;
    head[HEAD_LIBRARY] = hash_text(hy_version());
    head[HEAD_SIZE] = self->shown->file.size;
    head[HEAD_CHANGED] = changed;
    head[HEAD_ENDS] = hash_ends(self->shown->file);
    head[HEAD_TRACKS] = self->shown->tracks;
    head[HEAD_READ_END] = self->read->offset;
    head[HEAD_SKIPPED] = self->read->skipped;
    head[HEAD_FIRST_SKIPPED] = self->read->first_skipped;
    head[HEAD_FIRST_US] = self->times->first_us;
    head[HEAD_LAST_US] = self->times->last_us;
    head[HEAD_OUTLIERS] = self->times->outliers;
    head[HEAD_OUTLIER] = self->times->outlier_offset;
    head[HEAD_END_US] = self->shown->end_us;
    head[HEAD_POINTS] = self->points->count;
    head[HEAD_STARTS] = self->shown->start_count;
    head[HEAD_NOTES] = self->points->note_count;
    head[HEAD_EVENTS] = self->events->count;
    head[HEAD_LEFT_OUT] = self->events->left_out;
}

// Points are in the order of the file, and so are the times at them.
static bool move_points(const saved_index *self, index_cursor *c, size_t count)
{
    picture *const shown = self->shown;
    log_point last = { .offset = 0 };
    uint64_t last_us = 0;
    for (size_t i = 0; i < count; i++) {
        log_point *const point = &self->points->points[i];
        point->offset = word(c, point->offset);
        point->low_us = word(c, point->low_us);
        point->high_us = word(c, point->high_us);
        shown->shown_us[i] = word(c, shown->shown_us[i]);
        if (c->at.reads && (point->offset <= last.offset || point->offset >= shown->file.size ||
                            shown->shown_us[i] < last_us)) {
            return false;
        }
        last = *point;
        last_us = shown->shown_us[i];
        for (size_t k = 0; k < shown->tracks; k++) {
            uint64_t *const newest = &shown->newest[i * shown->tracks + k];
            *newest = word(c, *newest);
        }
    }
    return true;
}

static bool move_starts(picture *shown, index_cursor *c, size_t count)
{
    uint64_t last = 0;
    for (size_t i = 0; i < count; i++) {
        picture_start *const start = &shown->starts[i];
        start->offset = word(c, start->offset);
        const uint64_t both = word(c, (uint64_t)start->entry << 32 | start->track);
        start->entry = (uint32_t)(both >> 32);
        start->track = (uint32_t)both;
        if (start->offset < last || start->entry >= PICTURE_ENTRIES || start->track > shown->tracks) {
            return false;
        }
        last = start->offset;
    }
    return true;
}

static bool move_events(moments *events, index_cursor *c, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hy_scene_event *const event = &events->events[i];
        const bool writes = !c->at.reads;
        const uint64_t at_us = word(c, writes ? (uint64_t)llround(event->t_s * 1e6) : 0);
        const uint64_t kind = word(c, writes ? moments_kind_number(event->kind) : 0);
        const uint64_t robot = word(c, event->robot);
        if (moments_kind_name(kind) == NULL || robot > HY_SCENE_ROBOTS) {
            return false;
        }
        if (!writes) {
            *event =
                (hy_scene_event){ (double)at_us * 1e-6, moments_kind_name(kind), (unsigned)robot };
        }
    }
    return true;
}

// All behind the head.
static bool move_lists(const saved_index *self, index_cursor *c, const uint64_t head[HEAD_WORDS])
{
    if (!move_points(self, c, (size_t)head[HEAD_POINTS]) ||
        !move_starts(self->shown, c, (size_t)head[HEAD_STARTS])) {
        return false;
    }
    for (size_t i = 0; i < head[HEAD_NOTES]; i++) {
        self->points->notes[i] = word(c, self->points->notes[i]);
    }
    return move_events(self->events, c, (size_t)head[HEAD_EVENTS]);
}

// --------------------------------------------------------------------------- writing

hy_bytes saved_index_write(const saved_index *self, uint64_t changed)
{
    uint64_t head[HEAD_WORDS];
    fill_head(self, changed, head);
    const size_t size = (size_t)words_of(head) * 8;
    uint8_t *const bytes = malloc(size);
    if (bytes == NULL) {
        return (hy_bytes){ NULL, 0 };
    }
    index_cursor to = { { .to = bytes, .size = size }, hy_hash_start() };
    for (size_t i = 0; i < HEAD_WORDS; i++) {
        (void)word(&to, head[i]);
    }
    (void)move_lists(self, &to, head);
    (void)hy_transfer_number(&to.at, to.hash.value, 8);
    return (hy_bytes){ bytes, size };
}

// --------------------------------------------------------------------------- reading

static index_cursor read_from(hy_bytes bytes)
{
    return (index_cursor){ { .reads = true, .from = bytes.data, .size = bytes.size },
                           hy_hash_start() };
}

static bool is_whole(hy_bytes bytes)
{
    index_cursor from = read_from(bytes);
    for (size_t i = 8; i < bytes.size; i += 8) {
        (void)word(&from, 0);
    }
    return hy_transfer_number(&from.at, 0, 8) == from.hash.value;
}

// Whether the numbers of things are as many as there are bytes for.
static bool fits(const uint64_t head[HEAD_WORDS], size_t size)
{
    const uint64_t most = size / 8;
    return head[HEAD_POINTS] <= most && head[HEAD_STARTS] <= most && head[HEAD_NOTES] <= most &&
           head[HEAD_EVENTS] <= HY_SCENE_EVENTS && words_of(head) == most;
}

static bool read_head(const saved_index *self, index_cursor *from, hy_bytes bytes, uint64_t changed,
                      uint64_t head[HEAD_WORDS])
{
    uint64_t wanted[HEAD_WORDS];
    if (bytes.size < (size_t)(HEAD_WORDS + 1) * 8 || bytes.size % 8 != 0) {
        return false;
    }
    fill_head(self, changed, wanted);
    for (size_t i = 0; i < HEAD_WORDS; i++) {
        head[i] = word(from, 0);
        if (i <= HEAD_TRACKS && head[i] != wanted[i]) {
            return false;
        }
    }
    return head[HEAD_READ_END] <= self->shown->file.size &&
           head[HEAD_FIRST_SKIPPED] <= self->shown->file.size && fits(head, bytes.size) &&
           is_whole(bytes);
}

static bool make_room(const saved_index *self, const uint64_t head[HEAD_WORDS])
{
    picture *const shown = self->shown;
    const size_t points = (size_t)head[HEAD_POINTS];
    self->points->points = calloc(points + 1, sizeof *self->points->points);
    self->points->notes = calloc((size_t)head[HEAD_NOTES] + 1, sizeof *self->points->notes);
    shown->shown_us = calloc(points + 1, sizeof *shown->shown_us);
    shown->newest = calloc(points * shown->tracks + 1, sizeof *shown->newest);
    shown->starts = calloc((size_t)head[HEAD_STARTS] + 1, sizeof *shown->starts);
    return self->points->points != NULL && self->points->notes != NULL && shown->shown_us != NULL &&
           shown->newest != NULL && shown->starts != NULL;
}

bool saved_index_read(const saved_index *self, hy_bytes bytes, uint64_t changed)
{
    uint64_t head[HEAD_WORDS];
    index_cursor from = read_from(bytes);
    if (!read_head(self, &from, bytes, changed, head) || !make_room(self, head)) {
        return false;
    }
    *self->read = (hy_wpilog_reader){ .offset = (size_t)head[HEAD_READ_END],
                                      .skipped = head[HEAD_SKIPPED],
                                      .first_skipped = (size_t)head[HEAD_FIRST_SKIPPED] };
    *self->times = (hy_wpilog_times){ head[HEAD_FIRST_US], head[HEAD_LAST_US], head[HEAD_OUTLIERS],
                                      (size_t)head[HEAD_OUTLIER] };
    self->shown->end_us = head[HEAD_END_US];
    self->shown->at_us = UINT64_MAX; // the first picture_seek() begins at a point
    if (!move_lists(self, &from, head)) {
        return false;
    }
    picture *const shown = self->shown;
    self->points->count = self->points->room = shown->count = shown->room = (size_t)head[HEAD_POINTS];
    shown->newest_room = shown->count * shown->tracks;
    shown->start_count = shown->start_room = (size_t)head[HEAD_STARTS];
    self->points->note_count = self->points->note_room = (size_t)head[HEAD_NOTES];
    self->events->count = (size_t)head[HEAD_EVENTS];
    self->events->left_out = (unsigned)head[HEAD_LEFT_OUT];
    return true;
}
