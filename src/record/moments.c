#include "moments.h"

#include <string.h>

#include "tracks.h"

#define CONTACT_GAP_S 0.5 // a robot that touches again within this time still touches
#define FIRST_GAP_S   0.5 // the first gap that thins events out; then twice as long, and so on

// A file beside the recording has their numbers: SPEC recording.
static const char *const kind_names[MOMENT_KINDS] = {
    "disable", "enable", "start", "end", "score_blue", "score_red", "watchdog", "contact",
};

const char *moments_kind_name(uint64_t number)
{
    return number < MOMENT_KINDS ? kind_names[number] : NULL;
}

uint64_t moments_kind_number(const char *name)
{
    uint64_t number = 0;
    while (number < MOMENT_KINDS && strcmp(kind_names[number], name) != 0) {
        number++;
    }
    return number;
}

// --------------------------------------------------------------------------- room for them

// Whether an event of the same kind and robot stands less than the kind's gap before this one.
static bool follows_another(const moments *self, size_t count, const hy_scene_event *event)
{
    const double gap_s = self->gap_s[moments_kind_number(event->kind)];
    for (size_t i = count; gap_s > 0 && i-- > 0 && event->t_s - self->events[i].t_s < gap_s;) {
        if (self->events[i].robot == event->robot && strcmp(self->events[i].kind, event->kind) == 0) {
            return true;
        }
    }
    return false;
}

static size_t most_frequent_kind(const moments *self)
{
    size_t counts[MOMENT_KINDS] = { 0 }, most = 0;
    for (size_t i = 0; i < self->count; i++) {
        counts[moments_kind_number(self->events[i].kind)]++;
    }
    for (size_t kind = 1; kind < MOMENT_KINDS; kind++) {
        most = counts[kind] > counts[most] ? kind : most;
    }
    return most;
}

// Makes room by leaving out what says least: of the most frequent kind, what follows another of its robot soonest. So the
// marks that remain cover the whole recording, and hundreds of contacts do not drive out the scores.
static void thin_out(moments *self)
{
    double *const gap_s = &self->gap_s[most_frequent_kind(self)];
    *gap_s = *gap_s > 0 ? 2 * *gap_s : FIRST_GAP_S;
    size_t kept = 0;
    for (size_t i = 0; i < self->count; i++) {
        if (!follows_another(self, kept, &self->events[i])) {
            self->events[kept++] = self->events[i];
        }
    }
    self->left_out += (unsigned)(self->count - kept);
    self->count = kept;
}

static void add_event(moments *self, const moment_channel *channel, uint64_t at_us, const char *name)
{
    const hy_scene_event event = { (double)at_us * 1e-6, name, channel->robot };
    // It ends: in the end there is one of each kind and robot.
    while (self->count == HY_SCENE_EVENTS) {
        thin_out(self);
    }
    if (follows_another(self, self->count, &event)) {
        self->left_out++;
        return;
    }
    // A log may have its records in any order.
    size_t place = self->count++;
    for (; place > 0 && self->events[place - 1].t_s > event.t_s; place--) {
        self->events[place] = self->events[place - 1];
    }
    self->events[place] = event;
}

// --------------------------------------------------------------------------- finding them

static void take_flag(moments *self, moment_channel *channel, uint64_t at_us, hy_bytes value)
{
    static const char *const names[][2] = { [MOMENT_ENABLING] = { "disable", "enable" },
                                            [MOMENT_MATCH] = { "end", "start" },
                                            [MOMENT_CONTACT] = { NULL, "contact" } };
    bool is = channel->was;
    track_flag(value, &is);
    const char *const name = names[channel->type][is];
    const bool is_again = channel->type == MOMENT_CONTACT && channel->true_us > 0 &&
                          (double)(at_us - channel->true_us) * 1e-6 < CONTACT_GAP_S;
    if (is != channel->was && name != NULL && !is_again) {
        add_event(self, channel, at_us, name);
    }
    channel->true_us = is ? at_us : channel->true_us;
    channel->was = is;
}

void moments_take(moments *self, moment_channel *channel, uint64_t at_us, hy_bytes value)
{
    static const char *const names[] = {
        [MOMENT_SCORE_BLUE] = "score_blue", [MOMENT_SCORE_RED] = "score_red", [MOMENT_WATCHDOG] = "watchdog"
    };
    if (channel->type < MOMENT_SCORE_BLUE) {
        take_flag(self, channel, at_us, value);
        return;
    }
    int count = channel->count;
    track_int(value, &count);
    if (count > channel->count) {
        add_event(self, channel, at_us, names[channel->type]);
    }
    channel->count = count;
}
