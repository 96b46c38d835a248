#include "moments.h"

#include <stdlib.h>
#include <string.h>

#include "tracks.h"

#define CONTACT_GAP_S 0.5 // a robot that touches again within this time still touches

// A file beside the recording has their numbers: SPEC recording.
static const char *const kind_names[] = { "disable", "enable",   "match",
                                          "score",   "watchdog", "contact" };
#define KINDS (sizeof kind_names / sizeof *kind_names)

const char *moments_kind_name(uint64_t number)
{
    return number < KINDS ? kind_names[number] : NULL;
}

uint64_t moments_kind_number(const char *name)
{
    uint64_t number = 0;
    while (number < KINDS && strcmp(kind_names[number], name) != 0) {
        number++;
    }
    return number;
}

static void add_event(moments *self, const moment_channel *channel, uint64_t at_us, const char *name)
{
    const bool is_contact = channel->kind == MOMENT_CONTACT;
    size_t *const count = is_contact ? &self->contact_count : &self->count;
    if (*count < HY_SCENE_EVENTS) {
        (is_contact ? self->contacts : self->events)[(*count)++] =
            (hy_scene_event){ (double)at_us * 1e-6, name, channel->robot };
    }
}

static void take_flag(moments *self, moment_channel *channel, uint64_t at_us, hy_bytes value)
{
    static const char *const names[][2] = { [MOMENT_ENABLING] = { "disable", "enable" },
                                            [MOMENT_MATCH] = { "match", "match" },
                                            [MOMENT_CONTACT] = { NULL, "contact" } };
    bool is = channel->was;
    track_flag(value, &is);
    const char *const name = names[channel->kind][is];
    const bool is_again = channel->kind == MOMENT_CONTACT && channel->true_us > 0 &&
                          (double)(at_us - channel->true_us) * 1e-6 < CONTACT_GAP_S;
    if (is != channel->was && name != NULL && !is_again) {
        add_event(self, channel, at_us, name);
    }
    channel->true_us = is ? at_us : channel->true_us;
    channel->was = is;
}

void moments_take(moments *self, moment_channel *channel, uint64_t at_us, hy_bytes value)
{
    if (channel->kind != MOMENT_SCORE && channel->kind != MOMENT_WATCHDOG) {
        take_flag(self, channel, at_us, value);
        return;
    }
    int count = channel->count;
    track_int(value, &count);
    if (count > channel->count) {
        add_event(self, channel, at_us, channel->kind == MOMENT_SCORE ? "score" : "watchdog");
    }
    channel->count = count;
}

static int compare_events(const void *a, const void *b)
{
    const hy_scene_event *const first = a, *const second = b;
    return (first->t_s > second->t_s) - (first->t_s < second->t_s);
}

void moments_finish(moments *self)
{
    const size_t room = HY_SCENE_EVENTS - self->count;
    const size_t added = self->contact_count < room ? self->contact_count : room;
    memcpy(self->events + self->count, self->contacts, added * sizeof *self->events);
    self->count += added;
    qsort(self->events, self->count, sizeof *self->events, compare_events);
}
