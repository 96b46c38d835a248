// The times of a file's values, and which of them no right clock has written.
#include <halyard/telemetry.h>

#include <inttypes.h>
#include <stdio.h>

#define NEAR_US   UINT64_C(3600000000) // values that are not farther apart are of one group
#define FAR       10  // an outlier is so many times as far away as the others are long
#define FEW       100 // of so many others there is one outlier at most,
#define FEW_MOST  10  // or of FEW_SMALL, if there are no more outliers than this
#define FEW_SMALL 3

typedef struct hy_wpilog_group group;

// --------------------------------------------------------------------------- groups

// Makes one group of this and the next.
static void join(hy_wpilog_groups *self, size_t at)
{
    group *const one = &self->groups[at], *const next = one + 1;
    one->high_us = next->high_us > one->high_us ? next->high_us : one->high_us;
    one->count += next->count;
    one->offset = next->offset < one->offset ? next->offset : one->offset;
    self->count--;
    memmove(next, next + 1, (self->count - at - 1) * sizeof *next);
}

static uint64_t gap_behind(const hy_wpilog_groups *self, size_t at)
{
    return self->groups[at + 1].low_us - self->groups[at].high_us;
}

static void join_nearest(hy_wpilog_groups *self)
{
    size_t nearest = 0;
    for (size_t i = 1; i + 1 < self->count; i++) {
        nearest = gap_behind(self, i) < gap_behind(self, nearest) ? i : nearest;
    }
    join(self, nearest);
}

static void take_time(hy_wpilog_groups *self, uint64_t at_us, size_t offset)
{
    size_t at = 0; // the first group that is not far before the value
    while (at < self->count && at_us > self->groups[at].high_us &&
           at_us - self->groups[at].high_us > NEAR_US) {
        at++;
    }
    group *const one = &self->groups[at];
    if (at == self->count || (at_us < one->low_us && one->low_us - at_us > NEAR_US)) {
        memmove(one + 1, one, (self->count - at) * sizeof *one);
        *one = (group){ at_us, at_us, 1, offset };
        if (++self->count > HY_WPILOG_GROUPS) {
            join_nearest(self);
        }
        return;
    }
    one->low_us = at_us < one->low_us ? at_us : one->low_us;
    one->high_us = at_us > one->high_us ? at_us : one->high_us;
    one->count++;
    if (at + 1 < self->count && gap_behind(self, at) <= NEAR_US) {
        join(self, at);
    }
}

void hy_wpilog_groups_take(hy_wpilog_groups *self, const hy_wpilog_record *record, size_t offset)
{
    if (record->kind == HY_WPILOG_VALUE) {
        take_time(self, record->at_us, offset);
    }
}

// --------------------------------------------------------------------------- outliers

static bool belongs(const group *self, const group *most, uint64_t gap_us, uint64_t length_us)
{
    const bool is_few = self->count < most->count / FEW ||
                        (self->count <= FEW_MOST && self->count <= most->count / FEW_SMALL);
    return !is_few || gap_us / FAR <= length_us;
}

hy_wpilog_times hy_wpilog_groups_times(const hy_wpilog_groups *self)
{
    const group *const groups = self->groups;
    size_t most = 0;
    if (self->count == 0) {
        return (hy_wpilog_times){ .first_us = 1 };
    }
    for (size_t i = 1; i < self->count; i++) {
        most = groups[i].count > groups[most].count ? i : most;
    }
    hy_wpilog_times times = { groups[most].low_us, groups[most].high_us, 0, SIZE_MAX };
    for (size_t i = most; i-- > 0;) {
        const uint64_t length_us = times.last_us - times.first_us;
        const bool is_in =
            belongs(&groups[i], &groups[most], times.first_us - groups[i].high_us, length_us);
        times.first_us = is_in ? groups[i].low_us : times.first_us;
    }
    for (size_t i = most + 1; i < self->count; i++) {
        const uint64_t length_us = times.last_us - times.first_us;
        const bool is_in =
            belongs(&groups[i], &groups[most], groups[i].low_us - times.last_us, length_us);
        times.last_us = is_in ? groups[i].high_us : times.last_us;
    }
    for (size_t i = 0; i < self->count; i++) {
        if (hy_wpilog_is_outlier(&times, groups[i].low_us)) {
            const size_t offset = groups[i].offset, first = times.outlier_offset;
            times.outliers += groups[i].count;
            times.outlier_offset = offset < first ? offset : first;
        }
    }
    return times;
}

hy_wpilog_times hy_wpilog_find_times(hy_bytes file)
{
    hy_wpilog_groups self = { .count = 0 };
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    (void)hy_wpilog_reader_init(&reader, file); // of another file nothing is read
    while (hy_wpilog_next(&reader, &record)) {
        hy_wpilog_groups_take(&self, &record, reader.begin);
    }
    return hy_wpilog_groups_times(&self);
}

void hy_wpilog_describe_outliers(const hy_wpilog_times *self, hy_bytes file, char *out, size_t size)
{
    hy_wpilog_reader reader = { .offset = self->outlier_offset, .file = file };
    hy_wpilog_record outlier, record;
    hy_bytes name = { NULL, 0 };
    char text[80];
    const size_t before = strlen(out);
    if (self->outliers == 0 || !hy_wpilog_next(&reader, &outlier)) {
        return;
    }
    (void)hy_wpilog_reader_init(&reader, (hy_bytes){ file.data, self->outlier_offset });
    while (hy_wpilog_next(&reader, &record)) {
        const bool is_its = record.kind == HY_WPILOG_START && record.entry == outlier.entry;
        name = is_its ? record.name : name;
    }
    hy_wpilog_copy_text(name, text, sizeof text);
    (void)snprintf(out + before, size - before,
                   "%s%" PRIu64 " value%s left out, for the others are far away, from %.3f s to "
                   "%.3f s: the first is of '%s', at %.3f s (offset %zu)",
                   before > 0 ? "; " : "", self->outliers, self->outliers == 1 ? " is" : "s are",
                   (double)self->first_us * 1e-6, (double)self->last_us * 1e-6, text,
                   (double)outlier.at_us * 1e-6, self->outlier_offset);
}
