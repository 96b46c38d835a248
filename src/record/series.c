// Numbers of a log file over time: the list is made once, the values are looked up in the file whenever they are wanted.
#include "series.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "telemetry/telemetry_numbers.h"
#include "tracks.h"

#define ELEMENTS_MAX 32

typedef struct {
    uint32_t entry;
    size_t offset; // in the entry's values
    size_t size;
    hy_log_form form;
    uint8_t shift, width;
    bool is_truth; // a robot's pose, of which `member` is plotted, in the frame of its first one
    unsigned char member;
} series_channel;

struct hy_series {
    hy_bytes file;
    hy_log_entries *entries;
    series_channel channels[HY_SERIES_CHANNELS];
    const char *names[HY_SERIES_CHANNELS];
    size_t count;
    hy_world_pose start; // of the first robot
    log_points points;
    bool has_no_memory;
};

// --------------------------------------------------------------------------- the list

// Whose first value is being listed.
typedef struct {
    hy_series *series;
    uint32_t entry;
    const uint8_t *first;
} lister;

static void add_channel(hy_series *self, const char *key, const series_channel *channel)
{
    if (self->count == HY_SERIES_CHANNELS) {
        return;
    }
    const size_t size = strlen(key) + 1;
    char *const name = malloc(size);
    if (name == NULL) {
        self->has_no_memory = true;
        return;
    }
    memcpy(name, key, size);
    self->names[self->count] = name;
    self->channels[self->count++] = *channel;
}

static void add_number(void *context, const hy_log_number *number)
{
    const lister *const self = context;
    const series_channel channel = { .entry = self->entry,
                                     .offset = (size_t)(number->bytes - self->first),
                                     .size = number->size,
                                     .form = number->form,
                                     .shift = number->shift,
                                     .width = number->width };
    if (number->form != HY_LOG_TEXT) {
        add_channel(self->series, number->key, &channel);
    }
}

static bool is_first_robots_pose(const hy_log_entry *entry)
{
    return hy_wpilog_text_is(entry->type, "struct:Pose2d") &&
           (hy_wpilog_text_is(entry->name, "NT:/Robot/Truth/Pose") ||
            hy_wpilog_text_is(entry->name, "NT:/Robot1/Truth/Pose"));
}

static void add_truth(hy_series *self, uint32_t number, const hy_log_entry *entry)
{
    hy_scene_value values[HY_SCENE_TRUTH];
    if (!is_first_robots_pose(entry) || !track_pose(entry->first, &self->start)) {
        return;
    }
    hy_scene_truth(self->start, self->start, values);
    for (unsigned char i = 0; i < HY_SCENE_TRUTH; i++) {
        add_channel(self, values[i].name,
                    &(series_channel){ .entry = number, .is_truth = true, .member = i });
    }
}

bool series_take(hy_series *self, const hy_wpilog_record *record, size_t offset)
{
    return log_points_take(&self->points, self->file, record, offset) &&
           (!hy_log_entries_take(self->entries, record) || log_points_note(&self->points, offset));
}

bool series_take_noted(hy_series *self)
{
    for (size_t i = 0; i < self->points.note_count; i++) {
        hy_wpilog_record record;
        if (log_points_read(self->file, self->points.notes[i], &record)) {
            (void)hy_log_entries_take(self->entries, &record);
        }
    }
    return series_finish(self);
}

log_points *series_points(hy_series *self)
{
    return &self->points;
}

// --------------------------------------------------------------------------- life

hy_series *series_start(hy_bytes file)
{
    hy_series *const self = calloc(1, sizeof *self);
    if (self == NULL || hy_log_entries_open(&self->entries) != HY_OK) {
        free(self);
        return NULL;
    }
    self->file = file;
    return self;
}

bool series_finish(hy_series *self)
{
    for (uint32_t i = 0; i < hy_log_entries_count(self->entries); i++) {
        const hy_log_entry *const entry = hy_log_entries_get(self->entries, i);
        if (entry != NULL && entry->has_value) {
            lister of = { self, i, entry->first.data };
            const hy_log_visitor visitor = { add_number, &of, ELEMENTS_MAX };
            (void)hy_log_visit_numbers(self->entries, i, entry->first, &visitor);
            add_truth(self, i, entry);
        }
    }
    return !self->has_no_memory;
}

hy_status hy_series_open(hy_bytes file, hy_series **out)
{
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    *out = NULL;
    if (hy_wpilog_reader_init(&reader, file) != HY_OK) {
        return HY_EFORMAT;
    }
    hy_series *const self = series_start(file);
    if (self == NULL) {
        return HY_EMEMORY;
    }
    bool ok = true;
    while (ok && hy_wpilog_next(&reader, &record)) {
        ok = series_take(self, &record, reader.begin);
    }
    if (!ok || !series_finish(self)) {
        hy_series_close(self);
        return HY_EMEMORY;
    }
    *out = self;
    return HY_OK;
}

void hy_series_close(hy_series *self)
{
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i < self->count; i++) {
        free((void *)(uintptr_t)self->names[i]);
    }
    log_points_free(&self->points);
    hy_log_entries_close(self->entries);
    free(self);
}

size_t hy_series_count(const hy_series *self)
{
    return self->count;
}

const char *const *hy_series_names(const hy_series *self)
{
    return self->names;
}

// --------------------------------------------------------------------------- values

// Keeps the lowest and the highest value of each part in the order of time.
static void keep_point(hy_scene_series *request, hy_series_thinning *self, hy_scene_sample point)
{
    const double part = floor((point.t_s - self->from_s) / self->part_s);
    if (part != self->part) {
        self->part = part;
        self->first = request->count;
    }
    const size_t kept = request->count - self->first;
    hy_scene_sample *const points = request->samples + self->first;
    if (kept < 2) {
        if (request->count < request->room) {
            request->samples[request->count++] = point;
        }
        return;
    }
    const size_t low = points[0].value <= points[1].value ? 0 : 1;
    if (point.value < points[low].value) {
        points[0] = points[1 - low];
        points[1] = point;
    } else if (point.value > points[1 - low].value) {
        points[0] = points[low];
        points[1] = point;
    }
}

// NaN: the bytes do not have it.
static double value_of(const hy_series *self, const series_channel *channel, hy_bytes value)
{
    hy_world_pose robot;
    hy_scene_value truth[HY_SCENE_TRUTH];
    if (channel->is_truth) {
        if (!track_pose(value, &robot)) {
            return NAN;
        }
        hy_scene_truth(self->start, robot, truth);
        return truth[channel->member].value;
    }
    if (value.size < channel->offset + channel->size) {
        return NAN;
    }
    return hy_log_number_value(&(hy_log_number){ .form = channel->form,
                                                 .size = channel->size,
                                                 .bytes = value.data + channel->offset,
                                                 .shift = channel->shift,
                                                 .width = channel->width });
}

static void take_value(const hy_series *self, const hy_wpilog_record *record,
                       hy_scene_series *request, hy_series_thinning *thin)
{
    const series_channel *const channel = &self->channels[request->channel];
    const double value =
        channel->entry == record->entry ? value_of(self, channel, record->value) : NAN;
    if (isfinite(value)) {
        keep_point(request, thin, (hy_scene_sample){ (double)record->at_us * 1e-6, value });
    }
}

void hy_series_reading_init(hy_series_reading *self, const hy_series *series, double from_s,
                            double to_s)
{
    *self = (hy_series_reading){ .series = series, .from_s = from_s, .to_s = to_s };
}

void hy_series_reading_add(hy_series_reading *self, hy_scene_series *request)
{
    assert(self->count < HY_SERIES_REQUESTS);
    const size_t pairs = request->room / 2;
    const double width_s = self->to_s - self->from_s;
    const double part_s = width_s / (double)(pairs - 1); // both ends may lie within a part
    request->count = 0;
    self->thin[self->count] =
        (hy_series_thinning){ self->from_s, part_s > 1e-9 ? part_s : 1e-9, -1, 0 };
    self->requests[self->count++] = request;
}

static void read_value(hy_series_reading *self, const hy_wpilog_record *record)
{
    const double at_s = (double)record->at_us * 1e-6;
    if (record->kind != HY_WPILOG_VALUE || !(at_s >= self->from_s && at_s <= self->to_s)) {
        return;
    }
    for (size_t i = 0; i < self->count; i++) {
        if (self->requests[i]->channel < self->series->count) {
            take_value(self->series, record, self->requests[i], &self->thin[i]);
        }
    }
}

static void read_from_point(hy_series_reading *self, size_t begin, size_t end)
{
    const hy_bytes file = self->series->file;
    hy_wpilog_reader reader = { .offset = 0 };
    hy_wpilog_record record;
    if (begin < end && end <= file.size) {
        hy_wpilog_reader_continue(&reader, (hy_bytes){ file.data + begin, end - begin });
        while (hy_wpilog_next(&reader, &record)) {
            read_value(self, &record);
        }
    }
}

bool hy_series_reading_go_on(hy_series_reading *self, size_t most_bytes)
{
    const log_points *const points = &self->series->points;
    size_t read = 0;
    for (; self->point < points->count && read < most_bytes; self->point++) {
        const log_point *const point = &points->points[self->point];
        const double low_s = (double)point->low_us * 1e-6, high_s = (double)point->high_us * 1e-6;
        if (low_s <= self->to_s && high_s >= self->from_s) {
            const size_t end = log_points_end(points, self->series->file, self->point);
            read_from_point(self, (size_t)point->offset, end);
            read += end - (size_t)point->offset;
        }
    }
    return self->point < points->count;
}

void hy_series_read(const hy_series *self, double from_s, double to_s, hy_scene_series *requests,
                    size_t count)
{
    hy_series_reading reading;
    hy_series_reading_init(&reading, self, from_s, to_s);
    for (size_t i = 0; i < count; i++) {
        hy_series_reading_add(&reading, &requests[i]);
    }
    while (hy_series_reading_go_on(&reading, SIZE_MAX)) {
    }
}
