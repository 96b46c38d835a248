#include "view_record.h"

#include <halyard/telemetry_structs.h>

#include <stdio.h>

#define PERIOD_US      20000
#define EARLY_US       5000 // messages come every 10 ms, some a little early
#define SLOW_PERIOD_US 500000

static hy_channel declare(const view_record *self, const char *name, hy_channel_kind kind,
                          const hy_struct_type *type)
{
    const hy_channel_spec spec = { .name = name, .kind = kind, .type = type };
    return hy_telemetry_declare(self->run.telemetry, &spec);
}

void view_record_declare(view_record *self)
{
    if (self->run.telemetry == NULL) {
        return;
    }
    self->pieces = declare(self, "/Field/Pieces", HY_CHANNEL_STRUCT_ARRAY, &hy_struct_translation3d);
    self->blue = declare(self, "/Match/Blue", HY_CHANNEL_INT64, NULL);
    self->red = declare(self, "/Match/Red", HY_CHANNEL_INT64, NULL);
    self->time_left = hy_telemetry_declare(
        self->run.telemetry,
        &(hy_channel_spec){ .name = "/Match/Time", .kind = HY_CHANNEL_DOUBLE, .unit = "s" });
    self->running = declare(self, "/Match/Running", HY_CHANNEL_BOOLEAN, NULL);
    self->enabled = hy_telemetry_declare(
        self->run.telemetry,
        &(hy_channel_spec){ .name = "DS:enabled", .kind = HY_CHANNEL_BOOLEAN, .is_file_only = true });
}

// Names are those of sim_publish.h: /Robot if there is one, else /Robot1, /Robot2 ..
static void declare_robots(view_record *self, size_t count)
{
    for (; self->robots < count; self->robots++) {
        const size_t i = self->robots;
        char robot[32] = "/Robot", name[64];
        if (count > 1) {
            (void)snprintf(robot, sizeof robot, "/Robot%zu", i + 1);
        }
        (void)snprintf(name, sizeof name, "%s/Truth/Pose", robot);
        self->poses[i] = declare(self, name, HY_CHANNEL_STRUCT, &hy_struct_pose2d);
        (void)snprintf(name, sizeof name, "%s/Alliance", robot);
        self->alliances[i] = declare(self, name, HY_CHANNEL_STRING, NULL);
        (void)snprintf(name, sizeof name, "%s/Team", robot);
        self->teams[i] = declare(self, name, HY_CHANNEL_STRING, NULL);
    }
}

static void put_robots(const view_record *self, const hy_icd_match *match)
{
    for (size_t i = 0; i < match->vehicle_count; i++) {
        const hy_icd_vehicle *const robot = &match->vehicle[i];
        const hy_telemetry_pose2d pose = { robot->x_m + self->middle.x_m,
                                           robot->y_m + self->middle.y_m, robot->theta_rad };
        hy_telemetry_put_struct(self->run.telemetry, self->poses[i], &pose);
    }
}

static bool have_pieces_moved(const hy_icd_match *now, const hy_icd_match *last)
{
    bool moved = now->piece_count != last->piece_count;
    for (size_t i = 0; i < now->piece_count && !moved; i++) {
        const hy_icd_piece *const a = &now->piece[i], *const b = &last->piece[i];
        moved = a->x_m != b->x_m || a->y_m != b->y_m || a->z_m != b->z_m;
    }
    return moved;
}

static void put_pieces(const view_record *self, const hy_icd_match *match)
{
    hy_telemetry_translation3d places[HY_ICD_PIECES];
    for (size_t i = 0; i < match->piece_count; i++) {
        places[i] = (hy_telemetry_translation3d){ match->piece[i].x_m + self->middle.x_m,
                                                  match->piece[i].y_m + self->middle.y_m,
                                                  match->piece[i].z_m };
    }
    hy_telemetry_put_structs(self->run.telemetry, self->pieces, places, match->piece_count);
}

static void put_score(const view_record *self, const hy_icd_match *match)
{
    hy_telemetry *const to = self->run.telemetry;
    hy_telemetry_put_int64(to, self->blue, match->blue_score);
    hy_telemetry_put_int64(to, self->red, match->red_score);
    hy_telemetry_put_double(to, self->time_left, match->timer_s);
    hy_telemetry_put_boolean(to, self->running, match->timer_runs);
    hy_telemetry_put_boolean(to, self->enabled, match->timer_runs);
}

static void put_names(const view_record *self, const hy_icd_match *match)
{
    for (size_t i = 0; i < match->vehicle_count; i++) {
        hy_telemetry_put_text(self->run.telemetry, self->alliances[i],
                              match->vehicle[i].alliance == HY_ALLIANCE_RED ? "Red" : "Blue");
        hy_telemetry_put_text(self->run.telemetry, self->teams[i], match->vehicle[i].team);
    }
}

void view_record_put(view_record *self, const hy_icd_match *match, int64_t now_us)
{
    if (self->run.telemetry == NULL || now_us < self->due_us) {
        return;
    }
    const bool is_slow_due = now_us >= self->slow_due_us;
    const hy_icd_match *const last = &self->last;
    self->due_us = now_us + PERIOD_US - EARLY_US;
    run_record_time(&self->run, now_us);
    declare_robots(self, match->vehicle_count);
    put_robots(self, match);
    if (is_slow_due || have_pieces_moved(match, last)) {
        put_pieces(self, match);
    }
    if (is_slow_due || match->blue_score != last->blue_score ||
        match->red_score != last->red_score || match->timer_runs != last->timer_runs) {
        put_score(self, match);
    }
    if (is_slow_due) {
        put_names(self, match);
        self->slow_due_us = now_us + SLOW_PERIOD_US;
    }
    self->last = *match;
}

void view_record_sticks(view_record *self, unsigned number, const hy_icd_sticks *sticks,
                        int64_t now_us)
{
    if (self->run.telemetry == NULL) {
        return;
    }
    run_record_time(&self->run, now_us);
    if (!self->has_sticks[number - 1]) {
        self->sticks[number - 1] = stick_channels_declare(self->run.telemetry, number - 1);
        self->has_sticks[number - 1] = true;
    }
    stick_channels_put(&self->sticks[number - 1], self->run.telemetry, sticks);
}
